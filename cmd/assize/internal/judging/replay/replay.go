// Package replay settles runs again from their own content and reports what does not follow.
//
// A run contains everything that its records depend on: the detectors' signals, the agents'
// answers, the turns, the rubric and the profile. The Referee settles all of it again, the profile
// estimates, the turns are digested, and the result must equal the line byte for byte. If it does
// not, the first differing values are reported by JSON pointer, with the recorded and the
// recomputed value. If the rules of this program judged the run alone, they also judge it again.
// Otherwise the detectors' signals and the agents' answers are taken as recorded, and so is the
// satisfaction if it was judged with a lexicon that this program does not have.
package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

var texts = prose.Of("replay")

// Result holds the findings about one line of a run.
type Result struct {
	Number      int              `json:"line"`
	DialogueID  *int             `json:"dialogue_id,omitempty"` // nil if it cannot be read
	Differences []run.Difference `json:"differences,omitempty"`

	Line run.Line `json:"-"` // without its text
	// as it follows from its evidence; nil if the line yields no record
	Record *run.Record `json:"-"`
	// the line, or everything after it, could not be read; a [*run.Unfinished] has no line
	Err error `json:"-"`

	judge *judge.Judge // see [judge.Again]; may be nil
}

func (r *Result) unfinished() bool { return errors.As(r.Err, new(*run.Unfinished)) }

// header is the part of a run's header that is reported.
type header struct {
	Line          int               `json:"line"`
	Program       string            `json:"program"`
	Configuration run.Configuration `json:"configuration"`
	Provenance    run.Provenance    `json:"provenance"`
	Fingerprint   string            `json:"fingerprint"`
}

// replayLines replays a run and yields the results in the order of its lines, with up to jobs lines
// processed at once. It ends early when ctx does.
func replayLines(ctx context.Context, r io.Reader, file string, jobs int,
	agents *heuristics.Agents) iter.Seq[Result] {
	lines := func(yield func(Result) bool) {
		var again *judge.Judge
		for l, err := range run.Lines(r, file) {
			if l.Kind == run.HeaderLine && err == nil {
				again = judge.Again(agents, l.Header)
			}
			if !yield(Result{Number: l.Number, Line: l, Err: err, judge: again}) {
				return
			}
		}
	}
	return run.Ordered(ctx, jobs, lines, func(ctx context.Context, res Result) Result {
		return recompute(ctx, res, agents.Digest())
	})
}

// File replays the run in a file and keeps up to limit lines that differ. It reports unreadable
// input on the console.
func File(ctx context.Context, c *console.Console, file string, jobs, limit int,
	agents *heuristics.Agents) *Summary {
	s := &Summary{File: file, MaxLines: limit, lexicon: agents.Digest()}
	in, err := source.Open(c.In, file)
	if err != nil {
		c.Complain(err)
		s.Errors++
		return s.Close()
	}
	defer in.Close()
	c.ShowProgress()
	read := false
	for res := range replayLines(ctx, in, file, jobs, agents) {
		read = true
		c.Progress.Clear()
		if res.Err != nil && !res.unfinished() {
			c.Complain(res.Err)
		}
		s.Add(&res)
	}
	c.Progress.Clear()
	if s.Stopped = ctx.Err() != nil; s.Stopped {
		c.Complain(texts.Error("stopped", file, ui.Counted(s.Scored+s.Unscored, "record")))
	} else if !read {
		c.Complain(texts.Error("empty", file))
		s.Errors++
	}
	return s.Close()
}

func recompute(ctx context.Context, res Result, lexicon string) Result {
	l := res.Line
	res.Line.Text = nil
	switch {
	case l.Kind == run.EndLine:
		if res.Err = nil; !l.Torn { // otherwise the run was stopped here, which is reported next
			res.Differences = run.Diff(l.Text, l.Expected.Append(nil), "the lines before it yield")
		}
		return res
	case res.Err != nil:
		return res
	case l.Kind == run.HeaderLine:
		res.Differences = run.Diff(l.Text, l.Header.Append(nil), "the rest of the header yields")
		return res
	}
	r, err := l.Recompute(lexicon)
	if err != nil && l.Torn {
		return res // the run was stopped here, too
	}
	if err != nil {
		d := &run.Difference{Message: "cannot be read: " + err.Error()}
		errors.As(err, &d)
		res.Differences = []run.Difference{*d}
		return res
	}
	res.Record, res.DialogueID = r, &r.Dialogue.ID
	if res.judge != nil { // first, since evidence that was changed yields other values
		own, err := res.judge.Judge(ctx, r.Sample())
		if err != nil {
			res.judge = nil // ctx has ended
			return res
		}
		own.Source.DuplicateOf = r.Source.DuplicateOf
		res.Differences = run.Diff(l.Text, own.Append(nil), "the rules yield")
	} else {
		res.Differences = run.Diff(l.Text, r.Append(nil), "its evidence yields")
		if n := uncalled(r, l.Header.Model); n > 0 && res.Differences != nil {
			res.Differences = slices.Insert(res.Differences, 0, run.Difference{
				Message: texts.Text("uncalled", n, len(l.Header.Model.Questions))})
		}
	}
	if l.AfterEnd {
		res.Differences = append(res.Differences, run.Difference{Message: run.ErrAfterEnd.Error()})
	}
	return res
}

