package accord

import (
	"math"
	"strconv"

	"assize/cmd/assize/internal/ratings"
)

// Options say how agreement is measured.
type Options struct {
	Scale ratings.Scale // on which people rated
	By    By
	Worst float64 // the part of the dialogues, from 0 to 1, below whose quantile the worst lie
	Draws int     // of the bootstrap; none gives no intervals
	Seed  uint64  // of the bootstrap
	Jobs  int     // how many groups are measured at once; it changes no figure
}

// Precision is the part of the dialogues, lowest first by the judge, among which the worst are counted: half as many
// as the worst are meant to be, since nobody reads on where the list has run dry.
func (o *Options) Precision() float64 { return o.Worst / 2 }

// Percent prints a part of one, to a hundredth of a percent: "20 %".
func Percent(part float64) string {
	return strconv.FormatFloat(math.Round(1e4*part)/100, 'f', -1, 64) + " %"
}
