package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// reviewFlags are the flags of `assize review` and `assize serve`.
type reviewFlags struct {
	command string          // "review", which may open a browser, or "serve"
	store   string          `flag:"store"`
	blind   bool            `flag:"blind"`
	double  summary.Portion `flag:"double"`
	link    string          `flag:"link"`
	redact  bool            `flag:"redact"`
	as      string          `flag:"as"`
	_       string          `flag:"config"`
	jobsFlag
	servingFlags
	judgingFlags
	modelFlags
	open bool `flag:"open"`
}

func (o *reviewFlags) validate(given map[string]bool, args []string) error {
	switch {
	case o.link != "" && (!strings.Contains(o.link, "{id}") ||
		!strings.HasPrefix(o.link, "https://") && !strings.HasPrefix(o.link, "http://")):
		return texts.Error("link", o.link)
	case len(args) == 0:
		return errors.New("no transcripts and no run; want files or folders")
	}
	return cmp.Or(o.servingFlags.validate(), o.modelFlags.validate(given, nil), oneStdin(args...))
}

// run scores transcripts if necessary, indexes the run, and serves the pages until it is stopped.
func (o *reviewFlags) run(ctx context.Context, p *program, args []string) error {
	o.settle(o.modelFlags.used())
	p.redact(o.redact)
	remote, err := o.servingFlags.remote()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", o.listen) // first, since the rest may take long
	if err != nil {
		return console.Hint(fmt.Errorf("--listen: %w", err), texts.Text("free port"))
	}
	defer l.Close()
	c, err := p.corpus(ctx, o.command, args, &o.judgingFlags, o.jobs, o.store)
	if err != nil || len(c.Files) == 0 {
		return err
	}
	if i := slices.IndexFunc(c.Files, corpus.IsStream); i >= 0 {
		return fmt.Errorf("%s: can be read only once; want a file", c.Files[i])
	}
	if c.Rules != nil {
		if c, err = o.scored(ctx, p, c, args[0]); err != nil || ctx.Err() != nil {
			return err
		}
	}
	for _, file := range c.Files {
		run.Tidy(file)
	}
	store := cmp.Or(o.store, review.Path(c.Files[0]))
	s, err := review.Open(store)
	if err != nil {
		return err
	}
	defer s.Close()
	s.Redact, s.Log = o.redact, p.Note
	agents := heuristics.New()
	scoring, err := o.scoringOf(ctx, p, c, agents)
	if err != nil {
		return err
	}
	changed, err := s.Changed(ctx, c.Files)
	if err == nil && len(changed) > 0 {
		err = s.Fill(ctx, c)
	}
	if err != nil {
		return s.Named(err)
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(store, filepath.Ext(store)), ".review")
	ratings := stem + ".ratings.csv"
	if _, err := s.CheckRatings(ctx, ratings); err != nil {
		return s.Named(err)
	}
	me := "reviewer" // or the name of the user, as far as it consists of plain characters
	if u, err := user.Current(); err == nil && u.Username != "" && u.Username != "root" {
		me = u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
	}
	w := web.Options{Store: s, Runs: c.Files, Title: p.shown(titleOf(c.Files)), Ratings: ratings,
		Reviewer: cmp.Or(o.as, me), Twice: o.double.Fraction(),
		Blind: o.blind, Redact: o.redact, Link: o.link, Titles: agents.Titles(),
		Learner: review.NewLearner(s, agents, ratings, stem+".profile.json"),
		Hosts:   ui.Each(o.hosts, strings.ToLower), Remote: remote, Scoring: scoring, Log: p.Note}
	if host, err := os.Hostname(); err == nil && o.allowRemote {
		w.Hosts = append(w.Hosts, strings.ToLower(host))
	}
	address := o.address(l)
	where, _ := filepath.Abs(stem)
	p.Notes(s.Elsewhere(ctx))
	p.Advise(texts.Text("where", filepath.Base(store), filepath.Base(ratings), filepath.Dir(where)))
	if _, err := fmt.Fprintln(p.Out, address); err != nil {
		return err // nobody could find the page
	}
	if o.open {
		if err := browse(address); err != nil {
			p.Note("no browser can be opened: " + err.Error())
		}
	}
	return web.New(w).Run(ctx, l)
}

