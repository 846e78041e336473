package findings

import (
	"strings"

	"assize/cmd/assize/internal/report"
)

// mark sets off, in a difference, words that only one of the two texts has.
type mark struct {
	begin, end string
	style      report.Style
}

var marks = []mark{{"[-", "-]", report.Red}, {"{+", "+}", report.Green}}

// difference writes a difference behind lead, wrapped, what differs in colour. A colour goes on where a line
// breaks within it.
func difference(p *report.Page, lead, s string) {
	var open *mark
	for _, line := range report.Wrap(s, report.Columns-len(lead)) {
		p.WriteString(lead)
		lead = strings.Repeat(" ", len(lead))
		for line != "" {
			n, style, next := len(line), report.Plain, open
			if open == nil {
				n, next = firstMark(line)
			} else if style = open.style; strings.Contains(line, open.end) {
				n, next = strings.Index(line, open.end)+len(open.end), nil
			}
			p.Put(style, line[:n])
			line, open = line[n:], next
		}
		p.WriteByte('\n')
	}
}

// firstMark finds where the first mark of a line begins, and which it is; nil and the end where there is none.
func firstMark(line string) (at int, m *mark) {
	at = len(line)
	for i := range marks {
		if n := strings.Index(line, marks[i].begin); n >= 0 && n < at {
			at, m = n, &marks[i]
		}
	}
	return at, m
}
