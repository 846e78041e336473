package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/localllm/fakeollama"
)

// transcripts are dialogues written by this project, evaluations are documents that other programs
// might produce from them, and rated are dialogues with ratings.
const (
	transcripts = "../../testdata/transcripts"
	evaluations = "../../testdata/evaluations"
	rated       = "../../testdata/rated"
	scorecards  = "../../testdata/scorecard"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"assize": main, "assize-tied": tied(main),
		"nats-tied": tied(natsMain)})
}

// TestScripts runs the scripts under testdata/script, one for each command and case. Each has the
// transcripts, evaluations, rated dialogues and scorecards in its folder. "status N assize …" runs
// the program and requires exit code N. "fake" starts a fake Ollama server and sets OLLAMA_HOST to
// it, and "fake FAULT N" makes its next N questions fail.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			return errors.Join(
				os.CopyFS(filepath.Join(env.WorkDir, "transcripts"), os.DirFS(transcripts)),
				os.CopyFS(filepath.Join(env.WorkDir, "evaluations"), os.DirFS(evaluations)),
				os.CopyFS(filepath.Join(env.WorkDir, "rated"), os.DirFS(rated)),
				os.CopyFS(filepath.Join(env.WorkDir, "scorecard"), os.DirFS(scorecards)),
			)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status,
			"replace": replace, "fake": new(fakes).command},
	})
}

// fakes holds the fake servers, by script.
type fakes struct{ of sync.Map }

func (f *fakes) command(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 && len(args) != 2 {
		ts.Fatalf("usage: fake, or fake FAULT N")
	}
	server, running := f.of.Load(ts)
	if !running {
		server = fakeollama.Start()
		f.of.Store(ts, server)
		ts.Defer(server.(*fakeollama.Server).Close)
		ts.Setenv("OLLAMA_HOST", server.(*fakeollama.Server).URL)
	}
	if len(args) == 2 {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		server.(*fakeollama.Server).Fail(args[0], n)
	}
}

// replace replaces what matches a regular expression in a file.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE REGEXP TEXT")
	}
	text := regexp.MustCompile(args[1]).ReplaceAllString(ts.ReadFile(args[0]), args[2])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program args…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", got, want,
			ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// toNearest is a rubric file that rounds to the nearest level.
const toNearest = "../../testdata/nearest.yaml"

var setting = regexp.MustCompile(`^([a-z-]+): `)

