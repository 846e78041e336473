package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/corpus"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/web"
	"assize/heuristics"
	"assize/rubric/dialogue"
)

// servingFlags say who may ask a server, from where, and for how much.
type servingFlags struct {
	listen, tokens, tlsCert, tlsKey string
	watch                           string
	allowRemote, insecure           bool
	hosts                           []string
	mostBody                        int
	mostTime                        time.Duration
}

func (o *servingFlags) register(fs *pflag.FlagSet) {
	flags.Group(fs, "Serving", func() {
		fs.StringVar(&o.listen, "listen", "127.0.0.1:8321", "serve at `ADDRESS` of this machine; port 0 takes a free one")
		fs.BoolVar(&o.allowRemote, "allow-remote", false, "let --listen be an address that other machines reach; needs --tokens, "+
			"and --tls-cert or --insecure")
		fs.StringVar(&o.tokens, "tokens", "", "let in only reviewers with a token: `FILE` has a line \"name token\" for each")
		fs.StringVar(&o.tlsCert, "tls-cert", "", "serve with TLS, by the certificate in `FILE` (PEM)")
		fs.StringVar(&o.tlsKey, "tls-key", "", "`FILE` with the key of the certificate (PEM)")
		fs.BoolVar(&o.insecure, "insecure", false, "let other machines in without TLS: all can be read on the way, tokens too")
		fs.StringSliceVar(&o.hosts, "host", nil, "answer to this `NAME` as well, such as that of a proxy; repeatable")
		fs.StringVar(&o.watch, "watch", "", "score what is put into the folder `DIR`, and add it to the run and the queue")
		fs.IntVar(&o.mostBody, "max-body", 32, "refuse a request to score of more than `MIB`")
		fs.DurationVar(&o.mostTime, "max-time", 2*time.Minute, "refuse a request to score that takes more than this `TIME`")
		flags.Bound(fs, "max-body", "MiB from 1 to 1024", func() bool { return o.mostBody >= 1 && o.mostBody <= 1024 })
		flags.Bound(fs, "max-time", "a time from 1s to 1h",
			func() bool { return o.mostTime >= time.Second && o.mostTime <= time.Hour })
	})
}

// validate refuses what would let strangers in.
func (o *servingFlags) validate(paths int) error {
	address, err := netip.ParseAddrPort(strings.Replace(o.listen, "localhost:", "127.0.0.1:", 1))
	remote := err == nil && !address.Addr().IsLoopback()
	switch {
	case err != nil:
		return fmt.Errorf("--listen %s; want an address such as 127.0.0.1:8321", o.listen)
	case remote && !o.allowRemote:
		return fmt.Errorf("--listen %s: other machines reach this address; want one such as 127.0.0.1:8321, or --allow-remote with "+
			"--tokens and --tls-cert", o.listen)
	case remote && o.tokens == "":
		return errors.New("--allow-remote needs --tokens FILE, with a line \"name token\" for each reviewer")
	case remote && o.tlsCert == "" && !o.insecure:
		return errors.New("--allow-remote needs --tls-cert and --tls-key, or --insecure, with which all can be read on the way")
	case (o.tlsCert == "") != (o.tlsKey == ""):
		return errors.New("--tls-cert and --tls-key can be used only together")
	case o.tlsCert != "" && o.insecure:
		return errors.New("--insecure cannot be used with --tls-cert")
	case len(o.hosts) > 0 && o.tokens == "":
		return errors.New("--host needs --tokens FILE: under another name than this machine's, other people may come")
	case o.watch != "" && paths != 1:
		return errors.New("--watch adds to one run; want its name alone, such as assize score -o run.jsonl writes it")
	}
	return nil
}

// remote reads tokens and certificate.
func (o *servingFlags) remote() (r web.Remote, err error) {
	if o.tokens != "" {
		if r.Tokens, err = web.ReadTokens(o.tokens); err != nil {
			return r, fmt.Errorf("--tokens: %w", err)
		}
	}
	if o.tlsCert != "" {
		pair, err := tls.LoadX509KeyPair(o.tlsCert, o.tlsKey)
		if err != nil {
			return r, fmt.Errorf("--tls-cert %s: %w", o.tlsCert, err)
		}
		r.Certificate = &pair
	}
	return r, nil
}

