package fit

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics/satisfaction"
	"assize/rubric/dialogue"
)

// A rare word with a large weight matters less than a frequent one. Words shared with a stronger
// feature are left out.
func TestStrongest(t *testing.T) {
	f := func(g satisfaction.Group, name string, have int, weight float64) weighed {
		return weighed{&feature{group: g, name: name, have: make([]int32, have)}, weight}
	}
	got := strongest([]weighed{f(0, "thanks, last", 50, 0.2), f(0, "thanks", 60, 0.1),
		f(1, "gem", 1, 0.3), f(6, "refund", 40, -0.2), f(5, "the refund", 30, -0.15)}, 100,
		map[string]string{"thanks": "the USER thanks"})
	assert.Equal(t, []weight{
		{"'refund' by the SYSTEM, opening", stats.Four(-0.2), 40},
		{"USER's last turn: the USER thanks (thanks)", stats.Four(0.2), 50},
		{"'gem' by the USER", stats.Four(0.3), 1},
	}, got)
}

// Of a dialogue's source, only the day is kept.
func TestDay(t *testing.T) {
	for value, want := range map[string]string{"2024-03-12T23:15:00Z": "2024-03-12",
		"31/03/2024": "2024-03-31", "10:15": "", "soon": ""} {
		pt := pointsAt([]float64{1}, []float64{1})[0]
		pt.Meta = dialogue.NewMeta([]dialogue.Field{{Name: "agent", Value: "2020-01-01"},
			{Name: "Created at", Value: value}})
		assert.Equal(t, want, pt.Date("us"), value)
	}
}
