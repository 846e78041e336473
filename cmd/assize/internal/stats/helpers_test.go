package stats

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// none is the result if nothing can be measured.
var none = math.NaN()

// same asserts that two figures are equal except for rounding, or both NaN.
func same(t *testing.T, want, got float64, reason string) {
	t.Helper()
	assert.True(t, math.IsNaN(want) == math.IsNaN(got) && !(math.Abs(want-got) > 1e-9),
		"%s: got %v, want %v", reason, got, want)
}

// identical asserts that two figures are equal to the last bit, or both NaN.
func identical(t *testing.T, want, got float64) {
	t.Helper()
	assert.True(t, want == got || math.IsNaN(want) && math.IsNaN(got), "got %v, want %v", got, want)
}

// contains reports whether a list contains a word.
func contains(words, word string) bool { return slices.Contains(strings.Fields(words), word) }

// repeat returns the values with each repeated as often as it counts.
func repeat[V any](values []V, times []int) []V {
	var repeated []V
	for i, v := range values {
		for range times[i] {
			repeated = append(repeated, v)
		}
	}
	return repeated
}

func negative(values []float64) []float64 {
	turned := make([]float64, len(values))
	for i, v := range values {
		turned[i] = -v
	}
	return turned
}

func ones(n int) []int {
	times := make([]int, n)
	for i := range times {
		times[i] = 1
	}
	return times
}

// auc computes AUC by its definition: over all pairs of one of the worst and one of the rest.
func auc(x []float64, worst []bool) float64 {
	won, all := 0.0, 0.0
	for i := range x {
		for j := range x {
			if worst[i] && !worst[j] {
				all++
				if x[i] < x[j] {
					won++
				} else if x[i] == x[j] {
					won += .5
				}
			}
		}
	}
	return won / all
}
