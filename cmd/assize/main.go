package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/ui"
)

func main() {
	if os.Getenv("GOGC") == "" {
		// records are garbage once they are written: saves a tenth of the time for 40 MB
		debug.SetGCPercent(200)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		// above this and the 30 MB of the program, saving memory matters more than time
		debug.SetMemoryLimit(256 << 20)
	}
	text.OverrideRuneWidthEastAsianWidth(false) // the same output in every locale
	// whoever stops reading our notes does not stop a file
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// program is one invocation of assize.
type program struct {
	*console.Console
	commands    flags.Commands
	given       map[string]bool   // the flags on the command line
	columns     map[string]string // of --columns, which files of ratings may have as well
	transcribed map[string]string // those that transcripts must have; nil for a run
}

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{Console: &console.Console{In: stdin, Out: stdout, Err: stderr},
		commands: flags.Commands{}}
	root := p.command()
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		for _, set := range p.commands { // the shell shows the usage of a flag as it is
			set.VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
		}
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	var help bytes.Buffer // because cobra ignores an error of writing
	root.SetOut(&help)
	root.SetErr(stderr)
	err := noSuchCommand(root, args) // cobra accepts an unknown command with --help
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	_, failed := help.WriteTo(stdout)
	return p.End(cmp.Or(err, failed))
}

// action is a command: a struct of its flags (see [flags.Set.AddAll]), their check, and its work.
type action interface {
	validate(given map[string]bool, args []string) error
	run(ctx context.Context, p *program, args []string) error
}

func (p *program) command() *cobra.Command {
	root := helpOf("assize")
	root.Args = cobra.ArbitraryArgs // noSuchCommand has already rejected unknown commands
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.Version = judge.Version()
	root.SetVersionTemplate("assize {{.Version}}\n")
	root.SilenceErrors, root.SilenceUsage, root.DisableSuggestions = true, true, true
	root.DisableAutoGenTag, root.DisableFlagsInUseLine = true, true
	root.SetFlagErrorFunc(p.commands.Error)
	root.SetUsageFunc(p.commands.Usage)
	for _, c := range []struct {
		name string
		args cobra.PositionalArgs
		action
	}{
		{"score", nil, &scoreFlags{outputFlags: outputFlags{result: "scores", packs: true}}},
		{"check", nil, &checkFlags{outputFlags: outputFlags{result: "findings"}}},
		{"replay", nil, &replayFlags{}},
		{"agree", nil, &agreeFlags{outputFlags: outputFlags{result: "an agreement"}}},
		{"fit", nil, &fitFlags{}},
		{"compare", nil, &compareFlags{outputFlags: outputFlags{result: "a comparison"}}},
		{"triage", nil, &triageFlags{outputFlags: outputFlags{result: "the ranking"}}},
		{"review", nil, &reviewFlags{command: "review"}},
		{"serve", nil, &reviewFlags{command: "serve"}},
		{"report", nil, &reportFlags{outputFlags: outputFlags{result: "a report"},
			terminal: ui.OnTerminal(p.Out)}},
		{"experiment", cobra.ExactArgs(1), &experimentFlags{}},
		{"doctor", nil, &doctorFlags{}},
		{"worker", cobra.NoArgs, &workerFlags{}},
		{"fleet", cobra.NoArgs, &fleetFlags{}},
		{"explain", nil, &explainFlags{}},
		{"version", cobra.NoArgs, &versionFlags{}},
	} {
		cmd := helpOf(c.name)
		cmd.Args = c.args
		if o, ok := c.action.(*explainFlags); ok {
			cmd.ValidArgsFunction = o.complete
		}
		set := flags.NewSet(cmd.Flags())
		set.AddAll(c.action)
		p.registerQuiet(cmd.Flags())
		validate := func(given map[string]bool, args []string) error {
			p.given = given
			return c.validate(given, args)
		}
		root.AddCommand(p.commands.Define(cmd, set, validate,
			func(ctx context.Context, args []string) error { return c.run(ctx, p, args) }))
	}
	root.AddCommand(p.topics()...)
	root.CompletionOptions.DisableNoDescFlag = true
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() { // the commands that cobra adds have no examples
		switch cmd.Name() {
		case "help":
			cmd.Example = "  assize help score"
			p.registerQuiet(cmd.Flags())
		case "completion":
			cmd.Example = "  source <(assize completion bash)"
			cmd.RunE = root.RunE
			p.registerQuiet(cmd.PersistentFlags()) // also for its own commands
		}
	}
	return root
}

// registerQuiet registers --quiet, which every command accepts, so that a script can always set it.
func (p *program) registerQuiet(f *pflag.FlagSet) {
	f.BoolVar(&p.Quiet, "quiet", false, "print no progress, no summary of a run, and no advice")
}

// noSuchCommand returns an error if the arguments begin with, or ask for help on, an unknown
// command.
func noSuchCommand(root *cobra.Command, args []string) error {
	if len(args) > 1 && args[0] == "help" {
		args = args[1:]
	}
	cmd, rest, _ := root.Find(args) // the error is about further words, which are checked next
	if len(rest) == 0 || !cmd.HasSubCommands() || strings.HasPrefix(rest[0], "-") ||
		strings.HasPrefix(rest[0], "__") {
		return nil
	}
	word, names := rest[0], ui.Each(cmd.Commands(), (*cobra.Command).Name)
	want := "assize help lists the commands"
	if cmd != root {
		want = "want one of " + strings.Join(names, ", ")
	}
	err := fmt.Errorf("unknown command %q; %s", word, want)
	if _, e := os.Stat(word); e == nil {
		return console.Hint(err, "assize score "+word+" scores a file")
	}
	return console.Hint(err, flags.DidYouMean(word, names)...)
}
