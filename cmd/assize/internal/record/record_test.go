package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/record"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// judged gives a record of every dialogue under testdata/transcripts, and of one that cannot be judged.
func judged(t testing.TB) []*record.Record {
	agents, err := heuristics.New()
	require.NoError(t, err)
	rub := rubric.Default()
	panel := rubric.Panel{Rubric: rub, Observe: agents.Observe, Evaluator: agents.Evaluator(), Critic: agents.Critic(rub)}
	var records []*record.Record
	for sample := range samples(t) {
		r := record.New(sample)
		e, err := panel.Judge(t.Context(), sample.Dialogue)
		if unscored := (*rubric.Unscored)(nil); errors.As(err, &unscored) {
			r.Reason = unscored.Reason
		} else {
			require.NoError(t, err)
			r.Evaluation = e
			r.Satisfaction = agents.Satisfaction(rubric.Case{Dialogue: e.Dialogue, Signals: e.Signals})
		}
		records = append(records, r)
	}
	return records
}

func samples(t testing.TB) iter.Seq[dialogue.Sample] {
	files, err := filepath.Glob("../../../../testdata/transcripts/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return func(yield func(dialogue.Sample) bool) {
		for _, name := range files {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			for sample, err := range dialogue.Read(bytes.NewReader(data), filepath.Base(name), dialogue.Options{}) {
				if err == nil && !yield(sample) { // a file that needs a flag to be read is left out
					return
				}
			}
		}
		for sample, err := range dialogue.Read(strings.NewReader("USER: Hello?\nUSER: Is anybody there?\n"), "silence.txt", dialogue.Options{}) {
			require.NoError(t, err)
			yield(sample)
		}
	}
}

// keys lists the keys of a JSON object in their order.
func keys(t *testing.T, line []byte) []string {
	dec := json.NewDecoder(bytes.NewReader(line))
	_, err := dec.Token()
	require.NoError(t, err)
	var names []string
	for dec.More() {
		key, err := dec.Token()
		require.NoError(t, err)
		names = append(names, key.(string))
		var skip json.RawMessage
		require.NoError(t, dec.Decode(&skip))
	}
	return names
}

func TestKeysStandInTheOrderOfTheDesign(t *testing.T) {
	want := []string{"dialogue_id", "evaluator", "critic", "referee_final", "audit",
		"source", "status", "satisfaction", "signals", "panel", "turns"}
	rated := 0
	for _, r := range judged(t) {
		line := r.Append(nil)
		require.True(t, json.Valid(line), "%s", line)
		order := want
		if !r.Scored() {
			order = []string{"dialogue_id", "source", "status", "reason", "turns"}
		}
		if !r.Truth.Empty() {
			order = append(slices.Clone(order), "truth")
			rated++
		}
		assert.Equal(t, order, keys(t, line))
	}
	assert.NotZero(t, rated, "no transcript of the tests has ratings")
}

func TestALineBeginsWithTheDocumentOfTheProtocol(t *testing.T) {
	for _, r := range judged(t) {
		if !r.Scored() {
			continue
		}
		doc := r.Evaluation.AppendDebate(nil)
		assert.True(t, bytes.HasPrefix(r.Append(nil), doc[:len(doc)-1]))
	}
}

func TestDecodeIsTheInverseOfAppend(t *testing.T) {
	scored, unscored := 0, 0
	for _, r := range judged(t) {
		for _, r.CitedOnly = range []bool{false, true} {
			line := r.Append(nil)
			got, err := record.Decode(line, rubric.Default())
			require.NoError(t, err, "%s", line)
			assert.Equal(t, string(line), string(got.Append(nil)))
			assert.Equal(t, r.Source, got.Source)
			assert.Equal(t, r.Scored(), got.Scored())
		}
		if r.Scored() {
			scored++
		} else {
			unscored++
		}
	}
	assert.NotZero(t, scored)
	assert.NotZero(t, unscored)
}

func TestCitedOnlyKeepsWhatIsNamedAndNothingElse(t *testing.T) {
	d := dialogue.Dialogue{ID: 4, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "Hello"}, {Role: dialogue.System, Text: "Good day"},
		{Role: dialogue.User, Text: "My secret is 42"}, {Role: dialogue.User, Text: "Bye"},
	}}
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: 80, Claim: "the SYSTEM greets", Quotes: []rubric.Quote{{Turn: 2, Text: "Good day"}}}
	}
	signals := []rubric.Signal{{ID: "reaction-thanks", Turn: 4, Points: 100}}
	e, err := rubric.Default().Settle(rubric.Case{Dialogue: d, Signals: signals}, card, rubric.Critique{})
	require.NoError(t, err)
	r := record.New(dialogue.Sample{Dialogue: d, Source: dialogue.Source{File: "a.txt", Format: dialogue.Plain}})
	r.Evaluation, r.CitedOnly = e, true
	line := string(r.Append(nil))
	assert.Contains(t, line, `"turns":[{"turn":2,"role":"SYSTEM","text":"Good day"},{"turn":4,"role":"USER","text":"Bye"}]`)
	assert.NotContains(t, line, "secret")
	assert.Contains(t, line, d.Digest(), "the digest is of the whole dialogue")
}

