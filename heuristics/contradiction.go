package heuristics

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// The contradiction family holds what the SYSTEM says against what the USER said, and against itself.

// How far back a contradiction looks, in turns, and a bound on the values in them, which keeps the time linear.
const (
	requestTurns  = 12 // a request is still alive
	answerTurns   = 4  // a correction may speak of it
	requestValues = 48
)

// findContradicted goes through what the SYSTEM commits itself to. The answer to a question about a time, a day or a
// number is the SYSTEM's own to give.
func findContradicted(s *analysis, det *detector) {
	c := &s.lex.class
	for i, t := range s.spoken(dialogue.System) {
		if len(s.valuesOf(i)) == 0 || t.has.meets(&det.unless) ||
			!s.completes(i) && !s.has(i, c.ContradictionConfirms) && !s.has(i, det.class) {
			continue
		}
		if before := s.before(i, dialogue.User); before >= 0 && s.has(before, c.ContradictionInformed) {
			continue
		}
		for k := t.values.start; k < t.values.end; k++ {
			v := &s.values[k]
			if v.loose || !s.alone(v) || s.vague(v) {
				continue
			}
			if about := s.contradicts(k); about >= 0 {
				s.emit(det, i, int(v.first), int(v.last)).About = s.turns[about].n
				break
			}
		}
	}
}

// vague reports whether a count is the end of a range, "two to four days", or the idle "one day".
func (s *analysis) vague(v *value) bool {
	t := &s.turns[v.turn]
	if v.slot == (slot{count, unitDays}) && strings.EqualFold(t.word(int(v.first)), "one") {
		return true
	}
	if v.slot.kind != count || v.first < 2 || !strings.EqualFold(t.word(int(v.first)-1), "to") {
		return false
	}
	from := t.tokens[v.first-2]
	return from.is(number) || s.lex.valueOf(from).kind == wordNumber
}

// findAgrees reports the first value in each turn of the SYSTEM that the USER has named too. Questions are left out,
// and turns in which another detector found something wrong.
func findAgrees(s *analysis, det *detector) {
	wrong := make([]bool, len(s.turns)+1) // by turn
	for _, sig := range s.signals {
		wrong[sig.Turn] = wrong[sig.Turn] || sig.Points < 0 && strings.HasPrefix(sig.ID, "contradiction-")
	}
	for i, t := range s.spoken(dialogue.System) {
		if wrong[t.n] || s.uptakes[i].how != held {
			continue
		}
		if f := s.fromUser(i); f != nil {
			s.emit(det, i, int(f.first), int(f.last)).About = s.turns[s.givers[f.as(dialogue.User)]].n
			continue
		}
	values:
		for k := t.values.start; k < t.values.end; k++ {
			v := &s.values[k]
			if v.loose || t.isQuestion(t.sentenceEnd(int(v.last))) {
				continue
			}
			for back := k - 1; back >= max(0, k-requestValues); back-- {
				u := &s.values[back]
				if s.turns[u.turn].role == dialogue.User && !u.loose && comparable(u, v) && s.same(u, v) {
					s.emit(det, i, int(v.first), int(v.last)).About = s.turns[u.turn].n
					break values
				}
			}
		}
	}
}

// fromUser returns the first figure of the SYSTEM's turn i, outside its questions, that the USER has given; nil for none.
func (s *analysis) fromUser(i int) *figure {
	t := &s.turns[i]
	for k := range s.figuresOf(i) {
		f := &s.figuresOf(i)[k]
		if (f.digits >= 3 || f.money) && !t.isQuestion(t.sentenceEnd(int(f.last))) && s.known(f, dialogue.User) {
			return f
		}
	}
	return nil
}

// alone reports whether v is the only value in its turn that says what it says.
func (s *analysis) alone(v *value) bool {
	return s.countOf(v, func(u *value) bool { return rivals(v, u) }) == 1
}

