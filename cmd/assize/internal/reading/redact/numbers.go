package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// figures is a sequence of numbers with separators between them, such as a telephone number in
// groups.
type figures struct {
	first, last int    // tokens
	digits      string // of all
	at          []int  // the offset in digits of each group, and of the end
}

// slice returns the digits of some groups.
func (f *figures) slice(from, to int) string { return f.digits[f.at[from]:f.at[to]] }

// groups returns how many groups there are.
func (f *figures) groups() int { return f.last - f.first }

// numbersAndWords masks the numbers in the text, and the secrets next to the words that announce
// them.
func (t *text) numbersAndWords(asked sense) {
	h := context{expected: asked}
	for i := 0; i < len(t.tokens); {
		abbreviated := i > 0 && t.has(i-1, abbreviation)
		h.gap(t.gap(i), abbreviated)
		i = t.next(i, &h)
	}
}

// next processes token i and returns the next token to process.
func (t *text) next(i int, h *context) int {
	tok := &t.tokens[i]
	if tok.class == opaque {
		h.readNumber()
		return i + 1
	}
	if n := t.dated(i, h); n > 0 {
		return i + n
	}
	if n := t.identified(i, h); n > 0 {
		h.readNumber()
		return i + n
	}
	if tok.class == number || t.spells(i) {
		if n := t.spelledOut(i, h); n > 0 {
			h.readNumber()
			return i + n
		}
	}
	if tok.class == number {
		j := t.run(i)
		t.classify(i, j, h)
		return j
	}
	if s := tok.sense & cues; s != 0 {
		h.cue(s)
		if s&(password|key) != 0 {
			return t.secretAfter(i, s)
		}
		return i + tok.words
	}
	h.word(tok.sense)
	return i + tok.words
}

