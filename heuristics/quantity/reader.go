package quantity

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/heuristics/text"
)

// Reader reads the values of one turn. Every turn is read once.
type Reader struct {
	*text.Turn
	Known *Words
}

// maxValues is the maximum number of values read in a turn; more are a list.
const maxValues = 32

// Append appends the values of the turn, which is turn i.
func (r *Reader) Append(list []Value, i int) []Value {
	start := len(list)
	for at := 0; at < len(r.Tokens) && len(list)-start < maxValues; {
		if t := &r.Tokens[at]; t.End-t.Start > 2 && r.word(at).Kind == WordNone {
			at++ // most words
			continue
		}
		v, size := r.read(at)
		if size > 0 && v.Slot.Kind != 0 {
			v.Passage = text.Passage{Turn: i, First: at, Last: at + size - 1}
			v.Loose = v.Loose || r.loose(at) || r.Negated(at)
			v.Bound = r.bound(&v)
			list = append(list, v)
		}
		at += max(size, 1)
	}
	return list
}

// bound returns the limit that the words around a number make of it. Of those before it, the last
// one counts, and a negation turns it round: "no more than".
func (r *Reader) bound(v *Value) limit {
	if !slices.Contains([]Kind{Amount, Percent, Duration, Clock}, v.Slot.Kind) {
		return Exactly
	}
	first, last := r.SentenceStart(v.First), r.SentenceEnd(v.Last)
	if first < v.First && r.Is(first, "no") && !r.IsPair(first+1) {
		first++ // an answer, and no limit
	}
	next, isClock := v.Last+1, v.Slot.Kind == Clock
	isJoined := next < last && r.Is(next, "or", "and", "at")
	switch {
	case isJoined && r.factWord(next+1).is("or-more"),
		next <= last && r.factWord(next).is("and-more"):
		return atLeast
	case isJoined && r.factWord(next+1).is("or-less"):
		return atMost
	}
	for i := v.First - 1; i >= max(first, v.First-4); i-- {
		w, than := r.factWord(i), r.Is(i+1, "than")
		isOver := w.is("over") && !(v.IsRange() && r.Is(i, "from")) || than && w.is("or-more") ||
			isClock && i >= v.First-2 && w.is("opens")
		isUnder := w.is("under") || than && w.is("or-less") || isClock && w.is("closes")
		switch isDenied := than && r.Negated(i) && !r.Is(i-1, "after"); {
		case isOver && !isDenied, isUnder && isDenied:
			return atLeast
		case isOver || isUnder:
			return atMost
		}
	}
	window := []string{"have", "has", "get", "got", "only", "inside"} // "you have 10 days to claim"
	if v.Slot.Kind == Duration && (r.Is(v.First-1, window...) ||
		!r.Is(v.First-1, "been") && r.Is(v.First-2, window...)) {
		return atMost
	}
	return Exactly
}

// factWord returns the entry of token i in lexicon/words-facts.txt, or the zero factWord.
func (r *Reader) factWord(i int) factWord {
	if i < 0 || i >= len(r.Tokens) {
		return factWord{}
	}
	return r.Known.facts[strings.ToLower(r.Turn.Word(i))]
}

