package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// The SYSTEM's statements are compared with the results of its tools.

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
			f := stating{s, t, results, known, len(s.statements)}
			f.figures(i)
			f.codes(i)
			f.times(i)
		}
	}
}

// said returns what the turn itself mentions, including numbers in words such as "three".
func (f *stating) said() *grounds {
	g := newGrounds()
	g.text(f.turn.text)
	for _, tok := range f.turn.tokens {
		if w := f.lex.valueOf(tok); w.kind == wordNumber && w.n < 64 {
			g.counts |= 1 << w.n
		}
	}
	return g
}

// stating collects the statements of a turn of the SYSTEM.
type stating struct {
	*analysis
	turn           *turnText
	results, known *grounds // mentioned by tools, and by anybody before
	first          int      // the index of the first statement of the turn
}

// state adds a statement if it is the first grounded or the first ungrounded one of a turn.
func (f *stating) state(p passage, isGrounded bool) {
	if !slices.ContainsFunc(f.statements[f.first:], func(x statement) bool {
		return x.isGrounded == isGrounded
	}) {
		f.statements = append(f.statements, statement{p, isGrounded, false})
	}
}

// figures reads the figures of turn i.
func (f *stating) figures(i int) {
	for _, x := range f.figuresOf(i) {
		want := x.hundredths()
		switch {
		case !x.isSpecific() || f.isAsked(x.passage) || isOther(f.analysis, f.turn, &x):
		case f.results.numbers[want]:
			f.state(x.passage, true)
		case f.known.numbers[want], x.money && f.known.numbers[100*want], // in cents
			!x.money && x.digits < 4, len(f.results.numbers) == 0:
		case f.known.follows(want, f.said()):
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

// times reads the dates and times of turn i. A date that no result has may be counted
// from one that a result has, if a period is named with it.
func (f *stating) times(i int) {
	isCounted := slices.ContainsFunc(f.valuesOf(i),
		func(v value) bool { return v.slot.kind == duration })
	for _, v := range f.valuesOf(i) {
		if !v.isMoment() {
			continue
		}
		isHeld, isDay := f.results.holds(&v), v.slot.kind == date
		isNew := f.results.count(v.slot.kind) > 0 && !f.known.holds(&v) &&
			!(isDay && isCounted || !isDay && f.known.isZoned)
		if (isHeld || isNew && !v.loose) && !f.isAsked(v.passage) {
			f.state(v.passage, isHeld)
		}
	}
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

// findStatements returns a function that reports the SYSTEM's grounded statements, or those that
// are neither grounded nor follow from known values.
func findStatements(isGrounded bool) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, x := range s.statements {
			if x.isGrounded == isGrounded && !x.isEntered {
				s.emit(det, x.turn, x.first, x.last)
			}
		}
	}
}
