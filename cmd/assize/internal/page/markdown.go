package page

import (
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/report"
)

// Markdown writes a summary for a merge request: the state in words, the figures as tables, and the worst dialogues
// with the reason. Nothing of a transcript is markup or HTML in it.
func (p *Page) Markdown(w io.Writer, worst int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", report.Escape(p.Title), report.Escape(p.runs()))
	fmt.Fprintf(&b, "**%s**\n", report.Escape(strings.Join(p.sentences(), " ")))
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "\n> %s\n", report.Escape(n))
	}
	headline := table{Head: []string{"", "", ""}}
	for _, c := range p.cards() {
		headline.Rows = append(headline.Rows, []string{c.Name, strings.TrimSpace(c.Value + " " + c.Unit), c.Below})
	}
	headline.markdown(&b)
	p.markdownWorst(&b, worst)
	b.WriteString("\n<details><summary>All figures, and how they were made</summary>\n")
	for _, f := range p.figures() {
		if f.ID == "satisfaction" {
			continue // a histogram of many rows says nothing in a table
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", report.Escape(f.Title), report.Escape(strings.TrimSpace(f.Lead)))
		for _, t := range f.Tables {
			t.markdown(&b)
		}
	}
	b.WriteString("\n### Provenance\n")
	for _, m := range p.makers() {
		fmt.Fprintf(&b, "\n%s\n\n", report.Escape(m.Title))
		for _, f := range m.Facts {
			fmt.Fprintf(&b, "- %s: %s\n", report.Escape(f.Name), report.Escape(f.Value))
		}
	}
	b.WriteString("\n</details>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Page) markdownWorst(b *strings.Builder, worst int) {
	t := table{Head: []string{"Dialogue", "File", "Satisfaction", "Overall", "Friction", "Failed most", "Why"}}
	for _, k := range p.Overview.Kept() {
		if !k.Scored() || len(t.Rows) == worst {
			break
		}
		failed, why := "nothing", ""
		if !k.Flawless {
			failed = fmt.Sprintf("%s %d", k.Failed, k.Final[k.Failed])
		}
		for _, q := range k.Why {
			why += fmt.Sprintf("“%s” (turn %d) ", q.Text, q.Turn)
		}
		t.Rows = append(t.Rows, []string{k.ID, k.File, k.Satisfaction.String(), k.Overall.String(), k.Friction, failed, strings.TrimSpace(why)})
	}
	if len(t.Rows) > 0 {
		b.WriteString("\n### The worst dialogues\n")
		t.markdown(b)
	}
}

func (t *table) markdown(b *strings.Builder) {
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + report.Escape(c) + " ")
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n")
	line(t.Head)
	for i := range t.Head {
		if i > 0 && t.numbers(i) {
			b.WriteString("|--:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, r := range t.Rows {
		line(r)
	}
}

// numbers reports whether a column holds numbers, which are set to the right.
func (t *table) numbers(column int) bool {
	for _, r := range t.Rows {
		if strings.Trim(r[column], "0123456789.,-–%to ") != "" {
			return false
		}
	}
	return true
}
