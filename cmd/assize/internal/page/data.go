package page

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/triage"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// data is what the script draws.
type data struct {
	Criteria    []string               `json:"criteria"`
	Overall     [len(rubric.Scale)]int `json:"overall"` // dialogues by level
	Counts      []summary.Counts       `json:"counts"`  // by criterion
	Course      []course               `json:"course"`
	Rulings     []string               `json:"rulings"` // their ids
	Apart       []int                  `json:"apart"`   // dialogues by disagreement, in steps of half a level
	Groups      []groups               `json:"groups"`
	People      *people                `json:"people"`
	Files       []string               `json:"files"`
	Reasons     []string               `json:"reasons"` // why dialogues are unscored; empty for those that are scored
	Cases       map[string][]any       `json:"cases"`   // see [Page.cases]
	Transcripts []transcript           `json:"transcripts"`
}

type course struct {
	Name   string        `json:"name"`
	N      int           `json:"n"`
	Points []stats.Fixed `json:"points"` // by tenth of the dialogue
}

// groups are a column as the script draws it and filters by it.
type groups struct {
	By     string          `json:"by"`
	List   []summary.Group `json:"list"`
	Member []int           `json:"member"` // of each dialogue, the place of its group in the list
}

type people struct {
	Correlations []correlation `json:"correlations"`
	Confusion    [][]int       `json:"confusion"` // people's level in rows, that of satisfaction in columns
}

// correlation is a Spearman beside its yardsticks. What cannot be had is NaN.
type correlation struct {
	Name  string      `json:"name"`
	Group bool        `json:"group"` // of one group alone
	N     int         `json:"n"`
	Value stats.Fixed `json:"value"`
	Low   stats.Fixed `json:"low"`
	High  stats.Fixed `json:"high"`
	One   stats.Fixed `json:"one"`   // one person against the others
	Limit stats.Fixed `json:"limit"` // √ICC(k)
}

func (p *Page) data(shown []transcript) ([]byte, error) {
	s := &p.Summary
	d := data{Overall: s.Overall, Rulings: rulingIDs(), Groups: p.groupData(), Transcripts: shown}
	p.cases(&d)
	if s.Scored > 0 {
		d.Counts = s.Criteria[:]
	}
	if s.CrossChecked > 0 {
		d.Apart = s.Apart[:]
	}
	for _, c := range rubric.Criteria() {
		d.Criteria = append(d.Criteria, c.String())
	}
	for i, k := range []*summary.Course{&p.below, &p.rest} {
		if k.N == 0 {
			continue
		}
		c := course{Name: []string{"below 60", "60 or more"}[i], N: k.N}
		for part := range summary.Parts {
			c.Points = append(c.Points, number(k.Mean(part)))
		}
		d.Course = append(d.Course, c)
	}
	if p.People != nil {
		d.People = &people{Correlations: p.correlations()}
		if slices.Contains(p.People.Rated, agree.OverallRating) {
			d.People.Confusion = p.People.Confusion(agree.OverallRating, agree.Satisfaction)
		}
	}
	return json.Marshal(d) // which writes <, >, &, U+2028 and U+2029 as \u…
}

