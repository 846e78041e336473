// Measure prints how the rules compare with people's judgement of the rated sets, next to the
// targets. It measures the part of the sets that is kept for reporting only with -reporting, and it
// needs the sets of others: the folder that ASSIZE_SHARED names.
//
//	go run ./.ci/measure [-reporting]
package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"strings"

	"assize/heuristics/measure"
)

func main() {
	reporting := flag.Bool("reporting", false,
		"measure the part of the sets that is kept for reporting as well")
	flag.Parse()
	lines, err := run(measure.New("."), *reporting)
	if len(lines) > 0 {
		fmt.Println(strings.Join(lines, "\n"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// run returns the lines to print. Figures below their floors are an error.
func run(sets *measure.Sets, reporting bool) ([]string, error) {
	parts := []measure.Part{measure.Choosing}
	if reporting {
		parts = append(parts, measure.Reporting)
	}
	found := map[measure.Part]measure.Figures{}
	var missing []string
	for _, p := range parts {
		found[p] = measure.Figures{}
		for _, set := range measure.All() {
			of, err := set.Measure(sets, p)
			switch {
			case errors.Is(err, measure.ErrMissing):
				missing = append(missing, fmt.Sprintf("%s, %s: %v", set.Name, p, err))
			case err != nil:
				return nil, fmt.Errorf("%s: %w", set.Name, err)
			}
			maps.Copy(found[p], of)
		}
	}
	return append(measure.Table(found), missing...), found[measure.Choosing].CheckFloors()
}
