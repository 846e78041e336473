package heuristics

import (
	"math"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"time"

	"assize/rubric/dialogue"
)

// grounds holds what some turns mention, as the basis for the SYSTEM's statements.
type grounds struct {
	numbers  map[uint64]bool // in hundredths
	recent   []uint64        // the last of them, unordered
	seen     int             // the number of numbers read
	percents [101]bool
	rates    []float64 // numbers with more than two decimals
	counts   uint64    // a bit for each number below 64
	codes    map[string]bool
	dates    map[int32]bool // as in a value; also with month 0 for every day
	bareDays map[int32]bool // days without a month
	days     []int32        // the last dates with a month, unordered
	clocks   map[int32]bool // as in a value
	isZoned  bool           // a time has a time zone, so that the USER's may differ
}

// Limits on grounds: the numbers from which sums are formed, the dates from which others are
// counted, and the rates that are read.
const (
	maxSums  = 64
	maxDays  = 16
	maxRates = 16
)

func newGrounds() *grounds {
	return &grounds{numbers: map[uint64]bool{}, codes: map[string]bool{}, dates: map[int32]bool{},
		bareDays: map[int32]bool{}, clocks: map[int32]bool{}}
}

// hundredths returns the value of a figure in hundredths.
func (f *figure) hundredths() uint64 {
	v := f.value
	for range int(f.decimals) - 2 {
		v = (v + 5) / 10
	}
	for range 2 - int(f.decimals) {
		if v > math.MaxUint64/10 {
			return 0
		}
		v *= 10
	}
	return v
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

var (
	isoDate  = regexp.MustCompile(`\b\d{4}-(\d\d)-(\d\d)`)
	slashed  = regexp.MustCompile(`\b(\d{1,2})[/.](\d{1,2})[/.](?:\d{4}|\d\d)\b`)
	clockDay = regexp.MustCompile(`(?:\b|T)(\d{1,2}):(\d\d)` +
		`(?::\d\d(?:\.\d+)?([+-]\d\d:?\d\d)?)?(Z)?(?:\s?([AaPp])\.?[Mm])?`)
)

// text adds the values in a text.
func (g *grounds) text(text string) {
	eachNumber(text, func(f float64, begin, end int) {
		v := uint64(math.Round(100 * f))
		g.number(v)
		if math.Abs(100*f-float64(v)) > 1e-6 && f > 0 && len(g.rates) < maxRates {
			g.rates = append(g.rates, f)
		}
		if v%100 == 0 && v/100 <= 100 && isPercent(text, begin, end) {
			g.percents[v/100] = true
		}
	})
	eachCode(text, func(code string) { g.codes[strings.ToUpper(code)] = true })
	atoi := func(s string) int32 {
		n, _ := strconv.Atoi(s) // at most two digits
		return int32(n)
	}
	for _, m := range isoDate.FindAllStringSubmatch(text, -1) {
		g.date(atoi(m[1]), atoi(m[2]))
	}
	for _, m := range slashed.FindAllStringSubmatch(text, -1) {
		g.date(atoi(m[1]), atoi(m[2])) // either may be the month
		g.date(atoi(m[2]), atoi(m[1]))
	}
	for _, m := range clockDay.FindAllStringSubmatch(text, -1) {
		if hour, minutes := atoi(m[1]), atoi(m[2]); hour <= 24 && minutes < 60 {
			g.clocks[clockOf(hour, minutes, halfOf(m[1], m[5]))] = true
			g.isZoned = g.isZoned || m[3]+m[4] != ""
		}
	}
}

// halfOf returns the half of the day of a time from its hour and the first letter after it: 1 for
// am, 2 for pm and 0 if unknown. An hour such as "09" implies a 24-hour clock.
func halfOf(hour, mark string) uint8 {
	switch {
	case mark == "a" || mark == "A", mark == "" && hour[0] == '0' && len(hour) == 2:
		return 1
	case mark != "":
		return 2
	}
	return 0
}

// date adds a day of a month, which is 0 if it is not stated.
func (g *grounds) date(month, day int32) {
	switch {
	case month > 12 || day < 1 || day > 31:
	case month == 0:
		g.bareDays[day] = true
	default:
		if !g.dates[month*32+day] && len(g.days) < maxDays {
			g.days = append(g.days, month*32+day)
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

// holdsDate reports whether a date is mentioned, as far as an open month allows.
func (g *grounds) holdsDate(n int32) bool { return g.dates[n] || n >= 32 && g.bareDays[n%32] }

// holdsClock reports whether a time is mentioned, as far as an open half of the day allows.
func (g *grounds) holdsClock(n int32) bool {
	const day = 2 * halfDay
	half, at := n/day, n%day
	if half == 0 {
		return g.clocks[at] || g.clocks[day+at] || g.clocks[2*day+at]
	}
	return g.clocks[n] || g.clocks[at]
}

// eachNumber calls yield with the numbers of a text and their bounds. It yields "1,204" as one
// number and as two.
func eachNumber(text string, yield func(v float64, begin, end int)) {
	parse := func(s string, begin, end int) {
		if f, err := strconv.ParseFloat(s, 64); err == nil && f < 1e13 {
			yield(f, begin, end)
		}
	}
	goesOn := func(i int) bool {
		mark := i+1 < len(text) && isMark(text[i], ",.") && isDigit(text[i+1])
		return i < len(text) && (isDigit(text[i]) || mark)
	}
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			continue
		}
		from, part, commas := i, i, 0
		for ; goesOn(i); i++ {
			if text[i] == ',' {
				parse(text[part:i], from, i)
				commas, part = commas+1, i+1
			}
		}
		parse(text[part:i], part, i)
		whole := text[from:i]
		if commas > 0 {
			parse(strings.ReplaceAll(whole, ",", ""), from, i)
		}
		if commas == 1 && i-part == 2 { // "95,50"
			parse(strings.Replace(whole, ",", ".", 1), from, i)
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

// statement is a figure, a date or a time that the SYSTEM states.
type statement struct {
	passage
	isGrounded bool // a tool returned it; otherwise nobody mentioned it
}

// readGrounds finds in each turn of the SYSTEM, outside its questions, the first statement that
// occurs in the result of a tool, and the first one that occurs nowhere.
func readGrounds(s *analysis) {
	if s.statements = s.statements[:0]; len(s.tools) == 0 {
		return
	}
	results, known := newGrounds(), newGrounds()
	isResult := make(map[int]bool, len(s.tools)) // turns, by number
	for k := range s.tools {
		isResult[s.tools[k].Result] = true
	}
	for i := range s.turns {
		switch t := &s.turns[i]; t.role {
		case dialogue.User:
			known.text(t.text)
			known.values(t, s.valuesOf(i))
		case dialogue.Other:
			s.others = appendValues(s, s.others[:0], i)
			known.text(t.text)
			if known.values(t, s.others); isResult[t.n] {
				results.text(t.text)
				results.values(t, s.others)
			}
		case dialogue.System:
			f := stating{s, t, results, known, saidBy(s, t), [2]bool{}}
			f.figures(i)
			f.codes(i)
			f.times(i)
		}
	}
}

// saidBy returns what a turn itself mentions, including numbers in words such as "three".
func saidBy(s *analysis, t *turnText) *grounds {
	g := newGrounds()
	g.text(t.text)
	for _, tok := range t.tokens {
		if w := s.lex.valueOf(tok); w.kind == wordNumber && w.n < 64 {
			g.counts |= 1 << w.n
		}
	}
	return g
}

// stating collects the statements of a turn of the SYSTEM.
type stating struct {
	*analysis
	turn                 *turnText
	results, known, said *grounds // mentioned by tools, by anybody before, and by the turn itself
	isFound              [2]bool  // whether an ungrounded and a grounded statement were found
}

// state adds a statement if it is the first grounded or the first ungrounded one of a turn.
func (f *stating) state(p passage, isGrounded bool) {
	found := &f.isFound[0]
	if isGrounded {
		found = &f.isFound[1]
	}
	if !*found {
		*found = true
		f.statements = append(f.statements, statement{p, isGrounded})
	}
}

// figures reads the figures of turn i.
func (f *stating) figures(i int) {
	for _, x := range f.figuresOf(i) {
		want := x.hundredths()
		switch {
		case !x.tells() || f.isAsked(x.passage) || isOther(f.analysis, f.turn, &x):
		case f.results.numbers[want]:
			f.state(x.passage, true)
		case f.known.numbers[want], !x.money && x.digits < 4, len(f.results.numbers) == 0:
		case f.known.follows(want, f.said):
			f.known.number(want)
		default:
			f.state(x.passage, false)
		}
	}
}

// codes reads the codes of turn i.
func (f *stating) codes(i int) {
	for k, tok := range f.turn.tokens {
		word := f.turn.word(k)
		switch {
		case !tok.is(coded) || !isReference(word) || f.turn.inQuestion(k):
		case f.results.codes[word]:
			f.state(passage{i, k, k}, true)
		case len(f.results.codes) > 0 && !f.known.codes[word]:
			f.state(passage{i, k, k}, false)
		}
	}
}

// times reads the dates and times of turn i.
func (f *stating) times(i int) {
	for _, v := range f.valuesOf(i) {
		var isHeld, isNew bool
		switch results, known := f.results, f.known; v.slot.kind {
		case date:
			isHeld = results.holdsDate(v.n)
			isNew = len(results.dates) > 0 && !known.holdsDate(v.n) && !known.leadsTo(v.n, f.said)
		case clock:
			isHeld = results.holdsClock(v.n)
			isNew = len(results.clocks) > 0 && !known.isZoned && !known.holdsClock(v.n)
		}
		if (isHeld || isNew && !v.loose) && !f.isAsked(v.passage) {
			f.state(v.passage, isHeld)
		}
	}
}

// isOther reports whether a figure is a percentage or part of a telephone number: a number with
// several parts, or one after a word such as "call".
func isOther(s *analysis, t *turnText, f *figure) bool {
	begin, end := int(t.tokens[f.first].start), int(t.tokens[f.last].end)
	if isPercent(t.text, begin, end) {
		return true
	}
	if f.money || begin > 0 && t.text[begin-1] == '+' {
		return !f.money
	}
	const fewest = 7 // digits
	digits := int(f.digits)
	isParted := f.first != f.last
	for k := f.first; adjoins(t, k-1) && f.first-k < fewest; k-- {
		digits, isParted = digits+len(t.word(k-1)), true
	}
	for k := f.last; adjoins(t, k) && k-f.last < fewest; k++ {
		digits, isParted = digits+len(t.word(k+1)), true
	}
	if isParted && digits >= fewest {
		return true
	}
	for k := f.first - 1; k >= max(0, f.first-6) && !t.tokens[k+1].is(opensSentence); k-- {
		if toolWordAt(s, t, k).is(phones) {
			return true
		}
	}
	return false
}

// adjoins reports whether token k and the next one are numbers with only a mark between them.
func adjoins(t *turnText, k int) bool {
	if k < 0 || k+1 >= len(t.tokens) || !t.tokens[k].is(number) || !t.tokens[k+1].is(number) {
		return false
	}
	end, start := t.tokens[k].end, t.tokens[k+1].start
	return start-end <= 2 && strings.Trim(t.text[end:start], " -()") == ""
}

// isReference reports whether a word is a code such as BA2490: capitals with at least two digits
// after or among them. "100GB" is not a code.
func isReference(word string) bool {
	digits, changes := 0, 0
	for i := range len(word) {
		switch {
		case isDigit(word[i]):
			digits++
		case !isUpper(word[i]):
			return false
		}
		if i > 0 && isDigit(word[i]) != isDigit(word[i-1]) {
			changes++
		}
	}
	return len(word) >= 5 && digits >= 2 && (changes > 1 || changes == 1 && isUpper(word[0]))
}

// follows reports whether a number, in hundredths, can be computed from known ones: as a sum or
// difference of two, as a multiple or part of one by a number that is known or mentioned next to
// it, or by a percentage.
func (g *grounds) follows(want uint64, said *grounds) bool {
	for i, a := range g.recent {
		for _, b := range g.recent[i:] {
			if a+b == want || max(a, b)-min(a, b) == want {
				return true
			}
		}
	}
	if g.isMultiple(want, g.counts|said.counts) {
		return true
	}
	for _, rate := range g.rates {
		if isRated(want, rate, g.recent) || isRated(want, rate, said.recent) {
			return true
		}
	}
	for p := uint64(1); p <= 100; p++ {
		if (g.percents[p] || said.percents[p]) && g.isPart(want, p) {
			return true
		}
	}
	return false
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

// isRated reports whether a number equals another one in a list times a rate, up to rounding.
func isRated(want uint64, rate float64, list []uint64) bool {
	isNear := func(v float64) bool {
		return math.Abs(v-float64(want)) <= max(1, float64(want)/2000)
	}
	for _, b := range list {
		if v := float64(b); b != want && (isNear(v*rate) || isNear(v/rate)) {
			return true
		}
	}
	return false
}

// isPart reports whether a number is percent of a known one or of the sum of two, or is a known one
// or such a sum increased or decreased by percent. It compares hundredths.
func (g *grounds) isPart(want, percent uint64) bool {
	near := func(v uint64) bool { return v <= want*100+100 && want*100 <= v+100 }
	isOf := func(b uint64) bool {
		return near(b*percent) || near(b*(100-percent)) || near(b*(100+percent))
	}
	for i, a := range g.recent {
		if isOf(a) {
			return true
		}
		for _, b := range g.recent[i+1:] {
			if isOf(a + b) {
				return true
			}
		}
	}
	return false
}

// leadsTo reports whether the distance in days from a known date is a number that is mentioned with
// the date.
func (g *grounds) leadsTo(n int32, said *grounds) bool {
	day := func(n int32) time.Time {
		return time.Date(2023, time.Month(n/32), int(n%32), 0, 0, 0, 0, time.UTC)
	}
	for _, known := range g.days {
		apart := int(day(n).Sub(day(known)).Abs() / (24 * time.Hour))
		if n >= 32 && apart < 64 && apart != int(n%32) && said.counts>>apart&1 != 0 {
			return true
		}
	}
	return false
}

// argument matches a number among the arguments of a call, with its name.
var argument = regexp.MustCompile(`([A-Za-z_]+)["']?\s*[:=]\s*["']?[£$€]?\s*` +
	`(\d+(?:,\d{3})*(?:\.\d+)?)`)

// figuresIn holds what the arguments and the result of a call mention.
type figuresIn struct {
	asked, all     *grounds // in the arguments, and in both
	people, things *grounds // numbers of people or tickets, with their sum, and of things
	amounts        int      // the number of arguments that are amounts
}

// figuresOfCall returns what a call mentions. It is computed once.
func figuresOfCall(s *analysis, c *toolCall) *figuresIn {
	if c.figures != nil {
		return c.figures
	}
	f := &figuresIn{newGrounds(), newGrounds(), newGrounds(), newGrounds(), 0}
	sum := uint64(0)
	for _, m := range argument.FindAllStringSubmatch(c.Arguments, maxCodes) {
		var name toolWord
		eachWord(m[1], func(word string) { name.marks |= s.lex.toolWords[word].marks })
		if name.is(ofAmount) {
			f.amounts++
		}
		n, err := strconv.ParseUint(m[2], 10, 32)
		if err == nil && name.is(ofPeople) {
			f.people.number(100 * n)
			sum += n
		}
		if err == nil && name.is(ofThings) {
			f.things.number(100 * n)
		}
	}
	if sum > 0 {
		f.people.number(100 * sum)
	}
	f.asked.text(c.Arguments)
	f.all.text(c.Arguments)
	f.all.text(c.Answer)
	for _, n := range [...]int{c.Call, c.Result} {
		t := &s.turns[n-1]
		s.others = appendValues(s, s.others[:0], n-1)
		if f.all.values(t, s.others); n == c.Call {
			f.asked.values(t, s.others)
		}
	}
	c.figures = f
	return f
}

// hasOtherFigure reports whether the sentence of a claim contains figures, dates or times, but none
// of one type matches the arguments or result of the call, which contain others of that type.
func hasOtherFigure(s *analysis, c *toolCall, k *claim) bool {
	named, t, p := figuresOfCall(s, c), &s.turns[k.turn], scopeOf(s, k)
	var other, same [4]int // figures, numbers of people, dates, times
	put := func(sort int, isSame, isLoose bool) {
		switch {
		case isSame:
			same[sort]++
		case !isLoose:
			other[sort]++
		}
	}
	isMoney := false
	for _, f := range s.figuresOf(k.turn) {
		isMoney = isMoney || f.money && p.holds(f.passage)
	}
	for _, f := range s.figuresOf(k.turn) {
		if named.amounts > 0 && p.holds(f.passage) && f.money == isMoney && !f.code &&
			f.digits <= maxQuantity && f.tells() && !isOther(s, t, &f) {
			h, all := f.hundredths(), named.all.numbers
			put(0, all[h] || all[h*100] || h%100 == 0 && all[h/100], false) // or in cents
		}
	}
	for _, v := range s.valuesOf(k.turn) {
		isPeople := v.slot.kind == count && toolWordAt(s, t, v.last).is(ofPeople)
		switch {
		case !p.holds(v.passage):
		case isPeople && named.people.seen > 0:
			put(1, named.people.numbers[100*uint64(v.n)], v.loose)
		case v.slot.kind == date && len(named.asked.dates) > 0:
			put(2, named.all.holdsDate(v.n), v.loose)
		case v.slot.kind == clock && len(named.asked.clocks) > 0 && !named.all.isZoned:
			put(3, named.all.holdsClock(v.n), v.loose)
		}
	}
	for sort := range other {
		if other[sort] > 0 && same[sort] == 0 {
			return true
		}
	}
	n := numberAfter(s, t, k.last+1)
	return n > 1 && named.things.seen > 0 && !named.things.numbers[100*n]
}

// numberAfter returns the small number that follows a claim at token k, as in "I have ordered you
// ten boxes", or 0.
func numberAfter(s *analysis, t *turnText, k int) uint64 {
	if t.is(k, "you") {
		k++
	}
	if !t.goesOn(k) {
		return 0
	}
	if w := s.lex.valueOf(t.tokens[k]); w.kind == wordNumber {
		return uint64(w.n)
	}
	if v, err := strconv.ParseUint(t.word(k), 10, 8); err == nil {
		return v
	}
	return 0
}

// findStatements returns a function that reports the SYSTEM's grounded statements, or those that
// are neither grounded nor follow from known values.
func findStatements(isGrounded bool) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, x := range s.statements {
			if x.isGrounded == isGrounded {
				s.emit(det, x.turn, x.first, x.last)
			}
		}
	}
}
