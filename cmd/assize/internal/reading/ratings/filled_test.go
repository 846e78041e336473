package ratings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Five steps of words or faces are the levels 1 to 5 in order; fewer have their usual values.
func TestWordsInOrder(t *testing.T) {
	for _, tt := range []struct {
		reason, words string
		want          []float64
	}{
		{"five words", "Terrible,Bad,OK,Great,Amazing", []float64{1, 2, 3, 4, 5}},
		{"in any order", "great,terrible,amazing,ok,bad", []float64{4, 1, 5, 3, 2}},
		{"five faces", "😡,🙁,😐,🙂,😀", []float64{1, 2, 3, 4, 5}},
		{"seven levels", "Extremely Unhappy,Very Unhappy,Unhappy,Neutral,Happy,Very Happy," +
			"Extremely Happy", []float64{1, 1.67, 2.33, 3, 3.67, 4.33, 5}},
		{"good and bad", "good,bad", []float64{5, 1}},
		{"numbers as well", "4,5,bad", []float64{4, 5, 1}},
	} {
		var text strings.Builder
		text.WriteString("id,csat\n")
		for i, word := range strings.Split(tt.words, ",") {
			fmt.Fprintf(&text, "%d,%s\n", i+1, word)
		}
		f, err := ReadFile(strings.NewReader(text.String()), "people.csv", nil, nil)
		require.NoError(t, err, tt.reason)
		var got []float64
		for _, r := range f.ratings {
			got = append(got, r.value)
		}
		assert.Equal(t, tt.want, got, tt.reason)
	}
	_, err := ReadFile(strings.NewReader("id,csat\n1,5/0\n"), "people.csv", nil, nil)
	assert.ErrorContains(t, err, "not read: 1 rating: \"5/0\" in row 2 (dialogue 1)")
}
