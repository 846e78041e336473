package stats

import (
	"math"
	"strconv"
)

// Fixed is a figure that is written with a fixed number of decimals, halves away from zero, and never as -0.
type Fixed struct {
	Value    float64
	Decimals int
}

// String gives the digits; nothing for NaN and for infinities.
func (f Fixed) String() string {
	if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
		return ""
	}
	unit := math.Pow10(f.Decimals)
	rounded := math.Round(f.Value*unit) / unit
	if rounded == 0 {
		rounded = 0 // and not -0
	}
	return strconv.FormatFloat(rounded, 'f', f.Decimals, 64)
}

// MarshalJSON gives a JSON number with all its decimals; null for NaN and for infinities.
func (f Fixed) MarshalJSON() ([]byte, error) {
	if s := f.String(); s != "" {
		return []byte(s), nil
	}
	return []byte("null"), nil
}
