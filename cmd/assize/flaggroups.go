package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/ui"
)

// Flags that several commands have are registered here, once each: output, statistics, and in judging.go those
// of transcripts and judges.

// outputFlags are the flags of every command that writes a result.
type outputFlags struct {
	format, color  choice
	output, config string
	result         string // what is written: "scores", "an agreement"
}

// register adds the flags. The first format is the default.
func (o *outputFlags) register(fs *pflag.FlagSet, result string, formats ...string) {
	o.result, o.format, o.color = result, oneOf(formats...), oneOf("auto", "always", "never")
	fs.SortFlags = false
	fs.Var(&o.format, "format", "write "+result+" as `FORMAT`: "+o.format.any())
	fs.StringVarP(&o.output, "output", "o", "", "write to `FILE`; its extension chooses the format")
	fs.Var(&o.color, "color", "use colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "read settings from `FILE` (default "+usualPlace()+")")
}

// validate takes the format from the name behind -o, where --format is not given.
func (o *outputFlags) validate(given map[string]bool) error {
	return o.format.follow(o.output, o.result, given)
}

// writeTo opens what -o names, has it written, and closes it. write gets a page for text, and the plain writer for all
// else.
func (p *program) writeTo(o *outputFlags, write func(w io.Writer, page *ui.Page) error) error {
	out, err := p.create(o.output)
	if err != nil {
		return err
	}
	page := ui.Page{Color: o.output == "" && p.colored(o.color.value)}
	err = write(out, &page)
	if err == nil && page.Len() > 0 {
		err = page.Send(out)
	}
	return out.end(err)
}

// jobsFlag is --jobs.
type jobsFlag struct{ jobs int }

func (o *jobsFlag) register(fs *pflag.FlagSet, what string) {
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), what+" `N` dialogues at once")
	fs.Lookup("jobs").DefValue = "one for each processor"
}

func (o *jobsFlag) validate() error {
	if o.jobs < 1 {
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	}
	return nil
}

// drawFlags are the flags of bootstrap intervals.
type drawFlags struct {
	draws int
	seed  uint64
}

func (o *drawFlags) register(fs *pflag.FlagSet, draws int) {
	fs.IntVar(&o.draws, "draws", draws, "use `N` bootstrap draws for the intervals")
	fs.Uint64Var(&o.seed, "seed", 1, "start the random numbers of the draws from `NUMBER`")
}

// validate bounds the draws. Fewer than 100 tell nothing of an interval of 95 %.
func (o *drawFlags) validate(none bool) error {
	if none && o.draws == 0 || o.draws >= 100 && o.draws <= 1_000_000 {
		return nil
	}
	if none {
		return fmt.Errorf("--draws %d; want 100 to 1000000, or 0 for no intervals", o.draws)
	}
	return fmt.Errorf("--draws %d; want 100 to 1000000", o.draws)
}

// define completes a command: its flags are settled and validated before work begins.
func define(cmd *cobra.Command, config *string, validate func(given map[string]bool, args []string) error, work func(ctx context.Context, args []string) error) *cobra.Command {
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		check := func(given map[string]bool) error { return validate(given, args) }
		if err := prepare(cmd, *config, check); err != nil {
			return err
		}
		return work(cmd.Context(), args)
	}
	complete(cmd)
	return cmd
}

// oneStdin refuses standard input that is named twice, and an output that is also an input.
func oneStdin(inputs []string, output string) error {
	if count(inputs, stdinName) > 1 {
		return errors.New("- is given twice; standard input can be read only once")
	}
	for _, file := range inputs {
		if sameFile(file, output) {
			return fmt.Errorf("-o %s: is an input as well; want another name", output)
		}
	}
	return nil
}

func count(list []string, s string) (n int) {
	for _, v := range list {
		if v == s {
			n++
		}
	}
	return n
}
