package heuristics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// quantity is an amount, a percentage, a duration, a time or a day, in a fact or in a statement of
// the SYSTEM.
type quantity struct {
	first, last int // tokens
	unit        quantityUnit
	// the ends of a range, otherwise equal: hundredths of money or percent, minutes, minutes of
	// half a day (in a range: of the day), or the number of a value of another kind
	low, high int64
	working   bool // the minutes are of working days
	always    bool // "on Sundays", which is not the time of an appointment
	bound     limit
	half      int32  // of a clock time: 1 am, 2 pm, 0 unknown
	currency  string // of money: its sign
}

type quantityUnit uint8

const (
	noUnit quantityUnit = iota
	money
	percent
	duration
	timeOfDay
	dayOfWeek
	dayOfYear
	fromToday // 1 for today, 2 for tomorrow
)

// isAmount reports whether the value is an amount of money or a percentage.
func (q *quantity) isAmount() bool { return q.unit == money || q.unit == percent }

// limit says whether a value is exact or a limit.
type limit uint8

const (
	exactly limit = iota
	atLeast       // "over £40"
	atMost        // "up to £40"
)

// factWord is the entry of a word in lexicon/words-facts.txt.
type factWord struct {
	over, under, past, working bool
	minutes                    int64
}

// factLine parses a line of lexicon/words-facts.txt.
func (l *lexicon) factLine(line string) error {
	kind, words, _ := strings.Cut(line, " ")
	minutes, err := strconv.ParseInt(kind, 10, 64)
	if err != nil && !slices.Contains([]string{"over", "under", "past", "working"}, kind) {
		return fmt.Errorf("unknown kind %q; want over, under, past, working or minutes", kind)
	}
	for word := range strings.FieldsSeq(words) {
		w := l.factWords[word]
		w.over, w.under = w.over || kind == "over", w.under || kind == "under"
		w.past, w.working = w.past || kind == "past", w.working || kind == "working"
		w.minutes = max(w.minutes, minutes)
		l.factWords[word] = w
	}
	return nil
}

// quantityReader reads the quantities of one turn.
type quantityReader struct {
	valueReader
	lex *lexicon
}

// factWord returns the entry of token i in lexicon/words-facts.txt, or the zero factWord.
func (r *quantityReader) factWord(i int) factWord {
	if i < 0 || i >= len(r.tokens) {
		return factWord{}
	}
	return r.lex.factWords[strings.ToLower(r.turnText.word(i))]
}

// within reports whether the tokens from first to last contain one for which is is true.
func (r *quantityReader) within(first, last int, is func(factWord) bool) bool {
	for i := max(first, 0); i <= min(last, len(r.tokens)-1); i++ {
		if is(r.factWord(i)) {
			return true
		}
	}
	return false
}

// sentence returns the quantities in the sentence of tokens from first to last.
func (r *quantityReader) sentence(first, last int) (list []quantity) {
	for i := first; i <= last; {
		q, size := r.quantity(i, last)
		if size == 0 {
			i++
			continue
		}
		q.first, q.last = i, i+size-1
		if n := len(list); n > 0 && r.joins(&list[n-1], &q) { // "3 days to 5 days"
			list[n-1].extend(&q)
		} else {
			list = append(list, q)
		}
		i += size
	}
	window := []string{"have", "has", "get", "got", "only", "inside"} // "you have 10 days to claim"
	for i := range list {
		q := &list[i]
		over := func(w factWord) bool { return w.over }
		under := func(w factWord) bool { return w.under }
		switch from := max(first, q.first-4); {
		case r.within(from, q.first-1, over) || r.orMore(q.last+1, last):
			q.bound = atLeast
		case r.within(from, q.first-1, under) || r.is(q.last+1, "or") && r.is(q.last+2, "less"),
			q.unit == duration && (r.is(q.first-1, window...) || r.is(q.first-2, window...)):
			q.bound = atMost
		}
	}
	return list
}

// orMore reports whether token i begins a phrase that makes the value before it a lower limit: "or
// more", "and up", "plus", "minimum", "before we send it free".
func (r *quantityReader) orMore(i, last int) bool {
	return i <= last && (r.is(i, "or", "and") && r.is(i+1, "more", "over", "above", "up") ||
		r.is(i, "plus", "minimum", "upwards", "upward", "before", "mark"))
}

