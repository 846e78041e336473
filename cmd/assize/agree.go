package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// agreeOptions are the flags of `assize agree`.
type agreeOptions struct {
	outputFlags
	drawFlags
	jobsFlag
	ratings, scale, worst string
	by                    choice
	against, failBelow    []string
	full                  bool

	people ratings.Scale // as scale, worst and failBelow say
	below  float64
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
	o.by = oneOf("", "file", "folder", "format", "all")
	o.outputFlags.register(fs, "the figures", "text", "json", "csv")
	o.result = "an agreement"
	fs.BoolVar(&o.full, "full", false, "show every group and every measure in full")
	fs.StringVar(&o.ratings, "ratings", "", "read people's ratings from `FILE` (default: those in the runs)")
	fs.StringVar(&o.scale, "scale", "1-5", "people's scale by its `ENDS`, the worst first: 1-5, 0-10, 6-1")
	fs.Var(&o.by, "by", "take figures within `WHAT`: file, folder, format or all (default: file)")
	fs.StringVar(&o.worst, "worst", "20%", "the worst are the dialogues below this `PART` by people's means")
	fs.StringArrayVar(&o.failBelow, "fail-below", nil, "exit 1 if a mean Spearman is less than `MEASURE=RHO`, "+
		"such as satisfaction=.35")
	fs.StringArrayVar(&o.against, "against", nil, "compare the run with another judge's, `RUN`, not with people; "+
		"repeatable")
	o.drawFlags.register(fs, 1000)
	o.jobsFlag.register(fs, "read or measure")
	return define(cmd, &o.config, o.validate, func(ctx context.Context, args []string) error {
		return p.agree(ctx, args, &o)
	})
}

// validate holds every rule on what goes together.
func (o *agreeOptions) validate(given map[string]bool, args []string) (err error) {
	if err := cmp.Or(o.outputFlags.validate(given), o.drawFlags.validate(true), o.jobsFlag.validate()); err != nil {
		return err
	}
	if o.people, err = ratings.ParseScale(o.scale); err != nil {
		return fmt.Errorf("--scale: %w", err)
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
	for _, flag := range []string{"ratings", "scale", "worst", "fail-below", "full"} {
		if given[flag] && len(o.against) > 0 {
			return fmt.Errorf("--%s cannot be used with --against, which compares the run with a judge and not "+
				"with people", flag)
		}
	}
	if o.full && o.format.value != "text" && given["full"] {
		return fmt.Errorf("--full cannot be used with --format %s, which has everything", o.format.value)
	}
	return oneStdin(slices.Concat(args, o.against, []string{o.ratings}), o.output)
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

// agreement is what is measured: how a run agrees with people, or with other judges.
type agreement interface {
	Text(*ui.Page)
	CSV(io.Writer) error
}

// agree measures the run against people, or against other judges.
func (p *program) agree(ctx context.Context, args []string, o *agreeOptions) error {
	files, err := p.inputs(source.Runs, args, o.output, "assize agree run.jsonl", "assize agree --help")
	if err != nil || len(files) == 0 {
		return err
	}
	opt := agree.Options{
		Scale: o.people, By: agree.By(o.by.value), Worst: o.below,
		Draws: o.draws, Seed: o.seed, Jobs: o.jobs, Full: o.full,
	}
	measure := p.agreeWithPeople
	if len(o.against) > 0 {
		measure = p.agreeOfJudges
	}
	result, err := measure(ctx, files, o, opt)
	if err != nil {
		return err
	}
	err = p.writeTo(&o.outputFlags, func(w io.Writer, page *ui.Page) error {
		switch o.format.value {
		case "json":
			return ui.WriteJSON(w, result, "  ")
		case "csv":
			return result.CSV(w)
		}
		result.Text(page)
		return nil
	})
	if rep, ok := result.(*agree.Report); ok && err == nil {
		return checkFloors(o.floors, rep)
	}
	return err
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
	return answerNo(strings.Join(under, "; "))
}

// agreeWithPeople joins people's ratings and the rows of the runs, and measures.
func (p *program) agreeWithPeople(ctx context.Context, files []string, o *agreeOptions,
	opt agree.Options) (agreement, error) {
	scored, err := p.rows(ctx, files, o.jobs)
	if err != nil {
		return nil, err
	}
	rated, notes, err := p.people(o.ratings, o.people, scored.rows)
	if err != nil {
		return nil, err
	}
	notes = append(notes, learnt(scored.headers)...)
	if o.format.value == "csv" { // which has no place for them
		for _, n := range notes {
			p.note(n)
		}
	}
	rep, err := stoppable(ctx, func() *agree.Report { return agree.New(ctx, rated, opt) })
	if err != nil {
		return nil, err
	}
	rep.Ratings, rep.Unscored = o.ratings, scored.unscored
	rep.Notes = slices.Insert(rep.Notes, 0, append(p.warned(), notes...)...)
	return rep, nil
}

// learnt notes from how many dialogues the profiles of runs were learnt.
func learnt(headers []*run.Header) (notes []string) {
	for _, h := range headers {
		if h == nil || h.Basis.Profile.Learned == nil {
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
	r, err := p.open(file)
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

// agreeOfJudges compares runs with the first.
func (p *program) agreeOfJudges(ctx context.Context, files []string, o *agreeOptions,
	opt agree.Options) (agreement, error) {
	var all []*compare.Run
	for _, judged := range append([][]string{files}, slices.Collect(slices.Chunk(o.against, 1))...) {
		r := compare.NewRun(named(judged))
		err := p.each(ctx, p.entries(ctx, judged, o.jobs), judged, "scored dialogue", func(e *entry) (bool, error) {
			r.Add(e.record.Row(e.line.Number), e.line.Header)
			return e.record.Scored(), nil
		})
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	judges, err := stoppable(ctx, func() *agree.Judges { return agree.NewJudges(ctx, all[0], all[1:], opt) })
	if err != nil {
		return nil, err
	}
	for i, file := range o.against {
		against := &judges.Against[i]
		if against.Judge.Alone == against.Judge.Dialogues {
			return nil, fmt.Errorf("--against %s: no dialogue of %s is in it; want runs of the same transcripts", file,
				named(files))
		}
	}
	judges.Against[0].Notes = append(p.warned(), judges.Against[0].Notes...)
	return judges, nil
}
