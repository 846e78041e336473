package overview

import (
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// record makes of a case the record that it was, reduced to where it comes from, its scores and people's ratings of the
// whole dialogue: what agreement with people is measured on and what tells groups apart.
func (c *Case) record() *record.Record {
	r := &record.Record{Source: c.source, Reason: c.Reason, Estimate: c.Estimate, CitedOnly: true}
	r.Dialogue.ID = c.place.ID
	r.Truth = dialogue.Truth{Overall: c.ratings}
	if c.Scored() {
		e := &rubric.Evaluation{Average: c.Average, Overall: c.Overall}
		for i := range e.Final {
			e.Final[i].Score = c.Final[i]
		}
		r.Evaluation = e
	}
	return r
}

// Rated is what people said of the scored dialogues of an overview.
type Rated struct {
	Records []*record.Record // reduced, for those who measure agreement
	cases   map[*record.Record]*Case
}

// Ratable gives the scored dialogues as records that people's ratings can be laid beside.
func (o *Overview) Ratable() Rated {
	r := Rated{cases: map[*record.Record]*Case{}}
	for i := range o.Cases {
		if c := &o.Cases[i]; c.Scored() {
			one := c.record()
			r.Records = append(r.Records, one)
			r.cases[one] = c
		}
	}
	return r
}

// Rate notes what people said of the dialogues.
func (r *Rated) Rate(rated []ratings.Rated) {
	for i := range rated {
		if one := &rated[i]; one.Overall != nil {
			r.cases[one.Record].People = one.Mean()
		}
	}
}

// Carried reports whether a dialogue that is scored carries ratings of people.
func (o *Overview) Carried() bool {
	for i := range o.Cases {
		if c := &o.Cases[i]; c.Scored() && len(c.ratings) > 0 {
			return true
		}
	}
	return false
}
