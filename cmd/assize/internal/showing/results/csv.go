package results

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// sheet is a run.Sink of rows for spreadsheets. Our columns are followed by those of claims, of the
// scorecard's questions and facts, and of the source, such as the agent and queue.
type sheet struct {
	out    ui.Rows
	format table.Format // our columns
	long   bool         // a dialogue has a row for each criterion

	facts  []rubric.Fact      // of the first scored dialogue
	fields []string           // the source's columns; nil until they are known
	more   bool               // the heading ends in a column for source columns found later
	held   []entry            // rows not yet written
	first  map[run.Key]string // the name of the first dialogue, by [run.Row.Copy]
}

type entry struct {
	table.Values
	of *run.Row
}

// maxHeld is how many rows are held back to find the columns of the source.
const maxHeld = 1000

func (t *sheet) Add(r *run.Record) error {
	row := r.Row(0)
	key := row.Copy()
	repeats := t.first[key]
	t.first[key] = cmp.Or(repeats, row.Name)
	if t.facts == nil && r.Scored() {
		t.facts = r.Evaluation.Rubric.Facts
	}
	var judged []table.Values // what the rows have in addition to the values that they share
	if r.Scored() {
		costliest, ok := r.Evaluation.Costliest()
		for _, c := range rubric.Criteria() {
			if t.long || ok && c == costliest {
				judged = append(judged, judgementOf(r.Evaluation, c))
			}
		}
	}
	if judged == nil {
		judged = []table.Values{nil}
	}
	for _, values := range judged {
		e := entry{row.Values(), &row}
		e.Values["repeats"], e.Values["claims"] = repeats, strings.Join(Unproven(r), " ")
		for _, f := range t.facts {
			is := cmp.Or(row.Facts[f.ID], rubric.Open)
			e.Values[run.AnswerName(f.ID)] = table.Only(row.Scored(), string(is))
		}
		maps.Copy(e.Values, values)
		t.held = append(t.held, e)
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
		known := t.held[:min(len(t.held), maxHeld)]
		if slices.ContainsFunc(known,
			func(e entry) bool { return e.of.Deeds != rubric.DeedCounts{} }) {
			t.format = append(append(t.format, run.ClaimNames()...), "claims")
		}
		if i := slices.IndexFunc(known,
			func(e entry) bool { return e.of.Checklist != nil }); i >= 0 {
			t.format = append(t.format, run.QuestionNames(known[i].of.Checklist)...)
		}
		t.format = append(t.format, ui.Each(t.facts,
			func(f rubric.Fact) string { return run.AnswerName(f.ID) + " as " + f.ID })...)
		heading := t.format.Heading()
		for _, e := range known {
			for _, f := range e.of.Meta {
				if slices.Contains(t.fields, f.Name) {
					continue
				}
				t.fields = append(t.fields, f.Name)
				name := f.Name
				if slices.Contains(heading[:len(t.format)], name) {
					name = "source_" + name
				}
				heading = append(heading, name)
			}
		}
		if more {
			heading = append(heading, "more")
		}
		t.out.Sheet("Scores",
			ui.Each(heading, func(title string) ui.Column { return ui.Column{Title: title} }))
	}
	for _, e := range t.held {
		values, later := slices.Repeat([]any{""}, len(t.fields)), []string{}
		for _, f := range e.of.Meta {
			if i := slices.Index(t.fields, f.Name); i >= 0 {
				values[i] = f.Value
			} else {
				later = append(later, f.Name+"="+f.Value)
			}
		}
		if t.more {
			values = append(values, strings.Join(later, "; "))
		}
		cells := t.format.Cells(e.Including(t.format))
		if err := t.out.Row(append(cells, values...)...); err != nil {
			return err
		}
	}
	t.held = t.held[:0]
	return nil
}

func (t *sheet) Close() error { return cmp.Or(t.write(false), t.out.Flush()) }

// NewCSV returns a [run.Sink] of CSV with one row for each dialogue.
func NewCSV(w io.Writer) run.Sink { return newScores(ui.NewCSV(w)) }

// workbook is a [run.Sink] of a sheet with one row for each dialogue, and one that summarises them.
type workbook struct {
	*sheet
	book    *ui.Workbook
	w       io.Writer
	summary summary.Summary
	notes   Notes
}

// NewXLSX returns a [run.Sink] of an XLSX workbook, whose summary ends with notes.
func NewXLSX(w io.Writer, notes Notes) run.Sink {
	book := ui.NewWorkbook()
	return &workbook{sheet: newScores(book), book: book, w: w, notes: notes}
}

func (s *workbook) Add(r *run.Record) error {
	row := r.Row(0)
	s.summary.AddOnce(&row)
	return s.sheet.Add(r)
}

func (s *workbook) Close() error {
	err := s.sheet.Close()
	s.book.Sheet("Summary", nil)
	for _, sentence := range append(s.summary.Sentences(), s.notes()...) {
		s.book.Row(sentence)
	}
	for _, t := range s.summary.Tables() {
		s.book.Row()
		s.book.Table(t)
	}
	return cmp.Or(err, s.book.Send(s.w))
}

// newScores returns a sheet with one row for each dialogue, which has its costliest criterion.
func newScores(out ui.Rows) *sheet {
	return &sheet{out: out, format: run.Columns("score csv"), first: map[run.Key]string{}}
}

// NewLong returns a run.Sink of CSV with one row for each criterion: who proposed which score, the
// Referee's ruling, and the quoted evidence. An unscored dialogue has one row without a criterion.
func NewLong(w io.Writer) run.Sink {
	t := newScores(ui.NewCSV(w))
	t.format, t.long = run.Columns("score long"), true
	return t
}

// judgementOf returns the panel's judgement of a criterion.
func judgementOf(e *rubric.Evaluation, c rubric.Criterion) table.Values {
	final, o := &e.Final[c], e.Critique[c]
	if !o.Against(e.Evaluator[c].Score) {
		o = rubric.Objection{}
	}
	turns := ui.Each(final.Quotes, func(q rubric.Quote) string { return strconv.Itoa(q.Turn) })
	words := ui.Each(final.Quotes, func(q rubric.Quote) string { return q.Attribute(e.Dialogue) })
	return table.Values{"criterion": c, "weight": e.Rubric.Weights[c],
		"evaluator": e.Evaluator[c].Score, "critic": table.Only(o.Suggested > 0, o.Suggested),
		"critic_by": o.By, "ruling": e.Rulings[c].ID, "score": final.Score,
		"claim": Sentence(final.Claim), "evidence_turns": strings.Join(turns, " "),
		"evidence": strings.Join(words, "; ")}
}
