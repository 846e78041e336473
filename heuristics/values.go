package heuristics

import (
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// value is something specific that a speaker mentions, such as a day or a number of people. If two
// values of one slot differ, the USER cannot want both.
type value struct {
	passage
	slot  slot
	n     int32 // its meaning depends on the kind, see valueKind
	loose bool  // a limit, a guess or an alternative, which nothing contradicts
}

// slot says what a value describes: its kind and, for a count, what is counted.
type slot struct {
	kind valueKind
	unit uint8
}

type valueKind uint8

const (
	weekday  valueKind = iota + 1 // n is 1 for Monday to 7 for Sunday
	relative                      // n is 1 for today, 2 for tomorrow
	date                          // n is month*32 + day; month is 0 if only a day is mentioned
	clock                         // n is half*1440 + minutes; half is 1 am, 2 pm, 0 unknown
	count                         // n of a unit
	amount                        // n in hundredths of any currency
	place                         // the tokens are the value; unit is the kind of preposition
	person                        // the tokens are the value
	bare                          // n of an unknown thing
)

// wordKind is the function of a word in a value.
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

// beginning has a bit for each kind of word that can begin a value: see valueReader.read.
const beginning = 1<<wordNumber | 1<<wordOrdinal | 1<<wordWeekday | 1<<wordRelative |
	1<<wordMonth | 1<<wordNoon | 1<<wordFraction | 1<<wordFrom | 1<<wordInto | 1<<wordUnder |
	1<<wordAt | 1<<wordName

// Units as numbered in lexicon/words-values.txt: of "a table for 4", and of periods of time.
const (
	unitPeople = 1
	unitDays   = 12
)

// valueWord is a word in lexicon/words-values.txt. A word may have two functions, such as "after"
// in "quarter after nine" and "after nine": loose holds the second.
type valueWord struct {
	kind  wordKind
	n     uint8
	loose bool
}

// valueOf returns the function of a word in a value, or the zero valueWord.
func (l *lexicon) valueOf(tok token) valueWord {
	if int(tok.word) < len(l.values) {
		return l.values[tok.word]
	}
	return valueWord{}
}

// valueLine parses a line of lexicon/words-values.txt.
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

// maxValues is the maximum number of values read in a turn; more are a list.
const maxValues = 32

// readValues finds the values of every turn.
func readValues(s *analysis) {
	for i := range s.turns {
		t := &s.turns[i]
		t.values.start = len(s.values)
		if t.role != dialogue.Other {
			s.values = appendValues(s, s.values, i)
		}
		t.values.end = len(s.values)
	}
}

// appendValues appends the values of turn i.
func appendValues(s *analysis, list []value, i int) []value {
	r, t, start := &s.reader, &s.turns[i], len(list) // a new reader would be allocated
	r.known, r.turnText = s.lex.values, t
	for at := 0; at < len(t.tokens) && len(list)-start < maxValues; {
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

// sameValue reports whether a and b, of one slot, are the same value as far as their open parts
// allow.
func sameValue(s *analysis, a, b *value) bool {
	switch a.slot.kind {
	case date: // without a month, it may be in any
		return a.n%32 == b.n%32 && (a.n/32 == b.n/32 || a.n/32 == 0 || b.n/32 == 0)
	case clock:
		halfA, halfB := a.n/(2*halfDay), b.n/(2*halfDay)
		return a.n%(2*halfDay) == b.n%(2*halfDay) && (halfA == halfB || halfA == 0 || halfB == 0)
	case place, person:
		return alikeNames(s, a, b)
	}
	return a.n == b.n
}

// comparable reports whether a and b are of one slot. The return trip starts where the outbound
// trip ends.
func comparable(a, b *value) bool {
	return a.slot == b.slot || a.slot.kind == place && b.slot.kind == place
}

// rivals reports whether a and b are about the same thing, even if they are not comparable:
// "Tuesday next week" and "March 5th" may be the same day or not.
func rivals(a, b *value) bool {
	return a.slot == b.slot || a.slot.kind <= date && b.slot.kind <= date
}

// halfDay is twelve hours in minutes. A clock value with an unknown half of the day may be in
// either.
const halfDay = 12 * 60

// fits reports whether u may implicitly mean v: "make it four" may mean four people, four o'clock
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

// alikeNames reports whether two places or names share a word, or the first four letters of one, as
// a station and its city or Philly and Philadelphia do.
func alikeNames(s *analysis, a, b *value) bool {
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
