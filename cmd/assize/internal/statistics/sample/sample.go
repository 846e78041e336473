// Package sample estimates how people would rate all dialogues of a run from a random sample that
// they rated.
package sample

import (
	"fmt"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Estimates are the estimates for the scored dialogues of a run or a group. Call
// [Estimates.Add] for each of them, and [Estimates.Rate] for those that were drawn and rated.
type Estimates struct {
	n, average, low int // dialogues, the sum of satisfaction, and those below 60
	scores          [rubric.NumCriteria]int

	satisfaction, below stats.Sampled
	criteria            [rubric.NumCriteria]stats.Sampled
}

// Of returns the figures of rows, all scored, some of which are rated. A repeated row counts once.
func Of(rows []run.Row, rated []ratings.Rated) []Figure {
	e, seen := &Estimates{}, map[run.Identity]bool{}
	for i := range rows {
		if r := &rows[i]; !seen[r.Identity] {
			seen[r.Identity] = true
			e.Add(r)
		}
	}
	for i := range rated {
		e.Rate(&rated[i])
	}
	return e.Figures()
}

// Add adds a scored dialogue.
func (e *Estimates) Add(r *run.Row) {
	e.n++
	e.average += int(r.Satisfaction)
	if r.Overall < 60 {
		e.low++
	}
	e.satisfaction.Add(float64(r.Satisfaction)) // hundredths, whose sums are exact in any order
	e.below.Add(float64(r.Satisfaction))
	for c, score := range r.Final {
		e.scores[c] += int(score)
		e.criteria[c].Add(float64(score))
	}
}

// Rate adds the ratings of a dialogue, unless it was not drawn at random. A rating below 3 of 5 is
// one below 60. Of several ratings the mean counts, and for the share below 60 their own share.
func (e *Estimates) Rate(r *ratings.Rated) {
	if r.Drawn == 0 {
		return
	}
	sat := float64(r.Row.Satisfaction)
	if r.Overall != nil {
		low := make([]float64, len(r.Overall))
		for i, v := range r.Overall {
			if low[i] = v; v < 3 {
				low[i] = 1
			} else if v >= 3 {
				low[i] = 0
			}
		}
		e.satisfaction.Rate(sat, ratings.Mean(r.Overall, nil), r.Drawn)
		e.below.Rate(sat, ratings.Mean(low, nil), r.Drawn)
	}
	for c, given := range r.Criteria {
		if given != nil {
			e.criteria[c].Rate(float64(r.Row.Final[c]), 20*ratings.Mean(given, nil), r.Drawn)
		}
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
}

// The names of the figures other than those of the criteria.
const (
	Satisfaction = "Satisfaction"
	Below        = "Below 60"
)

// Figures returns satisfaction, the share below 60, and each criterion, as far as they are rated.
func (e *Estimates) Figures() (list []Figure) {
	add := func(name string, scores float64, s *stats.Sampled,
		estimate func(*stats.Sampled, bool) stats.Estimate) {
		if n, of := s.Of(); n > 0 {
			list = append(list,
				Figure{name, scores / float64(e.n), estimate(s, false), estimate(s, true), n, of})
		}
	}
	mean := (*stats.Sampled).Mean
	add(Satisfaction, float64(e.average)/100, &e.satisfaction, mean)
	add(Below, float64(e.low), &e.below, (*stats.Sampled).Share)
	for i, c := range rubric.Criteria() {
		add(c.String(), float64(e.scores[i]), &e.criteria[i], mean)
	}
	return list
}

// unit returns by how much to multiply values of the figure, their decimals, and their unit.
func (f *Figure) unit() (times float64, decimals int, unit string) {
	switch f.Name {
	case Below:
		return 100, 1, " %"
	case Satisfaction:
		return 1, 2, ""
	}
	return 1, 1, ""
}

// value formats a value of the figure, such as "8.1" and "3.39", without its unit.
func (f *Figure) value(v float64) string {
	times, decimals, _ := f.unit()
	return stats.Fixed{Value: times * v, Decimals: decimals}.String()
}

// With formats an estimate of the figure with its interval, such as "8.1 % (5.0–11.9 %)".
func (f *Figure) With(e stats.Estimate) string {
	if !e.Known() {
		return "–"
	}
	_, _, unit := f.unit()
	return f.value(e.Value) + unit + " (" + f.value(e.Low) + "–" + f.value(e.High) + unit + ")"
}

// String returns the figure as a sentence.
func (f Figure) String() string {
	_, _, unit := f.unit()
	by := f.Name + ": " + f.value(f.Scores) + unit + " by the scores; "
	if !f.Corrected.Known() {
		return by + TooFew(f.N) + "."
	}
	return by + fmt.Sprintf("about %s as your team rates, from %d drawn at random of %d.",
		f.With(f.Corrected), f.N, f.Of)
}

// NotDrawn says that nothing can be estimated.
const NotDrawn = "These dialogues were not drawn at random, so their ratings do not say how people " +
	"would rate all; assize triage --sample draws some that do."

// TooFew says that n ratings are too few for an estimate.
func TooFew(n int) string {
	if n >= stats.MinSampled {
		return fmt.Sprintf("%d rated at random, too few of each group for a figure", n)
	}
	return fmt.Sprintf("%d rated at random, too few for a figure; want %d", n, stats.MinSampled)
}

// Table returns a table of figures.
func Table(figures []Figure) *ui.Table {
	t := ui.NewTable("As people rate, from a random sample", "", "scores>", "as rated>",
		"corrected>", "rated>")
	t.Notes = []string{"corrected: with the scores of all dialogues (PPI++); 95 % intervals, about " +
		"dialogues and raters like these"}
	for _, f := range figures {
		_, _, unit := f.unit()
		t.Add(f.Name, f.value(f.Scores)+unit, f.With(f.Rated), f.With(f.Corrected), f.N)
	}
	return t
}
