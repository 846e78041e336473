package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// The SYSTEM's statements are compared with the results of its tools.

// readGrounds finds in each turn of the SYSTEM, outside its questions, the first statement that
// occurs in the result of a tool, and the first one that occurs nowhere.
func (s *Ledger) readGrounds() {
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
			s.addStated(i, results, known)
		}
	}
}

// addStated adds the first grounded statement of turn i and the first ungrounded one, from what the
// results of tools mention, and anybody has before. A date that no result has may be counted from
// one that a result has, if a period is named with it.
func (s *Ledger) addStated(i int, results, known *grounds) {
	t, first := &s.turns[i], len(s.statements)
	state := func(p passage, isGrounded bool) {
		if !slices.ContainsFunc(s.statements[first:], func(x statement) bool {
			return x.isGrounded == isGrounded
		}) {
			s.statements = append(s.statements, statement{p, isGrounded, false})
		}
	}
	for _, x := range s.figuresOf(i) {
		want := x.hundredths()
		switch {
		case !x.isSpecific() || s.isAsked(x.passage) || s.isOther(t, &x):
		case results.numbers[want]:
			state(x.passage, true)
		case known.numbers[want], x.money && known.numbers[100*want], // in cents
			!x.money && x.digits < 4, len(results.numbers) == 0:
		case known.follows(want, s.lex.saidBy(t)):
			known.number(want)
		default:
			state(x.passage, false)
		}
	}
	for k, tok := range t.tokens {
		word := t.word(k)
		switch {
		case !tok.is(coded) || !isReference(word) || t.inQuestion(k):
		case results.codes[word]:
			state(passage{i, k, k}, true)
		case len(results.codes) > 0 && !known.codes[word]:
			state(passage{i, k, k}, false)
		}
	}
	isCounted := slices.ContainsFunc(s.valuesOf(i),
		func(v value) bool { return v.slot.kind == duration })
	for _, v := range s.valuesOf(i) {
		if !v.isMoment() {
			continue
		}
		isHeld, isDay := results.holds(&v), v.slot.kind == date
		isNew := results.count(v.slot.kind) > 0 && !known.holds(&v) &&
			!(isDay && isCounted || !isDay && known.isZoned)
		if (isHeld || isNew && !v.loose) && !s.isAsked(v.passage) {
			state(v.passage, isHeld)
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

// statement is a figure, a date or a time that the SYSTEM states.
type statement struct {
	passage
	isGrounded bool // a tool returned it; otherwise nobody mentioned it
	isEntered  bool // it is in the ledger
}
