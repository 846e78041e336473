package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// barCells is the length of a bar that stands for 100.
const barCells = 25

// full writes one dialogue with all that led to its scores.
func (p *Page) full(r *record.Record) {
	p.title(r)
	if !r.Scored() {
		p.Paragraph(Bold, "  ", "  ", "unscored: "+Visible(r.Reason))
		if r.Model != nil {
			p.WriteByte('\n')
			p.bench(r)
		}
		return
	}
	e := r.Evaluation
	p.overall(r)
	for c := range rubric.Criterion(rubric.NumCriteria) {
		p.criterion(e, c)
	}
	p.WriteByte('\n')
	if r.CrossCheck != nil {
		p.checked(r.CrossCheck)
	}
	for c := range rubric.Criterion(rubric.NumCriteria) {
		p.evidence(e, c)
	}
	audit := e.Audit()
	p.section("Rulings", audit.Decisions...)
	p.section("Arithmetic", audit.WeightedCalc, audit.MappingRule)
	p.bench(r)
	p.signals(e.Signals)
}

func (p *Page) title(r *record.Record) {
	id := "Dialogue " + Visible(r.Name())
	users, systems := r.Dialogue.Count(dialogue.User), r.Dialogue.Count(dialogue.System)
	turns := fmt.Sprintf("%s, %d by the USER, %d by the SYSTEM", Counted(r.Source.Turns, "turn"), users, systems)
	p.Put(Bold, Clip(id, Columns-Cells(turns)-8))
	room := Columns - Cells(Clip(id, Columns-Cells(turns)-8)) - Cells(turns) - 6
	p.Put(Dim, " · "+ClipFront(Visible(r.Source.File), room)+" · "+turns)
	p.WriteString("\n\n")
	if o := r.Source.DuplicateOf; o != nil {
		p.Paragraph(Dim, "  ", "  ", fmt.Sprintf("the same turns as dialogue %d of %s", o.ID, Visible(o.File)))
		p.WriteByte('\n')
	}
}

func (p *Page) overall(r *record.Record) {
	e := r.Evaluation
	p.Put(Bold, "  OverallExperience  ")
	p.Put(styleOf(e.Overall), strconv.Itoa(int(e.Overall)))
	fmt.Fprintf(p, "   weighted average %s   satisfaction %s of 5%s\n", e.Average, r.Satisfaction, placed(r))
	if len(r.Truth.Overall) > 0 {
		var ratings []string
		for _, f := range r.Truth.Overall {
			ratings = append(ratings, strconv.FormatFloat(f, 'f', -1, 64))
		}
		p.Paragraph(Dim, "  ", "  ", "rated by people     "+strings.Join(ratings, " "))
	}
	p.WriteByte('\n')
}

// placed tells what the profile makes of the satisfaction: " (level 2, flagged)"; "" for nothing.
func placed(r *record.Record) string {
	var words []string
	if r.Level != 0 {
		words = append(words, "level "+strconv.Itoa(r.Level))
	}
	if r.Flagged {
		words = append(words, "flagged")
	}
	if words == nil {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// criterion writes one line: weight, bar, Evaluator's score and the Referee's, ruling.
func (p *Page) criterion(e *rubric.Evaluation, c rubric.Criterion) {
	g := e.Rulings[c]
	fmt.Fprintf(p, "  %-13s %3d %%  ", c, e.Rubric.Weights[c])
	p.Put(styleOf(g.After), bar(g.After, g.Before, barCells))
	p.Put(Bold, "  "+Pad(scores(g), 9))
	p.Line(Dim, "  "+g.ID.String())
}

// scores gives "80", or "80 → 60" where the Referee changed it.
func scores(g rubric.Ruling) string {
	if g.Before == g.After {
		return strconv.Itoa(int(g.After))
	}
	return fmt.Sprintf("%d → %d", g.Before, g.After)
}

// evidence writes what the agents claim about a criterion, each with the turns that it quotes.
func (p *Page) evidence(e *rubric.Evaluation, c rubric.Criterion) {
	r, o := &e.Evaluator[c], &e.Critique[c]
	p.Put(Bold, c.String())
	p.Line(Plain, "  "+scores(e.Rulings[c]))
	against := o.Against(r.Score)
	p.claim("Evaluator", r.Score, against, r.Claim)
	p.quotes(e.Dialogue, r.Quotes)
	if against {
		who := "Critic"
		if o.By != "" {
			who += " (" + Visible(o.By) + ")"
		}
		p.claim(who, o.Suggested, true, o.Claim)
		p.quotes(e.Dialogue, o.Quotes)
	}
	p.WriteByte('\n')
}

// claim writes what an agent says; whose it is, where the two differ.
func (p *Page) claim(who string, s rubric.Score, disputed bool, claim string) {
	text := sentence(claim)
	if disputed {
		text = fmt.Sprintf("%s %d: %s", who, s, text)
	}
	p.Paragraph(Plain, "  ", "    ", text)
}

// sentence makes a claim one that may be shown.
func sentence(claim string) string {
	return cmp.Or(explain.Sentence(Visible(claim)), "No reason was given.")
}

// quotes writes quotes with the number and the speaker of their turns.
func (p *Page) quotes(d dialogue.Dialogue, quotes []rubric.Quote) {
	for _, q := range quotes {
		t, _ := d.Turn(q.Turn)
		lead := fmt.Sprintf("    %4d %-7s", q.Turn, t.Role)
		p.Paragraph(Plain, lead, strings.Repeat(" ", len(lead)), `"`+Visible(q.Text)+`"`)
	}
}

// section writes a heading, and paragraphs under it.
func (p *Page) section(heading string, paragraphs ...string) {
	p.Line(Bold, heading)
	for _, s := range paragraphs {
		p.Paragraph(Plain, "  ", "    ", Visible(s))
	}
	p.WriteByte('\n')
}

// mostTurns is how many turns are listed at which a detector fired.
const mostTurns = 20

// signals writes which detectors fired, and where.
func (p *Page) signals(signals []rubric.Signal) {
	if len(signals) == 0 {
		return
	}
	p.Put(Bold, "Signals")
	p.Line(Dim, "  what each means: assize explain ID")
	var order []string
	turns := map[string][]string{}
	points := map[string]rubric.Hundredths{}
	for _, s := range signals {
		if turns[s.ID] == nil {
			order = append(order, s.ID)
		}
		turns[s.ID] = append(turns[s.ID], strconv.Itoa(s.Turn))
		points[s.ID] += s.Points
	}
	for _, id := range order {
		lead := fmt.Sprintf("  %-28s %7s  ", Visible(id), signed(points[id]))
		numbers := turns[id][:min(len(turns[id]), mostTurns)]
		if rest := len(turns[id]) - len(numbers); rest > 0 {
			numbers = append(slices.Clip(numbers), fmt.Sprintf("and %d more", rest))
		}
		p.Paragraph(Plain, lead, strings.Repeat(" ", Cells(lead)), strings.Join(numbers, " "))
	}
}

func signed(h rubric.Hundredths) string {
	if h > 0 {
		return "+" + h.String()
	}
	return h.String()
}
