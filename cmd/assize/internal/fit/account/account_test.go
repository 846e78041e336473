package account

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/fit"
	"assize/cmd/assize/internal/report"
	"assize/heuristics"
)

func gain(value, low, high float64) fit.Gain {
	return fit.Gain{Value: value, Interval: agreement.Interval{Low: low, High: high}}
}

func result() *fit.Result {
	nan := math.NaN()
	return &fit.Result{
		Profile: heuristics.DefaultProfile(), Dialogues: 200, Ratings: 640, Mean: 3.2, Deviation: 0.4, Folds: 10,
		Before: fit.Error{MAE: 12, RMSE: 15}, Constant: fit.Error{MAE: 8, RMSE: 10}, After: fit.Error{MAE: 6, RMSE: 7.5},
		OverBefore: gain(6, 5, 7), OverConstant: gain(2, -0.5, 4.5), Spearman: gain(0.42, 0.3, 0.5), Strata: 1, Raters: 3.2, Alpha: 0.21,
		Levels: [2][5]int{{0, 10, 130, 60, 0}, {0, 11, 129, 60, 0}}, Kappa: 0.25, Flagged: fit.Flagged{Share: 0.105, Mean: 2.7, Rest: 3.3},
		Traffic: 400, Flags: 40, Decisions: []string{"One."}, Warnings: nil,
		Weights: &fit.Weights{Learnt: [6]int{40, 15, 15, 10, 10, 10}, Spearman: gain(0.4, nan, nan)},
	}
}

func text(a *Account) string {
	var p report.Page
	a.Text(&p)
	return p.String()
}

func TestText(t *testing.T) {
	r := result()
	got := text(&Account{Result: r, Seed: 3, Scale: "0-10"})
	for _, want := range []string{
		"Profile learnt from 200 rated dialogues: 640 ratings, scale 0-10\n",
		"  the mean rating alone          8.00               10.00\n",
		"  gain over the mean             2.00   -0.50 to 4.50, within noise\n",
		"  gain over the default          6.00   5.00 to 7.00\n",
		"10 folds by dialogue, seed 3; intervals of 95 % from 1000 resamples\n",
		"Spearman 0.42 (0.30 to 0.50), before and after. The map lowers the error\n        by 50.0 %.",
		"A map that never falls leaves the order as it is: ranking is",
		"Krippendorff's alpha 0.21",
		"  by people    0.0%   5.0%  65.0%  30.0%   0.0%\n",
		"On folds 10.5 % are flagged. People rate these 2.70 on average, and the\n        rest 3.30.",
		"\nDecisions\n  - One.\n",
	} {
		assert.Contains(t, got, want)
	}
	assert.NotContains(t, got, "Warnings")
	for line := range strings.Lines(got) {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), report.Columns+1, line)
	}

	r.OverBefore, r.Alpha, r.Spearman, r.Strata, r.Kappa = gain(-1, -2, -0.1), math.NaN(), gain(math.NaN(), math.NaN(), math.NaN()), 4, math.NaN()
	got = text(&Account{Result: r, Seed: 3, Scale: "1-5"})
	assert.Contains(t, got, "The default profile errs less")
	assert.Contains(t, got, "Spearman cannot be had within files, the mean of 4")
	assert.Contains(t, got, "how far people agree cannot be told")
	assert.NotContains(t, got, "NaN")
	assert.NotContains(t, got, "kappa")

	r.Model = &fit.Model{Kept: true, Rules: gain(0.37, 0.3, 0.4)}
	got = text(&Account{Result: r})
	assert.Contains(t, got, "What the model adds\n        is what changes the order: 0.37 by the rules alone.")
	assert.NotContains(t, got, "before and after")
	r.Model.Kept = false
	assert.Contains(t, text(&Account{Result: r}), "before and after")

	r.OverBefore = gain(0.1, -0.2, 0.3)
	assert.Contains(t, text(&Account{Result: r}), "the error is the same within")
	r.Weights.Kept, r.Weights.Reactions = true, gain(0.3, 0.2, 0.4)
	assert.Contains(t, text(&Account{Result: r}), "The learnt weights are what changes the order")
}

func TestJSON(t *testing.T) {
	data, err := (&Account{Result: result(), Suggestion: suggestion(), Seed: 3, Scale: "1-5"}).JSON()
	require.NoError(t, err)
	var doc struct {
		Profile struct {
			Digest   string
			Error    map[string]map[string]float64
			Weights  map[string]any
			Warnings []string
		}
		Points struct {
			Changes []map[string]any
			Diff    string
		}
	}
	require.NoError(t, json.Unmarshal(data, &doc))
	assert.Equal(t, heuristics.DefaultProfile().Digest(), doc.Profile.Digest)
	assert.Equal(t, 6.0, doc.Profile.Error["profile"]["mae"])
	assert.Contains(t, string(data), `"mae": 6.0000`, "decimals are fixed")
	assert.Contains(t, string(data), `"low": null`, "what cannot be had is null")
	assert.NotNil(t, doc.Profile.Warnings, "an empty list is a list")
	assert.Len(t, doc.Points.Changes, 2)
	assert.Contains(t, doc.Points.Diff, "+@points -2.80")
}

