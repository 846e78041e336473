package ratings

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"assize/cmd/assize/internal/run"
)

// Own is the source of the ratings that the dialogues carry themselves, such as the CSAT of an export. The source of a
// file's ratings is what its column source says, or else the name of the file without folders and extension.
const Own = "dialogues"

// Sources are the sources that are wanted, with as how many each of their ratings counts. None are all those of the
// files, or where there is no file the dialogues' own, with 1 each.
type Sources map[string]float64

// ParseSources reads names with or without weights, such as "reviewers" or "csat=1,reviewers=3".
func ParseSources(text string) (Sources, error) {
	list := Sources{}
	for part := range strings.SplitSeq(text, ",") {
		name, number, weighed := strings.Cut(part, "=")
		weight := 1.0
		if weighed {
			weight, _ = parseNumber(number)
		}
		name = strings.TrimSpace(name)
		if _, twice := list[name]; name == "" || twice || weight <= 0 || weight > 1000 {
			return nil, fmt.Errorf("%q; want names of sources, once each, and perhaps weights above 0 and up to 1000, such as "+
				"csat=1,reviewers=3", text)
		}
		list[name] = weight
	}
	return list, nil
}

// weight is as how many a rating of a source counts; 0 where it is not wanted.
func (s Sources) weight(source string) float64 {
	if len(s) == 0 {
		return 1
	}
	return s[source]
}

// Mixed reports whether some ratings count more than others.
func (s Sources) Mixed() bool {
	weights := slices.Sorted(maps.Values(s))
	return len(weights) > 0 && weights[0] != weights[len(weights)-1]
}

// sourceOf is the source of the ratings of a file that does not say.
func sourceOf(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if name, _, _ := strings.Cut(base, "."); name != "" {
		return name
	}
	return base
}

// Collect gives the ratings of rows from the sources that are wanted, in the order of the rows. Raters are ordered by
// source and name, and have the same position in every dialogue unless a file has more than 64. Where ratings of several
// sources are used, a warning says how many of each; others say which ratings found no dialogue and how many dialogues
// have no rating. The error is a rating off the scale, one that could belong to two dialogues, that a source has none,
// or that no rating of a file found its dialogue.
func Collect(rows []run.Row, files []*File, want Sources, s Scale) (rated []Rated, warnings []string, err error) {
	once, warnings, err := single(rows)
	if err != nil {
		return nil, nil, err
	}
	counts := map[string]int{}
	for _, r := range once {
		if len(r.Ratings) > 0 && (len(files) == 0 || want != nil) {
			counts[Own] += len(r.Ratings)
		}
	}
	for _, f := range files {
		for i := range f.ratings {
			counts[f.ratings[i].source]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if counts[name] == 0 {
			return nil, nil, fmt.Errorf("no rating is of the source %s; those there are: %s", quote(name),
				listed(slices.Sorted(maps.Keys(counts))))
		}
	}
	var lists [][]Rated
	if weight := want.weight(Own); weight > 0 && (len(files) == 0 || counts[Own] > 0) {
		list, err := own(once, s, weight)
		if err != nil {
			return nil, nil, err
		}
		lists = append(lists, list)
	}
	for _, f := range files {
		list, told, err := f.join(once, want, s)
		if err != nil {
			return nil, nil, err
		}
		lists, warnings = append(lists, list), append(warnings, told...)
	}
	rated = merge(once, lists)
	return rated, append(append(warnings, want.told(counts)...), unrated(rated, once)...), nil
}

// told says how many ratings of which source count how much, where there is more than one.
func (s Sources) told(counts map[string]int) []string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if weight := s.weight(name); weight > 0 {
			part := fmt.Sprintf("%d of %s", counts[name], quote(name))
			if s.Mixed() {
				part += " (each counts " + number(weight) + ")"
			}
			parts = append(parts, part)
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return []string{"ratings of several sources count: " + listed(parts)}
}

// own gives the ratings that dialogues carry. The error is a rating off the scale, or that there are none.
func own(rows []*run.Row, s Scale, weight float64) (rated []Rated, err error) {
	for _, r := range rows {
		one := Rated{Row: r, Weights: slices.Repeat([]float64{weight}, len(r.Ratings))}
		for _, rating := range r.Ratings {
			value, err := s.OnFive(rating)
			if err != nil {
				return nil, fmt.Errorf("%s: dialogue %s: %w", r.File, r.Name, err)
			}
			one.Overall = append(one.Overall, value)
		}
		if one.Overall != nil {
			rated = append(rated, one)
		}
	}
	if rated == nil {
		return nil, errors.New("no dialogue of the run carries ratings of people; want --ratings FILE")
	}
	return rated, nil
}

// merge puts the ratings of several lists next to each other, in the order of rows. A position stays a rater.
func merge(rows []*run.Row, lists [][]Rated) (rated []Rated) {
	all := map[*run.Row]*Rated{}
	width := 0
	beside := func(to *[]float64, values []float64, filler float64) {
		if values != nil {
			*to = slices.Concat(*to, slices.Repeat([]float64{filler}, width-len(*to)), values)
		}
	}
	for _, list := range lists {
		most := 0
		for i := range list {
			r := &list[i]
			to := all[r.Row]
			if to == nil {
				to = &Rated{Row: r.Row}
				all[r.Row] = to
			}
			beside(&to.Overall, r.Overall, math.NaN())
			for c := range r.Criteria {
				beside(&to.Criteria[c], r.Criteria[c], math.NaN())
			}
			beside(&to.Weights, r.Weights, 1)
			most = max(most, len(r.Weights))
		}
		width += most
	}
	for _, row := range rows {
		if r := all[row]; r != nil {
			rated = append(rated, *r)
		}
	}
	return rated
}
