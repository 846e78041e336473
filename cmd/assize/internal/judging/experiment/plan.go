// Package experiment compares models, panels and prompts on the same dialogues.
//
// An experiment is a YAML file; `assize experiment --help` shows one. Each run combines a model, a
// panel, a set of prompts and a repeat. The rules are a single run regardless of panels, prompts
// and repeats, since their result is always the same. A row of the table covers the repeats of one
// config.
package experiment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/settings"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/localllm"
	"assize/rubric/dialogue/importer"
)

// Plan is the content of an experiment file.
type Plan struct {
	File      string
	Dialogues []string // files, folders and patterns, as in the file
	Limit     int      // maximum number per file; 0 for all
	Models    []string
	Panels    []Panel
	Prompts   []string // folders of templates, or [Default]
	Repeats   int
	Options   map[string]settings.Value // flags of assize score for every config
	Output    string                    // folder of the runs; empty if not set
	Ratings   string                    // ratings file; empty for ratings in transcripts
	Scale     settings.Value            // scale of people's ratings; the zero Value if not set
}

// The names of the built-in model and prompts.
const (
	Rules   = "rules"   // as a model: the rules, without a model
	Default = "default" // as prompts: those of the program
)

// Panel is who judges, and how.
type Panel struct {
	Name  string
	Flags map[string]settings.Value // of assize score
}

const (
	wantKeys = "dialogues, limit, models, panels, prompts, repeats, options, output, ratings or scale, as assize " +
		"experiment --help shows them"
	wantPanels = "panels such as [{name: full}, {name: rules-critic, critic: rules}]"
)

// Read reads an experiment file. The caller checks whether its options are valid flags.
func Read(file string) (*Plan, error) {
	f, err := source.Open(nil, file)
	if err != nil {
		return nil, fmt.Errorf("%w; want the file of an experiment", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 1<<20)) // the parser's limit is much lower
	if err != nil {
		return nil, err
	}
	return parse(file, data)
}

// parse parses the content of an experiment file. Its errors are of type [*settings.Error].
func parse(name string, data []byte) (*Plan, error) {
	var file struct {
		Dialogues, Limit, Models, Prompts, Repeats, Output, Ratings, Scale settings.Value

		Panels  []map[string]settings.Value
		Options map[string]settings.Value
	}
	if err := settings.Read(name, data, &file, wantKeys); err != nil {
		return nil, err
	}
	p := &Plan{File: name, Dialogues: file.Dialogues.Texts, Models: file.Models.Texts,
		Prompts: file.Prompts.Texts, Options: file.Options, Scale: file.Scale}
	if p.Models == nil {
		p.Models = []string{Rules}
	}
	if p.Prompts == nil {
		p.Prompts = []string{Default}
	}
	var errs [4]error
	p.Limit, errs[0] = file.Limit.Number(0, 1_000_000)
	p.Repeats, errs[1] = file.Repeats.Number(1, 100)
	p.Output, errs[2] = file.Output.One()
	p.Ratings, errs[3] = file.Ratings.One()
	if err := cmp.Or(errs[:]...); err != nil {
		return nil, err
	}
	start := name + ":1:1"
	for i, flags := range file.Panels {
		flags = maps.Clone(flags) // an anchor shares one map between several places
		panel, err := flags["name"].One()
		if err != nil {
			return nil, err
		}
		if panel == "" {
			return nil, &settings.Error{Place: start, Msg: fmt.Sprintf("panel %d has no name", i+1),
				Want: wantPanels}
		}
		delete(flags, "name")
		p.Panels = append(p.Panels, Panel{panel, flags})
	}
	if p.Panels == nil {
		p.Panels = []Panel{{Name: "full"}}
	}
	if len(p.Dialogues) == 0 {
		return nil, &settings.Error{Place: start, Msg: "no dialogues",
			Want: "dialogues: with one path or more"}
	}
	seen := map[string]bool{} // some file systems ignore case
	for _, c := range p.Configs() {
		key := strings.ToLower(c.File)
		if seen[key] {
			return nil, &settings.Error{Place: start, Msg: "two runs would be in " + c.File,
				Want: "names that differ in letters or digits"}
		}
		seen[key] = true
	}
	return p, nil
}

