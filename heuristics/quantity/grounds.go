package quantity

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assize/heuristics/text"
)

// Grounds holds what some turns mention, as the basis for the SYSTEM's statements.
type Grounds struct {
	Numbers  map[uint64]bool // in hundredths
	recent   []uint64        // the last of them, unordered
	seen     int             // the number of numbers read
	isRated  bool            // a number is a percentage, or has more than two decimals
	counts   uint64          // a bit for each number below 64
	Codes    map[string]bool
	dates    map[int32]bool // as in a value; also with month 0 for every day
	bareDays map[int32]bool // days without a month
	dated    int            // the number of dates with a month
	clocks   map[int32]bool // as in a value
	IsZoned  bool           // a time has a time zone, so that the USER's may differ
}

// maxSums is the maximum number of numbers from which sums are formed.
const maxSums = 64

// NewGrounds returns the basis of no turn.
func NewGrounds() *Grounds {
	return &Grounds{Numbers: map[uint64]bool{}, Codes: map[string]bool{}, dates: map[int32]bool{},
		bareDays: map[int32]bool{}, clocks: map[int32]bool{}}
}

// Number adds a number in hundredths.
func (g *Grounds) Number(v uint64) {
	if whole := v / 100; v%100 == 0 && whole < 64 {
		g.counts |= 1 << whole
	}
	if g.Numbers[v] {
		return
	}
	g.Numbers[v] = true
	if len(g.recent) < maxSums {
		g.recent = append(g.recent, v)
	} else {
		g.recent[g.seen%maxSums] = v
	}
	g.seen++
}

// Text adds the values in a text.
func (g *Grounds) Text(s string) {
	eachNumber(s, func(f float64, begin, end int) {
		v := uint64(math.Round(100 * f))
		g.Number(v)
		g.isRated = g.isRated || math.Abs(100*f-float64(v)) > 1e-6 || IsPercent(s, begin, end)
	})
	text.EachCode(s, "", func(code string) { g.Codes[strings.ToUpper(code)] = true })
	text.EachCode(s, "-", func(code string) { g.Codes[strings.ToUpper(code)] = true })
	eachMoment(s, func(m []string) {
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
			g.IsZoned = g.IsZoned || m[7]+m[8] != ""
		}
	})
}

// eachMoment calls yield with the dates and times in a text. It looks only where a number of up to
// four digits and a mark begin, because long results have few of these.
func eachMoment(s string, yield func(m []string)) {
	const window, digits = 40, 4 // bytes of the longest match and of what follows it
	for i := 0; i < len(s); i++ {
		from := i
		for i < len(s) && text.IsDigit(s[i]) {
			i++
		}
		if i == from || i == len(s) || i-from > digits || !text.IsMark(s[i], "-/.:") ||
			from > 0 && s[from-1] < utf8.RuneSelf && (text.IsLetter(s[from-1]) ||
				text.IsDigit(s[from-1])) && !(s[from-1] == 'T' && s[i] == ':') {
			continue
		}
		if m := Moment().FindStringSubmatch(s[from:min(len(s), from+window)]); m != nil {
			yield(m)
			i = from + len(m[0]) - 1
		}
	}
}

