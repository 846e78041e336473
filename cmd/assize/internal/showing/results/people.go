package results

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var texts = prose.Of("results")

// Options configures the output for people. The zero value writes a table for one file.
type Options struct {
	ui.Page      // text only: what it is written on
	Full    bool // show every dialogue in full
	// Files is set if each row of text names its file, as rows of Markdown do.
	Files  bool
	Header run.Header       // if a model judged, rows show how far the rules disagree with it
	Groups summary.Groupers // compares groups at the end
	Notes  Notes
}

// Notes returns sentences for the end of the output, once everything is read.
type Notes func() []string

// people shows a single dialogue in full, or several as one row each with a summary at the end. The
// text on its page may be untrusted.
type people struct {
	Options
	w     io.Writer
	first *run.Record // held back until another record follows or the output ends
	count int
	rows  ui.Table // of Markdown; rows of text are written immediately
	sum   summary.Summary
}

// NewText returns a run.Sink of text. Its Close may return the error of [summary.Groupers.Groups].
func NewText(w io.Writer, opt Options) run.Sink { return &people{Options: opt, w: w} }

// NewMarkdown is like [NewText], but writes Markdown, in which no text of a transcript is markup.
func NewMarkdown(w io.Writer, opt Options) run.Sink {
	opt.Files, opt.Page = true, ui.Page{Markdown: true}
	return NewText(w, opt)
}

func (p *people) Add(r *run.Record) error {
	row := r.Row(p.count)
	p.sum.AddOnce(&row)
	p.sum.Model.Add(r, true)
	p.Groups.Add(&row)
	p.count++
	if p.Full {
		if p.count > 1 {
			p.Line(ui.Dim, "\n---\n")
		}
		p.full(r)
		return p.Send(p.w)
	}
	if p.count == 1 {
		p.first = r
		return nil
	}
	if p.first != nil {
		p.head()
		p.short(p.first)
		p.first = nil
	}
	p.short(r)
	return p.Send(p.w)
}

func (p *people) Close() error {
	if p.first != nil {
		p.full(p.first)
	}
	if p.count > 1 && !p.Full {
		p.legend()
	}
	if p.count > 1 {
		sentences := p.sum.Sentences()
		p.section(sentences[0], sentences[1:]...)
		p.Table(append(p.sum.Tables(), p.sum.QuestionTable(p.Header.Basis.Rubric))...)
	}
	groups, err := p.Groups.Groups()
	for _, g := range groups {
		p.Table(g.Tables()...)
	}
	p.Say(ui.Plain, p.Notes()...)
	return errors.Join(p.Send(p.w), err)
}

func (p *people) section(heading string, items ...string) {
	p.WriteByte('\n')
	p.Heading("###", heading)
	p.Item(ui.Plain, items...)
}

// WriteQuotes writes quotes with the numbers and speakers of their turns.
func WriteQuotes(p *ui.Page, d dialogue.Dialogue, quotes []rubric.Quote) {
	for _, q := range quotes {
		t, _ := d.Turn(q.Turn)
		lead := fmt.Sprintf("    %4d %-7s", q.Turn, t.Role)
		if p.Markdown {
			p.WriteString("  - " + ui.Escape(Quote(d, q)) + "\n")
		} else {
			p.Paragraph(ui.Plain, lead, strings.Repeat(" ", len(lead)), `"`+ui.Visible(q.Text)+`"`)
		}
	}
}

// Quote returns a quote with the number and speaker of its turn.
func Quote(d dialogue.Dialogue, q rubric.Quote) string {
	t, _ := d.Turn(q.Turn)
	return fmt.Sprintf("%d %s: “%s”", q.Turn, t.Role, q.Text)
}