// joins reports whether q is the end of a range that p begins.
func (r *quantityReader) joins(p, q *quantity) bool {
	if p.unit != q.unit || p.low != p.high || q.low != q.high {
		return false
	}
	if p.unit == timeOfDay {
		return q.first == r.rangeEnd(p.first, p.last+1)
	}
	return p.low < q.low && q.first-p.last == 2 && r.is(p.last+1, "to", "and", "or")
}

// rangeEnd returns the token that begins the second time of a range, such as "10 am to 4 pm", whose
// first one is from token i up to token at, or -1.
func (r *quantityReader) rangeEnd(i, at int) int {
	to := at
	switch {
	case at >= len(r.tokens):
		return -1
	case r.is(at, "to", "until", "till", "til"), r.is(at, "and") && r.is(i-1, "between"):
		to++
	case !strings.ContainsAny(r.text[r.tokens[at-1].end:r.tokens[at].start], "-–—"):
		return -1
	}
	if to < len(r.tokens) {
		if q, size := r.moment(to); size > 0 && q.unit == timeOfDay {
			return to
		}
	}
	return -1
}

// extend makes p the range from p to q. The hours of a range of times without am or pm are those
// that make it shortest.
func (p *quantity) extend(q *quantity) {
	begins := p.times()
	p.last, p.high = q.last, q.high
	if p.unit != timeOfDay {
		return
	}
	p.low, p.high = 0, 2*halfDay
	for _, from := range begins {
		for _, to := range q.times() {
			if from < to && to-from < p.high-p.low {
				p.low, p.high = from, to
			}
		}
	}
	p.half = 0
}

// quantity reads the quantity that begins with token i, and returns its number of tokens, or 0.
func (r *quantityReader) quantity(i, last int) (q quantity, size int) {
	if q, size := r.moment(i); size > 0 {
		return q, size
	}
	low, n := r.number(i, last)
	alone := n == 0
	if alone {
		low, n = r.article(i)
	}
	if n == 0 {
		return q, 0
	}
	high, end := low, i+n // end is the token after the numbers
	if to, m := r.rangeTo(i, end, last); m > 0 && r.rangeEnd(i, end) < 0 {
		high, end = to, end+m
	}
	q = quantity{low: low, high: high}
	text, behind := r.text, r.text[r.tokens[end-1].end:]
	unit := r.factWord(end)
	q.working = unit.working
	if q.working {
		unit = r.factWord(end + 1)
	}
	switch {
	case end <= last && r.goesOn(end) && unit.minutes > 0:
		q.unit, q.low, q.high = duration, low*unit.minutes/100, high*unit.minutes/100
		if end++; q.working {
			end++
		}
	case alone:
		return quantity{}, 0
	case isMoney(r.turnText, r.tokens[i].start, end-1) || high != low &&
		strings.HasSuffix(strings.TrimRight(text[:r.tokens[end-1].start], " "), "£"):
		q.unit, q.currency = money, r.currency(i, end-1)
		if r.kind(end) == wordMoney {
			end++
		}
	case strings.HasPrefix(strings.TrimLeft(behind, " "), "%"):
		q.unit = percent
	case r.is(end, "percent"):
		q.unit, end = percent, end+1
	case r.is(end, "per") && r.is(end+1, "cent"):
		q.unit, end = percent, end+2
	case r.hour(i, end, low):
		q.unit, q.half = timeOfDay, r.halfOfDay(end)
		q.low = low / 100 % 12 * 60
		q.high = q.low
	default:
		return quantity{}, 0
	}
	return q, end - i
}

// currency returns the sign of the currency of an amount in the tokens from first to last.
func (r *quantityReader) currency(first, last int) string {
	before := strings.TrimRight(r.text[:r.tokens[first].start], " ")
	behind := strings.TrimLeft(r.text[r.tokens[last].end:], " ")
	for _, sign := range []string{"$", "€"} {
		if strings.HasSuffix(before, sign) || strings.HasPrefix(behind, sign) {
			return sign
		}
	}
	switch {
	case r.is(last+1, "dollar", "dollars", "usd", "buck", "bucks"):
		return "$"
	case r.is(last+1, "euro", "euros", "eur"):
		return "€"
	}
	return "£"
}

