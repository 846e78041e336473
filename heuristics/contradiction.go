package heuristics

import (
	"iter"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// The contradiction family compares the SYSTEM's statements with each other, and with what the USER
// has asked for. Two statements contradict each other if they are about the same thing and only one
// of them can be true: see contradicts. In doubt, they do not.

// clause is a clause in a statement of the SYSTEM.
type clause struct {
	passage
	negator int     // the token that negates it, or -1
	head    []token // what it is about: see headOf
	opposed bool    // it contains a side of a pair of opposites
}

// clausesOf yields the clauses of turn i that are statements, and not read back to be confirmed.
func clausesOf(s *analysis, i int) iter.Seq[clause] {
	return func(yield func(clause) bool) {
		t := &s.turns[i]
		if s.has(i, s.lex.class.WordsFilms) || s.has(i, s.lex.class.ContradictionConfirms) {
			return
		}
		for first, last := 0, 0; first < len(t.tokens); first = last + 1 {
			last = t.clauseEnd(first)
			if last-first >= maxWords || t.inQuestion(last) ||
				t.is(first, "do", "does", "did", "could", "can", "have", "are", "is", "why", "what",
					"how", "or") {
				continue
			}
			c := clause{passage: passage{i, first, last}, negator: -1}
			c.head, c.opposed = headOf(s, &c, small), marked(t.tokens[first:last+1], opposed)
			for k := last; k >= first; k-- {
				if t.tokens[k].is(negator) || t.is(k, "non") || t.is(k, "out") && t.is(k+1, "of") {
					c.negator = k
				}
			}
			if !yield(c) {
				return
			}
		}
	}
}

// findItself reports the first clause in each turn of the SYSTEM that contradicts an earlier one,
// unless the turn reports a deed, which may have changed things.
func findItself(s *analysis, det *detector) {
	clauses := s.clauses[:0]
	s.heads = s.heads[:0]
	for i, t := range s.spoken(dialogue.System) {
		old := len(clauses)
		for c := range clausesOf(s, i) {
			clauses = append(clauses, c)
		}
		if t.has.meets(&det.unless) || s.completes(i) {
			continue
		}
		if x, y := contradiction(s, clauses[old:], clauses[max(0, old-maxClauses):old]); x != nil {
			s.report(det, x.passage, y.turn)
		}
	}
	s.clauses = clauses
}

// contradiction returns the first of some clauses that contradicts one of the earlier ones, and the
// earlier one, or nil.
func contradiction(s *analysis, clauses, earlier []clause) (x, y *clause) {
	for i := range clauses {
		for k := range earlier {
			if contradicts(s, &clauses[i], &earlier[k]) {
				return &clauses[i], &earlier[k]
			}
		}
	}
	return nil, nil
}

// contradicts reports whether x contradicts an earlier clause y: they have different values for the
// same thing, one denies the other, or they contain opposites. Neither sentence may contain a name
// or number that the other turn lacks, and nothing may have changed in between.
func contradicts(s *analysis, x, y *clause) bool {
	return x.turn-y.turn <= requestTurns &&
		(differs(s, x, y) || denies(s, x, y) || denies(s, y, x) || opposes(s, x, y)) &&
		!hasOtherName(s, x, y) && !hasOtherName(s, y, x) && !hasMovedOn(s, x, y)
}

// differs reports whether exactly one value of y has another value in x, and whether their other
// words are the same, as far as y has more. Neither may be an estimate, and no offer differs.
func differs(s *analysis, x, y *clause) bool {
	differing := 0
	ours, theirs := s.valuesIn(x.passage), s.valuesIn(y.passage)
	isOnly := func(list []value, v value) bool {
		return !slices.ContainsFunc(list, func(u value) bool {
			return u.slot == v.slot && u.first != v.first
		})
	}
	for _, a := range ours {
		for _, b := range theirs {
			if a.slot.kind == bare || a.slot.kind == relative || relate(&a, &b) != contrary {
				continue
			}
			if differing++; !isOnly(ours, a) || !isOnly(theirs, b) || isEstimate(s, &a) ||
				isEstimate(s, &b) {
				return false
			}
		}
	}
	return differing == 1 && !s.has(x.turn, s.lex.class.ContradictionOffers) &&
		len(x.head) <= len(y.head) && sameHead(x.head, y.head) && // of no narrower thing or day
		slices.ContainsFunc(ours, value.isDay) == slices.ContainsFunc(theirs, value.isDay)
}

// isEstimate reports whether "about" or another such word precedes a value.
func isEstimate(s *analysis, v *value) bool {
	return s.turns[v.turn].is(v.first-1, "about", "around", "approximately", "roughly", "another",
		"every", "per", "extra", "additional", "only")
}

// small are the words that say nothing about what a statement is about.
const small = negator | number | preposition | joiner

// headOf returns the tokens of the words in a clause without its values and words with a flag.
func headOf(s *analysis, c *clause, except flags) []token {
	t, values := &s.turns[c.turn], s.valuesIn(c.passage)
	start := len(s.heads)
	for k := c.first; k <= c.last; k++ {
		inValue := func(v value) bool {
			return v.slot.kind != bare && v.first <= k && k <= v.last
		}
		tok := t.tokens[k]
		of := s.lex.valueOf(tok)
		if tok.content() && !tok.is(except) && !slices.ContainsFunc(values, inValue) &&
			(of.kind == wordNone || of.kind == wordUnit) &&
			(t.is(k, "monthly", "yearly", "weekly") || !strings.HasSuffix(t.word(k), "ly")) &&
			!t.is(k, "yes", "no", "please", "since", "until", "arrive", "arrives", "come", "comes",
				"lasts", "afraid", "non", "out") {
			s.heads = append(s.heads, tok)
		}
	}
	return s.heads[start:]
}

// sameHead reports whether all words of the shorter of two heads, at least one, are in the other.
func sameHead(x, y []token) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	return len(x) > 0 && !slices.ContainsFunc(x, func(a token) bool { return !withStem(y, a.stem) })
}

