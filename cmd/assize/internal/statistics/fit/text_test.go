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
	"assize/cmd/assize/internal/statistics/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
)

func gain(value, low, high float64) Gain {
	return Gain{Value: value, Interval: stats.Interval{Low: low, High: high}}
}

func result() *Result {
	res := &Result{
		Profile: heuristics.DefaultProfile(), Digest: heuristics.DefaultProfile().Digest(),
		Dialogues: 200, Ratings: 640, Mean: 3.2, Deviation: 0.4, Folds: 10,
		Spearman: gain(0.42, 0.3, 0.5), Raters: 3.2, Alpha: 0.21, Decisions: []string{"One."},
		Warnings: []string{}, options: Options{Seed: 3, Scale: ratings.Scale{Low: 0, High: 10}},
	}
	res.Error.Default.MAE, res.Error.Constant.MAE, res.Error.Profile.MAE = 12, 8, 6
	res.Gain.OverDefault, res.Gain.OverConstant = gain(6, 5, 7), gain(2, -0.5, 4.5)
	res.Flagged.Of, res.Flagged.Dialogues = 400, 40
	return res
}

func text(res *Result) string {
	var p ui.Page
	res.Text(&p)
	return p.String()
}

// joined returns the text without line breaks.
func joined(res *Result) string { return strings.Join(strings.Fields(text(res)), " ") }

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
		"  the mean rating alone   8.00  2.00  -0.50 to 4.50, within noise\n",
		"  the default profile    12.00  6.00  5.00 to 7.00\n",
		"  1 on the scale 0-10 is 8 points; 10 folds by dialogue, seed 3; bootstrap with\n",
		"Spearman 0.42 (0.30 to 0.50), all files together, before and after:",
		"Krippendorff's alpha 0.21",
		"\nDecisions\n  - One.\n",
	} {
		assert.Contains(t, got, want)
	}
	assert.NotContains(t, got, "Warnings")
	for line := range strings.Lines(got) {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), ui.Columns+1, line)
	}

	nan := math.NaN()
	r.Gain.OverDefault, r.Alpha, r.Spearman = gain(-1, -2, -0.1), Figure(nan), gain(nan, nan, nan)
	got = joined(r)
	assert.Contains(t, got, "Spearman cannot be computed, before")
	assert.Contains(t, got, "how far people agree cannot be computed")
	assert.NotContains(t, got, "NaN")
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
	assert.Equal(t, heuristics.DefaultProfile().Digest(), doc.Digest)
	assert.Equal(t, 6.0, doc.Error["profile"]["mae"])
	assert.Contains(t, data, `"mae": 6.0000`, "decimals are fixed")
	assert.Contains(t, data, `"low": null`, "what cannot be computed is null")
	assert.NotNil(t, doc.Warnings, "an empty list is a list")
}

func TestJSONOfAModel(t *testing.T) {
	r := result()
	assert.Contains(t, asJSON(t, r), `"model": null`)
	r.Model = &Model{Name: "some:1b", Digest: "ab", Dialogues: 160, Used: true,
		Gain: new(gain(0.02, -0.01, math.NaN()))}
	assert.Contains(t, strings.Join(strings.Fields(asJSON(t, r)), ""),
		`"model":{"name":"some:1b","digest":"ab","dialogues":160,"used":true,`+
			`"gain":{"value":0.0200,"low":-0.0100,"high":null}},`)
}
