package redact

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// maxNumber is the maximum number of digits of a telephone number (ITU-T E.164).
const maxNumber = 15

// extension is a number within a company after a telephone number.
var extension = regexp.MustCompile(`^,? ?(?:ext\.?|extension|x|durchwahl) ?\d{1,6}\b`)

// inPlan reports whether a number, as dialled nationally, can be valid in one of the regions.
func inPlan(digits string, regions ...string) bool {
	return slices.ContainsFunc(regions, func(region string) bool {
		n, err := phonenumbers.Parse(digits, region)
		return err == nil && phonenumbers.IsValidNumberForRegion(n, region)
	})
}

// isNational recognises a number in a national format.
func isNational(t *text, start, end int) int {
	s := t.s[start:end]
	return ends(!isSeries(s) && slices.ContainsFunc(words().forms, func(f form) bool {
		return f.digits.MatchString(s) && (f.regions == nil || inPlan(digits(s), f.regions...))
	}) || isTrunk(t.digits(start, end)), end)
}

// isSeries reports whether groups of equal length increase by the same step, as sizes do.
func isSeries(s string) bool {
	parts := strings.Fields(s)
	step := 0
	for i := 1; i < len(parts); i++ {
		a, err := strconv.Atoi(parts[i-1])
		b, err2 := strconv.Atoi(parts[i])
		if err != nil || err2 != nil || b <= a || i > 1 && b-a != step ||
			len(parts[i]) != len(parts[0]) {
			return false
		}
		step = b - a
	}
	return len(parts) > 2
}

// isTrunk reports whether digits may be a national number that begins with a 0. Most have 10 or 11
// digits, in arbitrary groups.
func isTrunk(d string) bool {
	return len(d) >= 9 && d[0] == '0' && d[1] != '0' && (len(d) == 10 || len(d) == 11 ||
		len(d) <= 12 && inPlan(d, "DE", "AT", "CH", "BE", "SE", "FI"))
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
	code := strings.TrimPrefix(strings.TrimPrefix(d, "00"), "011")
	if code == d {
		return 0
	}
	n, err := phonenumbers.Parse("+"+code, "")
	return ends(err == nil && phonenumbers.IsValidNumber(n), end)
}

// isSpelled recognises a number that is written digit by digit or in words, but does not count.
func isSpelled(t *text, start, end int) int {
	const minimum, whole = 7, 10
	d := t.digits(start, end)
	if t.spelled == nil {
		return ends(end-start >= 2*len(d)-1 &&
			(len(d) == whole || len(d) > whole && d[0] == '0'), end)
	}
	return ends(len(d) >= minimum && len(d) <= maxNumber &&
		!strings.Contains("012345678910111213141516171819202122", d), end)
}

// isLocal recognises a number without an area code: 555-0199.
func isLocal(t *text, start, end int) int {
	return ends(t.s[start] > '1' && t.s[start+3] == '-', end)
}
