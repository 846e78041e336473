package heuristics

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// quantity is a number that a turn names, and what it is a number of.
type quantity struct {
	of          uint32 // what it counts: see the units below; otherwise the stem of a noun
	n           uint64 // hundredths
	turn        int32  // index into analysis.turns
	first, last int32  // tokens
	definite    bool   // "the 14 days", "every 12 minutes"
	name        bool   // it is a name, and of is what the name is of: a title, or its last word
}

// What a quantity may count, besides nouns. Dates of one month have a unit of their own.
const (
	ofMoney uint32 = iota + 1
	ofPercent
	ofClock
	ofAge
	ofGuests
	ofTimes // in a day, a week
	ofWeekday
	ofPerson        // a first name
	ofFigure        // nobody knows what, in four digits or more
	ofMonth  uint32 = 16
	ofClass  uint32 = 64      // and the number of a class of words, such as the colours
	ofLabel  uint32 = 1 << 31 // a bit: the name of a seat, a room, a zone
)

// Bounds that keep the time linear: how many quantities of a turn are read, with how many earlier
// ones each new one is compared, from how many it may be worked out, and how many words on each
// side say what it is about.
const (
	mostQuantities = 32
	mostEarlier    = 64
	mostTerms      = 16
	mostNear       = 6
)

// quantitiesOf appends the quantities that turn i names.
func (s *analysis) quantitiesOf(i int, list []quantity) []quantity {
	t, from := &s.turns[i], len(list)
	s.reader.turnText = t
	values := s.valuesOf(i)
	for k := 0; k < len(t.tokens) && len(list)-from < mostQuantities; {
		for len(values) > 0 && int(values[0].last) < k {
			values = values[1:]
		}
		q := quantity{turn: int32(i), first: int32(k), last: int32(k)}
		if len(values) > 0 && int(values[0].first) <= k {
			v := values[0]
			switch {
			case v.slot.kind == clock && !s.reader.joined(k):
				q.of, q.n, q.last = ofClock, uint64(v.n)%(2*halfDay), v.last
			case v.slot.kind == weekday:
				q.of, q.n = ofWeekday, uint64(v.n)
			case v.slot.kind == date && v.n >= 32:
				q.of, q.n, q.last = ofMonth+uint32(v.n/32), 100*uint64(v.n%32), v.last
			case v.slot == (slot{count, unitPeople}) && v.n > 1 && !t.compound(int(v.last)):
				q.of, q.n, q.last = ofGuests, 100*uint64(v.n), v.last
			case v.slot.kind == date:
				q.n, q.last = 100*uint64(v.n%32), v.last
			}
		}
		day := int32(0)
		if t.tokens[k].is(capital) {
			day = weekdayOf(t.word(k)) // also "Mondays"
		}
		if day > 0 {
			q.of, q.n = ofWeekday, uint64(day)
		} else if label := t.codeLabel(k); label >= 0 && label == k-1 && !t.signed(k) {
			q.of, q.n = t.tokens[label].stem|ofLabel, hashWord(t.word(k))
		} else if class := s.lex.members[t.tokens[k].word]; class.of != 0 && q.n == 0 && t.classed(k) {
			q.of, q.n = ofClass+uint32(class.of), uint64(class.n)
		} else if q.n == 0 && t.tokens[k].is(capital) && s.lex.valueOf(t.tokens[k]).kind == wordNone {
			q = s.nameAt(t, q)
		} else if q.n == 0 {
			q = s.quantity(t, q)
		}
		if q.n > 0 && k > 1 && strings.EqualFold(t.word(k-1), "of") &&
			s.lex.valueOf(t.tokens[k-2]).kind == wordParty {
			q.of, q.last = ofGuests, q.first
		}
		if q.n != 0 && !t.isBound(k) {
			q.definite = k > 0 && !t.tokens[k].is(opensClause) &&
				(definite(t.word(k-1)) || strings.EqualFold(t.word(k-1), "every"))
			list = append(list, q)
		}
		k = int(q.last) + 1
	}
	return list
}

// isBound reports whether token k is named as a bound, as in "up to three months".
func (t *turnText) isBound(k int) bool {
	if k == 0 {
		return false
	}
	switch strings.ToLower(t.word(k - 1)) {
	case "than", "least", "most", "within", "under", "over", "maximum", "minimum":
		return true
	case "to":
		return k > 1 && strings.EqualFold(t.word(k-2), "up")
	}
	return false
}

