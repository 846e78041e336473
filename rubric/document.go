package rubric

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"assize/rubric/dialogue"
)

//go:embed debate.schema.json
var debateSchema string

//go:embed single.schema.json
var singleSchema string

// DebateSchema returns the JSON Schema (draft 2020-12) of the three-agent protocol's document:
// its keys, types and scale. It describes the structure of any such document;
// [Evaluation.AppendDebate] writes a stricter form.
func DebateSchema() []byte { return []byte(debateSchema) }

// SingleSchema returns the JSON Schema (draft 2020-12) of the single-pass evaluator's flat
// document, as written by [Evaluation.AppendSingle].
func SingleSchema() []byte { return []byte(singleSchema) }

// Debate is the document of the three-agent protocol. [DebateSchema] returns its schema.
type Debate struct {
	DialogueID int       `json:"dialogue_id"`
	Evaluator  *Proposal `json:"evaluator,omitzero"`
	Critic     []Opinion `json:"critic,omitzero"` // the six criteria in rubric order
	Final      *Outcome  `json:"referee_final,omitzero"`
	Audit      *Audit    `json:"audit,omitzero"`
}

// Justified is a score with a one-sentence justification.
type Justified struct {
	Score         Score  `json:"score"`
	Justification string `json:"justification"`
}

// ByCriterion holds one value per criterion, under the names used in documents.
type ByCriterion[T any] struct {
	TaskSuccess   T `json:"TaskSuccess"`
	Helpfulness   T `json:"Helpfulness"`
	Accuracy      T `json:"Accuracy"`
	Understanding T `json:"Understanding"`
	Empathy       T `json:"Empathy"`
	Fluency       T `json:"Fluency"`
}

// List returns pointers to the values, in rubric order.
func (b *ByCriterion[T]) List() [NumCriteria]*T {
	return [NumCriteria]*T{&b.TaskSuccess, &b.Helpfulness, &b.Accuracy, &b.Understanding,
		&b.Empathy, &b.Fluency}
}

// Ratings holds the ratings of the six criteria in a document.
type Ratings = ByCriterion[Justified]

// Proposal is the Evaluator's part of the document.
type Proposal struct {
	Ratings
	Average Hundredths `json:"numeric_weighted_average"`
}

// Opinion is the Critic's answer on one criterion. Whether it agrees is derived from its score.
type Opinion struct {
	Criterion Criterion `json:"criterion"`
	Agree     bool      `json:"agree"`
	Comment   string    `json:"comment"`
	Suggested *Score    `json:"suggested_score"`
}

// Outcome is the Referee's part of the document.
type Outcome struct {
	Ratings
	Average Hundredths `json:"numeric_weighted_average"`
	Overall Score      `json:"OverallExperience"`
}

// Debate returns the evaluation as the document of the three-agent protocol.
func (e *Evaluation) Debate() Debate {
	proposal := &Proposal{Average: e.EvaluatorAverage}
	outcome := &Outcome{Average: e.Average, Overall: e.Overall}
	critic := make([]Opinion, NumCriteria)
	for i, before := range proposal.List() {
		*before = e.Evaluator[i].justified(e.Dialogue)
		critic[i] = Opinion{Criterion: Criterion(i), Agree: true}
		if o := &e.Critique[i]; o.Against(before.Score) {
			critic[i] = Opinion{Criterion: Criterion(i), Comment: o.sentence(e.Dialogue),
				Suggested: &o.Suggested}
		}
		final := outcome.List()[i]
		// R1 and R2 keep the rating.
		if *final = *before; e.Rulings[i].ID != Agreed && e.Rulings[i].ID != Ambiguous {
			*final = e.Final[i].justified(e.Dialogue)
		}
	}
	audit := e.Audit()
	return Debate{DialogueID: e.Dialogue.ID, Evaluator: proposal, Critic: critic, Final: outcome,
		Audit: &audit}
}

func (r *Rating) justified(d dialogue.Dialogue) Justified {
	return Justified{r.Score, r.Sentence(d)}
}

// AppendDebate appends the document of the three-agent protocol to b: compact JSON with the members
// in the specification's order and averages with two decimals.
func (e *Evaluation) AppendDebate(b []byte) []byte { return AppendJSON(b, e.Debate()) }

type singleDocument struct {
	Ratings
	Overall Justified `json:"OverallExperience"`
}

// AppendSingle appends the flat document of the single-pass evaluator to b: the final scores,
// and the overall score with its calculation. [SingleSchema] returns its schema.
func (e *Evaluation) AppendSingle(b []byte) []byte {
	var doc singleDocument
	for i, r := range doc.List() {
		*r = e.Final[i].justified(e.Dialogue)
	}
	doc.Overall = Justified{e.Overall,
		fmt.Sprintf("The weighted average of the six criteria is %s, %s %s.", e.calc(),
			mappings[e.Rubric.Mapping].rounded, e.Overall)}
	return AppendJSON(b, doc)
}

