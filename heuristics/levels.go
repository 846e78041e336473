package heuristics

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"assize/rubric"
)

//go:embed levels.json
var levelsFile []byte

// levels are the thresholds of the rule agents, read from levels.json. They were chosen on task and
// recommendation dialogues that people had rated (USS, four sets), with round figures, by the mean of the
// within-set rank correlations; the README says how far they carry.
type levels struct {
	Evaluator map[string]evaluatorLevels `json:"evaluator"`
	Critic    criticLevels               `json:"critic"`

	evaluator [rubric.NumCriteria]evaluatorLevels
	critic    [rubric.NumCriteria]criticSteps
}

// evaluatorLevels say how the SYSTEM's signals become a score: from base, each signal adds its points, per turn
// of the SYSTEM; the sum must reach a bound to earn 100, 80, 60 or 40.
type evaluatorLevels struct {
	Base   rubric.Hundredths    `json:"base"`
	Levels [4]rubric.Hundredths `json:"levels"`
	Plain  string               `json:"plain"` // what to say where nothing special was seen
}

// criticLevels say how the USER's reactions move a score.
type criticLevels struct {
	TaskSuccess, Helpfulness, Accuracy, Understanding, Empathy, Fluency criticSteps

	// Quotable is what a turn must weigh, up or down, to be cited as evidence.
	Quotable rubric.Hundredths `json:"quotable"`
}

// criticSteps are the bounds of the mean reaction: at or below the first, the score is two levels too high;
// at or below the second, one; at or above the third, one too low; at or above the fourth, two.
type criticSteps struct {
	Steps [4]rubric.Hundredths `json:"steps"`
}

func loadLevels(data []byte) (levels, error) {
	var l levels
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return l, fmt.Errorf("levels.json: %w", err)
	}
	for _, c := range rubric.Criteria() {
		e, ok := l.Evaluator[c.String()]
		if !ok {
			return l, fmt.Errorf("levels.json: the evaluator has no %s", c)
		}
		l.evaluator[c] = e
	}
	k := l.Critic
	l.critic = [rubric.NumCriteria]criticSteps{k.TaskSuccess, k.Helpfulness, k.Accuracy, k.Understanding, k.Empathy, k.Fluency}
	return l, nil
}

// score gives the level that a sum of millionths of a point earns.
func (e evaluatorLevels) score(micro int64) rubric.Score {
	for i, bound := range e.Levels {
		if micro >= int64(bound)*microPerHundredth {
			return rubric.Scale[4-i]
		}
	}
	return rubric.Scale[0]
}

// shift gives the levels, -2 to 2, by which a mean reaction moves a score.
func (c criticSteps) shift(micro int64) int {
	at := func(i int) int64 { return int64(c.Steps[i]) * microPerHundredth }
	switch {
	case micro <= at(0):
		return -2
	case micro <= at(1):
		return -1
	case micro >= at(3):
		return 2
	case micro >= at(2):
		return 1
	}
	return 0
}
