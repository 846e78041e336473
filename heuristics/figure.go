package heuristics

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Figures are read from the text of a turn, in digits.

// figure is a number as written in a turn: an amount, a reference or a quantity. Times, dates with
// slashes and years are not figures.
type figure struct {
	passage
	money    bool  // it has a currency
	code     bool  // it contains letters or hyphens
	digits   uint8 // the number of digits
	decimals uint8 // the number of digits after a point
	value    uint64
}

// Limits on figures: the number in a turn, and the number of digits in each.
const (
	maxFigures = 24
	maxDigits  = 15
)

// isPlainLetter reports whether c is a letter of a code, and not part of a pound or euro sign.
func isPlainLetter(c byte) bool { return c < utf8.RuneSelf && isLetter(c) }

// appendFigures appends the figures of turn i, at most maxFigures.
func appendFigures(list []figure, t *turnText, i int) []figure {
	end := len(list) + maxFigures
	for k := 0; k < len(t.tokens) && len(list) < end; {
		if !t.tokens[k].is(number) {
			k++
			continue
		}
		f, size := figureAt(t, k)
		if k += size; f.digits > 0 {
			f.turn = i
			list = append(list, f)
		}
	}
	return list
}

// figureAt reads the figure that begins with token k, a number, and returns how many tokens it has.
// If no figure begins there, it has no digits, nor has one with more than maxDigits. "18,240" and
// "55-20713" are single figures.
func figureAt(t *turnText, k int) (f figure, size int) {
	last := lastPart(t, k)
	end := t.tokens[last].end
	from := t.tokens[k].start
	for from > 0 && (t.text[from-1] == '-' || isPlainLetter(t.text[from-1])) { // letters of a code
		from--
		f.code = true
	}
	text := t.text[from:end]
	if int(end) < len(t.text) && t.text[end] == '/' {
		return figure{}, last - k + 1
	}
	if colon := strings.LastIndexByte(text, ':'); colon >= 0 {
		for last > k && t.tokens[last].start > from+uint32(colon) {
			last--
		}
		return figure{}, last - k + 1
	}
	if from > 0 && t.text[from-1] == '/' {
		return figure{}, 1
	}
	if f.parse(text); f.digits > maxDigits {
		return figure{}, last - k + 1
	}
	f.money = isMoney(t, from, last)
	century := f.value / 100 // of what may be a year
	if f.digits < 2 || !f.money && !f.code && f.digits == 4 && f.decimals == 0 &&
		(century == 19 || century == 20) {
		return figure{}, 1
	}
	f.first, f.last = k, last
	return f, last - k + 1
}

// lastPart returns the last token of the number that begins with token k, whose parts are separated
// only by a comma or a hyphen.
func lastPart(t *turnText, k int) int {
	for k+1 < len(t.tokens) && t.tokens[k+1].is(number) &&
		t.tokens[k+1].start == t.tokens[k].end+1 && isMark(t.text[t.tokens[k].end], ",-") {
		k++
	}
	return k
}

// parse parses the digits of a figure, at most one more than maxDigits.
func (f *figure) parse(text string) {
	point := false
	for _, c := range []byte(text) {
		switch {
		case c == '.':
			point = true
		case isDigit(c):
			f.value = f.value*10 + uint64(c-'0')
			f.digits++
			if point {
				f.decimals++
			}
		case isPlainLetter(c) || c == '-':
			f.code = true
		}
		if f.digits > maxDigits {
			return
		}
	}
}

// isMoney reports whether a currency precedes byte from or follows token last.
func isMoney(t *turnText, from uint32, last int) bool {
	before := strings.TrimRight(t.text[:from], " ")
	behind := strings.TrimLeft(t.text[t.tokens[last].end:], " ")
	for _, sign := range [...]string{"$", "£", "€"} {
		if strings.HasSuffix(before, sign) || strings.HasPrefix(behind, sign) {
			return true
		}
	}
	return t.is(last+1, "pound", "pounds", "euro", "euros", "dollar", "dollars", "eur", "gbp",
		"usd", "quid", "bucks")
}

// isSpecific reports whether a figure is specific enough to be compared: it has three digits or is
// an amount.
func (f *figure) isSpecific() bool { return f.digits >= 3 || f.money }

// hundredths returns the value of a figure in hundredths.
func (f *figure) hundredths() uint64 {
	v := f.value
	for range int(f.decimals) - 2 {
		v = (v + 5) / 10
	}
	for range 2 - int(f.decimals) {
		if v > math.MaxUint64/10 {
			return 0
		}
		v *= 10
	}
	return v
}
