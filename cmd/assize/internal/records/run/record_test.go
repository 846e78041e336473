package run_test

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
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// judged returns a record of every dialogue under testdata/transcripts, of mended.txt, to which the
// Critic objects, and of one that cannot be judged.
func judged(t testing.TB) []*run.Record {
	agents := heuristics.New()
	rub := rubric.Default()
	panel := rubric.Panel{Rubric: rub, Observe: agents.Observe, Evaluator: agents.Evaluator(rub),
		Critic: agents.Critic(rub)}
	var records []*run.Record
	for sample := range samples(t) {
		r := run.New(sample)
		e, err := panel.Judge(t.Context(), sample.Dialogue)
		if unscored := (*rubric.Unscored)(nil); errors.As(err, &unscored) {
			r.Reason = unscored.Reason
		} else {
			require.NoError(t, err)
			r.Evaluation = e
			r.Estimate = satisfaction.DefaultProfile().Estimate(e)
		}
		records = append(records, r)
	}
	return records
}

func samples(t testing.TB) iter.Seq[dialogue.Sample] {
	files, err := filepath.Glob("../../../../../testdata/transcripts/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	files = append(files, "../../../../../testdata/mended.txt")
	return func(yield func(dialogue.Sample) bool) {
		for _, name := range files {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			for sample, err := range importer.Read(bytes.NewReader(data), filepath.Base(name),
				importer.Options{}) {
				if err == nil && !yield(sample) { // files that need a flag to be read are skipped
					return
				}
			}
		}
		for sample, err := range importer.Read(
			strings.NewReader("USER: Hello?\nUSER: Is anybody there?\n"), "silence.txt",
			importer.Options{}) {
			require.NoError(t, err)
			yield(sample)
		}
	}
}

// keys returns the keys of a JSON object in order.
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
		line := r.Append(nil)
		got, err := below(line).Decode()
		require.NoError(t, err, "%s", line)
		assert.Equal(t, string(line), string(got.Append(nil)))
		assert.Equal(t, r.Source, got.Source)
		assert.Equal(t, r.Scored(), got.Scored())
		if r.Scored() {
			scored++
		} else {
			unscored++
		}
	}
	assert.NotZero(t, scored)
	assert.NotZero(t, unscored)
}

func TestMetadata(t *testing.T) {
	r := judged(t)[0]
	r.Source.Meta = nil
	without := string(r.Append(nil))
	assert.NotContains(t, without, `"meta"`, "a record without has the bytes that it always had")
	r.Source.Meta = dialogue.NewMeta([]dialogue.Field{{Name: "queue", Value: "a \"b\"\x1b"},
		{Name: "Agent\n", Value: "Ann"}})
	line := string(r.Append(nil))
	const meta = `,"meta":{"Agent":"Ann","queue":"a \"b\"\u001b"}`
	assert.Equal(t, without, strings.Replace(line, meta, "", 1))
	got, err := below([]byte(line)).Decode()
	require.NoError(t, err)
	assert.Equal(t, r.Source.Meta, got.Source.Meta)
	_, err = below([]byte(strings.Replace(line, meta, `,"meta":{"queue":3}`, 1))).Decode()
	assert.ErrorContains(t, err, "/source/meta/queue is not a string")
}

// scored returns the line of a record in which the Critic objects.
func scored(t testing.TB) string {
	for _, r := range judged(t) {
		if line := string(r.Append(nil)); strings.Contains(line, `"kind":"contradicts"`) {
			return line
		}
	}
	require.FailNow(t, "the Critic objects to nothing")
	return ""
}