// moment reads a time of the day, a day of the week or a date.
func (r *quantityReader) moment(i int) (q quantity, size int) {
	v, size := r.read(i)
	if word, plural := strings.CutSuffix(strings.ToLower(r.turnText.word(i)), "s"); plural {
		if w := r.lex.valueOf(token{word: r.lex.vocabulary[word].number}); w.kind == wordWeekday {
			v, size, q.always = valued(weekday, int32(w.n)), 1, true
		}
	}
	if size == 0 {
		return q, 0
	}
	switch v.slot.kind {
	case clock:
		q.unit, q.low, q.half = timeOfDay, int64(v.n%halfDay), v.n/(2*halfDay)
		if q.half == 0 {
			q.half = r.halfOfDay(i + size)
		}
	case weekday:
		q.unit, q.low = dayOfWeek, int64(v.n)
	case date:
		q.unit, q.low = dayOfYear, int64(v.n)
	case relative:
		q.unit, q.low = fromToday, int64(v.n)
	default:
		return q, 0
	}
	q.high = q.low
	return q, size
}

// hour reports whether a number from token i up to token end is a time of the day: "until 8", or
// "8 in the evening".
func (r *quantityReader) hour(i, end int, hundredths int64) bool {
	return hundredths%100 == 0 && hundredths >= 100 && hundredths <= 1200 &&
		(r.halfOfDay(end) != 0 || r.rangeEnd(i, end) >= 0 ||
			r.is(i-1, "until", "till", "til", "at") && (end >= len(r.tokens) || r.ends(end)))
}

// halfOfDay reads "in the evening" or "at night" at token i: 1 for am, 2 for pm, 0 for neither.
func (r *quantityReader) halfOfDay(i int) int32 {
	if r.is(i, "o'clock") {
		i++
	}
	switch {
	case r.is(i, "in") && r.is(i+2, "morning"):
		return 1
	case r.is(i, "in") && r.is(i+2, "evening", "afternoon"), r.is(i, "at") && r.is(i+1, "night"),
		r.is(i, "tonight"):
		return 2
	}
	return 0
}

// article reads "a" or "half an" at token i, which are numbers only before a period of time: "a
// fortnight".
func (r *quantityReader) article(i int) (hundredths int64, size int) {
	switch {
	case r.is(i, "a", "an"):
		return 100, 1
	case r.is(i, "half") && r.is(i+1, "a", "an"):
		return 50, 2
	}
	return 0, 0
}

// rangeTo reads the second number of a range that began at token i and whose first number ends
// before token at: "to 5", "-5", or "and 5" after "between". It returns the tokens read.
func (r *quantityReader) rangeTo(i, at, last int) (hundredths int64, size int) {
	if at > last {
		return 0, 0
	}
	gap := strings.TrimSpace(r.text[r.tokens[at-1].end:r.tokens[at].start])
	gap = strings.Trim(gap, " £$€")
	if slices.Contains([]string{"-", "–", "—"}, gap) {
		return r.number(at, last)
	}
	if r.is(at, "to", "or") || r.is(at, "and") && r.is(i-1, "between") {
		if n, size := r.number(at+1, last); size > 0 {
			return n, size + 1
		}
	}
	return 0, 0
}

