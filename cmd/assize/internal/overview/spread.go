package overview

import (
	"math"

	"assize/rubric"
)

// Spread is how the scores of a criterion lie.
type Spread struct {
	Levels [5]int // how many dialogues have each level, lowest first
}

func (s *Spread) add(score rubric.Score) { s.Levels[score.Level()]++ }

// N is how many scores there are.
func (s *Spread) N() int {
	n := 0
	for _, k := range s.Levels {
		n += k
	}
	return n
}

// Mean is the mean score; 0 where there is none.
func (s *Spread) Mean() float64 {
	sum := 0
	for l, n := range s.Levels {
		sum += n * int(rubric.Scale[l])
	}
	return float64(sum) / float64(max(s.N(), 1))
}

// Deviation is the standard deviation of the scores about their mean, as of a whole population.
func (s *Spread) Deviation() float64 {
	mean, sum := s.Mean(), 0.0
	for l, n := range s.Levels {
		off := float64(rubric.Scale[l]) - mean
		sum += float64(float64(n) * float64(off*off))
	}
	return math.Sqrt(sum / float64(max(s.N(), 1)))
}

// Below is the part of the scores, from 0 to 1, that lie below a score.
func (s *Spread) Below(score rubric.Score) float64 {
	below := 0
	for _, n := range s.Levels[:score.Level()] {
		below += n
	}
	return float64(below) / float64(max(s.N(), 1))
}
