package heuristics

import (
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// The figures in a claim are compared with those in the call that it is about.

// stamp matches the name of a member with the time at which something was recorded.
var stamp = compiled(`(?i)time|created|updated|issued|requested|ed_?(at|on)\b`)

// figuresOfCall returns what a call mentions. It is computed once.
func (s *Ledger) figuresOfCall(c *toolCall) *figuresIn {
	if c.figures != nil {
		return c.figures
	}
	f := &figuresIn{asked: newGrounds(), got: newGrounds()}
	eachMember(c.Arguments, func(name, value string) {
		if s.terms.marksOf(name).is(ofAmount) && hasDigit(value) {
			f.amounts++
		}
	})
	f.measures = append(s.terms.measuresIn(c.Arguments), s.terms.measuresIn(c.Answer)...)
	f.asked.text(c.Arguments)
	f.got.text(c.Answer)
	s.others = s.appendValues(s.others[:0], c.Call-1)
	f.asked.values(&s.turns[c.Call-1], s.others)
	if f.isStamped = stamp().MatchString(c.Answer); c.Result > 0 {
		s.others = s.appendValues(s.others[:0], c.Result-1)
		f.got.values(&s.turns[c.Result-1], s.others)
	}
	c.figures = f
	return f
}

// hasOtherFigure reports whether the sentence of a claim contains figures, dates or times, but none
// of one type matches the arguments or result of the call, which contain others of that type.
func (s *Ledger) hasOtherFigure(c *toolCall, k *claim) bool {
	if len(c.Answer) > maxFigured {
		return false
	}
	named, t, p := s.figuresOfCall(c), &s.turns[k.turn], k.scope
	var other, same [4]int // amounts, dates, times, measures
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
			f.digits <= maxQuantity && f.isSpecific() && !s.isOther(t, &f) {
			h, has := f.hundredths(), named.has
			put(0, has(h) || has(h*100) || h%100 == 0 && has(h/100), false) // or in cents
		}
	}
	for _, v := range s.valuesOf(k.turn) {
		isLoose := v.loose && !t.is(v.first-1, "until", "till") // the end of a term is exact
		if p.holds(v.passage) && v.isMoment() &&
			named.asked.count(v.slot.kind)+named.dated(v.slot.kind) > 0 &&
			!(v.slot.kind == clock && (named.asked.isZoned || named.got.isZoned)) {
			isSame := named.got.holds(&v)
			if named.dated(v.slot.kind) != 1 { // or the result has the last word
				isSame = isSame || named.asked.holds(&v)
			}
			put(1+int(v.slot.kind-date), isSame, isLoose)
		}
		if of := (slot{count, unitPeople}); p.holds(v.passage) && v.slot == of { // "a table for 6"
			people := measure{n: uint64(v.n), unit: anyPeople}
			for _, m := range named.measures {
				if by := people.relate(m); by != unrelated {
					put(3, by == agreeing, v.loose)
				}
			}
		}
	}
	for i := p.first; i <= p.last && len(named.measures) > 0; i++ {
		x := s.measureAt(t, i)
		isObject := i == k.last+1 || i > 0 && slices.Contains(c.nouns, t.tokens[i-1].stem)
		thing := measure{n: s.numberAfter(t, i), unit: anyThing}
		for _, m := range named.measures {
			switch of := x.relate(m); {
			case of == agreeing, isObject && thing.relate(m) == agreeing:
				same[3]++
			case of == contrary && x.n > 0:
				put(3, false, x.unit == m.unit && named.has(100*x.n))
			case isObject && thing.n > 1 && thing.relate(m) == contrary: // "ordered 36 rolls"
				put(3, false, false)
			}
		}
	}
	for sort := range other {
		if other[sort] > 0 && same[sort] == 0 {
			return true
		}
	}
	return s.isFree(c, t, p) || s.isReversed(c, t, p) || s.isRenamed(c, t, p) ||
		s.isMisnamed(c, t, p) || isMisaddressed(c, t, p) || s.isExchanged(c, k) ||
		s.isMisquoted(c, t, p)
}

