package heuristics

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// grounds holds what some turns mention, as the basis for the SYSTEM's statements.
type grounds struct {
	numbers  map[uint64]bool // in hundredths
	recent   []uint64        // the last of them, unordered
	seen     int             // the number of numbers read
	isRated  bool            // a number is a percentage, or has more than two decimals
	counts   uint64          // a bit for each number below 64
	codes    map[string]bool
	dates    map[int32]bool // as in a value; also with month 0 for every day
	bareDays map[int32]bool // days without a month
	dated    int            // the number of dates with a month
	clocks   map[int32]bool // as in a value
	isZoned  bool           // a time has a time zone, so that the USER's may differ
}

// maxSums is the maximum number of numbers from which sums are formed.
const maxSums = 64

func newGrounds() *grounds {
	return &grounds{numbers: map[uint64]bool{}, codes: map[string]bool{}, dates: map[int32]bool{},
		bareDays: map[int32]bool{}, clocks: map[int32]bool{}}
}

// number adds a number in hundredths.
func (g *grounds) number(v uint64) {
	if whole := v / 100; v%100 == 0 && whole < 64 {
		g.counts |= 1 << whole
	}
	if g.numbers[v] {
		return
	}
	g.numbers[v] = true
	if len(g.recent) < maxSums {
		g.recent = append(g.recent, v)
	} else {
		g.recent[g.seen%maxSums] = v
	}
	g.seen++
}

// moment matches a date such as 2026-07-19 or 19/7/26, or a time with its zone and half of the day.
var moment = compiled(`^(?:\d{4}-(\d\d)-(\d\d)|(\d{1,2})[/.](\d{1,2})[/.](?:\d{4}|\d\d)\b|` +
	`(\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?([+-]\d\d:?\d\d)?)?(Z)?(?:\s?([AaPp])\.?[Mm])?)`)

// text adds the values in a text.
func (g *grounds) text(text string) {
	eachNumber(text, func(f float64, begin, end int) {
		v := uint64(math.Round(100 * f))
		g.number(v)
		g.isRated = g.isRated || math.Abs(100*f-float64(v)) > 1e-6 || isPercent(text, begin, end)
	})
	eachCode(text, func(code string) { g.codes[strings.ToUpper(code)] = true })
	eachMoment(text, func(m []string) {
		var n [7]int32
		for k := range n {
			v, _ := strconv.Atoi(m[k]) // at most two digits, but for the whole
			n[k] = int32(v)
		}
		switch {
		case m[1] != "":
			g.date(n[1], n[2])
		case m[3] != "": // either may be the month
			g.date(n[3], n[4])
			g.date(n[4], n[3])
		case n[5] <= 24 && n[6] < 60:
			half := uint8(min(1, len(m[9]))) * 2 // pm, or unknown
			if strings.EqualFold(m[9], "a") || m[9] == "" && strings.HasPrefix(m[5], "0") &&
				len(m[5]) == 2 {
				half = 1 // am; an hour such as "09" implies a 24-hour clock
			}
			g.clocks[clockOf(n[5], n[6], half)] = true
			g.isZoned = g.isZoned || m[7]+m[8] != ""
		}
	})
}

// eachMoment calls yield with the dates and times in a text. It looks only where a number of up to
// four digits and a mark begin, because long results have few of these.
func eachMoment(text string, yield func(m []string)) {
	const window, digits = 40, 4 // bytes of the longest match and of what follows it
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && isDigit(text[i]) {
			i++
		}
		if i == from || i == len(text) || i-from > digits || !isMark(text[i], "-/.:") ||
			from > 0 && text[from-1] < utf8.RuneSelf && (isLetter(text[from-1]) || isDigit(text[from-1])) &&
				!(text[from-1] == 'T' && text[i] == ':') {
			continue
		}
		if m := moment().FindStringSubmatch(text[from:min(len(text), from+window)]); m != nil {
			yield(m)
			i = from + len(m[0]) - 1
		}
	}
}

// date adds a day of a month, which is 0 if it is not stated.
func (g *grounds) date(month, day int32) {
	switch {
	case month > 12 || day < 1 || day > 31:
	case month == 0:
		g.bareDays[day] = true
	default:
		if !g.dates[month*32+day] {
			g.dated++
		}
		g.dates[month*32+day] = true
	}
	g.dates[day] = true
}