// uncalled returns the number of the model's questions that no call of a record asked.
func uncalled(r *run.Record, by *localllm.Identity) int {
	if r.Model == nil || by == nil {
		return 0
	}
	return len(ui.Without(by.Questions, func(q localllm.Question) bool {
		return slices.ContainsFunc(r.Model.Calls,
			func(c localllm.Call) bool { return c.Question == q.ID })
	}))
}

// Summary summarises the findings about a run. Its JSON is the output of --format json.
type Summary struct {
	File        string       `json:"file"`
	Lines       []Result     `json:"lines"` // lines with findings, see MaxLines
	LeftOut     int          `json:"lines_left_out,omitzero"`
	Headers     []*header    `json:"headers"`
	Records     int          `json:"records"` // lines with records, sound or not
	Scored      int          `json:"scored"`
	Unscored    int          `json:"unscored"`
	Duplicates  int          `json:"duplicates"`   // by [run.Row.Copy], within the run
	Broken      int          `json:"broken"`       // lines that yield no record
	Different   int          `json:"different"`    // records that do not follow from their evidence
	Repeated    int          `json:"repeated"`     // right records of dialogues of an earlier run
	Unfinished  int          `json:"unfinished"`   // runs in the file without a closing line
	NotVerified ui.Sentences `json:"not_verified"` // what could not be verified, as clauses
	Errors      int          `json:"errors"`       // read errors
	Stopped     bool         `json:"stopped"`      // the run was not read to its end
	Sound       bool         `json:"sound"`        // a whole run was settled without findings

	MaxLines int `json:"-"` // maximum number of lines kept

	Redacted, Foreign bool `json:"-"` // the header of a record says so, or names another lexicon
	Unjudged, Model   bool `json:"-"` // a record was not judged again, or by a model

	Contradictions, WrongEnds int `json:"-"` // in headers and closing lines

	Unread int    `json:"-"` // dialogues and files, by the closing lines
	Gap    string `json:"-"` // where the numbers of a file first do not follow one another

	lexicon string // digest of this program's lexicon
	// the first dialogue with each [run.Row.Copy], and the header of the run for which that holds
	first   map[run.Key]run.Origin
	of      *run.Header
	last    *run.Record // the one before, of the same run
	counted bool        // its file numbers its dialogues from 1
	seen    run.Seen
}

// Document is the JSON of several runs.
type Document struct {
	Runs  []*Summary `json:"runs"`
	Sound bool       `json:"sound"`
}

// Text writes the summaries.
func (d *Document) Text(p *ui.Page) {
	for i, s := range d.Runs {
		if i > 0 {
			p.WriteByte('\n')
		}
		s.Text(p)
	}
}

// repeated returns the difference of a record that an earlier run has, or whose mark as a duplicate
// is not that of its place: it was repeated, moved or put in. Masked turns may be equal by chance.
func (s *Summary) repeated(r *Result) *run.Difference {
	switch {
	case r.Record == nil:
		return nil
	case s.seen.Earlier(r.Record, r.Line.Header):
		if len(r.Differences) == 0 {
			s.Repeated++
		}
		return &run.Difference{Message: texts.Text("repeated")}
	case r.Line.Header.Configuration.Redacted:
		return nil
	}
	if s.of != r.Line.Header {
		s.of, s.first, s.last = r.Line.Header, map[run.Key]run.Origin{}, nil
	}
	s.follow(r.Record)
	src := &r.Record.Source
	key := new(r.Record.Row(0)).Copy()
	first, again := s.first[key]
	switch {
	case !again && src.DuplicateOf != nil:
		s.first[key] = *src.DuplicateOf // which was deleted
	case !again:
		s.first[key] = r.Record.Origin()
	case src.DuplicateOf == nil || *src.DuplicateOf != first:
		return &run.Difference{Path: "/source/duplicate_of",
			Message: texts.Text("unnamed", first.Name, first.File)}
	}
	return nil
}

// follow notes where the numbers of a file's dialogues do not follow one another, which shows that
// some were left out, removed or moved. Numbers of a table or JSON that do not begin below 10 are
// ids of the source; other formats have none.
func (s *Summary) follow(r *run.Record) {
	before, id, file := 0, r.Dialogue.ID, r.Source.File
	if s.last != nil && s.last.Source.File == file {
		before = s.last.Dialogue.ID
	} else {
		s.counted = r.Source.ID != "" || id < 10 || !importer.HasColumns(r.Source.Format)
	}
	s.last = r
	switch {
	case s.Gap != "" || !s.counted || id == before+1:
	case before == 0:
		s.Gap = fmt.Sprintf(", but %s begins with number %d", file, id)
	default:
		s.Gap = fmt.Sprintf(", but in %s number %d is followed by %d", file, before, id)
	}
}

