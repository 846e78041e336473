package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file under testdata.
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

// hostile is a text that an attacker may put into a transcript.
const hostile = "\x1b]0;owned\x07\x1b[31mred\u202egnp.exe | <script>alert(1)</script> =1+1 \u0085\r\n日本語のとても長い文章"

// trial returns a record with a small dispute: the Critic lowers Accuracy on the evidence of a
// signal, and Empathy without one.
func trial(t testing.TB, id int, text string) *run.Record {
	d := dialogue.Dialogue{ID: id, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "A table for four on Friday, please."},
		{Role: dialogue.System, Text: "I have a table for two on Friday."},
		{Role: dialogue.User, Text: "No, I said four. " + text},
	}}
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: 80, Claim: "the SYSTEM offers a table",
			Quotes: []rubric.Quote{{Turn: 2, Text: "I have a table for two on Friday."}}}
	}
	var critique rubric.Critique
	critique[rubric.Accuracy] = rubric.Objection{
		Suggested: 40, By: "rules", Claim: "the SYSTEM states the opposite of what the USER said",
		Quotes: []rubric.Quote{{Turn: 1, Text: "A table for four"},
			{Turn: 3, Text: "No, I said four."}},
	}
	critique[rubric.Empathy] = rubric.Objection{
		Suggested: 60, By: "rules", Claim: "nothing kind is said",
		Quotes: []rubric.Quote{{Turn: 2, Text: "I have a table"}},
	}
	signals := []rubric.Signal{
		{ID: "courtesy-polite", Criteria: rubric.SetOf(rubric.Empathy), Turn: 2, Points: 60},
		{ID: "reaction-corrects",
			Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Accuracy), Turn: 3, Points: -250},
	}
	e, err := rubric.Default().Settle(rubric.Case{Dialogue: d, Signals: signals}, card, critique)
	require.NoError(t, err)
	r := run.New(dialogue.Sample{
		Dialogue: d,
		Source:   dialogue.Source{File: "calls/friday.txt", Format: importer.Plain},
		Truth:    dialogue.Truth{Overall: []float64{2, 3, 2.5}},
	})
	r.Evaluation, r.Satisfaction = e, 245
	return r
}

func unscored(id int, reason string) *run.Record {
	r := run.New(dialogue.Sample{
		Dialogue: dialogue.Dialogue{ID: id,
			Turns: []dialogue.Turn{{Role: dialogue.User, Text: "Hello?"}}},
		Source: dialogue.Source{File: "calls/silent.txt", Format: importer.Plain, ID: "call-" +
			strings.Repeat("9", id)},
	})
	r.Reason = reason
	return r
}

// write writes records as those of dialogues with different words.
func write(t testing.TB, s run.Sink, records ...*run.Record) {
	t.Helper()
	for i, r := range records {
		r.Source.Digest = fmt.Sprintf("%02x", i) + strings.Repeat("0", 62)
		require.NoError(t, s.Add(r))
	}
	require.NoError(t, s.Close())
}

// without returns options without notes at the end.
func without(opt Options) Options {
	opt.Notes = none
	return opt
}

func none() []string { return nil }

func textOf(t testing.TB, opt Options, records ...*run.Record) string {
	var b bytes.Buffer
	write(t, NewText(&b, without(opt)), records...)
	return b.String()
}

func TestText(t *testing.T) {
	one := trial(t, 7, "")
	three := []*run.Record{one, unscored(3, "the dialogue has no SYSTEM turn with words in it"),
		trial(t, 1234567890, "")}
	golden(t, "full.txt", textOf(t, Options{}, one))
	golden(t, "full-color.txt",
		strings.ReplaceAll(textOf(t, Options{Page: ui.Page{Color: true}}, one), "\x1b", "␛"))
	golden(t, "unscored.txt", textOf(t, Options{}, three[1]))
	golden(t, "table.txt", textOf(t, Options{}, three...))
	golden(t, "table-files.txt", textOf(t, Options{Files: true}, three...))
	golden(t, "all-full.txt", textOf(t, Options{Full: true}, three...))
	assert.Empty(t, textOf(t, Options{}), "nothing in, nothing out")
}