// quantity reads the number of the first token of q: an amount of money, a share, an age, or how
// many there are of what the next word names. Its unit is 0 where there is none.
func (s *analysis) quantity(t *turnText, q quantity) quantity {
	k := int(q.first)
	word := s.lex.valueOf(t.tokens[k])
	switch {
	case t.tokens[k].is(number):
		f, size := t.figure(k)
		q.last = int32(k + size - 1)
		if f.code || size == 1 && strings.ContainsAny(t.word(k), ":") {
			return q
		}
		if q.n = hundredthsIn(t.text[t.tokens[k].start:t.tokens[q.last].end]); f.money || t.signed(k) ||
			t.followedByMoney(int(q.last)) {
			q.of = ofMoney
			return q
		}
	case word.kind == wordNumber:
		q.n = 100 * uint64(word.n)
	case strings.EqualFold(t.word(k), "twice"):
		q.n, q.of = 200, ofTimes
		return q
	default:
		return q
	}
	end := t.tokens[q.last].end
	next := int(q.last) + 1
	follows := next < len(t.tokens) && !t.tokens[next].is(opensClause)
	unit := ""
	if follows {
		unit = strings.ToLower(t.word(next))
	}
	switch {
	case strings.HasPrefix(t.text[end:], "%"):
		q.of = ofPercent
	case unit == "percent":
		q.of, q.last = ofPercent, int32(next)
	case unit == "year" && next+1 < len(t.tokens) && t.word(next+1) == "old",
		unit == "years" && next+1 < len(t.tokens) && t.word(next+1) == "old",
		!follows && k > 0 && !t.tokens[k].is(opensClause) && isAgeOf(t.word(k-1)):
		q.of = ofAge
	case follows && q.n >= 1000 && next+1 < len(t.tokens) &&
		isNameToken(t, next) && isNameToken(t, next+1) &&
		s.lex.valueOf(t.tokens[next]).kind == wordNone && !t.tokens[next+1].is(opensClause):
		q.of, q.last = t.tokens[next].stem|ofLabel, int32(next) // "14 Vine Street"
	case unit == "times":
		q.of, q.last = ofTimes, int32(next)
	case follows && t.tokens[next].content() && !t.tokens[next].is(number|capital) &&
		(q.n == 100 || strings.HasSuffix(unit, "s")):
		q.of, q.last = t.tokens[next].stem&^ofLabel, int32(next)
	case t.tokens[k].is(number) && q.n >= 210000:
		q.of = ofFigure
	}
	return q
}

// classed reports whether token k, of a class of words, says something of a thing: no part of a
// name, and no greeting.
func (t *turnText) classed(k int) bool {
	return !t.tokens[k].is(capital) && (k == 0 || !strings.EqualFold(t.word(k-1), "good"))
}

// nameAt reads the name that begins with the first token of q: one behind a title, or two to four
// words with a capital.
func (s *analysis) nameAt(t *turnText, q quantity) quantity {
	k, to := int(q.first), int(q.first)
	for to+1 < len(t.tokens) && to-k < 3 && isNameToken(t, to+1) &&
		t.tokens[to+1].start == t.tokens[to].end+1 {
		to++
	}
	apart := k == 0 || t.tokens[k].is(opensClause) || !t.tokens[k-1].is(capital)
	switch {
	case to == k && apart && isNameToken(t, k) && s.isFirstName(strings.ToLower(t.word(k))):
		q.of, q.n, q.name = ofPerson, hashWord(t.word(k)), true
	case to == k:
	case isTitle(t.word(k)):
		q.of, q.n, q.last, q.name = t.tokens[k].stem|ofLabel, hashWord(t.word(k+1)), int32(to), true
	case isNameToken(t, k) && !t.tokens[k].is(opensSentence) &&
		(k == 0 || !t.tokens[k-1].is(capital|number)):
		q.of, q.last, q.name = t.tokens[to].stem|ofLabel, int32(to), true
		q.n = hashWord(t.text[t.tokens[k].start:t.tokens[to-1].end])
	}
	return q
}

