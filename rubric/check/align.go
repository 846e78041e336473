package check

import "slices"

// alignment is how the words of a quote lie over words of a turn.
type alignment struct {
	steps   []step // in order, from the first pair to the last; words of the quote before and behind are in it too
	score   int
	matched int
}

// step is a word of the quote over the same word of a turn, or one of them alone.
type step struct{ quote, turn int } // indices; -1 for none

// What a step adds to the score of an alignment. A word left out of the turn costs little, wherever many are left
// out in one place, so that a quote of two sentences is found around the one between them.
const (
	matchPoints  = 48
	otherPoints  = -32 // a word in the place of another
	addedPoints  = -16 // a word of the quote alone
	gapPoints    = -32 // the first word of the turn that is left out
	furtherPoint = -1  // every word left out
	closePercent = 35  // of the points that a quote in one piece would have
)

// align lays a quote over a stretch of a turn so that the score is highest; of equals, the earliest. It takes
// time and space in proportion to the product of their lengths.
func align(quote, turn []word) alignment {
	m, n := len(quote), len(turn)
	g := grid{from: make([]origin, (m+1)*(n+1)), width: n + 1}
	above, here, gap := make([]int, n+1), make([]int, n+1), 0
	for i := 1; i <= m; i++ {
		above, here = here, above
		here[0] = i * addedPoints
		g.from[i*g.width] = fromAdded
		gap = -1 << 30
		for j := 1; j <= n; j++ {
			o := &g.from[i*g.width+j]
			if opened := here[j-1] + gapPoints; opened >= gap {
				gap = opened
				*o |= gapOpens
			}
			gap += furtherPoint
			best, by := above[j-1]+otherPoints, fromPair
			if quote[i-1].id == turn[j-1].id {
				best = above[j-1] + matchPoints
			}
			if s := above[j] + addedPoints; s > best {
				best, by = s, fromAdded
			}
			if gap > best {
				best, by = gap, fromGap
			}
			here[j] = best
			*o |= by
		}
	}
	end := 0
	for j := 1; j <= n; j++ {
		if here[j] > here[end] {
			end = j
		}
	}
	a := g.trace(m, end, quote, turn)
	a.score = here[end]
	return a
}

// origin tells where the score of a cell of the grid comes from.
type origin uint8

const (
	fromPair  origin = 1
	fromAdded origin = 2
	fromGap   origin = 3
	gapOpens  origin = 4 // a gap that ends here began here
)

// grid remembers the origins of an alignment.
type grid struct {
	from  []origin
	width int
}

// trace reads an alignment back from its end.
func (g *grid) trace(i, j int, quote, turn []word) alignment {
	var a alignment
	gap := false
	for i > 0 {
		o := g.from[i*g.width+j]
		switch {
		case gap || o&3 == fromGap:
			a.steps = append(a.steps, step{-1, j - 1})
			gap = o&gapOpens == 0
			j--
		case o&3 == fromAdded:
			a.steps = append(a.steps, step{i - 1, -1})
			i--
		default:
			if quote[i-1].id == turn[j-1].id {
				a.steps = append(a.steps, step{i - 1, j - 1})
				a.matched++
			} else {
				a.steps = append(a.steps, step{i - 1, -1}, step{-1, j - 1})
			}
			i, j = i-1, j-1
		}
	}
	slices.Reverse(a.steps)
	return a
}

// isClose reports whether a quote of so many words is near enough to be called altered.
func (a *alignment) isClose(words int) bool {
	return a.matched >= 2 && a.matched*5 >= words*3 && a.score*100 >= words*matchPoints*closePercent
}

// shift counts the words of the turn from its beginning rather than from that of a stretch.
func (a *alignment) shift(by int) {
	for i := range a.steps {
		if a.steps[i].turn >= 0 {
			a.steps[i].turn += by
		}
	}
}

// first gives the first word of the turn that is part of the alignment.
func (a *alignment) first() int {
	for _, s := range a.steps {
		if s.turn >= 0 {
			return s.turn
		}
	}
	return 0
}

// last gives the last word of the turn that is part of the alignment.
func (a *alignment) last() int {
	for _, s := range slices.Backward(a.steps) {
		if s.turn >= 0 {
			return s.turn
		}
	}
	return 0
}
