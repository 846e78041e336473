package ratings

import (
	"math"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// Rated is a scored dialogue with what people said of it, on the scale from 1 to 5.
type Rated struct {
	Record   *record.Record
	Overall  []float64                     // one a rater, NaN where that rater gave none; nil for none at all
	Criteria [rubric.NumCriteria][]float64 // the same raters
}

// Mean is the mean of Overall; NaN for none.
func (r *Rated) Mean() float64 { return Mean(r.Overall) }

// Mean is the mean of the values that are there; NaN for none. It is rounded to nine decimals, so that equal means tie
// whatever order they were added up in.
func Mean(values []float64) float64 {
	var sum float64
	n := 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return math.Round(sum/float64(n)*1e9) / 1e9
}

// vote is what one person gave a dialogue.
type vote struct {
	rater string
	marks [numMarks]float64 // NaN where there is none
}

// The marks of a vote: those of the criteria, in rubric order, and that of the whole dialogue.
const (
	overall  = rubric.NumCriteria
	numMarks = rubric.NumCriteria + 1
)

func newVote(rater string) vote {
	v := vote{rater: rater}
	for i := range v.marks {
		v.marks[i] = math.NaN()
	}
	return v
}

// rate makes a Rated of votes.
func rate(r *record.Record, votes []vote) Rated {
	column := func(mark int) []float64 {
		var values []float64
		for i, v := range votes {
			if m := v.marks[mark]; !math.IsNaN(m) && values == nil {
				values = make([]float64, len(votes))
				for j := range i {
					values[j] = math.NaN()
				}
			}
			if values != nil {
				values[i] = v.marks[mark]
			}
		}
		return values
	}
	rated := Rated{Record: r, Overall: column(overall)}
	for c := range rubric.NumCriteria {
		rated.Criteria[c] = column(c)
	}
	return rated
}
