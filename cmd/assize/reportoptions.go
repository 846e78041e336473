package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/ratings"
)

// reportOptions are the flags of `assize report`.
type reportOptions struct {
	config, output, title, ratings, scale string
	format                                choice
	by                                    []string
	long, redact, noTranscript            bool
	top, draws, jobs                      int
	seed                                  uint64

	people   ratings.Scale // what scale says
	fixDraws bool          // somebody asked for so many
}

func (o *reportOptions) register(fs *pflag.FlagSet) {
	o.format = oneOf("html", "markdown", "csv")

	fs.SortFlags = false
	fs.Var(&o.format, "format", "write the report as `FORMAT`: "+o.format.any())
	fs.StringVarP(&o.output, "output", "o", "", "write to `FILE`; its ending chooses the format")
	fs.StringVar(&o.title, "title", "", "head the report with `TEXT` (default: the name of the run)")
	fs.IntVar(&o.top, "top", -1, "show the `N` worst dialogues with transcripts, or in markdown with reasons")
	fs.StringArrayVar(&o.by, "by", nil, "compare groups by the column `NAME` of the source, such as agent, or by file; repeatable (default: columns that look as if they told groups apart)")
	fs.BoolVar(&o.noTranscript, "no-transcript", false, "html: show no transcripts, only the words that are cited")
	fs.BoolVar(&o.redact, "redact", false, "mask e-mail addresses, phone, card and account numbers")
	fs.BoolVar(&o.long, "long", false, "csv: a row a criterion")
	fs.StringVar(&o.ratings, "ratings", "", "people's ratings from `FILE` (default: those in the runs)")
	fs.StringVar(&o.scale, "scale", "1-5", "people's scale by its `ENDS`, the worst first: 1-5, 0-10, 6-1")
	fs.IntVar(&o.draws, "draws", 1000, "draw `N` times for the intervals of the agreement; 0 for none")
	fs.Uint64Var(&o.seed, "seed", 1, "the `NUMBER` that the draws follow from")
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "work on `N` dialogues or groups at once")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	fs.Lookup("jobs").DefValue = "one for each processor"
	fs.Lookup("top").DefValue = "200, in markdown 10"
	fs.Lookup("draws").DefValue = "1000; 200 for more than 3,000 ratings"
}

// validate holds every rule on what goes together.
func (o *reportOptions) validate(given map[string]bool, terminal bool) (err error) {
	if err := o.format.follow(o.output, "a report", given); err != nil {
		return err
	}
	o.fixDraws = given["draws"]
	if o.people, err = ratings.ParseScale(o.scale); err != nil {
		return fmt.Errorf("--scale: %w", err)
	}
	format := o.format.value
	for _, flag := range []string{"title", "top", "by", "ratings", "scale", "draws", "seed"} {
		if given[flag] && format == "csv" {
			return fmt.Errorf("--%s cannot be used with --format csv, which has the records alone", flag)
		}
	}
	switch {
	case format == "html" && o.output == "" && terminal:
		return errors.New("a page is nothing for a terminal; want -o report.html")
	case given["long"] && o.long && format != "csv":
		return fmt.Errorf("--long cannot be used with --format %s", format)
	case given["no-transcript"] && o.noTranscript && format != "html":
		return fmt.Errorf("--no-transcript cannot be used with --format %s", format)
	case given["top"] && (o.top < 0 || o.top > 100_000):
		return fmt.Errorf("--top %d; want 0 to 100000", o.top)
	case o.ratings != "" && sameFile(o.ratings, o.output):
		return fmt.Errorf("-o %s: is both read and written; want another name", o.output)
	case o.draws != 0 && (o.draws < 100 || o.draws > 100_000):
		return fmt.Errorf("--draws %d; want 100 to 100000, or 0 for no intervals", o.draws)
	case slices.Contains(o.by, ""): // such as of a variable that nobody has set
		return errors.New(`--by "": want a column, such as agent, or file`)
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	}
	o.settleTop()
	return nil
}

// settleTop says what nobody said.
func (o *reportOptions) settleTop() {
	if o.top < 0 || o.format.value == "csv" {
		o.top = 200
		if o.format.value == "markdown" {
			o.top = 10
		}
	}
}

// kept says how many of the worst dialogues are kept in full, and how many of the others: half as many, so that a
// reader sees what is good, too.
func (o *reportOptions) kept() (worst, others int) {
	switch {
	case o.noTranscript || o.format.value == "csv":
		return 0, 0
	case o.format.value == "markdown":
		return o.top, 0
	}
	return o.top, o.top / 2
}

// heading is the title, or the names of the runs.
func (o *reportOptions) heading(files []string) string {
	if o.title != "" {
		return o.title
	}
	if len(files) > 1 {
		return fmt.Sprintf("%d runs", len(files))
	}
	if files[0] == stdinName {
		return "A run"
	}
	name := filepath.Base(files[0])
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// For up to so many ratings the intervals are drawn as often as assize agree does. Of more they are narrow anyway, and the
// time goes with the number of both.
const (
	drawnInFull = 3000
	fewerDraws  = 200
)

func (o *reportOptions) options(rated int) accord.Options {
	draws := o.draws
	if !o.fixDraws && rated > drawnInFull {
		draws = min(draws, fewerDraws)
	}
	return accord.Options{Scale: o.people, Worst: .2, Draws: draws, Seed: o.seed, Jobs: o.jobs}
}
