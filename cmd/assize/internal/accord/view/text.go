package view

import (
	"fmt"
	"io"
	"slices"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/report"
)

// Source says where a report's ratings came from.
type Source struct {
	Ratings  string   // the file of ratings; empty for those in the runs
	Unscored int      // dialogues of the runs that no agent could judge
	Notes    []string // what joining ratings and runs told
}

// Sheet is a report of agreement with people, ready to be written.
type Sheet struct {
	*accord.Report
	Source Source
	Full   bool // for people: every statistic, and every group in full
	Color  bool
}

// text writes for people.
type text struct {
	report.Page
	*Sheet
}

// Text writes a report for people.
func (s *Sheet) Text(w io.Writer) error {
	t := text{report.Page{Color: s.Color}, s}
	t.head()
	t.notes()
	if slices.Contains(s.Rated, accord.OverallRating) {
		t.means()
		t.groups()
		t.raters()
		t.confusion()
	}
	t.criteria()
	t.missing()
	t.legend()
	return t.Send(w)
}

// head says what was measured and what it means.
func (t *text) head() {
	t.Line(report.Bold, "Agreement with people")
	of := "ratings of the run itself"
	if t.Source.Ratings != "" {
		of = "ratings from " + report.Visible(t.Source.Ratings)
	}
	s := fmt.Sprintf("%s in %s; %s, scale %s", report.Counted(t.Dialogues, "rated dialogue"), t.counted(len(t.Groups)), of, t.Options.Scale)
	if t.Options.Scale.Low > t.Options.Scale.High {
		s += " (the first is the worst)"
	}
	if t.Source.Unscored > 0 {
		s += fmt.Sprintf("; %d unscored and left out", t.Source.Unscored)
	}
	t.Paragraph(report.Dim, "", "", s)
	t.WriteByte('\n')
	for _, s := range t.Sentences() {
		t.Paragraph(report.Bold, "", "", s)
	}
}

// counted counts groups: "1 file", "4 formats".
func (t *text) counted(n int) string {
	if t.By == accord.ByAll {
		return report.Counted(n, "group")
	}
	return report.Counted(n, string(t.By))
}

// notes tell what a reader must know before believing a figure.
func (t *text) notes() {
	for i, s := range append(slices.Clone(t.Source.Notes), t.Notes...) {
		if i == 0 {
			t.WriteByte('\n')
		}
		t.Paragraph(report.Yellow, "! ", "  ", report.Visible(s))
	}
}

// missing says why there is no figure where a dash stands. A reason that several share is told once.
func (t *text) missing() {
	why := newReasons()
	for i, k := range t.Keys {
		why.add("", k, t.Mean[i])
	}
	for i, name := range GroupNames(&t.Table) {
		if g := &t.Groups[i]; g.Dialogues >= accord.Fewest && len(t.Groups) > 1 {
			for j, k := range t.Keys {
				if t.Mean[j].Groups > 0 {
					why.add(name, k, g.Figures[j])
				}
			}
		}
	}
	why.write(&t.Page)
}

// legend says what the words mean and how the figures were had.
func (t *text) legend() {
	t.WriteByte('\n')
	o := &t.Options
	lines := []string{
		fmt.Sprintf("In a seat: held against the same people as the annotator whose seat it takes. Limit: √ICC(k). AUC: of the worst %s by people's means; precision: their part among the %s ranked lowest. Errors are in points of 100; average and overall have no map to people's scale. Levels that a profile does not cut, and those of the average, are made as frequent as people's in these dialogues, which flatters kappa and UAR a little.",
			accord.Percent(o.Worst), accord.Percent(o.Precision())),
	}
	if o.Draws > 0 {
		lines = append(lines, fmt.Sprintf("Below each figure stands its 95 %% interval (bootstrap, %d draws, seed %d).", o.Draws, o.Seed))
	}
	for _, l := range lines {
		t.Paragraph(report.Dim, "", "", l)
	}
}
