package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/ratings"
	"assize/rubric"
)

// agreeOptions are the flags of `assize agree`.
type agreeOptions struct {
	config, output, ratings, scale string
	format, by, color              choice
	against                        []string
	worst                          worstPart
	floors                         floors
	draws, jobs                    int
	seed                           uint64
	full                           bool

	people ratings.Scale // what scale says
}

// agreeFiles are read from folders by their endings.
var agreeFiles = content{
	"run", []string{"assize agree run.jsonl", "assize agree --help"},
	[]string{".jsonl", ".ndjson"},
}

func (o *agreeOptions) register(fs *pflag.FlagSet) {
	o.format, o.color = oneOf("text", "json", "csv"), oneOf("auto", "always", "never")
	o.by = oneOf("", "file", "folder", "format", "all")
	o.worst = 20

	fs.SortFlags = false
	fs.Var(&o.format, "format", "write the figures as `FORMAT`: "+o.format.any())
	fs.StringVarP(&o.output, "output", "o", "", "write to `FILE`; its ending chooses the format")
	fs.BoolVar(&o.full, "full", false, "every statistic, and every group in full")
	fs.StringVar(&o.ratings, "ratings", "", "people's ratings from `FILE` (default: those in the runs)")
	fs.StringVar(&o.scale, "scale", "1-5", "people's scale by its `ENDS`, the worst first: 1-5, 0-10, 6-1")
	fs.Var(&o.by, "by", "take figures within `WHAT`: file, folder, format or all (default: file)")
	fs.Var(&o.worst, "worst", "the worst are the dialogues below this `PART` by people's means")
	fs.IntVar(&o.draws, "draws", 1000, "draw `N` times for the intervals; 0 for none")
	fs.Uint64Var(&o.seed, "seed", 1, "the `NUMBER` that the draws follow from")
	fs.Var(&o.floors, "fail-below", "exit 1 if a mean Spearman is less than `MEASURE=RHO`, such as satisfaction=.35")
	fs.StringArrayVar(&o.against, "against", nil, "hold the run against another judge's, `RUN`, not against people; repeatable")
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "work on `N` dialogues or groups at once")
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	fs.Lookup("jobs").DefValue = "one for each processor"
}

// validate holds every rule on what goes together.
func (o *agreeOptions) validate(given map[string]bool, args []string) (err error) {
	if err := o.format.follow(o.output, "an agreement", given); err != nil {
		return err
	}
	if o.people, err = ratings.ParseScale(o.scale); err != nil {
		return fmt.Errorf("--scale: %w", err)
	}
	for _, flag := range []string{"ratings", "scale", "worst", "fail-below", "full"} {
		if given[flag] && len(o.against) > 0 {
			return fmt.Errorf("--%s cannot be used with --against, which holds the run against a judge and not against people", flag)
		}
	}
	inputs := slices.Concat(args, o.against, []string{o.ratings})
	switch {
	case count(inputs, stdinName) > 1:
		return errors.New("- stands twice on the command line; standard input can be read only once")
	case slices.ContainsFunc(inputs, func(file string) bool { return sameFile(file, o.output) }):
		return fmt.Errorf("-o %s: is both read and written; want another name", o.output)
	case o.full && o.format.value != "text" && given["full"]:
		return fmt.Errorf("--full cannot be used with --format %s, which has everything", o.format.value)
	case o.draws != 0 && (o.draws < 100 || o.draws > 100_000):
		return fmt.Errorf("--draws %d; want 100 to 100000, or 0 for no intervals", o.draws)
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	}
	return nil
}

func count(list []string, s string) (n int) {
	for _, v := range list {
		if v == s {
			n++
		}
	}
	return n
}

func (o *agreeOptions) options() accord.Options {
	return accord.Options{
		Scale: o.people, By: accord.By(o.by.value), Worst: float64(o.worst) / 100,
		Draws: o.draws, Seed: o.seed, Jobs: o.jobs,
	}
}

// answer answers --fail-below.
func (o *agreeOptions) answer(rep *accord.Report) error {
	var under []string
	for _, f := range o.floors {
		rated := accord.OverallRating
		if _, err := rubric.ParseCriterion(f.measure); err == nil {
			rated = f.measure
		}
		found := rep.Of(rep.Mean, accord.Key{Rated: rated, Measure: f.measure, Statistic: accord.Spearman})
		switch {
		case math.IsNaN(found.Value):
			return fmt.Errorf("--fail-below %s: there is no figure: %s", f.text, found.Why)
		case found.Value < f.least:
			under = append(under, fmt.Sprintf("the Spearman of %s is %s, under --fail-below %s", f.name, accord.Short(found.Value, 4), f.text))
		}
	}
	if under == nil {
		return nil
	}
	return answerNo(strings.Join(under, "; "))
}

// floors is a flag that takes the least correlation of a measure, and may be repeated.
type floors []floor

type floor struct {
	text, name, measure string
	least               float64
}

// Set implements [pflag.Value].
func (f *floors) Set(s string) error {
	want := errors.New("want satisfaction, average, overall or a criterion, = and a correlation, as in satisfaction=.35")
	name, value, ok := strings.Cut(s, "=")
	least, err := strconv.ParseFloat(value, 64)
	if !ok || err != nil || !(least > -1 && least <= 1) {
		return want
	}
	one := floor{text: s, name: name, least: least}
	switch name {
	case "satisfaction":
		one.measure = accord.Satisfaction
	case "average":
		one.measure = accord.Average
	case "overall":
		one.measure = accord.Overall
	default:
		c, err := rubric.ParseCriterion(name)
		if err != nil {
			return want
		}
		one.measure = c.String()
	}
	*f = append(*f, one)
	return nil
}

// String implements [pflag.Value].
func (f *floors) String() string {
	var list []string
	for _, one := range *f {
		list = append(list, one.text)
	}
	return strings.Join(list, ",")
}

// Type implements [pflag.Value].
func (f *floors) Type() string { return "floor" }

// worstPart is a flag that takes a percentage, with or without its sign.
type worstPart float64

// Set implements [pflag.Value].
func (w *worstPart) Set(s string) error {
	number := strings.TrimSpace(strings.TrimSuffix(s, "%"))
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || strings.Trim(number, "0123456789.") != "" || v < 1 || v > 50 {
		return errors.New("want a percentage from 1% to 50%, such as 20%")
	}
	*w = worstPart(v)
	return nil
}

// String implements [pflag.Value].
func (w *worstPart) String() string { return strconv.FormatFloat(float64(*w), 'f', -1, 64) + "%" }

// Type implements [pflag.Value].
func (w *worstPart) Type() string { return "part" }
