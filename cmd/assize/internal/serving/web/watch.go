package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/dialogue/importer"
)

// Watch describes a watched folder. Its dialogues are added to the first run.
type Watch struct {
	Folder  string
	Reading importer.Options
	Every   time.Duration // a file is read once it is unchanged in two consecutive looks
}

// keepUp runs until ctx ends. It keeps the file of ratings up to date (the store is what counts),
// adds new files in the watched folder to the run, and rereads runs that other programs have
// changed. A growing run is reread as a whole, so keepUp limits rereading to a tenth of the time.
func (s *Server) keepUp(ctx context.Context) {
	every, next := time.Second, time.Time{}
	seen, told := map[string]state{}, ""
	s.reviewed.Store(true)
	for ctx.Err() == nil {
		if s.reviewed.Swap(false) {
			if err := s.Store.WriteRatings(ctx, s.Ratings); err != nil && ctx.Err() == nil {
				s.Log(err.Error())
			}
		}
		if s.Watch != nil {
			every = s.Watch.Every
			err := s.look(ctx, &seen)
			if err != nil && told != err.Error() {
				s.Log("--watch: " + err.Error())
			}
			told = fmt.Sprint(err)
		}
		if begun := time.Now(); begun.After(next) {
			s.follow(ctx)
			next = time.Now().Add(10 * time.Since(begun))
		}
		select {
		case <-ctx.Done():
		case <-time.After(every):
		}
	}
}

// follow checks whether runs have grown or were replaced, and rereads them.
func (s *Server) follow(ctx context.Context) {
	changed, err := s.Store.Changed(ctx, s.Runs)
	if err != nil || len(changed) == 0 || len(s.Runs) == 0 {
		s.changing.Store("")
		return
	}
	names := strings.Join(changed, ", ")
	s.changing.Store(names + " has changed and is being read again.")
	if err := s.readAgain(ctx); err != nil && ctx.Err() == nil {
		s.changing.Store(fmt.Sprintf(
			"%s has changed and cannot be read: %v. What was read of it before is shown.",
			names, err))
		return
	}
	s.changing.Store("")
}

// readAgain rereads all runs.
func (s *Server) readAgain(ctx context.Context) error {
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

// news returns messages about the runs that a reader should know.
func (s *Server) news(ctx context.Context) (list []string, err error) {
	if changing, _ := s.changing.Load().(string); changing != "" {
		list = append(list, changing)
	}
	apart, err := s.Store.Apart(ctx)
	if apart > 0 {
		list = append(list, ui.Counted(apart, "review")+
			" of dialogues that are not in the run now: they are kept, and count again when these come back.")
	}
	return list, err
}

// state is the state of a file in the last look, and the number of looks in which it was the same.
type state struct {
	size  int64
	at    time.Time // the time of its last change
	looks int
}

// look adds the files of the folder that are unchanged in two consecutive looks. Dialogues already
// in the run are skipped, so there is no need to remember which files were read. A file that cannot
// be read stays in the folder.
func (s *Server) look(ctx context.Context, seen *map[string]state) error {
	now := map[string]state{}
	var fresh []string
	err := filepath.WalkDir(s.Watch.Folder, func(path string, entry fs.DirEntry, err error) error {
		hidden := path != s.Watch.Folder && strings.HasPrefix(entry.Name(), ".")
		switch {
		case err != nil || hidden && entry.IsDir():
			return errors.Join(err, fs.SkipDir)
		case hidden || !entry.Type().IsRegular() || !slices.Contains(source.Transcripts.Extensions,
			source.Extension(path)):
			return nil
		}
		if info, err := entry.Info(); err == nil { // otherwise it was removed in the meantime
			is := state{info.Size(), info.ModTime(), 1}
			if was := (*seen)[path]; was.size == is.size && was.at.Equal(is.at) {
				is.looks += was.looks
			}
			if now[path] = is; is.looks == 2 {
				fresh = append(fresh, path)
			}
		}
		return nil
	})
	if len(fresh) > 0 {
		if e := s.take(ctx, fresh); e != nil { // such as a full disk; it is tried again later
			err = errors.Join(err, e)
			for _, path := range fresh {
				delete(now, path)
			}
		}
	}
	*seen = now
	return err
}

// take scores files and adds their dialogues to the run and to the queue.
func (s *Server) take(ctx context.Context, files []string) (err error) {
	const together = 200
	con := &console.Console{Err: logger(s.Log), Redact: s.Redact}
	files, failed, err := source.Transcripts.Find(files, s.Runs[0], con.Note)
	if err != nil {
		return err
	}
	for _, it := range failed {
		con.Unread(it.Err)
	}
	header := s.Scoring.Judge.Header(s.Watch.Reading)
	var w *run.Writer
	var added int
	var waiting []*run.Record
	flush := func() error {
		n := waiting
		waiting = nil
		return s.Store.Extend(context.WithoutCancel(ctx), s.Runs[0], &header, n)
	}
	b := batch.Batch{Judge: s.Scoring.Judge, Jobs: 1}
	for res, e := range b.All(ctx, s.unknown(corpus.Samples(con, files, s.Watch.Reading))) {
		if ctx.Err() != nil || err != nil {
			break
		}
		if e = errors.Join(e, res.Err); e != nil {
			con.Unread(e)
			continue
		}
		if w == nil {
			if w, err = run.Extend(s.Runs[0], &header); err != nil {
				return fmt.Errorf("%s: %w", s.Runs[0], err)
			}
		}
		if err = w.Add(res.Record); err != nil {
			break
		}
		added++
		if waiting = append(waiting, res.Record); len(waiting) >= together {
			if err = flush(); err != nil {
				break
			}
		}
	}
	con.PrintGuesses()
	con.PrintProblems()
	if w == nil {
		return err
	}
	err = errors.Join(err, w.Close(), w.Release())
	if err == nil {
		err = flush() // even if nothing is waiting, since the run now has a closing line
	}
	s.Log(fmt.Sprintf("%s: %s added to %s",
		corpus.Named(files), ui.Counted(added, "dialogue"), s.Runs[0]))
	return err
}

// unknown leaves out the dialogues that are in the store or were deleted from it.
func (s *Server) unknown(items iter.Seq[source.Item]) iter.Seq[source.Item] {
	return func(yield func(source.Item) bool) {
		for it := range items {
			known := false
			if it.Err == nil {
				known, it.Err = s.Store.Knows(s.Scoring.Judge.NewRecord(it.Sample).Identity())
			}
			if !known && !yield(it) {
				return
			}
		}
	}
}