// head sets the columns of the rows, whose widths are fixed before the rows are known.
func (p *people) head() {
	columns := []string{"id=21", "overall>7", "average>7", "sat>4"}
	if p.Header.Model != nil {
		columns[0] = "id=16"
		columns = append(columns, "diff>4")
	}
	for _, c := range rubric.Criteria() {
		columns = append(columns, strings.ToLower(c.String()[:4])+">4")
	}
	p.rows = *ui.NewTable("", append(columns, "ruling")...)
	if p.Files {
		id := &p.rows.Columns[0]
		id.Title = "file: id"
		// space of a wide terminal for paths
		id.Max += min(max(p.Page.Columns()-ui.Columns, 0), 40)
	}
	if p.Markdown {
		return
	}
	p.row(ui.Each(p.rows.Columns,
		func(c ui.Column) ui.Cell { return ui.Cell{Text: c.Title, Style: ui.Bold} }))
}

// legend ends the rows with an explanation of the headings and arrows.
func (p *people) legend() {
	says := texts.Say("legend", p)
	if !p.Markdown {
		p.Paragraph(ui.Dim, "", "  ", says)
		return
	}
	p.rows.Notes = []string{says}
	p.rows.Markdown(&p.Page)
}

func (p *people) row(cells []ui.Cell) {
	if p.Markdown {
		p.rows.Rows = append(p.rows.Rows, cells)
		return
	}
	for i, c := range cells {
		text, width := ui.Visible(c.Text), p.rows.Columns[i].Max
		if i == 0 {
			p.Put(c.Style, ui.Pad(ui.ClipFront(text, width), width))
		} else {
			p.Put(c.Style, strings.Repeat(" ", 1+max(width-ui.Cells(text), 0))+text)
		}
	}
	p.EndLine("")
}

// short writes one dialogue as a row. An arrow marks a score that the Referee lowered or raised.
// The first dialogue of a text without ids is named with its file, since a run may have many.
func (p *people) short(r *run.Record) {
	cells := []ui.Cell{{Text: r.Name()}}
	if p.Files || r.Source.Format == importer.Plain && r.Name() == "1" {
		cells[0].Text = r.Source.File + ": " + r.Name()
	}
	if id := &cells[0]; !p.Markdown && ui.Cells(r.Name()) >= p.rows.Columns[0].Max &&
		ui.Cells(id.Text) > p.rows.Columns[0].Max {
		p.Paragraph(ui.Plain, "", "", ui.Visible(id.Text)) // an id is never cut
		id.Text = ""
	}
	if !r.Scored() {
		reason := "unscored: " + r.Reason
		if p.Markdown {
			cells = append(cells, slices.Repeat([]ui.Cell{{Text: "–"}}, len(p.rows.Columns)-2)...)
		} else {
			reason = ui.Clip(ui.Visible(reason), p.Columns()-p.rows.Columns[0].Max-1)
		}
		p.row(append(cells, ui.Cell{Text: reason, Style: ui.Dim}))
		return
	}
	e := r.Evaluation
	cells = append(cells, ui.Cell{Text: e.Overall.String(), Style: summary.ScoreStyle(e.Overall)},
		ui.Cell{Text: e.Average.String()}, ui.Cell{Text: r.Satisfaction.String()})
	if p.Header.Model != nil {
		apart := ui.Cell{}
		if r.CrossCheck != nil {
			apart.Text = r.CrossCheck.Disagreement.String()
		}
		cells = append(cells, apart)
	}
	var changes []string
	for c, g := range e.Rulings {
		arrow := [...]string{"↓", " ", "↑"}[1+cmp.Compare(g.After, g.Before)]
		if id, _, _ := strings.Cut(g.ID.String(), "-"); g.Before != g.After {
			changes = append(changes, id)
		}
		cells = append(cells, scoreOf(&e.Final[c], g.After.String()+arrow))
	}
	slices.Sort(changes)
	p.row(append(cells, ui.Cell{Text: strings.Join(slices.Compact(changes), ",")}))
}