func (s *analysis) countOf(v *value, fits func(*value) bool) (n int) {
	values := s.valuesOf(int(v.turn))
	for k := range values {
		if fits(&values[k]) {
			n++
		}
	}
	return n
}

// contradicts gives the USER's turn that values[k] goes against, or -1. A value that either side named before
// goes against nothing, unless the USER has set it right since; neither does one that the USER may have given in
// other words: "make it four", "Tuesday next week". Values in a turn that tells what happened are no wish.
func (s *analysis) contradicts(k int) int {
	v := &s.values[k]
	c := &s.lex.class
	about := -1
	for back := k - 1; back >= max(0, k-requestValues); back-- {
		u := &s.values[back]
		turn := int(u.turn)
		byUser := s.turns[turn].role == dialogue.User
		switch {
		case int(v.turn)-turn > requestTurns:
			return about
		case u.turn == v.turn:
		case comparable(u, v) && s.same(u, v), byUser && fits(u, v):
			return -1
		case !byUser || !rivals(u, v):
		case about < 0 && !comparable(u, v):
			return -1
		case u.loose || !comparable(u, v) || !s.alone(u) || s.has(turn, c.ContradictionPast):
		case s.has(turn, c.ContradictionCorrected) || s.has(turn, c.ReactionCorrects): // what was said before is void
			return turn
		case about < 0:
			about = turn
		}
	}
	return about
}

// findCorrected goes through what the USER restates. "No" alone may be a change of mind: then the value has to
// have been given before.
func findCorrected(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.User) {
		if !t.has.has(det.class) {
			continue
		}
		for k := t.values.start; k < t.values.end; k++ {
			u := &s.values[k]
			firm := func(w *value) bool { return comparable(u, w) && !w.loose } // "four, not two" has one
			if u.loose || s.countOf(u, firm) != 1 {
				continue
			}
			wrong, before := s.restates(k)
			if wrong >= 0 && (before || s.has(i, s.lex.class.ContradictionSaid)) {
				s.emit(det, i, int(u.first), int(u.last)).About = s.turns[wrong].n
				break
			}
		}
	}
}

// restates gives the SYSTEM's turn that named another value than values[k] last, or -1, and whether the USER gave
// values[k] before.
func (s *analysis) restates(k int) (wrong int, before bool) {
	v := &s.values[k]
	wrong = -1
	for back := k - 1; back >= max(0, k-requestValues); back-- {
		u := &s.values[back]
		switch age := int(v.turn - u.turn); {
		case age > requestTurns:
			return wrong, before
		case age == 0 || !comparable(u, v):
		case s.turns[u.turn].role == dialogue.User:
			before = before || s.same(u, v)
		case wrong < 0 && (age > answerTurns || u.loose || !s.alone(u) || s.same(u, v)):
			return -1, before
		case wrong < 0:
			wrong = int(u.turn)
		}
	}
	return wrong, before
}

// findReminded reports the turn of the SYSTEM after which the USER refers to an earlier one: with a phrase such as "you
// said" and a word that the SYSTEM has used before.
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

// clause is a clause of a statement of the SYSTEM.
type clause struct {
	turn, first, last int32
	no                bool // there is a no in it
	offers            bool // something is offered in it: "you can cancel"

	// Of its only value: the stems of a number and of the unit behind it, or what a time or a day of the week is and its
	// kind. A unit of 0 stands for no value, another one beside it, or a name.
	n, unit uint32
	days    int32 // how long the value is, if the unit is one of time
	moment  bool  // it is a time or a day
}

// Bounds that keep the time linear: how many earlier clauses are compared with each new one, and how many words one may
// have. A longer one is a list, or no English.
const (
	mostClauses = 24
	mostWords   = 64
)

// findItself reports each turn of the SYSTEM with another value of something than an earlier one.
func findItself(s *analysis, det *detector) {
	s.compareClauses(det, s.readFigure, s.differs)
}