func TestTextIsNeverWiderThanATerminal(t *testing.T) {
	r := trial(t, 7, hostile)
	r.Source.ID, r.Source.File = strings.Repeat("長", 60), strings.Repeat("/folder", 30)
	r.Evaluation.Evaluator[0].Claim = strings.Repeat("word ", 50) + strings.Repeat("x", 300) +
		strings.Repeat("👩‍👧", 90)
	r.Evaluation.Evaluator[1].Quotes = []rubric.Quote{{Turn: 3, Text: r.Dialogue.Turns[2].Text}}
	u := unscored(9, strings.Repeat("よくわからない", 30))
	for _, opt := range []Options{{}, {Files: true}, {Full: true}} {
		for _, records := range [][]*run.Record{{r}, {u}, {r, u, r}} {
			for line := range strings.Lines(textOf(t, opt, records...)) {
				line = strings.TrimSuffix(line, "\n")
				assert.LessOrEqual(t, ui.Cells(line), 80, "%q", line)
				assert.Equal(t, strings.TrimRight(line, " "), line, "spaces at the end")
			}
		}
	}
}

func TestNothingOfATranscriptActs(t *testing.T) {
	r := trial(t, 7, hostile)
	r.Source.ID, r.Source.File = hostile, hostile
	r.Evaluation.Final[0].Claim, r.Evaluation.Evaluator[0].Claim = hostile, hostile
	quote := []rubric.Quote{{Turn: 3, Text: r.Dialogue.Turns[2].Text}}
	r.Evaluation.Final[0].Quotes, r.Evaluation.Evaluator[0].Quotes = quote, quote
	u := unscored(2, hostile)
	u.Source.ID = hostile
	sinks := map[string]func(*bytes.Buffer) run.Sink{
		"text":     func(b *bytes.Buffer) run.Sink { return NewText(b, without(Options{})) },
		"full":     func(b *bytes.Buffer) run.Sink { return NewText(b, without(Options{Full: true})) },
		"markdown": func(b *bytes.Buffer) run.Sink { return NewMarkdown(b, without(Options{})) },
		"markfull": func(b *bytes.Buffer) run.Sink { return NewMarkdown(b, without(Options{Full: true})) },
		"csv":      func(b *bytes.Buffer) run.Sink { return NewCSV(b) },
		"junit":    func(b *bytes.Buffer) run.Sink { return newJUnit(b) },
	}
	for name, sink := range sinks {
		var b bytes.Buffer
		write(t, sink(&b), r, u)
		out := b.String()
		assert.NotContains(t, out, "\x1b", name)
		assert.NotContains(t, out, "\a", name)
		assert.NotContains(t, out, "\u202e", name)
		assert.NotContains(t, out, "\u0085", name)
		assert.NotContains(t, out, "\r", name)
		assert.Contains(t, out, "␛", name)
		if strings.HasPrefix(name, "mark") || name == "junit" {
			assert.NotContains(t, out, "<script", name)
			assert.NotRegexp(t, `[^\\ ]\| <`, out, name)
		}
	}
}

func newJUnit(w io.Writer) *JUnit {
	return NewJUnit(w, summary.NewThresholds(thresholds, summary.Portion{}, 0), strings.Clone, none)
}

// thresholds has one that trial misses, one that it reaches, and two for criteria.
var thresholds = []summary.Threshold{{Name: summary.OverallName, Least: 80},
	{Name: rubric.TaskSuccess.String(), Least: 80}, {Name: rubric.Accuracy.String(), Least: 60},
	{Name: rubric.Empathy.String(), Least: 100}}

func TestJUnit(t *testing.T) {
	fine := trial(t, 8, "")
	for i := range fine.Evaluation.Final {
		fine.Evaluation.Final[i].Score = 100
	}
	fine.Evaluation.Overall = 100
	var b bytes.Buffer
	write(t, newJUnit(&b), trial(t, 7, "<b>"), fine, unscored(3, "nobody answers"))
	golden(t, "junit.xml", b.String())
	b.Reset()
	write(t, newJUnit(&b))
	assert.NoError(t, xml.Unmarshal(b.Bytes(), &struct{}{}), "nothing in, no suite out")
}

