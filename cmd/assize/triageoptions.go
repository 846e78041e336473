package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/portion"
	"assize/cmd/assize/internal/triage"
)

// triageOptions are the flags of `assize triage`.
type triageOptions struct {
	config, output      string
	format, sort, color choice
	top, jobs           int
	duplicates          bool
	budget              portion.Portion
	court               scoreOptions // of its flags, those that say how to read a transcript and what to measure by
	bench               benchOptions
	ofTranscripts       []string // the flags that say nothing of a run, among those that the command line gave
}

func (o *triageOptions) register(fs *pflag.FlagSet) {
	o.format, o.sort, o.color = oneOf(triage.Formats()...), oneOf(triage.Orders()...), oneOf("auto", "always", "never")
	o.court.mapping, o.court.inputFormat = oneOf("", "down", "nearest"), oneOf(append([]string{""}, inputFormats()...)...)

	fs.SortFlags = false
	fs.IntVar(&o.top, "top", 50, "show the `N` worst")
	fs.Var(&o.sort, "sort", "rank by `WHAT`: "+o.sort.any())
	fs.BoolVar(&o.duplicates, "duplicates", false, "rank each of several dialogues with the same turns, and not the first for all")
	fs.Var(&o.format, "format", "write the ranking as `FORMAT`: "+o.format.any())
	fs.StringVarP(&o.output, "output", "o", "", "write to `FILE`; its ending chooses the format")
	fs.BoolVar(&o.court.redact, "redact", false, "mask e-mail addresses, phone, card and account numbers in all that is written")
	fs.Var(&o.budget, "budget", "ask the model of --model about `HOW-MANY`: 10%, or a number of dialogues")
	o.ofTranscripts = added(fs, func() {
		fs.Var(&o.court.mapping, "mapping", "`HOW` the average becomes the OverallExperience: down or nearest (default: as the rubric says)")
		fs.StringVar(&o.court.rubric, "rubric", "", "weights, level texts, demands and mapping from `FILE`")
		fs.StringVar(&o.court.profile, "profile", "", "estimate satisfaction by the profile in `FILE`, as assize fit learns one")
		fs.Var(&o.court.inputFormat, "input-format", "read the transcripts as `FORMAT`: "+o.court.inputFormat.any()+" (default: as detected)")
		fs.StringSliceVar(&o.court.roleMap, "role-map", nil, "whom speakers stand for, as in \"BOT=system,Ann=user\" (`NAME=ROLE`)")
		fs.StringArrayVar(&o.court.systemNames, "system-name", nil, "speaker `NAME` is the SYSTEM, names that say nothing are the USER; repeatable")
	})
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "let the rules judge `N` dialogues at once; the model judges one after the other")
	o.bench.register(fs)
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	fs.Lookup("jobs").DefValue = "one for each processor"
}

// validate holds every rule on what goes together.
func (o *triageOptions) validate(given map[string]bool) error {
	o.ofTranscripts = slices.DeleteFunc(o.ofTranscripts, func(flag string) bool { return !given[flag] })
	if err := o.format.follow(o.output, "a ranking", given); err != nil {
		return err
	}
	switch {
	case o.top < 1:
		return fmt.Errorf("--top %d; want 1 or more", o.top)
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	case given["budget"] && o.bench.model == "":
		return errors.New("--budget can be used only with --model, which it is for")
	case given["budget"] && o.budget.None():
		return fmt.Errorf("--budget %s; want a share above 0%%, such as 10%%, or a number of dialogues, 1 or more", o.budget)
	case given["model"] && o.budget.None():
		return errors.New("--model can be used only with --budget, which says how many dialogues it may judge: 10%, or a number")
	}
	return o.bench.validate(given)
}

// cascades reports whether a model is asked about some.
func (o *triageOptions) cascades() bool { return !o.budget.None() && o.bench.seated() }
