package friction

import (
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The cells of a sparkline, lowest first, and the points from which each but the first begins. At three points below
// zero or lower, people call a turn bad about as often as not; within half a point of zero little can be told.
var (
	cells = [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"}
	steps = [...]rubric.Hundredths{-299, -149, -49, 50, 150, 300}
)

// Sparkline draws points, as [Points] gives them of e: a cell for each turn of the SYSTEM, low where it went wrong, ▄
// where nothing can be told. Where there are more turns than columns, at least 1, a cell stands for several in a row
// and shows the lowest.
func Sparkline(e *rubric.Evaluation, points []rubric.Hundredths, columns int) string {
	var of []rubric.Hundredths
	for i, t := range e.Dialogue.Turns {
		if t.Role == dialogue.System || points[i] != 0 {
			of = append(of, points[i])
		}
	}
	var b strings.Builder
	n := min(len(of), columns)
	for k := range n {
		lowest := Most
		for _, p := range of[k*len(of)/n : (k+1)*len(of)/n] {
			lowest = min(lowest, p)
		}
		b.WriteString(cell(lowest))
	}
	return b.String()
}

func cell(points rubric.Hundredths) string {
	at := 0
	for at < len(steps) && points >= steps[at] {
		at++
	}
	return cells[at]
}
