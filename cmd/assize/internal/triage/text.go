package triage

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/friction"
	"assize/cmd/assize/internal/report"
)

// The widths of what may be as wide as it likes, and of what may not.
const (
	mostID      = 21
	mostBesides = 10 // of an id beside a file
	mostBoth    = 25 // of an id and a file
	failColumns = 17 // the longest criterion and its score
)

// indent is what stands before everything below a row.
const indent = "       "

// page is a sheet on its way to a terminal. No line is wider than 80 columns.
type page struct {
	report.Page
	*Sheet
	folder                string // that all files are in, if they are several
	rank, id, file, spark int    // widths; no file where all rows are of one
}

func (s *Sheet) text(w io.Writer) error {
	p := &page{Page: report.Page{Color: s.Color}, Sheet: s}
	p.measure()
	p.head()
	for i := range s.Rows {
		p.row(&s.Rows[i])
	}
	if len(s.Beside) > 0 {
		p.Line(report.Bold, "Beside these, where the model contradicts the rules most")
		p.WriteByte('\n')
		for i := range s.Beside {
			p.row(&s.Beside[i])
		}
	}
	switch {
	case p.file == 0:
		p.Paragraph(report.Plain, "", "  ", "All are from "+report.Visible(s.Rows[0].Record.Source.File)+".")
	case p.folder != "":
		p.Paragraph(report.Plain, "", "  ", "The files are in "+report.Visible(p.folder)+".")
	}
	for _, sentence := range slices.Concat(s.Remarks, s.Sentences()) {
		p.Paragraph(report.Plain, "", "  ", report.Visible(sentence))
	}
	p.Paragraph(report.Dim, "", "  ", "Friction has a cell for each turn of the SYSTEM, low where it went wrong; assize explain friction.")
	return p.Send(w)
}

// measure fits the columns to what stands in them.
func (p *page) measure() {
	p.rank, p.id = len("rank"), len("id")
	most, files := mostID, p.files()
	if files {
		most, p.file, p.folder = mostBesides, len("file"), p.Sheet.folder()
	}
	for _, rows := range [][]Row{p.Rows, p.Beside} {
		for i := range rows {
			r := &rows[i]
			p.rank = max(p.rank, len(strconv.Itoa(r.Rank)))
			p.id = max(p.id, min(most, report.Cells(name(r))))
			if files {
				p.file = max(p.file, report.Cells(p.from(r)))
			}
		}
	}
	p.file = min(p.file, mostBoth-p.id)
	p.spark = report.Columns - report.Cells(p.lead("", "", "", "", "", "", ""))
}

// lead lays out a row up to the friction. The heading of two figures stands over both.
func (p *page) lead(rank, id, file, satisfaction, overall, average, failed string) string {
	line := fmt.Sprintf("%*s  %s ", p.rank, rank, report.Pad(id, p.id))
	if p.file > 0 {
		line += report.Pad(file, p.file) + " "
	}
	return line + fmt.Sprintf("%5s %4s%7s  %s ", satisfaction, overall, average, report.Pad(failed, failColumns))
}

func (p *page) head() {
	p.Line(report.Bold, p.lead("rank", "id", "file", "sat", "over", "all avg", "failed most")+"friction")
}

// row writes one dialogue: its figures, the words that say why, and what the model has to say.
func (p *page) row(r *Row) {
	e := r.Record.Evaluation
	failed := "nothing"
	if !r.flawless {
		failed = fmt.Sprintf("%-13s %3d", r.failed, e.Final[r.failed].Score)
	}
	id, from := report.Clip(name(r), p.id), report.ClipFront(p.from(r), max(p.file, 1))
	p.Put(report.Bold, p.lead(strconv.Itoa(r.Rank), id, from, r.Record.Satisfaction.String(), e.Overall.String(), e.Average.String(), failed))
	p.Line(report.Plain, friction.Sparkline(e, r.friction, p.spark))
	for _, q := range r.evidence {
		t, _ := e.Dialogue.Turn(q.Turn)
		lead := fmt.Sprintf("%s%4d %-7s", indent, q.Turn, t.Role)
		p.Paragraph(report.Plain, lead, strings.Repeat(" ", len(lead)), `"`+report.Visible(q.Text)+`"`)
	}
	p.note("same turns", r.same())
	p.note("model", r.verdict())
	p.note("picked", r.Picked)
	switch {
	case p.file > 0 && (id != name(r) || from != p.from(r)):
		p.note("where", name(r)+" in "+p.from(r))
	case id != name(r):
		p.note("where", name(r))
	}
	p.WriteByte('\n')
}

// note writes something about a row, if there is anything.
func (p *page) note(what, says string) {
	if says != "" {
		lead := fmt.Sprintf("%s%11s ", indent, what)
		p.Paragraph(report.Dim, lead, strings.Repeat(" ", len(lead)), report.Visible(says))
	}
}

// name is what a dialogue is called, fit to be printed.
func name(r *Row) string {
	return report.Visible(r.Record.Name())
}

// from is the file of a row, as far as not all have it in common.
func (p *page) from(r *Row) string {
	return report.Visible(strings.TrimPrefix(r.Record.Source.File, p.folder))
}
