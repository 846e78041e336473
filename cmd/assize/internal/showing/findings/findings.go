// Package findings checks evaluations read from files and writes the findings, for people and for
// programs.
package findings

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/check"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// Sink writes the reports of evaluations one by one. Flush ends the output; nothing may be added
// after it. Errors are those of the writer.
type Sink interface {
	Report(*check.Report) error
	Flush() error
}

// Tally counts evaluations and findings.
type Tally struct {
	Evaluations int `json:"evaluations"`
	Sound       int `json:"sound"`           // evaluations without an error
	Verified    int `json:"quotes_verified"` // with quotes looked up in a transcript
	Errors      int `json:"errors"`
	Warnings    int `json:"warnings"`
	Notes       int `json:"notes"`
	Fixable     int `json:"fixable"` // findings that --fix corrects
}

// Add counts the report of one evaluation.
func (t *Tally) Add(r *check.Report) {
	t.Evaluations++
	if r.Worst() < check.Error {
		t.Sound++
	}
	if r.Verified {
		t.Verified++
	}
	for _, f := range r.Findings {
		switch f.Severity {
		case check.Error:
			t.Errors++
		case check.Warning:
			t.Warnings++
		case check.Note:
			t.Notes++
		}
		if f.Fixable {
			t.Fixable++
		}
	}
}

// String returns a summary: "3 evaluations: 2 sound, 1 with 4 errors, 2 warnings; quotes verified
// in 2".
func (t *Tally) String() string {
	sound := append([]string{"all sound"}, t.counts()...)
	if unsound := t.Evaluations - t.Sound; unsound > 0 {
		sound = []string{fmt.Sprintf("%d sound, %d with %s", t.Sound, unsound,
			strings.Join(t.counts(), ", "))}
	}
	all := ui.Counted(t.Evaluations, "evaluation") + ": " + strings.Join(sound, ", ")
	switch t.Verified {
	case 0:
		return all
	case t.Evaluations:
		return all + "; quotes verified"
	}
	return fmt.Sprintf("%s; quotes verified in %d", all, t.Verified)
}

// counts returns the numbers of findings: "2 errors", "1 warning".
func (t *Tally) counts() (list []string) {
	for i, n := range []int{t.Errors, t.Warnings, t.Notes} {
		if n > 0 {
			list = append(list, ui.Counted(n, []string{"error", "warning", "note"}[i]))
		}
	}
	return list
}

// Examiner checks the evaluations in files.
type Examiner struct {
	Checker   *check.Checker
	OwnRubric bool // whether the user named a rubric, which then applies to runs too
	// Fixed, if not nil, receives each document, with the computable values corrected.
	Fixed  io.Writer
	FailOn check.Severity // minimum severity of a finding that makes the answer "no"

	// The numbers of evaluations, of unscored records, and of evaluations with a finding of at
	// least FailOn.
	evaluations, unscored, failed int
}

// checkedDocument is a document of a file with its findings.
type checkedDocument struct {
	check.Report // with Fixed, the report of the corrected document and its edits
	// err says why there is nothing to check; it is a [*run.Unfinished] after a run that is not
	// complete.
	err     error
	checker *check.Checker
}

// CheckAll checks the evaluations in files, jobs at once, and passes each report to the sink. Other
// problems are reported to the console. CheckAll returns an error if writing fails, if reading
// fails with Fixed set, since half a corrected file would be useless, or if ctx ends.
func (x *Examiner) CheckAll(ctx context.Context, c *console.Console, jobs int, files []string,
	sink Sink) error {
	documents := func(yield func(checkedDocument) bool) {
		for _, file := range files {
			if !x.read(c, file, yield) {
				return
			}
		}
	}
	for e := range run.Ordered(ctx, jobs, documents, x.check) {
		if err := x.report(c, &e, sink); err != nil {
			return err
		}
	}
	if err := sink.Flush(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("stopped after %s; the rest is not checked",
			ui.Counted(x.evaluations, "evaluation"))
	}
	return nil
}

