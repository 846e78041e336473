package heuristics

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The figures in a claim are compared with those in the call that it is about.

// argument matches a number among the arguments of a call, with its name.
var argument = compiled(`([A-Za-z_]+)["']?\s*[:=]\s*["']?[£$€]?\s*` +
	`(\d+(?:,\d{3})*(?:\.\d+)?)`)

// stamp matches the name of a member with the time at which something was recorded.
var stamp = compiled(`(?i)time|created|updated|issued|requested|ed_?at\b`)

// compiled returns a function that compiles a regular expression when it is called first.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// figuresOfCall returns what a call mentions. It is computed once.
func figuresOfCall(s *analysis, c *toolCall) *figuresIn {
	if c.figures != nil {
		return c.figures
	}
	f := &figuresIn{newGrounds(), newGrounds(), newGrounds(), newGrounds(), 0}
	sum := uint64(0) // of people
	for _, m := range argument().FindAllStringSubmatch(c.Arguments, maxCodes) {
		name := s.lex.marksOf(m[1])
		if name.is(ofAmount) {
			f.amounts++
		}
		if n, err := strconv.ParseUint(m[2], 10, 32); err == nil && name.is(ofPeople|ofThings) {
			f.things.number(100 * n)
			if name.is(ofPeople) {
				sum += n
			}
		}
	}
	if sum > 0 {
		f.things.number(100 * sum)
	}
	if len(c.Answer) <= maxFigured && !stamp().MatchString(c.Answer) {
		f.got.text(c.Answer)
	}
	f.asked.text(c.Arguments)
	f.all.text(c.Arguments)
	f.all.text(c.Answer)
	for _, n := range [...]int{c.Call, c.proof()} { // there may be no result
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
	if len(c.Answer) > maxFigured {
		return false
	}
	named, t, p := figuresOfCall(s, c), &s.turns[k.turn], k.scope
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
			f.digits <= maxQuantity && f.isSpecific() && !isOther(s, t, &f) {
			h, all := f.hundredths(), named.all.numbers
			put(0, all[h] || all[h*100] || h%100 == 0 && all[h/100], false) // or in cents
		}
	}
	for _, v := range s.valuesOf(k.turn) {
		isPeople := v.slot.kind == count && toolWordAt(s, t, v.last).is(ofPeople)
		isLoose := v.loose && !t.is(v.first-1, "until", "till") // the end of a term is exact
		switch {
		case !p.holds(v.passage):
		case isPeople && named.things.seen > 0:
			put(1, named.things.numbers[100*uint64(v.n)], v.loose)
		case v.slot.kind == date && len(named.asked.dates)+len(named.got.days) > 0:
			isSame := named.all.holdsDate(v.n)
			if len(named.got.days) == 1 && v.n >= 32 { // the result has the last word
				isSame = named.got.days[0] == v.n
			}
			put(2, isSame, isLoose)
		case v.slot.kind == clock && len(named.asked.clocks)+len(named.got.clocks) > 0 &&
			!named.all.isZoned:
			isSame := named.all.holdsClock(v.n)
			if len(named.got.clocks) == 1 {
				isSame = named.got.holdsClock(v.n)
			}
			put(3, isSame, isLoose)
		}
	}
	for sort := range other {
		if other[sort] > 0 && same[sort] == 0 {
			return true
		}
	}
	if isFree(s, c, t, p) || isRenamed(s, c, t, p) || isReversed(s, &s.turns[c.Call-1], t, p) {
		return true
	}
	n := numberAfter(s, t, k.last+1)
	for i := p.first; n <= 1 && i < p.last; i++ { // "changed the order to 36 rolls"
		if slices.Contains(c.nouns, t.tokens[i+1].stem) {
			n = numberAfter(s, t, i)
		}
	}
	return n > 1 && named.things.seen > 0 && !named.things.numbers[100*n]
}

// isFree reports whether a claim says that there is no fee, and the result of the call has one.
func isFree(s *analysis, c *toolCall, t *turnText, p passage) bool {
	saysFree := false
	for n := p.first; n <= p.last; n++ {
		isFee := toolWordAt(s, t, min(n+1, p.last)).is(ofFee) ||
			toolWordAt(s, t, min(n+2, p.last)).is(ofFee)
		saysFree = saysFree || t.is(n, "no") && isFee ||
			t.is(n, "free") && (isFee || t.is(n-1, "for"))
	}
	return saysFree && slices.ContainsFunc(argument().FindAllStringSubmatch(c.Answer, maxCodes),
		func(m []string) bool {
			return s.lex.marksOf(m[1]).is(ofFee) && strings.Trim(m[2], "0.") != ""
		})
}