// values adds the dates and times of a turn, except those such as 9:30, which are read from its
// text.
func (g *grounds) values(t *turnText, list []value) {
	for _, v := range list {
		switch v.slot.kind {
		case date:
			g.date(v.n/32, v.n%32)
		case clock:
			if !strings.Contains(t.word(v.first), ":") {
				g.clocks[v.n] = true
			}
		}
	}
}

// holds reports whether a date or a time is mentioned, as far as an open month or half of the day
// allows.
func (g *grounds) holds(v *value) bool {
	const day = 2 * halfDay
	n, half, at := v.n, v.n/day, v.n%day
	switch {
	case v.slot.kind == date:
		return g.dates[n] || n >= 32 && g.bareDays[n%32]
	case half == 0:
		return g.clocks[at] || g.clocks[day+at] || g.clocks[2*day+at]
	}
	return g.clocks[n] || g.clocks[at]
}

// count returns how many dates with a month, or times, are mentioned.
func (g *grounds) count(kind valueKind) int {
	if kind == date {
		return g.dated
	}
	return len(g.clocks)
}

// eachNumber calls yield with the numbers of a text and their bounds. It yields "1,204" as one
// number and as two.
func eachNumber(text string, yield func(v float64, begin, end int)) {
	parse := func(s string, begin, end int) {
		if f, err := strconv.ParseFloat(s, 64); err == nil && f < 1e13 {
			yield(f, begin, end)
		}
	}
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			continue
		}
		from := i
		for i < len(text) && (isDigit(text[i]) || i > from && i+1 < len(text) &&
			isMark(text[i], ",.") && isDigit(text[i+1])) {
			i++
		}
		whole := text[from:i]
		for part := range strings.SplitSeq(whole, ",") {
			parse(part, from, i)
		}
		if n := strings.IndexByte(whole, ','); n >= 0 {
			parse(strings.ReplaceAll(whole, ",", ""), from, i)
			if strings.LastIndexByte(whole, ',') == n && len(whole)-n == 3 { // "95,50"
				parse(whole[:n]+"."+whole[n+1:], from, i)
			}
		}
	}
}

// isPercent reports whether the number at text[begin:end] is a percentage: a sign or word follows
// it, or the name of an argument precedes it.
func isPercent(text string, begin, end int) bool {
	const near = 24 // bytes
	after := strings.ToLower(strings.TrimLeft(text[end:min(len(text), end+near)], " "))
	before := strings.ToLower(text[max(0, begin-near):begin])
	begins := func(words string) bool { return strings.HasPrefix(after, words) }
	holds := func(words string) bool { return strings.Contains(before, words) }
	return begins("%") || begins("percent") || begins("per cent") ||
		holds("percent") || holds("pct") || holds(`rate"`)
}

// follows reports whether a number, in hundredths, may be computed from known ones: as a sum or
// difference of two, as a multiple or part of one by a number that is known or mentioned next to
// it, or in some way if a percentage or a rate is known.
func (g *grounds) follows(want uint64, said *grounds) bool {
	for i, a := range g.recent {
		for _, b := range g.recent[i:] {
			if a+b == want || max(a, b)-min(a, b) == want {
				return true
			}
		}
	}
	return g.isRated || said.isRated || g.isMultiple(want, g.counts|said.counts)
}

// isMultiple reports whether a number is a known one multiplied or divided by one of the counts, or
// by the 12 months of a year.
func (g *grounds) isMultiple(want, counts uint64) bool {
	const year, least = 12, 200 // hundredths that may be a price
	counts |= 1 << year
	if own := want / 100; want%100 == 0 && own < 64 {
		counts &^= 1 << own
	}
	for counts &^= 3; counts != 0; counts &= counts - 1 {
		k := uint64(bits.TrailingZeros64(counts))
		if want%k == 0 && want/k >= least && g.numbers[want/k] {
			return true
		}
		for _, b := range g.recent {
			if b >= least && b < want*k+k && want*k < b+k {
				return true
			}
		}
	}
	return false
}

// saidBy returns what a turn itself mentions, including numbers in words such as "three".
func (w *valueWords) saidBy(t *turnText) *grounds {
	g := newGrounds()
	g.text(t.text)
	for _, tok := range t.tokens {
		if of := w.valueOf(tok); of.kind == wordNumber && of.n < 64 {
			g.counts |= 1 << of.n
		}
	}
	return g
}
