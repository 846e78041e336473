package report

import (
	"io"
	"strings"

	"assize/cmd/assize/internal/explain"
)

// Entry writes all that there is to say of one id.
func Entry(w io.Writer, e explain.Entry, color bool) error {
	p := page{color: color}
	p.put(bold, e.ID)
	p.line(dim, "  "+e.Group)
	p.paragraph(plain, "  ", "  ", e.Title)
	for _, part := range e.Parts {
		p.WriteByte('\n')
		p.line(bold, "  "+part.Heading)
		for line := range strings.Lines(part.Text) {
			lead, text, ok := strings.Cut(line, "\t")
			if !ok {
				lead, text = "", line
			}
			lead = "    " + lead
			p.paragraph(plain, lead, strings.Repeat(" ", len(lead)), Visible(text))
		}
	}
	return p.writeTo(w)
}

// Entries lists what can be explained, an id a line under the heading of its group.
func Entries(w io.Writer, all []explain.Entry, color bool) error {
	p := page{color: color}
	group := ""
	for _, e := range all {
		if e.Group != group {
			if group != "" {
				p.WriteByte('\n')
			}
			group = e.Group
			p.line(bold, group)
		}
		lead := "  " + pad(e.ID, 28) + " "
		p.paragraph(plain, lead, strings.Repeat(" ", cells(lead)), e.Title)
	}
	return p.writeTo(w)
}
