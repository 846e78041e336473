package heuristics

import (
	"slices"
	"sort"
	"strings"

	"assize/rubric/dialogue"
)

// The ledger holds what the SYSTEM says was done, and what the calls of its tools show about it.

// entry is a claim of the SYSTEM and its state.
type entry struct {
	passage // the words of the claim, with its object
	state   claimState
	proof   int // the number of the turn with the result, or the call, that decides; or 0
}

type claimState uint8

// The states of claims. Of the calls that a claim means, the one whose state comes last here
// decides.
const (
	notClaimed    claimState = iota
	proven                   // a call did it and succeeded, and the result agrees
	noOutcome                // a call may have done it, but its result does not say so
	unproven                 // no call did it, in a dialogue with calls
	doneOtherwise            // it was done otherwise: another amount, date or object
	contradicted             // the call failed, or its result shows that it is not done
	promisedDeed             // it is still to come
)

// matcher compares the claims of a dialogue with its calls.
type matcher struct {
	*analysis
	known  []int   // the number of calls before the USER speaks again, by turn
	since  []int   // the number of calls when the USER spoke last, by turn
	asked  []deeds // the deeds that the USER has named, by turn
	wants  []bool  // whether the USER's last words may ask for any deed, by turn
	claims []claim // the claim, and those before and after it in its turn
	others deeds   // that other claims of the same turn are about
}

// Limits on what a claim is compared with: calls before it, and codes in its sentence.
const (
	maxMeant   = 48
	maxObjects = 12
)

// readLedger compares each claim of the SYSTEM with the calls of tools. The time is linear, because
// each claim is compared with a limited number of calls.
func readLedger(s *analysis) {
	if s.ledger, s.calls = s.ledger[:0], s.calls[:0]; len(s.tools) == 0 && !s.hasTools {
		return
	}
	s.acts = map[uint32]bool{}
	for k := range s.tools {
		c := s.lex.readCall(&s.tools[k])
		s.calls = append(s.calls, c)
		for _, act := range c.acts {
			s.acts[act] = true
		}
	}
	m := newMatcher(s)
	for i := range s.turns {
		if s.turns[i].role != dialogue.System {
			continue
		}
		from := len(s.ledger)
		list := claims(s, i)
		for n, k := range list {
			m.others, m.claims = 0, list[max(0, n-1):min(n+2, len(list))]
			for o := range list {
				if o != n {
					m.others |= list[o].deeds
				}
			}
			e := m.judge(&k)
			if e.state == proven && slices.ContainsFunc(list[:n], func(first claim) bool {
				return m.isSecond(&k, &first, s.ledger[from:], e.proof)
			}) {
				e.state, e.proof = unproven, 0
			}
			if e.state != notClaimed {
				s.ledger = append(s.ledger, e)
			}
		}
		m.addStatements(i, s.ledger[from:])
	}
}

// isSecond reports whether an earlier claim of the same deed is proven by the same result, and a
// later one names a thing of which neither the call nor that claim speaks: one call books no second
// thing.
func (m *matcher) isSecond(k, first *claim, entries []entry, proof int) bool {
	if k.deeds&first.deeds == 0 || !slices.Contains(entries, entry{first.scope, proven, proof}) {
		return false
	}
	isNamed, own := false, m.wordsOf(first.scope)
	for _, tok := range m.wordsOf(k.scope) {
		isNamed = isNamed || tok.is(article)
		if tok.content() && withStem(own, tok.stem) {
			return false
		}
	}
	return isNamed && slices.ContainsFunc(m.calls, func(c toolCall) bool {
		return c.proof() == proof && !m.mentions(k, &c)
	})
}

