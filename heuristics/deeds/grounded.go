package deeds

import (
	"slices"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// The SYSTEM's statements are compared with the results of its tools.

// readGrounds finds in each turn of the SYSTEM, outside its questions, the first statement that
// occurs in the result of a tool, and the first one that occurs nowhere.
func (s *Ledger) readGrounds() {
	if s.Statements = s.Statements[:0]; len(s.tools) == 0 {
		return
	}
	results, known := quantity.NewGrounds(), quantity.NewGrounds()
	isResult := make(map[int]bool, len(s.tools)) // turns, by number
	for k := range s.tools {
		isResult[s.tools[k].Result] = true
	}
	for i := range s.Turns {
		switch t := &s.Turns[i]; t.Role {
		case dialogue.User:
			known.Text(t.Text)
			known.Values(t, s.ValuesOf(i))
		case dialogue.Other:
			s.others = s.AppendValues(s.others[:0], i)
			known.Text(t.Text)
			if known.Values(t, s.others); isResult[t.N] {
				results.Text(t.Text)
				results.Values(t, s.others)
			}
		case dialogue.System:
			s.addStated(i, results, known)
		}
	}
}

// addStated adds the first grounded statement of turn i and the first ungrounded one, from what the
// results of tools mention, and anybody has before. A date that no result has may be counted from
// one that a result has, if a period is named with it.
func (s *Ledger) addStated(i int, results, known *quantity.Grounds) {
	t, first := &s.Turns[i], len(s.Statements)
	state := func(p text.Passage, isGrounded bool) {
		if !slices.ContainsFunc(s.Statements[first:], func(x statement) bool {
			return x.IsGrounded == isGrounded
		}) {
			s.Statements = append(s.Statements, statement{p, isGrounded, false})
		}
	}
	for _, x := range s.FiguresOf(i) {
		want := x.Hundredths()
		switch {
		case !x.IsSpecific() || s.IsAsked(x.Passage) || s.isOther(t, &x):
		case results.Numbers[want]:
			state(x.Passage, true)
		case known.Numbers[want], x.Money && known.Numbers[100*want], // in cents
			!x.Money && x.Digits < 4, len(results.Numbers) == 0:
		case known.Follows(want, s.Lex.SaidBy(t)):
			known.Number(want)
		default:
			state(x.Passage, false)
		}
	}
	for k, tok := range t.Tokens {
		word := t.Word(k)
		switch {
		case !tok.Is(text.Coded) || !isReference(word) || t.InQuestion(k):
		case results.Codes[word]:
			state(text.Passage{Turn: i, First: k, Last: k}, true)
		case len(results.Codes) > 0 && !known.Codes[word]:
			state(text.Passage{Turn: i, First: k, Last: k}, false)
		}
	}
	isCounted := slices.ContainsFunc(s.ValuesOf(i),
		func(v quantity.Value) bool { return v.Slot.Kind == quantity.Duration })
	for _, v := range s.ValuesOf(i) {
		if !v.IsMoment() {
			continue
		}
		isHeld, isDay := results.Holds(&v), v.Slot.Kind == quantity.Date
		isNew := results.Count(v.Slot.Kind) > 0 && !known.Holds(&v) &&
			!(isDay && isCounted || !isDay && known.IsZoned)
		if (isHeld || isNew && !v.Loose) && !s.IsAsked(v.Passage) {
			state(v.Passage, isHeld)
		}
	}
}

// IsReference reports whether a word is a code such as BA2490: capitals with at least two digits
// after or among them. "100GB" is not a code.
func isReference(word string) bool {
	digits, changes := 0, 0
	for i := range len(word) {
		switch {
		case text.IsDigit(word[i]):
			digits++
		case !text.IsUpper(word[i]):
			return false
		}
		if i > 0 && text.IsDigit(word[i]) != text.IsDigit(word[i-1]) {
			changes++
		}
	}
	return len(word) >= 5 && digits >= 2 && (changes > 1 || changes == 1 && text.IsUpper(word[0]))
}

// statement is a figure, a date or a time that the SYSTEM states.
type statement struct {
	text.Passage
	IsGrounded bool // a tool returned it; otherwise nobody mentioned it
	IsEntered  bool // it is in the ledger
}
