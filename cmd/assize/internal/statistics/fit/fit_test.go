package fit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/heuristics/satisfaction"
)

const tenth = satisfaction.Millionths(100_000)

func learn(t *testing.T, rated []sample, o Options) *Result {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = 1
	}
	res, err := learnFrom(rated, o)
	require.NoError(t, err)
	again, err := satisfaction.ParseProfile("learnt", res.Profile.File())
	require.NoError(t, err, "what is learnt can be scored with")
	require.Equal(t, res.Profile.Digest(), again.Digest())
	require.GreaterOrEqual(t, res.Profile.Line.Slope, satisfaction.Millionths(0), "no line falls")
	return res
}

func TestLearn(t *testing.T) {
	rated := along(100, 3.5, 0.8, 0.2)
	res := learn(t, rated, Options{Flag: tenth})
	var own, given []float64
	for _, s := range rated {
		d := NewDialogue(s.Record, 0, satisfaction.DefaultProfile())
		own = append(own, float64(d.estimate(satisfaction.DefaultProfile()).Satisfaction))
		given = append(given, s.Overall[0])
	}
	assert.InDelta(t, stats.Spearman(own, given), res.Rules.Value, 1e-9, "as assize agree has it")
	assert.InDelta(t, 3.5, res.Profile.Line.Intercept.Float(), 0.05)
	assert.InDelta(t, 0.8, res.Profile.Line.Slope.Float(), 0.05)
	assert.Less(t, res.Error.Profile.MAE.Value, 4.0,
		"noise of 0.2 is 3.2 points of 100 on average")
	assert.Greater(t, res.Error.Constant.MAE.Value, 14.0,
		"a slope of 0.8 over ±2 points: 16 points of 100 on average")
	assert.Less(t, res.Error.Profile.MAE.Value, res.Error.Default.MAE.Value)
	assert.InDelta(t, 0.96, float64(res.Spearman.Value), 0.03)
	assert.InDelta(t, 10, res.Flagged.Dialogues, 1)
	assert.Empty(t, res.Warnings)
	assert.Contains(t, res.Verdict, "No gain over the rules is proven on unseen dialogues")
	l := res.Profile.Learned
	notes := slices.Concat([]string{res.Verdict}, res.Decisions, res.Warnings)
	assert.EqualValues(t, notes, l.Notes)
	assert.Equal(t, []int{100, 100, 10}, []int{l.Dialogues, l.Ratings, l.Folds})
	assert.InDelta(t, res.Error.Profile.MAE.Value, l.After.Float(), 1e-4)
	assert.Equal(t, res.Profile.Digest(), res.Digest)
	assert.Nil(t, l.Alpha, "one rater each says nothing of agreement")
}

// The order of the dialogues does not matter.
func TestTheOrderDoesNotMatter(t *testing.T) {
	rated := along(310, 3, 0.3, 0.4)
	for i := range rated {
		rated[i].Record.Source.File = fmt.Sprint("file ", i%3)
		rated[i].Overall = append(rated[i].Overall, float64(1+i%5))
	}
	o := Options{Flag: tenth}
	want := learn(t, rated, o)
	for seed := range uint64(3) {
		shuffled := slices.Clone(rated)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(shuffled),
			func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		got := learn(t, shuffled, o)
		require.Equal(t, string(want.Profile.File()), string(got.Profile.File()))
		require.Equal(t, want, got)
	}
	assert.NotEqual(t, want.Error, learn(t, rated, Options{Flag: tenth, Seed: 2}).Error,
		"folds follow from the seed")
}