func newMatcher(s *analysis) *matcher {
	n := len(s.turns)
	m := &matcher{s, make([]int, n), make([]int, n), make([]deeds, n), make([]bool, n), nil, 0}
	calls, since, asked, wants := 0, 0, deeds(0), false
	for i := range s.turns {
		if t := &s.turns[i]; t.role == dialogue.User && t.words > 0 {
			since, wants = calls, false
			name := func(word string) {
				w := s.lex.toolWordOf(word)
				asked |= w.verb | w.said | w.noun
				wants = wants || w.is(doesAny) || w.verb != 0
			}
			by := s.before(i, dialogue.System)
			if by >= 0 && s.turns[by].asks > 0 && (s.has(i, s.lex.class.ReactionAgrees) ||
				s.has(i, s.lex.class.ReactionAccepts)) {
				eachWord(s.turns[by].text, name) // "Shall I book it?" "Yes."
			}
			eachWord(t.text, name)
			for k := range t.tokens {
				wants = wants || t.is(k, "please")
			}
		}
		for calls < len(s.calls) && s.calls[calls].Call <= i+1 {
			calls++
		}
		m.since[i], m.asked[i], m.wants[i], m.known[i] = since, asked, wants, calls
	}
	for i := n - 2; i >= 0; i-- {
		if next := &s.turns[i+1]; next.role != dialogue.User || next.words == 0 {
			m.known[i] = m.known[i+1]
		}
	}
	return m
}

// addStatements enters a figure of turn i that nobody gave, after a claim that is proven: the
// result has another one.
func (m *matcher) addStatements(i int, entries []entry) {
	at := slices.IndexFunc(entries, func(e entry) bool { return e.state == proven })
	if at < 0 {
		return
	}
	k := sort.Search(len(m.statements), func(k int) bool { return m.statements[k].turn >= i })
	for ; k < len(m.statements) && m.statements[k].turn == i; k++ {
		x := &m.statements[k]
		isClaimed := slices.ContainsFunc(entries, func(e entry) bool {
			return e.state != proven && e.holds(x.passage)
		})
		if !x.isGrounded && !isClaimed {
			x.isEntered = true
			m.ledger = append(m.ledger, entry{x.passage, doneOtherwise, entries[at].proof})
		}
	}
}

// judge returns the entry of a claim. Its state is notClaimed if the record says nothing about it.
func (m *matcher) judge(k *claim) entry {
	e := entry{passage: k.scope}
	switch own := m.own(k); {
	case len(own) == 0 && k.voice == isComing:
		e.state = promisedDeed
	case k.voice == isComing:
	case len(own) > 0:
		e.state, e.proof = m.compare(k, own)
	default:
		e.state, e.proof = m.judgeUndone(k)
	}
	return e
}

