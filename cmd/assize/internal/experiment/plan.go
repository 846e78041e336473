// Package experiment compares models, panels and prompts on the same dialogues.
//
// An experiment is a YAML file, which `assize experiment --help` shows. Each run is of a model, with a panel, asked by
// some prompts, for one of the repeats. The rules are one run whatever the panels, the prompts and the repeats: they
// always say the same. A row of the table is what the repeats of the same config have in common.
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

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/corpus"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/settings"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
	"assize/rubric/dialogue"
)

// Plan is what an experiment file asks for.
type Plan struct {
	File      string
	Dialogues []string // files, folders and patterns, as in the file
	Limit     int      // dialogues of each file; 0 for all
	Models    []string
	Panels    []Panel
	Prompts   []string // folders of templates, or [Default]
	Repeats   int
	Options   map[string]settings.Value // flags of score for every config
	Output    string                    // the folder of the runs; empty where the file names none
	Ratings   string                    // a file of people's ratings; empty for those in the transcripts
	Scale     settings.Value            // of people's ratings; the zero Value where the file has none
}

// The names that a file may use for what comes with the program.
const (
	Rules   = "rules"   // among the models: the rules, without a model
	Default = "default" // among the prompts: those of the program
)

// Panel is who judges, and how.
type Panel struct {
	Name  string
	Flags map[string]settings.Value // of score
}

const (
	wantKeys = "dialogues, limit, models, panels, prompts, repeats, options, output, ratings or scale, as assize " +
		"experiment --help shows them"
	wantPanels = "panels such as [{name: full}, {name: rules-critic, critic: rules}]"
)

// Read reads an experiment file. Whether its settings are flags, and their values valid, is for the caller to check.
func Read(file string) (*Plan, error) {
	f, err := source.Open(nil, file)
	if err != nil {
		return nil, fmt.Errorf("%w; want the file of an experiment", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 1<<20)) // the parser refuses far fewer bytes
	if err != nil {
		return nil, err
	}
	return parse(file, data)
}

// parse reads the content of an experiment file. The error is a [*settings.Error].
func parse(name string, data []byte) (*Plan, error) {
	var file struct {
		Dialogues, Limit, Models, Prompts, Repeats, Output, Ratings, Scale settings.Value

		Panels  []map[string]settings.Value
		Options map[string]settings.Value
	}
	if err := settings.Read(name, data, &file, wantKeys); err != nil {
		return nil, err
	}
	p := &Plan{File: name, Dialogues: file.Dialogues.Texts, Models: file.Models.Texts, Prompts: file.Prompts.Texts,
		Options: file.Options, Scale: file.Scale}
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
		flags = maps.Clone(flags) // an anchor stands for one map in several places
		panel, err := flags["name"].One()
		if err != nil {
			return nil, err
		}
		if panel == "" {
			return nil, &settings.Error{Place: start, Msg: fmt.Sprintf("panel %d has no name", i+1), Want: wantPanels}
		}
		delete(flags, "name")
		p.Panels = append(p.Panels, Panel{panel, flags})
	}
	if p.Panels == nil {
		p.Panels = []Panel{{Name: "full"}}
	}
	if len(p.Dialogues) == 0 {
		return nil, &settings.Error{Place: start, Msg: "no dialogues", Want: "dialogues: with one path or more"}
	}
	seen := map[string]bool{} // on some systems letters do not differ by case
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

// Path makes a path of the file, which is relative to the file's folder, one of the working folder.
func (p *Plan) Path(path string) string {
	if filepath.IsAbs(path) || path == source.Stdin {
		return path
	}
	return filepath.Join(filepath.Dir(p.File), path)
}

// Config is what one run of an experiment is judged by.
type Config struct {
	Model   string `json:"model"`
	Panel   string `json:"panel"`   // its name; empty where the rules judge alone, as are
	Prompts string `json:"prompts"` // the prompts
	Repeat  int    `json:"-"`       // from 1
	File    string `json:"-"`       // the name of the run, without its folder

	Flags map[string]settings.Value `json:"-"` // of the panel
}

