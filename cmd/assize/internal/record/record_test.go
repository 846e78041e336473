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
			r.Estimate = heuristics.DefaultProfile().Estimate(e)
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
			got, err := record.DefaultBasis().Decode(line)
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

func TestMetadata(t *testing.T) {
	r := judged(t)[0]
	r.Source.Meta = nil
	without := string(r.Append(nil))
	assert.NotContains(t, without, `"meta"`, "a record without has the bytes that it always had")
	r.Source.Meta = dialogue.NewMeta([]dialogue.Field{{Name: "queue", Value: "a \"b\"\x1b"}, {Name: "Agent\n", Value: "Ann"}})
	line := string(r.Append(nil))
	const meta = `,"meta":{"Agent":"Ann","queue":"a \"b\"\u001b"}`
	assert.Equal(t, without, strings.Replace(line, meta, "", 1))
	got, err := record.DefaultBasis().Decode([]byte(line))
	require.NoError(t, err)
	assert.Equal(t, r.Source.Meta, got.Source.Meta)
	for _, edited := range []string{
		`,"meta":{}`,
		`,"meta":{"queue":"b","Agent":"Ann"}`,
		`,"meta":{"queue":"b","queue":"c"}`,
		`,"meta":{"":"b"}`,
		`,"meta":{"queue":" b"}`,
		`,"meta":{"queue":"` + strings.Repeat("b", dialogue.MaxFieldValue+1) + `"}`,
	} {
		mismatch := (*record.Mismatch)(nil)
		_, err := record.DefaultBasis().Decode([]byte(strings.Replace(line, meta, edited, 1)))
		assert.ErrorAs(t, err, &mismatch, edited)
	}
	_, err = record.DefaultBasis().Decode([]byte(strings.Replace(line, meta, `,"meta":{"queue":3}`, 1)))
	assert.ErrorContains(t, err, "/source/meta/queue is not a string; want one")
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
	basis := record.DefaultBasis()
	for _, tt := range []struct{ reason, old, new, want string }{
		{"no JSON", `^{`, ``, "the line is not an object"},
		{"a list", `^.*$`, `[]`, "the line is not an object"},
		{"half a line", `"status":.*`, `"status":"sco`, "/status breaks off here; want a whole line"},
		{"a line without its end", `}$`, ``, "the line breaks off here"},
		{"no comma", `,"status":`, `"status":`, "the line is not written as JSON; want a comma or '}'"},
		{"a key that nobody writes", `"status":`, `"mood":"good","status":`, "does not follow from its evidence"},
		{"an unknown status", `"status":"scored"`, `"status":"fine"`, `/status is "fine"; want scored or unscored`},
		{"no status", `"status":"scored",`, ``, "want scored or unscored"},
		{"a score off the scale", `"TaskSuccess":{"score":[0-9]+`, `"TaskSuccess":{"score":70`, "/evaluator/TaskSuccess/score is 70; want 20, 40, 60, 80 or 100"},
		{"a score too large for any", `"TaskSuccess":{"score":[0-9]+`, `"TaskSuccess":{"score":336`, "/evaluator/TaskSuccess/score is 336"},
		{"a score that is none", `"TaskSuccess":{"score":[0-9]+`, `"TaskSuccess":{"score":"80"`, "/evaluator/TaskSuccess/score is not a whole number"},
		{"a criterion left out", `^(.*?)"TaskSuccess":`, `$1"Beauty":`, "/evaluator/TaskSuccess has no score"},
		{"a seventh answer", `"critic":\[`, `"critic":[{},`, "/critic/6 is one too many"},
		{"a number in words", `"points":[0-9.-]+`, `"points":"much"`, "/signals/0/points is not a number with two decimals"},
		{"a rating that is none", `}$`, `,"truth":{"overall":[NaN]}}`, "/truth/overall/0 is not a number; want one"},
		{"fewer labels than turns", `}$`, `,"truth":{"labels":["greets"]}}`, "/truth/labels has 1 items; want one for each"},
		{"fewer ratings than turns", `}$`, `,"truth":{"turns":[[1]]}}`, "/truth/turns has 1 items; want one for each"},
		{"an unknown kind", `"kind":"contradicts"`, `"kind":"hunch"`, `/panel/critic/0/kind is "hunch"; want contradicts or missing-evidence`},
		{"a suggestion that is no score", `"suggested":[0-9]+`, `"suggested":0`, "/panel/critic/0/suggested is 0; want a score"},
		{"an edited score", `"OverallExperience":[0-9]+`, `"OverallExperience":20`, "does not follow from its evidence"},
		{"an edited justification", `"justification":"T`, `"justification":"t`, "does not follow from its evidence"},
		{"an unknown speaker", `"role":"USER"`, `"role":"BOSS"`, `/role is "BOSS"; want SYSTEM, USER or OTHER`},
		{"more turns than there are", `"turns":[0-9]+,"digest"`, `"turns":99999999,"digest"`, "does not follow from its evidence"},
		{"more turns than memory", `"turns":[0-9]+(,"digest".*"turns":\[){"role`, `"turns":99999999$1{"turn":1,"role`, "/source/turns is 99999999; want 0 to 1000000"},
		{"a turn beyond the last", `"turns":[0-9]+(,"digest".*"turns":\[){"role`, `"turns":4$1{"turn":5,"role`, "/turns/0/turn is 5; want 1 to 4"},
		{"more quotes than turns", `"quotes":\["`, `"quotes":["again","`, "want as many"},
		{"an edited satisfaction", `"satisfaction":[0-9.]+`, `"satisfaction":1.01`, "does not follow from its evidence"},
		{"an edited turn", `"role":"USER","text":"`, `"role":"USER","text":"Well, `, "does not follow from its evidence"},
		{"an edited digest", `"digest":"..`, `"digest":"xx`, "does not follow from its evidence"},
		{"an unknown criterion", `"evaluator":\[{"criterion":"TaskSuccess"`, `"evaluator":[{"criterion":"Beauty"`, `/panel/evaluator/0/criterion names an unknown criterion "Beauty"`},
		{"a criterion out of its place", `"evaluator":\[{"criterion":"TaskSuccess"`, `"evaluator":[{"criterion":"Fluency"`, "/panel/evaluator/0/criterion is Fluency; want the six criteria in their order"},
		{"a long name", `"evaluator":\[{"criterion":"TaskSuccess"`, `"evaluator":[{"criterion":"` + strings.Repeat("Beauty", 1000) + `"`, "BeautyBeautyBe…"},
		{"a seventh objection", `"critic":\[({"criterion":"TaskSuccess","by"[^}]*})`, `"critic":[$1,$1,$1,$1,$1,$1,$1`, "/panel/critic/6 is one too many"},
		{"more quotes than anybody gives", `"turns":\[[0-9]+\],"quotes":\["[^\]]*\]`, `"turns":[` + strings.Repeat("1,", 200) + `1],"quotes":[` + strings.Repeat(`"a",`, 200) + `"a"]`, "/panel/evaluator/0 has 201 quotes; want at most 200"},
		{"no panel", `"panel":{"evaluator":\[`, `"panel":{"none":[`, "/panel/evaluator lacks TaskSuccess"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			edited := regexp.MustCompile(tt.old).ReplaceAllString(line, tt.new)
			require.False(t, line == edited, "nothing was edited")
			_, err := basis.Decode([]byte(edited))
			assert.ErrorContains(t, err, tt.want)
		})
	}
	basis.Rubric.Weights = [rubric.NumCriteria]int{10, 10, 10, 10, 10, 50}
	_, err := basis.Decode([]byte(line))
	assert.ErrorContains(t, err, "does not follow", "another rubric than the run's")
	basis = record.DefaultBasis()
	basis.Profile.Line.Intercept++
	basis.Profile.Line.Intercept *= 2
	_, err = basis.Decode([]byte(line))
	assert.ErrorContains(t, err, "does not follow", "another profile than the run's")
}