// joins reports whether the gap before token i is within a single number.
func (t *text) joins(i int) bool {
	const longest = 4
	gap := t.gap(i)
	if len(gap) == 0 || len(gap) > longest {
		return false
	}
	a, b := t.tokens[i-1], t.tokens[i]
	single := a.end-a.start == 1 && b.end-b.start == 1
	if strings.HasPrefix(gap, ". ") {
		return false
	}
	for k := range len(gap) {
		switch gap[k] {
		case ' ', '.', '-', '/', '_', '(', ')':
		case ',':
			if !single || strings.Trim(gap, " ") != "," {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// run returns the token after the sequence of numbers that starts at i.
func (t *text) run(i int) int {
	for i++; i < len(t.tokens) && t.tokens[i].class == number && t.joins(i); i++ {
	}
	return i
}

// figures returns the sequence of numbers from i to j.
func (t *text) figures(i, j int) figures {
	f := figures{first: i, last: j, at: make([]int, 0, j-i+1)}
	if j == i+1 {
		f.digits, f.at = t.part(i), append(f.at, 0, t.tokens[i].end-t.tokens[i].start)
		return f
	}
	var b strings.Builder
	for k := i; k < j; k++ {
		f.at = append(f.at, b.Len())
		b.WriteString(t.part(k))
	}
	f.at = append(f.at, b.Len())
	f.digits = b.String()
	return f
}

// classify masks the numbers from i to j that it recognises, and keeps the others as candidates.
func (t *text) classify(i, j int, h *context) {
	f := t.figures(i, j)
	amount := t.isAmount(i, j)
	rest := 0 // the first group that is neither masked nor skipped
	k := 0
	for k < f.groups() {
		n, mask := 0, ""
		if k == rest {
			n, mask = t.announced(&f, k, h, amount)
		}
		if n == 0 {
			n, mask = t.shaped(&f, k, h, amount)
		}
		if n == 0 {
			k++
			continue
		}
		t.unknown(&f, rest, k, h, amount)
		if mask != "" {
			t.mask(&f, k, k+n, mask)
		}
		h.readNumber()
		k += n
		rest = k
	}
	t.unknown(&f, rest, k, h, amount)
	if rest < k {
		h.readNumber()
	}
}

// mask masks some groups, including the signs that belong to a telephone number.
func (t *text) mask(f *figures, from, to int, mask string) {
	start, end := t.tokens[f.first+from].start, t.tokens[f.first+to-1].end
	if mask == maskPhone {
		start, end = t.withSigns(start, end), t.withExtension(f.first+to-1, end)
	}
	t.add(start, end, mask)
}

// isAmount reports whether, according to the text around it, a number is an amount of money, a
// count or a list item.
func (t *text) isAmount(i, j int) bool {
	start, end := t.tokens[i].start, t.tokens[j-1].end
	text := t.s[start:end]
	before := strings.TrimRight(t.s[max(0, start-8):start], " ")
	if hasCurrency(before, true) && !strings.ContainsAny(text, " -") {
		return true // $2578.35
	}
	after := t.s[end:min(len(t.s), end+8)]
	if hasCurrency(strings.TrimLeft(after, " "), false) {
		return true
	}
	if start > 1 && t.s[start-1] == ',' && isDigit(t.s[start-2]) ||
		len(after) > 1 && after[0] == ',' && isDigit(after[1]) {
		return true
	}
	return t.has(j, unit) && strings.Trim(t.gap(j), " ") == "" && len(t.gap(j)) < 3
}

// hasCurrency reports whether s ends with a currency sign if last is set, or otherwise begins with
// one or with a per cent sign.
func hasCurrency(s string, last bool) bool {
	var r rune
	if last {
		r, _ = utf8.DecodeLastRuneInString(s)
	} else {
		r, _ = utf8.DecodeRuneInString(s)
	}
	return unicode.Is(unicode.Sc, r) || r == '%' && !last
}

// shortAnswer is the maximum number of words in a turn that is nothing but an answer.
const shortAnswer = 4

// isYear reports whether four digits may be a year.
func isYear(digits string) bool {
	return len(digits) == 4 && (digits[:2] == "19" || digits[:2] == "20")
}

// announced returns how many groups from k on match the last cue, and their mask.
func (t *text) announced(f *figures, k int, h *context, amount bool) (int, string) {
	heard := h.near
	direct := heard != 0
	if heard == 0 && !amount {
		if top := h.top(); top&pin != 0 && h.since <= 6 {
			heard = pin
		} else if !h.hasCue || h.sentence&(cues&^(phone|contact)) == 0 {
			heard = h.expected &^ (phone | account | contact | harmless | mail)
			direct = len(t.tokens) <= shortAnswer
		}
	}
	if (heard == 0 || heard&(phone|contact) != 0 && len(f.digits) < 7) && !amount {
		heard = t.ahead(f.last) &^ (card | ending | expiry | version | harmless)
		direct = heard != 0
	}
	rest := f.groups() - k
	n := len(f.slice(k, f.groups()))
	first := len(f.slice(k, k+1))
	isDate := t.date(f, k, false) > 0
	switch {
	case heard == 0:
		return 0, ""
	case heard&ending != 0 && (first == 4 || n == 4) &&
		(heard|h.sentence|h.expected|t.soon(f.last)&card)&(card|social|account|identity) != 0:
		mask := maskCard
		if all := heard | h.sentence | h.expected | t.soon(f.last)&card; all&card == 0 &&
			all&account != 0 {
			mask = maskAccount
		} else if all&card == 0 {
			mask = maskID
		}
		if first == 4 {
			return 1, mask
		}
		return rest, mask
	case heard&expiry != 0 && rest >= 2 && first <= 2 &&
		(h.sentence|h.expected|t.soon(f.last))&card != 0:
		if year := len(f.slice(k+1, k+2)); year == 2 || year == 4 {
			return 2, maskCard
		}
	}
	if amount || isDate {
		return 0, ""
	}
	switch {
	case heard&pin != 0 && first >= 3 && first <= 10 && (direct || !isYear(f.slice(k, k+1))):
		return 1, maskSecret
	case heard&pin != 0 && rest > 1 && n >= 3 && n <= 10:
		return rest, maskSecret
	case heard&social != 0 && (n == 9 || n == 4):
		return rest, maskID
	case heard&social != 0:
		if m := f.upTo(k, 9, 9); m > 0 {
			return m, maskID
		}
	case heard&mac != 0 && n == 12:
		return rest, maskMAC
	case heard&identity != 0 && n >= 5 && n <= 14:
		return rest, maskID
	case heard&account != 0 && !h.hasCue && n >= 6:
		return rest, maskAccount
	case heard&phone != 0 && !h.hasCue && n >= 7 && n <= maxNumber:
		return rest, maskPhone
	case heard&card != 0 && n == 4 && rest == 1 && direct && !isYear(f.digits[f.at[k]:]):
		return 1, maskCard
	}
	return 0, ""
}

// ahead returns the meaning that the words after a number give it: "482913 is your one-time code".
func (t *text) ahead(i int) sense {
	const farthest = 5 // words
	for k := i; k < min(len(t.tokens), i+farthest) && t.gap(k) == " "; k += t.tokens[k].words {
		switch s := t.tokens[k].sense; {
		case k == i && s&copula == 0 && t.low[t.tokens[k].start:t.tokens[k].end] != "as":
			return 0
		case s&cues != 0:
			return s & cues
		case s&(filler|copula) == 0:
			return 0
		}
	}
	return 0
}

// soon returns the cues among the next words.
func (t *text) soon(i int) (s sense) {
	const farthest = 6 // words
	for k := i; k < min(len(t.tokens), i+farthest) && !strings.Contains(t.gap(k), ". "); k++ {
		s |= t.tokens[k].sense & cues
	}
	return s
}

// upTo returns the maximum number of groups from k on that together have at least least and at most
// most digits, or 0.
func (f *figures) upTo(k, minimum, limit int) (n int) {
	for to := k + 1; to <= f.groups() && f.at[to]-f.at[k] <= limit; to++ {
		if f.at[to]-f.at[k] >= minimum {
			n = to - k
		}
	}
	return n
}

// shaped returns how many groups from k on have a recognisable form, and their mask. The mask is
// empty for forms that are skipped, such as dates and versions.
func (t *text) shaped(f *figures, k int, h *context, amount bool) (int, string) {
	if n := t.date(f, k, false); n > 0 {
		if t.has(f.first+k+n, birth) && t.gap(f.first+k+n) == " " ||
			h.expected&(birth|birthday) != 0 {
			return n, maskBirthdate
		}
		return n, ""
	}
	if n := t.quad(f, k); n > 0 {
		if t.isVersion(f, k, h) {
			return n, ""
		}
		return n, maskIP
	}
	if n := t.international(f, k); n > 0 {
		return n, maskPhone
	}
	isReference := h.near&harmless != 0
	if t.isCode(f, k) {
		return 0, ""
	}
	if n := t.socialShape(f, k); n > 0 && !isReference {
		return n, maskID
	}
	if n := f.card(k); n > 0 && !amount && (!isReference || n == 4) {
		return n, maskCard
	}
	if amount || isReference {
		return 0, ""
	}
	if n := t.national(f, k); n > 0 && (n > 1 || h.top()&harmless == 0) {
		return n, maskPhone
	}
	return 0, ""
}

// socialShape returns how many groups form a United States social security number in its usual
// format, 078-05-1120.
func (t *text) socialShape(f *figures, k int) int {
	if k+3 > f.groups() || f.at[k+1]-f.at[k] != 3 || f.at[k+2]-f.at[k+1] != 2 ||
		f.at[k+3]-f.at[k+2] != 4 || t.gap(f.first+k+1) != "-" || t.gap(f.first+k+2) != "-" {
		return 0
	}
	if area := f.slice(k, k+1); area == "000" || area == "666" || area[0] == '9' ||
		!t.isolated(f, k, k+3) {
		return 0
	}
	return 3
}

// unknown masks groups without a recognisable form if the words of the sentence or turn announce
// them. Otherwise it keeps them as a single candidate.
func (t *text) unknown(f *figures, from, to int, h *context, amount bool) {
	if from == to {
		return
	}
	digits := f.slice(from, to)
	n := len(digits)
	heard := h.last
	if heard == 0 {
		heard = h.turn | h.expected&(phone|account|card)
		amount = amount || t.isMeasure(f, from, to)
	}
	if heard&harmless != 0 && h.near&harmless == 0 && h.top()&harmless == 0 {
		heard = h.sentence & (phone | contact | account | card)
	}
	mask := ""
	switch {
	case amount || heard&harmless != 0:
	case (heard|h.sentence)&card != 0 && n >= 13 && n <= 19:
		mask = maskCard
	case heard&account != 0 && n >= 6:
		mask = maskAccount
	case heard&(phone|contact) != 0 && n >= 7 && n <= 15:
		mask = maskPhone
	case h.sentence&social != 0 && n == 9:
		mask = maskID
	}
	if mask != "" {
		t.mask(f, from, to, mask)
		return
	}
	start, end := t.place(t.tokens[f.first+from].start, t.tokens[f.first+to-1].end)
	if n > 2 {
		t.numbers = append(t.numbers, candidate{span{start: start, end: end}, digits})
	}
}

// isMeasure reports whether groups that only an earlier sentence could announce are more likely
// years, a decimal number, a version, thousands or part of a code.
func (t *text) isMeasure(f *figures, from, to int) bool {
	years, dots := true, to-from > 1
	for k := from; k < to; k++ {
		years = years && isYear(f.slice(k, k+1))
		dots = dots && (k == from || t.gap(f.first+k) == ".")
	}
	return years || dots || to-from > 1 && f.slice(to-1, to) == "000" || t.isCode(f, from)
}

// isolated reports whether groups are separate from the rest of their sequence: they are the whole
// sequence, or are joined more closely to each other than to their neighbours.
func (t *text) isolated(f *figures, from, to int) bool {
	if from == 0 && to == f.groups() {
		return true
	}
	for k := from + 1; k < to; k++ {
		if strings.Contains(t.gap(f.first+k), " ") && t.gap(f.first+k) != ") " {
			return false
		}
	}
	return (from == 0 || strings.Contains(t.gap(f.first+from), " ")) &&
		(to == f.groups() || strings.Contains(t.gap(f.first+to), " "))
}

// isCode reports whether a sequence is part of a code with letters, such as 123-4567-AB, or of a
// time.
func (t *text) isCode(f *figures, k int) bool {
	before, after := f.first-1, f.last
	if k == 0 && before >= 0 && t.isCodeBeside(before, t.gap(f.first)) {
		return true
	}
	return after < len(t.tokens) && t.isCodeBeside(after, t.gap(after))
}

// isCodeBeside reports whether token i, which is next to a number, makes the number part of a code.
func (t *text) isCodeBeside(i int, gap string) bool {
	switch gap {
	case ":":
		return t.tokens[i].class == number
	case ".":
		return t.tokens[i].class == mixed
	case "-", "_":
		part := t.part(i)
		return t.tokens[i].class == mixed ||
			len(part) <= 4 && part == strings.ToUpper(part) && !t.has(i, cues&^harmless)
	}
	return false
}

// spells reports whether a token is a word for a digit, or for doubling the next one.
func (t *text) spells(i int) bool {
	w := t.tokens[i].entry
	return w != nil && (w.digits != "" || w.repeat != 0)
}

// spelledOut masks spelled digits and returns the number of masked tokens.
func (t *text) spelledOut(i int, h *context) int {
	const minimum, longest, longestGroup = 3, 40, 4
	if !t.spelled {
		return 0
	}
	var digits strings.Builder
	spelled, repeat, end := 0, 1, i
	for j := i; j < len(t.tokens) && j < i+longest && (j == i || t.spellsOn(j)); j++ {
		tok := &t.tokens[j]
		switch {
		case tok.class == number && tok.end-tok.start <= longestGroup:
			digits.WriteString(t.part(j))
			repeat, end = 1, j+1
			continue
		case !t.spells(j):
		case tok.entry.digits != "":
			digits.WriteString(strings.Repeat(tok.entry.digits, repeat))
			spelled += repeat
			repeat, end = 1, j+1
			continue
		case repeat == 1:
			repeat = tok.entry.repeat
			continue
		}
		break
	}
	if spelled < minimum {
		return 0
	}
	mask := spelledMask(digits.String(), h)
	if mask == "" {
		return 0
	}
	t.add(t.tokens[i].start, t.tokens[end-1].end, mask)
	return end - i
}

// spellsOn reports whether a token may continue the spelling of the token before it.
func (t *text) spellsOn(i int) bool {
	g := t.gap(i)
	return t.joins(i) || g == ", " || g == ","
}

// spelledMask returns the mask for spelled digits, or "" if they count something.
func spelledMask(digits string, h *context) string {
	n := len(digits)
	heard := h.near
	if heard == 0 && !h.hasCue {
		heard = h.expected
	}
	counts := strings.Contains("012345678910111213141516171819202122", digits)
	up := true
	for i := 1; i < n; i++ {
		up = up && digits[i] == digits[i-1]+1
	}
	switch {
	case heard&harmless != 0:
	case heard&pin != 0 && n >= 3 && n <= 10:
		return maskSecret
	case heard&ending != 0 && n == 4 && (heard|h.sentence|h.expected)&card != 0:
		return maskCard
	case heard&(social|ending) != 0 && (n == 4 || n == 9):
		return maskID
	case heard&identity != 0 && n >= 5:
		return maskID
	case n >= 13 && n <= 19 && (validCard(digits) || h.sentence&card != 0):
		return maskCard
	case (heard|h.turn)&account != 0 && n >= 6 && !counts && !up:
		return maskAccount
	case n >= 7 && n <= 15 && !counts && !up:
		return maskPhone
	}
	return ""
}

// card returns how many groups from k on form a card number, or 0. More digits may follow, such as
// the code on the back of the card.
func (f *figures) card(k int) int {
	for _, n := range [...]int{16, 15, 14, 13, 19, 18, 17} {
		if m := f.upTo(k, n, n); m > 0 {
			if digits := f.slice(k, k+m); isBrand(digits) && validCard(digits) {
				return m
			}
		}
	}
	return 0
}

// isBrand reports whether a card number has a prefix and length of a known card issuer.
func isBrand(digits string) bool {
	n := len(digits)
	two := int(digits[0]-'0')*10 + int(digits[1]-'0')
	switch {
	case digits[0] == '4': // Visa
		return n == 13 || n == 16 || n == 19
	case 51 <= two && two <= 55, 22 <= two && two <= 27: // Mastercard
		return n == 16
	case two == 34 || two == 37: // American Express
		return n == 15
	case two == 36 || two == 38 || two == 30: // Diners Club
		return n == 14
	case two == 35: // JCB
		return n == 16
	case digits[0] == '6', two == 50, 56 <= two && two <= 58: // Discover, UnionPay, Maestro
		return n >= 13
	}
	return false
}

// validCard reports whether the last digit is correct according to the Luhn algorithm (ISO/IEC
// 7812-1).
func validCard(digits string) bool {
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
