package quantity

import (
	"math"
	"strings"
	"unicode/utf8"

	"assize/heuristics/text"
)

// Figures are read from the text of a turn, in digits.

// Figure is a number as written in a turn: an amount, a reference or a quantity. Times, dates with
// slashes and years are not figures.
type Figure struct {
	text.Passage
	Money    bool  // it has a currency
	Code     bool  // it contains letters or hyphens
	Digits   uint8 // the number of digits
	Decimals uint8 // the number of digits after a point
	Value    uint64
}

// Limits on figures: the number in a turn, and the number of digits in each.
const (
	maxFigures = 24
	maxDigits  = 15
)

// isPlainLetter reports whether c is a letter of a code, and not part of a pound or euro sign.
func isPlainLetter(c byte) bool { return c < utf8.RuneSelf && text.IsLetter(c) }

// AppendFigures appends the figures of turn i, at most maxFigures.
func AppendFigures(list []Figure, t *text.Turn, i int) []Figure {
	end := len(list) + maxFigures
	for k := 0; k < len(t.Tokens) && len(list) < end; {
		if !t.Tokens[k].Is(text.Number) {
			k++
			continue
		}
		f, size := figureAt(t, k)
		if k += size; f.Digits > 0 {
			f.Turn = i
			list = append(list, f)
		}
	}
	return list
}

// figureAt reads the figure that begins with token k, a number, and returns how many tokens it has.
// If no figure begins there, it has no digits, nor has one with more than maxDigits. "18,240" and
// "55-20713" are single figures.
func figureAt(t *text.Turn, k int) (f Figure, size int) {
	last := lastPart(t, k)
	end := t.Tokens[last].End
	from := t.Tokens[k].Start
	for from > 0 && (t.Text[from-1] == '-' || isPlainLetter(t.Text[from-1])) { // letters of a code
		from--
		f.Code = true
	}
	s := t.Text[from:end]
	if int(end) < len(t.Text) && t.Text[end] == '/' {
		return Figure{}, last - k + 1
	}
	if colon := strings.LastIndexByte(s, ':'); colon >= 0 {
		for last > k && t.Tokens[last].Start > from+uint32(colon) {
			last--
		}
		return Figure{}, last - k + 1
	}
	if from > 0 && t.Text[from-1] == '/' {
		return Figure{}, 1
	}
	if f.parse(s); f.Digits > maxDigits {
		return Figure{}, last - k + 1
	}
	f.Money = isMoney(t, from, last)
	century := f.Value / 100 // of what may be a year
	if f.Digits < 2 || !f.Money && !f.Code && f.Digits == 4 && f.Decimals == 0 &&
		(century == 19 || century == 20) {
		return Figure{}, 1
	}
	f.First, f.Last = k, last
	return f, last - k + 1
}

// lastPart returns the last token of the number that begins with token k, whose parts are separated
// only by a comma or a hyphen.
func lastPart(t *text.Turn, k int) int {
	for k+1 < len(t.Tokens) && t.Tokens[k+1].Is(text.Number) &&
		t.Tokens[k+1].Start == t.Tokens[k].End+1 && text.IsMark(t.Text[t.Tokens[k].End], ",-") {
		k++
	}
	return k
}

// parse parses the digits of a figure, at most one more than maxDigits.
func (f *Figure) parse(s string) {
	point := false
	for _, c := range []byte(s) {
		switch {
		case c == '.':
			point = true
		case text.IsDigit(c):
			f.Value = f.Value*10 + uint64(c-'0')
			f.Digits++
			if point {
				f.Decimals++
			}
		case isPlainLetter(c) || c == '-':
			f.Code = true
		}
		if f.Digits > maxDigits {
			return
		}
	}
}

// isMoney reports whether a currency precedes byte from or follows token last.
func isMoney(t *text.Turn, from uint32, last int) bool {
	before := strings.TrimRight(t.Text[:from], " ")
	behind := strings.TrimLeft(t.Text[t.Tokens[last].End:], " ")
	for _, sign := range [...]string{"$", "£", "€"} {
		if strings.HasSuffix(before, sign) || strings.HasPrefix(behind, sign) {
			return true
		}
	}
	return t.Is(last+1, "pound", "pounds", "euro", "euros", "dollar", "dollars", "eur", "gbp",
		"usd", "quid", "bucks")
}

// IsSpecific reports whether a figure is specific enough to be compared: it has three digits or is
// an amount.
func (f *Figure) IsSpecific() bool { return f.Digits >= 3 || f.Money }

// Hundredths returns the value of a figure in hundredths.
func (f *Figure) Hundredths() uint64 {
	v := f.Value
	for range int(f.Decimals) - 2 {
		v = (v + 5) / 10
	}
	for range 2 - int(f.Decimals) {
		if v > math.MaxUint64/10 {
			return 0
		}
		v *= 10
	}
	return v
}
