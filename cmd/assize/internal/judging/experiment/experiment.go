// Package experiment scores the same dialogues in several ways, one after the other, and compares
// the runs in one table. `assize experiment --help` shows the file that describes an experiment.
package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"strings"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/settings"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Plan is the content of an experiment's file. Paths are relative to the file.
type Plan struct {
	File      string
	Dialogues []string // files, folders and patterns
	Runs      []Run
}

// Run is one way of scoring.
type Run struct {
	Name  string
	Flags map[string]settings.Value // flags and settings of score
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$`)

// Read reads an experiment's file. The caller checks the flags of the runs.
func Read(file string) (*Plan, error) {
	data, err := settings.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; want the file of an experiment", err)
	}
	var in struct {
		Dialogues settings.Value
		Common    map[string]settings.Value
		Runs      []map[string]settings.Value
	}
	if err := settings.Read(file, data, &in, "dialogues, common or runs, as assize "+
		"experiment --help shows them"); err != nil {
		return nil, err
	}
	p := &Plan{File: file, Dialogues: in.Dialogues.Texts}
	used := map[string]bool{} // in lower case, since some file systems ignore case
	for _, flags := range in.Runs {
		r := Run{Flags: map[string]settings.Value{}}
		maps.Copy(r.Flags, in.Common)
		for key, value := range flags {
			if key != "name" {
				r.Flags[key] = value
			} else if r.Name, err = value.One(); err != nil {
				return nil, err
			}
		}
		if lower := strings.ToLower(r.Name); !nameForm.MatchString(r.Name) || used[lower] {
			return nil, &settings.Error{Place: cmp.Or(flags["name"].Place, file+":1:1"),
				Msg:  fmt.Sprintf("the name %q of a run occurs twice or is not allowed", r.Name),
				Want: "another name for each run, of letters, digits, dots and dashes"}
		}
		used[strings.ToLower(r.Name)] = true
		p.Runs = append(p.Runs, r)
	}
	if len(p.Dialogues) == 0 || len(p.Runs) == 0 {
		return nil, &settings.Error{Place: file + ":1:1", Msg: "no dialogues, or no runs",
			Want: `dialogues: and runs: such as [{name: rules}, {name: both, model: tiny}]`}
	}
	return p, nil
}

// Path returns a path in the file as one that is relative to the working folder.
func (p *Plan) Path(path string) string {
	if filepath.IsAbs(path) || path == ui.Stdin {
		return path
	}
	return filepath.Join(filepath.Dir(p.File), path)
}

var texts = prose.Of("experiment")

// Table is the outcome of an experiment. Its JSON is that of --format json.
type Table struct {
	Version int      `json:"assize_experiment"`
	File    string   `json:"file"`
	Rows    []*row   `json:"rows"`
	Notes   []string `json:"notes"` // what a reader must know, one sentence each
}

// row has the figures of a run. Values that cannot be measured are NaN.
type row struct {
	Name      string `json:"name"`
	Complete  bool   `json:"complete"` // otherwise nothing is measured
	Dialogues int    `json:"dialogues"`
	Scored    int    `json:"scored"`
	// Spearman correlations with people's ratings
	Satisfaction agree.Figure `json:"satisfaction"`
	Average      agree.Figure `json:"numeric_weighted_average"`
	// changes of these over the rated dialogues of the first run
	Gain        agree.Figure `json:"satisfaction_gain"`
	AverageGain agree.Figure `json:"average_gain"`
	Change      stats.Fixed  `json:"change"`         // mean change of the average against the first run
	Differ      stats.Fixed  `json:"differ"`         // share of scores that differ from the first run's
	Overall     stats.Fixed  `json:"overall_differ"` // share of dialogues whose Overall differs

	rows   map[run.Identity]*run.Row // the scored dialogues, without repeats
	header *run.Header
}

// Add adds the row of a run in a file. If it is not complete, nothing is measured. Rated returns
// people's ratings of dialogues, and notes about them.
func (t *Table) Add(ctx context.Context, name, file string, complete bool, opt agree.Options,
	rated func([]*run.Row) ([]ratings.Rated, []string, error)) error {
	none := agree.MissingFigure("no rating of a dialogue was read")
	r := &row{Name: name, Complete: complete, Satisfaction: none, Average: none,
		Gain: none, AverageGain: none, rows: map[run.Identity]*run.Row{}}
	t.Rows = append(t.Rows, r)
	defer func() {
		if why := r.Satisfaction.Warning; r.Complete && why != "" {
			t.note(texts.Text("no figures", why))
		}
		first := t.Rows[0]
		r.against(first)
		if len(r.rows) > 0 && len(first.rows) > 0 &&
			r.header.Basis.Rubric.Weights != first.header.Basis.Rubric.Weights {
			r.Change.Value = math.NaN()
			t.note(texts.Text("other weights", name))
		}
	}()
	if !complete {
		t.note(texts.Text("incomplete", name))
		return nil
	}
	rows, err := r.read(file)
	if err != nil {
		r.Complete = false
		return console.Hint(err, "assize replay "+file,
			"remove the file to judge its dialogues again")
	}
	for _, row := range ui.Once(rows, (*run.Row).Copy) {
		r.rows[row.Identity] = row
	}
	r.Scored = len(r.rows)
	people, notes, err := rated(rows)
	people, repeats := ratings.Once(people)
	t.note(append(notes, repeats...)...)
	if len(people) == 0 {
		return err
	}
	report := agree.New(ctx, people, opt)
	t.note(report.Notes...)
	learnt, _ := ratings.WithoutTraining([]*run.Header{r.header}, people)
	t.note(ui.Each(learnt, func(s string) string { return name + ": " + s })...)
	if len(report.Rated) > 0 && report.Rated[0] != agree.OverallRating {
		r.Satisfaction.Warning = texts.Text("only criteria")
		return err
	}
	r.Satisfaction = correlation(report, agree.Satisfaction)
	r.Average = correlation(report, agree.Average)
	first := t.Rows[0]
	r.Gain = first.gain(ctx, people, opt, func(r *run.Row) int { return int(r.Satisfaction) })
	r.AverageGain = first.gain(ctx, people, opt, func(r *run.Row) int { return int(r.Average) })
	if r != first {
		t.note(texts.List("gains", map[string]any{"Run": r, "First": first.Name})...)
	}
	return err
}

// correlation returns the Spearman correlation of a measure with people's ratings.
func correlation(r *agree.Report, measure string) agree.Figure {
	return r.Of(r.Mean, agree.Key{Rated: agree.OverallRating, Measure: measure,
		Statistic: agree.Spearman})
}

// gain returns by how much a score of rated dialogues correlates better with the ratings than that
// of the same dialogues in the first run, as agree compares satisfaction with the average.
func (first *row) gain(ctx context.Context, rated []ratings.Rated, opt agree.Options,
	score func(*run.Row) int) agree.Figure {
	var both []ratings.Rated
	for _, now := range rated {
		if was, ok := first.rows[now.Row.Identity]; ok {
			row := *now.Row
			row.Satisfaction = rubric.Hundredths(score(now.Row))
			row.Average, now.Row = rubric.Hundredths(score(was)), &row
			both = append(both, now)
		}
	}
	return correlation(agree.New(ctx, both, opt), agree.Ahead)
}

// read returns the scored rows of a run, counts its records, and keeps their header.
func (r *row) read(file string) (rows []*run.Row, err error) {
	for _, lines := range source.Each(nil, []string{file}, run.Read) {
		for line, failed := range lines {
			var rec *run.Record
			if part := (*run.Unfinished)(nil); errors.As(failed, &part) && part.Whole() {
				continue
			}
			if err = failed; err == nil {
				rec, err = line.Decode()
			}
			if err == nil && rec.Scored() {
				rows = append(rows, new(rec.Row(r.Dialogues)))
			}
			r.Dialogues++
			if r.header = line.Header; err != nil {
				break
			}
		}
	}
	return rows, err
}

// against compares a run with the first one, over the dialogues that both scored.
func (r *row) against(first *row) {
	change, differ, overall, both := 0, 0, 0, 0
	for identity, row := range r.rows {
		was, ok := first.rows[identity]
		if !ok || r == first {
			continue
		}
		both++
		change += int(row.Average - was.Average)
		if row.Overall != was.Overall {
			overall++
		}
		for k, score := range row.Final {
			if score != was.Final[k] {
				differ++
			}
		}
	}
	r.Change = stats.Four(float64(change) / 100 / float64(both)) // NaN if both is 0
	r.Differ = stats.Four(float64(differ) / float64(both*rubric.NumCriteria))
	r.Overall = stats.Four(float64(overall) / float64(both))
}

// note adds sentences that are not in Notes yet.
func (t *Table) note(sentences ...string) { t.Notes = ui.Distinct(append(t.Notes, sentences...)) }

// Text writes the table in human-readable form.
func (t *Table) Text(p *ui.Page) {
	p.Heading("#", fmt.Sprintf("%s: %s", t.File, ui.Counted(len(t.Rows), "run")))
	table := ui.NewTable("", "=18", "scored>", "satisfaction", "average>", "change>",
		"scores changed>", "Overall changed>")
	shown := func(v float64, decimals int, unit string) string {
		if math.IsNaN(v) {
			return "–"
		}
		return stats.Fixed{Value: v, Decimals: decimals}.String() + unit
	}
	for _, r := range t.Rows {
		table.Add(r.Name, r.Scored, r.Satisfaction, stats.Short(r.Average.Value, 2),
			shown(r.Change.Value, 2, ""), shown(100*r.Differ.Value, 1, " %"),
			shown(100*r.Overall.Value, 1, " %"))
	}
	table.Notes = append([]string{texts.Say("columns", nil)}, t.Notes...)
	p.Table(table)
}