// Audit explains how the Referee decided (PROTOCOL.md, "Audit").
type Audit struct {
	Decisions string `json:"decision_rules_applied"` // see [Evaluation.Decisions]
	// the quotes that support the outcome, by turn, without repetition: USER: "words"
	Evidence []string `json:"evidence_used"`
	// 100*0.40 + … = 98.00; a calculator accepts it up to the equals sign
	WeightedCalc string `json:"weighted_calc"`
	MappingRule  string `json:"mapping_rule"` // round down 98.00 → 80
}

// Audit returns the audit of e. It depends on e alone, so settling an evaluation again yields the
// same audit.
func (e *Evaluation) Audit() Audit {
	return Audit{
		Decisions:    strings.Join(e.Decisions(), " "),
		Evidence:     e.evidence(),
		WeightedCalc: e.calc(),
		MappingRule: mappings[e.Rubric.Mapping].rule + " " + e.Average.String() + " → " +
			e.Overall.String(),
	}
}

// Decisions returns one sentence for each objection and its ruling, in rubric order, one sentence
// for all criteria without an objection, and the remarks.
func (e *Evaluation) Decisions() []string {
	var list, agreed []string
	adopted := 0
	for _, r := range e.Rulings {
		if r.ID == Majority {
			adopted++
		}
	}
	if adopted > 0 {
		list = append(list, fmt.Sprintf("%s: the Critic objects to %d criteria with evidence for "+
			"each, so its version of them is adopted.", Majority, adopted))
	}
	for i, r := range e.Rulings {
		if c := Criterion(i); r.ID == Agreed {
			agreed = append(agreed, c.String()+" at "+e.Final[c].Score.String())
		} else {
			list = append(list, e.ruled(c))
		}
	}
	if len(agreed) > 0 {
		list = append(list, Agreed.String()+": the Critic has no objection to "+
			enumerate(agreed, "and")+".")
	}
	return append(list, e.Remarks...)
}

//go:embed audit.tmpl
var auditFile string

// sentences are the templates of sentences about rulings, by ground, and for a score that is kept
// or changed.
var sentences = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Parse(auditFile))
})

// ruled returns the sentence about an objection and its ruling.
func (e *Evaluation) ruled(c Criterion) string {
	r, o, name := e.Rulings[c], e.Critique[c], "changed"
	var quotes []string
	for _, q := range r.Quotes {
		quotes = append(quotes, q.Attribute(e.Dialogue))
	}
	data := struct {
		Ruling
		Objection
		On                                     Criterion
		Critic, Direction, Said, Demanded, Why string
	}{Ruling: r, Objection: o, On: c, Critic: "the Critic", Direction: "lower",
		Said: enumerate(quotes, "and")}
	if r.Ground == notShown {
		data.Demanded = enumerate(sorted(e.Rubric.Demands[c][r.Before.Level()]), "or")
	}
	if o.By != "" {
		data.Critic += " (" + o.By + ")"
	}
	if o.Suggested > r.Before {
		data.Direction = "higher"
	}
	if r.ID == Ambiguous {
		name = "kept"
	}
	var why, text strings.Builder
	err := sentences().ExecuteTemplate(&why, r.Ground.String(), data)
	data.Why = why.String()
	if err = cmp.Or(err, sentences().ExecuteTemplate(&text, name, data)); err != nil {
		panic(err) // the templates are part of the program
	}
	return text.String()
}

// enumerate joins "a", "b" and "c" with commas and a conjunction.
func enumerate(list []string, and string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " " + and + " " + list[last]
}

// evidence returns the quotes of the final justifications and of the rulings.
func (e *Evaluation) evidence() []string {
	var quotes []Quote
	for i := range e.Final {
		quotes = append(quotes, only(e.Final[i].Quotes, Quote.Occurs, e.Dialogue)...)
		quotes = append(quotes, e.Rulings[i].Quotes...)
	}
	slices.SortStableFunc(quotes, func(a, b Quote) int { return cmp.Compare(a.Turn, b.Turn) })
	list := make([]string, 0, len(quotes))
	for _, q := range quotes {
		if s := q.Attribute(e.Dialogue); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// calc returns the weighted average with its terms, in rubric order.
func (e *Evaluation) calc() string {
	var terms []string
	for i, rating := range e.Final {
		terms = append(terms, rating.Score.String()+"*"+Hundredths(e.Rubric.Weights[i]).String())
	}
	return strings.Join(terms, " + ") + " = " + e.Average.String()
}
