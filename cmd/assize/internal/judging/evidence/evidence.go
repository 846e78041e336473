// Package evidence measures whether a judge reads what it cites: how often the turns that it cites
// for low scores are those in which the rules find a fault of the same criterion, compared with
// turns chosen at random.
package evidence

import (
	"math"

	"assize/localllm"
	"assize/rubric"
)

// Relevance counts the turns cited for scores up to 60. It ignores a score if the rules find no
// fault in the dialogue, or one in every turn that can be cited, since that is not informative. The
// zero Relevance is empty.
type Relevance struct {
	Cited, Relevant int // the number of cited turns, and of those with a fault

	chance float64 // the probability that a random turn has a fault, summed over the cited turns
}

// MinCited is the minimum number of cited turns for a result.
const MinCited = 8

// Add counts the evidence that an Evaluator cites for a dialogue.
func (r *Relevance) Add(c rubric.Case, card rubric.Scorecard) {
	for k, rating := range card {
		if rating.Score > 60 {
			continue
		}
		faults, hits := faultTurns(c, rubric.Criterion(k)), 0
		citable := localllm.Citable(c, rubric.Criterion(k))
		for _, turn := range citable {
			if faults[turn] {
				hits++
			}
		}
		if hits == 0 || hits == len(citable) {
			continue
		}
		for _, q := range rating.Quotes {
			r.Cited++
			r.chance += float64(hits) / float64(len(citable))
			if faults[q.Turn] {
				r.Relevant++
			}
		}
	}
}

// Share returns the fraction of cited turns with a fault, from 0 to 1; NaN if no turn is cited.
func (r Relevance) Share() float64 { return float64(r.Relevant) / float64(r.Cited) }

// Base returns the expected fraction for turns chosen at random; NaN if no turn is cited.
func (r Relevance) Base() float64 { return r.chance / float64(r.Cited) }

// AboveChance returns how much better than chance the evidence is: 0 is chance, and 1 means that
// every cited turn has a fault. It returns NaN if fewer than [MinCited] turns are cited.
func (r Relevance) AboveChance() float64 {
	if r.Cited < MinCited {
		return math.NaN()
	}
	return (r.Share() - r.Base()) / (1 - r.Base())
}

// faultTurns returns the turns at which a signal of a criterion points down, and the turns that
// such signals are about.
func faultTurns(c rubric.Case, k rubric.Criterion) map[int]bool {
	at := map[int]bool{}
	for _, s := range c.Signals {
		if s.Points < 0 && s.Criteria.Has(k) {
			at[s.Turn] = true
			at[s.About] = true
		}
	}
	return at
}