// configured moves settings among the arguments, such as "num-ctx: 4096", to a config file. The
// last one of a name counts.
func configured(t testing.TB, args []string) (rest []string) {
	t.Helper()
	lines := map[string]string{}
	for _, arg := range args {
		if m := setting.FindStringSubmatch(arg); m != nil {
			lines[m[1]] = arg
		} else {
			rest = append(rest, arg)
		}
	}
	if len(lines) == 0 {
		return rest
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	text := strings.Join(slices.Sorted(maps.Values(lines)), "\n")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return append(rest, "--config", file)
}

// call runs the program within the test.
func call(t testing.TB, stdin io.Reader, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = execute(t.Context(), configured(t, args), stdin, &out, &errs)
	return out.String(), errs.String(), code
}

func TestExitCodes(t *testing.T) {
	parcel := filepath.Join(transcripts, "parcel.txt")
	for _, tt := range []struct {
		reason string
		args   []string
		code   int
		stderr string // a part of the expected text; if empty, no output is expected
	}{
		{"a dialogue is scored", []string{"score", parcel}, 0, ""},
		{"the answer is no",
			[]string{"score",
				parcel, filepath.Join(transcripts, "complaint.txt"), "--fail-under", "100"}, 1,
			"below --fail-under 100"},
		{"no such file", []string{"score", "none.txt"}, 2, "none.txt"},
		{"no such flag", []string{"score", "--formt", "json"}, 2, "did you mean --format?"},
		{"no such choice", []string{"score", "--format", "xml"}, 2,
			`--format "xml": want text, json, jsonl, csv, xlsx, markdown or junit`},
		{"no such command", []string{"scor"}, 2, "did you mean score, scorecards?"},
		{"a file where a command should be", []string{parcel}, 2, "unknown command"},
		{"no such id", []string{"explain", "reaction-rejcts"}, 2, "did you mean reaction-rejects"},
		{"two ids", []string{"explain", "R1", "R2"}, 2, `unknown id "R1 R2"`},
		{"no such dialogue",
			[]string{"score", parcel, "--id", "99"}, 2, "--id 99: no dialogue has this id"},
		{"no workers", []string{"score", parcel, "--jobs", "0"}, 2, `--jobs "0": want 1 to 1024`},
		{"no number",
			[]string{"score", parcel, "--jobs", "many"}, 2, `--jobs "many": want 1 to 1024`},
		{"not a score",
			[]string{"score", parcel, "--fail-under", "500"}, 2, "want a score from 20 to 100"},
		{"a score below all",
			[]string{"score", parcel, "--fail-under", "19"}, 2, "want a score from 20 to 100"},
		{"nobody's role",
			[]string{"score",
				parcel, "--role-map", "Bot=boss"}, 2, "want NAME=system, NAME=user or NAME=other"},
		{"full is for people",
			[]string{"score",
				parcel, "--full", "--format", "json"}, 2,
			"--full cannot be used with --format json"},
		{"a dry run writes nothing",
			[]string{"score",
				parcel, "--dry-run", "-o", "x.json"}, 2, "cannot be used with --dry-run"},
		{"a name that tells no format",
			[]string{"score",
				parcel, "-o", "x.out"}, 2,
			"no format of scores has this extension; want a name that ends in .txt, .json, .jsonl, .csv, .xlsx, .md or .xml, or --format"},
		{"read and written at once",
			[]string{"score", parcel, "-o", parcel}, 2, "is also an input"},
		{"help is fine", []string{"score", "--help"}, 0, ""},
		{"and so is no command", nil, 0, ""},
	} {
		stdout, stderr, code := call(t, nil, tt.args...)
		assert.Equal(t, tt.code, code, tt.reason)
		if tt.stderr == "" {
			assert.Empty(t, stderr, tt.reason)
			assert.NotEmpty(t, stdout, tt.reason)
			continue
		}
		assert.Contains(t, stderr, tt.stderr, tt.reason)
		for line := range strings.Lines(stderr) {
			assert.Regexp(t, "^(assize|hint): ", line, tt.reason)
		}
	}
}

// stopper cancels a run when its third line is written: the header and two records.
type stopper struct {
	bytes.Buffer
	cancel context.CancelFunc
	writes int
}

func (s *stopper) Write(p []byte) (int, error) {
	if s.writes++; s.writes == 3 {
		s.cancel()
	}
	return s.Buffer.Write(p)
}

func TestAnInterruptKeepsWhatIsWritten(t *testing.T) {
	const dialogues = 5000
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stdin := strings.NewReader(
		strings.Repeat("USER\tHello, is it open?\t\t\nSYSTEM\tYes, until six.\t\t\n\n", dialogues))
	stdout := stopper{cancel: cancel}
	var stderr bytes.Buffer
	code := execute(ctx, []string{"score", "-", "--format", "jsonl", "--input-format", "uss"},
		stdin, &stdout, &stderr)
	assert.Equal(t, console.Bad, code)
	assert.Regexp(t, `^assize: stopped after [0-9]+ dialogues?; the rest is not scored\n$`,
		stderr.String())
	lines := strings.SplitAfter(stdout.String(), "\n")
	assert.GreaterOrEqual(t, len(lines), 4)
	assert.Less(t, len(lines), dialogues)
	for _, line := range lines[1 : len(lines)-1] {
		_, err := run.Line{Text: []byte(strings.TrimSuffix(line, "\n")),
			Header: &run.Header{Basis: run.DefaultBasis()}}.Decode()
		assert.NoError(t, err, "every line is whole")
	}
	assert.Empty(t, lines[len(lines)-1], "the last line is whole")
}

func TestHelpFitsATerminal(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "/home/ann")
	for _, command := range []string{"", "score", "check", "replay", "agree", "fit", "compare",
		"triage", "review", "serve", "report", "doctor", "experiment", "worker", "fleet", "explain",
		"version"} {
		stdout, _, _ := call(t, nil, append(strings.Fields(command), "--help")...)
		for line := range strings.Lines(stdout) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, line)
		}
		assert.Contains(t, stdout, "Examples:", command)
	}
}

