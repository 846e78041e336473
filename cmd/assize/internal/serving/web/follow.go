package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/dialogue/importer"
)

// keepUp runs until ctx ends. It keeps the file of ratings up to date (the store is what counts)
// and rereads runs that other programs have changed. A growing run is reread as a whole, so keepUp
// limits rereading to a tenth of the time.
func (s *Server) keepUp(ctx context.Context) {
	var next, retry time.Time
	s.reviewed.Store(true)
	for ctx.Err() == nil {
		if time.Now().After(retry) && s.reviewed.Swap(false) {
			said := ""
			if err := s.Store.WriteRatings(ctx, s.Ratings); err != nil && ctx.Err() == nil {
				said = "The file of ratings is not written: " + err.Error()
				s.reviewed.Store(true) // until somebody puts it right
				retry = time.Now().Add(10 * time.Second)
			}
			if was := s.unwritten.Swap(said); said != "" && (was == "" || was == nil) {
				s.Log(said)
			}
		}
		if begun := time.Now(); begun.After(next) {
			s.follow(ctx)
			next = time.Now().Add(10 * time.Since(begun))
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// follow checks whether runs have grown or were replaced, and rereads them.
func (s *Server) follow(ctx context.Context) {
	said := ""
	changed, err := s.Store.Changed(ctx, s.Runs)
	if err == nil && len(changed) > 0 && len(s.Runs) > 0 {
		names := strings.Join(changed, ", ")
		s.changing.Store(names + " has changed and is being read again.")
		if err := s.readAgain(ctx); err != nil && ctx.Err() == nil {
			said = texts.Text("unreadable", names, err)
		}
	}
	s.changing.Store(said)
}

func (s *Server) readAgain(ctx context.Context) error {
	if i := slices.IndexFunc(s.Runs, corpus.IsStream); i >= 0 { // opening it might take for ever
		return fmt.Errorf("%s: is no longer a regular file", s.Runs[i])
	}
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	c, err := corpus.Open(ctx, con, corpus.Options{Command: "review", Paths: s.Runs, Jobs: 1,
		Judging: func() (o importer.Options, j *judge.Judge, err error) {
			return o, j, errors.New("it is no run")
		}})
	if err == nil && len(c.Files) < len(s.Runs) {
		err = errors.New("it is gone")
	}
	if err != nil {
		return err
	}
	return s.Store.Fill(ctx, c)
}

// news returns messages about the files that a reader should know.
func (s *Server) news(ctx context.Context) (list []string, err error) {
	for _, v := range []*atomic.Value{&s.changing, &s.unwritten} {
		if said, _ := v.Load().(string); said != "" {
			list = append(list, said)
		}
	}
	apart, err := s.Store.Apart(ctx)
	if n := len(apart); n > 0 {
		list = append(list, texts.Text("apart", ui.Counted(n, "review")))
	}
	return list, err
}
