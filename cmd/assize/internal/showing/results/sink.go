// Package results writes records for people and for programs. Every format is a [run.Sink], so
// the same code writes scores whether they are new or read from a run. A [run.Sink] writes
// records as they arrive and keeps at most one, so its memory does not grow with their number.
package results

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/junit"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// groups is a [run.Sink] of the figures of groups.
type groups struct {
	Options
	w io.Writer
}

// NewGroups returns a [run.Sink] of CSV with a row for each of the Groups in opt. Its
// Close may return the error of [summary.Groupers.Groups].
func NewGroups(w io.Writer, opt Options) run.Sink { return &groups{opt, w} }

func (g *groups) Add(r *run.Record) error {
	row := r.Row(0)
	g.Groups.Add(&row)
	return nil
}

func (g *groups) Close() error {
	list, err := g.Groups.Groups()
	if len(list) == 0 {
		return err
	}
	return cmp.Or(summary.Figures(list...).CSV(g.w), err)
}

// documents is a [run.Sink] of the strict documents of a protocol: an object for one dialogue,
// an array for several. An unscored dialogue has no document and no place in the array. The
// protocols name a dialogue by a number or not at all. So the document of a dialogue with an id
// of its own ends with its source, and so does each document without a number in an array.
type documents struct {
	w       io.Writer
	append  func(*rubric.Evaluation, []byte) []byte
	last    *run.Record // a scored one, held back until another follows or the output ends
	records int
	lead    string // written before the next document of the array
}

// NewJSON returns a run.Sink of documents that append writes, as [rubric.Evaluation.AppendDebate].
func NewJSON(w io.Writer, append func(*rubric.Evaluation, []byte) []byte) run.Sink {
	return &documents{w: w, append: append, lead: "[\n  "}
}

func (d *documents) Add(r *run.Record) error {
	err := d.flush("  ")
	if d.records++; r.Scored() {
		d.last = r
	}
	return err
}

// flush writes the document of the record that is held back, if any, as an element of the array
// with this indent or, if it is the only one, without.
func (d *documents) flush(indent string) error {
	if d.last == nil {
		return nil
	}
	page := d.append(d.last.Evaluation, nil)
	isNumbered := bytes.HasPrefix(page, []byte(`{"dialogue_id"`))
	if d.last.Source.ID != "" || !isNumbered && indent != "" {
		page = append(page[:len(page)-1], `,"source":`...)
		page = append(rubric.AppendJSON(page, d.last.Origin()), '}')
	}
	err := (*jsontext.Value)(&page).Indent(jsontext.WithIndentPrefix(indent),
		jsontext.WithIndent("  "))
	if indent != "" {
		page = append([]byte(d.lead), page...)
	}
	if d.last, d.lead = nil, ",\n  "; err == nil {
		_, err = d.w.Write(page)
	}
	return err
}

func (d *documents) Close() error {
	indent, end := "  ", "\n]\n"
	switch {
	case d.records == 1 && d.last != nil:
		indent, end = "", "\n"
	case d.last == nil && d.lead[0] == '[': // no documents: write an empty list
		end = "[]\n"
	}
	if err := d.flush(indent); err != nil {
		return err
	}
	_, err := io.WriteString(d.w, end)
	return err
}

// jsonLines is a [run.Sink] of a run: its header, one record per line, and a closing line. Every
// line is written whole as soon as it is known, so that a stopped run only lacks the closing
// line.
type jsonLines struct {
	w    io.Writer
	line []byte
	*run.Closing
}

// NewJSONL returns a [run.Sink] of a run, and writes the header.
func NewJSONL(w io.Writer, h run.Header) (run.Sink, error) {
	header := h.Append(nil)
	_, err := w.Write(append(header, '\n'))
	return &jsonLines{w: w, Closing: run.NewClosing(header)}, err
}

func (j *jsonLines) Add(r *run.Record) error {
	j.line = r.Append(j.line[:0])
	j.Closing.Add(j.line)
	_, err := j.w.Write(append(j.line, '\n'))
	return err
}

