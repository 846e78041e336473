package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// ratedSets are the files of rated dialogues, User Satisfaction Simulation (SIGIR 2021).
var ratedSets = []string{"CCPE", "MWOZ", "ReDial", "SGD"}

// judged is a rated set as the rule agents judged it.
type judged struct {
	evaluations                   []*rubric.Evaluation
	people, average, satisfaction []float64
}

func judgeSet(t *testing.T, set string) judged {
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("ASSIZE_SHARED is not set: without the rated dialogues there is nothing to measure agreement on")
	}
	file, err := os.Open(filepath.Join(shared, "data", "uss", set+".txt"))
	require.NoError(t, err)
	defer file.Close()
	agents := heuristics.New()
	r := rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(r),
		Critic: agents.Critic(r)}
	var j judged
	for sample, err := range importer.Read(file, set, importer.Options{}) {
		require.NoError(t, err)
		e, err := panel.Judge(context.Background(), sample.Dialogue)
		require.NoError(t, err, "dialogue %d", sample.Dialogue.ID)
		j.evaluations = append(j.evaluations, e)
		j.average = append(j.average, float64(e.Average))
		j.satisfaction = append(j.satisfaction,
			float64(satisfaction.DefaultProfile().Estimate(e).Satisfaction))
		var sum float64
		for _, rating := range sample.Truth.Overall {
			sum += rating
		}
		require.NotEmpty(t, sample.Truth.Overall)
		j.people = append(j.people, sum/float64(len(sample.Truth.Overall)))
	}
	return j
}

// The agreement with the mean of people's ratings that the rules must reach. `assize help accuracy`
// reports the actual figures.
func TestAgreementWithPeople(t *testing.T) {
	var average, satisfaction, worst float64
	for _, set := range ratedSets {
		j := judgeSet(t, set)
		bad := make([]bool, len(j.people))
		cut := stats.Quantile(j.people, 0.2)
		for i := range j.people {
			bad[i] = j.people[i] < cut
		}
		pairs := stats.NewPairs(j.satisfaction, j.people)
		a, s, w := stats.Spearman(j.average, j.people), pairs.Spearman(nil), pairs.AUC(bad, nil)
		t.Logf("%-7s n %d  Spearman: average %.3f, satisfaction %.3f  AUC of the worst fifth: %.3f",
			set, len(j.people), a, s, w)
		average, satisfaction, worst = average+a/4, satisfaction+s/4, worst+w/4
	}
	t.Logf("mean            Spearman: average %.3f, satisfaction %.3f  AUC of the worst fifth: %.3f", average, satisfaction, worst)
	assert.GreaterOrEqual(t, average, 0.14)
	assert.GreaterOrEqual(t, satisfaction, 0.40)
	assert.GreaterOrEqual(t, worst, 0.73)
}

// For the three dialogues that both specification documents score, each criterion must be within
// one level of its score in either document, and the overall must be as PROTOCOL.md says
// ("Contradictions").
func TestSpecifiedDialogues(t *testing.T) {
	tests := []struct {
		id       int
		overall  []rubric.Score
		expected [rubric.NumCriteria][2]rubric.Score // in 003, in 004
	}{
		{335, []rubric.Score{80}, [6][2]rubric.Score{{100, 100}, {100, 100}, {100, 100},
			{100, 100}, {80, 80}, {100, 100}}},
		{25, []rubric.Score{80}, [6][2]rubric.Score{{100, 100}, {60, 80}, {100, 100},
			{100, 100}, {40, 60}, {100, 100}}},
		{26, []rubric.Score{60, 40}, [6][2]rubric.Score{{80, 40}, {60, 40}, {100, 60}, {80, 60},
			{60, 60}, {80, 60}}},
	}
	j := judgeSet(t, "CCPE")
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.id), func(t *testing.T) {
			e := j.evaluations[tt.id-1]
			assert.Contains(t, tt.overall, e.Overall)
			for c, want := range tt.expected {
				got := e.Final[c].Score.Level()
				near := min(abs(got-want[0].Level()), abs(got-want[1].Level()))
				assert.LessOrEqual(t, near, 1, "%s is %d; the documents have %v",
					rubric.Criterion(c), e.Final[c].Score, want)
			}
		})
	}
}

// We wrote these twenty-seven desk dialogues, and one careful reader scored them before seeing our
// scores. One reader is not enough to tune by; the bounds only reveal changes that would otherwise
// go unnoticed.
func TestDeskDialogues(t *testing.T) {
	folder := filepath.Join("..", "..", "testdata", "desk")
	file, err := os.Open(filepath.Join(folder, "reader.csv"))
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	agents := heuristics.New()
	far, distance, n := 0, 0, 0
	for _, row := range rows[1:] {
		e := judgeFile(t, agents, filepath.Join(folder, row[0]+".txt"))
		for c, cell := range row[1:] {
			want, err := strconv.Atoi(cell)
			require.NoError(t, err)
			off := abs(e.Final[c].Score.Level() - rubric.Score(want).Level())
			if distance, n = distance+off, n+1; off >= 2 {
				far++
				t.Logf("%-20s %-13s %3d, the reader has %3d", row[0],
					rubric.Criterion(c), e.Final[c].Score, want)
			}
		}
	}
	t.Logf("%d criteria: %d two levels off or more, %d levels off in all", n, far, distance)
	assert.Equal(t, 27*rubric.NumCriteria, n)
	assert.LessOrEqual(t, far, 10)
	assert.LessOrEqual(t, distance, 107)
}

// judgeFile judges the only dialogue of a file.
func judgeFile(t *testing.T, agents *heuristics.Agents, name string) *rubric.Evaluation {
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	r := rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(r),
		Critic: agents.Critic(r)}
	var e *rubric.Evaluation
	for sample, err := range importer.Read(file, name, importer.Options{}) {
		require.NoError(t, err)
		e, err = panel.Judge(context.Background(), sample.Dialogue)
		require.NoError(t, err, name)
	}
	require.NotNil(t, e, name)
	return e
}

func abs(n int) int { return max(n, -n) }
