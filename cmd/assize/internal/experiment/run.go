package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
)

// Experiment is a plan with all that is needed to carry it out.
type Experiment struct {
	*Plan
	Folder   string        // of the runs
	Agree    agree.Options // how agreement with people is measured
	Runs     []*Run        // in the order of Configs
	Note     func(string)
	Complain func(err error, hints ...string)

	ratings *ratings.File
	files   []transcripts
	samples []source.Item // the dialogues that every config judges
	digest  string        // of what was said in them
}

// Run is one config and the run that it makes.
type Run struct {
	Config
	Decisive []any // all that decides what the run holds of a dialogue, except for the model that the server has

	// Score scores items into the run behind path. Each new record is shown to accept; its error ends the run.
	Score func(ctx context.Context, path string, items iter.Seq[source.Item], accept func(*run.Record) error) error
}

// transcripts is a file of dialogues: how many could be read, and how many of them are judged.
type transcripts struct {
	name             string
	readable, picked int
}

// ReadRatings reads the scale and people's ratings, so that what is wrong with them is told before anything is judged.
func (e *Experiment) ReadRatings() (err error) {
	e.Agree.Scale = ratings.DefaultScale
	if e.Scale.Text != "" {
		if e.Agree.Scale, err = ratings.ParseScale(e.Scale.Text); err != nil {
			return fmt.Errorf("%s: scale: %w", e.Scale.Place, err)
		}
	}
	if e.Ratings == "" {
		return nil
	}
	file := e.Path(e.Ratings)
	r, err := source.Open(nil, file)
	if err != nil {
		return fmt.Errorf("ratings: %w", err)
	}
	defer r.Close()
	e.ratings, err = ratings.ReadFile(r, file)
	return err
}

// Pick reads the dialogues of files, reports those that cannot be read, and picks those that are judged: evenly over
// each file, from the first on.
func (e *Experiment) Pick(ctx context.Context, files []string, read func(files []string) iter.Seq[source.Item]) error {
	sum := sha256.New()
	folder, _ := filepath.Abs(e.Folder)
	for _, file := range files {
		if abs, err := filepath.Abs(file); err == nil && strings.HasPrefix(abs, folder+string(filepath.Separator)) {
			continue // in the folder of the runs nothing is a transcript
		}
		var readable []source.Item
		for it := range read([]string{file}) {
			switch {
			case ctx.Err() != nil:
				return errors.New("stopped while the dialogues were read; nothing is run")
			case it.Err != nil:
				e.Complain(it.Err)
			default:
				readable = append(readable, it)
			}
		}
		picked := len(readable)
		if e.Limit > 0 {
			picked = min(picked, e.Limit)
		}
		for i := range picked {
			it := readable[i*len(readable)/picked]
			e.samples = append(e.samples, it)
			fmt.Fprintln(sum, it.Sample.Dialogue.Digest())
		}
		e.files = append(e.files, transcripts{file, len(readable), picked})
	}
	if len(e.samples) == 0 {
		return fmt.Errorf("%s: the files, without those in the folder of the runs, hold no dialogue; nothing is run", e.File)
	}
	e.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// Describe shows what would be run.
func (e *Experiment) Describe(page *ui.Page) {
	page.Paragraph(ui.Plain, "", "", ui.Visible(fmt.Sprintf("%s: %s, %s in %s", e.File,
		ui.Counted(len(e.samples), "dialogue"), ui.Counted(len(e.Runs), "run"), e.Folder)))
	page.WriteByte('\n')
	for _, file := range e.files {
		name := ui.Pad(ui.ClipFront(ui.Visible(file.name), 50), 50)
		page.Line(ui.Plain, fmt.Sprintf("  %s  %d of %d", name, file.picked, file.readable))
	}
	page.WriteByte('\n')
	for _, r := range e.Runs {
		state := "to do"
		if s, err := e.status(r); err == nil && s.complete {
			state = "done"
		} else if info, err := os.Stat(e.path(r)); err == nil && info.Size() > 0 {
			state = "begun"
		}
		page.Line(ui.Plain, fmt.Sprintf("  %-7s%s", state, r.File))
	}
}

// Judge judges what the runs lack. A config that fails is reported, and the others are run.
func (e *Experiment) Judge(ctx context.Context) error {
	if err := os.MkdirAll(e.Folder, 0o777); err != nil {
		return fmt.Errorf("the folder of the runs: %w", err)
	}
	for i, r := range e.Runs {
		s, err := e.status(r)
		if err == nil && !s.complete {
			e.Note(fmt.Sprintf("%s (%d of %d): %s to %s", &r.Config, i+1, len(e.Runs), ui.Counted(len(e.samples), "dialogue"), e.path(r)))
			err = e.judge(ctx, r, s)
		}
		if ctx.Err() != nil {
			return errors.New("stopped; run the same command again to resume")
		}
		if err != nil {
			e.Complain(fmt.Errorf("%s: %w", &r.Config, err))
		}
	}
	return nil
}

// judge completes a run, and notes what it took.
func (e *Experiment) judge(ctx context.Context, r *Run, s status) error {
	path, added := e.path(r), false
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		s = status{}
	}
	err := r.Score(ctx, path, slices.Values(e.samples), func(rec *run.Record) error {
		if serverGone(rec) { // what it would leave unscored is left for later
			return errors.New("the model's server is gone; what is judged is kept, and the same command resumes")
		}
		added, s.Complete = true, 0
		s.time(rec)
		return nil
	})
	info, failed := os.Stat(path)
	complete := failed == nil && err == nil && ctx.Err() == nil
	if complete {
		s.Complete, s.Settings = info.Size(), e.settings(r)
	}
	if !complete && !added {
		return err
	}
	data, failed := json.Marshal(s)
	if failed == nil {
		failed = os.WriteFile(e.statusFile(r), append(data, '\n'), 0o666)
	}
	return errors.Join(err, failed)
}

