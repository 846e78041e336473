package deeds

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// figuresOfCall returns what a call mentions. It is computed once.
func (s *Ledger) figuresOfCall(c *toolCall) *figuresIn {
	if c.figures != nil {
		return c.figures
	}
	f := &figuresIn{asked: quantity.NewGrounds(), got: quantity.NewGrounds()}
	dialogue.EachArgument(c.Arguments, func(name, value string) {
		if s.terms.marksOf(name).is(ofAmount) && text.HasDigit(value) {
			f.amounts++
		}
	})
	f.measures = append(s.terms.measuresIn(c.Arguments), s.terms.measuresIn(c.Answer)...)
	f.asked.Text(c.Arguments)
	f.got.Text(form("date").ReplaceAllString(c.Answer, " "))
	f.asked.Values(&s.Turns[c.Call-1], s.AppendValues(nil, c.Call-1))
	f.days = daysIn(c.Arguments)
	if f.isStamped = form("stamp").MatchString(c.Answer); c.Result > 0 {
		f.got.Values(&s.Turns[c.Result-1], s.AppendValues(nil, c.Result-1))
	}
	if !f.isStamped {
		f.days |= daysIn(c.Answer)
	}
	c.figures = f
	return f
}

// daysIn returns the weekdays of the dates in a text, as bits from 1 for Sunday.
func daysIn(s string) (days uint8) {
	for _, date := range form("date").FindAllString(s[:min(len(s), maxRecords)], maxCodes) {
		if day, err := time.Parse(time.DateOnly, date); err == nil {
			days |= 1 << day.Weekday()
		}
	}
	return days
}

// hasOtherFigure reports whether the sentence of a claim contains figures, dates or times, but none
// of one type matches the arguments or result of the call, which contain others of that type.
func (s *Ledger) hasOtherFigure(c *toolCall, k *claim) bool {
	if len(c.Answer) > maxFigured {
		return false
	}
	named, t, p := s.figuresOfCall(c), &s.Turns[k.Turn], k.scope
	var other, same [4]bool // amounts, dates, times, measures
	count := func(kind int, isSame, isLoose bool) {
		same[kind] = same[kind] || isSame
		other[kind] = other[kind] || !isSame && !isLoose
	}
	isMoney, isAmount := false, named.amounts > 0 || s.namesAmount(c, p) || c.reads && s.isPrice(c)
	for _, f := range s.FiguresOf(k.Turn) {
		isMoney = isMoney || f.Money && p.Holds(f.Passage)
	}
	_, paid := s.tally(k, c)
	for _, f := range s.FiguresOf(k.Turn) {
		if isAmount && p.Holds(f.Passage) && f.Money == isMoney && !f.Code &&
			f.Digits <= maxQuantity && f.IsSpecific() && !s.isOther(t, &f) {
			h, has := f.Hundredths(), named.has
			isSame := has(h) || has(h*100) || h%100 == 0 && has(h/100) // or in cents
			if isMoney && len(paid) > 0 {
				isSame = slices.Contains(paid, h) || slices.Contains(paid, h*100)
			}
			count(0, isSame && !s.hasOtherCurrency(c, t, &f), false)
		}
	}
	for _, v := range s.ValuesOf(k.Turn) {
		isLoose := v.Loose && !t.Is(v.First-1, "until", "till") // the end of a term is exact
		dated := named.got.Count(v.Slot.Kind)                   // dates or times in the result
		if named.isStamped {
			dated = 0
		}
		if p.Holds(v.Passage) && v.IsMoment() && named.asked.Count(v.Slot.Kind)+dated > 0 &&
			!(v.Slot.Kind == quantity.Clock && (named.asked.IsZoned || named.got.IsZoned)) {
			isSame := named.got.Holds(&v)
			if dated != 1 { // or the result has the last word
				isSame = isSame || named.asked.Holds(&v)
			}
			count(1+int(v.Slot.Kind-quantity.Date), isSame, isLoose)
		}
		isOfDate := func(o quantity.Value) bool { // "Friday 11 December" is the date
			return o.Slot.Kind == quantity.Date && max(o.First-v.Last, v.First-o.Last) <= 3
		}
		if p.Holds(v.Passage) && v.Slot.Kind == quantity.Weekday && named.days != 0 &&
			!slices.ContainsFunc(s.ValuesOf(k.Turn), isOfDate) {
			count(1, named.days&(1<<(v.N%7)) != 0, v.Loose)
		}
		if p.Holds(v.Passage) && v.Slot == quantity.OfPeople { // "a table for 6"
			people := measure{n: uint64(v.N), unit: anyPeople}
			for _, m := range named.measures {
				if by := people.relate(m); by != quantity.Unrelated {
					count(3, by == quantity.Agreeing, v.Loose)
				}
			}
		}
	}
	adds := s.terms.words["add"].verb | s.terms.words["extend"].verb
	for i := p.First; i <= p.Last && len(named.measures) > 0; i++ {
		x := s.measureAt(t, i)
		isObject := i == k.Last+1 || i > 0 && slices.Contains(c.nouns, t.Tokens[i-1].Stem)
		thing := measure{n: s.numberAfter(t, i), unit: anyThing}
		isStep := thing.n > 0 && (t.Is(i-1, "by", "another", "extra") ||
			t.Is(i+1, "more", "extra") || i == k.Last+1 && k.deeds&adds != 0)
		for _, m := range named.measures {
			switch of := x.relate(m); {
			case of == quantity.Agreeing, isObject && thing.relate(m) == quantity.Agreeing:
				same[3] = true
			case isStep && m.n > thing.n && c.deeds&adds == 0:
				if by := s.grown(c, thing.n, m); by != quantity.Unrelated {
					count(3, by == quantity.Agreeing, false)
				}
			case of == quantity.Contrary && x.n > 0:
				count(3, false, x.unit == m.unit && named.has(100*x.n))
			case isObject && thing.n > 1 && thing.relate(m) == quantity.Contrary:
				count(3, false, named.has(100*thing.n)) // "ordered 36 rolls"
			}
		}
	}
	for kind := range other {
		if other[kind] && !same[kind] {
			return true
		}
	}
	clause := text.Passage{Turn: p.Turn, First: p.First, Last: min(p.Last, t.ClauseEnd(k.Last))}
	return s.isReversed(c, p) || s.isRenamed(c, k) || s.hasOtherMember(c, t, p) ||
		s.isMisquoted(c, p, text.CodesAlike) || s.isMisstated(c, clause, true)
}

