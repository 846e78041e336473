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

// grounds is what some turns name, so that what the SYSTEM states can rest on it.
type grounds struct {
	numbers  map[uint64]bool // in hundredths
	recent   []uint64        // the last of them, in no order
	seen     int             // how many numbers were read
	percents [101]bool
	rates    []float64 // numbers with more than two decimals
	counts   uint64    // a bit for each number below 64
	codes    map[string]bool
	dates    map[int32]bool // as those of a value; month 0 for every day, too
	bareDays map[int32]bool // days without a month
	days     []int32        // the last dates with a month, in no order
	clocks   map[int32]bool // as those of a value
	isZoned  bool           // a time has a zone, so that it may be another one where the USER is
}

// Bounds on grounds: how many numbers sums are made of, and how many dates others are counted from.
const (
	maxSums  = 64
	maxDays  = 16
	maxRates = 16
)

func newGrounds() *grounds {
	return &grounds{numbers: map[uint64]bool{}, codes: map[string]bool{}, dates: map[int32]bool{},
		bareDays: map[int32]bool{}, clocks: map[int32]bool{}}
}

// hundredths is the value of a figure in hundredths.
func (f *figure) hundredths() uint64 {
	v := f.value
	for range max(0, int(f.decimals)-2) {
		v = (v + 5) / 10
	}
	for range max(0, 2-int(f.decimals)) {
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
	slashed  = regexp.MustCompile(`\b(\d{1,2})([/.])(\d{1,2})[/.](?:\d{4}|\d\d)\b`)
	clockDay = regexp.MustCompile(`(?:\b|T)(\d{1,2}):(\d\d)` +
		`(?::\d\d(?:\.\d+)?([+-]\d\d:?\d\d)?)?(Z)?(?:\s?([AaPp])\.?[Mm])?`)
)

// text adds what a text names.
func (g *grounds) text(text string) {
	eachNumber(text, func(f float64, begin, end int) {
		v := uint64(math.Round(100 * f))
		if g.number(v); math.Abs(100*f-float64(v)) > 1e-6 && f > 0 && len(g.rates) < maxRates {
			g.rates = append(g.rates, f)
		}
		if v%100 == 0 && v/100 <= 100 && isPercent(text, begin, end) {
			g.percents[v/100] = true
		}
	})
	eachCode(text, func(code string) { g.codes[strings.ToUpper(code)] = true })
	atoi := func(s string) int32 {
		n, _ := strconv.Atoi(s) // two digits at most
		return int32(n)
	}
	for _, m := range isoDate.FindAllStringSubmatch(text, -1) {
		g.date(atoi(m[1]), atoi(m[2]))
	}
	for _, m := range slashed.FindAllStringSubmatch(text, -1) {
		g.date(atoi(m[1]), atoi(m[3])) // nothing says which is the month
		g.date(atoi(m[3]), atoi(m[1]))
	}
	for _, m := range clockDay.FindAllStringSubmatch(text, -1) {
		if hour, minutes := atoi(m[1]), atoi(m[2]); hour <= 24 && minutes < 60 {
			g.clocks[clockOf(hour, minutes, halfOf(m[1], m[5]))] = true
			g.isZoned = g.isZoned || m[3]+m[4] != ""
		}
	}
}

// halfOf returns the half of the day of a time, 1 for am, 2 for pm and 0 for not known, by its hour
// and the first letter of what follows it; "09" is written where a day has 24 hours.
func halfOf(hour, mark string) uint8 {
	switch {
	case mark == "a" || mark == "A", mark == "" && hour[0] == '0' && len(hour) == 2:
		return 1
	case mark != "":
		return 2
	}
	return 0
}

// date adds a day of a month, 0 for a month that is not said.
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

// values adds the dates and times of a turn, but for those such as 9:30, which are in its text.
func (g *grounds) values(t *turnText, list []value) {
	for _, v := range list {
		switch v.slot.kind {
		case date:
			g.date(v.n/32, v.n%32)
		case clock:
			if !strings.Contains(t.word(int(v.first)), ":") {
				g.clocks[v.n] = true
			}
		}
	}
}

// holdsDate reports whether a date is named, as far as can be told.
func (g *grounds) holdsDate(n int32) bool { return g.dates[n] || n >= 32 && g.bareDays[n%32] }

// holdsClock reports whether a time is named, as far as can be told.
func (g *grounds) holdsClock(n int32) bool {
	half, at := n/(2*halfDay), n%(2*halfDay)
	for h := range int32(3) {
		if g.clocks[h*2*halfDay+at] && (h == half || h == 0 || half == 0) {
			return true
		}
	}
	return false
}

// eachNumber calls yield with the numbers of a text, and where they begin and end.
// "1,204" is yielded as one number, and as two.
func eachNumber(text string, yield func(v float64, begin, end int)) {
	parse := func(s string, begin, end int) {
		if f, err := strconv.ParseFloat(s, 64); err == nil && f < 1e13 {
			yield(f, begin, end)
		}
	}
	isMark := func(i int) bool {
		return (text[i] == ',' || text[i] == '.') && i+1 < len(text) && isDigit(text[i+1])
	}
	for i := 0; i < len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		from, commas, last := i, 0, -1
		for i < len(text) && (isDigit(text[i]) || isMark(i)) {
			if text[i] == ',' {
				if commas > 0 || i > from {
					parse(text[max(from, last+1):i], from, i)
				}
				commas, last = commas+1, i
			}
			i++
		}
		if commas > 0 {
			parse(text[last+1:i], last+1, i)
			parse(strings.ReplaceAll(text[from:i], ",", ""), from, i)
		}
		if whole := text[from:i]; commas == 0 {
			parse(whole, from, i)
		} else if commas == 1 && i-last == 3 { // "95,50"
			parse(strings.Replace(whole, ",", ".", 1), from, i)
		}
	}
}

