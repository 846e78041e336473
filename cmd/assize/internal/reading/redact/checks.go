package redact

import (
	"encoding/hex"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/publicsuffix"
)

// compact returns the next n letters and digits of s in upper case, with single separators and line
// breaks between them left out, and the offset of their end, or 0 if there are fewer.
func compact(s string, n int) (string, int) {
	var b strings.Builder
	separators := 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c) || isLetter(c):
			b.WriteByte(c)
			if separators = 0; b.Len() == n {
				return strings.ToUpper(b.String()), i + 1
			}
		case strings.IndexByte(" .-/\n", c) >= 0 && separators < 2:
			separators++
		default:
			return "", 0
		}
	}
	return "", 0
}

// ends returns the end if ok.
func ends(ok bool, end int) int {
	if ok {
		return end
	}
	return 0
}

// isWord reports whether a letter, a digit or an underscore follows at byte i.
func (t *text) isWord(i int) bool {
	return i < len(t.s) && (isDigit(t.s[i]) || isLetter(t.s[i]) || t.s[i] == '_')
}

func isIBAN(t *text, start, _ int) int {
	rest := t.s[start:]
	if len(rest) < 15 || !isLetter(rest[0]) || !isLetter(rest[1]) || !isDigit(rest[2]) ||
		!isDigit(rest[3]) {
		return 0
	}
	s, n := compact(rest, words().ibans[strings.ToUpper(rest[:2])])
	return ends(n > 0 && validIBAN(s) && !t.isWord(start+n), start+n)
}

// validIBAN reports whether letters and digits have the remainder 1 modulo 97, as every IBAN does
// (ISO 13616).
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

var insurance = regexp.MustCompile(`^[A-CEGHJ-PRSTW-Z][A-CEGHJ-NPRSTW-Z]\d{6}[A-D]$`)

// isInsurance recognises a British national insurance number.
func isInsurance(t *text, start, _ int) int {
	s, n := compact(t.s[start:], 9)
	return ends(n > 0 && insurance.MatchString(s) && t.s[start] <= 'Z' &&
		!t.isWord(start+n), start+n)
}

// isSpanishID recognises a DNI or NIE by its check letter.
func isSpanishID(t *text, start, end int) int {
	s := strings.ToUpper(t.s[start:end])
	if len(s) != 9 {
		return 0
	}
	if n := strings.IndexByte("XYZ", s[0]); n >= 0 {
		s = strconv.Itoa(n) + s[1:]
	}
	n, err := strconv.Atoi(s[:8])
	return ends(err == nil && s[8] == "TRWAGMYFPDXBNJZSQVHLCKE"[n%23], end)
}

// isDocument recognises what may be the number of a passport, a licence or a taxpayer.
func isDocument(t *text, start, end int) int {
	return ends(len(t.digits(start, end)) >= 5 && end-start <= 22, end)
}

var (
	coded         = regexp.MustCompile(`^[A-Z]{1,5}[-./ ]?\d`)
	likeInsurance = regexp.MustCompile(`^[A-Za-z]{2}( ?\d\d){3} ?[A-Za-z]\b`)
)

// isCodedDocument recognises a number that begins with letters, such as those of a country.
func isCodedDocument(t *text, start, end int) int {
	end = max(end, start+len(likeInsurance.FindString(t.s[start:])))
	return ends(coded.MatchString(t.s[start:end]) || likeInsurance.MatchString(t.s[start:end]),
		isDocument(t, start, end))
}

var (
	numericDate = regexp.MustCompile(`^(?:(\d{4})[./ -](\d\d?)[./ -](\d\d?)|` +
		`(\d\d?)[./ -]+(\d\d?)[./ -]+\d+)$`)
	dayOfMonth = regexp.MustCompile(`\b(\d\d?)(?:st|nd|rd|th|er|o)?\b`)
)

// isDay reports whether digits are a valid day of a month. Every month number is one too.
func isDay(digits string) bool {
	n, err := strconv.Atoi(digits)
	return err == nil && 1 <= n && n <= 31
}

