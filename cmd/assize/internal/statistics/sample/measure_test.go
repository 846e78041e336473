package sample_test

import (
	"encoding/csv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/stats"
	"assize/heuristics/measure"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// helpdesk returns the help-desk dialogues as the rules score them, and their ratings by 19 people.
func helpdesk(t *testing.T) (rows []*run.Row, given [][]float64) {
	t.Helper()
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" || os.Getenv("ASSIZE_SOAK") == "" {
		t.Skip("ASSIZE_SHARED and ASSIZE_SOAK are not set; .ci/soak learn runs it")
	}
	folder := filepath.Join(shared, "data", "helpdesk")
	file, err := os.Open(filepath.Join(folder, "ratings.csv"))
	require.NoError(t, err)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	by := map[string][]float64{}
	for _, line := range lines[1:] {
		rating, err := strconv.ParseFloat(line[2], 64)
		require.NoError(t, err)
		by[line[0]] = append(by[line[0]], rating)
	}
	text, err := os.Open(filepath.Join(folder, "dialogues.jsonl"))
	require.NoError(t, err)
	defer text.Close()
	panel := measure.Panel()
	for s, err := range importer.Read(text, "dialogues.jsonl", importer.Options{}) {
		require.NoError(t, err)
		r := run.New(s)
		r.Evaluation, err = panel.Judge(t.Context(), s.Dialogue)
		require.NoError(t, err)
		r.Rate(satisfaction.DefaultProfile())
		rows, given = append(rows, new(r.Row(len(rows)))), append(given, by[r.Name()])
	}
	return rows, given
}

// A sample of single ratings, with scores of 1,105 more dialogues, has intervals that contain the
// truth as often as they say, however good the scores are: those of the rules, scores by chance,
// and scores that are too low for some groups, of which as many are drawn as of the large one. The
// truth is the mean over all dialogues and raters.
func TestMeasureCoverage(t *testing.T) {
	rows, given := helpdesk(t)
	const draws, rest = 4000, 1105
	chance := rand.New(rand.NewPCG(1, 1))
	groups := make([]int, len(rows))
	for i := range groups {
		groups[i] = []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 2}[chance.IntN(10)]
	}
	scorers := map[string]func(i int) rubric.Hundredths{
		"the rules": func(i int) rubric.Hundredths { return rows[i].Satisfaction },
		"chance":    func(int) rubric.Hundredths { return rubric.Hundredths(100 + chance.IntN(401)) },
		"biased by group": func(i int) rubric.Hundredths {
			return max(rows[i].Satisfaction-rubric.Hundredths(80*groups[i]), 100)
		},
	}
	var truth [2]float64 // the mean, and the share below 3
	for _, list := range given {
		for _, v := range list {
			truth[0] += v / float64(len(list)*len(given))
			if v < 3 {
				truth[1] += 1 / float64(len(list)*len(given))
			}
		}
	}
	for _, n := range []int{60, 120, 240} {
		for _, name := range slices.Sorted(maps.Keys(scorers)) {
			score, grouped := scorers[name], name == "biased by group"
			var within, alone [2]int // intervals with the truth, corrected and as rated
			var width [2]float64     // of corrected intervals, as part of those as rated
			for range draws {
				var judged []*run.Row
				left, all := [3]int{n / 3, n / 3, n / 3}, [3]int{}
				var drawn []ratings.Rated
				var from []int // the group of each
				for k := range n + rest {
					i := chance.IntN(len(rows))
					row := new(*rows[i])
					row.Satisfaction = score(i)
					row.Said = run.Key{byte(k), byte(k >> 8)} // every dialogue counts
					judged = append(judged, row)
					g := groups[i]
					if all[g]++; grouped && left[g] == 0 || !grouped && k >= n {
						continue
					}
					left[g]--
					drawn = append(drawn, ratings.Rated{Row: row,
						Overall: []float64{given[i][chance.IntN(len(given[i]))]},
						Drawn:   stats.Stratum{Probability: 1}})
					from = append(from, g)
				}
				for k := range drawn {
					if grouped {
						drawn[k].Drawn = stats.Stratum{Group: strconv.Itoa(from[k]),
							Probability: float64(n/3) / float64(all[from[k]])}
					}
				}
				for k, f := range sample.Of(judged, drawn)[:2] {
					count(&within[k], f.Corrected, truth[k])
					count(&alone[k], f.Rated, truth[k])
					width[k] += (f.Corrected.High - f.Corrected.Low) /
						(f.Rated.High - f.Rated.Low) / draws
				}
			}
			for k, what := range []string{"satisfaction", "share below 3"} {
				share := float64(within[k]) / draws
				t.Logf("%d ratings, scores: %s, %s: coverage %.3f (as rated %.3f), width %.3f of "+
					"that as rated", n, name, what, share, float64(alone[k])/draws, width[k])
				assert.InDelta(t, .95, share, .02, "%d, %s, %s", n, name, what)
				if name == "the rules" && n == 120 {
					assert.LessOrEqual(t, width[k], []float64{.94, .97}[k], "width: %s", what)
				}
			}
		}
	}
}

// count counts an interval if it contains the truth.
func count(n *int, e stats.Figure, truth float64) {
	if e.Low <= truth && truth <= e.High {
		*n++
	}
}
