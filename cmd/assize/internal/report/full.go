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
func (p *page) full(r *record.Record) {
	p.title(r)
	if !r.Scored() {
		p.paragraph(bold, "  ", "  ", "unscored: "+Visible(r.Reason))
		return
	}
	e := r.Evaluation
	p.overall(r)
	for c := range rubric.Criterion(rubric.NumCriteria) {
		p.criterion(e, c)
	}
	p.WriteByte('\n')
	for c := range rubric.Criterion(rubric.NumCriteria) {
		p.evidence(e, c)
	}
	audit := e.Audit()
	p.section("Rulings", audit.Decisions...)
	p.section("Arithmetic", audit.WeightedCalc, audit.MappingRule)
	p.signals(e.Signals)
}

func (p *page) title(r *record.Record) {
	id := "Dialogue " + Visible(name(r))
	users, systems := r.Dialogue.Count(dialogue.User), r.Dialogue.Count(dialogue.System)
	turns := fmt.Sprintf("%s, %d by the USER, %d by the SYSTEM", counted(r.Source.Turns, "turn"), users, systems)
	p.put(bold, clip(id, columns-cells(turns)-8))
	room := columns - cells(clip(id, columns-cells(turns)-8)) - cells(turns) - 6
	p.put(dim, " · "+clipFront(Visible(r.Source.File), room)+" · "+turns)
	p.WriteString("\n\n")
}

func (p *page) overall(r *record.Record) {
	e := r.Evaluation
	p.put(bold, "  OverallExperience  ")
	p.put(styleOf(e.Overall), strconv.Itoa(int(e.Overall)))
	fmt.Fprintf(p, "   weighted average %s   satisfaction %s of 5\n", e.Average, r.Satisfaction)
	if len(r.Truth.Overall) > 0 {
		var ratings []string
		for _, f := range r.Truth.Overall {
			ratings = append(ratings, strconv.FormatFloat(f, 'f', -1, 64))
		}
		p.paragraph(dim, "  ", "  ", "rated by people     "+strings.Join(ratings, " "))
	}
	p.WriteByte('\n')
}

// criterion writes one line: weight, bar, Evaluator's score and the Referee's, ruling.
func (p *page) criterion(e *rubric.Evaluation, c rubric.Criterion) {
	g := e.Rulings[c]
	fmt.Fprintf(p, "  %-13s %3d %%  ", c, e.Rubric.Weights[c])
	p.put(styleOf(g.After), bar(g.After, g.Before, barCells))
	p.put(bold, "  "+pad(scores(g), 9))
	p.line(dim, "  "+g.ID.String())
}

// scores gives "80", or "80 → 60" where the Referee changed it.
func scores(g rubric.Ruling) string {
	if g.Before == g.After {
		return strconv.Itoa(int(g.After))
	}
	return fmt.Sprintf("%d → %d", g.Before, g.After)
}

// evidence writes what the agents claim about a criterion, each with the turns that it quotes.
func (p *page) evidence(e *rubric.Evaluation, c rubric.Criterion) {
	r, o := &e.Evaluator[c], &e.Critique[c]
	p.put(bold, c.String())
	p.line(plain, "  "+scores(e.Rulings[c]))
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
func (p *page) claim(who string, s rubric.Score, disputed bool, claim string) {
	text := sentence(claim)
	if disputed {
		text = fmt.Sprintf("%s %d: %s", who, s, text)
	}
	p.paragraph(plain, "  ", "    ", text)
}

// sentence makes a claim one that may be shown.
func sentence(claim string) string {
	return cmp.Or(explain.Sentence(Visible(claim)), "No reason was given.")
}

// quotes writes quotes with the number and the speaker of their turns.
func (p *page) quotes(d dialogue.Dialogue, quotes []rubric.Quote) {
	for _, q := range quotes {
		t, _ := d.Turn(q.Turn)
		lead := fmt.Sprintf("    %4d %-7s", q.Turn, t.Role)
		p.paragraph(plain, lead, strings.Repeat(" ", len(lead)), `"`+Visible(q.Text)+`"`)
	}
}

// section writes a heading, and paragraphs under it.
func (p *page) section(heading string, paragraphs ...string) {
	p.line(bold, heading)
	for _, s := range paragraphs {
		p.paragraph(plain, "  ", "    ", Visible(s))
	}
	p.WriteByte('\n')
}

// mostTurns is how many turns are listed at which a detector fired.
const mostTurns = 20

// signals writes which detectors fired, and where.
func (p *page) signals(signals []rubric.Signal) {
	if len(signals) == 0 {
		return
	}
	p.put(bold, "Signals")
	p.line(dim, "  what each means: assize explain ID")
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
		p.paragraph(plain, lead, strings.Repeat(" ", cells(lead)), strings.Join(numbers, " "))
	}
}

func signed(h rubric.Hundredths) string {
	if h > 0 {
		return "+" + h.String()
	}
	return h.String()
}
