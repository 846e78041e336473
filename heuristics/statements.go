package heuristics

import (
	"iter"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// predicate is a word with an opposite in a statement of the SYSTEM.
type predicate struct {
	clause
	at      int // the token
	side    side
	denied  bool // a negation precedes it
	repeats bool // the sentence claims to repeat an earlier one
}

// maxPredicates is the maximum number of earlier predicates that each new one is compared with.
const maxPredicates = 48

// findOpposite reports the SYSTEM's statements that say the opposite of an earlier one about the
// same thing, at most one per turn.
func findOpposite(s *analysis, det *detector) {
	var said []predicate
	for i, t := range s.spoken(dialogue.System) {
		if !marked(t.tokens, opposed) {
			continue
		}
		reported := t.has.meets(&det.unless)
		for _, p := range predicates(s, i, det) {
			last := said[max(0, len(said)-maxPredicates):]
			for k := 0; k < len(last) && !reported; k++ {
				if opposes(s, &p, &last[k]) {
					s.report(det, p.passage, last[k].turn)
					reported = true
				}
			}
			said = append(said, p)
		}
	}
}

// predicates returns the predicates of turn i.
func predicates(s *analysis, i int, det *detector) (list []predicate) {
	t := &s.turns[i]
	for c := range clausesOf(s, i) {
		for k := c.first; k <= c.last && !c.offers; k++ {
			for _, sd := range s.lex.sidesOf(&t.tokens[k]) {
				denied := t.negated(k) || k > 0 && t.word(k-1) == "non"
				list = append(list, predicate{c, k, sd, denied, claimsToRepeat(s, c.passage, det)})
			}
		}
	}
	return list
}

// claimsToRepeat reports whether the sentence of a passage claims to repeat an earlier statement.
func claimsToRepeat(s *analysis, p passage, det *detector) bool {
	t := &s.turns[p.turn]
	from, to := t.sentenceStart(p.first), t.sentenceEnd(p.last)
	return slices.ContainsFunc(s.hits[t.hits.start:t.hits.end], func(h hit) bool {
		return det.needs.has(h.class) && int(h.first) >= from && int(h.last) <= to
	})
}

// opposes reports whether p says the opposite of the earlier q: they are the two sides of the same
// pair, and both clauses name the thing. Actions since then may have changed the thing.
func opposes(s *analysis, p, q *predicate) bool {
	if p.side.pair != q.side.pair || p.turn == q.turn && p.first == q.first {
		return false
	}
	same := (p.side.second != p.denied) == (q.side.second != q.denied)
	gone := p.side.stays && p.side.second && !q.side.second && !p.denied && !q.denied
	if same || !p.side.keeps && !p.repeats && !gone && !(p.denied && !q.denied) {
		return false
	}
	shared, nouns := sharedThings(s, p, q)
	if moment(s, p.turn, p.first) != nil || shared == 0 {
		return false
	}
	for i := q.turn + 1; i < p.turn && !p.repeats; i++ {
		switch role := s.turns[i].role; {
		case role == dialogue.User && changesRequest(s, i) && nouns < 2,
			role == dialogue.System && completes(s, i):
			return false
		}
	}
	return !slices.ContainsFunc(s.wordsOf(p.passage), func(tok token) bool {
		return s.lex.lapses[tok.word] // "no longer", "now": it was true before
	})
}

// sharedThings returns how many words of the clause of p, other than the predicate, the clause of q
// also contains, and how many of these are neither names nor numbers. If the predicate is negated,
// one of these must precede it: "seating is not available there" denies nothing about other things
// there.
func sharedThings(s *analysis, p, q *predicate) (shared, nouns int) {
	x, y := s.wordsOf(p.passage), s.turns[q.turn].tokens
	isBefore := false
	for k, a := range x {
		if !a.content() || p.first+k == p.at || a.is(opposed) {
			continue
		}
		if !withStem(y[q.first:q.at], a.stem) && !withStem(y[q.at+1:q.last+1], a.stem) {
			continue
		}
		isBefore = isBefore || p.first+k < p.at
		if shared++; !a.is(number) && (!a.is(capital) || a.is(opensSentence)) {
			nouns++
		}
	}
	if p.denied && !isBefore {
		return 0, 0
	}
	return shared, nouns
}

// findAscribes reports where the SYSTEM refers to words that the USER has not said. Of two or more
// ascribed content words the USER said none, the figure differs from all of the USER's figures, or
// the words match except for a negation.
func findAscribes(s *analysis, det *detector) {
	var g userWords
	read := 0
	for h := range s.hitsOf(det.class) {
		i := int(h.turn)
		for ; read < i; read++ {
			g.add(s, read)
		}
		p, t := ascribed(s, h), &s.turns[i]
		if h.negated || t.has.meets(&det.unless) || !isStatement(s, h) || p.first > p.last {
			continue
		}
		if g.lacks(s, p) || turnsRound(s, p) {
			s.emit(det, i, int(h.first), max(p.last, int(h.last)))
		}
	}
}

// ascribed returns the words that a phrase such as "you said" ascribes to the USER: the clause
// after it or, if that has no content words, the words before it, as in "the date you gave me".
func ascribed(s *analysis, h *hit) passage {
	t := &s.turns[h.turn]
	first, to := int(h.last)+1, t.sentenceEnd(int(h.last))
	last := min(t.clauseEnd(min(first, to)), to)
	if slices.ContainsFunc(t.tokens[min(first, to):last+1], token.content) {
		return passage{int(h.turn), first, last}
	}
	return passage{int(h.turn), t.sentenceStart(int(h.first)), int(h.first) - 1}
}

// turnsRound reports whether the SYSTEM's words match a recent clause of the USER except for a
// negation, as in "you said it gets warm" after "it does not get warm". At least two words, and
// most of those ascribed, must match.
func turnsRound(s *analysis, p passage) bool {
	t := &s.turns[p.turn]
	p.last = min(p.last, p.first+maxWords)
	denied := marked(s.wordsOf(p), negator)
	var stems []uint32
	for _, tok := range s.wordsOf(p) {
		if tok.content() && !tok.is(negator) {
			stems = append(stems, tok.stem)
		}
	}
	opposite := false
	j := int(t.before[dialogue.User])
	for turns := 0; j >= 0 && turns < answerTurns; turns++ {
		for from, to := range s.turns[j].clauses() {
			clause := s.turns[j].tokens[from : to+1]
			same := 0
			for _, stem := range stems {
				if withStem(clause, stem) {
					same++
				}
			}
			if same < 2 || 3*same < 2*len(stems) {
				continue
			}
			if marked(clause, negator) == denied {
				return false
			}
			opposite = true
		}
		j = s.before(j, dialogue.User)
	}
	return opposite
}

// clauses yields the first and last token of the first clauses of a turn, each cut after maxWords.
func (t *turnText) clauses() iter.Seq2[int, int] {
	return func(yield func(first, last int) bool) {
		for first := 0; first < min(t.words, maxRead); {
			last := min(t.clauseEnd(first), first+maxWords)
			if !yield(first, last) {
				return
			}
			first = last + 1
		}
	}
}

// userWords holds what the USER has said so far: the stems of content words, and days and times.
type userWords struct {
	stems  map[uint32]bool
	values map[slotValue]uint16 // a bit for each month of a day, or each half of the day of a time
	kinds  [bare + 1]bool       // of values
}

// add adds the content of turn i if it is the USER's.
func (g *userWords) add(s *analysis, i int) {
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

// holds reports whether the USER has given a day or a time, as far as the open parts allow.
func (g *userWords) holds(of slotValue, part int32) bool {
	parts := g.values[of]
	return parts&(1|1<<part) != 0 || part == 0 && parts != 0
}

// lacks reports whether the USER has said nothing of a passage.
func (g *userWords) lacks(s *analysis, p passage) bool {
	for _, v := range s.valuesOf(p.turn) {
		of, part, ok := v.open()
		if ok && p.holds(v.passage) && g.kinds[of.kind] && !g.holds(of, part) {
			return true
		}
	}
	words := 0
	for _, tok := range s.wordsOf(p) {
		if !tok.content() {
			continue
		}
		if words++; g.stems[tok.stem|special] {
			return false
		}
	}
	return words >= 3
}

// things are the stems of charges that may be denied after a figure was named for them.
var things = stemsOf("fee charge deposit surcharge penalty excess")

func stemsOf(words string) (stems []uint32) {
	for word := range strings.FieldsSeq(words) {
		stems = append(stems, stemHash([]byte(word)))
	}
	return stems
}

// charge is a word for one of the things in a statement of the SYSTEM.
type charge struct {
	turn, at int
	none     bool // a negation precedes it; otherwise its sentence contains a figure
}

// maxCharges is the maximum number of earlier charges that each new one is compared with.
const maxCharges = 8

// findNone reports where the SYSTEM says that there is no fee, or no other charge of this kind,
// after it has named a figure for it, or the other way round. Each kind is reported once.
func findNone(s *analysis, det *detector) {
	for _, stem := range things {
		for i := range s.turns {
			if s.says(i, stem) {
				findNoneOf(s, det, stem)
				break
			}
		}
	}
}

func findNoneOf(s *analysis, det *detector, stem uint32) {
	var said []charge
	waived := -1 // the last turn that waives the charge
	for i, t := range s.spoken(dialogue.System) {
		lifts := t.has.has(det.class)
		quiet := lifts || t.has.meets(&det.unless)
		for k, tok := range t.tokens {
			if tok.stem != stem || t.inQuestion(k) {
				continue
			}
			c := charge{i, k, deniesCharge(t, k)}
			figures := s.around(passage{i, k, k})
			if !c.none && (t.negated(k) || !marked(figures, number)) {
				continue
			}
			against := func(d charge) bool {
				return d.none != c.none && waived <= d.turn && ofSameThing(s, &c, &d, stem)
			}
			last := said[max(0, len(said)-maxCharges):]
			if n := slices.IndexFunc(last, against); n >= 0 && !quiet {
				s.report(det, passage{i, max(0, k-1), k}, last[n].turn)
				return
			}
			said = append(said, c)
		}
		if lifts {
			waived = i
		}
	}
}

// deniesCharge reports whether a negation is one or two words before token k, or another negator
// precedes "a" or "any".
func deniesCharge(t *turnText, k int) bool {
	return t.is(k-1, "no") || t.is(k-2, "no") || t.negated(k) && t.is(k-1, "a", "any")
}

// paying are the stems of words that do not specify which charge is denied: "you don't pay any
// deposit".
var paying = stemsOf("pay charge take need ask require cost apply owe")

// deniesAllCharges reports whether the clause of token k only says that there is no such charge.
func deniesAllCharges(t *turnText, k int) bool {
	first, last := k, t.clauseEnd(k)
	for first > 0 && t.goesOn(first) {
		first--
	}
	says := func(tok token) bool {
		return tok.content() && !tok.is(negator) && tok.stem != t.tokens[k].stem &&
			!slices.Contains(paying, tok.stem)
	}
	return last-first < maxWords && !slices.ContainsFunc(t.tokens[first:last+1], says)
}

// ofSameThing reports whether two charges are in different sentences that share a word other than
// the stem, or whether the later one, c, denies every charge of this kind.
func ofSameThing(s *analysis, c, d *charge, stem uint32) bool {
	t := &s.turns[c.turn]
	if c.turn == d.turn && t.sentenceStart(c.at) == t.sentenceStart(d.at) {
		return false
	}
	if c.none && c.turn != d.turn && deniesAllCharges(t, c.at) {
		return true
	}
	others := s.around(passage{d.turn, d.at, d.at})
	return slices.ContainsFunc(s.around(passage{c.turn, c.at, c.at}), func(a token) bool {
		return a.content() && a.stem != stem && !a.is(number) && withStem(others, a.stem)
	})
}