func TestJSONIsAnObjectForOneAndAnArrayForSeveral(t *testing.T) {
	scored, silent := trial(t, 7, ""), unscored(2, "silence")
	for _, tt := range []struct {
		reason  string
		records []*run.Record
		want    string // the kind of value, and the number of documents in it
		count   int
	}{
		{"one", []*run.Record{scored}, "{", 1},
		{"several", []*run.Record{scored, trial(t, 8, ""), trial(t, 9, "")}, "[", 3},
		{"an unscored one has no document", []*run.Record{silent, scored, silent, scored}, "[", 2},
		{"two of which one has a document are still several",
			[]*run.Record{scored, silent}, "[", 1},
		{"none has a document", []*run.Record{silent, silent}, "[", 0},
		{"the only one has none", []*run.Record{silent}, "[", 0},
		{"none at all", nil, "[", 0},
	} {
		for name, appender := range map[string]func(*rubric.Evaluation, []byte) []byte{
			"debate": (*rubric.Evaluation).AppendDebate,
			"single": (*rubric.Evaluation).AppendSingle,
		} {
			var b bytes.Buffer
			write(t, NewJSON(&b, appender), tt.records...)
			require.True(t, json.Valid(b.Bytes()), "%s: %s", tt.reason, &b)
			assert.Equal(t, tt.want, b.String()[:1], "%s, %s", tt.reason, name)
			assert.Equal(t,
				tt.count, strings.Count(b.String(), `"OverallExperience"`), "%s, %s", tt.reason,
				name)
			assert.True(t, strings.HasSuffix(b.String(), "\n"))
		}
	}
	var b bytes.Buffer
	write(t, NewJSON(&b, (*rubric.Evaluation).AppendSingle), scored)
	golden(t, "single.json", b.String())
	assert.NotContains(t, b.String(), "dialogue_id")
}

func TestJSONL(t *testing.T) {
	var b bytes.Buffer
	s, err := NewJSONL(&b, run.Header{Program: "v1", Basis: run.DefaultBasis()})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(b.String(), "\n"),
		"the header is out before the first record")
	r := trial(t, 7, "")
	require.NoError(t, s.Add(r))
	assert.Equal(t, 2, strings.Count(b.String(), "\n"), "a record is out as soon as it is known")
	require.NoError(t, s.Add(unscored(2, "silence")))
	require.NoError(t, s.Close())
	lines := strings.Split(b.String(), "\n")
	require.Len(t, lines, 5)
	assert.True(t, strings.HasPrefix(lines[0], `{"assize_run":4,"program":"v1",`))
	assert.Equal(t, string(r.Append(nil)), lines[1])
	assert.Contains(t, lines[2], `"status":"unscored","reason":"silence"`)
	sum := sha256.Sum256([]byte(strings.Join(lines[:3], "\n") + "\n"))
	assert.Equal(t,
		fmt.Sprintf(`{"assize_run_end":1,"records":2,"scored":1,"duplicates":0,"digest":"%x"}`,
			sum), lines[3])
}

func TestCSV(t *testing.T) {
	u := unscored(2, "=HYPERLINK(\"http://x\")")
	u.Source.ID = "@id"
	u.Source.File = "-"
	var b bytes.Buffer
	s := NewCSV(&b)
	write(t, s, trial(t, 7, ""), u)
	golden(t, "table.csv", b.String())
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	for _, row := range rows {
		for _, cell := range row {
			assert.NotRegexp(t, `^[=+\-@\t\r].`, cell)
		}
	}
}

func TestXLSX(t *testing.T) {
	u := unscored(2, "=HYPERLINK(\"http://x\")")
	u.Source.ID, u.Source.Meta = "007",
		dialogue.NewMeta([]dialogue.Field{{Name: "Queue", Value: "=1+1"},
			{Name: "status", Value: "open"}})
	u.Truth = dialogue.Truth{Overall: []float64{4.5}}
	var b bytes.Buffer
	write(t, NewXLSX(&b, none), trial(t, 7, ""), u)
	var again bytes.Buffer
	write(t, NewXLSX(&again, none), trial(t, 7, ""), u)
	assert.True(t, bytes.Equal(b.Bytes(), again.Bytes()), "the same scores are the same file")
	book, err := excelize.OpenReader(&b)
	require.NoError(t, err)
	assert.Equal(t, []string{"Scores", "Summary"}, book.GetSheetList())
	rows, err := book.GetRows("Scores")
	require.NoError(t, err)
	require.Len(t, rows, 3)
	last := len(rows[0]) - 1
	assert.Equal(t, []string{"evidence", "Queue", "source_status"}, rows[0][last-2:])
	assert.Equal(t, []string{"calls/silent.txt", "007", "", "1", "unscored",
		`=HYPERLINK("http://x")`}, rows[2][:6])
	assert.Equal(t, []string{"", "=1+1", "open"}, rows[2][last-2:])
	for _, cell := range []string{"B3", "F3", "Z3"} {
		formula, err := book.GetCellFormula("Scores", cell)
		require.NoError(t, err)
		assert.Empty(t, formula)
		kind, err := book.GetCellType("Scores", cell)
		require.NoError(t, err)
		assert.Equal(t, excelize.CellTypeInlineString, kind, cell)
	}
	panes, err := book.GetPanes("Scores")
	require.NoError(t, err)
	assert.True(t, panes.Freeze)
	sentences, err := book.GetRows("Summary")
	require.NoError(t, err)
	assert.Equal(t, "2 dialogues: 1 scored, 1 unscored; the Referee changed scores in 1",
		sentences[0][0])
}