func TestDecodeRefuses(t *testing.T) {
	var line string
	for _, r := range judged(t) {
		if r.Scored() {
			line = string(r.Append(nil))
			break
		}
	}
	rub := rubric.Default()
	for _, tt := range []struct{ reason, old, new, want string }{
		{"no JSON", `^{`, ``, "not a record"},
		{"a key that nobody writes", `"status":`, `"mood":"good","status":`, `unknown field "mood"`},
		{"an unknown status", `"status":"scored"`, `"status":"fine"`, "want scored or unscored"},
		{"an edited score", `"OverallExperience":[0-9]+`, `"OverallExperience":20`, "does not follow from its evidence"},
		{"an edited justification", `"justification":"T`, `"justification":"t`, "does not follow from its evidence"},
		{"an unknown speaker", `"role":"USER"`, `"role":"BOSS"`, "does not follow from its evidence"},
		{"more turns than memory", `"turns":[0-9]+,"digest"`, `"turns":99999999,"digest"`, "source.turns is 99999999"},
		{"more quotes than turns", `"quotes":\["`, `"quotes":["again","`, "want as many"},
		{"an unknown criterion", `"evaluator":\[{"criterion":"TaskSuccess"`, `"evaluator":[{"criterion":"Beauty"`, "unknown criterion"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			edited := regexp.MustCompile(tt.old).ReplaceAllString(line, tt.new)
			require.NotEqual(t, line, edited)
			_, err := record.Decode([]byte(edited), rub)
			assert.ErrorContains(t, err, tt.want)
		})
	}
	rub.Weights = [rubric.NumCriteria]int{10, 10, 10, 10, 10, 50}
	_, err := record.Decode([]byte(line), rub)
	assert.ErrorContains(t, err, "the rubric", "another rubric than the run's")
}

func TestHeader(t *testing.T) {
	h := record.Header{
		Program: "v1.2.3",
		Configuration: record.Configuration{
			Evaluator: "rules", Critic: "rules", Mapping: "down", Transcript: "full",
			Roles: map[string]string{"Bot": "SYSTEM", "Ann": "USER"},
		},
		Provenance: record.Provenance{Rubric: "aa", Lexicon: "bb"},
	}
	line := h.Append(nil)
	assert.Equal(t, `{"assize_run":1,"program":"v1.2.3","configuration":{"evaluator":"rules","critic":"rules","mapping":"down",`+
		`"roles":{"Ann":"USER","Bot":"SYSTEM"},"transcript":"full","redacted":false},"provenance":{"rubric":"aa","lexicon":"bb"}}`, string(line))

	got, ok, err := record.ParseHeader(line)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, string(line), string(got.Append(nil)))

	_, ok, err = record.ParseHeader(judged(t)[0].Append(nil))
	assert.NoError(t, err, "a run may lack its header")
	assert.False(t, ok)

	for in, want := range map[string]string{
		"plain text":                          "not a run",
		`{"assize_run":9}`:                    "version 9; want 1",
		`{"assize_run":1,"colour":"green"}`:   `unknown field "colour"`,
		`{"assize_run":1,"configuration":[]}`: "the run's header",
	} {
		_, _, err := record.ParseHeader([]byte(in))
		assert.ErrorContains(t, err, want, in)
	}
}

func FuzzDecode(f *testing.F) {
	for _, r := range judged(f) {
		f.Add(r.Append(nil))
	}
	f.Add([]byte(`{"dialogue_id":1,"source":{"file":"","format":"","turns":0,"digest":""},"status":"unscored","reason":"","turns":[]}`))
	rub := rubric.Default()
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := record.Decode(line, rub)
		if err != nil {
			assert.Nil(t, r)
			return
		}
		assert.Equal(t, string(line), string(r.Append(nil)))
	})
}

func BenchmarkAppend(b *testing.B) {
	records := judged(b)
	var buf []byte
	for i := 0; b.Loop(); i++ {
		buf = records[i%len(records)].Append(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}
