package heuristics

import (
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
	flipTurns     = 8  // the opposite may have been said
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
			if v.loose || !s.alone(v) {
				continue
			}
			if about := s.contradicts(k); about >= 0 {
				s.emit(det, i, int(v.first), int(v.last)).About = s.turns[about].n
				break
			}
		}
	}
}

// findAgrees reports the first value in each turn of the SYSTEM that the USER has named too. Questions are left out,
// and turns in which another detector found something wrong.
func findAgrees(s *analysis, det *detector) {
	if len(s.values) == 0 {
		return
	}
	wrong := make([]bool, len(s.turns)+1) // by turn
	for _, sig := range s.signals {
		wrong[sig.Turn] = wrong[sig.Turn] || sig.Points < 0 && strings.HasPrefix(sig.ID, "contradiction-")
	}
	for i, t := range s.spoken(dialogue.System) {
		if wrong[t.n] || s.uptakes[i].how != held {
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

// findFlip holds each turn of the SYSTEM against its last ones. The search ends where the USER changes the request.
func findFlip(s *analysis, det *detector) {
	c := &s.lex.class
	for j, t := range s.spoken(dialogue.System) {
		if t.has.meets(&det.unless) {
			continue
		}
		doubted := false
	search:
		for i := j - 1; i >= max(0, j-flipTurns); i-- {
			t := &s.turns[i]
			switch {
			case t.role == dialogue.User:
				doubted = s.has(i, c.ContradictionDoubts)
				changed := s.has(i, c.ContradictionChanges) || s.has(i, c.ReactionRejects) || len(s.valuesOf(i)) > 0
				if changed && !doubted {
					break search
				}
			case t.role != dialogue.System || t.has.meets(&det.unless):
			case s.opposed(i, j, doubted):
				s.emitTurn(det, j, i)
				break search
			}
		}
	}
}

// opposed reports whether turn j says the opposite of turn i: that something that was done could not be; after a USER
// who only doubted, the same after all; or, in the same words, what the other denies.
func (s *analysis) opposed(i, j int, doubted bool) bool {
	c := &s.lex.class
	x, y := s.turns[i].said, s.turns[j].said
	restates := s.has(i, c.ContradictionConfirms)
	if s.has(j, c.ContradictionUndone) && s.completes(i) && !restates && !s.negative(i) ||
		doubted && s.denies(i) && !s.negative(j) && s.bags.shares(x, y) {
		return true
	}
	if x.size() < 2 || y.size() < 2 || restates || s.has(j, c.ContradictionConfirms) || s.bags.far(x, y) {
		return false
	}
	o := s.bags.overlap(x, y)
	return o.common >= 2 && o.atLeast(60) && !o.differ &&
		(s.denies(i) && !s.negative(j) || s.denies(j) && !s.negative(i))
}

// denies reports whether turn i says no to something; "no problem" does not.
func (s *analysis) denies(i int) bool {
	c := &s.lex.class
	return s.has(i, c.OutcomeFailed) || s.has(i, c.OutcomeDenied) && !s.has(i, c.CourtesyAcknowledges)
}

// negative reports whether there is any no in turn i.
func (s *analysis) negative(i int) bool {
	return s.denies(i) || slices.ContainsFunc(s.turns[i].tokens, func(t token) bool { return t.is(negator) })
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

// figure is a number with its unit, a time or a day of the week, in a clause without another one and without a name.
type figure struct {
	turn        int32
	n, unit     uint32 // stems of a number and its unit; what a time or a day is, and its kind
	days        int32  // how long it is, if the unit is one of time
	first, last int32  // tokens of the clause
	moment      bool   // a time or a day
}

// differs reports whether g is another value of what f is one of. Of times, days and lengths of time there are many kinds
// in one conversation, so their clauses must say the same but for the value.
func (s *analysis) differs(f, g figure) bool {
	switch {
	case f.moment:
		return g.moment && f.unit == g.unit && f.n != g.n && s.sameHead(f, g, true)
	case f.unit == g.unit && !g.moment:
		return f.n != g.n && s.sameHead(f, g, false)
	case f.days == 0 || g.days == 0:
		return false
	}
	return 5*max(f.days, g.days) > 6*min(f.days, g.days) && s.sameHead(f, g, true) // four weeks are a month
}

// mostFigures bounds how many earlier figures are compared with each new one.
const mostFigures = 24

// findItself compares the figures of each turn of the SYSTEM with those of its earlier turns.
func findItself(s *analysis, det *detector) {
	figures := s.figures[:0]
	for i, t := range s.turns {
		if t.role == dialogue.User && s.changes(i) {
			figures = figures[:0]
		}
		if t.role != dialogue.System || t.words == 0 {
			continue
		}
		old, reported := len(figures), t.has.meets(&det.unless)
		figures = s.figuresOf(i, figures)
		for _, f := range figures[old:] {
			for _, g := range figures[max(0, old-mostFigures):old] {
				if !reported && s.differs(f, g) {
					s.emit(det, i, int(f.first), int(f.last)).About = s.turns[g.turn].n
					reported = true
				}
			}
		}
	}
	s.figures = figures
}

// changes reports whether the USER's turn i asks for something else. To remind the SYSTEM of its own words is no
// change.
func (s *analysis) changes(i int) bool {
	return !s.has(i, s.lex.class.ContradictionReminds) && !s.has(i, s.lex.class.ContradictionDoubts) &&
		(s.has(i, s.lex.class.ContradictionChanges) || slices.ContainsFunc(s.valuesOf(i), value.names))
}

// figuresOf adds the figures of turn i: clauses with one number and a unit behind it, or one time or day, and no name.
func (s *analysis) figuresOf(i int, figures []figure) []figure {
	t := &s.turns[i]
	for first := 0; first < len(t.tokens); {
		last := first
		for last+1 < len(t.tokens) && !t.tokens[last+1].is(opensClause) {
			last++
		}
		if f := (figure{turn: int32(i), first: int32(first), last: int32(last)}); s.readFigure(t, &f) {
			figures = append(figures, f)
		}
		first = last + 1
	}
	return figures
}

// readFigure reads the only value of a clause; false where there is none, or another one, a name or a question.
func (s *analysis) readFigure(t *turnText, f *figure) bool {
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
	if values != 1 || t.isQuestion(t.sentenceEnd(int(at))) {
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

// sameHead reports whether the clauses of two figures share a word besides their values, or else all words of the one
// that says less.
func (s *analysis) sameHead(f, g figure, all bool) bool {
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

// headOf gives the stems of what the clause of a figure says besides its value.
func (s *analysis) headOf(f figure) (stems []uint32) {
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

// clause is a statement of the SYSTEM: its turn, its tokens and whether there is a no in it.
type clause struct {
	turn, first, last int32
	no                bool
}

// mostClauses bounds how many earlier clauses are compared with each new one.
const mostClauses = 24

// findReverses compares each negative clause of the SYSTEM with its earlier positive ones.
func findReverses(s *analysis, det *detector) {
	clauses := s.clauses[:0]
	for i, t := range s.spoken(dialogue.System) {
		old, reported := len(clauses), t.has.meets(&det.unless)
		clauses = s.clausesOf(i, clauses)
		for _, x := range clauses[old:] {
			for _, y := range clauses[max(0, old-mostClauses):old] {
				if !reported && x.no && !y.no && x.turn-y.turn <= requestTurns && s.reverses(x, y) {
					s.emit(det, i, int(x.first), int(x.last)).About = s.turns[y.turn].n
					reported = true
				}
			}
		}
	}
	s.clauses = clauses
}

// clausesOf adds the clauses of turn i that state something.
func (s *analysis) clausesOf(i int, clauses []clause) []clause {
	t, end := &s.turns[i], -1
	offers := s.hit(i, s.lex.class.UptakeOffers)
	for first := 0; first < len(t.tokens); {
		last, no := first, t.tokens[first].is(negator)
		for last+1 < len(t.tokens) && !t.tokens[last+1].is(opensClause) {
			last++
			no = no || t.tokens[last].is(negator)
		}
		if last > end {
			end = t.sentenceEnd(last)
		}
		if !t.isQuestion(end) && (offers == nil || int(offers.first) > last || int(offers.last) < first) {
			clauses = append(clauses, clause{int32(i), int32(first), int32(last), no})
		}
		first = last + 1
	}
	return clauses
}

// reverses reports whether x denies y: y has at least two words, and half, of what x denies, or x says what y says but for
// the no. If the USER has brought a word of x up in between, x speaks of something else.
func (s *analysis) reverses(x, y clause) bool {
	common, all, shared, words, denied := 0, 0, 0, 0, false // the first two behind the no
	for _, a := range s.turns[x.turn].tokens[x.first : x.last+1] {
		denied = denied || a.is(negator)
		if !a.content() || a.is(negator) {
			continue
		}
		same := func(b token) bool { return a.stem == b.stem }
		known := slices.ContainsFunc(s.turns[y.turn].tokens[y.first:y.last+1], same)
		for k := y.turn + 1; k < x.turn && !known; k++ {
			if s.turns[k].role == dialogue.User && slices.ContainsFunc(s.turns[k].tokens, same) {
				return false
			}
		}
		words++
		if denied {
			all++
		}
		if known {
			shared++
			if denied {
				common++
			}
		}
	}
	return common >= 2 && common*100 >= all*50 || common >= 1 && shared >= 2 && shared == words
}