// compound reports whether a noun goes on behind token k: "four guest houses".
func (t *turnText) compound(k int) bool {
	return k+1 < len(t.tokens) && t.tokens[k+1].content() && !t.tokens[k+1].is(opensClause)
}

// isAgeOf reports whether a bare number behind a word is an age: "he's 11".
func isAgeOf(word string) bool {
	switch strings.ReplaceAll(strings.ToLower(word), "’", "'") {
	case "he's", "she's", "i'm", "aged", "turned", "turns":
		return true
	}
	return false
}

// signed reports whether a sign of money stands before token k.
func (t *turnText) signed(k int) bool {
	before := t.text[:t.tokens[k].start]
	return strings.HasSuffix(before, "$") || strings.HasSuffix(before, "£") ||
		strings.HasSuffix(before, "€")
}

// hundredthsIn reads a number such as 1,200 or 4.90; 0 for one that is too large.
func hundredthsIn(text string) (n uint64) {
	decimals := -1
	for _, c := range []byte(text) {
		switch {
		case c == '.':
			decimals = 0
		case isDigit(c) && decimals < 2:
			n = n*10 + uint64(c-'0')
			if decimals >= 0 {
				decimals++
			}
		}
		if n > 1e12 {
			return 0
		}
	}
	for ; max(decimals, 0) < 2; decimals = max(decimals, 0) + 1 {
		n *= 10
	}
	return n
}

// findDeparts reports the first quantity of each turn of the SYSTEM that departs from one that
// either side has named before of the same thing: nobody has named it, nothing that was named comes
// to it, and the USER has not asked for a change since.
func findDeparts(s *analysis, det *detector) {
	if s.named == nil || len(s.named) > mostGivers { // to clear a large map costs every later dialogue
		s.named = map[[2]uint64]bool{}
	}
	clear(s.named)
	known := s.named
	reported := make([]bool, len(s.turns)+1) // by turn, by another detector
	for _, sig := range s.signals {
		if sig.Points < 0 && strings.HasPrefix(sig.ID, "contradiction-") {
			reported[sig.Turn] = true
		}
	}
	said, items := s.said[:0], s.items[:0]
	defer func() { s.said, s.items = said[:0], items[:0] }()
	for i := range s.turns {
		t := &s.turns[i]
		if t.role == dialogue.Other {
			continue
		}
		items = s.quantitiesOf(i, items[:0])
		if t.role == dialogue.User && t.has.has(det.class) {
			said = said[:0]
		}
		if t.role == dialogue.System && !reported[t.n] && !t.has.meets(&det.unless) {
			if x, y := s.departs(items, said, known); x != nil {
				s.emit(det, i, int(x.first), int(x.last)).About = s.turns[y.turn].n
			}
		}
		for _, x := range items {
			known[x.key()] = true
		}
		if t.role == dialogue.User {
			said = slices.DeleteFunc(said, func(y quantity) bool {
				gone := slices.ContainsFunc(items, func(x quantity) bool { return x.of == y.of && x.n != y.n })
				if gone && y.isClass() {
					delete(known, y.key()) // the USER has chosen another one
				}
				return gone
			})
		}
		said = append(said, items...)
		said = slices.Delete(said, 0, max(0, len(said)-mostEarlier))
	}
}

// personal reports whether a quantity is a fact of the USER's: an age, or how many guests come.
func (q *quantity) personal() bool { return q.of == ofGuests || q.of == ofAge }

// isClass reports whether a quantity is a word of a class.
func (q *quantity) isClass() bool { return q.of > ofClass && q.of < ofClass+64 }

// key is what a quantity has in common with others that may be the same number: "two screens" and
// "two of them".
func (q *quantity) key() [2]uint64 {
	if q.of > 0 && q.of <= ofClock || q.of >= ofWeekday && q.of <= ofPerson ||
		q.of&ofLabel != 0 || q.isClass() {
		return [2]uint64{uint64(q.of), q.n}
	}
	return [2]uint64{0, q.n}
}

