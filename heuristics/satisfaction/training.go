package satisfaction

import (
	"maps"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Of returns the quality of a service case in points above the usual one.
func (q *Quality) Of(d dialogue.Dialogue, signals []rubric.Signal) float64 {
	sum, _ := q.of(d, signals)
	return float64(sum) / 1e6
}

// LastTurn is appended to the ID of a detector in the name of its feature of last turns.
const LastTurn = ", last"

// QualityFeatures returns the features from which the weights of service cases are learnt: what the
// signals of each detector add in points with a weight of 1.00, and separately, with [LastTurn]
// after the ID, what those in a last turn add. The argument once lists the detectors that count
// once per dialogue.
func QualityFeatures(d dialogue.Dialogue, signals []rubric.Signal, once []string,
) map[string]float64 {
	every := map[string]rubric.Hundredths{}
	for _, s := range signals {
		every[s.ID] = 100
	}
	features := map[string]float64{}
	_, means := (&Quality{Once: once, Weights: every}).of(d, signals)
	_, lasts := (&Quality{Once: once, Last: every}).of(d, signals)
	for i, s := range signals {
		features[s.ID] += float64(means[i]) / 1e6
		features[s.ID+LastTurn] += float64(lasts[i]) / 1e6
	}
	maps.DeleteFunc(features, func(_ string, share float64) bool { return share == 0 })
	return features
}
