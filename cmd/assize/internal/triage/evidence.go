package triage

import (
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/summary"
	"assize/heuristics"
	"assize/rubric"
)

// Explanation says why a dialogue has its rank.
type Explanation struct {
	Criterion rubric.Criterion // what failed most
	Score     rubric.Score     // its score; 0 where nothing failed
	Evidence  []rubric.Quote   // at most [mostEvidence], in the order of the turns, verified to be in the dialogue
	Friction  []rubric.Hundredths
}

// Explain works out the explanation. Signals of detectors that mute names are no evidence.
func Explain(e *rubric.Evaluation, mute map[string]bool) Explanation {
	r := Explanation{Friction: summary.Friction(e)}
	if c, ok := failed(e); ok {
		r.Criterion, r.Score, r.Evidence = c, e.Final[c].Score, evidence(e, c, mute)
	}
	return r
}

// Failed names what failed most with its score, such as "TaskSuccess 20"; "nothing" where nothing did.
func (r *Explanation) Failed() string {
	if r.Score == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s %d", r.Criterion, r.Score)
}

// failed gives the criterion that failed most: the one that cost the weighted average most points, its weight times
// what it lacks to 100. Of equals it is the one with the lower score, then the first in the rubric. There is none where
// all have 100.
func failed(e *rubric.Evaluation) (worst rubric.Criterion, ok bool) {
	most := 0
	for i, r := range e.Final {
		lost := e.Rubric.Weights[i] * (100 - int(r.Score))
		if lost > most || lost > 0 && lost == most && r.Score < e.Final[worst].Score {
			worst, most = rubric.Criterion(i), lost
		}
	}
	return worst, most > 0
}

const (
	mostEvidence = 2 // utterances
	fewWords     = 3 // a turn with fewer words says little by itself
	// leastSecond is what a second utterance must weigh to be shown: one point against.
	leastSecond rubric.Hundredths = -100
)

// evidence picks one or two utterances that say why a dialogue is bad. The first is of the turn that weighs most
// against the criterion that failed most, by the signals there, or against any where no signal speaks against that one;
// the second of the turn that weighs most of the others, if that is a point at least. A signal of no criterion, such as
// the kind of a conversation, speaks against nothing. A turn of one or two words, such as "No.", counts half. Where no
// signal speaks against anything, the words are those that the criterion's final rating rests on.
func evidence(e *rubric.Evaluation, failed rubric.Criterion, mute map[string]bool) (quotes []rubric.Quote) {
	n := len(e.Dialogue.Turns) + 1
	all, own := make([]rubric.Hundredths, n), make([]rubric.Hundredths, n) // points against, by the number of the turn
	for _, s := range e.Signals {
		if s.Points < 0 && s.Criteria != 0 && !mute[s.ID] {
			all[s.Turn] += s.Points
			if s.Criteria.Has(failed) {
				own[s.Turn] += s.Points
			}
		}
	}
	for i, t := range e.Dialogue.Turns {
		if len(strings.Fields(t.Text)) < fewWords {
			all[i+1] /= 2
			own[i+1] /= 2
		}
	}
	first := heaviest(own, 0, -1)
	if first == 0 {
		first = heaviest(all, 0, -1)
	}
	second := heaviest(all, first, leastSecond)
	for _, turn := range []int{min(first, second), max(first, second)} {
		if turn > 0 {
			quotes = append(quotes, quote(e, failed, turn)...)
		}
	}
	if len(quotes) > 0 {
		return quotes
	}
	for _, q := range e.Final[failed].Quotes {
		if len(quotes) < mostEvidence && q.Verify(e.Dialogue) {
			quotes = append(quotes, q)
		}
	}
	return quotes
}

// heaviest gives the turn that weighs most among those with so many points or fewer, 0 for none. Of equals it is the
// later one, as the Critic takes it.
func heaviest(points []rubric.Hundredths, except int, most rubric.Hundredths) (turn int) {
	for n, p := range points {
		if n != except && p <= most {
			turn, most = n, p
		}
	}
	return turn
}

// quote takes the words from a turn: those that a final rating rests on, the one of the criterion that failed first,
// or else how the turn begins. Where in the turn a detector saw its signal is not kept in runs, and a run must be shown
// as the transcripts are. It is empty where no word can be quoted.
func quote(e *rubric.Evaluation, failed rubric.Criterion, turn int) []rubric.Quote {
	criteria := rubric.Criteria()
	for _, c := range slices.Insert(criteria[:], 0, failed) {
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

// Muted names the detectors whose signals are no evidence, for [Explain].
func Muted(detectors []heuristics.Detector) map[string]bool {
	mute := map[string]bool{}
	for _, d := range detectors {
		mute[d.ID] = d.Mute
	}
	return mute
}
