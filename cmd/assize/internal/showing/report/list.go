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
	Key     string `json:"key"` // also its name in addresses
	Class   string `json:"-"`   // of its cells, in the style sheet
	Heading string `json:"-"`
	Only    string `json:"-"`               // the choice that lists the dialogues with a value
	Level   bool   `json:"-"`               // values are scores, shown in their colours
	High    bool   `json:"-"`               // higher values are worse
	Words   bool   `json:"words,omitempty"` // a search looks through it
}

var columns = func() []Column {
	list := []Column{
		{Key: "name", Class: "id", Heading: "Dialogue", Words: true},
		{Key: "twin", Class: "twin", Heading: "File", Words: true},
		{Key: "agent", Class: "agent", Heading: "Agent", Words: true},
		{Key: "queue", Class: "queue", Heading: "Queue", Words: true},
		{Key: "day", Class: "day", Heading: "Date", Words: true},
		{Key: "rating", Class: "num rating", Heading: "Rating"},
		{Key: "reviews", Class: "reviews", Heading: "Reviews", Only: "reviewed", Words: true},
		{Key: "satisfaction", Class: "num", Heading: "Satisfaction"},
		{Key: "overall", Class: "num", Heading: "Overall", Level: true},
		{Key: "disagreement", Class: "num apart", Heading: "Apart", High: true},
	}
	for _, c := range rubric.Criteria() {
		list = append(list, Column{Key: c.String(), Class: "scores", Heading: ui.Name(c.String()),
			Level: true})
	}
	return append(list, Column{Key: "why", Class: "why", Heading: "Main reason", Words: true},
		Column{Key: "average", Heading: "Average"}, Column{Key: "file", Words: true},
		Column{Key: "transcript", Only: "with a transcript"},
		Column{Key: "changes", Only: "changed by the Referee"},
		Column{Key: "flagged", Only: "flagged by the profile"},
		Column{Key: "contradicted", Only: "where rules contradict the model"})
}()

// Sortable reports whether dialogues can be sorted by the column.
func (c *Column) Sortable() bool { return c.Class != "" && c.Class != "why" }

// Entry is a dialogue in a list. Its values are those of [run.Row.Values] and Extra, such as
// "reviews", "why" and, if another dialogue has its name, "twin", its file.
type Entry struct {
	*run.Row
	Link  string // where its name leads; in a report, the script knows
	Extra table.Values
}

// Cell is a value in a row.
type Cell struct {
	*Column
	Link, Text string
}

// MarshalText implements [encoding.TextMarshaler].
func (c Cell) MarshalText() ([]byte, error) { return []byte(c.Text), nil }

// cells returns the values of the entry in the columns.
func (e *Entry) cells(columns []Column) (list []Cell) {
	v := e.Values()
	maps.Copy(v, e.Extra)
	if v["overall"] == nil {
		v["overall"] = v["status"]
	}
	if v["twin"] != nil {
		v["twin"] = Base(e.File)
	}
	for i := range columns {
		c := Cell{Column: &columns[i], Link: e.Link}
		if value := v[c.Key]; value != nil && value != false {
			c.Text = ui.Visible(fmt.Sprint(value))
		}
		list = append(list, c)
	}
	return list
}

// Facts returns the values to show above the dialogue.
func (e *Entry) Facts() (list []Fact) {
	elsewhere := []string{"id", "twin", "reviews", "scores", "why"}
	for _, c := range e.cells(columns) {
		if c.Text != "" && c.Heading != "" && !slices.Contains(elsewhere, c.Class) {
			list = append(list, Fact{c.Heading, c.Text})
		}
	}
	return list
}

// List is a list of dialogues with the form that filters it.
type List struct {
	Action  string           `json:"-"` // the address that filters; "" where a script does
	Filter  []Control        `json:"-"`
	Columns []*Column        `json:"columns"`
	Rows    [][]Cell         `json:"rows"`
	Orders  map[string][]int `json:"orders"` // the numbers of the rows by column, the worst first
}

// NewList returns the list of entries. Columns without values are left out.
func NewList(entries []Entry, more ...Column) (l List) {
	all, used := slices.Concat(columns, more), map[*Column]bool{}
	for i := range entries {
		l.Rows = append(l.Rows, entries[i].cells(all))
		for _, c := range l.Rows[i] {
			used[c.Column] = used[c.Column] || c.Text != ""
		}
	}
	for i := range l.Rows {
		l.Rows[i] = slices.DeleteFunc(l.Rows[i], func(c Cell) bool { return !used[c.Column] })
	}
	for i := range all {
		if used[&all[i]] {
			l.Columns = append(l.Columns, &all[i])
		}
	}
	return l
}

// sort sets the orders of a list. Dialogues without a value follow the others, and unscored ones
// are last.
func (l *List) sort(entries []Entry) {
	worst, keys := []int{}, make([]string, len(entries))
	for i := range entries {
		worst = append(worst, i)
	}
	slices.SortFunc(worst, func(a, b int) int {
		return run.BySatisfaction.Compare(entries[a].Row, entries[b].Row)
	})
	l.Orders = map[string][]int{}
	for k, c := range l.Columns {
		if !c.Sortable() {
			continue
		}
		for i := range keys {
			text := cmp.Or(l.Rows[i][k].Text, string(unicode.MaxRune))
			if n, err := strconv.ParseFloat(text, 64); c.Class == "id" {
				text = fmt.Sprintf("%09d", i) // the order of the run
			} else if err == nil && c.High {
				text = fmt.Sprintf("%09.2f", 1e5-n)
			} else if err == nil {
				text = fmt.Sprintf("%09.2f", n)
			}
			keys[i] = fmt.Sprint(!entries[i].Scored(), text) // "false" is before "true"
		}
		l.Orders[c.Key] = slices.SortedStableFunc(slices.Values(worst),
			func(a, b int) int { return strings.Compare(keys[a], keys[b]) })
	}
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

// list returns the list of a report, for its script.
func (p *Page) list(f *Figures, cases []Entry) List {
	var groups []Column
	for k := range p.Groups {
		groups = append(groups, Column{Key: fmt.Sprint("g", k), Words: true})
	}
	l := NewList(cases, groups...)
	l.sort(cases)
	l.Filter = p.filter(f, l.Columns)
	return l
}

// filter returns the form of a report's list.
func (p *Page) filter(f *Figures, columns []*Column) []Control {
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
		if c.Sortable() {
			sorts = append(sorts, Option{c.Key, strings.ToLower(c.Heading)})
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
