// Package replay settles runs again from themselves alone, and names what does not follow.
//
// A run keeps what its records rest on: what the detectors saw, what the agents said, the turns, the rubric and the
// profile. The Referee settles all of it again, the profile estimates, the turns are digested, and the bytes of the line
// must be the same. Where they are not, the first values that differ are named by a JSON pointer, with what is recorded
// and what comes out.
//
// What the detectors and the agents said is taken as it is recorded. [Rejudge] judges the recorded turns again and
// shows which answers differ.
package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/heuristics"
	"assize/rubric"

	"github.com/go-json-experiment/json/jsontext"
)

// Replay settles runs again. It is safe for concurrent use.
type Replay struct {
	Lexicon string   // the digest of this program's lexicon
	Rejudge *Rejudge // judges the recorded turns again; nil for nobody
	Jobs    int      // how many records are worked on at once
}

// Result is what was found in one line of a run.
type Result struct {
	Line        int          `json:"line"`
	DialogueID  *int         `json:"dialogue_id,omitempty"` // nil where it cannot be read
	Differences []Difference `json:"differences,omitempty"`
	*Again                   // what is answered otherwise now; nil for nothing

	Header     *Header     `json:"-"` // of a header; nil for a record
	Record     *run.Record `json:"-"` // as it follows from its evidence; nil where no record can be made of the line
	Now        *run.Record `json:"-"` // as it comes out where the agents are asked again; nil where nobody is
	Judged     bool        `json:"-"` // the agents were asked again, and answered
	End        bool        `json:"-"` // it is a closing line
	Unfinished bool        `json:"-"` // of no line: a run in the file has no closing line
	Unchecked  bool        `json:"-"` // the record is below a header that cannot be read
	Err        error       `json:"-"` // the line, or all after it, could not be read; or it could not be judged again
}

// tells reports whether there is something to show of a line.
func (r *Result) tells() bool { return len(r.Differences) > 0 || r.Again != nil }

// Header is what a run says of itself.
type Header struct {
	Line          int               `json:"line"`
	Program       string            `json:"program"`
	Configuration run.Configuration `json:"configuration"`
	Provenance    run.Provenance    `json:"provenance"`
	Fingerprint   string            `json:"fingerprint"`

	is          run.Header
	noBasis     bool   // it says nothing by which records could be settled
	contradicts bool   // itself
	lexicon     string // the digest of this program's
	server      string // the version of the server whose model judges again; empty where none does
}

// Difference is a place where a line is not what it should be.
type Difference struct {
	Path       string         `json:"path"`    // a JSON pointer (RFC 6901) into the line; empty for the line as a whole
	Follows    bool           `json:"follows"` // it may follow from one that comes before it
	Recorded   jsontext.Value `json:"recorded,omitempty"`
	Recomputed jsontext.Value `json:"recomputed,omitempty"`
	Message    string         `json:"message"` // "is 80; its evidence gives 60"
}

// String is a sentence of place and message.
func (d *Difference) String() string {
	if d.Path == "" {
		return "the line " + d.Message
	}
	return d.Path + " " + d.Message
}

// section is a header with the lines below it. Records before any header are one too.
type section struct {
	header  *Header  // nil for none
	judge   *session // nil where nobody judges again
	closing *run.Closing
	closed  bool
}

// item is a record to be settled, or a result.
type item struct {
	line    run.Line
	section *section
	behind  bool // it is behind the closing line
	result  *Result
}

// Run replays a run, in the order of its lines. It ends early when ctx does.
func (rp *Replay) Run(ctx context.Context, r io.Reader, file string) iter.Seq[Result] {
	return run.Ordered(ctx, rp.Jobs, rp.items(ctx, r, file), rp.settle)
}