// scoreOf returns a final score as it is written, in brackets if nothing in the dialogue shows it.
func scoreOf(r *rubric.Rating, written string) ui.Cell {
	if r.Unshown() {
		return ui.Cell{Text: "(" + strings.TrimSpace(written) + ")", Style: ui.Dim}
	}
	return ui.Cell{Text: written, Style: summary.ScoreStyle(r.Score)}
}

func (p *people) full(r *run.Record) {
	p.Heading("##", "Dialogue "+r.Name()+" of "+r.Source.File)
	data := struct {
		*run.Record
		Users, Systems int
		Kind           string
		IsGiven        bool // the kind, by --kind
		ServiceTurn    int  // that shows a service case
	}{r, r.Dialogue.Count(dialogue.User), r.Dialogue.Count(dialogue.System), "",
		p.Header.Configuration.Kind != "", 0}
	p.Item(ui.Plain, texts.List("dialogue", data)...)
	if !r.Scored() {
		p.Item(ui.Bold, "unscored: "+r.Reason)
		p.model(r)
		return
	}
	e := r.Evaluation
	p.Item(summary.ScoreStyle(e.Overall), headline(r))
	data.Kind = heuristics.KindOf(e.Signals).String()
	if i := slices.IndexFunc(e.Signals,
		func(s rubric.Signal) bool { return s.ID == heuristics.ServiceID }); i >= 0 {
		data.ServiceTurn = e.Signals[i].Turn
	}
	p.Item(ui.Plain, texts.List("judged", data)...)
	for _, why := range r.Reasons {
		p.Item(ui.Plain, why.String()+":")
		WriteQuotes(&p.Page, r.Dialogue, []rubric.Quote{{Turn: why.Turn, Text: why.Quote}})
	}
	t := ui.NewTable("", "criterion", "weight>", "", "score", "ruling")
	for c, g := range e.Rulings {
		const width = 25 // cells of a score of 100; the part that the Referee took away is shaded
		solid := int(g.After) * width / 100
		shaded := max(int(g.Before)*width/100-solid, 0)
		bar := strings.Repeat("█", solid) + strings.Repeat("▒", shaded) +
			strings.Repeat("·", width-solid-shaded)
		score := scoreOf(&e.Final[c], ui.Arrow(g.Before, g.After))
		if score.Style == ui.Dim {
			bar, t.Notes = strings.ReplaceAll(bar, "█", "░"), []string{texts.Text("brackets")}
		}
		t.Add(rubric.Criterion(c), fmt.Sprintf("%d %%", e.Rubric.Weights[c]),
			ui.Cell{Text: bar, Style: score.Style}, ui.Cell{Text: score.Text, Style: ui.Bold}, g.ID)
	}
	p.Table(t)
	for _, c := range rubric.Criteria() {
		p.evidence(e, c)
	}
	if len(r.Deeds) > 0 {
		p.section("Claims that something was done")
		WriteClaims(&p.Page, r)
	}
	if r.Checklist != nil {
		p.section("Checklist of the scorecard: " + r.Checklist.String())
		writeAnswers(&p.Page, r)
	}
	audit := e.Audit()
	p.section("Rulings", e.Decisions()...)
	p.section("Arithmetic", audit.WeightedCalc, audit.MappingRule)
	p.model(r)
	p.signals(e.Signals)
}

func headline(r *run.Record) string {
	e := r.Evaluation
	return texts.Text("headline", e.Overall, e.Average, r.Satisfaction)
}

// Sentence returns a claim as a sentence that is safe to display.
func Sentence(claim string) string {
	return cmp.Or(ui.Sentence(ui.Visible(claim)), "No reason was given.")
}

