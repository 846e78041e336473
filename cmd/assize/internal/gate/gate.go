package gate

import (
	"fmt"
	"strconv"
	"strings"

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

// Allowance is how many dialogues may be below: a share of those that are scored, or a number. The zero Allowance is
// none.
type Allowance struct {
	Share rubric.Hundredths // in percent
	Count int
}

// ParseAllowance reads a share, such as 5% or 2.5%, or a number of dialogues.
func ParseAllowance(s string) (Allowance, error) {
	if percent, ok := strings.CutSuffix(s, "%"); ok {
		h, err := rubric.ParseHundredths(percent)
		if err != nil || h < 0 || h > 100*100 {
			return Allowance{}, fmt.Errorf("want a share from 0%% to 100%%, such as 5%%, with at most two decimals")
		}
		return Allowance{Share: h}, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return Allowance{}, fmt.Errorf("want a share such as 5%%, or a number of dialogues")
	}
	return Allowance{Count: n}, nil
}

// String gives the allowance as the command line does.
func (a Allowance) String() string {
	if a.Share == 0 {
		return strconv.Itoa(a.Count)
	}
	return strings.TrimSuffix(strings.TrimRight(a.Share.String(), "0"), ".") + "%"
}

// Of is how many of n dialogues it allows to be below. A share of which a part of a dialogue is left does not allow
// that.
func (a Allowance) Of(n int) int {
	if a.Share == 0 {
		return a.Count
	}
	return n * int(a.Share) / (100 * 100)
}
