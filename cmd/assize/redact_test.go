package main

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// canaries are personal data of every kind that --redact masks, each with announcing words and the
// text that must not occur in any output.
var canaries = []struct{ said, found string }{
	{"Write to ann.lee@gmail.com.", "ann.lee"},
	{"Or to bo (at) quill (dot) org.", "quill"},
	{"Call me on +44 7700 900123.", "900123"},
	{"At night it is 4 1 5 5 5 5 0 1 7 7.", "5 5 5 0"},
	{"My card is 4111 1111 1111 1111.", "1111 1111"},
	{"The IBAN is DE89370400440532013000.", "DE8937"},
	{"My account number is 44120987.", "44120987"},
	{"My password is Tr0ub4dor&3.", "Tr0ub4dor"},
	{"The PIN is 739182.", "739182"},
	{"Our api key is a8f5f167f44f4964e6c9.", "a8f5f1"},
	{"My SSN is 078-05-1120.", "078-05"},
	{"My passport number is X1234567.", "X1234567"},
	{"I was born on 4 May 1979.", "May 1979"},
	{"I come from 203.0.113.77 today.", "203.0.113"},
	{"The box says 00:1A:2B:3C:4D:5E.", "1A:2B"},
	{"See https://nora:s3cretpw@files.example/in.", "s3cretpw"},
}

// canaryIDs are personal data of digits alone, which dialogues may have as their IDs.
var canaryIDs = []string{"447700900417", "4111111111111111", "7700900418"}

// canaryChats writes a table of dialogues that contain every canary, in the words of both sides, in
// a name and in the metadata. The file name that it returns also has a canary.
func canaryChats(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "chats of 212-555-0187.csv")
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	row := func(cells ...string) { require.NoError(t, w.Write(cells)) }
	row("id", "role", "text", "agent", "note", "password")
	for i, c := range canaries {
		id := strconv.Itoa(i+1) + "-ann.lee@gmail.com"
		if i < len(canaryIDs) {
			id = canaryIDs[i]
		}
		row(id, "customer", "Where is my parcel? "+c.said, "", "", "")
		row(id, "agent", "Thank you. Just to confirm: "+c.said, "Ann, call 646-555-0142",
			"They said: "+c.said, "hunter2!")
		row(id, "customer", "No, that is wrong. "+c.said+" I am angry.", "", "", "")
		row(id, "agent", "Sorry. It arrives tomorrow. "+c.said, "", "", "")
	}
	w.Flush()
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

// seen returns the readable text of an output; for a workbook, that of its parts.
func seen(t *testing.T, data []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return string(data)
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		_, err = io.Copy(&all, r)
		require.NoError(t, err)
	}
	return all.String()
}