// denies reports whether the negated clause x denies y: y, which has no negation, contains all
// words of x, at least two, and not many more. Words before the negation may also be in the
// question that y answers.
func denies(s *analysis, x, y *clause) bool {
	if x.negator < 0 || y.negator >= 0 || s.has(y.turn, s.lex.class.OutcomeFailed) ||
		s.turns[y.turn].is(y.first, "if", "when", "unless") {
		return false
	}
	denied, others := x.head, y.head
	after, asked := 0, s.before(y.turn, dialogue.User)
	for _, a := range denied {
		isAfter := a.start > s.turns[x.turn].tokens[x.negator].start
		if isAfter {
			after++
		}
		if !slices.ContainsFunc(others, func(b token) bool { return alikeWords(s, x, y, a, b) }) &&
			(isAfter || asked < 0 || !s.says(asked, a.stem)) {
			return false
		}
	}
	return after > 0 && len(denied) >= 2 && len(others) <= len(denied)+2
}

// alikeWords reports whether a word of x and one of y have the same stem or begin with the same
// letters, as "dimmed" and "dimmable" do.
func alikeWords(s *analysis, x, y *clause, a, b token) bool {
	if a.stem == b.stem {
		return true
	}
	p := strings.ToLower(s.turns[x.turn].text[a.start:a.end])
	q := strings.ToLower(s.turns[y.turn].text[b.start:b.end])
	same := 0
	for same < min(len(p), len(q)) && p[same] == q[same] {
		same++
	}
	return same >= 4 && 3*same >= 2*min(len(p), len(q))
}

// opposes reports whether x and y contain the two sides of a pair of opposites that a thing does
// not change in a dialogue, and whether their other words are the same.
func opposes(s *analysis, x, y *clause) bool {
	lapsed := func(tok token) bool { return s.lex.lapses[tok.word] } // "no longer", "now"
	isNarrower := s.turns[y.turn].tokens[y.first].is(preposition)    // "In winter it is unheated."
	if !x.opposed || !y.opposed || isNarrower ||
		slices.ContainsFunc(s.turns[x.turn].tokens[x.first:x.last+1], lapsed) {
		return false
	}
	isLimit := false // such as "until December"
	for _, a := range s.valuesIn(x.passage) {
		for _, b := range s.valuesIn(y.passage) {
			if relate(&a, &b) == contrary && !a.loose && !b.loose {
				return false
			}
			isLimit = isLimit || relate(&a, &b) == contrary
		}
	}
	return isOpposite(s, x, y, isLimit) &&
		sameHead(headOf(s, x, small|opposed), headOf(s, y, small|opposed))
}

// isOpposite reports whether x and y contain the two sides of a pair, or one side and its negation.
// Before a noun, as in "a single room", it only says which thing is meant. If they have different
// limits, only a side that a thing never leaves counts.
func isOpposite(s *analysis, x, y *clause, isLimit bool) bool {
	t, said := &s.turns[x.turn], &s.turns[y.turn]
	for k := x.first; k <= x.last; k++ {
		for _, p := range s.lex.sidesOf(&t.tokens[k]) {
			for m := y.first; m <= y.last; m++ {
				for _, q := range s.lex.sidesOf(&said.tokens[m]) {
					if p.pair != q.pair {
						continue
					}
					attribute := func(t *turnText, k int) bool {
						return t.names(k+1) && !t.tokens[k+1].is(small) &&
							s.lex.valueOf(t.tokens[k+1]) == (valueWord{})
					}
					if attribute(t, k) || attribute(said, m) {
						continue
					}
					denied := t.negated(k) || said.negated(m)
					left := p.second && !q.second && p.stays && !denied
					other := p.second != q.second && p.keeps && !denied ||
						p == q && t.negated(k) != said.negated(m)
					if left || other && !isLimit {
						return true
					}
				}
			}
		}
	}
	return false
}