// eachCode calls yield with each run of letters and digits in a text that has a digit.
func eachCode(text string, yield func(string)) {
	begin, hasDigit := -1, false
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (isPlainLetter(text[i]) || isDigit(text[i])) {
			if begin < 0 {
				begin = i
			}
			hasDigit = hasDigit || isDigit(text[i])
			continue
		}
		if hasDigit {
			yield(text[begin:i])
		}
		begin, hasDigit = -1, false
	}
}

// isPercent reports whether the number at text[begin:end] is a percentage: a sign or a word is
// behind it, or the name of an argument before it.
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
	turn, first, last int
	isGrounded        bool // a tool returned it; otherwise nobody named it
}

// readGrounds finds in each turn of the SYSTEM, outside its questions, the first statement that the
// result of a tool holds, and the first one that nothing holds.
func (s *analysis) readGrounds() {
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
			s.others = s.appendValues(s.others[:0], i)
			known.text(t.text)
			if known.values(t, s.others); isResult[t.n] {
				results.text(t.text)
				results.values(t, s.others)
			}
		case dialogue.System:
			s.stateFigures(i, results, known)
		}
	}
}

// stateFigures looks at what turn i states.
func (s *analysis) stateFigures(i int, results, known *grounds) {
	t := &s.turns[i]
	isFound := [2]bool{}
	state := func(first, last int32, isGrounded bool) {
		if k := map[bool]int{true: 1}[isGrounded]; !isFound[k] {
			isFound[k] = true
			s.statements = append(s.statements, statement{i, int(first), int(last), isGrounded})
		}
	}
	isAsked := func(k int32) bool { return t.isQuestion(t.sentenceEnd(int(k))) }
	said := newGrounds() // in this turn
	said.text(t.text)
	s.countWords(t, said)
	for _, f := range s.figuresOf(i) {
		want := f.hundredths()
		if f.digits < 3 && !f.money || isAsked(f.last) || s.isOther(t, &f) {
			continue
		}
		switch {
		case results.numbers[want]:
			state(f.first, f.last, true)
		case known.numbers[want], !f.money && f.digits < 4, len(results.numbers) == 0:
		case known.follows(want, said):
			known.number(want)
		default:
			state(f.first, f.last, false)
		}
	}
	end, isQuestion := -1, false // of the sentence at hand
	for k := range t.tokens {
		word := t.word(k)
		if !isReference(word) {
			continue
		}
		if k > end {
			end = t.sentenceEnd(k)
			isQuestion = t.isQuestion(end)
		}
		switch {
		case isQuestion:
		case results.codes[word]:
			state(int32(k), int32(k), true)
		case len(results.codes) > 0 && !known.codes[word]:
			state(int32(k), int32(k), false)
		}
	}
	for _, v := range s.valuesOf(i) {
		isDate := v.slot.kind == date
		if !isDate && v.slot.kind != clock || isAsked(v.last) {
			continue
		}
		switch {
		case isDate && results.holdsDate(v.n), !isDate && results.holdsClock(v.n):
			state(v.first, v.last, true)
		case v.loose:
		case isDate && len(results.dates) > 0 && !known.holdsDate(v.n) && !known.leadsTo(v.n, said),
			!isDate && len(results.clocks) > 0 && !known.isZoned && !known.holdsClock(v.n):
			state(v.first, v.last, false)
		}
	}
}

