package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Text writes the comparison in human-readable form.
func (c *Comparison) Text(p *ui.Page) {
	p.Say(ui.Bold, c.Answer[0])
	for _, s := range c.Answer[1:] {
		p.Say(ui.Plain, s)
	}
	for _, s := range c.Warnings {
		p.Say(ui.Yellow, s)
	}
	p.Table(c.tables()...)
	c.showChanged(p)
}

// tables returns the tables of the comparison, some of which may be empty.
func (c *Comparison) tables() []*ui.Table {
	runs := ui.NewTable("", "", "Run<50", "Dialogues>", "Scored>")
	runs.Notes = []string{c.description()}
	runs.Add("A", c.A.File, c.A.Dialogues, c.A.Scored)
	runs.Add("B", c.B.File, c.B.Dialogues, c.B.Scored)
	if len(c.Different) == 0 {
		runs.Notes = append(runs.Notes,
			"Program, lexicon, rubric, profile and configuration are the same in both runs.")
	}
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

func (c *Comparison) description() string {
	same := ui.Counted(c.Matched.Dialogues, "dialogue") + " in both runs"
	if n := len(c.Reworded); n > 0 {
		same += fmt.Sprintf(", %d with other turns", n)
	}
	if n := c.Matched.Repeats; n > 0 {
		same += fmt.Sprintf(", %s left out (same words, agent and queue)", ui.Counted(n, "repeat"))
	}
	switch {
	case c.Mode == Paired && c.A.Only+c.B.Only > 0:
		return fmt.Sprintf("%s, %d scored in both; each is compared with itself. Left out: %d "+
			"only in A, %d only in B.", same, c.Matched.Scored, c.A.Only, c.B.Only)
	case c.Mode == Paired:
		return fmt.Sprintf("%s, %d scored in both; each is compared with itself.", same,
			c.Matched.Scored)
	case c.Matched.Dialogues > 0:
		return same + ": compared as two different sets; --paired compares the same ones."
	}
	return same + ": compared as two different sets."
}

func (c *Comparison) means() *ui.Table {
	columns := []string{"Mean of", "A>", "B>", "B - A>", "95 % interval>"}
	if c.Mode == Paired {
		columns = append(columns, "rose>", "fell>")
	}
	t := ui.NewTable("", columns...)
	for i := range c.All {
		f := &c.All[i]
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
		name := ch.A.Name
		if ch.B.Name != name {
			name += " (in B: " + ch.B.Name + ")"
		}
		p.Say(ui.Plain, fmt.Sprintf("%s of %s: average %s, overall %s, satisfaction %s", name,
			ch.A.File, arrow(ch.A.Average, ch.B.Average), arrow(ch.A.Overall, ch.B.Overall),
			arrow(ch.A.Satisfaction, ch.B.Satisfaction)))
		for _, m := range ch.Criteria {
			p.Item(ui.Plain, fmt.Sprintf("%s %s, %s. %s", m.Criterion,
				arrow(m.A.Score, m.B.Score), m.B.Ruling, m.B.Reason))
			if m.A.Reason != m.B.Reason {
				p.Item(ui.Dim, fmt.Sprintf("%s in A: %s", m.Criterion, m.A.Reason))
			}
		}
	}
	p.Say(ui.Dim, "assize score TRANSCRIPT --id ID shows a dialogue with its evidence.")
}

// arrow returns "80 → 60", or "80" if nothing changed.
func arrow[T comparable](a, b T) string {
	if a == b {
		return fmt.Sprint(a)
	}
	return fmt.Sprint(a, " → ", b)
}

// Figures returns a table for CSV with a row for each measure. A missing figure is an empty cell.
func (c *Comparison) Figures() *ui.Table {
	t := ui.NewTable("", "measure", "n_a", "n_b", "mean_a", "mean_b", "difference", "low", "high",
		"p_holm", "rose", "fell", "stayed")
	for _, f := range c.All {
		ends, rest := []any{"", "", ""}, []any{"", "", ""}
		if f.Interval != nil {
			ends[0], ends[1] = f.Interval[0], f.Interval[1]
		}
		if f.P != nil {
			ends[2] = *f.P
		}
		if f.Directions != nil {
			rest = []any{f.Rose, f.Fell, f.Stayed}
		}
		row := []any{f.Measure.name, f.NA, f.NB, f.A, f.B, f.Difference}
		t.Add(append(append(row, ends...), rest...)...)
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

// answer summarizes the comparison, as the figures are printed, the most important sentence first.
func (c *Comparison) answer() (list ui.Sentences) {
	list.If(len(c.Impossible) > 0, "Forged or foreign: %s.", c.forged())
	list.Add("%s", c.verdict())
	none := "No single criterion moved by more than chance (5 %" + c.corrected() + ")."
	criteria := c.All[firstCriterion:numMeasures]
	isMoved := func(f figure) bool { return hundredths(f.Difference) != 0 }
	if c.differs("rubric.weights") && !slices.ContainsFunc(criteria, isMoved) {
		none = "No criterion moved; the weights alone changed the average."
	}
	known := c.All[0].NA > 0 && c.All[0].NB > 0
	list.If(known && (c.Mode == Unpaired || c.Matched.Changed > 0), "%s",
		cmp.Or(c.moved("Criteria", criteria), none))
	if c.Claims != nil {
		states := ui.Each(rubric.DeedStates(), func(s rubric.DeedState) string {
			return fmt.Sprintf("%s %s", s, arrow(c.Claims.A[s], c.Claims.B[s]))
		})
		list.Add("Claims that something was done: %s.", strings.Join(states, ", "))
	}
	answers := c.moved("Figures of the scorecard", c.All[numMeasures:])
	list.If(answers != "", "%s", answers)
	for i, l := range []struct {
		what   string
		places []Place
	}{{"Unscored in A, and in no mean", c.Unscored.A},
		{"Unscored in B, and in no mean", c.Unscored.B}, {"With other turns in B", c.Reworded},
		{"Missing in B, and in no mean", c.Missing}, {"New in B, and in no mean", c.New}} {
		// Two bots say other things in most dialogues, and two sets have others.
		isUsual := i == 2 && 2*len(l.places) > len(c.pairs) || i > 2 && c.Mode == Unpaired
		list.If(len(l.places) > 0 && !isUsual, "%s (%d): %s.", l.what, len(l.places),
			c.listed(l.places))
	}
	return list
}

// listed returns the names of the first dialogues, and the number of the others: with the file if
// dialogues of a run share the name, and with their number if they also share the file.
func (c *Comparison) listed(places []Place) string {
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

func (c *Comparison) verdict() string {
	f := &c.All[average]
	apart := "the means of the weighted average are the same"
	if d := hundredths(f.Difference); d > 0 {
		apart = fmt.Sprintf("B is %s points higher on the weighted average", d)
	} else if d < 0 {
		apart = fmt.Sprintf("B is %s points lower on the weighted average", -d)
	}
	switch {
	case f.NA == 0 || f.NB == 0:
		return "Nothing can be compared: no dialogue is scored in both runs."
	case c.Mode == Paired && c.Matched.Changed == 0 && len(c.leftOut()) > 0:
		return fmt.Sprintf("No score of the %s scored in both runs changed; %d could not be "+
			"compared.", c.countText(), len(c.leftOut()))
	case c.Mode == Paired && c.Matched.Changed == 0:
		return fmt.Sprintf("Nothing changed: scores, average and satisfaction of %s are the same.",
			c.countText())
	case c.differs("rubric.weights"):
		return "The weighted averages cannot be compared: the rubrics weigh " +
			"the criteria differently."
	case c.Mode == Paired && f.Rose+f.Fell == 0:
		return fmt.Sprintf("No change in the weighted average over %s.", c.countText())
	case f.Interval == nil:
		return fmt.Sprintf("Over %s, too few to rule out chance, %s.", c.countText(), apart)
	case f.isSignificant():
		return fmt.Sprintf("%s; the interval from %s to %s excludes 0.", apart, f.Interval[0],
			f.Interval[1])
	}
	return fmt.Sprintf("No difference is proven by %s: %s, and the interval from %s to %s "+
		"includes 0.", c.countText(), apart, f.Interval[0], f.Interval[1])
}

// forged says that scores differ which cannot, as a clause.
func (c *Comparison) forged() string {
	return fmt.Sprintf("the same rules scored the same turns differently in %s, which rules "+
		"alone cannot do; one run was edited or comes from another program, and assize replay "+
		"shows which: %s", ui.Counted(len(c.Impossible), "dialogue"), c.listed(c.Impossible))
}

// corrected says for how many figures chance is corrected, and of which the interval excludes 0 all
// the same.
func (c *Comparison) corrected() string {
	tested := ui.Without(c.All, func(f figure) bool { return f.P == nil })
	if len(tested) == 0 {
		return ""
	}
	says := fmt.Sprintf(", after Holm's correction for %d figures tested together", len(tested))
	var alone []string
	for _, f := range tested {
		isProven := f.isSignificant()
		if f.P = nil; f.isSignificant() && !isProven {
			alone = append(alone, f.Measure.String())
		}
	}
	if alone != nil {
		says += "; taken alone, the interval of " + strings.Join(alone, ", ") + " excludes 0, as " +
			"one of several may by chance"
	}
	return says
}

// moved reports which figures fell and rose by more than chance. If none did, it returns "".
func (c *Comparison) moved(what string, figures []figure) string {
	var fell, rose []string
	for _, f := range figures {
		if f.isSignificant() && f.Difference.Value < 0 {
			fell = append(fell, f.Measure.String())
		} else if f.isSignificant() {
			rose = append(rose, f.Measure.String())
		}
	}
	var parts ui.Sentences
	parts.If(fell != nil, "fell: %s", strings.Join(fell, ", "))
	parts.If(rose != nil, "rose: %s", strings.Join(rose, ", "))
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("%s that %s (5 %%%s).", what, strings.Join(parts, "; "), c.corrected())
}

// warnings returns what a reader must know before believing a figure, the most serious first.
func (c *Comparison) warnings() ui.Sentences {
	list := ui.Sentences{}
	n := min(c.All[0].NA, c.All[0].NB)
	list.If(c.differs("rubric.mapping"), "The rubrics map averages differently, so the "+
		"OverallExperience and what is below 60 cannot be compared.")
	list.If(len(c.measures) > numMeasures && c.differs("rubric.questions"), "The scorecards "+
		"differ, so checklists, and answers to questions that changed, cannot be compared.")
	list.If(c.differs("profile"),
		"The profiles differ, so satisfaction may differ where no score does.")
	list.If((c.Mode == Unpaired || len(c.Reworded) > 0) &&
		c.differs("program", "lexicon", "rubric", "configuration.evaluator",
			"configuration.critic"),
		"The two runs were judged differently, so the difference may come from the judge and not "+
			"from the dialogues; score both with the same program and rubric.")
	for i, r := range []*Run{&c.A, &c.B} {
		list.If(len(r.Fingerprints) > 1, "%c holds records of %d runs that were made "+
			"differently; weights and origin are those of the first.", 'A'+i, len(r.Fingerprints))
	}
	const few = 20 // with fewer dialogues, bootstrap intervals are too narrow
	list.If(n > 0 && n < few, "Fewer than %d dialogues are compared: too few for sound intervals.",
		few)
	return list
}

// differs reports whether the runs differ in a setting whose name begins with one of the prefixes.
func (c *Comparison) differs(prefixes ...string) bool {
	return slices.ContainsFunc(c.Different, func(d run.Change) bool {
		return slices.ContainsFunc(prefixes,
			func(p string) bool { return strings.HasPrefix(d.What, p) })
	})
}
