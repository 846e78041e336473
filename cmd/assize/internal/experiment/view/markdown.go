package view

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/report"
)

// Markdown writes a table for tickets and merge requests. Nothing of a name is markup or HTML in it.
func Markdown(w io.Writer, t *experiment.Table) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "**%s**\n", report.Escape(heading(t)))
	head := []string{"", "unscored"}
	if t.Rated {
		head = append(head, "n", "satisfaction", "over the rules", "weighted average", "over the rules")
	}
	for _, c := range columns {
		head = append(head, c.title)
	}
	fmt.Fprintf(&b, "\n| %s |\n|---|%s\n", strings.Join(head, " | "), strings.Repeat("--:|", len(head)-1))
	for i, label := range t.Labels() {
		r := t.Rows[i]
		cells := []string{report.Escape(label), unscored(r)}
		if t.Rated {
			cells = append(cells, fmt.Sprint(rated(r)))
			for _, m := range agreements {
				a := m.of(r)
				cells = append(cells, inWords(a.Figure), inWords(a.OverRules))
			}
		}
		for _, c := range columns {
			cells = append(cells, c.shown(r))
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	for _, s := range legend(t) {
		fmt.Fprintf(&b, "\n%s\n", s)
	}
	for _, s := range t.Notes {
		fmt.Fprintf(&b, "\n> %s\n", report.Escape(s))
	}
	_, err := w.Write(b.Bytes())
	return err
}

func inWords(f accord.Figure) string {
	return strings.TrimSpace(accord.Short(f.Value, 2) + " " + interval(f))
}
