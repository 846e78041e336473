package heuristics

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// findReadsBack reports each turn of the SYSTEM that reads a detail back otherwise than the USER
// has just given it: another number of people, another place, the other of two sides such as
// window and aisle, or that calls the USER by another name.
func findReadsBack(s *analysis, det *detector) {
	var own callers
	known := make([]bool, len(s.turns)+1) // by turn: contradiction-value reports it
	for _, sig := range s.signals {
		known[sig.Turn] = known[sig.Turn] || sig.ID == "contradiction-value"
	}
	for i := range s.turns {
		t := &s.turns[i]
		switch t.role {
		case dialogue.User:
			own.add(s, t)
		case dialogue.System:
			if at := own.miscalled(s, t); at >= 0 {
				s.emit(det, i, at, at).About = s.turns[own.turn].n
				continue
			}
			before := s.before(i, dialogue.User)
			if before < 0 || known[t.n] || t.has.meets(&det.unless) ||
				s.has(before, s.lex.class.ContradictionPast) {
				continue
			}
			if first, last := s.readsBack(i, before); first >= 0 {
				s.emit(det, i, first, last).About = s.turns[before].n
			}
		}
	}
}

// readsBack returns the tokens of the SYSTEM's turn i with another detail than the USER's turn j
// has; first is -1 for none.
func (s *analysis) readsBack(i, j int) (first, last int) {
	for k := range s.valuesOf(i) {
		v := &s.valuesOf(i)[k]
		length := v.slot.kind == count && v.slot.unit == unitDays
		if v.slot.kind != count && v.slot.kind != place || length || !s.alone(v) ||
			s.turns[i].negated(int(v.first)) ||
			s.turns[i].isQuestion(s.turns[i].sentenceEnd(int(v.last))) {
			continue
		}
		for m := range s.valuesOf(j) {
			u := &s.valuesOf(j)[m]
			if u.slot == v.slot && !u.loose && !v.loose && s.alone(u) && !s.same(u, v) &&
				!s.mentions(i, u) && !s.mentions(j, v) {
				return int(v.first), int(v.last)
			}
		}
	}
	return s.otherSide(i, j)
}

// mentions reports whether turn i has a value, or a word of it.
func (s *analysis) mentions(i int, u *value) bool {
	if u.slot.kind == place {
		t, of := &s.turns[u.turn], &s.turns[i]
		return slices.ContainsFunc(t.tokens[u.first:u.last+1], func(tok token) bool {
			return s.bags.holds(of.said, tok.stem) || s.bags.holds(of.asked, tok.stem)
		})
	}
	return slices.ContainsFunc(s.valuesOf(i), func(v value) bool {
		return (v.slot == u.slot || v.slot.kind == bare) && v.n == u.n
	})
}

// mostRequest is how many words a turn may have to be compared word by word.
const mostRequest = 200

// otherSide returns the word of the SYSTEM's turn i that has the other side of a pair which a
// thing never changes than the USER's turn j, before the same noun; -1 for none.
func (s *analysis) otherSide(i, j int) (first, last int) {
	t, u := &s.turns[i], &s.turns[j]
	if t.words > mostRequest || u.words > mostRequest {
		return -1, -1
	}
	for k := 0; k+1 < t.words; k++ {
		for _, p := range s.lex.sides[t.tokens[k].word] {
			other := p
			other.second = !p.second
			if !p.keeps || t.negated(k) || s.hasSide(t, other) || s.hasSide(u, p) {
				continue
			}
			for m := 0; m+1 < u.words; m++ {
				for _, q := range s.lex.sides[u.tokens[m].word] {
					noun := t.tokens[k+1]
					if q.pair == p.pair && !u.negated(m) && noun.content() && noun.stem == u.tokens[m+1].stem {
						return k, k + 1
					}
				}
			}
		}
	}
	return -1, -1
}

// hasSide reports whether a turn has a word of one side of a pair.
func (s *analysis) hasSide(t *turnText, p side) bool {
	return slices.ContainsFunc(t.tokens, func(tok token) bool {
		return slices.Contains(s.lex.sides[tok.word], p)
	})
}

