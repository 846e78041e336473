package summary

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/rubric"
)

// graded returns a dialogue with the given OverallExperience, shared by all criteria except
// Empathy. It is unscored if that is 0.
func graded(id int, overall, empathy rubric.Score) *run.Row {
	r := &run.Row{ID: id, Name: strconv.Itoa(id), File: "a.txt", Overall: overall,
		Average: rubric.Hundredths(overall) * 100}
	for i := range r.Final {
		r.Final[i] = overall
	}
	r.Final[rubric.Empathy] = empathy
	return r
}

var (
	whole   = Threshold{Name: OverallName, Least: 60}
	empathy = Threshold{Name: rubric.Empathy.String(), Least: 40}
)

func TestThreshold(t *testing.T) {
	assert.Equal(t, []string{"OverallExperience", "Empathy"},
		[]string{whole.Name, empathy.Name})
	e := graded(1, 40, 40)
	assert.Equal(t, 1, whole.Misses(e))
	assert.Zero(t, empathy.Misses(e), "what is reached is reached")
	assert.Equal(t, 1, Threshold{Name: rubric.Empathy.String(), Least: 41}.Misses(e),
		"a threshold may lie between two levels")
}

func TestAnswer(t *testing.T) {
	low, cold, fine, none := graded(1, 40, 40), graded(2, 60, 20), graded(3, 80, 80),
		graded(4, 0, 0)
	elsewhere := graded(5, 20, 20)
	elsewhere.File = "b.txt"
	var twenty []*run.Row
	for i := range 20 {
		twenty = append(twenty, graded(100+i, 80, 80))
	}
	for _, c := range []struct {
		reason     string
		thresholds []Threshold
		allowed    Portion
		records    []*run.Row
		passed     bool
		lines      string
	}{
		{"no threshold, no answer needed", nil, Portion{}, []*run.Row{low, none}, true, ""},
		{"all reach the score", []Threshold{whole}, Portion{}, []*run.Row{cold, fine}, true, ""},
		{"one threshold needs one line", []Threshold{whole}, Portion{}, []*run.Row{low, cold, fine, none},
			false, "1 of 3 dialogues below --fail-under 60; the lowest: 1 of a.txt (40)"},
		{"each threshold that is missed has a line, and then the sum", []Threshold{whole, empathy},
			Portion{}, []*run.Row{low, cold, fine}, false,
			"1 of 3 dialogues below --fail-under 60; the lowest: 1 of a.txt (40)|1 of 3 dialogues below " +
				"--fail-under Empathy=40; the lowest: 2 of a.txt (20)|2 of 3 dialogues (66.7 %) below a " +
				"threshold; --max-below 0 allows 0"},
		{"a dialogue below two thresholds counts once", []Threshold{whole, empathy}, Portion{},
			[]*run.Row{elsewhere, fine}, false,
			"1 of 2 dialogues below --fail-under 60; the lowest: 5 of b.txt (20)|1 of 2 dialogues below " +
				"--fail-under Empathy=40; the lowest: 5 of b.txt (20)|1 of 2 dialogues (50.0 %) below a " +
				"threshold; --max-below 0 allows 0"},
		{"a threshold that is reached has no line", []Threshold{whole, empathy}, Portion{},
			[]*run.Row{cold}, false, "1 of 1 dialogue below --fail-under Empathy=40; the lowest: 2 of " +
				"a.txt (20)"},
		{"so many may be below", []Threshold{whole}, Portion{Count: 1}, []*run.Row{low, fine}, true,
			"1 of 2 dialogues below --fail-under 60; the lowest: 1 of a.txt (40)|1 of 2 dialogues (50.0 " +
				"%) below a threshold; --max-below 1 allows 1"},
		{"and no more", []Threshold{whole}, Portion{Count: 1}, []*run.Row{low, elsewhere, fine},
			false,
			"2 of 3 dialogues below --fail-under 60; the lowest: 5 of b.txt (20), 1 of a.txt (40)|2 of 3 " +
				"dialogues (66.7 %) below a threshold; --max-below 1 allows 1"},
		{"a share is of the scored ones", []Threshold{whole}, Portion{Share: 500},
			append([]*run.Row{low, none}, twenty[1:]...), true,
			"1 of 20 dialogues below --fail-under 60; the lowest: 1 of a.txt (40)|1 of 20 dialogues (5.0 " +
				"%) below a threshold; --max-below 5% allows 1"},
		{"which are too few here", []Threshold{whole}, Portion{Share: 500},
			append([]*run.Row{low, none}, twenty[2:]...), false,
			"1 of 19 dialogues below --fail-under 60; the lowest: 1 of a.txt (40)|1 of 19 dialogues (5.3 " +
				"%) below a threshold; --max-below 5% allows 0"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			tally := NewThresholds(c.thresholds, c.allowed, 0)
			for _, r := range c.records {
				tally.Add(r)
			}
			passed, lines, err := tally.Answer()
			require.NoError(t, err)
			assert.Equal(t, c.passed, passed == stats.Passed)
			assert.Equal(t, c.lines, strings.Join(lines, "|"))
		})
	}
	unanswered := NewThresholds([]Threshold{whole}, Portion{}, 0)
	unanswered.Add(none)
	_, _, err := unanswered.Answer()
	assert.EqualError(t, err, "no dialogue is scored, so the gates have no answer")
	passed, _, err := NewThresholds([]Threshold{whole}, Portion{}, 0).Answer()
	require.NoError(t, err, "nothing was read, which is told elsewhere")
	assert.Equal(t, stats.Passed, passed)
}

