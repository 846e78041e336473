package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
)

func TestSentences(t *testing.T) {
	weights := header()
	weights.Basis.Rubric.Weights = [rubric.NumCriteria]int{10, 10, 10, 10, 10, 50}
	torn := func(i int) rubric.Score {
		if i < 155 {
			return 20
		}
		return 100
	}
	unequal := func(i int) rubric.Score { return rubric.Scale[1+2*(i%2)] }
	few := func(i int) rubric.Score { return rubric.Scale[min(i/5, 1)+2] }
	for _, tt := range []struct {
		reason string
		a, b   *Run
		want   []string
	}{
		{"nothing moved", many(30, always(80)), many(30, always(80)), []string{
			"Nothing changed: scores, average and satisfaction of 30 dialogues are the same."}},
		{"one dialogue", many(1, always(80)), many(1, always(80)), []string{
			"Nothing changed: scores, average and satisfaction of 1 dialogue are the same."}},
		{"all fell by a level", many(30, always(80)), many(30, always(60)), []string{
			"B is 8.00 points lower on the weighted average; the interval from -8.00 to -8.00 excludes 0.",
			"Criteria that fell: TaskSuccess (at the 5 % level, after Holm's correction for 6 figures tested together)."}},
		{"as many rose as fell", many(40, always(60)), many(40, unequal), []string{
			"No difference is proven by 40 dialogues: the means of the weighted average are the same, " +
				"and the interval from -2.40 to 2.80 includes 0.",
			"No single criterion is proven to have moved (at the 5 % level, after Holm's correction for 6 figures tested together)."}},
		{"many rise a little and few fall far", many(605, always(80)), many(605, torn), []string{
			"No difference is proven by 605 dialogues: B is 0.20 points lower on the weighted average, " +
				"and the interval from -1.31 to 0.91 includes 0.",
			"No single criterion is proven to have moved (at the 5 % level, after Holm's correction for 6 figures tested together)."}},
		{"one of six may be chance", many(30, always(80)), many(30, few), []string{
			"B is 1.33 points lower on the weighted average; the interval from -2.13 to -0.53 " +
				"excludes 0.",
			"Of the single criteria, TaskSuccess moved most, but that may be chance, since 6 " +
				"figures are tested together (5 %, Holm)."}},
		{"too few", many(3, always(80)), many(3, always(100)), []string{
			"Over 3 dialogues, too few to rule out chance, B is 8.00 points higher on the weighted average.",
			"No single criterion is proven to have moved (at the 5 % level)."}},
		{"nothing is scored", made(header(), unscored("u", "silence")),
			made(header(), unscored("u", "silence")), []string{
				"Nothing can be compared: no dialogue is scored in both runs.",
				"Unscored in A, so in no mean (1): u.", "Unscored in B, so in no mean (1): u."}},
		{"nothing of B is scored", many(3, always(80)), made(header(), unscored("u", "silence")),
			[]string{
				"Nothing can be compared: no dialogue is scored in both runs.",
				"Unscored in B, so in no mean (1): u."}},
		{"only satisfaction", many(30, always(80)), satisfied(many(30, always(80)), 300), []string{
			"No change in the weighted average over 30 dialogues.",
			"Satisfaction fell from 4.200 to 3.000; the interval from -1.200 to -1.200 excludes 0.",
			"No single criterion is proven to have moved (at the 5 % level, after Holm's correction for 6 figures tested together)."}},
		{"satisfaction falls, the average rises", many(30, always(60)),
			satisfied(many(30, always(80)), 300), []string{
				"B is 8.00 points higher on the weighted average; the interval from 8.00 to 8.00 excludes 0.",
				"Satisfaction fell from 3.400 to 3.000; the interval from -0.400 to -0.400 excludes 0.",
				"Criteria that rose: TaskSuccess (at the 5 % level, after Holm's correction for 6 figures tested together)."}},
		{"other weights", many(30, always(60)), made(weights, rowsOf(many(30, always(60)))...),
			[]string{
				"Nothing changed: scores, average and satisfaction of 30 dialogues are the same."}},
		{"other weights, and something changed", many(30, always(60)),
			made(weights, rowsOf(many(30, always(80)))...), []string{
				"The weighted averages cannot be compared: the rubrics weigh the criteria differently.",
				"Satisfaction rose from 3.400 to 4.200; the interval from 0.800 to 0.800 excludes 0.",
				"Criteria that rose: TaskSuccess (at the 5 % level, after Holm's correction for 6 figures tested together)."}},
		{"one is lost", made(header(), append(rowsOf(many(6, always(80))), scores("x", 80, 80))...),
			made(header(), append(rowsOf(many(6, always(80))), unscored("x", "silence"))...),
			[]string{
				"No score of the 6 dialogues scored in both runs changed; 1 could not be compared.",
				"Unscored in B, so in no mean (1): x."}},
		{"calls of tools in some dialogues of A", calling(many(30, always(80)), 2), many(30, always(80)),
			[]string{"Nothing changed: scores, average and satisfaction of 30 dialogues are the same.",
				"30 of 30 dialogues of B (28 of 30 of A) call no tool, so no claim in them is checked; " +
					"with calls only in A (2): dialogue 0, dialogue 1. See assize help gates."}},
		{"the same calls of tools in both", calling(many(30, always(80)), 29),
			calling(many(30, always(80)), 29), []string{
				"Nothing changed: scores, average and satisfaction of 30 dialogues are the same."}},
		{"two sets", many(30, always(80)), renamed(many(30, always(60))), []string{
			"B is 8.00 points lower on the weighted average; the interval from -8.00 to -8.00 excludes 0.",
			"Criteria that fell: TaskSuccess (at the 5 % level, after Holm's correction for 6 figures tested together)."}},
	} {
		assert.Equal(t, tt.want, New(tt.a, tt.b, usual).Answer, tt.reason)
	}
}

