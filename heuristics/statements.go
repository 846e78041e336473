package heuristics

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// side is what a word says of a thing: which pair of opposites it belongs to, and which side of it.
type side struct {
	pair   uint8 // from 1; 0 for a word of no pair
	second bool
	keeps  bool // a thing never changes its side
	stays  bool // a thing never goes over from the first side
}

// oppositeLine enters a line of lexicon/words-opposites.txt.
func (l *lexicon) oppositeLine(line string) {
	line, keeps := strings.CutPrefix(line, "! ")
	line, stays := strings.CutPrefix(line, "> ")
	first, second, found := strings.Cut(line, "|")
	if !found {
		wrong("no | in %q; want two sides", line)
	}
	l.pairs++
	for k, words := range []string{first, second} {
		for word := range strings.FieldsSeq(words) {
			at := l.vocabulary.enter(word, 0)
			l.sides[at] = append(l.sides[at], side{l.pairs, k == 1, keeps, stays})
		}
	}
}

// lapseLine enters a line of lexicon/words-lapses.txt.
func (l *lexicon) lapseLine(line string) {
	for word := range strings.FieldsSeq(line) {
		l.lapses[l.vocabulary.enter(word, 0)] = true
	}
}

// predicate is a word of a statement of the SYSTEM that has an opposite.
type predicate struct {
	clause
	at      int32 // the token
	side    side
	denied  bool // a no stands before it
	repeats bool // the sentence claims to repeat an earlier one
}

// maxPredicates bounds how many earlier predicates each new one is compared with.
const maxPredicates = 48

// findOpposite reports the SYSTEM's statements that say the opposite of an earlier one of the same thing.
func findOpposite(s *analysis, det *detector) {
	var said []predicate
	for i := range s.turns {
		t := &s.turns[i]
		if t.role != dialogue.System {
			continue
		}
		corrects := t.has.meets(&det.unless)
		reported := corrects
		for c := range s.clausesOf(i) {
			if c.offers {
				continue
			}
			for k := c.first; k <= c.last; k++ {
				for _, sd := range s.lex.sides[t.tokens[k].word] {
					p := predicate{clause: c, at: k, side: sd, denied: t.negated(int(k)) || k > 0 && t.word(int(k)-1) == "non", repeats: s.claimsToRepeat(i, c, det)}
					for _, q := range said[max(0, len(said)-maxPredicates):] {
						if !reported && s.opposes(&p, &q) {
							s.emit(det, i, int(c.first), int(c.last)).About = s.turns[q.turn].n
							reported = true
						}
					}
					said = append(said, p)
				}
			}
		}
	}
}

// claimsToRepeat reports whether the sentence of a clause claims to repeat an earlier statement.
func (s *analysis) claimsToRepeat(i int, c clause, det *detector) bool {
	t := &s.turns[i]
	from, to := t.sentenceStart(int(c.first)), t.sentenceEnd(int(c.last))
	return slices.ContainsFunc(s.hits[t.hits.start:t.hits.end], func(h hit) bool {
		return det.needs.has(h.class) && int(h.first) >= from && int(h.last) <= to
	})
}

// opposes reports whether p says the opposite of the earlier q: the same pair of words, one side of it each, and a word
// that names the thing in both clauses. What was done since may have changed the thing.
func (s *analysis) opposes(p, q *predicate) bool {
	if p.side.pair != q.side.pair || p.turn == q.turn && p.first == q.first {
		return false
	}
	same := (p.side.second != p.denied) == (q.side.second != q.denied)
	gone := p.side.stays && p.side.second && !q.side.second && !p.denied && !q.denied
	if same || !p.side.keeps && !p.repeats && !gone && !(p.denied && !q.denied) {
		return false
	}
	shared, nouns := s.sharedThings(p, q)
	if s.moment(int(p.turn), p.first) != nil || shared == 0 {
		return false
	}
	for i := int(q.turn) + 1; i < int(p.turn) && !p.repeats; i++ {
		t := &s.turns[i]
		if t.role == dialogue.User && s.changes(i) && nouns < 2 || t.role == dialogue.System && s.completes(i) {
			return false
		}
	}
	return !slices.ContainsFunc(s.turns[p.turn].tokens[p.first:p.last+1], func(tok token) bool {
		return s.lex.lapses[tok.word] // "no longer", "now": it was so before
	})
}

