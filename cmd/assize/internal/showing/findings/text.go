package findings

import (
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/check"
)

// text writes human-readable reports: a line for every evaluation, followed by its findings, and a
// summary at the end. Of the evaluations without findings only the first twenty have a line; the
// summary counts the others. No line is wider than 80 columns, except for the name of a file.
type text struct {
	TextOptions
	w             io.Writer
	page          ui.Page
	sum           Tally
	fixed         int  // number of corrected values
	clean         int  // number of evaluations without findings
	quotes        bool // whether there is an evaluation, and thus quotes
	afterFindings bool // whether findings precede, from which the next output is set off
}

// TextOptions control how text is written; the zero value, without colors and a transcript.
type TextOptions struct {
	Color      bool
	Transcript bool // there is a transcript, so no hint is needed
	Quiet      bool // print no hints
	Fixed      bool // corrections have been made and are listed
}

// maxClean is the maximum number of evaluations without findings that have a line.
const maxClean = 20

func (t *text) Report(r *check.Report) error {
	t.sum.Add(r)
	t.quotes = t.quotes || r.Protocol != ""
	var edits []check.Edit
	if t.Fixed {
		edits = r.Edits
	}
	apart := len(r.Findings)+len(edits) > 0
	if !apart {
		if t.clean++; t.clean > maxClean {
			return nil
		}
	}
	p := &t.page
	if t.afterFindings || apart && t.sum.Evaluations > 1 {
		p.WriteByte('\n')
	}
	t.afterFindings = apart
	t.heading(r)
	for i, e := range edits {
		if i == 0 {
			p.WriteByte('\n')
		}
		path := ui.ClipFront(ui.Visible(e.Path), ui.Columns-11)
		p.Paragraph(ui.Green, "    ", "      ", "fixed "+path+": "+clip(e.Was)+" → "+clip(e.Text))
	}
	t.fixed += len(edits)
	for i := range r.Findings {
		p.WriteByte('\n')
		writeFinding(p, r.Document.File, &r.Findings[i])
	}
	return p.Send(t.w)
}

// Flush writes the summary. A single evaluation needs none.
func (t *text) Flush() error {
	p := &t.page
	if t.afterFindings || t.sum.Evaluations > 1 {
		p.WriteByte('\n')
	}
	if t.sum.Evaluations > 1 {
		if more := t.clean - maxClean; more > 0 {
			p.Line(ui.Dim, ui.Counted(more, "more sound evaluation")+" in which nothing was found")
		}
		p.Paragraph(ui.Bold, "", "", texts.Say("summary", &t.sum))
	}
	if t.Fixed {
		p.Line(ui.Green, ui.Counted(t.fixed, "value")+" fixed")
	}
	if t.Quiet {
		return p.Send(t.w)
	}
	if t.quotes && t.sum.Verified == 0 && !t.Transcript {
		p.Line(ui.Dim, "quotes not looked up: --transcript FILE looks them up in the transcript")
	}
	if t.sum.Fixable > 0 && !t.Fixed {
		p.Line(ui.Dim, "--fix corrects "+ui.Counted(t.sum.Fixable, "finding"))
	}
	return p.Send(t.w)
}

// heading writes the line of an evaluation: its place, protocol and result.
func (t *text) heading(r *check.Report) {
	// minimum columns for a file name; if fewer are left, the heading continues on a second line
	const leastFile = 24
	var sum Tally
	sum.Add(r)
	parts, style := sum.Counts(), ui.Red
	if sum.Errors == 0 {
		parts, style = append([]string{"sound"}, parts...), ui.Yellow
	}
	if len(r.Findings) == 0 {
		style = ui.Green
	}
	what := texts.Say("heading", struct {
		*check.Report
		Counts     []string
		Transcript bool
	}{r, parts, t.Transcript})
	file := ui.ClipFront(ui.Visible(r.Document.File), max(leastFile, ui.Columns-ui.Cells(what)))
	t.page.Paragraph(style, "", "", file+what)
}

// writeFinding writes one finding: its place, in the form that editors recognize and never cut,
// with its severity, ID and path, followed by its message and details.
func writeFinding(p *ui.Page, file string, f *check.Finding) {
	place := fmt.Sprintf("%s:%d:%d: ", ui.Visible(file), f.Line, f.Column)
	severity := [...]ui.Style{check.Note: ui.Dim, check.Warning: ui.Yellow,
		check.Error: ui.Red}[f.Severity]
	path, between := ui.ClipFront(ui.Visible(f.Path), ui.Columns-4), " "
	if ui.Cells(place+f.Severity.String()+f.ID+path)+2 > ui.Columns {
		between = "\n    "
	}
	p.WriteString(place)
	p.Put(severity, f.Severity.String())
	p.Put(ui.Bold, " "+f.ID)
	p.Put(ui.Dim, between+path)
	p.EndLine("")
	p.Paragraph(ui.Plain, "    ", "    ", clip(ui.Sentence(f.Message)))
	const maxFigures = 40 // bytes of got and want together to be on one line, as figures are
	if f.Got != "" && f.Want != "" && f.Nearest == "" && len(f.Got)+len(f.Want) < maxFigures {
		p.Paragraph(ui.Plain, "      ", "      ",
			"got "+ui.Visible(f.Got)+", want "+ui.Visible(f.Want))
		return
	}
	for _, d := range [][2]string{{"got", f.Got}, {"want", f.Want}, {"nearest", f.Nearest},
		{"differs", f.Difference}} {
		if d[1] != "" {
			p.Paragraph(ui.Plain, "      "+ui.Pad(d[0], 9), strings.Repeat(" ", 15), clip(d[1]))
		}
	}
}

// clip makes a text safe to print and limits its length.
func clip(s string) string {
	const limit = 600 // columns; a quote is a line or two
	return ui.Clip(ui.Visible(s[:min(len(s), 16*limit)]), limit)
}

// object is the machine-readable output, written at the end.
type object struct {
	Documents []document `json:"documents"`
	Summary   Tally      `json:"summary"`

	w io.Writer
}

type document struct {
	File     string          `json:"file"`
	Number   int             `json:"number"` // index in the file, from 1
	Line     int             `json:"line"`
	Column   int             `json:"column"`      // in bytes
	Protocol *string         `json:"protocol"`    // null if the document has neither protocol
	Dialogue *string         `json:"dialogue_id"` // null if missing
	Sound    bool            `json:"sound"`
	Verified bool            `json:"quotes_verified"`
	Findings []check.Finding `json:"findings"`
}

func (j *object) Report(r *check.Report) error {
	j.Summary.Add(r)
	d := document{
		File: r.Document.File, Number: r.Document.Number,
		Line: r.Document.Line, Column: r.Document.Column,
		Sound: r.Worst() < check.Error, Verified: r.Verified,
		Findings: r.Findings,
	}
	if r.Protocol != "" {
		d.Protocol = &r.Protocol
	}
	if r.DialogueID != "" {
		d.Dialogue = &r.DialogueID
	}
	j.Documents = append(j.Documents, d)
	return nil
}

func (j *object) Flush() error { return ui.WriteJSON(j.w, j, "  ") }
