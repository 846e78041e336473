package web

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assize/cmd/assize/internal/batch"
	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/corpus"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/dialogue"
)

// Watch says which folder is watched, and to which run its dialogues are added.
type Watch struct {
	Folder, Run string
	Reading     dialogue.Options
	Every       time.Duration // a file is read once it is the same in two looks
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
			e := s.take(ctx, fresh)
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
	found, err := source.Transcripts.Find(files, s.Watch.Run)
	if err != nil {
		return err
	}
	for _, it := range found.Failed {
		con.Unread(it.Err)
	}
	header := s.Scoring.Judge.Header(s.Watch.Reading)
	var w *run.Writer
	var added int
	var waiting []*run.Record
	flush := func() error {
		n := waiting
		waiting = nil
		return s.Store.Extend(context.WithoutCancel(ctx), s.Watch.Run, &header, n, s.Mute)
	}
	b := batch.Batch{Judge: s.Scoring.Judge, Jobs: 1}
	for res, e := range b.All(ctx, s.unknown(corpus.Samples(con, found.Files, s.Watch.Reading))) {
		if ctx.Err() != nil || err != nil {
			break
		}
		if e = errors.Join(e, res.Err); e != nil {
			con.Unread(e)
			continue
		}
		if w == nil {
			if w, err = run.Extend(s.Watch.Run, &header); err != nil {
				return fmt.Errorf("%s: %w", s.Watch.Run, err)
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
	s.Log(fmt.Sprintf("%s: %s added to %s", corpus.Named(found.Files), ui.Counted(added, "dialogue"), s.Watch.Run))
	return err
}

// unknown leaves out the dialogues that the store knows, deleted ones too.
func (s *Server) unknown(items iter.Seq[source.Item]) iter.Seq[source.Item] {
	return func(yield func(source.Item) bool) {
		for it := range items {
			known := false
			if it.Err == nil {
				is := s.Scoring.Judge.Blank(it.Sample).Identity()
				known, it.Err = s.Store.Knows(hex.EncodeToString(is[:]))
			}
			if !known && !yield(it) {
				return
			}
		}
	}
}
