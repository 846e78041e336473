package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Column is a column of the list of dialogues, in reports and in the queue. It contains the values
// with its key, see [Entry]. A column without a class is not shown; only filters use its values.
type Column struct {
	Key     string `json:"key"` // also its name in addresses
	Class   string `json:"-"`   // of its cells, in the style sheet
	Heading string `json:"-"`
	Menu    string `json:"-"`              // the name of the menu of its values in a report
	Only    string `json:"-"`              // the name of the filter for dialogues with a value
	Level   bool   `json:"-"`              // values are scores, shown in their colours
	High    bool   `json:"high,omitzero"`  // higher values are worse
	Words   bool   `json:"words,omitzero"` // a search includes it
}

//go:embed columns.txt
var columnsTable string

// columns returns the columns of lists as columns.txt describes them, with the columns more in
// their place. The columns that are shown come first, as the script requires.
func columns(more ...Column) (list []*Column) {
	for line := range strings.Lines(columnsTable) {
		var parts [6]string
		copy(parts[:], ui.Each(strings.Split(line, "|"), strings.TrimSpace))
		has := func(what string) bool { return strings.Contains(parts[5], what) }
		c := Column{parts[0], parts[1], parts[2], parts[3], parts[4], has("level"), has("high"),
			has("words")}
		switch {
		case line[0] == '#':
		case c.Key == "criteria":
			for _, c.Key = range run.ScoreNames() {
				c.Heading = ui.Name(c.Key)
				list = append(list, new(c))
			}
		case c.Key == "more":
			list = append(list, ui.Each(more, func(c Column) *Column { return &c })...)
		default:
			list = append(list, &c)
		}
	}
	slices.SortStableFunc(list, func(a, b *Column) int {
		return cmp.Compare(min(len(b.Class), 1), min(len(a.Class), 1))
	})
	return list
}

// Sortable reports whether dialogues can be sorted by the column.
func (c *Column) Sortable() bool { return c.Class != "" && c.Class != "why" }

// Entry is a dialogue in a list. Its values are those of [run.Row.Values] and Extra, such as
// "reviews", "why" and, if another dialogue has its name, "twin", its file.
type Entry struct {
	*run.Row
	Title string // see [Titles]; "" for the dialogue's own name
	Link  string // the address of the dialogue; "" in a report, whose script sets it
	Extra map[string]any
}

// Titles returns the names under which pages show dialogues: their own or, for the only dialogue of
// a file whose name is just its number, 1, that of the file.
func Titles(rows []*run.Row) []string {
	dialogues := map[string]int{} // by file
	for _, r := range rows {
		dialogues[r.File]++
	}
	dialogues[""], dialogues[ui.Stdin] = 0, 0 // which is no file
	return ui.Each(rows, func(r *run.Row) string {
		if dialogues[r.File] == 1 && r.Name == "1" {
			return Base(r.File)
		}
		return r.Name
	})
}

// Cell is a value in a row.
type Cell struct {
	*Column
	Link, Text string
	Hollow     bool // a score that nothing in the dialogue shows
}

// cells returns the values of the entry in the columns.
func (e *Entry) cells(columns []*Column) (list []Cell) {
	v := e.Values()
	maps.Copy(v, e.Extra)
	v["name"] = cmp.Or(e.Title, e.Name)
	if v["overall"] == nil {
		v["overall"] = v["status"]
	}
	if v["twin"] != nil {
		v["twin"] = Base(e.File)
	}
	list = make([]Cell, 0, len(columns))
	for _, column := range columns {
		c := Cell{Column: column, Link: e.Link}
		if criterion, err := rubric.ParseCriterion(c.Key); err == nil {
			c.Hollow = e.Unshown.Has(criterion)
		}
		if value := v[c.Key]; value != nil && value != false && value != 0 {
			c.Text = ui.Visible(fmt.Sprint(value))
		}
		list = append(list, c)
	}
	return list
}

