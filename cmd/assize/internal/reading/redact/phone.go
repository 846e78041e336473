package redact

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/nyaruka/phonenumbers"
)

//go:embed phones.txt
var phonesFile string

// form is a format of telephone numbers.
type form struct {
	digits  string   // # is any digit, N is 2 to 9
	regions []string // the number must be valid in one of these; empty if any number is valid
}

// forms maps the lengths of groups to the forms with these lengths.
var forms = sync.OnceValue(func() map[uint64][]form {
	m, err := readForms(phonesFile)
	if err != nil {
		panic(err) // the file is embedded
	}
	return m
})

// maxForm is the maximum number of groups in a form. Each has at most 15 digits.
const maxForm = 6

func readForms(file string) (map[uint64][]form, error) {
	m := map[uint64][]form{}
	n := 0
	for line := range strings.Lines(file) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		var fm form
		var lengths uint64
		groups := 0
		for part := range strings.FieldsSeq(line) {
			if strings.Trim(part, "#N0123456789") != "" {
				fm.regions = append(fm.regions, part)
				continue
			}
			if groups++; groups > maxForm || len(part) > 15 || len(fm.regions) > 0 {
				return nil, fmt.Errorf("phones.txt:%d: %q does not fit a form", n, part)
			}
			lengths = lengths<<4 | uint64(len(part))
			fm.digits += part
		}
		for _, region := range fm.regions {
			if phonenumbers.GetCountryCodeForRegion(region) == 0 {
				return nil, fmt.Errorf("phones.txt:%d: unknown country %q", n, region)
			}
		}
		m[lengths] = append(m[lengths], fm)
	}
	return m, nil
}

// fits reports whether digits match the form and are valid in one of its regions.
func (fm *form) fits(digits string) bool {
	for i := range len(digits) {
		switch c := fm.digits[i]; c {
		case '#':
		case 'N':
			if digits[i] < '2' {
				return false
			}
		default:
			if digits[i] != c {
				return false
			}
		}
	}
	return len(fm.regions) == 0 || inPlan(digits, fm.regions...)
}

// inPlan reports whether a number, as dialled nationally, can be valid in one of the regions.
func inPlan(digits string, regions ...string) bool {
	for _, region := range regions {
		n, err := phonenumbers.Parse(digits, region)
		if err == nil && phonenumbers.IsValidNumberForRegion(n, region) {
			return true
		}
	}
	return false
}

// maxNumber is the maximum number of digits of a telephone number (ITU-T E.164).
const maxNumber = 15

// international returns how many groups from k on form a number with its country code: +44 20 7946
// 0958.
func (t *text) international(f *figures, k int) int {
	before := strings.TrimRight(t.s[:t.tokens[f.first+k].start], "(")
	if strings.HasSuffix(before, "+") && len(before)+2 > t.tokens[f.first+k].start {
		return f.upTo(k, 7, maxNumber)
	}
	rest := f.digits[f.at[k]:]
	if !strings.HasPrefix(rest, "00") && !strings.HasPrefix(rest, "011") {
		return 0
	}
	n := f.upTo(k, 10, maxNumber+3)
	if n == 0 || !t.isolated(f, k, k+n) {
		return 0
	}
	digits := f.slice(k, k+n)
	number, err := phonenumbers.Parse("+"+strings.TrimPrefix(digits[2:], "1"), "")
	if digits[:2] == "00" {
		number, err = phonenumbers.Parse("+"+digits[2:], "")
	}
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return 0
	}
	return n
}

// national returns how many groups from k on form a number in a national format.
func (t *text) national(f *figures, k int) int {
	if n := t.spaced(f, k); n > 0 {
		return n
	}
	var lengths uint64
	for n := 1; n <= maxForm && k+n <= f.groups(); n++ {
		length := f.at[k+n] - f.at[k+n-1]
		if length > maxNumber {
			break
		}
		lengths = lengths<<4 | uint64(length)
		for _, fm := range forms()[lengths] {
			american := lengths == 0x334 && f.digits[f.at[k]] > '1'
			if (american || t.isolated(f, k, k+n)) && fm.fits(f.slice(k, k+n)) &&
				!t.isSeries(f, k, k+n) {
				return n
			}
		}
		if n == 2 && lengths == 0x34 && f.digits[f.at[k]] > '1' && t.gap(f.first+k+1) == "-" &&
			t.isolated(f, k, k+2) {
			return n // 555-0199
		}
	}
	if f.digits[f.at[k]] == '0' && !strings.HasPrefix(f.digits[f.at[k]:], "00") {
		return t.trunk(f, k)
	}
	return 0
}

// trunk returns how many groups from k on form a national number that begins with a 0. Most have 10
// or 11 digits, in arbitrary groups.
func (t *text) trunk(f *figures, k int) int {
	if k > 0 && !strings.Contains(t.gap(f.first+k), " ") {
		return 0
	}
	if n := f.upTo(k, 10, 11); n > 0 {
		return n
	}
	n := f.upTo(k, 9, 12)
	if n > 1 && t.isolated(f, k, k+n) &&
		inPlan(f.slice(k, k+n), "DE", "AT", "CH", "BE", "SE", "FI") {
		return n
	}
	return 0
}

// spaced returns how many single digits from k on form a number that is written digit by digit.
func (t *text) spaced(f *figures, k int) int {
	n := 0
	for k+n < f.groups() && f.at[k+n+1]-f.at[k+n] == 1 && n <= maxNumber {
		n++
	}
	if n < 10 || k+n < f.groups() {
		return 0
	}
	digits := f.slice(k, k+n)
	for _, fm := range forms()[uint64(n)] {
		if fm.fits(digits) {
			return n
		}
	}
	return 0
}

// isSeries reports whether groups of equal length increase by the same step, as sizes do.
func (t *text) isSeries(f *figures, from, to int) bool {
	if to-from < 3 {
		return false
	}
	step := 0
	for k := from; k+1 < to; k++ {
		a, b := f.slice(k, k+1), f.slice(k+1, k+2)
		if len(a) != len(b) || b <= a {
			return false
		}
		d := 0
		for i := range len(a) {
			d = d*10 + int(b[i]) - int(a[i])
		}
		if k > from && d != step {
			return false
		}
		step = d
	}
	return true
}

// withSigns returns the start of a number including its plus sign and parentheses.
func (t *text) withSigns(start, end int) int {
	at := start
	n := strings.IndexAny(t.s[start:end], "()")
	if at > 0 && t.s[at-1] == '(' && n >= 0 && t.s[start+n] == ')' {
		at--
	}
	if at > 0 && t.s[at-1] == '+' {
		return at - 1
	}
	if at == start && at > 1 && t.s[at-2:at] == "+(" {
		return at - 2
	}
	return at
}

// withExtension returns the end of a number including its extension, such as "ext. 22".
func (t *text) withExtension(last, end int) int {
	if last+2 >= len(t.tokens) || t.tokens[last+2].class != number {
		return end
	}
	switch t.low[t.tokens[last+1].start:t.tokens[last+1].end] {
	case "ext", "extension", "x", "durchwahl":
	default:
		return end
	}
	n := t.tokens[last+2]
	if n.end-n.start <= 6 && len(t.gap(last+1)) < 4 && len(t.gap(last+2)) < 3 {
		return n.end
	}
	return end
}
