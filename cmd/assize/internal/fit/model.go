package fit

import (
	"fmt"
	"slices"

	"assize/heuristics"
)

// Model is what the six scores of a model as the Evaluator are worth. They are weighed like any other feature.
type Model struct {
	Name      string `json:"name"`
	Digest    string `json:"digest"`
	Dialogues int    `json:"dialogues"` // different rated ones that it judged
	Used      bool   `json:"used"`      // whether its scores have weights
	Gain      *Gain  `json:"gain"`      // in rank correlation on folds, over the same without its scores; null if untried
}

// newModel says what became of the scores of a model; nil where it judged no rated dialogue.
func newModel(model heuristics.Model, points []point, final *lesson) *Model {
	judged := slices.DeleteFunc(slices.Clone(points), func(pt point) bool { return pt.Judged[0] == 0 })
	if model.Digest == "" || len(judged) == 0 {
		return nil
	}
	used := final.chosen.used()
	m := &Model{Name: model.Name, Digest: model.Digest, Dialogues: different(judged), Used: used.hasScores()}
	with := used | 1
	if slices.Contains(final.chosen.tried, with) {
		m.Gain = &final.chosen.gains[with][with-1]
	}
	return m
}

// told says what was decided of the model and why.
func (m *Model) told() string {
	switch {
	case m.Gain == nil:
		return fmt.Sprintf("The scores of %s get no weight: weights are learnt from %d different rated dialogues on, "+
			"where its scores differ.", m.Name, leastLinear)
	case m.Used:
		return fmt.Sprintf("The scores of %s are weighed, for the %d dialogues that it judged: on folds they add %+.3f to the "+
			"rank correlation, 95 %% interval %+.3f to %+.3f.", m.Name, m.Dialogues, m.Gain.Value, m.Gain.Low, m.Gain.High)
	}
	return fmt.Sprintf("The scores of %s get no weight: on folds they add %+.3f to the rank correlation, 95 %% interval "+
		"%+.3f to %+.3f, which is not proven to be a gain.", m.Name, m.Gain.Value, m.Gain.Low, m.Gain.High)
}
