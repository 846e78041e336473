package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/findings"
	"assize/rubric/check"
)

// checkOptions are the flags of `assize check`.
type checkOptions struct {
	config                string
	transcripts           []string
	id, output            string
	format, failOn, color choice
	court                 scoreOptions // of its flags, those that say how to read a transcript and what to measure by
	jobs                  int
	fix                   bool
}

func (o *checkOptions) register(fs *pflag.FlagSet) {
	o.format, o.color = oneOf(findings.Formats()...), oneOf("auto", "always", "never")
	o.failOn = oneOf(check.Error.String(), check.Warning.String(), check.Note.String())
	o.court.mapping, o.court.inputFormat = oneOf("", "down", "nearest"), oneOf(append([]string{""}, inputFormats()...)...)

	fs.SortFlags = false
	fs.StringArrayVar(&o.transcripts, "transcript", nil, "hold the quotes against the dialogues in `FILE`; repeatable")
	fs.StringVar(&o.id, "id", "", "the evaluations are of the dialogue with this `ID`, whatever they say")
	fs.Var(&o.format, "format", "write the findings as `FORMAT`: "+o.format.any())
	fs.StringVarP(&o.output, "output", "o", "", "write to `FILE`; its ending chooses the format")
	fs.BoolVar(&o.fix, "fix", false, "write the evaluation with what can be computed put right, and tell what that was")
	fs.Var(&o.failOn, "fail-on", "exit 1 if a finding has at least this `SEVERITY`: "+o.failOn.any())
	fs.Var(&o.court.mapping, "mapping", "`HOW` the average becomes the OverallExperience: down or nearest (default: as the rubric says)")
	fs.StringVar(&o.court.rubric, "rubric", "", "weights, demands and mapping from `FILE`, for the evaluations of runs too")
	fs.Var(&o.court.inputFormat, "input-format", "read the transcripts as `FORMAT`: "+o.court.inputFormat.any()+" (default: as detected)")
	fs.StringSliceVar(&o.court.roleMap, "role-map", nil, "whom speakers stand for, as in \"BOT=system,Ann=user\" (`NAME=ROLE`)")
	fs.StringArrayVar(&o.court.systemNames, "system-name", nil, "speaker `NAME` is the SYSTEM, names that say nothing are the USER; repeatable")
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "check `N` evaluations at once")
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	fs.Lookup("jobs").DefValue = "one for each processor"
}

// validate holds every rule on what goes together, and takes the format from the name of the output.
func (o *checkOptions) validate(given map[string]bool) error {
	switch {
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	case o.fix && given["format"]:
		return fmt.Errorf("--format cannot be used with --fix, which writes the evaluation itself")
	case given["id"] && o.id == "":
		return fmt.Errorf("--id is empty; want the id of a dialogue, such as 335")
	case given["id"] && len(o.transcripts) == 0:
		return fmt.Errorf("--id cannot be used without --transcript, which it chooses a dialogue of")
	}
	if o.fix {
		return nil
	}
	return o.format.follow(o.output, "findings", given)
}

// severity is the least that makes the exit code 1.
func (o *checkOptions) severity() check.Severity {
	for s := check.Note; s < check.Error; s++ {
		if s.String() == o.failOn.value {
			return s
		}
	}
	return check.Error
}

// sink makes the sink for a format.
func (o *checkOptions) sink(w io.Writer, color bool) (findings.Sink, error) {
	switch o.format.value {
	case "json":
		return findings.NewJSON(w), nil
	case "sarif":
		return findings.NewSARIF(w, programVersion(), check.Kinds())
	case "junit":
		return findings.NewJUnit(w, o.severity()), nil
	}
	return findings.NewText(w, findings.TextOptions{Color: color, Transcript: len(o.transcripts) > 0, Fixed: o.fix}), nil
}
