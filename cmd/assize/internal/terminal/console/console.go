// Package console is a command's communication with its user: streams, notes, errors and progress.
package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/dialogue/importer"
)

var texts = prose.Of("console")

// The exit codes.
const (
	Fine = iota
	No   // the answer is "no"
	Bad  // the command line or an input is wrong
	Open // the answer is undecided

	Unread = 128 + int(syscall.SIGPIPE) // nobody reads standard output to its end
)

// Answer is the error of a command that worked and whose answer is "no".
type Answer string

func (a Answer) Error() string { return string(a) }

// Undecided is the error of a command that worked and has no answer, and says what it needs.
type Undecided string

func (u Undecided) Error() string { return string(u) }

type hintedError struct {
	error
	hints []string
}

func (h *hintedError) Unwrap() error { return h.error }

// Hint adds hints to an error, after those that it already has. Empty ones are left out.
func Hint(err error, hints ...string) error {
	hints = slices.DeleteFunc(slices.Clone(hints), func(hint string) bool { return hint == "" })
	if h := (*hintedError)(nil); errors.As(err, &h) {
		hints = slices.Concat(h.hints, hints)
	}
	return &hintedError{err, hints}
}

// Console contains the streams of one call of the program and records what was reported. Only one
// goroutine may use it, except for Guess and Note.
type Console struct {
	In         io.Reader
	Out, Err   io.Writer
	Mask       func(error) error // of personal data that an error quotes; nil for none
	Quiet      bool              // show no progress and no advice
	Progress   progress
	Unreadable []error // as Unread recorded them
	Complained bool    // whether an error was reported

	mutex           sync.Mutex // of notes and guesses
	problems        problems
	warnings        []string
	guesses         []string // without duplicates
	reportedGuesses int      // number of guesses already reported
	kinds           problems // kinds of the reported guesses
}

// Note prints a message about something that does not stop the work.
func (c *Console) Note(s string) { c.print(c.masked(s)) }

// Notes prints several messages.
func (c *Console) Notes(list []string) {
	for _, s := range list {
		c.Note(s)
	}
}

// print prints a line whose personal data has been masked if required.
func (c *Console) print(s string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.Progress.Clear()
	fmt.Fprintf(c.Err, "assize: %s\n", ui.Visible(s))
}

// masked returns a message with the personal data that it quotes masked, if --redact is set.
func (c *Console) masked(s string) string {
	if c.Mask != nil {
		return c.Mask(errors.New(s)).Error()
	}
	return s
}

// Advise is like Notes for messages that only help the user to go on; --quiet suppresses them.
func (c *Console) Advise(list ...string) {
	if !c.Quiet {
		c.Notes(list)
	}
}

// Warn prints a note that must also be shown next to the figures. Repeated warnings are ignored.
func (c *Console) Warn(s string) {
	s = c.masked(s)
	if !slices.Contains(c.warnings, s) {
		c.Note(s)
		c.warnings = append(c.warnings, s)
	}
}

// Warnings returns the warnings to show next to the figures, as sentences.
func (c *Console) Warnings() []string {
	return ui.Each(c.warnings, func(s string) string { return s + "." })
}

// Warned returns the warnings and, in a sentence, the faults of the input.
func (c *Console) Warned() []string {
	sentences := c.Warnings()
	if n := len(c.Unreadable); n > 0 {
		sentences = append(sentences, texts.Text("faults", ui.Counted(n, "fault"), c.Unreadable[0]))
	} else if c.Complained {
		sentences = append(sentences, texts.Text("unread"))
	}
	return sentences
}

// Complain prints an error with its hints and sets the exit code.
func (c *Console) Complain(err error) {
	c.Complained = true
	c.Notes(strings.Split(err.Error(), "\n"))
	if h := (*hintedError)(nil); errors.As(err, &h) {
		for _, hint := range h.hints {
			fmt.Fprintf(c.Err, "hint: %s\n", ui.Visible(c.masked(hint)))
		}
	}
}