// items reads a run.
func (rp *Replay) items(ctx context.Context, r io.Reader, file string) iter.Seq[item] {
	return func(yield func(item) bool) {
		var now *section
		tell := func(res Result) bool { return yield(item{result: &res}) }
		finished := func() bool { return now == nil || now.closed || now.header == nil || tell(Result{Unfinished: true}) }
		for l, err := range run.Scan(r, file) {
			res := Result{Line: l.Number, Err: err}
			if err == nil && !l.BeginsEnd() {
				res.Header, res.Differences, res.Err = rp.header(l)
			}
			if res.Err != nil && !l.BeginsHeader() { // this is no run
				tell(res)
				return
			}
			if res.Header != nil && !finished() {
				return
			}
			if res.Header != nil || now == nil {
				now = &section{header: res.Header, closing: run.NewClosing(nil)}
				if rp.Rejudge != nil && res.Err == nil && (res.Header == nil || !res.Header.noBasis) {
					if now.judge, res.Err = rp.Rejudge.open(ctx, res.Header); res.Err != nil {
						res.Err = fmt.Errorf("%s: %w", file, res.Err)
					}
				}
				if (res.Header != nil || res.Err != nil) && !tell(res) {
					return
				}
			}
			more := true
			switch {
			case res.Header != nil || l.Blank():
				now.closing.Text(l.Text) // the digest is of every byte
			case l.BeginsEnd():
				now.closed = true
				more = tell(Result{Line: l.Number, End: true, Differences: endDifferences(l, now.closing.End())})
			default:
				scored := bytes.Contains(l.Text, []byte(`,"status":"scored",`)) // in a string, its quotes would be escaped
				now.closing.Add(l.Text, scored, bytes.Contains(l.Text, []byte(`,"duplicate_of":{`)))
				more = yield(item{line: l, section: now, behind: now.closed})
			}
			if !more {
				return
			}
		}
		finished()
	}
}

// header reads a header; it gives nil where the line is a record. The error is of a header that cannot be read.
func (rp *Replay) header(l run.Line) (h *Header, list []Difference, err error) {
	is, ok, err := l.ParseHeader()
	if !ok && err == nil {
		return nil, nil, nil
	}
	h = &Header{
		Line: l.Number, Program: is.Program, Configuration: is.Configuration, Provenance: is.Provenance(), Fingerprint: is.Fingerprint(),
		is: is, lexicon: rp.Lexicon,
	}
	var changed *run.HeaderError
	if !errors.As(err, &changed) {
		h.noBasis = err != nil
		return h, nil, err
	}
	h.noBasis, h.contradicts = changed.NoBasis, true
	for i, p := range changed.Problems {
		list = append(list, Difference{Path: p.Pointer, Follows: i > 0, Message: p.Msg})
	}
	return h, list, nil
}

// endDifferences compares a closing line with what the lines above it give.
func endDifferences(l run.Line, end run.End) []Difference {
	switch is := end.Append(nil); {
	case bytes.Equal(is, l.Text):
		return nil
	case l.Torn:
		return []Difference{{Message: brokenOff(l)}}
	default:
		return differ(l.Text, is, "the lines before it give")
	}
}

func brokenOff(l run.Line) string {
	return fmt.Sprintf("breaks off after %d bytes: the writing of the run was cut short", len(l.Text))
}

// settle works on one record.
func (rp *Replay) settle(ctx context.Context, it item) Result {
	if it.result != nil {
		return *it.result
	}
	res := Result{Line: it.line.Number}
	h := it.section.header
	if h != nil {
		if res.Unchecked = h.noBasis; res.Unchecked {
			return res
		}
		it.line = it.line.Under(&h.is)
	}
	r, err := it.line.Decode()
	if err == nil {
		res.DialogueID = &r.Dialogue.ID
		r, err = Settle(r, *it.line.Basis())
	}
	if err != nil {
		res.Differences = unreadable(it.line, err)
		_ = json.Unmarshal(it.line.Text, &struct {
			ID **int `json:"dialogue_id"`
		}{&res.DialogueID}) // what is no number is no id
		return res
	}
	res.Record = r
	if again := r.Append(nil); !bytes.Equal(again, it.line.Text) {
		res.Differences = differ(it.line.Text, again, "its evidence gives")
	}
	if it.behind {
		res.Differences = append(res.Differences, Difference{Message: "is behind the closing line; want it before that, or a header between them"})
	}
	res.Differences = append(res.Differences, h.kept(r)...)
	if it.section.judge != nil && !r.CitedOnly {
		if res.Now, res.Err = it.section.judge.again(ctx, r); res.Err == nil {
			res.Again, res.Err = hold(r, res.Now, it.line.Text, len(res.Differences) == 0)
		}
		res.Judged = res.Err == nil
	}
	return res
}