// Anything that does not belong in a record is ignored, so the line no longer follows from its
// evidence.
func TestSettleFindsWhatIsNoPartOfARecord(t *testing.T) {
	line := scored(t)
	for _, tt := range []struct{ reason, old, new string }{
		{"a seventh answer", `"critic":\[`, `"critic":[{},`},
		{"an unknown kind", `"kind":"contradicts"`, `"kind":"hunch"`},
		{"a suggestion that is no score", `"suggested":[0-9]+`, `"suggested":0`},
		{"an unknown speaker", `"role":"USER"`, `"role":"BOSS"`},
		{"more quotes than turns", `"quotes":\["`, `"quotes":["again","`},
		{"a criterion out of its place", `"evaluator":\[{"criterion":"TaskSuccess"`,
			`"evaluator":[{"criterion":"Fluency"`},
		{"a seventh objection", `"critic":\[({"criterion":"[A-Za-z]+","by"[^}]*})`,
			`"critic":[$1,$1,$1,$1,$1,$1,$1`},
		{"more quotes than anybody gives", `"turns":\[[0-9]+\],"quotes":\["[^\]]*\]`, `"turns":[` +
			strings.Repeat("1,", 200) + `1],"quotes":[` + strings.Repeat(`"a",`, 200) + `"a"]`},
		{"no panel", `"panel":{"evaluator":\[`, `"panel":{"none":[`},
		{"an average of nothing", `("referee_final".*?"numeric_weighted_average"):[0-9.]+`, `$1:7`},
		{"an overall of nothing", `"OverallExperience":[0-9]+`, `"OverallExperience":7`},
		{"a final score off the scale", `("referee_final".*?"Empathy":{"score"):[0-9]+`, `$1:7`},
		{"objections to nothing", `"critic":\[{"criterion":"TaskSuccess","agree".*?}\]`,
			`"critic":[]`},
	} {
		edited := regexp.MustCompile(tt.old).ReplaceAllString(line, tt.new)
		require.False(t, line == edited, "nothing was edited")
		r, err := below([]byte(edited)).Recompute("bb")
		require.NoError(t, err, tt.reason)
		assert.False(t, edited == string(r.Append(nil)), tt.reason)
		_, err = below([]byte(edited)).Decode()
		assert.NoError(t, err, tt.reason)
	}
	r, err := below([]byte(line)).Recompute("bb")
	require.NoError(t, err)
	assert.Equal(t, line, string(r.Append(nil)))
}

func TestDecodeRefuses(t *testing.T) {
	line := scored(t)
	for _, tt := range []struct{ reason, old, new, want string }{
		{"no JSON", `^{`, ``, "the line is not an object"},
		{"a list", `^.*$`, `[]`, "the line is not an object"},
		{"half a line", `"status":.*`, `"status":"sco`,
			"/status ends here; want a complete line"},
		{"a line without its end", `}$`, ``, "the line ends here"},
		{"no comma", `,"status":`, `"status":`,
			"the line is not valid JSON: invalid character"},
		{"no whole record", `"panel":`, `"panels":`, "the line is an incomplete record: it lacks"},
		{"a level of nothing", `"signals":`, `"level":7,"signals":`, "/level is 7; want 1 to 5"},
		{"a satisfaction of nothing", `"satisfaction":[0-9.]+`, `"satisfaction":7`,
			"/satisfaction is 7.00; want 1.00 to 5.00"},
		{"a signal beyond the last turn", `("signals":\[{[^}]*"turn"):[0-9]+`, `$1:70`,
			"/signals/0 is at 70 about 0; want turns of the dialogue, in their order"},
		{"a signal about a later turn", `("signals":\[{[^}]*"turn"):[0-9]+`, `$1:1,"about":13`,
			"/signals/0 is at 1 about 13; want turns of the dialogue"},
		{"a signal that ends before it begins", `"signals":\[`,
			`"signals":[{"id":"a","turn":1,"start":3,"end":2},`,
			"/signals/0 is at 1 about 0; want turns of the dialogue"},
		{"signals out of order", `"signals":\[`, `"signals":[{"id":"a","turn":12},`,
			"/signals/1 is at 1 about 0; want turns of the dialogue, in their order"},
		{"a claim before the first turn", `}$`,
			`,"claims":[{"turn":0,"text":"x","state":"proven"}]}`, `/claims/0 is "proven" at 0; want ` +
				"a state of a claim, at a turn of the dialogue"},
		{"a claim that is proven later", `}$`,
			`,"claims":[{"turn":2,"text":"x","state":"proven","proof":13}]}`,
			`/claims/0 is "proven" at 2; want a state of a claim`},
		{"a claim of no state", `}$`,
			`,"claims":[{"turn":2,"text":"x","state":"proven"},{"turn":2,"text":"x","state":"odd"}]}`,
			`/claims/1 is "odd" at 2; want a state of a claim`},
		{"an unknown status", `"status":"scored"`, `"status":"fine"`,
			`/status is "fine"; want scored or unscored`},
		{"no status", `"status":"scored",`, ``, "the line is not a record"},
		{"a score off the scale", `"TaskSuccess":{"score":[0-9]+`, `"TaskSuccess":{"score":70`,
			"the line cannot be recomputed: evaluator: TaskSuccess has the score 70; want 20, 40, 60, 80 " +
				"or 100"},
		{"a score too large for any", `"TaskSuccess":{"score":[0-9]+`, `"TaskSuccess":{"score":336`,
			"/evaluator/TaskSuccess/score cannot be read: value out of range"},
		{"a score that is none", `"TaskSuccess":{"score":[0-9]+`, `"TaskSuccess":{"score":"80"`,
			"/evaluator/TaskSuccess/score is not a number"},
		{"a criterion left out", `^(.*?)"TaskSuccess":`, `$1"Beauty":`,
			"evaluator: TaskSuccess is not scored; want"},
		{"a number in words", `"points":[0-9.-]+`, `"points":"much"`,
			"/points cannot be read: "},
		{"a rating that is none", `}$`, `,"truth":{"overall":[NaN]}}`,
			"/truth/overall/0 is not valid JSON"},
		{"fewer labels than turns", `}$`, `,"truth":{"labels":["greets"]}}`,
			"/truth/labels is a list of 1; want one of 12, a turn each"},
		{"fewer ratings than turns", `}$`, `,"truth":{"turns":[[1]]}}`,
			"/truth/turns is a list of 1; want one of 12, a turn each"},
		{"more turns than memory", `"turns":[0-9]+(,"digest")`, `"turns":99999999$1`,
			"/turns is a list of 12; want one of 99999999"},
		{"an unknown criterion", `"evaluator":\[{"criterion":"TaskSuccess"`,
			`"evaluator":[{"criterion":"Beauty"`,
			`/panel/evaluator/0/criterion cannot be read: unknown criterion "Beauty"; want one of`},
		{"a long name", `"evaluator":\[{"criterion":"TaskSuccess"`, `"evaluator":[{"criterion":"` +
			strings.Repeat("Beauty", 1000) + `"`, "…"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			edited := regexp.MustCompile(tt.old).ReplaceAllString(line, tt.new)
			require.False(t, line == edited, "nothing was edited")
			l := below([]byte(edited))
			l.File, l.Number = "run.jsonl", 7
			_, err := l.Decode()
			assert.ErrorContains(t, err, tt.want)
			assert.ErrorContains(t, err, "run.jsonl:7: ")
		})
	}
}

