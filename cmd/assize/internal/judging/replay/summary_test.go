package replay

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
)

func TestSummarySentence(t *testing.T) {
	const follows = "every decision, average, level and audit follows from its evidence"
	for _, tt := range []struct {
		s     Summary
		want  string
		sound bool
	}{
		{Summary{}, "0 records: there is nothing to recompute", true},
		{Summary{Scored: 1, Unjudged: true}, "1 record, 1 scored: " + follows, true},
		{Summary{Scored: 2, Unscored: 1, Duplicates: 1}, "3 records, 2 scored, 1 unscored; " +
			"1 repeat among them: " + follows +
			"; the rules of this program give every dialogue the same scores", true},
		{Summary{Scored: 2, Different: 1, Broken: 1, Contradictions: 1, WrongEnds: 1},
			"3 records, 2 scored: 1 different from its evidence; 1 unreadable; 1 value changed in the header; " +
				"1 value wrong in the closing line", false},
		{Summary{Unscored: 1, Unjudged: true, Stopped: true},
			"stopped after 1 record, 1 unscored: " + follows + "; the rest was not read", false},
		{Summary{Scored: 1, Unjudged: true, Errors: 1}, "1 record, 1 scored: " + follows, false},
		{Summary{WrongEnds: 1}, "0 records: there is nothing to recompute; " +
			"1 value wrong in the closing line", false},
	} {
		tt.s.Close()
		assert.Equal(t, tt.want, tt.s.String())
		assert.Equal(t, tt.sound, tt.s.Sound, tt.want)
	}
}

// What a replay cannot know is listed, and only that.
func TestNotVerified(t *testing.T) {
	const place = "file, id and ratings of a dialogue"
	for _, tt := range []struct {
		s    Summary
		want []string // the beginnings
	}{
		{Summary{}, nil},
		{Summary{Unjudged: true, Model: true}, nil},
		{Summary{Scored: 1}, []string{place}},
		{Summary{Unscored: 1, Unjudged: true, Model: true, Foreign: true, Redacted: true},
			[]string{"the detectors' signals", "whether a call of the model is missing",
				"satisfaction, which", "whether the masked turns", place}},
	} {
		tt.s.Close()
		require.Len(t, tt.s.NotVerified, len(tt.want))
		for i, want := range tt.want {
			assert.True(t, strings.HasPrefix(tt.s.NotVerified[i], want), tt.s.NotVerified[i])
		}
	}
}

// Of a line, three differences are shown; of all lines, as many as are wanted.
func TestSummaryText(t *testing.T) {
	record := &run.Record{Source: run.Source{ID: "conv-7"}}
	differs := func(n int) (list []run.Difference) {
		for range n {
			list = append(list, run.Difference{Message: "is wrong"})
		}
		return list
	}
	s := &Summary{File: "r.jsonl", MaxLines: 3}
	for _, r := range []Result{
		{Number: 1, Differences: differs(3),
			Line: run.Line{Kind: run.EndLine, Expected: &run.End{}}},
		{Number: 2, Record: record, Line: run.Line{Header: &run.Header{}}, Differences: differs(4)},
		{Number: 3, Differences: differs(1)},
		{Number: 4},
		{Number: 5, Differences: differs(2)},
		{Err: &run.Unfinished{File: "r.jsonl"}},
	} {
		s.Add(&r)
	}
	s.Close()
	assert.Equal(t, 1, s.LeftOut)
	var p ui.Page
	s.Text(&p)
	text := p.String()
	assert.Equal(t, `r.jsonl:1: closing line: the line is wrong
r.jsonl:1: closing line: the line is wrong
r.jsonl:1: closing line: the line is wrong
r.jsonl:2: dialogue conv-7: the line is wrong
r.jsonl:2: dialogue conv-7: the line is wrong
r.jsonl:2: dialogue conv-7: the line is wrong
  and 1 more
r.jsonl:3: the line is wrong
and 1 line more; --format json shows up to 1000

r.jsonl: 3 records, 1 unscored: 1 different from its evidence; 2 unreadable; 1
  value wrong in the closing line; unfinished: there is no closing line, so the
  run was stopped, or lines are missing at its end
`, text[:strings.Index(text, "  not verified")])

	p.Reset()
	sound := &Summary{File: "s.jsonl", Scored: 1}
	(&Document{Runs: []*Summary{sound.Close(), sound}}).Text(&p)
	text = p.String()
	assert.Equal(t, 1, strings.Count(text, "\n\n"), "an empty line between two runs")
	assert.True(t, strings.HasPrefix(text, "s.jsonl: 1 record, 1 scored: "), text)
	p.Reset()
	(&Summary{}).Close().Text(&p)
	assert.Empty(t, p.String(), "an error was reported already")
	p = ui.Page{Color: true}
	sound.Text(&p)
	assert.Contains(t, p.String(), "\x1b["+string(ui.Green)+"m")
	p.Reset()
	s.Text(&p)
	assert.Contains(t, p.String(), "\x1b["+string(ui.Red)+"m")
}

func TestFile(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	dir := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, text, 0o666))
		return path
	}
	replay := func(ctx context.Context, path string) (*Summary, string) {
		var w bytes.Buffer
		return File(ctx, &console.Console{Err: &w}, path, 2, 10, f.agents),
			w.String()
	}
	s, said := replay(t.Context(), write("run.jsonl", f.run()))
	assert.True(t, s.Sound)
	assert.Empty(t, said)
	assert.Equal(t, len(f.records), s.Records)

	none := filepath.Join(dir, "none.jsonl")
	s, said = replay(t.Context(), none)
	assert.False(t, s.Sound)
	assert.Equal(t, 1, s.Errors)
	assert.Contains(t, said, none)
	empty := write("empty.jsonl", nil)
	s, said = replay(t.Context(), empty)
	assert.False(t, s.Sound)
	assert.Equal(t, "assize: "+empty+": is empty; want a run, as assize score -o run.jsonl writes\n",
		said)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, said = replay(ctx, filepath.Join(dir, "run.jsonl"))
	assert.True(t, s.Stopped)
	assert.False(t, s.Sound)
	assert.Contains(t, said, "; the rest is not read\n")
}
