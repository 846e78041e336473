package heuristics

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"assize/rubric"
)

//go:embed levels.json
var levelsFile []byte

// levels are the thresholds of the rule agents, read from levels.json, in round figures. Those of requests were chosen on
// task and recommendation dialogues that people had rated (USS, four sets), by the mean of the within-set rank correlations;
// those of service cases on our own desk and on complaints to help desks, with weights learnt from the other dialogues (see
// TestLearn), by how far scores are off and by rank correlations. The README says how far they carry.
type levels struct {
	// Quotable is what a turn must weigh, up or down, for the Critic to cite it.
	Quotable rubric.Hundredths      `json:"quotable"`
	Criteria map[string]*thresholds `json:"criteria"`

	of [rubric.NumCriteria]*thresholds
}

// thresholds are those of one criterion.
type thresholds struct {
	Plain string    `json:"plain"` // what the Evaluator says where nothing special was seen
	Says  [5]string `json:"says"`  // what each level says, lowest first: "the goal was missed"

	// From Base, each signal at a turn of the SYSTEM adds its points, divided by the number of such turns, five at
	// least; the sum must reach a bound to earn 100, 80, 60 or 40.
	Base   rubric.Hundredths    `json:"base"`
	Levels [4]rubric.Hundredths `json:"levels"`

	// Steps bound the mean reaction of the USER, lowest first: at or below the first, a score is two levels too high;
	// at or below the second, one; at or above the third, one too low; at or above the fourth, two.
	Steps [4]rubric.Hundredths `json:"steps"`
	// In a service case its quality bounds a score: below the first of Most, a score is at most 20, below the next 40, 60,
	// 80; from the first of Least on, it is at least 40, from the next 60, 80, 100. What a bound does not rule out stands.
	// -9.00 in Most and 9.00 in Least stand for no bound.
	Most  [4]rubric.Hundredths `json:"service-most"`
	Least [4]rubric.Hundredths `json:"service-least"`
	// Unproven is the lowest score that quality calls for where no signal speaks against the criterion by itself; 0 for any.
	Unproven rubric.Score `json:"service-unproven"`
}

func loadLevels(data []byte) (levels, error) {
	var l levels
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return l, fmt.Errorf("levels.json: %w", err)
	}
	for _, c := range rubric.Criteria() {
		t := l.Criteria[c.String()]
		if t == nil {
			return l, fmt.Errorf("levels.json: no %s", c)
		}
		l.of[c] = t
	}
	return l, nil
}

// score gives the level that signals earn which sum to micro millionths of a point.
func (t *thresholds) score(micro int64) rubric.Score {
	micro += int64(t.Base) * microPerHundredth
	for i, bound := range t.Levels {
		if micro >= int64(bound)*microPerHundredth {
			return rubric.Scale[4-i]
		}
	}
	return rubric.Scale[0]
}

// shift gives the levels, -2 to 2, by which a mean reaction moves a score.
func (t *thresholds) shift(micro int64) (levels int) {
	for i, step := range t.Steps {
		switch at := int64(step) * microPerHundredth; {
		case i < 2 && micro <= at:
			levels--
		case i >= 2 && micro >= at:
			levels++
		}
	}
	return levels
}

// within gives the score nearest to another that the quality of a service case allows, two levels away at most.
func (t *thresholds) within(score rubric.Score, quality int64) rubric.Score {
	below := func(bound rubric.Hundredths) bool { return quality < int64(bound)*microPerHundredth }
	allowed := score
	if i := slices.IndexFunc(t.Most[:], below); i >= 0 {
		allowed = min(allowed, rubric.Scale[i])
	}
	for i, bound := range t.Least {
		if !below(bound) {
			allowed = max(allowed, rubric.Scale[i+1])
		}
	}
	return min(max(allowed, score.Step(-2)), score.Step(2))
}

// claim is the sentence that gives a score and what it rests on: "the goal was missed: the USER gives up". What is seen
// may speak for a higher score than a low one, or against a high one: "the SYSTEM helped, although …".
func (t *thresholds) claim(score rubric.Score, seen string, favours bool) string {
	if favours && score <= rubric.Scale[1] || !favours && score >= rubric.Scale[3] {
		return t.Says[score.Level()] + ", although " + seen
	}
	return t.Says[score.Level()] + ": " + seen
}
