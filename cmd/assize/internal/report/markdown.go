package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// Markdown writes for tickets and pull requests: one dialogue in full, several as a table with a summary.
// Nothing of a transcript is markup or HTML in it.
type Markdown struct {
	w     io.Writer
	opt   TextOptions
	page  bytes.Buffer
	first *record.Record // held back until it is known whether there is another
	count int
	sum   Summary
}

// NewMarkdown makes a Markdown that writes to w. Of the options, Full and CrossCheck count; a table always names files.
func NewMarkdown(w io.Writer, opt TextOptions) *Markdown { return &Markdown{w: w, opt: opt} }

// Record writes r, or holds it back where it is the first.
func (m *Markdown) Record(r *record.Record) error {
	m.count++
	m.sum.Add(r)
	switch {
	case m.opt.Full:
		m.dialogue(r)
	case m.count == 1:
		m.first = r
		return nil
	case m.count == 2:
		m.head()
		m.row(m.first)
		m.first = nil
		fallthrough
	default:
		m.row(r)
	}
	return m.flush()
}

// Flush writes the dialogue that was held back, or the summary of several.
func (m *Markdown) Flush() error {
	if m.first != nil {
		m.dialogue(m.first)
	}
	if m.count > 1 {
		m.summary()
	}
	return m.flush()
}

func (m *Markdown) flush() error {
	_, err := m.w.Write(m.page.Bytes())
	m.page.Reset()
	return err
}

func (m *Markdown) printf(format string, args ...any) { fmt.Fprintf(&m.page, format, args...) }

// figures is how many columns of a table hold figures.
func (m *Markdown) figures() int {
	if m.opt.CrossCheck {
		return 4 + rubric.NumCriteria
	}
	return 3 + rubric.NumCriteria
}

func (m *Markdown) head() {
	m.printf("| File | Dialogue | Overall | Average | Satisfaction |")
	if m.opt.CrossCheck {
		m.printf(" Disagreement |")
	}
	for _, c := range rubric.Criteria() {
		m.printf(" %s |", c)
	}
	m.printf(" Rulings |\n|---|---|%s---|\n", strings.Repeat("--:|", m.figures()))
}

func (m *Markdown) row(r *record.Record) {
	m.printf("| %s | %s |", Escape(r.Source.File), Escape(r.Name()))
	if !r.Scored() {
		m.printf("%s unscored: %s |\n", strings.Repeat(" – |", m.figures()), Escape(r.Reason))
		return
	}
	e := r.Evaluation
	m.printf(" **%d** | %s | %s |", e.Overall, e.Average, r.Satisfaction)
	if m.opt.CrossCheck {
		m.printf(" %s |", cmp.Or(disagreement(r), "–"))
	}
	for i := range e.Rulings {
		m.printf(" %s |", scores(e.Rulings[i]))
	}
	m.printf(" %s |\n", rulingsOf(e))
}

// dialogue writes one dialogue in full.
func (m *Markdown) dialogue(r *record.Record) {
	if m.count > 1 && m.opt.Full {
		m.printf("\n")
	}
	m.printf("## Dialogue %s\n\n", Escape(r.Name()))
	m.printf("%s, %s\n\n", Escape(r.Source.File), Counted(r.Source.Turns, "turn"))
	if o := r.Source.DuplicateOf; o != nil {
		m.printf("The same turns as dialogue %d of %s\n\n", o.ID, Escape(o.File))
	}
	if !r.Scored() {
		m.printf("**unscored**: %s\n", Escape(r.Reason))
		return
	}
	e := r.Evaluation
	m.printf("**OverallExperience %d**, weighted average %s, satisfaction %s of 5\n\n", e.Overall, e.Average, r.Satisfaction)
	m.printf("| Criterion | Weight | Score | Ruling | Why |\n|---|--:|--:|---|---|\n")
	for c := range rubric.Criterion(rubric.NumCriteria) {
		g := e.Rulings[c]
		m.printf("| %s | %d %% | %s | %s | %s |\n", c, e.Rubric.Weights[c], scores(g), g.ID, m.why(e, &e.Final[c]))
	}
	audit := e.Audit()
	m.printf("\n`%s`, %s\n", audit.WeightedCalc, Escape(audit.MappingRule))
	if s := crossCheck(r); s != "" {
		m.printf("\n%s\n", Escape(s))
	}
}

// why gives a claim and its quotes in one cell.
func (m *Markdown) why(e *rubric.Evaluation, r *rubric.Rating) string {
	var b strings.Builder
	b.WriteString(Escape(sentence(r.Claim)))
	for _, q := range r.Quotes {
		t, _ := e.Dialogue.Turn(q.Turn)
		fmt.Fprintf(&b, "<br>%d %s: “%s”", q.Turn, t.Role, Escape(q.Text))
	}
	return b.String()
}

func (m *Markdown) summary() {
	s := &m.sum
	m.printf("\n%s: %d scored, %d unscored; the Referee changed scores in %d.\n",
		Counted(s.Scored+s.Unscored, "dialogue"), s.Scored, s.Unscored, s.Changed)
	if said := s.repeats(); said != "" {
		m.printf("- %s\n", said)
	}
	for _, reason := range s.ByFrequency() {
		m.printf("- unscored %d × %s\n", s.Reasons[reason], Escape(reason))
	}
	for _, sentence := range s.bench.sentences() {
		m.printf("- %s\n", Escape(sentence))
	}
	if s.Scored == 0 {
		return
	}
	m.printf("\n| Overall | Dialogues |\n|--:|--:|\n")
	for i, score := range slices.Backward(rubric.Scale[:]) {
		m.printf("| %d | %d |\n", score, s.Overall[i])
	}
	m.printf("\n| Mean of | |\n|---|--:|\n| weighted average | %s |\n| satisfaction | %s |\n", s.Average(), s.Satisfaction())
	for _, c := range rubric.Criteria() {
		m.printf("| %s | %s |\n", c, s.Criterion(c))
	}
}

// Escape makes s plain text in Markdown: no markup (CommonMark 2.4), no HTML, no cell border.
func Escape(s string) string { return markup.Replace(Visible(s)) }

var markup = func() *strings.Replacer {
	pairs := []string{"&", "&amp;", "<", "&lt;", ">", "&gt;"}
	for _, c := range "\\`*_{}[]#|~!" {
		pairs = append(pairs, string(c), `\`+string(c))
	}
	return strings.NewReplacer(pairs...)
}()
