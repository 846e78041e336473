package heuristics

import (
	"iter"
	"slices"

	"assize/rubric/dialogue"
)

// The tool family compares what the SYSTEM says with the calls and results of its tools.

// record holds the effect of the calls up to a turn. Calls are identified by their index, or -1.
type record struct {
	calls []toolCall
	last  [maxDeeds]int // the last call by deed
	// the number of the last turn in which the USER names the deed, by deed
	asked       [maxDeeds]int
	since       int   // the first call since the USER spoke
	change      int   // the last call that changes something
	anyDeed     int   // the last call whose verb may do any deed
	mentioned   deeds // by calls that change something
	returned    deeds // in the results of calls
	returnedAny bool  // a result has a word that claims any deed
	userWanted  deeds // requested by the USER
}

// readTools compares each claim of the SYSTEM with the calls before it. The time is linear, because
// each claim is compared with the last call for its deed and a few others.
func readTools(s *analysis) {
	if s.rulings = s.rulings[:0]; len(s.tools) == 0 {
		return
	}
	s.acts = map[uint32]int{}
	r := &record{change: -1, anyDeed: -1}
	for d := range r.last {
		r.last[d] = -1
	}
	for i := range s.turns {
		switch t := &s.turns[i]; t.role {
		case dialogue.Other:
			for n := len(r.calls); n < len(s.tools) && s.tools[n].Call == t.n; n++ {
				c := s.lex.readCall(&s.tools[n])
				if r.add(c); c.act != 0 {
					s.acts[c.act] = n
				}
			}
		case dialogue.User:
			r.since = len(r.calls)
			eachWord(t.text, func(word string) {
				w := s.lex.toolWords[word]
				r.userWanted |= w.verb | w.said | w.noun
				w.verb.each(func(d int) { r.asked[d] = t.n })
			})
		case dialogue.System:
			var found [differing + 1]bool
			for _, k := range claims(s, i) {
				if v := judgeClaim(s, r, &k); v.kind != open && !found[v.kind] {
					found[v.kind] = true
					s.rulings = append(s.rulings, v)
				}
			}
		}
	}
}

// add adds the next call.
func (r *record) add(c toolCall) {
	n := len(r.calls)
	r.calls = append(r.calls, c)
	r.returned, r.returnedAny = r.returned|c.mentioned, r.returnedAny || c.mentionsAny
	if !c.changes {
		return
	}
	c.deeds.each(func(d int) { r.last[d] = n })
	if r.change, r.mentioned = n, r.mentioned|c.mentioned; c.any {
		r.anyDeed = n
	}
}

// recent yields the calls since the USER spoke, from the one with index last backwards, at most
// maxMeant calls back.
func (r *record) recent(last int) iter.Seq2[int, *toolCall] {
	return func(yield func(int, *toolCall) bool) {
		for n := last; n >= max(r.since, last-maxMeant); n-- {
			if !yield(n, &r.calls[n]) {
				return
			}
		}
	}
}

// judgeClaim compares a claim with the last call for its deed before it, or otherwise with the
// calls since the USER spoke.
func judgeClaim(s *analysis, r *record, k *claim) ruling {
	v := ruling{passage: k.passage}
	by, again := -1, 0 // the call, and the last turn in which the USER asked for the deed
	if at, isAct := s.acts[k.act]; isAct && k.deeds == 0 {
		by = at
	}
	k.deeds.each(func(d int) { by, again = max(by, r.last[d]), max(again, r.asked[d]) })
	switch {
	case by >= 0 && k.deeds == 0:
		v.kind = r.outcomeOf(by, k)
	case by >= 0:
		by = callMeant(s, r, k, by)
		v.kind = r.outcomeOf(by, k)
		if by >= 0 && v.kind == proven && by < r.since && again > r.calls[by].Call {
			v.kind = open
		}
	case k.deeds == 0 || !k.isSure:
		v.kind, by = judgeAny(s, r, k)
	case r.anyDeed >= r.since:
		by = r.anyDeed
		if v.kind = r.outcomeOf(by, k); v.kind == proven && !claimShares(s, k, r.calls[by].nouns) {
			v.kind = open
		}
	case r.mentioned&k.deeds != 0:
	case !k.isOwn && (r.returned&k.deeds != 0 || r.userWanted&k.deeds == 0):
		// it repeats what it has read
	default:
		if by = likelyCall(s, r, k); by < 0 {
			v.kind = unproven
		} else if v.kind = r.outcomeOf(by, k); v.kind == proven {
			v.kind = open
		}
	}
	if by >= 0 && v.kind != open {
		v.about = max(r.calls[by].Call, r.calls[by].Result)
	}
	if v.kind == proven && by >= 0 && hasOtherFigure(s, &r.calls[by], k) {
		v.kind = differing
	}
	return v
}