// isDate recognises a date in digits or with the name of a month.
func isDate(t *text, start, end int) int {
	s := t.low[start:end]
	if m := numericDate.FindStringSubmatch(s); m != nil {
		return ends(isDay(m[2]+m[4]) && isDay(m[3]+m[5]), end)
	}
	m := dayOfMonth.FindStringSubmatch(s)
	return ends(m != nil && isDay(m[1]), end)
}

// isPartOfDate recognises a year, or a day and a month.
func isPartOfDate(t *text, start, end int) int {
	s := t.s[start:end]
	if len(s) == 4 && start > 0 && t.s[start-1] != '(' && isYear(s) {
		return end
	}
	day, month, ok := strings.Cut(strings.NewReplacer("/", ".", "-", ".").Replace(s), ".")
	return ends(ok && isDay(day) && isDay(month), end)
}

// isYear reports whether four digits may be a year.
func isYear(s string) bool {
	return len(s) == 4 && (s[:2] == "19" || s[:2] == "20")
}

func isNoYear(t *text, start, end int) int { return ends(!isYear(t.s[start:end]), end) }

// isIP recognises an IPv4 address, or a version that looks like one.
func isIP(t *text, start, end int) int {
	_, err := netip.ParseAddr(t.s[start:end])
	return ends(err == nil, end)
}

// isPublicIP recognises an IPv4 address that nothing announces, and that may belong to one host.
func isPublicIP(t *text, start, end int) int {
	s := t.s[start:end]
	switch s {
	case "127.0.0.1", "192.168.0.1", "192.168.1.1":
		return 0
	}
	return ends(!strings.HasPrefix(s, "255.255.") && len(s) >= len("10.0.0.12"),
		isIP(t, start, end))
}

func isIPv6(t *text, start, end int) int {
	s := t.s[start:end]
	a, err := netip.ParseAddr(s)
	return ends(err == nil && a.Is6() && !a.IsLoopback() && digits(s) != "" &&
		(strings.Count(s, ":") > 2 || a.IsLinkLocalUnicast()), end)
}

func isMAC(t *text, start, end int) int {
	_, err := net.ParseMAC(t.s[start:end])
	return ends(err == nil, end)
}

// isBareMAC recognises a MAC address without separators.
func isBareMAC(t *text, start, end int) int {
	b, err := hex.DecodeString(t.s[start:end])
	return ends(err == nil && len(b) == 6, end)
}

// isPIN recognises a code of digits, or of letters and digits.
func isPIN(t *text, start, end int) int {
	n := len(t.digits(start, end))
	s := t.s[start:end]
	if strings.Trim(s, "0123456789 -") == "" || t.spelled != nil {
		return ends(n >= 3 && n <= 10 && !(n == 4 && isYear(s) && !t.isPointed(start)), end)
	}
	return ends(n > 1 && len(s) >= 4 && len(s) <= 14, end)
}

// isPointed reports whether a cue for a code is next to a number.
func (t *text) isPointed(start int) bool {
	return t.cueBefore(t.outline.find(start), 0)&pin != 0
}

// isSocial recognises the usual format of social security numbers of the United States.
func isSocial(t *text, start, end int) int {
	area := t.s[start : start+3]
	return ends(t.s[start+3] == '-' && area != "000" && area != "666" && area[0] != '9', end)
}

func isSocialNumber(t *text, start, end int) int {
	n := len(t.digits(start, end))
	return ends(n == 9 || n == 4, end)
}

// hasDigits returns a check for a number of shortest to longest digits that is not a measure.
func hasDigits(shortest, longest int) func(t *text, start, end int) int {
	return func(t *text, start, end int) int {
		n := len(t.digits(start, end))
		return ends(n >= shortest && n <= longest && !t.isMeasure(start, end), end)
	}
}

// isMeasure reports whether numbers are years, a decimal number or thousands.
func (t *text) isMeasure(start, end int) bool {
	s := t.s[start:end]
	years := true
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return !isDigit(byte(r)) }) {
		years = years && isYear(part)
	}
	return years || strings.HasSuffix(s, " 000") ||
		strings.Count(s, ".") == 1 && strings.Trim(s, "0123456789.") == ""
}

