package web

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// overviewPage summarises the dialogues and the state of their review. Each figure links to its
// dialogues.
type overviewPage struct {
	*review.Overview
	Of        string // the filter in words, or "" for all dialogues
	Scores    []bar
	Levels    []bar
	Trend     *plot
	Weeks     []grouped
	Agents    grouping
	Queues    grouping
	Themes    []review.Theme
	People    []review.Progress
	Todo      int
	Agreement []string
	links     url.Values // the query parameters of every link
}

// bar is one of several counts of dialogues.
type bar struct {
	Name  string
	Count int
	Width int    // in percent of the largest count
	Share string // the share of all scored dialogues
	Link  string
}

// grouped summarises the dialogues of one agent, queue or week.
type grouped struct {
	summary.Group
	Link string
}

// grouping holds the groups of a column and the number of dialogues without a value in it.
type grouping struct {
	List    []grouped
	Without int
}

func (s *Server) overview(w http.ResponseWriter, r *http.Request, f review.Filter) (err error) {
	ctx := r.Context()
	p := overviewPage{links: kept(r)}
	p.links.Del("order")
	p.links.Set("state", string(review.All))
	for _, name := range narrowing {
		if v := r.URL.Query().Get(name); v != "" {
			p.Of += ui.Visible(", " + name + " " + s.shown(v))
		}
	}
	p.Of = strings.TrimPrefix(p.Of, ", ")
	if p.Overview, err = s.Store.Overview(ctx, f); err != nil {
		return err
	}
	for i, step := range review.Steps() {
		p.Scores = append(p.Scores, p.bar(p.Satisfaction[:], i, step.String(), "sat",
			step.Least.String()))
	}
	for i := range p.Overall {
		name := rubric.Scale[i].String()
		p.Levels = append(p.Levels, p.bar(p.Overall[:], i, name, "overall", name))
	}
	p.Agents, p.Queues = s.groups(&p, p.Overview.Agents, "agent"), s.groups(&p, p.Overview.Queues,
		"queue")
	p.weeks()
	const most, examples = 10, 2
	if p.Themes, err = s.Store.Themes(ctx, f, most, examples); err != nil {
		return err
	}
	for _, t := range p.Themes {
		for i := range t.Examples {
			e := &t.Examples[i]
			e.Dialogue, e.Said = s.masked(e.Dialogue), s.shown(e.Said)
		}
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
	return s.show(w, r, http.StatusOK, "overview", "Overview", &p)
}

// Link returns the address of part of the queue. The pairs are names and values of its filter.
func (p *overviewPage) Link(pairs ...string) string {
	q := maps.Clone(p.links)
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return "/?" + q.Encode()
}

// bar returns the bar for counts[i], with a link to its dialogues.
func (p *overviewPage) bar(counts []int, i int, name, filter, value string) bar {
	n := counts[i]
	return bar{name, n,
		100 * n / max(slices.Max(counts), 1), ui.Percent(n, p.Scored), p.Link(filter, value)}
}

// groups links the groups of a column to their dialogues. Dialogues without a value in the column
// have nothing in common, so they form no group and are only counted.
func (s *Server) groups(p *overviewPage, of *summary.Groups, column string) (all grouping) {
	if of == nil {
		return all
	}
	for _, g := range of.List {
		if g.None {
			all.Without = g.Scored + g.Unscored
			continue
		}
		one := grouped{Group: g}
		if s.shown(g.Name) == g.Name {
			one.Link = p.Link(column, g.Name)
		}
		one.Name = ui.Visible(s.shown(g.Name))
		all.List = append(all.List, one)
	}
	return all
}

// weeks sorts the weeks and draws them.
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
		link := p.Link("from", g.Name, "to", monday.AddDate(0, 0, 6).Format(time.DateOnly))
		p.Weeks = append(p.Weeks, grouped{g, link})
		if v := g.Satisfaction; v.Value > 0 {
			m := mark{At: float64(monday.Unix()), Value: float64(v.Value) / 100,
				Low:  float64(v.Low) / 100,
				High: float64(v.High) / 100, Label: "week of " + g.Name, Link: link}
			if v.High == 0 { // a single dialogue has no interval
				m.Low, m.High = m.Value, m.Value
			}
			marks = append(marks, m)
		}
	}
	p.Trend = newPlot(marks, 1, 2, 3, 4, 5)
}

// mark is a value in a plot with its interval, whose ends are NaN if it has none.
type mark struct {
	At, Value, Low, High float64
	Label                string // what the value describes
	Link                 string // the address of its dialogues, or ""
}

// plot is a line with a band around it, in the units of an SVG of 640 by 200.
type plot struct {
	Line, Band string // the points of a polyline and of a polygon
	Dots       []dot
	Ticks      []tick
	From, To   string // the labels of the ends of the axis
}

type dot struct {
	X, Y string
	mark
}

type tick struct{ Y, Text string }

// newPlot draws marks from left to right on a scale of values. It returns nil for fewer than two
// marks.
func newPlot(marks []mark, scale ...float64) *plot {
	const left, right, top, bottom = 40, 628, 8, 172
	if len(marks) < 2 {
		return nil
	}
	first, last := marks[0], marks[len(marks)-1]
	low, high := scale[0], scale[len(scale)-1]
	x := func(at float64) string {
		return fmt.Sprintf("%.1f", left+(at-first.At)/(last.At-first.At)*(right-left))
	}
	y := func(v float64) string {
		return fmt.Sprintf("%.1f", bottom-(min(max(v, low), high)-low)/(high-low)*(bottom-top))
	}
	p := &plot{From: first.Label, To: last.Label}
	var line, above, below []string
	for _, m := range marks {
		line = append(line, x(m.At)+","+y(m.Value))
		p.Dots = append(p.Dots, dot{x(m.At), y(m.Value), m})
		if !math.IsNaN(m.Low) {
			above = append(above, x(m.At)+","+y(m.High))
			below = append(below, x(m.At)+","+y(m.Low))
		}
	}
	slices.Reverse(below)
	p.Line, p.Band = strings.Join(line, " "), strings.Join(append(above, below...), " ")
	for _, v := range scale {
		p.Ticks = append(p.Ticks, tick{y(v), short(v)})
	}
	return p
}

// String describes the mark for screen readers.
func (m mark) String() string {
	if math.IsNaN(m.Low) {
		return fmt.Sprintf("%s: %.2f", m.Label, m.Value)
	}
	return fmt.Sprintf("%s: %.2f (%.2f to %.2f)", m.Label, m.Value, m.Low, m.High)
}
