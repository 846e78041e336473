// Package batch judges many dialogues in input order, and resumes a run that was stopped.
package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"assize/cmd/assize/internal/judging/fleet"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

var texts = prose.Of("batch")

// Batch holds the settings with which dialogues are judged.
type Batch struct {
	Judge  *judge.Judge
	Jobs   int              // maximum number of dialogues judged at once
	Fleet  *fleet.Collector // distributes the work to workers; nil to judge in this process
	Run    *run.Writer
	Header *run.Header
	// Deleted dialogues are not in the results, but count as the first occurrence of their text.
	Deleted map[run.Identity]bool
}

// Result is the outcome for one item.
type Result struct {
	Item   source.Item
	Record *run.Record
	// the line of the run that already holds the record; nil if it was judged now
	Stored   *run.Line
	Err      error // why there is no record
	deleted  bool
	pending  *fleet.Pending // set for a dialogue that workers judge
	mismatch error          // why the run cannot be resumed
	key      run.Key        // see [run.Row.Copy]
	size     int64          // its share of maxInFlight
}

// maxInFlight limits the dialogues that are being judged or waiting to be written, in bytes of
// their turns plus a small constant for each: a long dialogue takes twenty times as much memory
// while it is judged. A dialogue above the limit is judged alone.
const maxInFlight = 6 << 20

// All judges items concurrently and yields the results in the order of the items. It takes records
// that the run already holds from there: the first belongs to the first readable dialogue, and so
// on. A dialogue that is equal to an earlier one, by [run.Row.Copy], refers to that one. An error
// ends the iteration; for example, the run holds records of other dialogues.
func (b *Batch) All(ctx context.Context, items iter.Seq[source.Item]) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		first := map[run.Key]run.Origin{} // the first dialogue with each key
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		room, jobs := semaphore.NewWeighted(maxInFlight), b.Jobs
		if b.Fleet != nil {
			// the workers have memory, too
			room, jobs = semaphore.NewWeighted(2*maxInFlight), fleet.Window
		}
		bounded := func(yield func(Result) bool) {
			position := -1 // index of a dialogue in the run
			for r := range b.withStored(items) {
				for _, t := range r.Item.Sample.Dialogue.Turns {
					r.size += int64(len(t.Text)) + 200
				}
				r.size = min(r.size, maxInFlight)
				if room.Acquire(ctx, r.size) != nil {
					return
				}
				if r.Item.Err == nil && r.mismatch == nil && !r.deleted {
					if position++; b.Fleet != nil && r.Stored == nil {
						r.pending = b.Fleet.Submit(position, r.Item.Sample)
					}
				}
				if !yield(r) {
					return
				}
			}
		}
		for r := range run.Ordered(ctx, jobs, bounded, b.judge) {
			if r.mismatch == nil && r.Err == nil {
				if origin, again := first[r.key]; !again {
					first[r.key] = r.Record.Origin()
				} else if r.Stored == nil {
					r.Record.Source.DuplicateOf = &origin
				}
			}
			if (!r.deleted || r.mismatch != nil) && !yield(r, r.mismatch) || r.mismatch != nil {
				return
			}
			if r.pending != nil {
				b.Fleet.Written(r.pending)
			}
			room.Release(r.size)
		}
	}
}

// withStored pairs each dialogue with the line that the run holds for it.
func (b *Batch) withStored(items iter.Seq[source.Item]) iter.Seq[Result] {
	stored := func(func(run.Line, error) bool) {}
	if b.Run != nil {
		stored = b.Run.Lines()
	}
	return func(yield func(Result) bool) {
		next, stop := iter.Pull2(stored)
		defer stop()
		for it := range items {
			r := Result{Item: it}
			if it.Err == nil && b.Deleted != nil {
				r.deleted = b.Deleted[b.Judge.NewRecord(it.Sample).Identity()]
			}
			if it.Err == nil && !r.deleted {
				if line, err, ok := next(); ok {
					line.Header = b.Header
					r.Stored, r.mismatch = &line, err
				}
			}
			if !yield(r) {
				return
			}
		}
		if line, err, ok := next(); ok {
			if err == nil {
				err = lineError(&line, "input ends")
			}
			yield(Result{mismatch: err})
		}
	}
}

