package view

import (
	"encoding/csv"
	"io"
	"strconv"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/report"
)

// CSV writes a table for spreadsheets (RFC 4180).
func CSV(w io.Writer, t *experiment.Table) error {
	out := csv.NewWriter(w)
	head := []string{"model", "panel", "prompts", "repeats", "missing", "dialogues", "unscored", "by_rules", "rated"}
	for _, m := range agreements {
		for _, name := range []string{m.name, m.name + "_over_rules"} {
			head = append(head, name, name+"_low", name+"_high")
		}
	}
	for _, c := range columns {
		head = append(head, c.name)
	}
	out.Write(append(head, "cited", "timed"))
	for _, r := range t.Rows {
		c := &r.Cell
		cells := []string{report.Inert(c.Model), report.Inert(c.Panel.Name), report.Inert(c.Prompts)}
		for _, n := range []int{len(r.Files), r.Missing, r.Judged, r.Unscored, r.ByRules, rated(r)} {
			cells = append(cells, strconv.Itoa(n))
		}
		for _, m := range agreements {
			a := m.of(r)
			for _, f := range []accord.Figure{a.Figure, a.OverRules} {
				cells = append(cells, digits(f.Value, 4), digits(f.Low, 4), digits(f.High, 4))
			}
		}
		for _, c := range columns {
			cells = append(cells, digits(c.of(r), c.decimals))
		}
		out.Write(append(cells, strconv.Itoa(r.Evidence.Cited), strconv.Itoa(r.Timed)))
	}
	out.Flush()
	return out.Error()
}
