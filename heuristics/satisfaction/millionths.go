package satisfaction

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Millionths is a fixed-point number with six decimals: 3150000 is 3.15. Internal figures, such as
// the reaction score, use it so that they are the same on every machine.
type Millionths int64

const one Millionths = 1_000_000

// MillionthsOf rounds f to the nearest millionth, halves away from zero. f must be within ±9e12 and
// not NaN.
func MillionthsOf(f float64) Millionths { return Millionths(math.Round(f * float64(one))) }

// Float returns m as a floating-point number.
func (m Millionths) Float() float64 { return float64(m) / float64(one) }

// String returns the shortest decimal form.
func (m Millionths) String() string {
	sign := ""
	if m < 0 {
		sign, m = "-", -m
	}
	s := fmt.Sprintf("%s%d.%06d", sign, m/one, m%one)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// MarshalJSON writes the shortest decimal form.
func (m Millionths) MarshalJSON() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalJSON parses a JSON number with at most six decimals, from -1000 to 1000. For example,
// 8e-05 is 0.00008.
func (m *Millionths) UnmarshalJSON(b []byte) error {
	const limit = 1000 // so that the product of two values does not overflow
	s := string(b)
	f, err := strconv.ParseFloat(s, 64)
	if err == nil && strings.ContainsAny(s, "eE") {
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	_, decimals, _ := strings.Cut(s, ".")
	if err != nil || len(decimals) > 6 || math.Abs(f) > limit {
		return fmt.Errorf("%s is no number from -1000 to 1000 with at most six decimals", s)
	}
	*m = MillionthsOf(f)
	return nil
}

// rounded returns m in hundredths; halves are rounded up.
func (m Millionths) rounded() int64 {
	return floorDiv(int64(m)+microPerHundredth/2, microPerHundredth)
}

// floorDiv divides and rounds towards minus infinity.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// microPerHundredth is the number of millionths of a point in a hundredth. Sums are kept as integer
// millionths so that they are the same on every machine.
const microPerHundredth = 10_000