// Facts returns the values to show above the dialogue.
func (e *Entry) Facts() (list dialogue.Meta) {
	elsewhere := []string{"name", "twin", "reviews", "why"}
	for _, c := range e.cells(columns()) {
		if c.Text != "" && c.Heading != "" && c.Class != "scores" &&
			!slices.Contains(elsewhere, c.Key) {
			list = append(list, dialogue.Field{Name: c.Heading, Value: c.Text})
		}
	}
	return list
}

// List is a list of dialogues with the form that filters it.
type List struct {
	Action  string     `json:"-"` // the address that filters; "" where a script does
	Filter  []Control  `json:"-"`
	Columns []*Column  `json:"columns"`
	Rows    [][]Cell   `json:"-"`
	Values  [][]string `json:"values"` // the different values of each column
	Packed  [][]int    `json:"rows"`   // by row and column: the index of the value
	Order   []int      `json:"order"`  // the numbers of the rows, the worst first
	Of      int        `json:"of"`     // the number of all dialogues, listed or not
	Hollow  bool       `json:"-"`      // it has scores that nothing shows
}

// NewList returns the list of entries. Columns without values are left out.
func NewList(entries []Entry, more ...Column) (l List) {
	all, used, longest := columns(more...), map[*Column]bool{}, 0
	for i := range entries {
		l.Rows = append(l.Rows, entries[i].cells(all))
		for _, c := range l.Rows[i] {
			used[c.Column] = used[c.Column] || c.Text != ""
			l.Hollow = l.Hollow || c.Hollow
		}
		longest = max(longest, len([]rune(l.Rows[i][0].Text)))
	}
	for _, width := range []int{16, 24, 40} { // in characters; the style sheet has a class for each
		if longest > 12 {
			all[0].Class = fmt.Sprint("id id", width)
		}
		if longest <= width {
			break
		}
	}
	for i := range l.Rows {
		l.Rows[i] = slices.DeleteFunc(l.Rows[i], func(c Cell) bool { return !used[c.Column] })
	}
	l.Columns = ui.Without(all, func(c *Column) bool { return !used[c] })
	return l
}

// pack sets what the script needs of the entries. Rows refer to values, which recur, by number.
func (l *List) pack(entries []Entry) {
	known := make([]map[string]int, len(l.Columns))
	l.Values = make([][]string, len(l.Columns))
	for i, row := range l.Rows {
		l.Order, l.Packed = append(l.Order, i), append(l.Packed, make([]int, len(row)))
		for k, c := range row {
			at, ok := known[k][c.Text]
			if !ok {
				if at = len(known[k]); at == 0 {
					known[k] = map[string]int{}
				}
				known[k][c.Text], l.Values[k] = at, append(l.Values[k], c.Text)
			}
			l.Packed[i][k] = at
		}
	}
	slices.SortFunc(l.Order, func(a, b int) int { return entries[a].compare(&entries[b]) })
}

// compareValues compares two values of a column: numbers by size, and before words.
func compareValues(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return strings.Compare(a, b)
}

// Control is an input of a filter: a menu if it has options.
type Control struct {
	Label, Name, Value string
	Type               string // "search", "date", "text", or "hidden" if only addresses set it
	Hint               string // what can be searched for
	Options            []Option
	Narrow             bool // only where lists have no headings to sort by
}

// Option is a choice in a menu.
type Option struct{ Value, Text string }

// Options returns the options of a list of levels or criteria.
func Options[T fmt.Stringer](list []T) []Option {
	return ui.Each(list, func(v T) Option { return Option{v.String(), ui.Name(v.String())} })
}

// Menu returns a menu whose first option, with the text none, selects everything.
func Menu(label, name, none string, options []Option) Control {
	all := append([]Option{{Text: none}}, options...)
	return Control{Label: label, Name: name, Options: all}
}

