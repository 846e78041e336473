package main

import (
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

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/ui"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // records are garbage once they are written: a tenth less time for 40 MB
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(240 << 20) // beyond it memory counts more than time
	}
	text.OverrideRuneWidthEastAsianWidth(false) // whatever the locale, the same bytes
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// program is one call of assize.
type program struct {
	*console.Console
	given map[string]bool // the flags that are on the command line
}

// execute carries out one command line and gives the exit code.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{Console: &console.Console{In: stdin, Out: stdout, Err: stderr}}
	root := p.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := noSuchCommand(root, args) // which cobra forgives beside --help
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	return p.End(err)
}

// action is what a command does: its flags, which of them do not go together, and its work.
type action interface {
	register(fs *pflag.FlagSet)
	validate(given map[string]bool, args []string) error
	run(ctx context.Context, p *program, args []string) error
}

func (p *program) command() *cobra.Command {
	root := helpOf("assize")
	root.Args = cobra.ArbitraryArgs // there are none that noSuchCommand lets through
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.Version = judge.Version()
	root.SetVersionTemplate("assize {{.Version}}\n")
	root.SilenceErrors, root.SilenceUsage, root.DisableSuggestions = true, true, true
	root.DisableAutoGenTag, root.DisableFlagsInUseLine = true, true
	root.SetFlagErrorFunc(flags.Error)
	root.SetUsageFunc(flags.Usage)
	for _, c := range []struct {
		name string
		args cobra.PositionalArgs
		action
	}{
		{"score", nil, &scoreFlags{}},
		{"check", nil, &checkFlags{}},
		{"replay", nil, &replayFlags{}},
		{"agree", nil, &agreeFlags{}},
		{"fit", nil, &fitFlags{}},
		{"compare", nil, &compareFlags{}},
		{"triage", nil, &triageFlags{}},
		{"review", nil, &reviewFlags{command: "review"}},
		{"serve", nil, &reviewFlags{command: "serve"}},
		{"report", nil, &reportFlags{terminal: ui.OnTerminal(p.Out)}},
		{"experiment", cobra.ExactArgs(1), &experimentFlags{}},
		{"doctor", cobra.NoArgs, &doctorFlags{}},
		{"worker", cobra.NoArgs, &workerFlags{}},
		{"fleet", cobra.NoArgs, &fleetFlags{}},
	} {
		cmd := helpOf(c.name)
		cmd.Args = c.args
		cmd.Flags().SortFlags = false
		c.register(cmd.Flags())
		flags.Group(cmd.Flags(), flags.Heading(cmd.Flags(), "color"), func() {
			p.registerQuiet(cmd.Flags())
		})
		validate := func(given map[string]bool, args []string) error {
			p.given = given
			return c.validate(given, args)
		}
		root.AddCommand(flags.Define(cmd, validate, func(ctx context.Context, args []string) error {
			return c.run(ctx, p, args)
		}))
	}
	root.AddCommand(p.explainCommand(), p.versionCommand())
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
			p.registerQuiet(cmd.PersistentFlags()) // also of its shells
			continue
		}
		if cmd.Runnable() && cmd.Flags().Lookup("quiet") == nil {
			p.registerQuiet(cmd.Flags())
		}
	}
	return root
}

// registerQuiet registers --quiet, which every command accepts, so that a script can always set it.
func (p *program) registerQuiet(f *pflag.FlagSet) {
	f.BoolVar(&p.Quiet, "quiet", false, "print no progress, no summary of a run, and no advice")
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
	word, names := rest[0], []string(nil)
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	err := fmt.Errorf("unknown command %q; want one of %s", word, strings.Join(names, ", "))
	if _, e := os.Stat(word); e == nil {
		return console.Hint(err, "assize score "+word+" scores a file")
	}
	return console.Hint(err, flags.DidYouMean(word, names)...)
}