// judgeUndone judges a claim that no call of its own did: another call may show it by the way, or
// a look-up may.
func (m *matcher) judgeUndone(k *claim) (claimState, int) {
	since, looked := m.since[k.turn], -1
	isForeign := k.voice == byOthers || k.voice == perfectly || k.voice == isState
	var unclear, likely *toolCall
	for n := m.known[k.turn] - 1; n >= max(0, m.known[k.turn]-maxMeant); n-- {
		c := &m.calls[n]
		if c.Result == 0 {
			continue
		}
		isDone := c.Says.Outcome == dialogue.Succeeded || c.Says.Outcome == dialogue.Silent
		isShown := c.shown&k.deeds != 0 || k.any && c.shows && c.reads
		switch {
		case isShown && isForeign && c.reads && k.before && m.asked[k.turn]&k.deeds == 0:
			return notClaimed, 0 // a reason for what was not done
		case isShown && (c.changes || isForeign || !c.reads && m.isAbout(k, c)) && isDone:
			if hasOtherFigure(m.analysis, c, k) {
				return doneOtherwise, c.Result
			}
			return proven, c.Result
		case c.changes && n >= since && c.denied&k.deeds != 0 &&
			c.Says.Outcome != dialogue.Failed:
			return contradicted, c.Result
		case c.changes && n >= since && likely == nil && c.deeds&m.others&^k.deeds == 0 &&
			m.isAbout(k, c):
			likely = c
		case c.reads && n >= since && looked < 0 && isForeign && (k.voice == byOthers ||
			c.Says.Outcome == dialogue.Pending) && m.asked[k.turn]&k.deeds != 0 && m.mentions(k, c):
			looked = c.Result
		case !c.reads && (!c.changes || c.any) && n >= since && c.deeds&m.others&^k.deeds == 0 &&
			(unclear == nil || m.isAbout(k, c) && !m.isAbout(k, unclear)):
			unclear = c
		}
	}
	switch {
	case likely != nil:
		isReason := k.voice != ownDeed && (likely.denied&k.deeds != 0 || m.admits(k))
		if state := m.outcomeOf(k, likely); state == contradicted && !isReason {
			return state, likely.proof()
		}
		return notClaimed, 0
	case looked >= 0:
		return contradicted, looked
	case k.voice == isState && m.admits(k):
		return notClaimed, 0
	case unclear != nil && unclear.Says.Outcome == dialogue.Failed && k.voice != byOthers &&
		m.isAbout(k, unclear):
		return contradicted, unclear.Result
	case unclear != nil:
		return noOutcome, unclear.Result
	case k.voice == isState && m.asked[k.turn]&k.deeds == 0 && !(m.wants[k.turn] &&
		m.turns[k.turn].is(k.first, "you're", "you’re", "you")), k.voice == byOthers,
		k.voice == perfectly && m.asked[k.turn]&k.deeds == 0 && !m.hasChange(k.turn, since),
		k.act != 0 && k.voice != ownDeed, k.any && k.deeds == 0 && m.hasChange(k.turn, 0):
		return notClaimed, 0
	}
	return unproven, 0
}

// hasChange reports whether a call before turn i ends, from the call of the given index on, changes
// something.
func (m *matcher) hasChange(i, since int) bool {
	return slices.ContainsFunc(m.calls[max(since, m.known[i]-maxMeant):m.known[i]],
		func(c toolCall) bool { return c.changes })
}

// nearness returns how many codes and nouns a call shares with a claim.
func (m *matcher) nearness(k *claim, c *toolCall) int {
	return k.sharedWith(m.analysis, c.codes) + k.sharedWith(m.analysis, c.nouns)
}

// isAbout reports whether a call shares a code or a noun with a claim.
func (m *matcher) isAbout(k *claim, c *toolCall) bool {
	return m.nearness(k, c) > 0
}

// mentions reports whether the result of a look-up has a word or a code of a claim.
func (m *matcher) mentions(k *claim, c *toolCall) bool {
	const minWord = 4 // letters
	text := strings.ToLower(c.Answer[:min(len(c.Answer), maxRecords)])
	return m.isAbout(k, c) || slices.ContainsFunc(m.wordsOf(k.scope), func(tok token) bool {
		word := strings.ToLower(m.turns[k.turn].text[tok.start:tok.end])
		return tok.content() && len(word) >= minWord && strings.Contains(text, word)
	})
}

// own returns the calls that may have done what a claim says, the last first: those for its deed,
// and otherwise those whose verb may do any deed and which are about its object. A failed call that
// was made again with success is left out. A call after the claim counts if the SYSTEM made none
// before it since the USER spoke. One to which the next claim is as near is left to that one.
func (m *matcher) own(k *claim) []*toolCall {
	before := sort.Search(len(m.calls), func(n int) bool { return m.calls[n].Call > k.turn })
	since := m.callAt(m.since[k.turn])
	list := m.ownUpTo(k, before)
	if len(list) == 0 || list[0].Call <= since {
		list = m.ownUpTo(k, m.known[k.turn])
	}
	isRivals := func(c *toolCall) bool { // and the claim has a nearer call
		return slices.ContainsFunc(m.claims, func(o claim) bool {
			near := m.nearness(&o, c)
			return o.deeds&c.deeds != 0 && near > 0 && near >= m.nearness(k, c) &&
				slices.ContainsFunc(list, func(other *toolCall) bool {
					return m.nearness(k, other) > m.nearness(&o, other)
				})
		})
	}
	if len(list) > 1 && len(list) <= maxObjects && len(m.claims) > 1 {
		if rest := slices.DeleteFunc(slices.Clone(list), isRivals); len(rest) > 0 {
			list = rest
		}
	}
	return list
}

