package compare_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/compare"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "go test -update writes it")
	assert.Equal(t, string(want), got)
}

// hostile is text that a stranger may write.
const hostile = "\x1b]0;owned\x07\x1b[31mred\u202egnp.exe | <script>alert(1)</script> =1+1 " +
	"\u0085\r\n日本語のとても長い文章"

// trial returns the record of a dialogue that the Evaluator rates as good. The Critic lowers
// Accuracy if requested.
func trial(t testing.TB, h *run.Header, id int, said string, lowers bool) *run.Record {
	d := dialogue.Dialogue{ID: id, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "A table for four on Friday, please. " + said},
		{Role: dialogue.System, Text: "I have a table for two on Friday."},
		{Role: dialogue.User, Text: "No, I said four."},
	}}
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: 80, Claim: "the SYSTEM offers a table",
			Quotes: []rubric.Quote{{Turn: 2, Text: "I have a table for two on Friday."}}}
	}
	var critique rubric.Critique
	if lowers {
		critique[rubric.Accuracy] = rubric.Objection{
			Suggested: 40, By: "rules",
			Claim: "the SYSTEM states the opposite of what the USER said",
			Quotes: []rubric.Quote{{Turn: 1, Text: "A table for four"},
				{Turn: 3, Text: "No, I said four."}},
		}
	}
	signals := []rubric.Signal{{ID: "reaction-corrects", Criteria: rubric.SetOf(rubric.Accuracy),
		Turn: 3, Points: -250}}
	e, err := h.Basis.Rubric.Settle(rubric.Case{Dialogue: d, Signals: signals}, card, critique)
	require.NoError(t, err)
	r := run.New(dialogue.Sample{Dialogue: d,
		Source: dialogue.Source{File: fmt.Sprintf("calls/day%d.txt", id%2),
			Format: importer.Plain}})
	r.Evaluation, r.Satisfaction = e, 310
	return r
}

func silent(id int, said, reason string) *run.Record {
	r := run.New(dialogue.Sample{
		Dialogue: dialogue.Dialogue{ID: id,
			Turns: []dialogue.Turn{{Role: dialogue.User, Text: said}}},
		Source: dialogue.Source{File: "calls/day0.txt", Format: importer.Plain, ID: "call-" +
			fmt.Sprint(id)},
	})
	r.Reason = reason
	return r
}

func header() *run.Header {
	return &run.Header{
		Program: "v1", Lexicon: strings.Repeat("ab", 32), Basis: run.DefaultBasis(),
		Configuration: run.Configuration{Evaluator: "rules", Critic: "rules", Mapping: "down"},
	}
}

func madeBy(file string, h *run.Header, records []*run.Record) *compare.Run {
	var rows []run.Row
	why := compare.Reasons{}
	for i, rec := range records {
		rows = append(rows, rec.Row(i+2))
		why.Add(rec)
	}
	r := compare.NewRun(file, rows, []*run.Header{h})
	r.Reasons = why
	return r
}

// both returns two runs with 24 dialogues in common, a few in only one, and some scored in only
// one.
func both(t testing.TB, text string) *compare.Comparison {
	older, newer := header(), header()
	newer.Program, newer.Lexicon = "v2", strings.Repeat("cd", 32)
	newer.Basis.Rubric.Levels[rubric.Empathy][3] = "Kind, " + text
	newer.Configuration.SystemNames = []string{"Bot " + text}
	var a, b []*run.Record
	for i := range 24 {
		said := fmt.Sprint("Call ", i)
		if i == 3 {
			said += text
		}
		a = append(a, trial(t, older, i, said, i == 0))
		b = append(b, trial(t, newer, i+100*(i%2), said, i%3 == 0))
	}
	a = append(a, trial(t, older, 50, "Only in A", false), trial(t, older, 51, "Hola", false),
		silent(52, "Hi", "nobody answers"+text))
	b = append(b,
		unjudged(a[25],
			"the dialogue is mostly in Spanish; the rules read English only"+text),
		silent(60, "Hm", "the dialogue has no SYSTEM turn with words in it"),
		judgedAgain(t, newer, a[26]))
	c := compare.New(madeBy("old"+text+".jsonl", older, a), madeBy("new.jsonl", newer, b),
		compare.Options{Top: 3, Draws: 500, Seed: 1})
	return c
}

// unjudged returns a record of the same dialogue without an evaluation.
func unjudged(r *run.Record, reason string) *run.Record {
	return &run.Record{Dialogue: r.Dialogue, Source: r.Source, Reason: reason}
}

// judgedAgain returns a record of the same dialogue with an evaluation.
func judgedAgain(t testing.TB, h *run.Header, r *run.Record) *run.Record {
	again := *r
	again.Reason = ""
	again.Evaluation = trial(t, h, 1, "", false).Evaluation
	return &again
}

// apart returns two different sets, with more dialogues of one file than of the other.
func apart(t testing.TB) *compare.Comparison {
	h := header()
	var a, b []*run.Record
	for i := range 24 {
		a = append(a, trial(t, h, i, fmt.Sprint("Old ", i), i%4 == 0))
		b = append(b, trial(t, h, 200+i, fmt.Sprint("New ", i), i%2 == 0))
	}
	return compare.New(madeBy("old.jsonl", h, a), madeBy("new.jsonl", h, b),
		compare.Options{Top: 3, Draws: 500, Seed: 1})
}

func plain(color bool) func(io.Writer, *compare.Comparison) error {
	return onPage(ui.Page{Color: color})
}

func onPage(page ui.Page) func(io.Writer, *compare.Comparison) error {
	return func(w io.Writer, c *compare.Comparison) error {
		c.Text(&page)
		return page.Send(w)
	}
}

func asJSON(w io.Writer, c *compare.Comparison) error { return ui.WriteJSON(w, c, "  ") }

