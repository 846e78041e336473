package summary

import (
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// mostFriction bounds the points of a turn, up or down: four points, as satisfaction bounds a reaction of the USER.
const mostFriction rubric.Hundredths = 400

// Friction returns points for every turn, in the order of the turns: below zero where something
// shows that the goal was missed, above zero where something shows that it was reached, and zero
// where nothing does and at turns that are not the SYSTEM's.
//
// Two kinds of signals count: those in the USER's turns, and the evidence for TaskSuccess in the
// SYSTEM's. Courtesy and fluency say little about people's ratings of turns. A turn has the points
// of its own signals and of those in the USER's turns that answer it. What the USER says before the
// SYSTEM has spoken does not count.
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
		points[i] = min(max(points[i], -mostFriction), mostFriction)
	}
	return points
}

func ofSystem(d dialogue.Dialogue, points []rubric.Hundredths) (of []rubric.Hundredths) {
	for i, t := range d.Turns {
		if t.Role == dialogue.System {
			of = append(of, points[i])
		}
	}
	return of
}

// The cells of a sparkline, the lowest first, and the points from which each but the first begins. At three points
// below zero, people call a turn bad about as often as not; within half a point of zero little can be told.
var (
	cells = [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"}
	steps = [...]rubric.Hundredths{-299, -149, -49, 50, 150, 300}
)

// Sparkline draws points, as [Friction] gives them: a cell for each turn of the SYSTEM, low where it went wrong, ▄
// where nothing can be told. With more turns than columns, which are 1 or more, a cell shows the lowest of several
// turns.
func Sparkline(e *rubric.Evaluation, points []rubric.Hundredths, columns int) string {
	of := ofSystem(e.Dialogue, points)
	var b strings.Builder
	n := min(len(of), columns)
	for k := range n {
		lowest := mostFriction
		for _, p := range of[k*len(of)/n : (k+1)*len(of)/n] {
			lowest = min(lowest, p)
		}
		at := 0
		for at < len(steps) && lowest >= steps[at] {
			at++
		}
		b.WriteString(cells[at])
	}
	return b.String()
}

// Parts is how many parts of equal length a [Course] cuts dialogues into.
const Parts = 10

// fewestTurns is how many turns of the SYSTEM the USER must answer for a dialogue to have a beginning, a middle and an
// end.
const fewestTurns = 3

// Course is the mean friction of dialogues, part by part from their beginning to their end.
type Course struct {
	N   int // dialogues
	sum [Parts]float64
}

// Add takes in the friction of a dialogue's turns. Every dialogue counts the same: a part has the mean of its turns of
// the SYSTEM, and where there are fewer turns than parts, the points of the turn that reaches over it. What the SYSTEM
// says last, to which the USER answers nothing, is left out: its points are only its own, and would look like a trend.
func (c *Course) Add(d dialogue.Dialogue, points []rubric.Hundredths) {
	answered := len(d.Turns)
	for answered > 0 && d.Turns[answered-1].Role != dialogue.User {
		answered--
	}
	d.Turns = d.Turns[:answered]
	of := ofSystem(d, points)
	n := len(of)
	if n < fewestTurns {
		return
	}
	c.N++
	for k := range Parts {
		from := k * n / Parts
		to := max((k+1)*n/Parts, from+1)
		sum := 0
		for _, p := range of[from:to] {
			sum += int(p)
		}
		c.sum[k] += float64(sum) / float64(100*(to-from))
	}
}

// Mean gives the mean points of a turn in a part, which are counted from 0.
func (c *Course) Mean(part int) float64 { return c.sum[part] / float64(max(c.N, 1)) }
