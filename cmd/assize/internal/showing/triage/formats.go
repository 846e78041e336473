package triage

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/showing/results"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Text writes a line of figures for each dialogue, followed by the utterances that explain it; in
// Markdown it writes tables.
func (s *Ranking) Text(p *ui.Page) {
	checklists, show := s.hasChecklists(), listed
	if p.Markdown {
		show = tabled
	} else {
		heading := map[bool]string{true: " checklist"}[checklists]
		p.Line(ui.Bold, " rank   sat overall average"+heading+"  cost most          friction")
	}
	show(p, "", s.Worst, checklists)
	if len(s.Disputed) > 0 && s.Draw.N > 0 {
		show(p, "The worst that were not drawn", s.Disputed, checklists)
	} else if len(s.Disputed) > 0 {
		show(p, "Others where the model contradicts the rules most", s.Disputed, checklists)
	}
	if p.Markdown {
		p.WriteByte('\n')
	}
	for _, sentence := range slices.Concat(s.Warnings, s.Sentences()) {
		if p.Markdown {
			p.WriteString(ui.Escape(sentence) + "\n")
		} else {
			p.Paragraph(ui.Plain, "", "  ", ui.Visible(sentence))
		}
	}
	if !p.Markdown {
		p.Paragraph(ui.Dim, "", "  ", texts.Text("friction"))
	}
}

// hasChecklists reports whether the ranked dialogues have answers to a scorecard.
func (s *Ranking) hasChecklists() bool {
	return slices.ContainsFunc(slices.Concat(s.Worst, s.Disputed),
		func(r Ranked) bool { return r.Checklist != nil })
}

func listed(p *ui.Page, title string, list []Ranked, checklists bool) {
	if title != "" {
		p.Line(ui.Bold, title)
	}
	for _, r := range list {
		e := r.Record.Evaluation
		checklist := ""
		if score := r.Checklist.Value(); score != nil {
			checklist = fmt.Sprintf(" %9s", score)
		} else if checklists {
			checklist = fmt.Sprintf(" %9s", "–")
		}
		lead := fmt.Sprintf("%5d %5s %7d %7s%s  %-17s  ", r.Rank, r.Satisfaction, e.Overall,
			e.Average, checklist, r.Failed())
		p.Put(ui.Bold, lead)
		p.Line(ui.Plain, summary.Sparkline(e, r.Friction, p.Columns()-ui.Cells(lead)))
		of := []string{r.Name + " of " + r.File, r.Agent, r.Queue, r.Day}
		of = slices.DeleteFunc(of, func(s string) bool { return s == "" })
		p.Paragraph(ui.Plain, "  ", "    ", ui.Visible(strings.Join(of, " · ")))
		switch {
		case r.States != nil:
			results.WriteClaims(p, r.Record, r.States...)
		case r.Explanation.Claim != "":
			p.Paragraph(ui.Plain, "  ", "    ", r.Explanation.Claim)
			results.WriteQuotes(p, e.Dialogue, r.Evidence)
		}
		for _, note := range r.notes() {
			p.Paragraph(ui.Dim, "  ", "    ", ui.Visible(note))
		}
		p.WriteByte('\n')
	}
}

func tabled(p *ui.Page, title string, list []Ranked, checklists bool) {
	format := run.Columns("triage markdown")
	for _, by := range []string{"Agent", "Queue"} {
		value := strings.ToLower(by)
		if slices.ContainsFunc(list, func(r Ranked) bool { return r.Values()[value] != "" }) {
			format = append(format, value+" as "+by)
		}
	}
	if checklists {
		format = append(format, run.ChecklistName+" as Checklist>")
	}
	t := tableOf(title, list, append(format, run.Columns("triage markdown why")...))
	if title != "" {
		p.WriteByte('\n')
	}
	t.Markdown(p)
}

func tableOf(title string, list []Ranked, format table.Format) *ui.Table {
	t := ui.NewTable(title, format.Heading()...)
	for i := range list {
		t.Add(format.Cells(list[i].values().Including(format))...)
	}
	return t
}

