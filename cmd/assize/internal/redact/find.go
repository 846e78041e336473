package redact

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// asked says which number the turn before this one spoke of: "What is your account number?" makes an
// account number of bare digits that no pattern would know.
type asked struct {
	phone, account bool
	known          map[string]string // masks of numbers that are known from elsewhere, by their digits
}

// patterns are the shapes that are looked for. They are compiled when the first text is masked.
type patterns struct {
	email, spoken, iban, digits, phone   *regexp.Regexp
	aboutPhone, aboutAccount, aboutOrder *regexp.Regexp
}

var compiled = sync.OnceValue(func() *patterns {
	return &patterns{
		email: regexp.MustCompile(`[\p{L}\p{N}._%+'-]*[\p{L}\p{N}_]@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`),
		// As speech recognition writes it: "ann dot lee at example dot com".
		spoken: regexp.MustCompile(`(?i)[a-z0-9_]+(?:(?: dot |\.)[a-z0-9_]+)* at [a-z0-9-]+(?: dot [a-z0-9-]+)+`),
		iban:   regexp.MustCompile(`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}\b`),
		// Digits in groups, with one space, dash or dot between two: cards and accounts are picked from these. A
		// web page may have put spaces there at which a line must not break.
		digits: regexp.MustCompile(`\b[0-9](?:[ .\x{a0}\x{202f}-]?[0-9]){3,40}\b`),
		phone: regexp.MustCompile(strings.Join([]string{
			`\+[0-9]{1,3}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?[0-9](?:[ ().-]{0,2}[0-9]){5,13}\b`, // +44 (0)20 7946 0958
			`(?:\b1[ .-]?)?(?:\([0-9]{3}\) ?|\b[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}\b`,       // (555) 123-4567
			`\(0[0-9]{2,4}\)[ -]?[0-9]{3,4}[ -]?[0-9]{3,4}\b`,                               // (020) 7946 0958
			`\b0[0-9](?:[ -]?[0-9]){8,9}\b`,                                                 // 07700 900123
			`\b[2-9][0-9]{2}[2-9][0-9]{6}\b`,                                                // 5552345678
			`\b[0-9]{3}-[0-9]{4}\b`,                                                         // 555-1234
		}, "|")),

		aboutPhone:   regexp.MustCompile(`(?i)\b(?:phone|telephone|mobile|cell|contact number|call (?:me|you|us)|reach (?:me|you)|whatsapp|fax)\b`),
		aboutAccount: regexp.MustCompile(`(?i)\b(?:account|acct|iban|routing|sort code|bank details)\b`),
		aboutOrder:   regexp.MustCompile(`(?i)\b(?:order|booking|reference|ref|confirmation|ticket|tracking|case|invoice|train|flight)\b[^.?!]*$`),
	}
})

// about reads from a turn which numbers the next one may answer with.
func about(s string) asked {
	p := compiled()
	return asked{phone: p.aboutPhone.MatchString(s), account: p.aboutAccount.MatchString(s)}
}

// find gives the spans of s that identify a person.
func find(s string, a asked) []span {
	var spans []span
	p := compiled()
	add := func(re *regexp.Regexp, mask string, ok func(string) bool) {
		for _, at := range re.FindAllStringIndex(s, -1) {
			if ok == nil || ok(s[at[0]:at[1]]) {
				spans = append(spans, span{at[0], at[1], mask})
			}
		}
	}
	if strings.Contains(s, "@") {
		add(p.email, Email, nil)
	}
	if strings.Contains(s, " dot ") || strings.Contains(s, " Dot ") {
		add(p.spoken, Email, nil)
	}
	if countDigits(s) >= 5 {
		add(p.iban, Account, validIBAN)
		add(p.phone, Phone, nil)
		for _, at := range p.digits.FindAllStringIndex(s, -1) {
			number := s[at[0]:at[1]]
			if from, to, ok := findCard(number); ok {
				spans = append(spans, span{at[0] + from, at[0] + to, Card})
			} else if mask := a.known[digits(number)]; mask != "" {
				spans = append(spans, span{at[0], at[1], mask})
			} else if mask := maskBySense(number, s[:at[0]], a); mask != "" {
				spans = append(spans, span{at[0], at[1], mask})
			}
		}
	}
	return settle(spans)
}

// maskBySense gives the mask of bare digits whose meaning is in the words before them, in this turn or the
// one before; none where they seem to mean nobody.
func maskBySense(number, before string, a asked) string {
	p, n := compiled(), countDigits(number)
	switch {
	case n < 6 || p.aboutOrder.MatchString(before) || isDate(number) || isPrice(number, before):
		return ""
	case a.account || p.aboutAccount.MatchString(before):
		return Account
	case n >= 7 && n <= 15 && (a.phone || p.aboutPhone.MatchString(before)):
		return Phone
	}
	return ""
}

// isDate reports whether digits in groups begin with a date: 2024-05-01, 01-05-2024, 01.05.2024.
func isDate(s string) bool {
	groups := strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if len(groups) < 3 {
		return false
	}
	year, day := groups[0], groups[2]
	if len(year) != 4 {
		year, day = day, year
	}
	return len(year) == 4 && len(groups[1]) <= 2 && len(day) <= 2
}

// isPrice reports whether a number has a currency sign before it: "$2578.35".
func isPrice(number, before string) bool {
	sign, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " "))
	return unicode.Is(unicode.Sc, sign) && !strings.ContainsAny(number, " -")
}

// digits gives what is left of a number without what parts its groups.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			n++
		}
	}
	return n
}

// findCard finds a card number in digits in groups, which may begin or end with groups of something else,
// such as the code on the back of the card.
func findCard(s string) (from, to int, ok bool) {
	for from < len(s) {
		if from == 0 || !isDigit(s[from-1]) {
			for to = len(s); to > from; to-- {
				if isDigit(s[to-1]) && (to == len(s) || !isDigit(s[to])) && validCard(s[from:to]) {
					return from, to, true
				}
			}
		}
		from++
	}
	return 0, 0, false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// validCard reports whether s holds 13 to 19 digits whose last is right by Luhn's sum (ISO/IEC 7812-1).
func validCard(s string) bool {
	n := countDigits(s)
	if n < 13 || n > 19 || !isDigit(s[0]) {
		return false
	}
	sum, double := 0, false
	for i := len(s) - 1; i >= 0; i-- {
		if !isDigit(s[i]) {
			continue
		}
		d := int(s[i] - '0')
		if double {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		double = !double
	}
	return sum%10 == 0
}

// validIBAN reports whether s has the remainder 1 by 97 (ISO 13616) that every IBAN has.
func validIBAN(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	rest := 0
	for i := range len(s) {
		c := s[(i+4)%len(s)] // the country and the check digits count last
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest == 1
}