func TestWarnings(t *testing.T) {
	same := along(30, 3, 0.8, 0.1)
	for i := range same {
		same[i] = at(fmt.Sprint(i), 1, same[i].Overall[0])
	}
	contrary := along(60, 3, -0.8, 0.1)
	loose := along(200, 3.15, 0, 0.5)
	// Half are above the default profile and half below, so that leaving one out moves the mean to
	// the other side.
	var worse []sample
	for i := range 12 {
		worse = append(worse,
			at(fmt.Sprint(i), 0.01*float64(i%6), 3.15+0.003*float64(i%6)+float64(i%2)-0.5))
	}
	two := along(30, 3, 0.5, 0.2)
	for i := range two {
		two[i].Overall = append(two[i].Overall, two[i].Overall[0])
	}
	odds := along(30, 3, 0.5, 0.2) // opposite ratings
	for i := range odds {
		odds[i].Overall = append(odds[i].Overall, 6+0.02*float64(i)-odds[i].Overall[0])
	}
	copied := slices.Concat(two, []sample{at("again", 1, 1, 1), at("again", 1, 5, 5)})
	unrated := append(slices.Clone(two), rate("by criterion", nil))
	for _, tt := range []struct {
		reason string
		rated  []sample
		flag   satisfaction.Millionths
		want   []string // prefixes
	}{
		{"nothing to mind", two, tenth, nil},
		{"few", two[:12], tenth, []string{"Only 12 dialogues are rated, "}},
		{"one score", same, tenth, []string{"On dialogues not used for learning, the profile is no closer", "No dialogue is flagged: "}},
		{"upside down", contrary, 0, nil},
		{"too few to improve on the default", worse, 0, []string{"Only 12 ",
			"On dialogues not used for learning, the rules are closer",
			"On dialogues not used for learning, the profile is no closer"}},
		{"ratings that follow nothing", loose, 0, []string{"On dialogues not used for learning, the profile is no closer"}},
		{"raters at odds", odds, 0, []string{"On dialogues not used for learning, the profile is no closer", "Raters contradict each other: they agree little more than by chance (alpha -"}},
		{"one text, two ratings", copied, 0,
			[]string{
				"Ratings contradict each other: 1 group of dialogues with the same words have " +
					"ratings far apart, such as dialogue 0 of made.txt has 1 and 0 of made.txt has 5"}},
		{"not rated as a whole", unrated, tenth, []string{"Left out, since they are rated by criterion only: 1 dialogue."}},
	} {
		res := learn(t, tt.rated, Options{Flag: tt.flag})
		var got []string
		for i, w := range res.Warnings {
			if i < len(tt.want) && strings.HasPrefix(w, tt.want[i]) {
				w = tt.want[i]
			}
			got = append(got, w)
		}
		assert.Equal(t, tt.want, got, tt.reason)
	}
	assert.Contains(t, learn(t, contrary, Options{}).Verdict,
		"Ratings are lower where the rules score higher; check")
}

func TestNothingCanBeLearnt(t *testing.T) {
	alike := along(30, 3, 0.3, 0.3)
	for i := range alike {
		alike[i].Record.Source.Digest = "the same"
	}
	for _, tt := range []struct {
		reason string
		rated  []sample
		want   string
	}{
		{"too few", along(9, 3, 0.3, 0.3), "9 dialogues rated as a whole, repeats not counted; rate at least 10 (50 gives"},
		{"one dialogue many times", alike, "1 dialogue rated as a whole, repeats not counted;"},
		{"all alike", along(30, 3, 0, 0), "all 30 rated dialogues have the same mean rating, 3 on the scale 1-5"},
		{"none", nil, "0 dialogues"},
	} {
		_, err := learnFrom(tt.rated, Options{Seed: 1})
		assert.ErrorContains(t, err, tt.want, tt.reason)
	}
}

// The triage cut is that of all dialogues, not only of the rated ones.
func TestTrafficDecidesWhomToFlag(t *testing.T) {
	rated := along(60, 3, 0.5, 0.1)
	var unrated []*run.Record
	for i := range 240 {
		unrated = append(unrated, at(fmt.Sprint("unrated ", i), 3).Record)
	}
	res, err := learnFrom(rated, Options{Flag: tenth, Seed: 1}, unrated...)
	require.NoError(t, err)
	assert.Equal(t, 300, res.Flagged.Of)
	assert.InDelta(t, 30, res.Flagged.Dialogues, 2, "a tenth of 300, and all of them rated")
}
