package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"assize/cmd/assize/internal/judging/evidence"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Result contains the figures of the repeats of a config. Agreement with people is that of the
// first repeat. Shares are from 0 to 1; tokens and seconds are means over the dialogues sent to a
// model. Values that cannot be measured are NaN.
type Result struct {
	Config          // of the first repeat
	Runs   []string `json:"runs"`
	// Missing is the number of incomplete repeats. If there are any, nothing is measured.
	Missing   int      `json:"missing"`
	Dialogues int      `json:"dialogues"` // in all repeats
	Unscored  int      `json:"unscored"`
	ByRules   int      `json:"by_rules"` // scored by the rules because the model failed
	Agreement struct { // Spearman correlation of the two scores of a whole dialogue
		Satisfaction agree.Figure `json:"satisfaction"`
		Average      agree.Figure `json:"numeric_weighted_average"`
	} `json:"agreement"`
	// Evidence is the share of the turns cited for low scores that contain a fault.
	Evidence     stats.Fixed `json:"evidence"`
	ByChance     stats.Fixed `json:"evidence_by_chance"`
	Cited        int         `json:"cited"`        // turns
	Flips        stats.Fixed `json:"flips"`        // share of scores that differ between repeats
	Disagreement stats.Fixed `json:"disagreement"` // of the cross-checks, from 0 to 4
	Tokens       stats.Fixed `json:"tokens"`       // read and generated, over all calls
	Seconds      stats.Fixed `json:"seconds"`      // server time, without cached answers
	Timed        int         `json:"timed"`        // dialogues

	rows  []run.Row // dialogues scored by the first repeat
	cited evidence.Relevance
	// scores contains, by the index of the dialogue in the run, the scores of each repeat that
	// scored it.
	scores  [][][rubric.NumCriteria]rubric.Score
	seconds float64

	flipped, compared    int       // scores that differ between repeats, of all
	disagreement, tokens []float64 // values to average
}

func newResult(c Config) *Result {
	r := &Result{Config: c, Runs: []string{}}
	r.Agreement.Satisfaction, r.Agreement.Average = agree.MissingFigure(""), agree.MissingFigure("")
	return r
}

// add adds the record of the dialogue at index at of a run.
func (r *Result) add(at int, rec *run.Record) {
	r.Dialogues++
	if a := rec.Model; a != nil {
		tokens := 0
		for _, c := range a.Calls {
			tokens += c.PromptTokens + c.Generated
		}
		r.tokens = append(r.tokens, float64(tokens))
	}
	if at == len(r.scores) {
		r.scores = append(r.scores, nil)
	}
	if !rec.Scored() {
		r.Unscored++
		return
	}
	if slices.Contains(rec.Fallback, run.Evaluator) {
		r.ByRules++
	} else {
		r.cited.Add(rubric.Case{Dialogue: rec.Dialogue, Signals: rec.Evaluation.Signals},
			rec.Evaluation.Evaluator)
	}
	if rec.CrossCheck != nil {
		r.disagreement = append(r.disagreement, float64(rec.CrossCheck.Disagreement)/100)
	}
	is := rec.Evaluation.Final.Scores()
	for _, was := range r.scores[at] {
		r.compared += len(is)
		for c := range is {
			if is[c] != was[c] {
				r.flipped++
			}
		}
	}
	r.scores[at] = append(r.scores[at], is)
}

// finish computes the figures of the added records.
func (r *Result) finish() {
	fixed := func(v float64) stats.Fixed { return stats.Fixed{Value: v, Decimals: 4} }
	r.Flips, r.Disagreement = fixed(float64(r.flipped)/float64(r.compared)),
		fixed(stats.Mean(r.disagreement, nil))
	r.Tokens, r.Seconds = fixed(stats.Mean(r.tokens, nil)), fixed(r.seconds/float64(r.Timed))
	r.Evidence, r.ByChance = fixed(math.NaN()), fixed(math.NaN())
	if r.Cited = r.cited.Cited; r.Cited >= evidence.MinCited {
		r.Evidence, r.ByChance = fixed(r.cited.Share()), fixed(r.cited.Base())
	}
}

