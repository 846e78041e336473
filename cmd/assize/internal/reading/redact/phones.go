package redact

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// maxPhone is the maximum number of digits of a telephone number (ITU-T E.164).
const maxPhone = 15

// extension is a number within a company after a telephone number.
var extension = regexp.MustCompile(`^,? ?(?:ext\.?|extension|x|durchwahl) ?\d{1,6}\b`)

// inPlan reports whether a number, as dialled nationally, can be valid in one of the regions.
func inPlan(digits string, regions ...string) bool {
	return slices.ContainsFunc(regions, func(region string) bool {
		n, err := phonenumbers.Parse(digits, region)
		return err == nil && phonenumbers.IsValidNumberForRegion(n, region)
	})
}

// isNational recognises a number in a national format, or one that begins with a 0. Most of those
// have 10 or 11 digits, in arbitrary groups.
func isNational(s string) bool {
	d := digits(s)
	return !isSeries(s) && slices.ContainsFunc(words().forms, func(f form) bool {
		return f.digits.MatchString(s) && (f.regions == nil || inPlan(d, f.regions...))
	}) || len(d) >= 9 && d[0] == '0' && d[1] != '0' && (len(d) == 10 || len(d) == 11 ||
		len(d) <= 12 && inPlan(d, "DE", "AT", "CH", "BE", "SE", "FI"))
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

// internationalEnd recognises a number with its country code, after a plus sign or the digits that
// are dialled instead.
func internationalEnd(_ *text, s string) int {
	if strings.Contains(s, "+") {
		return groupEnd(s, func(d string) bool { return len(d) >= 7 && len(d) <= maxPhone })
	}
	d := digits(s)
	code := strings.TrimPrefix(strings.TrimPrefix(d, "00"), "011")
	n, err := phonenumbers.Parse("+"+code, "")
	if code == d || err != nil || !phonenumbers.IsValidNumber(n) {
		return 0
	}
	return len(s)
}

// spelledEnd recognises a number that is written digit by digit or in words, but does not count.
func spelledEnd(t *text, s string) int {
	const minimum, whole = 7, 10
	d := digits(s)
	single := len(s) >= 2*len(d)-1 && (len(d) == whole || len(d) > whole && d[0] == '0')
	if single || t.spelled && len(d) >= minimum && len(d) <= maxPhone &&
		!strings.Contains("012345678910111213141516171819202122", d) {
		return len(s)
	}
	return 0
}