// hasOtherName reports whether the sentence of x contains a name or a number that the turn of y
// lacks.
func hasOtherName(s *analysis, x, y *clause) bool {
	t, values := &s.turns[x.turn], s.valuesOf(x.turn)
	first := max(t.sentenceStart(x.first), x.first-maxAround)
	for k := first; k <= min(t.sentenceEnd(x.last), x.last+maxAround); k++ {
		inValue := func(v value) bool { return v.slot.kind != bare && v.first <= k && k <= v.last }
		if isDistinct(s, t, k) && !s.says(y.turn, t.tokens[k].stem) &&
			!slices.ContainsFunc(values, inValue) {
			return true
		}
	}
	return false
}

// isDistinct reports whether token k tells one thing from another: a name, a code or a number after
// a noun, as in "flight 12".
func isDistinct(s *analysis, t *turnText, k int) bool {
	tok := t.tokens[k]
	return tok.is(coded|number) && (len(t.word(k)) > 2 || k > 0 && t.goesOn(k) &&
		t.tokens[k-1].content() && !t.tokens[k-1].is(small) &&
		s.lex.valueOf(t.tokens[k-1]).kind == wordNone) ||
		tok.isName() && s.lex.valueOf(tok).kind == wordNone
}

// hasMovedOn reports whether, between y and x, the SYSTEM has done something or a turn is about
// something else. If x and y have a name or two words in common, only a wish for another one
// changes that.
func hasMovedOn(s *analysis, x, y *clause) bool {
	c := &s.lex.class
	t := &s.turns[x.turn]
	isNamed := len(x.head) > 1 && len(y.head) > 1
	isSame := len(x.head) == len(y.head) && sameHead(x.head, y.head)
	for k := x.first; k <= x.last; k++ {
		isNamed = isNamed || isDistinct(s, t, k) && s.says(y.turn, t.tokens[k].stem)
	}
	raised := func(v value) bool {
		return slices.ContainsFunc(s.valuesIn(x.passage), func(own value) bool {
			return rivals(&own, &v) && own.slot.kind != bare || fits(&v, &own)
		})
	}
	for i := y.turn + 1; i < x.turn; i++ {
		switch s.turns[i].role {
		case dialogue.System:
			if s.completes(i) || s.has(i, c.OutcomeFailed) {
				return true
			}
		case dialogue.User:
			if s.has(i, c.ContradictionAnother) || len(s.turns[i].tokens) > 0 &&
				s.turns[i].tokens[0].is(negator) || slices.ContainsFunc(s.valuesOf(i), raised) ||
				!isNamed && (!isSame && s.has(i, c.ContradictionChanges) ||
					slices.ContainsFunc(s.valuesOf(i), isComplete)) {
				return true
			}
		}
	}
	read := t.tokens[:min(len(t.tokens), maxRead)]
	return slices.ContainsFunc(read, func(tok token) bool { // a new thing
		return tok.isName() && s.lex.valueOf(tok).kind == wordNone && !isKnownWord(s, tok, x.turn)
	})
}

// isKnownWord reports whether one of the last turns before turn i contains a word.
func isKnownWord(s *analysis, tok token, i int) bool {
	for k := i - 1; k >= max(0, i-requestTurns); k-- {
		if s.says(k, tok.stem) {
			return true
		}
	}
	return false
}

// findContradicted reports values to which the SYSTEM commits itself and that contradict the
// USER's. They do not include the answer to a question about a time, a day or a number.
func findContradicted(s *analysis, det *detector) {
	c := &s.lex.class
	for i, t := range s.spoken(dialogue.System) {
		if len(s.valuesOf(i)) == 0 || t.has.meets(&det.unless) || !confirms(s, i, det) {
			continue
		}
		before := s.before(i, dialogue.User)
		if before >= 0 && s.has(before, c.ContradictionInformed) {
			continue
		}
		for k := t.values.start; k < t.values.end; k++ {
			v := &s.values[k]
			if v.loose || v.isRange() || !isAlone(s, v) {
				continue
			}
			if about := contradictsUser(s, k); about >= 0 {
				s.report(det, v.passage, about)
				break
			}
		}
	}
}

