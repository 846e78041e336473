package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/showing/explain"
	"assize/cmd/assize/internal/terminal/console"
	"assize/rubric"
)

var update = flag.Bool("update", false, "rewrite golden files, scripts, the manual and the README")

// TestHelpTopics runs every "$ assize …" block of the help topics and compares the output.
func TestHelpTopics(t *testing.T) {
	files, err := filepath.Glob("help/topics/*.md")
	require.NoError(t, err)
	lines := 0
	for _, file := range files {
		sessions := 1
		switch filepath.Base(file) {
		case "fleet.md": // it needs servers; TestAFleetWritesTheSameBytes and others start them
			sessions = 0
		case "accuracy.md": // .ci/trust measures its figures
			sessions = 0
		case "changes.md": // nothing to run
			sessions = 0
		}
		t.Run(filepath.Base(file),
			func(t *testing.T) { replaySessions(t, "cmd/assize/"+file, "", sessions) })
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		text, _, _ := strings.Cut(string(data), "| evidence |") // a table to look things up in
		lines += strings.Count(text, "\n")
	}
	assert.LessOrEqual(t, lines, 990, "lines of help topics; nobody reads more")
}

// TestCriteriaAreDefinedOnce compares the criteria in the README and in assize help rubric with
// those of assize explain.
func TestCriteriaAreDefinedOnce(t *testing.T) {
	table := "| criterion | weight | question |\n|---|---|---|\n"
	all, err := (&scaleFlags{}).entries()
	require.NoError(t, err)
	for _, c := range rubric.Criteria() {
		e, ok := explain.Find(all, c.String())
		require.True(t, ok, c)
		table += fmt.Sprintf("| %s | %d %% | %s |\n", c, rubric.Default().Weights[c], e.Title)
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	assert.Contains(t, string(readme), table)
	assert.Contains(t, helpText("help/topics/rubric.md"), table)
	assert.LessOrEqual(t, len(strings.Fields(string(readme))), 1000, "words of the README")
}

// TestReadmeHasTheFigures checks that the figures on accuracy in the README are also in assize help
// accuracy, where they are measured.
func TestReadmeHasTheFigures(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(readme), "## How accurate it is\n")
	section, _, _ = strings.Cut(section, "\n## ")
	figures := regexp.MustCompile(`\.[0-9]{2}\b|[0-9]+ %`).FindAllString(section, -1)
	assert.Greater(t, len(figures), 4)
	accuracy := helpText("help/topics/accuracy.md")
	for _, figure := range figures {
		assert.Regexp(t, `(^|[^0-9])`+regexp.QuoteMeta(figure), accuracy)
	}
}

// TestScorecardPage checks the scorecard that assize help scorecards begins with.
func TestScorecardPage(t *testing.T) {
	page := helpText("help/topics/scorecards.md")
	_, card, _ := strings.Cut(page, "```yaml\n")
	card, _, ok := strings.Cut(card, "```")
	require.True(t, ok)
	file := filepath.Join(t.TempDir(), "card.yaml")
	require.NoError(t, os.WriteFile(file, []byte(card), 0o666))
	stdout, stderr, code := call(t, nil, "check", file)
	assert.Zero(t, code, stdout+stderr)
	assert.Contains(t, strings.Join(strings.Fields(stdout), " "),
		"1 question, 1 fact; 4 examples tested, 0 failed")
}

// TestReadme does for the README what TestHelpTopics does.
func TestReadme(t *testing.T) { replaySessions(t, "README.md", "", 2) }

