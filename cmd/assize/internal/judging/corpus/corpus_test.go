package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var rules = judge.New(heuristics.New(), judge.Options{Rubric: rubric.Default(),
	Profile: satisfaction.DefaultProfile()})

// chat is a transcript that the rules score.
const chat = "USER: Where is my parcel?\nSYSTEM: It left Leeds today and arrives on Thursday.\n" +
	"USER: Great, thank you!\n"

// write writes a file into a folder and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// sample returns a dialogue of a file.
func sample(file string, id int, texts ...string) (s dialogue.Sample) {
	s.Source = dialogue.Source{File: file, Position: id}
	s.Dialogue.ID = id
	for i, text := range texts {
		role := []dialogue.Role{dialogue.User, dialogue.System}[i%2]
		s.Dialogue.Turns = append(s.Dialogue.Turns, dialogue.Turn{Role: role, Text: text})
	}
	return s
}

// writeRun writes a run of dialogues; it is unfinished if cut is set.
func writeRun(t *testing.T, path string, cut bool, samples ...dialogue.Sample) string {
	t.Helper()
	h := rules.Header(importer.Options{})
	w, err := run.Create(path, &h)
	require.NoError(t, err)
	for _, s := range samples {
		r, err := rules.Judge(t.Context(), s)
		require.NoError(t, err)
		require.NoError(t, w.Add(r))
	}
	if !cut {
		require.NoError(t, w.Close())
	}
	require.NoError(t, w.Release())
	return path
}

// open opens a corpus of paths and returns it with what the console prints.
func open(t *testing.T, opt Options, in io.Reader) (*Corpus, *bytes.Buffer, error) {
	t.Helper()
	var w bytes.Buffer
	opt.Command, opt.Jobs = "triage", 2
	opt.Judging = func() (importer.Options, *judge.Judge, error) {
		return importer.Options{}, rules, nil
	}
	c, err := Open(t.Context(), &console.Console{In: in, Out: io.Discard, Err: &w}, opt)
	return c, &w, err
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	a := write(t, dir, "a.txt", chat)
	write(t, dir, "b.bin", "x")
	var w bytes.Buffer
	c := &console.Console{Err: &w, In: strings.NewReader("")}

	files, failed, err := Find(c, source.Transcripts, "triage", []string{dir}, "")
	require.NoError(t, err)
	assert.Empty(t, failed)
	assert.Equal(t, []string{a}, files)

	files, _, err = Find(c, source.Transcripts, "triage", nil, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"-"}, files, "a pipe")

	no := filepath.Join(dir, "no.txt")
	files, failed, err = Find(c, source.Transcripts, "triage", []string{no, a}, "")
	require.NoError(t, err, "the other path can be read")
	assert.Equal(t, []string{a}, files)
	require.Len(t, failed, 1)
	assert.Equal(t, no, failed[0].File)
	assert.True(t, c.Complained)
	assert.Contains(t, w.String(), no+": ")

	_, _, err = Find(&console.Console{Err: &w}, source.Transcripts, "triage", nil, "")
	w.Reset()
	assert.Equal(t, console.Bad, c.End(err))
	assert.Equal(t, "assize: no transcript; want files, folders, or - for standard input\n"+
		"hint: assize triage export.csv\nhint: assize triage --help\n", w.String())
}

