package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// Long writes a row a criterion, for spreadsheets (RFC 4180): who proposed what, how the Referee ruled, and on which
// words it rests. An unscored dialogue has one row without a criterion. See [CSV] for formulas.
type Long struct {
	w *csv.Writer
}

// NewLong makes a Long that writes to w, and writes the heading.
func NewLong(w io.Writer) (*Long, error) {
	l := &Long{csv.NewWriter(w)}
	return l, l.w.Write([]string{
		"file", "dialogue_id", "source_id", "turns", "status", "reason", "criterion", "weight",
		"evaluator", "critic", "critic_by", "ruling", "score", "claim", "evidence_turns", "evidence",
	})
}

// Record writes r.
func (l *Long) Record(r *record.Record) error {
	lead := []string{r.Source.File, strconv.Itoa(r.Dialogue.ID), r.Source.ID, strconv.Itoa(r.Source.Turns)}
	if !r.Scored() {
		return l.row(append(lead, "unscored", r.Reason, "", "", "", "", "", "", "", "", "", ""))
	}
	lead = append(lead, "scored", "")
	for _, c := range rubric.Criteria() {
		if err := l.row(append(lead[:len(lead):len(lead)], criterionRow(r.Evaluation, c)...)); err != nil {
			return err
		}
	}
	return nil
}

func criterionRow(e *rubric.Evaluation, c rubric.Criterion) []string {
	final, objection, by := e.Final[c], "", ""
	if o := e.Critique[c]; o.Against(e.Evaluator[c].Score) {
		objection, by = o.Suggested.String(), o.By
	}
	var turns, words []string
	for _, q := range final.Quotes {
		turns = append(turns, strconv.Itoa(q.Turn))
		words = append(words, q.Attribute(e.Dialogue))
	}
	return []string{
		c.String(), strconv.Itoa(e.Rubric.Weights[c]), e.Evaluator[c].Score.String(), objection, by, e.Rulings[c].ID.String(),
		final.Score.String(), final.Claim, strings.Join(turns, " "), strings.Join(words, "; "),
	}
}

func (l *Long) row(cells []string) error {
	for i, cell := range cells {
		cells[i] = Inert(cell)
	}
	return l.w.Write(cells)
}

// Flush writes what is left.
func (l *Long) Flush() error {
	l.w.Flush()
	return l.w.Error()
}
