package redact

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/net/publicsuffix"
)

// check returns the length of the data that a string begins with, or 0 if it is something else. In
// numbers, the string is a part of the tagged text, otherwise of the text itself.
type check func(t *text, s string) int

// whole returns a check of the whole string.
func whole(f func(s string) bool) check {
	return func(_ *text, s string) int {
		if f(s) {
			return len(s)
		}
		return 0
	}
}

// checks are the functions that rows.yaml names.
var checks = map[string]check{
	"spelledAddress": spelledAddressEnd, "ipv6": whole(isIPv6), "iban": ibanEnd,
	"card":      func(_ *text, s string) int { return groupEnd(s, validCard) },
	"wholeCard": whole(func(s string) bool { return validCard(digits(s)) }),
	"national":  whole(isNational), "international": internationalEnd,
}

// ibanEnd recognises an IBAN by its check digits. It is as long as these allow.
func ibanEnd(_ *text, s string) (end int) {
	var b strings.Builder
	for i := range len(s) {
		if !isWordChar(s[i]) {
			continue
		}
		b.WriteByte(s[i])
		if n := b.Len(); n >= 15 && validIBAN(strings.ToUpper(b.String())) &&
			(i+1 == len(s) || !isWordChar(s[i+1]) || isDigit(s[i]) && isLetter(s[i+1])) {
			end = i + 1
		}
	}
	return end
}

// validIBAN reports whether letters and digits have the remainder 1 modulo 97 (ISO 13616).
func validIBAN(s string) bool {
	rest := 0
	for i := range len(s) {
		c := s[(i+4)%len(s)] // the country and check digits move to the end
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && !a.IsLoopback() && digits(s) != "" &&
		(strings.Count(s, ":") > 2 || a.IsLinkLocalUnicast())
}

// groupEnd calls isData with the digits from the start of s to the end of each of its groups, from
// the last to the first, until it returns true, and returns that end.
func groupEnd(s string, isData func(digits string) bool) int {
	const longest = 80 // bytes
	for s = s[:min(len(s), longest)]; s != ""; {
		if isData(digits(s)) {
			return len(s)
		}
		s = strings.TrimRight(strings.TrimRight(s, "0123456789"), " ./_()+-,;\n")
	}
	return 0
}

// cardNumbers are the prefixes and lengths of the known card issuers.
var cardNumbers = regexp.MustCompile(`^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7]|35)\d{14}|` +
	`3[47]\d{13}|3[068]\d{12}|(?:6\d|50|5[6-8])\d{11,17})$`)

// validCard reports whether digits are those of a known issuer, and the last one is correct
// according to the Luhn algorithm (ISO/IEC 7812-1).
func validCard(digits string) bool {
	if !cardNumbers.MatchString(digits) {
		return false
	}
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d = d*2%10 + d/5 // the digit sum of twice d
		}
		sum += d
	}
	return sum%10 == 0
}

// spelledAddressEnd recognises an e-mail address whose signs are words, or have spaces or brackets
// around them. Its domain is the longest one that exists.
func spelledAddressEnd(t *text, original string) int {
	s := strings.ToLower(original)
	all := t.named["AT"].FindAllStringIndex(s, -1)
	if all == nil || len(s) != len(original) {
		return 0
	}
	m := all[len(all)-1]
	local, sign, host := s[:m[0]], s[m[0]:m[1]], s[m[1]:]
	end := t.domainEnd(host)
	if end == 0 {
		return 0
	}
	first, _, _ := strings.Cut(t.named["DOT"].ReplaceAllString(host, " "), " ")
	last := local[strings.LastIndexByte(local, ' ')+1:]
	isBracketed := strings.ContainsAny(sign, "([{<_-")
	if !isBracketed && (len(last) > 1 && words().word(last).kind&notLocal != 0 ||
		strings.Trim(local, "0123456789 ") == "") {
		return 0
	}
	if isBracketed || words().word(first).kind&provider != 0 || t.kinds&mail != 0 ||
		strings.ContainsAny(local, "._+0123456789") ||
		strings.Contains(sign, "@") && s[0] == original[0] ||
		!strings.Contains(sign, "@") && (strings.Contains(host, "dot") ||
			strings.Contains(local, " ")) {
		return m[1] + end
	}
	return 0
}

// domainEnd returns the length of the longest known domain at the start of a host, or 0.
func (t *text) domainEnd(host string) int {
	signs := t.named["DOT"].FindAllStringIndex(host, -1)
	if signs == nil && isKnownDomain(strings.Replace(host, " ", ".", 1)) { // gmail com
		return len(host)
	}
	end := len(host)
	for _, sign := range slices.Backward(signs) {
		if isKnownDomain(t.named["DOT"].ReplaceAllString(host[:end], ".")) {
			return end
		}
		end = sign[0]
	}
	return 0
}

// isKnownDomain reports whether a domain ends in a top-level domain, or one for examples.
func isKnownDomain(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	_, icann := publicsuffix.PublicSuffix(name)
	return last != "" && icann || strings.Contains(" example test invalid local ", " "+last+" ")
}

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
	return slices.ContainsFunc(words().forms, func(f form) bool {
		return f.digits.MatchString(s) && (f.regions == nil || inPlan(d, f.regions...))
	}) || len(d) >= 9 && d[0] == '0' && d[1] != '0' && (len(d) == 10 || len(d) == 11 ||
		len(d) <= 12 && inPlan(d, "DE", "AT", "CH", "BE", "SE", "FI"))
}

// internationalEnd recognises a number with its country code, after a plus sign or its digits.
func internationalEnd(_ *text, s string) int {
	if strings.Contains(s, "+") { // the maximum is that of ITU-T E.164
		return groupEnd(s, func(d string) bool { return len(d) >= 7 && len(d) <= 15 })
	}
	code := strings.TrimPrefix(strings.TrimPrefix(digits(s), "00"), "011")
	if n, err := phonenumbers.Parse("+"+code, ""); err != nil || !phonenumbers.IsValidNumber(n) {
		return 0
	}
	return len(s)
}

// isDialled reports whether s is just the digits of a number with its country code.
func isDialled(s string) bool {
	n, err := phonenumbers.Parse("+"+s, "")
	return err == nil && len(s) >= 10 && digits(s) == s && phonenumbers.IsPossibleNumber(n)
}
