package summary

import (
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// maxFriction limits the points of a turn up or down, as satisfaction does for a reaction.
const maxFriction rubric.Hundredths = 400

// Friction returns points for every turn, in the order of the turns: negative where signals show
// that the goal was missed, positive where they show that it was reached, and zero for turns
// without signals and turns of others than the SYSTEM.
//
// Two kinds of signals count: those in the USER's turns, and the evidence for TaskSuccess in the
// SYSTEM's. Courtesy and fluency have little influence on people's ratings of turns. A turn has the
// points of its own signals and of those in the USER's turns that answer it. What the USER says
// before the SYSTEM's first turn does not count.
func Friction(e *rubric.Evaluation) []rubric.Hundredths {
	points := make([]rubric.Hundredths, len(e.Dialogue.Turns))
	next, judged := 0, -1
	for i, t := range e.Dialogue.Turns {
		if t.Role == dialogue.System {
			judged = i
		}
		for ; next < len(e.Signals) && e.Signals[next].Turn == i+1; next++ {
			s := e.Signals[next]
			counts := t.Role == dialogue.User || s.Criteria.Has(rubric.TaskSuccess)
			if judged >= 0 && counts {
				points[judged] += s.Points
			}
		}
	}
	for i := range points {
		points[i] = min(max(points[i], -maxFriction), maxFriction)
	}
	return points
}

// The cells of a sparkline, the lowest first, and the points at which each but the first begins. At
// -3 points, people call a turn bad about as often as not; near zero, points mean little.
var (
	sparkCells = [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"}
	sparkSteps = [...]rubric.Hundredths{-299, -149, -49, 50, 150, 300}
)

// Sparkline draws points from [Friction]: a cell for each turn of the SYSTEM, low for turns that
// went wrong and ▄ for neutral ones. If there are more turns than columns, each cell shows the
// lowest of several turns. columns must be at least 1.
func Sparkline(e *rubric.Evaluation, points []rubric.Hundredths, columns int) string {
	var of []rubric.Hundredths
	for i, t := range e.Dialogue.Turns {
		if t.Role == dialogue.System {
			of = append(of, points[i])
		}
	}
	var b strings.Builder
	n := min(len(of), columns)
	for k := range n {
		lowest := slices.Min(of[k*len(of)/n : (k+1)*len(of)/n])
		at, _ := slices.BinarySearch(sparkSteps[:], lowest+1) // the steps that it reaches
		b.WriteString(sparkCells[at])
	}
	return b.String()
}
