package triage

import (
	"cmp"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// Order is what dialogues are ranked by.
type Order string

// The orders.
const (
	BySatisfaction Order = "satisfaction" // lowest first
	ByAverage      Order = "average"      // lowest weighted average first
	ByDisagreement Order = "disagreement" // where rules and model are furthest apart first
)

// Orders lists the names of the orders, the usual one first.
func Orders() []string {
	return []string{string(BySatisfaction), string(ByAverage), string(ByDisagreement)}
}

// Place is what decides where a dialogue stands.
type Place struct {
	Satisfaction rubric.Hundredths
	Average      rubric.Hundredths
	Disagreement rubric.Hundredths // of model and rules; 0 where there is none
	ID           int
	Name         string // the source's own id, where that is not an integer
	At           int    // its place in all that was read: no two have the same
}

// PlaceOf gives the place of a scored record.
func PlaceOf(r *record.Record, at int) Place {
	p := Place{Satisfaction: r.Satisfaction, Average: r.Evaluation.Average, ID: r.Dialogue.ID, Name: r.Source.ID, At: at}
	if r.CrossCheck != nil {
		p.Disagreement = r.CrossCheck.Disagreement
	}
	return p
}

// Compare is negative where a comes before b. It is a total order: of equals by what is asked for, the lower
// satisfaction comes first, then the lower average, then the lower id, then what was read first.
func (o Order) Compare(a, b Place) int {
	first := 0
	switch o {
	case ByAverage:
		first = cmp.Compare(a.Average, b.Average)
	case ByDisagreement:
		first = cmp.Compare(b.Disagreement, a.Disagreement)
	}
	return cmp.Or(first,
		cmp.Compare(a.Satisfaction, b.Satisfaction), cmp.Compare(a.Average, b.Average),
		cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name), cmp.Compare(a.At, b.At))
}
