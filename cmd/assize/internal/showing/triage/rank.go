// Package triage finds the dialogues that a person should read first and explains each.
//
// Dialogues are ranked worst first by a [run.Order], and a [Least] keeps only the requested number.
// [Choose] spends a model's time where it can make a difference: on the worst dialogues, and on
// those for which the rules are unsure on which side of the cut they are. A [Ranking] writes them.
package triage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/results"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

// Least keeps the n least of the values added to it, by an order. It stores at most 2n values.
type Least[T any] struct {
	n       int
	compare func(a, b T) int
	list    []T
}

// NewLeast returns a Least that keeps n values.
func NewLeast[T any](n int, compare func(a, b T) int) *Least[T] {
	return &Least[T]{n: n, compare: compare}
}

// Add adds a value, which is kept unless there are n smaller ones.
func (l *Least[T]) Add(v T) {
	if l.list = append(l.list, v); len(l.list) > 2*l.n {
		l.cut()
	}
}

// List returns the kept values, the least first.
func (l *Least[T]) List() []T {
	l.cut()
	return slices.Clone(l.list)
}

func (l *Least[T]) cut() {
	slices.SortFunc(l.list, l.compare)
	l.list = slices.Delete(l.list, min(l.n, len(l.list)), len(l.list))
}

// Choose spends a budget of n dialogues on rows, which it sorts by satisfaction. One half is spent
// on the worst. The other half is spent on those whose satisfaction is nearest to the cut, on
// either side, above which nobody needs to read: there the rules are most often wrong about the
// side. The cut is that of the profile, if it has one, or else the satisfaction of the last of the
// top dialogues; if all dialogues are shown there is no cut, and everything is spent on the worst.
// The reason for each pick is "worst", or "unsure: 0.03 above the cut of 2.71".
//
// Distance to the cut is the only known measure of uncertainty. On the rated dialogues (USS),
// neither the number of signals nor the rulings nor mixed reactions of the USER predict the error.
func Choose(rows []run.Row, n, top int, flag *satisfaction.Triage) (picks []Ranked) {
	slices.SortFunc(rows, func(a, b run.Row) int { return run.BySatisfaction.Compare(&a, &b) })
	n = min(n, len(rows))
	worst, cut := n, rubric.Hundredths(0)
	switch {
	case flag != nil:
		worst, cut = (n+1)/2, flag.Cut
	case top < len(rows):
		worst, cut = (n+1)/2, rows[top-1].Satisfaction
	}
	picks = ui.Each(rows[:worst], func(r run.Row) Ranked { return Ranked{Row: r, Picked: "worst"} })
	away := func(r run.Row) rubric.Hundredths { return max(r.Satisfaction-cut, cut-r.Satisfaction) }
	nearer := func(a, b run.Row) int { return cmp.Compare(away(a), away(b)) }
	rest := slices.SortedStableFunc(slices.Values(rows[worst:]), nearer)
	for _, r := range rest[:n-worst] {
		why := map[string]any{"At": r.Satisfaction, "Cut": cut, "Away": away(r)}
		picks = append(picks, Ranked{Row: r, Picked: texts.Say("unsure", why)})
	}
	return picks
}

// Explanation is the reason for a dialogue's rank.
type Explanation struct {
	Criterion rubric.Criterion // the criterion that cost the average most points
	Score     rubric.Score     // its score; 0 if nothing failed
	Claim     string           // the claim of its final rating as a sentence for display
	Evidence  []rubric.Quote   // up to maxEvidence verified quotes of that rating
	Friction  []rubric.Hundredths
	// the states of the claims that are the reason instead; nil if the rating is
	States []rubric.DeedState
}

// Finding returns the finding without the sentence about the score at the beginning of a rule's
// claim: next to "TaskSuccess 20", "the USER gives up" says more than "the request failed".
func (e *Explanation) Finding() string {
	for _, subject := range []string{": the SYSTEM", ": the USER", ": the conversation"} {
		if _, finding, ok := strings.Cut(e.Claim, subject); ok {
			return strings.TrimSuffix(subject[len(": "):]+finding, ".")
		}
	}
	return strings.TrimSuffix(e.Claim, ".")
}

// maxEvidence limits the quotes of an explanation.
const maxEvidence = 2

// Explain explains an evaluation by the final rating that cost the weighted average most.
func Explain(e *rubric.Evaluation) Explanation {
	r := Explanation{Friction: summary.Friction(e)}
	c, ok := e.Costliest()
	if !ok {
		return r
	}
	r.Criterion, r.Score, r.Claim = c, e.Final[c].Score, results.Sentence(e.Final[c].Claim)
	for _, q := range e.Final[c].Quotes {
		if len(r.Evidence) < maxEvidence && q.Verify(e.Dialogue) {
			r.Evidence = append(r.Evidence, q)
		}
	}
	return r
}

// Lists reports whether claims with this state are the reason.
func (r *Explanation) Lists(s rubric.DeedState) bool { return slices.Contains(r.States, s) }

// byClaims makes the claims with one of the states the reason.
func (r *Explanation) byClaims(of *run.Record, states []rubric.DeedState) {
	r.States, r.Claim, r.Evidence = states, strings.Join(results.Unproven(of, states...), "\n"), nil
	for _, c := range of.Deeds {
		if slices.Contains(states, c.State) && len(r.Evidence) < maxEvidence {
			r.Evidence = append(r.Evidence, rubric.Quote{Turn: c.Turn, Text: c.Text})
		}
	}
}

// Failed returns the criterion that cost most, such as "TaskSuccess 20", or "nothing".
func (r *Explanation) Failed() string {
	if r.Score == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s %d", r.Criterion, r.Score)
}

// Reason returns why the criterion failed, or "" if nothing failed. The evidence comes first, the
// last words before earlier ones, since it differs between dialogues that failed alike. Quotes are
// as they were said; the finding is in plain words.
func (r *Explanation) Reason() string {
	if r.Score == 0 {
		return ""
	}
	why, after := "", ""
	for _, q := range slices.Backward(r.Evidence) {
		why, after = why+after+"“"+q.Text+"” ", "after "
	}
	return why + ui.Name(r.Failed()) + ": " + ui.PlainRoles(r.Finding())
}
