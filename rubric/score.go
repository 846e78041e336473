package rubric

import (
	"fmt"
	"strconv"
)

// Score is a level of the scale: 20, 40, 60, 80 or 100 (003, "Scoring Scale"). Zero means not scored,
// which is never the same as low.
type Score uint8

// Scale is the five levels, lowest first.
var Scale = [5]Score{20, 40, 60, 80, 100}

// Valid reports whether s is on the scale. Zero is not.
func (s Score) Valid() bool { return s >= 20 && s <= 100 && s%20 == 0 }

// String gives the number.
func (s Score) String() string { return strconv.Itoa(int(s)) }

// Level is the place of a valid score on the scale, from 0 for 20 to 4 for 100.
func (s Score) Level() int { return int(s)/20 - 1 }

// Step gives the score that lies by levels above s (below it for a negative number), and stops at the ends
// of the scale.
func (s Score) Step(by int) Score { return Scale[min(max(s.Level()+by, 0), len(Scale)-1)] }

// Hundredths is a fixed-point number: 8800 is 88.00. Everything that is scored is computed in it.
type Hundredths int

// String prints two decimals, as both documents do.
func (h Hundredths) String() string { return string(h.Append(nil)) }

// Append adds the two-decimal form of h to b.
func (h Hundredths) Append(b []byte) []byte {
	if h < 0 {
		b = append(b, '-')
		h = -h
	}
	b = strconv.AppendInt(b, int64(h/100), 10)
	return append(b, '.', byte('0'+h/10%10), byte('0'+h%10))
}

// MarshalJSON writes a number with exactly two decimals.
func (h Hundredths) MarshalJSON() ([]byte, error) { return h.Append(nil), nil }

// ParseHundredths reads a decimal number with at most two decimals, such as "88", "-0.5" or "88.00".
func ParseHundredths(s string) (Hundredths, error) {
	digits, sign := s, Hundredths(1)
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		if digits[0] == '-' {
			sign = -1
		}
		digits = digits[1:]
	}
	var n Hundredths
	decimals, seen := -1, 0
	for i := range len(digits) {
		switch c := digits[i]; {
		case c == '.' && decimals < 0:
			decimals = 0
		case c >= '0' && c <= '9' && decimals < 2 && seen < 12:
			n = n*10 + Hundredths(c-'0')
			seen++
			if decimals >= 0 {
				decimals++
			}
		default:
			return 0, fmt.Errorf("%q is not a number with at most two decimals", s)
		}
	}
	if seen == 0 {
		return 0, fmt.Errorf("%q is not a number with at most two decimals", s)
	}
	for range 2 - max(decimals, 0) {
		n *= 10
	}
	return sign * n, nil
}

// UnmarshalJSON reads a JSON number with at most two decimals.
func (h *Hundredths) UnmarshalJSON(b []byte) (err error) {
	*h, err = ParseHundredths(string(b))
	return err
}

// ScoreError tells that a criterion holds no score of the scale.
type ScoreError struct {
	Criterion Criterion
	Score     Score
}

func (e *ScoreError) Error() string {
	if e.Score == 0 {
		return fmt.Sprintf("%s is not scored; want 20, 40, 60, 80 or 100", e.Criterion)
	}
	return fmt.Sprintf("%s has the score %d; want 20, 40, 60, 80 or 100", e.Criterion, e.Score)
}