func TestJSONOfAModel(t *testing.T) {
	r := result()
	data, err := (&Account{Result: r}).JSON()
	require.NoError(t, err)
	assert.Contains(t, string(data), `"model": null`)
	r.Model = &fit.Model{
		Learnt:    heuristics.Model{Name: "some:1b", Digest: "ab", Weight: 12_500, Centre: 6125},
		Dialogues: 160, With: gain(0.4, 0.3, 0.5), Rules: gain(0.38, 0.3, 0.5), Over: gain(0.02, -0.01, math.NaN()),
	}
	for kept, weight := range map[bool]string{false: "0", true: "0.0125"} {
		r.Model.Kept = kept
		data, err = (&Account{Result: r}).JSON()
		require.NoError(t, err)
		assert.Equal(t, `"model":{"name":"some:1b","digest":"ab","dialogues":160,"weight":`+weight+`,"learnt":0.0125,"centre":61.25,`+
			`"spearman":{"value":0.4000,"low":0.3000,"high":0.5000},"rules":{"value":0.3800,"low":0.3000,"high":0.5000},"gain":{"value":0.0200,"low":-0.0100,"high":null}},`,
			regexp.MustCompile(`"model":\{.*\}\},`).FindString(strings.Join(strings.Fields(string(data)), "")))
	}
}

func suggestion() *fit.Suggestion {
	return &fit.Suggestion{
		Dialogues: 400, Folds: 10, Strata: 1, Before: gain(0.33, 0.2, 0.4), After: gain(0.32, 0.2, 0.4), Gain: gain(-0.004, -0.02, 0.01),
		Changes: []fit.Change{{ID: "reaction-rejects", From: -250, To: -280, Factor: 1.116, Dialogues: 146}, {ID: "reaction-valence", From: 35, To: 20, Factor: 0.6, Dialogues: 90}},
	}
}

func TestSuggestedPoints(t *testing.T) {
	got := text(&Account{Suggestion: suggestion(), Seed: 1})
	assert.Contains(t, got, "Points learnt from 400 rated dialogues\n")
	assert.Contains(t, got, "  reaction-rejects             -2.50      -2.80       146\n")
	assert.Contains(t, got, "keep the points as they are")
	assert.Contains(t, got, "Nothing is applied.")
	got = text(&Account{Suggestion: &fit.Suggestion{Dialogues: 100}, Seed: 1})
	assert.Contains(t, got, "No other points are suggested")
}

func TestDiff(t *testing.T) {
	diff, err := Diff(suggestion())
	require.NoError(t, err)
	assert.Contains(t, diff, `--- a/heuristics/lexicon/reaction-rejects.txt
+++ b/heuristics/lexicon/reaction-rejects.txt
@@ -1,4 +1,4 @@
 # A turn that begins with no. "No" to "Anything else?" is no rejection: reaction-declines has those.
 @role user
-@points -2.50
+@points -2.80
 ^(no|nope|nah|not)
`)
	assert.Contains(t, diff, "-love\t0.35\n", "phrases with points of their own move with their class")
	assert.Contains(t, diff, "+love\t0.20\n")
	empty, err := Diff(&fit.Suggestion{})
	require.NoError(t, err)
	assert.Empty(t, empty)
	_, err = Diff(&fit.Suggestion{Changes: []fit.Change{{ID: "none"}}})
	assert.ErrorContains(t, err, `no detector is called "none"`)
}

// What patch makes of the diff is each file with its new points.
func TestThePatchApplies(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch on this machine: nothing reads the diff but people")
	}
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "heuristics", "lexicon"), 0o755))
	s := suggestion()
	for _, c := range s.Changes {
		path, text, err := heuristics.LexiconFile(c.ID)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(root, path), []byte(text), 0o644))
	}
	diff, err := Diff(s)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), patch, "-p1", "--fuzz=0")
	cmd.Dir, cmd.Stdin = root, strings.NewReader(diff)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, c := range s.Changes {
		path, before, _ := heuristics.LexiconFile(c.ID)
		after, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		assert.Contains(t, string(after), "@points "+c.To.String()+"\n")
		assert.Equal(t, strings.Count(before, "\n"), strings.Count(string(after), "\n"))
		if c.ID == "reaction-rejects" {
			assert.Equal(t, strings.Replace(before, "-2.50", "-2.80", 1), string(after))
		}
	}
}

func TestHunks(t *testing.T) {
	lines := func(changed ...int) (before, after []string) {
		for i := range 20 {
			line := fmt.Sprintf("%d\n", i+1)
			before, after = append(before, line), append(after, line)
		}
		for _, i := range changed {
			after[i-1] = "new\n"
		}
		return append(before, ""), append(after, "")
	}
	for _, tt := range []struct {
		reason  string
		changed []int
		want    []string
	}{
		{"at the beginning", []int{1}, []string{"@@ -1,4 +1,4 @@"}},
		{"at the end", []int{20}, []string{"@@ -17,4 +17,4 @@"}},
		{"six lines between are shown once", []int{5, 12}, []string{"@@ -2,14 +2,14 @@"}},
		{"from seven on there are two parts", []int{5, 13}, []string{"@@ -2,7 +2,7 @@", "@@ -10,7 +10,7 @@"}},
		{"lines beside one another stand together", []int{5, 6}, []string{"@@ -2,8 +2,8 @@", "-5\n-6\n+new\n+new\n"}},
	} {
		var b strings.Builder
		before, after := lines(tt.changed...)
		hunks(&b, before, after)
		for _, want := range tt.want {
			assert.Contains(t, b.String(), want, tt.reason)
		}
		if strings.HasPrefix(tt.want[len(tt.want)-1], "@@") {
			assert.Equal(t, len(tt.want), strings.Count(b.String(), "@@ -"), tt.reason)
		}
	}
}
