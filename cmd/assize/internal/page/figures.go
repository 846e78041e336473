package page

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// figure is a section with charts, and the same as tables. Its words are in figures.json.
type figure struct {
	ID     string      `json:"id"`
	Title  string      `json:"title"`
	Lead   string      `json:"lead"`
	Short  string      `json:"short"`  // its name in the list of sections; empty where it is not listed
	Half   bool        `json:"half"`   // it shares a line with another on a wide screen
	Charts []chart     `json:"charts"` // drawn by the script
	Notes  []string    `json:"notes"`
	Tables []*ui.Table `json:"-"`
}

// chart is the place of a drawing. Its title is shown where a figure has several; its label is for screen readers.
type chart struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Label string `json:"label"`
}

// figures lists the sections that there is something to show in.
func (p *Page) figures() (list []figure) {
	s, fill := &p.Summary, map[string]func(*figure){}
	if s.Scored > 0 {
		fill["overall"], fill["satisfaction"], fill["criteria"] = p.overall, p.satisfaction, p.criteria
		fill["course"], fill["critic"] = p.course, p.critic
	}
	if len(p.Groups) > 0 {
		fill["groups"] = p.groups
	}
	if s.CrossChecked > 0 {
		fill["model"] = p.model
	}
	if p.People != nil {
		fill["people"] = p.people
	}
	if s.Unscored > 0 {
		fill["unscored"] = p.unscored
	}
	var all []figure
	if err := json.Unmarshal([]byte(file("figures.json")), &all); err != nil {
		panic(err) // it is embedded
	}
	for _, f := range all {
		if fill[f.ID] != nil {
			fill[f.ID](&f)
			list = append(list, f)
		}
	}
	return list
}

// table adds a table whose first column holds names, and the others numbers.
func (f *figure) table(title string, columns ...string) *ui.Table {
	t := &ui.Table{Title: title}
	for i, c := range columns {
		t.Columns = append(t.Columns, ui.Column{Title: c, Right: i > 0})
	}
	f.Tables = append(f.Tables, t)
	return t
}

// counts adds a row of numbers to a table.
func counts(t *ui.Table, name any, numbers ...int) {
	row := []any{name}
	for _, n := range numbers {
		row = append(row, count(n))
	}
	t.Add(row...)
}

// shares adds a row of parts of a whole to a table, behind a few other cells.
func shares(t *ui.Table, parts []int, cells ...any) {
	whole := 0
	for _, n := range parts {
		whole += n
	}
	for _, n := range parts {
		cells = append(cells, ui.Percent(n, whole))
	}
	t.Add(cells...)
}

func (p *Page) overall(f *figure) {
	s := &p.Summary
	t := f.table("Dialogues by overall score", "Overall", "Dialogues", "Share")
	for i, score := range slices.Backward(rubric.Scale[:]) {
		t.Add(score, count(s.Overall[i]), ui.Percent(s.Overall[i], s.Scored))
	}
}

// satisfaction counts dialogues in steps of a tenth; a step without one has no row.
func (p *Page) satisfaction(f *figure) {
	tenths := map[rubric.Hundredths]int{}
	for _, r := range p.Scored() {
		tenths[r.Satisfaction/10]++
	}
	t := f.table("Dialogues by satisfaction", "From", "Dialogues", "Share")
	for tenth := range rubric.Hundredths(51) {
		if n := tenths[tenth]; n > 0 {
			t.Add(fixed(float64(tenth)/10, 1), count(n), ui.Percent(n, p.Summary.Scored))
		}
	}
}

func (p *Page) criteria(f *figure) {
	t := f.table("Scores by criterion", "Criterion", "Weight", "Mean", "Std. dev.", "20", "40", "60", "80", "100")
	for _, c := range rubric.Criteria() {
		s := &p.Summary.Criteria[c]
		_, deviation := s.Spread()
		weight := "–" // where the runs may have several
		if len(p.origins) == 1 {
			weight = fmt.Sprintf("%d %%", p.origins[0].basis.Rubric.Weights[c])
		}
		shares(t, s.Levels[:], c, weight, p.Summary.Criterion(c), fixed(deviation, 1))
	}
}

