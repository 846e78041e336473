package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/gate"
	"assize/cmd/assize/internal/portion"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/report"
	"assize/rubric/dialogue"
)

// scoreOptions are the flags of `assize score`.
type scoreOptions struct {
	config                             string
	format, protocol, mapping, color   choice
	inputFormat                        choice
	roleMap, systemNames, ids          []string
	rubric, profile, output, by        string
	jobs                               int
	failUnder                          []string
	gates                              []gate.Gate // what failUnder says
	maxBelow                           portion.Portion
	full, redact, noTranscript, dryRun bool
	run                                runOptions
	bench                              benchOptions

	only  func(dialogue.Sample) bool // the dialogues of an experiment, whose reading has been told of; nil for all
	watch func(*record.Record) error // sees every record before it is written; one that it has an error for is not
}

func (o *scoreOptions) register(fs *pflag.FlagSet) {
	o.format, o.protocol = oneOf(report.Formats()...), oneOf("debate", "single")
	o.mapping, o.color = oneOf("", "down", "nearest"), oneOf("auto", "always", "never")
	o.inputFormat = oneOf(append([]string{""}, inputFormats()...)...)

	fs.SortFlags = false
	fs.Var(&o.format, "format", "write the results as `FORMAT`: "+o.format.any())
	fs.StringVarP(&o.output, "output", "o", "", "write to `FILE`; its ending chooses the format")
	o.run.register(fs)
	fs.Var(&o.protocol, "protocol", "`DOCUMENT` of --format json: the debate's (003) or the single evaluator's (004)")
	fs.BoolVar(&o.full, "full", false, "every dialogue in full, not a row each")
	fs.StringVar(&o.by, "by", "", "sum up by the column `NAME` of the source as well, such as agent or channel, or by file")
	fs.StringSliceVar(&o.ids, "id", nil, "only the dialogues with these `IDS`: 335 or 25,26")
	fs.StringSliceVar(&o.failUnder, "fail-under", nil, "exit 1 if a scored dialogue is below `SCORE`: 60 for the OverallExperience, Empathy=40 for a criterion; repeatable")
	fs.Var(&o.maxBelow, "max-below", "so many may be below --fail-under: `HOW-MANY` is a share of the scored dialogues, 5%, or a number")
	fs.Var(&o.mapping, "mapping", "`HOW` the average becomes the OverallExperience: down or nearest (default: as the rubric says)")
	fs.StringVar(&o.rubric, "rubric", "", "weights, level texts, demands and mapping from `FILE`")
	fs.StringVar(&o.profile, "profile", "", "estimate satisfaction by the profile in `FILE`, as assize fit learns one")
	fs.Var(&o.inputFormat, "input-format", "read the transcripts as `FORMAT`: "+o.inputFormat.any()+" (default: as detected)")
	fs.StringSliceVar(&o.roleMap, "role-map", nil, "whom speakers stand for, as in \"BOT=system,Ann=user\" (`NAME=ROLE`)")
	fs.StringArrayVar(&o.systemNames, "system-name", nil, "speaker `NAME` is the SYSTEM, names that say nothing are the USER; repeatable")
	fs.BoolVar(&o.dryRun, "dry-run", false, "show how each file is read, and score nothing")
	fs.BoolVar(&o.redact, "redact", false, "mask e-mail addresses, phone, card and account numbers in all that is written")
	fs.BoolVar(&o.noTranscript, "no-transcript", false, "keep in records only the turns that are cited")
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "judge `N` dialogues at once")
	o.bench.register(fs)
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	fs.Lookup("jobs").DefValue = "one for each processor; with --model one"
}

func usualPlace() string {
	if path := configPath(); path != "" {
		return path
	}
	return "none, since this system names no place"
}

func inputFormats() []string {
	var names []string
	for _, f := range dialogue.Formats() {
		names = append(names, string(f))
	}
	return names
}

// validate holds every rule on what goes together. A conflict counts where the command line makes it: what
// the config file says for all calls gives way.
func (o *scoreOptions) validate(given map[string]bool) error {
	if err := o.format.follow(o.output, "scores", given); err != nil {
		return err
	}
	text := o.format.value == "text" || o.format.value == "markdown"
	conflicts := []struct {
		flag string
		with string
		is   bool
	}{
		{"full", "--format " + o.format.value, !text},
		{"protocol", "--format " + o.format.value + "; it chooses the document of --format json", o.format.value != "json"},
		{"no-transcript", "--format " + o.format.value + "; only --format jsonl keeps transcripts", o.format.value != "jsonl"},
		{"by", "--format " + o.format.value + "; want text, markdown or csv", !text && o.format.value != "csv"},
		{"by", "--dry-run, which names the columns", o.dryRun},
		{"format", "--dry-run", o.dryRun},
		{"output", "--dry-run", o.dryRun},
		{"fail-under", "--dry-run", o.dryRun},
		{"model", "--dry-run", o.dryRun},
		{"reuse", "--dry-run", o.dryRun},
		{"strict", "--dry-run", o.dryRun},
		{"reuse", "--redact: what was judged is not what would be written", o.redact},
		{"reuse", "--no-transcript: what was judged would not be written", o.noTranscript},
	}
	for _, c := range conflicts {
		if given[c.flag] && c.is {
			return fmt.Errorf("--%s cannot be used with %s", c.flag, c.with)
		}
	}
	gates, err := parseGates(o.failUnder)
	if err != nil {
		return err
	}
	switch o.gates = gates; {
	case given["fail-under"] && len(o.failUnder) == 0: // such as of a variable that nobody has set
		return errors.New("--fail-under \"\": want a score from 20 to 100, or 0 for no gate")
	case o.format.value == "junit" && len(gates) == 0:
		return errors.New("--format junit can be used only with --fail-under, without which nothing can fail")
	case given["max-below"] && len(gates) == 0:
		return errors.New("--max-below can be used only with --fail-under")
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	case given["by"] && o.by == "": // such as of a variable that nobody has set
		return errors.New(`--by "": want a column, such as agent, or file`)
	case slices.Contains(o.ids, ""):
		return fmt.Errorf("--id has an empty id; want 335 or 25,26")
	}
	if err := o.run.validate(given, o.output, o.format.value); err != nil {
		return err
	}
	return o.bench.validate(given)
}

// reading gives what [dialogue.Read] must know.
func (o *scoreOptions) reading() (dialogue.Options, error) {
	opt := dialogue.Options{Format: dialogue.Format(o.inputFormat.value), SystemNames: o.systemNames}
	for _, pair := range o.roleMap {
		name, role, ok := strings.Cut(pair, "=")
		r, err := dialogue.ParseRole(role)
		if name = strings.TrimSpace(name); !ok || err != nil || name == "" {
			return opt, fmt.Errorf(`--role-map %q; want NAME=system, NAME=user or NAME=other`, pair)
		}
		if opt.Roles == nil {
			opt.Roles = map[string]dialogue.Role{}
		}
		opt.Roles[name] = r
	}
	return opt, nil
}

// show gives what everything passes through that is shown of a transcript.
func (o *scoreOptions) show() func(string) string {
	if o.redact {
		return redact.Text
	}
	return func(s string) string { return s }
}
