package compare

import (
	"errors"
	"fmt"
	"math"

	"assize/rubric"
)

// Drop answers whether the mean weighted average of B is lower than that of A by at least by points, as it is printed.
// Of the same dialogues the mean is over those that are scored in both runs, of two different sets over those that are
// scored in either. sure asks for more: that the whole 95 % interval is lower by so much. The answer is the sentence
// that says so, empty for no.
//
// The error says why there is no answer: nothing is scored, the two runs weigh the criteria differently, or there are
// too few dialogues for an interval.
func (c *Comparison) Drop(by rubric.Hundredths, sure bool) (string, error) {
	f := &c.All.Figures[Average]
	switch {
	case c.All.NA == 0 || c.All.NB == 0:
		return "", errors.New("no difference can be told, since nothing is scored on both sides")
	case c.Reweighted():
		return "", errors.New("the runs weigh the criteria differently, and such averages cannot be compared; want both scored with the same rubric")
	case sure && math.IsNaN(f.Interval.High):
		return "", fmt.Errorf("%s are too few to be sure; want %d or more", c.counted(), fewest)
	}
	dropped := -hundredths(f.Difference)
	least := -hundredths(f.Interval.High)
	switch {
	case sure && least >= by:
		return fmt.Sprintf("the mean weighted average dropped by %s points, and by %s at least (95 %%)", dropped, least), nil
	case !sure && dropped >= by:
		return fmt.Sprintf("the mean weighted average dropped by %s points", dropped), nil
	}
	return "", nil
}