func (p *Page) course(f *figure) {
	columns, courses := []string{"Tenth"}, p.courses()
	if len(courses) == 0 {
		f.Lead, f.Charts = "No dialogue is long enough to have a beginning, a middle and an end.", nil
		return
	}
	for _, c := range courses {
		columns = append(columns, fmt.Sprintf("%s (%s)", c.Name, count(c.N)))
	}
	t := f.table("Mean points of a turn by tenth of the dialogue", columns...)
	for part := range summary.Parts {
		row := []any{part + 1}
		for _, c := range courses {
			row = append(row, fixed(c.Points[part].Value, 2))
		}
		t.Add(row...)
	}
}

func (p *Page) critic(f *figure) {
	columns := slices.Concat([]string{"Criterion"}, rulingIDs(), []string{"Raised", "Lowered"})
	t := f.table("The Referee's rulings by criterion", columns...)
	add := func(name any, c *summary.Counts) {
		counts(t, name, slices.Concat(c.Rulings[rubric.Agreed:], []int{c.Raised, c.Lowered})...)
	}
	for _, c := range rubric.Criteria() {
		add(c, &p.Summary.Criteria[c])
	}
	total := p.Summary.Total()
	add("All", &total)
	f.Lead = fmt.Sprintf(f.Lead, ui.Percent(total.Objections(), total.N()),
		ui.Percent(total.Raised+total.Lowered, total.Objections()), count(total.Raised), count(total.Lowered))
}

func rulingIDs() (ids []string) {
	for id := rubric.Agreed; id <= rubric.Majority; id++ {
		ids = append(ids, id.String())
	}
	return ids
}

// mostGroups is how many groups of a column or of people's ratings a chart shows.
const mostGroups = 20

// groups compares what a column tells apart.
func (p *Page) groups(f *figure) {
	for i, groups := range p.Groups {
		by := groups.By
		if n := len(groups.List); n > mostGroups {
			note := fmt.Sprintf("By %s, the first %d of %d groups are drawn; the table has all.", by, mostGroups, n)
			f.Notes = append(f.Notes, note)
		}
		f.Tables = append(f.Tables, groups.Table())
		f.Charts = append(f.Charts, chart{fmt.Sprintf("chart-groups-%d", i), "Satisfaction by " + by,
			"Dots with intervals: the mean satisfaction of each group by " + by})
	}
}

func (p *Page) model(f *figure) {
	s := &p.Summary
	t := f.table("The model's scores against those of the rules",
		"Criterion", "Agree", "One level apart", "Two or more")
	for _, c := range rubric.Criteria() {
		shares(t, s.Criteria[c].Verdicts[:], c)
	}
	total := s.Total()
	shares(t, total.Verdicts[:], "All")
	apart := f.table("Dialogues by disagreement", "Levels apart, from", "Dialogues")
	for i, n := range s.Apart {
		apart.Add(fixed(float64(i)/2, 1), count(n))
	}
	f.Notes = s.ModelSentences()
}

// people shows how the runs agree with those who rated: the figures of `assize agree`, each beside one more person and
// the limit.
func (p *Page) people(f *figure) {
	rep := p.People
	t := f.table("Spearman correlation with people's mean rating",
		"Of", "Dialogues", "Spearman", "95 % interval", "One person", "Limit")
	short := func(f stats.Fixed) string { return agree.Short(f.Value, 2) }
	for _, c := range p.correlations() {
		interval := "–"
		if c.Low.String() != "" {
			interval = short(c.Low) + " to " + short(c.High)
		}
		t.Add(c.Name, count(c.N), short(c.Value), interval, short(c.One), short(c.Limit))
	}
	f.Lead = strings.Join(rep.Sentences(), " ")
	f.Notes[0] = fmt.Sprintf(f.Notes[0], counted(rep.Options.Draws, "draw"), rep.Options.Seed)
	if !slices.Contains(rep.Rated, agree.OverallRating) {
		f.Charts, f.Notes = f.Charts[:1], f.Notes[:1]
	} else {
		confusion := f.table("Levels: people's mean in rows, satisfaction in columns",
			"People near", "1", "2", "3", "4", "5")
		for l, row := range rep.Confusion(agree.OverallRating, agree.Satisfaction) {
			counts(confusion, l+1, row...)
		}
	}
	f.Notes = slices.Concat(rep.Source.Notes, rep.Notes, f.Notes)
}

func (p *Page) unscored(f *figure) {
	t := f.table("Unscored dialogues by reason", "Reason", "Dialogues")
	for _, r := range summary.ByFrequency(p.Summary.Reasons) {
		t.Add(r, count(p.Summary.Reasons[r]))
	}
}

// fixed prints a number with a fixed count of decimals.
func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
