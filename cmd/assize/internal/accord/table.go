package accord

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Table holds the figures of every group and their mean.
type Table struct {
	Dialogues int
	By        By
	Keys      []Key // of the figures, in every group and in the mean
	Groups    []Group
	Mean      []Figure // over the groups that have a figure, each counting the same
	Notes     []string // what a reader must know, a sentence each
}

// Group is a group of dialogues.
type Group struct {
	Name      string
	Dialogues int
	Figures   []Figure
	Confusion []Confusion
}

// Confusion counts dialogues: a row for each level of people's, a column for each of the measure's, lowest first.
type Confusion struct {
	Rated, Measure string
	Counts         [][]int
}

// tabulate measures members, of which what is the word, group by group. gauges makes the gauges of a group; those of
// none give the keys.
func tabulate[T any](ctx context.Context, what string, members []T, from func(*T) origin, opt Options, gauges func([]T) ([]*gauge, []Confusion)) Table {
	groups, by, note := divide(what, members, opt.By, from)
	t := Table{Dialogues: len(members), By: by}
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
	none, _ := gauges(nil)
	for _, g := range none {
		t.Keys = append(t.Keys, g.keys...)
	}
	panels := func(yield func(*panel) bool) {
		for i, name := range groups.names {
			p := &panel{name: name, n: len(groups.members[i])}
			if p.gauges, p.confusion = gauges(groups.members[i]); !yield(p) {
				return
			}
		}
	}
	t.Mean = opt.resample(ctx, panels, t.Keys, func(p *panel, figures []Figure) {
		t.Groups = append(t.Groups, Group{p.name, p.n, figures, p.confusion})
	})
	if len(t.Groups) == 0 {
		t.Mean = nil
		for _, g := range none {
			for _, why := range g.why {
				t.Mean = append(t.Mean, None(why))
			}
		}
	}
	t.Notes = append(t.Notes, t.leftOut(what)...)
	return t
}

// Of finds a figure among figures of the table; without a value where there is none.
func (t *Table) Of(figures []Figure, k Key) Figure {
	if i := slices.Index(t.Keys, k); i >= 0 {
		return figures[i]
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
			if c.Rated != rated || c.Measure != measure {
				continue
			}
			for l := range sum {
				for k, n := range c.Counts[l] {
					sum[l][k] += n
				}
			}
		}
	}
	return sum
}

// leftOut says which groups have no figures.
func (t *Table) leftOut(what string) []string {
	var small []string
	for i := range t.Groups {
		if g := &t.Groups[i]; g.Dialogues < Fewest {
			small = append(small, g.Name)
		}
	}
	switch {
	case len(small) == 0:
		return nil
	case len(t.Groups) == 1 || t.Dialogues < Fewest:
		return []string{fmt.Sprintf("There are fewer than %d %s, too few for any figure.", Fewest, what)}
	case len(small) == len(t.Groups):
		return []string{fmt.Sprintf("No group holds %d %s, and there is no figure for fewer; --by all takes them together.", Fewest, what)}
	case len(small) == 1:
		return []string{fmt.Sprintf("%s holds fewer than %d %s and has no figures; the mean is over the others.", small[0], Fewest, what)}
	}
	const most = 3
	names := strings.Join(small[:min(len(small), most)], ", ")
	if rest := len(small) - most; rest > 0 {
		names += fmt.Sprintf(" and %d more", rest)
	}
	return []string{fmt.Sprintf("%d of %d groups hold fewer than %d %s and have no figures; the mean is over the rest: %s.", len(small), len(t.Groups), Fewest, what, names)}
}

// Has reports whether the table has a figure, with or without a value.
func (t *Table) Has(k Key) bool { return slices.Contains(t.Keys, k) }
