package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/batch"
	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/corpus"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/review"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/triage"
	"assize/cmd/assize/internal/ui"
	"assize/cmd/assize/internal/web"
	"assize/heuristics"
)

// reviewFlags are the flags of `assize review` and `assize serve`.
type reviewFlags struct {
	store, link, as     string
	open, blind, redact bool
	double              summary.Portion
	config              string
	servingFlags
	jobsFlag
	judgingFlags
	modelFlags
	wantsModel bool // --model is on the command line
}

func (p *program) reviewCommand() *cobra.Command { return p.servingCommand("review") }
func (p *program) serveCommand() *cobra.Command  { return p.servingCommand("serve") }

// servingCommand makes one of the two commands, which differ in whether they may open a browser.
func (p *program) servingCommand(name string) *cobra.Command {
	var o reviewFlags
	cmd := helpOf(name)
	o.register(cmd.Flags())
	if name == "review" {
		cmd.Flags().BoolVar(&o.open, "open", false, "open the page in the browser")
	}
	return flags.Define(cmd, &o.config, o.validate, func(ctx context.Context, args []string) error {
		if o.used() && !cmd.Flags().Changed("jobs") {
			o.jobs = 1
		}
		return p.review(ctx, name, args, &o)
	})
}

func (o *reviewFlags) register(fs *pflag.FlagSet) {
	fs.SortFlags = false
	fs.StringVar(&o.store, "store", "", "keep the reviews in `FILE` (default: beside the run, as run.review.sqlite)")
	fs.BoolVar(&o.blind, "blind", false, "hide the scores of a dialogue until one has rated it")
	fs.Var(&o.double, "double", "let two people rate this `SHARE` of the dialogues, such as 20%")
	fs.StringVar(&o.link, "link", "", "link each dialogue to its ticket at `URL`, where {id} is the dialogue's id")
	fs.BoolVar(&o.redact, "redact", false, "mask e-mail addresses, phone, card and account numbers on pages, and in the run that transcripts become")
	fs.StringVar(&o.as, "as", "", "review under this `NAME` where none is given on the page (default: yours on this machine)")
	fs.StringVar(&o.config, "config", "", "read settings from `FILE` (default "+flags.UsualPlace(flags.ConfigFile)+")")
	o.jobsFlag.register(fs, "judge or read")
	o.servingFlags.register(fs)
	o.judgingFlags.register(fs)
	o.modelFlags.register(fs)
	fs.Lookup("jobs").DefValue = "one for each processor; with --model one"
}

func (o *reviewFlags) validate(given map[string]bool, args []string) error {
	o.judgingFlags.validate(given)
	o.wantsModel = given["model"]
	switch {
	case o.double.Count > 0:
		return fmt.Errorf("--double %s; want a percentage, such as 20%%", o.double)
	case o.link != "" && (!strings.Contains(o.link, "{id}") || !strings.HasPrefix(o.link, "https://") &&
		!strings.HasPrefix(o.link, "http://")):
		return fmt.Errorf("--link %s; want an address with {id}, such as https://desk.example/tickets/{id}", o.link)
	case len(args) == 0:
		return errors.New("no transcripts and no run; want files or folders")
	}
	return cmp.Or(o.servingFlags.validate(len(args)), o.jobsFlag.validate(), o.modelFlags.validate(given), oneStdin(args, o.store))
}

