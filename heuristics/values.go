package heuristics

import (
	"iter"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// The values that the turns of a dialogue mention, and how they relate to each other.

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

// isVague reports whether a count is the end of a range, as in "two to four days", or the
// indefinite "one day".
func isVague(s *analysis, v *value) bool {
	t := &s.turns[v.turn]
	if v.slot == (slot{count, unitDays}) && t.is(v.first, "one") {
		return true
	}
	return v.slot.kind == count && v.first >= 2 && t.is(v.first-1, "to") &&
		isNumber(s, t.tokens[v.first-2])
}

// isNumber reports whether a token is a number in digits or words.
func isNumber(s *analysis, tok token) bool {
	return tok.is(number) || s.lex.valueOf(tok).kind == wordNumber
}

// earlier yields the values before values[k], starting with the last, at most requestValues of
// them.
func earlier(s *analysis, k int) iter.Seq[*value] {
	return func(yield func(*value) bool) {
		for back := k - 1; back >= max(0, k-requestValues); back-- {
			if !yield(&s.values[back]) {
				return
			}
		}
	}
}

// isAlone reports whether no other value in the turn of v can be about the same thing.
func isAlone(s *analysis, v *value) bool {
	return countOf(s, v, func(u *value) bool { return rivals(v, u) }) == 1
}

// countOf returns how many values in the turn of v satisfy fits.
func countOf(s *analysis, v *value, fits func(*value) bool) (n int) {
	values := s.valuesOf(v.turn)
	for k := range values {
		if fits(&values[k]) {
			n++
		}
	}
	return n
}

// hasValue reports whether turn i contains a complete value.
func hasValue(s *analysis, i int) bool { return slices.ContainsFunc(s.valuesOf(i), value.names) }

// isKnown reports whether a figure occurs earlier in a turn of a role, or of either side for Other,
// or earlier in its own turn.
func isKnown(s *analysis, f *figure, role dialogue.Role) bool {
	at, found := s.givers[f.as(role)]
	return found && (at < f.turn || at == f.turn && f.again)
}
