package heuristics

// valueReader reads the values of one turn.
type valueReader struct {
	*turnText
	words []valueWord
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

// mostNumber is the largest number that is read: more are codes, not values.
const mostNumber = 999_999

// word tells what the token at i does in a value; the zero valueWord where there is no such token.
func (r *valueReader) word(i int) valueWord {
	if i < 0 || i >= len(r.tokens) {
		return valueWord{}
	}
	t := r.tokens[i]
	if t.is(number) {
		return valueWord{kind: wordDigits}
	}
	if int(t.word) < len(r.words) {
		return r.words[t.word]
	}
	return valueWord{}
}

// begins reports cheaply whether a value may begin with t.
func (r *valueReader) begins(t *token) bool {
	return t.flags&number != 0 || int(t.word) < len(r.words) && r.words[t.word].begins
}

// kind is the kind of the token at i where it stands in the same clause as the one before it.
func (r *valueReader) kind(i int) wordKind {
	if i < 0 || i >= len(r.tokens) || r.tokens[i].is(opensClause) {
		return wordNone
	}
	return r.word(i).kind
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
func (r *valueReader) quantity(i int, n numeral) (value, int) {
	if n.n < 0 {
		return value{}, 0
	}
	for _, read := range [...]func(*valueReader, int, numeral) (value, int){
		(*valueReader).sum, (*valueReader).time, (*valueReader).dayFirst, (*valueReader).counted,
	} {
		if v, size := read(r, i, n); size > 0 {
			return v, size
		}
	}
	if n.point || n.minutes >= 0 || n.n > mostBare || r.word(i-1).kind == wordOf { // "instead of 2"
		return value{}, 0
	}
	return value{slot: slot{kind: bare}, n: n.n, loose: true}, 1
}

// mostBare is the largest bare number that may be a time, a day or a number of people.
const mostBare = 99

// today is also the day of "anything else today?", which asks for no day.
const today = 1

// sum reads "$40", "40 pounds" and "$1,200". Only a sum that somebody sends or pays can be contradicted:
// what things cost is the SYSTEM's to say.
func (r *valueReader) sum(i int, n numeral) (value, int) {
	t := r.tokens[i]
	signed := t.start > 0 && r.text[t.start-1] == '$' || t.start > 1 && (r.text[t.start-2:t.start] == "£")
	v, size := value{slot: slot{kind: amount}, n: n.n*100 + n.hundredths, loose: true}, 1
	if r.joined(i, ',') && r.tokens[i+1].end-r.tokens[i+1].start >= 3 && n.n < 1000 {
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

// joined reports whether tokens i and i+1 are numbers with nothing but mark between them.
func (r *valueReader) joined(i int, mark byte) bool {
	if i+1 >= len(r.tokens) || !r.tokens[i+1].is(number) {
		return false
	}
	end := r.tokens[i].end
	return r.tokens[i+1].start == end+1 && r.text[end] == mark
}

// time reads "9:30", "9 am", "9:30 in the evening", "9 o'clock" and "at 9".
func (r *valueReader) time(i int, n numeral) (value, int) {
	half, size := n.half, 1
	oclock := r.kind(i+1) == wordOclock
	switch {
	case half != 0:
	case r.kind(i+1) == wordHalf:
		half, size = r.word(i+1).n, 2
	case r.lettersApart(i + 1):
		half, size = r.halfApart(i+1), 3
	case oclock:
		size = 2
	}
	if half == 0 {
		half = r.partOfDay(i + size)
	}
	if half == 0 && r.word(i-1).kind == wordPart { // "this evening 7"
		half = r.word(i - 1).n
	}
	if n.point && half != 0 { // "7.30 pm"
		n.minutes = n.hundredths
	}
	if n.ordinal || n.n > 24 || n.minutes > 59 || half == 0 && !oclock && n.minutes < 0 && !r.atHour(i, n) {
		return value{}, 0
	}
	return value{slot: slot{kind: clock}, n: clockOf(n.n, max(n.minutes, 0), half)}, size
}

// atHour reports whether a bare number is an hour: it stands behind "at" and counts nothing.
func (r *valueReader) atHour(i int, n numeral) bool {
	if n.n < 1 || n.n > 12 || n.point || i == 0 || r.word(i-1).kind != wordAt {
		return false
	}
	if i+1 == len(r.tokens) || r.tokens[i+1].is(opensClause) {
		return !r.joined(i, ',') && !r.joined(i, '/')
	}
	return r.tokens[i+1].is(stopword) && r.kind(i+1) != wordOf || r.kind(i+1) == wordWeekday || r.kind(i+1) == wordRelative
}

// lettersApart reports whether "a.m." or "p.m." stands at i, which is two words to the tokeniser.
func (r *valueReader) lettersApart(i int) bool { return r.halfApart(i) != 0 }

func (r *valueReader) halfApart(i int) uint8 {
	if i+1 >= len(r.tokens) || r.tokens[i+1].end-r.tokens[i].start > 4 || r.tokens[i].end-r.tokens[i].start != 1 ||
		r.text[r.tokens[i+1].start:r.tokens[i+1].end] != "m" && r.text[r.tokens[i+1].start:r.tokens[i+1].end] != "M" {
		return 0
	}
	switch r.text[r.tokens[i].start] {
	case 'a', 'A':
		return 1
	case 'p', 'P':
		return 2
	}
	return 0
}

// partOfDay reads "in the evening" or "at night" at i.
func (r *valueReader) partOfDay(i int) uint8 {
	for k := i; k < i+3; k++ {
		switch r.kind(k) {
		case wordPart:
			return r.word(k).n
		case wordUnit:
			if r.word(k).n == unitNights && k > i { // "at night"
				return 2
			}
			return 0
		case wordNone, wordThe, wordAt, wordUnder:
		default:
			return 0
		}
	}
	return 0
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

// fraction reads "half past nine" and "quarter to ten".
func (r *valueReader) fraction(i int, minutes int32) (value, int) {
	past, hour := r.word(i+1), r.word(i+2)
	n := int32(hour.n)
	if hour.kind == wordDigits {
		n = r.numeral(i + 2).n
	} else if hour.kind != wordNumber {
		return value{}, 0
	}
	if past.kind != wordPast && past.kind != wordInto || n < 1 || n > 12 {
		return value{}, 0
	}
	if past.kind == wordInto || past.n == 2 {
		minutes, n = 60-minutes, n+11
	}
	half := r.partOfDay(i + 3)
	if r.kind(i+3) == wordHalf {
		half = r.word(i + 3).n
	}
	return value{slot: slot{kind: clock}, n: clockOf(n%12, minutes, half)}, 3
}
