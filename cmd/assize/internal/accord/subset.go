package accord

// subset is some of the dialogues of a group, by their places.
type subset struct {
	units []int
	times []int
}

func newSubset(units []int) *subset { return &subset{units, make([]int, len(units))} }

// of picks from how often each dialogue of the group counts how often those of the subset do; nil stays nil.
func (s *subset) of(times []int) []int {
	if times == nil {
		return nil
	}
	for i, u := range s.units {
		s.times[i] = times[u]
	}
	return s.times
}
