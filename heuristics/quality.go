package heuristics

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed quality.json
var qualityFile []byte

// quality says how well a service case goes as a whole, from what the detectors saw in it. Its
// weights are learnt by ridge regression with none below zero, so that a detector counts as its
// points say or not at all; TestLearn tells from what, and learns them again.
type quality struct {
	Usual rubric.Hundredths `json:"usual"` // of a case neither good nor bad
	// detectors of which the first signal counts
	Once    []string                     `json:"once"`
	Weights map[string]rubric.Hundredths `json:"weights"` // what each point of a detector counts
	// besides, in the last turn of either side
	Last map[string]rubric.Hundredths `json:"last"`
}

// serviceQuality reads the embedded file.
var serviceQuality = sync.OnceValue(func() *quality {
	var q quality
	dec := json.NewDecoder(bytes.NewReader(qualityFile))
	dec.DisallowUnknownFields()
	err := dec.Decode(&q)
	for _, weights := range []map[string]rubric.Hundredths{q.Weights, q.Last} {
		for id, w := range weights {
			if _, failed := fs.Stat(dataFiles, "detectors/"+id+".txt"); failed != nil || w < 0 {
				err = fmt.Errorf("%s: no detector, or a weight below 0", id)
			}
		}
	}
	if err != nil {
		panic(fmt.Errorf("quality.json: %w", err)) // the file is part of the program
	}
	return &q
})

// fewestAnswers is the least number of turns that what the SYSTEM does is divided by.
const fewestAnswers = 3

// of gives the quality of a service case, in millionths of a point above what is usual, and what
// each signal adds to it. What is seen at the USER's turns is their mean, the last turn weighing
// three times the first (see turnPoints.mean); what is seen at the SYSTEM's is divided by their
// number. What the last turns add is never divided by the number of turns: it is whole for the
// USER's, and a fewestAnswers-th of it for the SYSTEM's. What counts once is whole for both.
func (q *quality) of(d dialogue.Dialogue, signals []rubric.Signal) (sum int64, shares []int64) {
	users := int64(d.Count(dialogue.User))
	answers := int64(max(d.Count(dialogue.System), fewestAnswers))
	shares = make([]int64, len(signals))
	sum = -int64(q.Usual) * microPerHundredth
	final, counted := lastTurns(d), []string{} // counted are those of Once that have counted
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
			case t.Role == dialogue.User && users > 1:
				mean = mean * (users - 1 + 2*user) / (2 * users * (users - 1))
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

// lastTurns gives the number of each role's last turn that is not blank, 0 for none.
func lastTurns(d dialogue.Dialogue) (turns [3]int) {
	for i, t := range d.Turns {
		if strings.TrimSpace(t.Text) != "" {
			turns[t.Role] = i + 1
		}
	}
	return turns
}
