package ratings

import (
	"fmt"
	"strconv"
	"strings"
)

// Scale is the ends of the scale on which people rated: Low is what the worst dialogue gets, High the best. Where
// low numbers are good, as school grades are in some countries, Low is the greater number.
type Scale struct{ Low, High float64 }

// DefaultScale is the scale of the product, from 1 to 5.
var DefaultScale = Scale{1, 5}

// ParseScale reads a scale such as "1-5", "0-10" or, where 1 is the best, "6-1".
func ParseScale(text string) (Scale, error) {
	bad := fmt.Errorf("%q is no scale; want its two ends, worst first, such as 1-5 or 0-10", text)
	s := strings.TrimSpace(strings.ReplaceAll(text, "–", "-"))
	if len(s) < 3 {
		return Scale{}, bad
	}
	at := strings.IndexByte(s[1:], '-') + 1 // a minus sign may come first
	if at == 0 {
		return Scale{}, bad
	}
	low, okLow := parseNumber(s[:at])
	high, okHigh := parseNumber(s[at+1:])
	if !okLow || !okHigh || low == high {
		return Scale{}, bad
	}
	return Scale{low, high}, nil
}

// OnFive takes a rating onto the scale from 1 to 5; on that scale it is left as it is.
func (s Scale) OnFive(r float64) float64 {
	if s == DefaultScale {
		return r
	}
	return 1 + 4*(r-s.Low)/(s.High-s.Low)
}

// Holds reports whether r lies on the scale.
func (s Scale) Holds(r float64) bool { return min(s.Low, s.High) <= r && r <= max(s.Low, s.High) }

// String gives the form that [ParseScale] reads.
func (s Scale) String() string { return number(s.Low) + "-" + number(s.High) }

// onFive takes a rating onto the scale from 1 to 5, or says what is wrong with it.
func (s Scale) onFive(r float64) (float64, error) {
	if !s.Holds(r) {
		return 0, fmt.Errorf("the rating %s is off the scale from %s to %s; want --scale with the ends of the people's scale, such as --scale 0-10",
			number(r), number(s.Low), number(s.High))
	}
	return s.OnFive(r), nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// parseNumber reads a plain decimal number; ParseFloat alone would also take "inf" and "0x1p-2".
func parseNumber(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if strings.Trim(s, "0123456789.-+") != "" || len(s) > 30 {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}
