package triage

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"assize/cmd/assize/internal/friction"
	"assize/cmd/assize/internal/report"
)

// csv writes a row a dialogue, for spreadsheets (RFC 4180), with the utterances in columns of their own.
func (s *Sheet) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{
		"rank", "file", "dialogue_id", "source_id", "satisfaction", "numeric_weighted_average", "OverallExperience",
		"criterion", "score", "turn", "role", "quote", "turn_2", "role_2", "quote_2", "friction",
		"picked", "disagreement", "model_average", "model_overall", "model_reason", "duplicates",
	}}
	for _, r := range slices.Concat(s.Rows, s.Beside) {
		rows = append(rows, r.cells())
	}
	if err := out.WriteAll(rows); err != nil {
		return err
	}
	return out.Error()
}

func (r *Row) cells() []string {
	e := r.Record.Evaluation
	cells := []string{
		strconv.Itoa(r.Rank), r.Record.Source.File, strconv.Itoa(r.Record.Dialogue.ID), r.Record.Source.ID,
		r.Record.Satisfaction.String(), e.Average.String(), e.Overall.String(),
	}
	if r.flawless {
		cells = append(cells, "", "")
	} else {
		cells = append(cells, r.failed.String(), e.Final[r.failed].Score.String())
	}
	for i := range mostEvidence {
		if i >= len(r.evidence) {
			cells = append(cells, "", "", "")
			continue
		}
		t, _ := e.Dialogue.Turn(r.evidence[i].Turn)
		cells = append(cells, strconv.Itoa(r.evidence[i].Turn), t.Role.String(), r.evidence[i].Text)
	}
	cells = append(cells, friction.Sparkline(e, r.friction, len(r.friction)), r.Picked)
	if check := r.check(); check != nil {
		cells = append(cells, check.Disagreement.String())
	} else {
		cells = append(cells, "")
	}
	switch m := r.Opinion; {
	case m == nil:
		cells = append(cells, "", "", "")
	case m.Scored():
		cells = append(cells, m.Evaluation.Average.String(), m.Evaluation.Overall.String(), "")
	default:
		cells = append(cells, "", "", m.Reason)
	}
	cells = append(cells, strconv.Itoa(r.Duplicates))
	for i, cell := range cells {
		cells[i] = report.Inert(cell)
	}
	return cells
}
