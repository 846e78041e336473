package heuristics

import (
	"fmt"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// value is something definite that a speaker names: a day, a date, a time, a number of something, a sum, a
// place or a name. Two values of one slot that differ cannot both be what the USER wants.
type value struct {
	slot        slot
	n           int32 // what it is, as its kind counts: see slot
	turn        int32 // index into scene.turns
	first, last int32 // tokens
	loose       bool  // a limit, a guess, an alternative: nothing contradicts it
}

// slot is what a value is a value of: its kind, and for a count what is counted.
type slot struct {
	kind valueKind
	unit uint8
}

type valueKind uint8

const (
	weekday  valueKind = iota + 1 // n is 1 for Monday to 7 for Sunday
	relative                      // n is 1 for today, 2 for tomorrow
	date                          // n is month*32 + day; month 0 where only a day is named
	slashed                       // a date such as 3/4, which may be read either way; n is 3*32 + 4
	clock                         // n is half*1440 + minutes past midnight or noon; half is 1 for am, 2 for pm, 0 unknown
	count                         // n of a unit
	amount                        // n in hundredths of whatever currency
	place                         // the tokens are the value; n is anywhere for a code; unit is the kind of preposition
	person                        // the tokens are the value
	bare                          // n of nobody knows what
)

// wordKind says what a word does in a value.
type wordKind uint8

const (
	wordNone wordKind = iota
	wordDigits
	wordWeekday
	wordRelative
	wordMonth
	wordNumber
	wordOrdinal
	wordUnit
	wordParty
	wordMoney
	wordPays
	wordHalf
	wordPart
	wordNoon
	wordOclock
	wordFraction
	wordPast
	wordLoose
	wordAt
	wordFor
	wordOf
	wordThe
	wordOn
	wordFrom
	wordInto
	wordName
	wordIs
	wordUnder
	wordOwn
	wordAsks
)

// wordKinds are the names that lexicon/words-values.txt uses.
var wordKinds = map[string]wordKind{
	"weekday": wordWeekday, "relative": wordRelative, "month": wordMonth, "number": wordNumber,
	"ordinal": wordOrdinal, "unit": wordUnit, "party": wordParty, "money": wordMoney, "pays": wordPays,
	"half": wordHalf, "part": wordPart, "noon": wordNoon, "oclock": wordOclock, "fraction": wordFraction,
	"past": wordPast, "loose": wordLoose, "at": wordAt, "for": wordFor, "of": wordOf, "the": wordThe,
	"on": wordOn, "from": wordFrom, "into": wordInto, "name": wordName, "is": wordIs, "under": wordUnder, "own": wordOwn, "asks": wordAsks,
}

// valueWord is a word of lexicon/words-values.txt. A word may do two things, such as "after" in "quarter
// after nine" and "after nine": loose holds the second.
type valueWord struct {
	kind   wordKind
	n      uint8
	loose  bool
	begins bool // a value may begin with it
}

// valueLine enters a line of lexicon/words-values.txt.
func (l *lexicon) valueLine(line string) error {
	f := strings.Fields(line)
	kind, known := wordKinds[f[0]]
	if !known {
		return fmt.Errorf("unknown kind of value word %q; want one that values.go names", f[0])
	}
	if len(f) < 3 {
		return fmt.Errorf("want a kind, a number and words")
	}
	n, err := strconv.ParseUint(f[1], 10, 8)
	if err != nil {
		return fmt.Errorf("%q is no number from 0 to 255", f[1])
	}
	for _, w := range f[2:] {
		at := l.vocabulary.enter(w, 0)
		for int(at) >= len(l.values) {
			l.values = append(l.values, valueWord{})
		}
		word := &l.values[at]
		switch {
		case kind == wordLoose:
			word.loose = true
		case word.kind != wordNone:
			return fmt.Errorf("%q is entered twice", w)
		default:
			word.kind, word.n, word.begins = kind, uint8(n), beginsValue(kind)
		}
	}
	return nil
}

// beginsValue reports whether a value may begin with a word of kind k: what valueReader.read looks at.
func beginsValue(k wordKind) bool {
	switch k {
	case wordNumber, wordOrdinal, wordWeekday, wordRelative, wordMonth, wordNoon, wordFraction,
		wordFrom, wordInto, wordUnder, wordAt, wordName:
		return true
	}
	return false
}

// readValues finds the values of every turn.
func (s *scene) readValues() {
	for i := range s.turns {
		s.valuesFrom = append(s.valuesFrom, int32(len(s.values)))
		if s.turns[i].role != dialogue.Other {
			s.turnValues(i)
		}
	}
	s.valuesFrom = append(s.valuesFrom, int32(len(s.values)))
}

// mostValues bounds what is read of one turn: whoever names more gives a list.
const mostValues = 32

// turnValues finds the values of turn i.
func (s *scene) turnValues(i int) {
	r := &s.reader // kept in the scene: one made here would be allocated for each turn
	r.words, r.turnText = s.lex.values, &s.turns[i]
	from := len(s.values)
	for at := 0; at < len(r.tokens) && len(s.values)-from < mostValues; {
		if !r.begins(&r.tokens[at]) {
			at++
			continue
		}
		v, size := r.read(at)
		if size > 0 {
			v.turn, v.first, v.last = int32(i), v.first+int32(at), int32(at+size-1)
			v.loose = v.loose || v.slot.kind != person && r.loose(at) || r.negated(at)
			s.values = append(s.values, v)
		}
		at += max(size, 1)
	}
}

// valuesOf gives the values of turn i.
func (s *scene) valuesOf(i int) []value { return s.values[s.valuesFrom[i]:s.valuesFrom[i+1]] }

// same reports whether a and b, of one slot, are the same value as far as can be told.
func (s *scene) same(a, b *value) bool {
	switch a.slot.kind {
	case date, slashed:
		return sameDate(a, b)
	case clock:
		return sameClock(a.n, b.n)
	case place, person:
		return a.n == anywhere || b.n == anywhere || s.shareWord(a, b)
	}
	return a.n == b.n
}

// comparable reports whether a and b fill one slot. A date may be written in two ways, and the way back goes
// from where the way there goes to.
func comparable(a, b *value) bool {
	return a.slot == b.slot || isDate(a) && isDate(b) || a.slot.kind == place && b.slot.kind == place
}

// isDay reports whether v says which day. "Tuesday next week" and "March 5th" may be one day or two.
func isDay(v *value) bool { return v.slot.kind >= weekday && v.slot.kind <= slashed }

// rivals reports whether a and b say the same thing, though they may not be comparable.
func rivals(a, b *value) bool {
	if a.slot.kind == place {
		return a.slot == b.slot
	}
	return comparable(a, b) || isDay(a) && isDay(b)
}

func isDate(v *value) bool { return v.slot.kind == date || v.slot.kind == slashed }

// A date without a month may be in any, and 3/4 is both the third of April and the fourth of March.
func sameDate(a, b *value) bool {
	if a.slot.kind != date {
		a, b = b, a
	}
	if a.slot.kind != date {
		return a.n == b.n || a.n == turned(b.n)
	}
	if b.slot.kind == slashed {
		return alike(a.n, b.n) || alike(a.n, turned(b.n))
	}
	return alike(a.n, b.n)
}

func turned(n int32) int32 { return n%32*32 + n/32 }

func alike(a, b int32) bool {
	return a%32 == b%32 && (a/32 == b/32 || a/32 == 0 || b/32 == 0)
}

// halfDay is twelve hours in minutes; a clock value whose half of the day is unknown may be in either.
const halfDay = 12 * 60

func sameClock(a, b int32) bool {
	halfA, halfB := a/(2*halfDay), b/(2*halfDay)
	return a%(2*halfDay) == b%(2*halfDay) && (halfA == halfB || halfA == 0 || halfB == 0)
}

// fits reports whether u may stand for v, though it does not say so: "make it four" for four people or four
// o'clock, and four people for four tickets.
func fits(u, v *value) bool {
	switch {
	case v.slot.kind == count:
		return (u.slot.kind == bare || u.slot.kind == count && ofPeople(u) && ofPeople(v)) && u.n == v.n
	case u.slot.kind != bare:
		return false
	case v.slot.kind == clock:
		return u.n%12*60 == v.n%halfDay/60*60
	}
	return v.slot.kind == date && u.n == v.n%32
}

// ofPeople reports whether the unit of v comes to one a head.
func ofPeople(v *value) bool {
	switch v.slot.unit {
	case unitPeople, unitTickets, unitSeats, unitPassengers, unitAdults:
		return true
	}
	return false
}

// A station and its city, or a name and a forename, count as the same: one word in common is enough, or
// one that begins alike, as Philly and Philadelphia do.
func (s *scene) shareWord(a, b *value) bool {
	x, y := &s.turns[a.turn], &s.turns[b.turn]
	for i := a.first; i <= a.last; i++ {
		for j := b.first; j <= b.last; j++ {
			if x.tokens[i].stem == y.tokens[j].stem || strings.EqualFold(x.head(i), y.head(j)) {
				return true
			}
		}
	}
	return false
}

// head gives the first letters of token i.
func (t *turnText) head(i int32) string {
	tok := t.tokens[i]
	return t.text[tok.start:min(tok.end, tok.start+4)]
}
