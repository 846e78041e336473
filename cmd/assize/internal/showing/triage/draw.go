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
	"assize/cmd/assize/internal/terminal/prose"
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

var texts = prose.Of("triage")

// sentences reports what was drawn, and how wide the interval of the share below 60 would be. The
// sample has n of the scored dialogues, and also of the worst were added to it.
func (d *Draw) sentences(n, scored, also int) ui.Sentences {
	const spare = 5 // dialogues more than a figure needs: raters leave some empty
	data := struct {
		*Draw
		Drawn, Scored, Added, Groups, Below int
		Small, Least, Enough                int  // groups with fewer than Least dialogues
		Tight                               bool // there is no room for ratings left empty
		Low, High                           float64
	}{Draw: d, Drawn: n, Scored: scored, Added: also, Groups: len(d.groups), Below: d.below,
		Least: stats.MinRated, Enough: stats.MinRated + spare}
	spread := 0.0 // the variance as a multiple of one dialogue's
	for _, name := range slices.Sorted(maps.Keys(d.groups)) {
		g := d.groups[name]
		drawn, weight := min(g.of, d.N), float64(g.of)/float64(scored)
		if spread += float64(weight * weight / float64(drawn)); drawn < data.Least {
			data.Small++
		}
		data.Tight = data.Tight || drawn < min(g.of, data.Enough)
	}
	in := stats.Wilson(float64(d.below)/float64(scored), 1/spread,
		stats.StudentT(max(float64(n-1), 1), .975))
	data.Low, data.High = 100*in.Low, 100*in.High
	return texts.List("sample", data)
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
