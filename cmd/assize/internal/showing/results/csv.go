package results

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// sheet is a Sink of rows for spreadsheets. A dialogue may have several rows. Our columns are
// followed by those of the source, such as the agent and queue.
type sheet struct {
	out     rows
	heading []string
	of      func(*run.Record) [][]any // returns the rows of a record

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

func (t *sheet) Add(r *run.Record) error {
	for _, row := range t.of(r) {
		t.held = append(t.held, entry{row, r.Source.Meta})
	}
	if t.fields == nil && len(t.held) <= maxHeld {
		return nil
	}
	return t.write(true)
}

// write writes the heading and the rows held back. If more is set, other rows may follow.
func (t *sheet) write(more bool) error {
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

func (t *sheet) Close() error { return cmp.Or(t.write(false), t.out.Flush()) }

// NewCSV returns a Sink of CSV with one row for each dialogue.
func NewCSV(w io.Writer) Sink { return newScores(ui.NewCSV(w)) }

// workbook is a Sink of a sheet with one row for each dialogue, and a sheet that summarises them.
type workbook struct {
	*sheet
	book    *ui.Workbook
	w       io.Writer
	summary summary.Summary
}

// NewXLSX returns a Sink of an XLSX workbook.
func NewXLSX(w io.Writer) Sink {
	book := ui.NewWorkbook()
	return &workbook{sheet: newScores(book), book: book, w: w}
}

func (s *workbook) Add(r *run.Record) error {
	row := r.Row(0)
	s.summary.Add(&row)
	return s.sheet.Add(r)
}

func (s *workbook) Close() error {
	err := s.sheet.Close()
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

func newScores(out rows) *sheet {
	names := []string{"file", "number as dialogue_id", "source_id", "turns", "status", "reason",
		"overall as OverallExperience", "average as numeric_weighted_average", "satisfaction"}
	for _, c := range rubric.Criteria() {
		names = append(names, c.String())
	}
	columns := run.Columns().Pick(append(names, "changes as changed", "level", "flagged",
		"disagreement", "ratings as rating")...)
	return &sheet{out: out, heading: columns.Names(), of: func(r *run.Record) [][]any {
		row := r.Row(0)
		return [][]any{columns.Values(&row)}
	}}
}

// judgement is the panel's judgement of a criterion.
type judgement struct {
	*rubric.Evaluation
	of rubric.Criterion
}

// objection returns the Critic's objection to the Evaluator's score, if any.
func (j judgement) objection() (o rubric.Objection) {
	if j.Critique[j.of].Against(j.Evaluator[j.of].Score) {
		return j.Critique[j.of]
	}
	return o
}

func (j judgement) final() *rubric.Rating { return &j.Final[j.of] }

// judgements are the columns of a judgement: who proposed which score, the Referee's ruling, and
// the quoted evidence.
func judgements() table.Columns[judgement] {
	return table.Columns[judgement]{
		{Name: "criterion", Value: func(j judgement) any { return j.of }},
		{Name: "weight", Value: func(j judgement) any { return j.Rubric.Weights[j.of] }},
		{Name: "evaluator", Value: func(j judgement) any { return j.Evaluator[j.of].Score }},
		{Name: "critic", Value: func(j judgement) any {
			if o := j.objection(); o.Suggested != 0 {
				return o.Suggested
			}
			return nil
		}},
		{Name: "critic_by", Value: func(j judgement) any { return j.objection().By }},
		{Name: "ruling", Value: func(j judgement) any { return j.Rulings[j.of].ID }},
		{Name: "score", Value: func(j judgement) any { return j.final().Score }},
		{Name: "claim", Value: func(j judgement) any { return j.final().Claim }},
		{Name: "evidence_turns", Value: func(j judgement) any {
			var turns []string
			for _, q := range j.final().Quotes {
				turns = append(turns, strconv.Itoa(q.Turn))
			}
			return strings.Join(turns, " ")
		}},
		{Name: "evidence", Value: func(j judgement) any {
			var words []string
			for _, q := range j.final().Quotes {
				words = append(words, q.Attribute(j.Dialogue))
			}
			return strings.Join(words, "; ")
		}},
	}
}

// NewLong returns a Sink of CSV with one row for each criterion. An unscored dialogue has one row
// without a criterion.
func NewLong(w io.Writer) Sink {
	lead := run.Columns().Pick("file", "number as dialogue_id", "source_id", "turns", "status",
		"reason")
	columns, last := judgements(), run.Columns().Pick("ratings as rating")
	heading := slices.Concat(lead.Names(), columns.Names(), last.Names())
	return &sheet{out: ui.NewCSV(w), heading: heading, of: func(r *run.Record) (rows [][]any) {
		row := r.Row(0)
		add := func(values []any) {
			rows = append(rows, slices.Concat(lead.Values(&row), values, last.Values(&row)))
		}
		if !r.Scored() {
			add(slices.Repeat([]any{""}, len(columns)))
			return rows
		}
		for _, c := range rubric.Criteria() {
			add(columns.Values(judgement{r.Evaluation, c}))
		}
		return rows
	}}
}
