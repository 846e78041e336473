package heuristics

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// valueReader reads the values of one turn. Every turn is read once.
type valueReader struct {
	*turnText
	lex *lexicon
}

// maxValues is the maximum number of values read in a turn; more are a list.
const maxValues = 32

// readValues finds the values of every turn.
func readValues(s *analysis) {
	for i := range s.turns {
		t := &s.turns[i]
		t.values.start = len(s.values)
		if t.role != dialogue.Other {
			s.values = appendValues(s, s.values, i)
		}
		t.values.end = len(s.values)
	}
}

// appendValues appends the values of turn i.
func appendValues(s *analysis, list []value, i int) []value {
	r := &s.reader // a new reader would be allocated
	r.lex, r.turnText = s.lex, &s.turns[i]
	return r.append(list, i)
}

// append appends the values of the turn, which is turn i.
func (r *valueReader) append(list []value, i int) []value {
	start := len(list)
	for at := 0; at < len(r.tokens) && len(list)-start < maxValues; {
		if t := &r.tokens[at]; t.end-t.start > 2 && r.word(at).kind == wordNone {
			at++ // most words
			continue
		}
		v, size := r.read(at)
		if size > 0 && v.slot.kind != 0 {
			v.passage = passage{i, at, at + size - 1}
			v.loose = v.loose || r.loose(at) || r.negated(at)
			v.bound = r.bound(&v)
			list = append(list, v)
		}
		at += max(size, 1)
	}
	return list
}

// bound returns the limit that the words around a number make of it.
func (r *valueReader) bound(v *value) limit {
	switch v.slot.kind {
	case amount, percent, duration, clock:
	default:
		return exactly
	}
	first, last := r.sentenceStart(v.first), r.sentenceEnd(v.last)
	if first < v.first && r.is(first, "no") && !isPair(r.turnText, first+1) {
		first++ // an answer, and no limit
	}
	window := []string{"have", "has", "get", "got", "only", "inside"} // "you have 10 days to claim"
	switch from, next := max(first, v.first-4), v.last+1; {
	case r.within(from, v.first-1, "over"), next <= last && r.orMore(next):
		return atLeast
	case r.within(from, v.first-1, "under"), r.is(next, "or") && r.is(next+1, "less"),
		v.slot.kind == duration && (r.is(v.first-1, window...) ||
			!r.is(v.first-1, "been") && r.is(v.first-2, window...)):
		return atMost
	}
	return exactly
}

// orMore reports whether token i begins a phrase that makes the value before it a lower limit: "or
// more", "and up", "plus", "minimum", "before we send it free".
func (r *valueReader) orMore(i int) bool {
	return r.is(i, "or", "and") && r.is(i+1, "more", "over", "above", "up") ||
		r.is(i, "plus", "minimum", "upwards", "upward", "before", "mark")
}

// factWord returns the entry of token i in lexicon/words-facts.txt, or the zero factWord.
func (r *valueReader) factWord(i int) factWord {
	if i < 0 || i >= len(r.tokens) {
		return factWord{}
	}
	return r.lex.factWords[strings.ToLower(r.turnText.word(i))]
}

// within reports whether one of the tokens from first to last is of one of some kinds of factWord.
func (r *valueReader) within(first, last int, kinds ...string) bool {
	for i := max(first, 0); i <= min(last, len(r.tokens)-1); i++ {
		if r.factWord(i).is(kinds...) {
			return true
		}
	}
	return false
}

// numeral is a token that begins with a digit: "4", "9th", "9:30", "7:30pm", "4.50".
type numeral struct {
	n          int32 // the whole part; -1 for a number too large to matter
	minutes    int32 // after a colon, or -1
	hundredths int32 // after a point
	point      bool
	half       uint8 // 1 for am, 2 for pm
	ordinal    bool
}

// whole reports whether n is a plain number, and not a time or a sum.
func (n *numeral) whole() bool { return !n.point && n.minutes < 0 && n.half == 0 }

const (
	maxNumber = 999_999 // larger numbers are codes, not values
	maxBare   = 99      // the largest bare number that may be a time, a day or a number of people
	today     = 1       // also the day in "anything else today?", which asks for no day
)

// word returns the function in a value of the token at i, or the zero valueWord.
func (r *valueReader) word(i int) valueWord {
	if i < 0 || i >= len(r.tokens) {
		return valueWord{}
	}
	t := &r.tokens[i]
	if t.is(number) {
		return valueWord{kind: wordDigits}
	}
	return r.lex.valueOf(*t)
}

