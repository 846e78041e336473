package agree

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

func TestLevelsAreAsFrequentAsPeoples(t *testing.T) {
	for _, tt := range []struct {
		reason string
		values []float64
		people []int
		want   []int
	}{
		{"the lowest gets the lowest", []float64{9, 1, 5}, []int{2, 1, 3}, []int{3, 1, 2}},
		{"equal values share the level of the middle one", []float64{4, 4, 4, 1}, []int{0, 1, 1, 2},
			[]int{1, 1, 1, 0}},
		{"a level that people never gave is never given", []float64{1, 2, 3, 4}, []int{0, 0, 4, 4},
			[]int{0, 0, 4, 4}},
		{"the middle of an even number is the lower", []float64{7, 7}, []int{1, 3}, []int{1, 1}},
		{"nothing", nil, nil, []int{}},
	} {
		assert.Equal(t, tt.want, matchFrequencies(tt.values, tt.people), tt.reason)
	}
	for v, want := range map[float64]int{0: 0, 1: 0, 1.49: 0, 1.5: 1, 3.5: 3, 4.49: 3, 4.5: 4, 5: 4,
		7: 4} {
		assert.Equal(t, want, levelOf(v), "%v", v)
	}
}

func TestOneAnnotatorIsTheMeanOverPositions(t *testing.T) {
	rated := crowd(t, "a.txt", 60, 4, .5)
	for i := range rated { // not everybody rates everything
		rated[i].Overall[i%4] = nan
	}
	rep := New(context.Background(), rated, options())
	var sum, dialogues float64
	for at := range 4 {
		var own, others []float64
		for i := range rated {
			if given := rated[i].Overall; !math.IsNaN(given[at]) {
				own = append(own, given[at])
				others = append(others, ratings.Mean(slices.Concat(given[:at], given[at+1:])))
			}
		}
		n := float64(len(own))
		sum, dialogues = sum+n*stats.Spearman(own, others), dialogues+n
	}
	assert.InDelta(t, sum/dialogues, rep.Of(rep.Mean, overallKey(OneAnnotator, Spearman)).Value,
		1e-12)
	assert.InDelta(t, 3, rep.Of(rep.Mean, overallKey(Raters, ratingsEach)).Value, 1e-12)
}

func TestTheSeatIsHeldAgainstTheSamePeople(t *testing.T) {
	rated := crowd(t, "a.txt", 40, 2, .5)
	for i := range rated { // a judge equal to the first annotator
		rated[i].Row.Satisfaction = rubric.Hundredths(100 * rated[i].Overall[0])
	}
	rep := New(context.Background(), rated, options())
	var x, y []float64
	for i := range rated {
		x, y = append(x, rated[i].Overall[0]), append(y, rated[i].Overall[1])
	}
	// In the first seat the judge agrees with the annotator and is compared with the other one; in
	// the second it is compared with itself. The expected value is the mean of that correlation and
	// 1.
	rho := stats.Spearman(x, y)
	assert.InDelta(t, (rho+1)/2, rep.Of(rep.Mean, overallKey(Satisfaction, asAnnotator)).Value,
		1e-12)
	assert.InDelta(t, rho, rep.Of(rep.Mean, overallKey(OneAnnotator, Spearman)).Value, 1e-12)
	assert.InDelta(t, (1-rho)/2,
		rep.Of(rep.Mean, overallKey(Satisfaction, leadOverAnnotator)).Value, 1e-12)
}

