package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Column is a column of the list of dialogues, in reports and in the queue: the values with its key,
// see [Entry]. What a filter needs and nobody reads is a column without a class.
type Column struct {
	Key     string // also its name in addresses and for the script
	Class   string // of its cells, in the style sheet
	Heading string // also above an open dialogue, unless a dialogue shows the value elsewhere
	Name    string // what dialogues are sorted by; "" if nobody sorts by the column
	Label   string // before a value where a list has no headings, as on a phone
	Only    string // the choice that lists only the dialogues with a value
	Level   bool   // values are scores, shown in their colours
	High    bool   // higher values are worse
	Words   bool   // a search looks through it
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
			Only: "reviewed", Words: true},
		{Key: "satisfaction", Class: "num", Heading: "Satisfaction", Name: "satisfaction",
			Label: "sat."},
		{Key: "overall", Class: "num", Heading: "Overall", Name: "overall score",
			Label: "overall", Level: true},
		{Key: "disagreement", Class: "apart", Heading: "Apart",
			Name: "disagreement of model and rules", Label: "apart", High: true},
	}
	for _, c := range rubric.Criteria() {
		list = append(list, Column{Key: c.String(), Class: "scores", Heading: c.String()[:3],
			Name: ui.Name(c.String()), Level: true})
	}
	return append(list, Column{Key: "why", Class: "why", Heading: "Main reason", Words: true},
		Column{Key: "average", Heading: "Average"}, Column{Key: "file", Words: true},
		Column{Key: "quotes", Words: true},
		Column{Key: "transcript", Only: "with a transcript"},
		Column{Key: "changes", Only: "changed by the Referee"},
		Column{Key: "flagged", Only: "flagged by the profile"},
		Column{Key: "contradicted", Only: "where rules contradict the model"})
}()

// Entry is a dialogue in a list. Its values are those of [run.Row.Values] and Extra, such as
// "reviews", "why" and, if another dialogue has its name, "beside", its file.
type Entry struct {
	*run.Row
	Link  string // where its name leads; in a report, the script knows
	Extra table.Values
}

// cells returns the values of the entry in the columns.
func (e *Entry) cells(columns []Column) (list []Cell) {
	v := e.Values()
	maps.Copy(v, e.Extra)
	if v["overall"] == nil {
		v["overall"] = v["status"]
	}
	for i := range columns {
		c := Cell{Column: &columns[i]}
		if value := v[c.Key]; value != nil && value != false {
			c.Text = ui.Visible(fmt.Sprint(value))
		}
		list = append(list, c)
	}
	return list
}

