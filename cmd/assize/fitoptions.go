package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/fit"
	"assize/cmd/assize/internal/ratings"
	"assize/heuristics"
	"assize/rubric"
)

// fitOptions are the flags of `assize fit`.
type fitOptions struct {
	config, output, ratings, scale string
	format, color                  choice
	flag                           share
	weights, points                bool
	seed                           uint64
	jobs                           int

	people ratings.Scale // what scale says
}

func (o *fitOptions) register(fs *pflag.FlagSet) {
	o.format, o.color = oneOf("text", "json"), oneOf("auto", "always", "never")
	o.flag = share{text: "10%", value: 100_000}

	fs.SortFlags = false
	fs.StringVarP(&o.output, "output", "o", "", "write the profile to `FILE`")
	fs.StringVar(&o.ratings, "ratings", "", "people's ratings from `FILE` (default: those in the runs)")
	fs.StringVar(&o.scale, "scale", "1-5", "people's scale by its `ENDS`, the worst first: 1-5, 0-10, 6-1")
	fs.Var(&o.flag, "flag", "flag the `SHARE` of dialogues with the lowest satisfaction; 0% flags none")
	fs.BoolVar(&o.weights, "weights", false, "let the ratings choose other weights of the criteria, if that gains enough")
	fs.BoolVar(&o.points, "points", false, "suggest other points for what users say, as a diff of the lexicon; without -o nothing else")
	fs.Uint64Var(&o.seed, "seed", 1, "the `NUMBER` that folds and intervals follow from")
	fs.Var(&o.format, "format", "write the report as `FORMAT`: "+o.format.any())
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "read `N` dialogues at once")
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	fs.Lookup("jobs").DefValue = "one for each processor"
}

// validate holds every rule on what goes together.
func (o *fitOptions) validate(given map[string]bool, args []string) (err error) {
	if o.people, err = ratings.ParseScale(o.scale); err != nil {
		return fmt.Errorf("--scale: %w", err)
	}
	if o.format.value == "json" && o.toStdout() && !o.points {
		if given["format"] {
			return errors.New("--format json goes to standard output, where the profile goes without -o; want -o FILE for the profile")
		}
		o.format.value = "text" // what the config file says for all calls gives way
	}
	switch {
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	case o.points && o.output == stdinName:
		return errors.New("-o - and --points both go to standard output; want -o FILE for the profile")
	case given["weights"] && o.weights && !o.learns():
		return errors.New("--points alone learns no profile; want -o FILE for one with --weights")
	case given["flag"] && !o.learns():
		return errors.New("--points alone learns no profile; want -o FILE for one with --flag")
	case o.ratings == stdinName && (len(args) == 0 || slices.Contains(args, stdinName)):
		return errors.New("the run and --ratings are both standard input, which can be read only once")
	case sameFile(o.ratings, o.output):
		return fmt.Errorf("-o %s: is both read and written; want another name", o.output)
	}
	return nil
}

// toStdout reports whether the profile goes to standard output.
func (o *fitOptions) toStdout() bool { return o.output == "" || o.output == stdinName }

// learns reports whether a profile is wanted: always, but where only points are asked for.
func (o *fitOptions) learns() bool { return !o.points || o.output != "" }

func (o *fitOptions) options(lexicon string, model heuristics.Model) fit.Options {
	return fit.Options{Flag: o.flag.value, Weights: o.weights, Seed: o.seed, Scale: o.people, Program: programVersion(), Lexicon: lexicon, Model: model}
}

// share is a flag that takes a percentage.
type share struct {
	text  string
	value heuristics.Millionths
}

// Set implements [pflag.Value].
func (s *share) Set(text string) error {
	number, ok := strings.CutSuffix(text, "%")
	h, err := rubric.ParseHundredths(strings.TrimSpace(number))
	if !ok || err != nil || h < 0 || h >= 100*100 {
		return errors.New("want a percentage from 0% to below 100%, such as 10%")
	}
	*s = share{text, heuristics.Millionths(h) * 100}
	return nil
}

// String implements [pflag.Value].
func (s *share) String() string { return s.text }

// Type implements [pflag.Value].
func (s *share) Type() string { return "share" }