// sharedThings counts the words in the clause of p, before the predicate or beside it, that the clause of q has too, and of
// these the ones that are neither names nor numbers. Of what is denied one must stand before the predicate: "seating is
// not available there" denies nothing of other things there.
func (s *analysis) sharedThings(p, q *predicate) (shared, nouns int) {
	x, y := s.turns[p.turn].tokens[p.first:p.last+1], s.turns[q.turn].tokens[q.first:q.last+1]
	before := false
	for k, a := range x {
		if !a.content() || p.first+int32(k) == p.at || len(s.lex.sides[a.word]) > 0 {
			continue
		}
		for m, b := range y {
			if a.stem == b.stem && q.first+int32(m) != q.at {
				before = before || p.first+int32(k) < p.at
				if shared++; !a.is(number) && (!a.is(capital) || a.is(opensSentence)) {
					nouns++
				}
				break
			}
		}
	}
	if p.denied && !before {
		return 0, 0
	}
	return shared, nouns
}

// findAscribes reports where the SYSTEM refers to the USER's words and the USER has said nothing of the kind: of two
// words of content or more none, another figure than any of the USER's, or the same but for a no.
func findAscribes(s *analysis, det *detector) {
	if len(s.of[det.class]) == 0 {
		return
	}
	var g given
	read := 0
	for h := range s.hitsOf(det.class) {
		i := int(h.turn)
		for ; read < i; read++ {
			g.add(s, read)
		}
		t := &s.turns[i]
		to := t.sentenceEnd(int(h.last))
		if h.negated || t.has.meets(&det.unless) || t.isQuestion(to) {
			continue
		}
		first, last := int(h.last)+1, to
		for k := first; k <= to; k++ { // the clause that is ascribed ends at a comma
			if k > first && t.tokens[k].is(opensClause) {
				last = k - 1
				break
			}
		}
		if !slices.ContainsFunc(t.tokens[min(first, to):last+1], token.content) { // "the date you gave me" ends its clause: what stands before it is ascribed
			first, last = t.sentenceStart(int(h.first)), int(h.first)-1
		}
		if first <= last && (g.lacks(s, i, first, last) || s.turnsRound(i, first, last)) {
			s.emit(det, i, int(h.first), max(last, int(h.last)))
		}
	}
}

// turnsRound reports whether the tokens of turn i from first to last say what a recent clause of the USER says but for a no:
// "you said it gets warm" of what does not get warm. Two words, and most of those that are ascribed, must be the same.
func (s *analysis) turnsRound(i, first, last int) bool {
	t := &s.turns[i]
	last = min(last, first+mostWords)
	denied, words := false, 0
	for _, tok := range t.tokens[first : last+1] {
		denied = denied || tok.is(negator)
		if tok.content() && !tok.is(negator) {
			words++
		}
	}
	opposite := false
	for j, turns := t.before[dialogue.User], 0; j >= 0 && turns < answerTurns; j, turns = s.turns[j].before[dialogue.User], turns+1 {
		u := &s.turns[j]
		for from := 0; from < min(u.words, mostRead); {
			to, no := from, u.tokens[from].is(negator)
			for to+1 < u.words && !u.tokens[to+1].is(opensClause) && to-from < mostWords {
				to++
				no = no || u.tokens[to].is(negator)
			}
			same := 0
			for _, tok := range t.tokens[first : last+1] {
				if tok.content() && !tok.is(negator) && withStem(u.tokens[from:to+1], tok.stem) {
					same++
				}
			}
			if alike := same >= 2 && 3*same >= 2*words; alike && no == denied {
				return false
			} else if alike {
				opposite = true
			}
			from = to + 1
		}
	}
	return opposite
}

// given is what the USER has said so far: the stems of words of content, and days and times.
type given struct {
	stems  map[uint32]bool
	values map[slotValue]uint16 // a bit for each month of a day, or each half of the day of a time
	kinds  [bare + 1]bool       // of values
}

// slotValue is a value but for the part of it that may be left open: the month of a date, the half of the day.
type slotValue struct {
	kind valueKind
	n    int32
}

// open takes a day or a time apart: what is always said, and the part that may be left open, 0 if it is.
func (v *value) open() (of slotValue, part int32, ok bool) {
	switch v.slot.kind {
	case weekday:
		return slotValue{weekday, v.n}, 0, true
	case date:
		return slotValue{date, v.n % 32}, v.n / 32, true
	case clock:
		return slotValue{clock, v.n % (2 * halfDay)}, v.n / (2 * halfDay), true
	}
	return slotValue{}, 0, false
}

// add enters what turn i says, if it is the USER's.
func (g *given) add(s *analysis, i int) {
	if s.turns[i].role != dialogue.User {
		return
	}
	if g.stems == nil {
		g.stems, g.values = map[uint32]bool{}, map[slotValue]uint16{}
	}
	for _, stem := range s.bags.of(s.turns[i].said) {
		g.stems[stem|special] = true
	}
	for _, v := range s.valuesOf(i) {
		if of, part, ok := v.open(); ok {
			g.values[of] |= 1 << part
			g.kinds[of.kind] = true
		}
	}
}

