// Package triage says which dialogues a person should read first, and of each in a line or two why.
//
// Dialogues are ranked worst first by an [Order], and a [Least] keeps only as many as are wanted. [Choose] spends a
// model's time where it can matter: on the worst, and on those of which the rules cannot well say on which side of the
// cut they belong. A [Ranking] writes what came of it.
package triage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/heuristics"
	"assize/rubric"
)

// Order is what dialogues are ranked by.
type Order string

// The orders.
const (
	BySatisfaction Order = "satisfaction" // lowest first
	ByAverage      Order = "average"      // lowest weighted average first
	ByDisagreement Order = "disagreement" // where rules and model are furthest apart first
)

// Orders lists the names of the orders, the default first.
func Orders() []string {
	return []string{string(BySatisfaction), string(ByAverage), string(ByDisagreement)}
}

// Compare is negative where a comes before b. It is a total order: of equals by what is asked for, the lower
// satisfaction comes first, then the lower average, then the lower id, then what was read first.
func (o Order) Compare(a, b *run.Row) int {
	first := 0
	switch o {
	case ByAverage:
		first = cmp.Compare(a.Average, b.Average)
	case ByDisagreement:
		first = cmp.Compare(disagreement(b), disagreement(a))
	}
	return cmp.Or(first,
		cmp.Compare(a.Satisfaction, b.Satisfaction), cmp.Compare(a.Average, b.Average),
		cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Place, b.Place))
}

func disagreement(r *run.Row) rubric.Hundredths {
	if r.CrossCheck == nil {
		return 0
	}
	return r.CrossCheck.Disagreement
}

// Least keeps the n least of the values that it is given, by an order, and drops all others. It holds twice as many at
// most.
type Least[T any] struct {
	n       int
	compare func(a, b T) int
	list    []T
}

// NewLeast makes a Least that keeps n values.
func NewLeast[T any](n int, compare func(a, b T) int) *Least[T] {
	return &Least[T]{n: n, compare: compare}
}

// Add keeps a value, unless there are n smaller ones.
func (l *Least[T]) Add(v T) {
	if l.list = append(l.list, v); len(l.list) > 2*l.n {
		l.cut()
	}
}

// List gives what is kept, the least first.
func (l *Least[T]) List() []T {
	l.cut()
	return slices.Clone(l.list)
}

func (l *Least[T]) cut() {
	slices.SortFunc(l.list, l.compare)
	l.list = slices.Delete(l.list, min(l.n, len(l.list)), len(l.list))
}

// Choose spends a budget of n dialogues on rows, which it sorts by satisfaction. One half goes to the worst. The other
// goes to those whose satisfaction is nearest to the cut, on either side of it, from which on nobody need read them:
// there the rules are most often wrong about who belongs where. The cut is that of the profile, if it has one, or else
// the last of the top dialogues that are shown; where all are shown there is none, and everything goes to the worst.
// Each comes with why it was picked, in words that assize explain knows: "worst", or "unsure: 0.03 above the cut of
// 2.71".
//
// Being near the cut is all that is known of being unsure. On the rated dialogues (USS), how far the rules' estimate is
// off cannot be told from the number of signals, the rulings or how mixed the USER's reactions are.
func Choose(rows []run.Row, n, top int, flag *heuristics.Triage) (picks []Ranked) {
	slices.SortFunc(rows, func(a, b run.Row) int { return BySatisfaction.Compare(&a, &b) })
	n = min(n, len(rows))
	worst, cut := n, rubric.Hundredths(0)
	switch {
	case flag != nil:
		worst, cut = (n+1)/2, flag.Cut
	case top < len(rows):
		worst, cut = (n+1)/2, rows[top-1].Satisfaction
	}
	for _, r := range rows[:worst] {
		picks = append(picks, Ranked{Row: r, Picked: "worst"})
	}
	away := func(r run.Row) rubric.Hundredths { return max(r.Satisfaction-cut, cut-r.Satisfaction) }
	nearer := func(a, b run.Row) int { return cmp.Compare(away(a), away(b)) }
	rest := slices.SortedStableFunc(slices.Values(rows[worst:]), nearer)
	for _, r := range rest[:n-worst] {
		why := fmt.Sprintf("unsure: at the cut of %s", cut)
		if r.Satisfaction < cut {
			why = fmt.Sprintf("unsure: %s below the cut of %s", away(r), cut)
		} else if r.Satisfaction > cut {
			why = fmt.Sprintf("unsure: %s above the cut of %s", away(r), cut)
		}
		picks = append(picks, Ranked{Row: r, Picked: why})
	}
	return picks
}

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
		mute[d.ID] = d.Cue
	}
	return mute
}
