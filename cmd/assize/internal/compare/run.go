package compare

import (
	"slices"
	"unique"

	"assize/cmd/assize/internal/run"
)

// Run is one of the two runs, reduced to rows.
type Run struct {
	File         string        `json:"file"` // as the user named it
	Dialogues    int           `json:"dialogues"`
	Scored       int           `json:"scored"`
	Fingerprints []*string     `json:"fingerprints"`    // of Headers; nil for records without a header
	Only         int           `json:"without_partner"` // dialogues that the other run does not hold
	Rows         []*run.Row    `json:"-"`               // Place is the line of the run
	Headers      []*run.Header `json:"-"`               // the different ones; nil for records without a header

	last *run.Header
}

// NewRun makes an empty run.
func NewRun(file string) *Run { return &Run{File: file, Fingerprints: []*string{}} }

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

// header keeps a header that is unlike those before it.
func (r *Run) header(h *run.Header) {
	if len(r.Headers) > 0 && h == r.last {
		return
	}
	r.last = h
	var fingerprint *string
	if h != nil {
		s := h.Fingerprint()
		fingerprint = &s
	}
	if !slices.ContainsFunc(r.Fingerprints, func(known *string) bool {
		return known == fingerprint || known != nil && fingerprint != nil && *known == *fingerprint
	}) {
		r.Headers, r.Fingerprints = append(r.Headers, h), append(r.Fingerprints, fingerprint)
	}
}

// first gives what is known of how the first records of the run were made: without a header, the program is unknown,
// and the embedded rubric and profile are assumed.
func (r *Run) first() run.Header {
	if len(r.Headers) == 0 || r.Headers[0] == nil {
		return run.Header{Basis: run.DefaultBasis()}
	}
	return *r.Headers[0]
}

// Pair is a dialogue that both runs hold: its index in the rows of A and of B.
type Pair struct{ A, B int }

// match finds the same dialogues by the digest of their turns, whatever they are called. Where a run holds the same
// conversation several times, the first is paired with the first and the second with the second.
func match(a, b []*run.Row) (pairs []Pair, onlyA, onlyB []int) {
	first := make(map[run.Key]int, len(b)) // of those that are not taken, from 1; 0 for none
	next := make([]int, len(b))            // with the same digest
	for j := len(b) - 1; j >= 0; j-- {
		next[j], first[b[j].Said] = first[b[j].Said], j+1
	}
	taken := make([]bool, len(b))
	for i, row := range a {
		j := first[row.Said] - 1
		if j < 0 {
			onlyA = append(onlyA, i)
			continue
		}
		pairs = append(pairs, Pair{i, j})
		first[row.Said], taken[j] = next[j], true
	}
	for j := range b {
		if !taken[j] {
			onlyB = append(onlyB, j)
		}
	}
	return pairs, onlyA, onlyB
}
