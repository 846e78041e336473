package overview

import (
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// reduced leaves of a record what agreement with people is measured on and what tells groups apart: a fraction of it, so
// that those of a long run can all be held.
func reduced(r *record.Record) *record.Record {
	small := &record.Record{Source: r.Source, Reason: r.Reason, Estimate: r.Estimate, Truth: r.Truth, CitedOnly: true}
	small.Dialogue.ID = r.Dialogue.ID
	small.Truth.Turns, small.Truth.Labels = nil, nil
	if r.Scored() {
		e := &rubric.Evaluation{Average: r.Evaluation.Average, Overall: r.Evaluation.Overall}
		for i := range e.Final {
			e.Final[i].Score = r.Evaluation.Final[i].Score
		}
		small.Evaluation = e
	}
	return small
}

// Ratable gives the scored records, in order, each reduced to where it comes from, its scores and people's ratings of
// the whole dialogue.
func (o *Overview) Ratable() (list []*record.Record) {
	for _, r := range o.small {
		if r.Scored() {
			list = append(list, r)
		}
	}
	return list
}

// Carried reports whether a record that is scored carries ratings of people.
func (o *Overview) Carried() bool {
	for _, r := range o.small {
		if r.Scored() && len(r.Truth.Overall) > 0 {
			return true
		}
	}
	return false
}

// Rate notes what people said of the dialogues; rated is of the records that Ratable gave.
func (o *Overview) Rate(rated []ratings.Rated) {
	for i := range rated {
		if r := &rated[i]; r.Overall != nil {
			o.Cases[o.numbers[r.Record]].People = r.Mean()
		}
	}
}
