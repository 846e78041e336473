package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"

	"github.com/spf13/cobra"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // records are garbage once they are written: a tenth less time for 40 MB
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(300 << 20) // beyond it memory counts more than time
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes.
const (
	exitFine = iota
	exitNo   // the answer is "no"
	exitBad  // the command line or an input is wrong
)

// program is one call of assize: the streams it was given, and whether it had to complain.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	complained     bool
	missed         []source.Item // what the command line names and could not be opened
	progress       ui.Progress
	guesses        guesses
	redacts        bool       // what was read is masked in everything that is told of it
	problems       []*problem // that were noted and are not told yet
	warnings       []string   // on the runs that were read, to be shown beside their figures as well
}

// execute carries out one command line and gives the exit code.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr}
	root := p.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := noSuchCommand(root, args) // which cobra forgives beside --help
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	p.tellGuesses()
	p.tellMoreGuesses()
	p.tellProblems()
	var no answerNo
	if errors.As(err, &no) {
		p.noteLines(no)
	} else if err != nil {
		p.complain(err)
	}
	switch {
	case p.complained:
		return exitBad
	case no != "":
		return exitNo
	}
	return exitFine
}

// command builds the tree of commands.
func (p *program) command() *cobra.Command {
	root := helpOf("assize")
	root.Args = cobra.ArbitraryArgs // there are none that noSuchCommand lets through
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.Version = judge.Version()
	root.SetVersionTemplate("assize {{.Version}}\n")
	root.SilenceErrors, root.SilenceUsage, root.DisableSuggestions = true, true, true
	root.DisableAutoGenTag, root.DisableFlagsInUseLine = true, true
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(p.usage)
	root.AddCommand(p.scoreCommand(), p.checkCommand(), p.replayCommand(), p.agreeCommand(), p.fitCommand(),
		p.compareCommand(), p.triageCommand(), p.reportCommand(), p.experimentCommand(), p.doctorCommand(),
		p.explainCommand(), p.versionCommand())
	root.AddCommand(topics()...)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() { // those that cobra makes have no examples
		switch cmd.Name() {
		case "help":
			cmd.Example = "  assize help score"
		case "completion":
			cmd.Example = "  source <(assize completion bash)"
			cmd.RunE = root.RunE
		}
	}
	return root
}

// noSuchCommand refuses arguments that begin with what is not the name of a command, or name none behind help.
func noSuchCommand(root *cobra.Command, args []string) error {
	if len(args) > 1 && args[0] == "help" {
		args = args[1:]
	}
	cmd, rest, _ := root.Find(args) // the error tells of words, which come next
	if len(rest) == 0 || !cmd.HasSubCommands() || strings.HasPrefix(rest[0], "-") || strings.HasPrefix(rest[0], "__") {
		return nil
	}
	word, names, topics := rest[0], []string(nil), []string(nil)
	for _, c := range cmd.Commands() {
		if c.Runnable() {
			names = append(names, c.Name())
		} else {
			topics = append(topics, c.Name())
		}
	}
	err := fmt.Errorf("unknown command %q; want one of %s", word, strings.Join(names, ", "))
	if _, e := os.Stat(word); e == nil {
		return withHints(err, "assize score "+word+" scores a file")
	}
	return withHints(err, didYouMean(word, append(names, topics...))...)
}

// didYouMean gives a hint that names what word was probably meant to be; none where nothing is near.
func didYouMean(word string, all []string) []string {
	menu := cobra.Command{SuggestionsMinimumDistance: min((len(word)+1)/3, 2)} // two letters that change places are two
	for _, w := range all {
		menu.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	near := menu.SuggestionsFor(word)
	if len(near) == 0 {
		return nil
	}
	return []string{"did you mean " + strings.Join(near[:min(len(near), 3)], ", ") + "?"}
}

// answerNo is the error of a command that worked and whose answer is "no".
type answerNo string

func (a answerNo) Error() string { return string(a) }

// hinted is an error with advice for the one who typed the command.
type hinted struct {
	error
	hints []string
}

func (h *hinted) Unwrap() error { return h.error }

// withHints adds advice behind that which the error has already.
func withHints(err error, hints ...string) error {
	if h := (*hinted)(nil); errors.As(err, &h) {
		hints = append(slices.Clone(h.hints), hints...)
	}
	return &hinted{err, hints}
}

// complain tells what is wrong, and makes the exit code say so.
func (p *program) complain(err error) {
	p.complained = true
	p.noteLines(err)
	if h := (*hinted)(nil); errors.As(err, &h) {
		for _, hint := range h.hints {
			fmt.Fprintf(p.stderr, "hint: %s\n", ui.Visible(hint))
		}
	}
}

func (p *program) noteLines(err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		p.note(line)
	}
}

// note tells something that does not stop the work.
func (p *program) note(s string) {
	p.clear()
	fmt.Fprintf(p.stderr, "assize: %s\n", ui.Visible(s))
}

// warn notes something that is shown beside the figures of the runs as well.
func (p *program) warn(s string) {
	if !slices.Contains(p.warnings, s) { // a run may be read twice
		p.note(s)
		p.warnings = append(p.warnings, s)
	}
}

// warned gives what must stand beside the figures, as sentences.
func (p *program) warned() (list []string) {
	for _, s := range p.warnings {
		list = append(list, s+".")
	}
	if p.complained {
		list = append(list, "Not everything could be read; what is missing is in no figure.")
	}
	return list
}
