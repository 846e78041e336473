package findings

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/check"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// hostile is text that output must not contain unescaped.
const hostile = "\x1b[2J\x07\u202e\u009b31m\x00\ufffe</failure>]]>\"'&<script>\xff\nlong" +
	" " + "words and words and words and words and words and words and words and words and words"

// reports returns three documents of two files: a sound one, one with every part of a finding, and
// a hostile one.
func reports() []*check.Report {
	text := []byte("{\n  \"é\": 1, \"numeric_weighted_average\": 86.0\n}")
	long := `"` +
		strings.Repeat("I would have liked a window seat, and was told that there is none. ", 3) +
		`"`
	return []*check.Report{
		{Document: check.Document{File: "desk/one.jsonl", Number: 1, Line: 1, Column: 1},
			Protocol: "debate", DialogueID: "335", Verified: true},
		{
			Document: check.Document{File: "desk/one.jsonl", Number: 2, Line: 2, Column: 1,
				Text: text}, Protocol: "single",
			Findings: []check.Finding{
				{ID: "average-wrong", Severity: check.Error, Path: "/evaluator/numeric_weighted_average",
					Line: 3, Column: 43, Message: "the average is not that of the scores", Got: "86.00",
					Want: "88.00", Fixable: true},
				{ID: "quote-altered", Severity: check.Error, Path: "/evaluator/Empathy/justification", Line: 3,
					Column: 12, Message: "the SYSTEM says this in other words", Got: long,
					Nearest: `SYSTEM: "I do like rain, and was told that there is none."`,
					Difference: "I [-would have liked a window seat-] {+do like rain+}, and was told that there " +
						"is none."},
				{ID: "sentences", Severity: check.Warning, Path: "/TaskSuccess/justification", Line: 4,
					Column: 1, Message: "2 sentences, where one is asked for"},
			},
			Edits: []check.Edit{{Path: "/evaluator/numeric_weighted_average", Was: "86.00",
				Text: "88.00"}},
		},
		{
			Document: check.Document{File: "a" + hostile + ".json", Number: 1, Line: 1, Column: 1,
				Text: []byte("{}")}, Protocol: "debate", DialogueID: hostile, Verified: true,
			Findings: []check.Finding{
				{ID: "quote-elided", Severity: check.Note, Path: "/" + hostile, Line: 1, Column: 1,
					Message: hostile, Got: hostile, Want: hostile, Nearest: hostile,
					Difference: hostile},
			},
		},
	}
}

// written returns what a sink writes for reports.
func written(t testing.TB, make func(io.Writer) Sink, reports ...*check.Report) string {
	var b bytes.Buffer
	sink := make(&b)
	for _, r := range reports {
		require.NoError(t, sink.Report(r))
	}
	require.NoError(t, sink.Flush())
	return b.String()
}

// forms returns a sink of every format.
func forms(t testing.TB) map[string]func(io.Writer) Sink {
	of := func(format string, opt TextOptions) func(io.Writer) Sink {
		return func(w io.Writer) Sink { return New(format, w, opt) }
	}
	return map[string]func(io.Writer) Sink{
		"text.txt":  of("text", TextOptions{}),
		"fixed.txt": of("text", TextOptions{Fixed: true, Transcript: true}),
		"color.txt": of("text", TextOptions{Color: true}),
		"form.json": of("json", TextOptions{}),
	}
}

func TestGolden(t *testing.T) {
	for name, form := range forms(t) {
		got := written(t, form, reports()...)
		golden := filepath.Join("testdata", name)
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o666))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		assert.Equal(t, string(want), got, name)
	}
}

func TestNothingActsOnATerminal(t *testing.T) {
	for name, form := range forms(t) {
		if name == "color.txt" {
			continue // it contains its own sequences; the text is that of text.txt
		}
		got := written(t, form, reports()...)
		assert.True(t, utf8.ValidString(got), name)
		for _, bad := range []string{"\x1b", "\x07", "\u009b", "\x00", "\r"} {
			assert.NotContains(t, got, bad, name)
		}
		if !strings.HasSuffix(name, ".txt") {
			assert.NotContains(t, got, "<script>", "%s: a page that shows it runs nothing", name)
		}
	}
}

func TestTextIsNeverWiderThanATerminal(t *testing.T) {
	text := func(w io.Writer) Sink { return New("text", w, TextOptions{}) }
	for line := range strings.Lines(written(t, text, reports()...)) {
		line = strings.TrimSuffix(line, "\n")
		assert.Equal(t, strings.TrimRight(line, " "), line, "spaces at the end")
		// A place is never cut, so that an editor can jump to it.
		if !strings.HasPrefix(line, "a␛") {
			assert.LessOrEqual(t, ui.Cells(line), ui.Columns, line)
		}
	}
}