// Runs in a folder of transcripts are left out; runs that are named are read, but not together with
// transcripts.
func TestFindTranscripts(t *testing.T) {
	dir := t.TempDir()
	a := write(t, dir, "a.txt", chat)
	r := writeRun(t, filepath.Join(dir, "run.jsonl"), false, sample("a.txt", 1, "Hi", "Hello"))
	for _, tt := range []struct {
		reason      string
		paths       []string
		runs, files []string
		note, err   string
	}{
		{"a transcript", []string{a}, nil, []string{a}, "", ""},
		{"a folder", []string{dir}, nil, []string{a},
			"assize: " + r + ": is a run, not a transcript; left out\n", ""},
		{"a run", []string{r}, []string{r}, nil, "", ""},
		{"both", []string{a, r}, nil, nil, "",
			r + " is a run and " + a + " is not; want only runs, or only transcripts"},
	} {
		var w bytes.Buffer
		c := &console.Console{Err: &w}
		runs, files, failed, err := FindTranscripts(t.Context(), c, "score", tt.paths, "")
		assert.Empty(t, failed, tt.reason)
		assert.Equal(t, tt.note, w.String(), tt.reason)
		if tt.err != "" {
			assert.EqualError(t, err, tt.err, tt.reason)
			continue
		}
		require.NoError(t, err, tt.reason)
		assert.Equal(t, tt.runs != nil, runs != nil, tt.reason)
		if runs != nil {
			assert.Equal(t, tt.runs, runs.Files, tt.reason)
		}
		assert.ElementsMatch(t, tt.files, files, tt.reason)
	}

	require.NoError(t, os.Remove(a))
	_, _, _, err := FindTranscripts(t.Context(), &console.Console{Err: io.Discard}, "score",
		[]string{dir}, "")
	assert.EqualError(t, err,
		"the input contains only runs; want transcripts, or runs by their names")

	text, err := os.ReadFile(r)
	require.NoError(t, err)
	c := &console.Console{In: bytes.NewReader(text), Err: io.Discard}
	runs, _, _, err := FindTranscripts(t.Context(), c, "score", nil, "")
	require.NoError(t, err)
	require.NotNil(t, runs, "a run in a pipe")
	assert.Equal(t, []string{"-"}, runs.Files)
	rest, err := io.ReadAll(c.In)
	require.NoError(t, err)
	assert.Equal(t, text, rest, "nothing of it is lost")
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	a := write(t, dir, "a.txt", chat)
	r := writeRun(t, filepath.Join(dir, "run.jsonl"), false, sample("a.txt", 1, "Hi", "Hello"))

	c, _, err := open(t, Options{Paths: []string{a}}, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{a}, c.Files)
	assert.Same(t, rules, c.Rules)

	c, w, err := open(t, Options{Paths: []string{dir}}, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{r}, c.Files)
	assert.Nil(t, c.Rules)
	assert.Equal(t, "assize: "+a+": is not a run; left out\n", w.String())

	_, _, err = open(t, Options{Paths: []string{a, r}}, nil)
	assert.EqualError(t, err, r+" is a run and "+a+" is not; want only runs, or only transcripts "+
		"(agree and fit take a table of ratings with --ratings)")
	refused := errors.New("--rubric cannot be used with a run")
	_, _, err = open(t, Options{Paths: []string{r}, Refused: refused}, nil)
	assert.Equal(t, refused, err)
	c, _, err = open(t, Options{Paths: []string{a}, Refused: refused}, nil)
	require.NoError(t, err)
	assert.Same(t, rules, c.Rules)
}

// Transcripts are judged by the rules, in their order, with their numbers and the run's header.
func TestJudged(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i := range 12 {
		text := strings.Replace(chat, "parcel", fmt.Sprint("parcel ", i), 1)
		paths = append(paths, write(t, dir, fmt.Sprintf("%02d.txt", i), text))
	}
	c, _, err := open(t, Options{Paths: paths}, nil)
	require.NoError(t, err)
	i := 0
	for e := range c.Once(t.Context()) {
		require.NoError(t, e.Err)
		assert.Equal(t, i, e.Index)
		assert.Equal(t, i+1, e.Line.Number)
		assert.Equal(t, paths[i], e.Line.File)
		assert.Contains(t, e.Record.Dialogue.Turns[0].Text, fmt.Sprint("parcel ", i, "?"))
		assert.Equal(t, rules.Header(importer.Options{}).Lexicon, e.Line.Header.Lexicon)
		i++
	}
	assert.Equal(t, 12, i)
}

// The records of an earlier run count; those from standard input have no names to compare.
func TestOnce(t *testing.T) {
	dir := t.TempDir()
	one, two := sample("a.txt", 1, "Hi", "Hello"), sample("a.txt", 2, "When?", "On Monday.")
	first := writeRun(t, filepath.Join(dir, "1.jsonl"), false, one, two, one)
	second := writeRun(t, filepath.Join(dir, "2.jsonl"), false, two,
		sample("a.txt", 3, "Where?", "In Leeds."))
	ids := func(c *Corpus) (list []int) {
		for e := range c.Once(t.Context()) {
			require.NoError(t, e.Err)
			list = append(list, e.Record.Dialogue.ID)
		}
		return list
	}
	c, w, err := open(t, Options{Paths: []string{first, second}}, nil)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 1, 3}, ids(c))
	assert.Equal(t, "assize: 1 dialogue is also in an earlier run, whose records are used\n",
		w.String())
	c, w, err = open(t, Options{Paths: []string{first}}, nil)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 1}, ids(c))
	assert.Empty(t, w.String())

	piped := sample("-", 1, "Hi", "Hello")
	first = writeRun(t, filepath.Join(dir, "3.jsonl"), false, piped)
	second = writeRun(t, filepath.Join(dir, "4.jsonl"), false, piped)
	c, _, err = open(t, Options{Paths: []string{first, second}}, nil)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 1}, ids(c))
}

