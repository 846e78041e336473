package summary

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

const (
	// Low is the OverallExperience below which a dialogue is a bad one.
	Low rubric.Score = 60
	// minScored is the minimum number of scored dialogues for a group's figures to be meaningful.
	minScored = 20
	// maxGroups is the maximum number of groups of a column. More would be unreadable.
	maxGroups = 1000
	// NoGroup is the name of the group of dialogues without the column.
	NoGroup = "(none)"
)

// Groups are the dialogues of a run by the value of a column of their source, or of several, sorted
// by satisfaction, average and name, lowest first; days and crossed columns by name. Groups without
// a scored dialogue come after these, and last the dialogues without the column.
type Groups struct {
	By   string  `json:"by"` // the column, as requested
	List []Group `json:"list"`
	// flags for the columns that may name the agents, if there is only one agent: "--by Staff"
	others []string
}

// Group contains the figures of one group.
type Group struct {
	Name     string `json:"name"` // value of the column, or NoGroup
	None     bool   `json:"-"`    // the dialogues do not have the column
	N        int    `json:"n"`    // dialogues
	Scored   int    `json:"scored"`
	Unscored int    `json:"-"`
	Below    int    `json:"-"` // with an OverallExperience below [Low]
	// Means of the weighted averages, of the estimated ratings and of the scores of the scorecard.
	// The interval contains 95 % of the means of as many dialogues drawn from the group with
	// replacement (percentile bootstrap, Efron 1979) and requires two dialogues.
	Average      stats.Figure `json:"-"`
	Satisfaction stats.Figure `json:"satisfaction"`
	Checklist    stats.Figure `json:"-"`
	TooFew       bool         `json:"too_few"`        // fewer than minScored are scored
	Link         string       `json:"link,omitempty"` // the address of its dialogues on a page

	// People contains what people would rate on average, if they rated a random sample.
	People []sample.Figure `json:"-"`

	members []scores // satisfaction and weighted average of each dialogue
	checked []scores // score of the scorecard
}

// scores are scores of a dialogue, in hundredths.
type scores [2]uint16

// meansOf returns the means of the scores. All groups are resampled with the same seed, so that the
// interval of one does not depend on any other.
func meansOf(list []scores) []stats.Figure {
	const draws, seed = 1000, 1
	n := len(list)
	// The draws must not depend on the order of the dialogues.
	slices.SortFunc(list, func(a, b scores) int { return slices.Compare(a[:], b[:]) })
	found := stats.Bootstrap(n, draws, seed, func(times []int) []float64 {
		sums := make([]float64, len(scores{}))
		for i, t := range times {
			for k, v := range list[i] {
				sums[k] += float64(t * int(v))
			}
		}
		return sums
	})
	// nearest rounds a mean in hundredths, halves up; NaN without dialogues.
	nearest := func(sum float64) float64 { return math.Floor(sum/float64(n)+0.5) / 100 }
	for i, e := range found {
		found[i] = stats.Figure{Value: nearest(e.Value), Low: nearest(e.Low), High: nearest(e.High),
			N: n, Decimals: 2}
	}
	return found
}

// grouper collects rows into groups by one column.
type grouper struct {
	Column
	groups map[key]*Group
	others ColumnValues // if the column is the agent
}

// key identifies a group: by its name, and whether its dialogues have the column.
type key struct {
	name string
	has  bool
}

// newGrouper returns a grouper for a column, see [run.Row.Column].
func newGrouper(by string) *grouper {
	return &grouper{Column: Column{By: by}, groups: map[key]*Group{}, others: ColumnValues{}}
}

func (g *grouper) key(row *run.Row) key {
	name, has := g.Group(row)
	return key{name, has}
}

// Groupers group the same dialogues by several columns. Of dialogues that are equal by
// [run.Row.Copy], the first counts.
type Groupers struct {
	list   []*grouper
	rated  func(scored []*run.Row) ([]ratings.Rated, error) // see NewGroupers
	rows   []*run.Row                                       // the scored dialogues, if rated is set
	copies run.Copies
}

// NewGroupers returns a Groupers for the columns. rated may be nil; otherwise it returns the
// ratings of the added dialogues that are scored.
func NewGroupers(by []string, rated func(scored []*run.Row) ([]ratings.Rated, error)) Groupers {
	return Groupers{list: ui.Each(by, newGrouper), rated: rated}
}