// Measure reads the runs and compares them with people's ratings, if there are any.
func (e *Experiment) Measure(ctx context.Context) (*Table, error) {
	t := &Table{Version: 1, File: e.File, Dialogues: len(e.samples), Draws: e.Agree.Draws,
		Seed: e.Agree.Seed, Notes: []string{}}
	for _, one := range e.Runs {
		if one.Repeat == 1 {
			t.Results = append(t.Results, newResult(one.Config))
		}
		r := t.Results[len(t.Results)-1]
		s, err := e.status(one)
		if err == nil && s.complete {
			if err = e.read(r, one); err != nil {
				e.Complain(console.Hint(err, "assize replay "+e.path(one),
					"remove the file to judge its dialogues again"))
			}
		}
		if err != nil || !s.complete {
			r.Missing++
		}
		r.Timed += s.Timed
		r.seconds += s.Seconds
	}
	for i, r := range t.Results {
		if missing := r.Missing; missing > 0 {
			r = newResult(r.Config)
			r.finish()
			r.Missing, t.Results[i] = missing, r
			t.note(fmt.Sprintf("%s: nothing is measured; not complete: %s.", r.Row(),
				ui.Counted(missing, "run")))
			continue
		}
		r.finish()
		if r.ByRules > 0 {
			t.note(fmt.Sprintf("%s: the rules judged %d of %d dialogues instead of the model.",
				r.Row(), r.ByRules, r.Dialogues))
		}
		if err := t.agree(ctx, r, e.People, e.Agree); err != nil { // the other figures remain valid
			e.Complain(fmt.Errorf("%s: %w", r.Row(), err))
		}
		if ctx.Err() != nil {
			return nil, errors.New("stopped before everything was measured; nothing is printed")
		}
	}
	return t, nil
}

// read adds the records of a complete run to a result.
func (e *Experiment) read(r *Result, of *Run) error {
	file := e.path(of)
	f, err := source.Open(nil, file)
	if err != nil {
		return err
	}
	defer f.Close()
	at := 0
	for line, err := range run.Read(f, file) {
		if err != nil {
			return err
		}
		rec, err := line.Decode()
		if err != nil {
			return err
		}
		r.add(at, rec)
		at++
		if of.Repeat == 1 && rec.Scored() {
			r.rows = append(r.rows, rec.Row(len(r.rows)))
		}
	}
	r.Runs = append(r.Runs, file)
	return nil
}

// agree measures how well a result agrees with people's ratings, in files or in the dialogues, if
// these dialogues are rated.
func (t *Table) agree(ctx context.Context, r *Result, files []*ratings.File,
	opt agree.Options) error {
	carried := slices.ContainsFunc(r.rows, func(row run.Row) bool { return len(row.Ratings) > 0 })
	if len(r.rows) == 0 || files == nil && !carried {
		return nil
	}
	rated, notes, err := ratings.Collect(r.rows, files, nil, opt.Scale)
	if len(rated) == 0 {
		return err
	}
	t.rated = true
	report := agree.New(ctx, rated, opt)
	t.note(append(notes, report.Notes...)...)
	get := func(measure string) agree.Figure {
		return report.Of(report.Mean, agree.Key{Rated: agree.OverallRating, Measure: measure,
			Statistic: agree.Spearman})
	}
	r.Agreement.Satisfaction, r.Agreement.Average = get(agree.Satisfaction), get(agree.Average)
	return err
}

// Table is the outcome of an experiment. Its JSON is that of --format json.
type Table struct {
	Version   int       `json:"assize_experiment"`
	File      string    `json:"file"`
	Dialogues int       `json:"dialogues"` // judged by every config
	Draws     int       `json:"draws"`     // bootstrap draws
	Seed      uint64    `json:"seed"`
	Results   []*Result `json:"rows"`
	Notes     []string  `json:"notes"` // what a reader must know, one sentence each
	rated     bool      // whether people rated some of the dialogues
}

// note adds sentences that are not in Notes yet.
func (t *Table) note(sentences ...string) {
	for _, s := range sentences {
		if !slices.Contains(t.Notes, s) {
			t.Notes = append(t.Notes, s)
		}
	}
}

