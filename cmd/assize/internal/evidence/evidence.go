// Package evidence measures whether a judge looks at what it cites: how often the turns that it cites for low scores
// are those at which the rules see a fault of the same criterion, compared with turns picked at random.
package evidence

import (
	"math"

	"assize/localllm"
	"assize/rubric"
)

// Relevance counts the turns that were cited for scores up to 60. A score for which the rules see no fault in the
// dialogue, or one at every turn that can be cited, shows nothing and is not counted. The zero Relevance is empty.
type Relevance struct {
	Cited, Relevant int // turns, and those of them at a fault

	chance float64 // that a turn picked at random is at a fault, summed over those that are cited
}

// Fewest is how many turns must be cited before anything can be said.
const Fewest = 8

// Add counts the evidence of an Evaluator for a dialogue.
func (r *Relevance) Add(c rubric.Case, card rubric.Scorecard) {
	for k, rating := range card {
		if rating.Score > 60 {
			continue
		}
		faults, hits := Faults(c, rubric.Criterion(k)), 0
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

// Share is the part of the cited turns that are at a fault, from 0 to 1; NaN for none.
func (r Relevance) Share() float64 { return float64(r.Relevant) / float64(r.Cited) }

// Base is the part that turns picked at random would have; NaN where none is cited.
func (r Relevance) Base() float64 { return r.chance / float64(r.Cited) }

// AboveChance is how far the evidence is better than chance: 0 is chance, 1 is always at a fault. It is NaN where fewer
// than [Fewest] turns are cited.
func (r Relevance) AboveChance() float64 {
	if r.Cited < Fewest {
		return math.NaN()
	}
	return (r.Share() - r.Base()) / (1 - r.Base())
}

// Faults gives the turns at which a signal of a criterion points down, and those that it is about.
func Faults(c rubric.Case, k rubric.Criterion) map[int]bool {
	at := map[int]bool{}
	for _, s := range c.Signals {
		if s.Points < 0 && s.Criteria.Has(k) {
			at[s.Turn] = true
			at[s.About] = true
		}
	}
	return at
}