// TestLateFields writes more rows than are held back before the heading.
func TestLateFields(t *testing.T) {
	var b bytes.Buffer
	s := NewCSV(&b)
	for i := range maxHeld + 1 {
		u := unscored(i+1, "silence")
		u.Source.Meta = dialogue.Meta{{Name: "queue", Value: "east"}}
		if i == maxHeld {
			u.Source.Meta = append(u.Source.Meta, dialogue.Field{Name: "team", Value: "blue"})
		}
		require.NoError(t, s.Add(u))
	}
	require.NoError(t, s.Close())
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	assert.Contains(t, lines[0], ",evidence,queue,more")
	assert.Regexp(t, ",east,$", lines[1])
	assert.Regexp(t, ",east,team=blue$", lines[maxHeld+1])
}

func TestMarkdown(t *testing.T) {
	var one, several bytes.Buffer
	r := trial(t, 7, "")
	write(t, NewMarkdown(&one, without(Options{})), r)
	golden(t, "full.md", one.String())
	write(t, NewMarkdown(&several, without(Options{})), r,
		unscored(2, "no | <b>SYSTEM</b>"), trial(t, 8, ""))
	golden(t, "table.md", several.String())
	for line := range strings.Lines(several.String()) {
		if strings.HasPrefix(line, "| calls") {
			assert.Equal(t, 12, strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"), line)
		}
	}
}

func TestIntake(t *testing.T) {
	in := Intake{File: "calls.txt", Broken: 2,
		Show: func(s string) string { return strings.ReplaceAll(s, "Ann", "[name]") }}
	for i := range 12 {
		in.Add(dialogue.Sample{
			Dialogue: dialogue.Dialogue{Turns: make([]dialogue.Turn, 4)},
			Source: dialogue.Source{Format: importer.Chat, Speakers: []dialogue.Speaker{
				{Name: "Ann\x1b", Role: dialogue.System, Turns: 2},
				{Name: "User " + string(rune('a'+i)), Role: dialogue.User, Turns: i + 1},
			}, Meta: dialogue.Meta{{Name: "agent", Value: "Ann"},
				{Name: "of Ann\x1b", Value: strings.Repeat("x", i%5+1)}}},
		})
	}
	for i := range maxValues + 1 {
		in.Add(dialogue.Sample{Source: dialogue.Source{Format: importer.Chat,
			Meta: dialogue.Meta{{Name: "case", Value: fmt.Sprint(i)}}}})
	}
	var b bytes.Buffer
	require.NoError(t, in.Write(&b))
	golden(t, "intake.txt", b.String())
}

// Groups follow the dialogues, or are written alone.
func TestGroups(t *testing.T) {
	r := unscored(1, "nobody speaks")
	r.Source.Meta = dialogue.Meta{{Name: "agent", Value: "Ann"}}
	by := func(name string) Options {
		return Options{Groups: summary.NewGroupers([]string{name}, nil)}
	}
	var both, alone, empty bytes.Buffer
	write(t, NewMarkdown(&both, without(by("agent"))), r, r)
	write(t, NewGroups(&alone, by("agent")), r, r)
	assert.Contains(t, alone.String(), "agent,Ann,0,2,")
	assert.Contains(t, both.String(), "\n\n**By agent")
	write(t, NewGroups(&empty, by("agent")))
	assert.Empty(t, empty.String(), "no dialogue, no table")
	s := NewText(&empty, without(by("agnt")))
	require.NoError(t, s.Add(r))
	assert.ErrorContains(t, s.Close(), "want one such as agent")
	assert.Contains(t, empty.String(), "nobody speaks", "the rest is written all the same")
}

// full is a writer like a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestSinksTellThatWritingFails(t *testing.T) {
	r := trial(t, 1, "")
	for name, s := range map[string]run.Sink{
		"text":     NewText(full{}, without(Options{Full: true})),
		"json":     NewJSON(full{}, (*rubric.Evaluation).AppendDebate),
		"markdown": NewMarkdown(full{}, without(Options{Full: true})), "jsonl": &jsonLines{w: full{},
			Closing: run.NewClosing(nil)}, "junit": newJUnit(full{}),
		"csv": func() run.Sink { return NewCSV(full{}) }(),
	} {
		assert.Error(t, errors.Join(s.Add(r), s.Add(r), s.Close()), name)
	}
}
