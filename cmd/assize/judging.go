package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/settings"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// readingFlags say how to read transcripts.
type readingFlags struct {
	inputFormat  flags.Choice `flag:"input-format"`
	roleMap      []string     `flag:"role-map"`
	systemNames  []string     `flag:"system-name"`
	columns      []string     `flag:"columns"`
	sheet        string       `flag:"sheet"`
	strictImport bool         `flag:"strict-import"`
	maxDialogue  int          `flag:"max-dialogue"`
	dates        flags.Choice `flag:"dates"`
}

// Preset sets the defaults.
func (o *readingFlags) Preset() {
	o.inputFormat.Words = ui.Each(importer.Formats(),
		func(f dialogue.Format) string { return string(f) })
	o.maxDialogue = importer.DefaultMaxDialogue
}

// options returns the options for reading transcripts. uses are those that --columns may have.
func (o *readingFlags) options(uses []string) (importer.Options, error) {
	opt := importer.Options{
		Format: dialogue.Format(o.inputFormat.Value), Dates: o.dates.Value, Strict: o.strictImport,
		MaxDialogue: o.maxDialogue, Sheet: o.sheet,
	}
	if n, err := strconv.Atoi(o.sheet); err == nil && n < 1 || errors.Is(err, strconv.ErrRange) {
		return opt, texts.Error("sheet", o.sheet)
	}
	for _, names := range o.systemNames { // a name may contain a comma
		opt.SystemNames = append(opt.SystemNames, names)
		if parts := strings.Split(names, ","); len(parts) > 1 {
			opt.SystemNames = append(opt.SystemNames, parts...)
		}
	}
	opt.Columns, opt.Roles = map[string]string{}, map[string]dialogue.Role{}
	ofRatings, last := slices.Contains(uses, "rater"), ""
	for _, pair := range o.columns {
		use, column, ok := strings.Cut(pair, "=")
		_, noCriterion := rubric.ParseCriterion(last)
		if !ok && (last == "rating" || noCriterion == nil || last == "where") { // rating=anna,ben
			before, more := opt.Columns[last], strings.TrimSpace(pair)
			if last == "rating" && !ofRatings {
				return opt, texts.Error("two people", before, pair)
			}
			if last != "where" && slices.Contains(strings.Split(before, ","), more) {
				return opt, fmt.Errorf("--columns: %s names %s twice", last, pair)
			}
			opt.Columns[last] = before + "," + more
			continue
		}
		use, column = strings.TrimSpace(use), strings.Trim(strings.TrimSpace(column), `"`)
		if !ok || column == "" || !slices.Contains(uses, use) {
			return opt, texts.Error("columns", pair, strings.Join(uses, ", "))
		}
		if ofRatings && use == "id" && opt.Columns[use] != "" && slices.Contains(uses, "text") {
			use = ratings.SecondID
		}
		if other := opt.Columns[use]; other != "" && other != column {
			if use != "where" {
				return opt, texts.Error("two columns", use, other, column)
			}
			column = other + "\n" + column // another condition
		}
		opt.Columns[use], last = column, use
	}
	begin := "" // of a name that contains a comma
	for i, pair := range o.roleMap {
		pair = begin + pair
		if begin = ""; !strings.Contains(pair, "=") && i < len(o.roleMap)-1 {
			begin = pair + ","
			continue
		}
		name, role, ok := strings.Cut(pair, "=")
		r, err := dialogue.ParseRole(role)
		if name = strings.TrimSpace(name); !ok || err != nil {
			return opt, fmt.Errorf(`--role-map %q; want NAME=system, NAME=user or NAME=other`, pair)
		}
		opt.Roles[name] = r
	}
	return opt, nil
}

