package overview

import (
	"maps"
	"slices"

	"assize/cmd/assize/internal/segment"
)

// Which columns tell groups apart that somebody would want to compare, where nobody names any: few values, and most
// dialogues have one.
const (
	mostColumns = 3
	mostValues  = 20
)

// Groups compares the groups that columns of the source tell apart. Where no column is named, it takes up to three that
// look as if they did; there may be none. The error is that of [segment.Segments.Table].
func (o *Overview) Groups(by []string) ([]*segment.Table, error) {
	if len(by) == 0 {
		by = o.columns()
	}
	var tables []*segment.Table
	for _, name := range by {
		s, shared := segment.New(name), reduced{}
		for i := range o.Cases {
			s.Add(shared.record(&o.Cases[i]))
		}
		t, err := s.Table()
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// columns picks the columns with the fewest values, two at least.
func (o *Overview) columns() []string {
	values := map[string]map[string]int{}
	for i := range o.Cases {
		for _, f := range o.Cases[i].source.Meta {
			of := values[f.Name]
			if of == nil {
				of = map[string]int{}
				values[f.Name] = of
			}
			if _, known := of[f.Value]; known || len(of) <= mostValues {
				of[f.Value]++
			}
		}
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		n := 0
		for _, k := range values[name] {
			n += k
		}
		if len(values[name]) >= 2 && len(values[name]) <= mostValues && 2*n >= len(o.Cases) && n > len(values[name]) {
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return len(values[a]) - len(values[b]) })
	return names[:min(len(names), mostColumns)]
}

// Group gives the value that a case has in a column, as the groups of it are named.
func (c *Case) Group(by string) string {
	if value, ok := c.source.Meta.Value(by); ok {
		return value
	}
	if by == segment.File {
		return c.File
	}
	return segment.None
}
