package page

import (
	"fmt"
	"strconv"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/overview"
	"assize/rubric"
)

// figures lists the sections that there is something to show in.
func (p *Page) figures() []figure {
	o := p.Overview
	var list []figure
	if o.Scored > 0 {
		list = append(list, p.overall(), p.satisfaction(), p.criteria(), p.course(), p.court())
	}
	if len(p.Groups) > 0 {
		list = append(list, p.groups())
	}
	if o.Bench.Checked > 0 {
		list = append(list, p.bench())
	}
	if p.People != nil {
		list = append(list, p.people())
	}
	if o.Unscored > 0 {
		list = append(list, p.unscored())
	}
	return list
}

func (p *Page) overall() figure {
	o := p.Overview
	t := table{Caption: "Dialogues by overall score", Head: []string{"Overall", "Dialogues", "Share"}}
	for i := len(rubric.Scale) - 1; i >= 0; i-- {
		t.Rows = append(t.Rows, []string{rubric.Scale[i].String(), count(o.Overall[i]), percent(o.Overall[i], o.Scored)})
	}
	return figure{
		section: section{"overall", "Overall", "The weighted average, mapped onto the five levels.", ""},
		Charts:  []chart{{ID: "chart-overall", Label: "Bars: how many dialogues have each overall score"}},
		Tables:  []table{t}, Half: true,
	}
}

func (p *Page) satisfaction() figure {
	t := table{Caption: "Dialogues by satisfaction", Head: []string{"From", "Dialogues", "Share"}}
	for _, b := range p.bins() {
		t.Rows = append(t.Rows, []string{fixed(b.From, 1), count(b.N), percent(b.N, p.Overview.Scored)})
	}
	return figure{
		section: section{"satisfaction", "Satisfaction", "The rating from 1 to 5 that people would give, as estimated.", ""},
		Charts:  []chart{{ID: "chart-satisfaction", Label: "Histogram: how many dialogues have which satisfaction"}},
		Tables:  []table{t}, Half: true,
	}
}

// bin counts dialogues by satisfaction, in steps of a tenth.
type bin struct {
	From float64 `json:"from"`
	N    int     `json:"n"`
}

// bins runs from the first tenth that holds a dialogue to the last.
func (p *Page) bins() []bin {
	counts := map[int]int{}
	first, last := 50, 10
	for i := range p.Overview.Cases {
		if c := &p.Overview.Cases[i]; c.Scored() {
			tenth := int(c.Satisfaction) / 10
			counts[tenth]++
			first, last = min(first, tenth), max(last, tenth)
		}
	}
	var list []bin
	for tenth := first; tenth <= last; tenth++ {
		list = append(list, bin{float64(tenth) / 10, counts[tenth]})
	}
	return list
}

func (p *Page) criteria() figure {
	o := p.Overview
	t := table{Caption: "Scores by criterion", Head: []string{"Criterion", "Weight", "Mean", "Std. dev.", "20", "40", "60", "80", "100"}}
	for _, c := range rubric.Criteria() {
		s := &o.Criteria[c]
		row := []string{c.String(), p.weight(c), o.Criterion(c).String(), fixed(s.Deviation(), 1)}
		for _, n := range s.Levels {
			row = append(row, percent(n, s.N()))
		}
		t.Rows = append(t.Rows, row)
	}
	return figure{
		section: section{"criteria", "The six criteria", "What the dialogues are judged by, and where they lose.", "Criteria"},
		Charts: []chart{
			{ID: "chart-levels", Title: "Share of dialogues at each level", Label: "Stacked bars: how many dialogues have which score on each criterion"},
			{ID: "chart-means", Title: "Mean and standard deviation", Label: "Bars: the mean score of each criterion, with a line for one standard deviation to either side"},
		},
		Tables: []table{t},
	}
}

// weight is that of the rubric; a dash where the runs have several.
func (p *Page) weight(c rubric.Criterion) string {
	weight := -1
	for _, m := range p.Overview.Made {
		w := rubric.Default().Weights[c]
		if m.Header != nil {
			w = m.Header.Basis.Rubric.Weights[c]
		}
		if weight >= 0 && w != weight {
			return "–"
		}
		weight = w
	}
	return strconv.Itoa(weight) + " %"
}