func header() record.Header {
	return record.Header{
		Program: "v1.2.3",
		Configuration: record.Configuration{
			Evaluator: "rules", Critic: "rules", Mapping: "down", Transcript: "full",
			Roles: map[string]string{"Bot": "SYSTEM", "Ann": "USER"},
		},
		Lexicon: "bb",
		Basis:   record.DefaultBasis(),
	}
}

func TestHeader(t *testing.T) {
	h := header()
	line := string(h.Append(nil))
	assert.True(t, strings.HasPrefix(line, `{"assize_run":3,"program":"v1.2.3","configuration":{"evaluator":"rules","critic":"rules","mapping":"down",`+
		`"roles":{"Ann":"USER","Bot":"SYSTEM"},"transcript":"full","redacted":false},"provenance":{"rubric":"`+rubric.Default().Digest()+`","lexicon":"bb",`), line)

	got, ok, err := record.ParseHeader([]byte(line))
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, line, string(got.Append(nil)))
	assert.Equal(t, h.Fingerprint(), got.Fingerprint())
	assert.Contains(t, line, h.Fingerprint())

	_, ok, err = record.ParseHeader(judged(t)[0].Append(nil))
	assert.NoError(t, err, "a run may lack its header")
	assert.False(t, ok)

	for in, want := range map[string]string{
		"plain text":                          "not a run",
		`{"assize_run":9}`:                    "version 9; want 3",
		`{"assize_run":3,"colour":"green"}`:   `unknown field "colour"`,
		`{"assize_run":3,"configuration":[]}`: "the run's header",
		`{"assize_run":3}`:                    "the run's header",
	} {
		_, _, err := record.ParseHeader([]byte(in))
		assert.ErrorContains(t, err, want, in)
	}
}