// measure is a number of units, such as 3 weeks, 5 GB or 2 rolls.
type measure struct {
	n       uint64
	unit    uint32 // the stem of its name
	minutes uint64 // in a unit of time
	isUnit  bool   // the unit is one of time or in a list, and no kind of things
}

// The units of numbers of people and of things of any kind.
const (
	anyPeople = 1
	anyThing  = 2
)

// relate compares two measures. Only one of them can be true if they are another number of one
// unit, or one number of two units; 2 weeks and 14 days are the same.
func (x measure) relate(m measure) relation {
	isSame := x.unit == m.unit && x.n == m.n || x.minutes > 0 && x.n*x.minutes == m.n*m.minutes
	switch {
	case isSame:
		return agreeing
	case x.unit == m.unit,
		x.n == m.n && x.isUnit && m.isUnit && x.minutes > 0 == (m.minutes > 0):
		return contrary
	}
	return unrelated
}

// measureOf returns a number of a unit.
func (l *toolWords) measureOf(n uint64, unit string) measure {
	unit = strings.ToLower(unit)
	w := l.words[unit]
	m := measure{n: n, unit: stemOf(unit), minutes: l.units.minutesIn(unit)}
	m.isUnit = m.minutes > 0 || w.is(ofUnit)
	if w.is(ofPeople) {
		m.unit = anyPeople
	}
	return m
}

// measureAt returns the measure that begins at token k, which says how much it is and not when, or
// one of 0.
func (s *Ledger) measureAt(t *turnText, k int) measure {
	n := s.numberAfter(t, k)
	isWhen := t.is(k-1, "in", "within", "after", "every", "next", "first", "until", "till")
	if n == 0 || isWhen || !t.goesOn(k+1) {
		return measure{}
	}
	return s.terms.measureOf(n, t.word(k+1))
}

// measuresIn returns the measures among the arguments of a call or the members of a result:
// "20 GB", or numbers with a name that is a unit or in the plural, or with a unit after them.
// People are counted together as well.
func (l *toolWords) measuresIn(text string) (list []measure) {
	last, people := uint64(0), uint64(0)
	eachMember(text, func(name, value string) {
		rest := strings.TrimLeft(value, "0123456789")
		n, err := strconv.ParseUint(value[:len(value)-len(rest)], 10, 32)
		key := ""
		eachWord(name, func(word string) { key = word })
		isNumber := err == nil && rest == ""
		m := l.measureOf(n, key)
		switch {
		case err != nil:
			m = l.measureOf(last, value)
		case !isNumber:
			m = l.measureOf(n, strings.TrimSpace(rest))
		case l.marksOf(name).is(ofPeople):
			m.unit, people = anyPeople, people+n
		case l.marksOf(name).is(ofThings):
			m.unit = anyThing
		}
		isOf := m.isUnit || m.unit == anyPeople || m.unit == anyThing ||
			isNumber && strings.HasSuffix(key, "s")
		if m.n > 0 && isOf && len(list) < maxCodes {
			list = append(list, m)
		}
		if last = 0; isNumber {
			last = n
		}
	})
	if people > 0 {
		list = append(list, measure{n: people, unit: anyPeople})
	}
	return list
}

// eachMember calls yield with the names and values of the arguments of a call, or of the members of
// a result.
func eachMember(text string, yield func(name, value string)) {
	dialogue.EachArgument(text[:min(len(text), maxRecords)], yield)
}

// isFree reports whether a claim says that there is no fee, and the result of the call has one.
func (s *Ledger) isFree(c *toolCall, t *turnText, p passage) (is bool) {
	saysFree := false
	for n := p.first; n <= p.last; n++ {
		isFee := s.toolWordAt(t, min(n+1, p.last)).is(ofFee) ||
			s.toolWordAt(t, min(n+2, p.last)).is(ofFee)
		saysFree = saysFree || t.is(n, "no") && isFee ||
			t.is(n, "free") && (isFee || t.is(n-1, "for"))
	}
	eachMember(c.Answer, func(name, value string) {
		is = is || saysFree && s.terms.marksOf(name).is(ofFee) &&
			strings.ContainsAny(value, "123456789")
	})
	return is
}

