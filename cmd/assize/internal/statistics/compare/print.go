package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

var texts = prose.Of("compare")

// Text writes the comparison in human-readable form.
func (c *Comparison) Text(p *ui.Page) {
	p.Say(ui.Bold, c.Answer[0])
	p.Say(ui.Plain, c.Answer[1:]...)
	p.Say(ui.Yellow, c.Warnings...)
	p.Table(c.tables()...)
	c.showChanged(p)
}

// tables returns the tables of the comparison, some of which may be empty.
func (c *Comparison) tables() []*ui.Table {
	runs := ui.NewTable("", "", "Run<50", "Dialogues>", "Scored>")
	runs.Notes = texts.List("matched", c)
	runs.Add("A", c.A.File, c.A.Dialogues, c.A.Scored)
	runs.Add("B", c.B.File, c.B.Dialogues, c.B.Scored)
	all := []*ui.Table{runs}
	if c.All[0].NA > 0 && c.All[0].NB > 0 {
		all = append(all, c.means())
	}
	different := ui.NewTable("", "Made differently=32", "A=22", "B=20")
	for _, d := range c.Different {
		longest := 100
		if d.What == "lexicon" || d.What == "profile" { // the beginning of a digest is sufficient
			longest = 13
		}
		given := func(s string) string { return cmp.Or(ui.Clip(ui.Visible(s), longest), "none") }
		different.Add(d.What, given(d.A), given(d.B))
	}
	return append(all, different)
}

func (c *Comparison) means() *ui.Table {
	columns := []string{"Mean of", "A>", "B>", "B - A>", "95 % interval>"}
	if c.Mode == Paired {
		columns = append(columns, "rose>", "fell>")
	}
	t := ui.NewTable("", columns...)
	for _, f := range c.All {
		interval := "–"
		if f.Interval != nil {
			interval = f.Interval[0].String() + " to " + f.Interval[1].String()
		}
		row := []any{f.Measure, f.A, f.B, f.difference(), interval}
		if f.Directions != nil {
			row = append(row, f.Rose, f.Fell)
		}
		t.Add(row...)
	}
	t.Notes = []string{fmt.Sprintf("intervals: bootstrap, %d draws, seed %d", c.Draws, c.Seed)}
	return t
}

// showChanged writes the most changed dialogues: each criterion with the ruling and the reason of
// the new score, and the earlier reason if it was another.
func (c *Comparison) showChanged(p *ui.Page) {
	if len(c.Changed) == 0 {
		return
	}
	p.WriteByte('\n')
	p.Heading("##", fmt.Sprintf("Changed most, %d of %d", len(c.Changed), c.Matched.Changed))
	for _, ch := range c.Changed {
		p.Say(ui.Plain, texts.Say("changed", ch))
		for _, m := range ch.Criteria {
			p.Item(ui.Plain, fmt.Sprintf("%s %s, %s. %s", m.Criterion,
				ui.Arrow(m.A.Score, m.B.Score), m.B.Ruling, m.B.Reason))
			if m.A.Reason != m.B.Reason {
				p.Item(ui.Dim, fmt.Sprintf("%s in A: %s", m.Criterion, m.A.Reason))
			}
		}
	}
	p.Say(ui.Dim, "assize score FILE --id ID shows a dialogue in full; assize explain R1 a ruling.")
}

// Figures returns a table for CSV with a row for each measure. A missing figure is an empty cell.
func (c *Comparison) Figures() *ui.Table {
	t := ui.NewTable("", run.Columns("compare csv")...)
	for _, f := range c.All {
		row := []any{f.Measure.name, f.NA, f.NB, f.A, f.B, f.Difference, "", "", "", "", "", ""}
		if f.Interval != nil {
			row[6], row[7] = f.Interval[0], f.Interval[1]
		}
		if f.P != nil {
			row[8] = *f.P
		}
		if f.Directions != nil {
			row[9], row[10], row[11] = f.Rose, f.Fell, f.Stayed
		}
		t.Add(row...)
	}
	return t
}

