package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/pflag"
)

// experimentOptions are the flags of `assize experiment`: what concerns this machine and this call. What is judged, and
// how, stands in the file.
type experimentOptions struct {
	serverOptions
	config, output string
	format, color  choice
	dryRun         bool
	jobs, draws    int

	outputGiven bool // on the command line, where it comes before the file's
}

func (o *experimentOptions) register(fs *pflag.FlagSet) {
	o.format, o.color = oneOf("text", "markdown", "csv", "json"), oneOf("auto", "always", "never")

	fs.SortFlags = false
	fs.StringVarP(&o.output, "output", "o", "", "write the runs into the folder `DIR` (default: as the file says)")
	fs.Var(&o.format, "format", "print the table as `FORMAT`: "+o.format.any())
	fs.BoolVar(&o.dryRun, "dry-run", false, "show what would be run, and run nothing")
	o.serverOptions.register(fs)
	fs.IntVar(&o.draws, "draws", 1000, "draw `N` times for the intervals; 0 for none")
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "the rules judge `N` dialogues at once; a model always one")
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	fs.Lookup("jobs").DefValue = "one for each processor"
}

// validate holds every rule on what goes together.
func (o *experimentOptions) validate(given map[string]bool) error {
	o.outputGiven = given["output"]
	switch {
	case o.dryRun && given["format"]:
		return errors.New("--format cannot be used with --dry-run")
	case o.draws != 0 && (o.draws < 100 || o.draws > 100_000):
		return fmt.Errorf("--draws %d; want 100 to 100000, or 0 for no intervals", o.draws)
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	}
	return o.serverOptions.validate()
}
