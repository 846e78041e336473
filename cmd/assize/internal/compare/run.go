package compare

import (
	"slices"
	"unique"

	"assize/cmd/assize/internal/run"
)

// Run is one of the two runs, reduced to rows.
type Run struct {
	File         string     `json:"file"` // as the user named it
	Dialogues    int        `json:"dialogues"`
	Scored       int        `json:"scored"`
	Fingerprints []string   `json:"fingerprints"`    // of the different headers
	Only         int        `json:"without_partner"` // dialogues that the other run does not hold
	Rows         []*run.Row `json:"-"`               // Place is the line of the run

	first, last *run.Header
}

// NewRun makes an empty run.
func NewRun(file string) *Run { return &Run{File: file, Fingerprints: []string{}} }

// Add adds a dialogue, whose place is its line in the run, and the header that it was made under.
func (r *Run) Add(row run.Row, h *run.Header) {
	r.header(h)
	row.Meta, row.Ratings, row.CrossCheck = nil, nil, nil // not compared
	row.File, row.Reason = unique.Make(row.File).Value(), unique.Make(row.Reason).Value()
	r.Dialogues++
	if row.Scored() {
		r.Scored++
	}
	r.Rows = append(r.Rows, &row)
}

// header keeps the fingerprint of a header that is unlike those before it.
func (r *Run) header(h *run.Header) {
	if h == r.last {
		return
	}
	if r.last = h; r.first == nil {
		r.first = h
	}
	if f := h.Fingerprint(); !slices.Contains(r.Fingerprints, f) {
		r.Fingerprints = append(r.Fingerprints, f)
	}
}

// made tells how the first records of the run were made. What a profile was learnt from changes no estimate.
func (r *Run) made() run.Header {
	if r.first == nil { // there are none
		return run.Header{Basis: run.DefaultBasis()}
	}
	h := *r.first
	h.Basis.Profile.Learned = nil
	return h
}

// match finds the same dialogues by the digest of their turns, whatever they are called. Where a run holds the same
// conversation several times, the first is paired with the first and the second with the second.
func match(a, b []*run.Row) (pairs [][2]*run.Row) {
	left := map[run.Key][]*run.Row{} // the rows of B that are not paired yet, in order
	for _, row := range b {
		left[row.Said] = append(left[row.Said], row)
	}
	for _, row := range a {
		if same := left[row.Said]; len(same) > 0 {
			pairs, left[row.Said] = append(pairs, [2]*run.Row{row, same[0]}), same[1:]
		}
	}
	return pairs
}