// callers are the names that the USER has given of the USER.
type callers struct {
	turn  int             // that gave them
	names []string        // in lower case; empty for none
	heard map[uint32]bool // the stems of all capitalised words of the USER
}

// add reads the names that a turn of the USER gives: "this is Ann Lee", "my name is Lee".
func (c *callers) add(s *analysis, t *turnText) {
	if c.heard == nil {
		c.heard = map[uint32]bool{}
	}
	for _, tok := range t.tokens {
		if tok.is(capital) && tok.content() {
			c.heard[tok.stem] = true
		}
	}
	for k := 0; k+2 < len(t.tokens); k++ {
		if !t.tokens[k+1].is(capital) && !t.tokens[k+2].is(capital) {
			continue
		}
		two := strings.ToLower(t.text[t.tokens[k].start:t.tokens[k+1].end])
		from := k + 2
		switch two {
		case "this is", "i am", "name is":
		default:
			if !strings.EqualFold(t.word(k), "i'm") && !strings.EqualFold(t.word(k), "i’m") {
				continue
			}
			from = k + 1
		}
		var names []string
		for at := from; at < min(len(t.tokens), from+3) && isNameToken(t, at); at++ {
			if at > from && t.tokens[at].is(opensClause) {
				break
			}
			names = append(names, strings.ToLower(t.word(at)))
		}
		if len(names) > 0 && (two == "name is" || s.isFirstName(names[0])) {
			c.names, c.turn = names, t.n-1
			return
		}
	}
}

// isNameToken reports whether token k is written as a name.
func isNameToken(t *turnText, k int) bool {
	word := t.word(k)
	return t.tokens[k].is(capital) && !t.tokens[k].is(stopword|number) && len(word) >= 3 &&
		strings.ToUpper(word) != word
}

// isFirstName reports whether a word in lower case is a first name.
func (s *analysis) isFirstName(word string) bool {
	s.spelling.once.Do(s.spelling.load)
	return s.spelling.names[hashOf(word)]
}

// miscalled returns the token of a turn of the SYSTEM that calls the USER by a name that no turn
// of the USER has; -1 for none. "Ms Lee" is held against a full name only, and a first name
// against any.
func (c *callers) miscalled(s *analysis, t *turnText) int {
	if len(c.names) == 0 {
		return -1
	}
	for k := range t.tokens {
		at, title := t.calls(k)
		if at < 0 || title && len(c.names) < 2 || !title && !s.isFirstName(strings.ToLower(t.word(at))) {
			continue
		}
		name := strings.ToLower(t.word(at))
		alike := func(own string) bool {
			first := func(name string) string { return name[:min(len(name), 3)] }
			short := own[0] == name[0] && min(len(own), len(name)) <= 4 // Tom is Thomas
			return first(own) == first(name) || !title && short
		}
		if !c.heard[t.tokens[at].stem] && !slices.ContainsFunc(c.names, alike) {
			return at
		}
	}
	return -1
}

// calls returns the name with which the clause that begins with token k calls somebody, and
// whether a title stands before it: "Hello Ann,", "Thank you, Ms Lee."; -1 for none.
func (t *turnText) calls(k int) (at int, title bool) {
	if !t.tokens[k].is(opensClause) {
		return -1, false
	}
	at = k
	for at < len(t.tokens) && at < k+2 && isGreeting(t.word(at)) {
		at++
	}
	if at < len(t.tokens) && isTitle(t.word(at)) {
		at, title = at+1, true
	}
	if at >= len(t.tokens) || at > k && t.tokens[at].is(opensClause) && !title || !isNameToken(t, at) {
		return -1, false
	}
	if next := at + 1; next < len(t.tokens) && !t.tokens[next].is(opensClause) || at == 0 {
		return -1, false
	}
	return at, title
}

func isGreeting(word string) bool {
	switch strings.ToLower(word) {
	case "hello", "hi", "hey", "dear", "thanks", "thank", "you", "sorry", "welcome":
		return true
	}
	return false
}

func isTitle(word string) bool {
	switch word {
	case "Mr", "Mrs", "Ms", "Miss", "Dr", "Mx":
		return true
	}
	return false
}