// cases lays the dialogues out as a list for each column, which is smaller and quicker to read than an object for each.
// Scores are levels, 1 to 5; a dialogue that is unscored has none.
func (p *Page) cases(d *data) {
	s := &p.Summary
	d.Cases = map[string][]any{}
	column := func(name string, value func(*run.Row) any) {
		list := make([]any, len(p.Rows))
		for i := range p.Rows {
			list[i] = value(&p.Rows[i])
		}
		d.Cases[name] = list
	}
	files, reasons := numbered(&d.Files), numbered(&d.Reasons)
	column("id", func(r *run.Row) any { return ui.Visible(r.Name) })
	column("file", func(r *run.Row) any { return files(r.File) })
	column("turns", func(r *run.Row) any { return r.Turns })
	column("reason", func(r *run.Row) any { return reasons(r.Reason) })
	column("satisfaction", func(r *run.Row) any { return int(r.Satisfaction) }) // hundredths
	column("average", func(r *run.Row) any { return int(r.Average) })           // hundredths
	column("overall", func(r *run.Row) any { return int(r.Overall) / 20 })
	column("final", func(r *run.Row) any { return levels(r, r.Final) })
	column("proposed", func(r *run.Row) any { // by the Evaluator; empty where the Referee changed nothing
		if r.Changed() {
			return levels(r, r.Proposed)
		}
		return ""
	})
	column("friction", func(r *run.Row) any { return p.reasons[r.Place].friction })
	column("failed", func(r *run.Row) any { // the criterion that cost it most; -1 where nothing did
		if why := p.reasons[r.Place]; why.Score > 0 || !r.Scored() {
			return int(why.Criterion)
		}
		return -1
	})
	column("why", func(r *run.Row) any { // turn, words, turn, words
		why := []any{}
		for _, q := range p.reasons[r.Place].Evidence {
			why = append(why, q.Turn, ui.Visible(q.Text))
		}
		return why
	})
	ranks, order := make([]int, len(p.Rows)), make([]*run.Row, len(p.Rows))
	for i := range p.Rows {
		order[i] = &p.Rows[i]
	}
	slices.SortFunc(order, func(a, b *run.Row) int { // the unscored last
		return cmp.Or(cmp.Compare(min(b.Overall, 1), min(a.Overall, 1)), triage.BySatisfaction.Compare(a, b))
	})
	for i, r := range order {
		ranks[r.Place] = i + 1
	}
	column("rank", func(r *run.Row) any { return ranks[r.Place] })
	if slices.ContainsFunc(p.Rows, func(r run.Row) bool { return r.Flagged }) {
		column("flagged", func(r *run.Row) any { return r.Flagged })
	}
	if s.Duplicates > 0 { // the dialogue with the same turns that was judged
		column("copy", func(r *run.Row) any { return ui.Visible(r.Repeats) })
	}
	if s.CrossChecked > 0 {
		column("apart", func(r *run.Row) any { // hundredths of a level; -1 where no model judged
			if r.CrossCheck == nil {
				return -1
			}
			return int(r.CrossCheck.Disagreement)
		})
		column("contradicts", func(r *run.Row) any {
			return r.CrossCheck != nil && r.CrossCheck.Count(rubric.Contradict) > 0
		})
	}
	if p.People != nil { // the mean of people's ratings, 1 to 5; null where nobody rated
		means := make([]any, len(p.Rows))
		for i := range p.Rated {
			if r := &p.Rated[i]; r.Overall != nil {
				means[r.Row.Place] = math.Round(100*r.Mean()) / 100
			}
		}
		column("people", func(r *run.Row) any { return means[r.Place] })
	}
}

// numbered makes a function that gives names numbers, in the order in which they come, and lists them visibly.
func numbered(list *[]string) func(name string) int {
	at := map[string]int{}
	return func(name string) int {
		n, known := at[name]
		if !known {
			n = len(at)
			at[name] = n
			*list = append(*list, ui.Visible(name))
		}
		return n
	}
}

// levels writes scores as a digit each, 1 to 5; nothing where there are none.
func levels(r *run.Row, scores [rubric.NumCriteria]rubric.Score) (digits string) {
	for _, s := range scores {
		if r.Scored() {
			digits += string(rune('1' + s.Level()))
		}
	}
	return digits
}

func (p *Page) groupData() (list []groups) {
	type key struct { // of the dialogues without a column it is empty
		value string
		ok    bool
	}
	for _, column := range p.Groups {
		d, at := groups{By: ui.Visible(column.By), List: slices.Clone(column.List)}, map[key]int{}
		for i := range d.List {
			if g := &d.List[i]; g.None {
				at[key{}] = i
			} else {
				at[key{g.Name, true}] = i
				g.Name = ui.Visible(g.Name)
			}
		}
		for i := range p.Rows {
			value, ok := p.Rows[i].Column(column.By)
			d.Member = append(d.Member, at[key{value, ok}])
		}
		list = append(list, d)
	}
	return list
}

// correlations gives the means over the groups, then satisfaction in each group.
func (p *Page) correlations() (list []correlation) {
	rep := p.People
	add := func(name string, group bool, figures []agree.Figure, rated, measure string) {
		at := func(m string, s agree.Statistic) agree.Figure {
			return rep.Of(figures, agree.Key{Rated: rated, Measure: m, Statistic: s})
		}
		rho := at(measure, agree.Spearman)
		one, limit := at(agree.OneAnnotator, agree.Spearman).Value, at(agree.Raters, agree.Ceiling).Value
		list = append(list, correlation{name, group, rho.N,
			number(rho.Value), number(rho.Low), number(rho.High), number(one), number(limit)})
	}
	for _, rated := range rep.Rated {
		for _, m := range agree.MeasuresOf(rated) {
			add(agree.Label(m), false, rep.Mean, rated, m)
		}
	}
	names := rep.GroupNames()
	if len(names) < 2 || !slices.Contains(rep.Rated, agree.OverallRating) {
		return list
	}
	for i, g := range rep.Groups[:min(len(rep.Groups), mostGroups)] {
		add(names[i], true, g.Figures, agree.OverallRating, agree.Satisfaction)
	}
	return list
}

// number gives a figure as the script gets it: to four decimals, and null for NaN.
func number(v float64) stats.Fixed { return stats.Fixed{Value: v, Decimals: 4} }
