package report

import (
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// sheet is a page of text or Markdown. What is put on it may be from strangers.
type sheet struct {
	ui.Page
	markdown, files, crossCheck bool
}

// heading begins a section.
func (s *sheet) heading(text string) {
	s.WriteByte('\n')
	if s.markdown {
		s.WriteString("### " + ui.Escape(text) + "\n\n")
	} else {
		s.Paragraph(ui.Bold, "", "  ", ui.Visible(text))
	}
}

func (s *sheet) item(text string) { s.styled(ui.Plain, text) }

func (s *sheet) styled(style ui.Style, text string) {
	if s.markdown {
		s.WriteString("- " + ui.Escape(text) + "\n")
	} else {
		s.Paragraph(style, "  ", "    ", ui.Visible(text))
	}
}

func (s *sheet) section(heading string, items ...string) {
	s.heading(heading)
	for _, text := range items {
		s.item(text)
	}
}

// quotes lists words of an item with the numbers and the speakers of their turns.
func (s *sheet) quotes(d dialogue.Dialogue, quotes []rubric.Quote) {
	if !s.markdown {
		WriteQuotes(&s.Page, d, quotes)
		return
	}
	for _, q := range quotes {
		s.WriteString("  - " + Quote(d, q) + "\n")
	}
}

// WriteQuotes writes quotes as text, with the numbers and the speakers of their turns.
func WriteQuotes(p *ui.Page, d dialogue.Dialogue, quotes []rubric.Quote) {
	for _, q := range quotes {
		t, _ := d.Turn(q.Turn)
		lead := fmt.Sprintf("    %4d %-7s", q.Turn, t.Role)
		p.Paragraph(ui.Plain, lead, strings.Repeat(" ", len(lead)), `"`+ui.Visible(q.Text)+`"`)
	}
}

// Quote gives a quote as Markdown, with the number and the speaker of its turn.
func Quote(d dialogue.Dialogue, q rubric.Quote) string {
	t, _ := d.Turn(q.Turn)
	return fmt.Sprintf("%d %s: “%s”", q.Turn, t.Role, ui.Escape(q.Text))
}

func (s *sheet) table(t *ui.Table) {
	s.WriteByte('\n')
	if s.markdown {
		t.Markdown(s) // a page takes everything
	} else {
		t.Text(&s.Page)
	}
}

// between separates two dialogues in full.
func (s *sheet) between() {
	if s.markdown {
		s.WriteString("\n---\n\n")
	} else {
		s.Line(ui.Dim, "\n"+strings.Repeat("─", ui.Columns))
	}
}

// widths are those of the columns of rows. A row is written before the next one is known, so they are fixed.
func (s *sheet) widths() []int {
	if s.crossCheck {
		return []int{16, 7, 7, 4, 4, 4, 4, 4, 4, 4, 4, 0}
	}
	return []int{21, 7, 7, 4, 4, 4, 4, 4, 4, 4, 0}
}

func (s *sheet) row(cells []ui.Cell) {
	for i, c := range cells {
		width := s.widths()[i]
		switch text := ui.Visible(c.Text); {
		case s.markdown:
			s.WriteString("| " + ui.Escape(c.Text) + " ")
		case i == 0:
			s.Put(c.Style, ui.Pad(ui.ClipFront(text, width), width))
		default:
			s.Put(c.Style, " "+ui.PadLeft(text, width))
		}
	}
	if s.markdown {
		s.WriteString("|")
	}
	s.EndLine("")
}

func (s *sheet) head() {
	titles := []string{"id", "overall", "average", "sat"}
	if s.files {
		titles[0] = "file: id"
	}
	if s.crossCheck {
		titles = append(titles, "diff")
	}
	for _, c := range rubric.Criteria() {
		titles = append(titles, strings.ToLower(c.String()[:4]))
	}
	var cells []ui.Cell
	for _, title := range append(titles, "ruling") {
		cells = append(cells, ui.Cell{Text: title, Style: ui.Bold})
	}
	s.row(cells)
	if s.markdown {
		s.WriteString("|---" + strings.Repeat("|--:", len(cells)-2) + "|---|\n")
	}
}

// short writes one dialogue in a row. A score that the Referee lowered or raised has an arrow.
func (s *sheet) short(r *run.Record) {
	name, widths := r.Name(), s.widths()
	if s.files {
		name = r.Source.File + ": " + name
	}
	cells := []ui.Cell{{Text: name}}
	if !r.Scored() {
		reason := "unscored: " + r.Reason
		if s.markdown {
			cells = append(cells, slices.Repeat([]ui.Cell{{Text: "–"}}, len(widths)-2)...)
		} else {
			reason = ui.Clip(ui.Visible(reason), ui.Columns-widths[0]-1)
		}
		s.row(append(cells, ui.Cell{Text: reason, Style: ui.Dim}))
		return
	}
	e := r.Evaluation
	cells = append(cells, ui.Cell{Text: e.Overall.String(), Style: summary.ScoreStyle(e.Overall)},
		ui.Cell{Text: e.Average.String()}, ui.Cell{Text: r.Satisfaction.String()})
	if s.crossCheck {
		cells = append(cells, ui.Cell{Text: disagreement(r)})
	}
	var changes []string
	for _, g := range e.Rulings {
		arrow := " "
		if g.After < g.Before {
			arrow = "↓"
		} else if g.After > g.Before {
			arrow = "↑"
		}
		if id, _, _ := strings.Cut(g.ID.String(), "-"); g.Before != g.After {
			changes = append(changes, id)
		}
		cells = append(cells, ui.Cell{Text: g.After.String() + arrow, Style: summary.ScoreStyle(g.After)})
	}
	slices.Sort(changes)
	s.row(append(cells, ui.Cell{Text: strings.Join(slices.Compact(changes), ",")}))
}