// judge creates the record of a dialogue, or takes it from the run.
func (b *Batch) judge(ctx context.Context, r Result) Result {
	switch {
	case r.mismatch != nil:
	case r.Item.Err != nil:
		r.Err = b.Judge.MaskError(r.Item.Err)
	case r.Stored != nil:
		again := b.Judge
		if b.Fleet != nil { // whose workers may have left it unscored for another reason
			again = nil
		}
		r.Record, r.mismatch = again.Verify(ctx, *r.Stored, b.Header.Lexicon)
		if r.mismatch == nil {
			is := b.Judge.NewRecord(r.Item.Sample)
			is.Source.DuplicateOf = r.Record.Source.DuplicateOf // it depends on earlier dialogues
			if !r.Record.Same(is) {
				r.mismatch = lineError(r.Stored, "other dialogue", r.Record.Name(),
					r.Record.Source.File, is.Name(), is.Source.File)
			}
		}
	case r.deleted:
		r.Record = b.Judge.NewRecord(r.Item.Sample)
	case r.pending != nil:
		r.Record, r.Err = b.Fleet.Wait(ctx, r.pending)
	default:
		r.Record, r.Err = b.Judge.Judge(ctx, r.Item.Sample)
	}
	r.key = new(run.New(r.Item.Sample).Row(0)).Copy()
	return r
}

func lineError(line *run.Line, text string, values ...any) error {
	return &run.LineError{File: line.File, Line: line.Number, Err: texts.Error(text, values...)}
}

// Scoring writes a batch to an output and reports its progress.
type Scoring struct {
	*console.Console
	Batch
	Out    *output.File
	Sink   run.Sink            // closing it completes the output
	Format string              // format of the sink, as in --format
	Gates  *summary.Thresholds // may be nil
	// number of dialogues, 0 while unknown; nil if progress is not reported
	Total func() int
	// Hints for a run that is stopped and for one that cannot be resumed; "" for the usual ones.
	HowToResume, HowToRestart string
	Inputs                    []string // the files of the input; nil if a run may not name others
	Flags                     []string // as given, for a hint; see [flags.Set.Given]
	Totals                    totals

	started time.Time // when judging began
	resumed bool      // the run has been checked, and new records follow
}

// Resume opens or creates the run at path as the output, or says how another run differs.
func (s *Scoring) Resume(path string) error {
	s.HowToRestart = cmp.Or(s.HowToRestart, "remove the file to judge its dialogues again")
	file, _ := output.Target(path)
	w, err := run.Create(file, s.Header)
	var other *run.ConfigurationError
	switch {
	case err == nil:
		s.Run, s.Out, s.Sink, s.Format = w, output.Of(w), w, "jsonl"
		s.Judge.SetRubric(s.Header.Basis.Rubric)
		return nil
	case errors.As(err, new(*fs.PathError)), errors.Is(err, run.ErrBusy):
		return fmt.Errorf("-o %s: %w", path, output.WithoutName(err))
	case errors.As(err, new(*run.LineError)):
		return console.Hint(err, s.HowToRestart)
	case errors.As(err, &other):
		short := func(s string) string { return cmp.Or(ui.Clip(ui.Visible(s), 40), "nothing") }
		for _, d := range other.Header.Differences(*s.Header) {
			err = fmt.Errorf("%w\n  %s: %s in the run, %s now", err, d.What, short(d.A), short(d.B))
		}
	}
	return console.Hint(fmt.Errorf("-o %s: %w", path, err), s.HowToRestart)
}

