package findings

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/check"
)

// text writes for people: a line for every evaluation, below it what was found in it, and a summary at the end.
// Of those in which nothing was found only the first twenty have a line, and the summary counts the others.
// No line is wider than 80 columns, save one that begins with the name of a file, which must stay whole.
type text struct {
	TextOptions
	w      io.Writer
	page   ui.Page
	sum    Tally
	fixed  int  // values that were corrected
	clean  int  // evaluations in which nothing was found
	quotes bool // there is an evaluation, and so there are quotes
	apart  bool // findings stand above: what follows is set off from them
}

// TextOptions say how text is written. The zero value is in black and white, of evaluations without a transcript.
type TextOptions struct {
	Color      bool
	Transcript bool // there is a transcript, so nobody needs to be told how to give one
	Fixed      bool // what can be corrected has been, and is listed
}

// mostClean is how many evaluations in which nothing was found have a line.
const mostClean = 20

func (t *text) Report(r *check.Report) error {
	t.sum.Add(r)
	t.quotes = t.quotes || r.Protocol != ""
	var edits []check.Edit
	if t.Fixed {
		edits = r.Edits
	}
	apart := len(r.Findings)+len(edits) > 0
	if !apart {
		if t.clean++; t.clean > mostClean {
			return nil
		}
	}
	p := &t.page
	if t.apart || apart && t.sum.Evaluations > 1 {
		p.WriteByte('\n')
	}
	t.apart = apart
	t.heading(r)
	for i, e := range edits {
		if i == 0 {
			p.WriteByte('\n')
		}
		path := ui.ClipFront(ui.Visible(e.Path), ui.Columns-11)
		p.Paragraph(ui.Green, "    ", "      ", "fixed "+path+": "+short(e.Was)+" → "+short(e.Text))
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
	if t.apart || t.sum.Evaluations > 1 {
		p.WriteByte('\n')
	}
	if t.sum.Evaluations > 1 {
		if more := t.clean - mostClean; more > 0 {
			p.Line(ui.Dim, ui.Counted(more, "more sound evaluation")+" in which nothing was found")
		}
		p.Paragraph(ui.Bold, "", "", t.sum.String())
	}
	if t.fixed > 0 {
		p.Line(ui.Green, ui.Counted(t.fixed, "value")+" fixed")
	}
	if t.quotes && t.sum.Verified == 0 && !t.Transcript {
		p.Line(ui.Dim, "quotes not verified: --transcript FILE looks them up in the transcript")
	}
	if t.sum.Fixable > 0 && !t.Fixed {
		p.Line(ui.Dim, "--fix corrects "+ui.Counted(t.sum.Fixable, "finding"))
	}
	return p.Send(t.w)
}

// heading writes the line of an evaluation: where it is, what it is, and whether it is sound.
func (t *text) heading(r *check.Report) {
	const leastFile = 24 // columns of a file's name; where less is left, the heading takes a second line
	what := fmt.Sprintf(":%d", r.Document.Line)
	if r.DialogueID != "" {
		what += " · dialogue " + ui.Clip(ui.Visible(r.DialogueID), 20)
	}
	var sum Tally
	sum.Add(r)
	parts, style := sum.faults(), ui.Red
	if sum.Errors == 0 {
		parts, style = append([]string{"sound"}, parts...), ui.Yellow
	}
	if len(r.Findings) == 0 {
		style = ui.Green
	}
	what += " · " + cmp.Or(r.Protocol, "no evaluation") + " · " + strings.Join(parts, ", ")
	if r.Verified {
		what += "; quotes verified"
	} else if r.Protocol != "" && t.Transcript {
		what += "; quotes not verified"
	}
	file := ui.ClipFront(ui.Visible(r.Document.File), max(leastFile, ui.Columns-ui.Cells(what)))
	t.page.Paragraph(style, "", "", file+what)
}

// writeFinding writes one finding: its place, in the form that editors jump to and however long, its severity, its id
// and its path; its message; and what it shows.
func writeFinding(p *ui.Page, file string, f *check.Finding) {
	place := fmt.Sprintf("%s:%d:%d: ", ui.Visible(file), f.Line, f.Column)
	severity := [...]ui.Style{check.Note: ui.Dim, check.Warning: ui.Yellow, check.Error: ui.Red}[f.Severity]
	path, between := ui.ClipFront(ui.Visible(f.Path), ui.Columns-4), " "
	if ui.Cells(place+f.Severity.String()+f.ID+path)+2 > ui.Columns {
		between = "\n    "
	}
	p.WriteString(place)
	p.Put(severity, f.Severity.String())
	p.Put(ui.Bold, " "+f.ID)
	p.Put(ui.Dim, between+path)
	p.EndLine("")
	p.Paragraph(ui.Plain, "    ", "    ", short(explain.Sentence(f.Message)))
	const mostFigures = 40 // bytes that got and want may have together to be on one line, as figures are
	if f.Got != "" && f.Want != "" && f.Nearest == "" && len(f.Got)+len(f.Want) < mostFigures {
		p.Paragraph(ui.Plain, "      ", "      ", "got "+ui.Visible(f.Got)+", want "+ui.Visible(f.Want))
		return
	}
	for _, d := range details(f) {
		p.Paragraph(ui.Plain, "      "+ui.Pad(d[0], 9), strings.Repeat(" ", 15), short(d[1]))
	}
}

// details lists what a finding shows beside its message, each with its name.
func details(f *check.Finding) (list [][2]string) {
	for _, d := range [][2]string{{"got", f.Got}, {"want", f.Want}, {"nearest", f.Nearest}, {"differs", f.Difference}} {
		if d[1] != "" {
			list = append(list, d)
		}
	}
	return list
}

// short makes a text harmless, and keeps it from filling the screen.
func short(s string) string {
	const most = 600 // columns; a quote takes a line or two
	return ui.Clip(ui.Visible(s[:min(len(s), 16*most)]), most)
}

// object is what is written for programs, at the end.
type object struct {
	Documents []document `json:"documents"`
	Summary   Tally      `json:"summary"`

	w io.Writer
}

type document struct {
	File     string          `json:"file"`
	Number   int             `json:"number"` // its place in the file, from 1
	Line     int             `json:"line"`
	Column   int             `json:"column"`      // in bytes
	Protocol *string         `json:"protocol"`    // null where the document is neither of the two
	Dialogue *string         `json:"dialogue_id"` // null where it gives none
	Sound    bool            `json:"sound"`
	Verified bool            `json:"quotes_verified"`
	Findings []check.Finding `json:"findings"`
}

func (j *object) Report(r *check.Report) error {
	j.Summary.Add(r)
	d := document{
		File: r.Document.File, Number: r.Document.Number, Line: r.Document.Line, Column: r.Document.Column,
		Sound: r.Worst() < check.Error, Verified: r.Verified, Findings: append([]check.Finding{}, r.Findings...),
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

// sarif writes a log of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS Standard, 2020), for
// editors and code scanning: a rule for every kind of finding and a result for every finding. Got, want, nearest
// and difference are in the message.
type sarif struct {
	w       io.Writer
	driver  members
	results []members
}

// members are an object of a log, by the names of the standard.
type members map[string]any

func newSARIF(w io.Writer, version string, kinds []check.Kind) *sarif {
	rules := []members{}
	for _, k := range kinds {
		rules = append(rules, members{
			"id": k.ID, "shortDescription": members{"text": k.Title}, "fullDescription": members{"text": k.Why},
			"help":                 members{"text": k.Why + "\n\nBad: " + k.Bad + "\n\nGood: " + k.Good},
			"defaultConfiguration": members{"level": k.Severity},
		})
	}
	return &sarif{w, members{"name": "assize", "version": version, "rules": rules}, []members{}}
}

func (s *sarif) Report(r *check.Report) error {
	for _, f := range r.Findings {
		message := f.Message
		for _, d := range details(&f) {
			message += "; " + d[0] + " " + d[1]
		}
		location := members{"physicalLocation": members{
			"artifactLocation": members{"uri": locator(r.Document.File)}, "region": members{"startLine": max(f.Line, 1)},
		}}
		if f.Path != "" {
			location["logicalLocations"] = []members{{"fullyQualifiedName": f.Path}}
		}
		s.results = append(s.results, members{"ruleId": f.ID, "level": f.Severity, "message": members{"text": message},
			"locations": []members{location}})
	}
	return nil
}

func (s *sarif) Flush() error {
	run := members{"tool": members{"driver": s.driver}, "results": s.results}
	return ui.WriteJSON(s.w, members{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []members{run}}, "  ")
}

// locator gives the URI of a file: relative where the path is (RFC 3986), so that a log can be read where the
// same files are elsewhere.
func locator(file string) string {
	slashed := filepath.ToSlash(file)
	if filepath.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String()
	}
	return cmp.Or((&url.URL{Path: slashed}).String(), ".")
}
