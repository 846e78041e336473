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
}

// oppositeLine enters a line of lexicon/words-opposites.txt.
func (l *lexicon) oppositeLine(line string) {
	line, keeps := strings.CutPrefix(line, "! ")
	first, second, found := strings.Cut(line, "|")
	if !found {
		wrong("no | in %q; want two sides", line)
	}
	l.pairs++
	for k, words := range []string{first, second} {
		for word := range strings.FieldsSeq(words) {
			at := l.vocabulary.enter(word, 0)
			l.sides[at] = append(l.sides[at], side{l.pairs, k == 1, keeps})
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
			for k := c.first; k <= c.last; k++ {
				for _, sd := range s.lex.sides[t.tokens[k].word] {
					p := predicate{clause: c, at: k, side: sd, denied: t.negated(int(k)), repeats: s.claimsToRepeat(i, c, det)}
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
	if same || !p.side.keeps && !p.repeats && !(p.denied && !q.denied) {
		return false
	}
	if s.moment(int(p.turn), p.first) != nil || !s.sharesThing(p, q) {
		return false
	}
	for i := int(q.turn) + 1; i < int(p.turn); i++ {
		if t := &s.turns[i]; t.role == dialogue.User && s.changes(i) && !p.repeats || t.role == dialogue.System && s.completes(i) && !p.repeats {
			return false
		}
	}
	return !slices.ContainsFunc(s.turns[p.turn].tokens[p.first:p.last+1], func(tok token) bool {
		return s.lex.lapses[tok.word] // "no longer", "now": it was so before
	})
}

// sharesThing reports whether the clauses of two predicates name the same thing before the predicate or beside it.
func (s *analysis) sharesThing(p, q *predicate) bool {
	x, y := s.turns[p.turn].tokens[p.first:p.last+1], s.turns[q.turn].tokens[q.first:q.last+1]
	for k, a := range x {
		if !a.content() || p.first+int32(k) == p.at || len(s.lex.sides[a.word]) > 0 {
			continue
		}
		for m, b := range y {
			if a.stem == b.stem && q.first+int32(m) != q.at {
				return true
			}
		}
	}
	return false
}

// findAscribes reports where the SYSTEM refers to the USER's words and the USER has said nothing of the kind: of two
// words of content or more none, or another figure than any of the USER's.
func findAscribes(s *analysis, det *detector) {
	for h := range s.hitsOf(det.class) {
		i := int(h.turn)
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
		if first <= last && s.unsaid(i, first, last) {
			s.emit(det, i, int(h.first), max(last, int(h.last)))
		}
	}
}

// unsaid reports whether the USER said nothing of what is in the tokens of turn i from first to last.
func (s *analysis) unsaid(i, first, last int) bool {
	t := &s.turns[i]
	for k := range s.valuesOf(i) {
		v := &s.valuesOf(i)[k]
		if int(v.first) < first || int(v.last) > last || v.slot.kind != date && v.slot.kind != weekday && v.slot.kind != clock {
			continue
		}
		given, other := false, false
		for j := range i {
			if s.turns[j].role != dialogue.User {
				continue
			}
			for m := range s.valuesOf(j) {
				u := &s.valuesOf(j)[m]
				given = given || comparable(u, v) && s.same(u, v)
				other = other || comparable(u, v)
			}
		}
		if other && !given {
			return true
		}
	}
	words, said := 0, 0
	for k := first; k <= last; k++ {
		tok := t.tokens[k]
		if !tok.content() {
			continue
		}
		words++
		for j := range i {
			if s.turns[j].role == dialogue.User && s.bags.holds(s.turns[j].said, tok.stem) {
				said++
				break
			}
		}
	}
	return words >= 3 && said == 0
}

// things are what may be denied after a figure was named for it.
var things = []string{"fee", "charge", "deposit", "surcharge", "penalty", "excess"}

// findNone reports where the SYSTEM says that there is no fee, or another of the things, after it has named a figure for
// one, or the other way round.
func findNone(s *analysis, det *detector) {
	for _, thing := range things {
		stem := stemHash([]byte(thing))
		named, denied := -1, -1 // turns
		for i, t := range s.spoken(dialogue.System) {
			for k, tok := range t.tokens {
				if tok.stem != stem || t.isQuestion(t.sentenceEnd(k)) {
					continue
				}
				none := k > 0 && (strings.EqualFold(t.word(k-1), "no") || k > 1 && strings.EqualFold(t.word(k-2), "no"))
				figures := s.figureIn(i, t.sentenceStart(k), t.sentenceEnd(k))
				quiet := t.has.has(det.class) || t.has.meets(&det.unless) || s.waivedSince(max(named, denied), i, det)
				switch {
				case none && named >= 0 && !quiet && s.ofSameThing(i, k, named, stem):
					s.emit(det, i, k-1, k).About = s.turns[named].n
					return
				case !none && figures && denied >= 0 && !quiet && !t.negated(k) && s.ofSameThing(i, k, denied, stem):
					s.emit(det, i, k, k).About = s.turns[denied].n
					return
				case none:
					denied = i
				case figures && !t.negated(k):
					named = i
				}
			}
		}
	}
}

// ofSameThing reports whether the sentence of token k of turn i shares a word other than the stem with one of turn j that
// has the stem.
func (s *analysis) ofSameThing(i, k, j int, stem uint32) bool {
	t, u := &s.turns[i], &s.turns[j]
	for m, tok := range u.tokens {
		if tok.stem != stem {
			continue
		}
		others := u.tokens[u.sentenceStart(m) : u.sentenceEnd(m)+1]
		for _, a := range t.tokens[t.sentenceStart(k) : t.sentenceEnd(k)+1] {
			if a.content() && a.stem != stem && !a.is(number) &&
				slices.ContainsFunc(others, func(b token) bool { return a.stem == b.stem }) {
				return true
			}
		}
	}
	return false
}

// waivedSince reports whether a turn of the SYSTEM between two others lifts what was named.
func (s *analysis) waivedSince(from, to int, det *detector) bool {
	for i := from + 1; i < to; i++ {
		if s.turns[i].has.has(det.class) {
			return true
		}
	}
	return false
}

// figureIn reports whether the tokens of turn i from first to last hold a number or an amount.
func (s *analysis) figureIn(i, first, last int) bool {
	return slices.ContainsFunc(s.turns[i].tokens[first:last+1], func(tok token) bool { return tok.is(number) })
}
