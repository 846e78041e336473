package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
	"assize/rubric/dialogue"
)

// Host is what an experiment needs of the command that carries it out.
type Host struct {
	Output string        // the folder of the runs; empty for that of the file
	Agree  agree.Options // without the scale

	Open     func(file string) (io.ReadCloser, error)
	Find     func(paths []string) ([]string, error) // the transcripts that paths stand for
	Samples  func(files []string, reading dialogue.Options) iter.Seq[source.Item]
	Setup    func(*Plan, Config) (*Setup, error)
	Note     func(string)
	Complain func(error)
	Hint     func(err error, hints ...string) error // adds advice to an error
}

// Setup is how a config judges, as the flags say that the file sets.
type Setup struct {
	Reading           dialogue.Options
	Evaluator, Critic string // as package judge names them
	Presentations     int    // of each dialogue to the model
	Decisive          []any  // all that decides what a run holds of a dialogue, except for the model that the server has

	// Score scores items into the run behind path. Each new record is shown to accept; its error ends the run.
	Score func(ctx context.Context, path string, items iter.Seq[source.Item], accept func(*run.Record) error) error
}

// Experiment is a plan that is ready to be carried out.
type Experiment struct {
	Host
	plan      *Plan
	folder    string // of the runs
	ratings   *ratings.File
	files     []transcripts
	dialogues int    // that every config judges
	digest    string // of what was said in them
	configs   []configured
}

// transcripts is a file of dialogues.
type transcripts struct {
	name     string
	readable int          // dialogues
	picked   map[int]bool // the positions of those that are judged
}

// configured is a config with how it judges.
type configured struct {
	Config
	*Setup
	run      string // the file
	settings string // digest of what decides what the run holds
}

// maxFile is how many bytes of an experiment file are read; the parser refuses far fewer.
const maxFile = 1 << 20

// Prepare reads the experiment file and the dialogues, and settles what every config is judged by. Nothing is judged
// where anything is wrong.
func Prepare(ctx context.Context, file string, h Host) (*Experiment, error) {
	e := &Experiment{Host: h}
	f, err := h.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%w; want the file of an experiment", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	if e.plan, err = Parse(file, data); err != nil {
		return nil, err
	}
	if err := e.readRatings(); err != nil {
		return nil, err
	}
	switch {
	case h.Output != "":
		e.folder = filepath.Clean(h.Output)
	case e.plan.Output != "":
		e.folder = e.plan.Path(e.plan.Output)
	default:
		return nil, h.Hint(errors.New("no folder for the runs; want output: in the file, or -o DIR"), "assize experiment "+file+" -o runs")
	}
	for _, c := range e.plan.Configs() {
		s, err := h.Setup(e.plan, c)
		if err != nil {
			return nil, err
		}
		e.configs = append(e.configs, configured{Config: c, Setup: s, run: filepath.Join(e.folder, c.File)})
	}
	if err := e.pickDialogues(ctx); err != nil {
		return nil, err
	}
	for i := range e.configs {
		c := &e.configs[i]
		data, err := json.Marshal(append([]any{e.digest}, c.Decisive...))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		c.settings = hex.EncodeToString(sum[:])
	}
	return e, nil
}

// readRatings reads people's ratings, so that what is wrong with them is reported before anything is judged.
func (e *Experiment) readRatings() (err error) {
	e.Agree.Scale = ratings.DefaultScale
	if s := e.plan.Scale; s.Text != "" {
		if e.Agree.Scale, err = ratings.ParseScale(s.Text); err != nil {
			return fmt.Errorf("%s: scale: %w", s.Place, err)
		}
	}
	if e.plan.Ratings == "" {
		return nil
	}
	file := e.plan.Path(e.plan.Ratings)
	r, err := e.Open(file)
	if err != nil {
		return fmt.Errorf("ratings: %w", err)
	}
	defer r.Close()
	e.ratings, err = ratings.ReadFile(r, file)
	return err
}