// grown compares how much a claim says that something has grown or shrunk, as in "four more seats",
// with the difference between a number of the call and the same one in an earlier result.
func (s *Ledger) grown(c *toolCall, by uint64, to measure) (rel quantity.Relation) {
	for n := len(s.calls) - 1; n >= 0; n-- {
		if o := &s.calls[n]; o.Result > 0 && o.Result < c.Call && c.Call-o.Call < maxMeant {
			for _, from := range s.figuresOfCall(o).measures {
				if from.unit == to.unit && max(from.n, to.n)-min(from.n, to.n) == by {
					return quantity.Agreeing
				} else if from.unit == to.unit {
					rel = quantity.Contrary
				}
			}
		}
	}
	return rel
}

// hasOtherCurrency reports whether the amounts of a call are in a currency, and none in that of a
// figure.
func (s *Ledger) hasOtherCurrency(c *toolCall, t *text.Turn, f *quantity.Figure) bool {
	const width = len("US$")
	begin, end := int(t.Tokens[f.First].Start), int(t.Tokens[min(f.Last+1, len(t.Tokens)-1)].End)
	own := s.terms.currencyOf(t.Text[max(0, begin-width):end])
	isOther, isSame := false, own.list == 0
	dialogue.EachArgument(c.Arguments+"\n"+c.Answer, func(name, value string) {
		isAmount := s.terms.marksOf(name).is(ofAmount) || !text.HasDigit(value)
		for _, in := range []string{name, value} {
			if of := s.terms.currencyOf(in); of.list != 0 && isAmount && len(value) <= maxAmount {
				isSame, isOther = isSame || of == own, true
			}
		}
	})
	return isOther && !isSame
}

// maxAmount is the length of an amount with its currency.
const maxAmount = 20

// currencyOf returns the first currency that a text has as a word or a sign, or one of list 0.
func (l *Words) currencyOf(s string) (of variant) {
	noWord := func(r rune) bool { return r < utf8.RuneSelf && !text.IsLetter(byte(r)) && r != '$' }
	for word := range strings.FieldsFuncSeq(strings.ToLower(s), noWord) {
		if v := l.variants[word]; of.list == 0 && v.list == l.variants["eur"].list {
			of = v
		}
	}
	return of
}

