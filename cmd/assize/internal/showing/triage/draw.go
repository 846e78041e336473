package triage

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/dialogue"
)

// Draw draws a random sample. The same seed draws the same dialogues, in whatever order they are.
type Draw struct {
	N      int            // maximum number of dialogues of each group; 0 draws no sample
	Column summary.Column // that has the groups; without a name, all dialogues are one group
	Seed   uint64
	redact bool // mask the names of groups and of unscored dialogues

	groups map[string]*drawn
	below  int // scored dialogues whose OverallExperience is below [summary.Low]
}

// drawn contains the dialogues drawn from a group.
type drawn struct {
	of   int // all dialogues of the group
	list *Least[Ranked]
}

// add adds a dialogue to its group, and reports whether it is the first. The dialogues drawn are
// those with the lowest lots, see [run.Identity.Lot].
func (d *Draw) add(r Ranked) (first bool) {
	if d.Column.By != "" {
		if r.Group, _ = d.Column.Group(&r.Row); d.redact {
			r.Group = redact.Text(r.Group)
		}
	}
	if r.Overall < summary.Low {
		d.below++
	}
	g := d.groups[r.Group]
	if first = g == nil; first {
		if d.groups == nil {
			d.groups = map[string]*drawn{}
		}
		g = &drawn{list: NewLeast(d.N, byLot)}
		d.groups[r.Group] = g
	}
	r.lot = r.Identity.Lot(d.Seed)
	g.of++
	g.list.Add(r)
	return first
}

// byLot orders dialogues by their lots, which only dialogues from standard input can share.
func byLot(a, b Ranked) int {
	return cmp.Or(cmp.Compare(a.lot, b.lot), cmp.Compare(a.Place, b.Place))
}

// list returns the sample in random order, each dialogue with its probability of being drawn.
func (d *Draw) list() (all []Ranked) {
	for _, g := range d.groups {
		list := g.list.List()
		for i := range list {
			list[i].Probability = float64(len(list)) / float64(g.of)
		}
		all = append(all, list...)
	}
	slices.SortFunc(all, byLot)
	return all
}

// sentences reports what was drawn, and how wide the interval of the share below 60 would be. The
// sample has n of the scored dialogues, and also of the worst were added to it.
func (d *Draw) sentences(n, scored, also int) (list ui.Sentences) {
	const spare = 5 // dialogues more than a figure needs: raters leave some empty
	groups, few, tight := "", "", false
	small, spread := 0, 0.0 // groups with too few; the variance as a multiple of one dialogue's
	for _, name := range slices.Sorted(maps.Keys(d.groups)) {
		g := d.groups[name]
		drawn, weight := min(g.of, d.N), float64(g.of)/float64(scored)
		if spread += float64(weight * weight / float64(drawn)); drawn < stats.MinRated {
			small++
		}
		tight = tight || drawn < min(g.of, stats.MinRated+spare)
	}
	if by := d.Column.By; by != "" {
		groups = fmt.Sprintf(", up to %d of each of %s by %s", d.N,
			ui.Counted(len(d.groups), "group"), ui.Visible(by))
		few = " of each group"
	}
	switch {
	case small > 0 && groups != "":
		few += "; fewer are drawn of " + ui.Counted(small, "group")
	case small > 0:
		few += "; fewer are drawn"
	case tight:
		few += fmt.Sprintf("; --sample %d leaves room for those that raters leave empty",
			stats.MinRated+spare)
	}
	if n == scored {
		list.Add("All of %s%s, in random order.", ui.Counted(scored, "scored dialogue"), groups)
		return list
	}
	list.Add("%d of %s, drawn at random with seed %d%s.", n, ui.Counted(scored, "scored dialogue"),
		d.Seed, groups)
	share := float64(d.below) / float64(scored)
	in := stats.Wilson(share, 1/spread, stats.StudentT(max(float64(n-1), 1), .975))
	list.Add("By the scores, %s of all dialogues are below 60. If people find that share "+
		"among the %d, it is %.1f to %.1f %% of all dialogues (95 %% interval, Wilson with "+
		"Student's t).", ui.Percent(d.below, scored), n, 100*in.Low, 100*in.High)
	list.If(tight || groups != "", "A figure needs %d ratings%s.", stats.MinRated, few)
	list.If(also > 0, "Added: %d of the worst, which were not drawn and count in no figure.", also)
	return list
}

// sheetHelp explains the sheet of a sample, a sentence in each of its first rows.
//
//go:embed sheet.txt
var sheetHelp string

// words returns what was said, up to about maxWords characters.
func (r *Ranked) words() ui.Cell {
	const maxWords = 8000
	var b strings.Builder
	for _, t := range r.Record.Dialogue.Turns {
		if b.Len() > maxWords {
			b.WriteString("…")
			break
		}
		name := map[dialogue.Role]string{dialogue.System: "Agent", dialogue.User: "Customer",
			dialogue.Other: "Other"}[t.Role]
		fmt.Fprintf(&b, "%s: %.*s\n", name, maxWords, t.Text)
	}
	return ui.Cell{Text: strings.TrimSpace(b.String()), Lines: true}
}