// refused returns the error of a run whose records are not those of the items. If some are of files
// that are not among the inputs, it names these and the command that adds the inputs to the run.
func (s *Scoring) refused(err error) error {
	var missing, all []string
	if s.Run == nil || s.Inputs == nil {
		return console.Hint(err, s.HowToRestart)
	}
	inputs := ui.Each(s.Inputs, s.Judge.MaskText)
	for line, failed := range s.Run.Lines() {
		var r *run.Record
		if failed == nil {
			line.Header = s.Header
			r, failed = line.Decode()
		}
		if failed != nil {
			return console.Hint(err, s.HowToRestart)
		}
		file := r.Source.File
		at := slices.IndexFunc(inputs, func(in string) bool {
			return file == in || strings.HasPrefix(file, in+"/") // in an archive
		})
		if at >= 0 {
			file = s.Inputs[at]
		} else {
			missing = append(missing, file)
		}
		all = append(all, file)
	}
	if len(missing) == 0 {
		return console.Hint(err, s.HowToRestart)
	}
	missing, all = ui.Distinct(missing), ui.Distinct(append(all, s.Inputs...))
	of, path := missing[0], s.Run.Path
	if more := len(missing) - 1; more > 0 {
		of += " and " + ui.Counted(more, "more file")
	}
	args := strings.Join(ui.Each(slices.Concat(all, s.Flags, []string{"-o", path}), ui.Word), " ")
	return console.Hint(texts.Error("missing inputs", path, of), texts.Text("inputs hint", args),
		s.HowToRestart)
}

// Write writes the records of items and completes the output. A stopped run has no closing line.
func (s *Scoring) Write(ctx context.Context, items iter.Seq[source.Item]) (err error) {
	judging := ctx
	if s.Fleet != nil {
		judging = s.Fleet.Context()
	}
	err = s.write(judging, items)
	if s.Fleet != nil {
		err = errors.Join(err, s.Fleet.Close(err == nil && judging.Err() == nil))
	}
	s.Progress.Clear()
	if m := s.Judge.Model; m != nil && (err == nil || ctx.Err() != nil) {
		s.Totals.Model.Report(s.Console, m)
	}
	if n := s.Totals.WithoutOrigin; n > 0 {
		s.Note(texts.Text("no origin", ui.Counted(n, "dialogue")))
	}
	return err
}

func (s *Scoring) write(ctx context.Context, items iter.Seq[source.Item]) error {
	s.started = time.Now()
	for r, err := range s.All(ctx, items) {
		if errors.Is(r.Err, context.Canceled) { // a later record would leave a gap
			break
		}
		if err == nil {
			err = s.add(&r)
		} else {
			err = s.refused(err)
		}
		if err != nil {
			return s.Out.End(err)
		}
	}
	s.PrintGuesses()
	s.PrintProblems()
	if ctx.Err() == nil {
		err := s.announceResume(true)
		if err == nil {
			err = s.Sink.Close()
		}
		return s.Out.End(err)
	}
	err := texts.Error("stopped", ui.Counted(s.Totals.Records, "dialogue"))
	if s.Run != nil {
		err = console.Hint(err, cmp.Or(s.HowToResume, texts.Text("resume hint")))
	}
	s.Complain(err)
	err = nil
	if s.Format != "jsonl" { // the lines of a run are always complete
		err = s.Sink.Close()
	}
	if path := s.Out.Replaces; path != "" {
		s.Note(texts.Text("unchanged", path))
	}
	return errors.Join(err, s.Out.Abandon())
}

func (s *Scoring) add(r *Result) (err error) {
	s.PrintGuesses()
	switch {
	case r.Err != nil:
		s.Unread(r.Err)
		r.Item.Err = r.Err
		s.LeaveOut(r.Item)
	case r.Stored != nil:
		s.started = time.Now() // stored records do not count towards the rate
	default:
		err = s.announceResume(false)
	}
	if err != nil {
		return err
	}
	row, err := s.Put(r)
	if err != nil {
		return err
	}
	if row != nil {
		day, queue := s.Judge.Rubric.DependsOn()
		if day && row.Day == "" || queue && row.Queue == "" {
			s.Totals.WithoutOrigin++
		}
	}
	if s.Total != nil && s.Progress.Due() {
		s.Progress.Print(s.Totals.Progress(time.Since(s.started), s.Total()))
	}
	return nil
}