// date adds a day of a month, which is 0 if it is not stated.
func (g *Grounds) date(month, day int32) {
	switch {
	case month > 12 || day < 1 || day > 31:
		return
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

// Values adds the dates and times of a turn, except those such as 9:30, which are read from its
// text.
func (g *Grounds) Values(t *text.Turn, list []Value) {
	for _, v := range list {
		switch {
		case v.Slot.Kind == Date:
			g.date(v.N/32, v.N%32)
		case v.Slot.Kind == Clock && !strings.Contains(t.Word(v.First), ":"):
			g.clocks[v.N] = true
		}
	}
}

// Holds reports whether a date or a time is mentioned, as far as an open month or half of the day
// allows.
func (g *Grounds) Holds(v *Value) bool {
	const day = 2 * halfDay
	n, half, at := v.N, v.N/day, v.N%day
	switch {
	case v.Slot.Kind == Date:
		return g.dates[n] || n >= 32 && g.bareDays[n%32]
	case half == 0:
		return g.clocks[at] || g.clocks[day+at] || g.clocks[2*day+at]
	}
	return g.clocks[n] || g.clocks[at]
}

// Count returns how many dates with a month, or times, are mentioned.
func (g *Grounds) Count(kind Kind) int {
	if kind == Date {
		return g.dated
	}
	return len(g.clocks)
}

// eachNumber calls yield with the numbers of a text and their bounds. It yields "1,204" as one
// number and as two.
func eachNumber(source string, yield func(v float64, begin, end int)) {
	parse := func(s string, begin, end int) {
		if f, err := strconv.ParseFloat(s, 64); err == nil && f < 1e13 {
			yield(f, begin, end)
		}
	}
	for i := 0; i < len(source); i++ {
		if !text.IsDigit(source[i]) {
			continue
		}
		from := i
		for i < len(source) && (text.IsDigit(source[i]) || i > from && i+1 < len(source) &&
			text.IsMark(source[i], ",.") && text.IsDigit(source[i+1])) {
			i++
		}
		whole := source[from:i]
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

// IsPercent reports whether the number at text[begin:end] is a percentage: a sign or word follows
// it, or the name of an argument precedes it.
func IsPercent(text string, begin, end int) bool {
	const near = 24 // bytes
	after := strings.ToLower(strings.TrimLeft(text[end:min(len(text), end+near)], " "))
	before := strings.ToLower(text[max(0, begin-near):begin])
	begins := func(words string) bool { return strings.HasPrefix(after, words) }
	holds := func(words string) bool { return strings.Contains(before, words) }
	return begins("%") || begins("percent") || begins("per cent") ||
		holds("percent") || holds("pct") || holds(`rate"`)
}

// Follows reports whether a number, in hundredths, may be computed from known ones: as a sum or
// difference of two, as a multiple or part of one by a number that is known or mentioned next to
// it, or in some way if a percentage or a rate is known.
func (g *Grounds) Follows(want uint64, said *Grounds) bool {
	for i, a := range g.recent {
		for _, b := range g.recent[i:] {
			if a+b == want || max(a, b)-min(a, b) == want {
				return true
			}
		}
	}
	return g.isRated || said.isRated || g.isMultiple(want, g.counts|said.counts)
}

// Rounds reports whether a number, in hundredths, may be a known one rounded to its last digit that
// is not 0. If there are too many, it may be.
func (g *Grounds) Rounds(want uint64) bool {
	unit := uint64(1)
	for want > 0 && want%(10*unit) == 0 {
		unit *= 10
	}
	return g.seen > maxSums || slices.ContainsFunc(g.recent, func(v uint64) bool {
		return max(v, want)-min(v, want) < unit
	})
}

// isMultiple reports whether a number is a known one multiplied or divided by one of the counts, or
// by the 12 months of a year.
func (g *Grounds) isMultiple(want, counts uint64) bool {
	const year, least = 12, 200 // hundredths that may be a price
	counts |= 1 << year
	if own := want / 100; want%100 == 0 && own < 64 {
		counts &^= 1 << own
	}
	for counts &^= 3; counts != 0; counts &= counts - 1 {
		k := uint64(bits.TrailingZeros64(counts))
		if want%k == 0 && want/k >= least && g.Numbers[want/k] {
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

// SaidBy returns what a turn itself mentions, including numbers in words such as "three".
func (w *Words) SaidBy(t *text.Turn) *Grounds {
	g := NewGrounds()
	g.Text(t.Text)
	for _, tok := range t.Tokens {
		if of := w.ValueOf(tok); of.Kind == WordNumber && of.N < 64 {
			g.counts |= 1 << of.N
		}
	}
	return g
}

// Figure is a number as written in a turn: an amount, a reference or a quantity. Times, dates with
// slashes and years are not figures.
type Figure struct {
	text.Passage
	Money    bool  // it has a currency
	Code     bool  // it contains letters or hyphens
	Digits   uint8 // the number of digits
	Decimals uint8 // the number of digits after a point
	Value    uint64
	Word     string // as written, with the letters of a code before it
}

// Limits on figures: the number in a turn, and the number of digits in each.
const (
	maxFigures = 24
	maxDigits  = 15
)

// isPlainLetter reports whether c is a letter of a code, and not part of a pound or euro sign.
func isPlainLetter(c byte) bool { return c < utf8.RuneSelf && text.IsLetter(c) }

// AppendFigures appends the figures of turn i, at most maxFigures.
func AppendFigures(list []Figure, t *text.Turn, i int) []Figure {
	end := len(list) + maxFigures
	for k := 0; k < len(t.Tokens) && len(list) < end; {
		f, size := figureAt(t, k)
		if k += size; f.Digits > 0 {
			f.Turn = i
			list = append(list, f)
		}
	}
	return list
}

// figureAt reads the figure that begins with token k, and returns how many tokens it has.
// If no figure begins there, it has no digits, nor has one with more than maxDigits. "18,240" and
// "55-20713" are single figures.
func figureAt(t *text.Turn, k int) (f Figure, size int) {
	if !t.Tokens[k].Is(text.Number) {
		return Figure{}, 1
	}
	last := lastPart(t, k)
	end := t.Tokens[last].End
	from := t.Tokens[k].Start
	for from > 0 && (t.Text[from-1] == '-' || isPlainLetter(t.Text[from-1])) { // letters of a code
		from--
		f.Code = true
	}
	s := t.Text[from:end]
	if int(end) < len(t.Text) && t.Text[end] == '/' {
		return Figure{}, last - k + 1
	}
	if colon := strings.LastIndexByte(s, ':'); colon >= 0 {
		for last > k && t.Tokens[last].Start > from+uint32(colon) {
			last--
		}
		return Figure{}, last - k + 1
	}
	if from > 0 && t.Text[from-1] == '/' {
		return Figure{}, 1
	}
	if f.parse(s); f.Digits > maxDigits {
		return Figure{}, last - k + 1
	}
	_, hundredths := currencyOf(t, from, last)
	f.Money = hundredths == 100
	century := f.Value / 100 // of what may be a year
	if f.Digits < 2 || !f.Money && !f.Code && f.Digits == 4 && f.Decimals == 0 &&
		(century == 19 || century == 20) {
		return Figure{}, 1
	}
	f.First, f.Last, f.Word = k, last, s
	return f, last - k + 1
}

// lastPart returns the last token of the number that begins with token k, whose parts are separated
// only by a comma or a hyphen.
func lastPart(t *text.Turn, k int) int {
	for k+1 < len(t.Tokens) && t.Tokens[k+1].Is(text.Number) &&
		t.Tokens[k+1].Start == t.Tokens[k].End+1 && text.IsMark(t.Text[t.Tokens[k].End], ",-") {
		k++
	}
	return k
}

// parse parses the digits of a figure, at most one more than maxDigits.
func (f *Figure) parse(s string) {
	point := false
	for _, c := range []byte(s) {
		switch {
		case c == '.':
			point = true
		case c == ',' && f.Decimals == 3: // "1.200,50"
			f.Decimals = 0
		case text.IsDigit(c):
			f.Value = f.Value*10 + uint64(c-'0')
			f.Digits++
			if point {
				f.Decimals++
			}
		case isPlainLetter(c) || c == '-':
			f.Code = true
		}
		if f.Digits > maxDigits {
			return
		}
	}
}

// currencies are the signs and names of the currencies, and of their hundredths, which come first,
// because these may follow a sign: "$2 20 cents". Of two around a number, the first counts.
var currencies = [...]struct {
	unit  uint8
	part  bool // a hundredth
	sign  string
	names []string
}{
	{cents, true, "¢", []string{"cent", "cents", "ct", "cts"}},
	{pounds, true, "¢", []string{"pence", "penny", "pennies"}},
	{dollars, false, "$", []string{"dollar", "dollars", "usd", "bucks"}},
	{euros, false, "€", []string{"euro", "euros", "eur"}},
	{pounds, false, "£", []string{"pound", "pounds", "gbp", "quid"}},
}

// currencyOf returns the currency that precedes byte from or follows token last, or ends it, and
// how many hundredths one is, or 0 if there is none.
func currencyOf(t *text.Turn, from uint32, last int) (unit uint8, hundredths int32) {
	before := strings.TrimRight(t.Text[:from], " ")
	behind := strings.TrimLeft(t.Text[t.Tokens[last].End:], " ")
	letters := strings.TrimLeft(t.Word(last), "0123456789.:")
	for _, c := range &currencies {
		isNamed := t.Is(last+1, c.names...) || slices.Contains(c.names, letters) ||
			c.part && letters == [...]string{pounds: "p", cents: "c"}[c.unit] // not "20 C"
		switch isSigned := strings.HasSuffix(before, c.sign) || strings.HasPrefix(behind, c.sign); {
		case !isNamed && !isSigned:
		case c.part, isNamed && t.Is(last+2, "cent", "cents"): // "20 euro cents"
			return c.unit, 1
		default:
			return c.unit, 100
		}
	}
	return 0, 0
}

// IsSpecific reports whether a figure is specific enough to be compared: it has three digits or is
// an amount.
func (f *Figure) IsSpecific() bool { return f.Digits >= 3 || f.Money }

// Hundredths returns the value of a figure in hundredths.
func (f *Figure) Hundredths() uint64 {
	v := f.Value
	for range int(f.Decimals) - 2 {
		v = (v + 5) / 10
	}
	for range 2 - int(f.Decimals) {
		if v > math.MaxUint64/10 {
			return 0
		}
		v *= 10
	}
	return v
}
