package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Entry is a dialogue in a list of dialogues.
type Entry struct {
	*run.Row
	Link    string   // where its name leads; in a report, the script knows
	Twin    bool     // another dialogue has its name
	Hidden  bool     // its scores are hidden
	People  float64  // the mean of people's ratings; 0 if nobody rated
	Reviews []string // such as "ann 2"
	Why     string   // the main reason for its scores, or why it is unscored
}

// Column is a column of a list. To add one to the list of reports and of the queue, add it to
// [columns].
type Column struct {
	Key     string // its name in addresses and in the data of the script
	Class   string // of its cells, in the style sheet
	Heading string
	Name    string // in full
	Label   string // before the value, where a list has no headings
	Level   bool   // its values are scores, shown in their colours
	Words   bool   // a search looks through it
	text    func(*Entry) string
	compare func(a, b *Entry) int // the worse first; nil if nobody sorts by the column
}

// Sortable reports whether dialogues can be sorted by the column.
func (c *Column) Sortable() bool { return c.compare != nil }

// columns returns all columns of a list.
func columns() []Column {
	words := func(key, heading string, text func(*Entry) string) Column {
		return Column{Key: key, Class: key, Heading: heading, Name: strings.ToLower(heading),
			Words: true, text: text, compare: func(a, b *Entry) int { // empty ones last
				x, y := text(a), text(b)
				return cmp.Or(cmp.Compare(min(len(y), 1), min(len(x), 1)), strings.Compare(x, y))
			}}
	}
	number := func(key, class, heading, name, label string, text func(*Entry) string,
		value func(*Entry) float64,
	) Column {
		return Column{Key: key, Class: class, Heading: heading, Name: name, Label: label,
			text: text, compare: func(a, b *Entry) int { return cmp.Compare(value(a), value(b)) }}
	}
	file := words("beside", "File", func(e *Entry) string {
		if e.Twin {
			return path.Base(strings.ReplaceAll(e.File, `\`, "/"))
		}
		return ""
	})
	reviews := words("reviews", "Reviews",
		func(e *Entry) string { return strings.Join(e.Reviews, ", ") })
	reviews.Name, reviews.Label = "number of reviews", "reviews"
	reviews.compare = func(a, b *Entry) int { return cmp.Compare(len(b.Reviews), len(a.Reviews)) }
	overall := number("overall", "num", "Overall", "overall score", "overall",
		func(e *Entry) string {
			return e.shown("unscored", func() string { return e.Overall.String() })
		}, func(e *Entry) float64 { return float64(e.Overall) })
	overall.Level = true
	list := []Column{
		{Key: "id", Class: "id", Heading: "Dialogue", Name: "place in the run", Words: true,
			text:    func(e *Entry) string { return e.Name },
			compare: func(a, b *Entry) int { return cmp.Compare(a.Place, b.Place) }},
		file,
		words("agent", "Agent", func(e *Entry) string { return e.Agent }),
		words("queue", "Queue", func(e *Entry) string { return e.Queue }),
		words("day", "Date", func(e *Entry) string { return e.Day }),
		number("people", "people", "Rating", "people's rating", "rating",
			func(e *Entry) string {
				if e.People == 0 {
					return ""
				}
				return fixed(e.People, 2)
			}, func(e *Entry) float64 { return cmp.Or(e.People, 9) }),
		reviews,
		number("satisfaction", "num", "Satisf.", "satisfaction", "sat.",
			func(e *Entry) string {
				if e.Hidden {
					return "hidden"
				}
				return e.shown("–", func() string { return e.Satisfaction.String() })
			}, func(e *Entry) float64 { return float64(e.Satisfaction) }),
		overall,
		number("apart", "apart", "Apart", "disagreement of model and rules", "apart",
			func(e *Entry) string {
				if e.CrossCheck == nil {
					return "–"
				}
				return e.CrossCheck.Disagreement.String()
			}, func(e *Entry) float64 {
				if e.CrossCheck == nil {
					return 1
				}
				return -float64(e.CrossCheck.Disagreement)
			}),
	}
	for _, c := range rubric.Criteria() {
		level := number(c.String(), "scores", c.String()[:3], ui.Name(c.String()), "",
			func(e *Entry) string {
				return e.shown("", func() string { return e.Final[c].String() })
			}, func(e *Entry) float64 { return float64(e.Final[c]) })
		level.Level = true
		list = append(list, level)
	}
	return append(list, Column{Key: "why", Class: "why", Heading: "Main reason", Words: true,
		text: func(e *Entry) string { return e.Why }})
}

// shown returns a score, or otherwise if the dialogue has none. A hidden score is empty.
func (e *Entry) shown(otherwise string, score func() string) string {
	switch {
	case e.Hidden:
		return ""
	case e.Scored():
		return score()
	}
	return otherwise
}

// List is a list of dialogues with the form that filters it.
type List struct {
	Action  string // the address that filters; "" where a script does
	Filter  []Control
	Columns []Column
	Rows    []Line
}

// Line is a row of a list.
type Line struct {
	Link  string
	Cells []Cell
}

// Cell is a value in a row.
type Cell struct {
	*Column
	Text string
}

// NewList returns the list of entries. A column in which all cells are empty is left out.
func NewList(entries []Entry) (l List) {
	for _, c := range columns() {
		if slices.ContainsFunc(entries,
			func(e Entry) bool { t := c.text(&e); return t != "" && t != "–" }) {
			l.Columns = append(l.Columns, c)
		}
	}
	for i := range entries {
		line := Line{Link: entries[i].Link}
		for k := range l.Columns {
			c := &l.Columns[k]
			line.Cells = append(line.Cells, Cell{c, ui.Visible(c.text(&entries[i]))})
		}
		l.Rows = append(l.Rows, line)
	}
	return l
}

// Blank returns an empty row, which the script of a report fills.
func (l List) Blank() (line Line) {
	for k := range l.Columns {
		line.Cells = append(line.Cells, Cell{Column: &l.Columns[k]})
	}
	return line
}

// Tone returns the class of the cell's colour, or "" if it has no score.
func (c Cell) Tone() string {
	if n, err := strconv.Atoi(c.Text); err == nil {
		return fmt.Sprint("v", n/20)
	}
	return ""
}

// Control is an input of a filter: a menu if it has options.
type Control struct {
	Label   string
	Name    string // of the query parameter
	Value   string
	Type    string // "search", "date" or "text"; "hidden" for what only addresses set
	Hint    string // of a search: what it finds
	Options []Option
	Narrow  bool // for narrow screens only, on which lists have no headings to sort by
}

// Option is a choice in a menu.
type Option struct{ Value, Text string }

// Menu returns a menu. Its first option, with the text none, selects everything; "" leaves it out.
func Menu(label, name, value, none string, options ...Option) Control {
	if none != "" {
		options = slices.Concat([]Option{{Text: none}}, options)
	}
	return Control{Label: label, Name: name, Value: value, Options: options}
}

// listing is the list of a report for its script, with what only the filter needs.
type listing struct {
	Fields   []string         `json:"fields"`   // the names of the values in each row
	Searched []int            `json:"searched"` // the fields that a search looks through
	Rows     [][]string       `json:"rows"`
	Orders   map[string][]int `json:"orders"` // by column: the rows, the worst first
}

// list returns the list of a report, and its data for the script.
func (p *Page) list(f *Figures, cases []listed) (List, listing) {
	entries := make([]Entry, len(cases))
	for i := range cases {
		entries[i] = cases[i].Entry
	}
	l := NewList(entries)
	data := listing{Orders: orders(l.Columns, entries)}
	for i, c := range l.Columns {
		data.Fields = append(data.Fields, c.Key)
		if c.Words {
			data.Searched = append(data.Searched, i)
		}
	}
	n := len(l.Columns)
	data.Searched = append(data.Searched, n, n+1)
	data.Fields = append(data.Fields, "file", "quotes", "only")
	for k := range p.Groups {
		data.Fields = append(data.Fields, fmt.Sprint("g", k))
		data.Searched = append(data.Searched, n+3+k)
	}
	for i := range cases {
		c, row := &cases[i], []string{}
		for _, cell := range l.Rows[i].Cells {
			row = append(row, cell.Text)
		}
		var quotes []string
		for _, q := range c.Quotes[min(1, len(c.Quotes)):] { // the first is in the main reason
			quotes = append(quotes, q.Text)
		}
		row = append(row, ui.Visible(c.File), strings.Join(quotes, " "), c.only())
		data.Rows = append(data.Rows, append(row, c.groups...))
	}
	l.Filter, l.Rows = p.filter(f, l.Columns, cases), nil
	return l, data
}

// orders returns the numbers of entries by column, the worst first and unscored ones last.
func orders(list []Column, entries []Entry) map[string][]int {
	all, sorted := map[string][]int{}, make([]int, len(entries))
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortFunc(sorted, func(a, b int) int {
		return run.BySatisfaction.Compare(entries[a].Row, entries[b].Row)
	})
	for _, c := range list {
		if c.Sortable() {
			all[c.Key] = slices.SortedStableFunc(slices.Values(sorted), func(a, b int) int {
				x, y := &entries[a], &entries[b]
				return cmp.Or(cmp.Compare(min(y.Overall, 1), min(x.Overall, 1)), c.compare(x, y))
			})
		}
	}
	return all
}

// only returns the words of the menu "Only" that apply to the dialogue.
func (l *listed) only() string {
	var list []string
	for i, is := range []bool{l.opens, l.Changed(), l.Flagged, len(l.Reviews) > 0,
		l.CrossCheck != nil && l.CrossCheck.Count(rubric.Contradict) > 0} {
		if is {
			list = append(list, only[i].Value)
		}
	}
	return strings.Join(list, " ")
}

var only = [...]Option{{"transcript", "with a transcript"}, {"changed", "changed by the Referee"},
	{"flagged", "flagged by the profile"}, {"reviewed", "reviewed"},
	{"contradicted", "where rules contradict the model"}}

// filter returns the filter of a report's list.
func (p *Page) filter(f *Figures, columns []Column, cases []listed) []Control {
	const maxMenu = 50 // options; where there are more, a search finds the name
	numbered := func(value, text string, n int) Option {
		return Option{value, fmt.Sprintf("%s (%s)", text, count(n))}
	}
	var overall, satisfactions, criteria, scores, sorts, has []Option
	for _, b := range slices.Backward(f.Overall) {
		overall = append(overall, numbered(b.Name, b.Name, b.N))
	}
	if n := p.Summary.Unscored; n > 0 {
		overall = append(overall, numbered("unscored", "unscored", n))
	}
	for _, b := range f.Satisfaction {
		satisfactions = append(satisfactions,
			numbered(b.Name, fmt.Sprintf("%s to %s", b.From, b.To-1), b.N))
	}
	for _, c := range rubric.Criteria() {
		criteria = append(criteria, Option{c.String(), ui.Name(c.String())})
	}
	for _, s := range rubric.Scale[:4] {
		scores = append(scores, Option{s.String() + "-", fmt.Sprintf("at %s or less", s)})
	}
	for _, s := range rubric.Scale {
		scores = append(scores, Option{s.String(), fmt.Sprintf("at %s", s)})
	}
	list := []Control{{Label: "Search (press /)", Name: "query", Type: "search",
		Hint: "id, file or words"},
		Menu("Overall", "overall", "", "any", overall...),
		Menu("Satisfaction", "satisfaction", "", "any", satisfactions...),
		Menu("Criterion", "criterion", "", "any", criteria...),
		Menu("Score", "score", "40-", "", scores...)}
	var files []string
	for i := range cases {
		files = append(files, ui.Visible(cases[i].File))
	}
	slices.Sort(files)
	files = slices.Compact(files)
	for k, g := range f.Groups {
		menu := Menu(strings.ToUpper(g.By[:1])+g.By[1:], fmt.Sprint("g", k), "", "any")
		for _, one := range g.List {
			menu.Options = append(menu.Options, Option{one.Name, one.Name})
		}
		if len(g.List) > maxMenu {
			menu.Type, menu.Options = "hidden", nil
		}
		list = append(list, menu)
		if g.By == "file" {
			files = nil
		}
	}
	if len(files) > 1 && len(files) <= maxMenu {
		menu := Menu("File", "file", "", "any")
		for _, name := range files {
			menu.Options = append(menu.Options, Option{name, name[shared(files):]})
		}
		list = append(list, menu)
	}
	for _, o := range only {
		if slices.ContainsFunc(cases, func(l listed) bool {
			return slices.Contains(strings.Fields(l.only()), o.Value)
		}) {
			has = append(has, o)
		}
	}
	for _, c := range columns {
		if c.Sortable() {
			sorts = append(sorts, Option{c.Key, c.Name})
		}
	}
	sort := Menu("Sort by", "sort", "satisfaction", "", sorts...)
	way := Menu("Order", "way", "up", "", Option{"up", "worst first"}, Option{"down", "best first"})
	sort.Narrow, way.Narrow = true, true
	return append(list, Menu("Only", "only", "", "any", has...), sort, way)
}

// shared returns the length of the folder that all files are in.
func shared(files []string) (n int) {
	first, last := files[0], files[len(files)-1] // sorted, so these differ first
	for i := 0; i < min(len(first), len(last)) && first[i] == last[i]; i++ {
		if first[i] == '/' || first[i] == '\\' {
			n = i + 1
		}
	}
	return n
}
