package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// runFile scores files into a run.
func runFile(t testing.TB, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	_, stderr, code := call(t, nil, append([]string{"score", "-o", path}, args...)...)
	require.Equal(t, console.Fine, code, stderr)
	return path
}

func TestCompareTellsWhatIsWrong(t *testing.T) {
	a := runFile(t, "a.jsonl", transcripts, "--system-name", "Brightline Mobile")
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o666))
		return path
	}
	run, err := os.ReadFile(a)
	require.NoError(t, err)
	header, _, _ := strings.Cut(string(run), "\n")
	empty, bare, prose := write("empty.jsonl", ""), write("bare.jsonl", header+"\n"),
		write("prose.txt", "Dear all,\n")
	for _, tt := range []struct {
		reason, stderr string
		args           []string
	}{
		{"one run", "1 run; want two", []string{a}},
		{"three runs", "3 runs; want two", []string{a, a, a}},
		{"no such file", "none.jsonl: no such file", []string{a, "none.jsonl"}},
		{"nothing in it", "empty.jsonl: holds no dialogue", []string{a, empty}},
		{"only a header", "bare.jsonl; want a run", []string{bare, a}},
		{"neither a run nor transcripts", "prose.txt: the format is not recognised",
			[]string{a, prose}},
		{"standard input that holds nothing", "-: nothing could be read", []string{a, "-"}},
		{"standard input twice", "- is given twice", []string{"-", "-", "--top", "0"}},
		{"read and written", "is also an input", []string{a, a, "-o", a, "--format", "json"}},
		{"a run is no comparison",
			"no format of a comparison has this extension; want a name that ends in ",
			[]string{a, a, "-o", filepath.Join(dir, "x.jsonl")}},
		{"both ways", "--paired cannot be used with --unpaired",
			[]string{a, a, "--paired", "--unpaired"}},
		{"no drop", "want a number of points above 0", []string{a, a, "--fail-on-drop", "0"}},
		{"no number", "want a number of points above 0", []string{a, a, "--fail-on-drop", "two"}},
		{"hardly any draws", `draws "3": want 100`, []string{a, a, "draws: 3"}},
		{"dialogues in a table of measures", "--top cannot be used with --format csv, which has",
			[]string{a, a, "--top", "3", "--format", "csv"}},
		{"a negative top", `--top "-1": want 0 or more`, []string{a, a, "--top", "-1"}},
	} {
		_, stderr, code := call(t, strings.NewReader(""),
			append([]string{"compare"}, tt.args...)...)
		assert.Equal(t, console.Bad, code, tt.reason)
		assert.Contains(t, stderr, tt.stderr, tt.reason)
		for line := range strings.Lines(stderr) {
			assert.Regexp(t, "^(assize|hint): ", line, tt.reason)
		}
	}
}

func TestCompareReadsAStream(t *testing.T) {
	a := runFile(t, "a.jsonl", transcripts, "--system-name", "Brightline Mobile")
	run, err := os.ReadFile(a)
	require.NoError(t, err)
	stdout, stderr, code := call(t, bytes.NewReader(run), "compare", a, "-", "--top", "0")
	assert.Equal(t, console.Fine, code, stderr)
	assert.Contains(t, stdout, "Nothing changed")
}

func TestCompareHasTheSameBytesWhateverTheJobs(t *testing.T) {
	a := runFile(t, "a.jsonl", transcripts, "--system-name", "Brightline Mobile")
	b := runFile(t, "b.jsonl",
		transcripts, "--system-name", "Brightline Mobile", "--rubric", toNearest)
	for _, format := range []string{"text", "json", "csv", "markdown"} {
		args := []string{"compare", a, b, "--format", format}
		want, _, _ := call(t, nil, append(args, "--jobs", "1")...)
		require.NotEmpty(t, want)
		got, _, _ := call(t, nil, append(args, "--jobs", "8")...)
		assert.Equal(t, want, got, format)
	}
}

func TestCompareStops(t *testing.T) {
	a := runFile(t, "a.jsonl", transcripts, "--system-name", "Brightline Mobile")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, console.Bad, execute(ctx, []string{"compare", a, a}, nil, &stdout, &stderr))
	assert.Contains(t, stderr.String(), "stopped before everything was read")
	assert.Empty(t, stdout.String())
}

