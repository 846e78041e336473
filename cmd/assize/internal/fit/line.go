package fit

import (
	"math"

	"assize/cmd/assize/internal/agreement"
	"assize/heuristics"
)

// slope is what the ratings say of the slope of a line through them, in rating per unit of the input.
type slope struct {
	found, low, high float64               // the line with the least squares, with its 95 % interval; NaN where the input does not vary
	used             heuristics.Millionths // the slope of the map
	learnt           bool                  // whether that is the one found
}

// steepest bounds a slope: beyond it the whole scale lies within one unit of the input.
const steepest = 4

// straight fits a line. Its slope is that of the least squares where the interval lies above 0, and the slope that is
// known already where it does not; the line goes through the mean of the points.
//
// Drawing the slope found towards the known one by its precision was tried as well: on the rated dialogues from which
// the known slope comes it gains 0.03 points of 100 from 50 labels, and it loses 0.2 to 0.8 where people use twice or
// three times as much of the scale.
func straight(points []point, known heuristics.Millionths) (heuristics.Line, slope) {
	at, rating := columns(points)
	s := slope{used: known}
	_, s.found = agreement.Line(at, rating)
	margin := float64(student(len(at)-2) * deviationOf(s.found, at, rating))
	s.low, s.high = s.found-margin, s.found+margin
	if s.low > 0 {
		s.used, s.learnt = heuristics.MillionthsOf(min(s.found, steepest)), true
	}
	intercept := agreement.Mean(rating, nil) - float64(s.used.Float()*agreement.Mean(at, nil))
	return heuristics.Line{Intercept: heuristics.MillionthsOf(intercept), Slope: s.used}, s
}

// deviationOf is the standard error of the slope of a line with the least squares.
func deviationOf(slope float64, x, y []float64) float64 {
	mx := agreement.Mean(x, nil)
	var xx float64
	for _, v := range x {
		xx += float64((v - mx) * (v - mx))
	}
	return math.Sqrt(residue(slope, x, y) / xx)
}

// residue is the variance of what a line with the least squares leaves unexplained.
func residue(slope float64, x, y []float64) float64 {
	mx, my := agreement.Mean(x, nil), agreement.Mean(y, nil)
	var sum float64
	for i := range x {
		off := y[i] - my - float64(slope*(x[i]-mx))
		sum += float64(off * off)
	}
	return sum / float64(len(x)-2)
}

// student is the 97.5 % quantile of Student's t with df degrees of freedom, by the expansion of Abramowitz and Stegun,
// 26.7.5. From 7 on it is right to a thousandth.
func student(df int) float64 {
	const z = 1.959963984540054 // the quantile of the normal distribution
	const z2 = z * z
	const (
		first  = (z2 + 1) * z / 4
		second = ((5*z2+16)*z2 + 3) * z / 96
		third  = (((3*z2+19)*z2+17)*z2 - 15) * z / 384
		fourth = ((((79*z2+776)*z2+1482)*z2-1920)*z2 - 945) * z / 92160
	)
	n := float64(df)
	return z + (first+(second+(third+fourth/n)/n)/n)/n
}
