// Package replay settles runs again from themselves alone, and names what does not follow.
//
// A run keeps what its records rest on: what the detectors saw, what the agents said, the turns, the rubric and the
// profile. The Referee settles all of it again, the profile estimates, the turns are digested, and the bytes of the
// line must be the same. Where they are not, the first values that differ are named by a JSON pointer, with what is
// recorded and what comes out. What the detectors and the agents said is taken as it is recorded.
package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
)

// Result is what was found in one line of a run.
type Result struct {
	Line        int              `json:"line"`
	DialogueID  *int             `json:"dialogue_id,omitempty"` // nil where it cannot be read
	Differences []run.Difference `json:"differences,omitempty"`

	Header     *Header     `json:"-"` // of a header; nil for a record
	Record     *run.Record `json:"-"` // as it follows from its evidence; nil where no record can be made of the line
	End        bool        `json:"-"` // it is a closing line
	Unfinished bool        `json:"-"` // of no line: a run in the file has no closing line
	Err        error       `json:"-"` // the line, or all after it, could not be read
}

// Header is what a run says of itself.
type Header struct {
	Line          int               `json:"line"`
	Program       string            `json:"program"`
	Configuration run.Configuration `json:"configuration"`
	Provenance    run.Provenance    `json:"provenance"`
	Fingerprint   string            `json:"fingerprint"`
}

// item is a line of a run, or why there is none.
type item struct {
	run.Line
	err error
}

// Run replays a run, in the order of its lines, of which it works on so many at once. It ends early when ctx does.
func Run(ctx context.Context, r io.Reader, file string, jobs int) iter.Seq[Result] {
	items := func(yield func(item) bool) {
		for l, err := range run.Lines(r, file) {
			if !yield(item{l, err}) {
				return
			}
		}
	}
	return run.Ordered(ctx, jobs, items, settle)
}

// File replays the run in a file, and keeps so many lines that differ. The console is told of what cannot be read.
func File(ctx context.Context, c *console.Console, file string, jobs, most int) *Summary {
	s := &Summary{File: file, Most: most}
	in, err := c.Open(file)
	if err != nil {
		c.Complain(err)
		s.Errors++
		return s.Close()
	}
	defer in.Close()
	c.ShowProgress()
	read := false
	for res := range Run(ctx, in, file, jobs) {
		read = true
		c.Progress.Clear()
		if res.Err != nil {
			c.Complain(res.Err)
		}
		s.Add(&res)
	}
	c.Progress.Clear()
	if s.Stopped = ctx.Err() != nil; s.Stopped {
		c.Complain(fmt.Errorf("%s: stopped after %s; the rest is not read", file, ui.Counted(s.Scored+s.Unscored, "record")))
	} else if !read {
		c.Complain(fmt.Errorf("%s: is empty; want a run, as assize score -o run.jsonl writes", file))
		s.Errors++
	}
	return s.Close()
}

// settle works on a line of a run.
func settle(_ context.Context, it item) Result {
	res := Result{Line: it.Number}
	changed := (*run.HeaderError)(nil)
	switch {
	case it.Kind == run.HeaderLine && errors.As(it.err, &changed):
		res.Differences = changed.Differences
	case errors.As(it.err, new(*run.Unfinished)):
		return Result{Unfinished: true}
	case it.err != nil:
		res.Err = it.err
		return res
	}
	switch it.Kind {
	case run.HeaderLine:
		h := it.Line.Header
		res.Header = &Header{it.Number, h.Program, h.Configuration, h.Provenance(), h.Fingerprint()}
		return res
	case run.EndLine:
		res.End = true
		res.Differences = differ(it.Text, it.Above.Append(nil), "the lines before it give")
		return res
	}
	r, err := it.Settle()
	if err != nil {
		d := &run.Difference{Message: "cannot be read: " + err.Error()}
		errors.As(err, &d)
		res.Differences = []run.Difference{*d}
		return res
	}
	res.Record, res.DialogueID = r, &r.Dialogue.ID
	res.Differences = differ(it.Text, r.Append(nil), "its evidence gives")
	if it.Behind {
		msg := "is behind the closing line; want it before that, or a header between them"
		res.Differences = append(res.Differences, run.Difference{Message: msg})
	}
	return res
}

// differ lists the first values of a line that are not what was recomputed.
func differ(recorded, recomputed []byte, gives string) []run.Difference {
	const mostListed, mostCompared = 20, 4 << 20 // a record has some five hundred values, and a hundredth of the bytes
	switch {
	case bytes.Equal(recorded, recomputed):
		return nil
	case max(len(recorded), len(recomputed)) > mostCompared:
		return []run.Difference{{Message: fmt.Sprintf("is not what %s, and too long to be compared member by member; "+
			"want at most %d MB", gives, mostCompared>>20)}}
	}
	list := run.Compare(recorded, recomputed, gives, mostListed)
	if list == nil {
		return []run.Difference{{Message: "has other white space, escapes or order than a record; all its values are right"}}
	}
	return list
}
