package triage

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// jsonl writes an object a line for each dialogue. The keys are those of records where they mean the same.
func (s *Sheet) jsonl(w io.Writer) error {
	out := json.NewEncoder(w)
	for _, r := range slices.Concat(s.Rows, s.Beside) {
		if err := out.Encode(r.document()); err != nil {
			return err
		}
	}
	return nil
}

// document is a row as JSON.
type document struct {
	Rank         int         `json:"rank"`
	ID           int         `json:"dialogue_id"`
	Source       source      `json:"source"`
	Satisfaction points      `json:"satisfaction"`
	Average      points      `json:"weighted_average"`
	Overall      int         `json:"overall"`
	Criterion    *string     `json:"criterion"` // null where nothing failed
	Score        int         `json:"score,omitempty"`
	Evidence     []utterance `json:"evidence"`
	Friction     []points    `json:"friction"` // of every turn
	Duplicates   int         `json:"duplicates,omitempty"`
	Picked       words       `json:"picked,omitempty"`
	Disagreement *points     `json:"disagreement,omitempty"`
	Model        *opinion    `json:"model,omitempty"`
}

type source struct {
	File   words `json:"file"`
	Format words `json:"format"`
	ID     words `json:"id,omitempty"`
	Turns  int   `json:"turns"`
	Digest words `json:"digest"`
}

type utterance struct {
	Turn  int    `json:"turn"`
	Role  string `json:"role"`
	Quote words  `json:"quote"`
}

// opinion is what the model makes of a dialogue that it was asked about.
type opinion struct {
	Status  string  `json:"status"`
	Reason  words   `json:"reason,omitempty"`
	Average *points `json:"weighted_average,omitempty"`
	Overall int     `json:"overall,omitempty"`
	Scores  *scores `json:"scores,omitempty"`
}

// scores are the six by name, in rubric order; a map would sort them.
type scores [rubric.NumCriteria]rubric.Score

// MarshalJSON implements [json.Marshaler].
func (s scores) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, score := range s {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"%s":%d`, rubric.Criterion(i), score)
	}
	return append(b, '}'), nil
}

func (r *Row) document() document {
	e, src := r.Record.Evaluation, r.Record.Source
	d := document{
		Rank: r.Rank, ID: r.Record.Dialogue.ID,
		Source:       source{words(src.File), words(src.Format), words(src.ID), src.Turns, words(src.Digest)},
		Satisfaction: points(r.Record.Satisfaction), Average: points(e.Average), Overall: int(e.Overall),
		Evidence: []utterance{}, Friction: []points{}, Duplicates: r.Duplicates, Picked: words(r.Picked),
	}
	if !r.flawless {
		name := r.failed.String()
		d.Criterion, d.Score = &name, int(e.Final[r.failed].Score)
	}
	for _, q := range r.evidence {
		t, _ := e.Dialogue.Turn(q.Turn)
		d.Evidence = append(d.Evidence, utterance{q.Turn, t.Role.String(), words(q.Text)})
	}
	for _, p := range r.friction {
		d.Friction = append(d.Friction, points(p))
	}
	if check := r.check(); check != nil {
		apart := points(check.Disagreement)
		d.Disagreement = &apart
	}
	if r.Opinion != nil {
		d.Model = opinionOf(r.Opinion)
	}
	return d
}

func opinionOf(m *record.Record) *opinion {
	if !m.Scored() {
		return &opinion{Status: "unscored", Reason: words(m.Reason)}
	}
	average := points(m.Evaluation.Average)
	s := scores(m.Evaluation.Final.Scores())
	return &opinion{Status: "scored", Average: &average, Overall: int(m.Evaluation.Overall), Scores: &s}
}

// points are hundredths as a JSON number with two decimals.
type points rubric.Hundredths

// MarshalJSON implements [json.Marshaler].
func (p points) MarshalJSON() ([]byte, error) { return rubric.Hundredths(p).Append(nil), nil }

// words are a string whose controls are escaped, as those in records are.
type words string

// MarshalJSON implements [json.Marshaler].
func (s words) MarshalJSON() ([]byte, error) { return rubric.AppendString(nil, []byte(s)), nil }
