package fit

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/heuristics/measure"
	"assize/heuristics/satisfaction"
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
	panel := measure.Panel()
	var records []*run.Record
	for sample, err := range importer.Read(file, set, importer.Options{}) {
		require.NoError(t, err)
		made := run.New(sample)
		made.Evaluation, err = panel.Judge(t.Context(), sample.Dialogue)
		require.NoError(t, err)
		records = append(records, made)
	}
	var rows []*run.Row
	for i, r := range records {
		rows = append(rows, new(r.Row(i)))
	}
	rated, _, err := ratings.Collect(rows, nil, nil, ratings.DefaultScale)
	require.NoError(t, err)
	var list []sample
	for _, r := range rated {
		list = append(list, sample{records[r.Row.Place], r.Overall})
	}
	return list
}

// helpdesk returns the help-desk dialogues judged by the rule agents, with people's satisfaction
// ratings.
func helpdesk(t *testing.T) []sample {
	t.Helper()
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip(
			"ASSIZE_SHARED is not set: without the rated dialogues there is nothing to learn from")
	}
	folder := filepath.Join(shared, "data", "helpdesk")
	file, err := os.Open(filepath.Join(folder, "ratings.csv"))
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	given := map[string][]float64{}
	for _, row := range rows[1:] {
		rating, err := strconv.ParseFloat(row[2], 64)
		require.NoError(t, err)
		given[row[0]] = append(given[row[0]], rating)
	}
	text, err := os.Open(filepath.Join(folder, "dialogues.jsonl"))
	require.NoError(t, err)
	defer text.Close()
	panel := measure.Panel()
	var list []sample
	for s, err := range importer.Read(text, "dialogues.jsonl", importer.Options{}) {
		require.NoError(t, err)
		made := run.New(s)
		if os.Getenv("ASSIZE_CHOOSING") != "" &&
			measure.PartOf(made.Name()) == measure.Reporting {
			continue // settings must not be chosen on these
		}
		made.Evaluation, err = panel.Judge(t.Context(), s.Dialogue)
		require.NoError(t, err)
		list = append(list, sample{made, given[made.Name()]})
	}
	return list
}

// A team that has rated its help desk gets a much better ranking than that of the rules.
func TestMeasureHelpdesk(t *testing.T) {
	rated := helpdesk(t)
	begun := time.Now()
	res, err := learnFrom(rated, Options{Seed: 1})
	require.NoError(t, err)
	t.Logf("%s Strength %g; profile of %d bytes; %s", res.Verdict, res.Strength,
		len(res.Profile.File()), time.Since(begun).Round(time.Second))
	assert.GreaterOrEqual(t, float64(res.Spearman.Value), 0.77)
	assert.Less(t, len(res.Profile.File()), 2_000_000)
}

// With one rating each of a few dialogues, the others are ranked better than by the rules.
func TestMeasureFewRatings(t *testing.T) {
	takesMinutes(t)
	rated := helpdesk(t)
	for _, n := range []int{50, 200} {
		var rules, ours float64
		const lots = 10
		for lot := range uint64(lots) {
			chance := rand.New(rand.NewPCG(lot, 5))
			order := chance.Perm(len(rated))
			var train []sample
			var others []*run.Record
			for _, i := range order[n:] {
				others = append(others, rated[i].Record)
			}
			for _, i := range order[:n] {
				one := rated[i].Overall
				train = append(train,
					sample{rated[i].Record, []float64{one[chance.IntN(len(one))]}})
			}
			res, err := learnFrom(train, Options{Seed: 1}, others...)
			require.NoError(t, err)
			var at, by, people []float64
			for _, i := range order[n:] {
				e := rated[i].Record.Evaluation
				at = append(at, satisfaction.DefaultProfile().Value(e).Float())
				added, _ := res.Profile.Linear.Adds(e.Dialogue, e.Signals)
				by = append(by, (res.Profile.Rating(res.Profile.Value(e)) + added).Float())
				people = append(people, stats.Mean(rated[i].Overall, nil))
			}
			rules += stats.Spearman(at, people) / lots
			ours += stats.Spearman(by, people) / lots
		}
		t.Logf("%d dialogues, one rating each: %.3f on the others, the rules %.3f", n, ours, rules)
		assert.GreaterOrEqual(t, ours, rules+0.01)
	}
}

// If words are uninformative, the program notices.
func TestMeasureUSS(t *testing.T) {
	for _, set := range ratedSets {
		res, err := learnFrom(ratedSet(t, set), Options{Seed: 1})
		require.NoError(t, err)
		t.Logf("%-7s %s Strength %g", set, res.Verdict, res.Strength)
		assert.GreaterOrEqual(t, res.Spearman.Value, res.Rules.Value-0.01, set)
	}
}

// drawn learns from n randomly drawn dialogues of a set and returns the errors on the others, in
// points of 100: of the mean of the n ratings, of the default profile, and of the learned profile.
func drawn(t *testing.T, rated []sample, n int, lot uint64) (constant, before, after float64) {
	t.Helper()
	shuffled := slices.Clone(rated)
	rand.New(rand.NewPCG(1, lot)).Shuffle(len(shuffled),
		func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	res, err := learnFrom(shuffled[:n], Options{Seed: 1})
	require.NoError(t, err)
	test := gathered(t, shuffled[n:])
	for _, pt := range test {
		off := func(p satisfaction.Profile) float64 {
			return 20 * math.Abs(float64(pt.estimate(p).Satisfaction)/100-pt.rating) /
				float64(len(test))
		}
		constant += 20 * math.Abs(res.Mean.Value-pt.rating) / float64(len(test))
		before, after = before+off(satisfaction.DefaultProfile()), after+off(res.Profile)
	}
	return constant, before, after
}

// A team that rates 50 of its dialogues gets an error of at most 5.9 points of 100 on the others.
func TestErrorFromFewLabels(t *testing.T) {
	const draws = 6
	var sets [][]sample
	for _, set := range ratedSets {
		sets = append(sets, ratedSet(t, set))
	}
	for _, n := range []int{20, 50, 300} {
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
		all := float64(draws * len(ratedSets))
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
// better. Random answers do not harm.
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
					card[c] = rubric.Scale[ratings.Level(saying())-1]
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
	none, err := learnFrom(knows, Options{Seed: 1})
	require.NoError(t, err)
	guessing, err := learnFrom(guesses, Options{Seed: 1, Model: someModel})
	require.NoError(t, err)
	t.Logf("Spearman on folds: %.4f without a model, %.4f with one that knows, %.4f with one that "+
		"guesses", none.Spearman.Value, res.Spearman.Value, guessing.Spearman.Value)
	assert.GreaterOrEqual(t, res.Spearman.Value, none.Spearman.Value+0.02)
	assert.GreaterOrEqual(t, guessing.Spearman.Value, none.Spearman.Value-0.01)
}
