package measure

import (
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

// targets lists what is measured.
func targets() []target {
	return []target{
		{"helpdesk: satisfaction", false, .66, .64, .68, .68},
		{"helpdesk: average", false, .54, .52, .56, .54},
		{"helpdesk: TaskSuccess with accomplishment", false, .46, .45, .50, .52},
		{"helpdesk: Helpfulness with effectiveness", false, .48, .45, .50, .48},
		{"helpdesk: mean correlation of four criteria", true, .11, .40, 0, .07},
		{"outcomes: AUC of the average", false, .68, .79, .84, .94},
		{"outcomes: AUC of satisfaction", false, .81, .81, .84, .83},
		{"outcomes: failures with an average of 80 or more", true, .21, .06, .03, .054},
		{"outcomes: successes with an average of 40 or less", true, .03, .04, .02, .01},
		{"empathy: sum of the levels", false, .41, .40, 0, .39},
		{"empathy: emotional_reaction", false, .41, .40, 0, .38},
		{"fluency: right", false, .86, .84, 0, .85},
		{"fluency: wrong", true, 0, .04, 0, .01},
		{"fluency: corrected text below 80", true, 0, .04, 0, .01},
		{"USS: satisfaction", false, .41, .40, .42, .40},
		{"USS: average", false, .25, .28, .35, .14},
		{"USS: worst fifth by satisfaction, AUC", false, .75, .74, 0, .73},
		{"USS: worst among the lowest tenth", false, .51, .47, 0, .48},
		{"USS: Fluency below 80 on MWOZ", true, 0, .05, 0, .01},
		{"USS: Fluency below 80 on SGD", true, .01, .05, 0, .02},
		{"own desk: two levels or more off", true, .14, .12, .10, .23},
		{"own desk: pairs by satisfaction", false, .93, .92, 0, .90},
		{"own desk: profile within a dialogue", false, .68, .60, .70, .58},
		{"own desk: bad ones below OverallExperience 60", false, .82, .82, 0, .51},
		{"own desk: good ones below OverallExperience 60", true, .05, .05, 0, .04},
		{"contrast: the target falls, mean of the kinds", false, .80, .78, .85, .80},
		{"contrast: another falls by two, or as much", true, .25, .18, .10, .12},
		{"contrast: the target is within its range", false, .56, .60, 0, .65},
		{"contrast: friendly failures at 60 or less", false, .60, .55, 0, .84},
		{"contrast: cold successes within a level", false, 1, .95, 0, .95},
	}
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
			value, ok := found[p][target.Name]
			if !ok {
				continue
			}
			cells[p] = fmt.Sprintf("%.4f", value)
			if !target.meets(value, target.must) {
				missed = append(missed, p.String())
			}
		}
		lines = append(lines, fmt.Sprintf("| %-49s | %8.2f | %8s | %9s | %s %4.2f | %5s | %s",
			target.Name, target.before, cells[Choosing], cells[Reporting], sign, target.must, aim,
			strings.Join(missed, ", ")))
	}
	return lines
}
