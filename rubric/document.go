package rubric

import (
	"bytes"
	_ "embed"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

//go:embed debate.schema.json
var debateSchema string

//go:embed single.schema.json
var singleSchema string

// DebateSchema is the JSON Schema (draft 2020-12) of the document of the three-agent protocol (003): its keys, types
// and scale. It is the structure that anyone's document has; what [Evaluation.AppendDebate] writes keeps to more.
func DebateSchema() []byte { return []byte(debateSchema) }

// SingleSchema is the JSON Schema (draft 2020-12) of the flat document of the single-pass evaluator (004), such as
// [Evaluation.AppendSingle] writes.
func SingleSchema() []byte { return []byte(singleSchema) }

// Debate is the document of the three-agent protocol (003), member by member. Its schema is [DebateSchema].
type Debate struct {
	DialogueID int       `json:"dialogue_id"`
	Evaluator  *Proposal `json:"evaluator,omitzero"`
	Critic     []Opinion `json:"critic,omitzero"` // the six criteria in their order
	Final      *Outcome  `json:"referee_final,omitzero"`
	Audit      *Audit    `json:"audit,omitzero"`
}

// Justified is a score with its justification, one sentence.
type Justified struct {
	Score         Score  `json:"score"`
	Justification string `json:"justification"`
}

// ByCriterion holds a value for each criterion, as documents name them.
type ByCriterion[T any] struct {
	TaskSuccess   T `json:"TaskSuccess"`
	Helpfulness   T `json:"Helpfulness"`
	Accuracy      T `json:"Accuracy"`
	Understanding T `json:"Understanding"`
	Empathy       T `json:"Empathy"`
	Fluency       T `json:"Fluency"`
}

// List gives the values in rubric order, to be read or set.
func (b *ByCriterion[T]) List() [NumCriteria]*T {
	return [NumCriteria]*T{&b.TaskSuccess, &b.Helpfulness, &b.Accuracy, &b.Understanding, &b.Empathy, &b.Fluency}
}

// Ratings are the six criteria as documents have them.
type Ratings = ByCriterion[Justified]

// Proposal is what the Evaluator says.
type Proposal struct {
	Ratings
	Average Hundredths `json:"numeric_weighted_average"`
}

// Opinion is what the Critic says about one criterion. Whether it agrees is derived, never its word.
type Opinion struct {
	Criterion Criterion `json:"criterion"`
	Agree     bool      `json:"agree"`
	Comment   string    `json:"comment"`
	Suggested *Score    `json:"suggested_score"`
}

// Outcome is what the Referee decides.
type Outcome struct {
	Ratings
	Average Hundredths `json:"numeric_weighted_average"`
	Overall Score      `json:"OverallExperience"`
}

// Debate gives the evaluation as the document of the three-agent protocol.
func (e *Evaluation) Debate() Debate {
	proposal := &Proposal{Average: e.EvaluatorAverage}
	outcome := &Outcome{Average: e.Average, Overall: e.Overall}
	critic := make([]Opinion, NumCriteria)
	for i, before := range proposal.List() {
		*before = e.Evaluator[i].justified(e.Dialogue)
		critic[i] = Opinion{Criterion: Criterion(i), Agree: true}
		if o := &e.Critique[i]; o.Against(before.Score) {
			critic[i] = Opinion{Criterion: Criterion(i), Comment: o.Sentence(e.Dialogue), Suggested: &o.Suggested}
		}
		final := outcome.List()[i]
		if *final = *before; e.Rulings[i].ID != Agreed && e.Rulings[i].ID != Ambiguous { // these keep the rating
			*final = e.Final[i].justified(e.Dialogue)
		}
	}
	audit := e.Audit()
	return Debate{DialogueID: e.Dialogue.ID, Evaluator: proposal, Critic: critic, Final: outcome, Audit: &audit}
}

func (r *Rating) justified(d dialogue.Dialogue) Justified { return Justified{r.Score, r.Sentence(d)} }

// AppendDebate appends the document of the three-agent protocol to b: compact JSON, members in the specification's
// order, averages with two decimals.
func (e *Evaluation) AppendDebate(b []byte) []byte { return AppendJSON(b, e.Debate()) }

type single struct {
	Ratings
	Overall Justified `json:"OverallExperience"`
}

// AppendSingle appends the evaluation as the flat document of the single-pass evaluator (004) to b: the
// final scores, and the overall with its calculation. Its schema is [SingleSchema].
func (e *Evaluation) AppendSingle(b []byte) []byte {
	var doc single
	for i, r := range doc.List() {
		*r = e.Final[i].justified(e.Dialogue)
	}
	doc.Overall = Justified{e.Overall, "The weighted average of the six criteria is " + e.calc() + ", " +
		mappings[e.Rubric.Mapping].rounded + " " + e.Overall.String() + "."}
	return AppendJSON(b, doc)
}

// AppendJSON appends a value as compact JSON by its tags, "<", ">" and "&" are
// \u003c, \u003e and \u0026, so that a document can be put into a web page as it is. It panics where v cannot be JSON,
// which is a mistake of the program. Names are not looked through for duplicates, which takes time: tags give each once.
func AppendJSON(b []byte, v any) []byte {
	old := len(b)
	buf := bytes.NewBuffer(b)
	err := json.MarshalWrite(buf, v, jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true),
		jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return AppendEscaped(buf.Bytes()[:old], buf.Bytes()[old:])
}

// AppendEscaped appends JSON with DEL and the controls of C1 escaped, which act on a terminal. They can only be in its
// strings.
func AppendEscaped(b, data []byte) []byte {
	const del, c1 = 0x7f, 0xc2 // U+0080 to U+009F are 0xc2 and one more byte
	if bytes.IndexByte(data, del) < 0 && bytes.IndexByte(data, c1) < 0 {
		return append(b, data...)
	}
	for _, r := range string(data) {
		if r >= del && r < 0xa0 {
			b = fmt.Appendf(b, `\u%04x`, r)
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}
