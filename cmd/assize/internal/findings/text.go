package findings

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/report"
	"assize/rubric/check"
)

// Text writes for people: a line for every evaluation, below it what was found in it, and a summary at the end.
// Of those in which nothing was found only the first twenty have a line, and the summary counts the others.
// No line is wider than 80 columns, save one that holds nothing but the name of a file, which must stay whole.
type Text struct {
	w       io.Writer
	opt     TextOptions
	page    report.Page
	sum     Tally
	fixed   int  // values that were put right
	listed  int  // sound evaluations without a finding that have a line
	more    int  // those behind them, which have none
	quoting bool // there is an evaluation, and so there are quotes
	apart   bool // findings stand above: what follows is set off from them
}

// TextOptions say how Text writes. The zero value is in black and white, of evaluations without a transcript.
type TextOptions struct {
	Color      bool
	Transcript bool // there is a transcript, so nobody needs to be told how to give one
	Fixed      bool // what can be put right has been, so it is told what that took
}

// mostListed is how many evaluations in which nothing was found have a line: enough to see what was read, few enough to
// leave the findings in sight.
const mostListed = 20

// NewText makes a Text that writes to w.
func NewText(w io.Writer, opt TextOptions) *Text {
	return &Text{w: w, opt: opt, page: report.Page{Color: opt.Color}}
}

// Report writes r.
func (t *Text) Report(r *check.Report) error {
	t.sum.Add(r)
	t.quoting = t.quoting || r.Protocol != ""
	apart := len(r.Findings) > 0 || t.opt.Fixed && len(r.Edits) > 0
	if !apart && t.listed == mostListed {
		t.more++
		return nil
	}
	if !apart {
		t.listed++
	}
	if t.apart || apart && t.sum.Evaluations > 1 {
		t.page.WriteByte('\n')
	}
	t.apart = apart
	t.heading(r)
	if t.opt.Fixed && len(r.Edits) > 0 {
		t.fixed += len(r.Edits)
		t.page.WriteByte('\n')
		corrections(&t.page, r.Edits)
	}
	for i := range r.Findings {
		t.page.WriteByte('\n')
		finding(&t.page, r.Document.File, &r.Findings[i])
	}
	return t.page.Send(t.w)
}

// Flush writes the summary. Of a single evaluation its own line says it all.
func (t *Text) Flush() error {
	p := &t.page
	if t.apart || t.sum.Evaluations > 1 {
		p.WriteByte('\n')
	}
	if t.sum.Evaluations > 1 {
		t.summary()
	}
	if t.fixed > 0 {
		p.Line(report.Green, report.Counted(t.fixed, "value")+" fixed")
	}
	if t.quoting && t.sum.Verified == 0 && !t.opt.Transcript {
		p.Line(report.Dim, "quotes not verified: --transcript FILE holds them against what was said")
	}
	if t.sum.Fixable > 0 && !t.opt.Fixed {
		p.Line(report.Dim, "--fix mends "+report.Counted(t.sum.Fixable, "finding"))
	}
	return p.Send(t.w)
}

// summary writes what there was, its beginning in bold.
func (t *Text) summary() {
	if t.more > 0 {
		t.page.Line(report.Dim, report.Counted(t.more, "more sound evaluation")+" in which nothing was found")
	}
	all := t.sum.String()
	if report.Cells(all) > report.Columns {
		all = strings.Replace(all, "; ", ";\n  ", 1)
	}
	head, rest, _ := strings.Cut(all, ":")
	t.page.Put(report.Bold, head)
	t.page.Line(report.Plain, ":"+rest)
}

// corrections writes what was put right.
func corrections(p *report.Page, edits []check.Edit) {
	for _, e := range edits {
		path := report.ClipFront(report.Visible(e.Path), report.Columns-11)
		change := short(e.Was) + " → " + short(e.Text)
		p.WriteString("    ")
		p.Put(report.Green, "fixed ")
		p.Put(report.Dim, path)
		if 12+report.Cells(path+change) <= report.Columns {
			p.Line(report.Plain, ": "+change)
			continue
		}
		p.WriteByte('\n')
		p.Paragraph(report.Plain, "      ", "        ", change)
	}
}

// leastFile is how much of a file's name a heading shows before it takes a second line.
const leastFile = 24

// heading writes the line of an evaluation: where it stands, what it is, and whether it is sound.
func (t *Text) heading(r *check.Report) {
	file, line, detail := report.Visible(r.Document.File), fmt.Sprintf(":%d", r.Document.Line), ""
	if r.DialogueID != "" {
		detail = " · dialogue " + report.Clip(report.Visible(r.DialogueID), 20)
	}
	detail += " · " + cmp.Or(r.Protocol, "no evaluation")
	said, st := judgement(r)
	quotes := t.quotes(r)
	between, room := " · ", report.Columns-report.Cells(line+detail)
	if rest := room - report.Cells(between+said+quotes); rest >= min(report.Cells(file), leastFile) {
		room = rest
	} else {
		between = "\n    "
	}
	t.page.Put(report.Bold, report.ClipFront(file, room)+line)
	t.page.Put(report.Dim, detail+between)
	t.page.Put(st, said)
	t.page.Line(report.Dim, quotes)
}

// quotes says whether the quotes of an evaluation were looked up. Where there is no transcript the end says so
// once for all, and what is no evaluation has no quotes.
func (t *Text) quotes(r *check.Report) string {
	switch {
	case r.Verified:
		return "; quotes verified"
	case r.Protocol != "" && t.opt.Transcript:
		return "; quotes not verified"
	}
	return ""
}

// judgement says in two or three words what became of an evaluation.
func judgement(r *check.Report) (string, report.Style) {
	var t Tally
	t.Add(r)
	all := strings.Join(counts(t.Errors, t.Warnings, t.Notes), ", ")
	switch {
	case t.Errors > 0:
		return all, report.Red
	case all != "":
		return "sound, " + all, report.Yellow
	}
	return "sound", report.Green
}