func TestRedactedEverywhere(t *testing.T) {
	file := canaryChats(t)
	folder := t.TempDir()
	plainRun := filepath.Join(folder, "run of 303-555-0199.jsonl")
	_, stderr, code := call(t, nil, "score", file, "-o", plainRun, "--quiet")
	require.Zero(t, code, stderr)
	broken := filepath.Join(folder, "broken.csv")
	require.NoError(t,
		os.WriteFile(broken, []byte("id,role,text\n1,ann.lee@gmail.com,\"Hi, \nthere\n"), 0o600))

	missing := filepath.Join(folder, "none of 212-555-0187.csv")
	lost := filepath.Join(folder, "lost of 212-555-0187.json")
	require.NoError(t, os.WriteFile(lost, []byte("{"), 0o600))

	rated := filepath.Join(folder, "rated.csv")
	people := filepath.Join(folder, "people.csv")
	require.NoError(t, os.WriteFile(rated,
		[]byte("id,role,text\na1,user,Where is my parcel?\na1,agent,It is here.\n"), 0o600))
	require.NoError(t, os.WriteFile(people, []byte("dialogue_id,rating,rater\n"+
		"a1,5,ann.lee@gmail.com\na1,3,303-555-0199\na1,2,bo@quill.org\n"), 0o600))

	calls := map[string][]string{
		"junit of what is missing": {"score", missing, lost, file, "--format", "junit",
			"--fail-under", "60"},
		"sample":           {"triage", plainRun, "--sample", "3", "--format", "csv"},
		"sample book":      {"triage", plainRun, "--sample", "3", "-o", "sheet.xlsx"},
		"dry run":          {"score", file, "--dry-run"},
		"error":            {"score", broken},
		"speaker":          {"score", file, "--system-name", "ann.lee@gmail.com"},
		"id":               {"score", file, "--id", "ann.lee@gmail.com"},
		"report of chats":  {"report", file, "-o", "page.html"},
		"report by agent":  {"report", plainRun, "--by", "agent", "-o", "by.html"},
		"report title":     {"report", plainRun, "--title", "Of 303-555-0199", "-o", "title.html"},
		"report nothing":   {"report", plainRun, broken, "-o", "x.html"},
		"triage of chats":  {"triage", file},
		"by agent":         {"score", file, "--by", "agent"},
		"full":             {"score", file, "--full"},
		"junit":            {"score", file, "--format", "junit", "--fail-under", "60"},
		"report long":      {"report", plainRun, "--format", "csv", "long: true"},
		"report two":       {"report", plainRun, file, "-o", "two.html"},
		"json single":      {"score", file, "--format", "json", "--protocol", "single"},
		"run":              {"score", file, "-o", "masked.jsonl"},
		"markdown of runs": {"report", plainRun, plainRun, "--format", "markdown"},
	}
	for _, format := range wordsOf("score", "format") {
		calls["score "+format] = []string{"score", file, "-o", "score." + format, "--format",
			format}
		if format != "jsonl" {
			calls["run to "+format] = append([]string{"score", plainRun},
				calls["score "+format][2:]...)
		}
	}
	calls["score junit"] = append(calls["score junit"], "--fail-under", "60")
	calls["run to junit"] = append(calls["run to junit"], "--fail-under", "60")
	for _, format := range wordsOf("triage", "format") {
		calls["triage "+format] = []string{"triage", plainRun, "-o", "triage." + format, "--format",
			format}
	}
	for _, format := range wordsOf("report", "format") {
		calls["report "+format] = []string{"report", plainRun, "-o", "report." + format, "--format",
			format}
		calls["report of ratings "+format] = append([]string{"report", rated, "--ratings", people},
			calls["report "+format][2:]...)
	}
	// A command or a format that is added later needs a call as well.
	p := &program{Console: &console.Console{}, commands: flags.Commands{}}
	p.command()
	for name, set := range p.commands {
		if set.Lookup("redact") == nil || set.Lookup("format") == nil {
			assert.True(t, set.Lookup("redact") == nil || strings.Contains("review serve worker",
				name), "%s needs a test of its own", name)
			continue
		}
		for _, format := range set.Lookup("format").Value.(*flags.Choice).Words {
			assert.Contains(t, calls, name+" "+format)
		}
	}
	for name, args := range calls {
		t.Run(name, func(t *testing.T) {
			out := ""
			args = slices.Clone(args)
			if i := slices.Index(args, "-o"); i >= 0 {
				out = filepath.Join(t.TempDir(), args[i+1])
				args[i+1] = out
			}
			stdout, stderr, _ := call(t, nil, append(args, "--redact")...)
			all := map[string]string{"stdout": stdout, "stderr": stderr}
			if data, err := os.ReadFile(out); err == nil {
				all[out] = seen(t, data)
			}
			require.NotEmpty(t, strings.Join([]string{stdout, stderr, all[out]}, ""))
			for where, text := range all {
				for _, c := range canaries {
					assert.False(t, strings.Contains(text, c.found), "%s: %q", where, c.found)
				}
				for _, number := range append(canaryIDs, "555-0187", "555-0142", "555-0199",
					"hunter2") {
					assert.False(t, strings.Contains(text, number), "%s: %q", where, number)
				}
			}
		})
	}
}

