package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var rules = judge.New(heuristics.New(), judge.Options{Rubric: rubric.Default(),
	Profile: satisfaction.DefaultProfile()})

// item returns dialogue n of a file, in which the USER says something.
func item(file string, n int, says string) source.Item {
	s := dialogue.Sample{Source: dialogue.Source{File: file, Position: n}}
	s.Dialogue = dialogue.Dialogue{ID: n, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: says}, {Role: dialogue.System, Text: "It left today."}}}
	return source.Item{File: file, Sample: s}
}

// judged collects what a batch yields.
func judged(t *testing.T, b *Batch, items ...source.Item) (all []Result, err error) {
	t.Helper()
	for r, e := range b.All(t.Context(), slices.Values(items)) {
		if err = e; err == nil {
			all = append(all, r)
		}
	}
	return all, err
}

// Results are in the order of the items, whoever is ready first; the same text refers to the first
// dialogue with it; an unreadable item keeps its error and its place.
func TestAll(t *testing.T) {
	bad := source.Item{File: "b.txt", Err: errors.New("b.txt:3: no such role")}
	var items []source.Item
	for n := range 40 {
		items = append(items, item("a.txt", n+1, fmt.Sprint("Where is parcel ", n%38, "?")))
	}
	items = slices.Insert(items, 20, bad)
	items = append(items, item("c.txt", 1, "Where is parcel 3?"))
	all, err := judged(t, &Batch{Judge: rules, Jobs: 8}, items...)
	require.NoError(t, err)
	require.Len(t, all, 42)
	for i, r := range all {
		if i == 20 {
			assert.EqualError(t, r.Err, "b.txt:3: no such role")
			assert.Nil(t, r.Record)
			continue
		}
		assert.Equal(t, items[i].Sample.Dialogue, r.Record.Dialogue)
		var want *run.Origin
		switch {
		case i == 41:
			want = &run.Origin{File: "a.txt", Name: "4"}
		case i > 38:
			want = &run.Origin{File: "a.txt", Name: strconv.Itoa(i - 38)}
		}
		assert.Equal(t, want, r.Record.Source.DuplicateOf, i)
	}
}

// A deleted dialogue is not yielded, but a later one with its text still refers to it.
func TestDeleted(t *testing.T) {
	gone := item("a.txt", 1, "Where is it?")
	b := &Batch{Judge: rules, Jobs: 1,
		Deleted: map[run.Identity]bool{run.New(gone.Sample).Identity(): true}}
	all, err := judged(t, b, gone, item("a.txt", 2, "Where is it?"), item("a.txt", 3, "When?"))
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, &run.Origin{File: "a.txt", Name: "1"},
		all[0].Record.Source.DuplicateOf)
	assert.Nil(t, all[1].Record.Source.DuplicateOf)
}

// A context that ends stops the batch; nothing is judged after it.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	endless := func(yield func(source.Item) bool) {
		for i := 1; yield(item("a.txt", i, fmt.Sprint("Where is parcel ", i, "?"))); i++ {
		}
	}
	for r, err := range (&Batch{Judge: rules, Jobs: 2}).All(ctx, endless) {
		require.NoError(t, err)
		if n++; n == 5 {
			cancel()
		}
		if r.Err != nil {
			break
		}
	}
	assert.Less(t, n, 100)
}

// scoring returns a batch that writes a run, and what it prints.
func scoring(t *testing.T, file string) (*Scoring, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	h := rules.Header(importer.Options{})
	s := &Scoring{Console: &console.Console{Out: &out, Err: &out},
		Batch: Batch{Judge: rules, Jobs: 2, Header: &h}}
	require.NoError(t, s.Resume(file))
	return s, &out
}

func values(items ...source.Item) iter.Seq[source.Item] { return slices.Values(items) }

// A run that was cut off continues where it ended, and has the bytes of one that was not.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	items := []source.Item{item("a.txt", 1, "Where is it?"), item("a.txt", 2, "When?"),
		item("a.txt", 3, "Where is it?")}
	whole := filepath.Join(dir, "whole.jsonl")
	s, _ := scoring(t, whole)
	require.NoError(t, s.Write(t.Context(), values(items...)))
	want, err := os.ReadFile(whole)
	require.NoError(t, err)
	lines := bytes.SplitAfter(want, []byte("\n"))

	cut := filepath.Join(dir, "cut.jsonl")
	for name, kept := range map[string][]byte{
		"after the header":      lines[0],
		"after a record":        slices.Concat(lines[0], lines[1]),
		"in the second record":  slices.Concat(lines[0], lines[1], lines[2][:30]),
		"before the last line":  slices.Concat(lines[:4]...),
		"after everything":      want,
		"before there is a run": nil,
	} {
		require.NoError(t, os.WriteFile(cut, kept, 0o666))
		s, out := scoring(t, cut)
		require.NoError(t, s.Write(t.Context(), values(items...)), name)
		data, err := os.ReadFile(cut)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(data), name)
		assert.Equal(t, 3, s.Totals.Records, name)
		stored := max(0, min(3, bytes.Count(kept, []byte("\n"))-1))
		assert.Equal(t, stored, s.Totals.Stored, name)
		assert.Equal(t, name == "after everything",
			bytes.Contains(out.Bytes(), []byte("already complete with 3 records")), name)
		assert.Equal(t, name == "in the second record", bytes.Contains(out.Bytes(),
			[]byte("removed an incomplete last line")), name)
		assert.Equal(t, name == "in the second record", bytes.Contains(out.Bytes(),
			[]byte(" of 30 bytes")), name)
		assert.Equal(t, stored > 0 && name != "after everything",
			bytes.Contains(out.Bytes(), []byte(": resuming after ")), name)
	}
}