// Of eight dialogues below 3 by people six are judged so, and of twelve others three.
func TestSensitivityByHand(t *testing.T) {
	rated := crowd(t, "a.txt", 20, 1, .5)
	for i := range rated {
		rated[i].Overall, rated[i].Row.Overall = []float64{2}, 40
		if i >= 8 {
			rated[i].Overall = []float64{4}
		}
		if i == 6 || i == 7 || i >= 11 {
			rated[i].Row.Overall = 80
		}
	}
	rep := New(context.Background(), rated, options())
	at := func(s Statistic) float64 { return rep.Of(rep.Mean, overallKey(overall, s)).Value }
	assert.Equal(t, 6.0/8, at(sensitivity))
	assert.Equal(t, 9.0/12, at(specificity))
	for i := range rated {
		rated[i].Overall = []float64{4}
	}
	rep = New(context.Background(), rated, options())
	assert.Equal(t, "people's levels are all 3 or above",
		rep.Of(rep.Mean, overallKey(overall, sensitivity)).Warning)
}

func TestCorrected(t *testing.T) {
	rated := crowd(t, "a.txt", 30, 1, .5)
	var rows []*run.Row
	for i := range rated {
		rows = append(rows, rated[i].Row)
	}
	for i := range rated {
		rated[i].Drawn.Probability = 1
	}
	rep := New(context.Background(), rated, options())
	rep.Corrected = sample.Of(rows, rated)
	assert.Len(t, rep.Corrected, 2)
	var page ui.Page
	rep.Text(&page)
	assert.Contains(t, page.String(), "by the ratings of your team")
	var table bytes.Buffer
	require.NoError(t, rep.Figures().CSV(&table))
	assert.Contains(t, table.String(), "(all),sample,Below 60,corrected,")
}

func TestAConstantByHand(t *testing.T) {
	rated := crowd(t, "a.txt", 20, 2, .5)
	for i := range rated { // fifteen ratings of 3 and five of 2
		rated[i].Overall = []float64{3, 3}
		if i < 5 {
			rated[i].Overall = []float64{2, 2}
		}
	}
	rep := New(context.Background(), rated, options())
	at := func(s Statistic) float64 { return rep.Of(rep.Mean, overallKey(constantAnswer, s)).Value }
	// The median is 3: five errors of 20 points in twenty dialogues.
	assert.InDelta(t, 5, at(mae), 1e-12)
	assert.Equal(t, 0.0, at(Spearman))
	assert.Equal(t, 0.0, at(kappa))
	// The 20 % quantile of five 40s and fifteen 60s is at index 3.8 of 19, within the 40s: none is
	// strictly below.
	assert.True(t, math.IsNaN(at(precision)) && math.IsNaN(at(auc)))
	assert.Contains(t, rep.Of(rep.Mean, overallKey(constantAnswer, precision)).Warning,
		"too many dialogues have the lowest mean")

	rep = New(context.Background(), crowd(t, "a.txt", 100, 3, .5), options())
	assert.Equal(t, .5, at(auc))
	assert.InDelta(t, .2, at(precision), .03, "the part that the worst are of all")
}

