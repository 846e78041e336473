package triage

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"assize/cmd/assize/internal/friction"
	"assize/cmd/assize/internal/report"
)

// markdownCells is how many turns the friction in a table's cell may take.
const markdownCells = 30

// markdown writes a table for tickets and merge requests. Nothing of a transcript is markup in it.
func (s *Sheet) markdown(w io.Writer) error {
	var b bytes.Buffer
	s.table(&b, s.Rows)
	if len(s.Beside) > 0 {
		b.WriteString("\n**Beside these, where the model contradicts the rules most**\n\n")
		s.table(&b, s.Beside)
	}
	b.WriteByte('\n')
	for _, sentence := range slices.Concat(s.Remarks, s.Sentences()) {
		fmt.Fprintf(&b, "%s\n", report.Escape(sentence))
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (s *Sheet) table(b *bytes.Buffer, rows []Row) {
	b.WriteString("| Rank | File | Dialogue | Satisfaction | Average | Overall | Failed most | Why | Friction |\n|--:|---|---|--:|--:|--:|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		e := r.Record.Evaluation
		failed := "nothing"
		if !r.flawless {
			failed = fmt.Sprintf("%s %d", r.failed, e.Final[r.failed].Score)
		}
		fmt.Fprintf(b, "| %d | %s | %s | %s | %s | %d | %s | %s | %s |\n", r.Rank, report.Escape(r.Record.Source.File), report.Escape(name(r)),
			r.Record.Satisfaction, e.Average, e.Overall, failed, r.why(), friction.Sparkline(e, r.friction, markdownCells))
	}
}

// why gives the utterances, and what the model has to say, as one cell.
func (r *Row) why() string {
	var b bytes.Buffer
	add := func(format string, args ...any) {
		if b.Len() > 0 {
			b.WriteString("<br>")
		}
		fmt.Fprintf(&b, format, args...)
	}
	for _, q := range r.evidence {
		t, _ := r.Record.Dialogue.Turn(q.Turn)
		add("%d %s: “%s”", q.Turn, t.Role, report.Escape(q.Text))
	}
	if says := r.same(); says != "" {
		add("same turns: %s", says)
	}
	if says := r.verdict(); says != "" {
		add("model: %s", report.Escape(says))
	}
	if r.Picked != "" {
		add("picked: %s", report.Escape(r.Picked))
	}
	return b.String()
}