// countWords adds the numbers that a turn has in words, such as "three", to its counts.
func (s *analysis) countWords(t *turnText, g *grounds) {
	for _, tok := range t.tokens {
		if w := s.lex.valueOf(tok); w.kind == wordNumber && w.n < 64 {
			g.counts |= 1 << w.n
		}
	}
}

// isOther reports whether a figure is a percentage or part of a telephone number: a number of
// several parts, or one behind a word such as "call".
func (s *analysis) isOther(t *turnText, f *figure) bool {
	first, last := int(f.first), int(f.last)
	if isPercent(t.text, int(t.tokens[first].start), int(t.tokens[last].end)) {
		return true
	}
	if f.money {
		return false
	}
	if at := t.tokens[first].start; at > 0 && t.text[at-1] == '+' {
		return true
	}
	const fewest = 7 // digits
	digits := int(f.digits)
	adjoins := func(a, b int) bool { // both numbers, with nothing but a mark between
		if a < 0 || b == len(t.tokens) || !t.tokens[a].is(number) || !t.tokens[b].is(number) {
			return false
		}
		end, start := t.tokens[a].end, t.tokens[b].start
		return start-end <= 2 && strings.Trim(t.text[end:start], " -()") == ""
	}
	isParted := false
	for k := first; adjoins(k-1, k) && first-k < fewest; k-- {
		digits, isParted = digits+len(t.word(k-1)), true
	}
	for k := last; adjoins(k, k+1) && k-last < fewest; k++ {
		digits, isParted = digits+len(t.word(k+1)), true
	}
	if (isParted || first != last) && digits >= fewest {
		return true
	}
	for k := first - 1; k >= 0 && k >= first-6 && !t.tokens[k+1].is(opensSentence); k-- {
		if s.toolWord(t, k).is(phones) {
			return true
		}
	}
	return false
}

// isReference reports whether a word is a code such as BA2490: capitals with two digits or more,
// behind the first letter or among them. "100GB" is none.
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

// follows reports whether a number, in hundredths, follows from those that are known: as a sum or a
// difference of two, as a multiple or a part of one by a number that is known or said beside it, or
// by a percentage.
func (g *grounds) follows(want uint64, said *grounds) bool {
	for i, a := range g.recent {
		for _, b := range g.recent[i:] {
			if a+b == want || max(a, b)-min(a, b) == want {
				return true
			}
		}
	}
	const year, least = 12, 200 // parts of a year; hundredths that may be a price
	counts := g.counts | said.counts | 1<<year
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
	for _, rate := range g.rates {
		for _, list := range [...][]uint64{g.recent, said.recent} {
			for _, b := range list {
				if v := float64(b); b != want && (isNear(v*rate, want) || isNear(v/rate, want)) {
					return true
				}
			}
		}
	}
	for p := range uint64(101) {
		if p > 0 && (g.percents[p] || said.percents[p]) && g.isPart(want, p) {
			return true
		}
	}
	return false
}

// isNear reports whether a number is another one but for rounding.
func isNear(v float64, want uint64) bool {
	return math.Abs(v-float64(want)) <= max(1, float64(want)/2000)
}

// isPart reports whether a number is so many percent of a known one or of the sum of two, or these
// less or more by so many percent, to the hundredth.
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

