package heuristics

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// findReadsBack reports each turn of the SYSTEM that repeats a detail differently from what the
// USER has just said: another number of people, another place, the opposite of two sides such as
// window and aisle, or another name for the USER.
func findReadsBack(s *analysis, det *detector) {
	var own callers
	known := make([]bool, len(s.turns)+1) // by turn: contradiction-value reports it
	for _, sig := range s.signals {
		known[sig.Turn] = known[sig.Turn] || sig.ID == "contradiction-value"
	}
	for i := range s.turns {
		t, before := &s.turns[i], s.before(i, dialogue.User)
		switch {
		case t.role == dialogue.User:
			own.add(s, i)
		case t.role != dialogue.System || before < 0:
		default:
			if at := own.miscalled(s, t); at >= 0 {
				s.report(det, passage{i, at, at}, own.turn)
			} else if !known[t.n] && !t.has.meets(&det.unless) &&
				!s.has(before, s.lex.class.ContradictionPast) {
				if p := readsBack(s, i, before); p.first >= 0 {
					s.report(det, p, before)
				}
			}
		}
	}
}

// readsBack returns the words in the SYSTEM's turn i that have a different detail than the USER's
// turn j. If there are none, first is -1.
func readsBack(s *analysis, i, j int) passage {
	for k := range s.valuesOf(i) {
		v := &s.valuesOf(i)[k]
		counts := v.slot.kind == count && v.slot.unit != unitDays
		if !counts && v.slot.kind != place || !isAlone(s, v) || s.turns[i].negated(v.first) ||
			s.isAsked(v.passage) {
			continue
		}
		for m := range s.valuesOf(j) {
			u := &s.valuesOf(j)[m]
			if u.slot == v.slot && !u.loose && !v.loose && isAlone(s, u) && !sameValue(s, u, v) &&
				!mentions(s, i, u) && !mentions(s, j, v) {
				return v.passage
			}
		}
	}
	k := otherSide(s, &s.turns[i], &s.turns[j])
	return passage{i, k, k + 1}
}

// mentions reports whether turn i contains a value, or a word of it.
func mentions(s *analysis, i int, u *value) bool {
	if u.slot.kind == place {
		return slices.ContainsFunc(s.wordsOf(u.passage), func(tok token) bool {
			return s.says(i, tok.stem)
		})
	}
	return slices.ContainsFunc(s.valuesOf(i), func(v value) bool {
		return (v.slot == u.slot || v.slot.kind == bare) && v.n == u.n
	})
}

// maxRequest is the maximum number of words in a turn that is compared word by word.
const maxRequest = 200

// otherSide returns the word in a turn of the SYSTEM that is the opposite of a word in a turn of
// the USER, before the same noun. It considers only pairs whose side never changes for a thing. It
// returns -1 if there is none.
func otherSide(s *analysis, t, u *turnText) int {
	if t.words > maxRequest || u.words > maxRequest || !marked(u.tokens, opposed) {
		return -1
	}
	for k := 0; k+1 < t.words; k++ {
		for _, p := range s.lex.sidesOf(&t.tokens[k]) {
			other := p
			other.second = !p.second
			if p.keeps && t.tokens[k+1].content() && !t.negated(k) && !hasSide(s, t, other) &&
				!hasSide(s, u, p) && hasPair(s, u, p.pair, t.tokens[k+1].stem) {
				return k
			}
		}
	}
	return -1
}

// hasPair reports whether a turn contains a word of a pair before a noun, without a negation.
func hasPair(s *analysis, u *turnText, pair uint8, noun uint32) bool {
	for m := 0; m+1 < u.words; m++ {
		of := func(q side) bool { return q.pair == pair }
		if u.tokens[m+1].stem == noun && !u.negated(m) &&
			slices.ContainsFunc(s.lex.sidesOf(&u.tokens[m]), of) {
			return true
		}
	}
	return false
}

// hasSide reports whether a turn contains a word of one side of a pair.
func hasSide(s *analysis, t *turnText, p side) bool {
	return slices.ContainsFunc(t.tokens, func(tok token) bool {
		return slices.Contains(s.lex.sidesOf(&tok), p)
	})
}

// callers holds the names by which the USER has introduced themselves.
type callers struct {
	turn  int             // the turn that contains them
	names []string        // in lower case; may be empty
	heard map[uint32]bool // the stems of all capitalised words of the USER in the turns read
	read  int             // the number of turns read
}