func TestAnEditedHeaderIsFoundOut(t *testing.T) {
	h := header()
	line := string(h.Append(nil))
	for _, tt := range []struct{ reason, old, new, want string }{
		{"another mapping", `"mapping":"down","roles"`, `"mapping":"nearest","roles"`, `/configuration/mapping is "nearest", but the rubric in the header says "down"`},
		{"another rubric", `"weights":{"TaskSuccess":40,"Helpfulness":15`, `"weights":{"TaskSuccess":15,"Helpfulness":40`, "/provenance/rubric is"},
		{"another profile", `"intercept":3.15`, `"intercept":4.15`, "/provenance/profile is"},
		{"another option", `"redacted":false`, `"redacted":true`, "/fingerprint is"},
		{"another lexicon", `"lexicon":"bb"`, `"lexicon":"cc"`, "/fingerprint is"},
		{"another program", `v1.2.3`, `v1.2.4`, "/fingerprint is"},
		{"another order", `{"assize_run":3,"program":"v1.2.3",`, `{"program":"v1.2.3","assize_run":3,`, "the line is not written as"},
		{"no rubric", `"TaskSuccess":40`, `"TaskSuccess":41`, "/rubric cannot be read: rubric:1:"},
		{"no profile", `"input":"reactions"`, `"input":"guesses"`, "/profile cannot be read: profile: input is"},
	} {
		require.Contains(t, line, tt.old, tt.reason)
		_, _, err := record.ParseHeader([]byte(strings.Replace(line, tt.old, tt.new, 1)))
		assert.ErrorContains(t, err, tt.want, tt.reason)
	}
}

func TestLines(t *testing.T) {
	h := header()
	other := h
	other.Basis.Profile.Line = &heuristics.Line{Intercept: 4_000_000, Slope: 100_000}
	all := judged(t)
	var run bytes.Buffer
	write := func(text []byte) { run.Write(append(text, '\n')) }
	write(h.Append(nil))
	write(all[0].Append(nil))
	write([]byte(`{"dialogue_id":`))
	write(nil)
	write(other.Append(nil))
	again := *all[0]
	again.Estimate = other.Basis.Profile.Estimate(again.Evaluation)
	write(again.Append(nil))
	run.Write(all[0].Append(nil)) // of the other header's profile, and without a newline

	var numbers []int
	var errs []string
	unfinished := 0
	for line, err := range record.Lines(&run, "run.jsonl") {
		if errors.As(err, new(*record.Unfinished)) {
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
	require.Len(t, errs, 2)
	assert.Regexp(t, `^run\.jsonl:3: /dialogue_id breaks off here; want a whole line$`, errs[0])
	assert.Regexp(t, `^run\.jsonl:7: dialogue 41: the record does not follow from its evidence`, errs[1])

	for text, want := range map[string]string{
		"USER: hello\n":           "run.jsonl:1: not a run",
		`{"assize_run":3}` + "\n": "run.jsonl:1: the run's header",
	} {
		for _, err := range record.Lines(strings.NewReader(text), "run.jsonl") {
			assert.ErrorContains(t, err, want)
		}
	}
	for range record.Lines(strings.NewReader(""), "empty.jsonl") {
		t.Error("an empty file has no lines")
	}
}

func TestScan(t *testing.T) {
	var numbers []int
	var torn []bool
	for line, err := range record.Scan(strings.NewReader("{}\n\n \t\nplain\n{\"assize_run\":"), "run.jsonl") {
		require.NoError(t, err)
		numbers, torn = append(numbers, line.Number), append(torn, line.Torn)
	}
	assert.Equal(t, []int{1, 4, 5}, numbers, "blank lines hold nothing, all else is given as it stands")
	assert.Equal(t, []bool{false, false, true}, torn, "nothing ends the last line")
}

func TestCitedOnlyScoresCanBeMapped(t *testing.T) {
	basis := record.DefaultBasis()
	basis.Profile = heuristics.Profile{
		Version: heuristics.ProfileVersion, Input: heuristics.Scores, Weights: map[string]int{"TaskSuccess": 100},
		Line: &heuristics.Line{Slope: 50_000},
	}
	r := judged(t)[0]
	r.CitedOnly = true
	r.Estimate = basis.Profile.Estimate(r.Evaluation)
	line := r.Append(nil)
	_, err := basis.Decode(line)
	require.NoError(t, err)
	edited := regexp.MustCompile(`"satisfaction":[0-9.]+`).ReplaceAll(line, []byte(`"satisfaction":4.99`))
	_, err = basis.Decode(edited)
	assert.ErrorContains(t, err, "does not follow", "the scores are there, so the satisfaction can be worked out")
	edited = regexp.MustCompile(`"satisfaction":[0-9.]+`).ReplaceAll(line, []byte(`"satisfaction":4.99`))
	_, err = record.DefaultBasis().Decode(edited)
	assert.NoError(t, err, "what follows from turns that are not there is taken as it stands")
}

func FuzzDecode(f *testing.F) {
	for _, r := range append(judged(f), benched(f, judged(f))...) {
		f.Add(r.Append(nil))
	}
	f.Add([]byte(`{"dialogue_id":1,"source":{"file":"","format":"","turns":0,"digest":""},"status":"unscored","reason":"","turns":[]}`))
	basis := record.DefaultBasis()
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := basis.Decode(line)
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

func BenchmarkDecode(b *testing.B) {
	basis := record.DefaultBasis()
	var lines [][]byte
	for _, r := range judged(b) {
		lines = append(lines, r.Append(nil))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := basis.Decode(lines[i%len(lines)]); err != nil {
			b.Fatal(err)
		}
	}
}