// ownUpTo returns those of the first calls, to the given number.
func (m *matcher) ownUpTo(k *claim, to int) (list []*toolCall) {
	pick := func(isOwn func(n int, c *toolCall) bool) {
		for n := to - 1; n >= max(0, m.known[k.turn]-maxMeant); n-- {
			c := &m.calls[n]
			if !isOwn(n, c) {
				continue
			}
			isRepeated := slices.ContainsFunc(list, func(o *toolCall) bool {
				return o.Name == c.Name && o.Call > c.Result && (o.Arguments == c.Arguments ||
					c.Says.Outcome == dialogue.Failed && o.Says.Outcome != dialogue.Failed &&
						!slices.ContainsFunc(c.codes[:c.asked], func(code uint32) bool {
							return k.sharedWith(m.analysis, []uint32{code}) > 0 &&
								!slices.Contains(o.codes, code)
						}))
			})
			if !isRepeated {
				list = append(list, c)
			}
		}
	}
	if k.deeds != 0 || k.act != 0 {
		pick(func(_ int, c *toolCall) bool {
			return c.changes && c.deeds&k.deeds != 0 || k.act != 0 && slices.Contains(c.acts, k.act)
		})
	}
	if list != nil {
		return list
	}
	pick(func(n int, c *toolCall) bool {
		return n >= m.since[k.turn] && c.changes && c.deeds&m.others&^k.deeds == 0 &&
			(k.deeds == 0 && k.act == 0 || c.any && m.isAbout(k, c))
	})
	return list
}

// compare compares a claim with the calls that may have done it.
func (m *matcher) compare(k *claim, own []*toolCall) (claimState, int) {
	chosen, state := m.choose(k, own)
	if state != notClaimed {
		return state, own[0].proof()
	}
	isMixed := func(c *toolCall) bool { return c.Says.Outcome != chosen[0].Says.Outcome }
	if m.admits(k) && slices.ContainsFunc(chosen, isMixed) {
		chosen = slices.DeleteFunc(chosen,
			func(c *toolCall) bool { return c.Says.Outcome == dialogue.Failed })
	}
	worst, by := proven, chosen[0]
	for _, c := range chosen {
		if state := m.outcomeOf(k, c); state > worst {
			worst, by = state, c
		}
	}
	isVague := worst == noOutcome && by.Says.Outcome == dialogue.Succeeded
	switch {
	case worst != proven && worst != noOutcome || len(chosen) > 1:
	case hasOtherFigure(m.analysis, by, k):
		worst = doneOtherwise
	case isVague && agrees(m.analysis, by, k):
		worst = proven
	}
	return worst, by.proof()
}

// proof returns the number of the turn with the result, or with the call if it has none.
func (c *toolCall) proof() int { return max(c.Call, c.Result) }

// outcomeOf returns what the result of a call shows about a claim.
func (m *matcher) outcomeOf(k *claim, c *toolCall) claimState {
	switch c.Says.Outcome {
	case dialogue.Failed:
		return contradicted
	case dialogue.Partial:
		if m.isSpared(k, c) {
			return proven
		}
		return contradicted
	case dialogue.Pending:
		if k.asks {
			return proven
		}
		return contradicted
	case dialogue.Silent:
		return noOutcome
	}
	if c.Says.IsVague {
		return noOutcome
	}
	return proven
}