// differs reports whether y has another value of what x has one of. Of times, days and lengths of time there are many kinds
// in one conversation, so their clauses must say the same but for the value.
func (s *analysis) differs(x, y clause) bool {
	switch {
	case x.moment || y.moment:
		return x.moment == y.moment && x.unit == y.unit && x.n != y.n && s.sameHead(x, y, true)
	case x.unit == y.unit:
		return x.n != y.n && s.sameHead(x, y, false)
	case x.days == 0 || y.days == 0:
		return false
	}
	return 5*max(x.days, y.days) > 6*min(x.days, y.days) && s.sameHead(x, y, true) // four weeks are a month
}

// findReverses reports each turn of the SYSTEM that denies what an earlier one states.
func findReverses(s *analysis, det *detector) {
	read := func(c *clause) bool {
		isNo := func(tok token) bool { return tok.is(negator) }
		c.no = slices.ContainsFunc(s.turns[c.turn].tokens[c.first:c.last+1], isNo)
		return true
	}
	s.compareClauses(det, read, func(x, y clause) bool {
		return x.no && !y.no && !x.offers && x.turn-y.turn <= requestTurns && s.reverses(x, y)
	})
}

// compareClauses reports each turn of the SYSTEM with a clause x that goes against an earlier clause y of the SYSTEM, of those
// that can be read. What was said before the USER asks for something else is forgotten.
func (s *analysis) compareClauses(det *detector, read func(*clause) bool, against func(x, y clause) bool) {
	clauses := s.clauses[:0]
	for i := range s.turns {
		t := &s.turns[i]
		if t.role == dialogue.User && s.changes(i) {
			clauses = clauses[:0]
		}
		if t.role != dialogue.System {
			continue
		}
		old, reported := len(clauses), t.has.meets(&det.unless)
		for x := range s.clausesOf(i) {
			if !read(&x) {
				continue
			}
			clauses = append(clauses, x)
			for _, y := range clauses[max(0, old-mostClauses):old] {
				if !reported && against(x, y) {
					s.emit(det, i, int(x.first), int(x.last)).About = s.turns[y.turn].n
					reported = true
				}
			}
		}
	}
	s.clauses = clauses
}

// changes reports whether the USER's turn i asks for something else. To remind the SYSTEM of its own words is no
// change.
func (s *analysis) changes(i int) bool {
	return !s.has(i, s.lex.class.ContradictionReminds) &&
		(s.has(i, s.lex.class.ContradictionChanges) || slices.ContainsFunc(s.valuesOf(i), value.names))
}

// clausesOf yields the clauses of turn i that state something.
func (s *analysis) clausesOf(i int) iter.Seq[clause] {
	return func(yield func(clause) bool) {
		t, end := &s.turns[i], -1
		for first := 0; first < len(t.tokens); {
			last := first
			for last+1 < len(t.tokens) && !t.tokens[last+1].is(opensClause) {
				last++
			}
			if last > end {
				end = t.sentenceEnd(last)
			}
			if last-first < mostWords && !t.isQuestion(end) &&
				!yield(clause{turn: int32(i), first: int32(first), last: int32(last), offers: s.offers(i, first, last)}) {
				return
			}
			first = last + 1
		}
	}
}

// readFigure reads the only value of a clause; false where there is none, or another one, or a name.
func (s *analysis) readFigure(f *clause) bool {
	if f.offers {
		return false
	}
	t := &s.turns[f.turn]
	values, at, long := 0, int32(0), uint64(0)
	for k := f.first; k <= f.last; k++ {
		tok := t.tokens[k]
		if v := s.moment(int(f.turn), k); v != nil {
			values, at, k = values+1, k, v.last
			f.n, f.unit, f.moment = uint32(v.n)%(2*halfDay), uint32(v.slot.kind), true
		} else if word := s.lex.valueOf(tok); tok.is(number) {
			values, at, f.n = values+1, k, tok.stem
			long, _ = strconv.ParseUint(t.text[tok.start:tok.end], 10, 16)
		} else if word.kind == wordNumber && word.n > 1 { // "one" is seldom a number
			values, at, long = values+1, k, uint64(word.n)
			f.n = stemHash(strconv.AppendUint(nil, long, 10))
		} else if tok.is(capital) && !tok.is(opensSentence) && tok.content() {
			return false
		}
	}
	if values != 1 {
		return false
	}
	if unit := at + 1; !f.moment {
		if unit > f.last || !t.tokens[unit].content() {
			return false
		}
		f.unit = t.tokens[unit].stem
		f.days = int32(long) * daysOf(t.text[t.tokens[unit].start:t.tokens[unit].end])
	}
	return true
}

