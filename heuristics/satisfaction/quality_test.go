package satisfaction

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/heuristics"
	"assize/heuristics/evidence"
	"assize/rubric"
	"assize/rubric/dialogue"
)

func TestQuality(t *testing.T) {
	d := said("My router is dead.", "It is fixed.", "No.", "Try again.", "Thanks.")
	d.Turns = append(d.Turns, dialogue.Turn{Role: dialogue.Other, Text: "log"})
	q := Quality{
		Usual: 50, Once: []string{"once"},
		Weights: map[string]rubric.Hundredths{"seen": 200, "shown": 50, "once": 100},
		Last:    map[string]rubric.Hundredths{"final": 100, "once": 100},
	}
	signal := func(id string, turn int, points rubric.Hundredths) rubric.Signal {
		return rubric.Signal{ID: id, Turn: turn, Points: points}
	}
	tests := []struct {
		reason string
		signal rubric.Signal
		want   int64 // millionths of a point
	}{
		{"of two answers each is divided by three", signal("seen", 2, 100), 2_000_000 / 3},
		{"the USER's first of three turns weighs a sixth", signal("shown", 1, -300),
			-1_500_000 / 6},
		{"the last weighs three times as much", signal("shown", 5, -300), -1_500_000 / 2},
		{"what counts once counts whole", signal("once", 4, -100), -1_000_000},
		{"the last of two answers may count besides", signal("final", 4, 100), 1_000_000 / 3},
		{"and the USER's last turn, whole", signal("final", 5, 100), 1_000_000},
		{"but no other turn", signal("final", 3, 100), 0},
		{"what has no weight counts nothing", signal("else", 2, 400), 0},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			sum, shares := q.of(d, []rubric.Signal{tt.signal})
			assert.Equal(t, []int64{tt.want}, shares)
			assert.Equal(t, tt.want-500_000, sum)
		})
	}
	_, shares := q.of(d, []rubric.Signal{signal("once", 2, -100), signal("once", 4, -100)})
	assert.Equal(t, []int64{-1_000_000, 0}, shares, "only the first of what counts once")
}

// A detector with a weight must have points in service cases, or its weight has no effect.
func TestQualityWeighsWhatHasPoints(t *testing.T) {
	detectors := map[string]evidence.Detector{}
	for _, d := range heuristics.New().Detectors() {
		detectors[d.ID] = d
	}
	q := serviceQuality()
	for _, weights := range []map[string]rubric.Hundredths{q.Weights, q.Last} {
		for id := range weights {
			assert.NotZero(t, detectors[id].InService, id)
		}
	}
	for _, id := range q.Once {
		assert.True(t, detectors[id].Once, id)
	}
}