// groupEnds calls yield with the digits from byte start to the end of each of the groups, from the
// last to the first, until it returns true, and returns that end.
func (t *text) groupEnds(start, end int, yield func(digits string) bool) int {
	longest := 80 // bytes
	if t.spelled != nil {
		longest = 200
	}
	for end = min(end, start+longest); end > start; {
		if yield(t.digits(start, end)) {
			return end
		}
		s := strings.TrimRightFunc(t.s[start:end], unicode.IsDigit)
		if len(s) == end-start {
			s = strings.TrimRightFunc(s, unicode.IsLetter)
		}
		s = strings.TrimRight(s, " ./_()+-,;\n")
		if len(s) == end-start {
			return 0
		}
		end = start + len(s)
	}
	return 0
}

// isCard recognises a card number. More digits may follow, such as the code on the back.
func isCard(t *text, start, end int) int { return t.groupEnds(start, end, validCard) }

func isWholeCard(t *text, start, end int) int { return ends(validCard(t.digits(start, end)), end) }

// cardNumbers are the prefixes and lengths of the known card issuers.
var cardNumbers = regexp.MustCompile(`^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7]|35)\d{14}|` +
	`3[47]\d{13}|3[068]\d{12}|(?:6\d|50|5[6-8])\d{11,17})$`)

// validCard reports whether digits are those of a known issuer, and the last one is correct
// according to the Luhn algorithm (ISO/IEC 7812-1).
func validCard(digits string) bool {
	if len(digits) < 13 || len(digits) > 19 || !cardNumbers.MatchString(digits) {
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

// isParameter recognises a secret in a web address. An e-mail address has a mask of its own.
func isParameter(t *text, start, end int) int {
	value := strings.TrimRight(t.s[start:end], ".,;:!?")
	return ends(value != "" && value[0] != '[' && !strings.Contains(value, "@") &&
		!strings.Contains(value, "%40"), start+len(value))
}

// isSpelledAddress recognises an e-mail address whose signs are words, or have spaces or brackets
// around them. Its domain is the longest one that exists.
func isSpelledAddress(t *text, start, end int) int {
	s := t.low[start:end]
	all := ats().FindAllStringIndex(s, -1)
	if all == nil {
		return 0
	}
	m := all[len(all)-1]
	local, sign, host := s[:m[0]], s[m[0]:m[1]], s[m[1]:]
	signs := dots().FindAllStringIndex(host, -1)
	first, rest, _ := strings.Cut(host, " ")
	if len(signs) > 0 {
		first = host[:signs[0][0]]
	} else {
		host = first + "." + rest // gmail com
	}
	n := len(signs)
	for signs = append(signs, []int{len(host), 0}); n > 0; n-- {
		if isKnownDomain(dots().ReplaceAllString(host[:signs[n][0]], ".")) {
			break
		}
	}
	if n == 0 && (len(signs) > 1 || !isKnownDomain(host)) {
		return 0
	}
	end = start + m[1] + signs[n][0]
	last := local[strings.LastIndexByte(local, ' ')+1:]
	switch {
	case strings.ContainsAny(sign, "([{<_-"):
		return end
	case len(last) > 1 && words().words[last].kind&notLocal != 0,
		strings.Trim(last, "0123456789") == "":
		return 0
	case words().words[first].kind&provider != 0 || t.kinds&mail != 0:
		return end
	case strings.Contains(sign, "@"):
		return ends(s[0] == t.s[start] || digits(local) != "", end)
	}
	return ends(strings.Contains(host, "dot") || strings.ContainsAny(local, "._+0123456789 "), end)
}

// isKnownDomain reports whether the last part of a domain is an existing top-level domain, or one
// reserved for examples.
func isKnownDomain(name string) bool {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "":
		return false
	case "example", "test", "invalid", "local":
		return true
	}
	_, icann := publicsuffix.PublicSuffix(name)
	return icann
}