// holds reports whether the USER has given a day or a time, as far as can be told.
func (g *given) holds(of slotValue, part int32) bool {
	parts := g.values[of]
	return parts&(1|1<<part) != 0 || part == 0 && parts != 0
}

// lacks reports whether the USER said nothing of what is in the tokens of turn i from first to last.
func (g *given) lacks(s *analysis, i, first, last int) bool {
	for _, v := range s.valuesOf(i) {
		if int(v.first) < first || int(v.last) > last {
			continue
		}
		if of, part, ok := v.open(); ok && g.kinds[of.kind] && !g.holds(of, part) {
			return true
		}
	}
	words := 0
	for _, tok := range s.turns[i].tokens[first : last+1] {
		if !tok.content() {
			continue
		}
		if words++; g.stems[tok.stem|special] {
			return false
		}
	}
	return words >= 3
}

// things are what may be denied after a figure was named for it.
var things = []string{"fee", "charge", "deposit", "surcharge", "penalty", "excess"}

// charge is a word for one of the things in a statement of the SYSTEM.
type charge struct {
	turn, at int32
	none     bool // a no stands before it; otherwise a figure is in its sentence
}

// mostCharges bounds how many earlier charges of one thing each new one is compared with.
const mostCharges = 8

// findNone reports where the SYSTEM says that there is no fee, or another of the things, after it has named a figure for
// one, or the other way round. Each thing is reported once.
func findNone(s *analysis, det *detector) {
	for _, thing := range things {
		s.findNoneOf(det, stemHash([]byte(thing)))
	}
}

func (s *analysis) findNoneOf(det *detector, stem uint32) {
	var said []charge
	waived := -1 // the last turn that lifts what was named
	for i := range s.turns {
		t := &s.turns[i]
		if t.role != dialogue.System {
			continue
		}
		lifts := t.has.has(det.class)
		quiet := lifts || t.has.meets(&det.unless)
		for k, tok := range t.tokens {
			if tok.stem != stem || t.isQuestion(t.sentenceEnd(k)) {
				continue
			}
			c := charge{int32(i), int32(k), t.denies(k)}
			if !c.none && (t.negated(k) || !t.figureAround(k)) {
				continue
			}
			against := func(d charge) bool {
				return d.none != c.none && waived <= int(d.turn) && s.ofSameThing(&c, &d, stem)
			}
			last := said[max(0, len(said)-mostCharges):]
			if n := slices.IndexFunc(last, against); n >= 0 && !quiet {
				s.emit(det, i, max(0, k-1), k).About = s.turns[last[n].turn].n
				return
			}
			said = append(said, c)
		}
		if lifts {
			waived = i
		}
	}
}

// denies reports whether a no stands one or two words before token k, or another negator before "a" or "any".
func (t *turnText) denies(k int) bool {
	is := func(k int, word string) bool { return k >= 0 && strings.EqualFold(t.word(k), word) }
	return is(k-1, "no") || is(k-2, "no") || t.negated(k) && (is(k-1, "a") || is(k-1, "any"))
}

// paying are words that say nothing of which charge is denied: "you don't pay any deposit".
var paying = []string{"pay", "charge", "take", "need", "ask", "require", "cost", "apply", "owe"}

// deniesAll reports whether the clause of token k says nothing but that there is no such charge.
func (t *turnText) deniesAll(k int) bool {
	first, last := k, k
	for first > 0 && !t.tokens[first].is(opensClause) {
		first--
	}
	for last+1 < len(t.tokens) && !t.tokens[last+1].is(opensClause) {
		last++
	}
	return last-first < mostWords && !slices.ContainsFunc(t.tokens[first:last+1], func(tok token) bool {
		return tok.content() && !tok.is(negator) && tok.stem != t.tokens[k].stem &&
			!slices.ContainsFunc(paying, func(word string) bool { return tok.stem == stemHash([]byte(word)) })
	})
}

// ofSameThing reports whether two charges stand in sentences of their own that share a word other than the stem, or the
// later one, c, denies that there is any.
func (s *analysis) ofSameThing(c, d *charge, stem uint32) bool {
	if c.turn == d.turn && s.turns[c.turn].sentenceStart(int(c.at)) == s.turns[d.turn].sentenceStart(int(d.at)) {
		return false
	}
	if c.none && c.turn != d.turn && s.turns[c.turn].deniesAll(int(c.at)) {
		return true
	}
	others := s.turns[d.turn].around(int(d.at), int(d.at))
	return slices.ContainsFunc(s.turns[c.turn].around(int(c.at), int(c.at)), func(a token) bool {
		return a.content() && a.stem != stem && !a.is(number) && withStem(others, a.stem)
	})
}

// figureAround reports whether the sentence of token k has a number.
func (t *turnText) figureAround(k int) bool {
	return slices.ContainsFunc(t.around(k, k), func(tok token) bool { return tok.is(number) })
}
