package page

import (
	"fmt"

	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/segment"
)

// groups compares what a column tells apart.
func (p *Page) groups() figure {
	f := figure{
		section: section{"groups", "Groups", "Means with their 95 % intervals, the lowest satisfaction first and groups that are too small last. Where intervals overlap, the difference may be chance.", "Groups"},
		Notes:   []string{fmt.Sprintf("Groups with fewer than %d scored dialogues are faint: too few to tell much. Intervals: bootstrap.", segment.Few)},
	}
	for i, t := range p.Groups {
		name := report.Visible(t.By)
		if n := len(t.Groups); n > mostGroups {
			f.Notes = append(f.Notes, fmt.Sprintf("By %s, only the first %d of %d groups are drawn; the table has all.", name, mostGroups, n))
		}
		f.Charts = append(f.Charts, chart{ID: fmt.Sprintf("chart-groups-%d", i), Title: "Satisfaction by " + name, Label: "Dots with intervals: the mean satisfaction of each group by " + name})
		f.Tables = append(f.Tables, groupTable(t, name))
	}
	return f
}

func groupTable(t *segment.Table, name string) table {
	out := table{Caption: "By " + name, Head: []string{name, "Scored", "Unscored", "Satisfaction", "95 % interval", "Average", "95 % interval", "Below 60"}}
	for i := range t.Groups {
		g := &t.Groups[i]
		label := report.Visible(g.Name)
		if g.TooFew {
			label += " (too few)"
		}
		row := []string{label, count(g.Scored), count(g.Unscored)}
		for _, m := range []segment.Mean{g.Satisfaction, g.Average} {
			value, interval := "–", "–"
			if g.Scored > 0 {
				value = m.Value.String()
			}
			if m.Ranges {
				interval = m.Low.String() + " to " + m.High.String()
			}
			row = append(row, value, interval)
		}
		out.Rows = append(out.Rows, append(row, percent(g.Below, g.Scored)))
	}
	return out
}

// groupData is a column as the script draws it and filters by it.
type groupData struct {
	By     string   `json:"by"`
	Means  []mark   `json:"means"`  // of the groups that have one, the first mostGroups of them
	Names  []string `json:"names"`  // of all groups
	Member []int    `json:"member"` // of each dialogue, the number of its group's name
}

// mark is the mean satisfaction of a group.
type mark struct {
	Name  string   `json:"name"`
	N     int      `json:"n"`
	Few   bool     `json:"few"`
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func (p *Page) groupData() (list []groupData) {
	for _, t := range p.Groups {
		d := groupData{By: report.Visible(t.By)}
		var names index
		for i := range t.Groups {
			g := &t.Groups[i]
			name := report.Visible(g.Name)
			names.of(name)
			if g.Scored == 0 || len(d.Means) == mostGroups {
				continue
			}
			m := mark{Name: name, N: g.Scored, Few: g.TooFew, Value: float64(g.Satisfaction.Value) / 100}
			if g.Satisfaction.Ranges {
				m.Low, m.High = number(float64(g.Satisfaction.Low)/100), number(float64(g.Satisfaction.High)/100)
			}
			d.Means = append(d.Means, m)
		}
		for i := range p.Overview.Cases {
			d.Member = append(d.Member, names.of(report.Visible(p.Overview.Cases[i].Group(t.By))))
		}
		d.Names = names.names
		list = append(list, d)
	}
	return list
}