// departs returns the first of a turn's quantities that departs from an earlier one.
func (s *analysis) departs(items, said []quantity, known map[[2]uint64]bool) (x, y *quantity) {
	if x, y := s.misadds(items, said); x != nil && !known[x.key()] {
		return x, y
	}
	for k := range items {
		x := &items[k]
		t := &s.turns[x.turn]
		single := x.n == 100 && x.last > x.first && daysOf(t.word(int(x.last))) < 7 // "one photo"
		if x.of == 0 || known[x.key()] || single {
			continue
		}
		if s.lapses(x) {
			if y := outruns(x, said); y != nil {
				return x, y
			}
			continue
		}
		if t.isQuestion(t.sentenceEnd(int(x.first))) || t.negated(int(x.first)) ||
			!x.isClass() && s.bringsUp(x, items, known) ||
			x.of == ofMoney && comesTo(x, items, said) {
			continue
		}
		var best *quantity
		most, tied := 0, false
		for m := len(said) - 1; m >= 0; m-- {
			y := &said[m]
			named := func(z quantity) bool { return z.key() == y.key() }
			if y.of != x.of || slices.ContainsFunc(items, named) {
				continue
			}
			if score := s.alike(x, y, said); score > most {
				best, most, tied = y, score, false
			} else if score == most && best != nil && y.n != best.n && y.turn == best.turn {
				tied = true
			}
		}
		if best != nil && !tied {
			return x, best
		}
	}
	return nil, nil
}

// outruns returns the earlier day that a new day of the same month departs from by another whole
// number of weeks than was named since; nil for none.
func outruns(x *quantity, said []quantity) (y *quantity) {
	weeks := uint64(0)
	for m := len(said) - 1; m >= 0; m-- {
		switch z := &said[m]; {
		case z.of == stemHash([]byte("weeks"))&^ofLabel:
			if weeks != 0 && weeks != z.n {
				return nil
			}
			weeks = z.n
		case z.of == x.of && x.of >= ofMonth && x.of < ofClass && y == nil:
			y = z
		}
	}
	if y == nil || weeks == 0 || x.n <= y.n || (x.n-y.n)%700 != 0 || x.n-y.n == 7*weeks {
		return nil
	}
	return y
}

// lapses reports whether a word near a quantity says that it was another one before.
func (s *analysis) lapses(x *quantity) bool {
	t := &s.turns[x.turn]
	return slices.ContainsFunc(s.near(x), func(tok token) bool {
		switch strings.ToLower(t.text[tok.start:tok.end]) {
		case "now", "new", "again", "longer", "anymore":
			return true
		}
		return false
	})
}

// offering are words with which something else than was asked for is offered.
var offering = [...]string{"only", "but", "however", "instead", "or", "alternatively",
	"unfortunately", "sorry", "largest"}

// bringsUp reports whether the sentence of a quantity speaks of something that was not spoken of
// before: it has a new name or code, another new quantity of another sort, or says that there is
// one.
func (s *analysis) bringsUp(x *quantity, items []quantity, known map[[2]uint64]bool) bool {
	t := &s.turns[x.turn]
	first, last := t.clauseAround(int(x.first), int(x.last))
	if x.of&ofLabel != 0 && !x.name {
		return false
	}
	if x.personal() { // something else than was asked for is offered
		return slices.ContainsFunc(t.around(int(x.first), int(x.last)), func(tok token) bool {
			return slices.Contains(offering[:], strings.ToLower(t.text[tok.start:tok.end]))
		})
	}
	for k := int(x.first); x.name && k < int(x.last); k++ {
		if !isTitle(t.word(k)) && s.spokenOf(t.tokens[k].stem, x.turn-1) {
			return true // a name may be written in another way
		}
	}
	if slices.ContainsFunc(items, func(y quantity) bool {
		inside := int(y.first) >= first && int(y.last) <= last
		return y.of != x.of && y.of != 0 && !known[y.key()] && inside && !t.sets(int(y.last))
	}) {
		return true
	}
	from, to := t.sentenceStart(int(x.first)), t.sentenceEnd(int(x.last))
	if from > 0 && x.of <= ofClock { // "This apartment costs"
		from = t.sentenceStart(from - 1)
	}
	for k := from; k <= to; k++ {
		if k >= int(x.first) && k <= int(x.last) {
			continue
		}
		if a := t.tokens[k]; a.is(capital) && !a.is(opensSentence) && a.content() &&
			s.lex.valueOf(a).kind == wordNone && !s.spokenOf(a.stem, x.turn-1) {
			return true
		}
		switch strings.ToLower(t.word(k)) {
		case "there", "there's", "found", "another", "also", "or":
			if !x.definite {
				return true
			}
		}
	}
	return false
}

