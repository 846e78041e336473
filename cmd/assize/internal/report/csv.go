package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
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
	rows    func(*run.Record) [][]string
}

// newTable makes a table and writes its heading, which begins with what both tables say of a dialogue.
func newTable(w io.Writer, heading []string, rows func(*run.Record) [][]string) (Sink, error) {
	heading = append([]string{"file", "dialogue_id", "source_id", "turns", "status", "reason"}, heading...)
	t := &table{csv.NewWriter(w), len(heading), rows}
	return t, t.Write(heading)
}

// Add implements [Sink].
func (t *table) Add(r *run.Record) error {
	status, rows := "unscored", [][]string{nil}
	if r.Scored() {
		status, rows = "scored", t.rows(r)
	}
	for _, row := range rows {
		row = slices.Concat([]string{r.Source.File, strconv.Itoa(r.Dialogue.ID), r.Source.ID,
			strconv.Itoa(r.Source.Turns), status, r.Reason}, row)
		row = append(row, make([]string, t.columns-len(row))...)
		for i, cell := range row {
			row[i] = ui.Inert(cell)
		}
		if err := t.Write(row); err != nil {
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
	heading := []string{"OverallExperience", "numeric_weighted_average", "satisfaction"}
	for _, c := range rubric.Criteria() {
		heading = append(heading, c.String())
	}
	heading = append(heading, "changed", "level", "flagged", "disagreement")
	return newTable(w, heading, func(r *run.Record) [][]string {
		e := r.Evaluation
		row := []string{e.Overall.String(), e.Average.String(), r.Satisfaction.String()}
		var changes []string // "Accuracy 80>60 R3-contradicted"
		for i, g := range e.Rulings {
			row = append(row, g.After.String())
			if g.Before != g.After {
				changes = append(changes, fmt.Sprintf("%s %d>%d %s", rubric.Criterion(i), g.Before, g.After, g.ID))
			}
		}
		level := "" // where the profile knows none
		if r.Level != 0 {
			level = strconv.Itoa(r.Level)
		}
		row = append(row, strings.Join(changes, "; "), level, strconv.FormatBool(r.Flagged), disagreement(r))
		return [][]string{row}
	})
}

// NewLong makes a Sink of one row for each criterion, and writes the heading: who proposed what, how the Referee ruled,
// and the words that it rests on. An unscored dialogue has one row without a criterion.
func NewLong(w io.Writer) (Sink, error) {
	heading := []string{"criterion", "weight", "evaluator", "critic", "critic_by", "ruling", "score", "claim",
		"evidence_turns", "evidence"}
	return newTable(w, heading, func(r *run.Record) (rows [][]string) {
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
			rows = append(rows, []string{rubric.Criterion(i).String(), strconv.Itoa(e.Rubric.Weights[i]),
				e.Evaluator[i].Score.String(), objection, by, e.Rulings[i].ID.String(), final.Score.String(),
				final.Claim, strings.Join(turns, " "), strings.Join(words, "; ")})
		}
		return rows
	})
}
