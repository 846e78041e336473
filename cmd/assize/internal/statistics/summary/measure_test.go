package summary

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics/measure"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// The friction map against people's ratings of single turns. Ratings are attached to the turns of
// the USER, after each exchange, so a turn of the SYSTEM is compared with the mean of the ratings
// up to its next turn. Compared with each rating separately, as if the SYSTEM had spoken between
// them, it does slightly worse. The rating of the USER's opening words does not concern the SYSTEM.
func TestAgreementWithRatingsOfTurns(t *testing.T) {
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("ASSIZE_SHARED is not set: without the rated dialogues there is nothing to measure " +
			"agreement on")
	}
	panel := measure.Panel()
	var meanTurns, meanRatings float64
	sets := []string{"CCPE", "MWOZ", "ReDial", "SGD"}
	for _, set := range sets {
		file, err := os.Open(filepath.Join(shared, "data", "uss", set+".txt"))
		require.NoError(t, err)
		defer file.Close()
		var turns, ratings pairs
		for s, err := range importer.Read(file, set, importer.Options{}) {
			require.NoError(t, err)
			e, err := panel.Judge(context.Background(), s.Dialogue)
			require.NoError(t, err)
			points := Friction(e)
			for n, rated := range ratedTurns(s) {
				if rated != nil {
					turns.add(points[n], stats.Mean(rated, nil))
				}
				for _, rating := range rated {
					ratings.add(points[n], rating)
				}
			}
		}
		t.Logf("%-7s Spearman %.3f over %d turns of the SYSTEM, %.3f over %d ratings", set,
			turns.spearman(), len(turns.points), ratings.spearman(), len(ratings.points))
		meanTurns += turns.spearman() / float64(len(sets))
		meanRatings += ratings.spearman() / float64(len(sets))
	}
	t.Logf("mean    Spearman %.3f over turns of the SYSTEM, %.3f over ratings", meanTurns,
		meanRatings)
	assert.GreaterOrEqual(t, meanTurns, 0.44)
	assert.GreaterOrEqual(t, meanRatings, 0.41)
}

// pairs are points and people's ratings.
type pairs struct{ points, people []float64 }

func (p *pairs) add(points rubric.Hundredths, people float64) {
	p.points, p.people = append(p.points, float64(points)), append(p.people, people)
}

func (p *pairs) spearman() float64 { return stats.Spearman(p.points, p.people) }

// ratedTurns returns, for each SYSTEM turn, the mean rating of the USER turns that follow it.
func ratedTurns(s dialogue.Sample) [][]float64 {
	of, system := make([][]float64, len(s.Dialogue.Turns)), -1
	for i, t := range s.Dialogue.Turns {
		if t.Role == dialogue.System {
			system = i
		}
		if ratings := s.Truth.Turns[i]; system >= 0 && ratings != nil {
			of[system] = append(of[system], stats.Mean(ratings, nil))
		}
	}
	return of
}