func (p *people) evidence(e *rubric.Evaluation, c rubric.Criterion) {
	r, o := &e.Evaluator[c], &e.Critique[c]
	says, disputed := Sentence(r.Claim), o.Against(r.Score)
	if disputed {
		says = fmt.Sprintf("Evaluator %d: %s", r.Score, says)
	}
	g := e.Rulings[c]
	p.section(c.String()+" "+ui.Arrow(g.Before, g.After), says)
	WriteQuotes(&p.Page, e.Dialogue, r.Quotes)
	if !disputed {
		return
	}
	who := "Critic"
	if o.By != "" {
		who += " (" + o.By + ")"
	}
	p.Item(ui.Plain, fmt.Sprintf("%s %d: %s", who, o.Suggested, Sentence(o.Claim)))
	WriteQuotes(&p.Page, e.Dialogue, o.Quotes)
}

// writeAnswers writes the answers to the scorecard with their quotes. Those that count for or
// against the SYSTEM are marked.
func writeAnswers(p *ui.Page, r *run.Record) {
	q := r.Evaluation.Rubric.Questions
	for i := range r.Checklist.Answers {
		a := &r.Checklist.Answers[i]
		mark := map[rubric.Answer]string{q[i].GoodAnswer(): "✓", rubric.NotApplicable: "–",
			rubric.Open: "?"}[a.Answer]
		text := fmt.Sprintf("%s %s: %s", cmp.Or(mark, "✗"), a.Question, a.Answer)
		if a.Why != "" {
			text += ", " + a.Why
		}
		p.Item(ui.Plain, text)
		if a.Quote != "" {
			WriteQuotes(p, r.Dialogue, []rubric.Quote{{Turn: a.Turn, Text: a.Quote}})
		}
	}
}

// Unproven returns a sentence for each claim with one of the states, or that is not proven.
func Unproven(r *run.Record, states ...rubric.DeedState) (list []string) {
	for _, c := range r.Deeds {
		if len(states) == 0 && c.State != rubric.DeedProven || slices.Contains(states, c.State) {
			_, shows, _ := strings.Cut(c.Shown(r.Dialogue.Tools()), " ")
			list = append(list, Sentence(texts.Text("claim", c.Turn, c.Text, shows)))
		}
	}
	return list
}

// WriteClaims writes the claims with one of the states, or all, with their words and with what
// decides them.
func WriteClaims(p *ui.Page, r *run.Record, states ...rubric.DeedState) {
	calls := r.Dialogue.Tools()
	for _, c := range r.Deeds {
		if states != nil && !slices.Contains(states, c.State) {
			continue
		}
		p.Item(ui.Plain, ui.Visible(c.Shown(calls)))
		WriteQuotes(p, r.Dialogue, QuotesOf(r, c, calls))
	}
}

// QuotesOf returns the words of a claim and, if there is one, of the result that decides it.
func QuotesOf(r *run.Record, c rubric.Deed, calls []dialogue.ToolUse) []rubric.Quote {
	quotes := []rubric.Quote{{Turn: c.Turn, Text: c.Text}}
	if t, ok := r.Dialogue.Turn(c.Proof); ok {
		quotes = append(quotes, rubric.ProofOf(c.Proof, t.Text, calls))
	}
	return quotes
}

func (p *people) model(r *run.Record) {
	if r.Model == nil {
		return
	}
	var use summary.Usage
	use.Add(r, true)
	p.section("Model", texts.List("model", struct {
		*summary.Usage
		Flagged []string
	}{&use, r.Model.Flags})...)
}

func (p *people) signals(signals []rubric.Signal) {
	const maxTurns = 20 // turns listed per detector
	t := ui.NewTable("Signals", "id", "points>", "turns=36")
	t.Notes = []string{"What each means: assize explain ID."}
	for _, first := range ui.Once(signals, func(s rubric.Signal) string { return s.ID }) {
		var turns []string
		points := rubric.Hundredths(0)
		for _, s := range signals {
			if s.ID == first.ID {
				turns, points = append(turns, strconv.Itoa(s.Turn)), points+s.Points
			}
		}
		if rest := len(turns) - maxTurns; rest > 0 {
			turns = append(turns[:maxTurns], fmt.Sprintf("and %d more", rest))
		}
		t.Add(first.ID, points, strings.Join(turns, " "))
	}
	p.Table(t)
}
