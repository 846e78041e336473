package heuristics

import (
	"slices"
	"strings"
)

// A claim is a phrase in which the SYSTEM says that it has done something.

// claim is a statement of the SYSTEM that it has done something.
type claim struct {
	passage
	deeds  deeds
	act    uint32 // the stem of a verb that occurs only in the name of a call, or 0
	any    bool   // it may be any deed
	isSure bool   // it uses a verb
	isOwn  bool   // "I have cancelled it", and not "It has been cancelled"
}

// Limits on claims: the number read in a turn, and the distance in words that is searched around
// one.
const (
	maxClaims  = 16
	claimWords = 24
)

// claimed returns the words in turn i which claim that something is done.
func claimed(s *analysis, i int) (found []passage) {
	c, t := &s.lex.class, &s.turns[i]
	s.matches = s.lex.automata[t.role].scan(t.tokens, s.matches[:0])
	for _, m := range s.matches {
		if m.class == c.OutcomeCompleted || m.class == c.OutcomeActs {
			found = append(found, passage{i, m.first, m.last})
		}
	}
	for n := range t.tokens {
		if first := claimBefore(s, t, n); first < n {
			found = append(found, passage{i, first, n})
		}
	}
	slices.SortStableFunc(found, func(a, b passage) int { return a.first - b.first })
	return found
}

// claims returns the claims in the SYSTEM's turn i, each sentence and deed once.
func claims(s *analysis, i int) (list []claim) {
	if s.has(i, s.lex.class.OutcomeOthers) {
		return nil
	}
	t := &s.turns[i]
	from, to := 0, -1 // the current sentence
	var known deeds   // the deeds it claims already
	isAny := false
	add := func(k claim) {
		if k.deeds&^known != 0 || k.deeds == 0 && !isAny && known == 0 {
			known, isAny = known|k.deeds, isAny || k.deeds == 0
			list = append(list, k)
		}
	}
	for _, p := range claimed(s, i) {
		if len(list) >= maxClaims {
			break
		}
		if p.first > to || p.first < from {
			from, to, known, isAny = t.sentenceStart(p.first), t.sentenceEnd(p.last), 0, false
		}
		if t.negated(p.first) || t.isQuestion(to) || isToCome(s, t, from, p.first) {
			continue
		}
		k := readClaim(s, p, to)
		add(k)
		for n := p.last + 1; n <= min(to, p.last+claimWords); n++ { // "and refunded it"
			if w := toolWordAt(s, t, n); w.said != 0 && continuesClaim(t, n) {
				add(claim{passage{i, n, n}, w.said, 0, false, true, k.isOwn})
			}
		}
	}
	return list
}

// claimBefore returns the start of the claim that ends at token n, such as "I have now paused" or
// "has been paused", or n if there is none.
func claimBefore(s *analysis, t *turnText, n int) int {
	const most = 4 // words such as "now" in between
	word, k := toolWordAt(s, t, n), n-1
	if word.is(claimsAny) && !t.goesOn(n+1) && n > 0 &&
		t.tokens[n-1].is(opensSentence) && t.is(n-1, "all") { // "All done, enjoy it!"
		return n - 1
	}
	if word.said == 0 && !isAct(s, t, n) || t.tokens[n].is(opensSentence) {
		return n
	}
	for k > 0 && n-k <= most && toolWordAt(s, t, k).is(between) && t.goesOn(k+1) {
		k--
	}
	has := func(k int) bool { return k >= 0 && toolWordAt(s, t, k).is(perfect) }
	switch {
	case k < 0:
	case toolWordAt(s, t, k).is(doer):
		return k
	case has(k) && k > 0 && toolWordAt(s, t, k-1).is(doer), t.is(k, "been") && has(k-1):
		return k - 1
	}
	return n
}

// isAct reports whether token n is the past participle of a verb in the name of a call.
func isAct(s *analysis, t *turnText, n int) bool {
	_, is := s.acts[t.tokens[n].stem]
	return is && strings.HasSuffix(t.word(n), "ed")
}

// toolWordAt returns the entry of token k.
func toolWordAt(s *analysis, t *turnText, k int) toolWord {
	word := t.word(k)
	if n := strings.IndexAny(word, "'’‘´`"); n > 0 {
		word = word[:n]
	}
	return s.lex.toolWords[strings.ToLower(word)]
}

// isToCome reports whether, before token k, the sentence that starts at token from says that
// something is still to come: "once I have refunded it".
func isToCome(s *analysis, t *turnText, from, k int) bool {
	for n := max(from, k-claimWords); n < k; n++ {
		if toolWordAt(s, t, n).is(notYet) {
			return true
		}
	}
	return false
}

// continuesClaim reports whether token k continues the claim before it: it follows "and", "also" or
// a comma.
func continuesClaim(t *turnText, k int) bool {
	return !t.goesOn(k) || t.is(k-1, "also", "then") || t.tokens[k-1].is(joiner) && t.is(k-1, "and")
}

// readClaim reads a phrase that claims a deed, in a sentence that ends at token to.
func readClaim(s *analysis, p passage, to int) claim {
	t, k := &s.turns[p.turn], claim{passage: p}
	var nouns deeds
	read := func(n int, verbs bool) {
		w := toolWordAt(s, t, n)
		if k.deeds |= w.said; verbs {
			k.deeds |= w.verb
		}
		nouns |= w.noun
		k.any = k.any || w.is(claimsAny)
		k.isOwn = k.isOwn || w.is(doer)
		if k.act == 0 && isAct(s, t, n) {
			k.act = t.tokens[n].stem
		}
	}
	for n := p.first; n <= p.last; n++ {
		read(n, false)
	}
	first := toolWordAt(s, t, p.first)
	k.isOwn = k.isOwn || first.said != 0 || first.is(claimsAny)
	to = min(to, p.last+claimWords)
	for n := p.last + 1; k.deeds == 0 && n <= to && t.goesOn(n); n++ {
		read(n, k.isOwn && !k.any)
	}
	if k.isSure = k.deeds != 0; !k.isSure {
		k.deeds = nouns
	}
	return k
}

// scopeOf returns the words of the claim's sentence, or the nearest ones if there are many, up to a
// word such as "but".
func scopeOf(s *analysis, k *claim) passage {
	t, p := &s.turns[k.turn], k.passage
	p.first = max(t.sentenceStart(k.first), k.first-claimWords)
	for p.last+1 < len(t.tokens) && p.last < k.last+claimWords {
		if t.tokens[p.last+1].is(opensSentence) || toolWordAt(s, t, p.last+1).is(excepts) {
			break
		}
		p.last++
	}
	return p
}

// claimShares reports whether the sentence of a claim contains a word with one of the stems.
func claimShares(s *analysis, k *claim, stems []uint32) bool {
	return slices.ContainsFunc(s.wordsOf(scopeOf(s, k)), func(tok token) bool {
		return slices.Contains(stems, tok.stem)
	})
}