// What depends on the weights, and on the mapping, has no difference if the rubrics differ in them.
// A dialogue that changed without a score has another reason.
func TestChangedWithoutScores(t *testing.T) {
	a, b := many(1, always(80)), satisfied(many(1, always(80)), 300)
	assert.Contains(t, texts.Say("changed", New(a, b, usual).Changed[0]), "satisfaction 4.20 → 3.00; "+
		"no score changed, but satisfaction also depends on the words: assize explain satisfaction")
	assert.Contains(t, texts.Say("changed", New(calling(a, 1), b, usual).Changed[0]),
		"3.00; tools are called only in A, so what B says was done is not checked")
}

func TestOtherWeightsAlone(t *testing.T) {
	other := header()
	other.Basis.Rubric.Weights = [rubric.NumCriteria]int{10, 10, 10, 10, 10, 50}
	weighed := made(other, rowsOf(many(30, always(80)))...)
	for i := range weighed.Rows {
		weighed.Rows[i].Average += 500
	}
	c := New(many(30, always(80)), weighed, usual)
	assert.EqualValues(t, []string{"The weighted averages cannot be compared: the rubrics weigh " +
		"the criteria differently.", "No criterion moved; the weights alone changed the average."},
		c.Answer)
	var compared []string
	for _, f := range c.All {
		if f.Difference.String() != "" && f.Interval != nil && f.Directions != nil {
			compared = append(compared, f.Measure.name)
		}
	}
	assert.Equal(t, append([]string{"satisfaction"}, run.ScoreNames()...), compared)
	assert.Equal(t, "–", c.All[average].difference().Text)
}

// satisfied sets the same satisfaction for every dialogue.
// calling returns the run with calls of tools in its first n dialogues.
func calling(r *Run, n int) *Run {
	for i := range n {
		r.Rows[i].HasCalls = true
	}
	return r
}

func satisfied(r *Run, s rubric.Hundredths) *Run {
	for i := range r.Rows {
		r.Rows[i].Satisfaction = s
	}
	return r
}

// renamed returns other dialogues with the same scores.
func renamed(r *Run) *Run {
	for i := range r.Rows {
		r.Rows[i].Said[0]++
		r.Rows[i].Name += "'"
	}
	return r
}