// comparison is the part of a comparison in JSON that tests use.
type comparison struct {
	Mode     string
	Answer   []string
	Measures []struct {
		Rose, Fell int
		Interval   []float64
		Above      float64 `json:"chance_b_above_a"`
	}
}

// TestCompareOnRatedDialogues compares a run of the 2,800 rated dialogues with itself, with a run
// under another mapping, and with a run of a bot that gives up in one turn in seven.
func TestCompareOnRatedDialogues(t *testing.T) {
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("ASSIZE_SHARED is not set: without the rated dialogues there are no runs of some size to compare")
	}
	var files, worse []string
	dir := t.TempDir()
	for _, set := range ratedSets {
		file := filepath.Join(shared, "data", "uss", set+".txt")
		files = append(files, file)
		worse = append(worse, spoil(t, file, filepath.Join(dir, set+".txt")))
	}
	a := runFile(t, "a.jsonl", files...)
	nearest := runFile(t, "nearest.jsonl", append(files, "--rubric", toNearest)...)
	bad := runFile(t, "bad.jsonl", worse...)

	compared := func(args ...string) (c comparison) {
		stdout, stderr, code := call(t, nil,
			append([]string{"compare", "--format", "json", "--top", "2"}, args...)...)
		require.Equal(t, console.Fine, code, stderr)
		require.NoError(t, json.Unmarshal([]byte(stdout), &c))
		return c
	}
	same := compared(a, a)
	assert.Equal(t,
		[]string{"Nothing changed: scores, average and satisfaction of 2800 dialogues are the same."}, same.Answer)

	mapped := compared(a, nearest)
	assert.Equal(t, "paired", mapped.Mode)
	assert.Zero(t, mapped.Measures[0].Rose+mapped.Measures[0].Fell,
		"the mapping leaves the average alone")
	assert.NotNil(t, mapped.Measures[0].Interval)
	assert.Nil(t, mapped.Measures[1].Interval, "the mapping makes a difference of the overall")

	spoilt := compared(a, bad)
	assert.Equal(t, "paired", spoilt.Mode, "by id, though words differ")
	assert.Less(t, spoilt.Measures[0].Interval[1], -2.0, "a bot that gives up is worse: %s",
		fmt.Sprint(spoilt.Answer))
	assert.Less(t, spoilt.Measures[0].Above, 0.45)
	_, stderr, code := call(t, nil, "compare", a, bad, "--fail-on-drop", "2")
	assert.Equal(t, console.No, code)
	assert.Contains(t, stderr, "the mean weighted average dropped by")
}

// spoil copies rated dialogues in which the SYSTEM gives up in one turn in seven.
func spoil(t *testing.T, from, to string) string {
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	lines := strings.Split(string(data), "\n")
	turns := 0
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		if cells[0] != "SYSTEM" || len(cells) < 2 {
			continue
		}
		if turns++; turns%7 == 0 {
			cells[1] = "Sorry, I did not understand that."
			lines[i] = strings.Join(cells, "\t")
		}
	}
	require.NoError(t, os.WriteFile(to, []byte(strings.Join(lines, "\n")), 0o666))
	return to
}

// What could not be read is an error in JUnit, with its file and line, and nothing that is missing.
func TestCompareListsWhatIsUnreadableInJUnit(t *testing.T) {
	a := runFile(t, "a.jsonl", transcripts, "--system-name", "Brightline Mobile")
	run, err := os.ReadFile(a)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(run), "\n")
	lines[2] = "{not JSON}\n"
	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	require.NoError(t, os.WriteFile(broken, []byte(strings.Join(lines, "")), 0o666))
	stdout, stderr, code := call(t, nil, "compare", a, broken, "--fail-on-drop", "2", "--format",
		"junit")
	assert.Equal(t, console.Bad, code, stderr)
	assert.Regexp(t, `(?s)<testcase classname="inputs" name="unreadable 1">\s*`+
		`<error type="unreadable" message="[^"]*broken.jsonl:3: `, stdout)
}
