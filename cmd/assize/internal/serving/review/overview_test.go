package review_test

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/serving/review"
)

// The random sample grows in steps of ten, from the start of the shuffled order.
func TestSample(t *testing.T) {
	s, _ := open(t, 31)
	shuffled := names(t, s, review.Filter{Order: review.Shuffled})
	require.Len(t, shuffled, 30)
	says := func() string {
		p, err := s.Sample(t.Context(), review.Filter{})
		require.NoError(t, err)
		assert.Equal(t, 30, p.All)
		return p.String()
	}
	drawn := func() int {
		var w bytes.Buffer
		require.NoError(t, s.Ratings(t.Context(), &w, nil))
		cells, err := csv.NewReader(&w).ReadAll()
		require.NoError(t, err)
		n := 0
		for _, row := range cells[1:] {
			if row[len(row)-2] != "" {
				n++
			}
		}
		return n
	}
	assert.Contains(t, says(), "; 0 are rated so far in this order.")
	for i, name := range shuffled {
		rate(t, s, "ann", name, 3, nil)
		switch i + 1 {
		case 9:
			assert.Zero(t, drawn())
		case 10, 19:
			assert.Equal(t, 10, drawn())
		}
	}
	assert.Equal(t, "All 30 scored dialogues are rated.", says())
	assert.Equal(t, 30, drawn())
	p, err := s.Sample(t.Context(), review.Filter{By: "ann"})
	require.NoError(t, err)
	assert.Zero(t, p.All, "ann chose what she rated")
}

func TestOverview(t *testing.T) {
	s, _ := open(t, 10)
	rate(t, s, "ann", "1", 4, nil)
	o, err := s.Overview(t.Context(), review.Filter{})
	require.NoError(t, err)
	assert.Equal(t, []int{9, 8}, []int{o.Dialogues, o.Unrated})
	assert.Equal(t, 9, o.Scored)
	o, err = s.Overview(t.Context(), review.Filter{Agent: "Bob"})
	require.NoError(t, err)
	assert.Equal(t, []int{4, 3}, []int{o.Dialogues, o.Unrated})

	themes, err := s.Themes(t.Context(), review.Filter{}, 2, 1)
	require.NoError(t, err)
	require.Len(t, themes, 2)
	assert.GreaterOrEqual(t, themes[0].Dialogues, themes[1].Dialogues)
	for _, theme := range themes {
		require.Len(t, theme.Examples, 1, theme.Reason)
		assert.NotEmpty(t, theme.Examples[0].Said)
	}
	assert.NotEqual(t, themes[0].Examples[0].Name, themes[1].Examples[0].Name)

	steps := review.Steps()
	assert.Equal(t, "1.00 to 1.49", steps[0].Name)
	assert.Equal(t, "4.50 to 5.00", steps[7].Name)
	n := 0
	for _, step := range steps {
		n += len(names(t, s, review.Filter{Satisfaction: step}))
	}
	assert.Equal(t, 9, n, "each dialogue is in one step")
}
