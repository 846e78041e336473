package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// The widths of a row's first columns. A row is written before the next one is known, so they are fixed.
const (
	idColumns    = 7
	fileColumns  = 13
	checkColumns = 5 // of the cross-check's figure, which the file's name gives up
)

var rule = strings.Repeat("─", Columns)

// head writes the heading of a table.
func (p *Page) head(opt TextOptions) {
	columns, check := opt.fileColumns(), ""
	if opt.CrossCheck {
		check = " diff"
	}
	lead := Pad("id", idColumns+1+columns)
	if opt.Files {
		lead = padLeft("id", idColumns) + " " + Pad("file", columns)
	}
	p.Line(Bold, lead+"  overall average  sat"+check+" task help accu unde empa flue ruling")
}

// fileColumns is how wide a file's name may be in a row.
func (opt TextOptions) fileColumns() int {
	if opt.CrossCheck {
		return fileColumns - checkColumns
	}
	return fileColumns
}

// row writes one dialogue. A score that the Referee lowered or raised has an arrow.
func (p *Page) row(r *record.Record, opt TextOptions) {
	id, columns := Visible(r.Name()), opt.fileColumns()
	if opt.Files {
		file := ClipFront(Visible(r.Source.File), columns)
		p.WriteString(padLeft(Clip(id, idColumns), idColumns) + " " + Pad(file, columns))
	} else {
		p.WriteString(Pad(Clip(id, idColumns+1+columns), idColumns+1+columns))
	}
	if !r.Scored() {
		p.Put(Dim, Clip("  unscored: "+Visible(r.Reason), Columns-idColumns-1-columns))
		p.WriteByte('\n')
		return
	}
	e := r.Evaluation
	p.Put(styleOf(e.Overall), fmt.Sprintf("  %7d", e.Overall))
	fmt.Fprintf(p, " %7s %4s", e.Average, r.Satisfaction)
	if opt.CrossCheck {
		p.WriteString(padLeft(disagreement(r), checkColumns))
	}
	for i := range e.Final {
		p.WriteByte(' ')
		p.Put(styleOf(e.Final[i].Score), fmt.Sprintf("%3d", e.Final[i].Score))
		p.WriteString(arrow(e.Rulings[i]))
	}
	p.endLine(" " + rulingsOf(e))
}

func arrow(g rubric.Ruling) string {
	switch {
	case g.After < g.Before:
		return "↓"
	case g.After > g.Before:
		return "↑"
	}
	return " "
}

// rulingsOf gives the short ids of the rulings that changed something, such as "R3,R4".
func rulingsOf(e *rubric.Evaluation) string {
	var ids []string
	for _, c := range changed(e) {
		id, _, _ := strings.Cut(e.Rulings[c].ID.String(), "-")
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, ",")
}

// summary writes what a run holds.
func (p *Page) summary(s *Summary) {
	p.WriteByte('\n')
	p.Put(Bold, Counted(s.Scored+s.Unscored, "dialogue"))
	fmt.Fprintf(p, ": %d scored, %d unscored; the Referee changed scores in %d\n", s.Scored, s.Unscored, s.Changed)
	if said := s.repeats(); said != "" {
		p.Paragraph(Dim, "  ", "  ", said)
	}
	for _, reason := range s.ByFrequency() {
		p.Paragraph(Dim, "  unscored ", "           ", fmt.Sprintf("%d × %s", s.Reasons[reason], Visible(reason)))
	}
	for _, sentence := range s.bench.sentences() {
		p.Paragraph(Plain, "  ", "    ", sentence)
	}
	if s.Scored == 0 {
		return
	}
	p.WriteString("\nOverallExperience\n")
	for i, score := range slices.Backward(rubric.Scale[:]) {
		p.WriteString(fmt.Sprintf("  %3d  ", score))
		p.Put(styleOf(score), Pad(strings.Repeat("█", (s.Overall[i]*40+s.Scored-1)/s.Scored), 40))
		fmt.Fprintf(p, "%9d %5.1f %%\n", s.Overall[i], 100*float64(s.Overall[i])/float64(s.Scored))
	}
	p.WriteString("\nMeans\n")
	fmt.Fprintf(p, "  weighted average %s · satisfaction %s of 5\n ", s.Average(), s.Satisfaction())
	for c := range rubric.Criterion(rubric.NumCriteria) {
		if c == rubric.NumCriteria/2 {
			p.endLine("")
			p.WriteByte(' ')
		}
		fmt.Fprintf(p, " %-13s %6s    ", c, s.Criterion(c))
	}
	p.endLine("")
}

// Counted gives "1 dialogue", "2 dialogues".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
