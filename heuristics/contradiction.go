package heuristics

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// The contradiction family compares the SYSTEM's statements with those of the USER, and with each
// other.

// findContradicted reports values to which the SYSTEM commits itself and that contradict the
// USER's. They do not include the answer to a question about a time, a day or a number.
func findContradicted(s *analysis, det *detector) {
	c := &s.lex.class
	for i, t := range s.spoken(dialogue.System) {
		if len(s.valuesOf(i)) == 0 || t.has.meets(&det.unless) ||
			!completes(s, i) && !s.has(i, c.ContradictionConfirms) && !s.has(i, det.class) {
			continue
		}
		before := s.before(i, dialogue.User)
		if before >= 0 && s.has(before, c.ContradictionInformed) {
			continue
		}
		for k := t.values.start; k < t.values.end; k++ {
			v := &s.values[k]
			if v.loose || !isAlone(s, v) || isVague(s, v) {
				continue
			}
			if about := contradicts(s, k); about >= 0 {
				s.report(det, v.passage, about)
				break
			}
		}
	}
}

// findAgrees reports the first value in each turn of the SYSTEM that the USER has also mentioned.
// It skips questions and turns in which another detector found an error.
func findAgrees(s *analysis, det *detector) {
	wrong := make([]bool, len(s.turns)+1) // by turn
	for _, sig := range s.signals {
		bad := sig.Points < 0 && strings.HasPrefix(sig.ID, "contradiction-")
		wrong[sig.Turn] = wrong[sig.Turn] || bad
	}
	for i, t := range s.spoken(dialogue.System) {
		if wrong[t.n] || s.uptakes[i].how != held {
			continue
		}
		if f := fromUser(s, i); f != nil {
			s.report(det, f.passage, s.givers[f.as(dialogue.User)])
			continue
		}
		for k := t.values.start; k < t.values.end; k++ {
			v := &s.values[k]
			if v.loose || s.isAsked(v.passage) {
				continue
			}
			if u := namedByUser(s, k); u != nil {
				s.report(det, v.passage, u.turn)
				break
			}
		}
	}
}

// namedByUser returns the last value of the USER that equals values[k], or nil.
func namedByUser(s *analysis, k int) *value {
	v := &s.values[k]
	for u := range earlier(s, k) {
		if s.turns[u.turn].role == dialogue.User && !u.loose && comparable(u, v) &&
			sameValue(s, u, v) {
			return u
		}
	}
	return nil
}

// fromUser returns the first figure of the SYSTEM's turn i, outside its questions, that the USER
// has given, or nil.
func fromUser(s *analysis, i int) *figure {
	for k := range s.figuresOf(i) {
		f := &s.figuresOf(i)[k]
		if f.isSpecific() && !s.isAsked(f.passage) && isKnown(s, f, dialogue.User) {
			return f
		}
	}
	return nil
}

