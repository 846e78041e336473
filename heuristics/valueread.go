package heuristics

import (
	"strconv"
	"strings"
)

// valueReader reads the values of one turn.
type valueReader struct {
	*turnText
	known []valueWord // by word number
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
	if int(t.word) < len(r.known) {
		return r.known[t.word]
	}
	return valueWord{}
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
func valued(kind valueKind, n int32) value { return value{slot: slot{kind: kind}, n: n} }

// read returns the value that begins at token i and its number of tokens, or 0. Its first token is
// relative to i.
func (r *valueReader) read(i int) (value, int) {
	w := r.word(i)
	n := int32(w.n)
	switch w.kind {
	case wordDigits:
		return r.quantity(i, r.numeral(i))
	case wordNumber, wordOrdinal:
		return r.quantity(i, numeral{n: n, minutes: -1, ordinal: w.kind == wordOrdinal})
	case wordWeekday:
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
		return r.fraction(i, n)
	case wordFrom, wordInto, wordUnder, wordAt:
		return r.place(i, w.kind)
	case wordName:
		return r.person(i)
	}
	return value{}, 0
}

// quantity reads a value that begins with number n: a sum, a time, a date or a count.
func (r *valueReader) quantity(i int, n numeral) (v value, size int) {
	if n.n < 0 {
		return value{}, 0
	}
	if v, size = r.sum(i, n); size == 0 {
		v, size = r.time(i, n)
	}
	if size == 0 {
		v, size = r.dayFirst(i, n)
	}
	if size == 0 {
		v, size = r.counted(i, n)
	}
	if size > 0 {
		return v, size
	}
	if n.point || n.minutes >= 0 || n.n > maxBare || r.word(i-1).kind == wordOf { // "instead of 2"
		return value{}, 0
	}
	v = valued(bare, n.n)
	v.loose = true
	return v, 1
}

// sum reads "$40", "40 pounds" and "$1,200". Only a sum that somebody sends or pays can be
// contradicted, because the SYSTEM decides what things cost.
func (r *valueReader) sum(i int, n numeral) (value, int) {
	before := r.text[:r.tokens[i].start]
	signed := strings.HasSuffix(before, "$") || strings.HasSuffix(before, "£")
	hundredths, size := r.hundredths(i, n)
	v := valued(amount, hundredths)
	if size == 0 || !signed && r.kind(i+size) != wordMoney || n.ordinal {
		return value{}, 0
	}
	if !signed {
		size++
	}
	v.loose = true
	for back := i - 1; back >= i-4 && v.loose; back-- {
		v.loose = r.word(back).kind != wordPays
	}
	return v, size
}

// hundredths returns the number n at token i with the thousands after a comma, and its tokens.
func (r *valueReader) hundredths(i int, n numeral) (hundredths int32, size int) {
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

// time reads "9:30", "9 am", "9 o'clock" and "at 9".
func (r *valueReader) time(i int, n numeral) (value, int) {
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
	if n.ordinal || n.n > 24 || n.minutes > 59 || !isTime {
		return value{}, 0
	}
	return valued(clock, clockOf(n.n, max(n.minutes, 0), half)), size
}

// atHour reports whether a bare number is an hour: it follows "at" and counts nothing.
func (r *valueReader) atHour(i int, n numeral) bool {
	if n.n < 1 || n.n > 12 || n.point || r.word(i-1).kind != wordAt {
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

// counted reads "4 people", "two economy tickets" and the number in "a table for 4", but not "a
// reservation for 2 hours".
func (r *valueReader) counted(i int, n numeral) (value, int) {
	if n.ordinal || !n.whole() || n.n > 999 {
		return value{}, 0
	}
	counts := func(unit uint8, size int) (value, int) {
		return value{slot: slot{count, unit}, n: n.n}, size
	}
	next := r.kind(i + 1)
	if next == wordUnit {
		return counts(r.word(i+1).n, 2)
	}
	if r.kind(i+2) == wordUnit && r.names(i+1) && next == wordNone {
		return counts(r.word(i+2).n, 3)
	}
	if next == wordOf && r.goesOn(i+2) && r.is(i+2, "us") { // "five of us"
		return counts(unitPeople, 3)
	}
	of := r.kind(i-1) == wordFor || r.kind(i-1) == wordOf
	if of && r.kind(i) != wordNone && r.word(i-2).kind == wordParty &&
		(r.ends(i+1) || next != wordNone) {
		return counts(unitPeople, 1)
	}
	return value{}, 0
}

// place reads "from New York" and "to Leeds": capitalised words after the preposition. "In" and
// "at" make it loose, because a location may be mentioned in passing.
func (r *valueReader) place(i int, preposition wordKind) (value, int) {
	size := r.capitals(i + 1)
	if size == 0 {
		return value{}, 0
	}
	v := value{slot: slot{place, uint8(preposition)}}
	v.first, v.loose = 1, preposition == wordUnder || preposition == wordAt
	return v, size + 1
}

// person reads "my name is Ann Lee" and "under the name of Lee".
func (r *valueReader) person(i int) (v value, size int) {
	before := r.word(i - 1).kind
	if before != wordOwn && (before != wordThe || r.word(i-2).kind != wordUnder) {
		return value{}, 0
	}
	v = valued(person, 0)
	v.first = 1
	if next := r.kind(i + 1); next == wordIs || next == wordOf {
		v.first = 2
	}
	if size = r.capitals(i + v.first); size == 0 {
		return value{}, 0
	}
	return v, v.first + size
}

// capitals counts the capitalised words from token i on, up to four. Days, months and codes such as
// "LA" do not count.
func (r *valueReader) capitals(i int) (size int) {
	for size < 4 && r.goesOn(i+size) {
		t := &r.tokens[i+size]
		if !t.is(capital) || t.is(stopword) || t.end-t.start < 3 ||
			r.word(i+size).kind != wordNone || isUpper(r.text[t.start+1]) {
			break
		}
		size++
	}
	return size
}

// numeral parses the token at i.
func (r *valueReader) numeral(i int) numeral {
	n := numeral{minutes: -1}
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
