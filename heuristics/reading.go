package heuristics

import (
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// microPerHundredth: sums of points are kept in millionths of a point, as integers, so that they are the same
// on every machine. A hundredth of a point is 10,000 of them.
const microPerHundredth = 10_000

// mostReaction bounds what one turn of the USER may weigh, up or down, in hundredths of a point: beyond four
// points a turn is simply very good or very bad.
const mostReaction = 400

// reading is the points of a dialogue's turns, summed from its signals.
type reading struct {
	turns  []int // numbers of the turns of one role
	points []int // hundredths, beside turns
}

// readUser sums, for each criterion, the points of the signals at the USER's turns that list it.
func readUser(c rubric.Case) (all [rubric.NumCriteria]reading) {
	n := c.Dialogue.Count(dialogue.User)
	turns, points := make([]int, 0, n), make([]int, rubric.NumCriteria*n)
	next := 0
	for i, t := range c.Dialogue.Turns {
		var sums [rubric.NumCriteria]int
		for ; next < len(c.Signals) && c.Signals[next].Turn <= i+1; next++ {
			for k := range sums {
				if s := &c.Signals[next]; s.Turn == i+1 && s.Criteria.Has(rubric.Criterion(k)) {
					sums[k] += int(s.Points)
				}
			}
		}
		if t.Role != dialogue.User {
			continue
		}
		for k, sum := range sums {
			points[k*n+len(turns)] = bound(sum)
		}
		turns = append(turns, i+1)
	}
	for k := range all {
		all[k] = reading{turns: turns, points: points[k*n : (k+1)*n]}
	}
	return all
}

func bound(points int) int { return min(max(points, -mostReaction), mostReaction) }

// mean is the mean of the turns' points in millionths, the last turn weighing three times the first and those
// between in proportion: how a conversation ends colours how it is remembered.
func (rd reading) mean() int64 {
	n := int64(len(rd.points))
	if n == 0 {
		return 0
	}
	var sum, weights int64
	for i, p := range rd.points {
		w := n - 1 + 2*int64(i)
		if n == 1 {
			w = 1
		}
		sum += w * int64(p)
		weights += w
	}
	return sum * microPerHundredth / weights
}

// forget makes the points of some turns zero.
func (rd *reading) forget(turns []int) {
	for _, turn := range turns {
		if i, found := slices.BinarySearch(rd.turns, turn); found {
			rd.points[i] = 0
		}
	}
}

// strongest gives the number of the turn that weighs most in a direction, 1 or -1, and its points; the later
// one of equals. It is 0 where no turn points that way.
func (rd reading) strongest(direction int) (turn, points int) {
	for i, p := range rd.points {
		if p*direction > 0 && p*direction >= points*direction {
			turn, points = rd.turns[i], p
		}
	}
	return turn, points
}

// signalsAt gives the signals of turn n.
func signalsAt(c rubric.Case, n int) []rubric.Signal {
	from, _ := slices.BinarySearchFunc(c.Signals, n, func(s rubric.Signal, n int) int { return s.Turn - n })
	to := from
	for to < len(c.Signals) && c.Signals[to].Turn == n {
		to++
	}
	return c.Signals[from:to]
}