func (x *Examiner) report(c *console.Console, e *checkedDocument, sink Sink) error {
	d := &e.Document
	switch {
	case errors.As(e.err, new(*run.Unfinished)):
		c.Note(e.err.Error())
	case e.err != nil && x.Fixed != nil:
		return e.err
	case e.err != nil:
		c.Unread(e.err)
		return nil
	}
	if x.Fixed != nil {
		if _, err := x.Fixed.Write(slices.Concat(d.Before, d.Text, d.After)); err != nil {
			return err
		}
	}
	if d.Skip == check.Unscored {
		x.unscored++
	}
	if d.Skip != "" {
		return nil
	}
	x.evaluations++
	if e.Worst() >= x.FailOn {
		x.failed++
	}
	if e.Unverified != nil {
		c.Unread(fmt.Errorf("%s:%d: the quotes of this evaluation are not verified: %w", d.File,
			d.Line, e.Unverified))
	}
	return sink.Report(&e.Report)
}

// Answer prints a summary and returns the answer "no" if a finding is severe enough.
func (x *Examiner) Answer(c *console.Console) error {
	c.PrintProblems()
	if x.unscored > 0 {
		c.Note(fmt.Sprintf("%s %s unscored, without an evaluation",
			ui.Counted(x.unscored, "record"), ui.Is(x.unscored)))
	}
	if x.evaluations == 0 && !c.Complained {
		return errors.New("there is no evaluation in the input")
	}
	if x.failed == 0 {
		return nil
	}
	what := [...]string{check.Error: "errors", check.Warning: "errors or warnings",
		check.Note: "findings"}[x.FailOn]
	has := "have"
	if x.failed == 1 {
		has = "has"
	}
	return console.Answer(fmt.Sprintf("%d of %s %s %s", x.failed,
		ui.Counted(x.evaluations, "evaluation"), has, what))
}

// read reads the documents of a file.
func (x *Examiner) read(c *console.Console, file string,
	yield func(checkedDocument) bool) (more bool) {
	r, err := source.Open(c.In, file)
	if err != nil {
		return yield(checkedDocument{err: err})
	}
	defer r.Close()
	unwrapped, err := importer.Unwrap(run.Unpack(r))
	if err != nil {
		return yield(checkedDocument{err: fmt.Errorf("%s: %w", file, err)})
	}
	in := bufio.NewReader(unwrapped)
	if first, _ := in.Peek(len(run.Beginning)); string(first) == run.Beginning {
		return x.readRun(in, file, yield)
	}
	for d, err := range check.Documents(in, file) {
		if !yield(checkedDocument{Report: check.Report{Document: d}, checker: x.Checker,
			err: err}) {
			return false
		}
	}
	return true
}

// readRun reads the lines of a run. Its evaluations are checked against the rubric in its header,
// except for what the user chose.
func (x *Examiner) readRun(in io.Reader, file string,
	yield func(checkedDocument) bool) (more bool) {
	checker, records := x.Checker, 0
	for l, err := range run.Lines(in, file) {
		d := check.Document{File: file, Line: l.Number, Column: 1, Text: l.Text}
		if l.Text != nil && !l.Torn {
			d.After = []byte("\n")
		}
		switch isUnfinished := errors.As(err, new(*run.Unfinished)); {
		case isUnfinished, l.Kind == run.EndLine:
			d.Skip = "a closing line, or the place where it is missing"
			if x.Fixed != nil && !isUnfinished { // corrections change the lines above it
				err = nil
			}
		case err != nil:
		case l.Kind == run.HeaderLine:
			own := *x.Checker
			if !x.OwnRubric {
				own.Rubric = l.Header.Basis.Rubric
			}
			d.Skip, checker = "a header", &own
		default:
			records++
			d.Number = records
			if check.IsUnscored(l.Text) {
				d.Skip = check.Unscored
			}
		}
		if !yield(checkedDocument{Report: check.Report{Document: d}, checker: checker, err: err}) {
			return false
		}
	}
	return true
}

