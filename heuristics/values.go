package heuristics

import (
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// value is something definite that a speaker names, such as a day or a number of people. Two values
// of one slot that differ cannot both be what the USER wants.
type value struct {
	passage
	slot  slot
	n     int32 // what it is, as its kind counts: see valueKind
	loose bool  // a limit, a guess, an alternative: nothing contradicts it
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
	clock                         // n is half*1440 + minutes; half is 1 am, 2 pm, 0 unknown
	count                         // n of a unit
	amount                        // n in hundredths of whatever currency
	place                         // the tokens are the value; unit is the kind of preposition
	person                        // the tokens are the value
	bare                          // n of nobody knows what
)

// wordKind says what a word does in a value.
type wordKind uint8

// wordKindNames are the kinds in lexicon/words-values.txt, in the order of the constants.
var wordKindNames = strings.Fields("- - weekday relative month number ordinal unit party money " +
	"pays half noon oclock fraction past loose at for of the on from into name is under own asks " +
	"spoken")

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
	wordSpoken // only part of a longer number: see readSpoken
)

// beginning has a bit for each kind of word that a value may begin with: see valueReader.read.
const beginning = 1<<wordNumber | 1<<wordOrdinal | 1<<wordWeekday | 1<<wordRelative |
	1<<wordMonth | 1<<wordNoon | 1<<wordFraction | 1<<wordFrom | 1<<wordInto | 1<<wordUnder |
	1<<wordAt | 1<<wordName

// Units as lexicon/words-values.txt numbers them: of "a table for 4", and of lengths of time.
const (
	unitPeople = 1
	unitDays   = 12
)

// valueWord is a word of lexicon/words-values.txt. A word may do two things, such as "after" in
// "quarter after nine" and "after nine": loose holds the second.
type valueWord struct {
	kind  wordKind
	n     uint8
	loose bool
}

// valueOf returns what a word does in a value, the zero valueWord for nothing.
func (l *lexicon) valueOf(tok token) valueWord {
	if int(tok.word) < len(l.values) {
		return l.values[tok.word]
	}
	return valueWord{}
}

// valueLine enters a line of lexicon/words-values.txt.
func (l *lexicon) valueLine(line string) {
	f := strings.Fields(line)
	kind := wordKind(max(0, slices.Index(wordKindNames, f[0])))
	if kind <= wordDigits {
		wrong("unknown kind of value word %q; want one that values.go names", f[0])
	}
	n, err := strconv.ParseUint(f[1], 10, 8)
	mind(err)
	for _, w := range f[2:] {
		at := int(l.vocabulary.enter(w, 0))
		l.values = append(l.values, make([]valueWord, max(0, at+1-len(l.values)))...)
		if word := &l.values[at]; kind == wordLoose {
			word.loose = true
		} else {
			word.kind, word.n = kind, uint8(n)
		}
	}
}

// mostValues bounds what is read of one turn: whoever names more gives a list.
const mostValues = 32

// readValues finds the values of every turn.
func (s *analysis) readValues() {
	for i := range s.turns {
		t := &s.turns[i]
		t.values.start = len(s.values)
		if t.role != dialogue.Other {
			s.values = s.appendValues(s.values, i)
		}
		t.values.end = len(s.values)
	}
}

// appendValues appends the values of turn i.
func (s *analysis) appendValues(list []value, i int) []value {
	r, t, start := &s.reader, &s.turns[i], len(list) // a new reader would be allocated
	r.known, r.turnText = s.lex.values, t
	for at := 0; at < len(t.tokens) && len(list)-start < mostValues; {
		tok := &t.tokens[at]
		if tok.flags&number == 0 &&
			(int(tok.word) >= len(r.known) || beginning>>r.known[tok.word].kind&1 == 0) {
			at++
			continue
		}
		v, size := r.read(at)
		if size > 0 {
			v.passage = passage{i, v.first + at, at + size - 1}
			v.loose = v.loose || v.slot.kind != person && r.loose(at) || r.negated(at)
			list = append(list, v)
		}
		at += max(size, 1)
	}
	return list
}

// valuesOf returns the values of turn i.
func (s *analysis) valuesOf(i int) []value {
	at := s.turns[i].values
	return s.values[at.start:at.end]
}

// same reports whether a and b, of one slot, are the same value as far as can be told.
func (s *analysis) same(a, b *value) bool {
	switch a.slot.kind {
	case date: // without a month it may be in any
		return a.n%32 == b.n%32 && (a.n/32 == b.n/32 || a.n/32 == 0 || b.n/32 == 0)
	case clock:
		halfA, halfB := a.n/(2*halfDay), b.n/(2*halfDay)
		return a.n%(2*halfDay) == b.n%(2*halfDay) && (halfA == halfB || halfA == 0 || halfB == 0)
	case place, person:
		return s.alike(a, b)
	}
	return a.n == b.n
}

// comparable reports whether a and b fill one slot. The way back starts where the way there ends.
func comparable(a, b *value) bool {
	return a.slot == b.slot || a.slot.kind == place && b.slot.kind == place
}

// rivals reports whether a and b speak of the same thing, though they may not be comparable:
// "Tuesday next week" and "March 5th" may be one day or two.
func rivals(a, b *value) bool {
	return a.slot == b.slot || a.slot.kind <= date && b.slot.kind <= date
}

// halfDay is twelve hours in minutes; a clock value whose half of the day is unknown may be in
// either.
const halfDay = 12 * 60

// fits reports whether u may mean v without saying so: "make it four" is four people, four o'clock
// or the fourth.
func fits(u, v *value) bool {
	if u.slot.kind != bare {
		return false
	}
	switch v.slot.kind {
	case count:
		return u.n == v.n
	case clock:
		return u.n%12*60 == v.n%halfDay/60*60
	}
	return v.slot.kind == date && u.n == v.n%32
}

// alike reports whether two places or names share a word, or the first four letters of one: a
// station and its city, Philly and Philadelphia.
func (s *analysis) alike(a, b *value) bool {
	head := func(turn int, tok token) string {
		return s.turns[turn].text[tok.start:min(tok.end, tok.start+4)]
	}
	for _, p := range s.wordsOf(a.passage) {
		for _, q := range s.wordsOf(b.passage) {
			if p.stem == q.stem || strings.EqualFold(head(a.turn, p), head(b.turn, q)) {
				return true
			}
		}
	}
	return false
}
