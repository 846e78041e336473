// Package sample estimates how people would rate all dialogues of a run from a random sample that
// they rated.
package sample

import (
	"cmp"
	"fmt"
	"slices"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Satisfaction and Below name the figures other than those of the criteria.
const (
	Satisfaction = "Satisfaction"
	Below        = "Below 60"
)

// figures is the number of figures.
const figures = 2 + rubric.NumCriteria

// Names returns the names of the figures: satisfaction, the share below 60, and the criteria.
func Names() []string {
	list := []string{Satisfaction, Below}
	for _, c := range rubric.Criteria() {
		list = append(list, c.String())
	}
	return list
}

// Estimates are the estimates for the scored dialogues of a run or a group. Call
// [Estimates.Add] for each of them, and [Estimates.Rate] for those that were drawn and rated.
type Estimates struct {
	n    int
	sums [figures]float64 // of the scores
	by   [figures]stats.Sampled
}

// Of returns the figures of the scored rows, some of which are rated. A repeated row counts once.
func Of(rows []run.Row, rated []ratings.Rated) []Figure {
	e, seen := &Estimates{}, map[run.Identity]bool{}
	for i := range rows {
		if r := &rows[i]; r.Scored() && !seen[r.Identity] {
			seen[r.Identity] = true
			e.Add(r)
		}
	}
	for i := range rated {
		e.Rate(&rated[i])
	}
	return e.Figures()
}

// scores returns the values of the figures as the scores have them, and the scores that predict
// people's. Both are whole numbers or hundredths as whole numbers, whose sums are exact.
func scores(r *run.Row) (values, predictors [figures]float64) {
	values[0], predictors[0], predictors[1] = float64(r.Satisfaction), float64(r.Satisfaction),
		float64(r.Satisfaction)
	if r.Overall < 60 {
		values[1] = 1
	}
	for c, score := range r.Final {
		values[2+c], predictors[2+c] = float64(score), float64(score)
	}
	return values, predictors
}

// Add adds a scored dialogue.
func (e *Estimates) Add(r *run.Row) {
	values, predictors := scores(r)
	e.n++
	for i := range e.by {
		e.sums[i] += values[i]
		e.by[i].Add(predictors[i])
	}
}

// Rate adds the ratings of a dialogue, unless it was not drawn at random. A rating below 3 of 5 is
// one below 60. Of several ratings the mean counts, and for the share below 60 their own share.
func (e *Estimates) Rate(r *ratings.Rated) {
	if r.Drawn == (stats.Stratum{}) {
		return
	}
	low := slices.Clone(r.Overall)
	for i, v := range low {
		if low[i] = 0 * v; v < 3 { // NaN remains
			low[i] = 1
		}
	}
	_, predictors := scores(r.Row)
	for i, given := range append([][]float64{r.Overall, low}, r.Criteria[:]...) {
		if given == nil {
			continue
		}
		rating := ratings.Mean(given, nil)
		if i >= 2 {
			rating *= 20
		}
		e.by[i].Rate(predictors[i], rating, r.Drawn)
	}
}

// Figure is a mean or a share as the scores have it, and as people would rate: estimated by the
// sample alone, and corrected with the scores of all dialogues (see [stats.Sampled]). The two are
// unknown for fewer than [stats.MinSampled] ratings.
type Figure struct {
	Name      string         `json:"measure"`
	Scores    float64        `json:"scores"`
	Rated     stats.Estimate `json:"rated"`
	Corrected stats.Estimate `json:"corrected"`
	N         int            `json:"n"`  // rated dialogues
	Of        int            `json:"of"` // all dialogues

	times    float64 // for display
	decimals int
	unit     string
}

// Figures returns satisfaction, the share below 60, and each criterion, as far as they are rated.
func (e *Estimates) Figures() (list []Figure) {
	for i, name := range Names() {
		s, estimate := &e.by[i], (*stats.Sampled).Mean
		f := Figure{Name: name, Scores: e.sums[i] / float64(e.n), times: 1, decimals: 1}
		switch name {
		case Satisfaction:
			f.Scores, f.decimals = f.Scores/100, 2
		case Below:
			f.times, f.unit, estimate = 100, " %", (*stats.Sampled).Share
		}
		if f.N, f.Of = s.Of(); f.N > 0 {
			f.Rated, f.Corrected = estimate(s, false), estimate(s, true)
			list = append(list, f)
		}
	}
	return list
}

// value formats a value of the figure, such as "8.1" and "3.39", without its unit.
func (f *Figure) value(v float64) string {
	return stats.Fixed{Value: f.times * v, Decimals: f.decimals}.String()
}

// with formats an estimate of the figure with its interval, such as "8.1 % (5.0–11.9 %)".
func (f *Figure) with(e stats.Estimate) string {
	if !e.Known() {
		return "–"
	}
	return f.value(e.Value) + f.unit + " (" + f.value(e.Low) + "–" + f.value(e.High) + f.unit + ")"
}

// String returns the figure as a sentence.
func (f Figure) String() string {
	by := f.Name + ": " + f.value(f.Scores) + f.unit + " by the scores; "
	if why := f.Why(); why != "" {
		return by + fmt.Sprintf("%d rated at random, %s.", f.N, why)
	}
	return by + fmt.Sprintf("about %s as your team rates, from %d drawn at random of %d.",
		f.with(f.Corrected), f.N, f.Of)
}

// NotDrawn says that nothing can be estimated.
const NotDrawn = "These dialogues were not drawn at random, so their ratings do not say how " +
	"people would rate all; assize triage --sample draws some that do."

// Why says why there is no estimate, or "" if there is one.
func (f *Figure) Why() string {
	switch {
	case f.Corrected.Known():
		return ""
	case f.N >= stats.MinSampled:
		return "too few of each group"
	}
	return fmt.Sprintf("too few ratings; want %d", stats.MinSampled)
}

// AddTo adds a row to a table of figures of groups.
func (f *Figure) AddTo(t *ui.Table, group string) {
	rated := "–"
	if f.Rated.Known() {
		rated = f.value(f.Rated.Value) + f.unit
	}
	t.Add(group, f.Name, f.value(f.Scores)+f.unit, rated, f.corrected(), f.N)
}

// corrected returns the corrected figure, or why there is none.
func (f *Figure) corrected() string { return cmp.Or(f.Why(), f.with(f.Corrected)) }

// Table returns a table of figures.
func Table(figures []Figure) *ui.Table {
	t := ui.NewTable("As people rate, from a random sample", "of", "scores>", "as rated>",
		"corrected>", "rated>")
	t.Notes = []string{"corrected: with the scores of all dialogues (PPI++); 95 % intervals, " +
		"about dialogues and raters like these"}
	for _, f := range figures {
		t.Add(f.Name, f.value(f.Scores)+f.unit, f.with(f.Rated), f.corrected(), f.N)
	}
	return t
}
