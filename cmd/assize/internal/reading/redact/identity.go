package redact

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed ibans.txt
var ibansFile string

// ibanLengths maps a country code to the length of its IBANs in characters.
var ibanLengths = sync.OnceValue(func() map[string]int {
	lengths, err := readLengths(ibansFile)
	if err != nil {
		panic(err) // the file is embedded
	}
	return lengths
})

func readLengths(file string) (map[string]int, error) {
	const limit = 34 // ISO 13616
	lengths := map[string]int{}
	number := 0
	for line := range strings.Lines(file) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		n, err := strconv.Atoi(fields[0])
		if err != nil || n > limit || len(fields) == 1 {
			return nil, fmt.Errorf("ibans.txt:%d: %q is not a length and its countries", number,
				strings.TrimSpace(line))
		}
		for _, country := range fields[1:] {
			lengths[country] = n
		}
	}
	return lengths, nil
}

// identified masks an identifier of letters and digits that starts at token i, and returns the
// number of masked tokens.
func (t *text) identified(i int, h *context) int {
	tok := &t.tokens[i]
	if c := t.s[tok.start]; !isLetter(c) && !isDigit(c) || !t.digits {
		return 0
	}
	part := t.part(i)
	if n := t.iban(i); n > 0 {
		t.add(tok.start, t.tokens[i+n-1].end, maskAccount)
		return n
	}
	heard := h.near
	if heard == 0 && !h.hasCue {
		heard = h.expected
	}
	if heard == 0 && tok.class == mixed {
		heard = t.ahead(i + 1)
	}
	if n := t.insurance(i, heard); n > 0 {
		t.add(tok.start, t.tokens[i+n-1].end, maskID)
		return n
	}
	switch {
	case tok.class == mixed && len(part) == 12 && (heard|h.sentence)&mac != 0 && isAllHex(part):
		t.add(tok.start, tok.end, maskMAC)
		return 1
	case tok.class == mixed && heard&pin != 0 && len(part) >= 4 && countDigits(part) > 1:
		t.add(tok.start, tok.end, maskSecret)
		return 1
	case tok.class == mixed && heard&account != 0 && countDigits(part) >= 6:
		t.add(tok.start, tok.end, maskAccount)
		return 1
	case heard&identity != 0:
		n := t.document(i)
		if n > 0 {
			t.add(tok.start, t.tokens[i+n-1].end, maskID)
		}
		return n
	}
	return 0
}

func isAllHex(s string) bool {
	for i := range len(s) {
		if !isHex(s[i]) {
			return false
		}
	}
	return true
}

func countDigits(s string) (n int) {
	for i := range len(s) {
		if isDigit(s[i]) {
			n++
		}
	}
	return n
}

// document returns how many tokens from i on form the number of a passport, a licence or a
// taxpayer: letters and digits with single separators between them.
func (t *text) document(i int) int {
	const minimum, limit, whole = 5, 18, 6
	tok := &t.tokens[i]
	part := t.part(i)
	if tok.class == letters && (len(part) > 3 || part != strings.ToUpper(part) ||
		len(part) != 2 && tok.sense&filler != 0) {
		return 0
	}
	digits, length, last := 0, 0, 0
	for n := 0; i+n < len(t.tokens); n++ {
		next := &t.tokens[i+n]
		part := t.part(i + n)
		gap := t.gap(i + n)
		if n > 0 && (len(gap) != 1 || !strings.Contains(" -./", gap)) || next.class == opaque {
			break
		}
		if next.class == letters && n > 0 && (gap == " " || len(part) > 3) ||
			length+len(part) > limit || n > 0 && gap == " " && digits >= 9 {
			break
		}
		digits += countDigits(part)
		length += len(part)
		if last = n + 1; n == 0 && next.class == mixed && len(part) >= whole {
			if i+1 < len(t.tokens) && t.gap(i+1) == " " {
				break
			}
		}
	}
	if digits < minimum || t.has(i+last, unit) && t.gap(i+last) == " " {
		return 0
	}
	return last
}

// compact returns the letters and digits of the tokens from i on in upper case, at most limit of
// them, and the offset in s at which each token ends.
func (t *text) compact(i, limit int) (s string, ends []int) {
	var b strings.Builder
	for n := 0; i+n < len(t.tokens); n++ {
		part := t.part(i + n)
		if gap := t.gap(i + n); n > 0 && (len(gap) > 2 || strings.Trim(gap, " .-/") != "" ||
			strings.HasPrefix(gap, ". ")) ||
			b.Len()+len(part) > limit || t.tokens[i+n].class == opaque || part[0] >= 0x80 {
			break
		}
		b.WriteString(part)
		ends = append(ends, b.Len())
	}
	return strings.ToUpper(b.String()), ends
}

// iban returns how many tokens from i on form an international bank account number.
func (t *text) iban(i int) int {
	if part := t.part(i); len(part) < 4 || !isLetter(part[0]) || !isLetter(part[1]) ||
		!isDigit(part[2]) || !isDigit(part[3]) {
		return 0
	}
	length := ibanLengths()[strings.ToUpper(t.part(i)[:2])]
	s, ends := t.compact(i, length)
	if length == 0 || len(s) != length || !validIBAN(s) {
		return 0
	}
	return len(ends)
}

// validIBAN reports whether letters and digits have the remainder 1 modulo 97, as every IBAN does
// (ISO 13616).
func validIBAN(s string) bool {
	rest := 0
	for i := range len(s) {
		c := s[(i+4)%len(s)] // the country and check digits move to the end
		switch {
		case isDigit(c):
			rest = (rest*10 + int(c-'0')) % 97
		case 'A' <= c && c <= 'Z':
			rest = (rest*100 + int(c-'A') + 10) % 97
		default:
			return false
		}
	}
	return rest == 1
}

// insurance returns how many tokens from i on form a British national insurance number.
func (t *text) insurance(i int, heard sense) int {
	const length = 9
	part := t.part(i)
	if len(part) < 2 || !isLetter(part[0]) || !isLetter(part[1]) ||
		t.tokens[i].class == letters && len(part) > 2 {
		return 0
	}
	s, ends := t.compact(i, length)
	if len(s) != length || countDigits(s[2:8]) != 6 || !isLetter(s[8]) {
		return 0
	}
	if heard&identity == 0 && (heard&harmless != 0 || part[:2] != s[:2] || s[8] > 'D' ||
		strings.ContainsAny(s[:2], "DFIQUV") || s[1] == 'O') {
		return 0
	}
	return len(ends)
}