// tally returns the last number that a result has for the deed of a claim, as in {"extended": 2},
// or -1, and the amounts that it has, as in {"refunded_amount": 4.5}, all in hundredths. A whole
// number that was "refunded" may count things, and 1 may be a yes.
func (s *Ledger) tally(k *claim, c *toolCall) (sum int, paid []uint64) {
	sum = -1
	dialogue.EachArgument(c.Answer, func(name, value string) {
		last, isDone := toolWord{}, false
		text.EachWord(name, func(word string) {
			last = s.terms.toolWordOf(word)
			isDone = isDone || last.said&k.deeds != 0 || dialogue.IsSuccess(word)
		})
		isOf := last.is(ofAmount|ofThings) || last.said != 0
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || !isDone || !isOf || !(math.Abs(n) <= 1e15) { // or NaN
			return
		}
		sum = int(math.Round(100 * n))
		if sum > 100 && last.is(ofAmount) && (last.said == 0 || strings.Contains(value, ".")) {
			paid = append(paid, uint64(sum))
		}
	})
	return sum, paid
}

// namesAmount reports whether words of the SYSTEM have a part of the name of a number among the
// arguments of a call: "cash" of cashPerDay.
func (s *Ledger) namesAmount(c *toolCall, p text.Passage) (is bool) {
	said := s.stemsIn(p)
	dialogue.EachArgument(c.Arguments, func(name, value string) {
		words, isSaid := 0, false
		text.EachWord(name, func(word string) {
			words, isSaid = words+1, isSaid || said[stemOf(word)] && !dialogue.IsReference(word)
		})
		is = is || words > 1 && isSaid && len(value) > 1 && len(value) <= maxQuantity &&
			strings.Trim(value, "0123456789.") == ""
	})
	return is
}

// stemsIn returns the stems of words of the SYSTEM.
func (s *Ledger) stemsIn(p text.Passage) map[uint32]bool {
	all := map[uint32]bool{}
	for _, tok := range s.WordsOf(p) {
		all[tok.Stem] = true
	}
	return all
}

// relate compares two measures. Only one of them can be true if they are another number of one
// unit, or one number of two units; 2 weeks and 14 days are the same.
func (x measure) relate(m measure) quantity.Relation {
	isSame := x.unit == m.unit && x.n == m.n || x.minutes > 0 && x.n*x.minutes == m.n*m.minutes
	switch {
	case isSame:
		return quantity.Agreeing
	case x.unit == m.unit,
		x.n == m.n && x.isUnit && m.isUnit && x.minutes > 0 == (m.minutes > 0):
		return quantity.Contrary
	}
	return quantity.Unrelated
}

// measureOf returns a number of a unit.
func (l *Words) measureOf(n uint64, unit string) measure {
	if unit = strings.ToLower(unit); unit == "%" {
		unit = "percent"
	}
	m := measure{n: n, unit: stemOf(unit), minutes: l.units.MinutesIn(unit)}
	m.isUnit = m.minutes > 0 || l.words[unit].is(ofUnit)
	return m
}

// measureAt returns the measure that begins at token k, which says how much it is and not when, or
// one of 0.
func (s *Ledger) measureAt(t *text.Turn, k int) measure {
	n := s.numberAfter(t, k)
	isWhen := t.Is(k-1, "in", "within", "after", "every", "next", "first", "until", "till")
	switch {
	case n > 0 && strings.HasPrefix(t.Text[t.Tokens[k].End:], "%"):
		return s.terms.measureOf(n, "%")
	case n == 0 || isWhen || !t.GoesOn(k+1):
		return measure{}
	}
	return s.terms.measureOf(n, t.Word(k+1))
}