// groupedBy returns the columns of --by, with agent or queue for a column of this use. A comma
// crosses columns.
func groupedBy(columns map[string]string, by ...string) []string {
	for i := range by {
		parts := strings.Split(by[i], ",")
		for k, name := range parts {
			for _, use := range []string{"agent", "queue"} {
				if name != "" && strings.EqualFold(name, columns[use]) {
					parts[k] = use
				}
			}
		}
		by[i] = strings.Join(parts, ",")
	}
	return by
}

// judgingFlags say how to read and judge transcripts, for commands that also accept runs.
type judgingFlags struct {
	scaleFlags
	readingFlags
	since string `flag:"since"`
	until string `flag:"until"`
}

// reading returns the options for reading transcripts, without the columns that --columns names for
// the files of --ratings. Both may have an id and ratings: a rating belongs to the transcripts if
// no file has its column, and so does an id, unless only the files have it, or the first of two.
func (p *program) reading(o *readingFlags, paths, files []string) (importer.Options, error) {
	if !p.given["ratings"] {
		return o.options(importer.Uses())
	}
	// the importer has id and rating
	opt, err := o.options(append(importer.Uses(), ratings.Uses[2:]...))
	id, both := opt.Columns[ratings.SecondID]
	delete(opt.Columns, ratings.SecondID)
	if p.columns = maps.Clone(opt.Columns); both {
		p.columns["id"] = id
	}
	found := func(use, columns string) bool {
		return slices.ContainsFunc(files, func(file string) bool {
			if file == ui.Stdin || columns == "" { // can be read only once, or need not
				return file == ui.Stdin
			}
			r, err := source.Open(p.In, file)
			if err != nil {
				return false
			}
			defer r.Close()
			return ratings.HasColumns(r, file, use, columns)
		})
	}
	var where [2][]string // conditions on transcripts, and on ratings
	for _, text := range ratings.Conditions(p.columns) {
		isOfRatings := found("where", text)
		if isOfRatings {
			where[1] = append(where[1], text)
		}
		if !isOfRatings || slices.Equal(paths, files) {
			where[0] = append(where[0], text)
		}
	}
	delete(opt.Columns, "where")
	if where[0] != nil {
		opt.Columns["where"] = strings.Join(where[0], "\n")
	}
	p.columns["where"] = strings.Join(where[1], "\n")
	for _, use := range ratings.Uses {
		switch found := found(use, p.columns[use]); {
		case use == "id":
			opt.OtherID = found && p.columns[use] == opt.Columns[use]
		case use != "rating" || found || strings.Contains(p.columns[use], ","):
			delete(opt.Columns, use)
		}
	}
	p.transcribed = opt.Columns
	return opt, err
}

// onlyForTranscripts returns an error if a flag of a group is on the command line that cannot be
// used with a run. Flags in the config file do not conflict.
func (p *program) onlyForTranscripts(command, group string) error {
	for _, name := range flags.Group(command, group) {
		if p.given[name] && (name != "columns" || !p.given["ratings"]) {
			return texts.Error("not with a run", name)
		}
	}
	for _, use := range slices.Sorted(maps.Keys(p.transcribed)) {
		if !slices.Contains(ratings.Uses, use) {
			return texts.Error("not of ratings", use, p.transcribed[use])
		}
	}
	return nil
}

// corpus opens the files and folders in paths for a command. ratings are the files of --ratings.
func (p *program) corpus(ctx context.Context, command string, paths []string, o *judgingFlags,
	jobs int, output string, ratings ...string) (*corpus.Corpus, error) {
	opt := corpus.Options{Command: command, Paths: paths, Output: output, Jobs: jobs,
		Days: [2]string{o.since, o.until}}
	for i, day := range opt.Days {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return nil, texts.Error("day", corpus.DayFlags[i], day)
		}
	}
	reading, err := p.reading(&o.readingFlags, paths, ratings)
	if err != nil {
		return nil, err
	}
	opt.Refused = p.onlyForTranscripts(command, "Judging transcripts")
	opt.Judging = func() (importer.Options, *judge.Judge, error) {
		j, err := o.scaleFlags.judge(judge.Options{Dates: o.dates.Value})
		return reading, j, err
	}
	c, err := corpus.Open(ctx, p.Console, opt)
	if err == nil && c.Rules == nil {
		p.transcribed, c.Verify = nil, heuristics.New() // no figure is of an edited record
	}
	return c, err
}