// likelyCall returns the last call since the USER spoke that changes something and has a word of
// the object of a claim, although its name has another verb. It returns -1 if there is none.
func likelyCall(s *analysis, r *record, k *claim) int {
	t, p := &s.turns[k.turn], scopeOf(s, k)
	for n := p.first; n < k.first; n++ { // the object of another deed counts for that deed
		if toolWordAt(s, t, n).said != 0 {
			p.first = k.first
		}
	}
	for n := k.last + 1; n <= p.last; n++ {
		if toolWordAt(s, t, n).said != 0 {
			p.last = n - 1
		}
	}
	for n, c := range r.recent(r.change) {
		isAbout := func(tok token) bool {
			return slices.Contains(c.nouns, tok.stem) || slices.Contains(c.codes, tok.stem)
		}
		if c.changes && slices.ContainsFunc(s.wordsOf(p), isAbout) {
			return n
		}
	}
	return -1
}

// judgeAny judges a claim that names no deed by the last call that changes something since the USER
// spoke, or by the last one that shares a word with its sentence.
func judgeAny(s *analysis, r *record, k *claim) (rulingKind, int) {
	if r.change < r.since {
		isNews := k.isOwn || !r.returnedAny && r.userWanted != 0
		if k.any && isNews && r.change < 0 {
			return unproven, -1
		}
		return open, -1
	}
	by, isShared, isMixed := r.change, false, false
	for n, c := range r.recent(r.change) {
		if isShared = c.changes &&
			(claimShares(s, k, c.nouns) || claimShares(s, k, c.codes)); isShared {
			by = n
		}
		isMixed = isMixed || c.changes && c.Failed != r.calls[by].Failed
		if isShared {
			break
		}
	}
	kind := r.outcomeOf(by, k)
	if !isShared && (kind == refuted && !k.isOwn && !k.any || kind == proven && !k.any ||
		isMixed && admits(s, k.turn)) {
		kind = open
	}
	return kind, by
}

// admits reports whether turn i says that something failed.
func admits(s *analysis, i int) bool {
	return s.has(i, s.lex.class.OutcomeFailed) || s.has(i, s.lex.class.OutcomeDenied)
}

// outcomeOf returns what a call shows about a claim.
func (r *record) outcomeOf(call int, k *claim) rulingKind {
	switch {
	case call < 0 || r.calls[call].Result == 0 || r.calls[call].Result > k.turn+1:
		return open
	case r.calls[call].Failed:
		return refuted
	case r.calls[call].passesOn:
		return open
	}
	return proven
}

// maxMeant is the maximum number of calls that a claim may mean.
const maxMeant = 32

// callMeant returns the call that a claim means, if there are several for its deed since the USER
// spoke. For each number or code in the sentence it considers the last call, and a failed one takes
// precedence. Without a number or code, it is a failed call or else the last one. If the turn says
// that some failed, meant returns -1.
func callMeant(s *analysis, r *record, k *claim, by int) int {
	failed, named, isMixed := -1, -1, false
	var calls []int
	for n, c := range r.recent(by) {
		if c.deeds&k.deeds == 0 {
			continue
		}
		calls = append(calls, n)
		isMixed = isMixed || c.Failed != r.calls[by].Failed
		if c.Failed && c.Result > r.calls[by].Call { // not repeated
			failed = n
		}
	}
	if len(calls) < 2 {
		return by
	}
	for _, tok := range s.wordsOf(scopeOf(s, k)) {
		has := func(n int) bool { return slices.Contains(r.calls[n].codes, tok.stem) }
		of := slices.IndexFunc(calls, has)
		if of >= 0 && (named < 0 || r.calls[calls[of]].Failed) {
			named = calls[of]
		}
	}
	switch {
	case named >= 0:
		return named
	case isMixed && admits(s, k.turn):
		return -1
	case failed >= 0:
		return failed
	}
	return by
}

// findRulings returns a function that reports the SYSTEM's claims with a given ruling.
func findRulings(kind rulingKind) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, v := range s.rulings {
			if v.kind == kind {
				s.emit(det, v.turn, v.first, v.last).About = v.about
			}
		}
	}
}