// measuresIn returns the measures among the arguments of a call or the members of a result:
// "20 GB", or numbers with a name that is a unit or in the plural, or with a unit after them.
// People are counted together as well.
func (l *Words) measuresIn(s string) (list []measure) {
	last, people := uint64(0), uint64(0)
	dialogue.EachArgument(s, func(name, value string) {
		rest := strings.TrimLeft(value, "0123456789")
		n, err := strconv.ParseUint(value[:len(value)-len(rest)], 10, 32)
		key := ""
		text.EachWord(name, func(word string) { key = word })
		isNumber := err == nil && rest == ""
		m := l.measureOf(n, key)
		switch {
		case err != nil:
			m = l.measureOf(last, value)
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

// isMeasured reports whether token k of turn i is part of a value that names no object.
func (s *Ledger) isMeasured(i, k int) bool {
	p := text.Passage{Turn: i, First: k, Last: k}
	return slices.ContainsFunc(s.FiguresOf(i), func(f quantity.Figure) bool {
		return f.Holds(p) && (f.Money || f.Decimals > 0)
	}) || slices.ContainsFunc(s.ValuesOf(i), func(v quantity.Value) bool {
		return v.Holds(p) && v.Slot.Kind != quantity.Bare
	})
}

// isReversed reports whether a claim has the opposite of a word in the call: "off" where an
// argument says "enabled": true or "state": "on".
func (s *Ledger) isReversed(c *toolCall, p text.Passage) bool {
	said, given := s.saidSwitch(p), s.switched(c.Arguments, p)
	return said != 0 && given != 0 && said&given == 0
}

// saidSwitch returns the marks of the words for "on" and "off" of the SYSTEM.
func (s *Ledger) saidSwitch(p text.Passage) (said toolMarks) {
	for n := p.First; n <= p.Last; n++ {
		said |= s.toolWordAt(&s.Turns[p.Turn], n).marks & (saysOn | saysOff)
	}
	return said
}

// switched returns whether the members of a call or its result say that something is on or off: by
// their names or values, or by true and false for what words of the SYSTEM name.
func (s *Ledger) switched(source string, p text.Passage) (given toolMarks) {
	said := s.stemsIn(p)
	dialogue.EachArgument(source, func(name, value string) {
		const both = saysOn | saysOff
		of, value := s.terms.marksOf(name).marks&both, strings.ToLower(value)
		if of == 0 && said[stemOf(keyWord(name))] {
			of = saysOn
		}
		switch {
		case of == 0 || !text.IsOneOf(value, "true", "on", "false", "off"):
			given |= s.terms.words[value].marks & both
		case value == "true" || value == "on":
			given |= of
		default:
			given |= of ^ both
		}
	})
	return given
}

// agrees reports whether the turn of a claim has a date, a time or a number that the result of the
// call added to its arguments. It may be an amount, or one in cents, if that is all of the result.
func (s *Ledger) agrees(c *toolCall, k *claim) bool {
	if len(c.Answer) > maxFigured {
		return false
	}
	named, isPrice := s.figuresOfCall(c), s.isPrice(c)
	return slices.ContainsFunc(s.FiguresOf(k.Turn), func(f quantity.Figure) bool {
		h := f.Hundredths()
		isNew := named.got.Numbers[h] && !named.asked.Numbers[h]
		isCents := isPrice && named.got.Numbers[100*h]
		return f.IsSpecific() && (isNew && (!f.Money || isPrice) || isCents)
	}) || slices.ContainsFunc(s.ValuesOf(k.Turn), func(v quantity.Value) bool {
		return v.IsMoment() && named.got.Holds(&v) && !named.asked.Holds(&v)
	})
}

// isPrice reports whether a result has only an amount, or only one if it is that of a look-up.
func (s *Ledger) isPrice(c *toolCall) bool {
	amounts, others := 0, 0
	dialogue.EachArgument(c.Answer, func(name, value string) {
		if s.terms.marksOf(name).marks&(ofAmount|ofHolding) == ofAmount && text.HasDigit(value) {
			amounts++
		} else if !c.reads && s.terms.currencyOf(value).list == 0 {
			others++
		}
	})
	return amounts == 1 && others == 0
}

// textOf returns the text of a passage.
func (s *Ledger) textOf(p text.Passage) string {
	t := &s.Turns[p.Turn]
	return t.Text[t.Tokens[p.First].Start:t.Tokens[p.Last].End]
}

// maxFigured is the maximum length in bytes of a result whose figures are compared.
const maxFigured = 1 << 16

// numberAfter returns the number that follows a claim at token k, as in "I have ordered you
// ten boxes", or 0.
func (s *Ledger) numberAfter(t *text.Turn, k int) uint64 {
	for t.Is(k, "you", "out") {
		k++
	}
	if !t.GoesOn(k) {
		return 0
	}
	if w := s.Lex.ValueOf(t.Tokens[k]); w.Kind == quantity.WordNumber {
		return uint64(w.N)
	}
	if v, err := strconv.ParseUint(t.Word(k), 10, 20); err == nil {
		return v
	}
	return 0
}

// isOther reports whether a figure is a percentage, an amount that is said to stay as it is, or
// part of a number of a telephone or a card: one after a word such as "call".
func (s *Ledger) isOther(t *text.Turn, f *quantity.Figure) bool {
	begin, end := int(t.Tokens[f.First].Start), int(t.Tokens[f.Last].End)
	if quantity.IsPercent(t.Text, begin, end) || s.isEnding(t, f.First) {
		return true
	}
	for k := f.Last + 1; k <= min(t.ClauseEnd(f.Last), f.Last+claimWords); k++ {
		if s.toolWordAt(t, k).is(stays) {
			return true
		}
	}
	for k := f.First - 1; k >= max(0, f.First-6) && !t.Tokens[k+1].Is(text.OpensSentence); k-- {
		if !f.Money && s.toolWordAt(t, k).is(phones) {
			return true
		}
	}
	return false
}

// isEnding reports whether token n is a number of which only the last digits are told, as in
// "ending in 4471" and "•••• 4471".
func (s *Ledger) isEnding(t *text.Turn, n int) bool {
	const mask = "*•·●"
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(t.Text[:t.Tokens[n].Start], " "))
	is := strings.ContainsRune(mask, last)
	for k := n - 1; k >= max(0, n-maxShort) && t.GoesOn(k+1); k-- {
		is = is || s.toolWordAt(t, k).is(ends)
	}
	return is && len(t.Word(n)) >= maxShort
}

// has reports whether a word is among the first words of the arguments of a call or of its result.
func (c *toolCall) has(word string) bool {
	own, in := text.Spaced(word), c.words()
	return strings.Contains(in[0], own) || strings.Contains(in[1], own)
}

// words returns the first words of the arguments of a call and of its result, as text.Spaced does.
// They are computed once.
func (c *toolCall) words() [2]string {
	if c.folded[0] == "" {
		c.folded[0] = text.Spaced(c.Arguments[:min(len(c.Arguments), maxRecords)])
		c.folded[1] = text.Spaced(c.Answer[:min(len(c.Answer), maxRecords)])
	}
	return c.folded
}

// chosen compares the names, and the words of lists such as sizes, in a claim with those of a call.
// It returns DoneOtherwise if the call has another one of the same thing, NoOutcome if that may be
// so, and otherwise Proven.
func (s *Ledger) chosen(c *toolCall, k *claim) State {
	t, state := &s.Turns[k.Turn], Proven
	users, people, tools := s.saidBefore(k.Turn)
	said, talk := text.Spaced(s.textOf(k.scope)), people+text.Spaced(t.Text)
	for n := k.scope.First; n <= k.scope.Last; n++ {
		word, _, _ := strings.Cut(strings.ReplaceAll(t.Word(n), "’", "'"), "'")
		own, isName := text.Spaced(word), t.Tokens[n].IsName() && !t.Tokens[n].Is(text.Coded) &&
			word != strings.ToUpper(word) && s.Lex.ValueOf(t.Tokens[n]).Kind == quantity.WordNone
		isVariant, isAsked := s.isOtherVariant(c, word, said), isName && s.isObjectAt(c, k, n)
		if !isName && !isVariant || c.has(word) {
			continue
		}
		isSaid := strings.Contains(people, own)
		if isVariant && strings.Contains(users, own) {
			return DoneOtherwise
		} else if isVariant {
			state = NoOutcome
		}
		dialogue.EachArgument(c.Arguments+"\n"+c.Answer, func(key, value string) {
			given, of, last := text.Spaced(value), s.terms.marksOf(key), keyWord(key)
			if len(value) < maxShort || key == "" || strings.Contains(said, given) ||
				text.HasDigit(value) || dialogue.IsReport(last) {
				return
			}
			isNear, isGiven := false, strings.Contains(c.Arguments, value)
			for o := max(k.scope.First, n-3); o <= min(k.scope.Last, n+2); o++ {
				isNear = isNear || t.Tokens[o].Stem == stemOf(last)
			}
			isCapital := isName && text.IsUpper(value[0]) && value != strings.ToUpper(value)
			isNew := !isSaid && !strings.Contains(tools, own)
			isOf := (isNew || of.is(ofName|ofAddress|ofChoice)) &&
				(isCapital && !strings.Contains(value, ". ") || // no "P. Horak"
					value == strings.ToLower(value) && strings.Contains(value, "."))
			switch isPerson := isCapital && of.is(ofName|ofAddress); {
			case isCapital && isNear && s.terms.toolWordOf(last).said == 0,
				isCapital && n > 0 && t.Tokens[n-1].Is(text.Capital) && // "Dr. Chen", "Lea Brandt"
					strings.Contains(given, text.Spaced(t.Word(n-1))) && (of.is(ofName) || isGiven),
				of.is(ofChoice) && t.Is(n-1, "to") && strings.Contains(users, given) && !isSaid:
				state = DoneOtherwise
			case !isAsked || !isOf || !isGiven || isLike(given, talk),
				slices.ContainsFunc(strings.Fields(said), func(word string) bool {
					return len(word) >= maxShort && strings.Contains(given, word) // "jpohl"
				}), strings.Contains(tools, own) && isLike(given, tools), // said
				len(given) > len(own) && strings.HasPrefix(given, own[:len(own)-2]): // Joe, Joseph
			case isPerson && len(c.objects) == 0:
				state = DoneOtherwise
			default:
				state = max(state, NoOutcome)
			}
		})
	}
	return state
}

// isObjectAt reports whether a name at token n of a claim is that of what was done, or of what or
// whom it was done to, and a call has none that begins with it.
func (s *Ledger) isObjectAt(c *toolCall, k *claim, n int) bool {
	t := &s.Turns[k.Turn]
	for at := n; at > max(k.scope.First, k.Last); at-- {
		if t.Tokens[at].Is(text.Preposition) && !t.Is(at, "to", "in", "into") {
			return false
		}
	}
	w, in := s.toolWordAt(t, n), c.words()
	return (n > k.Last || n < k.First && k.voice != ownDeed) && !s.isMeasured(k.Turn, n) &&
		w.said|(w.verb|w.noun)&k.deeds == 0 && !isLike(text.Spaced(t.Word(n)), in[0]+in[1])
}

// isLike reports whether a word in a text begins with one of some words of three letters or more.
// Both are spaced.
func isLike(words, in string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(word string) bool {
		return len(word) >= maxShort && strings.Contains(in, " "+word)
	})
}

// isOtherVariant reports whether a word of a claim is one of a list of which the call has another
// one, which the claim doesn't have.
func (s *Ledger) isOtherVariant(c *toolCall, word, said string) (is bool) {
	own, isSame := s.terms.variants[strings.ToLower(word)], false
	if own.list == 0 || own.isName && !text.IsUpper(word[0]) {
		return false
	}
	see := func(v variant) {
		isSaid := func(word string) bool { return s.terms.variants[word] == v }
		isSame = isSame || v == own
		is = is || v.list == own.list && !slices.ContainsFunc(strings.Fields(said), isSaid)
	}
	dialogue.EachArgument(c.Arguments+"\n"+c.Answer, func(_, value string) {
		if m := form("month").FindStringSubmatch(value); m != nil {
			v := s.terms.variants["january"]
			v.n, _ = strconv.Atoi(m[1])
			v.n--
			see(v)
		}
		for word := range strings.FieldsSeq(text.Spaced(value)) {
			see(s.terms.variants[word])
		}
	})
	return is && !isSame
}

// saidBefore returns the words of the turns before turn i: those of the USER, of both speakers, and
// of tools. They are computed once for a turn.
func (s *Ledger) saidBefore(i int) (users, people, tools string) {
	if s.before != i+1 {
		said := map[dialogue.Role]string{}
		for _, t := range s.Turns[max(0, i-maxMeant):i] {
			said[t.Role] += text.Spaced(t.Text[:min(len(t.Text), maxRecords)])
		}
		s.before, s.said = i+1, said
	}
	users = s.said[dialogue.User]
	return users, users + s.said[dialogue.System], s.said[dialogue.Other]
}

// hasOtherMember reports whether a call or its result has something else than a claim: a fee for
// what is free; only other files, or addresses of e-mail to send to; or an address with another
// number, and not that of the claim as well, as in "from 14 to 12 Mill Lane".
func (s *Ledger) hasOtherMember(c *toolCall, t *text.Turn, p text.Passage) (is bool) {
	begin, end := int(t.Tokens[p.First].Start), int(t.Tokens[p.Last].End)
	words := t.Text[max(0, begin-maxAmount):begin] // and the rest of a name with full stops
	rest, _, _ := strings.Cut(t.Text[end:min(len(t.Text), end+maxAmount)], " ")
	words = words[strings.LastIndexAny(words, " \n")+1:] + s.textOf(p) + rest
	said, mails := text.Spaced(words), form("address").FindAllString(words, -1)
	isFree, isTo, isSame := false, [2]bool{}, [2]bool{true, true} // of files, and of addresses
	kindOf := func(name string) int { return strings.Count(name, "@") }
	for _, mail := range mails {
		isSame[kindOf(mail)] = false
	}
	for n := p.First; n <= p.Last; n++ {
		isFee := s.toolWordAt(t, min(n+1, p.Last)).is(ofFee) ||
			s.toolWordAt(t, min(n+2, p.Last)).is(ofFee)
		isFree = isFree || t.Is(n, "no") && isFee || t.Is(n, "free") && (isFee || t.Is(n-1, "for"))
	}
	dialogue.EachArgument(c.Answer, func(name, value string) {
		of := s.terms.marksOf(name)
		is = is || isFree && of.is(ofFee) && strings.ContainsAny(value, "123456789") ||
			of.is(ofHandle) && s.isMiswritten(c, words, value)
	})
	dialogue.EachArgument(c.Arguments, func(name, value string) {
		of := s.terms.marksOf(name)
		is = is || of.is(ofHandle) && s.isMiswritten(c, words, value)
		for _, one := range form("address").FindAllString(value, -1) {
			n := kindOf(one)
			isTo[n] = isTo[n] || n == 0 || of.is(ofAddress)
			isSame[n] = isSame[n] || slices.ContainsFunc(mails, func(mail string) bool {
				return strings.EqualFold(mail, one)
			})
		}
		number, street, _ := strings.Cut(strings.TrimSpace(text.Spaced(value)), " ")
		before, _, isSaid := strings.Cut(said, " "+street+" ")
		other := before[strings.LastIndexByte(before, ' ')+1:]
		isOf := street != "" && isSaid && !text.HasDigit(street) && text.HasDigit(number)
		is = is || isOf && text.HasDigit(other) && !c.has(other) &&
			!strings.Contains(said, text.Spaced(number))
	})
	return is || isTo[0] && !isSame[0] || isTo[1] && !isSame[1]
}

// isMiswritten reports whether some words have an identifier that is like a value of a call in all
// but a few letters, and so means somebody else: "jlim" for "jkim", but not "grey" for "gray".
func (s *Ledger) isMiswritten(c *toolCall, words, value string) (is bool) {
	own := text.American(value)
	for _, word := range form("identifier").FindAllString(words, -1) {
		_, isKnown := s.Lex.Vocabulary[word]
		differ, name := 0, text.American(word)
		for i := 0; len(name) == len(own) && i < len(own); i++ {
			if name[i] != own[i] {
				differ++
			}
		}
		is = is || differ > 0 && differ <= len(name)/4 && !isKnown && !c.has(word)
	}
	return is && !strings.Contains(words, value)
}

// isMisquoted reports whether words of the SYSTEM have a code that no recent turn has, and the
// result of a call another one that is like it, which their turn does not have.
func (s *Ledger) isMisquoted(c *toolCall, p text.Passage, isLike func(a, b string) bool) bool {
	t := &s.Turns[p.Turn]
	words := s.textOf(p)
	said := form("booking").FindAllString(words[:min(len(words), maxRecords)], maxObjects)
	if said == nil {
		return false
	}
	if c.told == 0 {
		c.result = form("booking").FindAllString(c.Answer[:min(len(c.Answer), maxRecords)], -1)
	}
	if c.told != t.N {
		c.told, c.hasTold = t.N, slices.ContainsFunc(c.result, func(code string) bool {
			return strings.Contains(t.Text, code)
		})
	}
	return !c.hasTold && slices.ContainsFunc(said, func(code string) bool {
		isOther := func(o string) bool { return isLike(o, code) }
		return slices.ContainsFunc(c.result, isOther) && !s.isRecent(p.Turn, code)
	})
}

// isRecent reports whether one of the turns before turn i has a code. Of the codes of a turn, only
// a limited number is looked for; the rest count as recent.
func (s *Ledger) isRecent(i int, code string) bool {
	if s.sought != i+1 {
		s.sought, s.recent = i+1, map[string]bool{}
	}
	is, isKnown := s.recent[code]
	if !isKnown && len(s.recent) < maxCodes {
		is = slices.ContainsFunc(s.Turns[max(0, i-2*maxMeant):i], func(u text.Turn) bool {
			return strings.Contains(u.Text, code)
		})
		s.recent[code], isKnown = is, true
	}
	return is || !isKnown
}

// isMisstated reports whether words of the SYSTEM have a figure that nobody has said, and a member
// of a call or of its result has another one for the same thing: the words name it, as in "the
// price is £75", or are open: a claim, or about a total.
func (s *Ledger) isMisstated(c *toolCall, p text.Passage, isOpen bool) (is bool) {
	t, figure := &s.Turns[p.Turn], ""
	for _, x := range s.StatementsOf(p.Turn) {
		if !x.IsGrounded && p.Holds(x.Passage) && t.Tokens[x.First].Is(text.Number) {
			figure = s.textOf(x.Passage)
		}
	}
	if figure == "" {
		return false
	}
	said := s.stemsIn(p)
	for n := p.First; n <= p.Last; n++ {
		if s.toolWordAt(t, n).is(notYet) || t.Is(n, "would", "could", "may", "might") {
			return false
		}
		isOpen = isOpen || t.Is(n, "total", "altogether", "comes", "makes", "back")
	}
	dialogue.EachArgument(c.Arguments+"\n"+c.Answer, func(name, value string) {
		isNumber := value != "" && strings.Trim(value, "0123456789.,£$€") == ""
		isAmount := s.terms.marksOf(name).is(ofAmount) || strings.Contains(value, ".")
		isNamed := isOpen && isAmount
		text.EachWord(name, func(word string) { isNamed = isNamed || said[stemOf(word)] })
		isLong := len(value) > maxShort && len(value) == len(figure)
		is = is || isNumber && isNamed && (isAmount || isLong)
	})
	return is
}

// isRenamed reports whether a claim has what an argument of the call asked for, and the result
// something else there, or as what was done: "assigned": "27E" for seat 14A; or whether it has a
// number after the name of an argument, as in "unit C7", and the call has another one there.
func (s *Ledger) isRenamed(c *toolCall, k *claim) (is bool) {
	t, p := &s.Turns[k.Turn], k.scope
	said := strings.NewReplacer("€", " ", "£", " ").Replace(text.Spaced(s.textOf(p)))
	answer, done, isSame, isOther := map[string]string{}, "", false, false
	dialogue.EachArgument(c.Answer, func(name, value string) {
		answer[name] = cmp.Or(answer[name], value)
		if text.IsMixed(value) && s.terms.toolWordOf(strings.ToLower(name)).said&k.deeds != 0 {
			done = value
		}
	})
	dialogue.EachArgument(c.Arguments, func(name, value string) {
		key, isCode := keyWord(name), text.HasDigit(value) || len(value) == 1
		asked, got := text.Spaced(value), text.Spaced(answer[name])
		if answer[name] == "" && text.IsMixed(value) && text.CodesAlike(value, done) {
			got = text.Spaced(done)
		}
		if w := s.terms.toolWordOf(strings.ToLower(value)); name != "" && isOverruled(asked, got) &&
			w.verb|w.noun == 0 && !strings.Contains(value, ":") { // no "type": "order" or time
			if n := len(value); n > 2 && value[n-2] == '.' {
				asked = text.Spaced(value + "0") // "€64.50"
			}
			is = is || strings.Contains(said, asked) && !strings.Contains(said, got)
		}
		for n := p.First; isCode && n < p.Last; n++ {
			word := strings.ToLower(t.Word(n + 1))
			isLetter := len(word) == 1 && text.IsUpper(t.Word(n + 1)[0]) // "plan B"
			if t.Tokens[n].Stem == stemOf(key) &&
				(isLetter || text.HasDigit(word) && !s.isMeasured(p.Turn, n+1)) {
				isOwn := isLetter && c.has(word) || !isLetter &&
					strings.Contains(strings.ToLower(c.Arguments+c.Answer), word)
				isSame, isOther = isSame || isOwn, isOther || !isOwn
			}
		}
	})
	return is || isOther && !isSame
}

// isOverruled reports whether a result has another value than the argument of its name, and not
// only another form of it: both are numbers, or both words, of which one has another.
func isOverruled(asked, got string) bool {
	isOther := func(word string) bool { return !strings.Contains(got, " "+word+" ") }
	if !slices.ContainsFunc(strings.Fields(asked), isOther) {
		return false // "RUIZ/ANA"
	}
	asked, got = strings.ReplaceAll(asked, " ", ""), strings.ReplaceAll(got, " ", "")
	return asked != "" && got != "" && text.HasDigit(asked) == text.HasDigit(got) &&
		!strings.Contains(asked, got) && !strings.Contains(got, asked)
}

// keyWord returns the word in the name of an argument that says what it is: "seat" in seat_id and
// "room" in roomNumber.
func keyWord(name string) (key string) {
	text.EachWord(name, func(word string) {
		if len(word) > 2 && word != "number" {
			key = word
		}
	})
	return key
}
