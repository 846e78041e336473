package judge

import (
	"fmt"
	"os"
	"slices"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/output"
	"assize/heuristics"
	"assize/rubric"
)

// ReadRubric reads a rubric file; without one it gives the default rubric. The error tells of a file that demands
// detectors that there are not.
func ReadRubric(path string, agents *heuristics.Agents) (rubric.Rubric, error) {
	if path == "" {
		return rubric.Default(), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return rubric.Rubric{}, fmt.Errorf("--rubric %s: %w", path, output.WithoutName(err))
	}
	r, err := rubric.Parse(path, data)
	if err != nil {
		return r, err
	}
	var ids []string
	for _, d := range agents.Detectors() {
		ids = append(ids, d.ID)
	}
	for _, id := range r.DemandedDetectors() {
		if !slices.Contains(ids, id) {
			err := fmt.Errorf("%s: demands %q; want the id of a detector", path, id)
			return r, console.Hint(err, append(flags.DidYouMean(id, ids), "assize explain lists all")...)
		}
	}
	return r, nil
}

// ReadProfile reads a profile file; without one it gives the profile of the program.
func ReadProfile(path string) (heuristics.Profile, error) {
	if path == "" {
		return heuristics.DefaultProfile(), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return heuristics.Profile{}, fmt.Errorf("--profile %s: %w", path, output.WithoutName(err))
	}
	return heuristics.ParseProfile(path, data)
}
