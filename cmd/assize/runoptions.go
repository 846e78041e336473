package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// runOptions are the flags that concern a run on disk.
type runOptions struct {
	restart bool
	reuse   []string
	strict  bool
	quiet   bool
	part    bool // it is part of something larger, which tells what came of it
}

func (o *runOptions) register(fs *pflag.FlagSet) {
	fs.BoolVar(&o.restart, "restart", false, "begin the run behind -o anew, and keep the old file under another name")
	fs.StringArrayVar(&o.reuse, "reuse", nil, "take over what `RUN` has judged of the same turns in the same way; repeatable")
	fs.BoolVar(&o.strict, "strict", false, "exit 1 if a dialogue is unscored")
	fs.BoolVar(&o.quiet, "quiet", false, "tell neither how far a run is nor, at its end, what it holds")
}

// onward tells how a run that was stopped goes on.
func (o *runOptions) onward() string {
	if o.restart { // which would begin it anew once more
		return "the same command without --restart goes on from there"
	}
	return "the same command goes on from there"
}

// validate refuses what makes sense for a run alone, where the command line asks for it.
func (o *runOptions) validate(given map[string]bool, output, format string) error {
	for _, name := range []string{"restart"} {
		switch {
		case !given[name]:
		case format != "jsonl":
			return fmt.Errorf("--%s cannot be used with --format %s; only --format jsonl writes a run", name, format)
		case output == "" || output == stdinName:
			return errors.New("--" + name + " needs -o FILE")
		}
	}
	return nil
}