// A run of other dialogues is not continued, and not changed.
func TestResumeOtherDialogues(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.jsonl")
	s, _ := scoring(t, file)
	require.NoError(t, s.Write(t.Context(), values(item("a.txt", 1, "Where is it?"),
		item("a.txt", 2, "When?"))))
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	for want, items := range map[string][]source.Item{
		"its turns, metadata, ratings or place have changed": {
			item("a.txt", 1, "Where is it?"), item("a.txt", 2, "Why?")},
		"the input ends before the dialogue of this record": {item("a.txt", 1, "Where is it?")},
	} {
		s, _ := scoring(t, file)
		assert.ErrorContains(t, s.Write(t.Context(), values(items...)), want)
		after, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, string(before), string(after), want)
	}
	h := rules.Header(importer.Options{Sheet: "Chats"})
	other := &Scoring{Console: &console.Console{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}},
		Batch: Batch{Judge: rules, Jobs: 1, Header: &h}}
	assert.ErrorContains(t, other.Resume(file), "Chats now")
}

func TestProgress(t *testing.T) {
	all := totals{Records: 110, Stored: 100, Summary: summary.Summary{Unscored: 3}, Unread: 2}
	assert.Equal(t, "110 of 120 dialogues, 2 a second, 5.0 s left, 3 unscored, 2 unreadable",
		all.Progress(5*time.Second, 120))
	assert.Equal(t, "100 of 120 dialogues", (&totals{Records: 100, Stored: 100}).
		Progress(time.Second, 120), "stored records took no time")
}

func TestLines(t *testing.T) {
	totals := totals{Records: 3, Stored: 1}
	assert.Equal(t,
		[]string{
			"run.jsonl: 3 records in 3 min (100.0 s each): 0 scored, 0 unscored, 1 already in the run"},
		totals.Summaries("run.jsonl", 200*time.Second))
	assert.Equal(t,
		[]string{
			"run.jsonl: 3 records in 2.0 s (1 a second): 0 scored, 0 unscored, 1 already in the run"},
		totals.Summaries("run.jsonl", 2*time.Second-1))
}

// A batch that is stopped says what is missing and how to go on; a run keeps its records and has no
// end, and a file that would have been replaced stays as it was.
func TestStopped(t *testing.T) {
	dir := t.TempDir()
	stopping := func(cancel func()) iter.Seq[source.Item] {
		return func(yield func(source.Item) bool) {
			_ = yield(item("a.txt", 1, "Where is it?")) && yield(item("a.txt", 2, "When?"))
			cancel()
		}
	}
	stop := func(s *Scoring) (stored string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		require.NoError(t, s.Write(ctx, stopping(cancel)))
		assert.True(t, s.Console.Complained)
		return fmt.Sprintf("stopped after %s; the rest is not scored\n",
			ui.Counted(s.Totals.Records, "dialogue"))
	}
	file := filepath.Join(dir, "run.jsonl")
	for hint, own := range map[string]string{"run the same command again to resume": "",
		"call again": "call again"} {
		require.NoError(t, os.RemoveAll(file))
		s, out := scoring(t, file)
		s.HowToResume = own
		assert.Equal(t, "assize: "+stop(s)+"hint: "+hint+"\n", out.String())
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, 1+s.Totals.Records, bytes.Count(data, []byte("\n")), "no closing line")
	}

	s, out := scoring(t, filepath.Join(dir, "other.jsonl"))
	require.NoError(t, s.Out.Abandon())
	page, err := output.Overwrite(nil, filepath.Join(dir, "page.json"))
	require.NoError(t, err)
	closed := &records{}
	s.Run, s.Out, s.Sink, s.Format = nil, page, closed, "json"
	want := stop(s)
	assert.Equal(t, "assize: "+want+"assize: -o "+page.Replaces+": is unchanged; --format jsonl "+
		"keeps the results of a stopped run\n", out.String())
	assert.True(t, closed.isClosed)
	assert.NoFileExists(t, page.Replaces)
}

// records is an output that remembers what it gets.
type records struct {
	names, unread []string
	isClosed      bool
}

func (r *records) Add(rec *run.Record) error {
	r.names = append(r.names, rec.Name())
	return nil
}

func (r *records) Close() error {
	r.isClosed = true
	return nil
}

func (r *records) Unread(file, place string, err error) {
	r.unread = append(r.unread, file+" "+err.Error())
}