// Facts returns the values to show above the dialogue.
func (e *Entry) Facts() (list []Fact) {
	elsewhere := []string{"id", "beside", "reviews", "scores", "why"}
	for _, c := range e.cells(columns) {
		if c.Text != "" && c.Heading != "" && !slices.Contains(elsewhere, c.Class) {
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

// NewList returns the list of entries. Columns without values are left out.
func NewList(entries []Entry, more ...Column) (l List) {
	all, used := slices.Concat(columns, more), map[*Column]bool{}
	for i := range all {
		l.Blank.Cells = append(l.Blank.Cells, Cell{Column: &all[i]})
	}
	for i := range entries {
		l.Rows = append(l.Rows, Line{entries[i].Link, entries[i].cells(all)})
		for _, c := range l.Rows[i].Cells {
			used[c.Column] = used[c.Column] || c.Text != ""
		}
	}
	unused := func(c Cell) bool { return !used[c.Column] }
	for i := range l.Rows {
		l.Rows[i].Cells = slices.DeleteFunc(l.Rows[i].Cells, unused)
	}
	l.Blank.Cells = slices.DeleteFunc(l.Blank.Cells, unused)
	return l
}

// orders returns the numbers of the rows by column, the worst first. Dialogues without a value
// follow the others, and unscored ones are last.
func (l *List) orders(entries []Entry) map[string][]int {
	all, sorted, keys := map[string][]int{}, []int{}, make([]string, len(entries))
	for i := range entries {
		sorted = append(sorted, i)
	}
	slices.SortFunc(sorted, func(a, b int) int {
		return run.BySatisfaction.Compare(entries[a].Row, entries[b].Row)
	})
	for k, c := range l.Blank.Cells {
		if c.Name == "" {
			continue
		}
		for i := range keys {
			const last = unicode.MaxRune
			keys[i] = cmp.Or(l.Rows[i].Cells[k].Text, string(last))
			if c.Class == "id" {
				keys[i] = fmt.Sprintf("%09d", i)
			} else if n, err := strconv.ParseFloat(keys[i], 64); err == nil && c.High {
				keys[i] = fmt.Sprintf("%09.2f", 1e5-n)
			} else if err == nil {
				keys[i] = fmt.Sprintf("%09.2f", n)
			}
			keys[i] = fmt.Sprint(!entries[i].Scored(), keys[i]) // "false" is before "true"
		}
		all[c.Key] = slices.SortedStableFunc(slices.Values(sorted),
			func(a, b int) int { return strings.Compare(keys[a], keys[b]) })
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
	Fields   []string         `json:"fields"` // the keys of the columns
	Searched []int            `json:"searched"`
	Rows     [][]string       `json:"rows"`
	Orders   map[string][]int `json:"orders"`
}

// list returns the list of a report, whose rows the script fills, and its data.
func (p *Page) list(f *Figures, cases []Entry) (List, listing) {
	var groups []Column
	for k := range p.Groups {
		groups = append(groups, Column{Key: fmt.Sprint("g", k), Words: true})
	}
	l := NewList(cases, groups...)
	data := listing{Orders: l.orders(cases)}
	for k, c := range l.Blank.Cells {
		if data.Fields = append(data.Fields, c.Key); c.Words {
			data.Searched = append(data.Searched, k)
		}
	}
	for _, line := range l.Rows {
		var row []string
		for _, c := range line.Cells {
			row = append(row, c.Text)
		}
		data.Rows = append(data.Rows, row)
	}
	l.Filter, l.Rows = p.filter(f, l.Blank.Cells), nil
	return l, data
}

// filter returns the form of a report's list.
func (p *Page) filter(f *Figures, columns []Cell) []Control {
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
	for k, g := range f.Groups {
		menu := Menu(strings.ToUpper(g.By[:1])+g.By[1:], fmt.Sprint("g", k), "", "any", nil)
		for _, one := range g.List {
			menu.Options = append(menu.Options, Option{one.Name, one.Name})
		}
		list = append(list, menu)
	}
	if files := p.files(); files != nil &&
		!slices.ContainsFunc(f.Groups, func(g Groups) bool { return g.By == "file" }) {
		list = append(list, Menu("File", "file", "", "any", files))
	}
	for i := range list { // of many names, a search finds one
		if len(list[i].Options) > 1+50 {
			list[i].Type, list[i].Options = "hidden", nil
		}
	}
	var only, sorts []Option
	for _, c := range columns {
		if c.Only != "" {
			only = append(only, Option{c.Key, c.Only})
		}
		if c.Name != "" {
			sorts = append(sorts, Option{c.Key, c.Name})
		}
	}
	return append(list, Menu("Only", "only", "", "any", only),
		Control{Label: "Sort by", Name: "sort", Value: "satisfaction", Options: sorts,
			Narrow: true},
		Control{Label: "Order", Name: "way", Narrow: true,
			Options: []Option{{"up", "worst first"}, {"down", "best first"}}})
}

// files returns the files of the dialogues, without the folder that all are in.
func (p *Page) files() (list []Option) {
	var names []string
	for i := range p.Rows {
		names = append(names, ui.Visible(p.Rows[i].File))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) < 2 {
		return nil
	}
	folder := names[0] // the first and the last name have the least in common
	for folder != "" && (!strings.HasPrefix(names[len(names)-1], folder) ||
		!strings.ContainsAny(folder[len(folder)-1:], `/\`)) {
		folder = folder[:len(folder)-1]
	}
	for _, name := range names {
		list = append(list, Option{name, strings.TrimPrefix(name, folder)})
	}
	return list
}