// add adds the names in the USER's turn i: "this is Ann Lee", "my name is Lee".
func (c *callers) add(s *analysis, i int) {
	t := &s.turns[i]
	for k := 0; k+2 < len(t.tokens); k++ {
		from, isSure := introducesName(t, k)
		if from < 0 {
			continue
		}
		var names []string
		for at := from; at < min(len(t.tokens), from+3) && isNameToken(t, at); at++ {
			if at > from && !t.goesOn(at) {
				break
			}
			names = append(names, strings.ToLower(t.word(at)))
		}
		if len(names) > 0 && (isSure || isFirstName(s, names[0])) {
			c.names, c.turn = names, i
			return
		}
	}
}

// hears reports whether the USER has used a capitalised word with a stem before turn i.
func (c *callers) hears(s *analysis, stem uint32, i int) bool {
	if c.heard == nil {
		c.heard = map[uint32]bool{}
	}
	for ; c.read < i; c.read++ {
		for _, tok := range s.turns[c.read].tokens {
			if s.turns[c.read].role == dialogue.User && tok.is(capital) && tok.content() {
				c.heard[tok.stem] = true
			}
		}
	}
	return c.heard[stem]
}

// introducesName returns the start of a name after token k, or -1, and whether only a name can
// follow, as after "my name is".
func introducesName(t *turnText, k int) (from int, isSure bool) {
	if !t.tokens[k+1].is(capital) && !t.tokens[k+2].is(capital) {
		return -1, false
	}
	switch two := t.text[t.tokens[k].start:t.tokens[k+1].end]; {
	case isOneOf(two, "this is", "i am"):
		return k + 2, false
	case isOneOf(two, "name is"):
		return k + 2, true
	case t.is(k, "i'm", "i’m"):
		return k + 1, false
	}
	return -1, false
}

// isNameToken reports whether token k is written like a name.
func isNameToken(t *turnText, k int) bool {
	word := t.word(k)
	return t.tokens[k].is(capital) && !t.tokens[k].is(stopword|number) && len(word) >= 3 &&
		strings.ToUpper(word) != word
}

// isFirstName reports whether a word in lower case is a first name.
func isFirstName(s *analysis, word string) bool {
	s.spelling.once.Do(s.spelling.load)
	return s.spelling.names[hashOf(word)]
}

// miscalled returns the token in a turn of the SYSTEM that calls the USER by a name that the USER
// has not used, or -1. "Ms Lee" is compared only with a full name, and a first name with any name.
func (c *callers) miscalled(s *analysis, t *turnText) int {
	for k := 0; k < len(t.tokens) && len(c.names) > 0; k++ {
		at, title := callsByName(t, k)
		if at < 0 || title && len(c.names) < 2 || c.hears(s, t.tokens[at].stem, t.n-1) {
			continue
		}
		name := strings.ToLower(t.word(at))
		alike := func(own string) bool {
			first := func(name string) string { return name[:min(len(name), 3)] }
			short := own[0] == name[0] && min(len(own), len(name)) <= 4 // Tom is Thomas
			return first(own) == first(name) || !title && short
		}
		if (title || isFirstName(s, name)) && !slices.ContainsFunc(c.names, alike) {
			return at
		}
	}
	return -1
}

// callsByName returns the name in a form of address that begins with token k, and whether a title
// precedes it: "Hello Ann,", "Thank you, Ms Lee." It returns -1 if there is none.
func callsByName(t *turnText, k int) (at int, title bool) {
	if !t.tokens[k].is(opensClause) {
		return -1, false
	}
	at = k
	for at < k+2 && t.is(at,
		"hello", "hi", "hey", "dear", "thanks", "thank", "you", "sorry", "welcome") {
		at++
	}
	if at < len(t.tokens) && isTitle(t.word(at)) {
		at, title = at+1, true
	}
	if at == 0 || at >= len(t.tokens) || !isNameToken(t, at) || t.goesOn(at+1) ||
		at > k && !t.goesOn(at) && !title {
		return -1, false
	}
	return at, title
}

func isTitle(word string) bool {
	switch word {
	case "Mr", "Mrs", "Ms", "Miss", "Dr", "Mx":
		return true
	}
	return false
}
