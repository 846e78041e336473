package run

import (
	"cmp"

	"assize/rubric"
)

// Order is a criterion by which dialogues are ranked, the worst first.
type Order string

// The orders.
const (
	BySatisfaction Order = "satisfaction" // lowest first
	ByAverage      Order = "average"      // lowest weighted average first
	ByDisagreement Order = "disagreement" // largest difference between rules and model first
	ByChecklist    Order = ChecklistName  // lowest score of the scorecard first
	// most claims with this state first
	ByContradicted Order = Order(rubric.DeedContradicted)
	ByUnproven     Order = Order(rubric.DeedUnproven)
)

// Compare returns a negative number if a comes before b. It is a total order: unscored dialogues
// are last, and ties are broken by satisfaction, average, ID, name, and reading order.
func (o Order) Compare(a, b *Row) int {
	first := 0
	switch o {
	case ByAverage:
		first = cmp.Compare(a.Average, b.Average)
	case ByDisagreement:
		first = cmp.Compare(b.disagreement(), a.disagreement())
	case ByContradicted, ByUnproven:
		first = cmp.Compare(b.Deeds.Of(rubric.DeedState(o)), a.Deeds.Of(rubric.DeedState(o)))
	case ByChecklist: // NaN, of a dialogue without one, is below all numbers
		first = cmp.Compare(-ChecklistScore(b), -ChecklistScore(a))
	}
	return cmp.Or(cmp.Compare(min(b.Overall, 1), min(a.Overall, 1)), first,
		cmp.Compare(a.Satisfaction, b.Satisfaction), cmp.Compare(a.Average, b.Average),
		cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Place, b.Place))
}

// Ranks reports whether the dialogue has what the order requires: a model's judgement, or a claim.
func (o Order) Ranks(r *Row) bool {
	if o.OfClaims() {
		return r.Deeds.Of(rubric.DeedState(o)) > 0
	}
	return o != ByDisagreement || r.CrossCheck != nil
}

// OfClaims reports whether the order is by a number of claims, whose state is its name.
func (o Order) OfClaims() bool { return o == ByContradicted || o == ByUnproven }

func (r *Row) disagreement() rubric.Hundredths {
	return cmp.Or(r.CrossCheck, &rubric.CrossCheck{}).Disagreement
}
