package explain

import (
	"io"
	"strings"

	"assize/cmd/assize/internal/ui"
)

// Text writes all that there is to say of one id.
func Text(w io.Writer, e Entry, color bool) error {
	p := ui.Page{Color: color}
	p.Put(ui.Bold, e.ID)
	p.Line(ui.Dim, "  "+e.Group)
	p.Paragraph(ui.Plain, "  ", "  ", e.Title)
	for _, part := range e.Parts {
		p.WriteByte('\n')
		p.Line(ui.Bold, "  "+part.Heading)
		for line := range strings.Lines(part.Text) {
			lead, text, ok := strings.Cut(line, "\t")
			if !ok {
				lead, text = "", line
			}
			lead = "    " + lead
			p.Paragraph(ui.Plain, lead, strings.Repeat(" ", ui.Cells(lead)), ui.Visible(text))
		}
	}
	return p.Send(w)
}

// List lists what can be explained, an id a line under the heading of its group.
func List(w io.Writer, all []Entry, color bool) error {
	p := ui.Page{Color: color}
	group := ""
	for _, e := range all {
		if e.Group != group {
			if group != "" {
				p.WriteByte('\n')
			}
			group = e.Group
			p.Line(ui.Bold, group)
		}
		lead := "  " + ui.Pad(e.ID, 28) + " "
		p.Paragraph(ui.Plain, lead, strings.Repeat(" ", ui.Cells(lead)), e.Title)
	}
	return p.Send(w)
}
