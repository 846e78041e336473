package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// scoredSets scores the rated sets and returns the file name of the run.
func scoredSets(t testing.TB) string {
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("ASSIZE_SHARED is not set: without the rated dialogues there is nothing to measure agreement on")
	}
	args := []string{"score", "-o", filepath.Join(t.TempDir(), "run.jsonl")}
	for _, set := range ratedSets {
		args = append(args, filepath.Join(shared, "data", "uss", set+".txt"))
	}
	_, stderr, code := call(t, nil, args...)
	require.Equal(t, console.Fine, code, stderr)
	return args[2]
}

// The agreement among people follows from the ratings alone and does not depend on the rules; the
// other figures are bounds that the rules must reach. All were checked against scipy, scikit-learn
// and the package krippendorff.
func TestAgreeOnTheRatedSets(t *testing.T) {
	stdout, stderr, code := call(t, nil, "agree", scoredSets(t), "--format", "json")
	require.Equal(t, console.Fine, code, stderr)
	var doc struct {
		Answer []string
		Mean   map[string]map[string]map[string]struct{ Value, Low, High float64 }
		Groups []struct{ Name string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
	assert.Len(t, doc.Groups, 4)
	for _, tt := range []struct {
		measure, statistic string
		least, most        float64
	}{
		{"raters", "ratings_per_dialogue", 3.527, 3.529},
		{"raters", "alpha_ordinal", .2214, .2216},
		{"raters", "alpha_interval", .2248, .2252},
		{"raters", "icc_1", .2152, .2156},
		{"raters", "icc_k", .4878, .4884},
		{"raters", "ceiling", .6968, .6974},
		{"one_annotator", "spearman", .3130, .3136},
		{"one_annotator", "kappa_quadratic", .2455, .2465},
		{"constant", "mae", 6.20, 6.21},
		{"satisfaction", "spearman", .39, .70},
		{"satisfaction", "auc_worst", .71, 1},
		{"satisfaction", "kappa_quadratic", .23, 1},
		{"satisfaction", "mae", 0, 5.9},
		{"numeric_weighted_average", "spearman", .12, .70},
		{"OverallExperience", "spearman", .08, .70},
	} {
		f := doc.Mean["overall"][tt.measure][tt.statistic]
		t.Logf("%-25s %-20s %.3f (%.3f to %.3f)", tt.measure, tt.statistic, f.Value, f.Low, f.High)
		assert.GreaterOrEqual(t, f.Value, tt.least, "%s %s", tt.measure, tt.statistic)
		assert.LessOrEqual(t, f.Value, tt.most, "%s %s", tt.measure, tt.statistic)
		assert.Less(t, f.Low, f.Value)
		assert.Greater(t, f.High, f.Value)
	}
	assert.Regexp(t, `and satisfaction by \.\d+: satisfaction is better, by `, strings.Join(doc.Answer, " "))
}

// BenchmarkAgree measures the whole command: reading 2,800 dialogues, their figures and 1,000
// draws.
func BenchmarkAgree(b *testing.B) {
	run := scoredSets(b)
	b.ReportAllocs()
	for b.Loop() {
		code := agreeOnce(b, run)
		require.Equal(b, console.Fine, code)
	}
}

func agreeOnce(b *testing.B, file string) int {
	var stderr bytes.Buffer
	return execute(b.Context(), []string{"agree", file, "--jobs", "1"}, nil, io.Discard, &stderr)
}

// With many ratings, fewer draws are enough, unless --draws says how many.
func TestDrawsForManyRatings(t *testing.T) {
	for _, tt := range []struct {
		given              bool
		draws, rated, want int
	}{
		{false, 1000, 3000, 1000}, {false, 1000, 3001, 200}, {true, 1000, 3001, 1000},
		{true, 0, 9000, 0},
	} {
		p := &program{given: map[string]bool{"draws": tt.given}}
		assert.Equal(t, tt.want, p.drawsFor(&drawFlags{draws: tt.draws}, tt.rated), "%+v", tt)
	}
}
