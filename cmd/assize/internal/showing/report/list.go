package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Column is a column of the list of dialogues, in reports and in the queue. Its cells are the
// values with its key, see [Entry].
type Column struct {
	Key     string // also its name in addresses and for the script
	Class   string // of its cells, in the style sheet
	Heading string
	Name    string // what dialogues are sorted by; "" if nobody sorts by the column
	Label   string // before a value where a list has no headings, as on a phone
	Level   bool   // values are scores, shown in their colours
	High    bool   // higher values are worse
	Words   bool   // a search looks through it
	Detail  bool   // not in lists, but above an open dialogue
}

var columns = func() []Column {
	list := []Column{
		{Key: "name", Class: "id", Heading: "Dialogue", Name: "place in the run", Words: true},
		{Key: "beside", Class: "beside", Heading: "File", Name: "file", Words: true},
		{Key: "agent", Class: "agent", Heading: "Agent", Name: "agent", Words: true},
		{Key: "queue", Class: "queue", Heading: "Queue", Name: "queue", Words: true},
		{Key: "day", Class: "day", Heading: "Date", Name: "date", Words: true},
		{Key: "rating", Class: "rating", Heading: "Rating", Name: "people's rating",
			Label: "rating"},
		{Key: "reviews", Class: "reviews", Heading: "Reviews", Name: "reviews", Label: "reviews",
			Words: true},
		{Key: "satisfaction", Class: "num", Heading: "Satisfaction", Name: "satisfaction",
			Label: "sat."},
		{Key: "overall", Class: "num", Heading: "Overall", Name: "overall score",
			Label: "overall", Level: true},
		{Key: "average", Heading: "Average", Detail: true},
		{Key: "disagreement", Class: "apart", Heading: "Apart",
			Name: "disagreement of model and rules", Label: "apart", High: true},
	}
	for _, c := range rubric.Criteria() {
		list = append(list, Column{Key: c.String(), Class: "scores", Heading: c.String()[:3],
			Name: ui.Name(c.String()), Level: true})
	}
	return append(list, Column{Key: "why", Class: "why", Heading: "Main reason", Words: true})
}()

// Entry is a dialogue in a list. Its values are those of [run.Row.Values] and Extra: "reviews",
// "why" and, if another dialogue has its name, "beside", its file.
type Entry struct {
	*run.Row
	Link  string // where its name leads; in a report, the script knows
	Extra table.Values
}

// cells returns the values of the entry by column.
func (e *Entry) cells() (list []Cell) {
	v := e.Values()
	maps.Copy(v, e.Extra)
	if v["overall"] == nil {
		v["overall"] = v["status"]
	}
	for i := range columns {
		c := Cell{Column: &columns[i]}
		if value := v[c.Key]; value != nil {
			c.Text = ui.Visible(fmt.Sprint(value))
		}
		list = append(list, c)
	}
	return list
}

// Facts returns the values to show above the dialogue.
func (e *Entry) Facts() (list []Fact) {
	for _, c := range e.cells() {
		above := !slices.Contains([]string{"name", "beside", "reviews", "why"}, c.Key)
		if above && c.Text != "" && c.Class != "scores" {
			list = append(list, Fact{c.Heading, c.Text})
		}
	}
	return list
}