// Path converts a path in the file, which is relative to the file's folder, to one relative to the
// working folder.
func (p *Plan) Path(path string) string {
	if filepath.IsAbs(path) || path == source.Stdin {
		return path
	}
	return filepath.Join(filepath.Dir(p.File), path)
}

// Config is the configuration of one run of an experiment.
type Config struct {
	Model string `json:"model"`
	// Panel is the panel's name. It is empty if the rules judge alone, as is Prompts.
	Panel   string `json:"panel"`
	Prompts string `json:"prompts"`
	Repeat  int    `json:"-"` // from 1
	File    string `json:"-"` // file name of the run, without its folder

	Flags map[string]settings.Value `json:"-"` // of the panel
}

// Row returns the name shared by the repeats of a config: "smollm2 full default", or "rules".
func (c *Config) Row() string {
	return strings.TrimSpace(short(c.Model) + " " + c.Panel + " " + c.Prompts)
}

// String returns the name of the config: "smollm2 full default 1".
func (c *Config) String() string { return fmt.Sprintf("%s %d", c.Row(), c.Repeat) }

// short returns a model's name with at most twelve digits of its digest.
func short(model string) string {
	name, digest, pinned := strings.Cut(model, "@sha256:")
	if !pinned {
		return model
	}
	return name + "@" + digest[:min(len(digest), 12)]
}

