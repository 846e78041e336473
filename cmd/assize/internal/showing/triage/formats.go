package triage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/results"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Formats returns the names of the formats, the default first.
func Formats() []string { return []string{"text", "csv", "xlsx", "jsonl", "markdown"} }

// Text writes a line of figures for each dialogue, followed by the utterances that explain it; in
// Markdown it writes tables.
func (s *Ranking) Text(p *ui.Page) {
	show := listed
	if p.Markdown {
		show = tabled
	} else {
		p.Line(ui.Bold, " rank   sat overall average  failed most        friction")
	}
	show(p, "", s.Worst)
	if len(s.Disputed) > 0 {
		show(p, "Others where the model contradicts the rules most", s.Disputed)
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
		p.Paragraph(ui.Dim, "", "  ",
			"Friction has a cell for each turn of the SYSTEM, low where it went wrong; assize explain "+
				"friction.")
	}
}

func listed(p *ui.Page, title string, list []Ranked) {
	if title != "" {
		p.Line(ui.Bold, title)
	}
	for i := range list {
		r := &list[i]
		e := r.Record.Evaluation
		lead := fmt.Sprintf("%5d %5s %7d %7s  %-17s  ", r.Rank, r.Satisfaction, e.Overall,
			e.Average, r.Failed())
		p.Put(ui.Bold, lead)
		p.Line(ui.Plain, summary.Sparkline(e, r.Friction, p.Columns()-len(lead)))
		p.Paragraph(ui.Plain, "  ", "    ", ui.Visible(r.Name+" of "+r.File))
		if r.Explanation.Claim != "" {
			p.Paragraph(ui.Plain, "  ", "    ", r.Explanation.Claim)
		}
		results.WriteQuotes(p, e.Dialogue, r.Evidence)
		for _, note := range r.notes() {
			p.Paragraph(ui.Dim, "  ", "    ", ui.Visible(note))
		}
		p.WriteByte('\n')
	}
}

func tabled(p *ui.Page, title string, list []Ranked) {
	const maxCells = 30 // of friction
	t := ui.NewTable(title, "Rank>", "File", "Dialogue", "Satisfaction>", "Average>", "Overall>",
		"Failed most", "Why", "Friction")
	for i := range list {
		r := &list[i]
		e := r.Record.Evaluation
		why := []string{r.Explanation.Claim}
		for _, q := range r.Evidence {
			why = append(why, results.Quote(e.Dialogue, q))
		}
		t.Add(r.Rank, r.File, r.Name, r.Satisfaction, e.Average, e.Overall, r.Failed(),
			ui.Cell{Text: strings.Join(append(why, r.notes()...), "\n"), Lines: true},
			summary.Sparkline(e, r.Friction, maxCells))
	}
	if title != "" {
		p.WriteByte('\n')
	}
	t.Markdown(p) // writing to a page cannot fail
}

// document is the JSON form of a ranked dialogue. Members shared with records have the same names.
type document struct {
	Rank         int                 `json:"rank"`
	ID           int                 `json:"dialogue_id"`
	Source       run.Source          `json:"source"` // without metadata
	Satisfaction rubric.Hundredths   `json:"satisfaction"`
	Average      rubric.Hundredths   `json:"weighted_average"`
	Overall      rubric.Score        `json:"overall"`
	Criterion    *string             `json:"criterion"` // null if nothing failed
	Score        rubric.Score        `json:"score,omitempty"`
	Reason       string              `json:"reason,omitempty"`
	Evidence     []utterance         `json:"evidence"`
	Friction     []rubric.Hundredths `json:"friction"` // of every turn
	Duplicates   int                 `json:"duplicates,omitempty"`
	Picked       string              `json:"picked,omitempty"`
	Disagreement *rubric.Hundredths  `json:"disagreement,omitempty"`
	Model        *opinion            `json:"model,omitempty"`
}

type utterance struct {
	Turn  int    `json:"turn"`
	Role  string `json:"role"`
	Quote string `json:"quote"`
}

// opinion is the model's judgement of a dialogue.
type opinion struct {
	Status  string                  `json:"status"`
	Reason  string                  `json:"reason,omitempty"`
	Average rubric.Hundredths       `json:"weighted_average,omitempty"`
	Overall rubric.Score            `json:"overall,omitempty"`
	Scores  map[string]rubric.Score `json:"scores,omitempty"`
}

func newOpinion(m *run.Record) *opinion {
	if !m.Scored() {
		return &opinion{Status: "unscored", Reason: m.Reason}
	}
	o := &opinion{"scored", "", m.Evaluation.Average, m.Evaluation.Overall,
		map[string]rubric.Score{}}
	for i, rating := range m.Evaluation.Final {
		o.Scores[rubric.Criterion(i).String()] = rating.Score
	}
	return o
}

func (r *Ranked) document() document {
	e, src := r.Record.Evaluation, r.Record.Source
	src.Meta, src.DuplicateOf = nil, nil
	d := document{
		Rank: r.Rank, ID: r.ID, Source: src,
		Satisfaction: r.Satisfaction, Average: e.Average, Overall: e.Overall, Score: r.Score,
		Reason: r.Explanation.Claim, Evidence: []utterance{},
		Friction: append([]rubric.Hundredths{}, r.Friction...), Duplicates: r.Duplicates,
		Picked: r.Picked, Model: r.Opinion,
	}
	if r.Score > 0 {
		d.Criterion = new(r.Criterion.String())
	}
	for _, q := range r.Evidence {
		turn, _ := e.Dialogue.Turn(q.Turn)
		d.Evidence = append(d.Evidence, utterance{q.Turn, turn.Role.String(), q.Text})
	}
	if r.CrossCheck != nil {
		d.Disagreement = &r.CrossCheck.Disagreement
	}
	return d
}

// JSONL writes each dialogue as a JSON object on one line.
func (s *Ranking) JSONL(w io.Writer) error {
	for _, r := range slices.Concat(s.Worst, s.Disputed) {
		if err := ui.WriteJSON(w, r.document(), ""); err != nil {
			return err
		}
	}
	return nil
}

// Figures returns a table for CSV and workbooks with a row for each dialogue and separate columns
// for the utterances. Missing values are empty cells.
func (s *Ranking) Figures() *ui.Table {
	t := ui.NewTable("Triage", "rank", "file", "dialogue_id", "source_id", "satisfaction",
		"numeric_weighted_average", "OverallExperience", "criterion", "score", "reason", "turn",
		"role", "quote", "turn_2", "role_2", "quote_2", "friction", "picked", "disagreement",
		"model_average", "model_overall", "model_reason", "duplicates")
	for _, r := range slices.Concat(s.Worst, s.Disputed) {
		d := r.document()
		cells := []any{d.Rank, d.Source.File, d.ID, d.Source.ID, d.Satisfaction, d.Average,
			d.Overall, "", "", "", "", "", "", "", "", "",
			summary.Sparkline(r.Record.Evaluation, r.Friction, len(r.Friction)), d.Picked, "", "",
			"", "", d.Duplicates}
		if d.Criterion != nil {
			cells[7], cells[8], cells[9] = *d.Criterion, d.Score, d.Reason
		}
		for i, u := range d.Evidence {
			copy(cells[10+3*i:], []any{u.Turn, u.Role, u.Quote})
		}
		if d.Disagreement != nil {
			cells[18] = *d.Disagreement
		}
		if m := d.Model; m != nil && m.Overall > 0 {
			cells[19], cells[20] = m.Average, m.Overall
		} else if m != nil {
			cells[21] = m.Reason
		}
		t.Add(cells...)
	}
	return t
}