// pickDialogues reads all dialogues once, reports those that cannot be read, and picks those that are judged.
func (e *Experiment) pickDialogues(ctx context.Context) error {
	var paths []string
	for _, path := range e.plan.Dialogues {
		if path == source.Stdin {
			return fmt.Errorf("%s: dialogues from standard input can be read only once; want files", e.plan.File)
		}
		paths = append(paths, e.plan.Path(path))
	}
	files, err := e.Find(paths)
	if err != nil {
		return err
	}
	sum := sha256.New()
	folder, _ := filepath.Abs(e.folder)
	for _, file := range files {
		if abs, err := filepath.Abs(file); err == nil && strings.HasPrefix(abs, folder+string(filepath.Separator)) {
			continue // in the folder of the runs nothing is a transcript
		}
		var positions []int
		var digests []string
		for it := range e.Samples([]string{file}, e.configs[0].Reading) {
			switch {
			case ctx.Err() != nil:
				return errors.New("stopped while the dialogues were read; nothing is run")
			case it.Err != nil:
				e.Complain(it.Err)
			default:
				positions = append(positions, it.Sample.Source.Position)
				digests = append(digests, it.Sample.Dialogue.Digest())
			}
		}
		picked := map[int]bool{}
		limit := len(positions)
		if e.plan.Limit > 0 {
			limit = min(limit, e.plan.Limit)
		}
		for i := range limit { // evenly, from the first on
			at := i * len(positions) / limit
			picked[positions[at]] = true
			fmt.Fprintln(sum, digests[at])
		}
		e.files = append(e.files, transcripts{file, len(positions), picked})
		e.dialogues += len(picked)
	}
	switch {
	case len(e.files) == 0:
		return fmt.Errorf("%s: all of the dialogues are in the folder of the runs, where none is read; want another output", e.plan.File)
	case e.dialogues == 0:
		return fmt.Errorf("%s: the files hold no dialogue; nothing is run", e.plan.File)
	}
	e.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// items reads the dialogues that are judged. What cannot be read was reported when they were picked.
func (e *Experiment) items(reading dialogue.Options) iter.Seq[source.Item] {
	return func(yield func(source.Item) bool) {
		for _, file := range e.files {
			for it := range e.Samples([]string{file.name}, reading) {
				if it.Err == nil && file.picked[it.Sample.Source.Position] && !yield(it) {
					return
				}
			}
		}
	}
}

// Describe shows what would be run, with an estimate of the calls. In rated dialogues the Critic has one doubt or two in
// each, and asks once about those that it drops and twice about the others.
func (e *Experiment) Describe(page *ui.Page) {
	page.Paragraph(ui.Plain, "", "", ui.Visible(fmt.Sprintf("%s: %s, %s in %s", e.plan.File,
		ui.Counted(e.dialogues, "dialogue"), ui.Counted(len(e.configs), "run"), e.folder)))
	page.WriteByte('\n')
	for _, file := range e.files {
		name := ui.Pad(ui.ClipFront(ui.Visible(file.name), 50), 50)
		page.Line(ui.Plain, fmt.Sprintf("  %s  %d of %d", name, len(file.picked), file.readable))
	}
	page.WriteByte('\n')
	for i := range e.configs {
		c := &e.configs[i]
		state := "to do"
		if status, err := readStatus(c.run); err == nil && status.done(c) {
			state = "done"
		} else if info, err := os.Stat(c.run); err == nil && info.Size() > 0 {
			state = "begun"
		}
		calls, doubts := ui.Counted(e.dialogues*max(1, c.Presentations), "call"), 2*e.dialogues
		switch {
		case c.Evaluator == judge.ByRules && c.Critic == judge.ByRules:
			calls = "no calls"
		case c.Evaluator == judge.ByRules:
			calls = fmt.Sprintf("about %d short calls", doubts)
		case c.Critic != judge.ByRules:
			calls = fmt.Sprintf("%s, about %d short", calls, doubts)
		}
		page.Line(ui.Plain, fmt.Sprintf("  %-7s%-28s%s", state, calls, c.File))
	}
}

// Run judges what the runs of the configs lack. A config that fails is reported, and the others are run.
func (e *Experiment) Run(ctx context.Context) error {
	if err := os.MkdirAll(e.folder, 0o777); err != nil {
		return fmt.Errorf("the folder of the runs: %w", err)
	}
	for i := range e.configs {
		c := &e.configs[i]
		err := e.runConfig(ctx, c, i)
		if ctx.Err() != nil {
			return errors.New("stopped; run the same command again to resume")
		}
		if err != nil {
			e.Complain(fmt.Errorf("%s: %w", &c.Config, err))
		}
	}
	return nil
}

func (e *Experiment) runConfig(ctx context.Context, c *configured, i int) error {
	was, err := readStatus(c.run)
	if err != nil || was.done(c) {
		return err
	}
	if _, err := os.Stat(c.run); errors.Is(err, os.ErrNotExist) {
		was = status{}
	}
	e.Note(fmt.Sprintf("%s (%d of %d): %s to %s", &c.Config, i+1, len(e.configs), ui.Counted(e.dialogues, "dialogue"), c.run))
	is := was
	err = c.Score(ctx, c.run, e.items(c.Reading), func(r *run.Record) error {
		if serverGone(r) { // what it would leave unscored is left for later
			return errors.New("the model's server is gone; what is judged is kept, and the same command resumes")
		}
		is.Complete = 0
		is.time(r)
		return nil
	})
	if info, failed := os.Stat(c.run); failed == nil && err == nil && ctx.Err() == nil {
		is.Complete, is.Settings = info.Size(), c.settings
	}
	if is == was { // nothing came of it
		return err
	}
	return errors.Join(err, is.write(c.run))
}

// serverGone reports whether the server failed in a way in which it would fail for every dialogue that follows.
func serverGone(r *run.Record) bool {
	if r.Model == nil || len(r.Model.Calls) == 0 {
		return false
	}
	last := r.Model.Calls[len(r.Model.Calls)-1].Failure
	return slices.Contains([]localllm.FailureKind{localllm.ServerDown, localllm.ModelAbsent, localllm.DigestDiffers}, last)
}

// status is kept in a file beside the run of a config: times, which a run must not hold, since they differ from day to
// day; and whether the run is complete, which is known so without asking the model's server. The zero status is that of a
// run that has not begun.
type status struct {
	Settings string  `json:"settings"` // digest of all that the config was run with
	Complete int64   `json:"complete"` // bytes of the run when it was complete; 0 while it is not
	Timed    int     `json:"timed"`    // dialogues that a model was asked about, except those answered from a cache
	Seconds  float64 `json:"seconds"`  // of the server, for these
}

// statusFile names the file of a run's status.
func statusFile(run string) string { return strings.TrimSuffix(run, ".jsonl") + ".mark.json" }

// readStatus reads the status of a run; the zero status where there is none.
func readStatus(run string) (s status, err error) {
	data, err := os.ReadFile(statusFile(run))
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err == nil && json.Unmarshal(data, &s) != nil {
		err = fmt.Errorf("%s: not as assize experiment writes it; remove it, and only the times are lost", statusFile(run))
	}
	return s, err
}

func (s status) write(run string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(statusFile(run), append(data, '\n'), 0o666)
}

// done reports whether the run of a config is there and complete, as its settings made it.
func (s status) done(c *configured) bool {
	info, err := os.Stat(c.run)
	return err == nil && s.Complete > 0 && info.Size() == s.Complete && s.Settings == c.settings
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