func TestDrop(t *testing.T) {
	weights := header()
	weights.Basis.Rubric.Weights = [rubric.NumCriteria]int{10, 10, 10, 10, 10, 50}
	// Of 2005 dialogues 500 fall by a level, 8 points: 4000 / 2005 = 1.99501, which is printed as
	// 2.00.
	a, b := many(2005, always(80)), many(2005, func(i int) rubric.Score {
		if i < 500 {
			return 60
		}
		return 80
	})
	for _, tt := range []struct {
		reason string
		a, b   *Run
		by     rubric.Hundredths
		want   string
		err    string
	}{
		{"as it is printed", a, b, 200, "the mean weighted average dropped by 2.00 points", ""},
		{"not by more", a, b, 201, "", ""},
		{"a rise is no drop", b, a, 1, "", ""},
		{"other weights", a, made(weights, rowsOf(b)...), 200, "",
			"the runs weigh the criteria differently"},
		{"nothing to compare", made(header(), unscored("u", "silence")), b, 200, "",
			"nothing is scored on both sides"},
		{"a few are enough for a mean", many(3, always(80)), many(3, always(60)), 800,
			"the mean weighted average dropped by 8.00 points", ""},
	} {
		_, got, err := New(tt.a, tt.b, usual).Drop(tt.by, 0)
		if tt.err == "" {
			require.NoError(t, err, tt.reason)
			assert.Equal(t, tt.want, got, tt.reason)
		} else {
			assert.ErrorContains(t, err, tt.err, tt.reason)
		}
	}
}

// With a confidence, a drop that may be chance decides nothing. Of n dialogues, a quarter falls by
// 8 points: the mean drop is 2, the standard deviation 8 * sqrt(.25 * .75 * n / (n - 1)), 3.4743
// for 200. The bounds are then 2 ± 1.6525 * 3.4743 / sqrt(200), 1.594 and 2.406.
func TestDropWithConfidence(t *testing.T) {
	fall := func(n int) *Run {
		return many(n, func(i int) rubric.Score {
			if i%4 == 0 {
				return 60
			}
			return 80
		})
	}
	for _, tt := range []struct {
		reason string
		n      int
		by     rubric.Hundredths
		v      stats.Verdict
		want   string
	}{
		{"surely below", 200, 241, stats.Passed, ""},
		{"perhaps above", 200, 240, stats.Undecided, "undecided: the mean weighted average changed " +
			"by -2.00 points; needs about 10 more dialogues"},
		{"at the limit", 200, 200, stats.Undecided, "undecided: the mean weighted average " +
			"changed by -2.00 points; needs more than 1,000,000 more dialogues"},
		{"surely above", 200, 159, stats.Failed, "the mean weighted average dropped by 2.00 points"},
		{"perhaps below", 200, 160, stats.Undecided, "undecided: the mean weighted average changed " +
			"by -2.00 points; needs about 10 more dialogues"},
		{"fewer decide nothing", 28, 300, stats.Undecided, "undecided: the mean weighted average " +
			"changed by -2.00 points; needs about 10 more dialogues"},
		{"as do five", 4, 100, stats.Undecided, "undecided: the mean weighted average changed by " +
			"-2.00 points; needs about 10 more dialogues"},
	} {
		v, got, err := New(many(tt.n, always(80)), fall(tt.n), usual).Drop(tt.by, .95)
		require.NoError(t, err)
		assert.Equal(t, tt.v, v, tt.reason)
		assert.Equal(t, tt.want, got, tt.reason)
	}
	v, _, err := New(many(200, always(80)), renamed(fall(200)), usual).Drop(159, .95)
	require.NoError(t, err)
	assert.Equal(t, stats.Failed, v, "one side does not vary, so unpaired is as paired")
}