// comesTo reports whether an amount is a sum, a difference or a multiple of what was named.
func comesTo(x *quantity, items, said []quantity) bool {
	var amounts, counts []uint64
	for _, list := range [][]quantity{items, said} {
		for m := len(list) - 1; m >= 0; m-- {
			if y := &list[m]; y.of == ofMoney && y != x && y.n != x.n && len(amounts) < mostTerms {
				amounts = append(amounts, y.n)
			} else if y.of != ofMoney && y.of != ofClock && len(counts) < mostTerms {
				counts = append(counts, y.n)
			}
		}
	}
	sum := uint64(0)
	for m, a := range amounts {
		sum += a
		if sum == x.n || a%12 == 0 && a/12 == x.n || a*12 == x.n || a*2 == x.n || a == x.n*2 {
			return true
		}
		for _, b := range amounts[:m] {
			if a+b == x.n || a == b+x.n || b == a+x.n {
				return true
			}
		}
		for _, n := range counts {
			if a*n == 100*x.n || a*100 == n*x.n || a*n == 10000*x.n || a*(10000-min(n, 10000)) == 10000*x.n {
				return true
			}
		}
	}
	return false
}

// clauseAround returns the first and the last token of the clause around those from first to last,
// mostNear of them on each side.
func (t *turnText) clauseAround(first, last int) (from, to int) {
	from, to = first, last
	for from > 0 && !t.tokens[from].is(opensClause) && first-from < mostNear {
		from--
	}
	for to+1 < len(t.tokens) && !t.tokens[to+1].is(opensClause) && to-last < mostNear {
		to++
	}
	return from, to
}

// sets reports whether a length of time sets another time: "five minutes before".
func (t *turnText) sets(last int) bool {
	if last+1 >= len(t.tokens) {
		return false
	}
	switch strings.ToLower(t.word(last + 1)) {
	case "before", "after", "early":
		return true
	}
	return false
}

// near returns the tokens of its clause around a quantity, which say what it is about.
func (s *analysis) near(q *quantity) []token {
	t := &s.turns[q.turn]
	from, to := t.clauseAround(int(q.first), int(q.last))
	return t.tokens[from : to+1]
}

// alike returns how sure it is that x and the earlier y are quantities of the same thing; 0 for
// not.
func (s *analysis) alike(x, y *quantity, said []quantity) int {
	only := !slices.ContainsFunc(said, func(z quantity) bool { return z.of == y.of && z.n != y.n })
	settled := only && (x.definite && !x.isClass() || x.personal() || x.of&ofLabel != 0) && !x.name
	if x.of&ofLabel != 0 && !x.name && x.first == x.last &&
		s.asksSince(s.turns[x.turn].tokens[x.first-1].stem, x.turn, y.turn) {
		return 0
	}
	common, words, values, name := 0, 0, 0, false
	others := s.near(y)
	if only {
		others = s.turns[y.turn].around(int(y.first), int(y.last))
	}
	t := &s.turns[x.turn]
	from, to := t.clauseAround(int(x.first), int(x.last))
	for k := from; k <= to; k++ {
		a := t.tokens[k]
		if valued := a.is(number) || s.lex.valueOf(a).kind == wordRelative; valued &&
			(k < int(x.first) || k > int(x.last)) && withStem(others, a.stem) {
			values++
		}
		if k >= int(x.first) && k <= int(x.last) || !a.content() ||
			a.is(joiner|preposition|auxiliary|modal|number) || strings.EqualFold(t.word(k), "since") ||
			s.lex.valueOf(a).kind != wordNone || a.stem&^ofLabel == x.of {
			continue
		}
		words++
		isName := a.is(capital) && !a.is(opensSentence)
		if withStem(others, a.stem) {
			common++
			name = name || isName
		} else if isName && !s.spokenOf(a.stem, y.turn) ||
			!settled && s.asksSince(a.stem, x.turn, y.turn) {
			return 0
		}
	}
	slip := x.slips(y)
	switch {
	case x.of == ofClock:
		if !slip || y.n%60 == 0 && common == 0 {
			return 0
		}
	case settled:
	case x.of >= ofMonth && x.of < ofClass && only && values > 0:
	case x.isClass():
		if !only || !x.definite || !s.besideAlike(x, y) {
			return 0
		}
	case x.of == ofWeekday:
		told := s.turns[y.turn].role == dialogue.User && s.has(int(y.turn), s.lex.class.ContradictionPast)
		if told || common+values == 0 || 2*common < words && values == 0 {
			return 0
		}
	case x.of == ofFigure:
		if !slip {
			return 0
		}
	case x.of == ofPerson:
		if !only || common+values < 2 {
			return 0
		}
	case x.name && only && common > 0 && 2*common >= words:
	case x.personal() || x.of&ofLabel != 0:
		return 0
	case x.of == ofMoney:
		if !slip && (2*common < words || common < 2) || common == 0 {
			return 0
		}
	case !only && common < 2 || common == 0 || 2*common < words:
		return 0
	}
	score := 1 + 2*(common+values)
	if name {
		score += 2
	}
	if slip {
		score++
	}
	return score
}