// confirms reports whether the SYSTEM commits itself in turn i to what the USER wants, with a
// phrase of det or another one.
func confirms(s *analysis, i int, det *detector) bool {
	return s.completes(i) || s.has(i, s.lex.class.ContradictionConfirms) || s.has(i, det.class)
}

// contradictsUser returns the USER's turn that values[k] contradicts, or -1. A value that either
// side has mentioned before contradicts nothing unless the USER has corrected it since, nor does
// one that the USER may have given in other words: "make it four", "Tuesday next week". Values in a
// turn that reports an event are not wishes.
func contradictsUser(s *analysis, k int) int {
	v, c, about := &s.values[k], &s.lex.class, -1
	for u := range earlier(s, k) {
		byUser := s.turns[u.turn].role == dialogue.User
		switch {
		case v.turn-u.turn > requestTurns:
			return about
		case u.turn == v.turn:
		case relate(u, v) == agreeing, byUser && fits(u, v):
			return -1
		case !byUser || !rivals(u, v):
		case about < 0 && !comparable(u, v):
			return -1
		case u.loose || !comparable(u, v) || !isAlone(s, u) || s.has(u.turn, c.ContradictionPast):
		case s.has(u.turn, c.ContradictionCorrected) || s.has(u.turn, c.ReactionCorrects):
			return u.turn // earlier statements are void
		case about < 0:
			about = u.turn
		}
	}
	return about
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

// findAgrees reports the value in each turn of the SYSTEM to which it commits itself and which the
// USER has given last. It skips questions, turns in which another detector found an error and
// what the USER disputes.
func findAgrees(s *analysis, det *detector) {
	wrong := make([]bool, len(s.turns)+1) // by turn
	for _, sig := range s.signals {
		bad := sig.Points < 0 && strings.HasPrefix(sig.ID, "contradiction-")
		wrong[sig.Turn] = wrong[sig.Turn] || bad
	}
	for i, t := range s.spoken(dialogue.System) {
		if wrong[t.n] || s.uptakes[i].how != held || t.has.meets(&det.unless) ||
			!confirms(s, i, det) {
			continue
		}
		if f, by := fromUser(s, i); f != nil {
			s.report(det, f.passage, by)
			continue
		}
		var best, said *value
		for k := t.values.start; k < t.values.end; k++ {
			v := &s.values[k]
			if v.loose || v.slot.kind == relative || s.isAsked(v.passage) ||
				s.isUnproven(v.passage) {
				continue
			}
			if u := namedByUser(s, k); u != nil && (said == nil || u.turn > said.turn) {
				best, said = v, u
			}
		}
		if best != nil {
			s.report(det, best.passage, said.turn)
		}
	}
}

// namedByUser returns the last value of the USER that equals values[k], or nil.
func namedByUser(s *analysis, k int) *value {
	v := &s.values[k]
	for u := range earlier(s, k) {
		if s.turns[u.turn].role == dialogue.User && !u.loose && u.slot == v.slot &&
			u.bound == v.bound && relate(u, v) == agreeing {
			return u
		}
	}
	return nil
}

// fromUser returns the first figure that turn i states and the USER has given, and in which turn.
func fromUser(s *analysis, i int) (*figure, int) {
	for k := range s.figuresOf(i) {
		f := &s.figuresOf(i)[k]
		same := func(g figure) bool { return g.value == f.value && g.digits == f.digits }
		stated := f.isSpecific() && !s.isAsked(f.passage)
		for u := i - 1; stated && u >= max(0, i-requestTurns); u-- {
			if s.turns[u].role == dialogue.User && slices.ContainsFunc(s.figuresOf(u), same) {
				return f, u
			}
		}
	}
	return nil, -1
}

// rivals reports whether a and b are about the same thing, even if they are not comparable:
// "Tuesday next week" and "March 5th" may be the same day or not.
func rivals(a, b *value) bool {
	return a.slot == b.slot || a.slot.kind <= date && b.slot.kind <= date
}

// isComplete reports whether v is a complete value of a request. "One" alone is usually a pronoun.
func isComplete(v value) bool { return v.slot.kind < bare || v.slot.kind == bare && v.n != 1 }

// isAlone reports whether no other value in the turn of v can be about the same thing.
func isAlone(s *analysis, v *value) bool {
	return !slices.ContainsFunc(s.valuesOf(v.turn), func(u value) bool {
		return u.first != v.first && rivals(v, &u)
	})
}

// Limits on how far back a contradiction is searched, in turns, and on the values in them, which
// keep the time linear.
const (
	requestTurns  = 12 // a request is still relevant
	requestValues = 48
)

// Limits that keep the time linear: the earlier clauses compared with each new one, and the words
// in a clause. A longer one is a list or not English.
const (
	maxClauses = 24
	maxWords   = 64
)
