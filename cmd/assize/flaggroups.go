package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/source"
)

// Flags that several commands have are registered here, once each: output, statistics, and in judging.go those
// of transcripts and judges.

// displayFlags are the flags of every command that shows a result to people.
type displayFlags struct {
	format, color choice
	config        string
}

// register adds the flags. The first format is the default.
func (o *displayFlags) register(fs *pflag.FlagSet, result string, formats ...string) {
	o.format, o.color = oneOf(formats...), oneOf("auto", "always", "never")
	fs.SortFlags = false
	fs.Var(&o.format, "format", "write "+result+" as `FORMAT`: "+o.format.any())
	registerColor(fs, &o.color)
	fs.StringVar(&o.config, "config", "", "read settings from `FILE` (default "+usualPlace()+")")
}

// outputFlags are the flags of every command that writes a result to a file as well.
type outputFlags struct {
	displayFlags
	output string
	result string // what is written: "scores", "an agreement"
}

func (o *outputFlags) register(fs *pflag.FlagSet, result string, formats ...string) {
	o.result = result
	fs.StringVarP(&o.output, "output", "o", "", "write to `FILE`; its extension chooses the format")
	o.displayFlags.register(fs, result, formats...)
}

func registerColor(fs *pflag.FlagSet, color *choice) {
	fs.Var(color, "color", "use colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
}

// validate takes the format from the name behind -o, where --format is not given.
func (o *outputFlags) validate(given map[string]bool) error {
	return o.format.follow(o.output, o.result, given)
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
	orNone := ""
	if none {
		orNone = ", or 0 for no intervals"
	}
	if none && o.draws == 0 || o.draws >= 100 && o.draws <= 1_000_000 {
		return nil
	}
	return fmt.Errorf("--draws %d; want 100 to 1000000%s", o.draws, orNone)
}

// peopleFlags say where people's ratings are, and on what scale.
type peopleFlags struct {
	ratings, scale string
	people         ratings.Scale // what scale says
}

func (o *peopleFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.ratings, "ratings", "", "read people's ratings from `FILE` (default: those in the dialogues)")
	fs.StringVar(&o.scale, "scale", "1-5", "people's scale by its `ENDS`, the worst first: 1-5, 0-10, 6-1")
}

func (o *peopleFlags) validate() (err error) {
	if o.people, err = ratings.ParseScale(o.scale); err != nil {
		return fmt.Errorf("--scale: %w", err)
	}
	return nil
}

// oneStdin refuses standard input that is named twice, and an output that is also an input.
func oneStdin(inputs []string, output string) error {
	for i, file := range inputs {
		switch {
		case file == source.Stdin && slices.Contains(inputs[:i], source.Stdin):
			return errors.New("- is given twice; standard input can be read only once")
		case source.Same(file, output):
			return fmt.Errorf("-o %s: is an input as well; want another name", output)
		}
	}
	return nil
}
