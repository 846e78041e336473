package web

import (
	"fmt"
	"math"
	"strings"

	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/ui"
)

// mark is a value in a plot, with the interval around it; NaN on both sides for none.
type mark struct {
	At, Value, Low, High float64
	Label                string // what it stands for
	Link                 string // the address of its dialogues; empty for none
}

// plot is a line with a band around it, in units of an SVG of 640 by 200.
type plot struct {
	Line, Band string // the points of a polyline, and of a polygon
	Dots       []dot
	Ticks      []tick
	From, To   string // what the ends of the axis stand for
}

type dot struct {
	X, Y string
	mark
}

type tick struct{ Y, Text string }

// The place of the axes in a plot.
const plotLeft, plotRight, plotTop, plotBottom = 40, 628, 8, 172

// newPlot draws marks, the first leftmost; nil for fewer than two.
func newPlot(marks []mark) *plot {
	if len(marks) < 2 {
		return nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range marks {
		for _, v := range []float64{m.Value, m.Low, m.High} {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	unit := math.Pow10(int(math.Floor(math.Log10(max(high-low, 1e-3)))))
	if (high-low)/unit < 3 {
		unit /= 2
	}
	low, high = math.Floor(low/unit)*unit, math.Ceil(high/unit)*unit
	first, last := marks[0].At, marks[len(marks)-1].At
	x := func(at float64) string {
		return fixed(plotLeft + float64((at-first)/(last-first)*(plotRight-plotLeft)))
	}
	y := func(v float64) string {
		return fixed(plotBottom - float64((v-low)/(high-low)*(plotBottom-plotTop)))
	}
	p := &plot{From: marks[0].Label, To: marks[len(marks)-1].Label}
	var line, above, below []string
	for _, m := range marks {
		line = append(line, x(m.At)+","+y(m.Value))
		p.Dots = append(p.Dots, dot{x(m.At), y(m.Value), m})
		if !math.IsNaN(m.Low) {
			above = append(above, x(m.At)+","+y(m.High))
			below = append([]string{x(m.At) + "," + y(m.Low)}, below...)
		}
	}
	p.Line, p.Band = strings.Join(line, " "), strings.Join(append(above, below...), " ")
	for n := 0; float64(n)*unit <= high-low+unit/2; n++ {
		v := low + float64(float64(n)*unit)
		p.Ticks = append(p.Ticks, tick{y(v), short(v)})
	}
	return p
}

// fixed gives a length with one decimal.
func fixed(v float64) string { return stats.Fixed{Value: v, Decimals: 1}.String() }

// counted gives a number of dialogues in words.
func counted(n int) string { return ui.Counted(n, "dialogue") }

// String says what the mark is, for those who hear it.
func (m mark) String() string {
	if math.IsNaN(m.Low) {
		return fmt.Sprintf("%s: %.2f", m.Label, m.Value)
	}
	return fmt.Sprintf("%s: %.2f (%.2f to %.2f)", m.Label, m.Value, m.Low, m.High)
}