// kind returns the kind of the token at i if it is in the same clause as the one before it.
func (r *valueReader) kind(i int) wordKind {
	if i < 0 || !r.goesOn(i) {
		return wordNone
	}
	return r.word(i).kind
}

// ends reports whether the clause ends before token i, or token i is a stop word.
func (r *valueReader) ends(i int) bool { return !r.goesOn(i) || r.tokens[i].is(stopword) }

// loose reports whether a word shortly before token i, in its clause, marks a value there as a
// limit or a guess.
func (r *valueReader) loose(i int) bool {
	for back := 0; back < 3 && i > 0 && r.goesOn(i); back++ {
		if i--; r.word(i).loose {
			return true
		}
	}
	return false
}

// valued returns a value of a kind.
func valued(kind valueKind, n int32) value { return value{slot: slot{kind: kind}, n: n, high: n} }

// read returns the value that begins at token i and its number of tokens, or 0. If the kind of the
// value is 0, the tokens are no value.
func (r *valueReader) read(i int) (value, int) {
	w := r.word(i)
	n := int32(w.n)
	switch w.kind {
	case wordDigits, wordNumber, wordOrdinal, wordSpoken:
		return r.quantity(i)
	case wordWeekday:
		if n > 7 {
			return valued(habit, n-7), 1
		}
		return valued(weekday, n), 1
	case wordRelative:
		v, before := valued(relative, n), r.word(i-1).kind
		v.loose = n == today && before != wordFor && before != wordOn
		return v, 1
	case wordMonth:
		return r.monthFirst(i, n)
	case wordNoon:
		return valued(clock, clockOf(0, 0, w.n)), 1
	case wordFraction:
		if v, size := r.fraction(i, n); size > 0 {
			return v, size
		}
		if r.is(i, "half") && r.is(i+1, "a", "an") {
			return r.period(i+2, 50, 2)
		}
	case wordNone:
		if r.tokens[i].end-r.tokens[i].start <= 2 && r.is(i, "a", "an") {
			return r.period(i+1, 100, 1)
		}
	}
	return value{}, 0
}

// quantity reads a value that begins with a number: a measure, a time, a date or a count.
func (r *valueReader) quantity(i int) (value, int) {
	if v, size := r.measure(i); size > 0 {
		return v, size
	}
	n, end := r.numeral(i), i+1
	if hundredths, size := r.number(i); size > 1 {
		n, end = numeral{n: hundredths / 100, minutes: -1, point: hundredths%100 != 0}, i+size
	}
	if v, size := r.numericDate(i); size > 0 {
		return v, size
	}
	if n.n < 0 {
		return value{}, 0
	}
	for _, read := range [...]func(*valueReader, int, numeral) (value, int){
		(*valueReader).times, (*valueReader).dayFirst} {
		if v, size := read(r, i, n); size > 0 {
			return v, size
		}
	}
	if v, size := r.counted(i, end, n); size > 0 {
		return v, size
	}
	if n.point || n.minutes >= 0 || n.n > maxBare || r.word(i-1).kind == wordOf || // "instead of 2"
		r.word(i).kind == wordSpoken {
		return value{}, end - i
	}
	v := valued(bare, n.n)
	v.loose = true
	return v, end - i
}

// measure reads an amount of money, a percentage or a period of time, or a range of one. Only a sum
// that somebody sends or pays can contradict the USER, because the SYSTEM decides what things cost.
func (r *valueReader) measure(i int) (value, int) {
	low, size := r.number(i)
	if size == 0 {
		return value{}, 0
	}
	if again, n := r.number(i + size); again == low && n > 0 && r.isRepeated(i+size+n-1) {
		size += n
	}
	high, end := low, i+size // end is the token after the numbers
	if to, n := r.rangeTo(i, end); n > 0 {
		high, end = to, end+n
	}
	v := value{n: low, high: high, loose: true}
	behind := strings.TrimLeft(r.text[r.tokens[end-1].end:], " ")
	switch {
	case isMoney(r.turnText, r.tokens[i].start, end-1) || high != low &&
		strings.HasSuffix(strings.TrimRight(r.text[:r.tokens[end-1].start], " "), "£"):
		v.slot = slot{amount, r.currency(i, end-1)}
		if r.kind(end) == wordMoney {
			end++
		}
		for back := i - 1; back >= i-4 && v.loose; back-- {
			v.loose = r.word(back).kind != wordPays
		}
	case strings.HasPrefix(behind, "%"):
		v.slot.kind = percent
	case r.is(end, "percent"):
		v.slot.kind, end = percent, end+1
	case r.is(end, "per") && r.is(end+1, "cent"):
		v.slot.kind, end = percent, end+2
	default:
		v, n := r.period(end, low, end-i)
		if n > 0 && high != low {
			to, _ := r.period(end, high, 0)
			v.high = to.n
		}
		return v, n
	}
	return v, end - i
}

