package overview

import (
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// reduced makes of cases the records that they were, reduced to where they come from, their scores and people's ratings of
// the whole dialogue: what agreement with people is measured on and what tells groups apart. An evaluation is large even
// when it says little, so dialogues with the same scores share one.
type reduced map[scores]*rubric.Evaluation

// scores are all that is left of an evaluation.
type scores struct {
	average rubric.Hundredths
	overall rubric.Score
	final   [rubric.NumCriteria]rubric.Score
}

func (shared reduced) record(c *Case) *record.Record {
	r := &record.Record{Source: c.source, Reason: c.Reason, Estimate: c.Estimate, CitedOnly: true}
	r.Dialogue.ID = c.place.ID
	r.Truth = dialogue.Truth{Overall: c.ratings}
	if c.Scored() {
		r.Evaluation = shared.evaluation(scores{c.Average, c.Overall, c.Final})
	}
	return r
}

func (shared reduced) evaluation(s scores) *rubric.Evaluation {
	if e, ok := shared[s]; ok {
		return e
	}
	e := &rubric.Evaluation{Average: s.average, Overall: s.overall}
	for i := range e.Final {
		e.Final[i].Score = s.final[i]
	}
	shared[s] = e
	return e
}

// Rated is what people said of the scored dialogues of an overview.
type Rated struct {
	Records []*record.Record // reduced, for those who measure agreement
	cases   map[*record.Record]*Case
}

// Ratable gives the scored dialogues as records that people's ratings can be laid beside.
func (o *Overview) Ratable() Rated {
	r, shared := Rated{cases: map[*record.Record]*Case{}}, reduced{}
	for i := range o.Cases {
		if c := &o.Cases[i]; c.Scored() {
			one := shared.record(c)
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