func (p *Page) course() figure {
	k := &p.Overview.Courses
	f := figure{section: section{"course", "Where conversations go wrong", "", "Friction"}, Half: true}
	if k.Below.N+k.Rest.N == 0 {
		f.Lead = "No dialogue is long enough to have a beginning, a middle and an end."
		return f
	}
	f.Lead = "Points a turn of the SYSTEM, from the opening to the close: what the USER's answers and the SYSTEM's own reports say of it. Below zero it goes wrong."
	f.Charts = []chart{{ID: "chart-course", Label: "Lines: mean points by tenth of the dialogue, of dialogues below 60 and of the rest"}}
	t := table{
		Caption: "Mean points a turn by tenth of the dialogue",
		Head:    []string{"Tenth", "Below 60 (" + count(k.Below.N) + ")", "60 or more (" + count(k.Rest.N) + ")"},
	}
	for part := range overview.Parts {
		t.Rows = append(t.Rows, []string{strconv.Itoa(part + 1), mean(&k.Below, part), mean(&k.Rest, part)})
	}
	f.Tables = []table{t}
	return f
}

func mean(c *overview.Course, part int) string {
	if c.N == 0 {
		return "–"
	}
	return fixed(c.Mean(part), 2)
}

func (p *Page) court() figure {
	o := p.Overview
	total := o.Court.Total()
	t := table{Caption: "The Referee's rulings by criterion", Head: []string{"Criterion"}}
	for id := rubric.Agreed; id <= rubric.Majority; id++ {
		t.Head = append(t.Head, id.String())
	}
	t.Head = append(t.Head, "Raised", "Lowered")
	row := func(name string, d *overview.Docket) {
		r := []string{name}
		for id := rubric.Agreed; id <= rubric.Majority; id++ {
			r = append(r, count(d.Rulings[id]))
		}
		t.Rows = append(t.Rows, append(r, count(d.Raised), count(d.Lowered)))
	}
	for _, c := range rubric.Criteria() {
		row(c.String(), &o.Court.Criteria[c])
	}
	row("All", &total)
	f := figure{
		section: section{"court", "Evaluator against Critic", fmt.Sprintf(
			"The Critic objects to %s of the Evaluator's scores. The Referee follows %s of the objections. Scores raised: %s; lowered: %s.",
			percent(total.Objections(), total.N()), percent(total.Changed(), total.Objections()), count(total.Raised), count(total.Lowered)), "Critic"},
		Charts: []chart{{ID: "chart-court", Label: "Stacked bars: how the Referee ruled on each criterion"}},
		Tables: []table{t}, Half: true,
	}
	entries := explain.All(rubric.Default(), nil)
	for _, id := range rulingIDs() {
		if e, ok := explain.Find(entries, id); ok {
			f.Explained = append(f.Explained, id+": "+e.Title)
		}
	}
	return f
}

func rulingIDs() (ids []string) {
	for id := rubric.Agreed; id <= rubric.Majority; id++ {
		ids = append(ids, id.String())
	}
	return ids
}

func (p *Page) bench() figure {
	b := &p.Overview.Bench
	t := table{Caption: "The model's scores against those of the rules", Head: []string{"Criterion", "Agree", "One level apart", "Two or more"}}
	row := func(name string, v overview.Verdicts) {
		n := v[rubric.Agree] + v[rubric.Doubt] + v[rubric.Contradict]
		t.Rows = append(t.Rows, []string{name, percent(v[rubric.Agree], n), percent(v[rubric.Doubt], n), percent(v[rubric.Contradict], n)})
	}
	for _, c := range rubric.Criteria() {
		row(c.String(), b.Criteria[c])
	}
	row("All", b.Total())
	apart := table{Caption: "Dialogues by disagreement", Head: []string{"Levels apart, from", "Dialogues"}}
	for i, n := range b.Apart {
		apart.Rows = append(apart.Rows, []string{fixed(float64(i)/2, 1), count(n)})
	}
	return figure{
		section: section{"bench", "Model against rules", "How far what the model proposes and what the rules alone make of it lie apart. It does not say who is right.", "Model"},
		Charts: []chart{
			{ID: "chart-bench", Title: "By criterion", Label: "Stacked bars: how often model and rules agree, doubt and contradict"},
			{ID: "chart-apart", Title: "Dialogues by levels apart", Label: "Histogram: how many dialogues have which disagreement"},
		},
		Tables: []table{t, apart},
		Notes:  p.Overview.Model(),
	}
}

func (p *Page) unscored() figure {
	o := p.Overview
	t := table{Caption: "Unscored dialogues by reason", Head: []string{"Reason", "Dialogues"}}
	for _, r := range o.ByFrequency() {
		t.Rows = append(t.Rows, []string{shown(unix(r)), count(o.Reasons[r])})
	}
	return figure{
		section: section{"unscored", "Unscored", "Unscored is not low: these could not be judged, and take part in no figure.", "Unscored"},
		Tables:  []table{t},
	}
}
