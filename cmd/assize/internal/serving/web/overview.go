package web

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/showing/report"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
)

// overviewPage summarises the dialogues and their review. Groups, scores and reasons link to their
// dialogues.
type overviewPage struct {
	*review.Overview
	Of        string // the filter in words, or "" for all dialogues
	Figures   *report.Figures
	Without   []string // the numbers of dialogues that belong to no group, in words
	Themes    []review.Theme
	People    []review.Progress
	Counts    review.Counts
	Agreement *review.Agreement
	Missed    []ratings.Split // see [review.Store.Missed]; nil if scores are hidden
	Learnt    bool            // an accepted profile estimates satisfaction
	Blind     bool            // some scores are hidden from the reviewer
	links
}

func (s *Server) overview(w http.ResponseWriter, r *http.Request, f review.Filter) (err error) {
	ctx := r.Context()
	p := overviewPage{links: links{kept(r)}, Figures: report.NewFigures(), Blind: s.Blind,
		Learnt: s.Store.Profile() != nil}
	p.query.Del("order")
	p.query.Set("state", string(review.All))
	for _, name := range parameters[3:] {
		if v := r.URL.Query().Get(name); v != "" {
			p.Of += ui.Visible(", " + name + " " + s.shown(v))
		}
	}
	p.Of = strings.TrimPrefix(p.Of, ", ")
	if p.Overview, err = s.Store.Overview(ctx, f); err != nil {
		return err
	}
	if p.Scored > 0 {
		p.Figures.AddScores(&p.Summary, review.Steps(), func(measure, v string) string {
			return p.Link(strings.Replace(measure, "satisfaction", "sat", 1), v)
		})
	}
	p.Figures.AddAnswers(p.Answered, p.CardNotes(p.Answered), func(question, answer string) string {
		return p.Link("answer", question+": "+answer)
	})
	for _, g := range p.Groups {
		s.groups(&p, g)
	}
	const most, examples = 10, 2
	var errs [5]error
	p.Themes, errs[0] = s.Store.Themes(ctx, f, most, examples)
	p.Counts, errs[1] = s.Store.Count(ctx, f)
	p.People, errs[2] = s.Store.Progress(ctx)
	p.Agreement, errs[3] = s.Store.Agreement(ctx, s.Blind)
	if !s.Blind {
		p.Missed, errs[4] = s.Store.Missed(ctx, false)
	}
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	if s.Blind { // the ratings of what the reviewer has not rated are hidden
		me := s.reviewer(r)
		p.Agreement.Differ = ui.Without(p.Agreement.Differ,
			func(d ratings.Split) bool { return !slices.Contains(d.Raters, me) })
	}
	return s.show(w, r, http.StatusOK, "overview", "Overview", &p)
}

// links makes the addresses of parts of the queue.
type links struct {
	query url.Values // the query parameters of every address
}

// Link returns the address of part of the queue. The pairs are names and values of its filter.
func (l links) Link(pairs ...string) string {
	q := maps.Clone(l.query)
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return "/?" + q.Encode()
}

// groups adds the groups of a column, weeks in their order. Dialogues without a value in the column
// have nothing in common, so they form no group and are only counted.
func (s *Server) groups(p *overviewPage, of *summary.Groups) {
	groups, byWeek := &summary.Groups{By: of.By}, of.By == "week"
	for _, g := range of.List {
		if !g.None {
			groups.List = append(groups.List, g)
		} else if !byWeek {
			p.Without = append(p.Without, "No "+of.By+": "+ui.Counted(g.N, "dialogue")+".")
		}
	}
	switch {
	case byWeek:
		slices.SortFunc(groups.List,
			func(a, b summary.Group) int { return cmp.Compare(a.Name, b.Name) })
		p.Figures.AddWeeks(groups, func(g summary.Group) (name, link string) {
			monday, _ := time.Parse(time.DateOnly, g.Name) // as review.Week returns it
			sunday := monday.AddDate(0, 0, 6).Format(time.DateOnly)
			return g.Name, p.Link("from", g.Name, "to", sunday)
		})
	case len(groups.List) > 0:
		p.Figures.AddGroups(groups, func(g summary.Group) (name, link string) {
			if s.shown(g.Name) == g.Name {
				link = p.Link(of.By, g.Name)
			}
			return s.shown(g.Name), link
		})
	}
}