// period reads a unit of time, such as "working days", at token i, after a number in hundredths
// that has a number of tokens.
func (r *valueReader) period(i int, hundredths int32, size int) (value, int) {
	if !r.goesOn(i) && !r.isRepeated(i-1) {
		return value{}, 0
	}
	unit := r.factWord(i)
	working := unit.is("working")
	if working || unit.is("calendar") {
		size++
		unit = r.factWord(i + 1)
	}
	if unit.minutes == 0 {
		return value{}, 0
	}
	n := int32(min(int64(hundredths)*unit.minutes/100, math.MaxInt32))
	v := valued(duration, n)
	v.working = working
	return v, size + 1
}

// isRepeated reports whether token i ends a number in brackets, as in "30 (thirty) days".
func (r *valueReader) isRepeated(i int) bool {
	const maxNumeral = 16 // bytes
	if i < 0 || i >= len(r.tokens) {
		return false
	}
	t := &r.tokens[i]
	return strings.HasPrefix(r.text[t.end:], ")") &&
		strings.Contains(r.text[max(0, int(t.start)-maxNumeral):t.start], "(")
}

// currency returns the currency of an amount in the tokens from first to last.
func (r *valueReader) currency(first, last int) uint8 {
	before := strings.TrimRight(r.text[:r.tokens[first].start], " ")
	behind := strings.TrimLeft(r.text[r.tokens[last].end:], " ")
	has := func(sign string) bool {
		return strings.HasSuffix(before, sign) || strings.HasPrefix(behind, sign)
	}
	switch {
	case has("$") || r.is(last+1, "dollar", "dollars", "usd", "buck", "bucks"):
		return dollars
	case has("€") || r.is(last+1, "euro", "euros", "eur"):
		return euros
	}
	return pounds
}

// rangeTo reads the second number of a range that began at token i and whose first number ends
// before token at: "to 5", "-5", or "and 5" after "between". It returns the tokens read.
func (r *valueReader) rangeTo(i, at int) (hundredths int32, size int) {
	next := r.rangeEnd(i, at)
	if next < 0 && r.is(at, "or") {
		next = at + 1
	}
	// a time, or the unit of the first number, may come next: "3 days to 5 days"
	unit := r.factWord(at).minutes > 0 && r.is(at+1, "to", "and", "or")
	if unit {
		next = at + 2
	}
	hundredths, n := r.number(next)
	if n == 0 || unit && r.factWord(next+n).minutes != r.factWord(at).minutes {
		return 0, 0
	}
	if t := r.tokens[next]; t.is(opensSentence) {
		return 0, 0
	}
	return hundredths, next + n - at
}

// rangeEnd returns the token that begins the second number of a range whose first one is from token
// i up to token at, or -1: "10 to 4", "10-4", "between 10 and 4".
func (r *valueReader) rangeEnd(i, at int) int {
	switch {
	case at >= len(r.tokens) || r.tokens[at].is(opensSentence):
	case r.is(at, "to", "until", "till", "til") || r.is(at, "and") && r.is(i-1, "between"):
		return at + 1
	case slices.Contains([]string{"-", "–", "—"},
		strings.Trim(r.text[r.tokens[at-1].end:r.tokens[at].start], " £$€")):
		return at
	}
	return -1
}

// number reads a number in digits or words that begins with token i, in hundredths.
func (r *valueReader) number(i int) (hundredths int32, size int) {
	if i < 0 || i >= len(r.tokens) {
		return 0, 0
	}
	if r.tokens[i].is(number) {
		n := r.numeral(i)
		if n.n < 0 || n.ordinal || n.minutes >= 0 || n.half != 0 {
			return 0, 0
		}
		return r.hundredths(i, n)
	}
	var sum spokenNumber
	at := i
	for ; at < len(r.tokens) && at-i < maxDigits; at++ {
		w := r.word(at)
		spoken := w.kind == wordNumber || w.kind == wordSpoken
		switch {
		case at > i && r.is(at, "and") && sum.part >= 100:
			continue
		case spoken && (at == i || r.goesOn(at)) && sum.follows(uint64(w.n)):
			sum.add(uint64(w.n))
			continue
		}
		break
	}
	if sum == (spokenNumber{}) || sum.total+sum.part > maxNumber {
		return 0, 0
	}
	if r.is(at, "of") && r.is(i, "couple") {
		at++
	}
	return int32(sum.total+sum.part) * 100, at - i
}

