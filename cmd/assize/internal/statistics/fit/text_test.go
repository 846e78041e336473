package fit

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
)

func gain(value, low, high float64) stats.Figure {
	return stats.Figure{Value: value, Low: low, High: high}
}

func result() *Result {
	res := &Result{
		Profile: satisfaction.DefaultProfile(), Digest: satisfaction.DefaultProfile().Digest(),
		Dialogues: 200, Ratings: 640, Mean: stats.Four(3.2), Deviation: stats.Four(0.4), Folds: 10,
		Spearman: gain(0.42, 0.3, 0.5), Rules: gain(0.4, 0.3, 0.5), Gain: gain(0.02, 0.01, 0.03),
		Strength: 12, Raters: stats.Four(3.2), Alpha: stats.Four(0.21), Decisions: []string{"One."},
		Warnings: []string{}, options: Options{Seed: 3, Scale: ratings.Scale{Low: 0, High: 10}},
	}
	res.Error.Default.MAE, res.Error.Constant.MAE = stats.Four(12), stats.Four(8)
	res.Error.Profile.MAE = stats.Four(6)
	res.Flagged.Of, res.Flagged.Dialogues = 400, 40
	res.Verdict = texts.Say("verdict", res)
	return res
}

func text(res *Result) string {
	var p ui.Page
	res.Text(&p)
	return p.String()
}

func asJSON(t *testing.T, res *Result) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, ui.WriteJSON(&b, res, "  "))
	return b.String()
}

func TestText(t *testing.T) {
	r := result()
	got := text(r)
	for _, want := range []string{
		"Profile learnt from 200 rated dialogues: 640 ratings, scale 0-10\n",
		"\n\nThe profile ranks unseen dialogues better than the rules (Spearman 0.42, the",
		"  the mean rating alone                           8.00\n",
		"  the rules alone           0.400                12.00\n",
		"  this profile              0.420                 6.00\n",
		"  errors are in points of 100: 1 on the scale 0-10 is 8; 10 folds by dialogue,\n  seed 3;",
		"Krippendorff's alpha is 0.21",
		"\nDecisions\n  - One.\n",
	} {
		assert.Contains(t, got, want)
	}
	assert.NotContains(t, got, "Warnings")
	for line := range strings.Lines(got) {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), ui.Columns+1, line)
	}

	nan := math.NaN()
	r.Alpha, r.Spearman = stats.Four(nan), gain(nan, nan, nan)
	got = text(r)
	assert.NotContains(t, got, "alpha")
	assert.NotContains(t, got, "NaN")
}

func TestVerdict(t *testing.T) {
	r := result()
	r.Gain = gain(0.02, -0.01, 0.05)
	assert.Equal(t, "No gain over the rules is proven on unseen dialogues (Spearman 0.42, the rules 0.40; "+
		"gain +0.020, 95 % interval -0.010 to +0.050).", texts.Say("verdict", r))
	r.Gain = gain(-0.04, -0.06, -0.01)
	assert.Contains(t, texts.Say("verdict", r), "Weights would rank unseen dialogues worse than the rules alone (")
	assert.Contains(t, text(r), "  this profile              0.400 ", "it ranks as the rules do")
	assert.False(t, r.Worse())
	r.Profile.Linear = &satisfaction.Linear{}
	assert.Contains(t, texts.Say("verdict", r), "The rules alone rank unseen dialogues better than the profile (")
	assert.True(t, r.Worse())
}

func TestJSON(t *testing.T) {
	res := result()
	res.Spearman.Low = math.NaN()
	data := asJSON(t, res)
	var doc struct {
		Digest   string
		Error    map[string]map[string]float64
		Warnings []string
	}
	require.NoError(t, json.Unmarshal([]byte(data), &doc))
	assert.Equal(t, satisfaction.DefaultProfile().Digest(), doc.Digest)
	assert.Equal(t, 6.0, doc.Error["profile"]["mae"])
	assert.Contains(t, data, `"mae": 6.0000`, "decimals are fixed")
	assert.Contains(t, data, `"low": null`, "what cannot be computed is null")
	assert.NotNil(t, doc.Warnings, "an empty list is a list")
}