// isMeasured reports whether token k of turn i is part of a value that names no object.
func (s *Ledger) isMeasured(i, k int) bool {
	p := passage{i, k, k}
	return slices.ContainsFunc(s.figuresOf(i), func(f figure) bool {
		return f.holds(p) && (f.money || f.decimals > 0)
	}) || slices.ContainsFunc(s.valuesOf(i), func(v value) bool {
		return v.holds(p) && v.slot.kind != bare
	})
}

// isReversed reports whether a claim has the opposite of a word in the call: "a window seat", or
// "off" where an argument says "enabled": true.
func (s *Ledger) isReversed(c *toolCall, t *turnText, p passage) (found bool) {
	call, said, given := &s.turns[c.Call-1], toolMarks(0), toolMarks(0)
	for n := p.first; n <= p.last; n++ {
		said |= s.toolWordAt(t, n).marks & (saysOn | saysOff)
	}
	eachMember(c.Arguments, func(name, value string) {
		of := s.terms.marksOf(name).marks & (saysOn | saysOff)
		switch {
		case of == 0:
		case isOneOf(value, "true", "on"):
			given = of
		case isOneOf(value, "false", "off"):
			given = of ^ (saysOn | saysOff)
		}
	})
	if said != 0 && given != 0 {
		return said&given == 0
	}
	for n := p.first; n <= p.last; n++ {
		for _, x := range s.lex.sidesOf(&t.tokens[n]) {
			isSame := false
			for k := range call.tokens[:min(len(call.tokens), maxNouns*2)] {
				for _, y := range s.lex.sidesOf(&call.tokens[k]) {
					isSame = isSame || x.pair == y.pair && x.second == y.second
					found = found || x.pair == y.pair && x.second != y.second
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
func (s *Ledger) agrees(c *toolCall, k *claim) bool {
	if len(c.Answer) > maxFigured {
		return false
	}
	named := s.figuresOfCall(c)
	return slices.ContainsFunc(s.figuresOf(k.turn), func(f figure) bool {
		h := f.hundredths()
		return f.isSpecific() && !f.money && named.got.numbers[h] && !named.asked.numbers[h]
	}) || slices.ContainsFunc(s.valuesOf(k.turn), func(v value) bool {
		return v.isMoment() && named.got.holds(&v) && !named.asked.holds(&v)
	})
}

// maxQuantity is the maximum number of digits of an amount or a quantity. A longer figure is a
// reference.
const maxQuantity = 7

// maxFigured is the maximum length in bytes of a result whose figures are compared.
const maxFigured = 1 << 16

// numberAfter returns the small number that follows a claim at token k, as in "I have ordered you
// ten boxes", or 0.
func (s *Ledger) numberAfter(t *turnText, k int) uint64 {
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
func (s *Ledger) isOther(t *turnText, f *figure) bool {
	begin, end := int(t.tokens[f.first].start), int(t.tokens[f.last].end)
	if isPercent(t.text, begin, end) {
		return true
	}
	for k := f.last + 1; k <= min(t.clauseEnd(f.last), f.last+claimWords); k++ {
		if s.toolWordAt(t, k).is(stays) {
			return true
		}
	}
	if f.money || begin > 0 && t.text[begin-1] == '+' {
		return !f.money
	}
	const fewest = 7 // digits
	digits, from, to := int(f.digits), f.first, f.last
	for ; digits < fewest && adjoins(t, from-1); from-- {
		digits += len(t.word(from - 1))
	}
	for ; digits < fewest && adjoins(t, to); to++ {
		digits += len(t.word(to + 1))
	}
	if from < to && digits >= fewest {
		return true
	}
	for k := f.first - 1; k >= max(0, f.first-6) && !t.tokens[k+1].is(opensSentence); k-- {
		if s.toolWordAt(t, k).is(phones) {
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