// menu returns a menu of the values in column k, without the folder that they share. If all rows
// have the same, or there are more than 50, it returns a hidden input, which only addresses set.
func (l *List) menu(k int) Control {
	n := map[string]int{}
	for _, row := range l.Rows {
		n[row[k].Text]++
	}
	m := Menu(l.Columns[k].Menu, l.Columns[k].Key, "any", nil)
	if len(n) < 2 || len(n) > 50 {
		m.Type = "hidden"
		return m
	}
	delete(n, "")
	values := slices.SortedFunc(maps.Keys(n), compareValues)
	folder, last := values[0], values[len(values)-1]
	for folder != "" && (!strings.HasPrefix(last, folder) ||
		!strings.ContainsAny(folder[len(folder)-1:], `/\`)) {
		folder = folder[:len(folder)-1]
	}
	for _, v := range values {
		m.Options = append(m.Options,
			Option{v, fmt.Sprintf("%s (%s)", strings.TrimPrefix(v, folder), count(n[v]))})
	}
	return m
}

// list returns the list of a report with its filters, for its script.
func (p *Page) list(f *Figures, cases []Entry) List {
	var only, sorts, scores []Option
	var by []Column
	grouped := false // by file
	for k, g := range f.Groups {
		grouped = grouped || g.By == "file"
		c := Column{Key: fmt.Sprint("g", k), Words: true,
			Menu: strings.TrimSuffix(ui.Sentence(g.By), ".")}
		agents, queues := true, true // the list has the same values under these names
		for _, e := range cases {
			agents = agents && e.Extra[c.Key] == cmp.Or(e.Agent, summary.NoGroup)
			queues = queues && e.Extra[c.Key] == cmp.Or(e.Queue, summary.NoGroup)
		}
		if queues {
			c.Menu = "Queue"
		} else if agents {
			c.Menu = "Agent"
		}
		by = append(by, c)
	}
	for _, a := range p.Summary.Answered(p.headers()) {
		by = append(by, Column{Key: run.AnswerName(a.ID), Menu: a.ID})
	}
	l := NewList(cases, by...)
	l.pack(cases)
	l.Of = len(p.Rows)
	steps := ui.Each(f.Satisfaction, func(b Bin) Option {
		return Option{b.Name, fmt.Sprintf("%s (%s)", b.Name, count(b.N))}
	})
	for _, s := range rubric.Scale {
		scores = append(scores, Option{s.String() + "-", "at most " + s.String()},
			Option{s.String(), "at " + s.String()})
	}
	if l.Hollow {
		scores = append(scores, Option{"none", "not shown"})
	}
	criteria := rubric.Criteria()
	l.Filter = []Control{
		{Label: "Search (press /)", Name: "query", Type: "search", Hint: "id, file or words"},
		Menu("Satisfaction", "satisfaction", "any", steps),
		Menu("Criterion", "criterion", "overall", Options(criteria[:])),
		Menu("Score", "score", "any", scores)}
	for k, c := range l.Columns {
		if c.Key == "day" {
			l.Filter = append(l.Filter, Control{Label: "From", Name: "from", Type: "date"},
				Control{Label: "To", Name: "to", Type: "date"})
		}
		if c.Menu != "" && !(c.Key == "file" && grouped) {
			l.Filter = append(l.Filter, l.menu(k))
		}
		if c.Only != "" {
			only = append(only, Option{c.Key, c.Only})
		}
		if c.Sortable() {
			sorts = append(sorts, Option{c.Key, strings.ToLower(c.Heading)})
		}
	}
	l.Filter = append(l.Filter, Menu("Only", "only", "any", only),
		Control{Label: "Sort by", Name: "sort", Value: "satisfaction", Options: sorts,
			Narrow: true},
		Control{Label: "Order", Name: "way", Narrow: true,
			Options: []Option{{"up", "worst first"}, {"down", "best first"}}})
	return l
}
