package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// Rubric is the measure that a dialogue is held against. [Default] gives the protocol's, [Parse] a file's.
type Rubric struct {
	Weights [NumCriteria]int         // whole percents; they sum to 100
	Levels  [NumCriteria][5]string   // what each score means, lowest first
	Demands [NumCriteria][5][]string // detectors of which at least one must have fired for that score; empty demands nothing
	Mapping Mapping
}

// Average is the weighted average of six scores, computed in whole hundredths. Its error is a *ScoreError
// that names the first criterion without a valid score; nothing is clamped.
func (r Rubric) Average(scores [NumCriteria]Score) (Hundredths, error) {
	var sum Hundredths
	for i, s := range scores {
		if !s.Valid() {
			return 0, &ScoreError{Criterion: Criterion(i), Score: s}
		}
		sum += Hundredths(r.Weights[i]) * Hundredths(s)
	}
	return sum, nil
}

// DemandedDetectors lists the detectors that the rubric demands anywhere, sorted, each once. Only those who
// know the detectors can tell whether there are such.
func (r Rubric) DemandedDetectors() []string {
	var ids []string
	for _, levels := range r.Demands {
		for _, demanded := range levels {
			ids = append(ids, demanded...)
		}
	}
	return sorted(ids)
}

// sorted gives each of the ids once, in order: a file may list them in any order.
func sorted(ids []string) []string { return slices.Compact(slices.Sorted(slices.Values(ids))) }

// Digest identifies the rubric: the SHA-256, in hexadecimal, of all that it says. How a file was written and
// the order in which it lists what is demanded make no difference.
func (r Rubric) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%v\n", r.Mapping)
	for _, c := range Criteria() {
		fmt.Fprintf(h, "%v %d\n", c, r.Weights[c])
		for i, score := range Scale {
			fmt.Fprintf(h, "%d %q %q\n", score, r.Levels[c][i], sorted(r.Demands[c][i]))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
