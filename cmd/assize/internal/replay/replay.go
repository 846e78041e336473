// Package replay settles runs again from themselves alone, and names what does not follow.
//
// A run keeps what its records rest on: what the detectors saw, what the agents said, the turns, the rubric and the
// profile. The Referee settles all of it again, the profile estimates, the turns are digested, and the bytes of the
// line must be the same. Where they are not, the first values that differ are named by a JSON pointer, with what is
// recorded and what comes out.
//
// What the detectors and the agents said is taken as it is recorded. [Rejudge] judges the recorded turns again and
// compares what comes of it.
package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"assize/cmd/assize/internal/run"
)

// Replay settles runs again. It is safe for concurrent use.
type Replay struct {
	Lexicon string   // the digest of this program's lexicon
	Rejudge *Rejudge // judges the recorded turns again; nil for nobody
	Jobs    int      // how many records are worked on at once
}

// Result is what was found in one line of a run.
type Result struct {
	Line        int              `json:"line"`
	DialogueID  *int             `json:"dialogue_id,omitempty"` // nil where it cannot be read
	Differences []run.Difference `json:"differences,omitempty"`
	Again       []run.Difference `json:"again,omitempty"` // what comes out otherwise where it is judged again

	Header     *Header     `json:"-"` // of a header; nil for a record
	Record     *run.Record `json:"-"` // as it follows from its evidence; nil where no record can be made of the line
	Now        *run.Record `json:"-"` // as it is judged again; nil where that is not done
	End        bool        `json:"-"` // it is a closing line
	Unfinished bool        `json:"-"` // of no line: a run in the file has no closing line
	Err        error       `json:"-"` // the line, or all after it, could not be read; or it could not be judged again
}

// Header is what a run says of itself.
type Header struct {
	Line          int               `json:"line"`
	Program       string            `json:"program"`
	Configuration run.Configuration `json:"configuration"`
	Provenance    run.Provenance    `json:"provenance"`
	Fingerprint   string            `json:"fingerprint"`

	is      run.Header
	lexicon string   // the digest of this program's
	server  string   // the version of the server whose model judges again; empty where none does
	judge   *session // judges again; nil where that is not done
}

// item is a line of a run with the header above it, or with what is found in it already.
type item struct {
	run.Line
	header *Header
	result *Result
}

// Run replays a run, in the order of its lines. It ends early when ctx does.
func (rp *Replay) Run(ctx context.Context, r io.Reader, file string) iter.Seq[Result] {
	return run.Ordered(ctx, rp.Jobs, rp.items(ctx, r, file), settle)
}

// items reads a run. What judges again is opened here, one header after the other.
func (rp *Replay) items(ctx context.Context, r io.Reader, file string) iter.Seq[item] {
	return func(yield func(item) bool) {
		var header *Header
		for l, err := range run.Lines(r, file) {
			it := item{Line: l, header: header}
			changed := (*run.HeaderError)(nil)
			switch {
			case l.Kind == run.HeaderLine && (err == nil || errors.As(err, &changed)):
				header = &Header{lexicon: rp.Lexicon}
				header.read(&l)
				it.header, it.result = header, &Result{Line: l.Number, Header: header}
				if changed != nil {
					it.result.Differences = changed.Differences
				}
				if rp.Rejudge != nil {
					if header.judge, err = rp.Rejudge.open(ctx, header); err != nil {
						it.result.Err = fmt.Errorf("%s: %w", file, err)
					}
				}
			case errors.As(err, new(*run.Unfinished)):
				it.result = &Result{Unfinished: true}
			case err != nil:
				it.result = &Result{Line: l.Number, Err: err}
			}
			if !yield(it) {
				return
			}
		}
	}
}

// read takes what the line of a header says.
func (h *Header) read(l *run.Line) {
	h.Line, h.is = l.Number, *l.Header
	h.Program, h.Configuration = h.is.Program, h.is.Configuration
	h.Provenance, h.Fingerprint = h.is.Provenance(), h.is.Fingerprint()
}

// settle works on a line of a run.
func settle(ctx context.Context, it item) Result {
	res := Result{Line: it.Number}
	switch {
	case it.result != nil:
		return *it.result
	case it.Kind == run.EndLine:
		res.End = true
		res.Differences = differ(it.Text, it.Above.Append(nil), "the lines before it give")
		return res
	}
	r, err := it.Line.Settle()
	if err != nil {
		d := &run.Difference{Message: "cannot be read: " + err.Error()}
		errors.As(err, &d)
		res.Differences = []run.Difference{*d}
		return res
	}
	res.Record, res.DialogueID = r, &r.Dialogue.ID
	recomputed := r.Append(nil)
	res.Differences = differ(it.Text, recomputed, "its evidence gives")
	if it.Behind {
		msg := "is behind the closing line; want it before that, or a header between them"
		res.Differences = append(res.Differences, run.Difference{Message: msg})
	}
	if it.header.judge != nil && !r.CitedOnly {
		res.Now, res.Again, res.Err = it.header.judge.again(ctx, r, recomputed)
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
