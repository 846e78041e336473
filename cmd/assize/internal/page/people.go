package page

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/accord/view"
	"assize/cmd/assize/internal/report"
)

// people shows how the runs agree with those who rated: the figures of `assize agree`, each beside one more person and
// the limit.
func (p *Page) people() figure {
	rep := p.People.Report
	f := figure{section: section{"people", "Agreement with people", "", "People"}}
	for _, s := range rep.Sentences() {
		f.Lead += s + " "
	}
	t := table{Caption: "Spearman correlation with people's mean rating", Head: []string{"Of", "Dialogues", "Spearman", "95 % interval", "One person", "Limit"}}
	for _, c := range p.correlations() {
		interval := "–"
		if c.Low != nil {
			interval = accord.Short(*c.Low, 2) + " to " + accord.Short(*c.High, 2)
		}
		t.Rows = append(t.Rows, []string{c.Name, count(c.N), short(c.Value), interval, short(c.One), short(c.Limit)})
	}
	f.Charts = []chart{{ID: "chart-spearman", Title: "Rank correlation with people's ratings", Label: "Dots with intervals: the correlation of each measure and group with people's ratings, beside one person and the limit"}}
	f.Tables = []table{t}
	if slices.Contains(rep.Rated, accord.OverallRating) {
		f.Charts = append(f.Charts,
			chart{ID: "chart-scatter", Title: "Satisfaction and people's mean", Label: "Scatter plot: satisfaction across, people's mean rating up"},
			chart{ID: "chart-confusion", Title: "Levels of satisfaction and of people", Label: "Matrix: how many dialogues have which level by satisfaction and by people's mean"})
		f.Tables = append(f.Tables, p.ratedTable(), confusionTable(rep.Confusion(accord.OverallRating, accord.Satisfaction)))
	}
	f.Notes = append(slices.Clone(p.People.Source.Notes), rep.Notes...)
	if slices.Contains(rep.Rated, accord.OverallRating) {
		f.Notes = append(f.Notes, "Matrix: the stronger the colour, the more of its row; in the framed fields both agree.")
	}
	f.Notes = append(f.Notes, "One person: each rater against the mean of the others. Limit: √ICC(k), which no scorer can be expected to pass. Intervals: bootstrap, "+
		counted(rep.Options.Draws, "draw")+", seed "+strconv.FormatUint(rep.Options.Seed, 10)+".")
	for i, n := range f.Notes {
		f.Notes[i] = report.Visible(n)
	}
	return f
}

func confusionTable(counts [][]int) table {
	t := table{Caption: "Levels: people's mean in rows, satisfaction in columns", Head: []string{"People near", "1", "2", "3", "4", "5"}}
	for l, row := range counts {
		cells := []string{strconv.Itoa(l + 1)}
		for _, n := range row {
			cells = append(cells, count(n))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// ratedTable says what the scatter plot shows: people's mean by satisfaction, in steps of half a point.
func (p *Page) ratedTable() table {
	var sums, counts [9]float64 // from 1.0 to 5.0
	for i := range p.Rated {
		r := &p.Rated[i]
		if m := r.Mean(); !math.IsNaN(m) {
			step := int(r.Record.Satisfaction-100) / 50
			sums[step] += m
			counts[step]++
		}
	}
	t := table{Caption: "People's mean by satisfaction", Head: []string{"Satisfaction from", "Dialogues", "People's mean"}}
	for step, n := range counts {
		if n > 0 {
			t.Rows = append(t.Rows, []string{fixed(1+float64(step)/2, 1), count(int(n)), fixed(sums[step]/n, 2)})
		}
	}
	return t
}

// correlation is a Spearman beside its yardsticks. What cannot be had is nil.
type correlation struct {
	Name  string   `json:"name"`
	Group bool     `json:"group"` // of one group alone
	N     int      `json:"n"`
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	One   *float64 `json:"one"`   // one person against the others
	Limit *float64 `json:"limit"` // √ICC(k)
}

// mostGroups is how many groups of a column or of people's ratings a chart shows.
const mostGroups = 20

// correlations gives the means over the groups, then satisfaction in each group.
func (p *Page) correlations() (list []correlation) {
	rep := p.People.Report
	add := func(name string, group bool, figures []accord.Figure, rated, measure string) {
		at := func(m string, s accord.Statistic) accord.Figure {
			return rep.Of(figures, accord.Key{Rated: rated, Measure: m, Statistic: s})
		}
		rho := at(measure, accord.Spearman)
		list = append(list, correlation{name, group, rho.N, number(rho.Value), number(rho.Low), number(rho.High),
			number(at(accord.OneAnnotator, accord.Spearman).Value), number(at(accord.Raters, accord.Ceiling).Value)})
	}
	for _, rated := range rep.Rated {
		for _, m := range accord.MeasuresOf(rated) {
			add(view.Label(m), false, rep.Mean, rated, m)
		}
	}
	names := view.GroupNames(&rep.Table)
	if len(names) < 2 || !slices.Contains(rep.Rated, accord.OverallRating) {
		return list
	}
	for i, g := range rep.Groups[:min(len(rep.Groups), mostGroups)] {
		add(names[i], true, g.Figures, accord.OverallRating, accord.Satisfaction)
	}
	return list
}

// number gives a figure as JSON has it.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	v = math.Round(v*1e4) / 1e4
	return &v
}

func short(v *float64) string {
	if v == nil {
		return "–"
	}
	return accord.Short(*v, 2)
}

// dot is a place of the scatter plot, and how many dialogues lie there.
type dot struct {
	X float64 `json:"x"` // satisfaction
	Y float64 `json:"y"` // people's mean
	N int     `json:"n"`
}

// mostDots is up to how many dialogues have a dot each. Of more, those within a twentieth of a point share one.
const mostDots = 1000

func (p *Page) dots() []dot {
	step := 100.0
	if len(p.Rated) > mostDots {
		step = 20
	}
	counts := map[[2]int]int{}
	for i := range p.Rated {
		r := &p.Rated[i]
		if m := r.Mean(); !math.IsNaN(m) {
			counts[[2]int{int(math.Round(float64(r.Record.Satisfaction) / 100 * step)), int(math.Round(m * step))}]++
		}
	}
	var list []dot
	for at, n := range counts {
		list = append(list, dot{float64(at[0]) / step, float64(at[1]) / step, n})
	}
	slices.SortFunc(list, compareDots)
	return list
}

func compareDots(a, b dot) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) }