func TestAnInterruptDoesNotWaitForInput(t *testing.T) {
	for _, command := range []string{"score", "triage"} {
		for _, said := range []string{"USER: Hello?\n",
			strings.Repeat("USER: Hello? SYSTEM: Hello!\n", 100)} {
			ctx, cancel := context.WithCancel(t.Context())
			in, feed := io.Pipe()
			done := make(chan int)
			go func() { done <- execute(ctx, []string{command, "-"}, in, io.Discard, io.Discard) }()
			// returns when it has been read; then nothing more comes
			_, err := feed.Write([]byte(said))
			require.NoError(t, err)
			cancel()
			assert.Equal(t, console.Bad, <-done)
			feed.Close()
		}
	}
}

func TestAnInterruptLeavesTheOldFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "scores.json")
	call(t, nil, "score", parcel, "-o", path)
	was, err := os.ReadFile(path)
	require.NoError(t, err)
	var stdout, stderr bytes.Buffer
	assert.Equal(t,
		console.Bad, execute(ctx, []string{"score", transcripts, "-o", path}, nil, &stdout,
			&stderr))
	assert.Contains(t, stderr.String(), "is unchanged")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(was), string(data))
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, files, 1, "nothing is left lying about")
}

func TestTheSameBytesWhateverTheJobs(t *testing.T) {
	for _, format := range []string{"text", "json", "jsonl", "csv", "markdown"} {
		args := []string{"score",
			transcripts, "--system-name", "Brightline Mobile", "--format", format}
		want, _, _ := call(t, nil, append(args, "--jobs", "1")...)
		require.NotEmpty(t, want)
		for _, jobs := range []string{"1", "2", "8"} {
			got, _, _ := call(t, nil, append(args, "--jobs", jobs)...)
			assert.Equal(t, want, got, "--format %s --jobs %s", format, jobs)
		}
	}
}

func TestColourIsForPeople(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer terminal.Close()
	for _, tt := range []struct {
		reason        string
		stdout        io.Writer
		when          string
		noColor, term string
		want          bool
	}{
		{"a person looks", terminal, "auto", "", "xterm", true},
		{"a file or a pipe", &bytes.Buffer{}, "auto", "", "xterm", false},
		{"the person wants none", terminal, "auto", "1", "xterm", false},
		{"the terminal has none", terminal, "auto", "", "dumb", false},
		{"not even on a terminal", terminal, "never", "", "xterm", false},
		{"whatever there is", &bytes.Buffer{}, "always", "1", "dumb", true},
	} {
		t.Setenv("NO_COLOR", tt.noColor)
		t.Setenv("TERM", tt.term)
		p := console.Console{Out: tt.stdout}
		assert.Equal(t, tt.want, p.Colored(tt.when), tt.reason)
	}
}

// Help that cannot be written is an error, as any other result.
func TestHelpThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"--help"}, {"score", "--help"}, {"help", "runs"},
		{"version"}} {
		var errs bytes.Buffer
		assert.Equal(t, console.Bad, execute(t.Context(), args, nil, broken{}, &errs), args)
		assert.Contains(t, errs.String(), "no space", args)
	}
}

type broken struct{}

// Write implements [io.Writer].
func (broken) Write([]byte) (int, error) { return 0, errors.New("no space") }