// thousand is the number of the word "thousand" in lexicon/words-values.txt.
const thousand = 101

// spokenNumber adds up the words of a number, such as "two hundred and six".
type spokenNumber struct{ total, part uint64 }

// follows reports whether n may follow the words so far in one number.
func (s *spokenNumber) follows(n uint64) bool {
	return n >= 100 || s.part%100 == 0 || s.part%10 == 0 && n < 10 && s.part%100 > 10
}

func (s *spokenNumber) add(n uint64) {
	switch n {
	case thousand:
		s.total, s.part = s.total+max(s.part, 1)*1000, 0
	case 100:
		s.part = max(s.part, 1) * 100
	default:
		s.part += n
	}
}

// hundredths returns the number n at token i with the thousands after a comma, and its tokens. Two
// digits after a comma are hundredths of an amount.
func (r *valueReader) hundredths(i int, n numeral) (hundredths int32, size int) {
	if r.joined(i) && r.tokens[i+1].end-r.tokens[i+1].start == 2 && !n.point &&
		isMoney(r.turnText, r.tokens[i].start, i+1) {
		return n.n*100 + max(0, r.numeral(i+1).n), 2
	}
	if !r.joined(i) || r.tokens[i+1].end-r.tokens[i+1].start < 3 || n.n >= 1000 {
		return n.n*100 + n.hundredths, 1
	}
	thousands := r.numeral(i + 1)
	if thousands.n < 0 || thousands.n > 999 {
		return 0, 0
	}
	return n.n*100_000 + thousands.n*100 + thousands.hundredths, 2
}

// joined reports whether tokens i and i+1 are numbers with only a comma between them.
func (r *valueReader) joined(i int) bool {
	if i+1 >= len(r.tokens) || !r.tokens[i+1].is(number) {
		return false
	}
	end := r.tokens[i].end
	return r.tokens[i+1].start == end+1 && r.text[end] == ','
}

// times reads a time, or a range of times such as "10 am to 4 pm". The hours of a range without am
// or pm are those that make it shortest.
func (r *valueReader) times(i int, n numeral) (value, int) {
	v, size := r.time(i, n)
	next := r.rangeEnd(i, i+max(size, 1))
	if next < 0 || next >= len(r.tokens) || size == 0 && !n.isHour() {
		return v, size
	}
	to, more := r.time(next, r.numeral(next))
	if more == 0 {
		return v, size
	}
	if size == 0 {
		v = valued(clock, clockOf(n.n, 0, 0))
	}
	v.n, v.high = shortestRange(minutesOf(v.n), minutesOf(to.n))
	return v, next + more - i
}

// openingHours returns the ranges of hours in a passage that have no am or pm: "open 8-6".
func (r *valueReader) openingHours(p passage) (list []value) {
	for i := p.first; i < p.last; i++ {
		at, next := i-1, r.rangeEnd(i, i+1)
		if r.is(at, "from", "are", "is", "between") {
			at--
		}
		if next < 0 || next > p.last || !r.within(at, at, "opening") {
			continue
		}
		from, to := r.numeral(i), r.numeral(next)
		if _, isTime := r.time(next, to); isTime == 0 && from.isHour() && to.isHour() {
			v := valued(clock, 0)
			v.n, v.high = shortestRange(minutesOf(clockOf(from.n, 0, 0)),
				minutesOf(clockOf(to.n, 0, 0)))
			v.passage = passage{p.turn, i, next}
			list = append(list, v)
		}
	}
	return list
}

// isHour reports whether n may be an hour of the day.
func (n *numeral) isHour() bool { return n.whole() && n.n >= 1 && n.n <= 24 }

// shortestRange returns the shortest range between two times that may be in either half of the day,
// as clock values. It may last until the next day. Of two such ranges, it is the one by day.
func shortestRange(begins, ends []int32) (n, high int32) {
	low, to := begins[0], ends[0]
	for _, from := range begins {
		for _, end := range ends {
			if minutesBetween(from, end) < minutesBetween(low, to) {
				low, to = from, end
			}
		}
	}
	return clockOf(low/60, low%60, 1), clockOf(to/60, to%60, 1)
}

