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
	command string // "review", which may open a browser, or "serve"
	web     web.Options
	store   string
	open    bool
	double  summary.Portion
	servingFlags
	jobsFlag
	judgingFlags
	modelFlags
	wantsModel bool // --model is on the command line
}

func (o *reviewFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.store, "store", "", "keep the reviews in `FILE` (default: beside the run, as run.review.sqlite)")
	fs.BoolVar(&o.web.Blind, "blind", false, "hide the scores of a dialogue until one has rated it")
	fs.Var(&o.double, "double", "let two people rate this `SHARE` of the dialogues, such as 20%")
	fs.StringVar(&o.web.Link, "link", "", "link each dialogue to its ticket at `URL`, where {id} is the dialogue's id")
	fs.BoolVar(&o.web.Redact, "redact", false,
		"mask e-mail addresses, phone, card and account numbers on pages, and in the run that transcripts become")
	fs.StringVar(&o.web.Reviewer, "as", "",
		"review under this `NAME` where none is given on the page (default: yours on this machine)")
	flags.Config(fs)
	o.jobsFlag.register(fs, "judge or read")
	o.servingFlags.register(fs)
	o.judgingFlags.register(fs)
	o.modelFlags.register(fs)
	o.oneWithModel()
	if o.command == "review" {
		fs.BoolVar(&o.open, "open", false, "open the page in the browser")
	}
}

func (o *reviewFlags) validate(given map[string]bool, args []string) error {
	o.judgingFlags.validate(given)
	o.wantsModel = given["model"]
	switch {
	case o.double.Count > 0:
		return fmt.Errorf("--double %s; want a percentage, such as 20%%", o.double)
	case o.web.Link != "" && (!strings.Contains(o.web.Link, "{id}") || !strings.HasPrefix(o.web.Link, "https://") &&
		!strings.HasPrefix(o.web.Link, "http://")):
		return fmt.Errorf("--link %s; want an address with {id}, such as https://desk.example/tickets/{id}", o.web.Link)
	case len(args) == 0:
		return errors.New("no transcripts and no run; want files or folders")
	}
	return cmp.Or(o.servingFlags.validate(len(args)), o.modelFlags.validate(given), oneStdin(args, o.store))
}

// run scores what is not scored, indexes it, and serves the pages until the program is stopped.
func (o *reviewFlags) run(ctx context.Context, p *program, args []string) error {
	o.settle(o.modelFlags.used())
	p.Redact = o.web.Redact
	remote, err := o.servingFlags.remote()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", o.listen) // before what takes long
	if err != nil {
		return console.Hint(fmt.Errorf("--listen: %w", err), "--listen 127.0.0.1:0 takes a free port")
	}
	defer l.Close()
	c, err := p.corpus(ctx, o.command, args, &o.judgingFlags, o.jobs, "")
	if err == nil && c.Rules != nil && o.watch != "" {
		return console.Hint(fmt.Errorf("--watch: %s is not a run; want one, to add to", args[0]), "assize score "+args[0]+" -o run.jsonl writes one")
	}
	if err == nil && c.Rules != nil && len(c.Files) > 0 {
		c, err = o.scored(ctx, p, c, args[0])
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
	changed, err := s.Changed(ctx, c.Files)
	if err == nil && len(changed) > 0 {
		err = s.Fill(ctx, c, mute)
	}
	if err != nil {
		return err
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(store, filepath.Ext(store)), ".review")
	ratings := stem + ".ratings.csv"
	w := o.web
	w.Store, w.Runs, w.Title, w.Ratings = s, c.Files, titleOf(c.Files), ratings
	w.Reviewer, w.Twice = cmp.Or(w.Reviewer, userName()), float64(o.double.Share)/(100*100)
	w.Titles, w.Mute, w.Hosts = judge.Titles(agents), mute, o.hostNames()
	w.Remote, w.Scoring, w.Watch = remote, scoring, watch
	w.Learner = review.NewLearner(s, agents, ratings, stem+".profile.json")
	w.Log = p.Note
	address := o.address(l)
	p.Note(fmt.Sprintf("reviews are kept in %s, ratings in %s", store, ratings))
	fmt.Fprintln(p.Out, address)
	if o.open {
		if err := browse(address); err != nil {
			p.Note("no browser can be opened: " + err.Error())
		}
	}
	return web.New(w).Run(ctx, l)
}

// scored has transcripts judged into a run beside them, or goes on with it, and opens that.
func (o *reviewFlags) scored(ctx context.Context, p *program, c *corpus.Corpus, path string) (*corpus.Corpus, error) {
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
	c.Rules.Redact = o.web.Redact
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
	return p.corpus(ctx, o.command, []string{path}, &judgingFlags{}, o.jobs, "")
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