// Of a dialogue that goes on in another input, the longest counts, whichever is read first, and one
// that is rated or wanted. One that has other words, or no ID and another file, is another one.
func TestLatest(t *testing.T) {
	dir := t.TempDir()
	own := func(id string, s dialogue.Sample) dialogue.Sample { s.Source.ID = id; return s }
	day1 := writeRun(t, filepath.Join(dir, "1.jsonl"), false, sample("a.txt", 1, "Hi", "Hello"),
		sample("a.txt", 2, "When?", "On Monday."), sample("a.txt", 3, "Where?", "In Leeds."),
		own("C-7", sample("b.csv", 4, "Why?")))
	day2 := writeRun(t, filepath.Join(dir, "2.jsonl"), false,
		sample("a.txt", 1, "Hi", "Hello", "It is late."),
		sample("a.txt", 2, "When?", "In York.", "Thanks."), sample("b.txt", 1, "Hi"),
		own("C-7", sample("c.csv", 9, "Why?", "I ask.")))
	day3 := writeRun(t, filepath.Join(dir, "3.jsonl"), false,
		sample("a.txt", 1, "Hi", "Hello", "It is late.", "Sorry."))
	kept := sample("a.txt", 1, "Hi", "Hello")
	for _, tt := range []struct {
		paths []string
		keep  func(run.Identity) bool
		want  string // the files, names and numbers of turns
		left  string
	}{
		{[]string{day1, day2}, nil, "a.txt 2 2, a.txt 3 2, a.txt 1 3, a.txt 2 3, b.txt 1 1, c.csv C-7 2",
			"2 dialogues left out, since another file has them with more turns"},
		{[]string{day3, day1}, nil, "a.txt 1 4, a.txt 2 2, a.txt 3 2, b.csv C-7 1",
			"1 dialogue left out, since another file has it with more turns"},
		{[]string{day1, day3}, func(id run.Identity) bool { return id == run.New(kept).Identity() },
			"a.txt 1 2, a.txt 2 2, a.txt 3 2, b.csv C-7 1, a.txt 1 4", ""},
		{[]string{day1}, nil, "a.txt 1 2, a.txt 2 2, a.txt 3 2, b.csv C-7 1", ""},
	} {
		c, w, err := open(t, Options{Paths: tt.paths}, nil)
		require.NoError(t, err)
		c.Keep = tt.keep
		var got []string
		for e := range c.Latest(t.Context()) {
			require.NoError(t, e.Err)
			src := e.Record.Source
			got = append(got, fmt.Sprintf("%s %s %d", src.File, e.Record.Name(), src.Turns))
		}
		assert.Equal(t, tt.want, strings.Join(got, ", "))
		said := strings.TrimSuffix(strings.TrimPrefix(w.String(), "assize: "), "\n")
		assert.Equal(t, tt.left, said)
	}
}

// A run that ends early is read as far as it goes, with a warning.
func TestUnfinished(t *testing.T) {
	path := writeRun(t, filepath.Join(t.TempDir(), "run.jsonl"), true,
		sample("a.txt", 1, "Hi", "Hello"), sample("a.txt", 2, "When?", "On Monday."))
	for range 2 {
		c, w, err := open(t, Options{Paths: []string{path}}, nil)
		require.NoError(t, err)
		n := 0
		for e := range c.Records(t.Context()) {
			require.NoError(t, e.Err)
			n++
		}
		assert.Equal(t, 2, n)
		assert.Equal(t, 1, c.Unfinished)
		assert.Contains(t, w.String(), path)
		assert.Len(t, c.Warned(), 1)
		// the second time, it was stopped within a line
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteString(`{"dialogue_id":3,"source`)
		require.NoError(t, errors.Join(err, f.Close()))
	}
}

