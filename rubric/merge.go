package rubric

import (
	"cmp"
	"slices"
)

// Merge joins what two Critics say of a scorecard, criterion by criterion, into one Critique for the Referee
// (decisions.md, "Two Critics"). Where both move the score the same way, the smaller change stands, with both
// named; where they move it opposite ways, nobody objects; an objection that stands alone stays as it is.
//
// The smaller change keeps its claim and its kind and, after its own quotes, shows those of the other too, so that
// what either Critic points at is before the Referee. Of equal changes a's claim stands, and a contradiction comes
// before missing evidence. A suggestion off the scale speaks for nobody else: beside one on the scale it is dropped.
//
// The rules are a and the model b wherever both are heard, so By reads "rules and model".
func Merge(a, b Critique, card Scorecard) Critique {
	var merged Critique
	for i, rating := range card {
		merged[i] = merge(a[i], b[i], rating.Score)
	}
	return merged
}

// merge joins two objections to a score.
func merge(a, b Objection, score Score) Objection {
	switch speaksA, speaksB := a.Against(score), b.Against(score); {
	case !speaksA && !speaksB:
		return Objection{}
	case !speaksB || speaksA && a.Suggested.Valid() && !b.Suggested.Valid():
		return a
	case !speaksA || b.Suggested.Valid() && !a.Suggested.Valid():
		return b
	case (a.Suggested > score) != (b.Suggested > score):
		return Objection{}
	}
	by := cmp.Or(a.By, b.By)
	if a.By != b.By && a.By != "" && b.By != "" {
		by = a.By + " and " + b.By
	}
	distance := func(s Score) Score { return max(s, score) - min(s, score) }
	byA, byB := distance(a.Suggested), distance(b.Suggested)
	if byB < byA || byB == byA && b.Kind < a.Kind {
		a, b = b, a
	}
	a.By = by
	a.Quotes = slices.Clone(a.Quotes)
	for _, q := range b.Quotes {
		if !slices.Contains(a.Quotes, q) {
			a.Quotes = append(a.Quotes, q)
		}
	}
	return a
}