// marksOf returns the marks of the words in the name of an argument.
func (l *lexicon) marksOf(name string) (w toolWord) {
	eachWord(name, func(word string) { w.marks |= l.toolWords[word].marks })
	return w
}

// isRenamed reports whether a claim has a name next to the name of an argument, as in "the Zumba
// class", and the call has another one there.
func isRenamed(s *analysis, c *toolCall, t *turnText, p passage) bool {
	parts := strings.Split(c.Arguments[:min(len(c.Arguments), maxRecords)], `"`)
	for i := 1; i+2 < len(parts); i += 2 {
		value := parts[i+2]
		if strings.TrimSpace(parts[i+1]) != ":" || value == "" || !isUpper(value[0]) ||
			hasDigit(value) {
			continue
		}
		var key string
		eachWord(parts[i], func(word string) { key = word })
		isPerson := s.lex.toolWords[key].is(ofName)
		for n := p.first; n <= p.last; n++ {
			if t.tokens[n].stem != stemOf(key) && !(isPerson && t.is(n, "name")) {
				continue
			}
			found, isSame := false, false
			for o := max(p.first, n-2); o <= min(p.last, n+3); o++ {
				if t.tokens[o].isName() && !t.tokens[o].is(coded) && o != n {
					found = true
					isSame = isSame || strings.Contains(strings.ToLower(c.Arguments+c.Answer),
						strings.ToLower(t.word(o)))
				}
			}
			if found && !isSame {
				return true
			}
		}
	}
	return false
}

// isReversed reports whether a claim has the opposite of a word in the call: "a window seat".
func isReversed(s *analysis, call, t *turnText, p passage) (found bool) {
	for n := p.first; n <= p.last; n++ {
		for _, x := range s.lex.sidesOf(&t.tokens[n]) {
			isSame := false
			for k := range call.tokens[:min(len(call.tokens), maxNouns*2)] {
				for _, y := range s.lex.sidesOf(&call.tokens[k]) {
					if x.pair == y.pair {
						found = found || x.second != y.second
						isSame = isSame || x.second == y.second
					}
				}
			}
			if isSame {
				return false
			}
		}
	}
	return found
}

// agrees reports whether the turn of a claim has a date, a time or a number, other than an amount,
// that the result of the call added to its arguments.
func agrees(s *analysis, c *toolCall, k *claim) bool {
	if len(c.Answer) > maxFigured {
		return false
	}
	named := figuresOfCall(s, c)
	return slices.ContainsFunc(s.figuresOf(k.turn), func(f figure) bool {
		h := f.hundredths()
		return f.isSpecific() && !f.money && named.all.numbers[h] && !named.asked.numbers[h]
	}) || slices.ContainsFunc(s.valuesOf(k.turn), func(v value) bool {
		switch v.slot.kind {
		case date:
			return named.all.holdsDate(v.n) && !named.asked.holdsDate(v.n)
		case clock:
			return named.all.holdsClock(v.n) && !named.asked.holdsClock(v.n)
		}
		return false
	})
}

// maxFigured is the maximum length in bytes of a result whose figures are compared.
const maxFigured = 1 << 16

// numberAfter returns the small number that follows a claim at token k, as in "I have ordered you
// ten boxes", or 0.
func numberAfter(s *analysis, t *turnText, k int) uint64 {
	for t.is(k, "you", "out") {
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

// isOther reports whether a figure is a percentage, an amount that is said to stay as it is, or
// part of a number of a telephone or a card: one with several parts, or one after a word such as
// "call".
func isOther(s *analysis, t *turnText, f *figure) bool {
	begin, end := int(t.tokens[f.first].start), int(t.tokens[f.last].end)
	if isPercent(t.text, begin, end) {
		return true
	}
	for k := f.last + 1; k <= min(t.clauseEnd(f.last), f.last+claimWords); k++ {
		if toolWordAt(s, t, k).is(stays) {
			return true
		}
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
