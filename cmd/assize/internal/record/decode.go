package record

import (
	"fmt"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// maxTurns bounds what a damaged line that keeps only cited turns can make Decode allocate. No conversation of people
// has a hundredth of that.
const maxTurns = 1_000_000

// complete reports the first thing that a record cannot do without.
func (w *wire) complete() error {
	turns := w.source.Turns
	switch {
	case w.status == "" && w.source.Format == "" && w.source.Digest == "":
		return fieldError("", "is no record; want one, as assize score -o run.jsonl writes")
	case w.status != "scored" && w.status != "unscored":
		return fieldError("/status", "is %q; want scored or unscored", w.status)
	case w.truth.Turns != nil && len(w.truth.Turns) != turns:
		return fieldError("/truth/turns", "has %d items; want one for each of the %d turns", len(w.truth.Turns), turns)
	case w.truth.Labels != nil && len(w.truth.Labels) != turns:
		return fieldError("/truth/labels", "has %d items; want one for each of the %d turns", len(w.truth.Labels), turns)
	case w.status == "unscored":
		return nil
	}
	for i, rating := range w.evaluator {
		k := rubric.Criterion(i)
		switch {
		case rating.score == 0:
			return fieldError("/evaluator/"+k.String(), "has no score; want one")
		case i >= len(w.quotes):
			return fieldError("/panel/evaluator", "lacks %s; want the six criteria in their order", k)
		}
	}
	return nil
}

// inOrder reports the first signal that is at no turn of d, or stands before one of an earlier turn: detectors leave
// theirs in the order of the turns.
func (w *wire) inOrder(d dialogue.Dialogue) error {
	least := 1
	for i, s := range w.signals {
		if s.Turn < least || s.Turn > len(d.Turns) {
			return fieldError(fmt.Sprintf("/signals/%d/turn", i), "is %d; want %d to %d, in the order of the turns", s.Turn, least, len(d.Turns))
		}
		if s.About < 0 || s.About > len(d.Turns) {
			return fieldError(fmt.Sprintf("/signals/%d/about", i), "is %d; want a turn, 1 to %d", s.About, len(d.Turns))
		}
		least = s.Turn
	}
	return nil
}

// record makes of w all but the evaluation.
func (w *wire) record() (*Record, error) {
	r := &Record{Dialogue: dialogue.Dialogue{ID: w.id}, Source: w.source, Reason: w.reason, Truth: w.truth, Model: w.model, Fallback: w.fallback}
	switch r.CitedOnly = w.citedOnly(); {
	case !r.CitedOnly:
		r.Source.Turns = len(w.turns)
	case r.Source.Turns < 0 || r.Source.Turns > maxTurns:
		return nil, fieldError("/source/turns", "is %d; want 0 to %d", r.Source.Turns, maxTurns)
	}
	r.Dialogue.Turns = make([]dialogue.Turn, r.Source.Turns)
	for i, t := range w.turns {
		at := i + 1
		if r.CitedOnly {
			at = t.number
		}
		if at < 1 || at > len(r.Dialogue.Turns) {
			return nil, fieldError(fmt.Sprintf("/turns/%d/turn", i), "is %d; want 1 to %d, as /source/turns says", at, r.Source.Turns)
		}
		r.Dialogue.Turns[at-1] = t.Turn
	}
	return r, w.inOrder(r.Dialogue)
}

// citedOnly reports whether the record keeps only the turns that are cited. Each of them then has its number.
func (w *wire) citedOnly() bool {
	for _, t := range w.turns {
		if t.number != 0 {
			return true
		}
	}
	return len(w.turns) == 0 && w.source.Turns > 0
}

// evaluation settles what the agents said once more.
func (w *wire) evaluation(d dialogue.Dialogue, rub rubric.Rubric) (*rubric.Evaluation, error) {
	var card rubric.Scorecard
	for i, rating := range w.evaluator {
		card[i] = rubric.Rating{Score: rating.score, Claim: claim(d, rating.sentence, w.quotes[i]), Quotes: w.quotes[i]}
	}
	var critique rubric.Critique
	for _, o := range w.objections {
		critique[o.criterion] = o.Objection
		critique[o.criterion].Claim = claim(d, w.comments[o.criterion], o.Quotes)
	}
	return rub.Settle(rubric.Case{Dialogue: d, Signals: w.signals}, card, critique)
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