// scaleFlags say by what standard dialogues are measured.
type scaleFlags struct {
	rubric  string       `flag:"rubric"`
	kind    flags.Choice `flag:"kind"`
	profile string       `flag:"profile"`
}

// readRubric reads the rubric. It returns an error if the file refers to an unknown detector.
func (o *scaleFlags) readRubric(agents *heuristics.Agents) (rubric.Rubric, error) {
	r := rubric.Default()
	if o.rubric != "" {
		data, err := settings.ReadFile(o.rubric)
		if err != nil {
			return r, err
		}
		if r, err = rubric.Parse(o.rubric, data); err != nil {
			return r, err
		}
	}
	detectors := agents.Titles()
	for _, id := range r.Detectors() {
		if detectors[id] == "" {
			err := fmt.Errorf("%s: unknown detector %q", o.rubric, id)
			hints := flags.DidYouMean(id, slices.Sorted(maps.Keys(detectors)))
			return r, console.Hint(err, append(hints, "assize explain lists all")...)
		}
	}
	if _, err := agents.Scorecard(r); err != nil {
		return r, fmt.Errorf("%s:%w", o.rubric, err)
	}
	return r, nil
}

// judge returns the judge of the rules that the flags describe.
func (o *scaleFlags) judge(opt judge.Options) (_ *judge.Judge, err error) {
	agents := heuristics.New()
	if opt.Rubric, err = o.readRubric(agents); err != nil {
		return nil, err
	}
	opt.Profile, opt.Kind = satisfaction.DefaultProfile(), o.kind.Value
	if o.profile != "" {
		data, err := settings.ReadFile(o.profile)
		if err != nil {
			return nil, fmt.Errorf("--profile %w", err)
		}
		opt.Profile, err = satisfaction.ParseProfile(o.profile, data)
		if err == nil {
			err = opt.Profile.CheckDetectors(o.profile)
		}
		if err != nil {
			return nil, err
		}
	}
	return judge.New(agents, opt), nil
}

// serverFlags say how to reach the server of a model, and how long to wait for it.
type serverFlags struct {
	ollama string `flag:"ollama"`
	// The first --allow-remote of a server says who may connect, and its model is on this machine.
	modelRemote bool          `flag:"allow-remote"`
	timeout     time.Duration `flag:"model-timeout"`
	patience    time.Duration `flag:"model-patience"`
}

// contextFlags say how the server runs the model.
type contextFlags struct {
	numCtx    int `flag:"num-ctx"`
	numThread int `flag:"num-thread"`
}

// options returns the options of a model with the prompt templates in a folder; "" for the
// built-in.
func (o *serverFlags) options(c *contextFlags, prompts string) (opt localllm.Options, err error) {
	opt = localllm.Options{Address: o.ollama, AllowRemote: o.modelRemote, Deadline: o.timeout,
		Patience: o.patience, Prompts: localllm.DefaultPrompts(),
		Settings: localllm.Settings{NumCtx: c.numCtx, NumThread: c.numThread}}
	if prompts != "" {
		if opt.Prompts, err = localllm.ReadPrompts(os.DirFS(prompts)); err != nil {
			err = fmt.Errorf("prompts %s: %w", prompts, err)
		}
	}
	return opt, err
}

// modelFlags say which model judges, and how to ask it.
type modelFlags struct {
	model string `flag:"model"`
	serverFlags
	calibration string       `flag:"calibration"`
	prompts     string       `flag:"prompts"`
	cache       string       `flag:"cache"`
	evaluator   flags.Choice `flag:"evaluator"`
	critic      flags.Choice `flag:"critic"`
	fallback    flags.Choice `flag:"fallback"`
	contextFlags
	keepAlive time.Duration `flag:"keep-alive"`
	overflow  flags.Choice  `flag:"on-overflow"`
	wanted    bool          // the command line names the model
}