// Add adds a dialogue to its groups.
func (all *Groupers) Add(row *run.Row) {
	if all.copies.Again(row) {
		return
	}
	if all.rated != nil && row.Scored() {
		all.rows = append(all.rows, row)
	}
	for _, g := range all.list {
		g.Add(row)
	}
}

// Groups returns the figures by each column that has any, and the first error.
func (all *Groupers) Groups() (list []*Groups, err error) {
	if len(all.list) == 0 {
		return nil, nil
	}
	var rated []ratings.Rated
	if all.rated != nil {
		if rated, err = all.rated(all.rows); err != nil {
			return nil, err
		}
	}
	for _, g := range all.list {
		groups, failed := g.Groups(all.rows, rated)
		if err = cmp.Or(err, failed); failed == nil && len(groups.List) > 0 {
			list = append(list, groups)
		}
	}
	return list, err
}

// Add adds a dialogue to its group. Beyond the maximum number of groups, new groups are ignored.
func (g *grouper) Add(row *run.Row) {
	k := g.key(row)
	m := g.groups[k]
	if strings.EqualFold(g.By, "agent") {
		g.others.Keep(row.Meta, nil)
	}
	if m == nil {
		if len(g.groups) > maxGroups {
			return
		}
		m = &Group{Name: k.name, None: !k.has}
		g.groups[k] = m
	}
	if !row.Scored() {
		m.Unscored++
		return
	}
	m.members = append(m.members, scores{uint16(row.Satisfaction), uint16(row.Average)})
	if c := row.Checklist; c != nil && c.Score != nil {
		m.checked = append(m.checked, scores{uint16(*c.Score)})
	}
	if row.Overall < Low {
		m.Below++
	}
}

// Column is a column by which dialogues are grouped.
type Column struct {
	By    string   // its name, in any case; see [run.Row.Column]
	found bool     // some dialogue has it
	names []string // the first other columns, for an error message
}

// Group returns the name of the group of a dialogue, and whether it has the column.
func (c *Column) Group(row *run.Row) (name string, ok bool) {
	const maxNames = 10
	if name, ok = row.Column(c.By); ok {
		c.found = true
		return name, true
	}
	for _, s := range slices.Concat(run.DateColumns(), []string{"agent", "queue"},
		ui.Each(row.Meta, func(f dialogue.Field) string { return f.Name })) {
		if len(c.names) == maxNames {
			break
		}
		if _, has := row.Column(s); has && !slices.Contains(c.names, s) {
			c.names = append(c.names, s)
		}
	}
	return NoGroup, false
}

// Err returns an error if no dialogue has the column.
func (c *Column) Err() error {
	if c.found {
		return nil
	}
	names := strings.Join(append(slices.Sorted(slices.Values(c.names)), "file"), ", ")
	switch {
	case slices.Contains(run.DateColumns(), strings.ToLower(c.By)):
		return texts.Error("no date", c.By)
	case strings.EqualFold(c.By, "agent"):
		return texts.Error("no agent", c.By, names)
	case strings.Contains(c.By, ","):
		return texts.Error("two columns", c.By, names)
	}
	return texts.Error("no column", c.By, names, ui.Word("agent="+c.By))
}

// byName reports whether groups are in the order of their names: those of crossed columns, and
// days, weeks or months, but not a column of that name.
func (t *Groups) byName() bool {
	isDate := slices.Contains(run.DateColumns(), strings.ToLower(t.By))
	return strings.Contains(t.By, ",") || isDate &&
		!slices.ContainsFunc(t.List, func(g Group) bool {
			_, day := time.Parse(time.DateOnly, g.Name)
			_, month := time.Parse("2006-01", g.Name)
			return !g.None && day != nil && month != nil
		})
}

