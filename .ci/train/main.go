// Train learns the weights of service cases, heuristics/quality.json, from the choosing part of
// testdata/desk. It prints what it did and how accurate the weights are on each part of the desk
// when they are learnt from the others.
//
//	go run ./.ci/train
package main

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"assize/heuristics"
	"assize/heuristics/measure"
	"assize/heuristics/satisfaction"
	"assize/heuristics/talk"
	"assize/rubric"
)

func main() {
	if err := train("."); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// train learns the weights and writes them to the repository with this root.
func train(root string) error {
	sets := measure.New(root)
	rows, err := sets.DeskRows(measure.Choosing)
	if err != nil {
		return err
	}
	lessons, err := newLessons(sets, rows)
	if err != nil {
		return err
	}
	q := learn(lessons)
	fmt.Printf("%d dialogues of the desk; a ridge of %g towards the points of the detectors; "+
		"no weight is below 0\n", len(lessons), float64(ridge))
	fmt.Printf("weights of %d detectors, %d of them set by hand, and of %d in last turns; "+
		"the usual sum is %s\n", len(q.Weights), len(byHand), len(q.Last), q.Usual)
	if err := write(filepath.Join(root, "heuristics", "quality.json"), encode(q)); err != nil {
		return err
	}
	return leaveOut(sets, lessons, rows)
}

// write writes a file and reports whether that changed it.
func write(name string, data []byte) error {
	change := "changed"
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, data) {
		change = "unchanged"
	}
	fmt.Printf("%s: %s\n", name, change)
	return os.WriteFile(name, data, 0o644)
}

// encode returns the weights as a file.
func encode(q satisfaction.Quality) []byte {
	return append(rubric.AppendJSON(nil, q, jsontext.WithIndent("  ")), '\n')
}

// leaveOut prints the accuracy on each part of the desk of weights that were learnt from the other
// parts.
func leaveOut(sets *measure.Sets, lessons []lesson, rows measure.Rows) error {
	byPart := map[string]measure.Rows{}
	for id, row := range rows {
		part := row["part"]
		if byPart[part] == nil {
			byPart[part] = measure.Rows{}
		}
		byPart[part][id] = row
	}
	var all []*measure.Judged
	for _, part := range slices.Sorted(maps.Keys(byPart)) {
		q := learn(slices.DeleteFunc(slices.Clone(lessons),
			func(l lesson) bool { return l.part == part }))
		list, err := sets.JudgeDesk(sets.Panel, byPart[part])
		if err != nil {
			return err
		}
		for _, j := range list {
			if heuristics.KindOf(j.Signals) == talk.ServiceKind {
				value := satisfaction.Millionths(math.Round(q.Of(j.Dialogue, j.Signals) * 1e6))
				j.Satisfaction = float64(
					satisfaction.DefaultProfile().EstimateAt(value, 0).Satisfaction)
			}
		}
		if err := printFigures(part, list, byPart[part]); err != nil {
			return err
		}
		all = append(all, list...)
	}
	return printFigures("the whole desk, each part by weights learnt from the others", all, rows)
}

// printFigures prints the figures of judged dialogues.
func printFigures(what string, list []*measure.Judged, rows measure.Rows) error {
	figures, err := measure.DeskFigures(list, rows)
	if err != nil {
		return err
	}
	fmt.Println(what)
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		fmt.Printf("  %-46s %.3f\n", name, figures[name])
	}
	return nil
}
