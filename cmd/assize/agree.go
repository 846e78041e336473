package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/rubric"
)

// agreeOptions are the flags of `assize agree`.
type agreeOptions struct {
	outputFlags
	drawFlags
	jobsFlag
	judgingFlags
	peopleFlags
	worst, against string
	failBelow      []string

	below  float64 // as worst and failBelow say
	floors []floor
}

// floor is the least correlation that --fail-below asks for.
type floor struct {
	text  string // as it was given
	of    agree.Key
	least float64
}

func (p *program) agreeCommand() *cobra.Command {
	var o agreeOptions
	cmd := helpOf("agree")
	fs := cmd.Flags()
	o.outputFlags.register(fs, "the figures", "text", "json", "csv")
	o.result = "an agreement"
	o.peopleFlags.register(fs)
	fs.StringVar(&o.worst, "worst", "20%", "the worst are the dialogues below this `PART` by people's means")
	fs.StringArrayVar(&o.failBelow, "fail-below", nil, "exit 1 if a mean Spearman is less than `MEASURE=RHO`, "+
		"such as satisfaction=.35")
	fs.StringVar(&o.against, "against", "", "compare the run with another judge's, `RUN`, not with people")
	o.drawFlags.register(fs)
	o.judgingFlags.register(fs)
	o.jobsFlag.register(fs, "read or measure")
	return flags.Define(cmd, &o.config, o.validate, func(ctx context.Context, args []string) error {
		return p.agree(ctx, args, &o)
	})
}

// validate holds every rule on what goes together.
func (o *agreeOptions) validate(given map[string]bool, args []string) (err error) {
	o.judgingFlags.validate(given)
	err = cmp.Or(o.outputFlags.validate(given), o.peopleFlags.validate(), o.drawFlags.validate(true), o.jobsFlag.validate())
	if err != nil {
		return err
	}
	percent, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(o.worst, "%")), 64)
	if err != nil || !(percent >= 1 && percent <= 50) {
		return fmt.Errorf("--worst %q: want a percentage from 1%% to 50%%, such as 20%%", o.worst)
	}
	o.below = percent / 100
	for _, text := range o.failBelow {
		f, err := parseFloor(text)
		if err != nil {
			return err
		}
		o.floors = append(o.floors, f)
	}
	for _, flag := range []string{"ratings", "scale"} {
		if given[flag] && o.against != "" {
			return fmt.Errorf("--%s cannot be used with --against, which compares the run with a judge and not "+
				"with people", flag)
		}
	}
	return oneStdin(slices.Concat(args, []string{o.against, o.ratings}), o.output)
}

// parseFloor reads a measure and a correlation, such as satisfaction=.35.
func parseFloor(text string) (floor, error) {
	name, value, _ := strings.Cut(text, "=")
	least, err := strconv.ParseFloat(value, 64)
	if err == nil && least > -1 && least <= 1 {
		for _, m := range agree.MeasuresOf(agree.OverallRating) {
			if agree.Label(m) == name {
				return floor{text, agree.Key{Rated: agree.OverallRating, Measure: m, Statistic: agree.Spearman}, least}, nil
			}
		}
		if c, err := rubric.ParseCriterion(name); err == nil {
			return floor{text, agree.Key{Rated: c.String(), Measure: c.String(), Statistic: agree.Spearman}, least}, nil
		}
	}
	return floor{}, fmt.Errorf("--fail-below %q: want satisfaction, average, overall or a criterion, = and a "+
		"correlation, as in satisfaction=.35", text)
}

