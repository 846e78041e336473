package triage

import (
	"strings"

	"assize/heuristics"
	"assize/rubric"
)

// Failed gives the criterion that failed most: the one that cost the weighted average most points, its weight times
// what it lacks to 100. Of equals it is the one with the lower score, then the first in the rubric. There is none where
// all have 100.
func Failed(e *rubric.Evaluation) (worst rubric.Criterion, ok bool) {
	most := 0
	for i, r := range e.Final {
		lost := e.Rubric.Weights[i] * (100 - int(r.Score))
		if lost > most || lost > 0 && lost == most && r.Score < e.Final[worst].Score {
			worst, most = rubric.Criterion(i), lost
		}
	}
	return worst, most > 0
}

// mostEvidence is how many utterances a row shows.
const mostEvidence = 2

// leastSecond is what a second utterance must weigh to be shown: one point against.
const leastSecond rubric.Hundredths = -100

// fewWords is how many words a turn must have to say why by itself.
const fewWords = 3

// Evidence picks the one or two utterances that say why a dialogue stands where it does, in the order of the turns.
//
// The first is of the turn that weighs most against the criterion that failed most, by the signals there, or against
// any where none speaks against that one; the second of the turn that weighs most of the others, if that is a point at
// least. A turn of one or two words, such as "No.", says little by itself and counts half. Of equals it is the later one,
// as the Critic takes it. Where no signal speaks against anything, the words are
// those that the criterion's final rating rests on. Signals of detectors that mute names are no evidence; every quote is
// verified to stand in the dialogue.
func Evidence(e *rubric.Evaluation, mute map[string]bool) []rubric.Quote {
	failed, ok := Failed(e)
	if !ok {
		return nil
	}
	all := against(e, mute, func(rubric.Signal) bool { return true })
	first := all.heaviest(0, -1)
	if own := against(e, mute, func(s rubric.Signal) bool { return s.Criteria.Has(failed) }); own.heaviest(0, -1) != 0 {
		first = own.heaviest(0, -1)
	}
	if first == 0 {
		return rated(e, failed)
	}
	quotes := quote(e, failed, first)
	if second := all.heaviest(first, leastSecond); second != 0 {
		quotes = append(quotes, quote(e, failed, second)...)
	}
	if len(quotes) == 2 && quotes[0].Turn > quotes[1].Turn {
		quotes[0], quotes[1] = quotes[1], quotes[0]
	}
	if len(quotes) == 0 {
		return rated(e, failed)
	}
	return quotes
}

// Muted names the detectors whose signals are no evidence, for [Evidence].
func Muted(detectors []heuristics.Detector) map[string]bool {
	mute := map[string]bool{}
	for _, d := range detectors {
		mute[d.ID] = d.Mute
	}
	return mute
}

// burden is what speaks against a dialogue: points, zero or less, by the number of the turn.
type burden []rubric.Hundredths

// against adds up the signals below zero that count.
func against(e *rubric.Evaluation, mute map[string]bool, counts func(rubric.Signal) bool) burden {
	b := make(burden, len(e.Dialogue.Turns)+1)
	for _, s := range e.Signals {
		if s.Points < 0 && !mute[s.ID] && counts(s) {
			b[s.Turn] += s.Points
		}
	}
	for i, t := range e.Dialogue.Turns {
		if len(strings.Fields(t.Text)) < fewWords {
			b[i+1] /= 2
		}
	}
	return b
}

// heaviest gives the turn that weighs most, the later of equals, among those with so many points or fewer; 0 for none.
func (b burden) heaviest(except int, most rubric.Hundredths) (turn int) {
	for n, points := range b {
		if n != except && points <= most {
			turn, most = n, points
		}
	}
	return turn
}

// quote takes the words from a turn: those that a final rating rests on, the one of the criterion that failed first,
// or else how the turn begins. Where in the turn a detector saw its signal is not kept in runs, and a run must be shown
// as the transcripts are. It is empty where no word can be quoted.
func quote(e *rubric.Evaluation, failed rubric.Criterion, turn int) []rubric.Quote {
	criteria := rubric.Criteria()
	for _, c := range append([]rubric.Criterion{failed}, criteria[:]...) {
		for _, q := range e.Final[c].Quotes {
			if q.Turn == turn && q.Verify(e.Dialogue) {
				return []rubric.Quote{q}
			}
		}
	}
	t, _ := e.Dialogue.Turn(turn)
	if q := rubric.Excerpt(turn, t.Text, 0, len(t.Text)); q.Text != "" {
		return []rubric.Quote{q}
	}
	return nil
}

// rated gives the words that a criterion's final rating rests on, two quotes at most.
func rated(e *rubric.Evaluation, c rubric.Criterion) (quotes []rubric.Quote) {
	for _, q := range e.Final[c].Quotes {
		if len(quotes) < mostEvidence && q.Verify(e.Dialogue) {
			quotes = append(quotes, q)
		}
	}
	return quotes
}