// values returns the values of the dialogue in all tables and in JSON, see [run.Row.Values].
func (r *Ranked) values() table.Values {
	const maxCells = 30 // of short friction
	e, source := r.Record.Evaluation, r.Record.Source
	source.Meta, source.DuplicateOf = nil, nil
	strip := func(cells int) string { return summary.Sparkline(e, r.Friction, cells) }
	v := r.Row.Values()
	maps.Copy(v, table.Values{
		"rank": r.Rank, "source": source, "failed": r.Failed(), "criterion": null{},
		"score": table.Only(r.Score > 0, r.Score), "claim": r.Explanation.Claim,
		"friction": strip(len(r.Friction)), "short_friction": strip(maxCells),
		"friction_points": r.Friction,
		"duplicates":      r.Duplicates,
		"claims":          strings.Join(results.Unproven(r.Record), " "),
		"some_duplicates": table.Only(r.Duplicates > 0, r.Duplicates),
		"picked":          r.Picked, "group": r.Group,
		"help": ui.Cell{Text: r.help, Lines: true}, "words": r.words(),
		"probability": table.Only(r.Probability > 0, r.Probability),
	})
	if r.Score > 0 {
		v["criterion"] = r.Criterion.String()
	}
	if r.Opinion != nil {
		m := r.Opinion.Values()
		v["model"], v["model_reason"] = run.Columns("triage model").Object(m), m["reason"]
		v["model_average"], v["model_overall"] = m["average"], m["overall"]
	}
	why, said := []string{r.Explanation.Claim}, []utterance(nil)
	for i, q := range r.Evidence {
		turn, _ := e.Dialogue.Turn(q.Turn)
		u := utterance{q.Turn, turn.Role.String(), q.Text}
		if said = append(said, u); r.States == nil {
			why = append(why, results.Quote(e.Dialogue, q))
		}
		suffix := [maxEvidence]string{"", "_2"}[i]
		v["turn"+suffix], v["role"+suffix], v["quote"+suffix] = u.Turn, u.Role, u.Quote
	}
	v["evidence"] = said
	v["why"] = ui.Cell{Text: strings.Join(append(why, r.notes()...), "\n"), Lines: true}
	return v
}

// null is a missing value that JSON has as null and that is an empty cell of a table.
type null struct{}

func (null) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

func (null) String() string { return "" }

type utterance struct {
	Turn  int    `json:"turn"`
	Role  string `json:"role"`
	Quote string `json:"quote"`
}

// JSONL writes each dialogue as a line of JSON, whose members have the names of records.
func (s *Ranking) JSONL(w io.Writer) error {
	format := run.Columns("triage jsonl")
	for _, r := range slices.Concat(s.Worst, s.Disputed) {
		if err := ui.WriteJSON(w, format.Object(r.values().Including(format)), ""); err != nil {
			return err
		}
	}
	return nil
}

// Figures returns a table for CSV and workbooks with a row for each dialogue and separate columns
// for the utterances. Missing values are empty cells.
func (s *Ranking) Figures() *ui.Table {
	if s.Draw.N > 0 {
		list, help := slices.Concat(s.Worst, s.Disputed), sheetHelp
		for i := range list {
			if list[i].help, help, _ = strings.Cut(help, "\n"); i == len(list)-1 {
				list[i].help += "\n" + strings.TrimSpace(help)
			}
		}
		return tableOf("Sample", list, run.Columns("triage sample"))
	}
	format, list := run.Columns("triage csv"), slices.Concat(s.Worst, s.Disputed)
	if slices.ContainsFunc(list, func(r Ranked) bool { return r.Deeds != rubric.DeedCounts{} }) {
		format = append(append(format, run.ClaimNames()...), "claims")
	}
	if s.hasChecklists() {
		format = append(format, run.ChecklistName)
	}
	return tableOf("Triage", list, format)
}