// Groups returns the figures, with those of the rated dialogues, if there are any among the scored
// ones. It returns an error if there are too many groups or if no dialogue has the column.
func (g *grouper) Groups(scored []*run.Row, rated []ratings.Rated) (*Groups, error) {
	switch {
	case len(g.groups) > maxGroups:
		return nil, texts.Error("many groups", g.By, maxGroups)
	case len(g.groups) > 0 && g.Err() != nil:
		return nil, g.Err()
	}
	people := ui.By(rated, func(r ratings.Rated) key { return g.key(r.Row) })
	isUnrated := func(row *run.Row) bool { return people[g.key(row)] == nil }
	rows := ui.By(ui.Without(scored, isUnrated), g.key)
	t := &Groups{By: g.By}
	for k, m := range g.groups {
		of := meansOf(m.members)
		m.Satisfaction, m.Average, m.Checklist = of[0], of[1], meansOf(m.checked)[0]
		m.Scored, m.TooFew = len(m.members), len(m.members) < minScored
		m.N = m.Scored + m.Unscored
		if people[k] != nil {
			m.People = sample.Of(rows[k], people[k])
		}
		t.List = append(t.List, *m)
	}
	for _, name := range slices.Sorted(maps.Keys(g.others)) {
		if len(t.List) == 1 && mayBePeople(g.others[name]) {
			t.others = append(t.others, "--by "+ui.Word(name))
		}
	}
	rank := func(g *Group) int {
		switch {
		case g.None:
			return 2
		case g.Scored == 0:
			return 1
		}
		return 0
	}
	byName := t.byName()
	slices.SortFunc(t.List, func(a, b Group) int {
		if byName && !a.None && !b.None {
			return cmp.Compare(a.Name, b.Name)
		}
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)),
			cmp.Compare(a.Satisfaction.Value, b.Satisfaction.Value),
			cmp.Compare(a.Average.Value, b.Average.Value), cmp.Compare(a.Name, b.Name))
	})
	return t, nil
}

// GroupBy groups rows by each of the given columns. If none is given, it chooses up to three
// suitable ones: the agent, and columns with few values, which most dialogues have. Some of the
// rows may be rated. Errors are those of [Groupers.Groups].
func GroupBy(rows []*run.Row, by []string, rated []ratings.Rated) (list []*Groups, err error) {
	if len(by) == 0 {
		by = columns(rows)
	}
	all := NewGroupers(by, func([]*run.Row) ([]ratings.Rated, error) { return rated, nil })
	for _, r := range rows {
		all.Add(r)
	}
	return all.Groups()
}

// maxValues is the maximum number of values of a column that is chosen for groups.
const maxValues = 20

// ColumnValues are values of columns, by the name of the column.
type ColumnValues map[string]map[string]string

// Keep returns the fields that [GroupBy] may need: of given columns, and of those with few values.
func (c ColumnValues) Keep(m dialogue.Meta, by []string) (kept dialogue.Meta) {
	for _, f := range m {
		values := c[f.Name]
		if values == nil {
			values = map[string]string{}
			c[f.Name] = values
		}
		if value, known := values[f.Value]; known {
			f.Value = value
		} else if len(values) <= maxValues {
			values[f.Value] = f.Value
		} else if !slices.ContainsFunc(strings.Split(strings.Join(by, ","), ","),
			func(name string) bool { return strings.EqualFold(name, f.Name) }) {
			continue
		}
		kept = append(kept, f)
	}
	return slices.Clone(kept)
}

// columns returns the column of the agent, and those with the fewest values, but at least two.
func columns(rows []*run.Row) (names []string) {
	const limit = 3
	values, have, staff := ColumnValues{}, map[string]int{}, map[string]bool{}
	for _, r := range rows {
		values.Keep(r.Meta, nil)
		staff[r.Agent], staff[r.Queue] = true, true
		for _, f := range r.Meta {
			have[f.Name]++
		}
	}
	for name, different := range values {
		if k, n := len(different), have[name]; k >= 2 && k <= maxValues && 2*n >= len(rows) &&
			n > k && !isPersonal(different, staff) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(values[a]), len(values[b])), cmp.Compare(a, b))
	})
	if i := importer.FindColumn(names, "agent"); i > 0 {
		names = slices.Insert(slices.Delete(slices.Clone(names), i, i+1), 0, names[i])
	}
	return names[:min(len(names), limit)]
}

// mayBePeople reports whether values may be names of agents: there are some, but not many, and each
// begins like a name and is longer than a code, such as "en" or "USD".
func mayBePeople(values map[string]string) bool {
	for v := range values {
		if r, _ := utf8.DecodeRuneInString(v); !unicode.IsUpper(r) || v == strings.ToUpper(v) {
			return false
		}
	}
	return len(values) > 1 && len(values) <= maxValues
}

// isPersonal reports whether most values are e-mail addresses or phone numbers, but not of staff.
func isPersonal(values map[string]string, staff map[string]bool) bool {
	n := 0
	for v := range values {
		if is := redact.Text(v); !staff[v] && (is == "[email]" || is == "[phone]") {
			n++
		}
	}
	return 2*n > len(values)
}

// table returns an empty table whose first column has the names of the groups.
func (t *Groups) table(of string, columns ...string) *ui.Table {
	column := "group=13"
	if strings.EqualFold(t.By, "file") { // files differ at the end
		column = "group<13"
	}
	return ui.NewTable("By "+ui.Clip(ui.Visible(t.By), 20)+of,
		slices.Concat([]string{column}, columns)...)
}

