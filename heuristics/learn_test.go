package heuristics_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/rubric"
)

var withLearning = flag.Bool("learn", false,
	"write the weights of service cases that are learnt to quality.json, "+
		"and measure each part of the desk by weights that were learnt from the others")

// The parameters for learning the weights of service cases, chosen by cross-validation.
const (
	hardWeight = 0.5 // of a desk dialogue written to mislead a quick reader
	ridge      = 120 // strength, on features in points
	// the prior weight of a point: detectors' points were chosen by judgement
	prior = 0.3
	// makes quality vary as much as people's ratings do under the embedded profile: by about two
	// points
	qualityScale = 3.0
)

// byHand are the weights of detectors that are too rare to learn from, but are bad service.
var byHand = map[string]rubric.Hundredths{
	"conduct-contempt": 100, "conduct-discloses": 100, "conduct-secrets": 100,
	"conduct-unsafe": 100, "courtesy-rude": 100,
	"tool-refuted": 100, "tool-differs": 50,
}

// countOnce lists the detectors that count once per dialogue.
func countOnce() (ids []string) {
	for _, d := range heuristics.New().Detectors() {
		if d.Once {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// lesson is a service case with its target quality.
type lesson struct {
	id       string
	features map[string]float64
	target   float64 // in standard deviations
	weight   float64
	set      string // a part of the desk
}

// hardParts are the parts of the desk whose surface is misleading, according to
// testdata/desk/README.md.
var hardParts = []string{"more-am", "more-an", "more-ao", "more-ap"}

// weightOf returns the weight of a lesson of a set.
func weightOf(set string) float64 {
	if slices.Contains(hardParts, set) {
		return hardWeight
	}
	return 1
}

// TestLearn learns the weights of service cases from the choosing part of the desk dialogues, with
// their reader's weighted averages as targets. The embedded weights must be equal. No rated set of
// others is used: nothing was fitted to the help-desk complaints.
func TestLearn(t *testing.T) {
	panel := newPanel(t)
	panel.Observe = heuristics.New().ObserveAs(heuristics.Service)
	want := deskRows(t, choosing)
	lessons := newLessons(judgeDesk(t, panel, want), func(j *judged) (float64, string) {
		return middle(t, want[j.id]), want[j.id]["part"]
	})
	learnt := learn(lessons)
	if *withLearning {
		text, err := json.MarshalIndent(learnt, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("quality.json", append(text, '\n'), 0o644))
		leaveOut(t, lessons, want)
		return
	}
	assert.Equal(t, heuristics.ServiceQuality(), learnt,
		"go test ./heuristics -run TestLearn -learn writes quality.json")
}

// leaveOut prints the accuracy of weights that were learnt without the dialogues that they judge.
func leaveOut(t *testing.T, lessons []lesson, want map[string]map[string]string) {
	byPart := map[string]map[string]map[string]string{}
	for id, row := range want {
		part := row["part"]
		if byPart[part] == nil {
			byPart[part] = map[string]map[string]string{}
		}
		byPart[part][id] = row
	}
	var all []*judged
	for _, part := range slices.Sorted(maps.Keys(byPart)) {
		q := learn(slices.DeleteFunc(slices.Clone(lessons),
			func(l lesson) bool { return l.set == part }))
		list := judgeDesk(t, newPanel(t), byPart[part])
		for _, j := range list {
			j.satisfaction = estimate(q, j)
		}
		t.Log(part, deskFigures(t, list, byPart[part]))
		all = append(all, list...)
	}
	t.Log("desk, parts left out:", deskFigures(t, all, want))
}

// estimate returns the satisfaction that the embedded profile estimates with other weights of
// service cases.
func estimate(q heuristics.Quality, j *judged) float64 {
	if heuristics.KindOf(j.Signals) != heuristics.Service {
		return j.satisfaction
	}
	value := heuristics.Millionths(math.Round(q.Of(j.Dialogue, j.Signals) * 1e6))
	return float64(heuristics.DefaultProfile().EstimateAt(value, 0).Satisfaction)
}

// newLessons returns lessons for one set's dialogues, all observed as service cases. Detectors with
// weights set by hand are left out.
func newLessons(list []*judged, of func(*judged) (value float64, set string)) (lessons []lesson) {
	values := column(list, func(j *judged) float64 { value, _ := of(j); return value })
	average, deviation := mean(values), 0.0
	for _, v := range values {
		deviation += (v - average) * (v - average) / float64(len(values))
	}
	deviation = math.Sqrt(deviation)
	once := countOnce()
	for i, j := range list {
		features := heuristics.QualityFeatures(j.Dialogue, j.Signals, once)
		maps.DeleteFunc(features, func(name string, _ float64) bool { return byHand[name] > 0 })
		_, set := of(j)
		lessons = append(lessons, lesson{j.id, features, (values[i] - average) / deviation,
			weightOf(set), set})
	}
	return lessons
}

// middle returns the weighted average of the midpoints of a row's ranges.
func middle(t *testing.T, row map[string]string) (sum float64) {
	weights := rubric.Default().Weights
	for _, c := range rubric.Criteria() {
		low, high, _ := strings.Cut(row[c.String()], "-")
		sum += float64(weights[c]) * (number(t, low) + number(t, cmp.Or(high, low))) / 2
	}
	return sum / 100
}

// learn fits the weights (see solve) on centred features. Usual is the median of the dialogues'
// sums.
func learn(lessons []lesson) heuristics.Quality {
	known := map[string]bool{}
	for _, l := range lessons {
		for name := range l.features {
			known[name] = true
		}
	}
	names := slices.Sorted(maps.Keys(known))
	n := len(names)
	gram, pull := make([][]float64, n), make([]float64, n)
	for k := range gram {
		gram[k] = make([]float64, n)
	}
	rows := make([][]float64, len(lessons))
	for i := range lessons {
		rows[i] = make([]float64, n)
		for k, name := range names {
			rows[i][k] = lessons[i].features[name]
		}
	}
	for k := range n {
		average := mean(column(rows, func(row []float64) float64 { return row[k] }))
		for _, row := range rows {
			row[k] -= average
		}
	}
	for i, row := range rows {
		for k, x := range row {
			if x == 0 {
				continue
			}
			pull[k] += lessons[i].weight * x * lessons[i].target
			for m, y := range row {
				gram[k][m] += lessons[i].weight * x * y
			}
		}
	}

	priors := make([]float64, n)
	for k, name := range names {
		if !strings.HasSuffix(name, heuristics.LastTurn) {
			priors[k] = prior
		}
	}
	weights := solve(gram, pull, priors)
	q := heuristics.Quality{Once: countOnce(), Weights: maps.Clone(byHand),
		Last: map[string]rubric.Hundredths{}}
	for k, name := range names {
		of := q.Weights
		id, last := strings.CutSuffix(name, heuristics.LastTurn)
		if last {
			of = q.Last
		}
		if w := rubric.Hundredths(math.Round(100 * qualityScale * weights[k])); w > 0 {
			of[id] = w
		}
	}
	var usual []float64
	for i := range lessons {
		sum := 0.0
		for k, name := range names {
			sum += qualityScale * weights[k] * lessons[i].features[name]
		}
		usual = append(usual, sum)
	}
	q.Usual = rubric.Hundredths(math.Round(100 * quantile(usual, .5)))
	return q
}

// solve returns the nonnegative weights of a ridge regression towards priors, by coordinate
// descent. It modifies pull.
func solve(gram [][]float64, pull, priors []float64) []float64 {
	n := len(pull)
	weights := make([]float64, n)
	for change := 1.0; change > 1e-9; {
		change = 0
		for k := range n {
			was := weights[k]
			weights[k] = max(0, (pull[k]+gram[k][k]*was+ridge*priors[k])/(gram[k][k]+ridge))
			if moved := weights[k] - was; moved != 0 {
				for m := range n {
					pull[m] -= gram[k][m] * moved
				}
				change = max(change, math.Abs(moved))
			}
		}
	}
	return weights
}