// scored judges transcripts into a run next to them, or resumes that run, and opens it.
func (o *reviewFlags) scored(ctx context.Context, p *program, c *corpus.Corpus, path string,
) (*corpus.Corpus, error) {
	given := path
	path = filepath.Clean(path)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		path = source.Stem(path)
	} else if strings.Trim(filepath.Base(path), `./\`) == "" { // in the folder, with its name
		absolute, _ := filepath.Abs(path)
		path = filepath.Join(path, cmp.Or(strings.Trim(filepath.Base(absolute), `./\`), "dialogues"))
	}
	path += ".run.jsonl"
	c.Rules.Redact = o.redact
	reading, err := o.readingFlags.options(importer.Uses())
	store := cmp.Or(o.store, review.Path(path))
	deleted, err2 := review.Deleted(store)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	if err := o.modelFlags.open(ctx, c.Rules); err != nil {
		return nil, err
	}
	useWeights(p.Console, c.Rules)
	header := c.Rules.Header(reading)
	s := batch.Scoring{Console: p.Console,
		Batch: batch.Batch{Judge: c.Rules, Jobs: o.jobs, Header: &header, Deleted: deleted},
		Total: corpus.Counter(ctx, c.Files, reading, source.IDs{}), HowToRestart: "remove " + path +
			" to judge them again; ratings are kept in " + store}
	if err := s.Resume(path); err != nil {
		return nil, err
	}
	err = s.Write(ctx, p.asBefore(corpus.Samples(p.Console, c.Files, reading), path, given))
	if err != nil || ctx.Err() != nil {
		return c, err
	}
	if s.Totals.Records == 0 { // an empty run would refuse the flags that make the files readable
		return nil, errors.Join(texts.Error("none to review"), os.Remove(path))
	}
	p.Advise(fmt.Sprintf("%s: %s", path, ui.Counted(s.Totals.Records, "dialogue")))
	return corpus.Open(ctx, p.Console,
		corpus.Options{Command: o.command, Paths: []string{path}, Jobs: o.jobs})
}

// asBefore replaces the file names of items by those in the run, which may have been made with
// another path to the same files, for example from another folder. Then the dialogues are
// recognised as the same. The path given now is the only file, or a folder in the run's file names.
func (p *program) asBefore(items iter.Seq[source.Item], runFile, given string,
) iter.Seq[source.Item] {
	was := ""
	of := corpus.Corpus{Console: p.Console, Files: []string{runFile}}
	for e := range of.Lines() {
		if r, err := e.Line.Decode(); e.Err == nil && err == nil {
			was = r.Source.File
		}
		break
	}
	base := filepath.Base(given)
	folder := strings.TrimSuffix(filepath.Clean(given), base) // the folder as it is named now
	at := strings.LastIndex("/"+was+"/", "/"+base+"/")
	if at < 0 {
		return items // the run has no such name
	}
	return source.Renamed(items, func(file string) string {
		if rest, ok := strings.CutPrefix(filepath.Clean(file), folder); ok {
			return was[:at] + rest
		}
		return file
	})
}

// browse opens an address in the user's browser.
func browse(address string) error {
	cmd := exec.Command("xdg-open", address)
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", address)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	}
	cmd.Stderr = os.Stderr
	return cmd.Start()
}

// servingFlags say who may use the server, from where, and within which limits.
type servingFlags struct {
	listen      string        `flag:"listen"`
	allowRemote bool          `flag:"allow-remote"`
	tokens      string        `flag:"tokens"`
	tlsCert     string        `flag:"tls-cert"`
	tlsKey      string        `flag:"tls-key"`
	insecure    bool          `flag:"insecure"`
	hosts       []string      `flag:"host"`
	maxBody     int           `flag:"max-body"`
	maxTime     time.Duration `flag:"max-time"`
}

// validate returns an error if the flags would admit strangers.
func (o *servingFlags) validate() error {
	address, err := netip.ParseAddrPort(strings.Replace(o.listen, "localhost:", "127.0.0.1:", 1))
	remote := err == nil && !address.Addr().IsLoopback()
	switch {
	case err != nil:
		return fmt.Errorf("--listen %s; want an address such as 127.0.0.1:8321", o.listen)
	case remote && !o.allowRemote:
		return texts.Error("remote address", o.listen)
	case remote && o.tokens == "":
		return texts.Error("tokens")
	case remote && o.tlsCert == "" && !o.insecure:
		return texts.Error("certificate")
	}
	return nil
}

// remote reads the tokens and the certificate.
func (o *servingFlags) remote() (r web.Remote, err error) {
	if o.tokens != "" {
		if r.Tokens, err = web.ReadTokens(o.tokens); err != nil {
			return r, fmt.Errorf("--tokens: %w", err)
		}
	}
	if o.tlsCert != "" {
		pair, err := tls.LoadX509KeyPair(o.tlsCert, o.tlsKey)
		if err != nil {
			return r, fmt.Errorf("tls-cert %s: %w", o.tlsCert, err)
		}
		r.Certificate = &pair
	}
	return r, nil
}

// address returns the URL to open in a browser.
func (o *servingFlags) address(l net.Listener) string {
	scheme, at := "http", l.Addr().String()
	if o.tlsCert != "" {
		scheme = "https"
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		host, _ := os.Hostname()
		at = net.JoinHostPort(cmp.Or(append(o.hosts, host)...), fmt.Sprint(tcp.Port))
	}
	return scheme + "://" + at + "/"
}

// scoringOf returns how to read and judge new dialogues: in the same way as those of the run. It
// returns nil if a model judged the run that is not named by --model.
func (o *reviewFlags) scoringOf(ctx context.Context, p *program, c *corpus.Corpus,
	agents *heuristics.Agents) (*web.Scoring, error) {
	var first corpus.Entry
	for first = range c.Lines() {
		break
	}
	h := first.Line.Header
	switch {
	case first.Err != nil:
		return nil, first.Err
	case h == nil || h.Model != nil && !o.used():
		return nil, nil
	case h.Model == nil && p.given["model"]:
		return nil, texts.Error("rules judged", c.Files[0])
	}
	conf := h.Configuration
	usual := importer.Options{Format: dialogue.Format(conf.InputFormat), Columns: conf.Columns,
		Dates: conf.Dates, Sheet: conf.Sheet, MaxDialogue: conf.MaxDialogue,
		SystemNames: conf.SystemNames, Roles: map[string]dialogue.Role{}}
	for name, role := range conf.Roles {
		r, err := dialogue.ParseRole(role)
		if err != nil {
			return nil, err
		}
		usual.Roles[name] = r
	}
	j := judge.New(agents,
		judge.Options{Rubric: h.Basis.Rubric, Profile: h.Basis.Profile, Kind: conf.Kind,
			Redact: o.redact || conf.Redacted, Dates: conf.Dates})
	jobs := runtime.GOMAXPROCS(0)
	if h.Model != nil {
		if err := o.modelFlags.open(ctx, j); err != nil {
			return nil, err
		}
		is := j.Model.Identity()
		if is.Name, is.Server = h.Model.Name, h.Model.Server; !reflect.DeepEqual(is, *h.Model) ||
			!reflect.DeepEqual(j.Calibration, h.Basis.Calibration) {
			return nil, texts.Error("other model", o.model, c.Files[0], h.Model.Name,
				h.Model.Digest)
		}
		j.Evaluator, j.Critic, j.Fallback, j.Profile = conf.Evaluator, conf.Critic,
			conf.Fallback == judge.ByRules, h.Basis.Profile
		jobs = o.jobs
	}
	return &web.Scoring{Judge: j,
		Reading: func(q url.Values) (importer.Options, error) { return readingOf(q, usual) },
		Jobs:    jobs, Body: int64(o.maxBody) << 20, Time: o.maxTime}, nil
}

// readingOf parses how to read transcripts from a query whose parameters are named like the flags
// of assize score. Missing parameters have the values in usual.
func readingOf(q url.Values, usual importer.Options) (importer.Options, error) {
	if len(q) == 0 {
		return usual, nil
	}
	var o readingFlags
	fs := flags.NewSet(pflag.NewFlagSet("query", pflag.ContinueOnError))
	fs.AddAll(&o)
	for name, values := range q {
		for _, value := range values {
			if err := fs.Apply(name, value); err != nil {
				return usual, fmt.Errorf("%w; GET /v1/openapi.json lists the parameters", err)
			}
		}
	}
	return o.options(importer.Uses())
}