// Unread records an error in one item of the input and sets the exit code. PrintProblems prints all
// errors of the same kind in one line.
func (c *Console) Unread(err error) {
	c.Complained = true
	if c.Mask != nil {
		err = c.Mask(err)
	}
	c.Unreadable = append(c.Unreadable, err)
	syntax, ok := errors.AsType[*importer.SyntaxError](err)
	if !ok {
		c.problems.add(err.Error(), err.Error())
		return
	}
	kind := syntax.Msg
	if len(syntax.Speakers) > 0 {
		kind = "speakers"
	}
	k := c.problems.add(kind, err.Error())
	for _, name := range syntax.Speakers {
		k.speakers[name]++
	}
	if k.count == 1 {
		k.likely = syntax.Likely
	} else if k.likely != syntax.Likely {
		k.likely = ""
	}
	k.openings = AddOpenings(k.openings, syntax.Openings)
}

// AddOpenings adds the openings of speakers to a list, of each the first, if it is not full.
func AddOpenings(list, more []importer.Opening) []importer.Opening {
	all := ui.Once(slices.Concat(list, more), func(o importer.Opening) string { return o.Speaker })
	return all[:min(len(all), maxNames)]
}

// PrintProblems prints the errors recorded since the last call.
func (c *Console) PrintProblems() {
	for _, k := range c.problems {
		c.Note(k.String())
		for _, o := range k.openings {
			c.print(fmt.Sprintf("  %s: %q", o.Speaker, ui.Clip(ui.Visible(o.Text), openingColumns)))
		}
	}
	c.problems = nil
}

// Guess records an assumption about the input, once. It may be called from other goroutines.
func (c *Console) Guess(s string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !slices.Contains(c.guesses, s) {
		c.guesses = append(c.guesses, s)
	}
}

// PrintGuesses returns the guesses since the last call and prints the first of each kind.
func (c *Console) PrintGuesses() []string {
	c.mutex.Lock()
	fresh := slices.Clone(c.guesses[c.reportedGuesses:])
	c.reportedGuesses = len(c.guesses)
	c.mutex.Unlock()
	for i, s := range fresh {
		fresh[i] = c.masked(s)
		_, kind, _ := strings.Cut(s, ": ")
		if c.kinds.add(kind, fresh[i]).count == 1 {
			c.Note(fresh[i])
		}
	}
	return fresh
}

// End prints the remaining messages and the command's error, and returns the exit code.
func (c *Console) End(err error) int {
	c.PrintGuesses()
	for _, k := range c.kinds {
		if about, _, _ := strings.Cut(k.first, ": "); k.count > 2 {
			c.Note(fmt.Sprintf("%d more notes like the one on %s; the last: %s", k.count-1, about,
				k.last))
		} else if k.count == 2 {
			c.Note(k.last)
		}
	}
	c.PrintProblems()
	var no Answer
	var open Undecided
	if errors.As(err, &no) || errors.As(err, &open) {
		c.Notes(strings.Split(string(no)+string(open), "\n"))
	} else if unread := (*fs.PathError)(nil); errors.As(err, &unread) && !c.Complained &&
		unread.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE) {
		return Unread
	} else if err != nil {
		c.Complain(err)
	}
	switch {
	case c.Complained:
		return Bad
	case no != "":
		return No
	case open != "":
		return Open
	}
	return Fine
}