// slips reports whether two quantities differ as by a slip of the pen: in one digit, or in two that
// are exchanged; of times, in the hour.
func (x *quantity) slips(y *quantity) bool {
	if x.of == ofClock {
		return x.n%60 == y.n%60
	}
	a, b, places, sum := x.n, y.n, 0, 0
	for ; a > 0 && b > 0; a, b = a/10, b/10 {
		if a%10 != b%10 {
			places++
			sum += int(a%10) - int(b%10)
		}
	}
	return a == b && x.n >= 1000 && (places == 1 || places == 2 && sum == 0)
}

// besideAlike reports whether the same noun is behind two words of a class: "the red van".
func (s *analysis) besideAlike(x, y *quantity) bool {
	t, u := &s.turns[x.turn], &s.turns[y.turn]
	a, b := int(x.last)+1, int(y.last)+1
	return a < len(t.tokens) && b < len(u.tokens) && t.tokens[a].content() &&
		!t.tokens[a].is(opensClause) && t.tokens[a].stem == u.tokens[b].stem
}

// spokenOf reports whether a name is in a turn or one of those shortly before.
func (s *analysis) spokenOf(stem uint32, turn int32) bool {
	for i := turn; i >= max(0, turn-answerTurns); i-- {
		if s.bags.holds(s.turns[i].said, stem) || s.bags.holds(s.turns[i].asked, stem) {
			return true
		}
	}
	return false
}

// asksSince reports whether the USER has asked with a word between the turns of two quantities.
func (s *analysis) asksSince(stem uint32, x, y int32) bool {
	for i := s.turns[x].before[dialogue.User]; i > y; i = s.turns[i].before[dialogue.User] {
		if s.turns[i].asks > 0 && s.bags.holds(s.turns[i].said, stem) {
			return true
		}
	}
	return false
}

// misadds returns the first amount of a turn that a sentence calls the sum of two others or more,
// and that is no sum of what was named; nil for none.
func (s *analysis) misadds(items, said []quantity) (x, first *quantity) {
	parts, named := 0, 0
	for m := len(said) - 1; m >= 0; m-- { // of the last turn that names an amount
		if y := &said[m]; y.of == ofMoney && (first == nil || first.turn == y.turn) {
			first, parts = y, parts+1
		}
	}
	for k := range items {
		if x := &items[k]; x.of == ofMoney {
			t := &s.turns[x.turn]
			same := first != nil && first.turn == x.turn &&
				t.sentenceStart(int(x.first)) == t.sentenceStart(int(first.first))
			if named > 0 && !same || first == nil {
				first, parts = x, 0
			}
			named++
			from := max(int(x.first)-mostNear, t.sentenceStart(int(x.first)))
			to := min(int(x.last)+4, t.sentenceEnd(int(x.last)))
			if parts >= 2 && t.adds(from, to) && !comesTo(x, items[:k], said) {
				return x, first
			}
			parts++
		}
	}
	return nil, nil
}

// adds reports whether one of the tokens from first to last says that an amount is a sum.
func (t *turnText) adds(first, last int) bool {
	for k := first; k <= last; k++ {
		switch strings.ToLower(t.word(k)) {
		case "total", "totals", "totalling", "altogether", "together", "overall", "sum":
			return true
		}
	}
	return false
}