// With a confidence, the share in the long run decides. That of 59 dialogues none is below has a
// probability of .95^59 = .0485 if 5 % are, and of 58 of .051. Of 60, 7 or more have .030, and 6 or
// more .079.
func TestThresholdsWithConfidence(t *testing.T) {
	for _, tt := range []struct {
		below, n int
		want     stats.Verdict
		last     string
	}{
		{0, 59, stats.Passed, "0 of 59 dialogues (0.0 %) below a threshold; --max-below 5% allows 2"},
		{0, 58, stats.Undecided, "undecided: needs about 10 more dialogues"},
		{0, 10, stats.Undecided, "undecided: needs about 50 more dialogues"},
		{7, 60, stats.Failed, "7 of 60 dialogues (11.7 %) below a threshold; --max-below 5% allows 3"},
		{6, 60, stats.Undecided, "undecided: needs about 10 more dialogues"},
		{1, 20, stats.Undecided, "undecided: needs more than 1,000,000 more dialogues"},
	} {
		c := NewThresholds([]Threshold{whole}, Portion{Share: 500}, .95)
		for i := range tt.n {
			r := graded(i+1, 80, 80)
			if i < tt.below {
				r = graded(i+1, 40, 80)
			}
			c.Add(r)
		}
		v, lines, err := c.Answer()
		require.NoError(t, err)
		assert.Equal(t, tt.want, v, "%d of %d", tt.below, tt.n)
		assert.Equal(t, tt.last, lines[len(lines)-1])
	}
}

// TestTheWorstAreNamed checks that of many dialogues below the threshold, the first five by score,
// average and place are named.
func TestTheWorstAreNamed(t *testing.T) {
	tally := NewThresholds([]Threshold{whole}, Portion{}, 0)
	for i, s := range []struct {
		score   rubric.Score
		average rubric.Hundredths
	}{{40, 5900}, {40, 4100}, {20, 3900}, {40, 4100}, {40, 5000}, {20, 3000}, {40, 4500},
		{20, 3900}} {
		r := graded(i+1, s.score, 80)
		r.Average = s.average
		if i == 2 {
			r.Name = "late-parcel"
		}
		tally.Add(r)
	}
	_, lines, err := tally.Answer()
	require.NoError(t, err)
	assert.Equal(t,
		[]string{"8 of 8 dialogues below --fail-under 60; the lowest: 6 of a.txt (20), late-parcel of " +
			"a.txt (20), 8 of a.txt (20), 2 of a.txt (40), 4 of a.txt (40), … and 3 more"}, lines)
}

func ExampleThresholds() {
	t := NewThresholds([]Threshold{{Name: OverallName, Least: 60}}, Portion{Count: 1}, 0)
	t.Add(graded(7, 40, 40))
	verdict, lines, _ := t.Answer()
	fmt.Println(verdict == stats.Passed)
	fmt.Println(strings.Join(lines, "\n"))
	// Output:
	// true
	// 1 of 1 dialogue below --fail-under 60; the lowest: 7 of a.txt (40)
	// 1 of 1 dialogue (100.0 %) below a threshold; --max-below 1 allows 1
}

