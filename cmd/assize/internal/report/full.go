package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// full writes one dialogue with all that led to its scores.
func (p *people) full(r *run.Record) {
	p.heading("##", "Dialogue "+r.Name()+" of "+r.Source.File)
	p.item(ui.Plain, fmt.Sprintf("%s, %d by the USER, %d by the SYSTEM",
		ui.Counted(r.Source.Turns, "turn"), r.Dialogue.Count(dialogue.User), r.Dialogue.Count(dialogue.System)))
	if o := r.Source.DuplicateOf; o != nil {
		p.item(ui.Plain, fmt.Sprintf("the same turns as dialogue %d of %s", o.ID, o.File))
	}
	if len(r.Truth.Overall) > 0 {
		p.item(ui.Plain, "rated by people "+strings.Trim(fmt.Sprint(r.Truth.Overall), "[]"))
	}
	if !r.Scored() {
		p.item(ui.Bold, "unscored: "+r.Reason)
		p.model(r)
		return
	}
	e := r.Evaluation
	p.item(summary.ScoreStyle(e.Overall), headline(r))
	p.item(ui.Plain, "judged as a "+kind(e))
	if r.Level != 0 {
		p.item(ui.Plain, "level by the profile: "+strconv.Itoa(r.Level))
	}
	if r.Flagged {
		p.item(ui.Plain, "flagged by the profile")
	}
	if r.CrossCheck != nil {
		p.item(ui.Plain, crossCheck(r.CrossCheck))
	}
	p.reasons(r)
	t := ui.Table{Columns: []ui.Column{
		{Title: "criterion"}, {Title: "weight", Right: true}, {}, {Title: "score"}, {Title: "ruling"}}}
	var people []string // what they would give criteria
	for c, g := range e.Rulings {
		const most = 25 // cells of a score of 100; what the Referee took away is shaded
		solid := int(g.After) * most / 100
		shaded := max(int(g.Before)*most/100-solid, 0)
		bar := strings.Repeat("█", solid) + strings.Repeat("▒", shaded) + strings.Repeat("·", most-solid-shaded)
		t.Add(rubric.Criterion(c), fmt.Sprintf("%d %%", e.Rubric.Weights[c]),
			ui.Cell{Text: bar, Style: summary.ScoreStyle(g.After)}, ui.Cell{Text: scores(g), Style: ui.Bold}, g.ID)
		if est, ok := r.PeopleEstimates[rubric.Criterion(c).String()]; ok {
			people = append(people, fmt.Sprintf("%s %s", rubric.Criterion(c), est))
		}
	}
	p.table(&t)
	if people != nil {
		p.item(ui.Plain, "what people would give, from 1 to 5, by the profile: "+strings.Join(people, ", "))
	}
	for _, c := range rubric.Criteria() {
		p.evidence(e, c)
	}
	audit := e.Audit()
	p.section("Rulings", audit.Decisions...)
	p.section("Arithmetic", audit.WeightedCalc, audit.MappingRule)
	p.model(r)
	p.signals(e.Signals)
}

// reasons says what lowered and raised satisfaction most, where the profile has weights.
func (p *people) reasons(r *run.Record) {
	for _, why := range r.Reasons {
		p.item(ui.Plain, why.String()+":")
		p.quotes(r.Dialogue, []rubric.Quote{{Turn: why.Turn, Text: why.Quote}})
	}
}

// headline gives the scores of the whole dialogue.
func headline(r *run.Record) string {
	e := r.Evaluation
	return fmt.Sprintf("OverallExperience %d, weighted average %s, satisfaction %s of 5",
		e.Overall, e.Average, r.Satisfaction)
}

// scores gives "80", or "80 → 60" where the Referee changed it.
func scores(g rubric.Ruling) string {
	if g.Before == g.After {
		return g.After.String()
	}
	return fmt.Sprintf("%d → %d", g.Before, g.After)
}

// sentence makes a claim one that may be shown.
func sentence(claim string) string {
	return cmp.Or(explain.Sentence(ui.Visible(claim)), "No reason was given.")
}

// disagreement gives the figure of the cross-check; "" where there is none.
func disagreement(r *run.Record) string {
	if r.CrossCheck == nil {
		return ""
	}
	return r.CrossCheck.Disagreement.String()
}

// crossCheck gives the cross-check of a dialogue in words.
func crossCheck(c *rubric.CrossCheck) string {
	words := "model and rules are " + c.Disagreement.String() + " levels apart (of 4.00 at most)"
	for i, k := range c.Criteria {
		if k.Verdict() != rubric.Agree {
			words += fmt.Sprintf(", %s %d against %d (%s)", rubric.Criterion(i), k.Model, k.Rules, k.Verdict())
		}
	}
	return words
}

// evidence writes what the agents claim about a criterion, each with the turns that it quotes.
func (p *people) evidence(e *rubric.Evaluation, c rubric.Criterion) {
	r, o := &e.Evaluator[c], &e.Critique[c]
	heading := c.String() + " " + scores(e.Rulings[c])
	if !o.Against(r.Score) {
		p.section(heading, sentence(r.Claim))
		p.quotes(e.Dialogue, r.Quotes)
		return
	}
	p.section(heading, fmt.Sprintf("Evaluator %d: %s", r.Score, sentence(r.Claim)))
	p.quotes(e.Dialogue, r.Quotes)
	who := "Critic"
	if o.By != "" {
		who += " (" + o.By + ")"
	}
	p.item(ui.Plain, fmt.Sprintf("%s %d: %s", who, o.Suggested, sentence(o.Claim)))
	p.quotes(e.Dialogue, o.Quotes)
}

// model writes how a model answered.
func (p *people) model(r *run.Record) {
	if r.Model == nil {
		return
	}
	var use judge.Usage
	use.Add(r, true)
	p.section("Model", use.Work())
	if len(use.Failures) > 0 {
		p.item(ui.Plain, "answers that failed: "+summary.Listed(use.Failures))
	}
	if len(r.Model.Flags) > 0 {
		p.item(ui.Plain, "flagged: "+strings.Join(r.Model.Flags, ", "))
	}
}

// signals lists which detectors fired, and at which turns.
func (p *people) signals(signals []rubric.Signal) {
	const mostTurns = 20 // of a detector
	type fired struct {
		turns  []string
		points rubric.Hundredths
	}
	var ids []string
	of := map[string]*fired{}
	for _, s := range signals {
		f := of[s.ID]
		if f == nil {
			f = &fired{}
			ids, of[s.ID] = append(ids, s.ID), f
		}
		f.turns = append(f.turns, strconv.Itoa(s.Turn))
		f.points += s.Points
	}
	t := ui.Table{Title: "Signals", Columns: []ui.Column{{Title: "id"}, {Title: "points", Right: true},
		{Title: "turns", Max: 36}}, Notes: []string{"What each means: assize explain ID."}}
	for _, id := range ids {
		turns := of[id].turns
		if rest := len(turns) - mostTurns; rest > 0 {
			turns = append(turns[:mostTurns], fmt.Sprintf("and %d more", rest))
		}
		t.Add(id, of[id].points, strings.Join(turns, " "))
	}
	if len(ids) > 0 {
		p.table(&t)
	}
}

// kind says by which points a dialogue was judged, and where it shows.
func kind(e *rubric.Evaluation) string {
	i := slices.IndexFunc(e.Signals, func(s rubric.Signal) bool { return s.ID == heuristics.ServiceID })
	if i < 0 {
		return heuristics.Request.String()
	}
	return fmt.Sprintf("%s case, as turn %d shows", heuristics.Service, e.Signals[i].Turn)
}