// isSpared reports whether a claim names objects of which none is among those that failed.
func (m *matcher) isSpared(k *claim, c *toolCall) bool {
	if m.admits(k) {
		return true
	}
	named := false
	for _, tok := range m.wordsOf(k.scope) {
		word := m.turns[k.turn].text[tok.start:tok.end]
		if !tok.is(coded) {
			continue
		}
		if named = true; strings.Contains(c.Says.Denies, word) {
			return false
		}
	}
	return named
}

// admits reports whether the turn of a claim says that something failed, or its sentence has a no.
func (m *matcher) admits(k *claim) bool {
	t := &m.turns[k.turn]
	for n := t.sentenceStart(k.first); n <= t.sentenceEnd(k.first); n++ {
		if t.tokens[n].is(negator) && !t.is(n+1, "worry", "worries", "problem") {
			return true
		}
	}
	return m.has(k.turn, m.lex.class.OutcomeFailed) || m.has(k.turn, m.lex.class.OutcomeDenied)
}

// choose returns the calls that a claim means: those with the codes that it names, and otherwise
// the last one and those of the same batch or request. It returns a state if the calls are about
// other objects than the claim, or about fewer.
func (m *matcher) choose(k *claim, own []*toolCall) (chosen []*toolCall, state claimState) {
	t := &m.turns[k.turn]
	last, lastShape, wasOwn := -9, uint32(0), false // the object before
	isLost, isOther := false, false
	for n, objects := k.scope.first, 0; n <= k.scope.last && objects < maxObjects; n++ {
		code, end := codeAt(t, n, k.scope.last, own)
		if len(code) < minCode || !hasDigit(code) || n == end && m.isMeasured(k.turn, n) {
			continue
		}
		objects++
		shape, at := shapeOf(code), withCode(own, code)
		switch {
		case at >= 0:
			if !slices.Contains(chosen, own[at]) {
				chosen = append(chosen, own[at])
			}
		case m.isReference(k, n, own) || n < end && isUpper(code[0]):
			isOther = isOther || slices.ContainsFunc(own, func(c *toolCall) bool {
				return slices.Contains(c.shapes, shape)
			}) && !m.isLinked(k, t.text[t.tokens[n].start:t.tokens[end].end], own)
		}
		isNear := n-last == 1 || n-last == 2 && t.is(n-1, "and")
		isLost = isLost || isNear && wasOwn != (at >= 0) && (shape == lastShape || isOther)
		n, last, lastShape, wasOwn = end, end, shape, at >= 0
	}
	switch {
	case isLost:
		return nil, unproven
	case len(chosen) == 0 && isOther && !slices.ContainsFunc(own, func(c *toolCall) bool {
		return c.Says.Outcome != dialogue.Succeeded
	}):
		return nil, contradicted
	case len(chosen) > 0:
		return chosen, notClaimed
	}
	batch := own[:1]
	for len(batch) < len(own) && own[len(batch)].Call > m.callAt(m.since[k.turn]) {
		batch = own[:len(batch)+1]
	}
	isNamed := func(c *toolCall) bool { return k.sharedWith(m.analysis, c.nouns) > 0 }
	if named := slices.DeleteFunc(slices.Clone(batch),
		func(c *toolCall) bool { return !isNamed(c) }); len(named) > 0 {
		batch = named
	}
	isMany := func(c *toolCall) bool { return strings.Contains(c.Arguments, "[") }
	if want := m.counted(k); want > len(batch) && !slices.ContainsFunc(batch, isMany) {
		return nil, unproven
	}
	return slices.Clone(batch), notClaimed
}

// withCode returns the index of the first call that has a code, or -1.
func withCode(own []*toolCall, code string) int {
	stem := stemOf(strings.ToLower(code))
	return slices.IndexFunc(own, func(c *toolCall) bool { return slices.Contains(c.codes, stem) })
}