// daysOf is how many days a unit of time has, 0 for other words.
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

// moment gives the time or day of the week that begins with token k of turn i; nil for none.
func (s *analysis) moment(i int, k int32) *value {
	for n := range s.valuesOf(i) {
		v := &s.valuesOf(i)[n]
		if v.first == k && (v.slot.kind == clock || v.slot.kind == weekday) {
			return v
		}
	}
	return nil
}

// sameHead reports whether two clauses share a word besides their values; if all is set, whether they share all words of
// the clause that says less.
func (s *analysis) sameHead(f, g clause, all bool) bool {
	x, y := s.headOf(f), s.headOf(g)
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

// headOf gives the stems of what a clause says besides its value.
func (s *analysis) headOf(f clause) (stems []uint32) {
	t := &s.turns[f.turn]
	for k := f.first; k <= f.last; k++ {
		tok := t.tokens[k]
		if v := s.moment(int(f.turn), k); v != nil {
			k = v.last
		} else if tok.content() && !tok.is(number) && tok.stem != f.unit && s.lex.valueOf(tok).kind != wordNumber {
			stems = append(stems, tok.stem)
		}
	}
	return stems
}

// reverses reports whether x denies y: y has at least two words, and half, of what x denies, or x says what y says but for
// the no. If the USER has brought a word of x up in between, x speaks of something else, unless x denies y plainly.
func (s *analysis) reverses(x, y clause) bool {
	plainly := s.deniesPlainly(x, y)
	if y.offers && !plainly {
		return false
	}
	common, all, shared, words, denied := 0, 0, 0, 0, false // the first two behind the no
	for _, a := range s.turns[x.turn].tokens[x.first : x.last+1] {
		denied = denied || a.is(negator)
		if !a.content() || a.is(negator) {
			continue
		}
		same := func(b token) bool { return a.stem == b.stem }
		known := slices.ContainsFunc(s.turns[y.turn].tokens[y.first:y.last+1], same)
		for k := y.turn + 1; k < x.turn && !known && !plainly; k++ {
			if s.turns[k].role == dialogue.User && s.bags.holds(s.turns[k].said, a.stem) {
				return false
			}
		}
		words++
		if denied {
			all++
		}
		if known {
			shared++
			if denied && (!a.is(capital) || a.is(opensSentence)) { // a name is no statement
				common++
			}
		}
	}
	return common >= 2 && common*100 >= all*50 || common >= 1 && shared >= 2 && shared == words
}

// deniesPlainly reports whether x says that somebody does not or cannot do what y says: y has the words before the no of x
// and the next two behind it, the first of which follows the no.
func (s *analysis) deniesPlainly(x, y clause) bool {
	t, said := &s.turns[x.turn], s.turns[y.turn].tokens[y.first:y.last+1]
	denied, words := false, 0
	for k := x.first; k <= x.last; k++ {
		a := t.tokens[k]
		switch {
		case a.is(negator):
			denied = k < x.last && t.tokens[k+1].content() && !strings.EqualFold(t.word(int(k)), "no")
			if !denied {
				return false
			}
		case !a.content() || !denied && strings.HasSuffix(t.word(int(k)), "ly"): // "unfortunately"
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