// agents returns who plays Evaluator and Critic.
func (o *modelFlags) agents() (evaluator, critic string) {
	if o.model == "" {
		return judge.ByRules, judge.ByRules
	}
	evaluator = judge.ByModel
	if o.calibration != "" {
		evaluator = judge.BySkill
	}
	return cmp.Or(o.evaluator.Value, evaluator), cmp.Or(o.critic.Value, judge.ByBoth)
}

// used reports whether a model plays at least one agent.
func (o *modelFlags) used() bool {
	evaluator, critic := o.agents()
	return evaluator != judge.ByRules || critic != judge.ByRules
}

// validate returns nil: the conflicts are in the table. It records what [modelFlags.open] needs.
func (o *modelFlags) validate(given map[string]bool, _ []string) error {
	o.wanted = given["model"]
	return nil
}

// open prepares the model, if the flags name one that plays an agent or answers questions.
func (o *modelFlags) open(ctx context.Context, j *judge.Judge) error {
	idle := !o.used() && !j.Rubric.NeedsModel()
	switch {
	case o.model == "" || idle && !o.wanted:
		return nil
	case idle:
		return texts.Error("idle model")
	}
	opt, err := o.options(&o.contextFlags, o.prompts)
	if err != nil {
		return err
	}
	if o.cache != "" {
		if opt.Cache, err = localllm.OpenCache(o.cache); err != nil {
			return fmt.Errorf("--cache: %w", err)
		}
	}
	var c *calibration.Calibration
	if o.calibration != "" {
		data, err := settings.ReadFile(o.calibration)
		if err == nil {
			c, err = calibration.Parse(o.calibration, data)
		}
		if err != nil {
			return fmt.Errorf("--calibration %w", err)
		}
		opt.Scales, opt.Claims = c.Scales(), c.ClaimScales()
	}
	opt.Model = o.model
	opt.KeepAlive, opt.Overflow = o.keepAlive.String(), o.overflow.Value
	m, err := localllm.Open(ctx, opt)
	var f *localllm.Failure
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("stopped before the model was ready; nothing is scored")
	case errors.As(err, &f):
		err = fmt.Errorf("--model: %s", f.Msg)
		return console.Hint(err, f.Hint, "assize explain "+string(f.Kind))
	case err != nil:
		return err
	}
	j.Evaluator, j.Critic = o.agents()
	if c != nil {
		if err := c.Check(m.Identity()); err != nil {
			return console.Hint(fmt.Errorf("--calibration %s: %w", o.calibration, err),
				"assize doctor --model NAME -o FILE makes one")
		}
	}
	j.Model, j.Calibration, j.Fallback = m, c, o.fallback.Value == judge.ByRules
	if c != nil && c.Satisfaction.Rating > 0 && j.Profile.Model == nil && j.Profile.Learned == nil {
		j.Profile.Model = &c.Satisfaction
	}
	return nil
}

// useWeights notes surprising effects of the profile or the calibration on the scores. It removes
// the weights of another model from the profile, because they do not apply to this one.
func useWeights(c *console.Console, j *judge.Judge) {
	weights, id := j.Profile.Model, localllm.Identity{}
	if j.Model != nil {
		id = j.Model.Identity()
	}
	same := weights != nil && weights.Digest == id.Digest
	c.Notes(texts.List("weights", struct {
		*judge.Judge
		ID    localllm.Identity
		Same  bool // the weights are for this model
		Rules string
		Idle  bool // the model answers only questions
	}{j, id, same, j.Agents.Digest(), j.Evaluator == judge.ByRules && j.Critic == judge.ByRules}))
	if j.Model != nil && weights != nil && !same {
		j.Profile = j.Profile.WithoutModel()
	}
}
