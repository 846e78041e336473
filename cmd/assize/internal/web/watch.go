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
	"sync"
	"sync/atomic"
	"time"

	"assize/cmd/assize/internal/batch"
	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/corpus"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/dialogue"
)

// Watch says which folder is watched. Its dialogues are added to the first of the runs.
type Watch struct {
	Folder  string
	Reading dialogue.Options
	Every   time.Duration // a file is read once it is the same in two looks
}

// following has what is noticed of runs that other programs change.
type following struct {
	reading sync.Mutex   // held by whoever reads runs or adds to them, and uses the next
	next    time.Time    // when to look again
	wrong   atomic.Value // a string: what is wrong or under way; empty for nothing
}

// follow looks whether runs have grown or were replaced, at most once a second, and has them read again in the background:
// for a tenth of the time at most, since a run that grows is read whole.
func (s *Server) follow() {
	f := &s.following
	if len(s.Runs) == 0 || !f.reading.TryLock() {
		return
	}
	begun := time.Now()
	if begun.Before(f.next) {
		f.reading.Unlock()
		return
	}
	f.next = begun.Add(time.Second)
	changed, err := s.Store.Changed(s.ctx)
	if err != nil || len(changed) == 0 {
		f.wrong.Store("")
		f.reading.Unlock()
		return
	}
	names := strings.Join(changed, ", ")
	f.wrong.Store(names + " has changed and is being read again.")
	go func() {
		defer f.reading.Unlock()
		err := s.readAgain()
		f.next = time.Now().Add(10*time.Since(begun) + time.Second)
		if err != nil && s.ctx.Err() == nil {
			f.wrong.Store(fmt.Sprintf("%s has changed and cannot be read: %v. What was read of it before is shown.", names, err))
			return
		}
		f.wrong.Store("")
	}()
}

// readAgain reads all runs.
func (s *Server) readAgain() error {
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	c, err := corpus.Open(s.ctx, con, corpus.Options{Command: "review", Paths: s.Runs, Jobs: 1,
		Judging: func() (o dialogue.Options, j *judge.Judge, err error) { return o, j, errors.New("it is no run") }})
	if err == nil && len(c.Files) < len(s.Runs) {
		err = errors.New("it is gone")
	}
	if err != nil {
		return err
	}
	return s.Store.Fill(s.ctx, c, s.Mute)
}

// news tells what a reader must know of the runs.
func (s *Server) news(ctx context.Context) (list []string, err error) {
	if wrong, _ := s.following.wrong.Load().(string); wrong != "" {
		list = append(list, wrong)
	}
	apart, err := s.Store.Apart(ctx)
	if apart > 0 {
		list = append(list, ui.Counted(apart, "review")+" of dialogues that are not in the run now: they are kept, and count again when these come back.")
	}
	return list, err
}

// state is how a file was in a look.
type state struct {
	size     int64
	modified time.Time
}

// watch looks into the folder until ctx ends. A dialogue that the run has already is not added again, so that nothing
// need be kept of what was read. What cannot be read is told, once, and stays where it is.
func (s *Server) watch(ctx context.Context) {
	last, read, told := map[string]state{}, map[string]state{}, ""
	for ctx.Err() == nil {
		now := map[string]state{}
		var fresh []string
		err := filepath.WalkDir(s.Watch.Folder, func(path string, entry fs.DirEntry, err error) error {
			hidden := path != s.Watch.Folder && strings.HasPrefix(entry.Name(), ".")
			switch {
			case err != nil || hidden && entry.IsDir():
				return errors.Join(err, fs.SkipDir)
			case hidden || !entry.Type().IsRegular() || !slices.Contains(source.Transcripts.Extensions, source.Extension(path)):
				return nil
			}
			if info, err := entry.Info(); err == nil { // or it was taken away meanwhile
				is := state{info.Size(), info.ModTime()}
				if now[path] = is; is == last[path] && is != read[path] {
					fresh = append(fresh, path)
					read[path] = is
				}
			}
			return nil
		})
		if last = now; len(fresh) > 0 {
			s.following.reading.Lock()
			e := s.take(ctx, fresh)
			s.following.reading.Unlock()
			for _, path := range fresh {
				if e != nil { // such as a full disk: again at the next look
					delete(read, path)
				}
			}
			err = errors.Join(err, e)
		}
		if err == nil {
			told = ""
		} else if told != err.Error() {
			told = err.Error()
			s.Log("--watch: " + told)
		}
		select {
		case <-ctx.Done():
		case <-time.After(s.Watch.Every):
		}
	}
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
		return s.Store.Extend(context.WithoutCancel(ctx), s.Runs[0], &header, n, s.Mute)
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
	con.TellGuesses()
	con.TellProblems()
	if w == nil {
		return err
	}
	err = errors.Join(err, w.Close(), w.Leave())
	if err == nil {
		err = flush() // also when nothing waits: the run has its closing line now
	}
	s.Log(fmt.Sprintf("%s: %s added to %s", corpus.Named(files), ui.Counted(added, "dialogue"), s.Runs[0]))
	return err
}

// unknown leaves out the dialogues that the store knows, deleted ones too.
func (s *Server) unknown(items iter.Seq[source.Item]) iter.Seq[source.Item] {
	return func(yield func(source.Item) bool) {
		for it := range items {
			known := false
			if it.Err == nil {
				known, it.Err = s.Store.Knows(s.Scoring.Judge.Blank(it.Sample).Identity())
			}
			if !known && !yield(it) {
				return
			}
		}
	}
}
