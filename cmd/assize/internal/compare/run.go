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
	Fingerprints []*string  `json:"fingerprints"`    // of the different headers; nil for records without one
	Only         int        `json:"without_partner"` // dialogues that the other run does not hold
	Rows         []*run.Row `json:"-"`               // Place is the line of the run

	first, last *run.Header // nil for records without one
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

// header keeps the fingerprint of a header that is unlike those before it.
func (r *Run) header(h *run.Header) {
	if len(r.Fingerprints) > 0 && h == r.last {
		return
	}
	if r.last = h; len(r.Fingerprints) == 0 {
		r.first = h
	}
	var fingerprint *string
	if h != nil {
		fingerprint = new(h.Fingerprint())
	}
	if !slices.ContainsFunc(r.Fingerprints, func(known *string) bool {
		return known == fingerprint || known != nil && fingerprint != nil && *known == *fingerprint
	}) {
		r.Fingerprints = append(r.Fingerprints, fingerprint)
	}
}

// made tells how the first records of the run were made, as far as is known: without a header, the program is unknown,
// and the embedded rubric and profile are assumed.
func (r *Run) made() run.Header {
	if r.first == nil {
		return run.Header{Basis: run.DefaultBasis()}
	}
	return *r.first
}

// match finds the same dialogues by the digest of their turns, whatever they are called. Where a run holds the same
// conversation several times, the first is paired with the first and the second with the second. A dialogue is given by
// its index in the rows.
func match(a, b []*run.Row) (pairs []Sides[int], onlyA, onlyB []int) {
	left := map[run.Key][]int{} // the rows of B that are not paired yet, in order
	for j, row := range b {
		left[row.Said] = append(left[row.Said], j)
	}
	paired := make([]bool, len(b))
	for i, row := range a {
		if same := left[row.Said]; len(same) > 0 {
			pairs, paired[same[0]], left[row.Said] = append(pairs, Sides[int]{i, same[0]}), true, same[1:]
		} else {
			onlyA = append(onlyA, i)
		}
	}
	for j := range b {
		if !paired[j] {
			onlyB = append(onlyB, j)
		}
	}
	return pairs, onlyA, onlyB
}
