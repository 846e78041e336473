package record

import (
	"encoding/json"
	"fmt"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// record takes from w all but the evaluation.
func (w *wire) record() (*Record, error) {
	r := &Record{
		Dialogue: dialogue.Dialogue{ID: w.DialogueID},
		Reason:   w.Reason,
		Truth:    dialogue.Truth{Overall: w.Truth.Overall, Turns: w.Truth.Turns, Labels: w.Truth.Labels},
		Source: Source{
			File: w.Source.File, Format: dialogue.Format(w.Source.Format), ID: w.Source.ID,
			Turns: w.Source.Turns, Digest: w.Source.Digest,
		},
	}
	if w.Status != "scored" && w.Status != "unscored" {
		return nil, fmt.Errorf("status %q; want scored or unscored", w.Status)
	}
	r.CitedOnly = len(w.Turns) != w.Source.Turns || len(w.Turns) > 0 && w.Turns[0].Turn != 0
	if w.Source.Turns < 0 || w.Source.Turns > maxTurns {
		return nil, fmt.Errorf("source.turns is %d; want 0 to %d", w.Source.Turns, maxTurns)
	}
	r.Dialogue.Turns = make([]dialogue.Turn, w.Source.Turns)
	for i, t := range w.Turns {
		at := i
		if r.CitedOnly {
			at = t.Turn - 1
		}
		if at < 0 || at >= len(r.Dialogue.Turns) {
			return nil, fmt.Errorf("turns: number %d; want 1 to %d, as source.turns says", at+1, w.Source.Turns)
		}
		r.Dialogue.Turns[at] = dialogue.Turn{Role: roles[t.Role], Text: t.Text}
	}
	return r, nil
}

// maxTurns bounds what a damaged line can make Decode allocate.
const maxTurns = 10_000_000

var roles = map[string]dialogue.Role{"SYSTEM": dialogue.System, "USER": dialogue.User}

// evaluation settles what the agents said once more.
func (w *wire) evaluation(d dialogue.Dialogue, rub rubric.Rubric) (*rubric.Evaluation, error) {
	c := rubric.Case{Dialogue: d}
	for _, s := range w.Signals {
		signal := rubric.Signal{ID: s.ID, Turn: s.Turn, About: s.About, Points: s.Points}
		for _, name := range s.Criteria {
			criterion, err := rubric.ParseCriterion(name)
			if err != nil {
				return nil, fmt.Errorf("signals: %w", err)
			}
			signal.Criteria |= rubric.SetOf(criterion)
		}
		c.Signals = append(c.Signals, signal)
	}
	card, err := w.card(d)
	if err != nil {
		return nil, err
	}
	critique, err := w.critique(d)
	if err != nil {
		return nil, err
	}
	return rub.Settle(c, card, critique)
}

func (w *wire) card(d dialogue.Dialogue) (card rubric.Scorecard, err error) {
	for _, ev := range w.Panel.Evaluator {
		c, err := rubric.ParseCriterion(ev.Criterion)
		if err != nil {
			return card, fmt.Errorf("panel.evaluator: %w", err)
		}
		var rating wireRating
		if err := json.Unmarshal(w.Evaluator[c.String()], &rating); err != nil {
			return card, fmt.Errorf("evaluator: %s: %w", c, err)
		}
		quotes, err := ev.quotes()
		if err != nil {
			return card, err
		}
		card[c] = rubric.Rating{Score: rating.Score, Claim: claim(d, rating.Justification, quotes), Quotes: quotes}
	}
	return card, nil
}

func (w *wire) critique(d dialogue.Dialogue) (critique rubric.Critique, err error) {
	comments := map[string]string{}
	for _, o := range w.Critic {
		comments[o.Criterion] = o.Comment
	}
	for _, o := range w.Panel.Critic {
		c, err := rubric.ParseCriterion(o.Criterion)
		if err != nil {
			return critique, fmt.Errorf("panel.critic: %w", err)
		}
		quotes, err := o.quotes()
		if err != nil {
			return critique, err
		}
		kind := rubric.Contradicts
		if o.Kind == rubric.MissingEvidence.String() {
			kind = rubric.MissingEvidence
		}
		critique[c] = rubric.Objection{
			Suggested: o.Suggested, Kind: kind, By: o.By,
			Claim: claim(d, comments[o.Criterion], quotes), Quotes: quotes,
		}
	}
	return critique, nil
}

func (ev *wireEvidence) quotes() ([]rubric.Quote, error) {
	if len(ev.Turns) != len(ev.Quotes) {
		return nil, fmt.Errorf("panel: %s has %d turns and %d quotes; want as many", ev.Criterion, len(ev.Turns), len(ev.Quotes))
	}
	quotes := make([]rubric.Quote, len(ev.Turns))
	for i := range quotes {
		quotes[i] = rubric.Quote{Turn: ev.Turns[i], Text: ev.Quotes[i]}
	}
	return quotes, nil
}

// claim takes the claim out of a sentence that [rubric.Rating.Sentence] made of it and its quotes.
func claim(d dialogue.Dialogue, sentence string, quotes []rubric.Quote) string {
	const stand = "X"
	tail := rubric.Rating{Claim: stand, Quotes: quotes}.Sentence(d)[len(stand):]
	if head, ok := strings.CutSuffix(sentence, tail); ok {
		return head
	}
	return "" // the sentence is of quotes alone
}
