package report

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/triage"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// tables maps the ID of a section to its tables, if any, whose rows may lead to their dialogues.
type tables map[string][]*ui.Table

// add adds a table to a section. Its first column holds names, and the others numbers.
func (all tables) add(section, title string, columns ...string) *ui.Table {
	t := ui.NewTable(title, columns...)
	for i := range t.Columns {
		t.Columns[i].Right = i > 0
	}
	all[section] = append(all[section], t)
	return t
}

func counts(t *ui.Table, name any, numbers ...int) {
	t.Add(append([]any{name}, ui.Each(numbers, func(n int) any { return count(n) })...)...)
}

// shares returns the cells, followed by the parts of a whole.
func shares(parts []int, cells ...any) []any {
	whole := ui.Sum(parts)
	return append(cells, ui.Each(parts, func(n int) any { return ui.Percent(n, whole) })...)
}

// tables adds the tables that only a report has, and returns all.
func (p *Page) tables(all tables) tables {
	s := &p.Summary
	if s.Scored > 0 {
		p.byCriterion(all)
	}
	if len(p.Claims.agents) > 0 {
		p.Claims.table(all, "Claims by tool", "Tool", p.Claims.byTool())
		if by := sorted(p.Claims.agents); len(by) > 1 || by[0].Name != summary.NoGroup {
			p.Claims.table(all, "Claims by agent", "Agent", by)
		}
	}
	if s.CrossChecked > 0 {
		p.crossCheck(all)
	}
	if len(p.Corrected) > 0 {
		all["sample"] = []*ui.Table{sample.Table(p.Corrected)}
	}
	if p.People != nil {
		p.agreement(all)
	}
	if s.Unscored > 0 {
		t := all.add("unscored", "Unscored dialogues by reason", "Reason", "Dialogues")
		for _, r := range ui.ByFrequency(s.Reasons) {
			counts(t, ui.PlainRoles(r), s.Reasons[r])
		}
	}
	return all
}

// figures returns the counts and means of the page, which lead to its list of dialogues.
func (p *Page) figures() *Figures {
	f := NewFigures()
	address := func(key, value string) string { return "#" + url.Values{key: {value}}.Encode() }
	if p.Summary.Scored > 0 {
		const tenth = 10
		var steps []Bin
		for from := rubric.Hundredths(100); from <= 500; from += tenth {
			name := from.String()[:len("2.3")]
			steps = append(steps, Bin{Name: name, From: from, To: from + tenth})
		}
		f.AddScores(&p.Summary, steps, func(measure, value string) string {
			if measure == "satisfaction" {
				value = value[:len("2.3")]
			}
			return address(measure, value)
		})
	}
	answered := p.Summary.Answered(p.headers())
	f.AddAnswers(answered, p.Summary.CardNotes(answered), func(question, answer string) string {
		return address(run.AnswerName(question), answer)
	})
	for i, of := range p.Groups {
		f.AddGroups(of, func(g summary.Group) (name, link string) {
			return g.Name, address(fmt.Sprint("g", i), ui.Visible(g.Name))
		})
	}
	return f
}

func (p *Page) byCriterion(all tables) {
	levels := all.add("criteria", "Scores by criterion",
		"Criterion", "Weight", "Mean", "Std. dev.", "20", "40", "60", "80", "100", "Not shown")
	rulings := all.add("critic", "The Referee's rulings by criterion",
		slices.Concat([]string{"Criterion"}, rulingIDs(), []string{"Raised", "Lowered"})...)
	ruled := func(name any, s *summary.Counts) {
		counts(rulings, name, slices.Concat(s.Rulings[rubric.Agreed:],
			[]int{s.Raised, s.Lowered})...)
	}
	for _, c := range rubric.Criteria() {
		s, weight := &p.Summary.Criteria[c], "–" // "–" where the runs may have several weights
		if len(p.Origins) == 1 {
			weight = fmt.Sprintf("%d %%", p.Origins[0].Header.Basis.Rubric.Weights[c])
		}
		row := shares(s.Levels[:], c, weight, p.Summary.Criterion(c),
			fmt.Sprintf("%.1f", s.Deviation()))
		levels.Add(append(row, strings.TrimSuffix(s.NotShown(), " not shown"))...)
		ruled(c, s)
	}
	ruled("All", &p.Summary.All)
}

func rulingIDs() (ids []string) {
	for id := rubric.Agreed; id <= rubric.Majority; id++ {
		ids = append(ids, id.String())
	}
	return ids
}

func (p *Page) crossCheck(all tables) {
	s := &p.Summary
	t := all.add("model", "The model's scores against those of the rules",
		"Criterion", "Agree", "One level apart", "Two or more")
	for _, c := range rubric.Criteria() {
		t.Add(shares(s.Criteria[c].Verdicts[:], c)...)
	}
	t.Add(shares(s.All.Verdicts[:], "All")...)
	apart := all.add("model", "Dialogues by disagreement", "Levels apart, from", "Dialogues")
	for i, n := range s.Apart {
		counts(apart, fmt.Sprintf("%.1f", float64(i)/2), n)
	}
}

