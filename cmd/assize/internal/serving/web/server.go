// Package web serves the pages on which a team reads and rates dialogues.
//
// All pages are rendered on the server with html/template and work without scripts, which add keys
// and charts. What they share with reports is in package report. No page requests anything from
// another host. The text of dialogues is untrusted: it passes through [ui.Visible] and is only
// text.
package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/showing/report"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
)

// Options configures a [Server].
type Options struct {
	Store    *review.Store
	Runs     []string          // reread when other programs change them
	Title    string            // the name of the run, shown as the title
	Ratings  string            // the file to keep up to date with the ratings, or ""
	Reviewer string            // the name of a reviewer who does not give one
	Blind    bool              // hide the scores of a dialogue until the reviewer has rated it
	Twice    float64           // the share of dialogues that two people rate
	Redact   bool              // redact the text of dialogues
	Link     string            // the address of a ticket, with {id}, or ""
	Titles   map[string]string // of detectors, by ID
	Learner  *review.Learner   // learns from the ratings; may be nil
	// names that the server answers to, in addition to those of this machine
	Hosts   []string
	Remote           // who may connect from other machines
	Scoring *Scoring // of the HTTP API; nil turns scoring off
	// Log reports errors. It may be called by several goroutines at once.
	Log func(string)
}

// Server is the HTTP handler for all pages.
type Server struct {
	Options
	http.Handler
	pages    map[string]*template.Template
	reviewed atomic.Bool         // since the file of ratings was last written
	underWay *semaphore.Weighted // limits scoring requests in progress
	judging  *semaphore.Weighted // limits those being judged
	signIns  throttle
	bearers  throttle // of the tokens of requests
	// strings: the problem with changed runs, or the reading in progress, or ""; and what keeps the
	// file of ratings from being written, or ""
	changing, unwritten atomic.Value
}

//go:embed templates
var files embed.FS

// New returns a server with the given options.
func New(o Options) *Server {
	s := &Server{Options: o, pages: map[string]*template.Template{}}
	inWords := template.FuncMap{"title": s.title, "shown": s.shown}
	layout := template.Must(report.Parts().Funcs(inWords).ParseFS(files, "templates/layout.tmpl"))
	names, _ := fs.Glob(files, "templates/*.tmpl") // the pattern is valid
	for _, name := range names {
		s.pages[name] = template.Must(template.Must(layout.Clone()).ParseFS(files, name))
	}
	if o.Scoring != nil {
		s.underWay = semaphore.NewWeighted(maxScoring)
		s.judging = semaphore.NewWeighted(int64(o.Scoring.Jobs))
	}
	s.Handler = s.guard(s.signedIn(s.routes()))
	return s
}

// title returns the title of a detector, or the ID if no detector has it.
func (s *Server) title(id string) string { return cmp.Or(ui.PlainRoles(s.Titles[id]), id) }

// handler answers a request or returns an error to report.
type handler = func(http.ResponseWriter, *http.Request) error

func (s *Server) routes() http.Handler {
	routes := map[string]handler{
		"GET /{$}":         s.filtered(s.queue),
		"GET /d/{name...}": s.filtered(s.dialogue),
		"POST /rate":       s.filtered(s.rate),
		"POST /undo":       s.undo,
		"POST /as":         s.as,
		"GET /sign-in": func(w http.ResponseWriter, r *http.Request) error {
			return s.show(w, r, http.StatusOK, "signin", "Sign in",
				map[string]string{"Here": r.URL.Query().Get("here")})
		},
		"POST /sign-in": s.signIn,
		"POST /sign-out": func(w http.ResponseWriter, r *http.Request) error {
			return s.renew(w, r, "", "/")
		},
		"POST /delete":     s.delete,
		"GET /ratings.csv": s.ratings,
		"GET /list.csv":    s.filtered(s.list),
		"GET /list.xlsx":   s.filtered(s.list),
		"GET /report.html": s.filtered(s.report),
		"GET /overview":    s.filtered(s.overview),

		"POST /v1/score":            s.score,
		"GET /v1/dialogues":         s.filtered(s.apiDialogues),
		"GET /v1/dialogues/{id...}": s.apiDialogue,
		"POST /v1/reviews":          s.apiReview,
		"GET /v1/health": func(w http.ResponseWriter, _ *http.Request) error {
			return answer(w, http.StatusOK,
				map[string]string{"status": "ok", "version": judge.Version()})
		},
		"GET /v1/openapi.json": func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Content-Type", "application/json")
			_, err := w.Write(openAPI)
			return err
		},
	}
	if s.Learner != nil {
		routes["GET /learn"], routes["POST /learn"] = s.learn, s.learnDo
	}
	mux := http.NewServeMux()
	methods := map[string][]string{} // by path
	for pattern, answer := range routes {
		method, path, _ := strings.Cut(pattern, " ")
		methods[path] = append(methods[path], method)
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			var err error
			if !strings.HasPrefix(path, apiPath) {
				err = r.ParseForm()
			}
			if err == nil {
				err = answer(w, r)
			} else if !errors.As(err, new(*http.MaxBytesError)) {
				err = wrong("of an error", err)
			}
			s.fail(w, r, err)
		})
	}
	for path, list := range methods {
		slices.Sort(list)
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", strings.Join(list, ", "))
			s.fail(w, r, refuse(http.StatusMethodNotAllowed, "method", r.Method,
				strings.Join(list, " or ")))
		})
	}
	mux.Handle("/assets/{name}", http.StripPrefix("/assets/", http.FileServerFS(report.Assets())))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, refuse(http.StatusNotFound, "no page"))
	})
	return mux
}