// difference returns a signed difference: if the interval confirms it, green if better, else red.
func (f *figure) difference() ui.Cell {
	cell := ui.Cell{Text: cmp.Or(f.Difference.String(), "–")}
	if f.Difference.Value > 0 && strings.Trim(cell.Text, "0.") != "" {
		cell.Text = "+" + cell.Text
	}
	if f.isSignificant() {
		cell.Style = ui.Red
		if (f.Difference.Value > 0) == (f.Measure.name != "percent_below_60") {
			cell.Style = ui.Green
		}
	}
	return cell
}

func (c *Comparison) answer() []string {
	data := struct {
		*Comparison
		Criteria, Scorecard moved
		Change, Drop        rubric.Hundredths // of the weighted average
		IsProven, AnyMoved  bool
		ShowsReworded       bool // two bots say other things in most dialogues
		// Satisfaction is nil if it did not move, or moved as the average is proven to have.
		Satisfaction *figure
	}{Comparison: c, Criteria: c.moved(c.All[firstCriterion:numMeasures]),
		Scorecard: c.moved(c.All[numMeasures:]), Change: hundredths(c.All[average].Difference),
		IsProven:      c.All[average].isSignificant(),
		ShowsReworded: len(c.Reworded) > 0 && 2*len(c.Reworded) <= c.Matched.Dialogues}
	data.Drop = -data.Change
	sat, mean := &c.All[estimate], c.All[average].Difference.Value
	if sat.isSignificant() && !(data.IsProven && mean*sat.Difference.Value > 0) {
		data.Satisfaction = sat
	}
	data.AnyMoved = slices.ContainsFunc(c.All[firstCriterion:numMeasures],
		func(f figure) bool { return hundredths(f.Difference) != 0 })
	return texts.List("answer", data)
}

// Listed returns the names of the first dialogues, and the number of the others: with the file if
// dialogues of a run share the name, and with their number if they also share the file.
func (c *Comparison) Listed(places []Place) string {
	const maxNames = 10
	var names []string
	share := map[Place]int{} // dialogues of a run, by name and file, and by name alone
	for _, rows := range [][]*run.Row{c.A.Rows, c.B.Rows} {
		times := map[Place]int{}
		for _, r := range rows {
			for _, key := range []Place{{Name: r.Name}, {Name: r.Name, File: r.File}} {
				times[key]++
				share[key] = max(share[key], times[key])
			}
		}
	}
	for _, p := range places {
		if n := share[Place{Name: p.Name, File: p.File}]; n > 1 {
			p.Name += fmt.Sprintf(" (an id of %d dialogues in %s)", n, p.File)
		} else if share[Place{Name: p.Name}] > 1 {
			p.Name += " of " + p.File
		}
		if name := ui.Visible(p.Name); len(names) > maxNames || !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return ui.First(names, maxNames)
}

// moved are the figures that fell and rose by more than chance.
type moved struct {
	Fell, Rose []string
	Tested     int      // all figures for which chance is corrected
	Alone      []string // those of them that moved only by their interval
}

func (c *Comparison) moved(figures []figure) (m moved) {
	for _, f := range figures {
		if f.isSignificant() && f.Difference.Value < 0 {
			m.Fell = append(m.Fell, f.Measure.title)
		} else if f.isSignificant() {
			m.Rose = append(m.Rose, f.Measure.title)
		}
	}
	for _, f := range c.All {
		if f.P == nil {
			continue
		}
		m.Tested++
		isProven := f.isSignificant()
		if f.P = nil; f.isSignificant() && !isProven {
			m.Alone = append(m.Alone, f.Measure.title)
		}
	}
	return m
}

// warnings returns what a reader must know before believing a figure.
func (c *Comparison) warnings() ui.Sentences {
	const few = 20 // with fewer dialogues, bootstrap intervals are too narrow
	return texts.List("warnings", struct {
		*Comparison
		N, Few       int
		HasQuestions bool
	}{c, min(c.All[0].NA, c.All[0].NB), few, len(c.measures) > numMeasures})
}

// Differs reports whether the runs differ in a setting whose name begins with one of the prefixes.
func (c *Comparison) Differs(prefixes ...string) bool {
	return slices.ContainsFunc(c.Different, func(d run.Change) bool {
		return slices.ContainsFunc(prefixes,
			func(p string) bool { return strings.HasPrefix(d.What, p) })
	})
}