var (
	asCSV      = func(w io.Writer, c *compare.Comparison) error { return c.Figures().CSV(w) }
	asMarkdown = onPage(ui.Page{Markdown: true})
)

func shown(t testing.TB, view func(io.Writer, *compare.Comparison) error,
	c *compare.Comparison) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, view(&b, c))
	return b.String()
}

func TestViews(t *testing.T) {
	same, different := both(t, ""), apart(t)
	require.Equal(t, compare.Paired, same.Mode)
	require.Equal(t, compare.Unpaired, different.Mode)
	golden(t, "paired.txt", shown(t, plain(false), same))
	golden(t, "paired-color.txt", strings.ReplaceAll(shown(t, plain(true), same), "\x1b", "␛"))
	golden(t, "paired.json", shown(t, asJSON, same))
	golden(t, "paired.csv", shown(t, asCSV, same))
	golden(t, "paired.md", shown(t, asMarkdown, same))
	golden(t, "unpaired.txt", shown(t, plain(false), different))
	golden(t, "unpaired.json", shown(t, asJSON, different))
	golden(t, "unpaired.csv", shown(t, asCSV, different))
	golden(t, "unpaired.md", shown(t, asMarkdown, different))
	assert.Equal(t, shown(t, asJSON, same), shown(t, asJSON, both(t, "")),
		"the same runs give the same bytes")
}

func TestNothingToShow(t *testing.T) {
	h := header()
	one := madeBy("one.jsonl", h, []*run.Record{trial(t, h, 1, "", false)})
	none := madeBy("none.jsonl", h, []*run.Record{silent(1, "Hi", "nobody answers")})
	for _, c := range []*compare.Comparison{
		compare.New(one, one, compare.Options{Draws: 100}),
		compare.New(none, none, compare.Options{Draws: 100, Top: 10}),
		compare.New(one, none, compare.Options{Draws: 100}),
	} {
		for _, view := range []func(io.Writer, *compare.Comparison) error{plain(false), asJSON,
			asCSV, asMarkdown} {
			out := shown(t, view, c)
			assert.NotContains(t, out, "NaN")
			assert.NotContains(t, out, "1.000", "no chance is told of nothing")
		}
		assert.True(t, json.Valid([]byte(shown(t, asJSON, c))))
	}
	golden(t, "one.txt", shown(t, plain(false), compare.New(one, one, compare.Options{Draws: 100})))
	golden(t, "none.txt",
		shown(t, plain(false), compare.New(one, none, compare.Options{Draws: 100})))
}

func TestNothingOfATranscriptActs(t *testing.T) {
	c := both(t, hostile)
	for name, view := range map[string]func(io.Writer, *compare.Comparison) error{"text": plain(false),
		"markdown": asMarkdown, "csv": asCSV, "json": asJSON} {
		out := shown(t, view, c)
		for _, bad := range []string{"\x1b", "\a", "\r", "\u0085"} {
			assert.NotContains(t, out, bad, name)
		}
		if name != "json" { // as in records, JSON escapes only what affects a terminal
			assert.NotContains(t, out, "\u202e", name)
		}
		if name == "markdown" {
			assert.NotContains(t, out, "<script", name)
		}
	}
}

func TestTextIsNeverWiderThanATerminal(t *testing.T) {
	long := both(t, strings.Repeat("word ", 50)+strings.Repeat("長", 300)+strings.Repeat("👩‍👧", 90))
	for _, c := range []*compare.Comparison{both(t, ""), both(t, hostile), long, apart(t)} {
		for line := range strings.Lines(shown(t, plain(false), c)) {
			line = strings.TrimSuffix(line, "\n")
			assert.LessOrEqual(t, ui.Cells(line), ui.Columns, "%q", line)
			assert.Equal(t, strings.TrimRight(line, " "), line, "spaces at the end")
		}
	}
}

func TestJSONHasTheDocumentedKeys(t *testing.T) {
	var document struct {
		Measures []map[string]any `json:"measures"`
		Files    []struct {
			Measures []map[string]any `json:"measures"`
		} `json:"files"`
		Changed []struct {
			Criteria []struct {
				A, B struct{ Ruling string }
			}
		} `json:"changed_most"`
		Lost []struct{ File string } `json:"became_unscored"`
	}
	require.NoError(t, json.Unmarshal([]byte(shown(t, asJSON, both(t, hostile))), &document))
	require.Len(t, document.Measures, len(both(t, "").All))
	assert.Contains(t, document.Measures[0], "rose")
	require.NotEmpty(t, document.Changed)
	assert.Equal(t, "R3-contradicted", document.Changed[0].Criteria[0].B.Ruling)
	require.Len(t, document.Lost, 1)
	document.Measures = nil
	require.NoError(t, json.Unmarshal([]byte(shown(t, asJSON, apart(t))), &document))
	assert.NotContains(t, document.Measures[0], "rose")
}

func TestCSVIsATable(t *testing.T) {
	for _, c := range []*compare.Comparison{both(t, hostile), apart(t)} {
		rows, err := csv.NewReader(strings.NewReader(shown(t, asCSV, c))).ReadAll()
		require.NoError(t, err)
		assert.Len(t, rows, 1+len(c.All))
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestViewsTellThatWritingFails(t *testing.T) {
	c := both(t, "")
	for _, view := range []func(io.Writer, *compare.Comparison) error{plain(false), asJSON, asCSV,
		asMarkdown} {
		assert.Error(t, view(full{}, c))
	}
}

func BenchmarkText(b *testing.B) {
	c := both(b, "")
	b.ReportAllocs()
	for b.Loop() {
		if err := plain(false)(io.Discard, c); err != nil {
			b.Fatal(err)
		}
	}
}
