// Package findings checks evaluations in files and writes the findings, for people and programs.
package findings

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/check"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// Sink writes the reports of evaluations one by one. Flush ends it. Errors are those of the writer.
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
	counts := [...]*int{check.Error: &t.Errors, check.Warning: &t.Warnings, check.Note: &t.Notes}
	for _, f := range r.Findings {
		*counts[f.Severity]++
		if f.Fixable {
			t.Fixable++
		}
	}
}

var texts = prose.Of("findings")

// Unsound returns the number of evaluations with an error.
func (t *Tally) Unsound() int { return t.Evaluations - t.Sound }

// Counts returns the numbers of findings: "2 errors", "1 warning".
func (t *Tally) Counts() (list []string) {
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

	// The numbers of evaluations, of unscored records, and of findings of at least FailOn.
	evaluations, unscored, failed int
}

// checkedDocument is a document of a file with its findings.
type checkedDocument struct {
	check.Report // with Fixed, the report of the corrected document and its edits
	// err says why there is nothing to check: a [*run.Unfinished] after an incomplete run.
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
		return texts.Error("stopped", ui.Counted(x.evaluations, "evaluation"))
	}
	return nil
}

func (x *Examiner) report(c *console.Console, e *checkedDocument, sink Sink) error {
	d := &e.Document
	switch {
	case errors.As(e.err, new(*run.Unfinished)):
		c.Advise(e.err.Error())
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
		c.Unread(texts.Error("not verified", d.File, d.Line, e.Unverified))
	}
	return sink.Report(&e.Report)
}

// Answer prints a summary and returns the answer "no" if a finding is severe enough.
func (x *Examiner) Answer(c *console.Console) error {
	c.PrintProblems()
	if x.unscored > 0 {
		c.Advise(texts.Text("unscored", ui.Counted(x.unscored, "record"), ui.Is(x.unscored)))
	}
	if x.evaluations == 0 && !c.Complained {
		return errors.New("there is no evaluation in the input")
	}
	if x.failed == 0 {
		return nil
	}
	return console.Answer(texts.Say("answer", struct {
		Failed, All int
		FailOn      check.Severity
	}{x.failed, x.evaluations, x.FailOn}))
}

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
		e.Report, e.Edits = e.checker.Check(d, nil), edits
	}
	return e
}

// Transcripts are the dialogues that evaluations may refer to.
type Transcripts struct {
	Files []string
	all   []*check.Transcript
	byID  map[string][]*check.Transcript // by the names of [run.Names]
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
	for _, name := range run.Names(s.Dialogue.ID, s.Source.ID, s.Source.File) {
		t.byID[name] = append(t.byID[name], one)
	}
}

// Choose selects the dialogue with the given ID for all evaluations. Without an ID, it selects the
// only dialogue, if there is just one. It returns an error if there is no such dialogue.
func (t *Transcripts) Choose(id string) (err error) {
	switch {
	case len(t.all) == 0:
		return fmt.Errorf("no dialogue in %s; nothing is checked", t)
	case id != "":
		t.only, err = t.withID("--id", id)
	case len(t.all) == 1:
		t.only = t.all[0]
	}
	return err
}

// String returns the names of the files.
func (t *Transcripts) String() string { return strings.Join(t.Files, ", ") }

func (t *Transcripts) withID(what, id string) (*check.Transcript, error) {
	found := t.byID[id]
	if n := len(found); n != 1 {
		return nil, fmt.Errorf("%s %s: %d dialogues in %s have this id; name the file of one",
			what, id, n, t)
	}
	return found[0], nil
}

// Find returns the dialogue with the ID that an evaluation names, which may be empty.
func (t *Transcripts) Find(id string) (*check.Transcript, error) {
	if t.only != nil {
		return t.only, nil
	}
	if id == "" {
		return nil, texts.Error("nameless", len(t.all), t)
	}
	return t.withID("it belongs to dialogue", id)
}

// New returns the sink of a format.
func New(format string, w io.Writer, opt TextOptions) Sink {
	if format == "json" {
		return &object{w: w}
	}
	return &text{TextOptions: opt, w: w, page: ui.Page{Color: opt.Color}}
}