// An output gets every record and every error; a dialogue without scores is named where only scores
// are written, and one without the day that a fact needs is counted.
func TestWrite(t *testing.T) {
	var out bytes.Buffer
	dated, err := rubric.Parse("card.yaml", []byte("facts: [{id: refunds, about: {any: [refund]}, "+
		"value: 14 days, when: {from: 2026-01-31}}]"))
	require.NoError(t, err)
	for _, tt := range []struct {
		format string
		judge  *judge.Judge
		want   string
	}{
		{"json", rules, "assize: b.txt:3: no such role\n" +
			"assize: a.txt: dialogue 2 is unscored and left out: the dialogue has no USER turn with " +
			"words in it\n"},
		{"csv", rules, "assize: b.txt:3: no such role\n"},
		{"csv", judge.New(rules.Agents, judge.Options{Rubric: dated,
			Profile: satisfaction.DefaultProfile()}), "assize: b.txt:3: no such role\n" +
			"assize: 2 dialogues without the day or queue on which a fact depends, so the fact does " +
			"not hold there; want a column date or queue with the same value in all rows of a " +
			"dialogue\n"},
	} {
		out.Reset()
		page, err := output.Overwrite(&out, "")
		require.NoError(t, err)
		sink := &records{}
		s := &Scoring{Console: &console.Console{Out: &out, Err: &out}, Out: page, Sink: sink,
			Format: tt.format, Batch: Batch{Judge: tt.judge, Jobs: 1}}
		require.NoError(t, s.Write(t.Context(), values(item("a.txt", 1, "Where is it?"),
			source.Item{File: "b.txt", Err: errors.New("b.txt:3: no such role")},
			item("a.txt", 2, "?!"))))
		assert.ElementsMatch(t, strings.SplitAfter(tt.want, "\n"),
			strings.SplitAfter(out.String(), "\n"), tt.format)
		assert.Equal(t, []string{"1", "2"}, sink.names)
		assert.Equal(t, []string{"b.txt b.txt:3: no such role"}, sink.unread)
		assert.True(t, sink.isClosed)
		assert.Equal(t, 1, s.Totals.Unread)
		assert.Equal(t, 2, s.Totals.Records)
	}
}

// A run of files that are not among the inputs names them, and the command that adds to it.
func TestMissingInputs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.jsonl")
	s, _ := scoring(t, file)
	require.NoError(t, s.Write(t.Context(), values(item("a.txt", 1, "Where is it?"),
		item("b.zip/in.txt", 1, "When?"), item("c d.txt", 1, "Why?"))))
	for _, tt := range []struct {
		inputs     []string
		want, hint string
	}{
		{[]string{"new.txt"}, "dialogues of a.txt and 2 more files, not among the inputs",
			"assize score a.txt b.zip/in.txt 'c d.txt' new.txt --jobs 2 -o " + file + " adds"},
		{[]string{"b.zip", "a.txt"}, "dialogues of c d.txt, not among the inputs",
			"assize score a.txt b.zip 'c d.txt' --jobs 2 -o " + file + " adds"},
		{[]string{"b.zip", "a.txt", "c d.txt"}, "is the record of dialogue 1 of a.txt, and the " +
			"input has dialogue 1 of new.txt here", "hint: remove the file"},
		{nil, "is the record of dialogue 1 of a.txt", "hint: remove the file"},
	} {
		s, out := scoring(t, file)
		s.Inputs, s.Flags = tt.inputs, []string{"--jobs", "2"}
		err := s.Write(t.Context(), values(item("new.txt", 1, "Who?")))
		require.ErrorContains(t, err, tt.want)
		s.Complain(err)
		assert.Contains(t, out.String(), tt.hint)
	}
}

// A dialogue that is larger than all that may be judged at once is judged alone.
func TestHugeDialogue(t *testing.T) {
	huge := item("a.txt", 1, "?")
	huge.Sample.Dialogue.Turns = make([]dialogue.Turn, maxInFlight/200+1)
	all, err := judged(t, &Batch{Judge: rules, Jobs: 2}, item("a.txt", 1, "Where?"), huge,
		item("a.txt", 3, "When?"))
	require.NoError(t, err)
	require.Len(t, all, 3)
	assert.False(t, all[1].Record.Scored())
}

func TestSummaries(t *testing.T) {
	totals := totals{Records: 5, Unread: 1, Summary: summary.Summary{Scored: 3, Unscored: 2,
		Duplicates: 1, Overall: [5]int{1, 0, 0, 0, 2}, Reasons: map[string]int{"no SYSTEM": 2}}}
	assert.Equal(t, []string{
		"r: 5 records in 0.5 s: 3 scored, 2 unscored, 1 repeated, 1 could not be read",
		"  OverallExperience 100: 2 (66.7 %), 80: 0 (0.0 %), 60: 0 (0.0 %), 40: 0 (0.0 %), " +
			"20: 1 (33.3 %)",
		"  unscored 2 × no SYSTEM",
	}, totals.Summaries("r", time.Second/2))
}
