package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/heuristics/satisfaction"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// orders returns rated dialogues about orders. Only its number reveals how well an order went, 0 to
// 4, which a model may use and the rules cannot; worth is how much people care about it.
func orders(n int, worth float64) string {
	chance := rand.New(rand.NewPCG(4, 3))
	var b strings.Builder
	for i := range n {
		rating := 3.2 + 0.15*chance.NormFloat64() + worth*float64(went(i)-2)
		said := fmt.Sprintf("The number is %d, for %c%c.", i, 'a'+i/10, 'a'+i%10)
		if chance.IntN(2) == 0 {
			rating, said = rating-0.6, "No, that is wrong. "+said
		}
		rating = min(max(rating, 1), 5)
		fmt.Fprintf(&b,
			"USER\tI have a question.\t\t\nSYSTEM\tIs it about order %d?\t\t\nUSER\t%s\t\t\nUSER\tOVERALL\t\t%.1f,%.1f\n\n", i, said, rating, rating)
	}
	return b.String()
}

func went(order int) int { return order * 7 % 5 }

var orderNumber = regexp.MustCompile(`order (\d+)`)

// knowing answers like a model that recognises how an order went.
func knowing(r fakeollama.Request) string {
	if m := orderNumber.FindStringSubmatch(r.User); m != nil {
		order, _ := strconv.Atoi(m[1])
		return fmt.Sprintf("%.1f", float64(rubric.Scale[went(order)])/100)
	}
	return fakeollama.Valid(r)
}

// scoredBy scores orders with a server's model into a run, and returns its path.
func scoredBy(t *testing.T, s *fakeollama.Server, in string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	_, stderr, code := call(t, strings.NewReader(in),
		bySide(s, append(args, "-", "--input-format", "uss", "--critic", "rules", "-o",
			path)...)...)
	require.Equal(t, console.Fine, code, stderr)
	return path
}

// recordsOf reads a run, whose records must all be valid.
func recordsOf(t *testing.T, path string) (list []*run.Record) {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	for line, err := range run.Read(file, path) {
		require.NoError(t, err)
		r, err := line.Decode()
		require.NoError(t, err)
		list = append(list, r)
	}
	return list
}

// fitted learns a profile from runs, and returns the printed account with single spaces.
func fitted(t *testing.T, runs ...string) (profile satisfaction.Profile, path, account,
	stderr string,
) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "profile.json")
	account, stderr, code := call(t, nil, append([]string{"fit", "-o", path}, runs...)...)
	require.Equal(t, console.Fine, code, stderr)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	profile, err = satisfaction.ParseProfile(path, data)
	require.NoError(t, err)
	return profile, path, strings.Join(strings.Fields(account), " "), stderr
}

// estimated returns a profile's estimate for a record, and does not change the record.
func estimated(r *run.Record, p satisfaction.Profile) satisfaction.Estimate {
	rated := *r
	rated.Rate(p)
	return rated.Estimate
}

func TestAModelIsWeighed(t *testing.T) {
	s := serve(t)
	s.Answer(knowing)
	in := orders(80, 0.3)
	profile, path, account, _ := fitted(t, scoredBy(t, s, in))
	require.NotNil(t, profile.Model)
	assert.Equal(t, "tiny:latest", profile.Model.Name)
	assert.Equal(t, fakeollama.Tiny().Digest, profile.Model.Digest)
	var sum float64
	for _, s := range profile.Model.Scores {
		sum += s.Weight.Float()
	}
	assert.InDelta(t, 0.3/20, sum, 0.003, "a level of 20 points is worth .3")
	assert.Contains(t, account, "The profile ranks unseen dialogues better than the rules (")
	assert.Contains(t, account, "the answers of tiny:latest to the rules' estimate")

	alone := profile
	alone.Model = nil
	weighed := scoredBy(t, s, in, "--profile", path)
	differ := 0
	for _, r := range recordsOf(t, weighed) {
		assert.Equal(t, estimated(r, profile), r.Estimate)
		if r.Satisfaction != estimated(r, alone).Satisfaction {
			differ++
		}
	}
	assert.Greater(t, differ, 50, "all but those at the centre")
	stdout, _, code := call(t, nil, "replay", weighed)
	assert.Equal(t, console.Fine, code, stdout)

	data, err := os.ReadFile(weighed)
	require.NoError(t, err)
	at := regexp.MustCompile(`"satisfaction":\d\.\d\d`).FindIndex(data)
	edited := append(append(bytes.Clone(data[:at[0]]), `"satisfaction":1.23`...), data[at[1]:]...)
	stdout, _, code = call(t, bytes.NewReader(edited), "replay", "-")
	assert.Equal(t, console.No, code)
	assert.Contains(t, stdout, "/satisfaction is 1.23")
}