// replaySessions runs the commands shown in a file and compares their output with the file. They
// run in a folder that contains the repository's testdata and the files written by earlier
// commands. A command is a line that begins with the file's indent, "$ " and assize or go run
// ./cmd/assize; its output ends at the next command or at the end of the block. A command may end
// in "| head -N" and "| tail -N". At least want commands must be found.
func replaySessions(t *testing.T, file, indent string, want int) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	file = filepath.Join(root, file)
	t.Chdir(t.TempDir())
	require.NoError(t, os.Symlink(filepath.Join(root, "testdata"), "testdata"))
	for _, name := range []string{"COLUMNS", "NO_COLOR", "ASSIZE_CONFIG"} {
		t.Setenv(name, "")
		require.NoError(t, os.Unsetenv(name))
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	data, err := os.ReadFile(file)
	require.NoError(t, err, "the file must be there, with sessions that run")
	var out []string
	commands := 0
	lines := strings.Split(string(data), "\n")
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		args, cut, ok := command(t, strings.TrimPrefix(lines[i], indent))
		if !ok || !strings.HasPrefix(lines[i], indent) {
			continue
		}
		commands++
		shown := 0
		for i+1+shown < len(lines) && !endsOutput(lines[i+1+shown:], indent) {
			shown++
		}
		var got []string
		if said := session(t, args, cut); said != "" {
			got = strings.Split(indented(said, indent), "\n")
		}
		if !*update {
			assert.Equal(t, strings.Join(lines[i+1:i+1+shown], "\n"), strings.Join(got, "\n"),
				"%s:%d: %s", file, i+1, lines[i])
		}
		out = append(out, got...)
		i += shown
	}
	assert.GreaterOrEqual(t, commands, want, "commands in %s", file)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(out, "\n")), 0o666))
	}
}

// commandLine matches a shown command: its arguments, and the heads and tails that cut its output.
var commandLine = regexp.MustCompile(
	`^\$ (?:assize|go run \./cmd/assize)\b(.*?)((?: \| (?:head|tail) -[0-9]+)*)$`)

// cut is the numbers of lines to keep of an output, one after the other, from its beginning or, if
// negative, from its end.
type cut []int

func (c cut) of(lines []string) []string {
	for _, n := range c {
		switch {
		case n > 0 && n < len(lines):
			lines = lines[:n]
		case n < 0 && -n < len(lines):
			lines = lines[len(lines)+n:]
		}
	}
	return lines
}

func command(t *testing.T, line string) (args []string, left cut, ok bool) {
	m := commandLine.FindStringSubmatch(line)
	if m == nil {
		return nil, nil, false
	}
	for part := range strings.SplitSeq(m[2], " | ") {
		if tool, number, ok := strings.Cut(part, " -"); ok {
			n, err := strconv.Atoi(number)
			require.NoError(t, err)
			if tool == "tail" {
				n = -n
			}
			left = append(left, n)
		}
	}
	for _, word := range regexp.MustCompile(`"[^"]*"|'[^']*'|[^ ]+`).FindAllString(m[1], -1) {
		args = append(args, strings.Trim(word, `"'`))
	}
	return args, left, true
}

// endsOutput reports whether a shown output ends before these lines: at the next command, at a
// fence, at text without the indent, or at the blank lines before one of these.
func endsOutput(rest []string, indent string) bool {
	for _, line := range rest {
		if line != "" {
			return strings.HasPrefix(line, "```") ||
				strings.HasPrefix(line, indent+"$ ") || !strings.HasPrefix(line, indent)
		}
	}
	return true
}

// took matches the duration of a run, which varies.
var took = regexp.MustCompile(` in [0-9.]+ (s|min)( \([0-9.]+ (a second|s each)\))?:`)

func session(t *testing.T, args []string, left cut) string {
	var both bytes.Buffer
	code := execute(t.Context(), args, nil, &both, &both)
	out := took.ReplaceAllString(strings.TrimSuffix(both.String(), "\n"), " in 0.1 s:")
	if lines := strings.Split(out, "\n"); len(left.of(lines)) < len(lines) {
		out = strings.Join(left.of(lines), "\n")
	} else if code != console.Fine {
		out += fmt.Sprintf("\n(exit code %d)", code)
	}
	return out
}

func indented(s, indent string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = indent + line
		}
	}
	return strings.Join(lines, "\n")
}