// List is a list of dialogues with the form that filters it.
type List struct {
	Action string // the address that filters; "" where a script does
	Filter []Control
	Blank  Line // without values
	Rows   []Line
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

// Tone returns the class of the cell's colour, or "" if it has no score.
func (c Cell) Tone() string {
	if n, err := strconv.Atoi(c.Text); err == nil {
		return fmt.Sprint("v", n/20)
	}
	return ""
}

// NewList returns the list of entries. Columns without values are left out.
func NewList(entries []Entry) (l List) {
	used := map[*Column]bool{}
	for i := range entries {
		l.Rows = append(l.Rows, Line{entries[i].Link, entries[i].cells()})
		for _, c := range l.Rows[i].Cells {
			used[c.Column] = used[c.Column] || c.Text != "" && !c.Detail
		}
	}
	for i := range l.Rows {
		l.Rows[i].Cells = slices.DeleteFunc(l.Rows[i].Cells,
			func(c Cell) bool { return !used[c.Column] })
	}
	for i := range columns {
		if used[&columns[i]] {
			l.Blank.Cells = append(l.Blank.Cells, Cell{Column: &columns[i]})
		}
	}
	return l
}

// orders returns the numbers of the rows by column, the worst first. Dialogues without a value
// follow the others, and unscored ones are last.
func (l *List) orders(entries []Entry) map[string][]int {
	type key struct {
		none   int // 1 if there is no value
		number float64
		word   string
	}
	all, sorted, keys := map[string][]int{}, make([]int, len(entries)), make([]key, len(entries))
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortFunc(sorted, func(a, b int) int {
		return run.BySatisfaction.Compare(entries[a].Row, entries[b].Row)
	})
	for k, c := range l.Blank.Cells {
		for i := range entries {
			text := l.Rows[i].Cells[k].Text
			keys[i] = key{none: 1 - min(len(text), 1), word: text}
			if n, err := strconv.ParseFloat(text, 64); c.Class == "id" {
				keys[i] = key{number: float64(i)}
			} else if err == nil && c.High {
				keys[i] = key{number: -n}
			} else if err == nil {
				keys[i] = key{number: n}
			}
		}
		if c.Name != "" {
			all[c.Key] = slices.SortedStableFunc(slices.Values(sorted), func(a, b int) int {
				x, y := &keys[a], &keys[b]
				return cmp.Or(cmp.Compare(min(entries[b].Overall, 1), min(entries[a].Overall, 1)),
					cmp.Compare(x.none, y.none), cmp.Compare(x.number, y.number),
					strings.Compare(x.word, y.word))
			})
		}
	}
	return all
}

// Control is an input of a filter: a menu if it has options.
type Control struct {
	Label, Name, Value string
	Type               string // "search", "date", "text", or "hidden" if only addresses set it
	Hint               string // what a search finds
	Options            []Option
	Narrow             bool // only where lists have no headings to sort by
}

// Option is a choice in a menu.
type Option struct{ Value, Text string }

// Options returns the options of a list of levels or criteria.
func Options[T fmt.Stringer](list []T) (all []Option) {
	for _, v := range list {
		all = append(all, Option{v.String(), ui.Name(v.String())})
	}
	return all
}

// Menu returns a menu whose first option, with the text none, selects everything.
func Menu(label, name, value, none string, options []Option) Control {
	return Control{Label: label, Name: name, Value: value,
		Options: slices.Concat([]Option{{Text: none}}, options)}
}

// listing is the list of a report for its script.
type listing struct {
	Fields   []string         `json:"fields"` // columns, and what only the filter needs
	Searched []int            `json:"searched"`
	Rows     [][]string       `json:"rows"`
	Orders   map[string][]int `json:"orders"`
}

// list returns the list of a report, whose rows the script fills, and its data.
func (p *Page) list(f *Figures, cases []listed) (List, listing) {
	entries := make([]Entry, len(cases))
	for i := range cases {
		entries[i] = cases[i].Entry
	}
	l := NewList(entries)
	data := listing{Orders: l.orders(entries)}
	field := func(name string, searched bool) {
		if data.Fields = append(data.Fields, name); searched {
			data.Searched = append(data.Searched, len(data.Fields)-1)
		}
	}
	for _, c := range l.Blank.Cells {
		field(c.Key, c.Words)
	}
	field("only", false)
	field("file", true)
	field("quotes", true)
	for k := range p.Groups {
		field(fmt.Sprint("g", k), true)
	}
	for i := range cases {
		c, row, quotes := &cases[i], []string{}, ""
		for _, cell := range l.Rows[i].Cells {
			row = append(row, cell.Text)
		}
		for _, q := range c.Quotes[min(1, len(c.Quotes)):] { // the first is in the main reason
			quotes += q.Text
		}
		row = append(row, strings.Join(c.only(), " "), ui.Visible(c.File), quotes)
		data.Rows = append(data.Rows, append(row, c.groups...))
	}
	l.Filter, l.Rows = p.filter(f, l.Blank.Cells, data.Rows), nil
	return l, data
}

// only returns the values of the menu "Only" that apply to the dialogue.
func (l *listed) only() (list []string) {
	for i, is := range []bool{l.opens, l.Changed(), l.Flagged, l.Extra["reviews"] != nil,
		l.CrossCheck != nil && l.CrossCheck.Count(rubric.Contradict) > 0} {
		if is {
			list = append(list, onlies[i].Value)
		}
	}
	return list
}

var onlies = [...]Option{{"transcript", "with a transcript"},
	{"changed", "changed by the Referee"}, {"flagged", "flagged by the profile"},
	{"reviewed", "reviewed"}, {"contradicted", "where rules contradict the model"}}

// filter returns the form of a report's list.
func (p *Page) filter(f *Figures, cells []Cell, rows [][]string) []Control {
	bins := func(list []Bin) (options []Option) {
		for _, b := range list {
			options = append(options, Option{b.Name, fmt.Sprintf("%s (%s)", b.Name, count(b.N))})
		}
		return options
	}
	overall := bins(f.Overall)
	slices.Reverse(overall)
	if p.Summary.Unscored > 0 {
		overall = append(overall, Option{"unscored", "unscored"})
	}
	scores := Control{Label: "Score", Name: "score", Value: "40-"}
	for _, s := range rubric.Scale {
		scores.Options = append(scores.Options, Option{s.String() + "-", "at most " + s.String()},
			Option{s.String(), "at " + s.String()})
	}
	criteria := rubric.Criteria()
	list := []Control{
		{Label: "Search (press /)", Name: "query", Type: "search", Hint: "id, file or words"},
		Menu("Overall", "overall", "", "any", overall),
		Menu("Satisfaction", "satisfaction", "", "any", bins(f.Satisfaction)),
		Menu("Criterion", "criterion", "", "any", Options(criteria[:])), scores}
	var files, has, sorts []Option
	file, only := len(cells)+1, len(cells)
	for _, row := range rows {
		files = append(files, Option{row[file], row[file]})
		for _, is := range strings.Fields(row[only]) {
			has = append(has, onlies[slices.IndexFunc(onlies[:],
				func(o Option) bool { return o.Value == is })])
		}
	}
	for k, g := range f.Groups {
		menu := Menu(strings.ToUpper(g.By[:1])+g.By[1:], fmt.Sprint("g", k), "", "any", nil)
		for _, one := range g.List {
			menu.Options = append(menu.Options, Option{one.Name, one.Name})
		}
		list = append(list, menu)
		if g.By == "file" {
			files = nil
		}
	}
	if files = distinct(files); len(files) > 1 {
		list = append(list, Menu("File", "file", "", "any", files))
	}
	for i := range list { // of many names, a search finds one
		if len(list[i].Options) > 1+50 {
			list[i].Type, list[i].Options = "hidden", nil
		}
	}
	for _, c := range cells {
		if c.Name != "" {
			sorts = append(sorts, Option{c.Key, c.Name})
		}
	}
	return append(list, Menu("Only", "only", "", "any", distinct(has)),
		Control{Label: "Sort by", Name: "sort", Value: "satisfaction", Options: sorts,
			Narrow: true},
		Control{Label: "Order", Name: "way", Narrow: true,
			Options: []Option{{"up", "worst first"}, {"down", "best first"}}})
}

// distinct returns the options in order, each once.
func distinct(list []Option) []Option {
	slices.SortFunc(list, func(a, b Option) int { return strings.Compare(a.Value, b.Value) })
	return slices.Compact(list)
}
