package view

import (
	"cmp"
	"fmt"
	"strings"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
)

// mostNamed is how many dialogues without a partner are named.
const mostNamed = 5

// changes writes the dialogues that changed most, each with what either side says of the criteria that changed.
func (t *text) changes() {
	if len(t.c.Changed) == 0 {
		return
	}
	t.WriteByte('\n')
	t.Line(report.Bold, fmt.Sprintf("Changed most (%d of %d that changed)", len(t.c.Changed), t.c.Unequal))
	for i := range t.c.Changed {
		ch := &t.c.Changed[i]
		t.WriteByte('\n')
		t.heading(ch)
		for _, criterion := range ch.Criteria {
			t.Put(report.Bold, "    "+criterion.String())
			t.Line(report.Plain, fmt.Sprintf("  %d → %d", ch.A.Scores[criterion], ch.B.Scores[criterion]))
			t.why("A", ch.RecordA, criterion)
			t.why("B", ch.RecordB, criterion)
		}
	}
}

// heading names a dialogue and says by how much it moved.
func (t *text) heading(ch *compare.Change) {
	move := fmt.Sprintf("  average %s → %s", ch.A.Average, ch.B.Average)
	name := called(&ch.A)
	if ch.B.ID != ch.A.ID {
		name += ", in B " + report.Visible(ch.B.ID)
	}
	room := report.Columns - report.Cells(move) - 2
	name = report.Clip(name, room)
	t.Put(report.Bold, "  "+name)
	t.Line(report.Bold, move)
	t.Line(report.Dim, fmt.Sprintf("    OverallExperience %s · satisfaction %s",
		arrow(ch.A.Overall, ch.B.Overall), arrow(ch.A.Satisfaction, ch.B.Satisfaction)))
}

// arrow gives "80 → 60", or "80" where nothing changed.
func arrow[T interface {
	comparable
	fmt.Stringer
}](a, b T) string {
	if a == b {
		return a.String()
	}
	return a.String() + " → " + b.String()
}

// why writes how one side justifies its final score, with the quotes.
func (t *text) why(side string, r *record.Record, c rubric.Criterion) {
	if r == nil {
		return
	}
	e := r.Evaluation
	ruling, _, _ := strings.Cut(e.Rulings[c].ID.String(), "-")
	lead := "      " + side + ": "
	t.Paragraph(report.Plain, lead, strings.Repeat(" ", len(lead)), claim(&e.Final[c])+" ("+ruling+")")
	for _, q := range e.Final[c].Quotes {
		turn, _ := e.Dialogue.Turn(q.Turn)
		lead := fmt.Sprintf("        %4d %-7s", q.Turn, turn.Role)
		t.Paragraph(report.Dim, lead, strings.Repeat(" ", len(lead)), `"`+report.Visible(q.Text)+`"`)
	}
}

// claim is a sentence of what a rating claims, without its quotes.
func claim(r *rubric.Rating) string {
	return cmp.Or(explain.Sentence(report.Visible(r.Claim)), "No reason was given.")
}

// called names a dialogue: its id, and where it came from.
func called(c *compare.Case) string {
	return "dialogue " + report.Clip(report.Visible(c.ID), 24) + " · " + report.ClipFront(report.Visible(c.File), 24)
}

// unscored lists the dialogues that only one of the runs could judge.
func (t *text) unscored() {
	t.oneSided("Scored in A, unscored in B", t.c.Lost, func(p compare.Pair) *compare.Case { return &t.c.B.Cases[p.B] })
	t.oneSided("Unscored in A, scored in B", t.c.Gained, func(p compare.Pair) *compare.Case { return &t.c.A.Cases[p.A] })
}

func (t *text) oneSided(heading string, pairs []compare.Pair, unscored func(compare.Pair) *compare.Case) {
	if len(pairs) == 0 {
		return
	}
	t.WriteByte('\n')
	t.Line(report.Bold, fmt.Sprintf("%s: %d", heading, len(pairs)))
	shown := pairs[:min(len(pairs), max(t.c.Options.Top, 1))]
	for _, p := range shown {
		k := unscored(p)
		t.Paragraph(report.Plain, "  ", "    ", called(k)+": "+report.Visible(k.Reason))
	}
	if rest := len(pairs) - len(shown); rest > 0 {
		t.Line(report.Dim, fmt.Sprintf("  and %d more, which --format json lists", rest))
	}
}

// unmatched names dialogues that only one of the runs holds.
func (t *text) unmatched() {
	if !t.c.Paired {
		return
	}
	only := [...][]int{t.c.OnlyA, t.c.OnlyB}
	for i, side := range sidesOf(t.c) {
		if len(only[i]) == 0 {
			continue
		}
		t.WriteByte('\n')
		t.Line(report.Bold, fmt.Sprintf("Only in %s: %d", side.name, len(only[i])))
		for _, k := range only[i][:min(len(only[i]), mostNamed)] {
			t.Line(report.Plain, "  "+called(&side.run.Cases[k]))
		}
		if rest := len(only[i]) - mostNamed; rest > 0 {
			t.Line(report.Dim, fmt.Sprintf("  and %d more", rest))
		}
	}
}