// serverGone reports whether the server failed in a way in which it would fail for every dialogue that follows.
func serverGone(r *run.Record) bool {
	if r.Model == nil || len(r.Model.Calls) == 0 {
		return false
	}
	last := r.Model.Calls[len(r.Model.Calls)-1].Failure
	return slices.Contains([]localllm.FailureKind{localllm.ServerDown, localllm.ModelAbsent, localllm.DigestDiffers}, last)
}

// path is the file of a run.
func (e *Experiment) path(r *Run) string { return filepath.Join(e.Folder, r.File) }

// settings tells all that decides what a run holds.
func (e *Experiment) settings(r *Run) string { return fmt.Sprint(e.digest, r.Decisive) }

// status is kept in a file beside a run: times, which a run must not hold, since they differ from day to day; and whether
// the run is complete, which is known so without asking the model's server. The zero status is that of a run that has
// not begun.
type status struct {
	Settings string  `json:"settings"` // all that the run was made with
	Complete int64   `json:"complete"` // bytes of the run when it was complete; 0 while it is not
	Timed    int     `json:"timed"`    // dialogues that a model was asked about, except those answered from a cache
	Seconds  float64 `json:"seconds"`  // of the server, for these

	complete bool // the run is there and complete, as its present settings make it
}

func (e *Experiment) statusFile(r *Run) string {
	return strings.TrimSuffix(e.path(r), ".jsonl") + ".mark.json"
}

// status reads the status of a run.
func (e *Experiment) status(r *Run) (s status, err error) {
	data, err := os.ReadFile(e.statusFile(r))
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err == nil && json.Unmarshal(data, &s) != nil {
		err = fmt.Errorf("%s: not as assize experiment writes it; remove it, and only the times are lost", e.statusFile(r))
	}
	info, absent := os.Stat(e.path(r))
	s.complete = absent == nil && s.Complete > 0 && s.Complete == info.Size() && s.Settings == e.settings(r)
	return s, err
}

// time adds what a model took for a dialogue, which may be nothing where the Critic has no doubt to ask about. Where an
// answer came from a cache, the time is unknown.
func (s *status) time(r *run.Record) {
	if r.Model == nil || slices.ContainsFunc(r.Model.Timings.Calls, func(c localllm.CallTime) bool { return c.Cached }) {
		return
	}
	s.Timed++
	s.Seconds += r.Model.Timings.Spent().Seconds()
}
