package console

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue/importer"
)

// maskAnn masks the name Ann, as --redact would.
func maskAnn(err error) error { return errors.New(strings.ReplaceAll(err.Error(), "Ann", "[NAME]")) }

func TestEnd(t *testing.T) {
	wrong := errors.New("x.txt: no such file")
	for _, tt := range []struct {
		reason string
		before func(c *Console)
		err    error
		code   int
		prints string
	}{
		{"it worked", nil, nil, 0, ""},
		{"no", nil, Answer("2 of 9 are worse"), 1, "assize: 2 of 9 are worse\n"},
		{"no, with its place", nil, fmt.Errorf("gate: %w", Answer("worse")), 1, "assize: worse\n"},
		{"wrong", nil, wrong, 2, "assize: x.txt: no such file\n"},
		{"undecided", nil, Undecided("rate 40 more"), 3, "assize: rate 40 more\n"},
		{"several lines", nil, errors.New("a\nb"), 2, "assize: a\nassize: b\n"},
		{"hints in order", nil, Hint(Hint(wrong, "first"), "second", "third\x1b"), 2,
			"assize: x.txt: no such file\nhint: first\nhint: second\nhint: third␛\n"},
		{"a note is no error", func(c *Console) { c.Note("took a guess") }, nil, 0,
			"assize: took a guess\n"},
		{"an unread item outweighs no", func(c *Console) { c.Unread(wrong) }, Answer("worse"), 2,
			"assize: x.txt: no such file\nassize: worse\n"},
		{"a complaint outweighs undecided", func(c *Console) { c.Complain(wrong) },
			Undecided("rate more"), 2, "assize: x.txt: no such file\nassize: rate more\n"},
	} {
		var w bytes.Buffer
		c := &Console{Err: &w}
		if tt.before != nil {
			tt.before(c)
		}
		assert.Equal(t, tt.code, c.End(tt.err), tt.reason)
		assert.Equal(t, tt.prints, w.String(), tt.reason)
	}
}

func TestMask(t *testing.T) {
	var w bytes.Buffer
	c := &Console{Err: &w, Mask: maskAnn}
	c.Note("note for Ann")
	c.Warn("warning for Ann")
	c.Guess("x.txt: guess for Ann")
	c.Unread(errors.New("no turn of Ann"))
	c.Unread(&importer.SyntaxError{Msg: "no role for Ann"})
	assert.Equal(t, []string{"x.txt: guess for [NAME]"}, c.PrintGuesses())
	assert.Equal(t, 2, c.End(Hint(errors.New("wrong for Ann"), "ask Ann")))
	assert.NotContains(t, w.String(), "Ann")
	assert.Equal(t, 7, strings.Count(w.String(), "[NAME]"), w.String())
	assert.NotContains(t, strings.Join(c.Warned(), ""), "Ann")
}

func TestAdvise(t *testing.T) {
	var w bytes.Buffer
	c := &Console{Err: &w, Quiet: true}
	c.Advise("try this")
	c.Note("mind this")
	assert.Equal(t, "assize: mind this\n", w.String())
	c.Quiet = false
	c.Advise("try this")
	assert.Equal(t, "assize: mind this\nassize: try this\n", w.String())
}

func TestWarn(t *testing.T) {
	var w bytes.Buffer
	c := &Console{Err: &w}
	assert.Empty(t, c.Warned())
	c.Warn("run a ends early")
	c.Warn("run b ends early")
	c.Warn("run a ends early")
	assert.Equal(t, "assize: run a ends early\nassize: run b ends early\n", w.String(), "once each")
	assert.Equal(t, []string{"run a ends early.", "run b ends early."}, c.Warned())
	c.Unread(errors.New("x"))
	assert.Equal(t, "1 fault in the input, the first: x; what could not be read is in no figure.",
		c.Warned()[2], "it says what")
	c = &Console{Err: &w}
	c.Complain(errors.New("no file"))
	assert.Equal(t, []string{"Some input could not be read; the figures do not include it."},
		c.Warned())
}

// Of several messages that differ only in numbers and names, the first is printed.
func TestUnread(t *testing.T) {
	var w bytes.Buffer
	c := &Console{Err: &w}
	for _, s := range []string{`line 3: no role "a"`, `line 1,204: no role "b"`, "no turns",
		`line 9: no role "c\""`} {
		c.Unread(errors.New(s))
	}
	assert.True(t, c.Complained)
	assert.Empty(t, w.String(), "they are printed together")
	c.PrintProblems()
	want := "assize: line 3: no role \"a\" (and 2 more like this)\nassize: no turns\n"
	assert.Equal(t, want, w.String())
	c.PrintProblems()
	assert.Equal(t, want, w.String(), "once")

	w.Reset()
	for n, msg := range []string{"no turns", "no role", "no turns"} {
		c.Unread(&importer.SyntaxError{File: "a.txt", Line: n + 1, Msg: msg})
	}
	c.PrintProblems()
	assert.Equal(t, 2, strings.Count(w.String(), "\n"), w.String())
	assert.Contains(t, w.String(), "no turns (and 1 more like this)\n")
	assert.Contains(t, w.String(), "no role\n")
}

