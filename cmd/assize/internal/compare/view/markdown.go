package view

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
)

// markdown writes for a merge request.
type markdown struct {
	bytes.Buffer
	c *compare.Comparison
}

// Markdown writes a comparison for tickets and merge requests. Nothing of a transcript is markup or HTML in it.
func Markdown(w io.Writer, c *compare.Comparison) error {
	m := markdown{c: c}
	for i, s := range c.Sentences() {
		if i == 0 {
			s = "**" + s + "**\n"
		}
		m.printf("%s\n", s)
	}
	for _, s := range c.Warnings {
		m.printf("\n> %s\n", report.Escape(s))
	}
	m.printf("\n| | Run | Dialogues | Scored |\n|---|---|--:|--:|\n")
	for _, side := range sidesOf(c) {
		m.printf("| %s | %s | %d | %d |\n", side.name, report.Escape(side.run.File), len(side.run.Cases), side.run.Scored)
	}
	m.printf("\n%s\n", basis(c))
	m.table(&c.All)
	m.files()
	m.origin()
	m.changes()
	m.unscored()
	_, err := w.Write(m.Bytes())
	return err
}

func (m *markdown) printf(format string, args ...any) { fmt.Fprintf(m, format, args...) }

func (m *markdown) table(p *compare.Part) {
	if p.NA == 0 || p.NB == 0 {
		return
	}
	head, line := "B above A", "--:|"
	if m.c.Paired {
		head, line = "Rose | Fell | Stayed | p (ranks)", strings.Repeat("--:|", 4)
	}
	m.printf("\n| Mean of | A | B | B - A | 95 %% interval | %s |\n|---|--:|--:|--:|--:|%s\n", head, line)
	for _, k := range m.c.Measures() {
		f := &p.Figures[k]
		d := k.Decimals()
		m.printf("| %s | %s | %s | %s | %s |", k, compare.Fixed(f.A, d), compare.Fixed(f.B, d), signed(f.Difference, d), interval(f.Interval, d))
		if !m.c.Paired {
			m.printf(" %s %% |\n", compare.Fixed(100*f.Above, 1))
			continue
		}
		ranks := f.Wilcoxon.P
		if _, ok := k.Criterion(); ok {
			ranks = f.Wilcoxon.Holm
		}
		m.printf(" %d | %d | %d | %s |\n", f.Rose, f.Fell, f.Stayed, report.Escape(chance(ranks)))
	}
}

func (m *markdown) files() {
	if len(m.c.Files) == 0 {
		return
	}
	k := m.c.Headline()
	m.printf("\n| File: %s | n of A | n of B | A | B | B - A | 95 %% interval |\n|---|--:|--:|--:|--:|--:|--:|\n", k)
	row := func(file, na, nb string, f *compare.Figure) {
		m.printf("| %s | %s | %s | %s | %s | %s | %s |\n", file, na, nb, compare.Fixed(f.A, 2), compare.Fixed(f.B, 2), signed(f.Difference, 2), interval(f.Interval, 2))
	}
	for i := range m.c.Files {
		p := &m.c.Files[i]
		row(report.Escape(p.File), fmt.Sprint(p.NA), fmt.Sprint(p.NB), &p.Figures[k])
	}
	row("*mean of the files*", "", "", &m.c.OverFile[k])
}

func (m *markdown) origin() {
	if len(m.c.Different) == 0 {
		m.printf("\n%s\n", sameOrigin)
		return
	}
	m.printf("\n| Made differently | A | B |\n|---|---|---|\n")
	for i := range m.c.Different[:min(len(m.c.Different), mostOrigins)] {
		d := &m.c.Different[i]
		m.printf("| %s | %s | %s |\n", report.Escape(d.What), report.Escape(value(d, d.A)), report.Escape(value(d, d.B)))
	}
	if rest := len(m.c.Different) - mostOrigins; rest > 0 {
		m.printf("\nand %d more\n", rest)
	}
}

func (m *markdown) changes() {
	if len(m.c.Changed) == 0 {
		return
	}
	m.printf("\n### Changed most (%d of %d that changed)\n\n| Dialogue | File | Average | Criteria | Why in A | Why in B |\n|---|---|---|---|---|---|\n", len(m.c.Changed), m.c.Unequal)
	for i := range m.c.Changed {
		ch := &m.c.Changed[i]
		var moves, a, b []string
		for _, k := range ch.Criteria {
			moves = append(moves, fmt.Sprintf("%s %d → %d", k, ch.A.Scores[k], ch.B.Scores[k]))
			a, b = append(a, sentence(ch.RecordA, k)), append(b, sentence(ch.RecordB, k))
		}
		m.printf("| %s | %s | %s | %s | %s | %s |\n", report.Escape(ch.A.ID), report.Escape(ch.A.File), arrow(ch.A.Average, ch.B.Average),
			strings.Join(moves, "<br>"), strings.Join(a, "<br>"), strings.Join(b, "<br>"))
	}
}

// sentence is the final justification of a criterion with its quotes.
func sentence(r *record.Record, c rubric.Criterion) string {
	if r == nil {
		return "–"
	}
	return report.Escape(r.Evaluation.Final[c].Sentence(r.Evaluation.Dialogue))
}

func (m *markdown) unscored() {
	for _, list := range []struct {
		heading string
		cases   []caseWire
	}{{"Scored in A, unscored in B", cases(m.c, m.c.Lost)}, {"Unscored in A, scored in B", cases(m.c, m.c.Gained)}} {
		if len(list.cases) == 0 {
			continue
		}
		m.printf("\n%s: %d\n\n", list.heading, len(list.cases))
		for _, k := range list.cases[:min(len(list.cases), max(m.c.Options.Top, 1))] {
			m.printf("- %s (%s): %s\n", report.Escape(string(k.A.Dialogue)), report.Escape(string(k.A.File)), report.Escape(string(k.Reason)))
		}
	}
}
