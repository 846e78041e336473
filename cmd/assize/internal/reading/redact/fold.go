package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text in the normalised form in which personal data is searched. Characters that look
// the same are equal: all dashes are hyphens, all spaces are ASCII spaces. Combining marks and
// invisible characters are removed.
type folded struct {
	original string
	s        string
	low      string // s in lower case, with the same byte offsets
	// the offset of each byte of s in the original, and of the end; nil if s is the original
	from []int
}

// fold returns the normalised form of s.
func fold(s string) folded {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return folded{s, s, strings.ToLower(s), nil}
	}
	var plain strings.Builder
	plain.Grow(len(s))
	from := make([]int, 0, len(s)+1)
	put := func(r rune, at int) {
		n, _ := plain.WriteRune(r)
		for range n {
			from = append(from, at)
		}
	}
	for i, r := range s {
		if r < utf8.RuneSelf || r == '\u2026' {
			put(r, i)
			continue
		}
		shape := norm.NFKD.PropertiesString(s[i:]).Decomposition()
		if shape == nil {
			shape = utf8.AppendRune(nil, r)
		}
		for _, r := range string(shape) {
			if r = plainRune(r); r >= 0 {
				put(r, i)
			}
		}
	}
	low := strings.Map(func(r rune) rune {
		if small := unicode.ToLower(r); utf8.RuneLen(small) == utf8.RuneLen(r) {
			return small
		}
		return r
	}, plain.String())
	return folded{s, plain.String(), low, append(from, len(s))}
}

// looks maps characters to the ASCII character that they look like, but do not decompose to.
var looks = map[rune]rune{
	'\u2018': '\'', '\u2019': '\'', '\u201a': '\'', '\u201b': '\'', '\u02bc': '\'',
	'\u201c': '"', '\u201d': '"', '\u201e': '"', '\u00ab': '"', '\u00bb': '"',
	'\u2044': '/', '\u2215': '/', '\u29f8': '/', '\u2212': '-', '\u2043': '-',
	'\u00b7': '.', '\u2022': '.', '\u2219': '.', '\u22c5': '.', '\u2236': ':', '\ua789': ':',
	'\u2014': ' ', '\u2015': ' ', // between parts of a sentence
	'ł': 'l', 'Ł': 'L', 'ø': 'o', 'Ø': 'O', 'đ': 'd', 'Đ': 'D',
}

// plainRune returns the normalised form of r, or -1 if r is not visible by itself.
func plainRune(r rune) rune {
	switch {
	case looks[r] != 0:
		return looks[r]
	case unicode.Is(unicode.Zs, r), r == '\u2028', r == '\u2029', r == '\u0085':
		return ' '
	case unicode.Is(unicode.Pd, r):
		return '-'
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return -1
	}
	return r
}

// place returns the range of the original text of a range of s, with what was removed after it.
func (f *folded) place(start, end int) (int, int) {
	if f.from == nil {
		return start, end
	}
	for end < len(f.s) && end > start && f.from[end] == f.from[end-1] {
		end++ // within the letters of one character, such as a ligature
	}
	return f.from[start], f.from[end]
}
