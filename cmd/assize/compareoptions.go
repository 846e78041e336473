package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/compare"
	"assize/rubric"
)

// compareOptions are the flags of `assize compare`.
type compareOptions struct {
	config, output         string
	format, by, color      choice
	paired, unpaired, sure bool
	failOnDrop             points
	top, draws, jobs       int
	seed                   uint64
}

func (o *compareOptions) register(fs *pflag.FlagSet) {
	o.format, o.by, o.color = oneOf("text", "json", "csv", "markdown"), oneOf("", "file"), oneOf("auto", "always", "never")

	fs.SortFlags = false
	fs.Var(&o.format, "format", "write the comparison as `FORMAT`: "+o.format.any())
	fs.StringVarP(&o.output, "output", "o", "", "write to `FILE`; its ending chooses the format")
	fs.IntVar(&o.top, "top", 10, "show the `N` dialogues that changed most")
	fs.Var(&o.by, "by", "compare file with file, too, and give the mean over the files: `WHAT` is file")
	fs.BoolVar(&o.paired, "paired", false, "compare the dialogues that are in both runs, however few")
	fs.BoolVar(&o.unpaired, "unpaired", false, "compare the runs as two different sets of dialogues")
	fs.Var(&o.failOnDrop, "fail-on-drop", "exit 1 if the mean weighted average dropped by `POINTS` of 100 or more")
	fs.BoolVar(&o.sure, "sure", false, "ask --fail-on-drop of the whole interval, not of the mean alone")
	fs.IntVar(&o.draws, "draws", 1000, "draw `N` times for the intervals")
	fs.Uint64Var(&o.seed, "seed", 1, "the `NUMBER` that the draws follow from")
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "read `N` dialogues at once")
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	fs.Lookup("jobs").DefValue = "one for each processor"
}

// validate holds every rule on what goes together.
func (o *compareOptions) validate(given map[string]bool, args []string) error {
	if err := o.format.follow(o.output, "a comparison", given); err != nil {
		return err
	}
	switch {
	case len(args) != 2:
		return fmt.Errorf("%d runs; want two, the one before and the one after", len(args))
	case args[0] == stdinName && args[1] == stdinName:
		return errors.New("- stands twice on the command line; standard input can be read only once")
	case sameFile(args[0], o.output), sameFile(args[1], o.output):
		return fmt.Errorf("%s: is both read and written; want another name behind -o", o.output)
	case given["paired"] && given["unpaired"] && o.paired && o.unpaired:
		return errors.New("--paired cannot be used with --unpaired")
	case given["sure"] && o.sure && o.failOnDrop == 0:
		return errors.New("--sure can be used only with --fail-on-drop")
	case o.top < 0:
		return fmt.Errorf("--top %d; want 0 or more", o.top)
	case o.draws < 100 || o.draws > 1_000_000:
		return fmt.Errorf("--draws %d; want 100 to 1000000", o.draws)
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	}
	if given["paired"] && !given["unpaired"] {
		o.unpaired = false // what the config file says for all calls gives way
	}
	return nil
}

func (o *compareOptions) options() compare.Options {
	opt := compare.Options{ByFile: o.by.value == "file", Top: o.top, Draws: o.draws, Seed: o.seed}
	switch {
	case o.unpaired:
		opt.Mode = compare.Unpaired
	case o.paired:
		opt.Mode = compare.Paired
	}
	return opt
}

// answer answers --fail-on-drop.
func (o *compareOptions) answer(c *compare.Comparison) error {
	if o.failOnDrop == 0 {
		return nil
	}
	dropped, err := c.Drop(rubric.Hundredths(o.failOnDrop), o.sure)
	if err != nil {
		return fmt.Errorf("--fail-on-drop: %w", err)
	}
	if dropped == "" {
		return nil
	}
	return answerNo(fmt.Sprintf("%s; --fail-on-drop %s", dropped, &o.failOnDrop))
}

// points is a flag that takes a number of points of 100; zero is none.
type points rubric.Hundredths

// Set implements [pflag.Value].
func (p *points) Set(s string) error {
	h, err := rubric.ParseHundredths(s)
	if err != nil || h <= 0 || h > 80*100 {
		return errors.New("want a number of points above 0 and up to 80, with at most two decimals")
	}
	*p = points(h)
	return nil
}

// String implements [pflag.Value].
func (p *points) String() string {
	if *p == 0 {
		return ""
	}
	return rubric.Hundredths(*p).String()
}

// Type implements [pflag.Value].
func (p *points) Type() string { return "points" }
