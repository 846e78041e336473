package overview

import (
	"assize/cmd/assize/internal/friction"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
)

// Overview is what records show together.
type Overview struct {
	report.Summary
	Made     []Made // how the records were made, each way once, in the order in which they come
	Cases    []Case // every dialogue, in the order of the runs
	Criteria [rubric.NumCriteria]Spread
	Courses  Courses
	Court    Court
	Bench    Bench

	keep    keeper
	makers  map[*record.Header]int // the place in Made
	ratable []*record.Record       // of the cases, reduced to what agreement is measured on
	numbers map[*record.Record]int
}

// New makes an Overview that keeps the records of as many of the worst dialogues, and as many of the others.
func New(worst, others int) *Overview {
	return &Overview{keep: newKeeper(worst, others), makers: map[*record.Header]int{}, numbers: map[*record.Record]int{}}
}

// Add takes in a record and the line of the run that holds it.
func (o *Overview) Add(line *record.Line, r *record.Record) {
	o.Summary.Add(r)
	o.made(line)
	number := len(o.Cases)
	o.Cases = append(o.Cases, newCase(number, r))
	o.Bench.add(r)
	if r.Scored() {
		for i := range o.Criteria {
			o.Criteria[i].add(r.Evaluation.Final[i].Score)
		}
		o.Courses.add(r.Evaluation, friction.Points(r.Evaluation))
		o.Court.add(r.Evaluation)
		small := ratable(r)
		o.ratable = append(o.ratable, small)
		o.numbers[small] = number
	}
	o.keep.offer(o.Cases[number], r)
}

// Kept gives the dialogues whose records were kept: the worst first, then the others from the worst to the best, and
// some that are unscored.
func (o *Overview) Kept() []Kept { return o.keep.chosen() }

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