func TestMustPass(t *testing.T) {
	a := made(header(), scores("kept", 80, 80), scores("fell", 80, 80), scores("new", 80, 80))
	b := made(header(), scores("kept", 80, 80), scores("fell", 60, 60), scores("low", 40, 40),
		unscored("dumb", "silence"))
	a.Rows[1].Overall, b.Rows[1].Overall, b.Rows[2].Overall = 80, 60, 40
	for name, want := range map[string]string{
		"kept": "",
		"new":  "dialogue new is not in B",
		"fell": "dialogue fell fell from an OverallExperience of 80 to 60",
		"low":  "dialogue low has an OverallExperience of 40 in B; want 60 or more",
		"dumb": "dialogue dumb is unscored in B: silence",
	} {
		wrong, _ := New(a, b, usual).MustPass(name)
		assert.Equal(t, want, strings.Join(wrong, "; "))
	}
	_, pairs := New(a, b, usual).MustPass("fell")
	assert.Equal(t, [][2]*run.Row{{a.Rows[1], b.Rows[1]}}, pairs)
	b.Rows[0].Name, b.Rows[1].Name, b.Rows[2].Name, b.Rows[3].Name = "1", "2", "3", "4"
	wrong, _ := New(a, b, usual).MustPass("new")
	assert.EqualValues(t, []string{"dialogue new is not in B, whose dialogues have numbers and no " +
		"ids; want the transcripts with --columns id=NAME, which says where JSON or a table has ids"}, wrong)
}

// A dialogue without an id is found by every name of its file, and by that of its file in A.
func TestMustPassByTheFile(t *testing.T) {
	a := made(header(), scores("1", 80, 80), scores("T-1", 80, 80))
	b := made(header(), scores("1", 60, 60), scores("T-1", 80, 80))
	a.Rows[0].File, b.Rows[0].File = "old/vet-04.json", "new/vet-04.json"
	a.Rows[0].ID, b.Rows[0].ID, a.Rows[0].Overall, b.Rows[0].Overall = 1, 1, 80, 60
	for _, name := range []string{"vet-04", "vet-04.json", "new/vet-04", "new/vet-04.json",
		"1 of new/vet-04.json", "1 of vet-04.json", "vet-04.json:1", "1 of old/vet-04.json"} {
		wrong, _ := New(a, b, usual).MustPass(name)
		assert.EqualValues(t, []string{"dialogue " + name + " fell from an OverallExperience of 80 to 60"},
			wrong)
	}
}

// Dialogues without a partner are listed, by what happened to them.
func TestNewMissingAndReworded(t *testing.T) {
	a := made(header(), append(rowsOf(many(6, always(80))), scores("gone", 80, 80),
		scores("same", 80, 80))...)
	b := made(header(), append(rowsOf(many(6, always(80))), scores("came", 80, 80),
		scores("same", 20, 20))...)
	b.Rows[7].Said[3]++
	c := New(a, b, usual)
	assert.Equal(t, []string{"gone", "same", "came"},
		[]string{c.Missing[0].Name, c.Reworded[0].Name, c.New[0].Name})
	assert.Equal(t, []string{"In both runs, but with different turns (1): same.",
		"Only in A, so in no mean (1): gone.", "Only in B, so in no mean (1): came."},
		c.Answer[2:])
}

func TestWarnings(t *testing.T) {
	mapping, profile, newer := header(), header(), header()
	mapping.Basis.Rubric.Mapping = rubric.Nearest
	profile.Basis.Profile.Line = &satisfaction.Line{Intercept: 3_000_000}
	newer.Program = "v2"
	cases := rowsOf(many(30, always(80)))
	mixed := made(header(), cases...)
	mixed.Fingerprints = append(mixed.Fingerprints, newer.Fingerprint())
	for _, tt := range []struct {
		reason string
		a, b   *Run
		want   string // part of the only warning; empty for none
	}{
		{"all is well", made(header(), cases...), made(header(), cases...), ""},
		{"a newer program may differ", many(30, always(80)), made(newer, rowsOf(many(30, always(60)))...),
			""},
		{"another mapping", made(header(), cases...), made(mapping, cases...),
			"map averages differently"},
		{"another profile", made(header(), cases...), made(profile, cases...),
			"satisfaction may differ where no score does"},
		{"another judge, other dialogues", many(30, always(80)), renamed(made(newer, cases...)),
			"may come from the judge and not from the dialogues"},
		{"two headers", made(header(), cases...), mixed, "B holds records of 2 runs"},
		{"too few for an interval", many(5, always(80)), many(5, always(80)),
			"too few for reliable 95 % intervals"},
		{"few", many(19, always(80)), many(19, always(80)), "Fewer than 20 scored dialogues"},
	} {
		got := New(tt.a, tt.b, usual).Warnings
		if tt.want == "" {
			assert.Empty(t, got, tt.reason)
		} else if assert.NotEmpty(t, got, tt.reason) {
			assert.Contains(t, fmt.Sprint(got), tt.want, tt.reason)
		}
	}
}

