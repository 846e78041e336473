package check

import (
	"strings"

	"assize/rubric"
)

// verdicts is what the Referee makes of a document, as far as it can be told.
type verdicts struct {
	readings [][rubric.NumCriteria]rubric.Ruling // one for each way in which the objections may be meant
	severity Severity
}

// decide lets the Referee settle the document once more, where there is an objection. It takes a transcript, and what
// the detectors saw in it. A record says exactly who cited what. Of any other document the quotes are found in its
// sentences, and an objection is taken to be that something contradicts the evaluator, unless the audit says
// otherwise: what rests on such a reading is a warning.
func (x *exam) decide(c *critique, evaluator *card) *verdicts {
	if !evaluator.scored || x.transcript == nil || !c.objects(evaluator) {
		return nil
	}
	if x.record != nil {
		if v := x.decideRecord(c, evaluator); v != nil {
			return v
		}
	}
	if x.Observe == nil || x.partial() {
		return nil
	}
	signals, err := x.Observe(x.transcript.dialogue)
	if err != nil {
		return nil
	}
	var card rubric.Scorecard
	var objections rubric.Critique
	rules, _ := x.root.get("audit").get("decision_rules_applied").words()
	unsupported, majority := absences(rules)
	for i := range card {
		card[i] = rubric.Rating{Score: evaluator.ratings[i].score, Quotes: x.cited(evaluator.ratings[i].sentence)}
		objections[i] = rubric.Objection{Suggested: c.opinions[i].suggested, Quotes: x.cited(c.opinions[i].comment)}
		if unsupported.Has(rubric.Criterion(i)) {
			objections[i].Kind = rubric.MissingEvidence
		}
	}
	trial := rubric.Case{Dialogue: x.transcript.dialogue, Signals: signals}
	_, rulings := x.Rubric.Decide(trial, card, objections)
	v := &verdicts{[][rubric.NumCriteria]rubric.Ruling{rulings}, Warning}
	if majority {
		for i := range objections {
			objections[i].Kind = rubric.MissingEvidence
		}
		_, rulings = x.Rubric.Decide(trial, card, objections)
		v.readings = append(v.readings, rulings)
	}
	return v
}

// objects reports whether there is an objection.
func (c *critique) objects(evaluator *card) bool {
	for i := range c.opinions {
		if c.opinions[i].objects(evaluator.ratings[i].score) {
			return true
		}
	}
	return false
}

// decideRecord settles a record by its own panel and signals; nil where it lacks them.
func (x *exam) decideRecord(c *critique, evaluator *card) *verdicts {
	signals, ok := x.record.signals()
	cited, ok2 := x.record.evidence("evaluator")
	against, ok3 := x.record.evidence("critic")
	if !ok || !ok2 || !ok3 {
		return nil
	}
	var card rubric.Scorecard
	var objections rubric.Critique
	for i := range card {
		card[i] = rubric.Rating{Score: evaluator.ratings[i].score, Quotes: citations(cited[i])}
		objections[i] = rubric.Objection{Suggested: c.opinions[i].suggested, Quotes: citations(against[i])}
		if scalar(against[i].get("kind")) == rubric.MissingEvidence.String() {
			objections[i].Kind = rubric.MissingEvidence
		}
	}
	_, rulings := x.Rubric.Decide(rubric.Case{Dialogue: x.record.dialogue, Signals: signals}, card, objections)
	return &verdicts{[][rubric.NumCriteria]rubric.Ruling{rulings}, Error}
}

// partial reports whether some turns of the transcript are not known.
func (x *exam) partial() bool {
	return x.record != nil && x.record.partial && x.own
}

// cited gives the quotes of a sentence as the Referee takes them: each with every turn in which it was said. What
// nobody said stays a quote of no turn.
func (x *exam) cited(sentence *node) (quotes []rubric.Quote) {
	words, ok := sentence.words()
	if !ok {
		return nil
	}
	f := x.factsOf(words)
	for i, q := range f.quotes {
		p := &f.places[i]
		if q.denied && !p.verdict.said() {
			continue
		}
		if !p.verdict.said() {
			quotes = append(quotes, rubric.Quote{Text: q.words})
			continue
		}
		for _, n := range p.turns {
			t, _ := x.transcript.dialogue.Turn(n)
			quotes = append(quotes, rubric.Excerpt(n, t.Text, 0, 0))
		}
	}
	return quotes
}

// absences gives the criteria for which an audit names R4, that what a score needs is missing. It reports, too, whether
// the audit names R5, which adopts objections of either kind.
func absences(rules string) (unsupported rubric.Set, majority bool) {
	number := byte(0) // of the ruling that the words at hand are about
	for part := range strings.SplitSeq(rules, "R") {
		if part != "" && '1' <= part[0] && part[0] <= '5' {
			number = part[0]
		}
		majority = majority || number == '5'
		for i, name := range criteria {
			if number == '4' && strings.Contains(part, name) {
				unsupported |= rubric.SetOf(rubric.Criterion(i))
			}
		}
	}
	return unsupported, majority
}

// follows tells where a final score is not what the Referee makes of the case, in whatever way it is read.
func (x *exam) follows(v *verdicts, i int, r *rating) {
	for _, rulings := range v.readings {
		if rulings[i].After == r.score {
			return
		}
	}
	x.strays(v.readings[0][i], r, v.severity)
}

// strays tells of a final score that is not what a ruling gives.
func (x *exam) strays(ruling rubric.Ruling, r *rating, s Severity) {
	x.addNode(x.scoreOf(r), Finding{
		ID: "ruling-not-followed", Severity: s, Path: r.path + "/score", Want: ruling.After.String(),
		Message: ruling.ID.String() + " gives " + ruling.After.String() + ": " + grounds[ruling.Ground],
	})
}

// grounds word what a ruling rests on.
var grounds = map[rubric.Ground]string{
	rubric.NoObjection: "the critic does not object",
	rubric.OffScale:    "the suggested score is not on the scale",
	rubric.TooFar:      "the suggested score is more than two levels away",
	rubric.NotSaid:     "nothing that the objection cites is in the transcript",
	rubric.NotBorneOut: "no signal in what the objection cites speaks for it",
	rubric.Signalled:   "a signal in what the objection cites speaks for it",
	rubric.NotQuoted:   "nothing that the evaluator quotes is in the transcript",
	rubric.NotShown:    "nothing in the transcript shows what the evaluator's score demands",
}
