package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics/satisfaction"
)

// weight is what a feature adds to an estimate.
type weight struct {
	What      string      `json:"what"`
	Points    stats.Fixed `json:"points"`    // of the rating, on the scale from 1 to 5
	Dialogues int         `json:"dialogues"` // with the feature, rated or not
}

// Effect describes what the weight adds to the rules' estimate.
func (w weight) Effect() string { return texts.Say("effect", w) }

const (
	listed = 5 // listed for each sign
	// of these, so that words are listed as well, although their weights are smaller
	listedDetectors = 3
)

// strongest returns the weights with the largest effect, first the negative ones, then the positive
// ones, except those that would be printed as 0. The effect is the weight times the standard
// deviation of the feature over dialogues. A feature that shares a word or a detector with a
// stronger one is left out.
func strongest(all []weighed, dialogues int, titles map[string]string) (list []weight) {
	matters := func(w weighed) float64 {
		share := float64(len(w.have)) / float64(dialogues)
		return math.Abs(w.weight) * math.Sqrt(float64(share*(1-share)))
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all,
		func(a, b weighed) int { return cmp.Compare(matters(b), matters(a)) })
	isWord := func(w weighed) bool { return w.group != satisfaction.ByDetectors }
	limit := listed
	if slices.ContainsFunc(all, isWord) {
		limit = listedDetectors
	}
	for _, sign := range []float64{-1, 1} {
		shown := map[string]bool{}
		n := 0
		for _, w := range all {
			parts := strings.Fields(w.name)
			if !isWord(w) {
				id, _, _ := strings.Cut(w.name, ", ")
				parts = []string{id}
			}
			isShown := slices.ContainsFunc(parts, func(s string) bool { return shown[s] })
			if w.weight*sign < 0.0005 || isShown || !isWord(w) && n >= limit ||
				satisfaction.OnlyFunctionWords(w.name) {
				continue
			}
			for _, s := range parts {
				shown[s] = true
			}
			list = append(list, weight{What: w.label(titles), Points: stats.Four(w.weight),
				Dialogues: len(w.have)})
			if n++; n == listed {
				break
			}
		}
	}
	return list
}

// label returns a readable name of the feature; titles are the titles of detectors.
func (f *feature) label(titles map[string]string) string {
	if f.group == satisfaction.ByDetectors {
		id, last := strings.CutSuffix(f.name, ", last")
		name := id
		if title := titles[id]; title != "" {
			name = fmt.Sprintf("%s (%s)", title, id)
		}
		return map[bool]string{true: "USER's last turn: "}[last] + name
	}
	speaker, place, _ := strings.Cut(f.group.String(), " ")
	if place != "" {
		place = ", " + place
	}
	return fmt.Sprintf("'%s' by the %s%s", f.name, speaker, place)
}