// agreement adds the figures of `assize agree`, each with that of one more person and the limit.
func (p *Page) agreement(all tables) {
	t := all.add("people", "Spearman with people's mean rating of the dialogue or criterion",
		"Of", "Dialogues", "Spearman", "95 % interval", "One annotator", "Limit")
	for _, c := range p.correlations() {
		interval := "–"
		if c.Rho.Known() {
			interval = stats.Short(c.Rho.Low, 2) + " to " + stats.Short(c.Rho.High, 2)
		}
		t.Add(c.Name, count(c.N), short(c.Rho), interval, short(c.One), short(c.Limit))
	}
}

func short(f stats.Figure) string { return stats.Short(f.Value, 2) }

// sheet is the data of both templates: everything that can be read without a script.
type sheet struct {
	*Page
	Agreement []correlation // of satisfaction with people; nil if nobody rated
	Figures   *Figures
	Tables    tables
	Worst     []worst
}

// worst is one of the worst dialogues in a summary.
type worst struct {
	*run.Row
	*triage.Explanation
	Course string // see [summary.Sparkline]
}

func (p *Page) sheet() sheet {
	f := p.figures()
	s := sheet{Page: p, Figures: f, Tables: p.tables(f.Tables)}
	if p.ratedOverall() {
		s.Agreement = p.correlations()[:1]
	}
	for _, k := range p.low.List() {
		e, why := k.record.Evaluation, triage.Explain(k.record.Evaluation)
		const maxCells = 40 // characters
		s.Worst = append(s.Worst, worst{k.Row, &why, summary.Sparkline(e, why.Friction, maxCells)})
	}
	return s
}

// Disputes describes how often the Critic objects, and with what result.
func (s sheet) Disputes() string { return texts.Say("disputes", &s.Summary.All) }

// Contradicted describes the share of the model's scores that the rules contradict.
func (s sheet) Contradicted() string {
	return ui.Percent(s.Summary.All.Verdicts[rubric.Contradict],
		rubric.NumCriteria*s.Summary.CrossChecked)
}

// Files returns the names of the runs, if they are few, or of the first.
func (p *Page) Files() string {
	names := ui.Each(p.Origins, func(o origin) []string { return o.Files })
	return ui.First(slices.Concat(names...), 3)
}

// Runs returns the number of dialogues in the runs, and who judged.
func (p *Page) Runs() string {
	data := struct {
		*Page
		Judges []string
		More   int
	}{Page: p}
	judge := func(h *run.Header) string { return texts.Say("judge", h) }
	data.Judges = slices.Compact(ui.Each(p.headers(), judge))
	data.More = ui.Sum(slices.Collect(maps.Values(p.repeated)))
	return texts.Say("runs", data)
}

// Sentences returns the headline: how many dialogues are bad, by the scores and as people rated a
// random sample, and which criterion fails most often.
func (p *Page) Sentences() []string {
	data := struct {
		*Page
		Weakest rubric.Criterion
		Low     int // dialogues in which it scores 40 or lower
	}{Page: p}
	for _, c := range rubric.Criteria() {
		if l := p.Summary.Criteria[c].Levels; l[0]+l[1] > data.Low {
			data.Weakest, data.Low = c, l[0]+l[1]
		}
	}
	list := texts.List("headline", data)
	for _, f := range p.Corrected {
		if f.Name == sample.Below && p.Summary.Scored > 0 {
			list = append(list, f.String())
		}
	}
	return list
}

// origin is a way in which records were made.
type origin struct {
	Files   []string // the runs, without their folders, which are private
	Records int
	Header  *run.Header
}

// made counts a record under its origin, which runs made in the same way share.
func (p *Page) made(line *run.Line) {
	h := line.Header
	at, known := p.originOf[h]
	if !known {
		at = slices.IndexFunc(p.Origins, func(o origin) bool {
			return o.Header.Fingerprint() == h.Fingerprint()
		})
		if at < 0 {
			at = len(p.Origins)
			p.Origins = append(p.Origins, origin{Header: h})
		}
		p.originOf[h] = at
	}
	o := &p.Origins[at]
	o.Records++
	name := Base(line.File)
	if name == ui.Stdin {
		name = "standard input"
	}
	if !slices.Contains(o.Files, name) {
		o.Files = append(o.Files, name)
	}
}

func count(n int) string { return message.NewPrinter(language.English).Sprint(n) }

// counted formats a number with its noun: "1 dialogue", "10,000 dialogues".
func counted(n int, what string) string {
	return count(n) + strings.TrimPrefix(ui.Counted(n, what), strconv.Itoa(n))
}
