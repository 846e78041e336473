package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// EachCode calls yield with each sequence of letters, digits and marks in a text that contains a
// digit and, if marks are given, one of them: R1-77.
func EachCode(text, marks string, yield func(string)) {
	noCode := func(r rune) bool {
		return (r >= utf8.RuneSelf || !wordByte[r]) && !strings.ContainsRune(marks, r)
	}
	for run := range strings.FieldsFuncSeq(text, noCode) {
		if HasDigit(run) && (marks == "" || strings.ContainsAny(run, marks)) {
			yield(run)
		}
	}
}

// CodesAlike reports whether two codes may be references of one kind: their letters and digits are
// in the same places, or they are of one series.
func CodesAlike(one, other string) bool {
	return shapeOf(one) == shapeOf(other) || OfSeries(one, other)
}

// OfSeries reports whether two codes have the same letters before their digits: FW-9 and FW-99.
func OfSeries(one, other string) bool {
	series := strings.TrimRight(one, "0123456789")
	return len(series) > 1 && len(series) < len(one) &&
		series == strings.TrimRight(other, "0123456789")
}

// shapeOf returns the letters and digits of a code, all letters and all digits as one.
func shapeOf(code string) string {
	var shape []byte
	for i := range len(code) {
		switch {
		case IsDigit(code[i]):
			shape = append(shape, '0')
		case IsLetter(code[i]):
			shape = append(shape, 'a')
		}
	}
	if len(shape) <= 3 {
		shape = slices.Compact(shape) // B12 and C7 may be two seats
	}
	return string(shape)
}

// IsMixed reports whether a word has letters and digits.
func IsMixed(word string) bool {
	return HasDigit(word) && strings.ContainsFunc(word, unicode.IsLetter)
}

// Spaced returns the words and numbers of a text in lower case, with a space before each and after
// the last one.
func Spaced(s string) string {
	noWord := func(r rune) bool {
		return r < utf8.RuneSelf && !IsLetter(byte(r)) && !IsDigit(byte(r)) || r == '’'
	}
	s = strings.ReplaceAll(s, ",", "") // 3,000
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), noWord), " ") + " "
}