// Speakers whose role is unknown are named, the most frequent first, with what they say first.
func TestUnreadSpeakers(t *testing.T) {
	var w bytes.Buffer
	c := &Console{Err: &w}
	unknown := func(names ...string) {
		e := &importer.SyntaxError{Msg: "unknown speakers " + strings.Join(names, " and "),
			Speakers: names}
		for _, n := range names {
			e.Openings = append(e.Openings, importer.Opening{Speaker: n,
				Text: "I am " + n + strings.Repeat(" so", 30)})
		}
		c.Unread(fmt.Errorf("x.txt: %w", e))
	}
	unknown("Ann", "Ben")
	unknown("Ann", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8")
	c.PrintProblems()
	lines := strings.Split(strings.TrimSuffix(w.String(), "\n"), "\n")
	require.Len(t, lines, 9, "at most eight openings")
	assert.Contains(t, lines[0], "assize: x.txt: the first of 2 dialogues left out, whose speakers "+
		`have no known role: "Ann" in 2, "Ben" in 1, "C1" in 1, "C2" in 1, "C3" in 1, "C4" in 1, "C5" in 1, `+
		`"C6" in 1 and 2 more; give each a role with --role-map NAME=system,NAME=user,NAME=other, `+
		`or say who is judged with --system-name`)
	assert.True(t, strings.HasPrefix(lines[1], `assize:   Ann: "I am Ann so`), lines[1])
	assert.True(t, strings.HasSuffix(lines[1], `…"`), lines[1])
	assert.True(t, strings.HasPrefix(lines[2], `assize:   Ben: "I am Ben so`), lines[2])
	assert.True(t, strings.HasPrefix(lines[8], `assize:   C6: `), lines[8])
}

// If only one side can be missing, the message has the roles, ready to paste.
func TestLikelyRoles(t *testing.T) {
	for want, likely := range map[string][]string{
		`Ann=system,Ben=system, or `:            {"=system", "=system"},
		`NAME=system,NAME=user,NAME=other, or`:  {"=system", "=user"},
		`NAME=system,NAME=user,NAME=other, or `: {"=system", "", "=system"},
	} {
		var w bytes.Buffer
		c := &Console{Err: &w}
		for i, side := range likely {
			c.Unread(&importer.SyntaxError{Speakers: []string{[]string{"Ann", "Ben"}[i%2]}, Likely: side})
		}
		c.PrintProblems()
		assert.Contains(t, w.String(), "--role-map "+want, likely)
	}
}

// A name is quoted, so that a shell runs nothing in it.
func TestNamesAreQuotedForTheShell(t *testing.T) {
	var w bytes.Buffer
	c := &Console{Err: &w}
	for range 2 {
		c.Unread(&importer.SyntaxError{Speakers: []string{"Ann $(id)"}, Likely: "=system"})
	}
	c.PrintProblems()
	assert.Contains(t, w.String(), "--role-map 'Ann $(id)=system', or")
}

func TestGuesses(t *testing.T) {
	var w bytes.Buffer
	c := &Console{Err: &w}
	c.Guess("a.txt: read as two columns")
	c.Guess("a.txt: read as two columns")
	c.Guess("b.txt: read as 2 columns")
	assert.Equal(t, []string{"a.txt: read as two columns", "b.txt: read as 2 columns"},
		c.PrintGuesses())
	assert.Empty(t, c.PrintGuesses(), "only those since the last call")
	c.Guess("c.txt: read as 3 columns")
	assert.Equal(t, []string{"c.txt: read as 3 columns"}, c.PrintGuesses())
	want := "assize: a.txt: read as two columns\nassize: b.txt: read as 2 columns\n"
	assert.Equal(t, want, w.String(), "the first of each kind")
	c.Guess("d.txt: read as 4 columns")
	assert.Equal(t, 0, c.End(nil))
	assert.Equal(t, want+"assize: 2 more notes like the one on b.txt; the last: d.txt: read as 4 columns\n", w.String())
}

func TestPiped(t *testing.T) {
	assert.False(t, (&Console{}).Piped(), "no input at all")
	assert.True(t, (&Console{In: strings.NewReader("")}).Piped())
	r, _, err := os.Pipe()
	require.NoError(t, err)
	assert.True(t, (&Console{In: r}).Piped())
	r.Close()
	assert.False(t, (&Console{In: r}).Piped(), "a closed input")
	device, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer device.Close()
	assert.False(t, (&Console{In: device}).Piped(), "a device, as a terminal is")
}

func TestColored(t *testing.T) {
	c := &Console{Out: &bytes.Buffer{}}
	assert.True(t, c.Colored("always"))
	assert.False(t, c.Colored("auto"), "no terminal")
	assert.False(t, c.Colored("never"))
}

// Results on standard output need no progress unless standard error goes to a log.
func TestShowProgressBeside(t *testing.T) {
	c := &Console{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
	for _, tt := range []struct {
		output string
		shown  bool
	}{{"", false}, {"-", false}, {"run.jsonl", true}} {
		c.ShowProgressBeside(tt.output)
		assert.Equal(t, tt.shown, c.Progress.pace > 0, tt.output)
	}
	c.Quiet = true
	c.ShowProgressBeside("run.jsonl")
	assert.Zero(t, c.Progress.pace, "--quiet")
}
