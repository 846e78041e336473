package measure

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
)

// Figures are measured values by name.
type Figures map[string]float64

// target is a figure with its goal, and its floor below which it may not fall again.
type target struct {
	Name   string
	AtMost bool    // the figure must be at most this; otherwise, at least
	before float64 // at 9e1fac73
	must   float64
	aim    float64 // zero for no aim
	// floor is the figure that was reached on the part for choosing, one hundredth worse; zero for
	// no floor
	floor float64
}

//go:embed targets.txt
var targetList string

// targets returns what is measured. It panics if a line of targets.txt is invalid.
func targets() (all []target) {
	for line := range strings.Lines(targetList) {
		name, rest, found := strings.Cut(line, " | ")
		limit, figures, _ := strings.Cut(rest, " | ")
		t := target{Name: name, AtMost: limit == "at most"}
		if _, err := fmt.Sscan(figures, &t.before, &t.must, &t.aim, &t.floor); found && err != nil {
			panic("targets.txt: " + line)
		} else if found {
			all = append(all, t)
		}
	}
	return all
}

// meets reports whether a figure is at least as good as another.
func (t *target) meets(figure, wanted float64) bool {
	if t.AtMost {
		return figure <= wanted
	}
	return figure >= wanted
}

// CheckFloors returns an error for each figure that is worse than its floor. The figures are those
// of the part for choosing; missing ones are ignored.
func (f Figures) CheckFloors() error {
	var all []error
	for _, t := range targets() {
		value, ok := f[t.Name]
		if ok && t.floor != 0 && !t.meets(value, t.floor) {
			all = append(all, fmt.Errorf("%s: %.4f is worse than %g, which had been reached",
				t.Name, value, t.floor))
		}
	}
	return errors.Join(all...)
}

// Set is a rated set with the function that measures a part of it.
type Set struct {
	Name    string
	Measure func(*Sets, Part) (Figures, error)
}

// All returns the sets that have targets.
func All() []Set {
	return []Set{
		{"helpdesk", (*Sets).helpdesk}, {"outcomes", (*Sets).outcomes},
		{"empathy", (*Sets).empathy}, {"fluency", (*Sets).fluency}, {"uss", (*Sets).uss},
		{"desk", (*Sets).desk}, {"contrast", (*Sets).contrast},
	}
}

// Table returns the lines of a table of all targets with the figures of each part that was
// measured.
func Table(found map[Part]Figures) []string {
	lines := []string{fmt.Sprintf("| %-49s | %8s | %8s | %9s | %6s | %5s | missed",
		"what", "9e1fac73", Choosing, Reporting, "must", "aim")}
	for _, target := range targets() {
		sign, aim := "≥", "–"
		if target.AtMost {
			sign = "≤"
		}
		if target.aim != 0 {
			aim = fmt.Sprintf("%.2f", target.aim)
		}
		cells := [2]string{"–", "–"}
		var missed []string
		for _, p := range []Part{Choosing, Reporting} {
			if value, ok := found[p][target.Name]; ok {
				cells[p] = fmt.Sprintf("%.4f", value)
				if !target.meets(value, target.must) {
					missed = append(missed, p.String())
				}
			}
		}
		lines = append(lines, fmt.Sprintf("| %-49s | %8.2f | %8s | %9s | %s %4.2f | %5s | %s",
			target.Name, target.before, cells[Choosing], cells[Reporting], sign, target.must, aim,
			strings.Join(missed, ", ")))
	}
	return lines
}