func TestText(t *testing.T) {
	text := func(w io.Writer) Sink { return New("text", w, TextOptions{Transcript: true}) }
	all := reports()
	assert.Equal(t, "desk/one.jsonl:1 · dialogue 335 · debate · sound; quotes looked up\n",
		written(t, text, all[0]), "a sound evaluation is one line")
	assert.Regexp(t,
		`\n3 evaluations: 2 sound, 1 with 2 errors, 1 warning, 1 note; quotes looked up in\s+2\n`,
		written(t, text, all...))
	assert.Regexp(t, `\n2 evaluations: all sound; quotes looked up\n`,
		written(t, text, all[0], all[0]))
	unread := &check.Report{Document: all[0].Document,
		Findings: []check.Finding{{ID: "json-syntax", Severity: check.Error, Line: 1, Column: 1,
			Message: "x"}}}
	assert.Regexp(t, `^desk/one.jsonl:1 · no evaluation · 1 error\n`, written(t, text, unread),
		"what is no evaluation has no quotes")
	hint := "\nquotes not looked up: --transcript FILE looks them up in the transcript\n"
	assert.Contains(t, written(t, forms(t)["text.txt"], all[1]), hint)
	assert.NotContains(t, written(t, forms(t)["text.txt"], all[0]), hint, "they were verified")
	assert.NotContains(t, written(t, text, all[1]), hint, "there was a transcript")
	assert.Contains(t, written(t, text, all[1]),
		" · single · 2 errors, 1 warning; quotes not looked up\n", "but none that fits")
	assert.Empty(t, written(t, text), "nothing was looked at")
}

func TestSoundEvaluationsDoNotFillTheScreen(t *testing.T) {
	text := func(w io.Writer) Sink { return New("text", w, TextOptions{}) }
	many := func(n int) (list []*check.Report) {
		for i := range n {
			list = append(list,
				&check.Report{Document: check.Document{File: "a.jsonl", Line: i + 1},
					Protocol: "debate", Verified: true})
		}
		return list
	}
	got := written(t, text, many(20)...)
	require.Contains(t, got, "\na.jsonl:20 ", "twenty have a line")
	require.Contains(t, got, "sound; quotes looked up\n\n20 evaluations: all sound",
		"and that is all there is to say")

	list := many(5000)
	list[3000] = reports()[1]
	list[4000].Findings = []check.Finding{{ID: "sentences", Severity: check.Warning,
		Message: "2 sentences"}}
	got = written(t, text, list...)
	require.NotContains(t, got, "a.jsonl:21 ")
	require.Contains(t, got, "desk/one.jsonl:3:43: error average-wrong", "findings always are told")
	require.Contains(t, got, "\na.jsonl:4001 · debate · sound, 1 warning", "so are warnings")
	require.Contains(t, got,
		"\n\n4978 more sound evaluations in which nothing was found\n5000 evaluations: 4999 sound, 1 "+
			"with 2 errors")
}

func TestLongTextsAreShortened(t *testing.T) {
	long := strings.Repeat("日本語 ", 1<<20)
	r := &check.Report{Document: check.Document{File: "f"},
		Findings: []check.Finding{{ID: "x", Severity: check.Note, Message: long, Got: long,
			Path: "/" + long}}}
	for _, name := range []string{"text.txt"} {
		got := written(t, forms(t)[name], r)
		assert.Less(t, len(got), 1<<14, name)
		assert.Contains(t, got, "…", name)
	}
}

func TestJSONIsWhatItsCommentSays(t *testing.T) {
	var got struct {
		Documents []struct {
			File     string
			Protocol *string
			ID       *string `json:"dialogue_id"`
			Findings []map[string]any
		}
		Summary Tally
	}
	dec := json.NewDecoder(strings.NewReader(written(t, forms(t)["form.json"], reports()...)))
	require.NoError(t, dec.Decode(&got))
	require.Len(t, got.Documents, 3)
	assert.Nil(t, got.Documents[1].ID)
	assert.Empty(t, got.Documents[0].Findings)
	assert.NotNil(t, got.Documents[0].Findings, "a list, though empty")
	assert.Equal(t, Tally{Evaluations: 3, Sound: 2, Verified: 2, Errors: 2, Warnings: 1, Notes: 1,
		Fixable: 1}, got.Summary)
	assert.NotContains(t, got.Documents[1].Findings[2], "got")

	empty := written(t, forms(t)["form.json"])
	require.NoError(t, json.Unmarshal([]byte(empty), &got))
	assert.Contains(t, empty, `"documents": []`)
}

type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestAFullDiskIsAnError(t *testing.T) {
	for name, form := range forms(t) {
		size := len(written(t, form, reports()...))
		for _, room := range []int{size * 2 / 3, size - 1} {
			sink := form(&full{room})
			var failed bool
			for _, r := range reports() {
				failed = failed || sink.Report(r) != nil
			}
			assert.True(t, sink.Flush() != nil || failed, "%s with room for %d of %d", name, room,
				size)
		}
	}
}

func BenchmarkText(b *testing.B) {
	r := reports()
	sink := New("text", io.Discard, TextOptions{})
	b.ReportAllocs()
	for b.Loop() {
		for i := range r {
			require.NoError(b, sink.Report(r[i]))
		}
	}
}

// An id that two dialogues have names neither, and a number and the source's own id count alike.
func TestFindTranscript(t *testing.T) {
	var all Transcripts
	for _, s := range []dialogue.Sample{
		{Dialogue: dialogue.Dialogue{ID: 1}},
		{Dialogue: dialogue.Dialogue{ID: 2}, Source: dialogue.Source{ID: "a"}},
		{Dialogue: dialogue.Dialogue{ID: 3}, Source: dialogue.Source{ID: "1"}},
	} {
		all.Add(s)
	}
	for id, want := range map[string]int{"a": 1, "2": 1, "3": 2} {
		got, err := all.Find(id)
		require.NoError(t, err)
		assert.Same(t, all.all[want], got, id)
	}
	for id, want := range map[string]string{"1": "2 dialogues", "4": "0 dialogues"} {
		_, err := all.Find(id)
		assert.ErrorContains(t, err, want, id)
		assert.ErrorContains(t, all.Choose(id), want, id)
	}
}
