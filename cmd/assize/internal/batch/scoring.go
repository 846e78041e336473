package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
)

// Scoring is a batch on its way into an output, with what the caller is told of it.
type Scoring struct {
	*console.Console
	Batch
	Out    *output.File
	Sink   report.Sink             // closing it completes the output
	Format string                  // of the sink, as --format has it
	Accept func(*run.Record) error // sees every new record; one that it refuses is not written, and ends the batch
	Gates  *summary.Thresholds     // may be nil
	Total  func() int              // of dialogues, 0 while unknown; nil where nobody is told
	// Hints on a run that is stopped and on one that cannot be resumed; the usual ones where they are empty.
	HowToResume, HowToRestart string
	Totals                    Totals

	begun   time.Time // of judging
	resumed bool      // the run has been checked, and what is new follows
}

// Resume opens the run behind a path, or makes it, as the output.
func (s *Scoring) Resume(path string) (err error) {
	if s.Run, err = output.Run(path, s.Header, s.howToRestart()); err == nil {
		s.Out, s.Sink, s.Format = output.Of(s.Run), s.Run, "jsonl"
	}
	return err
}

func (s *Scoring) howToRestart() string {
	return cmp.Or(s.HowToRestart, "remove the file to judge its dialogues again")
}

// Write writes the records of items, in their order, and completes the output. A run that is stopped stays without its
// closing line.
func (s *Scoring) Write(ctx context.Context, items iter.Seq[source.Item]) error {
	s.begun = time.Now()
	for r, err := range s.All(ctx, items) {
		if errors.Is(r.Err, context.Canceled) { // a record after this one would leave a gap
			break
		}
		if err == nil {
			err = s.take(&r)
		} else {
			err = console.Hint(err, s.howToRestart())
		}
		if err != nil {
			return s.Out.End(err)
		}
	}
	s.TellGuesses()
	s.TellProblems()
	if ctx.Err() == nil {
		err := s.resume(true)
		if err == nil {
			err = s.Sink.Close()
		}
		return s.Out.End(err)
	}
	err := fmt.Errorf("stopped after %s; the rest is not scored", ui.Counted(s.Totals.Records, "dialogue"))
	if s.Run != nil {
		err = console.Hint(err, cmp.Or(s.HowToResume, "run the same command again to resume"))
	}
	s.Complain(err)
	err = nil
	if s.Format != "jsonl" { // whose lines are whole
		err = s.Sink.Close()
	}
	if path := s.Out.Replaces; path != "" {
		s.Note(fmt.Sprintf("-o %s: is as it was before; --format jsonl keeps the results of a run that is stopped", path))
	}
	return errors.Join(err, s.Out.Abandon())
}

// take writes and counts a result.
func (s *Scoring) take(r *Result) (err error) {
	s.TellGuesses()
	switch rec := r.Record; {
	case r.Err != nil:
		s.Unread(r.Err)
		if j, ok := s.Sink.(*report.JUnit); ok { // a build server would see only what is well otherwise
			err = j.Unread(r.Item.File, r.Item.Place(), r.Err)
		}
	case r.Stored != nil:
		s.begun = time.Now() // what was there before says nothing of the rate
	default:
		if s.Accept != nil {
			err = s.Accept(rec)
		}
		if err == nil {
			err = s.resume(false)
		}
		if s.Format == "json" && !rec.Scored() {
			s.Note(fmt.Sprintf("%s: dialogue %d is unscored and left out: %s", rec.Source.File, rec.Dialogue.ID, rec.Reason))
		}
		if err == nil {
			err = s.Sink.Add(rec)
		}
	}
	if err != nil {
		return err
	}
	if s.Gates != nil && r.Record != nil {
		row := r.Record.Row(s.Totals.Records)
		s.Gates.Add(&row)
	}
	s.Totals.Add(r)
	if s.Total != nil && s.Progress.Due() {
		s.Progress.Tell(s.Totals.Progress(time.Since(s.begun), s.Total()))
	}
	return nil
}

// resume checks the run's closing line before anything is added, and tells where it continues; last is whether only its
// end is to be written.
func (s *Scoring) resume(last bool) error {
	f := s.Run
	if f == nil || s.resumed {
		return nil
	}
	s.resumed = true
	if f.Changed != nil {
		return console.Hint(f.Changed, s.howToRestart())
	}
	if stored := ui.Counted(f.Stored, "record"); last && f.Finished() {
		s.Note(fmt.Sprintf("%s: already complete with %s; nothing to judge", f.Path, stored))
	} else if f.Stored > 0 {
		s.Note(fmt.Sprintf("%s: resuming after %s", f.Path, stored))
	}
	if f.Torn > 0 {
		s.Note(fmt.Sprintf("%s: removed an incomplete last line of %s", f.Path, ui.Counted(f.Torn, "byte")))
	}
	return nil
}