// review scores what is not scored, indexes it, and serves the pages until the program is stopped.
func (p *program) review(ctx context.Context, command string, args []string, o *reviewFlags) error {
	p.Redact = o.redact
	remote, err := o.servingFlags.remote()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", o.listen) // before what takes long
	if err != nil {
		return console.Hint(fmt.Errorf("--listen: %w", err), "--listen 127.0.0.1:0 takes a free port")
	}
	defer l.Close()
	c, err := p.corpus(ctx, command, args, &o.judgingFlags, o.jobs, "")
	if err == nil && c.Rules != nil && o.watch != "" {
		return console.Hint(fmt.Errorf("--watch: %s is not a run; want one, to add to", args[0]), "assize score "+args[0]+" -o run.jsonl writes one")
	}
	if err == nil && c.Rules != nil && len(c.Files) > 0 {
		c, err = p.scored(ctx, command, c, args[0], o)
	}
	if err != nil || len(c.Files) == 0 || ctx.Err() != nil {
		return err
	}
	for _, file := range c.Files {
		if corpus.ReadOnce(file) {
			return fmt.Errorf("%s: can be read only once; want a file", file)
		}
	}
	store := cmp.Or(o.store, review.Path(c.Files[0]))
	s, err := review.Open(store)
	if err != nil {
		return err
	}
	defer s.Close()
	agents := heuristics.New()
	scoring, err := o.scoringOf(ctx, c, agents)
	if err != nil {
		return err
	}
	var watch *web.Watch
	if o.watch != "" {
		if watch, err = o.watchOf(c, scoring); err != nil {
			return err
		}
	}
	mute := triage.Muted(agents.Detectors())
	stale, err := s.Stale(c.Files)
	if err == nil && stale {
		err = s.Fill(ctx, c, mute)
	}
	if err != nil {
		return err
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(store, filepath.Ext(store)), ".review")
	ratings := stem + ".ratings.csv"
	log := make(chan string, 100) // of what happens on other goroutines; a console is for one
	server := web.New(web.Options{Store: s, Runs: c.Files, Title: titleOf(c.Files), Ratings: ratings, Reviewer: cmp.Or(o.as, userName()),
		Blind: o.blind, Twice: float64(o.double.Share) / (100 * 100), Redact: o.redact, Link: o.link, Titles: judge.Titles(agents), Mute: mute,
		Hosts: o.hostNames(), Remote: remote, Scoring: scoring, Watch: watch,
		Learner: review.NewLearner(s, agents, ratings, stem+".profile.json"),
		Log: func(line string) {
			select {
			case log <- line:
			default: // nobody reads so many
			}
		}})
	address := o.address(l)
	p.Note(fmt.Sprintf("reviews are kept in %s, ratings in %s", store, ratings))
	fmt.Fprintln(p.Out, address)
	if o.open {
		if err := browse(address); err != nil {
			p.Note("no browser can be opened: " + err.Error())
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, l) }()
	for {
		select {
		case line := <-log:
			p.Note(line)
		case err := <-ended:
			return err
		}
	}
}

// scored has transcripts judged into a run beside them, or goes on with it, and opens that.
func (p *program) scored(ctx context.Context, command string, c *corpus.Corpus, path string, o *reviewFlags,
) (*corpus.Corpus, error) {
	if path == source.Stdin || corpus.ReadOnce(path) {
		return nil, fmt.Errorf("%s: can be read only once; want a file", path)
	}
	given := path
	path = strings.TrimSuffix(strings.TrimSuffix(filepath.Clean(path), ".gz"), source.Extension(path)) + ".run.jsonl"
	reading, err := o.readingFlags.options()
	if err != nil {
		return nil, err
	}
	deleted, err := review.Deleted(cmp.Or(o.store, review.Path(path)))
	if err != nil {
		return nil, err
	}
	c.Rules.Redact = o.redact
	if err := o.modelFlags.open(ctx, c.Rules); err != nil {
		return nil, err
	}
	useWeights(p.Console, c.Rules)
	header := c.Rules.Header(reading)
	s := batch.Scoring{Console: p.Console,
		Batch: batch.Batch{Judge: c.Rules, Jobs: o.jobs, Header: &header, Deleted: deleted},
		Total: corpus.Counter(ctx, c.Files, reading, source.IDs{}), HowToRestart: "remove " + path + " to judge them again"}
	if err := s.Resume(path); err != nil {
		return nil, err
	}
	err = s.Write(ctx, asBefore(corpus.Samples(p.Console, c.Files, reading), path, given))
	if err != nil || ctx.Err() != nil {
		return c, err
	}
	p.Note(fmt.Sprintf("%s: %s", path, ui.Counted(s.Totals.Records, "dialogue")))
	return p.corpus(ctx, command, []string{path}, &judgingFlags{}, o.jobs, "")
}

// asBefore gives the files the names that they have in the run at a path, which was made by another path to them, such as
// from another folder: their dialogues are the same. The one that was given now is any of their folders, or the only file.
func asBefore(items iter.Seq[source.Item], runFile, given string) iter.Seq[source.Item] {
	was := ""
	source.Each(nil, []string{runFile}, run.Read, func(_ string, line run.Line, err error) bool {
		if err == nil {
			if r, err := line.Decode(); err == nil {
				was = r.Source.File
			}
		}
		return false
	})
	base := filepath.Base(given)
	folder := strings.TrimSuffix(filepath.Clean(given), base) // as it is named now
	at := strings.LastIndex("/"+was+"/", "/"+base+"/")
	if at < 0 {
		return items // none is there, or by another name
	}
	return func(yield func(source.Item) bool) {
		for it := range items {
			if rest, ok := strings.CutPrefix(filepath.Clean(it.File), folder); ok && it.Err == nil {
				it.Sample.Source.File = was[:at] + rest
			}
			if !yield(it) {
				return
			}
		}
	}
}

// userName is the name of the one who runs the program, as far as it is a plain one.
func userName() string {
	if u, err := user.Current(); err == nil && u.Username != "" && u.Username != "root" {
		return u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
	}
	return "reviewer"
}

// browse opens an address in the browser of the one who runs the program.
func browse(address string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	cmd := exec.Command(command[0], append(command[1:], address)...)
	cmd.Stderr = os.Stderr
	return cmd.Start()
}
