package redact

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/nyaruka/phonenumbers"
)

//go:embed phones.txt
var phonesFile string

// form is a national format of telephone numbers.
type form struct {
	digits  string   // # is any digit, N is 2 to 9
	regions []string // the number must be valid in one of these; empty if any number is valid
}

// forms maps the lengths of groups, such as "3 3 4", to the forms with these lengths.
var forms = sync.OnceValue(func() map[string][]form {
	m, err := readForms(phonesFile)
	if err != nil {
		panic(err) // the file is embedded
	}
	return m
})

// maxNumber is the maximum number of digits of a telephone number (ITU-T E.164).
const maxNumber = 15

func readForms(file string) (map[string][]form, error) {
	const maxGroups = 6
	m := map[string][]form{}
	n := 0
	for line := range strings.Lines(file) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		var f form
		var lengths []string
		for part := range strings.FieldsSeq(line) {
			if strings.Trim(part, "#N0123456789") != "" {
				f.regions = append(f.regions, part)
				continue
			}
			if len(lengths) == maxGroups || len(part) > maxNumber || len(f.regions) > 0 {
				return nil, fmt.Errorf("phones.txt:%d: %q does not fit a form", n, part)
			}
			lengths = append(lengths, string(groupLetter(len(part))))
			f.digits += part
		}
		for _, region := range f.regions {
			if phonenumbers.GetCountryCodeForRegion(region) == 0 {
				return nil, fmt.Errorf("phones.txt:%d: unknown country %q", n, region)
			}
		}
		key := strings.Join(lengths, " ")
		m[key] = append(m[key], f)
	}
	return m, nil
}

// formExpression returns the forms of more than one group as a part of an expression, the longest
// first.
func formExpression() string {
	keys := slices.SortedFunc(maps.Keys(forms()), func(a, b string) int {
		return len(b)*1000 - len(a)*1000 + strings.Compare(a, b)
	})
	keys = slices.DeleteFunc(keys, func(k string) bool { return len(k) == 1 })
	return strings.ReplaceAll(strings.Join(keys, "|"), " ", "§")
}

// fits reports whether digits match the form and are valid in one of its regions.
func (f *form) fits(digits string) bool {
	for i := range len(digits) {
		switch c := f.digits[i]; {
		case c == '#':
		case c == 'N':
			if digits[i] < '2' {
				return false
			}
		case digits[i] != c:
			return false
		}
	}
	return len(f.regions) == 0 || inPlan(digits, f.regions...)
}

// inPlan reports whether a number, as dialled nationally, can be valid in one of the regions.
func inPlan(digits string, regions ...string) bool {
	return slices.ContainsFunc(regions, func(region string) bool {
		n, err := phonenumbers.Parse(digits, region)
		return err == nil && phonenumbers.IsValidNumberForRegion(n, region)
	})
}

// isNational recognises a number in a national format.
func isNational(t *text, start, end int) int {
	var lengths []string
	s := t.s[start:end]
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return !isDigit(byte(r)) }) {
		lengths = append(lengths, string(groupLetter(len(part))))
	}
	d := digits(s)
	fits := slices.ContainsFunc(forms()[strings.Join(lengths, " ")],
		func(f form) bool { return f.fits(d) })
	return ends(fits && !isSeries(s), end)
}

// isSeries reports whether groups of equal length increase by the same step, as sizes do.
func isSeries(s string) bool {
	parts := strings.Fields(s)
	step := 0
	for i := 1; i < len(parts); i++ {
		a, b := 0, 0
		if _, err := fmt.Sscan(parts[i-1]+" "+parts[i], &a, &b); err != nil || b <= a ||
			i > 1 && b-a != step || len(parts[i]) != len(parts[0]) {
			return false
		}
		step = b - a
	}
	return len(parts) > 2
}

// isTrunk recognises a national number that begins with a 0. Most have 10 or 11 digits, in
// arbitrary groups.
func isTrunk(t *text, start, end int) int {
	d := t.digits(start, end)
	if d[0] != '0' || d[1] == '0' || t.isMeasure(start, end) {
		return 0
	}
	return ends(len(d) == 10 || len(d) == 11 ||
		len(d) >= 9 && len(d) <= 12 && inPlan(d, "DE", "AT", "CH", "BE", "SE", "FI"), end)
}

// isInternational recognises a number with its country code, after a plus sign or the digits that
// are dialled instead.
func isInternational(t *text, start, end int) int {
	if strings.Contains(t.s[start:end], "+") {
		return t.groupEnds(start, end, func(d string) bool {
			return len(d) >= 7 && len(d) <= maxNumber
		})
	}
	d := t.digits(start, end)
	code, ok := strings.CutPrefix(d, "00")
	if !ok {
		if code, ok = strings.CutPrefix(d, "011"); !ok {
			return 0
		}
	}
	n, err := phonenumbers.Parse("+"+code, "")
	return ends(err == nil && phonenumbers.IsValidNumber(n), end)
}

// isSpelled recognises a number that is written digit by digit or in words.
func isSpelled(t *text, start, end int) int {
	const minimum, whole = 7, 10
	d := t.digits(start, end)
	n := len(d)
	if n > maxNumber || n < minimum || n < whole && t.spelled == nil {
		return 0
	}
	if t.spelled == nil {
		return ends(n > whole && d[0] == '0' || n == whole, end)
	}
	isCounting := strings.Contains("012345678910111213141516171819202122", d)
	return ends(!isCounting, end)
}

// isLocal recognises a number without an area code: 555-0199.
func isLocal(t *text, start, end int) int {
	return ends(t.s[start] > '1' && t.s[start+3] == '-', end)
}

// isPhone recognises digits that a word announces as those of a telephone.
func isPhone(t *text, start, end int) int {
	n := len(t.digits(start, end))
	return ends(n >= 7 && n <= maxNumber && !t.isMeasure(start, end), end)
}