// Run serves until ctx ends, and then completes the requests in progress.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	const rest = 10 * time.Second // for requests in progress
	h := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		WriteTimeout: 5 * time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(logger(s.Log), "", 0)}
	serve := h.Serve
	if s.Certificate != nil {
		h.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*s.Certificate}}
		serve = func(l net.Listener) error { return h.ServeTLS(l, "", "") }
	}
	var beside sync.WaitGroup
	beside.Go(func() { s.keepUp(ctx) })
	ended := make(chan error, 1)
	go func() { ended <- serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), rest)
	defer cancel()
	err := h.Shutdown(last)
	if s.Learner != nil {
		s.Learner.Close()
	}
	beside.Wait()
	return errors.Join(err, s.Store.WriteRatings(last, s.Ratings))
}

// logger is an io.Writer that passes what is written to a log or console.
type logger func(string)

func (l logger) Write(p []byte) (int, error) {
	l(strings.TrimPrefix(strings.TrimSpace(string(p)), "assize: "))
	return len(p), nil
}

// problem is an error to report to the client, in the JSON form of RFC 9457.
type problem struct {
	Title  string   `json:"title"`
	Status int      `json:"status"`
	Detail string   `json:"detail"`           // what is wrong, and what is expected
	Errors []string `json:"errors,omitempty"` // all errors, if there are several
}

func (p *problem) Error() string { return p.Detail }

var texts = prose.Of("web")

// refuse returns a problem, whose text has this name.
func refuse(status int, name string, values ...any) *problem {
	return &problem{http.StatusText(status), status, texts.Text(name, values...), nil}
}

// wrong returns the problem for an invalid request.
func wrong(name string, values ...any) *problem {
	return refuse(http.StatusBadRequest, name, values...)
}

// fail answers with an error, unless err is nil.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if err == nil {
		return
	}
	// the client is gone or too slow; an empty answer would look like success
	if r.Context().Err() != nil {
		panic(http.ErrAbortHandler)
	}
	shown := s.publicError(r, err)
	if strings.HasPrefix(r.URL.Path, apiPath) {
		err = answer(w, shown.Status, shown)
	} else {
		err = s.show(w, r, shown.Status, "error", shown.Detail, shown.Detail)
	}
	if err != nil {
		s.Log(err.Error())
	}
}

// publicError returns the problem that a client may see for an error.
func (s *Server) publicError(r *http.Request, err error) (shown *problem) {
	switch {
	case errors.As(err, &shown):
		return shown
	case review.Full(err):
		s.Log("the disk is full: " + s.Store.Named(err).Error())
		return refuse(http.StatusInsufficientStorage, "disk full")
	case review.Busy(err):
		s.Log("another program uses the store or the run: " + s.Store.Named(err).Error())
		return refuse(http.StatusServiceUnavailable, "store busy")
	case errors.As(err, new(*http.MaxBytesError)):
		return refuse(http.StatusRequestEntityTooLarge, "too large")
	case errors.Is(err, review.ErrUnknown):
		return refuse(http.StatusNotFound, "nothing to undo")
	}
	s.Log(r.Method + " " + r.URL.Path + ": " + s.Store.Named(err).Error())
	return refuse(http.StatusInternalServerError, "failed", err)
}

// view is the data that every page shows.
type view struct {
	Title    string
	Run      string
	Reviewer string
	Query    string     // selects the queue that the reader came from, with its "?"
	Done     url.Values // what was just done to a dialogue, and its name; see [Server.leave]
	Tokens   bool       // tokens are in use
	Main     any
}

func (s *Server) show(w http.ResponseWriter, r *http.Request, status int, name, title string,
	main any) error {
	var b bytes.Buffer
	v := view{Title: title, Run: s.Title, Reviewer: s.reviewer(r), Query: query(r),
		Done: r.URL.Query(), Tokens: s.Tokens != nil, Main: main}
	if err := s.pages["templates/"+name+".tmpl"].ExecuteTemplate(&b, "layout", v); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err := w.Write(b.Bytes())
	return err
}