func TestEach(t *testing.T) {
	dir := t.TempDir()
	a := write(t, dir, "a.txt", chat)
	bad := write(t, dir, "bad.json", "{")
	r := writeRun(t, filepath.Join(dir, "run.jsonl"), false, sample("a.txt", 1, "Hi", "Hello"))
	r2 := writeRun(t, filepath.Join(dir, "run2.jsonl"), false, sample("a.txt", 2, "Hi", "Hello"))
	stop := errors.New("enough")
	yes := func(*Entry) (bool, error) { return true, nil }
	no := func(*Entry) (bool, error) { return false, nil }
	for _, tt := range []struct {
		reason     string
		paths      []string
		take       func(*Entry) (bool, error)
		err        string
		headers    int
		complained bool
	}{
		{"wanted", []string{a}, yes, "", 1, false},
		{"one is unreadable", []string{a, bad}, yes, "", 1, true},
		{"not wanted", []string{a}, no, "no scored dialogue in " + a, 1, false},
		{"all are unreadable", []string{bad}, yes, bad + ": nothing could be read", 0, true},
		{"an error of take", []string{a}, func(*Entry) (bool, error) { return true, stop },
			"enough", 1, false},
		{"runs", []string{r, r2}, yes, "", 2, false},
		{"no wanted in runs", []string{r, r2}, no, "no scored dialogue in 2 files; want a run, " +
			"as assize score -o run.jsonl writes", 2, false},
	} {
		c, w, err := open(t, Options{Paths: tt.paths}, nil)
		require.NoError(t, err, tt.reason)
		err = c.Each(t.Context(), c.Records(t.Context()), "scored dialogue", tt.take)
		if tt.err == "" {
			assert.NoError(t, err, tt.reason)
		} else {
			assert.EqualError(t, err, tt.err, tt.reason)
		}
		assert.Len(t, c.Headers, tt.headers, tt.reason)
		assert.Equal(t, tt.complained, c.Complained, tt.reason)
		assert.Equal(t, tt.complained, strings.Contains(w.String(), bad), tt.reason)
	}

	c, _, err := open(t, Options{Paths: []string{r}}, nil)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.EqualError(t, c.Each(ctx, c.Records(ctx), "dialogue", yes),
		"stopped before everything was read and measured; nothing is printed")
}

func TestScored(t *testing.T) {
	path := writeRun(t, filepath.Join(t.TempDir(), "run.jsonl"), false,
		sample("a.txt", 1, "Where is my parcel?", "It left today."), sample("a.txt", 2, "Hi", ""),
		sample("a.txt", 3, "When does it arrive?", "On Monday."))
	c, _, err := open(t, Options{Paths: []string{path}}, nil)
	require.NoError(t, err)
	rows, unscored, err := c.Scored(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, unscored)
	require.Len(t, rows, 2)
	for i, id := range []int{1, 3} {
		assert.Equal(t, id, rows[i].ID)
		assert.Equal(t, i, rows[i].Place)
	}

	path = writeRun(t, filepath.Join(t.TempDir(), "silent.jsonl"), false, sample("a.txt", 1, "Hi", ""))
	c, _, err = open(t, Options{Paths: []string{path}}, nil)
	require.NoError(t, err)
	_, _, err = c.Scored(t.Context())
	assert.ErrorContains(t, err, "no scored dialogue in "+path)
}

