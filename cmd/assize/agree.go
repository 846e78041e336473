package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	floors map[string]float64 // the least correlations, by measure as the flag names it
}

func (p *program) agreeCommand() *cobra.Command {
	var o agreeOptions
	cmd := helpOf("agree")
	o.register(cmd.Flags())
	return define(cmd, &o.config, o.validate, func(ctx context.Context, args []string) error { return p.agree(ctx, args, &o) })
}

func (o *agreeOptions) register(fs *pflag.FlagSet) {
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
}

// validate holds every rule on what goes together.
func (o *agreeOptions) validate(given map[string]bool, args []string) (err error) {
	if err := cmp.Or(o.outputFlags.validate(given), o.drawFlags.validate(true), o.jobsFlag.validate()); err != nil {
		return err
	}
	if o.people, err = ratings.ParseScale(o.scale); err != nil {
		return fmt.Errorf("--scale: %w", err)
	}
	if o.below, err = parseWorst(o.worst); err != nil {
		return err
	}
	if o.floors, err = parseFloors(o.failBelow); err != nil {
		return err
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

// agree measures the run against people, or against other judges.
func (p *program) agree(ctx context.Context, args []string, o *agreeOptions) error {
	files, err := p.inputs(source.Runs, args, o.output, "assize agree run.jsonl", "assize agree --help")
	if err != nil || len(files) == 0 {
		return err
	}
	opt := agree.Options{
		Scale: o.people, By: agree.By(o.by.value), Worst: o.below,
		Draws: o.draws, Seed: o.seed, Jobs: o.jobs,
	}
	var result interface {
		JSON(io.Writer) error
		CSV(io.Writer) error
	}
	var text func(*ui.Page)
	var verdict error
	if len(o.against) > 0 {
		judges, err := p.agreeOfJudges(ctx, files, o, opt)
		if err != nil {
			return err
		}
		result, text = judges, judges.Text
	} else {
		rep, err := p.agreeWithPeople(ctx, files, o, opt)
		if err != nil {
			return err
		}
		result, text, verdict = rep, func(page *ui.Page) { rep.Text(page, o.full) }, checkFloors(o.floors, rep)
	}
	err = p.writeTo(&o.outputFlags, func(w io.Writer, page *ui.Page) error {
		switch o.format.value {
		case "json":
			return result.JSON(w)
		case "csv":
			return result.CSV(w)
		}
		text(page)
		return nil
	})
	return cmp.Or(err, verdict)
}

// agreeWithPeople joins people's ratings and the rows of the runs, and measures.
func (p *program) agreeWithPeople(ctx context.Context, files []string, o *agreeOptions,
	opt agree.Options) (*agree.Report, error) {
	scored, err := p.rows(ctx, files, o.jobs)
	if err != nil {
		return nil, err
	}
	rated, notes, err := p.people(o.ratings, o.people, scored.rows)
	if err != nil {
		return nil, err
	}
	var learnt lessons
	for _, h := range scored.headers {
		learnt.see(&run.Line{Header: h})
	}
	notes = append(notes, learnt.notes()...)
	if o.format.value == "csv" { // which has no place for them
		for _, n := range notes {
			p.note(n)
		}
	}
	rep, err := stoppable(ctx, func() *agree.Report { return agree.New(ctx, rated, opt) })
	if err != nil {
		return nil, err
	}
	rep.Source = agree.Source{Ratings: o.ratings, Unscored: scored.unscored, Notes: append(p.warned(), notes...)}
	return rep, nil
}

// lessons counts the dialogues that each profile of the runs was learnt from.
type lessons []int

func (l *lessons) see(line *run.Line) {
	if line.Header == nil {
		return
	}
	if learned := line.Header.Basis.Profile.Learned; learned != nil && !slices.Contains(*l, learned.Dialogues) {
		*l = append(*l, learned.Dialogues)
	}
}

func (l lessons) notes() (notes []string) {
	for _, n := range l {
		notes = append(notes, fmt.Sprintf("The profile was learnt from %d rated dialogues; where these are among "+
			"them, "+
			"the errors of satisfaction are too small.", n))
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
	opt agree.Options) (*agree.Judges, error) {
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
		if against.Matched.Dialogues == 0 {
			return nil, fmt.Errorf("--against %s: no dialogue of %s is in it; want runs of the same transcripts", file,
				named(files))
		}
		for _, before := range slices.Concat(files, o.against[:i]) {
			if sameFile(before, file) {
				against.Notes = slices.Insert(against.Notes, 0,
					fmt.Sprintf("%s and %s are the same file.", before, file))
			}
		}
	}
	judges.Against[0].Notes = append(p.warned(), judges.Against[0].Notes...)
	return judges, nil
}

// parseFloors reads measures and correlations, such as satisfaction=.35.
func parseFloors(list []string) (map[string]float64, error) {
	floors := map[string]float64{}
	for _, text := range list {
		name, value, _ := strings.Cut(text, "=")
		least, err := strconv.ParseFloat(value, 64)
		if _, known := floorKey(name); !known || err != nil || !(least > -1 && least <= 1) {
			return nil, fmt.Errorf("--fail-below %q: want satisfaction, average, overall or a criterion, = and a "+
				"correlation, "+
				"as in satisfaction=.35", text)
		}
		floors[name] = least
	}
	return floors, nil
}

// floorKey gives the correlation that --fail-below names: of a criterion, or of a measure of the whole dialogue.
func floorKey(name string) (agree.Key, bool) {
	for _, m := range agree.MeasuresOf(agree.OverallRating) {
		if agree.Label(m) == name {
			return agree.Key{Rated: agree.OverallRating, Measure: m, Statistic: agree.Spearman}, true
		}
	}
	c, err := rubric.ParseCriterion(name)
	return agree.Key{Rated: c.String(), Measure: c.String(), Statistic: agree.Spearman}, err == nil
}

// checkFloors answers --fail-below.
func checkFloors(floors map[string]float64, rep *agree.Report) error {
	var under []string
	for _, name := range slices.Sorted(maps.Keys(floors)) {
		key, _ := floorKey(name)
		least := strconv.FormatFloat(floors[name], 'f', -1, 64)
		switch found := rep.Of(rep.Mean, key); {
		case math.IsNaN(found.Value):
			return fmt.Errorf("--fail-below %s=%s: there is no figure: %s", name, least, found.Why)
		case found.Value < floors[name]:
			under = append(under, fmt.Sprintf("the Spearman of %s is %s, under --fail-below %s=%s", name,
				agree.Short(found.Value, 4), name, least))
		}
	}
	if under == nil {
		return nil
	}
	return answerNo(strings.Join(under, "; "))
}

// parseWorst reads a percentage, with or without its sign, as a part of one.
func parseWorst(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
	if err != nil || !(v >= 1 && v <= 50) {
		return 0, fmt.Errorf("--worst %q: want a percentage from 1%% to 50%%, such as 20%%", text)
	}
	return v / 100, nil
}
