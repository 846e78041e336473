package agree

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/ui"
)

// By says what makes dialogues a group.
type By string

// The ways to group. [Auto] is by file, unless no file holds enough rated dialogues.
const (
	Auto     By = ""
	ByFile   By = "file"
	ByFolder By = "folder"
	ByFormat By = "format"
	ByAll    By = "all"
)

// of names the group of a dialogue.
func (b By) of(r *run.Row) string {
	switch b {
	case ByFile:
		return r.File
	case ByFolder:
		return path.Dir(strings.ReplaceAll(r.File, `\`, "/"))
	case ByFormat:
		return string(r.Format)
	}
	return string(ByAll)
}

// Table holds the figures of every group and their mean.
type Table struct {
	Dialogues int      `json:"dialogues"`
	By        By       `json:"by"`
	Mean      Mean     `json:"mean"`
	Groups    []Group  `json:"groups"`
	Notes     []string `json:"-"` // what a reader must know, a sentence each
}

// Mean is the mean of figures over the groups that have them, each group counting the same.
type Mean []Figure

// Group is a group of dialogues.
type Group struct {
	Name      string      `json:"name"`
	Dialogues int         `json:"dialogues"`
	Figures   Figures     `json:"figures"`
	Confusion []Confusion `json:"confusion,omitempty"`
}

// Figures are the figures of a group.
type Figures []Figure

// Confusion counts dialogues: a row for each level of people's, a column for each of the measure's, lowest first.
type Confusion struct {
	Rated   string  `json:"rated"`
	Measure string  `json:"measure"`
	Counts  [][]int `json:"counts"`
}

// Of finds a figure among figures of the table; it is without a value where there is none.
func (t *Table) Of(figures []Figure, k Key) Figure {
	for _, f := range figures {
		if f.Key == k {
			return f
		}
	}
	return None("nobody rated it")
}

// Confusion adds up the tables of a measure over the groups, each with levels of its own.
func (t *Table) Confusion(rated, measure string) [][]int {
	sum := make([][]int, numLevels)
	for l := range sum {
		sum[l] = make([]int, numLevels)
	}
	for _, g := range t.Groups {
		for _, c := range g.Confusion {
			for l := range sum {
				for k := range sum[l] {
					if c.Rated == rated && c.Measure == measure {
						sum[l][k] += c.Counts[l][k]
					}
				}
			}
		}
	}
	return sum
}

// GroupNames gives the groups the names that a table shows: of files without folders, unless two are then the same.
func (t *Table) GroupNames() []string {
	full, short := make([]string, len(t.Groups)), make([]string, len(t.Groups))
	for i, g := range t.Groups {
		full[i] = ui.Visible(g.Name)
		short[i] = full[i]
		if t.By == ByFile || t.By == ByFolder {
			short[i] = ui.Visible(path.Base(strings.ReplaceAll(g.Name, `\`, "/")))
		}
	}
	if different := slices.Compact(slices.Sorted(slices.Values(short))); len(different) < len(short) {
		return full
	}
	return short
}

// divide puts rows into groups of their indices, in the order in which these first come. Where by is Auto and no group
// would be large enough for a figure, it takes the next larger ones that are, and a note says so.
func divide(rows []*run.Row, what string, by By) (names []string, groups [][]int, _ By, note string) {
	try := func(by By) (largest int) {
		names, groups = nil, nil
		at := map[string]int{}
		for i, r := range rows {
			name := by.of(r)
			k, ok := at[name]
			if !ok {
				k = len(names)
				at[name] = k
				names, groups = append(names, name), append(groups, nil)
			}
			groups[k] = append(groups[k], i)
			largest = max(largest, len(groups[k]))
		}
		return largest
	}
	switch {
	case by == ByAll:
		if try(ByFile); len(names) > 1 {
			note = "All files are taken together, so the figures also give credit for telling one file from another."
		}
	case by != Auto:
	case try(ByFile) >= Fewest || len(rows) < Fewest:
		by = ByFile
	case try(ByFolder) >= Fewest:
		by, note = ByFolder, fmt.Sprintf("No file holds %d %s, so they are taken together by folder.", Fewest, what)
	default:
		by, note = ByAll, fmt.Sprintf("No file and no folder holds %d %s, so all are taken together.", Fewest, what)
	}
	try(by)
	return names, groups, by, note
}

// tabulate measures dialogues, which what names, group by group. gauges makes the gauges of a group, which is given by
// the indices of its rows; those of no rows give the keys.
func tabulate(ctx context.Context, what string, rows []*run.Row, opt Options, gauges func(group []int) []*gauge) Table {
	names, groups, by, note := divide(rows, what, opt.By)
	t := Table{Dialogues: len(rows), By: by, Groups: []Group{}}
	if note != "" {
		t.Notes = []string{note}
	}
	for _, g := range gauges(nil) {
		for _, k := range g.keys {
			t.Mean = append(t.Mean, Figure{Key: k, Why: g.why})
		}
	}
	type measured struct {
		Group
		samples [][]float64
	}
	places := make([]int, len(groups))
	for i := range places {
		places[i] = i
	}
	each := run.Ordered(ctx, max(1, opt.Jobs), slices.Values(places), func(_ context.Context, i int) measured {
		m := measured{Group: Group{Name: names[i], Dialogues: len(groups[i])}}
		own := gauges(groups[i])
		for _, g := range own {
			if g.levels != nil {
				m.Confusion = append(m.Confusion, Confusion{g.keys[0].Rated, g.keys[0].Measure, g.levels.Confusion()})
			}
		}
		// The seeds of two groups are apart by the odd number next to 2⁶⁴ over the golden ratio, so that no two draw alike.
		m.samples = sample(own, len(groups[i]), opt.Draws, opt.Seed+uint64(i)*0x9e3779b97f4a7c15)
		for _, g := range own {
			for _, k := range g.keys {
				f := Figure{Key: k, N: g.n, Groups: 1, Why: g.why}
				if math.IsNaN(m.samples[0][len(m.Figures)]) {
					f.Groups, f.Why = 0, cmp.Or(g.why, k.Statistic.undefined())
				}
				m.Figures = append(m.Figures, f)
			}
		}
		settle(m.Figures, m.samples)
		return m
	})
	sums := make([][]float64, 1+opt.Draws) // over the groups that have a figure
	for d := range sums {
		sums[d] = make([]float64, len(t.Mean))
	}
	for m := range each {
		t.Groups = append(t.Groups, m.Group)
		for i, f := range m.Figures {
			mean := &t.Mean[i]
			if f.Groups == 0 {
				if len(t.Groups) == 1 {
					mean.Why = f.Why
				}
				continue
			}
			mean.N, mean.Groups = mean.N+f.N, mean.Groups+1
			for d, values := range m.samples {
				sums[d][i] += values[i]
			}
		}
	}
	settle(t.Mean, sums)
	t.Notes = append(t.Notes, t.leftOut(what)...)
	return t
}

// sample measures a group of n dialogues: first as they are, and then as each draw of the bootstrap has them.
func sample(gauges []*gauge, n, draws int, seed uint64) (samples [][]float64) {
	size, possible := 0, false
	for _, g := range gauges {
		size, possible = size+len(g.keys), possible || g.why == ""
	}
	read := func(times []int) {
		values := make([]float64, size)
		samples = append(samples, values)
		for _, g := range gauges {
			own := values[:len(g.keys)]
			values = values[len(g.keys):]
			if g.why == "" {
				g.take(times, own)
				continue
			}
			for i := range own {
				own[i] = math.NaN()
			}
		}
	}
	if read(nil); possible {
		for times := range stats.Resamples([]int{n}, draws, seed) {
			read(times[0])
		}
	}
	return samples
}

// settle computes figures from samples that are sums over as many groups as each figure says. The first sample is of the
// dialogues as they are, the rest are draws.
func settle(figures []Figure, samples [][]float64) {
	drawn := make([]float64, len(samples)-1)
	for i := range figures {
		f := &figures[i]
		f.Value, f.Interval = math.NaN(), noInterval
		if f.Groups == 0 {
			continue
		}
		n := float64(f.Groups)
		f.Value, f.Why = samples[0][i]/n, ""
		for d, values := range samples[1:] {
			drawn[d] = values[i] / n
		}
		if f.Interval = stats.Percentile(drawn); math.IsNaN(f.Low) && len(drawn) > 0 {
			f.Why = "there is no interval, since it is not defined in more than 5 % of the draws"
		}
	}
}

// leftOut says which groups have no figures.
func (t *Table) leftOut(what string) []string {
	var small []string
	for _, g := range t.Groups {
		if g.Dialogues < Fewest {
			small = append(small, g.Name)
		}
	}
	switch {
	case len(small) == 0:
		return nil
	case len(t.Groups) == 1 || t.Dialogues < Fewest:
		return []string{fmt.Sprintf("There are fewer than %d %s, too few for any figure.", Fewest, what)}
	case len(small) == len(t.Groups):
		return []string{fmt.Sprintf("No group holds %d %s, and there is no figure for fewer; --by all takes them "+
			"together.", Fewest, what)}
	}
	names := strings.Join(small[:min(len(small), 3)], ", ")
	if rest := len(small) - 3; rest > 0 {
		names += fmt.Sprintf(" and %d more", rest)
	}
	return []string{fmt.Sprintf("Groups with fewer than %d %s have no figures and are not in the mean: %s.", Fewest,
		what, names)}
}
