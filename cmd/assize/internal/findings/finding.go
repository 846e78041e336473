package findings

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/report"
	"assize/rubric/check"
)

// finding writes one finding with all that it says.
func finding(p *report.Page, file string, f *check.Finding) {
	title(p, file, f)
	p.Paragraph(report.Plain, "    ", "    ", short(explain.Sentence(f.Message)))
	list := details(f)
	if len(list) == 2 && f.Got != "" && f.Want != "" && len(f.Got)+len(f.Want) < mostFigures {
		p.Paragraph(report.Plain, "      ", "      ", "got "+report.Visible(f.Got)+", want "+report.Visible(f.Want))
		return
	}
	width := 0
	for _, d := range list {
		width = max(width, len(d.name)+2)
	}
	for _, d := range list {
		lead := "      " + report.Pad(d.name, width)
		if d.name == differs && p.Color {
			difference(p, lead, short(d.text))
			continue
		}
		p.Paragraph(report.Plain, lead, strings.Repeat(" ", len(lead)), short(d.text))
	}
}

// mostFigures is how many bytes got and want may have together to stand on one line, as figures do.
const mostFigures = 40

// styles sets the severities off.
var styles = [...]report.Style{check.Note: report.Dim, check.Warning: report.Yellow, check.Error: report.Red}

// title writes where a finding stands, in the form that editors jump to, then its severity, its id and its path,
// on as few lines as they need.
func title(p *report.Page, file string, f *check.Finding) {
	place := fmt.Sprintf("%s:%d:%d:", report.Visible(file), f.Line, f.Column)
	p.WriteString(place)
	used := report.Cells(place)
	for _, part := range []struct {
		style report.Style
		text  string
	}{
		{styles[f.Severity], f.Severity.String()},
		{report.Bold, f.ID},
		{report.Dim, report.ClipFront(report.Visible(f.Path), report.Columns-4)},
	} {
		if part.text == "" {
			continue
		}
		lead := " "
		if used+1+report.Cells(part.text) > report.Columns {
			lead, used = "\n    ", 3
		}
		used += 1 + report.Cells(part.text)
		p.WriteString(lead)
		p.Put(part.style, part.text)
	}
	p.WriteByte('\n')
}

// detail is one of the things that a finding shows beside its message.
type detail struct{ name, text string }

const differs = "differs"

// details lists those that there are.
func details(f *check.Finding) []detail {
	var list []detail
	for _, d := range []detail{{"got", f.Got}, {"want", f.Want}, {"nearest", f.Nearest}, {differs, f.Difference}} {
		if d.text != "" {
			list = append(list, d)
		}
	}
	return list
}

// mostCells is how much of one text is shown. A quote has a line or two; what is longer is no quote.
const mostCells = 600

// short makes a text harmless, and keeps it from filling the screen.
func short(s string) string {
	if len(s) > 16*mostCells { // enough for any signs of that many columns
		s = s[:16*mostCells]
	}
	return report.Clip(report.Visible(s), mostCells)
}
