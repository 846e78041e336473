package triage

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
)

// Draw is how a random sample is drawn. The same seed draws the same dialogues of a run, in
// whatever order they are read.
type Draw struct {
	N    int    // dialogues of each group; 0 draws none
	By   string // the column of the groups; "" for one group of all dialogues
	Seed uint64

	found  bool // some dialogue has the column
	groups map[string]*drawn
	below  int // scored dialogues whose OverallExperience is below [summary.Low]
}

// drawn is what is drawn of a group.
type drawn struct {
	of   int // dialogues
	list *Least[Ranked]
}

// add draws from the dialogues so far and r. Whether r is drawn depends only on a digest of the
// seed, its name and its turns.
func (d *Draw) add(r Ranked) {
	if r.Group = ""; d.By != "" {
		value, ok := r.Column(d.By)
		d.found, r.Group = d.found || ok, cmp.Or(value, summary.NoGroup)
	}
	if r.Overall < summary.Low {
		d.below++
	}
	g := d.groups[r.Group]
	if g == nil {
		if d.groups == nil {
			d.groups = map[string]*drawn{}
		}
		g = &drawn{list: NewLeast(d.N, byLot)}
		d.groups[r.Group] = g
	}
	r.lot = sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%x", d.Seed, r.Name, r.Said))
	g.of++
	g.list.Add(r)
}

// byLot orders dialogues by their lots. Those with the same name and turns are in different files.
func byLot(a, b Ranked) int {
	return cmp.Or(slices.Compare(a.lot[:], b.lot[:]), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Place, b.Place))
}

// list returns the sample in random order, each dialogue with the probability with which it was
// drawn.
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

// sentences reports what was drawn and how much it will tell.
func (d *Draw) sentences(n, scored, also int) (list ui.Sentences) {
	groups := ""
	if d.By != "" {
		groups = fmt.Sprintf(", up to %d of each of %s by %s", d.N,
			ui.Counted(len(d.groups), "group"), ui.Visible(d.By))
	}
	list.Add("%d of %s, drawn at random with seed %d%s.", n, ui.Counted(scored, "scored dialogue"),
		d.Seed, groups)
	share := float64(d.below) / float64(scored)
	in := stats.Wilson(share, float64(n), stats.StudentT(max(float64(n-1), 1), .975))
	list.Add("If %s are rated and %.1f %% of them are below 60, as many as by the scores, the 95 "+
		"%% interval of that share is %.1f to %.1f %% (Wilson, without help from the scores).",
		ui.Counted(n, "dialogue"), 100*share, 100*in.Low, 100*in.High)
	small := 0
	for _, g := range d.groups {
		if min(g.of, d.N) < stats.MinSampled {
			small++
		}
	}
	list.If(small > 0, "Too few for figures of their own, which need %d ratings: %s.",
		stats.MinSampled, ui.Counted(small, "group"))
	list.If(also > 0, "Added: %d of the worst, which were not drawn and count in no figure.", also)
	return list
}

// draws replaces the ranking by the sample, and adds those of the worst that are not in it.
func (s *Ranking) draws() {
	s.Worst = s.Draw.list()
	for _, r := range s.worst.List() {
		if slices.ContainsFunc(s.Worst, func(o Ranked) bool { return o.Place == r.Place }) {
			continue
		}
		r.Picked, r.Rank = "worst", len(s.Worst)+len(s.Disputed)+1
		s.Disputed = append(s.Disputed, r)
	}
}

// sheet is the format of a sample for raters, without scores, which would influence them.
var sheet = table.Format{"rank", "name as dialogue_id", "file", "identity", "group",
	"probability", "picked", "blank as rating", "blank as note"}