func TestDifferences(t *testing.T) {
	a, b := header(), header()
	b.Program, b.Lexicon = "v2", "def"
	b.Basis.Rubric.Weights[rubric.TaskSuccess], b.Basis.Rubric.Weights[rubric.Fluency] = 30, 20
	b.Basis.Rubric.Mapping, b.Configuration.Mapping = rubric.Nearest, "nearest"
	b.Basis.Rubric.Levels[rubric.Empathy][3] = "Kind."
	b.Basis.Rubric.Demands[rubric.Empathy][3] = []string{"courtesy-warmth", "courtesy-empathy"}
	b.Basis.Profile.Cuts = []rubric.Hundredths{200, 250, 300, 400}
	b.Configuration.SystemNames = []string{"Bot"}
	b.Configuration.Redacted = true
	var got []string
	for _, d := range a.Differences(*b) {
		assert.NotEqual(t, d.A, d.B)
		got = append(got, d.What)
	}
	assert.Equal(t, []string{
		"program", "configuration.redacted", "lexicon", "rubric.weights.TaskSuccess",
		"rubric.weights.Fluency",
		"rubric.mapping", "rubric.levels.Empathy.80", "configuration.system_names.0",
		"rubric.demands.Empathy.80.0", "rubric.demands.Empathy.80.1", "profile.cuts.0",
		"profile.cuts.1", "profile.cuts.2", "profile.cuts.3",
	}, got)
	differs := func(what, was, is string) {
		assert.Contains(t, a.Differences(*b), run.Change{What: what, A: was, B: is})
	}
	differs("rubric.weights.TaskSuccess", "40", "30")
	differs("configuration.system_names.0", "", "Bot")
	differs("profile.cuts.0", "", "2.00")
	assert.Empty(t, a.Differences(*header()))
	b.Model = &localllm.Identity{Name: "some:1b", Digest: "abc"}
	differs("model.digest", "", "abc")
}

func TestChangedMost(t *testing.T) {
	a := made(header(), scores("same", 80, 80), scores("little", 80, 80), scores("most", 100, 80),
		scores("also little", 80, 80), scores("lost", 80, 80), unscored("gained", "silence"))
	b := made(header(), scores("same", 80, 80), scores("little", 60, 80), scores("most", 20, 80),
		scores("also little", 100, 80), unscored("lost", "mostly in Spanish"),
		scores("gained", 80, 80))
	c := New(a, b, usual)
	var order []string
	for _, ch := range c.Changed {
		order = append(order, ch.A.Name)
		assert.Len(t, ch.Criteria, 1)
		assert.Equal(t, rubric.TaskSuccess, ch.Criteria[0].Criterion)
	}
	assert.Equal(t, []string{"most", "little", "also little"}, order,
		"among equals the order of A decides")
	assert.Equal(t, 3, c.Matched.Changed)
	assert.Equal(t, []Place{{"lost", "calls.txt", 6}}, c.Lost)
	assert.Equal(t, []Place{{"gained", "calls.txt", 7}}, c.Gained)
	assert.Equal(t, 4, c.Matched.Scored)

	opt := usual
	opt.Top = 2
	lots := New(many(5000, always(80)), many(5000, func(i int) rubric.Score {
		if i == 4000 {
			return 20
		}
		return 60
	}), opt)
	require.Len(t, lots.Changed, 2)
	assert.Equal(t, 5000, lots.Matched.Changed)
	assert.Equal(t, "dialogue 4000", lots.Changed[0].A.Name)
	assert.Equal(t, "dialogue 0", lots.Changed[1].A.Name, "however many there are")
	opt.Top = 0
	assert.Empty(t, New(a, b, opt).Changed)
}
