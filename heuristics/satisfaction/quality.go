package satisfaction

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Quality estimates how good a service case is as a whole from the findings of the detectors. Its
// weights are learnt by ridge regression and are not negative, so that a detector counts in the
// direction of its points or not at all. The command .ci/train learns the weights from our own
// dialogues in testdata/desk.
type Quality struct {
	Usual rubric.Hundredths `json:"usual"` // of a case that is neither good nor bad
	// detectors of which only the first signal counts
	Once    []string                     `json:"once"`
	Weights map[string]rubric.Hundredths `json:"weights"` // the weight of each point of a detector
	// an additional weight in the last turn of either side
	Last map[string]rubric.Hundredths `json:"last"`
}

// serviceQuality parses the embedded file.
var serviceQuality = sync.OnceValue(func() *Quality {
	var q Quality
	err := rubric.ParseJSON(heuristics.ServiceWeights(), &q)
	for _, weights := range []map[string]rubric.Hundredths{q.Weights, q.Last} {
		for id, w := range weights {
			if _, ok := heuristics.DetectorTitle(id); !ok || w < 0 {
				err = fmt.Errorf("%s: no detector, or a weight below 0", id)
			}
		}
	}
	if err != nil {
		panic(fmt.Errorf("quality.json: %w", err)) // the file is embedded
	}
	return &q
})

// fewestAnswers is the minimum divisor for the sum over the SYSTEM's turns.
const fewestAnswers = 3

// of returns the quality of a service case, in millionths of a point above the usual one, and what
// each signal adds to it. For signals in the USER's turns, it uses the mean, in which the last turn
// weighs most (see recency). For the SYSTEM's turns, it divides the sum by their number. What the
// last turns add is never divided by the number of turns: it counts in full for the USER, and as
// one fewestAnswers-th for the SYSTEM. Signals that count once count in full for both.
func (q *Quality) of(d dialogue.Dialogue, signals []rubric.Signal) (sum int64, shares []int64) {
	users := int64(d.Count(dialogue.User))
	answers := int64(max(d.Count(dialogue.System), fewestAnswers))
	shares = make([]int64, len(signals))
	sum = -int64(q.Usual) * microPerHundredth
	counted := []string{} // those of Once that have counted
	final := [3]int{}     // each role's last turn that is not blank
	for i, t := range d.Turns {
		if strings.TrimSpace(t.Text) != "" {
			final[t.Role] = i + 1
		}
	}
	user, next := int64(0), 0
	for i, t := range d.Turns {
		for ; next < len(signals) && signals[next].Turn <= i+1; next++ {
			s := &signals[next]
			points := int64(s.Points) * microPerHundredth
			mean, last := points*int64(q.Weights[s.ID])/100, int64(0)
			if i+1 == final[t.Role] {
				last = points * int64(q.Last[s.ID]) / 100
			}
			switch {
			case slices.Contains(counted, s.ID):
				mean, last = 0, 0
			case slices.Contains(q.Once, s.ID):
				last, counted = 0, append(counted, s.ID)
			case t.Role == dialogue.System:
				mean, last = mean/answers, last/fewestAnswers
			case t.Role == dialogue.User:
				weight, weights := recency(user, users)
				mean = mean * weight / weights
			}
			shares[next] = mean + last
			sum += shares[next]
		}
		if t.Role == dialogue.User {
			user++
		}
	}
	return sum, shares
}
