package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/stats"
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
		b.N = ui.Sum(s.Satisfactions[b.From:min(int(b.To), len(s.Satisfactions))])
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

// data is the JSON that the script draws. Untrusted text in it has passed through [ui.Visible].
type data struct {
	*Figures
	Criteria []string         `json:"criteria"`
	Counts   []summary.Counts `json:"counts"`  // per criterion
	Rulings  []string         `json:"rulings"` // the IDs of the rulings
	// dialogues by disagreement, in steps of half a level
	Apart     []int         `json:"apart"`
	Agreement []correlation `json:"agreement"` // with people
	// claims that something was done
	ToolClaims  []*claimed `json:"claims_by_tool,omitempty"`
	AgentClaims []*claimed `json:"claims_by_agent,omitempty"`
	List        List       `json:"list"`
}

// correlation is a Spearman correlation with its reference values.
type correlation struct {
	Name  string       `json:"name"`
	Group bool         `json:"group"` // within a single group
	N     int          `json:"n"`
	Rho   stats.Figure `json:"rho"`
	One   stats.Figure `json:"one"`   // one person against the others
	Limit stats.Figure `json:"limit"` // the upper limit, √ICC(k)
}

func (p *Page) data(f *Figures, list List) data {
	s := &p.Summary
	return data{Figures: f, Counts: s.Criteria[:], Apart: s.Apart[:], Rulings: rulingIDs(),
		List: list, ToolClaims: p.Claims.byTool(), AgentClaims: sorted(p.Claims.agents),
		Criteria: run.ScoreNames(), Agreement: p.correlations()}
}

// cases lists the worst dialogues and the shown ones in the order of the runs, with their groups
// and people's ratings. Ratings are on the scale from 1 to 5 if they are compared with the scores,
// otherwise on the scale of the source.
func (p *Page) cases(shown []kept) (list []Entry) {
	worst := append(p.listed.List(), ui.Each(shown, func(k kept) *Entry { return k.Entry })...)
	slices.SortFunc(worst, func(a, b *Entry) int { return cmp.Compare(a.Place, b.Place) })
	titles := Titles(slices.Concat(p.Rows, p.Repeats))
	also := map[int][]string{} // the names of the repeats, by place
	for i, r := range p.Repeats {
		also[r.Place] = append(also[r.Place], titles[len(p.Rows)+i])
	}
	titles = titles[:len(p.Rows)]
	twins := len(ui.Distinct(titles)) < len(titles) // two dialogues have the same name
	for _, e := range slices.Compact(worst) {
		list = append(list, Entry{Row: e.Row, Title: titles[e.Place], Extra: maps.Clone(e.Extra)})
		l := &list[len(list)-1]
		if p.People != nil {
			l.Extra["rating"] = nil
		}
		if n := p.repeated[l.Place]; n > 0 {
			l.Extra["duplicates"] = n
			l.Extra["also"] = strings.Join(also[l.Place], ", ")
		}
		if twins {
			l.Extra["twin"] = l.File
		}
		for k, g := range p.Groups {
			value, ok := l.Column(g.By)
			if !ok {
				value = summary.NoGroup
			}
			l.Extra[fmt.Sprint("g", k)] = value
		}
	}
	for i := range p.Rated {
		r := &p.Rated[i]
		at, ok := find(list, r.Row)
		if r.Overall != nil && p.People != nil && ok && list[at].Extra["rating"] == nil {
			list[at].Extra["rating"] = math.Round(100*r.Mean()) / 100
		}
	}
	return list
}

// find returns the index of a dialogue, or of the one with the same turns, if it is there.
func find(cases []Entry, r *run.Row) (at int, ok bool) {
	return slices.BinarySearchFunc(cases, r.Place,
		func(e Entry, place int) int { return cmp.Compare(e.Place, place) })
}

// ratedOverall reports whether people rated whole dialogues, and not only single criteria.
func (p *Page) ratedOverall() bool {
	return p.People != nil && slices.Contains(p.People.Rated, agree.OverallRating)
}

// correlations returns the correlations of the means over all groups, then that of satisfaction in
// each group. It returns nil if nobody rated.
func (p *Page) correlations() (list []correlation) {
	rep := p.People
	if rep == nil {
		return nil
	}
	add := func(name string, group bool, figures []agree.Figure, rated, measure string) {
		at := func(m string, s agree.Statistic) stats.Figure {
			return rep.Of(figures, agree.Key{Rated: rated, Measure: m, Statistic: s}).Figure
		}
		rho := at(measure, agree.Spearman)
		list = append(list, correlation{name, group, rho.N, rho,
			at(agree.OneAnnotator, agree.Spearman), at(agree.Raters, agree.Ceiling)})
	}
	for _, rated := range rep.Rated {
		for _, m := range agree.MeasuresOf(rated) {
			add(agree.Label(m), false, rep.Mean, rated, m)
		}
	}
	const maxGroups = 20
	names := rep.GroupNames()
	if len(names) < 2 || !p.ratedOverall() {
		return list
	}
	for i, g := range rep.Groups[:min(len(rep.Groups), maxGroups)] {
		add(names[i], true, g.Figures, agree.OverallRating, agree.Satisfaction)
	}
	return list
}
