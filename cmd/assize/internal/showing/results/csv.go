package results

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// table is a Sink of rows for spreadsheets. A dialogue may have several rows, and a row shorter
// than the heading ends in empty cells. Our columns are followed by those of the source, such as
// the agent and queue.
type table struct {
	out     rows
	heading []string
	of      func(*run.Record) [][]any // returns the rows of a scored record

	fields []string // the source's columns; nil until they are known
	more   bool     // the heading ends in a column for source columns found later
	held   []entry  // rows not yet written
}

// rows accepts the heading and the rows of a table: a [ui.CSV] or a [ui.Workbook].
type rows interface {
	Sheet(name string, columns []ui.Column)
	Row(values ...any) error
	Flush() error
}

// entry is a row with the metadata of its dialogue.
type entry struct {
	row  []any
	meta dialogue.Meta
}

// maxHeld is how many rows are held back to find the columns of the source.
const maxHeld = 1000

// newTable returns a table whose heading begins with the columns that all tables share.
func newTable(out rows, of func(*run.Record) [][]any, columns ...string) *table {
	return &table{out: out, of: of,
		heading: append([]string{"file", "dialogue_id", "source_id", "turns", "status", "reason"},
			columns...)}
}

func (t *table) Add(r *run.Record) error {
	status, rows := "unscored", [][]any{nil}
	if r.Scored() {
		status, rows = "scored", t.of(r)
	}
	for _, row := range rows {
		row = append([]any{r.Source.File, r.Dialogue.ID, r.Source.ID, r.Source.Turns, status,
			r.Reason}, row...)
		for len(row) < len(t.heading)-1 {
			row = append(row, "")
		}
		var rating any = strings.Trim(fmt.Sprint(r.Truth.Overall), "[]")
		if len(r.Truth.Overall) == 1 {
			rating = r.Truth.Overall[0]
		}
		t.held = append(t.held, entry{append(row, rating), r.Source.Meta})
	}
	if t.fields == nil && len(t.held) <= maxHeld {
		return nil
	}
	return t.write(true)
}

// write writes the heading and the rows held back. If more is set, other rows may follow.
func (t *table) write(more bool) error {
	if t.fields == nil {
		t.fields, t.more = []string{}, more
		heading := slices.Clone(t.heading)
		for _, e := range t.held[:min(len(t.held), maxHeld)] {
			for _, f := range e.meta {
				if slices.Contains(t.fields, f.Name) {
					continue
				}
				t.fields = append(t.fields, f.Name)
				name := f.Name
				if slices.Contains(t.heading, name) {
					name = "source_" + name
				}
				heading = append(heading, name)
			}
		}
		if more {
			heading = append(heading, "more")
		}
		t.out.Sheet("Scores", ui.Titled(heading))
	}
	for _, e := range t.held {
		values, later := slices.Repeat([]any{""}, len(t.fields)), []string{}
		for _, f := range e.meta {
			if i := slices.Index(t.fields, f.Name); i >= 0 {
				values[i] = f.Value
			} else {
				later = append(later, f.Name+"="+f.Value)
			}
		}
		if t.more {
			values = append(values, strings.Join(later, "; "))
		}
		if err := t.out.Row(append(e.row, values...)...); err != nil {
			return err
		}
	}
	t.held = t.held[:0]
	return nil
}

func (t *table) Close() error { return cmp.Or(t.write(false), t.out.Flush()) }

// NewCSV returns a Sink of CSV with one row for each dialogue.
func NewCSV(w io.Writer) Sink { return newScores(ui.NewCSV(w)) }

// workbook is a Sink of a sheet with one row for each dialogue, and a sheet that summarises them.
type workbook struct {
	*table
	book    *ui.Workbook
	w       io.Writer
	summary summary.Summary
}

// NewXLSX returns a Sink of an XLSX workbook.
func NewXLSX(w io.Writer) Sink {
	book := ui.NewWorkbook()
	return &workbook{table: newScores(book), book: book, w: w}
}

func (s *workbook) Add(r *run.Record) error {
	row := r.Row(0)
	s.summary.Add(&row)
	return s.table.Add(r)
}

func (s *workbook) Close() error {
	err := s.table.Close()
	s.book.Sheet("Summary", nil)
	for _, sentence := range s.summary.Sentences() {
		s.book.Row(sentence)
	}
	for _, t := range s.summary.Tables() {
		s.book.Row()
		s.book.Table(t)
	}
	return cmp.Or(err, s.book.Send(s.w))
}

func newScores(out rows) *table {
	columns := []string{"OverallExperience", "numeric_weighted_average", "satisfaction"}
	for _, c := range rubric.Criteria() {
		columns = append(columns, c.String())
	}
	return newTable(out, func(r *run.Record) [][]any {
		e := r.Evaluation
		row := []any{e.Overall, e.Average, r.Satisfaction}
		var changes []string // such as "Accuracy 80>60 R3-contradicted"
		for i, g := range e.Rulings {
			row = append(row, g.After)
			if g.Before != g.After {
				changes = append(changes, fmt.Sprintf("%s %d>%d %s", rubric.Criterion(i), g.Before,
					g.After, g.ID))
			}
		}
		level := "" // empty if the profile has no level
		if r.Level != 0 {
			level = strconv.Itoa(r.Level)
		}
		return [][]any{append(row, strings.Join(changes, "; "), level, r.Flagged, disagreement(r))}
	}, append(columns, "changed", "level", "flagged", "disagreement", "rating")...)
}

// NewLong returns a Sink of CSV with one row for each criterion: who proposed which score, the
// Referee's ruling, and the quoted evidence. An unscored dialogue has one row without a criterion.
func NewLong(w io.Writer) Sink {
	return newTable(ui.NewCSV(w), func(r *run.Record) (rows [][]any) {
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
			rows = append(rows,
				[]any{rubric.Criterion(i), e.Rubric.Weights[i], e.Evaluator[i].Score, objection, by,
					e.Rulings[i].ID,
					final.Score, final.Claim, strings.Join(turns, " "), strings.Join(words, "; ")})
		}
		return rows
	}, "criterion", "weight", "evaluator", "critic", "critic_by", "ruling", "score", "claim",
		"evidence_turns", "evidence", "rating")
}