// agree measures the run against people, or against another judge.
func (p *program) agree(ctx context.Context, args []string, o *agreeOptions) error {
	c, err := p.corpus(ctx, "agree", args, &o.judgingFlags, o.jobs, o.output)
	if err != nil || len(c.Files) == 0 {
		return err
	}
	opt := agree.Options{Scale: o.people, Worst: o.below, Draws: o.draws, Seed: o.seed, Jobs: o.jobs}
	scored, err := c.Scored(ctx)
	if err != nil {
		return err
	}
	measure, notes := p.agreeWithPeople, learnt(scored.Headers)
	if o.against != "" {
		measure, notes = p.agreeWithJudge, nil
	}
	rep, found, err := measure(ctx, scored.Rows, o, opt)
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return errStopped
	}
	notes = append(found, notes...)
	if o.format.Value == "csv" { // which has no place for them
		for _, n := range notes {
			p.Note(n)
		}
	}
	rep.Ratings, rep.Unscored = o.ratings, scored.Unscored
	rep.Notes = slices.Insert(rep.Notes, 0, append(p.Warned(), notes...)...)
	err = p.write(&o.outputFlags, rep)
	return cmp.Or(err, checkFloors(o.floors, rep))
}

// checkFloors answers --fail-below.
func checkFloors(floors []floor, rep *agree.Report) error {
	var under []string
	for _, f := range floors {
		switch found := rep.Of(rep.Mean, f.of); {
		case math.IsNaN(found.Value):
			return fmt.Errorf("--fail-below %s: there is no figure: %s", f.text, found.Why)
		case found.Value < f.least:
			under = append(under, fmt.Sprintf("the Spearman of %s is %s, under --fail-below %s", agree.Label(f.of.Measure),
				agree.Short(found.Value, 4), f.text))
		}
	}
	if under == nil {
		return nil
	}
	return console.Answer(strings.Join(under, "; "))
}

// errStopped is the error of statistics that were stopped.
var errStopped = errors.New("stopped before everything was read and measured; nothing is printed")

// agreeWithPeople joins people's ratings and the rows, and measures. It gives notes on the ratings.
func (p *program) agreeWithPeople(ctx context.Context, rows []run.Row, o *agreeOptions,
	opt agree.Options) (*agree.Report, []string, error) {
	rated, notes, err := p.people(o.ratings, o.people, rows)
	if err != nil {
		return nil, nil, err
	}
	return agree.New(ctx, rated, opt), notes, nil
}

// agreeWithJudge compares the rows with those of another judge's run.
func (p *program) agreeWithJudge(ctx context.Context, rows []run.Row, o *agreeOptions,
	opt agree.Options) (*agree.Report, []string, error) {
	against, err := p.corpus(ctx, "agree", []string{o.against}, &o.judgingFlags, o.jobs, "")
	if err != nil || len(against.Files) == 0 {
		return nil, nil, cmp.Or(err, errors.New("there is nothing to compare with"))
	}
	other, err := against.Scored(ctx)
	if err != nil {
		return nil, nil, err
	}
	rep := agree.NewAgainst(ctx, rows, other.Rows, opt)
	if rep.Dialogues == 0 {
		return nil, nil, fmt.Errorf("--against %s: no dialogue of the run is scored in it; want runs of the same transcripts", o.against)
	}
	rep.Against = o.against
	return rep, nil, nil
}

// learnt notes from how many dialogues the profiles of runs were learnt.
func learnt(headers []*run.Header) (notes []string) {
	for _, h := range headers {
		if h.Basis.Profile.Learned == nil {
			continue
		}
		note := fmt.Sprintf("The profile was learnt from %d rated dialogues; where these are among them, the errors of "+
			"satisfaction are too small.", h.Basis.Profile.Learned.Dialogues)
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// people gives the ratings of a file, or those that the rows carry.
func (p *program) people(file string, s ratings.Scale, rows []run.Row) ([]ratings.Rated, []string, error) {
	if file == "" {
		return ratings.FromTruth(rows, s)
	}
	r, err := p.Open(file)
	if err != nil {
		return nil, nil, fmt.Errorf("--ratings: %w", err)
	}
	defer r.Close()
	f, err := ratings.ReadFile(r, file)
	if err != nil {
		return nil, nil, err
	}
	return f.Join(rows, s)
}
