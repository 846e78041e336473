package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// ratedSets are the data sets of User Satisfaction Simulation (SIGIR 2021).
var ratedSets = []string{"CCPE", "MWOZ", "ReDial", "SGD"}

// ratedSet returns a data set judged by the rule agents, with people's ratings.
func ratedSet(t *testing.T, set string) []sample {
	t.Helper()
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip(
			"ASSIZE_SHARED is not set: without the rated dialogues there is nothing to learn from")
	}
	file, err := os.Open(filepath.Join(shared, "data", "uss", set+".txt"))
	require.NoError(t, err)
	defer file.Close()
	agents := heuristics.New()
	r := rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(r),
		Critic: agents.Critic(r)}
	var records []*run.Record
	for sample, err := range importer.Read(file, set, importer.Options{}) {
		require.NoError(t, err)
		made := run.New(sample)
		made.Evaluation, err = panel.Judge(t.Context(), sample.Dialogue)
		require.NoError(t, err)
		records = append(records, made)
	}
	var rows []run.Row
	for i, r := range records {
		rows = append(rows, r.Row(i))
	}
	rated, _, err := ratings.Collect(rows, nil, nil, ratings.DefaultScale)
	require.NoError(t, err)
	var list []sample
	for _, r := range rated {
		list = append(list, sample{records[r.Row.Place], r.Overall})
	}
	return list
}

// errorOf returns the mean absolute error of estimates, in points of 100.
func errorOf(estimates []rubric.Hundredths, points []point) float64 {
	var sum float64
	for i, h := range estimates {
		sum += math.Abs(float64(h)/100 - points[i].rating)
	}
	return 20 * (sum / float64(len(points)))
}

// drawn learns from n randomly drawn dialogues of a set and returns the errors on the others: of
// the mean of the n ratings, of the default profile, and of the learned profile.
func drawn(t *testing.T, rated []sample, n int, lot uint64) (constant, before, after float64) {
	t.Helper()
	base := heuristics.DefaultProfile()
	shuffled := slices.Clone(rated)
	rand.New(rand.NewPCG(1, lot)).Shuffle(len(shuffled),
		func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	train, test := gathered(t, shuffled[:n]), gathered(t, shuffled[n:])
	p := learner{Options: Options{Seed: 1}, base: base}.learn(train, whole).profile
	_, seen := columns(train)
	for _, pt := range test {
		constant += 20 * math.Abs(stats.Mean(seen, nil)-pt.rating) / float64(len(test))
	}
	return constant, errorOf(satisfactions(base, test), test), errorOf(satisfactions(p, test), test)
}

// A team that rates 50 of its dialogues gets an error of at most 5.9 points of 100 on the others.
func TestErrorFromFewLabels(t *testing.T) {
	const draws = 20
	var sets [][]sample
	for _, set := range ratedSets {
		sets = append(sets, ratedSet(t, set))
	}
	for _, n := range []int{20, 50, 100, 300} {
		var constant, before, after float64
		var each []string
		for i, rated := range sets {
			var own float64
			for d := range draws {
				c, b, a := drawn(t, rated, n, uint64(d))
				constant, before, after, own = constant+c, before+b, after+a, own+a
			}
			each = append(each, fmt.Sprintf("%s %.2f", ratedSets[i], own/draws))
		}
		all := float64(draws * len(sets))
		t.Logf("%3d labels: the mean alone %.2f, default profile %.2f, learnt %.2f (%s)", n,
			constant/all, before/all, after/all, strings.Join(each, ", "))
		assert.Less(t, after, constant, "%d labels: the profile beats the mean", n)
		if n == 50 {
			assert.LessOrEqual(t, after/all, 5.9)
		}
	}
}

// takesMinutes skips a test that shorter tests cover with fewer dialogues, except in the soak test.
func takesMinutes(t *testing.T) {
	t.Helper()
	if os.Getenv("ASSIZE_SOAK") == "" {
		t.Skip("ASSIZE_SOAK is not set: this takes minutes; .ci/soak learn runs it")
	}
}

// A model that answers like an annotator is weighed, and satisfaction ranks the other dialogues
// better. A model with random answers is not.
func TestAnAnnotatorPlaysTheModel(t *testing.T) {
	takesMinutes(t)
	chance := rand.New(rand.NewPCG(1, 2))
	var knows, guesses []sample
	for _, set := range ratedSets {
		for _, r := range ratedSet(t, set) {
			own := r.Overall[0]
			if len(r.Overall) < 2 || math.IsNaN(own) {
				continue
			}
			r.Overall = r.Overall[1:]
			by := func(saying func() float64) sample {
				made, e := *r.Record, *r.Record.Evaluation
				made.Evaluation = &e
				var card [rubric.NumCriteria]rubric.Score
				for c := range card {
					card[c] = rubric.Scale[levelOf(saying())-1]
				}
				judged := sample{Record: &made, Overall: r.Overall}
				judgedBy(t, judged, card)
				return judged
			}
			knows = append(knows, by(func() float64 { return own + 0.7*chance.NormFloat64() }))
			guesses = append(guesses, by(func() float64 { return 3.5 + chance.NormFloat64() }))
		}
	}
	res, err := learnFrom(knows, Options{Seed: 1, Model: someModel})
	require.NoError(t, err)
	assert.True(t, res.Model.Used)
	assert.GreaterOrEqual(t, float64(res.Model.Gain.Value), 0.02)
	t.Logf("%s: %.3f on folds", res.Used, res.Spearman.Value)
	t.Log(res.Model.told())
	res, err = learnFrom(guesses, Options{Seed: 1, Model: someModel})
	require.NoError(t, err)
	assert.False(t, res.Model.Used)
	t.Log(res.Model.told())
}
