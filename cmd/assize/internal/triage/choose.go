package triage

import (
	"cmp"
	"slices"

	"assize/heuristics"
	"assize/rubric"
)

// Pick is a dialogue that a model is asked about.
type Pick struct {
	Place
	Rank   int  // by satisfaction, from 1
	Unsure bool // it was picked because it is near the cut, and not for being among the worst
	Cut    rubric.Hundredths
}

// Why says why it was picked, by an id that assize explain knows: "worst", or "unsure: 0.03 above the cut of 2.71".
func (p Pick) Why() string {
	switch away := p.Satisfaction - p.Cut; {
	case !p.Unsure:
		return "worst"
	case away < 0:
		return "unsure: " + (-away).String() + " below the cut of " + p.Cut.String()
	case away > 0:
		return "unsure: " + away.String() + " above the cut of " + p.Cut.String()
	}
	return "unsure: at the cut of " + p.Cut.String()
}

// Choose spends a budget of n dialogues on the places of all, which it sorts by satisfaction. One half goes to the worst.
// The other goes to those whose satisfaction is nearest to the cut, from which on nobody need read them, on either side
// of it: there the rules are most often wrong about who belongs where. The cut is that of the profile, if it has one, or
// else the last of the top dialogues that are shown; where all are shown there is none, and all goes to the worst. The
// picks come in the order of their ranks.
//
// Being near the cut is all that is known of being unsure. On the rated dialogues (USS), how far the rules' estimate is
// off cannot be told from the number of signals, the rulings or how mixed the USER's reactions are: no rank correlation
// is above .05. Which side of the cut people put a dialogue on is missed the more often the nearer it is: the area under
// the curve is .71, for all of these below .58.
func Choose(places []Place, n, top int, flag *heuristics.Triage) []Pick {
	slices.SortFunc(places, BySatisfaction.Compare)
	n = min(n, len(places))
	worst, cut := n, rubric.Hundredths(0)
	switch {
	case flag != nil:
		worst, cut = (n+1)/2, flag.Cut
	case top < len(places):
		worst, cut = (n+1)/2, places[top-1].Satisfaction
	}
	var picks, rest []Pick
	for i, p := range places {
		pick := Pick{Place: p, Rank: i + 1, Unsure: i >= worst, Cut: cut}
		if pick.Unsure {
			rest = append(rest, pick)
		} else {
			picks = append(picks, pick)
		}
	}
	slices.SortStableFunc(rest, func(a, b Pick) int { return cmp.Compare(a.away(), b.away()) })
	picks = append(picks, rest[:n-worst]...)
	slices.SortFunc(picks, func(a, b Pick) int { return cmp.Compare(a.Rank, b.Rank) })
	return picks
}

// away is how far the satisfaction is from the cut.
func (p Pick) away() rubric.Hundredths { return max(p.Satisfaction-p.Cut, p.Cut-p.Satisfaction) }
