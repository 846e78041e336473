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
	minutes    int32 // behind a colon; -1 for none
	hundredths int32 // behind a point
	point      bool
	half       uint8 // 1 for am, 2 for pm
	ordinal    bool
}

// whole reports whether n is a plain number, and no time or sum.
func (n *numeral) whole() bool { return !n.point && n.minutes < 0 && n.half == 0 }

const (
	mostNumber = 999_999 // the largest number that is read: more are codes, not values
	mostBare   = 99      // the largest bare number that may be a time, a day or a number of people
	today      = 1       // also the day of "anything else today?", which asks for no day
)

// word tells what the token at i does in a value; the zero valueWord where there is no such token.
func (r *valueReader) word(i int) valueWord {
	if i < 0 || i >= len(r.tokens) {
		return valueWord{}
	}
	t := r.tokens[i]
	if t.is(number) {
		return valueWord{kind: wordDigits}
	}
	if int(t.word) < len(r.known) {
		return r.known[t.word]
	}
	return valueWord{}
}

// kind is the kind of the token at i where it is in the same clause as the one before it.
func (r *valueReader) kind(i int) wordKind {
	if i < 0 || i >= len(r.tokens) || r.tokens[i].is(opensClause) {
		return wordNone
	}
	return r.word(i).kind
}

// ends reports whether the clause ends before token i.
func (r *valueReader) ends(i int) bool { return i >= len(r.tokens) || r.tokens[i].is(opensClause) }

// loose reports whether a word shortly before token i, in its clause, makes a value there a limit or a guess.
func (r *valueReader) loose(i int) bool {
	for back := 0; back < 3 && i > 0 && !r.tokens[i].is(opensClause); back++ {
		if i--; r.word(i).loose {
			return true
		}
	}
	return false
}

// read gives the value that begins at token i and how many tokens it takes; 0 for none. Its first counts from i.
func (r *valueReader) read(i int) (value, int) {
	w := r.word(i)
	switch w.kind {
	case wordDigits:
		return r.quantity(i, r.numeral(i))
	case wordNumber, wordOrdinal:
		return r.quantity(i, numeral{n: int32(w.n), minutes: -1, ordinal: w.kind == wordOrdinal})
	case wordWeekday:
		return value{slot: slot{kind: weekday}, n: int32(w.n)}, 1
	case wordRelative:
		asked := w.n != today || r.word(i-1).kind == wordFor || r.word(i-1).kind == wordOn
		return value{slot: slot{kind: relative}, n: int32(w.n), loose: !asked}, 1
	case wordMonth:
		return r.monthFirst(i, int32(w.n))
	case wordNoon:
		return value{slot: slot{kind: clock}, n: clockOf(0, 0, w.n)}, 1
	case wordFraction:
		return r.fraction(i, int32(w.n))
	case wordFrom, wordInto, wordUnder, wordAt:
		return r.place(i, w.kind)
	case wordName:
		return r.person(i)
	}
	return value{}, 0
}

// quantity reads what begins with number n: a sum, a time, a date or a count.
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
	if n.point || n.minutes >= 0 || n.n > mostBare || r.word(i-1).kind == wordOf { // "instead of 2"
		return value{}, 0
	}
	return value{slot: slot{kind: bare}, n: n.n, loose: true}, 1
}

// sum reads "$40", "40 pounds" and "$1,200". Only a sum that somebody sends or pays can be contradicted:
// what things cost is the SYSTEM's to say.
func (r *valueReader) sum(i int, n numeral) (value, int) {
	t := r.tokens[i]
	signed := t.start > 0 && r.text[t.start-1] == '$' || t.start > 1 && (r.text[t.start-2:t.start] == "£")
	v, size := value{slot: slot{kind: amount}, n: n.n*100 + n.hundredths, loose: true}, 1
	if r.joined(i) && r.tokens[i+1].end-r.tokens[i+1].start >= 3 && n.n < 1000 {
		thousands := r.numeral(i + 1)
		if thousands.n < 0 || thousands.n > 999 {
			return value{}, 0
		}
		v.n, size = n.n*100_000+thousands.n*100+thousands.hundredths, 2
	}
	if !signed && r.kind(i+size) != wordMoney || n.ordinal {
		return value{}, 0
	}
	if !signed {
		size++
	}
	for back := i - 1; back >= 0 && back >= i-4 && v.loose; back-- {
		v.loose = r.word(back).kind != wordPays
	}
	return v, size
}

// joined reports whether tokens i and i+1 are numbers with nothing but a comma between them.
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
	if n.ordinal || n.n > 24 || n.minutes > 59 || half == 0 && size == 1 && n.minutes < 0 && !r.atHour(i, n) {
		return value{}, 0
	}
	return value{slot: slot{kind: clock}, n: clockOf(n.n, max(n.minutes, 0), half)}, size
}

// atHour reports whether a bare number is an hour: it stands behind "at" and counts nothing.
func (r *valueReader) atHour(i int, n numeral) bool {
	if n.n < 1 || n.n > 12 || n.point || r.word(i-1).kind != wordAt {
		return false
	}
	next := r.kind(i + 1)
	return r.ends(i+1) || r.tokens[i+1].is(stopword) && next != wordOf || next == wordWeekday || next == wordRelative
}

