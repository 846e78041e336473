package report

import (
	"slices"

	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Figures are the counts and means of the templates "scores" and "groups": their tables, and what
// the script draws of them. Each figure leads to its dialogues.
type Figures struct {
	Overall      []Bin             `json:"overall"`      // by level, the highest first
	Satisfaction []Bin             `json:"satisfaction"` // without empty bins
	Mean         rubric.Hundredths `json:"mean"`         // of satisfaction
	Groups       []*summary.Groups `json:"groups"`
	Weeks        []summary.Group   `json:"weeks,omitempty"` // the first one first
	Tables       tables            `json:"-"`
}

// Bin counts the dialogues at a level, or from a score up to, but not including, another.
type Bin struct {
	Name string            `json:"name"`
	From rubric.Hundredths `json:"from,omitzero"`
	To   rubric.Hundredths `json:"to,omitzero"`
	N    int               `json:"n"`
	Link string            `json:"link,omitempty"` // the address of its dialogues
}

// NewFigures returns figures without any dialogues.
func NewFigures() *Figures { return &Figures{Tables: tables{}} }

// AddScores counts dialogues by level, and by satisfaction in steps whose Name, From and To are
// set. The function link returns the address of the dialogues with an "overall" score or
// "satisfaction".
func (f *Figures) AddScores(s *summary.Summary, steps []Bin,
	link func(measure, value string) string) {
	f.Mean = s.Satisfaction()
	for i, level := range slices.Backward(rubric.Scale[:]) {
		f.Overall = append(f.Overall, Bin{Name: level.String(), N: s.Overall[i],
			Link: link("overall", level.String())})
	}
	for _, b := range steps {
		for _, n := range s.Satisfactions[b.From:min(int(b.To), len(s.Satisfactions))] {
			b.N += n
		}
		b.Link = link("satisfaction", b.From.String())
		if b.N > 0 {
			f.Satisfaction = append(f.Satisfaction, b)
		}
	}
	f.bins("overall", "Dialogues by overall score", "Overall", f.Overall, s.Scored)
	f.bins("satisfaction", "Dialogues by satisfaction", "Satisfaction", f.Satisfaction, s.Scored)
}

// bins adds a table of bins. Empty bins have no link.
func (f *Figures) bins(section, title, column string, bins []Bin, whole int) {
	t := f.Tables.add(section, title, column, "Dialogues", "Share")
	for i := range bins {
		b := &bins[i]
		if b.N == 0 {
			b.Link = ""
		}
		t.Add(ui.Cell{Text: b.Name, Link: b.Link}, count(b.N), ui.Percent(b.N, whole))
	}
}

// AddAnswers adds a table of the answers to questions and facts, with notes on it. link returns the
// address of the dialogues.
func (f *Figures) AddAnswers(list []summary.Answered, notes []string,
	link func(question, answer string) string) {
	if list == nil {
		return
	}
	t := f.Tables.add("scorecard", "Answers by question", "Question", "Good", "Bad", "Open",
		"Applicable", "% good of good and bad, with 95 % interval")
	t.Notes = notes
	for i := range list {
		a := &list[i]
		name := ui.Cell{Text: a.ID + ": " + a.Ask}
		if a.Bad > 0 {
			name.Link = link(a.ID, string(a.BadAnswer()))
		}
		t.Add(name, count(a.Good), count(a.Bad), count(a.Open), count(a.Good+a.Bad+a.Open),
			a.Share())
	}
}

// AddGroups adds the groups of a column. The function linked returns the name to show for a group
// and the address of its dialogues.
func (f *Figures) AddGroups(of *summary.Groups, linked func(summary.Group) (name, link string)) {
	f.Groups = append(f.Groups, f.groups("groups", of, linked))
}

// AddWeeks adds groups by week.
func (f *Figures) AddWeeks(of *summary.Groups, linked func(summary.Group) (name, link string)) {
	f.Weeks = f.groups("weeks", of, linked).List
	f.Tables["weeks"][0].Title = "By week: means with 95 % intervals"
}

// groups adds a table of groups to a section, and returns the groups that it shows.
func (f *Figures) groups(section string, of *summary.Groups,
	linked func(summary.Group) (name, link string)) *summary.Groups {
	shown := &summary.Groups{By: ui.Visible(of.By)}
	for _, g := range of.List {
		g.Name, g.Link = linked(g)
		g.Name = ui.Visible(g.Name)
		shown.List = append(shown.List, g)
	}
	list := shown.Tables()
	for i, g := range shown.List {
		list[0].Rows[i][0].Link = g.Link
	}
	f.Tables[section] = append(f.Tables[section], list...)
	return shown
}
