package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/portion"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// made is a record with an OverallExperience, which the criteria share but for Empathy; unscored where it is 0.
func made(id int, overall, empathy rubric.Score) *record.Record {
	r := &record.Record{Dialogue: dialogue.Dialogue{ID: id}, Source: record.Source{File: "a.txt"}}
	if overall == 0 {
		return r
	}
	r.Evaluation = &rubric.Evaluation{Overall: overall, Average: rubric.Hundredths(overall) * 100}
	for i := range r.Evaluation.Final {
		r.Evaluation.Final[i].Score = overall
	}
	r.Evaluation.Final[rubric.Empathy].Score = empathy
	return r
}

var (
	whole   = Gate{Whole: true, Least: 60}
	empathy = Gate{Criterion: rubric.Empathy, Least: 40}
)

func TestGate(t *testing.T) {
	assert.Equal(t, []string{"60", "OverallExperience", "Empathy=40", "Empathy"}, []string{whole.String(), whole.Name(), empathy.String(), empathy.Name()})
	e := made(1, 40, 40).Evaluation
	assert.True(t, whole.Shut(e))
	assert.False(t, empathy.Shut(e), "what is reached is reached")
	assert.True(t, Gate{Criterion: rubric.Empathy, Least: 41}.Shut(e), "a gate may lie between two levels")
}

func TestVerdict(t *testing.T) {
	low, cold, fine, none := made(1, 40, 40), made(2, 60, 20), made(3, 80, 80), made(4, 0, 0)
	elsewhere := made(5, 20, 20)
	elsewhere.Source.File = "b.txt"
	var twenty []*record.Record
	for i := range 20 {
		twenty = append(twenty, made(100+i, 80, 80))
	}
	for _, c := range []struct {
		reason  string
		gates   []Gate
		allowed portion.Portion
		records []*record.Record
		passed  bool
		lines   string
	}{
		{"no gate, no answer needed", nil, portion.Portion{}, []*record.Record{low, none}, true, ""},
		{"all reach the score", []Gate{whole}, portion.Portion{}, []*record.Record{cold, fine}, true, ""},
		{"one gate needs one line", []Gate{whole}, portion.Portion{}, []*record.Record{low, cold, fine, none}, false, "1 of 3 dialogues below --fail-under 60; the lowest: 1 (40)"},
		{"each shut gate tells of its own, and then the sum", []Gate{whole, empathy}, portion.Portion{}, []*record.Record{low, cold, fine}, false,
			"1 of 3 dialogues below --fail-under 60; the lowest: 1 (40)|1 of 3 dialogues below --fail-under Empathy=40; the lowest: 2 (20)|2 of 3 dialogues below a gate"},
		{"a dialogue below two gates counts once", []Gate{whole, empathy}, portion.Portion{}, []*record.Record{elsewhere, fine}, false,
			"1 of 2 dialogues below --fail-under 60; the lowest: 5 of b.txt (20)|1 of 2 dialogues below --fail-under Empathy=40; the lowest: 5 of b.txt (20)|1 of 2 dialogues below a gate"},
		{"an open gate is not spoken of", []Gate{whole, empathy}, portion.Portion{}, []*record.Record{cold}, false, "1 of 1 dialogue below --fail-under Empathy=40; the lowest: 2 (20)"},
		{"so many may be below", []Gate{whole}, portion.Portion{Count: 1}, []*record.Record{low, fine}, true,
			"1 of 2 dialogues below --fail-under 60; the lowest: 1 (40)|1 of 2 dialogues below a gate (50.0 %); --max-below 1 allows 1"},
		{"and no more", []Gate{whole}, portion.Portion{Count: 1}, []*record.Record{low, elsewhere, fine}, false,
			"2 of 3 dialogues below --fail-under 60; the lowest: 5 of b.txt (20), 1 of a.txt (40)|2 of 3 dialogues below a gate (66.7 %); --max-below 1 allows 1"},
		{"a share is of the scored ones", []Gate{whole}, portion.Portion{Share: 500}, append([]*record.Record{low, none}, twenty[1:]...), true,
			"1 of 20 dialogues below --fail-under 60; the lowest: 1 (40)|1 of 20 dialogues below a gate (5.0 %); --max-below 5% allows 1"},
		{"which are too few here", []Gate{whole}, portion.Portion{Share: 500}, append([]*record.Record{low, none}, twenty[2:]...), false,
			"1 of 19 dialogues below --fail-under 60; the lowest: 1 (40)|1 of 19 dialogues below a gate (5.3 %); --max-below 5% allows 0"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			tally := NewTally(c.gates, c.allowed)
			for _, r := range c.records {
				tally.Add(r)
			}
			v, err := tally.Verdict()
			require.NoError(t, err)
			assert.Equal(t, c.passed, v.Passed)
			assert.Equal(t, c.lines, strings.Join(v.Lines, "|"))
		})
	}
	unanswered := NewTally([]Gate{whole}, portion.Portion{})
	unanswered.Add(none)
	_, err := unanswered.Verdict()
	assert.EqualError(t, err, "no dialogue is scored, so --fail-under has no answer")
	v, err := NewTally([]Gate{whole}, portion.Portion{}).Verdict()
	require.NoError(t, err, "nothing was read, which is told elsewhere")
	assert.True(t, v.Passed)
}

// TestTheWorstAreNamed has many dialogues below, of which the first five by score, average and place are named.
func TestTheWorstAreNamed(t *testing.T) {
	tally := NewTally([]Gate{whole}, portion.Portion{})
	for i, s := range []struct {
		score   rubric.Score
		average rubric.Hundredths
	}{{40, 5900}, {40, 4100}, {20, 3900}, {40, 4100}, {40, 5000}, {20, 3000}, {40, 4500}, {20, 3900}} {
		r := made(i+1, s.score, 80)
		r.Evaluation.Average = s.average
		if i == 2 {
			r.Source.ID = "late-parcel"
		}
		tally.Add(r)
	}
	v, err := tally.Verdict()
	require.NoError(t, err)
	assert.Equal(t, []string{"8 of 8 dialogues below --fail-under 60; the lowest: 6 (20), late-parcel (20), 8 (20), 2 (40), 4 (40) and 3 more"}, v.Lines)
}

func ExampleTally() {
	t := NewTally([]Gate{{Whole: true, Least: 60}}, portion.Portion{Count: 1})
	t.Add(made(7, 40, 40))
	v, _ := t.Verdict()
	fmt.Println(v.Passed)
	fmt.Println(strings.Join(v.Lines, "\n"))
	// Output:
	// true
	// 1 of 1 dialogue below --fail-under 60; the lowest: 7 (40)
	// 1 of 1 dialogue below a gate (100.0 %); --max-below 1 allows 1
}
