package summary

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
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
	whole   = Threshold{Whole: true, Least: 60}
	empathy = Threshold{Criterion: rubric.Empathy, Least: 40}
)

func TestThreshold(t *testing.T) {
	assert.Equal(t, []string{"OverallExperience", "Empathy"},
		[]string{whole.Name(), empathy.Name()})
	e := graded(1, 40, 40)
	assert.True(t, whole.Missed(e))
	assert.False(t, empathy.Missed(e), "what is reached is reached")
	assert.True(t, Threshold{Criterion: rubric.Empathy, Least: 41}.Missed(e),
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
			tally := NewThresholds(c.thresholds, c.allowed)
			for _, r := range c.records {
				tally.Add(r)
			}
			passed, lines, err := tally.Answer()
			require.NoError(t, err)
			assert.Equal(t, c.passed, passed)
			assert.Equal(t, c.lines, strings.Join(lines, "|"))
		})
	}
	unanswered := NewThresholds([]Threshold{whole}, Portion{})
	unanswered.Add(none)
	_, _, err := unanswered.Answer()
	assert.EqualError(t, err, "no dialogue is scored, so --fail-under has no answer")
	passed, _, err := NewThresholds([]Threshold{whole}, Portion{}).Answer()
	require.NoError(t, err, "nothing was read, which is told elsewhere")
	assert.True(t, passed)
}

// TestTheWorstAreNamed checks that of many dialogues below the threshold, the first five by score,
// average and place are named.
func TestTheWorstAreNamed(t *testing.T) {
	tally := NewThresholds([]Threshold{whole}, Portion{})
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
	t := NewThresholds([]Threshold{{Whole: true, Least: 60}}, Portion{Count: 1})
	t.Add(graded(7, 40, 40))
	passed, lines, _ := t.Answer()
	fmt.Println(passed)
	fmt.Println(strings.Join(lines, "\n"))
	// Output:
	// true
	// 1 of 1 dialogue below --fail-under 60; the lowest: 7 of a.txt (40)
	// 1 of 1 dialogue (100.0 %) below a threshold; --max-below 1 allows 1
}
