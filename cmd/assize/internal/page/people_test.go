package page

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/heuristics"
	"assize/rubric"
)

// The table says what the scatter plot shows; a dialogue that nobody rated is not in it.
func TestRatedTable(t *testing.T) {
	rated := func(satisfaction rubric.Hundredths, marks ...float64) ratings.Rated {
		return ratings.Rated{Record: &record.Record{Estimate: heuristics.Estimate{Satisfaction: satisfaction}}, Overall: marks}
	}
	p := &Page{Rated: []ratings.Rated{rated(100, 1, 2), rated(250, 3), rated(299, 4, 4), rated(300, 2), rated(310), rated(500, 5)}}
	assert.Equal(t, [][]string{{"1.0", "1", "1.50"}, {"2.5", "2", "3.50"}, {"3.0", "1", "2.00"}, {"5.0", "1", "5.00"}}, p.ratedTable().Rows)
}