func (x *Examiner) check(_ context.Context, e checkedDocument) checkedDocument {
	d := e.Document
	if e.err != nil || d.Skip != "" {
		return e
	}
	e.Report = e.checker.Check(d, nil)
	if edits := e.Edits; x.Fixed != nil && len(edits) > 0 {
		d.Text = e.Fix()
		e.Report = e.checker.Check(d, nil)
		e.Edits = edits
	}
	return e
}

// Transcripts are the dialogues that evaluations may refer to.
type Transcripts struct {
	Files []string
	all   []*check.Transcript
	byID  map[string][]*check.Transcript // by number and by the source's own ID
	// only is the dialogue of all evaluations. If it is nil, each names its own.
	only *check.Transcript
}

// Add adds a dialogue.
func (t *Transcripts) Add(s dialogue.Sample) {
	one := check.NewTranscript(s.Dialogue)
	if t.byID == nil {
		t.byID = map[string][]*check.Transcript{}
	}
	t.all = append(t.all, one)
	id := strconv.Itoa(s.Dialogue.ID)
	t.byID[id] = append(t.byID[id], one)
	if own := s.Source.ID; own != "" && own != id {
		t.byID[own] = append(t.byID[own], one)
	}
}

// Choose selects the dialogue with the given ID for all evaluations. Without an ID, it selects the
// only dialogue, if there is just one. It returns an error if there is no such dialogue.
func (t *Transcripts) Choose(id string) (err error) {
	switch {
	case len(t.all) == 0:
		return fmt.Errorf("no dialogue in %s; nothing is checked", t)
	case id != "":
		if t.only, err = t.withID(id); err != nil {
			return fmt.Errorf("--id %s: %w", id, err)
		}
	case len(t.all) == 1:
		t.only = t.all[0]
	}
	return nil
}

// String returns the names of the files.
func (t *Transcripts) String() string { return strings.Join(t.Files, ", ") }

func (t *Transcripts) withID(id string) (*check.Transcript, error) {
	found := t.byID[id]
	if len(found) != 1 {
		return nil, fmt.Errorf("%d dialogues in %s have this id; want one", len(found), t)
	}
	return found[0], nil
}

// Find returns the dialogue with the ID that an evaluation names, which may be empty.
func (t *Transcripts) Find(id string) (*check.Transcript, error) {
	if t.only != nil {
		return t.only, nil
	}
	if id == "" {
		return nil, fmt.Errorf("it does not name its dialogue, and there are %d in %s; want --id",
			len(t.all), t)
	}
	one, err := t.withID(id)
	if err != nil {
		return nil, fmt.Errorf("it belongs to dialogue %s: %w", id, err)
	}
	return one, nil
}

// New returns the sink of a format.
func New(format string, w io.Writer, opt TextOptions) Sink {
	if format == "json" {
		return &object{w: w, Documents: []document{}}
	}
	return &text{TextOptions: opt, w: w, page: ui.Page{Color: opt.Color}}
}

// text writes human-readable reports: a line for every evaluation, followed by its findings, and a
// summary at the end. Of the evaluations without findings only the first twenty have a line; the
// summary counts the others. No line is wider than 80 columns, except for lines that begin with a
// file name, which is never cut.
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

// TextOptions control how text is written. The zero value is for output without colors of
// evaluations without a transcript.
type TextOptions struct {
	Color      bool
	Transcript bool // there is a transcript, so no hint is needed
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

// heading writes the line of an evaluation: its place, protocol and result.
func (t *text) heading(r *check.Report) {
	// minimum columns for a file name; if fewer are left, the heading continues on a second line
	const leastFile = 24
	what := fmt.Sprintf(":%d", r.Document.Line)
	if name := cmp.Or(r.Name, r.DialogueID); name != "" {
		what += " · dialogue " + ui.Clip(ui.Visible(name), 20)
	}
	var sum Tally
	sum.Add(r)
	parts, style := sum.counts(), ui.Red
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
		Findings: append([]check.Finding{}, r.Findings...),
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