// --system-name is an error only if nobody has the name, and somebody became the USER by it.
func TestSystemNames(t *testing.T) {
	speaks := func(assumed bool, names ...string) (it source.Item) {
		for _, n := range names {
			it.Sample.Source.Speakers = append(it.Sample.Source.Speakers,
				dialogue.Speaker{Name: n, Assumed: assumed})
		}
		return it
	}
	for _, tt := range []struct {
		reason string
		wanted []string
		items  []source.Item
		prints string
	}{
		{"found", []string{"bot"}, []source.Item{speaks(true, "Bot", "Kim")}, ""},
		{"the second is found", []string{"x", "bot"}, []source.Item{speaks(true, "Bot")}, ""},
		{"nobody is assumed", []string{"x"}, []source.Item{speaks(false, "Bot")}, ""},
		{"no flag", nil, []source.Item{speaks(true, "Bot")}, ""},
		{"not found", []string{"x"},
			[]source.Item{speaks(true, "Bot", "Kim"), speaks(true, "Kim")},
			"assize: --system-name \"x\": no speaker has this name, and \"Bot\", \"Kim\" counted " +
				"as the USER\nhint: give the name of the speaker to judge, or omit the flag\n"},
		{"many", []string{"x"}, []source.Item{
			speaks(true, strings.Split("a b c d e f g h i", " ")...)},
			`"g", "h" counted as the USER`},
	} {
		var w bytes.Buffer
		c := &console.Console{Err: &w}
		names := Names{Wanted: importer.Options{SystemNames: tt.wanted}}
		for _, it := range tt.items {
			names.Add(it)
		}
		names.Warn(c)
		assert.Contains(t, w.String(), tt.prints, tt.reason)
		assert.Equal(t, tt.prints != "", c.Complained, tt.reason)
	}

	// Of several names, each without a speaker is named, unless a speaker's name contains it.
	var w bytes.Buffer
	c := &console.Console{Err: &w}
	some := Names{Wanted: importer.Options{
		SystemNames: []string{"bot", "zoe", "Loon, Piet", "Loon", " Piet"}}}
	some.Add(speaks(false, "Bot"))
	some.Add(speaks(false, "Loon, Piet"))
	some.Warn(c)
	assert.Equal(t, "assize: --system-name \"zoe\": no speaker has this name\n", w.String())
	assert.False(t, c.Complained)

	w.Reset()
	c = &console.Console{Err: &w, Mask: func(err error) error { return err }}
	names := Names{Wanted: importer.Options{SystemNames: []string{"x"}}}
	names.Add(speaks(true, "anna.bell@example.com"))
	names.Warn(c)
	assert.NotContains(t, w.String(), "anna.bell")

	a := write(t, t.TempDir(), "a.txt", "Kim: Hi\nBot: Hello\n")
	w.Reset()
	c = &console.Console{Err: &w}
	n := 0
	for range Samples(c, []string{a}, importer.Options{SystemNames: []string{"Bott"}}) {
		n++
	}
	assert.Equal(t, 1, n)
	assert.Contains(t, w.String(), `--system-name "Bott": no speaker has this name`)
}

// What suggests a misreading is noted: dialogues with one side, or with very many turns.
func TestReadNotes(t *testing.T) {
	const both, one = `{"id":%d,"turns":[{"role":"user","text":"Hi"},` +
		`{"role":"assistant","text":"Hello"}]}` + "\n",
		`{"id":%d,"turns":[{"role":"user","text":"Hi"}]}` + "\n"
	long := func(turns int) string {
		list := strings.Repeat(`{"role":"user","text":"Hi"},{"role":"assistant","text":"Hello"},`,
			turns/2)
		if turns%2 == 1 {
			list += `{"role":"user","text":"Hi"},`
		}
		return `{"id":%d,"turns":[` + strings.TrimSuffix(list, ",") + "]}\n"
	}
	repeat := func(n int, line string) (list []string) {
		for range n {
			list = append(list, line)
		}
		return list
	}
	const sides = " dialogues have only one side; --dry-run shows the role of each speaker"
	for _, tt := range []struct {
		reason string
		lines  []string
		want   string
	}{
		{"a single one", repeat(1, one), ""},
		{"two of two", repeat(2, one), "2 of 2" + sides},
		{"8 of 9", append(repeat(8, one), both), ""},
		{"5 of 10", append(repeat(5, one), repeat(5, both)...), "5 of 10" + sides},
		{"5 of 11", append(repeat(5, one), repeat(6, both)...), ""},
		{"500 turns", []string{long(500)}, ""},
		{"501 turns", []string{both, long(501), long(502)},
			"2 dialogues of more than 500 turns, the first in FILE, dialogue 2, with 501; if this " +
				"is several dialogues in one, --dry-run shows how the file is read"},
	} {
		text := ""
		for i, line := range tt.lines {
			text += fmt.Sprintf(line, i+1)
		}
		path := write(t, t.TempDir(), "a.jsonl", text)
		c, n := &console.Console{Err: io.Discard}, 0
		for it := range Samples(c, []string{path}, importer.Options{}) {
			require.NoError(t, it.Err, tt.reason)
			n++
		}
		assert.Equal(t, len(tt.lines), n, tt.reason)
		notes := strings.Join(c.PrintGuesses(), "\n")
		if tt.want == "" {
			assert.NotContains(t, notes, "--dry-run", tt.reason)
			continue
		}
		assert.Contains(t, notes, strings.Replace(tt.want, "FILE", path, 1), tt.reason)
	}
}