// below returns a line below the header of the tests.
func below(text []byte) run.Line { return run.Line{Text: text, Header: known()} }

var known = sync.OnceValue(func() *run.Header {
	h := header()
	return &h
})

func header() run.Header {
	return run.Header{
		Program: "v1.2.3",
		Configuration: run.Configuration{
			Evaluator: "rules", Critic: "rules", Mapping: "down", Roles: map[string]string{"Bot": "SYSTEM", "Ann": "USER"},
		},
		Lexicon: "bb",
		Basis:   run.DefaultBasis(),
	}
}

func TestHeader(t *testing.T) {
	h := header()
	line := string(h.Append(nil))
	assert.True(t,
		strings.HasPrefix(line,
			`{"assize_run":4,"program":"v1.2.3","configuration":{"evaluator":"rules","critic":"rules","mapping":"down",`+
				`"roles":{"Ann":"USER","Bot":"SYSTEM"},"redacted":false},"provenance":{"rubric":"`+rubric.Default().Digest()+`","lexicon":"bb",`), line)

	got, err := run.ParseHeader([]byte(line))
	require.NoError(t, err)
	assert.Equal(t, line, string(got.Append(nil)))
	assert.Equal(t, h.Fingerprint(), got.Fingerprint())
	assert.Contains(t, line, h.Fingerprint())

	_, err = run.ParseHeader(judged(t)[0].Append(nil))
	assert.EqualError(t, err,
		"not a run: it has no header; want what assize score -o run.jsonl writes, with its first line")

	for in, want := range map[string]string{
		"plain text":                          "not a run",
		`{"assize_run":9}`:                    "version 9; want 4",
		`{"assize_run":4,"colour":"green"}`:   `unknown field "colour"`,
		`{"assize_run":4,"configuration":[]}`: "the run's header",
		`{"assize_run":4}`:                    "the run's header",
	} {
		_, err := run.ParseHeader([]byte(in))
		assert.ErrorContains(t, err, want, in)
	}
}

