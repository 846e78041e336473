package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assize/cmd/assize/internal/review"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// overviewPage shows what dialogues have in common, and how far their review is. Each figure links to its dialogues.
type overviewPage struct {
	*review.Overview
	Of        string // the filter in words; empty for all dialogues
	Scores    []bar
	Levels    []bar
	Trend     *plot
	Weeks     []grouped
	Agents    []grouped
	Queues    []grouped
	Themes    []theme
	People    []review.Progress
	Todo      int
	Agreement []string
	links     url.Values // what every link asks for
}

// bar is one of several numbers of dialogues.
type bar struct {
	Name  string
	Count int
	Width int    // in percent of that of the greatest
	Share string // of all of them
	Link  string
}

// grouped are the dialogues of an agent, a queue or a week.
type grouped struct {
	summary.Group
	Link string
}

// theme is a reason that speaks against dialogues.
type theme struct {
	review.Theme
	Title string
	Link  string
}

func (s *Server) overview(w http.ResponseWriter, r *http.Request) error {
	f, err := s.filter(r)
	if err != nil {
		return wrong(err)
	}
	ctx := r.Context()
	p := overviewPage{}
	p.links, _ = url.ParseQuery(strings.TrimPrefix(query(r), "?"))
	p.links.Del("order")
	p.links.Set("state", string(review.All))
	for _, name := range []string{"agent", "queue", "from", "to", "low", "reason", "q", "sat", "overall", "by"} {
		if v := r.URL.Query().Get(name); v != "" {
			p.Of += ui.Visible(", " + name + " " + s.shown(v))
		}
	}
	p.Of = strings.TrimPrefix(p.Of, ", ")
	if p.Overview, err = s.Store.Overview(ctx, f); err != nil {
		return err
	}
	p.distributions()
	p.Agents, p.Queues = s.groups(&p, p.Overview.Agents, "agent"), s.groups(&p, p.Overview.Queues, "queue")
	p.weeks()
	const most, examples = 10, 2
	themes, err := s.Store.Themes(ctx, f, most, examples, func(d *review.Dialogue) bool { return !s.hidden(d) })
	if err != nil {
		return err
	}
	for _, t := range themes {
		for i := range t.Examples {
			e := &t.Examples[i]
			e.Dialogue, e.Said = s.masked(e.Dialogue), s.shown(e.Said)
		}
		p.Themes = append(p.Themes, theme{t, cmp.Or(s.Titles[t.Reason], t.Reason), p.link("reason", t.Reason)})
	}
	counts, err := s.Store.Count(ctx, f)
	if err != nil {
		return err
	}
	p.Todo = counts.Todo
	if p.People, err = s.Store.Progress(ctx); err != nil {
		return err
	}
	agreement, err := s.Store.Agreement(ctx, s.Blind)
	if err != nil {
		return err
	}
	p.Agreement = agreement.Sentences()
	return s.show(w, r, http.StatusOK, "overview", "Overview", p)
}

// link gives the address of the queue of some of the dialogues, by names and values of its filter.
func (p *overviewPage) link(pairs ...string) string {
	q := url.Values{}
	for name, values := range p.links {
		q[name] = values
	}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return "/?" + q.Encode()
}

// distributions counts dialogues by satisfaction and by the overall score.
func (p *overviewPage) distributions() {
	o := p.Overview
	for i, step := range steps() {
		n := o.Satisfaction[i]
		p.Scores = append(p.Scores, bar{step.Name, n, 100 * n / max(slices.Max(o.Satisfaction[:]), 1), ui.Percent(n, o.Scored), p.link("sat", step.Least.String())})
	}
	for i, n := range o.Overall {
		name := strconv.Itoa(int(rubric.Scale[i]))
		p.Levels = append(p.Levels, bar{name, n, 100 * n / max(slices.Max(o.Overall[:]), 1), ui.Percent(n, o.Scored), p.link("overall", name)})
	}
}

// groups links groups to their dialogues. Those without the column have no link.
func (s *Server) groups(p *overviewPage, of *summary.Groups, column string) (list []grouped) {
	if of == nil {
		return nil
	}
	for _, g := range of.List {
		one := grouped{Group: g}
		if !g.None && s.shown(g.Name) == g.Name {
			one.Link = p.link(column, g.Name)
		}
		one.Name = ui.Visible(s.shown(g.Name))
		list = append(list, one)
	}
	return list
}

// weeks puts the weeks into their order and draws them.
func (p *overviewPage) weeks() {
	if p.Overview.Weeks == nil {
		return
	}
	var marks []mark
	list := slices.Clone(p.Overview.Weeks.List)
	slices.SortFunc(list, func(a, b summary.Group) int { return cmp.Compare(a.Name, b.Name) })
	for _, g := range list {
		monday, err := time.Parse(time.DateOnly, g.Name)
		if err != nil { // the dialogues without a day
			continue
		}
		link := p.link("from", g.Name, "to", monday.AddDate(0, 0, 6).Format(time.DateOnly))
		p.Weeks = append(p.Weeks, grouped{g, link})
		if v := g.Satisfaction; v.Value > 0 {
			m := mark{At: float64(monday.Unix()), Value: float64(v.Value) / 100, Low: float64(v.Low) / 100,
				High: float64(v.High) / 100, Label: "week of " + g.Name, Link: link}
			if v.High == 0 { // a single dialogue has no interval
				m.Low, m.High = m.Value, m.Value
			}
			marks = append(marks, m)
		}
	}
	p.Trend = newPlot(marks)
}

// step is a part of the scale of satisfaction.
type step struct {
	Least rubric.Hundredths
	Name  string
}

// steps gives all of them, the lowest first.
func steps() (list []step) {
	for i := range (review.Overview{}).Satisfaction {
		least, below := review.Bin(i)
		list = append(list, step{least, least.String() + " to " + min(below-1, 500).String()})
	}
	return list
}

// bin gives the step that a satisfaction, such as 1.50, is in.
func bin(from float64) (least, below rubric.Hundredths) {
	return review.Bin(min(max(int(2*from)-2, 0), len(review.Overview{}.Satisfaction)-1))
}
