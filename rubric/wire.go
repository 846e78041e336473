package rubric

import "strconv"

// AppendDebate appends the evaluation as the document of the three-agent protocol (003) to b: compact JSON,
// keys in the specification's order, averages with two decimals. Its schema is [DebateSchema].
//
// Strings are escaped as encoding/json does, so "<", ">" and "&" are \u003c, \u003e and \u0026: a document
// can be put into a web page as it is.
func (e *Evaluation) AppendDebate(b []byte) []byte {
	w := writer{out: b}
	w.out = append(w.out, `{"dialogue_id":`...)
	w.out = strconv.AppendInt(w.out, int64(e.Dialogue.ID), 10)
	w.out = append(w.out, `,"evaluator":{`...)
	w.card(e, &e.Evaluator)
	w.out = append(w.out, `,"numeric_weighted_average":`...)
	w.out = e.EvaluatorAverage.Append(w.out)
	w.out = append(w.out, `},"critic":[`...)
	for i := range e.Critique {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.opinion(e, Criterion(i))
	}
	w.out = append(w.out, `],"referee_final":{`...)
	w.card(e, &e.Final)
	w.out = append(w.out, `,"numeric_weighted_average":`...)
	w.out = e.Average.Append(w.out)
	w.out = append(w.out, `,"OverallExperience":`...)
	w.score(e.Overall)
	w.out = append(w.out, `},"audit":`...)
	w.audit(e)
	return append(w.out, '}')
}

// AppendSingle appends the evaluation as the flat document of the single-pass evaluator (004) to b: the
// final scores, and the overall with its calculation. Its schema is [SingleSchema].
func (e *Evaluation) AppendSingle(b []byte) []byte {
	w := writer{out: append(b, '{')}
	w.card(e, &e.Final)
	w.out = append(w.out, `,"OverallExperience":{"score":`...)
	w.score(e.Overall)
	w.out = append(w.out, `,"justification":`...)
	w.text = append(w.text[:0], "The weighted average of the six criteria is "...)
	w.text = e.appendCalc(w.text)
	w.text = append(w.text, ", "...)
	w.text = append(w.text, e.Rubric.Mapping.rounded()...)
	w.text = append(w.text, ' ')
	w.text = append(w.text, e.Overall.String()...)
	w.text = append(w.text, '.')
	w.string()
	return append(w.out, "}}"...)
}

// writer appends the parts of a document to out.
type writer struct {
	out  []byte
	text []byte // the string that is next, before it is escaped
}

// string appends w.text as a JSON string.
func (w *writer) string() { w.out = AppendString(w.out, w.text) }

func (w *writer) score(s Score) { w.out = strconv.AppendUint(w.out, uint64(s), 10) }

// card appends the six ratings as members of an object.
func (w *writer) card(e *Evaluation, card *Scorecard) {
	for i, r := range card {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, '"')
		w.out = append(w.out, criterionNames[i]...)
		w.out = append(w.out, `":{"score":`...)
		w.score(r.Score)
		w.out = append(w.out, `,"justification":`...)
		w.text = appendSentence(w.text[:0], e.Dialogue, r.Claim, verified(e.Dialogue, r.Quotes))
		w.string()
		w.out = append(w.out, '}')
	}
}

// opinion appends what the Critic says about one criterion. Whether it agrees is derived, never its word.
func (w *writer) opinion(e *Evaluation, c Criterion) {
	w.out = append(w.out, `{"criterion":"`...)
	w.out = append(w.out, criterionNames[c]...)
	o := e.Critique[c]
	if !o.Against(e.Evaluator[c].Score) {
		w.out = append(w.out, `","agree":true,"comment":"","suggested_score":null}`...)
		return
	}
	w.out = append(w.out, `","agree":false,"comment":`...)
	w.text = appendSentence(w.text[:0], e.Dialogue, o.Claim, verified(e.Dialogue, o.Quotes))
	w.string()
	w.out = append(w.out, `,"suggested_score":`...)
	w.score(o.Suggested)
	w.out = append(w.out, '}')
}

// audit appends the audit object. Its decision_rules_applied is one string, a sentence a ruling.
func (w *writer) audit(e *Evaluation) {
	w.out = append(w.out, `{"decision_rules_applied":`...)
	w.text = w.text[:0]
	for i, s := range e.decisions() {
		if i > 0 {
			w.text = append(w.text, ' ')
		}
		w.text = append(w.text, s...)
	}
	w.string()
	w.out = append(w.out, `,"evidence_used":[`...)
	for i, s := range e.evidence() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.text = append(w.text[:0], s...)
		w.string()
	}
	w.out = append(w.out, `],"weighted_calc":`...)
	w.text = e.appendCalc(w.text[:0])
	w.string()
	w.out = append(w.out, `,"mapping_rule":`...)
	w.text = e.appendMapping(w.text[:0])
	w.string()
	w.out = append(w.out, '}')
}
