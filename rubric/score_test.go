package rubric

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAverage(t *testing.T) {
	for _, tt := range []struct {
		name   string
		scores [NumCriteria]Score
		want   string
	}{
		{"the first example of the debate and of the single evaluator",
			[NumCriteria]Score{100, 100, 100, 100, 80, 100}, "98.00"},
		{"the debate's second example, which prints 86.00",
			[NumCriteria]Score{100, 60, 100, 100, 40, 100}, "88.00"},
		{"the debate's third example", [NumCriteria]Score{80, 60, 100, 80, 60, 80}, "78.00"},
		{"the single evaluator's second example", [NumCriteria]Score{100, 80, 100, 100, 60, 100},
			"93.00"},
		{"the single evaluator's third example", [NumCriteria]Score{40, 40, 60, 60, 60, 60},
			"49.00"},
		{"highest", [NumCriteria]Score{100, 100, 100, 100, 100, 100}, "100.00"},
		{"lowest", [NumCriteria]Score{20, 20, 20, 20, 20, 20}, "20.00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := protocol().Average(tt.scores)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got.String())
		})
	}
}

func TestAverageRefuses(t *testing.T) {
	for c := range Criterion(NumCriteria) {
		for score, want := range map[Score]string{
			0:   c.String() + " is not scored; want 20, 40, 60, 80 or 100",
			50:  c.String() + " has the score 50; want 20, 40, 60, 80 or 100",
			120: c.String() + " has the score 120; want 20, 40, 60, 80 or 100",
		} {
			scores := [NumCriteria]Score{20, 20, 20, 20, 20, 20}
			scores[c] = score
			average, err := protocol().Average(scores)
			assert.Zero(t, average)
			assert.EqualError(t, err, want)
		}
	}
}

func TestSettleNamesWhoErred(t *testing.T) {
	card := bookingTrial(t).Evaluator
	card[Empathy].Score = 0
	_, err := protocol().Settle(Case{Dialogue: booking()}, card, Critique{})
	assert.EqualError(t, err, "evaluator: Empathy is not scored; want 20, 40, 60, 80 or 100")
}

func TestOverall(t *testing.T) {
	for _, tt := range []struct {
		average       Hundredths
		down, nearest Score
		reason        string
	}{
		{10000, 100, 100, "the debate: 100 only if the average reaches it"},
		{9999, 80, 100, "the debate: 80 ≤ avg < 100"},
		{9800, 80, 100, `98 is 80 or 100 (PROTOCOL.md, "Contradictions")`},
		{9300, 80, 100, "the single evaluator's second example"},
		{9070, 80, 100, "the debate: 90.7 goes down to 80"},
		{9001, 80, 100, "just nearer to 100"},
		{9000, 80, 80, "a tie goes down"},
		{8000, 80, 80, "the debate: 80 ≤ avg"},
		{7999, 60, 80, "the debate: avg < 80"},
		{7850, 60, 80, "the debate: 78.5 goes down to 60"},
		{7000, 60, 60, "a tie goes down"},
		{6000, 60, 60, "the debate: 60 ≤ avg"},
		{5999, 40, 60, "the debate: avg < 60"},
		{4000, 40, 40, "the debate: 40 ≤ avg"},
		{3999, 20, 40, "the debate: < 40"},
		{3000, 20, 20, "a tie goes down"},
		{2000, 20, 20, "the lowest average there is"},
	} {
		assert.Equal(t, tt.down, Down.Overall(tt.average), "%v down: %s", tt.average, tt.reason)
		assert.Equal(t, tt.nearest, Nearest.Overall(tt.average), "%v nearest: %s", tt.average,
			tt.reason)
	}
}

func TestParseMapping(t *testing.T) {
	for _, m := range []Mapping{Down, Nearest} {
		got, err := ParseMapping(m.String())
		require.NoError(t, err)
		assert.Equal(t, m, got)
	}
	_, err := ParseMapping("up")
	assert.EqualError(t, err, `unknown mapping "up"; want down or nearest`)
}

func TestHundredths(t *testing.T) {
	for text, want := range map[string]Hundredths{"88": 8800, "88.00": 8800, "-0.5": -50,
		"+1.25": 125, ".5": 50, "3.": 300, "0": 0, "-0.05": -5, "9999999999.99": 999999999999} {
		h, err := ParseHundredths(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, h, text)
		again, err := ParseHundredths(h.String())
		require.NoError(t, err)
		assert.Equal(t, h, again)
	}
	for _, text := range []string{"", "-", ".", "1.234", "1e2", "0x1", "1,5", " 1", "--1", "1..2",
		"12345678901234"} {
		_, err := ParseHundredths(text)
		assert.Error(t, err, "%q", text)
	}
	b, err := json.Marshal(map[string]Hundredths{"h": -305})
	require.NoError(t, err)
	assert.Equal(t, `{"h":-3.05}`, string(b))
	var back map[string]Hundredths
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, Hundredths(-305), back["h"])
	assert.Error(t, json.Unmarshal([]byte(`{"h":"1"}`), &back))
}

func TestScore(t *testing.T) {
	valid := 0
	for s := range 256 {
		if Score(s).Valid() {
			assert.Equal(t, Score(s), Scale[Score(s).Level()])
			valid++
		}
	}
	assert.Equal(t, len(Scale), valid)
	assert.Equal(t, Score(60), Score(100).Step(-2))
	assert.Equal(t, Score(20), Score(40).Step(-4))
	assert.Equal(t, Score(100), Score(80).Step(9))
	assert.Equal(t, Score(80), Score(80).Step(0))
}

func TestCriteria(t *testing.T) {
	for i, c := range Criteria() {
		assert.Equal(t, Criterion(i), c)
		got, err := ParseCriterion(c.String())
		require.NoError(t, err)
		assert.Equal(t, c, got)
	}
	_, err := ParseCriterion("Tact")
	assert.EqualError(t, err,
		`unknown criterion "Tact"; want one of TaskSuccess, Helpfulness, Accuracy, Understanding, `+
			`Empathy, Fluency`)
	s := SetOf(Fluency, Accuracy)
	assert.Equal(t, []Criterion{Accuracy, Fluency}, s.List())
	assert.True(t, s.Has(Fluency))
	assert.False(t, s.Has(Empathy))
}
