package rubric

import (
	_ "embed"
	"fmt"

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
			critic[i] = Opinion{Criterion: Criterion(i), Suggested: &o.Suggested,
				Comment: Rating{Claim: o.Claim, Quotes: o.Quotes}.Sentence(e.Dialogue)}
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

// AppendSingle appends the flat document of the single-pass evaluator to b: the final scores,
// and the overall score with its calculation. [SingleSchema] returns its schema.
func (e *Evaluation) AppendSingle(b []byte) []byte {
	var doc struct {
		Ratings
		Overall Justified `json:"OverallExperience"`
	}
	for i, r := range doc.List() {
		*r = e.Final[i].justified(e.Dialogue)
	}
	doc.Overall = Justified{e.Overall,
		fmt.Sprintf("The weighted average of the six criteria is %s, %s %s.", e.calc(),
			mappings[e.Rubric.Mapping].rounded, e.Overall)}
	return AppendJSON(b, doc)
}
