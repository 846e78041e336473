package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/summary"
	"assize/rubric"
)

// parseGates reads the values of --fail-under: a score of the OverallExperience, or one of a criterion behind its name
// and "=". A score of 0 takes the gate away that the config file may have put up.
func parseGates(list []string) (gates []summary.Threshold, err error) {
	for _, s := range list {
		name, score, named := strings.Cut(s, "=")
		if !named {
			name, score = summary.OverallName, s
		}
		g, err := gateOf(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(strings.TrimSpace(score))
		if err != nil || n != 0 && n < 20 || n > 100 { // no score is below 20
			return nil, fmt.Errorf("--fail-under %q: want a score from 20 to 100, or one of a criterion such as Empathy=40", s)
		}
		g.Least = n
		if slices.ContainsFunc(gates, func(have summary.Threshold) bool { return have.Name() == g.Name() }) {
			return nil, fmt.Errorf("--fail-under has two scores for %s; want one", g.Name())
		}
		gates = append(gates, g)
	}
	return slices.DeleteFunc(gates, func(g summary.Threshold) bool { return g.Least == 0 }), nil
}

// gateOf gives the gate of a name, in any case.
func gateOf(name string) (summary.Threshold, error) {
	var names []string
	for _, c := range rubric.Criteria() {
		if strings.EqualFold(name, c.String()) {
			return summary.Threshold{Criterion: c}, nil
		}
		names = append(names, c.String())
	}
	if strings.EqualFold(name, summary.OverallName) {
		return summary.Threshold{Whole: true}, nil
	}
	err := fmt.Errorf("--fail-under: unknown criterion %q; want one of %s or %s", name, strings.Join(names, ", "),
		summary.OverallName)
	return summary.Threshold{}, console.Hint(err, didYouMean(name, append(names, summary.OverallName))...)
}
