package triage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
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
			"Friction has a cell for each turn of the SYSTEM, low where it went wrong; assize explain friction.")
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
	t := tableOf(title, list, "rank as Rank>", "file as File", "name as Dialogue",
		"satisfaction as Satisfaction>", "average as Average>", "overall as Overall>",
		"failed as Failed most", "why as Why", "short_friction as Friction")
	if title != "" {
		p.WriteByte('\n')
	}
	t.Markdown(p) // writing to a page cannot fail
}

// tableOf returns a table with some of the columns.
func tableOf(title string, list []Ranked, names ...string) *ui.Table {
	picked := columns().Pick(names...)
	t := ui.NewTable(title, picked.Names()...)
	for i := range list {
		t.Add(picked.Values(&list[i])...)
	}
	return t
}

// columns returns the columns of ranked dialogues in all tables and in JSON, see [run.Columns].
func columns() table.Columns[*Ranked] {
	const maxCells = 30 // of short friction
	// only returns value if is is set
	only := func(is bool, value any) any {
		if is {
			return value
		}
		return nil
	}
	list := table.Columns[*Ranked]{
		{Name: "rank", Value: func(r *Ranked) any { return r.Rank }},
		{Name: "source", Value: func(r *Ranked) any {
			source := r.Record.Source
			source.Meta, source.DuplicateOf = nil, nil
			return source
		}},
		{Name: "failed", Value: func(r *Ranked) any { return r.Failed() }},
		{Name: "criterion", Value: func(r *Ranked) any {
			if r.Score == 0 {
				return null{}
			}
			return r.Criterion.String()
		}},
		{Name: "score", Value: func(r *Ranked) any { return only(r.Score > 0, r.Score) }},
		{Name: "claim", Value: func(r *Ranked) any { return r.Explanation.Claim }},
		{Name: "why", Value: func(r *Ranked) any {
			why := []string{r.Explanation.Claim}
			for _, q := range r.Evidence {
				why = append(why, results.Quote(r.Record.Evaluation.Dialogue, q))
			}
			return ui.Cell{Text: strings.Join(append(why, r.notes()...), "\n"), Lines: true}
		}},
		{Name: "evidence", Value: func(r *Ranked) any {
			said := []utterance{}
			for i := range r.Evidence {
				said = append(said, r.said(i))
			}
			return said
		}},
		{Name: "friction", Value: func(r *Ranked) any {
			return summary.Sparkline(r.Record.Evaluation, r.Friction, len(r.Friction))
		}},
		{Name: "short_friction", Value: func(r *Ranked) any {
			return summary.Sparkline(r.Record.Evaluation, r.Friction, maxCells)
		}},
		{Name: "friction_points", Value: func(r *Ranked) any {
			return append([]rubric.Hundredths{}, r.Friction...)
		}},
		{Name: "duplicates", Value: func(r *Ranked) any { return r.Duplicates }},
		{Name: "some_duplicates", Value: func(r *Ranked) any {
			return only(r.Duplicates > 0, r.Duplicates)
		}},
		{Name: "picked", Value: func(r *Ranked) any { return r.Picked }},
		{Name: "model", Value: func(r *Ranked) any { return only(r.Opinion != nil, r.Opinion) }},
	}
	for name, value := range map[string]func(*opinion) any{
		"model_average": func(o *opinion) any { return only(o.Overall > 0, o.Average) },
		"model_overall": func(o *opinion) any { return only(o.Overall > 0, o.Overall) },
		"model_reason":  func(o *opinion) any { return o.Reason },
	} {
		list = append(list, table.Column[*Ranked]{Name: name, Value: func(r *Ranked) any {
			if r.Opinion == nil {
				return nil
			}
			return value(r.Opinion)
		}})
	}
	for i, suffix := range [maxEvidence]string{"", "_2"} {
		for name, value := range map[string]func(utterance) any{
			"turn":  func(u utterance) any { return u.Turn },
			"role":  func(u utterance) any { return u.Role },
			"quote": func(u utterance) any { return u.Quote },
		} {
			list = append(list, table.Column[*Ranked]{Name: name + suffix,
				Value: func(r *Ranked) any {
					if i >= len(r.Evidence) {
						return nil
					}
					return value(r.said(i))
				}})
		}
	}
	return append(list, table.Of(run.Columns(), func(r *Ranked) *run.Row { return &r.Row })...)
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

// said returns a quote of the evidence.
func (r *Ranked) said(i int) utterance {
	q := r.Evidence[i]
	turn, _ := r.Record.Evaluation.Dialogue.Turn(q.Turn)
	return utterance{q.Turn, turn.Role.String(), q.Text}
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

// JSONL writes each dialogue as a JSON object on one line. Members shared with records have the
// same names.
func (s *Ranking) JSONL(w io.Writer) error {
	members := columns().Pick("rank", "number as dialogue_id", "source", "satisfaction",
		"average as weighted_average", "overall", "criterion", "score", "claim as reason",
		"evidence", "friction_points as friction", "some_duplicates as duplicates", "picked",
		"disagreement", "model")
	for _, r := range slices.Concat(s.Worst, s.Disputed) {
		if err := ui.WriteJSON(w, members.Object(&r), ""); err != nil {
			return err
		}
	}
	return nil
}

// Figures returns a table for CSV and workbooks with a row for each dialogue and separate columns
// for the utterances. Missing values are empty cells.
func (s *Ranking) Figures() *ui.Table {
	return tableOf("Triage", slices.Concat(s.Worst, s.Disputed), "rank", "file",
		"number as dialogue_id", "source_id", "satisfaction",
		"average as numeric_weighted_average", "overall as OverallExperience", "criterion",
		"score", "claim as reason", "turn", "role", "quote", "turn_2", "role_2", "quote_2",
		"friction", "picked", "disagreement", "model_average", "model_overall", "model_reason",
		"duplicates")
}
