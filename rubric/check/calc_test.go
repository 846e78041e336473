package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

func TestReadSum(t *testing.T) {
	for _, tt := range []struct {
		text, reason string
		terms        [][2]int
		sum          float64
	}{
		{"100*0.40 + 60*0.15", "as the documents print it", [][2]int{{100, 40}, {60, 15}}, 49},
		{"0.40*100+0.15*60", "the weight first", [][2]int{{100, 40}, {60, 15}}, 49},
		{"100*.40 + 60*.15", "short", [][2]int{{100, 40}, {60, 15}}, 49},
		{"40 + 9.00", "products alone", [][2]int{{40, 100}, {9, 100}}, 49},
		{"", "nothing", nil, 0},
		{"100*0.40 - 60*0.15", "another sign", nil, 0},
		{"100*0.40*1", "three factors", nil, 0},
		{"100*a", "a letter", nil, 0},
		{"TaskSuccess*0.40", "a name", nil, 0},
		{"100*0.4.0", "no number", nil, 0},
		{"*", "a sign alone", nil, 0},
		{"1e3*1", "digits alone count", nil, 0},
	} {
		terms, sum := readSum(tt.text)
		assert.Equal(t, tt.terms, terms, tt.reason)
		assert.InDelta(t, tt.sum, sum, 1e-9, tt.reason)
	}
}

// A number beyond a byte is off the scale, even if its lowest eight bits are a score.
func TestOnScale(t *testing.T) {
	for text, want := range map[string]rubric.Score{"80": 80, "80.0": 80, "85": 0, "0": 0,
		"-20": 0, "120": 0, "276": 0, "336": 0, "-156": 0, `"80"`: 0} {
		n, _, err := parse(text)
		require.NoError(t, err)
		assert.Equal(t, want, onScale(n), text)
	}
}