// No string of a record stays as it was, except the words of this program: a member that is added
// to records is masked as well, or named here.
func TestEveryMemberOfARecordIsMasked(t *testing.T) {
	const address = "ann.lee@gmail.com"
	var fill func(v reflect.Value, depth int)
	fill = func(v reflect.Value, depth int) {
		if depth > 12 { // rules may contain rules
			return
		}
		switch v.Kind() {
		case reflect.String:
			if v.CanSet() {
				v.SetString("Write to " + address + ".")
			}
		case reflect.Pointer:
			if v.IsNil() && v.CanSet() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			fill(v.Elem(), depth+1)
		case reflect.Slice:
			if v.Len() == 0 && v.CanSet() {
				v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			}
			for i := range v.Len() {
				fill(v.Index(i), depth+1)
			}
		case reflect.Array:
			for i := range v.Len() {
				fill(v.Index(i), depth+1)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() && v.Type() != reflect.TypeFor[rubric.Rubric]() {
					fill(v.Field(i), depth+1)
				}
			}
		}
	}
	var r run.Record
	fill(reflect.ValueOf(&r).Elem(), 0)
	redact.Record(&r)
	var left []string
	var find func(v reflect.Value, path string)
	find = func(v reflect.Value, path string) {
		switch v.Kind() {
		case reflect.String:
			if strings.Contains(v.String(), address) && !slices.Contains(left, path) {
				left = append(left, path)
			}
		case reflect.Pointer:
			if !v.IsNil() {
				find(v.Elem(), path)
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				find(v.Index(i), path)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				find(v.Field(i), path+"."+v.Type().Field(i).Name)
			}
		}
	}
	find(reflect.ValueOf(r), "")
	// none of these is read from a transcript
	assert.ElementsMatch(t, strings.Fields(`.Source.Format .Source.Dates
		.Evaluation.Signals.ID .Evaluation.Signals.Fact .Evaluation.Critique.By .Evaluation.Remarks
		.Evaluation.Rulings.Ground .Checklist.FailedBy
		.Checklist.Answers.Question .Checklist.Answers.Answer .Checklist.Answers.By
		.Checklist.Answers.Why .Model.Calls.Purpose .Model.Calls.Question .Model.Calls.Failure
		.Model.Flags .Model.Claims.Detector .Model.Claims.Claim .Model.Claims.Led .Deeds.State
		.Fallback`), left)
}

// No string of an export stays as it was, wherever the format has one.
func TestEveryMemberOfAnExportIsMasked(t *testing.T) {
	const who = "ann.lee@gmail.com"
	text := strings.ReplaceAll(`{"id":"of WHO","agent":"WHO","queue":"WHO","note":{"by":"WHO"},
		"tools":["WHO","cancel_order",{"type":"function","function":{"name":"refund WHO","description":"WHO"}}],
		"messages":[{"role":"user","name":"WHO","time":"at WHO","content":"Cancel my order, I am WHO."},
		{"role":"assistant","name":"WHO","content":"","tool_calls":[{"id":"WHO","type":"function",
			"function":{"name":"cancel_order_WHO","arguments":"{\"to\":\"WHO\"}"}}]},
		{"role":"tool","tool_call_id":"WHO","name":"cancel_order_WHO","content":"{\"error\":\"WHO\"}"},
		{"role":"assistant","content":"I have cancelled your order, WHO."},
		{"role":"user","content":"That is wrong, WHO!"}],"rating":2,"labels":["WHO"]}`, "WHO", who)
	file := filepath.Join(t.TempDir(), "export.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	for _, format := range wordsOf("score", "format") {
		args := []string{"score", file, "--redact", "--full", "--format", format, "--fail-under", "60"}
		if format == "xlsx" {
			args = append(args, "-o", filepath.Join(t.TempDir(), "out.xlsx"))
		}
		if !strings.Contains("text markdown", format) {
			args = slices.Delete(args, 3, 4)
		}
		stdout, stderr, _ := call(t, nil, args...)
		if format == "xlsx" {
			data, err := os.ReadFile(args[len(args)-1])
			require.NoError(t, err)
			stdout = seen(t, data)
		}
		require.Contains(t, stdout, "email", format)
		assert.NotContains(t, stdout+stderr, "ann.lee", format)
	}
	run := filepath.Join(t.TempDir(), "run.jsonl")
	_, stderr, code := call(t, nil, "score", file, "-o", run, "--redact")
	require.Zero(t, code, stderr)
	data, err := os.ReadFile(run)
	require.NoError(t, err)
	assert.NotContains(t, string(data), "ann.lee")
	_, stderr, code = call(t, nil, "replay", run)
	assert.Zero(t, code, stderr)
}

// The times of turns are no personal data.
func TestTimesAreNotMasked(t *testing.T) {
	for _, at := range []string{"2026-11-30T21:36:36Z", "2026-11-30 21:36:36.123+01:00", "10:11",
		"[30/11/2026, 21:36:36]", "Nov 30, 2026, 9:36 PM", "1764538596", "1764538596123",
		"1764538596.123", "00:01:02.500 --> 00:01:04.000", "Mon, 30 Nov 2026 21:36:36 +0000"} {
		r := run.New(dialogue.Sample{Dialogue: dialogue.Dialogue{Turns: []dialogue.Turn{{
			Role: dialogue.User, Text: "Where is it?"}}},
			Source: dialogue.Source{Voices: []dialogue.Voice{{At: at}}}})
		redact.Record(r)
		assert.Equal(t, at, r.Voices[0].At)
	}
}