// Piped reports whether standard input is something other than a terminal.
func (c *Console) Piped() bool {
	f, ok := c.In.(*os.File)
	if !ok {
		return c.In != nil
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}

// Colored reports whether standard output should be in colour; when is "auto", "always" or "never".
func (c *Console) Colored(when string) bool {
	return when == "always" || when == "auto" && os.Getenv("NO_COLOR") == "" && ui.OnTerminal(c.Out)
}

// Page returns a page for standard output.
func (c *Console) Page(color string) ui.Page { return ui.NewPage(c.Out, c.Colored(color)) }

// ShowProgress enables progress reports for work without output before its end.
func (c *Console) ShowProgress() {
	if c.Quiet {
		c.Progress = progress{}
		return
	}
	c.Progress = progress{console: c, pace: 30 * time.Second, last: time.Now()}
	if ui.OnTerminal(c.Err) {
		c.Progress.onTerminal, c.Progress.pace = true, 100*time.Millisecond
	}
}

// ShowProgressBeside enables progress reports for work that writes results to output as they come,
// if someone sees standard error but not the results, or if the results go to a file.
func (c *Console) ShowProgressBeside(output string) {
	if (output == "" || output == ui.Stdin) && (ui.OnTerminal(c.Out) || !ui.OnTerminal(c.Err)) {
		c.Progress = progress{}
		return
	}
	c.ShowProgress()
}

// progress reports the progress of slow work: on a terminal in a line that is replaced, in a log in
// separate lines. The zero progress is silent.
type progress struct {
	console    *Console
	onTerminal bool
	pace       time.Duration // minimum time between reports; 0 disables them
	last       time.Time     // time of the last report, or of the beginning
	shown      bool          // whether a line is on the terminal
}

// Due reports whether it is time for a report, and if so restarts the interval.
func (p *progress) Due() bool {
	now := time.Now()
	if p.pace == 0 || now.Sub(p.last) < p.pace {
		return false
	}
	p.last = now
	return true
}

// Print replaces the line on the terminal, or adds a line to the log. The line is cut to the
// terminal's width, since a second line could not be replaced.
func (p *progress) Print(s string) {
	if !p.onTerminal {
		p.console.Note(s)
		return
	}
	page := ui.NewPage(p.console.Err, false)
	p.shown = true
	fmt.Fprintf(p.console.Err, "\r\x1b[K%s",
		ui.Clip(ui.Visible(p.console.masked(s)), page.Columns()-1))
}

// Clear removes the line from the terminal before other output.
func (p *progress) Clear() {
	if p.shown {
		p.shown = false
		fmt.Fprint(p.console.Err, "\r\x1b[K")
	}
}

// problem is one or more messages that differ only in names and numbers.
type problem struct {
	kind, first, last string         // the first and the last message
	count             int            // number of messages
	speakers          map[string]int // number of dialogues by name of a speaker of unknown role
	likely            string         // their role, such as "=system", if known
	openings          []importer.Opening
}

const (
	maxNames       = 8  // maximum number of speakers to name
	openingColumns = 60 // columns of a speaker's opening
)

// problems contains the problems in order of first occurrence.
type problems []*problem

// variablePart matches the parts that differ between messages of one kind.
var variablePart = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'|\d[\d,.]*`)

func (l *problems) add(kind, text string) *problem {
	kind = variablePart.ReplaceAllString(kind, "#")
	for _, k := range *l {
		if k.kind == kind {
			k.count, k.last = k.count+1, text
			return k
		}
	}
	k := &problem{kind: kind, first: text, count: 1, speakers: map[string]int{}}
	*l = append(*l, k)
	return k
}

// String returns the first message and the number of the others, or the speakers of unknown role.
func (k *problem) String() string {
	switch {
	case k.count == 1:
		return k.first
	case len(k.speakers) == 0:
		return fmt.Sprintf("%s (and %d more like this)", k.first, k.count-1)
	}
	all := ui.ByFrequency(k.speakers)
	names := ui.Each(all,
		func(name string) string { return fmt.Sprintf("%q in %d", name, k.speakers[name]) })
	roles := ui.Each(all, func(name string) string { return name + k.likely })
	if k.likely == "" || len(all) > maxNames {
		roles = []string{"NAME=system", "NAME=user", "NAME=other"}
	}
	place, _, _ := strings.Cut(k.first, ": ")
	return texts.Text("roles", place, k.count, ui.First(names, maxNames),
		ui.Word(strings.Join(roles, ",")))
}
