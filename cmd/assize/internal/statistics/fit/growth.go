package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/statistics/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
)

// moreDialogues is the number of additional rated dialogues that a forecast assumes.
const moreDialogues = 200

// Growth is the learning curve: how well weights rank dialogues not used for learning, by the
// number of dialogues they were learned from.
type Growth struct {
	Kind     string `json:"kind"` // see [Compared]; the best kind if none is used
	Steps    []Step `json:"steps"`
	Forecast Step   `json:"forecast"` // with more rated dialogues than available now
}

// Step is the rank correlation reached with a given number of dialogues.
type Step struct {
	Dialogues int  `json:"dialogues"`
	Spearman  Gain `json:"spearman"`
}

// grow measures the ranking of a trial learned from a quarter, half and four fifths of the points.
// It returns nil if there are too few folds. It uses the trial's strength throughout, because the
// strength is the ratio of noise to signal, which does not depend on the number of points.
func (d *design) grow(t *trial, slope, limit float64, seed uint64) (*Growth, error) {
	n := len(d.points)
	r, err := d.ridge(t.kind, d.kernel(t.kind), t.strength, slope)
	if err != nil {
		return nil, err
	}
	var quarter, half [][]float64
	for again := range uint64(repeats) {
		_, four := folds(d.points, 4, seed+again*1_000_003)
		if len(four) < 4 {
			return nil, nil
		}
		one, two := make([]float64, n), make([]float64, n)
		for f := range four {
			err = cmp.Or(err,
				r.leaveOut(one, four[(f+1)%4], slices.Concat(four[(f+2)%4], four[(f+3)%4]), false))
		}
		first, second := slices.Concat(four[0], four[1]), slices.Concat(four[2], four[3])
		err = cmp.Or(err, r.leaveOut(two, first, nil, false), r.leaveOut(two, second, nil, false))
		if err != nil {
			return nil, err
		}
		quarter, half = append(quarter, one), append(half, two)
	}
	_, rating := columns(d.points)
	sizes := []float64{float64(n) / 4, float64(n) / 2, float64(n*(innerFolds-1)) / innerFolds}
	return newGrowth(t.kind, sizes, [][][]float64{quarter, half, t.repeated}, rating, limit, seed),
		nil
}

// newGrowth measures repeated estimates for all points, for each training size.
func newGrowth(k kind, sizes []float64, estimates [][][]float64, rating []float64, limit float64,
	seed uint64) *Growth {
	pairs := make([][]*stats.Pairs, len(sizes))
	for s, list := range estimates {
		for _, values := range list {
			pairs[s] = append(pairs[s], stats.NewPairs(values, rating))
		}
	}
	n := len(rating) + moreDialogues
	gains := stats.Bootstrap(len(rating), draws, seed, func(times []int) []float64 {
		found := make([]float64, len(sizes), len(sizes)+1)
		for s, list := range pairs {
			found[s] = meanSpearman(list, times)
		}
		return append(found, forecast(sizes, found, float64(n), limit))
	})
	g := &Growth{Kind: k.String(), Forecast: Step{n, gains[len(sizes)]}}
	for s, size := range sizes {
		g.Steps = append(g.Steps, Step{int(size), gains[s]})
	}
	return g
}

// forecast extrapolates rank correlations with a power law, ρ = a - b/√n (Cortes, Jackel, Solla,
// Vapnik and Denker 1994, Learning Curves, with their exponent set to ½), fitted by least squares.
// The result does not exceed limit, the ceiling set by noise. If the correlations fall, it is their
// mean.
func forecast(sizes, rhos []float64, n, limit float64) float64 {
	x := make([]float64, len(sizes))
	for i, size := range sizes {
		x[i] = 1 / math.Sqrt(size)
	}
	b := min(stats.Slope(x, rhos), 0)
	rho := stats.Mean(rhos, nil) + float64(b*(1/math.Sqrt(n)-stats.Mean(x, nil)))
	if limit > 0 {
		rho = min(rho, limit)
	}
	return min(rho, 1)
}

// told describes how the ranking improves with the number of ratings.
func (g *Growth) told() string {
	var list []string
	for _, s := range g.Steps {
		list = append(list, fmt.Sprintf("%.2f with %d", s.Spearman.Value, s.Dialogues))
	}
	f := g.Forecast.Spearman
	return fmt.Sprintf("Weights of %s reach a correlation of %s rated dialogues. With %d more rated like these: about %.2f, "+
		"%.2f to %.2f (95 %% interval), if it goes on as it has so far.", g.Kind,
		strings.Join(list, ", "), moreDialogues, f.Value, f.Low, f.High)
}

// Weight is what a feature adds to an estimate.
type Weight struct {
	What      string `json:"what"`
	Points    Figure `json:"points"`    // of the rating, on the scale from 1 to 5
	Dialogues int    `json:"dialogues"` // with the feature, rated or not
}

const (
	weightsTold = 5 // listed for each sign
	// of these, so that words are listed as well, although their weights are smaller
	detectorsTold = 3
)

// weighed is a feature with its weight.
type weighed struct {
	*feature
	weight float64
}

// strongest returns the weights with the largest effect, first the negative ones, then the positive
// ones. The effect is the weight times the standard deviation of the feature over dialogues. A
// feature that shares a word or a detector with a stronger one is left out.
func strongest(all []weighed, dialogues int, titles map[string]string) (list []Weight) {
	matters := func(w weighed) float64 {
		share := float64(len(w.have)) / float64(dialogues)
		return math.Abs(w.weight) * math.Sqrt(float64(share*(1-share)))
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all,
		func(a, b weighed) int { return cmp.Compare(matters(b), matters(a)) })
	isWord := func(w weighed) bool { return w.group != heuristics.ByDetectors }
	most := weightsTold
	if slices.ContainsFunc(all, isWord) {
		most = detectorsTold
	}
	for _, sign := range []float64{-1, 1} {
		told := map[string]bool{}
		n := 0
		for _, w := range all {
			parts := strings.Fields(w.name)
			if !isWord(w) {
				id, _, _ := strings.Cut(w.name, ", ")
				parts = []string{id}
			}
			isTold := slices.ContainsFunc(parts, func(s string) bool { return told[s] })
			if w.weight*sign < 0 || isTold || !isWord(w) && n >= most ||
				heuristics.OnlyFunctionWords(w.name) {
				continue
			}
			for _, s := range parts {
				told[s] = true
			}
			list = append(list, Weight{What: w.told(titles), Points: Figure(w.weight),
				Dialogues: len(w.have)})
			if n++; n == weightsTold {
				break
			}
		}
	}
	return list
}

// told returns a readable name of the feature; titles are the titles of detectors.
func (f *feature) told(titles map[string]string) string {
	if f.group == heuristics.ByDetectors {
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

func weightsTable(list []Weight) *ui.Table {
	t := ui.NewTable("What lowers and raises satisfaction most, in points of 5", "points>",
		"dialogues>", "=58")
	t.Notes = []string{"by weight and by how much dialogues differ in it; assize explain ID says what a detector sees"}
	for _, w := range list {
		t.Add(fmt.Sprintf("%+.3f", w.Points), w.Dialogues, w.What)
	}
	return t
}
