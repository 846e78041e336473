package report

import (
	"io"
	"strings"

	"assize/cmd/assize/internal/explain"
)

// Entry writes all that there is to say of one id.
func Entry(w io.Writer, e explain.Entry, color bool) error {
	p := Page{Color: color}
	p.Put(Bold, e.ID)
	p.Line(Dim, "  "+e.Group)
	p.Paragraph(Plain, "  ", "  ", e.Title)
	for _, part := range e.Parts {
		p.WriteByte('\n')
		p.Line(Bold, "  "+part.Heading)
		for line := range strings.Lines(part.Text) {
			lead, text, ok := strings.Cut(line, "\t")
			if !ok {
				lead, text = "", line
			}
			lead = "    " + lead
			p.Paragraph(Plain, lead, strings.Repeat(" ", len(lead)), Visible(text))
		}
	}
	return p.Send(w)
}

// Entries lists what can be explained, an id a line under the heading of its group.
func Entries(w io.Writer, all []explain.Entry, color bool) error {
	p := Page{Color: color}
	group := ""
	for _, e := range all {
		if e.Group != group {
			if group != "" {
				p.WriteByte('\n')
			}
			group = e.Group
			p.Line(Bold, group)
		}
		lead := "  " + Pad(e.ID, 28) + " "
		p.Paragraph(Plain, lead, strings.Repeat(" ", Cells(lead)), e.Title)
	}
	return p.Send(w)
}