// number reads a number in digits or words that begins with token i, in hundredths.
func (r *quantityReader) number(i, last int) (hundredths int64, size int) {
	if i > last {
		return 0, 0
	}
	if r.tokens[i].is(number) {
		n := r.numeral(i)
		if n.n < 0 || n.ordinal || n.minutes >= 0 || n.half != 0 {
			return 0, 0
		}
		hundredths, size := r.valueReader.hundredths(i, n)
		return int64(hundredths), size
	}
	var sum spokenNumber
	at := i
	for ; at <= last && at-i < maxDigits; at++ {
		w := r.valueReader.word(at)
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
	if sum == (spokenNumber{}) {
		return 0, 0
	}
	if r.is(at, "of") && r.is(i, "couple") {
		at++
	}
	return int64(sum.total+sum.part) * 100, at - i
}

// isPast reports whether a quantity in the sentence from first to last does not state a rule: it
// belongs to something that happened or to an appointment, or it is denied.
func (r *quantityReader) isPast(q *quantity, first, last int) bool {
	past := func(w factWord) bool { return w.past }
	switch {
	case r.within(max(first, q.first-6), q.first-1, past),
		r.within(q.last+1, min(q.last+1, last), past),
		r.negated(q.first) && q.bound == exactly:
		return true
	case q.unit == duration: // "the past 5 days", "in 2 days' time"
		return r.is(q.first-1, "last", "past") || r.is(q.last+1, "time")
	case q.unit == timeOfDay:
		return r.isDated(q, last)
	}
	return false
}

// isDated reports whether a day follows a time, as in an appointment: "at 11 tomorrow".
func (r *quantityReader) isDated(q *quantity, last int) bool {
	for i := q.last + 1; i <= min(q.last+2, last); i++ {
		switch r.valueReader.word(i).kind {
		case wordRelative, wordWeekday, wordMonth:
			return true
		}
	}
	return false
}

// states reports whether the sentence of a hit contains a quantity for which is returns true and
// that does not belong to something that happened.
func states(s *analysis, h *hit, is func(*quantity) bool) bool {
	t := &s.turns[h.turn]
	p := passage{int(h.turn), int(h.first), int(h.last)}
	first := max(t.sentenceStart(p.first), p.first-maxAround)
	last := min(t.sentenceEnd(p.last), p.last+maxAround)
	r := reader(s.lex, t)
	for _, q := range r.sentence(first, last) {
		if is(&q) && !r.isPast(&q, first, last) {
			return true
		}
	}
	return false
}

// relation is how a statement relates to a fact.
type relation uint8

const (
	unrelated relation = iota
	agreeing
	contrary
)

// against compares the value q of a statement with the value f of a fact. Values of different units
// are unrelated.
func (q *quantity) against(f *quantity) relation {
	if q.unit != f.unit || q.currency != f.currency {
		return unrelated
	}
	low, high, from, to := q.low, q.high, f.low, f.high
	if f.unit == duration && q.working != f.working { // five working days are a week
		if q.working {
			low, high = low*7/5, high*7/5
		} else {
			to = to * 7 / 5
		}
	}
	is := func(fits bool) relation {
		if fits {
			return agreeing
		}
		return contrary
	}
	switch {
	case f.unit == timeOfDay:
		return is(q.isOpen(f))
	case f.unit == dayOfYear:
		return is(low%32 == from%32 && (low/32 == from/32 || low < 32 || from < 32))
	case from != to:
		return is(low >= from && high <= to)
	case near(high, to, f.unit) || low < to && to < high,
		f.unit == duration && f.bound == atMost && q.bound == exactly && high < to:
		return agreeing
	case f.unit == money && f.bound == atLeast && q.bound == exactly,
		f.unit == percent && f.bound == atLeast && q.bound == exactly && low > to,
		f.isAmount() && f.bound == atMost && q.bound != atMost && high < to:
		return unrelated // the amount of an order, or of one case
	}
	return contrary
}

// times returns the minutes of the day that a time may stand for.
func (q *quantity) times() []int64 {
	switch {
	case q.low != q.high:
		return []int64{q.low, q.high}
	case q.half == 0:
		return []int64{q.low, q.low + halfDay}
	}
	return []int64{q.low + int64(q.half-1)*halfDay}
}

// isOpen reports whether a stated time or range agrees with that of a fact. A range is from the
// hour at which something opens until the hour at which it closes.
func (q *quantity) isOpen(f *quantity) bool {
	switch {
	case q.low != q.high && f.low != f.high:
		return q.low == f.low && q.high == f.high
	case q.low != q.high:
		return f.isOpen(&quantity{low: q.low, high: q.high, bound: q.bound})
	}
	return slices.ContainsFunc(q.times(), func(at int64) bool {
		switch {
		case f.low == f.high:
			return slices.Contains(f.times(), at)
		case q.bound == atLeast:
			return at == f.low
		case q.bound == atMost:
			return at == f.high
		}
		return f.low <= at && at <= f.high
	})
}

// near reports whether two values are equal. Four weeks are a month.
func near(a, b int64, unit quantityUnit) bool {
	const month = 28 * 1440
	return a == b || unit == duration && min(a, b) >= month && 100*max(a-b, b-a) <= 8*max(a, b)
}