// LeaveOut passes items that could not be read to an output that counts or lists them.
func (s *Scoring) LeaveOut(items ...source.Item) {
	sink, ok := s.Sink.(interface {
		Unread(file, place string, err error)
	})
	if ok {
		for _, it := range items {
			sink.Unread(it.File, it.Place(), it.Err)
		}
	}
}

// Put writes the record of a result, unless the output holds it, and returns its row, if any.
func (s *Scoring) Put(r *Result) (row *run.Row, err error) {
	rec := r.Record
	if r.Err == nil && r.Stored == nil {
		if s.Format == "json" && !rec.Scored() {
			s.Note(texts.Text("unscored", rec.Source.File, rec.Name(), rec.Reason))
		}
		err = s.Sink.Add(rec)
	}
	if err == nil {
		row = s.Totals.Add(r)
	}
	if row != nil && s.Gates != nil {
		s.Gates.Add(row)
	}
	return row, err
}

// announceResume checks the run's closing line before anything is added, and reports where the run
// continues; last is true if only its end remains to be written.
func (s *Scoring) announceResume(last bool) error {
	f := s.Run
	if f == nil || s.resumed {
		return nil
	}
	s.resumed = true
	if f.Changed != nil {
		return console.Hint(f.Changed, s.HowToRestart)
	}
	if stored := ui.Counted(f.Stored, "record"); last && f.Finished() {
		s.Advise(texts.Text("complete", f.Path, stored))
	} else if f.Stored > 0 {
		s.Advise(texts.Text("resuming", f.Path, stored))
	}
	if f.Torn > 0 {
		s.Note(texts.Text("torn", f.Path, ui.Counted(f.Torn, "byte")))
	}
	return nil
}

// totals accumulates the results of a batch.
type totals struct {
	summary.Summary
	Records int
	Stored  int // those of them that the run already held
	Unread  int // dialogues and files without a record
	Rated   int // dialogues with people's ratings

	WithoutOrigin int // dialogues without the day or queue on which a fact depends
}

// Add counts a result and returns its row, or nil if it has no record.
func (t *totals) Add(r *Result) *run.Row {
	if r.Err != nil {
		t.Unread++
		return nil
	}
	t.Records++
	if r.Stored != nil {
		t.Stored++
	}
	row := r.Record.Row(t.Records)
	t.AddOnce(&row)
	if len(row.Ratings) > 0 {
		t.Rated++
	}
	t.Model.Add(r.Record, r.Stored == nil)
	return &row
}

// Progress describes how far a batch is after judging for the given time; total is 0 if unknown.
func (t *totals) Progress(elapsed time.Duration, total int) string {
	return ui.Pace(t.Records, total, t.Records-t.Stored, elapsed) +
		ui.Nonzero(t.Unscored, "unscored", t.Unread, "unreadable")
}

// Summaries summarises a run on disk and the time it took, which no file stores.
func (t *totals) Summaries(path string, elapsed time.Duration) []string {
	rate := ""
	if judged := t.Records - t.Stored; elapsed >= time.Second && judged > 0 {
		rate = " (" + ui.Rate(judged, elapsed) + ")"
	}
	list := []string{fmt.Sprintf("%s: %s in %s%s: %d scored, %d unscored%s", path,
		ui.Counted(t.Records, "record"), ui.Duration(elapsed.Seconds()), rate, t.Scored, t.Unscored,
		ui.Nonzero(t.Duplicates, "repeated", t.Stored, "already in the run", t.Unread,
			"could not be read"))}
	if t.Scored > 0 {
		var levels []string
		for i, score := range slices.Backward(rubric.Scale[:]) {
			levels = append(levels, fmt.Sprintf("%d: %d (%s)", score, t.Overall[i],
				ui.Percent(t.Overall[i], t.Scored)))
		}
		list = append(list, "  OverallExperience "+strings.Join(levels, ", "))
	}
	reasons := ui.ByFrequency(t.Reasons)
	for _, reason := range reasons[:min(len(reasons), 10)] { // the most frequent
		list = append(list, fmt.Sprintf("  unscored %d × %s", t.Reasons[reason], reason))
	}
	return list
}
