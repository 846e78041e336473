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

	"assize/cmd/assize/internal/report"
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
	Claim     string           // its final rating's claim as a sentence, ready to be shown
	Evidence  []rubric.Quote   // at most maxEvidence quotes of that rating, verified to be in the dialogue
	Friction  []rubric.Hundredths
}

// Finding returns what was found, without the sentence for its score that a rule's claim begins with:
// beside "TaskSuccess 20", "the USER gives up" says more than "the request failed".
func (e *Explanation) Finding() string {
	for _, subject := range []string{": the SYSTEM", ": the USER", ": the conversation"} {
		if _, finding, ok := strings.Cut(e.Claim, subject); ok {
			return strings.TrimSuffix(subject[len(": "):]+finding, ".")
		}
	}
	return strings.TrimSuffix(e.Claim, ".")
}

// maxEvidence bounds the quotes of an explanation.
const maxEvidence = 2

// Explain returns the explanation of an evaluation: the final rating that cost the weighted average most.
func Explain(e *rubric.Evaluation) Explanation {
	r := Explanation{Friction: summary.Friction(e)}
	c, ok := failed(e)
	if !ok {
		return r
	}
	r.Criterion, r.Score, r.Claim = c, e.Final[c].Score, report.Sentence(e.Final[c].Claim)
	for _, q := range e.Final[c].Quotes {
		if len(r.Evidence) < maxEvidence && q.Verify(e.Dialogue) {
			r.Evidence = append(r.Evidence, q)
		}
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
