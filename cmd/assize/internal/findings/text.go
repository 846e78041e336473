package findings

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/check"
)

// Text writes for people: a line for every evaluation, below it what was found in it, and a summary at the end.
// Of those in which nothing was found only the first twenty have a line, and the summary counts the others.
// No line is wider than 80 columns, save one that holds nothing but the name of a file, which must stay whole.
type Text struct {
	w      io.Writer
	opt    TextOptions
	page   ui.Page
	sum    Tally
	fixed  int  // values that were corrected
	listed int  // sound evaluations without a finding
	quotes bool // there is an evaluation, and so there are quotes
	apart  bool // findings stand above: what follows is set off from them
}

// TextOptions say how Text writes. The zero value is in black and white, of evaluations without a transcript.
type TextOptions struct {
	Color      bool
	Transcript bool // there is a transcript, so nobody needs to be told how to give one
	Fixed      bool // what can be corrected has been, and is listed
}

// mostListed is how many evaluations in which nothing was found have a line.
const mostListed = 20

// NewText makes a Text that writes to w.
func NewText(w io.Writer, opt TextOptions) *Text {
	return &Text{w: w, opt: opt, page: ui.Page{Color: opt.Color}}
}

// Report writes r.
func (t *Text) Report(r *check.Report) error {
	t.sum.Add(r)
	t.quotes = t.quotes || r.Protocol != ""
	edits := r.Edits
	if !t.opt.Fixed {
		edits = nil
	}
	apart := len(r.Findings) > 0 || len(edits) > 0
	if !apart {
		if t.listed++; t.listed > mostListed {
			return nil
		}
	}
	if t.apart || apart && t.sum.Evaluations > 1 {
		t.page.WriteByte('\n')
	}
	t.apart = apart
	t.heading(r)
	for i, e := range edits {
		if t.fixed++; i == 0 {
			t.page.WriteByte('\n')
		}
		path := ui.ClipFront(ui.Visible(e.Path), ui.Columns-11)
		t.page.Paragraph(ui.Green, "    ", "      ", "fixed "+path+": "+short(e.Was)+" → "+short(e.Text))
	}
	for i := range r.Findings {
		t.page.WriteByte('\n')
		finding(&t.page, r.Document.File, &r.Findings[i])
	}
	return t.page.Send(t.w)
}

// Flush writes the summary. A single evaluation needs none.
func (t *Text) Flush() error {
	p := &t.page
	if t.apart || t.sum.Evaluations > 1 {
		p.WriteByte('\n')
	}
	if t.sum.Evaluations > 1 {
		if more := t.listed - mostListed; more > 0 {
			p.Line(ui.Dim, ui.Counted(more, "more sound evaluation")+" in which nothing was found")
		}
		p.Paragraph(ui.Bold, "", "", t.sum.String())
	}
	if t.fixed > 0 {
		p.Line(ui.Green, ui.Counted(t.fixed, "value")+" fixed")
	}
	if t.quotes && t.sum.Verified == 0 && !t.opt.Transcript {
		p.Line(ui.Dim, "quotes not verified: --transcript FILE looks them up in the transcript")
	}
	if t.sum.Fixable > 0 && !t.opt.Fixed {
		p.Line(ui.Dim, "--fix corrects "+ui.Counted(t.sum.Fixable, "finding"))
	}
	return p.Send(t.w)
}

