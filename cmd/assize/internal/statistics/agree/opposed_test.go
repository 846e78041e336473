package agree

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/reading/ratings"
)

func TestARaterWhoRunsAgainstTheOthersIsNamed(t *testing.T) {
	rated := crowd(t, "a.txt", 40, 3, .3)
	for i := range rated {
		rated[i].Raters = []string{"ann", "ben", "cy"}
	}
	assert.Empty(t, Reversed(rated))
	for i := range rated {
		rated[i].Overall[2] = 6 - rated[i].Overall[2]
	}
	list := Reversed(rated)
	assert.Len(t, list, 1)
	assert.Contains(t, list[0], "The ratings by cy run against those of the others: Spearman -0.")
	assert.Contains(t, New(t.Context(), rated, options()).Answer, list[0])
	assert.Empty(t, Reversed(rated[:19]), "too few")

	for i := range rated { // of two, nobody knows which is wrong
		rated[i].Overall[0] = math.NaN()
	}
	assert.Empty(t, Reversed(rated))
	for i := range rated {
		rated[i].Overall = []float64{6 - rated[i].Overall[1]}
	}
	assert.Contains(t, Reversed(rated)[0], "People's ratings are lower where satisfaction is higher")
	assert.Empty(t, Reversed([]ratings.Rated{}))
}