// Settle gives the record as it follows from its own evidence: what the detectors and the agents said, and the turns.
// Where the record keeps only cited turns, the digest and a satisfaction that rests on reactions are taken as recorded.
func Settle(r *run.Record, b run.Basis) (*run.Record, error) {
	is := *r
	if !r.CitedOnly {
		is.Source.Digest = r.Dialogue.Digest()
	}
	if r.Model != nil {
		account := *r.Model
		account.DeriveFlags()
		is.Model = &account
	}
	if !r.Scored() {
		return &is, nil
	}
	e := r.Evaluation
	var err error
	if is.Evaluation, err = b.Rubric.Settle(rubric.Case{Dialogue: r.Dialogue, Signals: e.Signals}, e.Evaluator, e.Critique); err != nil {
		return nil, err
	}
	is.Evaluation.Remarks = is.Remarks()
	if r.CrossCheck != nil {
		var rules [rubric.NumCriteria]rubric.Score
		for i, c := range r.CrossCheck.Criteria {
			rules[i] = c.Rules
		}
		check, err := b.Rubric.CrossCheck(e.Evaluator.Scores(), rules)
		if err != nil {
			return nil, err
		}
		is.CrossCheck = &check
	}
	if r.CitedOnly && b.Profile.Input == heuristics.Reactions {
		is.Estimate = b.Profile.Place(r.Satisfaction)
	} else {
		is.Estimate = is.EstimateBy(b.Profile)
	}
	return &is, nil
}

// unreadable tells why no record can be made of a line.
func unreadable(l run.Line, err error) []Difference {
	var field *run.FieldError
	switch is := errors.As(err, &field); {
	case is && l.Torn && strings.HasPrefix(field.Msg, "breaks off"):
		return []Difference{{Message: brokenOff(l)}}
	case is:
		return []Difference{{Path: field.Pointer, Message: field.Msg}}
	}
	return []Difference{{Message: "cannot be read: " + err.Error()}}
}

// differ lists the first values of a line that are not what was recomputed.
func differ(recorded, recomputed []byte, gives string) (list []Difference) {
	const mostListed, mostCompared = 100, 4 << 20 // a record has some five hundred values, and a hundredth of the bytes
	if max(len(recorded), len(recomputed)) > mostCompared {
		return []Difference{{Message: fmt.Sprintf("is not what its evidence gives, and too long to be compared member by member; want at most %d MB", mostCompared>>20)}}
	}
	values, err := run.Compare(recorded, recomputed, mostListed)
	for i, v := range values {
		d := Difference{Path: string(v.Pointer), Follows: i > 0, Recorded: v.Was, Recomputed: v.Is}
		was, is := shown(v.Was, v.Is)
		switch {
		case v.Is == nil:
			d.Message = "is " + was + ", and nothing should be there"
		case v.Was == nil:
			d.Message = "is missing; " + gives + " " + is
		default:
			d.Message = "is " + was + "; " + gives + " " + is
		}
		list = append(list, d)
	}
	switch {
	case err != nil:
		list = append(list, Difference{Message: fmt.Sprintf("cannot be read as JSON: %v", err)})
	case list == nil:
		list = []Difference{{Message: "has other white space, escapes or order than a record; all its values are right"}}
	}
	return list
}

// shown gives two values for people: the beginnings of digests, and of long texts the part where they begin to differ.
func shown(a, b jsontext.Value) (string, string) {
	const before, most = 24, 60 // runes
	x, y := []rune(string(a)), []rune(string(b))
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	cut := func(v []rune) string {
		if len(v) == 66 && strings.Trim(string(v), `"0123456789abcdef`) == "" {
			return string(v[1:13]) + "…"
		}
		from, to := 0, len(v)
		if same > before && max(len(x), len(y)) > most {
			from = min(same-before, len(v))
		}
		text := string(v[from:min(to, from+most)])
		if from > 0 {
			text = `"…` + text
		}
		if to > from+most {
			text += `…"`
		}
		return text
	}
	return cut(x), cut(y)
}

// kept tells where a record has something that its header excludes, or lacks what that says.
func (h *Header) kept(r *run.Record) (list []Difference) {
	if h == nil {
		return nil
	}
	conf := h.Configuration
	asked := conf.Evaluator != "rules" || conf.Critic != "rules"
	checked := conf.Evaluator == "model" && r.Scored() && !slices.Contains(r.Fallback, run.Evaluator)
	for _, d := range []struct {
		wrong bool
		path  string
	}{
		{r.Source.Turns > 0 && r.CitedOnly != (conf.Transcript == "cited"), "/turns"},
		{asked && r.Scored() && r.Model == nil || !asked && r.Model != nil, "/model"}, // of unscored dialogues it may not have been asked
		{checked != (r.CrossCheck != nil), "/cross_check"},
		{len(r.Fallback) > 0 && conf.Fallback == "", "/fallback"},
	} {
		if d.wrong {
			list = append(list, Difference{Path: d.path, Message: "is not what the header says of who judged and what is kept"})
		}
	}
	return list
}