// Add counts r.
func (s *Summary) Add(r *Result) {
	if d := s.repeated(r); d != nil {
		r.Differences = append(r.Differences, *d)
	}
	differs := min(len(r.Differences), 1)
	if differs > 0 && len(s.Lines) < s.MaxLines {
		s.Lines = append(s.Lines, *r)
	} else {
		s.LeftOut += differs
	}
	switch {
	case r.unfinished():
		s.Unfinished++
	case r.Err != nil:
		s.Errors++
	case r.Line.Kind == run.HeaderLine:
		h := r.Line.Header
		s.Headers = append(s.Headers, &header{r.Number, h.Program, h.Configuration, h.Provenance(),
			h.Fingerprint()})
		s.Contradictions += differs
	case r.Line.Kind == run.EndLine:
		s.WrongEnds += differs
		s.Unread += r.Line.Expected.Unread
	case r.Record == nil:
		s.Broken += differs
	default:
		if r.Record.Scored() {
			s.Scored++
		} else {
			s.Unscored++
		}
		if r.Record.Source.DuplicateOf != nil {
			s.Duplicates++
		}
		s.Different += differs
		s.Redacted = s.Redacted || r.Line.Header.Configuration.Redacted
		s.Foreign = s.Foreign || r.Line.Header.Lexicon != s.lexicon
		s.Unjudged = s.Unjudged || r.judge == nil
		s.Model = s.Model || r.Line.Header.Model != nil
	}
}

// Differs reports whether there are findings.
func (s *Summary) Differs() bool { return s.Contradictions+s.Broken+s.Different+s.WrongEnds > 0 }

// Close computes the fields that follow from the counts, and returns s.
func (s *Summary) Close() *Summary {
	s.Records = s.Scored + s.Unscored + s.Broken
	s.Sound = !s.Differs() && !s.Stopped && s.Errors+s.Unfinished == 0
	s.NotVerified = texts.List("not verified", s)
	return s
}

// OwnDifferent returns the number of Different records that are not Repeated.
func (s *Summary) OwnDifferent() int { return s.Different - s.Repeated }

// String summarises the findings in a sentence.
func (s *Summary) String() string {
	return texts.Say("records", s) + ": " + strings.Join(texts.List("findings", s), "; ")
}

// Text writes the lines with differences, and the totals, in at most 80 columns.
func (s *Summary) Text(p *ui.Page) {
	for i := range s.Lines {
		s.Lines[i].text(p, ui.Visible(s.File))
	}
	if s.LeftOut > 0 {
		p.Line(ui.Dim, texts.Text("left out", ui.Counted(s.LeftOut, "line")))
	}
	if s.Records == 0 && len(s.Headers) == 0 && !s.Stopped {
		return
	}
	if len(s.Lines) > 0 {
		p.WriteByte('\n')
	}
	style := ui.Red
	if s.Sound {
		style = ui.Green
	}
	p.Paragraph(style, "", "  ", ui.Visible(s.File)+": "+s.String())
	field := func(name, says string) {
		p.Paragraph(ui.Plain, "  "+ui.Pad(name, 14), strings.Repeat(" ", 18), ui.Visible(says))
	}
	for _, h := range s.Headers {
		basis := run.Header{Basis: run.DefaultBasis(), Lexicon: s.lexicon}
		// the header's rubric has it
		basis.Basis.Rubric.Mapping, _ = rubric.ParseMapping(h.Configuration.Mapping)
		for _, setting := range texts.List("header", struct {
			*header
			Known run.Provenance
		}{h, basis.Provenance()}) {
			name, says, _ := strings.Cut(setting, ": ")
			field(name, says)
		}
	}
	name := "not verified"
	for _, clause := range s.NotVerified {
		field(name, clause)
		name = ""
	}
}

func (r *Result) text(p *ui.Page, file string) {
	// maximum differences of one line, and maximum columns of the text of one
	const limit, columns = 3, 800
	place := fmt.Sprintf("%s:%d: ", file, r.Number)
	switch {
	case r.Record != nil:
		place += fmt.Sprintf("dialogue %s: ", r.Record.Name())
	case r.Line.Kind == run.HeaderLine:
		place += "header: "
	case r.Line.Kind == run.EndLine:
		place += "closing line: "
	}
	for _, d := range r.Differences[:min(len(r.Differences), limit)] {
		text := place + d.Error()
		// enough bytes for that many columns of any characters
		text = text[:min(len(text), 16*columns)]
		p.Paragraph(ui.Plain, "", "  ", ui.Clip(ui.Visible(text), columns))
	}
	if rest := len(r.Differences) - limit; rest > 0 {
		p.Line(ui.Dim, fmt.Sprintf("  and %d more", rest))
	}
}
