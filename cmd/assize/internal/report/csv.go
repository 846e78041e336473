package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// table is a Sink of rows for spreadsheets (RFC 4180). No cell is run as a formula. A dialogue may have several rows;
// one that is shorter than the heading ends in empty cells.
type table struct {
	*csv.Writer
	columns int
	rows    func(*run.Record) [][]any
}

// newTable makes a table and writes its heading, which begins with what both tables say of a dialogue.
func newTable(w io.Writer, rows func(*run.Record) [][]any, columns ...string) (Sink, error) {
	heading := append([]string{"file", "dialogue_id", "source_id", "turns", "status", "reason"}, columns...)
	t := &table{csv.NewWriter(w), len(heading), rows}
	return t, t.Write(heading)
}

// Add implements [Sink].
func (t *table) Add(r *run.Record) error {
	status, rows := "unscored", [][]any{nil}
	if r.Scored() {
		status, rows = "scored", t.rows(r)
	}
	for _, row := range rows {
		cells := make([]string, t.columns)
		of := []any{r.Source.File, r.Dialogue.ID, r.Source.ID, r.Source.Turns, status, r.Reason}
		for i, value := range append(of, row...) {
			cells[i] = ui.Inert(fmt.Sprint(value))
		}
		if err := t.Write(cells); err != nil {
			return err
		}
	}
	return nil
}

// Close implements [Sink].
func (t *table) Close() error {
	t.Flush()
	return t.Error()
}

// NewCSV makes a Sink of one row for each dialogue, and writes the heading.
func NewCSV(w io.Writer) (Sink, error) {
	columns := []string{"OverallExperience", "numeric_weighted_average", "satisfaction"}
	for _, c := range rubric.Criteria() {
		columns = append(columns, c.String())
	}
	return newTable(w, func(r *run.Record) [][]any {
		e := r.Evaluation
		row := []any{e.Overall, e.Average, r.Satisfaction}
		var changes []string // "Accuracy 80>60 R3-contradicted"
		for i, g := range e.Rulings {
			row = append(row, g.After)
			if g.Before != g.After {
				changes = append(changes, fmt.Sprintf("%s %d>%d %s", rubric.Criterion(i), g.Before, g.After, g.ID))
			}
		}
		level := "" // where the profile knows none
		if r.Level != 0 {
			level = strconv.Itoa(r.Level)
		}
		return [][]any{append(row, strings.Join(changes, "; "), level, r.Flagged, disagreement(r))}
	}, append(columns, "changed", "level", "flagged", "disagreement")...)
}

// NewLong makes a Sink of one row for each criterion, and writes the heading: who proposed what, how the Referee ruled,
// and the words that it rests on. An unscored dialogue has one row without a criterion.
func NewLong(w io.Writer) (Sink, error) {
	return newTable(w, func(r *run.Record) (rows [][]any) {
		e := r.Evaluation
		for i, final := range e.Final {
			objection, by := "", ""
			if o := e.Critique[i]; o.Against(e.Evaluator[i].Score) {
				objection, by = o.Suggested.String(), o.By
			}
			var turns, words []string
			for _, q := range final.Quotes {
				turns = append(turns, strconv.Itoa(q.Turn))
				words = append(words, q.Attribute(e.Dialogue))
			}
			rows = append(rows, []any{rubric.Criterion(i), e.Rubric.Weights[i], e.Evaluator[i].Score, objection, by,
				e.Rulings[i].ID, final.Score, final.Claim, strings.Join(turns, " "), strings.Join(words, "; ")})
		}
		return rows
	}, "criterion", "weight", "evaluator", "critic", "critic_by", "ruling", "score", "claim", "evidence_turns", "evidence")
}
