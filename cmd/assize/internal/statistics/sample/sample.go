// Package sample estimates how people would rate all dialogues of a run from a random sample.
//
// A dialogue counts as drawn at random if its row in a ratings file has a probability and the files
// agree with the run (see [ratings.Collect]), if the user says that all rated dialogues were, or if
// people rated it in the random order of the queue (see Sample in package review). The result is
// Drawn in [ratings.Rated]. [ratings.Collect] refuses to correct anything if the files were not
// drawn from the run, and [stats.Sampled] does if there are too few ratings.
package sample

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// The names of the figures other than those of the criteria.
const (
	satisfied = "Satisfaction"
	Below     = "Below 60"
)

const numFigures = 2 + rubric.NumCriteria

// Names returns the names of the figures: satisfaction, the share below 60, and the criteria.
func Names() []string { return append([]string{satisfied, Below}, run.ScoreNames()...) }

// estimates are those of the figures, in the order of [Names].
type estimates [numFigures]stats.Sampled

// Of returns the figures of the scored rows, some of which are rated. Rows that are equal by
// [run.Row.Copy] count once, as in every sample. Figures that nobody rated are left out.
func Of(rows []*run.Row, rated []ratings.Rated) (list []Figure) {
	var seen, counted run.Copies
	var by estimates
	below := 0 // dialogues
	for _, r := range rows {
		if !r.Scored() || seen.Again(r) {
			continue
		}
		if r.Overall < 60 {
			below++
		}
		for i, score := range scores(r) {
			by[i].Add(score)
		}
	}
	for i := range rated {
		r := &rated[i]
		if r.Drawn != (stats.Stratum{}) && !counted.Again(r.Row) {
			by.rate(r)
		}
	}
	for i, name := range Names() {
		s, estimate := &by[i], (*stats.Sampled).Mean
		f := Figure{Name: name, Scores: s.Score()}
		if f.N, f.Of = s.Counts(); f.N == 0 {
			continue
		}
		switch name {
		case satisfied:
			f.Scores /= 100
		case Below:
			f.Scores, estimate = float64(below)/float64(f.Of), (*stats.Sampled).Share
		}
		f.Rated, f.Corrected = estimate(s, false), estimate(s, true)
		list = append(list, f)
	}
	return list
}

// scores returns the score that predicts each figure, in whole numbers, so that sums are exact.
func scores(r *run.Row) [numFigures]float64 {
	list := [numFigures]float64{float64(r.Satisfaction), float64(r.Satisfaction)}
	for c, score := range r.Final {
		list[2+c] = float64(score)
	}
	return list
}

// rate adds the ratings of a dialogue that was drawn at random. A rating below 3 of 5 counts as
// below 60. If several people rated it, their mean counts, and the share of them below 60.
func (by *estimates) rate(r *ratings.Rated) {
	low := slices.Clone(r.Overall) // 1 if below 60, 0 if not, NaN if missing
	for i, v := range low {
		switch {
		case v < 3:
			low[i] = 1
		case v >= 3:
			low[i] = 0
		}
	}
	of := scores(r.Row)
	criteria := rubric.Criteria()
	for i, given := range append([][]float64{r.Overall, low}, ui.Each(criteria[:], r.On)...) {
		if given == nil {
			continue
		}
		rating := ratings.Mean(given)
		if i >= 2 {
			rating *= 20 // in points of 100, like the scores
		}
		by[i].Rate(of[i], rating, r.Drawn)
	}
}

// Figure is a mean or a share: of the scores, and of the ratings that people would give, estimated
// from the sample alone and corrected with the scores of all dialogues (see [stats.Sampled]). The
// estimates are unknown for fewer than [stats.MinRated] ratings.
type Figure struct {
	Name      string       `json:"measure"`
	Scores    float64      `json:"scores"`
	Rated     stats.Figure `json:"rated"`
	Corrected stats.Figure `json:"corrected"`
	N         int          `json:"n"`  // rated dialogues
	Of        int          `json:"of"` // all dialogues
}

// value formats a value of the figure, such as "8.1 %" and "3.39", or returns "–" for NaN.
func (f *Figure) value(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case f.Name == satisfied:
		return stats.Fixed{Value: v, Decimals: 2}.String()
	case f.Name == Below:
		return stats.Fixed{Value: 100 * v, Decimals: 1}.String() + " %"
	}
	return stats.Fixed{Value: v, Decimals: 1}.String()
}

// estimate formats an estimate of the figure with its interval, such as "8.1 % (5.0–11.9 %)".
func (f *Figure) estimate(e stats.Figure) string {
	if !e.Known() {
		return f.value(e.Value)
	}
	low := strings.TrimSuffix(f.value(e.Low), " %")
	return fmt.Sprintf("%s (%s–%s)", f.value(e.Value), low, f.value(e.High))
}

// corrected returns the corrected estimate, or why it is unknown.
func (f *Figure) corrected() string { return cmp.Or(f.Corrected.Warning, f.estimate(f.Corrected)) }

var texts = prose.Of("sample")

// String returns the figure as a sentence.
func (f Figure) String() string {
	return texts.Say("figure", map[string]any{"Name": f.Name, "N": f.N, "Of": f.Of,
		"Scores": f.value(f.Scores), "Corrected": f.corrected(), "Warning": f.Corrected.Warning})
}

// AddTo adds a row to a table of figures of groups.
func (f *Figure) AddTo(t *ui.Table, group string) {
	t.Add(group, f.Name, f.value(f.Scores), f.value(f.Rated.Value), f.corrected(), f.N)
}

// Origin returns the end of a title of figures; "" if all dialogues are rated.
func Origin(figures []Figure) string {
	if slices.ContainsFunc(figures, func(f Figure) bool { return f.N < f.Of }) {
		return ": corrected from a random sample"
	}
	return ""
}

// Table returns a table of figures.
func Table(figures []Figure) *ui.Table {
	t := ui.NewTable("As people rate"+Origin(figures), "measure", "scores>", "sample mean>",
		"corrected>", "rated>")
	t.Notes = texts.List("note", nil)
	for _, f := range figures {
		t.Add(f.Name, f.value(f.Scores), f.estimate(f.Rated), f.corrected(), f.N)
	}
	return t
}