// contradicts returns the USER's turn that values[k] contradicts, or -1. A value that either side
// has mentioned before contradicts nothing unless the USER has corrected it since, nor does one
// that the USER may have given in other words: "make it four", "Tuesday next week". Values in a
// turn that reports an event are not wishes.
func contradicts(s *analysis, k int) int {
	v, c, about := &s.values[k], &s.lex.class, -1
	for u := range earlier(s, k) {
		byUser := s.turns[u.turn].role == dialogue.User
		switch {
		case v.turn-u.turn > requestTurns:
			return about
		case u.turn == v.turn:
		case comparable(u, v) && sameValue(s, u, v), byUser && fits(u, v):
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

// findCorrected reports values that the USER restates. "No" alone may be a change of mind, so then
// the value must have been given before.
func findCorrected(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.User) {
		if !t.has.has(det.class) {
			continue
		}
		for k := t.values.start; k < t.values.end; k++ {
			u := &s.values[k]
			// "four, not two" has one
			firm := func(w *value) bool { return comparable(u, w) && !w.loose }
			if u.loose || countOf(s, u, firm) != 1 {
				continue
			}
			wrong, before := restates(s, k)
			if wrong >= 0 && (before || s.has(i, s.lex.class.ContradictionSaid)) {
				s.report(det, u.passage, wrong)
				break
			}
		}
	}
}

// restates returns the SYSTEM's turn that last mentioned a different value than values[k], or -1,
// and whether the USER gave values[k] before.
func restates(s *analysis, k int) (wrong int, before bool) {
	v := &s.values[k]
	wrong = -1
	for u := range earlier(s, k) {
		switch age := v.turn - u.turn; {
		case age > requestTurns:
			return wrong, before
		case age == 0 || !comparable(u, v):
		case s.turns[u.turn].role == dialogue.User:
			before = before || sameValue(s, u, v)
		case wrong < 0 && (age > answerTurns || u.loose || !isAlone(s, u) || sameValue(s, u, v)):
			return -1, before
		case wrong < 0:
			wrong = u.turn
		}
	}
	return wrong, before
}

// findReminded reports the turn of the SYSTEM after which the USER refers to an earlier one, with a
// phrase such as "you said" and a word that the SYSTEM has used before.
func findReminded(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.User) {
		against := s.before(i, dialogue.System)
		if against < 0 || !s.has(i, s.lex.class.ContradictionReminds) {
			continue
		}
		for k := against; k >= max(0, i-requestTurns); k = s.before(k, dialogue.System) {
			if s.bags.shares(t.said, s.turns[k].said) {
				s.emitTurn(det, against, i)
				break
			}
		}
	}
}

// findItself reports each turn of the SYSTEM with a different value for something than an earlier
// one.
func findItself(s *analysis, det *detector) {
	compareClauses(s, det, readFigure, differs)
}

// differs reports whether y has a different value for the same thing as x. A thing may have several
// times, days and durations, so clauses with these must be equal except for the value.
func differs(s *analysis, x, y *clause) bool {
	switch {
	case x.moment || y.moment:
		return x.moment == y.moment && x.unit == y.unit && x.n != y.n && sameHead(s, x, y, true)
	case x.unit == y.unit:
		return x.n != y.n && sameHead(s, x, y, false)
	case x.days == 0 || y.days == 0:
		return false
	}
	apart := 5*max(x.days, y.days) > 6*min(x.days, y.days) // four weeks are a month
	return apart && sameHead(s, x, y, true)
}

// findReverses reports each turn of the SYSTEM that denies an earlier statement of the SYSTEM.
func findReverses(s *analysis, det *detector) {
	read := func(s *analysis, c *clause) bool {
		c.no = marked(s.wordsOf(c.passage), negator)
		return true
	}
	compareClauses(s, det, read, func(s *analysis, x, y *clause) bool {
		return x.no && !y.no && !x.offers && x.turn-y.turn <= requestTurns && reverses(s, x, y)
	})
}

// compareClauses reports each turn of the SYSTEM with a clause x that contradicts an earlier clause
// y. Only clauses that can be read are compared. Earlier clauses are forgotten when the USER asks
// for something else.
func compareClauses(
	s *analysis, det *detector, read func(*analysis, *clause) bool,
	against func(s *analysis, x, y *clause) bool,
) {
	clauses := s.clauses[:0]
	for i := range s.turns {
		t := &s.turns[i]
		if t.role == dialogue.User && changesRequest(s, i) {
			clauses = clauses[:0]
		}
		if t.role != dialogue.System {
			continue
		}
		old, reported := len(clauses), t.has.meets(&det.unless)
		for c := range clausesOf(s, i) {
			clauses = append(clauses, c)
			x := &clauses[len(clauses)-1] // c would be allocated
			if !read(s, x) {
				clauses = clauses[:len(clauses)-1]
				continue
			}
			for k := max(0, old-maxClauses); k < old && !reported; k++ {
				if against(s, x, &clauses[k]) {
					s.report(det, x.passage, clauses[k].turn)
					reported = true
				}
			}
		}
	}
	s.clauses = clauses
}

// changesRequest reports whether the USER's turn i asks for something else, and does not merely
// remind the SYSTEM of its own words.
func changesRequest(s *analysis, i int) bool {
	return !s.has(i, s.lex.class.ContradictionReminds) &&
		(s.has(i, s.lex.class.ContradictionChanges) || hasValue(s, i))
}

// clausesOf yields the clauses of turn i that are statements.
func clausesOf(s *analysis, i int) iter.Seq[clause] {
	return func(yield func(clause) bool) {
		t, offer := &s.turns[i], s.hit(i, s.lex.class.UptakeOffers)
		for first, last := 0, 0; first < len(t.tokens); first = last + 1 {
			last = t.clauseEnd(first)
			if last-first >= maxWords || t.inQuestion(last) {
				continue
			}
			if !yield(clause{passage: passage{i, first, last}, offers: offer.meets(first, last)}) {
				return
			}
		}
	}
}

// readFigure reads the only value of a clause. It returns false if there is none or more than one,
// or if the clause contains a name.
func readFigure(s *analysis, f *clause) bool {
	if f.offers {
		return false
	}
	t := &s.turns[f.turn]
	values, at, long := 0, 0, uint64(0)
	for k := f.first; k <= f.last; k++ {
		tok := &t.tokens[k]
		if v := moment(s, f.turn, k); v != nil {
			values, at, k = values+1, k, v.last
			f.n, f.unit, f.moment = uint32(v.n)%(2*halfDay), uint32(v.slot.kind), true
		} else if word := s.lex.valueOf(*tok); tok.is(number) {
			values, at, f.n = values+1, k, tok.stem
			long, _ = strconv.ParseUint(t.word(k), 10, 16)
		} else if word.kind == wordNumber && word.n > 1 { // "one" is seldom a number
			values, at, long = values+1, k, uint64(word.n)
			f.n = stemHash(strconv.AppendUint(nil, long, 10))
		} else if tok.isName() {
			return false
		}
	}
	if values != 1 || f.moment {
		return values == 1
	}
	unit := at + 1
	if unit > f.last || !t.tokens[unit].content() {
		return false
	}
	f.unit, f.days = t.tokens[unit].stem, int32(long)*daysOf(t.word(unit))
	return true
}

// daysOf returns the number of days in a unit of time, or 0 for other words.
func daysOf(unit string) int32 {
	switch strings.TrimSuffix(strings.ToLower(unit), "s") {
	case "day":
		return 1
	case "week":
		return 7
	case "month":
		return 30
	case "year":
		return 365
	}
	return 0
}

// moment returns the time or day of the week that begins with token k of turn i, or nil.
func moment(s *analysis, i, k int) *value {
	values := s.valuesOf(i)
	for n := range values {
		v := &values[n]
		if v.first == k && (v.slot.kind == clock || v.slot.kind == weekday) {
			return v
		}
	}
	return nil
}

// sameHead reports whether two clauses share a word in addition to their values. If all is set,
// they must share all words of the shorter clause.
func sameHead(s *analysis, f, g *clause, all bool) bool {
	x, y := headOf(s, f), headOf(s, g)
	if len(x) > len(y) {
		x, y = y, x
	}
	common := 0
	for _, stem := range x {
		if slices.Contains(y, stem) {
			common++
		}
	}
	return common > 0 && (!all || common == len(x))
}

// headOf returns the stems of the words in a clause without its value.
func headOf(s *analysis, f *clause) (stems []uint32) {
	t := &s.turns[f.turn]
	for k := f.first; k <= f.last; k++ {
		tok := t.tokens[k]
		if v := moment(s, f.turn, k); v != nil {
			k = v.last
		} else if tok.content() && !isNumber(s, tok) && tok.stem != f.unit {
			stems = append(stems, tok.stem)
		}
	}
	return stems
}

// reverses reports whether x denies y: y contains at least two words, and half, of what x denies,
// or x equals y except for the negation. If the USER has mentioned a word of x in between, x is
// about something else, unless it denies y plainly.
func reverses(s *analysis, x, y *clause) bool {
	plainly := deniesPlainly(s, x, y)
	if y.offers && !plainly {
		return false
	}
	// common and all are of the words after the negation
	common, all, shared, words, denied := 0, 0, 0, 0, false
	said := s.wordsOf(y.passage)
	for _, a := range s.wordsOf(x.passage) {
		denied = denied || a.is(negator)
		if !a.content() || a.is(negator) {
			continue
		}
		known := withStem(said, a.stem)
		if !known && !plainly && isRaised(s, a.stem, y.turn, x.turn) {
			return false
		}
		words++
		if denied {
			all++
		}
		if known {
			shared++
			if denied && (!a.is(capital) || a.is(opensSentence)) { // a name is not a statement
				common++
			}
		}
	}
	return common >= 2 && common*2 >= all || common >= 1 && shared >= 2 && shared == words
}

// isRaised reports whether the USER mentions a stem between two turns.
func isRaised(s *analysis, stem uint32, from, to int) bool {
	for i := from + 1; i < to; i++ {
		if s.turns[i].role == dialogue.User && s.bags.holds(s.turns[i].said, stem) {
			return true
		}
	}
	return false
}

// deniesPlainly reports whether x says that somebody does not or cannot do what y says: y contains
// the words before the negation of x and the next two after it, the first of which follows the
// negation directly.
func deniesPlainly(s *analysis, x, y *clause) bool {
	t, said := &s.turns[x.turn], s.wordsOf(y.passage)
	denied, words := false, 0
	for k := x.first; k <= x.last; k++ {
		a := &t.tokens[k]
		switch {
		case a.is(negator):
			denied = k < x.last && t.tokens[k+1].content() && !t.is(k, "no")
			if !denied {
				return false
			}
		case !a.content() || !denied && strings.HasSuffix(t.word(k), "ly"): // "unfortunately"
		case !withStem(said, a.stem):
			return false
		case denied:
			if words++; words == 2 {
				return true
			}
		}
	}
	return false
}