// halfAt reads "pm" or "p.m.", which is two words to the tokeniser, at i: 1 for am, 2 for pm, and how many tokens it
// takes.
func (r *valueReader) halfAt(i int) (half uint8, size int) {
	if r.kind(i) == wordHalf {
		return r.word(i).n, 1
	}
	if i+1 < len(r.tokens) {
		switch strings.ToLower(r.text[r.tokens[i].start:r.tokens[i+1].end]) {
		case "a.m":
			return 1, 2
		case "p.m":
			return 2, 2
		}
	}
	return 0, 0
}

// clockOf puts a time into the form of a clock value. From 13:00 the half of the day is known.
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
	return value{slot: slot{kind: clock}, n: clockOf(n%12, minutes, half)}, 3 + size
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
	return value{slot: slot{kind: date}, n: month*32 + day.n}, 2
}

// dayFirst reads "3 March", "the 3rd of March" and "on the 3rd".
func (r *valueReader) dayFirst(i int, n numeral) (value, int) {
	if n.n < 1 || n.n > 31 || !n.whole() {
		return value{}, 0
	}
	day := func(month uint8, size int) (value, int) {
		return value{slot: slot{kind: date}, n: int32(month)*32 + n.n}, size
	}
	switch {
	case r.kind(i+1) == wordMonth:
		return day(r.word(i+1).n, 2)
	case n.ordinal && r.kind(i+1) == wordOf && r.kind(i+2) == wordMonth:
		return day(r.word(i+2).n, 3)
	case n.ordinal && r.dayOfMonth(i):
		return day(0, 1)
	}
	return value{}, 0
}

// dayOfMonth reports whether an ordinal is a day: digits behind "on the", and no noun behind it.
func (r *valueReader) dayOfMonth(i int) bool {
	if r.kind(i) != wordDigits || r.word(i-1).kind != wordThe {
		return false
	}
	if w := r.word(i - 2); w.kind != wordOn && w.kind != wordFor && !w.loose && w.kind != wordPast {
		return false
	}
	return r.ends(i+1) || r.tokens[i+1].is(stopword)
}

// counted reads "4 people", "two economy tickets" and the number of "a table for 4", but not "a reservation for 2
// hours".
func (r *valueReader) counted(i int, n numeral) (value, int) {
	if n.ordinal || !n.whole() || n.n > 999 {
		return value{}, 0
	}
	v := value{slot: slot{kind: count}, n: n.n}
	if r.kind(i+1) == wordUnit {
		v.slot.unit = r.word(i + 1).n
		return v, 2
	}
	if r.kind(i+2) == wordUnit && !r.ends(i+1) && r.word(i+1).kind == wordNone && r.tokens[i+1].content() {
		v.slot.unit = r.word(i + 2).n
		return v, 3
	}
	if r.kind(i+1) == wordOf && !r.ends(i+2) && strings.EqualFold(r.turnText.word(i+2), "us") { // "five of us"
		v.slot.unit = unitPeople
		return v, 3
	}
	of := r.kind(i-1) == wordFor || r.kind(i-1) == wordOf
	if i < 2 || r.kind(i) == wordNone || r.word(i-2).kind != wordParty || !of ||
		!r.ends(i+1) && !r.tokens[i+1].is(stopword) && r.kind(i+1) == wordNone {
		return value{}, 0
	}
	v.slot.unit = unitPeople
	return v, 1
}

// place reads "from New York" and "to Leeds": capitalised words behind the preposition. "In" and "at" make it
// loose: where something is may be named in passing.
func (r *valueReader) place(i int, preposition wordKind) (value, int) {
	size := r.names(i + 1)
	if size == 0 {
		return value{}, 0
	}
	loose := preposition == wordUnder || preposition == wordAt
	return value{slot: slot{kind: place, unit: uint8(preposition)}, first: 1, loose: loose}, size + 1
}

// person reads "my name is Ann Lee" and "under the name of Lee".
func (r *valueReader) person(i int) (value, int) {
	before := r.word(i - 1).kind
	if before != wordOwn && (before != wordThe || r.word(i-2).kind != wordUnder) {
		return value{}, 0
	}
	skip := 1
	if next := r.kind(i + 1); next == wordIs || next == wordOf {
		skip = 2
	}
	if size := r.names(i + skip); size > 0 {
		return value{slot: slot{kind: person}, first: int32(skip)}, skip + size
	}
	return value{}, 0
}

// names counts the capitalised words from token i on, at most four. Days, months and codes such as "LA" are none.
func (r *valueReader) names(i int) int {
	size := 0
	for size < 4 && i+size < len(r.tokens) {
		t := r.tokens[i+size]
		if !t.is(capital) || t.is(opensClause|stopword) || t.end-t.start < 3 ||
			r.word(i+size).kind != wordNone || r.text[t.start+1] >= 'A' && r.text[t.start+1] <= 'Z' {
			break
		}
		size++
	}
	return size
}

// numeral takes the token at i apart.
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

// digits reads the digits that text begins with into n, -1 for too many, and gives what is left.
func digits(text string, n *int32) string {
	rest := strings.TrimLeft(text, "0123456789")
	*n = -1
	if v, err := strconv.ParseInt("0"+text[:len(text)-len(rest)], 10, 64); err == nil && v <= mostNumber {
		*n = int32(v)
	}
	return rest
}