func (j *jsonLines) Close() error {
	_, err := j.w.Write(append(j.End().Append(nil), '\n'))
	return err
}

// JUnit is a [run.Sink] of the XML that build servers read: a test suite for every file, a test
// case for every dialogue, and a failure for every threshold that the dialogue misses, with the
// scores and the quoted evidence. A dialogue is skipped if it is unscored, or has no calls for a
// gate on claims; one that could not be read is an error. A failure is written even if the
// threshold allows some. If chance leaves the answer open, that is an error.
type JUnit struct {
	*junit.Writer
	gates *summary.Thresholds
	mask  func(string) string
	notes Notes
}

// NewJUnit returns a JUnit that checks thresholds; mask is applied to what is not of a record.
func NewJUnit(w io.Writer, s *summary.Thresholds, mask func(string) string, notes Notes) *JUnit {
	return &JUnit{junit.New(w, "assize score"), s, mask, notes}
}

// Undecided adds a test case for a gate that neither passes nor fails.
func (j *JUnit) Undecided(why string) {
	said := &junit.Result{Type: "undecided", Message: ui.Visible(j.mask(why))}
	j.Case("gates", junit.Case{Name: "all dialogues", Error: said})
}

func (j *JUnit) Close() error {
	switch v, lines, err := j.gates.Answer(); {
	case err != nil:
		j.Undecided(err.Error())
	case v == stats.Undecided:
		j.Undecided(strings.Join(lines, "; "))
	}
	j.Note = strings.Join(j.notes(), " ")
	return j.Writer.Close()
}

func (j *JUnit) Add(r *run.Record) error {
	c := junit.Case{Name: "dialogue " + ui.Visible(r.Name())}
	if !r.Scored() {
		c.Skipped = &junit.Result{Message: ui.Visible(r.Reason)}
	}
	row := r.Row(0)
	for _, t := range j.gates.List {
		if t.Misses(&row) == 0 {
			continue
		}
		missed := junit.Result{Type: t.Name, Text: failure(r, t),
			Message: fmt.Sprintf("%s is %s; %s", t.Name, t.Value(&row), t.Wants())}
		if t.State != "" {
			missed.Message = strings.Join(Unproven(r, t.State), " ")
		}
		c.Failures = append(c.Failures, missed)
	}
	isClaim := func(t summary.Threshold) bool { return t.State != "" }
	unchecked := r.Scored() && !row.HasCalls && slices.ContainsFunc(j.gates.List, isClaim)
	if unchecked && c.Failures == nil {
		c.Skipped = &junit.Result{Message: "no calls of tools, so --fail-on claim did not check it"}
	}
	j.Case(ui.Visible(r.Source.File), c)
	return nil
}

func failure(r *run.Record, t summary.Threshold) string {
	e, s := r.Evaluation, ui.Page{}
	s.Line(ui.Plain, headline(r))
	if t.State != "" {
		WriteClaims(&s, r, t.State)
		s.Line(ui.Plain, t.Wants())
		return s.String()
	}
	isFact := t.Answer == run.FactContradicted
	if t.Answer != "" && !isFact || t.Name == run.ChecklistName {
		writeAnswers(&s, r)
		return s.String()
	}
	for _, c := range rubric.Criteria() {
		counts := t.Name == summary.OverallName || t.Name == c.String()
		if counts && int(e.Final[c].Score) < t.Least || isFact && c == rubric.Accuracy {
			weight, ruling := e.Rubric.Weights[c], e.Rulings[c].ID
			s.Line(ui.Plain, texts.Text("criterion", c, e.Final[c].Score, weight, ruling))
			s.Item(ui.Plain, Sentence(e.Final[c].Claim))
			WriteQuotes(&s, e.Dialogue, e.Final[c].Quotes)
		}
	}
	return s.String()
}

// Unread adds a test case for a place in a file that could not be read.
func (j *JUnit) Unread(file, place string, err error) {
	why := ui.Visible(j.mask(err.Error()))
	failed := &junit.Result{Type: "unreadable", Message: why, Text: why}
	j.Case(ui.Visible(j.mask(file)), junit.Case{Name: place, Error: failed})
}