// Formats returns the names of the formats, the default first.
func Formats() []string { return []string{"text", "markdown", "csv", "json"} }

// Text writes the table in human-readable form.
func (t *Table) Text(p *ui.Page) {
	runs := 0
	for _, r := range t.Results {
		runs += len(r.Runs)
	}
	p.Heading("#", fmt.Sprintf("%s: %s, %s", t.File, ui.Counted(t.Dialogues, "dialogue"),
		ui.Counted(runs, "run")))
	for _, table := range t.tables() {
		p.Table(table)
	}
}

// tables returns the human-readable tables: agreement, how the configs judge, and the cost of a
// dialogue.
func (t *Table) tables() (list []*ui.Table) {
	people := ui.NewTable("Agreement with people", "=24", "n>", "satisfaction", "weighted average")
	people.Notes = []string{"Spearman with people's mean ratings, with its 95 % interval."}
	judging := ui.NewTable("How they judge", "=24", "unscored>", "evidence>", "by chance>",
		"flips>", "disagreement>")
	judging.Notes = []string{
		"evidence: of the turns cited for scores up to 60, the share at which the rules see a " +
			"fault of the same criterion; by chance: that of turns picked at random. flips: the share of scores that another " +
			"repeat changes. disagreement: of the model with the rules, from 0.00 to 4.00."}
	cost := ui.NewTable("What a dialogue takes", "=24", "tokens>", "seconds>")
	cost.Notes = []string{
		"tokens: read and generated in all calls; seconds: as the server reports."}
	asked := false
	for _, r := range t.Results {
		label := r.Row()
		people.Add(label, r.Agreement.Average.N, r.Agreement.Satisfaction, r.Agreement.Average)
		unscored := "–"
		if r.Missing == 0 {
			unscored = fmt.Sprintf("%d of %d", r.Unscored, r.Dialogues)
		}
		judging.Add(label, unscored, percent(r.Evidence), percent(r.ByChance), percent(r.Flips),
			shown(r.Disagreement, 2))
		cost.Add(label, shown(r.Tokens, 0), shown(r.Seconds, 1))
		asked = asked || len(r.tokens) > 0
	}
	if t.rated {
		list = append(list, people)
	}
	if list = append(list, judging); asked {
		list = append(list, cost)
	}
	last := list[len(list)-1]
	last.Notes = append(last.Notes, t.Notes...)
	return list
}

func shown(f stats.Fixed, decimals int) string {
	return cmp.Or(stats.Fixed{Value: f.Value, Decimals: decimals}.String(), "–")
}

func percent(f stats.Fixed) string {
	if math.IsNaN(f.Value) {
		return "–"
	}
	return shown(stats.Fixed{Value: 100 * f.Value}, 1) + " %"
}

// Figures returns a table for CSV with a row for each config and all figures.
func (t *Table) Figures() *ui.Table {
	table := ui.NewTable("", "model", "panel", "prompts",
		"repeats", "missing", "dialogues", "unscored", "by_rules", "rated",
		"satisfaction", "satisfaction_low", "satisfaction_high",
		"numeric_weighted_average", "numeric_weighted_average_low", "numeric_weighted_average_high",
		"evidence", "evidence_by_chance", "flips", "disagreement", "tokens", "seconds", "cited",
		"timed")
	for _, r := range t.Results {
		cells := []any{r.Model, r.Panel, r.Prompts,
			len(r.Runs), r.Missing, r.Dialogues, r.Unscored, r.ByRules, r.Agreement.Average.N}
		for _, f := range []agree.Figure{r.Agreement.Satisfaction, r.Agreement.Average} {
			for _, v := range []float64{f.Value, f.Low, f.High} {
				cells = append(cells, stats.Fixed{Value: v, Decimals: 4})
			}
		}
		table.Add(append(cells, r.Evidence, r.ByChance, r.Flips, r.Disagreement, r.Tokens,
			r.Seconds, r.Cited, r.Timed)...)
	}
	return table
}