// time reads "9:30", "9 am", "9 o'clock", "at 9", "until 9" and "midnight".
func (r *valueReader) time(i int, n numeral) (value, int) {
	if w := r.word(i); w.kind == wordNoon {
		return valued(clock, clockOf(0, 0, w.n)), 1
	}
	half, size := n.half, 1
	if half == 0 && r.kind(i+1) == wordOclock {
		size = 2
	} else if half == 0 {
		half, size = r.halfAt(i + 1)
		size++
	}
	if n.point && half != 0 { // "7.30 pm"
		n.minutes = n.hundredths
	}
	isTime := half != 0 || size > 1 || n.minutes >= 0 || r.atHour(i, n)
	if half == 0 && !n.point {
		half = r.halfOfDay(i+size, n.n)
	}
	if n.ordinal || n.n < 0 || n.n > 24 || n.minutes > 59 || !isTime {
		return value{}, 0
	}
	return valued(clock, clockOf(n.n, max(n.minutes, 0), half)), size
}

// atHour reports whether a bare number is an hour: it follows "at" and counts nothing.
func (r *valueReader) atHour(i int, n numeral) bool {
	if n.n < 1 || n.n > 12 || n.point ||
		r.word(i-1).kind != wordAt && !r.is(i-1, "until", "till", "til") {
		return false
	}
	next := r.kind(i + 1)
	return next == wordWeekday || next == wordRelative || r.ends(i+1) && next != wordOf
}

// halfAt reads "pm" or "p.m.", which is two tokens, at i. It returns 1 for am and 2 for pm, and the
// number of tokens.
func (r *valueReader) halfAt(i int) (half uint8, size int) {
	if r.kind(i) == wordHalf {
		return r.word(i).n, 1
	}
	if i+1 < len(r.tokens) && r.tokens[i+1].end-r.tokens[i].start == 3 {
		switch strings.ToLower(r.text[r.tokens[i].start:r.tokens[i+1].end]) {
		case "a.m":
			return 1, 2
		case "p.m":
			return 2, 2
		}
	}
	return 0, 0
}

// halfOfDay reads "in the evening" or "at night" after an hour at token i: 1 for am, 2 for pm, 0
// for neither. The night begins before midnight and ends after it.
func (r *valueReader) halfOfDay(i int, hour int32) uint8 {
	switch {
	case r.is(i, "in") && r.is(i+2, "morning"):
		return 1
	case r.is(i, "in") && r.is(i+2, "evening", "afternoon"),
		hour > 5 && hour < 12 && (r.is(i, "at") && r.is(i+1, "night") || r.is(i, "tonight")):
		return 2
	}
	return 0
}

// clockOf returns a time as a clock value. From 13:00 on, the half of the day is known.
func clockOf(hour, minutes int32, half uint8) int32 {
	switch {
	case hour == 24:
		hour = 0
	case hour > 12:
		hour, half = hour-12, 2
	}
	return int32(half)*2*halfDay + hour%12*60 + minutes
}

// fraction reads "half past nine" and "quarter to 10 pm".
func (r *valueReader) fraction(i int, minutes int32) (value, int) {
	past, hour, n := r.word(i+1).kind, r.word(i+2), int32(0)
	switch hour.kind {
	case wordDigits:
		n = r.numeral(i + 2).n
	case wordNumber:
		n = int32(hour.n)
	}
	if past != wordPast && past != wordInto || n < 1 || n > 12 {
		return value{}, 0
	}
	if past == wordInto {
		minutes, n = 60-minutes, n+11
	}
	half, size := r.halfAt(i + 3)
	return valued(clock, clockOf(n%12, minutes, half)), 3 + size
}

// monthFirst reads "March 3rd".
func (r *valueReader) monthFirst(i int, month int32) (value, int) {
	if r.kind(i+1) != wordDigits {
		return value{}, 0
	}
	day := r.numeral(i + 1)
	if day.n < 1 || day.n > 31 || !day.whole() {
		return value{}, 0
	}
	return valued(date, month*32+day.n), 2
}