// No claim may have a state that is not allowed. A run without calls of tools has no claims, and so
// no answer, unless something else is asked.
func TestClaims(t *testing.T) {
	claim := Threshold{Name: run.ClaimName, State: rubric.DeedContradicted}
	dialogues := func(calls ...int) (list []*run.Row) { // of each, the number of bad claims, or -1
		for i, bad := range calls {
			r := graded(i+1, 80, 80)
			r.HasCalls = bad >= 0
			bads := slices.Repeat([]rubric.Deed{{State: rubric.DeedContradicted}}, max(bad, 0))
			r.Deeds = rubric.CountDeeds(bads)
			list = append(list, r)
		}
		return list
	}
	for _, tt := range []struct {
		thresholds []Threshold
		rows       []*run.Row
		want       stats.Verdict
		lines, err string
	}{
		{[]Threshold{claim}, dialogues(0, 0), stats.Passed, "", ""},
		{[]Threshold{claim}, dialogues(-1, -1), stats.Passed, "",
			"no dialogue has calls of tools, so --fail-on claim decided nothing"},
		{[]Threshold{claim, whole}, dialogues(-1, -1), stats.Undecided, "undecided: --fail-on claim " +
			"could not check 2 of 2 dialogues, without calls of tools, the first: 1 of a.txt, 2 of a.txt; see " +
			"assize help gates", ""},
		{[]Threshold{claim}, dialogues(-1, 0), stats.Undecided, "undecided: --fail-on claim could " +
			"not check 1 of 2 dialogues, without calls of tools, the first: 1 of a.txt; see assize help gates",
			""},
		{[]Threshold{whole}, dialogues(-1, 0), stats.Passed, "", ""},
		{[]Threshold{claim, whole}, dialogues(0, 2, 1), stats.Failed,
			"2 of 3 dialogues with claim=contradicted, which --fail-on does not allow: " +
				"2 of a.txt (contradicted 2 times), 3 of a.txt (contradicted)", ""},
	} {
		c := NewThresholds(tt.thresholds, Portion{Count: 5}, 0)
		for _, r := range tt.rows {
			c.Add(r)
		}
		v, lines, err := c.Answer()
		assert.Equal(t, tt.want, v)
		assert.Equal(t, tt.lines, strings.Join(lines, "|"))
		if tt.err == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, tt.err)
		}
	}
}

// If all may be below, no sample can show otherwise.
func TestAllMayBeBelow(t *testing.T) {
	c := NewThresholds([]Threshold{whole}, Portion{Share: 100 * 100}, .95)
	for i := range 3 {
		c.Add(graded(i+1, 40, 40))
	}
	v, lines, err := c.Answer()
	require.NoError(t, err)
	assert.Equal(t, stats.Passed, v)
	assert.NotContains(t, strings.Join(lines, "|"), "undecided")
}

func TestParseThresholds(t *testing.T) {
	list, err := ParseThresholds([]string{"60", " empathy = 40 ", "Fluency=0", "checklist=0",
		"tasksuccess=20"})
	require.NoError(t, err)
	assert.Equal(t, []Threshold{whole, empathy, {Name: "TaskSuccess", Least: 20}}, list)
	for given, want := range map[string]string{
		"tact=40":     `"tact=40"`,
		"19":          `"19": want a score from 20 to 100`,
		"101":         `"101": want a score from 20 to 100`,
		"-1":          `"-1": want a score`,
		"empathy=":    `"empathy=": want a score`,
		"checklist=x": `"checklist=x": want a checklist from 0 to 100 percent`,
	} {
		_, err := ParseThresholds([]string{given})
		assert.ErrorContains(t, err, want)
	}
	list, err = ParseThresholds([]string{"checklist=1", "100"})
	require.NoError(t, err)
	assert.Equal(t, []Threshold{{Name: "checklist", Least: 1}, {Name: OverallName, Least: 100}}, list)
	_, err = ParseThresholds([]string{"60", "overallexperience=80"})
	assert.ErrorContains(t, err, "a second score for OverallExperience; want one")
}

func TestParseAnswers(t *testing.T) {
	r := rubric.Rubric{Questions: []rubric.Question{{ID: "verified"}},
		Facts: []rubric.Fact{{ID: "pets"}}}
	list, err := ParseAnswers([]string{"verified=No", "pets=contradicted", "claim=unproven"}, r)
	require.NoError(t, err)
	assert.Equal(t, []Threshold{{Name: "verified", Answer: rubric.No},
		{Name: "pets", Answer: "contradicted"}, {Name: "claim", State: rubric.DeedUnproven}}, list)
	for given, want := range map[string]string{
		"verified=maybe": "verified", "pets=yes": "pets", "claim=yes": "claim=contradicted",
		"tact=no": "verified, pets=contradicted, claim=contradicted",
	} {
		_, err := ParseAnswers([]string{given}, r)
		assert.ErrorContains(t, err, want, given)
	}
	_, err = ParseAnswers([]string{"verified=no"}, rubric.Rubric{})
	assert.Error(t, err, "there are no questions")
	for _, s := range rubric.DeedStates() {
		_, err := ParseAnswers([]string{"claim=" + string(s)}, rubric.Rubric{})
		assert.NoError(t, err)
	}
}
