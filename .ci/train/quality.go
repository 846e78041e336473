package main

import (
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"assize/heuristics"
	"assize/heuristics/evidence"
	"assize/heuristics/measure"
	"assize/heuristics/satisfaction"
	"assize/heuristics/talk"
	"assize/rubric"
	"assize/rubric/dialogue"
)

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
	"claim-contradicted": 100, "claim-differs": 50,
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
	features map[string]float64
	target   float64 // in standard deviations
	weight   float64
	part     string // of the desk
}

// newLessons returns lessons for the dialogues of rows, all observed as service cases. The targets
// are their reader's weighted averages. No rated set of others is used: nothing is fitted to it.
// Detectors with weights set by hand are left out.
func newLessons(sets *measure.Sets, rows measure.Rows) (lessons []lesson, err error) {
	panel := sets.Panel
	agents, kind := heuristics.New(), talk.ServiceKind
	panel.Observe = func(d dialogue.Dialogue) ([]rubric.Signal, error) {
		return agents.ObserveWith(d, evidence.Watch{Kind: &kind})
	}
	list, err := sets.JudgeDesk(panel, rows)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(list))
	for i, j := range list {
		if values[i], err = middle(rows, j.ID); err != nil {
			return nil, err
		}
	}
	average, deviation := stat.Mean(values, nil), 0.0
	for _, v := range values {
		deviation += (v - average) * (v - average) / float64(len(values))
	}
	deviation = math.Sqrt(deviation)
	once := countOnce()
	for i, j := range list {
		features := satisfaction.QualityFeatures(j.Dialogue, j.Signals, once)
		maps.DeleteFunc(features, func(name string, _ float64) bool { return byHand[name] > 0 })
		l := lesson{features, (values[i] - average) / deviation, 1, rows[j.ID]["part"]}
		if rows.Hard(j.ID) {
			l.weight = hardWeight
		}
		lessons = append(lessons, l)
	}
	return lessons, nil
}

// middle returns the weighted average of the midpoints of a dialogue's ranges.
func middle(rows measure.Rows, id string) (sum float64, err error) {
	weights := rubric.Default().Weights
	for _, c := range rubric.Criteria() {
		low, high, err := rows.Range(id, c)
		if err != nil {
			return 0, err
		}
		sum += float64(weights[c]) * ((low + high) / 2)
	}
	return sum / 100, nil
}

// learn fits the weights (see solve) on centred features. Usual is the median of the dialogues'
// sums.
func learn(lessons []lesson) satisfaction.Quality {
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
		column := make([]float64, len(rows))
		for i, row := range rows {
			column[i] = row[k]
		}
		average := stat.Mean(column, nil)
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
		if !strings.HasSuffix(name, satisfaction.LastTurn) {
			priors[k] = prior
		}
	}
	weights := solve(gram, pull, priors)
	q := satisfaction.Quality{Once: countOnce(), Weights: maps.Clone(byHand),
		Last: map[string]rubric.Hundredths{}}
	for k, name := range names {
		of := q.Weights
		id, last := strings.CutSuffix(name, satisfaction.LastTurn)
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
	q.Usual = rubric.Hundredths(math.Round(100 * measure.Quantile(usual, .5)))
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