// A model whose answers are unrelated to the ratings gets hardly any weight.
func TestAModelThatAddsNothing(t *testing.T) {
	s := serve(t)
	s.Answer(knowing)
	profile, _, account, _ := fitted(t, scoredBy(t, s, orders(80, 0)))
	for name, score := range profile.Model.Scores {
		assert.InDelta(t, 0, 20*score.Weight.Float(), 0.01, "%s: rating per level", name)
	}
	assert.NotContains(t, account, "The profile ranks unseen dialogues better than the rules")
}

// A weight applies only to the model it was learnt for, and only as the Evaluator.
func TestAWeightIsOfOneModel(t *testing.T) {
	other := fakeollama.Tiny()
	other.Name, other.Digest = "other:latest", strings.Repeat("fe", 32)
	s := serve(t, fakeollama.Tiny(), other)
	s.Answer(knowing)
	profile, path, _, _ := fitted(t, scoredBy(t, s, orders(80, 0.3)))
	require.NotNil(t, profile.Model.Scores)
	said := "assize: the profile has weights for the answers of tiny:latest, "
	alone := filepath.Join(t.TempDir(), "alone.json")
	require.NoError(t, os.WriteFile(alone, profile.WithoutModel().File(), 0o666))

	out := filepath.Join(t.TempDir(), "run.jsonl")
	_, stderr, code := call(t, nil, "score", parcel, "--model", "other", "--ollama", s.URL,
		"--profile", path, "-o", out)
	assert.Equal(t, console.Fine, code)
	assert.Equal(t, 1, strings.Count(stderr, said), stderr)
	assert.Contains(t, stderr, said+"sha256:"+fakeollama.Tiny().Digest[:12]+
		"…, but the model is other:latest, sha256:fefefefefefe…; "+
		"satisfaction is estimated with that model's average answers\n")
	assert.Nil(t, headerOf(t, out).Basis.Profile.Model)
	for _, r := range recordsOf(t, out) {
		assert.Equal(t, estimated(r, profile.WithoutModel()), r.Estimate)
	}
	stdout, _, code := call(t, nil, "replay", out)
	assert.Equal(t, console.Fine, code, stdout)

	got, stderr, code := call(t, nil, "score", parcel, "--profile", path, "--format", "csv")
	assert.Equal(t, console.Fine, code)
	assert.Contains(t, stderr, said+"sha256:"+fakeollama.Tiny().Digest[:12]+
		"…, but the rules judge alone; "+
		"satisfaction is estimated with that model's average answers\n")
	without, stderr, _ := call(t, nil, "score", parcel, "--profile", alone, "--format", "csv")
	assert.NotContains(t, stderr, "satisfaction")
	assert.Equal(t, without, got)

	_, stderr, code = call(t, nil, "triage", parcel, "--profile", path)
	assert.Equal(t, console.Fine, code)
	assert.Contains(t, stderr, said)
	cascade := []string{"triage", both[0], both[1], "--profile", path, "--budget", "1", "--ollama",
		s.URL, "--model"}
	_, stderr, code = call(t, nil, append(cascade, "tiny")...)
	assert.Equal(t, console.Fine, code)
	assert.NotContains(t, stderr, said)
	_, stderr, code = call(t, nil, append(cascade, "other")...)
	assert.Equal(t, console.Fine, code)
	assert.Contains(t, stderr, said)
}

// An unidentified or mixed model is not weighed, and that is reported.
func TestWhoCannotBeWeighed(t *testing.T) {
	other := fakeollama.Tiny()
	other.Name, other.Digest = "other:latest", strings.Repeat("fe", 32)
	s := serve(t, fakeollama.Tiny(), other)
	s.Answer(knowing)
	in := orders(60, 0.3)
	run := scoredBy(t, s, in)
	profile, _, account, stderr := fitted(t, run, scoredBy(t, s, in, "--model", "other"))
	assert.Nil(t, profile.Model)
	assert.Contains(t, stderr,
		"assize: no model is weighed: the runs were judged by tiny:latest and by other:latest; want runs of one model\n")
	assert.NotContains(t, account, "The answers of")

	profile, _, _, stderr = fitted(t, ratedRun(t, 20))
	assert.Nil(t, profile.Model)
	assert.Empty(t, stderr)
}
