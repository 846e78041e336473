package page

import (
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/ui"
)

// Markdown writes a summary for a merge request: the headline, the figures as tables, and the worst dialogues with the
// reason. Nothing of a transcript is markup or HTML in it.
func (p *Page) Markdown(w io.Writer, worst int) error {
	var b ui.Page
	headlines := ui.Escape(strings.Join(p.sentences(), " "))
	fmt.Fprintf(&b, "## %s\n\n%s\n\n**%s**\n", ui.Escape(p.Title), ui.Escape(p.runs()), headlines)
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "\n> %s\n", ui.Escape(n))
	}
	table := func(t *ui.Table) {
		b.WriteByte('\n')
		t.Markdown(&b) // a page takes everything
	}
	headline := &ui.Table{Columns: make([]ui.Column, 3)}
	for _, c := range p.cards() {
		headline.Add(c.Name, strings.TrimSpace(c.Value+" "+c.Unit), c.Below)
	}
	table(headline)
	if t := p.worst(worst); len(t.Rows) > 0 {
		b.WriteString("\n### The worst dialogues\n")
		table(t)
	}
	b.WriteString("\n<details><summary>All figures, and how they were made</summary>\n")
	for _, f := range p.figures() {
		if f.ID == "satisfaction" {
			continue // a histogram of many rows says nothing in a table
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", ui.Escape(f.Title), ui.Escape(f.Lead))
		for _, t := range f.Tables {
			table(t)
		}
	}
	b.WriteString("\n### Provenance\n")
	for _, m := range p.makers {
		fmt.Fprintf(&b, "\n%s\n\n", ui.Escape(m.Name()))
		for _, f := range m.Facts() {
			fmt.Fprintf(&b, "- %s: %s\n", f[0], ui.Escape(f[1]))
		}
	}
	b.WriteString("\n</details>\n")
	return b.Send(w)
}

// worst lists as many of the worst dialogues, each with what cost it most.
func (p *Page) worst(most int) *ui.Table {
	t := &ui.Table{}
	for i, title := range []string{"Dialogue", "File", "Satisfaction", "Overall", "Friction", "Failed most", "Why"} {
		t.Columns = append(t.Columns, ui.Column{Title: title, Right: i == 2 || i == 3})
	}
	for _, k := range p.low.List() {
		if len(t.Rows) == most {
			break
		}
		r, why := &p.reasons[k.row.Place], ""
		for _, q := range r.Evidence {
			why += fmt.Sprintf("“%s” (turn %d) ", q.Text, q.Turn)
		}
		t.Add(k.row.Name, k.row.File, k.row.Satisfaction, k.row.Overall, r.friction, r.Failed(), strings.TrimSpace(why))
	}
	return t
}