// Configs returns the configs: the rules first, and the repeats of each config next to each other.
func (p *Plan) Configs() (list []Config) {
	for _, model := range p.Models {
		if model == Rules {
			list = slices.Insert(list, 0, Config{Model: Rules, Repeat: 1, File: Rules + ".jsonl"})
			continue
		}
		for _, panel := range p.Panels {
			for _, prompts := range p.Prompts {
				for repeat := range p.Repeats {
					file := fmt.Sprintf("%s.%s.%s.%d.jsonl", safe(short(model)), safe(panel.Name),
						safe(prompts), repeat+1)
					list = append(list, Config{model, panel.Name, prompts, repeat + 1, file,
						panel.Flags})
				}
			}
		}
	}
	return list
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._]+`)

// safe converts a word to a part of a file name. Characters that some systems do not allow become a
// dash, and four parts fit into the usual limit of 255 bytes.
func safe(word string) string {
	name := strings.Trim(unsafe.ReplaceAllString(word, "-"), "-.")
	return cmp.Or(name[:min(len(name), 50)], "x")
}

// Experiment is a plan with everything needed to carry it out.
type Experiment struct {
	*console.Console
	*Plan
	Folder string          // of the runs
	Agree  agree.Options   // how agreement with people is measured
	People []*ratings.File // people's ratings; empty for those in the transcripts
	Runs   []*Run          // in the order of Configs

	files   []string      // output lines with file names and numbers of judged dialogues
	samples []source.Item // the dialogues that every config judges
	digest  string        // of their turns
}

// Run is a config and the run that it produces.
type Run struct {
	Config
	// Decisive is everything that determines the run's content for a dialogue, except for the model
	// on the server.
	Decisive []any

	// Score scores items into the run at path and calls accept with each new record. If accept
	// returns an error, the run ends.
	Score func(ctx context.Context, path string, items iter.Seq[source.Item],
		accept func(*run.Record) error) error
}

// Pick reads the dialogues of files, reports unreadable ones, and picks the dialogues to judge,
// evenly spaced over each file and starting with the first.
func (e *Experiment) Pick(ctx context.Context, files []string, reading importer.Options) error {
	sum := sha256.New()
	folder, _ := filepath.Abs(e.Folder)
	for _, file := range files {
		if abs, err := filepath.Abs(file); err == nil &&
			strings.HasPrefix(abs, folder+string(filepath.Separator)) {
			continue // the folder of the runs contains no transcripts
		}
		var readable []source.Item
		for it := range corpus.Samples(e.Console, []string{file}, reading) {
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
		name := ui.Pad(ui.ClipFront(ui.Visible(file), 50), 50)
		e.files = append(e.files, fmt.Sprintf("  %s  %d of %d", name, picked, len(readable)))
	}
	if len(e.samples) == 0 {
		return fmt.Errorf("%s: the files, without those in the folder of the runs, hold no dialogue; nothing is run", e.File)
	}
	e.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// Describe lists the runs and their state.
func (e *Experiment) Describe(page *ui.Page) {
	page.Paragraph(ui.Plain, "", "", ui.Visible(fmt.Sprintf("%s: %s, %s in %s", e.File,
		ui.Counted(len(e.samples), "dialogue"), ui.Counted(len(e.Runs), "run"), e.Folder)))
	fmt.Fprintf(page, "\n%s\n\n", strings.Join(e.files, "\n"))
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

// Judge completes the runs. If a config fails, it is reported and the other configs are run.
func (e *Experiment) Judge(ctx context.Context) error {
	if err := os.MkdirAll(e.Folder, 0o777); err != nil {
		return fmt.Errorf("the folder of the runs: %w", err)
	}
	for i, r := range e.Runs {
		s, err := e.status(r)
		if err == nil && !s.complete {
			e.Advise(fmt.Sprintf("%s (%d of %d): %s to %s", &r.Config, i+1, len(e.Runs),
				ui.Counted(len(e.samples), "dialogue"), e.path(r)))
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

func (e *Experiment) judge(ctx context.Context, r *Run, s status) error {
	path := e.path(r)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		s = status{}
	}
	err := r.Score(ctx, path, slices.Values(e.samples), func(rec *run.Record) error {
		if serverGone(rec) { // dialogues that this would leave unscored are left for later
			return errors.New(
				"the model's server is gone; what is judged is kept, and the same command resumes")
		}
		s.Complete = 0
		s.time(rec)
		return nil
	})
	info, failed := os.Stat(path)
	if failed == nil && err == nil && ctx.Err() == nil {
		s.Complete, s.Settings = info.Size(), e.settings(r)
	}
	data, failed := json.Marshal(s)
	if failed == nil {
		failed = os.WriteFile(e.statusFile(r), append(data, '\n'), 0o666)
	}
	return errors.Join(err, failed)
}

// serverGone reports whether the server failed in a way that would affect all following dialogues.
func serverGone(r *run.Record) bool {
	if r.Model == nil || len(r.Model.Calls) == 0 {
		return false
	}
	last := r.Model.Calls[len(r.Model.Calls)-1].Failure
	return slices.Contains([]localllm.FailureKind{localllm.ServerDown, localllm.ModelAbsent,
		localllm.DigestDiffers}, last)
}

func (e *Experiment) path(r *Run) string { return filepath.Join(e.Folder, r.File) }

// settings returns everything that determines a run's content.
func (e *Experiment) settings(r *Run) string { return fmt.Sprint(e.digest, r.Decisive) }

// status is stored in a file next to a run. It contains times, which a run must not, since they
// vary, and whether the run is complete, which avoids a request to the model's server. The zero
// status is that of a run that has not begun.
type status struct {
	Settings string  `json:"settings"` // everything that determined the run's content
	Complete int64   `json:"complete"` // size of the complete run in bytes; 0 if incomplete
	Timed    int     `json:"timed"`    // dialogues sent to a model and not cached
	Seconds  float64 `json:"seconds"`  // server time for these

	// complete reports whether the run exists and is complete under its current settings.
	complete bool
}

func (e *Experiment) statusFile(r *Run) string {
	return strings.TrimSuffix(e.path(r), ".jsonl") + ".mark.json"
}

func (e *Experiment) status(r *Run) (s status, err error) {
	data, err := os.ReadFile(e.statusFile(r))
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err == nil && json.Unmarshal(data, &s) != nil {
		err = fmt.Errorf(
			"%s: not as assize experiment writes it; remove it, and only the times are lost",
			e.statusFile(r))
	}
	info, absent := os.Stat(e.path(r))
	s.complete = absent == nil && s.Complete > 0 && s.Complete == info.Size() &&
		s.Settings == e.settings(r)
	return s, err
}

// time adds the time that a model spent on a dialogue, which may be zero if the Critic has no
// doubts. If an answer came from a cache, the time is unknown and nothing is added.
func (s *status) time(r *run.Record) {
	if r.Model == nil ||
		slices.ContainsFunc(r.Model.Timings.Calls,
			func(c localllm.CallTime) bool { return c.Cached }) {
		return
	}
	s.Timed++
	s.Seconds += r.Model.Timings.Spent().Seconds()
}