func TestNoFalseDigit(t *testing.T) {
	constant := func(rated []ratings.Rated) {
		for i := range rated {
			rated[i].Row.Satisfaction = 300
		}
	}
	same := func(rated []ratings.Rated) {
		for i := range rated {
			rated[i].Overall = []float64{4, 4}
		}
	}
	for _, tt := range []struct {
		reason    string
		n, raters int
		change    func([]ratings.Rated)
		key       Key
		why       string
	}{
		{"too few dialogues", 19, 3, nil, overallKey(Satisfaction, mae),
			"there are fewer than 20 rated dialogues"},
		{"one rater cannot agree", 30, 1, nil, overallKey(OneAnnotator, Spearman),
			"there are fewer than 20 dialogues with two ratings or more"},
		{"nor tell how reliable ratings are", 30, 1, nil, overallKey(Raters, Ceiling),
			"there are fewer than 20 dialogues with two ratings or more"},
		{"nor be beaten", 30, 1, nil, overallKey(Satisfaction, leadOverAnnotator),
			"there are fewer than 20 dialogues with two ratings or more"},
		{"a judge who says one thing", 30, 3, constant, overallKey(Satisfaction, Spearman),
			"one side is the same for every dialogue"},
		{"people who say one thing", 30, 2, same, overallKey(Satisfaction, Spearman),
			"one side is the same for every dialogue"},
		{"no worst among equals", 30, 2, same, overallKey(Satisfaction, auc),
			"too many dialogues have the lowest mean of people's ratings to tell which are worst"},
		{"one level has no kappa", 30, 2, same, overallKey(constantAnswer, kappa),
			"both sides give one and the same level throughout"},
		{"equal ratings have no alpha", 30, 2, same, overallKey(Raters, alphaOrdinal),
			"all ratings are the same"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			rated := crowd(t, "a.txt", tt.n, tt.raters, .5)
			if tt.change != nil {
				tt.change(rated)
			}
			rep := New(context.Background(), rated, options())
			f := rep.Of(rep.Groups[0].Figures, tt.key)
			assert.True(t, math.IsNaN(f.Value) && math.IsNaN(f.Low) && math.IsNaN(f.High))
			assert.Equal(t, tt.why, f.Warning)
			mean := rep.Of(rep.Mean, tt.key)
			assert.True(t, math.IsNaN(mean.Value))
			assert.Equal(t, tt.why, mean.Warning)
		})
	}
	rep := New(context.Background(), crowd(t, "a.txt", 30, 1, .5), options())
	assert.False(t, math.IsNaN(rep.Of(rep.Mean, overallKey(Satisfaction, Spearman)).Value),
		"what can be had is")
	for _, g := range rep.Groups {
		for i, f := range g.Figures {
			assert.Equal(t, math.IsNaN(f.Value) || math.IsNaN(f.Low), f.Warning != "", "%v: %+v",
				rep.Mean[i].Key, f)
		}
	}
}

func TestTheHeadlineIsTheMeanOverGroups(t *testing.T) {
	rated := append(crowd(t, "a.txt", 40, 3, .5), crowd(t, "b.txt", 80, 3, 2)...)
	rated = append(rated, crowd(t, "tiny.txt", 5, 3, .5)...)
	rep := New(context.Background(), rated, options())
	require.Len(t, rep.Groups, 3)
	intervals := 0
	for i, f := range rep.Mean {
		k := f.Key
		a, b, mean := rep.Groups[0].Figures[i], rep.Groups[1].Figures[i], rep.Mean[i]
		assert.InDelta(t, (a.Value+b.Value)/2, mean.Value, 1e-12, "%v", k)
		assert.Equal(t, 2, mean.Groups, "the tiny one takes no part")
		assert.Equal(t, a.N+b.N, mean.N)
		if k.Measure != constantAnswer && mean.Warning == "" {
			assert.GreaterOrEqual(t, mean.Value, mean.Low, "%v", k)
			assert.LessOrEqual(t, mean.Value, mean.High, "%v", k)
			intervals++
		}
	}
	assert.Greater(t, intervals, 25)
	assert.Equal(t,
		[]string{"Left out of the figures, with fewer than 20 rated dialogues: tiny.txt."}, rep.Notes)
}

func TestTheSameFiguresForTheSameSeed(t *testing.T) {
	rated := append(crowd(t, "a.txt", 30, 3, .5), crowd(t, "b.txt", 40, 3, 1)...)
	rated = append(rated, crowd(t, "c.txt", 50, 3, 1)...)
	opt := options()
	want, got := New(context.Background(), rated, opt), New(context.Background(), rated, opt)
	assert.Equal(t, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)) // NaN does not equal itself
	opt.Seed = 2
	other := New(context.Background(), rated, opt)
	at := func(r *Report) Figure { return r.Of(r.Mean, overallKey(Satisfaction, Spearman)) }
	assert.Equal(t, at(want).Value, at(other).Value)
	assert.NotEqual(t, at(want).Low, at(other).Low, "another seed draws otherwise")
	opt.Draws = 0
	none := New(context.Background(), rated, opt)
	assert.Equal(t, at(want).Value, at(none).Value)
	assert.True(t, math.IsNaN(at(none).Low))
	assert.Empty(t, at(none).Warning, "nobody asked for an interval")
}

