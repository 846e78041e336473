package overview

import (
	"slices"

	"assize/cmd/assize/internal/friction"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
)

// Overview is what records show together.
type Overview struct {
	report.Summary
	Made       []Made // how the records were made, each way once, in the order in which they come
	Cases      []Case // every dialogue, in the order of the runs
	Duplicates int    // dialogues that say the same as one before, whose judgement they share
	Criteria   [rubric.NumCriteria]Spread
	Courses    Courses
	Court      Court
	Bench      Bench

	mute   map[string]bool
	keep   keeper
	makers map[*record.Header]int // the place in Made
}

// New makes an Overview that keeps the records of as many of the worst dialogues, and as many of the others. Signals of
// detectors that mute names are no evidence.
func New(worst, others int, mute map[string]bool) *Overview {
	return &Overview{mute: mute, keep: newKeeper(worst, others), makers: map[*record.Header]int{}}
}

// Add takes in a record and the line of the run that holds it.
func (o *Overview) Add(line *record.Line, r *record.Record) {
	o.Summary.Add(r)
	o.made(line)
	o.Bench.add(r)
	number := len(o.Cases)
	o.Cases = append(o.Cases, newCase(number, r, o.mute))
	o.keep.offer(o.Cases[number], r)
	if r.Source.DuplicateOf != nil {
		o.Duplicates++
	}
	if !r.Scored() {
		return
	}
	for i := range o.Criteria {
		o.Criteria[i].add(r.Evaluation.Final[i].Score)
	}
	o.Courses.add(r.Evaluation, friction.Points(r.Evaluation))
	o.Court.add(r.Evaluation)
}

// Kept gives the dialogues whose records were kept: the worst first, then the others from the worst to the best, and
// some that are unscored.
func (o *Overview) Kept() []Kept { return o.keep.chosen() }

// Ranks gives the rank of every case, from 1 for the worst.
func (o *Overview) Ranks() []int {
	order := make([]*Case, len(o.Cases))
	for i := range o.Cases {
		order[i] = &o.Cases[i]
	}
	slices.SortFunc(order, (*Case).Compare)
	ranks := make([]int, len(order))
	for i, c := range order {
		ranks[c.Number] = i + 1
	}
	return ranks
}

// Made is how records were made.
type Made struct {
	Header *record.Header // nil where a run does not tell
	Files  []string       // the runs
	N      int            // records
}

// made counts a record under its header. Runs that were made in the same way count as one.
func (o *Overview) made(line *record.Line) {
	at, ok := o.makers[line.Header]
	if !ok {
		at = o.maker(line.Header)
		o.makers[line.Header] = at
	}
	m := &o.Made[at]
	m.N++
	if n := len(m.Files); n == 0 || m.Files[n-1] != line.File {
		m.Files = append(m.Files, line.File)
	}
}

func (o *Overview) maker(h *record.Header) int {
	for i := range o.Made {
		if m := o.Made[i].Header; m != nil && h != nil && m.Fingerprint() == h.Fingerprint() {
			return i
		}
	}
	o.Made = append(o.Made, Made{Header: h})
	return len(o.Made) - 1
}