// Tables returns human-readable tables of the groups: their scores and, if there are any, their
// checklists and what people would rate.
func (t *Groups) Tables() []*ui.Table {
	list := []*ui.Table{t.scores()}
	if t.hasChecklists() {
		table := t.table(": mean checklist in percent, with 95 % intervals", "answered>",
			"checklist")
		for _, g := range t.List {
			table.Add(g.Name, g.Checklist.N, g.Checklist.Range())
		}
		list = append(list, table)
	}
	if names := t.sampled(); len(names) > 0 {
		list = append(list, t.people(names))
	}
	return list
}

func (t *Groups) scores() *ui.Table {
	order := ", lowest satisfaction first"
	if t.byName() {
		order = ", in order"
	}
	table := t.table(": means with 95 % intervals"+order, "scored>", "unsc.>",
		"average=13", "satisfaction=12", "below 60>")
	for _, g := range t.List {
		few := "  "
		if g.TooFew {
			few = " *"
			table.Notes = []string{texts.Text("few scored", minScored)}
		}
		table.Add(g.Name, g.Scored, g.Unscored, g.Average.Range(), g.Satisfaction.Range(),
			ui.Percent(g.Below, g.Scored)+few)
	}
	if t.others != nil {
		table.Notes = append(table.Notes, texts.Text("one agent", strings.Join(t.others, " or ")))
	}
	return table
}

// hasChecklists reports whether any dialogue has a score of a scorecard.
func (t *Groups) hasChecklists() bool {
	return slices.ContainsFunc(t.List, func(g Group) bool { return g.Checklist.N > 0 })
}

// rated returns the figure of People with the given name, or an unknown figure.
func (g *Group) rated(name string) *sample.Figure {
	for i := range g.People {
		if g.People[i].Name == name {
			return &g.People[i]
		}
	}
	return &sample.Figure{Name: name, Corrected: stats.Unknown("")}
}

// sampled returns the names of the figures of People that any group has.
func (t *Groups) sampled() []string {
	return slices.DeleteFunc(sample.Names(), func(name string) bool {
		return !slices.ContainsFunc(t.List, func(g Group) bool { return g.rated(name).N > 0 })
	})
}

func (t *Groups) people(names []string) *ui.Table {
	all := slices.Concat(ui.Each(t.List, func(g Group) []sample.Figure { return g.People })...)
	table := t.table(", as people rate"+sample.Origin(all), "measure", "scores>", "sample mean>",
		"corrected>", "rated>")
	for _, g := range t.List {
		known := func(f sample.Figure) bool { return f.Corrected.Warning == "" }
		if !slices.ContainsFunc(g.People, known) {
			few := g.rated(names[0]) // one row says why
			table.Add(g.Name, "", "", "", few.Corrected.Warning, few.N)
			continue
		}
		for _, f := range g.People {
			f.AddTo(table, g.Name)
		}
	}
	return table
}

// Figures returns a table for CSV with a row for each group. Missing figures are empty.
func Figures(list ...*Groups) *ui.Table {
	heading := run.Columns("groups csv")
	groups := ui.Each(list, func(t *Groups) []Group { return t.List })
	all := &Groups{List: slices.Concat(groups...)}
	sampled := all.sampled()
	if len(sampled) > 0 {
		heading = append(heading, "rated", "rated_warning")
	}
	for _, name := range sampled {
		column := "people_" + strings.ReplaceAll(name, " ", "_")
		heading = append(heading, column, column+"_low", column+"_high")
	}
	checked := all.hasChecklists()
	if checked {
		heading = append(heading, "checklist", "checklist_low", "checklist_high")
	}
	table := ui.NewTable("", heading...)
	for _, t := range list {
		for _, g := range t.List {
			share := stats.Fixed{Value: float64(g.Below) / float64(g.Scored), Decimals: 4}
			row := slices.Concat([]any{t.By, g.Name, g.Scored, g.Unscored}, g.Average.Cells(),
				g.Satisfaction.Cells(), []any{g.Below, share, g.TooFew})
			for i, name := range sampled {
				f := g.rated(name)
				if i == 0 {
					row = append(row, f.N, f.Corrected.Warning)
				}
				row = append(row, f.Corrected.Cells()...)
			}
			if checked {
				row = append(row, g.Checklist.Cells()...)
			}
			table.Add(row...)
		}
	}
	return table
}
