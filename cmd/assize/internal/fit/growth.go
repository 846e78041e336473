package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
)

// moreDialogues is how many more rated dialogues a forecast is for.
const moreDialogues = 200

// Growth is how weights rank dialogues not used for learning, by the number of dialogues that they were learnt from.
type Growth struct {
	Kind     string `json:"kind"` // see [Compared]; the best where none is used
	Steps    []Step `json:"steps"`
	Forecast Step   `json:"forecast"` // with more rated dialogues than there are
}

// Step is the rank correlation that is reached from a number of dialogues.
type Step struct {
	Dialogues int  `json:"dialogues"`
	Spearman  Gain `json:"spearman"`
}

// grow measures what a trial ranks by, learnt from a quarter, half and four fifths of the points; nil where folds are
// too few. The strength is that of the trial throughout: it stands for the ratio of noise to signal, which does not
// depend on how many points there are.
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
			err = cmp.Or(err, r.leaveOut(one, four[(f+1)%4], slices.Concat(four[(f+2)%4], four[(f+3)%4]), false))
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
	return newGrowth(t.kind, sizes, [][][]float64{quarter, half, t.repeated}, rating, limit, seed), nil
}

// newGrowth measures what was estimated for all points from each number of dialogues, several times.
func newGrowth(k kind, sizes []float64, estimates [][][]float64, rating []float64, limit float64, seed uint64) *Growth {
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

// forecast extrapolates rank correlations by a power law, ρ = a - b/√n (Cortes, Jackel, Solla, Vapnik and Denker 1994,
// Learning Curves, with their exponent at ½), by least squares. It does not exceed the limit that noise sets; where the
// correlations fall, it is their mean.
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

// told says how the ranking grows with the ratings.
func (g *Growth) told() string {
	var list []string
	for _, s := range g.Steps {
		list = append(list, fmt.Sprintf("%.2f with %d", s.Spearman.Value, s.Dialogues))
	}
	f := g.Forecast.Spearman
	return fmt.Sprintf("Weights of %s reach a correlation of %s rated dialogues. With %d more rated like these: about %.2f, "+
		"%.2f to %.2f (95 %% interval), if it goes on as it has so far.", g.Kind, strings.Join(list, ", "), moreDialogues, f.Value,
		f.Low, f.High)
}

// Weight is what a feature adds to an estimate.
type Weight struct {
	What      string `json:"what"`
	Points    Figure `json:"points"`    // of the rating, on the scale from 1 to 5
	Dialogues int    `json:"dialogues"` // that have it, among those learnt from, rated or not
}

const (
	weightsTold   = 5 // on each side
	detectorsTold = 3 // of these, so that words are told too, whose weights are smaller
)

// weighed is a feature with what it adds.
type weighed struct {
	*feature
	weight float64
}

// strongest gives the weights that matter most, first those that lower, then those that raise: by what a weight adds
// times how much dialogues differ in having it. Those that share a word or a detector with a stronger one are left out.
func strongest(all []weighed, dialogues int, titles map[string]string) (list []Weight) {
	matters := func(w weighed) float64 {
		share := float64(len(w.have)) / float64(dialogues)
		return math.Abs(w.weight) * math.Sqrt(float64(share*(1-share)))
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b weighed) int { return cmp.Compare(matters(b), matters(a)) })
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
			if w.weight*sign < 0 || isTold || !isWord(w) && n >= most || heuristics.OnlyFunctionWords(w.name) {
				continue
			}
			for _, s := range parts {
				told[s] = true
			}
			list = append(list, Weight{What: w.told(titles), Points: Figure(w.weight), Dialogues: len(w.have)})
			if n++; n == weightsTold {
				break
			}
		}
	}
	return list
}

// told names the feature in words; titles are those of detectors.
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
	t := ui.NewTable("What lowers and raises satisfaction most, in points of 5", "points>", "dialogues>", "=58")
	t.Notes = []string{"by weight and by how much dialogues differ in it; assize explain ID says what a detector sees"}
	for _, w := range list {
		t.Add(fmt.Sprintf("%+.3f", w.Points), w.Dialogues, w.What)
	}
	return t
}
