package triage

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

func TestChoose(t *testing.T) {
	// By rank, from 1.
	satisfactions := []rubric.Hundredths{210, 230, 250, 260, 270, 270, 280, 300, 320, 400}
	for _, tt := range []struct {
		reason string
		n, top int
		flag   *satisfaction.Triage
		want   []string // rank and why
	}{
		{"half to the worst, half to those near the last that is shown", 4, 7, nil, []string{
			"1 worst", "2 worst", "5 unsure: 0.10 below the cut of 2.80",
			"7 unsure: at the cut of 2.80"}},
		{"on either side of the cut, the better rank first of equals", 7, 8, nil, []string{
			"1 worst", "2 worst", "3 worst", "4 worst", "7 unsure: 0.20 below the cut of 3.00",
			"8 unsure: at the cut of 3.00", "9 unsure: 0.20 above the cut of 3.00"}},
		{"the profile's cut comes first", 2, 8, &satisfaction.Triage{Cut: 395}, []string{"1 worst",
			"10 unsure: 0.05 above the cut of 3.95"}},
		{"the odd one goes to the worst", 1, 7, nil, []string{"1 worst"}},
		{"where all are shown there is no cut", 4, 10, nil, []string{"1 worst", "2 worst", "3 worst",
			"4 worst"}},
		{"more than there are", 50, 50, nil, []string{
			"1 worst", "2 worst", "3 worst", "4 worst", "5 worst", "6 worst", "7 worst", "8 worst",
			"9 worst", "10 worst"}},
	} {
		var list []run.Row
		for i, s := range satisfactions {
			list = append(list, run.Row{Estimate: satisfaction.Estimate{Satisfaction: s}, Place: i})
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(list),
			func(i, j int) { list[i], list[j] = list[j], list[i] })
		var got []string
		for _, p := range Choose(list, tt.n, tt.top, tt.flag) {
			got = append(got, fmt.Sprint(p.Place+1, " ", p.Picked))
		}
		assert.ElementsMatch(t, tt.want, got, tt.reason)
	}
}

// For any budget, that number is picked, without duplicates and including the worst.
func TestChooseSpendsTheBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		list := make([]run.Row, 1+rng.IntN(60))
		for i := range list {
			list[i] = run.Row{Place: i, Estimate: satisfaction.Estimate{
				Satisfaction: rubric.Hundredths(100 + rng.IntN(5))}}
		}
		n, top := 1+rng.IntN(70), 1+rng.IntN(70)
		picks := Choose(list, n, top, nil)
		assert.Len(t, picks, min(n, len(list)))
		assert.Equal(t, list[0], picks[0].Row, "it is the worst")
		seen := map[int]bool{}
		for _, p := range picks {
			assert.False(t, seen[p.Place])
			seen[p.Place] = true
		}
	}
}
