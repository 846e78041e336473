package fit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

func TestLevelOf(t *testing.T) {
	for rating, want := range map[float64]int{1: 1, 1.49: 1, 1.5: 2, 2.5: 3, 3.4999: 3, 3.5: 4,
		4.5: 5, 5: 5} {
		assert.Equal(t, want, ratings.Level(rating), "%v: halves go up", rating)
	}
}

func TestCuts(t *testing.T) {
	type list = []rubric.Hundredths
	for _, tt := range []struct {
		reason string
		found  list
		wanted [numLevels]int
		want   list
		placed [numLevels]int
	}{
		{"each level takes its number, and a cut lies in the middle", list{120, 310, 200, 300, 420, 490}, [5]int{1, 1, 2, 1, 1}, list{160, 250, 365, 455}, [5]int{1, 1, 2, 1, 1}},
		{"levels at the ends that nobody used end where the scale does", list{200, 300, 310, 400}, [5]int{0, 1, 2, 1, 0}, list{100, 250, 355, 500}, [5]int{0, 1, 2, 1, 0}},
		{"a level between that nobody used is empty", list{200, 210, 400, 410}, [5]int{0, 2, 0, 2, 0}, list{100, 305, 305, 500}, [5]int{0, 2, 0, 2, 0}},
		// One of three equal values should be below; none is nearer to one than three.
		{"equal satisfactions stay together", list{300, 300, 300, 400}, [5]int{0, 1, 2, 1, 0}, list{100, 100, 350, 500}, [5]int{0, 0, 3, 1, 0}},
		{"and go to the nearer side", list{300, 300, 300, 400}, [5]int{0, 2, 1, 1, 0}, list{100, 350, 350, 500}, [5]int{0, 3, 0, 1, 0}},
		{"one satisfaction for all", list{300, 300}, [5]int{0, 0, 2, 0, 0}, list{100, 100, 500, 500}, [5]int{0, 0, 2, 0, 0}},
	} {
		got := cuts(tt.found, tt.wanted)
		assert.Equal(t, tt.want, got, tt.reason)
		var placed [numLevels]int
		for _, h := range tt.found {
			placed[satisfaction.Profile{Cuts: got}.Place(h).Level-1]++
		}
		assert.Equal(t, tt.placed, placed, tt.reason)
	}
}

func TestTriage(t *testing.T) {
	type list = []rubric.Hundredths
	tenth := satisfaction.Millionths(100_000)
	ten := list{300, 310, 320, 330, 340, 350, 360, 370, 380, 290}
	for _, tt := range []struct {
		reason string
		found  list
		rate   satisfaction.Millionths
		want   rubric.Hundredths // 0 if there is no cut
	}{
		{"the lowest of ten", ten, tenth, 290},
		{"the lowest three", ten, 3 * tenth, 310},
		{"at least one is wanted", ten[:3], 10_000, 300},
		{"two equal ones where one is wanted, rather than none", list{290, 290, 300, 310, 320, 330, 340, 350, 360, 370}, tenth, 290},
		{"three equal ones where one is wanted are too many", list{290, 290, 290, 310, 320, 330, 340, 350, 360, 370}, tenth, 0},
		{"three where two are wanted", list{290, 290, 290, 310, 320, 330, 340, 350, 360, 370}, 2 * tenth, 290},
		{"all alike", list{300, 300, 300, 300}, tenth, 0},
	} {
		got := triage(tt.found, tt.rate)
		if tt.want == 0 {
			assert.Nil(t, got, tt.reason)
			continue
		}
		assert.Equal(t, &satisfaction.Triage{Rate: tt.rate, Cut: tt.want}, got, tt.reason)
	}
}

// Of equal cuts, the text says which levels do not occur, and claims no frequencies.
func TestEqualCuts(t *testing.T) {
	for _, tt := range []struct {
		cuts          []rubric.Hundredths
		want, notSaid string
	}{
		{[]rubric.Hundredths{181, 331, 340, 388}, "so that each is as frequent as", "No dialogue gets"},
		{[]rubric.Hundredths{181, 331, 331, 388},
			"No dialogue gets level 3: level 4 begins there, too.", "each is as frequent"},
		{[]rubric.Hundredths{331, 331, 331, 388}, "No dialogue gets level 2: level 3 begins there, " +
			"too. No dialogue gets level 3: level 4 begins there, too.", "level 4:"},
	} {
		res := &Result{Profile: satisfaction.Profile{Cuts: tt.cuts}}
		res.decide()
		said := strings.Join(res.Decisions, "\n")
		assert.Contains(t, said, tt.want)
		assert.NotContains(t, said, tt.notSaid)
	}
}
