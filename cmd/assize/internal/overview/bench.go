package overview

import (
	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// Bench is how far the rules go together with a model.
type Bench struct {
	Checked  int // dialogues with a cross-check
	Criteria [rubric.NumCriteria]Verdicts
	Apart    [numApart]int // dialogues by their disagreement, in steps of half a level
}

// numApart is how many steps of half a level the scale of disagreement has: 0.00 to 0.49, … , 4.00.
const numApart = 9

// Verdicts counts dialogues by [rubric.Verdict].
type Verdicts [rubric.Contradict + 1]int

func (b *Bench) add(r *record.Record) {
	k := r.CrossCheck
	if k == nil {
		return
	}
	b.Checked++
	for i := range k.Criteria {
		b.Criteria[i][k.Criteria[i].Verdict()]++
	}
	b.Apart[min(k.Disagreement/50, numApart-1)]++
}

// Total adds up the criteria.
func (b *Bench) Total() (sum Verdicts) {
	for i := range b.Criteria {
		for v, n := range b.Criteria[i] {
			sum[v] += n
		}
	}
	return sum
}