// numericDate reads "2026-05-03", "3/5/2026" and "03.05.2026".
func (r *valueReader) numericDate(i int) (value, int) {
	const longest = 11 // bytes of a date, and the next one
	from := int(r.tokens[i].start)
	text := r.text[from:min(len(r.text), from+longest)]
	if !r.tokens[i].is(number) || !strings.ContainsAny(text, "/.-") {
		return value{}, 0
	}
	m := moment().FindStringSubmatch(text)
	if m == nil || m[1]+m[3] == "" {
		return value{}, 0
	}
	var day, month int32
	digits(m[2]+m[3], &day)
	digits(m[1]+m[4], &month)
	isSlash := text[len(m[3])] == '/' // either number may be the month
	if isSlash && month > 12 {
		day, month = month, day
	}
	if day < 1 || day > 31 || month < 1 || month > 12 {
		return value{}, 0
	}
	v := valued(date, month*32+day)
	if isSlash && day <= 12 {
		v.high = day*32 + month
	}
	end := i + 1
	for end < len(r.tokens) && int(r.tokens[end].start) < from+len(m[0]) {
		end++
	}
	return v, end - i
}

// dayFirst reads "3 March", "the 3rd of March" and "on the 3rd".
func (r *valueReader) dayFirst(i int, n numeral) (value, int) {
	switch {
	case n.n < 1 || n.n > 31 || !n.whole():
	case r.kind(i+1) == wordMonth:
		return valued(date, int32(r.word(i+1).n)*32+n.n), 2
	case n.ordinal && r.kind(i+1) == wordOf && r.kind(i+2) == wordMonth:
		return valued(date, int32(r.word(i+2).n)*32+n.n), 3
	case n.ordinal && r.dayOfMonth(i):
		return valued(date, n.n), 1
	}
	return value{}, 0
}

// dayOfMonth reports whether an ordinal is a day: digits that follow "on the", without a noun after
// them.
func (r *valueReader) dayOfMonth(i int) bool {
	if r.kind(i) != wordDigits || r.word(i-1).kind != wordThe {
		return false
	}
	w := r.word(i - 2)
	return r.ends(i+1) && (w.kind == wordOn || w.kind == wordFor || w.loose || w.kind == wordPast)
}

// counted reads "4 people", "two economy tickets" and the number in "a table for 4", whose number n
// is in the tokens from i up to end.
func (r *valueReader) counted(i, end int, n numeral) (value, int) {
	if n.ordinal || !n.whole() || n.n > 999 {
		return value{}, 0
	}
	counts := func(unit uint8, size int) (value, int) {
		return value{slot: slot{count, unit}, n: n.n, high: n.n}, end - i + size
	}
	next := r.kind(end)
	if next == wordUnit {
		return counts(r.word(end).n, 1)
	}
	if r.kind(end+1) == wordUnit && r.names(end) && next == wordNone {
		return counts(r.word(end+1).n, 2)
	}
	if next == wordOf && r.goesOn(end+1) && r.is(end+1, "us") { // "five of us"
		return counts(unitPeople, 2)
	}
	of := r.kind(i-1) == wordFor || r.kind(i-1) == wordOf
	if of && r.kind(i) != wordNone && r.word(i-2).kind == wordParty &&
		(r.ends(end) || next != wordNone) {
		return counts(unitPeople, 0)
	}
	return value{}, 0
}

// numeral parses the number at token i.
func (r *valueReader) numeral(i int) numeral {
	n := numeral{minutes: -1}
	if w := r.word(i); w.kind != wordDigits {
		if n.n, n.ordinal = int32(w.n), w.kind == wordOrdinal; w.kind != wordNumber && !n.ordinal {
			n.n = -1
		}
		return n
	}
	text := digits(r.turnText.word(i), &n.n)
	if len(text) > 1 && text[0] == ':' {
		text = digits(text[1:], &n.minutes)
	} else if len(text) > 1 && text[0] == '.' {
		rest := digits(text[1:], &n.hundredths)
		if n.point = true; len(text)-len(rest) == 2 { // one digit
			n.hundredths *= 10
		}
		text = rest
	}
	switch text {
	case "":
	case "am", "AM", "Am", "a":
		n.half = 1
	case "pm", "PM", "Pm", "p":
		n.half = 2
	case "st", "nd", "rd", "th", "ST", "ND", "RD", "TH":
		n.ordinal = true
	default:
		n.n = -1 // a code, such as the 2b of an address
	}
	return n
}

// digits parses the leading digits of text into n, or sets n to -1 if there are too many, and
// returns the rest.
func digits(text string, n *int32) string {
	rest := strings.TrimLeft(text, "0123456789")
	*n = -1
	v, err := strconv.ParseInt("0"+text[:len(text)-len(rest)], 10, 64)
	if err == nil && v <= maxNumber {
		*n = int32(v)
	}
	return rest
}
