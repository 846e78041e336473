package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
)

// ratedRun scores n made-up dialogues. Their raters penalise a plain no more, and reward praise
// less, than the lexicon does.
func ratedRun(t *testing.T, n int) string {
	t.Helper()
	chance := rand.New(rand.NewPCG(4, 2))
	var b strings.Builder
	for i := range n {
		rating := 3.4 + 0.2*chance.NormFloat64()
		said := fmt.Sprintf("The number is %d.", i)
		if chance.IntN(2) == 0 {
			rating, said = rating-1.4, "No, that is it. "+said
		}
		if chance.IntN(2) == 0 {
			rating, said = rating+0.1, said+" That sounds good."
		}
		fmt.Fprintf(&b,
			"USER\tI have a question.\t\t\nSYSTEM\tIs it about order %d?\t\t\nUSER\t%s\t\t\nUSER\tOVERALL\t\t%.1f,%.1f\n\n", i, said, rating, rating)
	}
	run, stderr, code := call(t, strings.NewReader(b.String()), "score", "-", "--input-format",
		"uss", "--format", "jsonl")
	require.Zero(t, code, stderr)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(run), 0o644))
	return path
}

// A profile applies only to the lexicon that it was learnt with.
func TestFitRefusesAnotherLexicon(t *testing.T) {
	data, err := os.ReadFile(ratedRun(t, 20))
	require.NoError(t, err)
	header, rest, _ := bytes.Cut(data, []byte("\n"))
	h, err := run.ParseHeader(header)
	require.NoError(t, err)
	h.Lexicon = strings.Repeat("ab", 32)
	changed := append(append(h.Append(nil), '\n'), rest...)
	_, stderr, code := call(t, bytes.NewReader(changed), "fit", "-")
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr,
		"a run was scored with the lexicon abababababab…, and this program has ")
	assert.Contains(t, stderr, "hint: score the dialogues again with this program")
}

// A record that was changed is reported and left out, and the others still yield a profile.
func TestFitTellsOfAChangedRun(t *testing.T) {
	data, err := os.ReadFile(ratedRun(t, 20))
	require.NoError(t, err)
	edited := bytes.Replace(data, []byte(`"satisfaction":3`), []byte(`"satisfaction":4`), 1)
	require.NotEqual(t, data, edited)
	path := filepath.Join(t.TempDir(), "profile.json")
	stdout, stderr, code := call(t, bytes.NewReader(edited), "fit", "-", "-o", path)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "the closing line does not match the lines above it")
	assert.Contains(t, stdout, "Profile learnt from 19 rated dialogues")
}

// Hostile text in a file of ratings does not reach a terminal unescaped.
func TestFitShowsHostileTextHarmless(t *testing.T) {
	run := ratedRun(t, 12)
	for _, table := range []string{
		"dialogue_id,rater,rating\n1,\x1b[31mann,nine\n",
		"dialogue_id,rater,rating\n\x1b]0;owned\a,ann,3\n",
		"dialogue_id,rater,rating,criterion\n1,ann,3,\u202eTask\n",
		strings.Repeat("x", 1<<20),
		"dialogue_id,rater,rating\n1,ann,1e999\n",
		"",
	} {
		path := filepath.Join(t.TempDir(), "ratings.csv")
		require.NoError(t, os.WriteFile(path, []byte(table), 0o644))
		stdout, stderr, code := call(t, nil, "fit", run, "--ratings", path)
		assert.Equal(t, console.Bad, code, "%.40q", table)
		assert.Empty(t, stdout)
		assert.NotContains(t, stderr, "\x1b")
		assert.NotContains(t, stderr, "\u202e")
		assert.NotEmpty(t, stderr)
	}
}