func TestGroupsDrawApart(t *testing.T) {
	rated := append(crowd(t, "a.txt", 40, 3, .5), crowd(t, "b.txt", 40, 3, .5)...)
	rep := New(context.Background(), rated, options())
	k := overallKey(Satisfaction, Spearman)
	a, b, mean := rep.Of(rep.Groups[0].Figures, k), rep.Of(rep.Groups[1].Figures, k),
		rep.Of(rep.Mean, k)
	assert.Equal(t, a.Value, b.Value, "the two are alike")
	assert.NotEqual(t, a.Low, b.Low)
	// If both groups drew the same dialogues, the mean would vary as each does; independent draws
	// vary by a factor of √2 less.
	assert.Less(t, (mean.High-mean.Low)/(a.High-a.Low), .9)
}

func TestGroups(t *testing.T) {
	var list []ratings.Rated
	add := func(n int, file string) {
		for range n {
			list = append(list, ratings.Rated{Row: &run.Row{File: file}})
		}
	}
	names := func() (names []string, table Report) {
		table.divide(list)
		for _, g := range table.Groups {
			names = append(names, g.Name)
		}
		return names, table
	}
	add(12, "x/a.txt")
	add(10, "x/b.txt")
	add(25, `y\c.txt`)
	got, table := names()
	assert.Equal(t, []string{"x/a.txt", "x/b.txt", `y\c.txt`}, got)
	assert.Equal(t, "file", table.By)
	assert.Equal(t,
		[]string{"Left out of the figures, with fewer than 20 rated dialogues: a.txt, b.txt."},
		table.Notes)
	list = list[:22]
	got, table = names()
	assert.Equal(t, []string{"all"}, got)
	assert.Equal(t, "all", table.By)
	assert.Equal(t,
		[]string{"Every file has fewer than 20 rated dialogues, so all files are taken together. " +
			"If customers were less satisfied in some files than in others, " +
			"agreement is higher than within a file."}, table.Notes)
	for i := range list {
		list[i].Row = &run.Row{File: fmt.Sprint(i)}
	}
	got, table = names()
	assert.Equal(t, []string{"all"}, got)
	assert.Empty(t, table.Notes, "files of one dialogue have no level of their own")
	list = nil
	add(12, "x/a.txt")
	add(1, "x/b.txt")
	got, _ = names()
	assert.Len(t, got, 2, "too few whatever is taken together")
}

func TestCriteriaStandBesideTheirOwnRatings(t *testing.T) {
	rated := crowd(t, "a.txt", 50, 3, .3)
	for i := range rated {
		if i%2 == 0 {
			rated[i].Criteria = &ratings.Criteria{rubric.Empathy: rated[i].Overall}
		}
		rated[i].Overall = nil
	}
	rep := New(context.Background(), rated, options())
	assert.Equal(t, []string{"Empathy"}, rep.Rated)
	f := rep.Of(rep.Mean, Key{"Empathy", "Empathy", Spearman})
	assert.Equal(t, 25, f.N)
	assert.Greater(t, f.Value, .5)
	assert.Equal(t, "nobody rated it", rep.Of(rep.Mean, overallKey(Satisfaction, Spearman)).Warning)
	assert.Empty(t, rep.Answer, "it is about the dialogue as a whole")
}

func TestCutsOfTheProfileGiveLevels(t *testing.T) {
	rated := crowd(t, "a.txt", 30, 2, .5)
	for i := range rated {
		rated[i].Row.Level = 1 + i%2
	}
	levels := newTarget(OverallRating, rated).levelsBy(Satisfaction)
	assert.Equal(t, slices.Repeat([]int{0, 1}, 15), levels)
}

func BenchmarkAgreement(b *testing.B) {
	rated := crowd(b, "a.txt", 700, 4, 1)
	opt := options()
	b.ReportAllocs()
	for b.Loop() {
		New(b.Context(), rated, opt)
	}
}
