package compare

import (
	"math"

	"assize/cmd/assize/internal/agreement"
)

// Part is what was measured of the dialogues that are compared, all of them or those of one file.
type Part struct {
	File    string              // the file; empty for all
	NA, NB  int                 // how many dialogues each side has; in pairs as many
	Figures [NumMeasures]Figure // by [Measure]
}

// Figure compares A and B on one measure, in the measure's own units. What cannot be had is NaN.
type Figure struct {
	A, B       float64 // means
	Difference float64 // B − A
	Interval   agreement.Interval

	// Of pairs:
	Rose, Fell, Stayed int
	Sign, Wilcoxon     Test

	// Of two different sets: the chance that a dialogue of B has the higher value than one of A, equal values counting
	// half, which is the U of Mann and Whitney over the number of pairs. 0.5 is no difference.
	Above float64
}

// Test is what came of a test: P is the chance of a difference as large where there is none, NaN where nothing
// differs; Holm is P corrected for the number of criteria that were tested, NaN for other measures.
type Test struct{ P, Holm float64 }

// sides are the rows of dialogues that are compared: in pairs those of one place belong together.
type sides struct {
	file   string
	paired bool
	a, b   []row
}

// add puts in a dialogue; of two different sets one of the rows is nil.
func (s *sides) add(a, b *row) {
	if a != nil {
		s.a = append(s.a, *a)
	}
	if b != nil {
		s.b = append(s.b, *b)
	}
}

// part measures everything but the intervals.
func (s *sides) part() Part {
	p := Part{File: s.file, NA: len(s.a), NB: len(s.b)}
	for m := range p.Figures {
		f := &p.Figures[m]
		*f = Figure{Interval: unknown, Sign: untested, Wilcoxon: untested, Above: math.NaN()}
		a, b := total(s.a, m), total(s.b, m)
		f.A, f.B = perDialogue(a, len(s.a)), perDialogue(b, len(s.b))
		f.Difference = math.NaN()
		switch {
		case len(s.a) == 0 || len(s.b) == 0:
		case s.paired:
			f.Difference = perDialogue(b-a, len(s.a))
			s.test(f, m)
		default:
			na, nb := int64(len(s.a)), int64(len(s.b))
			f.Difference = float64(b*na-a*nb) / float64(100*na*nb) // exact up to here, and rounded once
			f.Above = s.above(m)
		}
	}
	correct(&p)
	return p
}

var (
	unknown  = agreement.Interval{Low: math.NaN(), High: math.NaN()}
	untested = Test{math.NaN(), math.NaN()}
)

func total(rows []row, m int) (sum int64) {
	for i := range rows {
		sum += int64(rows[i][m])
	}
	return sum
}

// perDialogue is the mean of n values that add up to sum hundredths.
func perDialogue(sum int64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return float64(sum) / float64(100*n)
}

// test asks whether measure m moved more one way than the other.
func (s *sides) test(f *Figure, m int) {
	moved := make([]float64, len(s.a))
	for i := range moved {
		moved[i] = float64(s.b[i][m] - s.a[i][m])
	}
	f.Rose, f.Fell, f.Sign.P = agreement.SignTest(moved)
	f.Stayed = len(moved) - f.Rose - f.Fell
	_, f.Wilcoxon.P = agreement.Wilcoxon(moved)
}

// above is the chance that B has the higher value on measure m.
func (s *sides) above(m int) float64 {
	values := make([]float64, 0, len(s.a)+len(s.b))
	ofB := make([]bool, len(s.a)+len(s.b))
	for i := range s.a {
		values = append(values, float64(s.a[i][m]))
	}
	for i := range s.b {
		ofB[len(values)] = true
		values = append(values, float64(s.b[i][m]))
	}
	return agreement.AUC(values, ofB)
}
