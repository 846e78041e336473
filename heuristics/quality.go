package heuristics

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed quality.json
var qualityFile []byte

// quality says how well a service case goes as a whole, from what the detectors saw in it. Its weights are learnt by ridge
// regression with none below zero, so that a detector counts as its points say or not at all: from dialogues of our own,
// good or bad (testdata/desk, the parts for choosing), and from rated complaints to help desks, which count a quarter as
// much. Points chosen by thought ranked the dialogues that they were chosen on as well, but not those of writers to come:
// of pairs by six writers whom nobody had read, they put 86 % in order, these weights 92 % with that writer left out.
type quality struct {
	Usual   rubric.Hundredths            `json:"usual"`   // what a case that is neither good nor bad adds up to
	Once    []string                     `json:"once"`    // detectors whose points count once, whole, and not by the turn
	Weights map[string]rubric.Hundredths `json:"weights"` // what each point of a detector counts; nothing for the others
}

// serviceQuality reads the embedded file.
var serviceQuality = sync.OnceValue(func() *quality {
	var q quality
	dec := json.NewDecoder(bytes.NewReader(qualityFile))
	dec.DisallowUnknownFields()
	err := dec.Decode(&q)
	for id, w := range q.Weights {
		if _, failed := fs.Stat(dataFiles, "detectors/"+id+".txt"); failed != nil || w < 0 {
			err = fmt.Errorf("%s: no detector, or a weight below 0", id)
		}
	}
	if err != nil {
		panic(fmt.Errorf("quality.json: %w", err)) // the file is part of the program
	}
	return &q
})

// fewestAnswers is the least number of turns that what the SYSTEM does is divided by.
const fewestAnswers = 3

// of gives the quality of a service case, in millionths of a point above what is usual, and what each signal adds to it.
// What is seen at the USER's turns is their mean, the last turn weighing three times the first (see turnPoints.mean); what
// is seen at the SYSTEM's is divided by their number.
func (q *quality) of(d dialogue.Dialogue, signals []rubric.Signal) (sum int64, shares []int64) {
	users, answers := int64(d.Count(dialogue.User)), int64(max(d.Count(dialogue.System), fewestAnswers))
	shares = make([]int64, len(signals))
	sum = -int64(q.Usual) * microPerHundredth
	user, next := int64(0), 0
	for i, t := range d.Turns {
		for ; next < len(signals) && signals[next].Turn <= i+1; next++ {
			s := &signals[next]
			points := int64(s.Points) * int64(q.Weights[s.ID]) * microPerHundredth / 100
			switch {
			case slices.Contains(q.Once, s.ID):
				points = int64(s.Points) * microPerHundredth
			case t.Role == dialogue.System:
				points /= answers
			case t.Role == dialogue.User && users > 1:
				points = points * (users - 1 + 2*user) / (2 * users * (users - 1))
			}
			shares[next] = points
			sum += points
		}
		if t.Role == dialogue.User {
			user++
		}
	}
	return sum, shares
}
