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
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// dialogue writes one dialogue in full, with all that led to its scores.
func (s *sheet) dialogue(r *run.Record) {
	title := "Dialogue " + r.Name() + " of " + r.Source.File
	if s.markdown {
		s.WriteString("## " + ui.Escape(title) + "\n\n")
	} else {
		s.Paragraph(ui.Bold, "", "  ", ui.Visible(title))
	}
	s.item(fmt.Sprintf("%s, %d by the USER, %d by the SYSTEM", ui.Counted(r.Source.Turns, "turn"),
		r.Dialogue.Count(dialogue.User), r.Dialogue.Count(dialogue.System)))
	if o := r.Source.DuplicateOf; o != nil {
		s.item(fmt.Sprintf("the same turns as dialogue %d of %s", o.ID, o.File))
	}
	if len(r.Truth.Overall) > 0 {
		s.item("rated by people " + strings.Trim(fmt.Sprint(r.Truth.Overall), "[]"))
	}
	if !r.Scored() {
		s.styled(ui.Bold, "unscored: "+r.Reason)
		s.model(r)
		return
	}
	e := r.Evaluation
	s.styled(summary.ScoreStyle(e.Overall), headline(r))
	if r.Level != 0 {
		s.item("level by the profile: " + strconv.Itoa(r.Level))
	}
	if r.Flagged {
		s.item("flagged by the profile")
	}
	if r.CrossCheck != nil {
		s.item(crossCheck(r.CrossCheck))
	}
	t := ui.Table{Columns: []ui.Column{
		{Title: "criterion"}, {Title: "weight", Right: true}, {}, {Title: "score"}, {Title: "ruling"}}}
	for c, g := range e.Rulings {
		const most = 25 // cells of a score of 100; what the Referee took away is shaded
		solid := int(g.After) * most / 100
		shaded := max(int(g.Before)*most/100-solid, 0)
		bar := strings.Repeat("█", solid) + strings.Repeat("▒", shaded) + strings.Repeat("·", most-solid-shaded)
		t.Add(rubric.Criterion(c), fmt.Sprintf("%d %%", e.Rubric.Weights[c]),
			ui.Cell{Text: bar, Style: summary.ScoreStyle(g.After)}, ui.Cell{Text: scores(g), Style: ui.Bold}, g.ID)
	}
	s.table(&t)
	for c := range rubric.Criterion(rubric.NumCriteria) {
		s.evidence(e, c)
	}
	audit := e.Audit()
	s.section("Rulings", audit.Decisions...)
	s.section("Arithmetic", audit.WeightedCalc, audit.MappingRule)
	s.model(r)
	s.signals(e.Signals)
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
	parts := []string{"model and rules are " + c.Disagreement.String() + " levels apart (of 4.00 at most)"}
	for i, k := range c.Criteria {
		if k.Verdict() != rubric.Agree {
			parts = append(parts, fmt.Sprintf("%s %d against %d (%s)", rubric.Criterion(i), k.Model, k.Rules, k.Verdict()))
		}
	}
	return strings.Join(parts, ", ")
}

// evidence writes what the agents claim about a criterion, each with the turns that it quotes.
func (s *sheet) evidence(e *rubric.Evaluation, c rubric.Criterion) {
	r, o := &e.Evaluator[c], &e.Critique[c]
	s.heading(c.String() + " " + scores(e.Rulings[c]))
	if !o.Against(r.Score) {
		s.item(sentence(r.Claim))
		s.quotes(e.Dialogue, r.Quotes)
		return
	}
	s.item(fmt.Sprintf("Evaluator %d: %s", r.Score, sentence(r.Claim)))
	s.quotes(e.Dialogue, r.Quotes)
	who := "Critic"
	if o.By != "" {
		who += " (" + o.By + ")"
	}
	s.item(fmt.Sprintf("%s %d: %s", who, o.Suggested, sentence(o.Claim)))
	s.quotes(e.Dialogue, o.Quotes)
}

// model writes how a model answered.
func (s *sheet) model(r *run.Record) {
	if r.Model == nil {
		return
	}
	var use judge.Usage
	use.Add(r, true)
	s.section("Model", use.Work())
	if len(use.Failures) > 0 {
		s.item("answers that failed: " + summary.Listed(use.Failures))
	}
	if len(r.Model.Flags) > 0 {
		s.item("flagged: " + strings.Join(r.Model.Flags, ", "))
	}
	if len(r.Model.Spread) > 0 {
		s.item("spread: " + spread(r.Model))
	}
}

// spread says how far the scores of several presentations lie apart.
func spread(a *localllm.Account) string {
	var moved []string
	for i, levels := range a.Spread {
		if levels == 0 {
			continue
		}
		s := rubric.Criterion(i).String() + " " + ui.Counted(levels, "level")
		if slices.Contains(a.Unstable, rubric.Criterion(i)) {
			s += " (unstable)"
		}
		moved = append(moved, s)
	}
	return cmp.Or(strings.Join(moved, ", "), "none: every presentation got the same scores")
}

// signals lists which detectors fired, and at which turns.
func (s *sheet) signals(signals []rubric.Signal) {
	if len(signals) == 0 {
		return
	}
	var ids []string
	turns, points := map[string][]string{}, map[string]rubric.Hundredths{}
	for _, signal := range signals {
		if turns[signal.ID] == nil {
			ids = append(ids, signal.ID)
		}
		turns[signal.ID] = append(turns[signal.ID], strconv.Itoa(signal.Turn))
		points[signal.ID] += signal.Points
	}
	t := ui.Table{Title: "Signals", Columns: []ui.Column{{Title: "id"}, {Title: "points", Right: true},
		{Title: "turns", Max: 36}}, Notes: []string{"What each means: assize explain ID."}}
	for _, id := range ids {
		t.Add(id, points[id], strings.Join(turns[id], " "))
	}
	s.table(&t)
}