// leadsTo reports whether a date is as many days from a known one as are said beside it.
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

// figuresIn is what the arguments and the result of a call name.
type figuresIn struct {
	asked, all *grounds // by the arguments, and by both
	amounts    int      // arguments that are one
	people     *grounds // and those that are a number of people or tickets, with their sum
	things     *grounds // and of things
}

// figuresOfCall returns what a call names, which is read once.
func (s *analysis) figuresOfCall(c *toolCall) *figuresIn {
	if c.figures != nil {
		return c.figures
	}
	f := &figuresIn{newGrounds(), newGrounds(), 0, newGrounds(), newGrounds()}
	sum := uint64(0)
	for _, m := range argument.FindAllStringSubmatch(c.Arguments, mostCodes) {
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
		s.others = s.appendValues(s.others[:0], n-1)
		if f.all.values(t, s.others); n == c.Call {
			f.asked.values(t, s.others)
		}
	}
	c.figures = f
	return f
}

// hasOtherFigure reports whether the sentence of a claim in turn i has figures, dates or times, and
// none of a sort is among the arguments or in the result of its call, which have others of that
// sort.
func (s *analysis) hasOtherFigure(c *toolCall, i int, k *claim) bool {
	named, t := s.figuresOfCall(c), &s.turns[i]
	from, to := s.around(i, k)
	inside := func(first, last int32) bool { return int(first) >= from && int(last) <= to }
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
	for _, f := range s.figuresOf(i) {
		isMoney = isMoney || f.money && inside(f.first, f.last)
	}
	for _, f := range s.figuresOf(i) {
		if named.amounts > 0 && inside(f.first, f.last) && f.money == isMoney && !f.code &&
			f.digits <= maxQuantity && (f.money || f.digits >= 3) && !s.isOther(t, &f) {
			h, all := f.hundredths(), named.all.numbers
			put(0, all[h] || all[h*100] || h%100 == 0 && all[h/100], false) // or in cents
		}
	}
	for _, v := range s.valuesOf(i) {
		if !inside(v.first, v.last) {
			continue
		}
		isPeople := v.slot.kind == count && s.toolWord(t, int(v.last)).is(ofPeople)
		switch {
		case isPeople && named.people.seen > 0:
			put(1, named.people.numbers[100*uint64(v.n)], v.loose)
		case v.slot.kind == date && len(named.asked.dates) > 0:
			put(2, named.all.holdsDate(v.n), v.loose)
		case v.slot.kind == clock && len(named.asked.clocks) > 0 && !named.all.isZoned:
			put(3, named.all.holdsClock(v.n), v.loose)
		}
	}
	if n := s.numberAfter(t, k); n > 1 && named.things.seen > 0 && !named.things.numbers[100*n] {
		return true
	}
	for sort := range other {
		if other[sort] > 0 && same[sort] == 0 {
			return true
		}
	}
	return false
}

// numberAfter returns the small number that follows a claim, as in "I have ordered you ten boxes";
// 0 for none.
func (s *analysis) numberAfter(t *turnText, k *claim) uint64 {
	n := k.last + 1
	if n < len(t.tokens) && strings.EqualFold(t.word(n), "you") {
		n++
	}
	if n >= len(t.tokens) || t.tokens[n].is(opensClause) {
		return 0
	}
	if w := s.lex.valueOf(t.tokens[n]); w.kind == wordNumber {
		return uint64(w.n)
	}
	v, err := strconv.ParseUint(t.word(n), 10, 8)
	if err != nil {
		return 0
	}
	return v
}

// findGrounded reports the statements of the SYSTEM that the result of a tool holds.
func findGrounded(s *analysis, det *detector) { s.statementsOf(det, true) }

// findUngrounded reports the statements of the SYSTEM that no turn of the USER, no call and no
// result holds, and that do not follow from these.
func findUngrounded(s *analysis, det *detector) { s.statementsOf(det, false) }

func (s *analysis) statementsOf(det *detector, isGrounded bool) {
	for _, x := range s.statements {
		if x.isGrounded == isGrounded {
			s.emit(det, x.turn, x.first, x.last)
		}
	}
}
