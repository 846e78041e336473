package ratings

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/run"
	satisfactions "assize/heuristics/satisfaction"
	"assize/rubric"
)

// The dialogues on which people differ most come first; one rating or equal ones are left out.
func TestSplits(t *testing.T) {
	none := math.NaN()
	of := func(name string, given ...float64) Split {
		return Rated{Row: &run.Row{Name: name, File: "a.csv"}, Raters: []string{"ann", "b\x1bn", "cy"},
			Overall: given}.Split()
	}
	most, says := Splits([]Split{of("1", 3, 4, none), of("2", none, 2, 2), of("3", 1, none, 5),
		of("4", 4, none, none), of("5", 1, 2.5, 2), of("6"), of("7", 5, 5, 3)}, DefaultScale)
	assert.EqualValues(t, []string{"People differ on 4 of 5 dialogues that several rated, most on 3 of a.csv " +
		"(ann: 1, cy: 5); 7 of a.csv (ann: 5, b␛n: 5, cy: 3); 5 of a.csv (ann: 1, b␛n: 2.5, cy: 2)."}, says)
	assert.Equal(t, Split{"3", "a.csv", []string{"ann", "cy"}, []float64{1, 5}, ""}, most[0])
	_, says = Splits([]Split{of("2", none, 2, 2)}, DefaultScale)
	assert.Empty(t, says)
	most, says = Splits([]Split{of("8", 1, 1+4.0/3, none)}, Scale{Low: 1, High: 7})
	assert.Equal(t, []float64{1, 3}, most[0].Ratings)
	assert.EqualValues(t, []string{"People differ on 1 of 1 dialogues that several rated, most on 8 of a.csv " +
		"(ann: 1, b␛n: 3)."}, says)
}

// The dialogues on which satisfaction is farthest from people's mean come first.
func TestMissed(t *testing.T) {
	of := func(name string, satisfaction rubric.Hundredths, given ...float64) Rated {
		return Rated{Row: &run.Row{Name: name, File: "a.csv",
			Estimate: satisfactions.Estimate{Satisfaction: satisfaction}}, Overall: given}
	}
	most, says := Missed([]Rated{of("1", 320, 3, 4), of("2", 290, 1, math.NaN()), of("3", 400, 4),
		of("4", 500)}, DefaultScale)
	assert.EqualValues(t, []string{"Satisfaction, put on people's scale, differs most from people's mean on 2 of a.csv " +
		"(satisfaction: 2.9, people: 1); 1 of a.csv (satisfaction: 3.2, people: 3.5)."}, says)
	assert.Equal(t, Split{"2", "a.csv", []string{"satisfaction", "people"}, []float64{2.9, 1}, ""}, most[0])
}
