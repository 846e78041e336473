package gate

import (
	"fmt"
	"strconv"

	"assize/rubric"
)

// Overall is what the gate of the whole dialogue is called.
const Overall = "OverallExperience"

// Gate is a score that dialogues must reach.
type Gate struct {
	Criterion rubric.Criterion // which the score is of, unless Whole
	Whole     bool             // the score is the OverallExperience
	Least     int              // the lowest score that is good enough
}

// Name is what the gate is of: OverallExperience or the name of a criterion.
func (g Gate) Name() string {
	if g.Whole {
		return Overall
	}
	return g.Criterion.String()
}

// String gives the gate as the command line does: 60, or Empathy=40.
func (g Gate) String() string {
	if g.Whole {
		return strconv.Itoa(g.Least)
	}
	return fmt.Sprintf("%s=%d", g.Criterion, g.Least)
}

// Score is what the gate looks at.
func (g Gate) Score(e *rubric.Evaluation) rubric.Score {
	if g.Whole {
		return e.Overall
	}
	return e.Final[g.Criterion].Score
}

// Shut reports whether the dialogue does not reach the score.
func (g Gate) Shut(e *rubric.Evaluation) bool { return int(g.Score(e)) < g.Least }
