package heuristics

import (
	"maps"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// These are the functions that tests outside the package need to learn the weights of service cases
// and to try others.

type Quality = quality

// ServiceQuality returns the embedded weights.
func ServiceQuality() Quality { return *serviceQuality() }

// Of returns the quality of a service case in points.
func (q *Quality) Of(d dialogue.Dialogue, signals []rubric.Signal) float64 {
	sum, _ := q.of(d, signals)
	return float64(sum) / 1e6
}

// QualityFeatures returns the features of each detector's signals, in points with weights of 1.00.
// Additional features, with ", last" after the ID, are for signals in a last turn. The argument
// once lists the detectors that count once.
func QualityFeatures(d dialogue.Dialogue, signals []rubric.Signal, once []string,
) map[string]float64 {
	every := map[string]rubric.Hundredths{}
	for _, s := range signals {
		every[s.ID] = 100
	}
	features := map[string]float64{}
	_, means := (&quality{Once: once, Weights: every}).of(d, signals)
	_, lasts := (&quality{Once: once, Last: every}).of(d, signals)
	for i, s := range signals {
		features[s.ID] += float64(means[i]) / 1e6
		features[s.ID+LastTurn] += float64(lasts[i]) / 1e6
	}
	maps.DeleteFunc(features, func(_ string, share float64) bool { return share == 0 })
	return features
}

// LastTurn is appended to the ID in the names of features of last turns.
const LastTurn = ", last"
