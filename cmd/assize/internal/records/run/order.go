package run

import (
	"cmp"
	"slices"

	"assize/cmd/assize/internal/terminal/ui"
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
	// most claims with this state first, or with any but proven
	ByContradicted Order = Order(rubric.DeedContradicted)
	ByUnproven     Order = Order(rubric.DeedUnproven)
	ByPromised     Order = Order(rubric.DeedPromised)
	ByClaims       Order = "claims"
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
	case ByChecklist: // NaN, of a dialogue without one, is below all numbers
		first = cmp.Compare(-ChecklistScore(b), -ChecklistScore(a))
	}
	for _, s := range o.States() {
		first = cmp.Or(first, cmp.Compare(b.Deeds.Of(s), a.Deeds.Of(s)))
	}
	return cmp.Or(cmp.Compare(min(b.Overall, 1), min(a.Overall, 1)), first,
		cmp.Compare(a.Satisfaction, b.Satisfaction), cmp.Compare(a.Average, b.Average),
		cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Place, b.Place))
}

// Ranks reports whether the dialogue has what the order requires: a model's judgement, or a claim.
func (o Order) Ranks(r *Row) bool {
	states := o.States()
	has := func(s rubric.DeedState) bool { return r.Deeds.Of(s) > 0 }
	return slices.ContainsFunc(states, has) ||
		states == nil && (o != ByDisagreement || r.CrossCheck != nil)
}

// States returns the states of the claims whose number decides, the worst first, or nil if the
// order is another.
func (o Order) States() []rubric.DeedState {
	switch o {
	case ByContradicted, ByUnproven, ByPromised:
		return []rubric.DeedState{rubric.DeedState(o)}
	case ByClaims:
		return ui.Without(rubric.DeedStates(),
			func(s rubric.DeedState) bool { return s == rubric.DeedProven })
	}
	return nil
}

func (r *Row) disagreement() rubric.Hundredths {
	if r.CrossCheck == nil {
		return 0
	}
	return r.CrossCheck.Disagreement
}
