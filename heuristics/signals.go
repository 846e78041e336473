package heuristics

import "assize/rubric"

// byTurn gives a copy of the scene's signals in the order of turns, those of one turn as they were found: by
// detector. It is a counting sort, since a long dialogue has many.
func (s *scene) byTurn() []rubric.Signal {
	s.starts = append(s.starts[:0], make([]int32, len(s.turns)+2)...)
	for i := range s.signals {
		s.starts[s.signals[i].Turn+1]++
	}
	for n := 1; n < len(s.starts); n++ {
		s.starts[n] += s.starts[n-1]
	}
	sorted := make([]rubric.Signal, len(s.signals))
	for i := range s.signals {
		at := &s.starts[s.signals[i].Turn]
		sorted[*at] = s.signals[i]
		*at++
	}
	return sorted
}