// Row names what the repeats of a config have in common: "smollm2 full default", or "rules".
func (c *Config) Row() string {
	return strings.TrimSpace(short(c.Model) + " " + c.Panel + " " + c.Prompts)
}

// String names the config: "smollm2 full default 1".
func (c *Config) String() string { return fmt.Sprintf("%s %d", c.Row(), c.Repeat) }

// short gives a model's name with at most twelve digits of its digest.
func short(model string) string {
	name, digest, pinned := strings.Cut(model, "@sha256:")
	if !pinned {
		return model
	}
	return name + "@" + digest[:min(len(digest), 12)]
}

// Configs lists the configs: the rules first, and the repeats of each next to each other.
func (p *Plan) Configs() (list []Config) {
	for _, model := range p.Models {
		if model == Rules {
			list = slices.Insert(list, 0, Config{Model: Rules, Repeat: 1, File: Rules + ".jsonl"})
			continue
		}
		for _, panel := range p.Panels {
			for _, prompts := range p.Prompts {
				for repeat := range p.Repeats {
					file := fmt.Sprintf("%s.%s.%s.%d.jsonl", safe(short(model)), safe(panel.Name), safe(prompts), repeat+1)
					list = append(list, Config{model, panel.Name, prompts, repeat + 1, file, panel.Flags})
				}
			}
		}
	}
	return list
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._]+`)

// safe makes a part of a file's name from a word. What not every system allows in names becomes a dash, and four parts
// fit into the 255 bytes that systems allow.
func safe(word string) string {
	name := strings.Trim(unsafe.ReplaceAllString(word, "-"), "-.")
	return cmp.Or(name[:min(len(name), 50)], "x")
}

// Experiment is a plan with all that is needed to carry it out.
type Experiment struct {
	*console.Console
	*Plan
	Folder string          // of the runs
	Agree  agree.Options   // how agreement with people is measured
	People []*ratings.File // people's ratings; none for those in the transcripts
	Runs   []*Run          // in the order of Configs

	files   []string      // lines of names, and how many of the dialogues in each are judged
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

// Pick reads the dialogues of files, reports those that cannot be read, and picks those that are judged: evenly over
// each file, from the first on.
func (e *Experiment) Pick(ctx context.Context, files []string, reading dialogue.Options) error {
	sum := sha256.New()
	folder, _ := filepath.Abs(e.Folder)
	for _, file := range files {
		if abs, err := filepath.Abs(file); err == nil && strings.HasPrefix(abs, folder+string(filepath.Separator)) {
			continue // in the folder of the runs nothing is a transcript
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

// Describe shows what would be run.
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

// Judge judges what the runs lack. A config that fails is reported, and the others are run.
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
		if serverGone(rec) { // what it would leave unscored is left for later
			return errors.New("the model's server is gone; what is judged is kept, and the same command resumes")
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

// serverGone reports whether the server failed in a way in which it would fail for every dialogue that follows.
func serverGone(r *run.Record) bool {
	if r.Model == nil || len(r.Model.Calls) == 0 {
		return false
	}
	last := r.Model.Calls[len(r.Model.Calls)-1].Failure
	return slices.Contains([]localllm.FailureKind{localllm.ServerDown, localllm.ModelAbsent, localllm.DigestDiffers}, last)
}

func (e *Experiment) path(r *Run) string { return filepath.Join(e.Folder, r.File) }

// settings tells all that decides what a run holds.
func (e *Experiment) settings(r *Run) string { return fmt.Sprint(e.digest, r.Decisive) }

// status is kept in a file beside a run. It has times, which a run must not hold, since they differ from day to day,
// and whether the run is complete, so that nobody needs to ask the model's server. The zero status is that of a run
// that has not begun.
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