// heading writes the line of an evaluation: where it is, what it is, and whether it is sound.
func (t *Text) heading(r *check.Report) {
	const leastFile = 24 // columns of a file's name, below which the heading takes a second line
	file, line, detail := ui.Visible(r.Document.File), fmt.Sprintf(":%d", r.Document.Line), ""
	if r.DialogueID != "" {
		detail = " · dialogue " + ui.Clip(ui.Visible(r.DialogueID), 20)
	}
	detail += " · " + cmp.Or(r.Protocol, "no evaluation")
	quotes := ""
	if r.Verified {
		quotes = "; quotes verified"
	} else if r.Protocol != "" && t.opt.Transcript {
		quotes = "; quotes not verified"
	}
	var sum Tally
	sum.Add(r)
	judgement, style := strings.Join(counts(sum.Errors, sum.Warnings, sum.Notes), ", "), ui.Red
	switch {
	case judgement == "":
		judgement, style = "sound", ui.Green
	case sum.Errors == 0:
		judgement, style = "sound, "+judgement, ui.Yellow
	}
	between, room := " · ", ui.Columns-ui.Cells(line+detail+" · "+judgement+quotes)
	if room < min(ui.Cells(file), leastFile) {
		between, room = "\n    ", ui.Columns-ui.Cells(line+detail)
	}
	t.page.Put(ui.Bold, ui.ClipFront(file, room)+line)
	t.page.Put(ui.Dim, detail+between)
	t.page.Put(style, judgement)
	t.page.Line(ui.Dim, quotes)
}

// finding writes one finding: its place, in the form that editors jump to, its severity, its id and its path, on as
// few lines as they need; its message; and what it shows.
func finding(p *ui.Page, file string, f *check.Finding) {
	place := fmt.Sprintf("%s:%d:%d:", ui.Visible(file), f.Line, f.Column)
	p.WriteString(place)
	used := ui.Cells(place)
	severity := [...]ui.Style{check.Note: ui.Dim, check.Warning: ui.Yellow, check.Error: ui.Red}[f.Severity]
	styles := []ui.Style{severity, ui.Bold, ui.Dim}
	for i, part := range []string{f.Severity.String(), f.ID, ui.ClipFront(ui.Visible(f.Path), ui.Columns-4)} {
		if part == "" {
			continue
		}
		lead := " "
		if used+1+ui.Cells(part) > ui.Columns {
			lead, used = "\n    ", 3
		}
		used += 1 + ui.Cells(part)
		p.WriteString(lead)
		p.Put(styles[i], part)
	}
	p.WriteByte('\n')
	p.Paragraph(ui.Plain, "    ", "    ", short(explain.Sentence(f.Message)))
	list := details(f)
	const mostFigures = 40 // bytes that got and want may have together to share a line, as figures do
	if len(list) == 2 && f.Got != "" && f.Want != "" && len(f.Got)+len(f.Want) < mostFigures {
		p.Paragraph(ui.Plain, "      ", "      ", "got "+ui.Visible(f.Got)+", want "+ui.Visible(f.Want))
		return
	}
	width := 0
	for _, d := range list {
		width = max(width, len(d.name)+2)
	}
	for _, d := range list {
		lead := "      " + ui.Pad(d.name, width)
		for _, line := range ui.Wrap(short(d.text), ui.Columns-len(lead)) {
			p.WriteString(lead)
			if d.name == differs && p.Color {
				line = colored(line)
			}
			p.WriteString(line + "\n")
			lead = strings.Repeat(" ", len(lead))
		}
	}
}

// detail is one of the things that a finding shows beside its message.
type detail struct{ name, text string }

const differs = "differs"

// details lists those that there are.
func details(f *check.Finding) (list []detail) {
	for _, d := range []detail{{"got", f.Got}, {"want", f.Want}, {"nearest", f.Nearest}, {differs, f.Difference}} {
		if d.text != "" {
			list = append(list, d)
		}
	}
	return list
}

// changes are the words of a difference that only one of the two texts has.
var changes = regexp.MustCompile(`\[-.*?-\]|\{\+.*?\+\}`)

// colored writes the words of a line that only one of the two texts has in colour.
func colored(line string) string {
	return changes.ReplaceAllStringFunc(line, func(words string) string {
		p := ui.Page{Color: true}
		if words[0] == '[' {
			p.Put(ui.Red, words)
		} else {
			p.Put(ui.Green, words)
		}
		return p.String()
	})
}

// short makes a text harmless, and keeps it from filling the screen.
func short(s string) string {
	const most = 600 // columns; a quote takes a line or two
	return ui.Clip(ui.Visible(s[:min(len(s), 16*most)]), most)
}