// codeAt returns the code that begins at token n, and its last token. Parts with hyphens between
// them, or commas in a number, are one code unless a call has one of them, and so are digits that a
// call has joined.
func codeAt(t *turnText, n, last int, own []*toolCall) (string, int) {
	has := func(code string) bool { return withCode(own, code) >= 0 }
	code, end, isPart := t.word(n), n, has(t.word(n))
	for long, e := code, n; e < min(last, n+maxBetween); {
		mark := t.text[t.tokens[e].end:t.tokens[e+1].start]
		isHyphen := mark == "-" || mark == "," && t.tokens[e].is(number) // 48,213
		if !isHyphen && !adjoins(t, e) {
			break
		}
		e++
		long += t.word(e)
		if isPart = isPart || has(t.word(e)); has(long) || isHyphen && !isPart {
			code, end = long, e
		}
	}
	return code, end
}

// callAt returns the number of the turn before the one with the call of the given index.
func (m *matcher) callAt(n int) int {
	if n < len(m.calls) {
		return m.calls[n].Call - 1
	}
	return len(m.turns)
}

// counted returns how many objects a claim says are done: two for "both", four for "all four", or
// 0.
func (m *matcher) counted(k *claim) int {
	t := &m.turns[k.turn]
	for n := k.scope.first; n <= k.scope.last; n++ {
		if t.is(n, "both") {
			return 2
		}
		if t.is(n, "all") {
			return int(numberAfter(m.analysis, t, n+1))
		}
	}
	return 0
}

// isReference reports whether token n of a claim's turn names an object: a code, or a number that
// is no value and either long or, as in "order 700", follows the noun in the name of a call.
func (m *matcher) isReference(k *claim, n int, own []*toolCall) bool {
	const minDigits = 4
	for _, f := range m.figuresOf(k.turn) {
		if f.holds(passage{k.turn, n, n}) {
			isNamed := n > 0 && slices.ContainsFunc(own, func(c *toolCall) bool {
				return slices.Contains(c.nouns, m.turns[k.turn].tokens[n-1].stem)
			})
			return (f.digits >= minDigits || isNamed) && !m.isMeasured(k.turn, n) &&
				!isOther(m.analysis, &m.turns[k.turn], &f)
		}
	}
	word := m.turns[k.turn].word(n)
	isShort := len(word) <= maxShort && (isUpper(word[0]) || isUpper(word[len(word)-1]))
	return !m.isMeasured(k.turn, n) && (isShort || isReference(word))
}

// isLinked reports whether one object of a result mentions a code together with a code of one of
// the calls, so that both name the same thing.
func (m *matcher) isLinked(k *claim, word string, own []*toolCall) (is bool) {
	for n := m.known[k.turn] - 1; n >= max(0, m.known[k.turn]-maxMeant); n-- {
		c := &m.calls[n]
		if !c.reads {
			continue
		}
		for part := range strings.SplitSeq(c.Answer[:min(len(c.Answer), maxRecords)], "}") {
			isHere := strings.Contains(part, word)
			eachCode(part, func(code string) {
				stem := stemOf(strings.ToLower(code))
				is = is || isHere && slices.ContainsFunc(own, func(o *toolCall) bool {
					return slices.Contains(o.codes[:o.asked], stem)
				})
			})
		}
	}
	return is
}

// findEntries returns a function that reports the entries with a state.
func findEntries(state claimState) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, e := range s.ledger {
			if e.state == state {
				s.emit(det, e.turn, e.first, e.last).About = e.proof
			}
		}
	}
}

// findUndone reports a call that failed at the end of a dialogue, after which the SYSTEM says
// nothing.
func findUndone(s *analysis, det *detector) {
	n := len(s.calls) - 1
	if n < 0 || s.calls[n].Says.Outcome != dialogue.Failed || s.calls[n].reads {
		return
	}
	by := s.before(len(s.turns)-1, dialogue.User)
	if s.before(len(s.turns)-1, dialogue.System) < s.calls[n].Call &&
		s.turns[len(s.turns)-1].role == dialogue.Other && by >= 0 && s.turns[by].words > 0 {
		s.emit(det, by, 0, s.turns[by].words-1).About = s.calls[n].Result
	}
}
