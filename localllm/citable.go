package localllm

import (
	"math"

	"assize/rubric"
)

// Citable lists the numbers of the turns that a model may cite for a criterion, where it is shown the dialogue whole.
func Citable(c rubric.Case, k rubric.Criterion) []int {
	t := newTranscript(c, math.MaxInt32)
	return t.turns(t.whole(), k)
}