// hostNames gives the names, besides loopback, under which the server is asked for.
func (o *servingFlags) hostNames() (list []string) {
	for _, name := range o.hosts {
		list = append(list, strings.ToLower(name))
	}
	if host, err := os.Hostname(); err == nil && o.allowRemote {
		list = append(list, strings.ToLower(host))
	}
	return list
}

// address gives what a browser asks for.
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

// scoringOf gives how new dialogues are read and judged beside those of a run: in the same way. It is nil where a model
// judged these that --model does not name.
func (o *reviewFlags) scoringOf(ctx context.Context, c *corpus.Corpus, agents *heuristics.Agents) (*web.Scoring, error) {
	var h *run.Header
	for e := range c.Lines() {
		if e.Err != nil {
			return nil, e.Err
		}
		h = e.Line.Header
		break
	}
	switch {
	case h == nil || h.Model != nil && !o.used():
		return nil, nil
	case h.Model == nil && o.wantsModel:
		return nil, fmt.Errorf("--model: the rules judged %s; want a run of the model, or no --model", c.Files[0])
	}
	conf := h.Configuration
	usual := dialogue.Options{Format: dialogue.Format(conf.InputFormat), Columns: conf.Columns, Dates: conf.Dates, Sheet: conf.Sheet,
		MaxDialogue: cmp.Or(conf.MaxDialogue, dialogue.DefaultMaxDialogue), SystemNames: conf.SystemNames}
	for name, role := range conf.Roles {
		if usual.Roles == nil {
			usual.Roles = map[string]dialogue.Role{}
		}
		r, err := dialogue.ParseRole(role)
		if err != nil {
			return nil, err
		}
		usual.Roles[name] = r
	}
	j := judge.New(agents, judge.Options{Rubric: h.Basis.Rubric, Profile: h.Basis.Profile, Kind: conf.Kind,
		Redact: o.web.Redact || conf.Redacted})
	jobs := runtime.GOMAXPROCS(0)
	if h.Model != nil {
		if err := o.modelFlags.open(ctx, j); err != nil {
			return nil, err
		}
		is := j.Model.Identity()
		if is.Name, is.Server = h.Model.Name, h.Model.Server; is != *h.Model {
			return nil, fmt.Errorf("--model %s: is not what judged %s, %s, sha256:%.12s…, or has other prompts or options; want the same",
				o.model, c.Files[0], h.Model.Name, h.Model.Digest)
		}
		j.Evaluator, j.Critic, j.Fallback, j.Profile = conf.Evaluator, conf.Critic, conf.Fallback == judge.ByRules, h.Basis.Profile
		jobs = o.jobs
	}
	return &web.Scoring{Judge: j, Reading: func(q url.Values) (dialogue.Options, error) { return readingOf(q, usual) },
		Jobs: jobs, Body: int64(o.mostBody) << 20, Time: o.mostTime}, nil
}

// readingOf reads what a query says of the reading of transcripts, by the names of the flags of assize score. One that
// says nothing wants the usual.
func readingOf(q url.Values, usual dialogue.Options) (dialogue.Options, error) {
	if len(q) == 0 {
		return usual, nil
	}
	var o readingFlags
	fs := pflag.NewFlagSet("query", pflag.ContinueOnError)
	o.register(fs)
	for name, values := range q {
		for _, value := range values {
			if err := fs.Set(name, value); err != nil {
				return usual, fmt.Errorf("%w; want the flags of assize score --help under Reading transcripts", err)
			}
		}
	}
	return o.options()
}

// watchOf says what is watched, for the run of a corpus.
func (o *servingFlags) watchOf(c *corpus.Corpus, scoring *web.Scoring) (*web.Watch, error) {
	info, err := os.Stat(o.watch)
	inside, e := filepath.Rel(o.watch, c.Files[0])
	switch {
	case err != nil || !info.IsDir():
		return nil, fmt.Errorf("--watch %s: no such folder", o.watch)
	case e == nil && filepath.IsLocal(inside):
		return nil, fmt.Errorf("--watch %s: the run lies in this folder; want another one", o.watch)
	case scoring == nil:
		return nil, fmt.Errorf("--watch: a model judged %s; want --model, which has it judge here too", c.Files[0])
	}
	reading, err := scoring.Reading(nil)
	return &web.Watch{Folder: o.watch, Reading: reading, Every: 2 * time.Second}, err
}