// Detecting edits of a header is left to the closing line and to replay, but a header must be
// usable.
func TestAHeaderThatNobodyCanGoBy(t *testing.T) {
	h := header()
	line := string(h.Append(nil))
	for _, tt := range []struct{ reason, old, new, want string }{
		{"no rubric", `"TaskSuccess":40`, `"TaskSuccess":41`, "/rubric cannot be read: rubric:1:"},
		{"no profile", `"input":"reactions"`, `"input":"guesses"`,
			"/profile cannot be read: profile: input is"},
	} {
		require.Contains(t, line, tt.old, tt.reason)
		_, err := run.ParseHeader([]byte(strings.Replace(line, tt.old, tt.new, 1)))
		assert.ErrorContains(t, err, tt.want, tt.reason)
	}
}

func TestLines(t *testing.T) {
	h := header()
	other := h
	other.Basis.Profile.Line = &satisfaction.Line{Intercept: 4_000_000, Slope: 100_000}
	all := judged(t)
	var file bytes.Buffer
	write := func(text []byte) { file.Write(append(text, '\n')) }
	write(h.Append(nil))
	write(all[0].Append(nil))
	write([]byte(`{"dialogue_id":`))
	write(nil)
	write(other.Append(nil))
	again := *all[0]
	again.Estimate = other.Basis.Profile.Estimate(again.Evaluation)
	write(again.Append(nil))
	file.Write(all[0].Append(nil)) // with the other header's profile, and without a newline

	var numbers []int
	var errs []string
	unfinished := 0
	for line, err := range run.Read(&file, "run.jsonl") {
		if errors.As(err, new(*run.Unfinished)) {
			unfinished++
			continue
		}
		require.NoError(t, err)
		numbers = append(numbers, line.Number)
		if _, err := line.Decode(); err != nil {
			errs = append(errs, err.Error())
		}
	}
	assert.Equal(t, []int{2, 3, 6, 7}, numbers)
	assert.Equal(t, 2, unfinished, "neither of the two runs has a closing line")
	require.Len(t, errs, 1)
	assert.Regexp(t, `^run\.jsonl:3: /dialogue_id ends here; want a complete line$`, errs[0])

	for text, want := range map[string]string{
		"USER: hello\n":           "run.jsonl:1: not a run",
		`{"assize_run":4}` + "\n": "run.jsonl:1: the run's header",
	} {
		for _, err := range run.Read(strings.NewReader(text), "run.jsonl") {
			assert.ErrorContains(t, err, want)
		}
	}
	for range run.Read(strings.NewReader(""), "empty.jsonl") {
		t.Error("an empty file has no lines")
	}
}

func TestScan(t *testing.T) {
	var numbers []int
	var torn []bool
	for line, err := range run.Scan(strings.NewReader("{}\n\n \t\nplain\n{\"assize_run\":"),
		"run.jsonl") {
		require.NoError(t, err)
		numbers, torn = append(numbers, line.Number), append(torn, line.Torn)
	}
	assert.Equal(t, []int{1, 2, 3, 4, 5}, numbers)
	assert.Equal(t, []bool{false, false, false, false, true}, torn, "nothing ends the last line")
}

// For any input, a line is rejected or yields a record that can be written, read and shown.
func FuzzDecode(f *testing.F) {
	for _, r := range append(judged(f), benched(f, judged(f))...) {
		f.Add(r.Append(nil))
	}
	f.Add([]byte(`{"dialogue_id":1,"source":{"file":"","format":"","turns":0,"digest":""},"status":"unscored","reason":"","turns":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		line := below(text)
		r, err := line.Decode()
		if err != nil {
			assert.Nil(t, r)
			return
		}
		r.Row(7)
		shown(r)
		_, err = below(r.Append(nil)).Decode()
		require.NoError(t, err)
	})
}

// shown calls the methods of a record that its readers use.
func shown(r *run.Record) {
	r.Name()
	r.Identity()
	r.Remarks()
	if r.Scored() {
		r.Evaluation.AppendDebate(nil)
		r.Evaluation.AppendSingle(nil)
		r.Evaluation.Audit()
		r.Rate(satisfaction.DefaultProfile())
		for i := range r.Evaluation.Final {
			r.Evaluation.Final[i].Sentence(r.Dialogue)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	records := judged(b)
	var buf []byte
	for i := 0; b.Loop(); i++ {
		buf = records[i%len(records)].Append(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDecode(b *testing.B) {
	var lines []run.Line
	for _, r := range judged(b) {
		h := header()
		lines = append(lines, run.Line{Text: r.Append(nil), Header: &h})
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := lines[i%len(lines)].Decode(); err != nil {
			b.Fatal(err)
		}
	}
}