// Within reports whether one of the tokens from first to last is of one of some kinds of factWord.
func (r *Reader) Within(first, last int, kinds ...string) bool {
	for i := max(first, 0); i <= min(last, len(r.Tokens)-1); i++ {
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
	isPart     bool // it ends with "p", "c" or "ct", for pence or cents
}

// whole reports whether n is a plain number, and not a time or a sum.
func (n *numeral) whole() bool {
	return !n.point && n.minutes < 0 && n.half == 0 && !n.isPart
}

const (
	maxNumber = 999_999 // larger numbers are codes, not values
	maxBare   = 99      // the largest bare number that may be a time, a day or a number of people
	today     = 1       // also the day in "anything else today?", which asks for no day
)

// word returns the function in a value of the token at i, or the zero Word.
func (r *Reader) word(i int) Word {
	if i < 0 || i >= len(r.Tokens) {
		return Word{}
	}
	t := &r.Tokens[i]
	if t.Is(text.Number) {
		return Word{Kind: "digits"}
	}
	return r.Known.ValueOf(*t)
}

// kind returns the kind of the token at i if it is in the same clause as the one before it.
func (r *Reader) kind(i int) string {
	if i < 0 || !r.GoesOn(i) {
		return WordNone
	}
	return r.word(i).Kind
}

// ends reports whether the clause ends before token i, or token i is a stop word.
func (r *Reader) ends(i int) bool { return !r.GoesOn(i) || r.Tokens[i].Is(text.Stopword) }

// loose reports whether a word just before token i marks a value there as a limit or a guess.
func (r *Reader) loose(i int) bool {
	return slices.ContainsFunc(r.JustBefore(i),
		func(tok text.Token) bool { return r.Known.ValueOf(tok).loose })
}

// valued returns a value of a kind.
func valued(kind Kind, n int32) Value { return Value{Slot: Slot{Kind: kind}, N: n, High: n} }

// read returns the value that begins at token i and its number of tokens, or 0. If the kind of the
// value is 0, the tokens are no value.
func (r *Reader) read(i int) (Value, int) {
	w := r.word(i)
	n := int32(w.N)
	switch w.Kind {
	case "digits", WordNumber, "ordinal", "spoken":
		return r.quantity(i)
	case "weekday":
		if n > 7 {
			return valued(habit, n-7), 1
		}
		return valued(Weekday, n), 1
	case "relative":
		v, before := valued(Relative, n), r.word(i-1).Kind
		v.Loose = n == today && before != "for" && before != "on"
		return v, 1
	case "month":
		if day := r.numeral(i + 1); r.kind(i+1) == "digits" && day.isDay() { // "March 3rd"
			return valued(Date, n*32+day.n), 2
		}
	case "noon":
		return valued(Clock, clockOf(0, 0, w.N)), 1
	case "fraction":
		if v, size := r.fraction(i, n); size > 0 {
			return v, size
		}
		if r.Is(i, "half") && r.Is(i+1, "a", "an") {
			return r.period(i+2, 50, 2)
		}
	case WordNone:
		if r.Tokens[i].End-r.Tokens[i].Start <= 2 && r.Is(i, "a", "an") {
			return r.period(i+1, 100, 1)
		}
	}
	return Value{}, 0
}

// quantity reads a value that begins with a number: a measure, a time, a date or a count.
func (r *Reader) quantity(i int) (Value, int) {
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
	if n.n < 0 || max(r.digitsAfterComma(i), r.digitsAfterComma(end)) > 2 { // too large to matter
		return Value{}, 0
	}
	for _, read := range [...]func(*Reader, int, numeral) (Value, int){
		(*Reader).times, (*Reader).dayFirst} {
		if v, size := read(r, i, n); size > 0 {
			return v, size
		}
	}
	if v, size := r.counted(i, end, n); size > 0 {
		return v, size
	}
	if n.point || n.minutes >= 0 || n.n > maxBare || r.word(i-1).Kind == "of" || // "instead of 2"
		r.word(i).Kind == "spoken" {
		return Value{}, end - i
	}
	v := valued(Bare, n.n)
	v.Loose = true
	return v, end - i
}

// measure reads an amount of money, a percentage or a period of time, or a range of one. Only a sum
// that somebody sends or pays can contradict the USER, because the SYSTEM decides what things cost.
func (r *Reader) measure(i int) (Value, int) {
	low, size := r.number(i)
	if size == 0 {
		return Value{}, 0
	}
	if again, n := r.number(i + size); again == low && n > 0 && r.isRepeated(i+size+n-1) {
		size += n
	}
	high, end := low, i+size // end is the token after the numbers
	_, signed := currencyOf(r.Turn, r.Tokens[i].Start, i)
	if to, n := r.rangeTo(i, end); n > 0 {
		last := end + n
		_, counts := r.counted(last-1, last, r.numeral(last-1))
		if signed == 0 || counts == 0 { // not in "$40 to 4 people"
			high, end = to, last
		}
	}
	v := Value{N: low, High: high, Loose: true}
	unit, hundredths := currencyOf(r.Turn, r.Tokens[i].Start, end-1)
	switch {
	case hundredths == 1 && low%100+high%100 > 0:
		return Value{}, end - i // "0.5 cents"
	case hundredths > 0 || high != low &&
		strings.HasSuffix(strings.TrimRight(r.Text[:r.Tokens[end-1].Start], " "), "£"):
		v.Slot = Slot{Amount, unit}
		for r.kind(end) == "money" {
			end++
		}
		if hundredths == 1 {
			v.N, v.High = low/100, high/100
		} else if more, n := r.hundredthsAt(end); n > 0 && low == high && low%100 == 0 {
			v.N, v.High, end = low+more, low+more, end+n
		}
		for back := i - 1; back >= i-4 && v.Loose; back-- {
			v.Loose = r.word(back).Kind != "pays"
		}
	case strings.HasPrefix(strings.TrimLeft(r.Text[r.Tokens[end-1].End:], " "), "%"):
		v.Slot.Kind = Percent
	case r.Is(end, "percent"):
		v.Slot.Kind, end = Percent, end+1
	case r.Is(end, "per") && r.Is(end+1, "cent"):
		v.Slot.Kind, end = Percent, end+2
	default:
		v, n := r.period(end, low, end-i)
		to, _ := r.period(end, high, 0)
		v.High = to.N
		return v, n
	}
	return v, end - i
}

// hundredthsAt reads "20" or "and 20 cents" at token i, after a whole amount such as "2 euros".
func (r *Reader) hundredthsAt(i int) (n int32, size int) {
	at := i
	if r.Is(at, "and") {
		at++
	}
	n, size = r.number(at)
	if size == 0 || !r.GoesOn(at) || n < 100 || n > 9900 || n%100 > 0 {
		return 0, 0
	}
	end := at + size
	isEnd := !r.GoesOn(end) || r.Is(end, perOne...)
	_, one := currencyOf(r.Turn, r.Tokens[at].Start, end-1)
	if one == 100 || one == 0 && (at > i || n < 1000 || !isEnd) {
		return 0, 0
	}
	if r.kind(end) == "money" {
		end++
	}
	return n / 100, end - i
}

// perOne are words after a price: "20p a bag".
var perOne = []string{"a", "an", "per", "each"}

// period reads a unit of time, such as "working days", at token i, after a number in hundredths
// that has a number of tokens.
func (r *Reader) period(i int, hundredths int32, size int) (Value, int) {
	if !r.GoesOn(i) && !r.isRepeated(i-1) {
		return Value{}, 0
	}
	unit := r.factWord(i)
	working := unit.is("working")
	if working || unit.is("calendar") {
		size++
		unit = r.factWord(i + 1)
	}
	if unit.minutes == 0 {
		return Value{}, 0
	}
	v := valued(Duration, int32(min(int64(hundredths)*unit.minutes/100, math.MaxInt32)))
	v.working = working
	return v, size + 1
}

// isRepeated reports whether token i ends a number in brackets, as in "30 (thirty) days".
func (r *Reader) isRepeated(i int) bool {
	const maxNumeral = 16 // bytes
	t := &r.Tokens[i]
	return strings.HasPrefix(r.Text[t.End:], ")") &&
		strings.Contains(r.Text[max(0, int(t.Start)-maxNumeral):t.Start], "(")
}

// rangeTo reads the second number of a range that began at token i and whose first number ends
// before token at: "to 5", "-5", or "and 5" after "between". It returns the tokens read.
func (r *Reader) rangeTo(i, at int) (hundredths int32, size int) {
	next := r.rangeEnd(i, at)
	if next < 0 && r.Is(at, "or") {
		next = at + 1
	}
	// a time, or the unit of the first number, may come next: "3 days to 5 days"
	unit := r.factWord(at).minutes > 0 && r.Is(at+1, "to", "and", "or")
	if unit {
		next = at + 2
	}
	hundredths, n := r.number(next)
	if n == 0 || r.SentenceStart(next) > i ||
		unit && r.factWord(next+n).minutes != r.factWord(at).minutes {
		return 0, 0
	}
	return hundredths, next + n - at
}

// rangeEnd returns the token that begins the second number of a range whose first one is from token
// i up to token at, or -1: "10 to 4", "10-4", "between 10 and 4".
func (r *Reader) rangeEnd(i, at int) int {
	switch {
	case at >= len(r.Tokens) || r.Tokens[at].Is(text.OpensSentence):
	case r.Is(at, "to", "until", "till", "til") || r.Is(at, "and") && r.Is(i-1, "between"):
		return at + 1
	case slices.Contains([]string{"-", "–", "—"},
		strings.Trim(r.Text[r.Tokens[at-1].End:r.Tokens[at].Start], " £$€")):
		return at
	}
	return -1
}

// number reads a number in digits or words that begins with token i, in hundredths.
func (r *Reader) number(i int) (hundredths int32, size int) {
	if r.word(i).Kind == "digits" {
		n := r.numeral(i)
		if n.n < 0 || n.ordinal || n.minutes >= 0 || n.half != 0 || r.digitsAfterComma(i) > 2 {
			return 0, 0
		}
		return r.hundredths(i, n)
	}
	var sum spokenNumber
	at := i
	for ; at < len(r.Tokens) && at-i < maxDigits; at++ {
		w := r.word(at)
		if (w.Kind == WordNumber || w.Kind == "spoken") && (at == i || r.GoesOn(at)) &&
			sum.follows(w.N, r.word(at+1).N) {
			sum.add(uint64(w.N))
		} else if !r.Is(at, "and") || sum.part < 100 {
			break
		}
	}
	if sum == (spokenNumber{}) || sum.total+sum.part > maxNumber {
		return 0, 0
	}
	if r.Is(at, "of") && r.Is(i, "couple") {
		at++
	}
	return int32(sum.total+sum.part) * 100, at - i
}

// thousand is the number of the word "thousand" in lexicon/words-values.txt.
const thousand = 101

// spokenNumber adds up the words of a number, such as "two hundred and six".
type spokenNumber struct{ total, part uint64 }

// follows reports whether n may follow the words so far in one number, with another word after it.
func (s *spokenNumber) follows(n, next uint8) bool {
	isFree := n >= 100 || s.part%100 == 0 || s.part%10 == 0 && n < 10 && s.part%100 > 10
	switch max(n, next) {
	case thousand:
		return isFree && s.total == 0
	case 100:
		return isFree && s.part < 100
	}
	return isFree
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
func (r *Reader) hundredths(i int, n numeral) (hundredths int32, size int) {
	if r.digitsAfterComma(i+1) == 2 && !n.point {
		if _, one := currencyOf(r.Turn, r.Tokens[i].Start, i+1); one > 0 {
			return n.n*100 + max(0, r.numeral(i+1).n), 2
		}
	}
	whole := n.n
	for size = 1; r.digitsAfterComma(i+size) > 2; size++ {
		n = r.numeral(i + size)
		if whole >= 1000 || n.n < 0 || n.n > 999 {
			return 0, 0
		}
		whole = whole*1000 + n.n
	}
	return whole*100 + n.hundredths, size
}

// digitsAfterComma returns the number of digits of token i if it and the number before it have only
// a comma between them, or 0. From three on, it is part of the same number.
func (r *Reader) digitsAfterComma(i int) int {
	if r.word(i-1).Kind != "digits" || r.word(i).Kind != "digits" ||
		r.Text[r.Tokens[i-1].End:r.Tokens[i].Start] != "," {
		return 0
	}
	word := r.Turn.Word(i)
	return len(word) - len(strings.TrimLeft(word, "0123456789"))
}

// times reads a time, or a range of times such as "10 am to 4 pm". The hours of a range without am
// or pm are those that make it shortest.
func (r *Reader) times(i int, n numeral) (Value, int) {
	v, size := r.time(i, n)
	next := r.rangeEnd(i, i+max(size, 1))
	if next < 0 || next >= len(r.Tokens) || size == 0 && !n.isHour() {
		return v, size
	}
	to, more := r.time(next, r.numeral(next))
	if more == 0 {
		return v, size
	}
	if size == 0 {
		v = valued(Clock, clockOf(n.n, 0, 0))
	}
	if end := r.numeral(next); max(n.n, end.n) > 12 { // "7:00 to 22:00" is by the 24-hour clock
		v.N, to.N = byDay(v.N, n.n), byDay(to.N, end.n)
	}
	return shortestRange(v.N, to.N), next + more - i
}

// OpeningHours returns the ranges of hours in a passage that have no am or pm: "open 8-6".
func (r *Reader) OpeningHours(p text.Passage) (list []Value) {
	for i := p.First; i < p.Last; i++ {
		at, next := i-1, r.rangeEnd(i, i+1)
		for r.Is(at, "from", "are", "is", "between") {
			at--
		}
		if next < 0 || next > p.Last || !r.Within(at, at, "opening") {
			continue
		}
		from, to := r.numeral(i), r.numeral(next)
		if _, isTime := r.time(next, to); isTime == 0 && from.isHour() && to.isHour() {
			begin, end := clockOf(from.n, 0, 0), clockOf(to.n, 0, 0)
			if max(from.n, to.n) > 12 {
				begin, end = byDay(begin, from.n), byDay(end, to.n)
			}
			v := shortestRange(begin, end)
			v.Passage = text.Passage{Turn: p.Turn, First: i, Last: next}
			list = append(list, v)
		}
	}
	return list
}

// byDay returns a time whose hour is one of 24, unless the half of its day is known.
func byDay(clock, hour int32) int32 {
	if clock/(2*halfDay) == 0 {
		clock += int32(1+hour/12%2) * 2 * halfDay
	}
	return clock
}

// isHour and isDay report whether n may be an hour of the day or a day of a month.
func (n *numeral) isHour() bool { return n.whole() && n.n >= 1 && n.n <= 24 }
func (n *numeral) isDay() bool  { return n.whole() && n.n >= 1 && n.n <= 31 }

// shortestRange returns the shortest range between two times that may be in either half of the day.
// It may last until the next day. Of two such ranges, it is the one by day.
func shortestRange(begin, end int32) Value {
	low, high := minutesOf(begin)[0], minutesOf(end)[0]
	for _, from := range minutesOf(begin) {
		for _, to := range minutesOf(end) {
			if minutesBetween(from, to) < minutesBetween(low, high) {
				low, high = from, to
			}
		}
	}
	v := valued(Clock, clockOf(low/60, low%60, 1))
	v.High = clockOf(high/60, high%60, 1)
	return v
}

// time reads "9:30", "9 am", "9 o'clock", "at 9", "until 9" and "midnight".
func (r *Reader) time(i int, n numeral) (Value, int) {
	if w := r.word(i); w.Kind == "noon" {
		return valued(Clock, clockOf(0, 0, w.N)), 1
	}
	half, size := n.half, 1
	if half == 0 && r.kind(i+1) == "oclock" {
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
		return Value{}, 0
	}
	return valued(Clock, clockOf(n.n, max(n.minutes, 0), half)), size
}

// atHour reports whether a bare number is an hour: it follows "at" and counts nothing.
func (r *Reader) atHour(i int, n numeral) bool {
	if n.n < 1 || n.n > 12 || n.point ||
		r.word(i-1).Kind != "at" && !r.Is(i-1, "until", "till", "til") {
		return false
	}
	next := r.kind(i + 1)
	return next == "weekday" || next == "relative" || r.ends(i+1) && next != "of"
}

// halfAt reads "pm" or "p.m.", which is two tokens, at i. It returns 1 for am and 2 for pm, and the
// number of tokens.
func (r *Reader) halfAt(i int) (half uint8, size int) {
	if r.kind(i) == "half" {
		return r.word(i).N, 1
	}
	if i+1 < len(r.Tokens) {
		dotted := strings.ToLower(r.Text[r.Tokens[i].Start:r.Tokens[i+1].End])
		if n := slices.Index([]string{"a.m", "p.m"}, dotted); n >= 0 {
			return uint8(n + 1), 2
		}
	}
	return 0, 0
}

// halfOfDay reads "in the evening" or "at night" after an hour at token i: 1 for am, 2 for pm, 0
// for neither. The night begins before midnight and ends after it.
func (r *Reader) halfOfDay(i int, hour int32) uint8 {
	switch {
	case r.Is(i, "in") && r.Is(i+2, "morning"):
		return 1
	case r.Is(i, "in") && r.Is(i+2, "evening", "afternoon"),
		hour > 5 && hour < 12 && (r.Is(i, "at") && r.Is(i+1, "night") || r.Is(i, "tonight")):
		return 2
	}
	return 0
}

// fraction reads "half past nine", "quarter to 10 pm" and "quarter to midnight".
func (r *Reader) fraction(i int, minutes int32) (Value, int) {
	past, hour, n := r.word(i+1).Kind, r.word(i+2), r.numeral(i+2).n
	half, size := r.halfAt(i + 3)
	if hour.Kind == "noon" {
		n, half = 12, hour.N
	}
	if past != "past" && past != "into" || n < 1 || n > 12 {
		return Value{}, 0
	}
	if past == "into" {
		if minutes, n = 60-minutes, n+11; n == 23 && half > 0 { // before noon or midnight
			half = 3 - half
		}
	}
	return valued(Clock, clockOf(n%12, minutes, half)), 3 + size
}

// numericDate reads "2026-05-03", "3/5/2026" and "03.05.2026".
func (r *Reader) numericDate(i int) (Value, int) {
	const longest = 11 // bytes of a date, and the next one
	from := int(r.Tokens[i].Start)
	s := r.Text[from:min(len(r.Text), from+longest)]
	if !r.Tokens[i].Is(text.Number) || !strings.ContainsAny(s, "/.-") {
		return Value{}, 0
	}
	m := Moment().FindStringSubmatch(s)
	if m == nil || m[1]+m[3] == "" {
		return Value{}, 0
	}
	var day, month int32
	digits(m[2]+m[3], &day)
	digits(m[1]+m[4], &month)
	isSlash := s[len(m[3])] == '/' // either number may be the month
	if isSlash && month > 12 {
		day, month = month, day
	}
	if day < 1 || day > 31 || month < 1 || month > 12 {
		return Value{}, 0
	}
	v := valued(Date, month*32+day)
	if isSlash && day <= 12 {
		v.High = day*32 + month
	}
	end := i + 1
	for end < len(r.Tokens) && int(r.Tokens[end].Start) < from+len(m[0]) {
		end++
	}
	return v, end - i
}

// dayFirst reads "3 March", "the 3rd of March" and "on the 3rd".
func (r *Reader) dayFirst(i int, n numeral) (Value, int) {
	switch {
	case !n.isDay():
	case r.kind(i+1) == "month":
		return valued(Date, int32(r.word(i+1).N)*32+n.n), 2
	case n.ordinal && r.kind(i+1) == "of" && r.kind(i+2) == "month":
		return valued(Date, int32(r.word(i+2).N)*32+n.n), 3
	case n.ordinal && r.dayOfMonth(i):
		return valued(Date, n.n), 1
	}
	return Value{}, 0
}

// dayOfMonth reports whether an ordinal is a day: digits that follow "on the", without a noun after
// them.
func (r *Reader) dayOfMonth(i int) bool {
	if r.kind(i) != "digits" || r.word(i-1).Kind != "the" {
		return false
	}
	w := r.word(i - 2)
	return r.ends(i+1) && (w.Kind == "on" || w.Kind == "for" || w.loose || w.Kind == "past")
}

// counted reads "4 people", "two economy tickets" and the number in "a table for 4", whose number n
// is in the tokens from i up to end.
func (r *Reader) counted(i, end int, n numeral) (Value, int) {
	if n.ordinal || !n.whole() || n.n > 999 {
		return Value{}, 0
	}
	counts := func(unit uint8, size int) (Value, int) {
		return Value{Slot: Slot{Count, unit}, N: n.n, High: n.n}, end - i + size
	}
	of := r.kind(i-1) == "for" || r.kind(i-1) == "of"
	switch next := r.kind(end); {
	case next == WordUnit:
		return counts(r.word(end).N, 1)
	case next == WordNone && r.Names(end) && r.kind(end+1) == WordUnit:
		return counts(r.word(end+1).N, 2)
	case next == "of" && r.GoesOn(end+1) && r.Is(end+1, "us"): // "five of us"
		return counts(unitPeople, 2)
	case of && r.kind(i) != WordNone && r.word(i-2).Kind == "party" &&
		(r.ends(end) || next != WordNone):
		return counts(unitPeople, 0)
	}
	return Value{}, 0
}

// numeral parses the number at token i.
func (r *Reader) numeral(i int) numeral {
	n := numeral{minutes: -1}
	if w := r.word(i); w.Kind != "digits" {
		if n.n, n.ordinal = int32(w.N), w.Kind == "ordinal"; w.Kind != WordNumber && !n.ordinal {
			n.n = -1
		}
		return n
	}
	text := digits(r.Turn.Word(i), &n.n)
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
	case "pm", "PM", "Pm":
		n.half = 2
	case "p": // or pence
		if n.n <= 12 && !r.Is(i+1, perOne...) {
			n.half = 2
		} else if n.isPart = true; n.n > maxBare {
			n.n = -1 // "1080p"
		}
	case "c", "ct":
		if n.isPart = text == "ct" || r.Is(i+1, perOne...); !n.isPart {
			n.n = -1 // "seat 20c"
		}
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

// IsPast reports whether a quantity in the sentence from first to last does not state a rule: it
// belongs to something that happened or to an appointment, or it is denied.
func (r *Reader) IsPast(q *Value, first, last int) bool {
	near := func(kind string) bool {
		for i := max(first, q.First-6); i < q.First; i++ {
			if r.Within(i, i, kind) && !(r.Is(i, "paid") && r.Is(i-1, "is", "are", "be", "get")) {
				return true // "refunds are paid within 5 days" is a rule
			}
		}
		return r.Within(q.Last+1, min(q.Last+1, last), kind)
	}
	switch {
	case near("past"), q.Slot.Kind != Amount && near("arranged"),
		r.Negated(q.First) && q.Bound == Exactly:
		return true
	case q.Slot.Kind == Duration: // "the past 5 days", "in 2 days' time"
		return r.Is(q.First-1, "last", "past") || r.Is(q.Last+1, "time")
	case q.Slot.Kind == Clock:
		return r.isDated(q, last)
	}
	return false
}

// IsDone reports whether a quantity in the sentence from first belongs to a deed, as in "we kept 50
// euros of it", or to a thing that is ready: "your car is ready from 10 am".
func (r *Reader) IsDone(q *Value, first int) bool {
	const before = 8 // words
	from := max(first, q.First-before)
	for i := from; i < q.First; i++ {
		if r.Is(i, "we", "i", "they") && r.Within(i+1, i+1, "deed") {
			return true
		}
	}
	return q.Slot.Kind == Clock && r.Within(from, q.First-1, "ready")
}

// isDated reports whether a day is next to a time, as in an appointment: "at 11 tomorrow". A
// weekday next to opening hours, or one such as "on Mondays", is a rule.
func (r *Reader) isDated(q *Value, last int) bool {
	first := max(q.First-2, r.SentenceStart(q.First))
	if r.kind(first) == "digits" {
		first-- // "May 3 at 11"
	}
	for i := first; i <= min(q.Last+2, last); i++ {
		switch kind := r.word(i).Kind; kind {
		case "relative", "weekday", "month":
			return kind != "weekday" || !q.IsRange() && r.word(i).N <= 7 &&
				!r.Within(r.SentenceStart(q.First), q.First-1, "opening")
		}
	}
	return false
}

// IsNear reports whether q is an approximation of f, up to a tenth away: "just under eight pounds"
// of £7.95.
func (r *Reader) IsNear(q, f *Value) bool {
	off := max(q.N-f.N, f.N-q.N)
	return off <= f.N/10 && (r.Within(q.First-1, q.First-1, "near") ||
		r.Is(q.First-2, "just", "bit") && r.Within(q.First-1, q.First-1, "over", "under"))
}

// AsRule returns v with the limit that it is if its sentence states a rule like f: "you can return
// it for 14 days", "14 days to return it", "we open at 10".
func (r *Reader) AsRule(v Value, f *Value) Value {
	from, to := max(r.SentenceStart(v.First), v.First-4), v.First-1
	switch {
	case v.Bound != Exactly || v.IsRange() || v.Slot != f.Slot:
	case f.Bound == atMost && v.Slot.Kind == Duration && (r.Is(v.Last+1, "to") && !r.Comes(&v) ||
		r.Is(to, "for") && !r.Within(from, to, "waiting")):
		v.Bound = atMost
	case v.Slot.Kind == Clock && r.Within(from, to, "open") && !r.Within(from, to, "being"):
		v.Bound = atLeast
	}
	return v
}

// Comes reports whether v is when something is, or how long it takes to come: "in 10 days".
func (r *Reader) Comes(v *Value) bool {
	return v.Slot.Kind != Duration || r.Is(v.First-1, "in") || r.Is(v.First-2, "in") ||
		r.Within(max(r.SentenceStart(v.First), v.First-5), v.First-1, "coming")
}

// IsSooner reports whether q is a shorter limit than f for what comes to the USER: "you get it in
// up to 10 days" of a fact of 14, or "within 2 days" alone. What the USER has to do within 10 days
// is another deadline.
func (r *Reader) IsSooner(q, f *Value) bool {
	isLimit := q.Slot.Kind == Duration && q.Bound == atMost && f.Bound == atMost &&
		q.High <= f.High && !r.Is(q.First-1, "for")
	first := r.SentenceStart(q.First)
	comes := q.First <= first+2 // "usually within"
	for i := q.First - 1; isLimit && i >= first; i-- {
		comes = comes || r.Is(i, "get", "receive", "see", "takes", "take", "arrives", "comes",
			"reaches", "back", "refund", "refunded")
		if !r.GoesOn(i) && i < q.First-2 {
			break
		}
		isLimit = (!r.Tokens[i].Is(text.Modal) || r.Is(i, "will")) &&
			!r.Is(i, "when", "have") && !(r.Is(i, "to") && !r.Is(i-1, "up"))
	}
	for i := q.Last + 1; i <= r.SentenceEnd(q.Last); i++ {
		isLimit = isLimit && !r.Is(i, "to")
	}
	return isLimit && comes
}
