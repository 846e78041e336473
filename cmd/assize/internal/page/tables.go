package page

import (
	"fmt"
	"slices"
	"strconv"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// mostGroups is how many groups of a column or of people's ratings a chart shows.
const mostGroups = 20

// tables gives the figures by the id of their section. A section that there is nothing to show in has none.
func (p *Page) tables() map[string][]*ui.Table {
	s, all := &p.Summary, map[string][]*ui.Table{}
	if s.Scored > 0 {
		all["overall"] = p.overall()
		all["satisfaction"] = p.satisfaction()
		all["criteria"] = p.criteria()
		all["course"] = p.course()
		all["critic"] = p.critic()
	}
	for _, groups := range p.Groups {
		all["groups"] = append(all["groups"], groups.Table())
	}
	if s.CrossChecked > 0 {
		all["model"] = p.model()
	}
	if p.People != nil {
		all["people"] = p.people()
	}
	if s.Unscored > 0 {
		t := newTable("Unscored dialogues by reason", "Reason", "Dialogues")
		for _, r := range summary.ByFrequency(s.Reasons) {
			counts(t, r, s.Reasons[r])
		}
		all["unscored"] = []*ui.Table{t}
	}
	return all
}

// newTable makes a table whose first column holds names, and the others numbers.
func newTable(title string, columns ...string) *ui.Table {
	t := &ui.Table{Title: title}
	for i, c := range columns {
		t.Columns = append(t.Columns, ui.Column{Title: c, Right: i > 0})
	}
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

func (p *Page) overall() []*ui.Table {
	s := &p.Summary
	t := newTable("Dialogues by overall score", "Overall", "Dialogues", "Share")
	for i, score := range slices.Backward(rubric.Scale[:]) {
		t.Add(score, count(s.Overall[i]), ui.Percent(s.Overall[i], s.Scored))
	}
	return []*ui.Table{t}
}

// satisfaction counts dialogues in steps of a tenth; a step without one has no row.
func (p *Page) satisfaction() []*ui.Table {
	tenths := map[rubric.Hundredths]int{}
	for _, r := range p.Scored() {
		tenths[r.Satisfaction/10]++
	}
	t := newTable("Dialogues by satisfaction", "From", "Dialogues", "Share")
	for tenth := range rubric.Hundredths(51) {
		if n := tenths[tenth]; n > 0 {
			t.Add(fixed(float64(tenth)/10, 1), count(n), ui.Percent(n, p.Summary.Scored))
		}
	}
	return []*ui.Table{t}
}

func (p *Page) criteria() []*ui.Table {
	t := newTable("Scores by criterion", "Criterion", "Weight", "Mean", "Std. dev.", "20", "40", "60", "80", "100")
	for _, c := range rubric.Criteria() {
		s, weight := &p.Summary.Criteria[c], "–" // where the runs may have several
		if len(p.origins) == 1 {
			weight = fmt.Sprintf("%d %%", p.origins[0].basis.Rubric.Weights[c])
		}
		_, deviation := s.Spread()
		shares(t, s.Levels[:], c, weight, p.Summary.Criterion(c), fixed(deviation, 1))
	}
	return []*ui.Table{t}
}

func (p *Page) course() []*ui.Table {
	columns, courses := []string{"Tenth"}, p.courses()
	if len(courses) == 0 { // no dialogue is long enough to have a beginning, a middle and an end
		return nil
	}
	for _, c := range courses {
		columns = append(columns, fmt.Sprintf("%s (%s)", c.Name, count(c.N)))
	}
	t := newTable("Mean points of a turn by tenth of the dialogue", columns...)
	for part := range summary.Parts {
		row := []any{part + 1}
		for _, c := range courses {
			row = append(row, fixed(c.Points[part].Value, 2))
		}
		t.Add(row...)
	}
	return []*ui.Table{t}
}

func (p *Page) critic() []*ui.Table {
	columns := slices.Concat([]string{"Criterion"}, rulingIDs(), []string{"Raised", "Lowered"})
	t := newTable("The Referee's rulings by criterion", columns...)
	add := func(name any, c *summary.Counts) {
		counts(t, name, slices.Concat(c.Rulings[rubric.Agreed:], []int{c.Raised, c.Lowered})...)
	}
	for _, c := range rubric.Criteria() {
		add(c, &p.Summary.Criteria[c])
	}
	total := p.Summary.Total()
	add("All", &total)
	return []*ui.Table{t}
}

func rulingIDs() (ids []string) {
	for id := rubric.Agreed; id <= rubric.Majority; id++ {
		ids = append(ids, id.String())
	}
	return ids
}

func (p *Page) model() []*ui.Table {
	s := &p.Summary
	t := newTable("The model's scores against those of the rules",
		"Criterion", "Agree", "One level apart", "Two or more")
	for _, c := range rubric.Criteria() {
		shares(t, s.Criteria[c].Verdicts[:], c)
	}
	total := s.Total()
	shares(t, total.Verdicts[:], "All")
	apart := newTable("Dialogues by disagreement", "Levels apart, from", "Dialogues")
	for i, n := range s.Apart {
		counts(apart, fixed(float64(i)/2, 1), n)
	}
	return []*ui.Table{t, apart}
}

// people shows how the runs agree with those who rated: the figures of `assize agree`, each beside one more person and
// the limit.
func (p *Page) people() []*ui.Table {
	t := newTable("Spearman correlation with people's mean rating",
		"Of", "Dialogues", "Spearman", "95 % interval", "One person", "Limit")
	for _, c := range p.correlations() {
		interval := "–"
		if c.Low.String() != "" {
			interval = short(c.Low) + " to " + short(c.High)
		}
		t.Add(c.Name, count(c.N), short(c.Value), interval, short(c.One), short(c.Limit))
	}
	if !slices.Contains(p.People.Rated, agree.OverallRating) {
		return []*ui.Table{t}
	}
	confusion := newTable("Levels: people's mean in rows, satisfaction in columns", "People near", "1", "2", "3", "4", "5")
	for l, row := range p.People.Confusion(agree.OverallRating, agree.Satisfaction) {
		counts(confusion, l+1, row...)
	}
	return []*ui.Table{t, confusion}
}

// short prints a correlation.
func short(f stats.Fixed) string { return agree.Short(f.Value, 2) }

// fixed prints a number with a fixed count of decimals.
func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