// The count is known some time after it was first asked for, and never for a pipe.
func TestCounter(t *testing.T) {
	dir := t.TempDir()
	files := []string{write(t, dir, "a.txt", chat), write(t, dir, "bad.json", "{"),
		write(t, dir, "b.txt", chat)}
	total := Counter(t.Context(), files, importer.Options{}, source.IDs{})
	assert.Eventually(t, func() bool { return total() == 2 }, time.Minute, time.Millisecond)
	total = Counter(t.Context(), append(files, "-"), importer.Options{}, source.IDs{})
	for range 20 {
		assert.Zero(t, total())
		time.Sleep(time.Millisecond)
	}
}

func TestNamed(t *testing.T) {
	assert.Equal(t, "a.txt", Named([]string{"a.txt"}))
	assert.Equal(t, "2 files", Named([]string{"a.txt", "b.txt"}))
}

// Only dialogues of the wanted days count; the others are counted, and a dialogue counts although
// it repeats one of another day.
func TestDays(t *testing.T) {
	dated := func(id int, day, text string) dialogue.Sample {
		s := sample("a.txt", id, text, "On Monday.")
		if day != "" {
			at := day + "T09:00:00Z"
			s.Source.Voices = []dialogue.Voice{{At: at}, {At: at}}
		}
		return s
	}
	path := writeRun(t, filepath.Join(t.TempDir(), "run.jsonl"), false,
		dated(1, "2026-03-01", "When?"), dated(2, "2026-03-02", "How?"),
		dated(3, "2026-03-03", "When?"), dated(4, "2026-03-03", "When?"), dated(5, "", "Why?"))
	for _, tt := range []struct {
		since, until string
		want         []int
		note         string
	}{
		{"", "", []int{1, 2, 3, 4, 5}, ""},
		{"2026-03-02", "2026-03-02", []int{2}, "--since 2026-03-02 --until 2026-03-02: 3 dialogues " +
			"of other days and 1 without a date left out"},
		{"2026-03-02", "", []int{2, 3, 4}, "--since 2026-03-02: 1 dialogue of other days and 1 without a date"},
		{"", "2026-03-02", []int{1, 2}, "--until 2026-03-02: 2 dialogues of other days and 1 without a date"},
	} {
		c, w, err := open(t, Options{Paths: []string{path}, Days: [2]string{tt.since, tt.until}},
			nil)
		require.NoError(t, err)
		var got []int
		for e := range c.Once(t.Context()) {
			require.NoError(t, e.Err)
			got = append(got, e.Record.Dialogue.ID)
		}
		assert.Equal(t, tt.want, got, tt.note)
		notes := strings.ReplaceAll(w.String(), "\nassize:   ", " ")
		assert.Contains(t, notes, tt.note)
		assert.Equal(t, tt.since != "" && tt.until == "", strings.Contains(notes,
			"1 dialogue repeats one of other days"), notes)
	}
	c, _, err := open(t, Options{Paths: []string{path}, Days: [2]string{"2026-04-01"}}, nil)
	require.NoError(t, err)
	_, _, err = c.Scored(t.Context())
	assert.EqualError(t, err, "no scored dialogue of --since 2026-04-01 in "+path)
}

// A run that cannot be judged again is accepted with a warning; a changed record is an error.
func TestJudgedAgain(t *testing.T) {
	dir := t.TempDir()
	yes := func(*Entry) (bool, error) { return true, nil }
	path := writeRun(t, filepath.Join(dir, "run.jsonl"), false, sample("a.txt", 1, "Hi", "Hello"))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, tt := range []struct {
		old, changed string
		verify       *heuristics.Agents
		warns, fails bool
	}{
		{"", "", rules.Agents, false, false},
		{`"lexicon":"`, `"lexicon":"ab`, nil, false, false},
		{`"lexicon":"`, `"lexicon":"ab`, rules.Agents, true, false},
		{`"Hello"`, `"Hi you"`, rules.Agents, false, true},
		{`"Hello"`, `"Hi you"`, nil, false, false},
	} {
		changed := strings.ReplaceAll(string(data), tt.old, tt.changed)
		file := write(t, dir, "b.jsonl", changed)
		c, w, err := open(t, Options{Paths: []string{file}}, nil)
		require.NoError(t, err)
		c.Verify = tt.verify
		err = c.Each(t.Context(), c.Records(t.Context()), "dialogue", yes)
		assert.Equal(t, tt.fails, err != nil, "nothing else is wanted")
		assert.Equal(t, tt.warns, strings.Contains(w.String(), texts.Text("not again", file)))
		assert.Equal(t, tt.fails, strings.Contains(w.String(), file+":2: dialogue 1 was changed"))
	}
}
