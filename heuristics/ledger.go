package heuristics

import (
	"slices"
	"sort"
	"strconv"
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

// matcher compares the claims of a dialogue with its calls. It reads the turns in their order.
type matcher struct {
	*analysis
	heard  int     // the number of the USER's last turn
	known  int     // the number of calls before the USER speaks again
	asked  deeds   // the deeds that the USER has named
	wants  bool    // the USER's last words may ask for any deed
	claims []claim // the claim, and those before and after it in its turn
	inTurn deeds   // that the claims of the turn are about
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
	m := &matcher{analysis: s}
	for i := range s.turns {
		switch s.turns[i].role {
		case dialogue.User:
			m.hear(i)
		case dialogue.System:
			m.addClaims(i)
		}
	}
}

// addClaims enters the claims in the SYSTEM's turn i.
func (m *matcher) addClaims(i int) {
	from, list := len(m.ledger), claims(m.analysis, i)
	for m.known < len(m.calls) && m.before(m.calls[m.known].Call-1, dialogue.User) < m.heard {
		m.known++
	}
	m.inTurn = 0
	for _, k := range list {
		m.inTurn |= k.deeds
	}
	for n, k := range list {
		m.claims = list[max(0, n-1):min(n+2, len(list))]
		state, proof := m.judge(&k)
		if state == proven && slices.ContainsFunc(list[:n], func(first claim) bool {
			return m.isSecond(&k, &first, m.ledger[from:], proof)
		}) {
			state, proof = unproven, 0
		}
		if state != notClaimed {
			m.ledger = append(m.ledger, entry{k.scope, state, proof})
		}
	}
	m.addStatements(i, m.ledger[from:])
}

// isSecond reports whether an earlier claim of the same deed is proven by the same result, and a
// later one names a thing of which neither the call nor that claim speaks: one call books no second
// thing.
func (m *matcher) isSecond(k, first *claim, entries []entry, proof int) bool {
	if k.deeds&first.deeds == 0 || !slices.Contains(entries, entry{first.scope, proven, proof}) {
		return false
	}
	t, own := &m.turns[k.turn], m.wordsOf(first.scope)
	isNamed, shares, other := false, false, "" // a name that the first claim does not have
	for n := k.scope.first; n <= k.scope.last; n++ {
		tok := t.tokens[n]
		isNamed = isNamed || tok.is(article)
		isShared := tok.content() && withStem(own, tok.stem)
		shares = shares || isShared
		if tok.isName() && !isShared {
			other = t.word(n)
		}
	}
	return slices.ContainsFunc(m.calls, func(c toolCall) bool {
		switch {
		case c.proof() != proof:
			return false
		case other != "":
			hasFirst := func(tok token) bool {
				return tok.isName() && c.has(t.text[tok.start:tok.end])
			}
			return slices.ContainsFunc(own, hasFirst) && !c.has(other)
		}
		return isNamed && !shares && !m.mentions(k, &c)
	})
}

// hear reads the USER's turn i: the deeds that it names, or agrees to.
func (m *matcher) hear(i int) {
	m.heard, m.wants = i+1, false
	name := func(word string) {
		w := m.lex.toolWordOf(word)
		m.asked |= w.verb | w.said | w.noun
		m.wants = m.wants || w.is(doesAny) || w.verb != 0 || word == "please"
	}
	if by := m.before(i, dialogue.System); by >= 0 && m.turns[by].asks > 0 &&
		(m.has(i, m.lex.class.ReactionAgrees) || m.has(i, m.lex.class.ReactionAccepts)) {
		eachWord(m.turns[by].text, name) // "Shall I book it?" "Yes."
	}
	eachWord(m.turns[i].text, name)
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
		if !x.isGrounded && !m.isUnproven(x.passage) {
			x.isEntered = true
			m.ledger = append(m.ledger, entry{x.passage, doneOtherwise, entries[at].proof})
		}
	}
}

// isUnproven reports whether words are part of a claim that is not proven.
func (s *analysis) isUnproven(p passage) bool {
	n := sort.Search(len(s.ledger), func(n int) bool { return s.ledger[n].turn >= p.turn })
	for ; n < len(s.ledger) && s.ledger[n].turn == p.turn; n++ {
		if e := s.ledger[n]; e.state != proven && e.holds(p) {
			return true
		}
	}
	return false
}

// judge returns the state of a claim and the turn that decides. The state is notClaimed if the
// record says nothing about it.
func (m *matcher) judge(k *claim) (claimState, int) {
	own := m.own(k)
	switch isDone := k.voice != isComing; {
	case isDone && len(own) > 0:
		return m.compare(k, own)
	case isDone:
		return m.judgeUndone(k)
	case len(own) == 0:
		return promisedDeed, 0
	}
	return notClaimed, 0
}

// judgeUndone judges a claim that no call of its own did. In this order, another call may show
// it by the way, or deny it; a call about its object, a look-up, or a call whose effect is unclear
// may decide; and otherwise nothing did it.
func (m *matcher) judgeUndone(k *claim) (claimState, int) {
	isAsked := m.asked&k.deeds != 0
	isUnclaimed := func(c *toolCall) bool { return c.deeds&m.inTurn&^k.deeds == 0 } // elsewhere
	if c := m.lastOf(0, func(c *toolCall) bool {
		isShown := c.shown&k.deeds != 0 || k.any && c.shows && c.reads
		isBySelf := c.changes || k.voice != ownDeed || !c.reads && m.isAbout(k, c) ||
			c.reads && m.saysWhen(k, c)
		return isShown && isBySelf && c.Says.Outcome <= dialogue.Succeeded
	}); c != nil {
		switch {
		case !isAsked && (c.reads && k.before && k.voice != ownDeed ||
			!c.reads && !c.changes && k.voice == isState):
			return notClaimed, 0 // a reason for what was not done, or how things are
		case hasOtherFigure(m.analysis, c, k):
			return doneOtherwise, c.Result
		}
		return proven, c.Result
	}
	if c := m.lastOf(m.heard, func(c *toolCall) bool {
		return c.changes && c.denied&k.deeds != 0 && c.Says.Outcome != dialogue.Failed
	}); c != nil {
		return contradicted, c.Result
	}
	if c := m.lastOf(m.heard, func(c *toolCall) bool {
		return c.changes && isUnclaimed(c) && m.isAbout(k, c)
	}); c != nil {
		isReason := k.voice != ownDeed && (c.denied&k.deeds != 0 || m.admits(k))
		if m.outcomeOf(k, c) == contradicted && !isReason {
			return contradicted, c.Result
		}
		return notClaimed, 0
	}
	if c := m.lastOf(m.heard, func(c *toolCall) bool {
		mayTell := k.voice == byOthers || k.voice != ownDeed && c.Says.Outcome == dialogue.Pending
		return c.reads && mayTell && isAsked && m.mentions(k, c)
	}); c != nil {
		return contradicted, c.Result
	}
	if k.voice == isState && m.admits(k) {
		return notClaimed, 0
	}
	if c := m.lastOf(m.heard, func(c *toolCall) bool {
		return !c.reads && (!c.changes || c.any) && isUnclaimed(c)
	}); c != nil {
		if c.Says.Outcome == dialogue.Failed && k.voice != byOthers && m.isAbout(k, c) {
			return contradicted, c.Result
		}
		return noOutcome, c.Result
	}
	if m.isRemark(k, isAsked) {
		return notClaimed, 0
	}
	return unproven, 0
}

// saysWhen reports whether the result of a look-up has a date or a time of a claim, which was done
// then.
func (m *matcher) saysWhen(k *claim, c *toolCall) bool {
	return len(c.Answer) <= maxFigured &&
		slices.ContainsFunc(m.valuesOf(k.turn), func(v value) bool {
			return v.isMoment() && k.scope.holds(v.passage) &&
				figuresOfCall(m.analysis, c).got.holds(&v)
		})
}

// isRemark reports whether a claim that no call did may be a remark about what the USER did not ask
// for, or about what others do.
func (m *matcher) isRemark(k *claim, isAsked bool) bool {
	isYours := m.wants && m.turns[k.turn].is(k.first, "you're", "you’re", "you")
	hasChange := m.lastOf(m.heard, func(c *toolCall) bool { return c.changes }) != nil
	switch {
	case k.voice == byOthers, k.act != 0 && k.voice != ownDeed,
		k.voice == isState && !isAsked && !isYours,
		k.voice == perfectly && !isAsked && !hasChange:
		return true
	}
	return k.any && k.deeds == 0 && hasChange
}

// lastOf returns the last call with a result that was made after the turn with the given number and
// meets a condition, or nil.
func (m *matcher) lastOf(since int, meets func(*toolCall) bool) *toolCall {
	for n := m.known - 1; n >= max(0, m.known-maxMeant) && m.calls[n].Call > since; n-- {
		if c := &m.calls[n]; c.Result > 0 && meets(c) {
			return c
		}
	}
	return nil
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
// before it since the USER spoke. One to which the next claim is as near is left to that one, if
// the claim has a nearer call.
func (m *matcher) own(k *claim) []*toolCall {
	before := sort.Search(len(m.calls), func(n int) bool { return m.calls[n].Call > k.turn })
	list := m.ownUpTo(k, before)
	if len(list) == 0 || list[0].Call <= m.heard {
		list = m.ownUpTo(k, m.known)
	}
	if len(list) <= 1 || len(list) > maxObjects {
		return list
	}
	mine := slices.DeleteFunc(slices.Clone(list), func(c *toolCall) bool {
		return slices.ContainsFunc(m.claims, func(o claim) bool {
			near := m.nearness(&o, c)
			return o.deeds&c.deeds != 0 && near > 0 && near >= m.nearness(k, c) &&
				slices.ContainsFunc(list, func(other *toolCall) bool {
					return m.nearness(k, other) > m.nearness(&o, other)
				})
		})
	})
	if len(mine) > 0 {
		return mine
	}
	return list
}

// ownUpTo returns those of the first calls, to the given number.
func (m *matcher) ownUpTo(k *claim, to int) []*toolCall {
	pick := func(isOwn func(c *toolCall) bool) (list []*toolCall) {
		for n := to - 1; n >= max(0, m.known-maxMeant); n-- {
			c := &m.calls[n]
			wasRetried := slices.ContainsFunc(list, func(o *toolCall) bool {
				return o.Name == c.Name && o.Call > c.Result && (o.Arguments == c.Arguments ||
					c.Says.Outcome == dialogue.Failed && o.Says.Outcome != dialogue.Failed &&
						k.sharedWith(m.analysis, c.codes[:c.asked]) <=
							k.sharedWith(m.analysis, o.codes))
			})
			if !wasRetried && isOwn(c) {
				list = append(list, c)
			}
		}
		return list
	}
	if list := pick(func(c *toolCall) bool {
		return c.changes && c.deeds&k.deeds != 0 || k.act != 0 && slices.Contains(c.acts, k.act)
	}); list != nil {
		return list
	}
	return pick(func(c *toolCall) bool {
		isFree := c.deeds&m.inTurn&^k.deeds == 0 || c.any && m.namesObject(k, c)
		return c.Call > m.heard && c.changes && isFree &&
			(k.deeds == 0 && k.act == 0 || c.any && m.isAbout(k, c))
	})
}

// namesObject reports whether a call has the noun after the verb of a claim: "added the note".
func (m *matcher) namesObject(k *claim, c *toolCall) bool {
	for n := k.last + 1; n <= k.scope.last; n++ {
		if tok := m.turns[k.turn].tokens[n]; tok.content() {
			return slices.Contains(c.nouns, tok.stem)
		}
	}
	return false
}

// compare compares a claim with the calls that may have done it.
func (m *matcher) compare(k *claim, own []*toolCall) (claimState, int) {
	chosen, state := m.choose(k, own)
	if state != notClaimed {
		return state, own[0].proof()
	}
	isDone := func(c *toolCall) bool { return c.Says.Outcome != dialogue.Failed }
	if m.admits(k) && slices.ContainsFunc(chosen, isDone) {
		chosen = slices.DeleteFunc(chosen, func(c *toolCall) bool { return !isDone(c) })
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
	case m.isFewer(k, by):
		worst = contradicted
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
	switch of := c.Says.Outcome; {
	case of == dialogue.Failed, of == dialogue.Pending && !k.asks,
		of == dialogue.Partial && !m.admits(k) && !m.isSpared(k, c):
		return contradicted
	case of == dialogue.Silent, of == dialogue.Succeeded && c.Says.IsVague:
		return noOutcome
	}
	return proven
}

// isSpared reports whether a claim names objects of which none is among those that failed.
func (m *matcher) isSpared(k *claim, c *toolCall) bool {
	isNamed := false
	for _, tok := range m.wordsOf(k.scope) {
		if tok.is(coded) {
			isNamed = true
			if strings.Contains(c.Says.Denies, m.turns[k.turn].text[tok.start:tok.end]) {
				return false
			}
		}
	}
	return isNamed
}

// admits reports whether the turn of a claim says that something failed, or its sentence has a no.
func (m *matcher) admits(k *claim) bool {
	t := &m.turns[k.turn]
	for n := t.sentenceStart(k.first); n <= t.sentenceEnd(k.first); n++ {
		isLater := t.is(n, "won't", "won’t") || t.is(n+1, "longer")
		isNo := t.tokens[n].is(negator) && !isLater && !t.is(n+1, "worry", "worries", "problem")
		isPart := m.lex.valueOf(t.tokens[n]).kind == wordNumber && t.is(n+1, "of") &&
			t.is(n+2, "the", "them") // "two of the three"
		if isNo || isPart {
			return true
		}
	}
	return m.has(k.turn, m.lex.class.OutcomeFailed) || m.has(k.turn, m.lex.class.OutcomeDenied)
}

// choose returns the calls that a claim means: those with the codes that it names, and otherwise
// those since the USER spoke, or the last one. It returns a state if the calls are about other
// objects than the claim, or about fewer.
func (m *matcher) choose(k *claim, own []*toolCall) (chosen []*toolCall, state claimState) {
	t := &m.turns[k.turn]
	last, lastShape, wasOwn := -9, uint32(0), false // the object before
	isOther := false
	for n, objects := k.scope.first, 0; n <= k.scope.last && objects < maxObjects; n++ {
		code, end := codeAt(t, n, k.scope.last, own)
		if len(code) < minCode || !hasDigit(code) || n == end && m.isMeasured(k.turn, n) {
			continue
		}
		objects++
		shape, at := shapeOf(code), withCode(own, code)
		isNear := n-last == 1 || n-last == 2 && t.is(n-1, "and")
		if isNear && wasOwn != (at >= 0) && shape == lastShape {
			return nil, unproven
		}
		isShared := len(own) > 1 && !slices.ContainsFunc(own, func(c *toolCall) bool {
			return withCode([]*toolCall{c}, code) < 0
		}) // "locker 40" of two parcels
		if at >= 0 && !isShared && !slices.Contains(chosen, own[at]) {
			chosen = append(chosen, own[at])
		}
		isOther = isOther || at < 0 && (n < end && isUpper(code[0]) || m.isReference(k, n, own)) &&
			slices.ContainsFunc(own, func(c *toolCall) bool {
				return slices.Contains(c.shapes, shape)
			}) && !m.isLinked(t.text[t.tokens[n].start:t.tokens[end].end], own)
		n, last, lastShape, wasOwn = end, end, shape, at >= 0
	}
	switch {
	case len(chosen) > 0:
		return chosen, notClaimed
	case isOther && !slices.ContainsFunc(own, func(c *toolCall) bool {
		return c.Says.Outcome != dialogue.Succeeded
	}):
		return nil, contradicted
	}
	batch := slices.DeleteFunc(slices.Clone(own), func(c *toolCall) bool {
		return c != own[0] && c.Call <= m.heard
	})
	isUnnamed := func(c *toolCall) bool { return k.sharedWith(m.analysis, c.nouns) == 0 }
	if named := slices.DeleteFunc(slices.Clone(batch), isUnnamed); len(named) > 0 {
		batch = named
	}
	isMany := func(c *toolCall) bool { return strings.Contains(c.Arguments, "[") }
	if m.counted(k) > len(batch) && !slices.ContainsFunc(batch, isMany) {
		return nil, unproven
	}
	return batch, notClaimed
}

// withCode returns the index of the first call that has a code, or -1.
func withCode(own []*toolCall, code string) int {
	stem := stemOf(strings.ToLower(code))
	return slices.IndexFunc(own, func(c *toolCall) bool { return slices.Contains(c.codes, stem) })
}

// codeAt returns the code that begins at token n, and its last token. Its parts may have a mark
// between them; they are one code if a call has it as a whole, or has none of them.
func codeAt(t *turnText, n, last int, own []*toolCall) (string, int) {
	code, end := t.word(n), n
	isPart := withCode(own, code) >= 0
	for long, e := code, n; e < min(last, n+maxBetween); {
		mark := t.text[t.tokens[e].end:t.tokens[e+1].start]
		isOne := mark == "-" || mark == "," && t.tokens[e].is(number) // 48,213
		if !isOne && !adjoins(t, e) {
			break
		}
		e++
		long += t.word(e)
		isPart = isPart || withCode(own, t.word(e)) >= 0
		if isOne && !isPart || withCode(own, long) >= 0 {
			code, end = long, e
		}
	}
	return code, end
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

// isFewer reports whether a result counts as many requested objects as a claim, and fewer as done:
// "all three" of {"requested": 3, "extended": 2}.
func (m *matcher) isFewer(k *claim, c *toolCall) bool {
	all, isFewer, isSame := m.counted(k), false, false
	eachMember(c.Answer, func(name, value string) {
		n, err := strconv.Atoi(value)
		isDone := m.lex.toolWordOf(strings.ToLower(name)).said&k.deeds != 0
		isFewer = isFewer || isDone && err == nil && n < all
		isSame = isSame || name == "requested" && err == nil && n == all
	})
	return isFewer && isSame
}

// isReference reports whether token n of a claim's turn names an object: a code, or a number that
// is no value and either long or, as in "order 700", follows the noun in the name of a call.
func (m *matcher) isReference(k *claim, n int, own []*toolCall) bool {
	const minDigits = 4
	t := &m.turns[k.turn]
	if m.isMeasured(k.turn, n) {
		return false
	}
	for _, f := range m.figuresOf(k.turn) {
		if f.holds(passage{k.turn, n, n}) {
			isNamed := n > 0 && slices.ContainsFunc(own, func(c *toolCall) bool {
				return slices.Contains(c.nouns, t.tokens[n-1].stem)
			})
			return (f.digits >= minDigits || isNamed) && !isOther(m.analysis, t, &f)
		}
	}
	word := t.word(n)
	isShort := len(word) <= maxShort && (isUpper(word[0]) || isUpper(word[len(word)-1]))
	return isShort || isReference(word)
}

// isLinked reports whether one object of a result mentions a code together with a code of one of
// the calls, so that both name the same thing.
func (m *matcher) isLinked(word string, own []*toolCall) bool {
	return m.lastOf(0, func(c *toolCall) (is bool) {
		for part := range strings.SplitSeq(c.Answer[:min(len(c.Answer), maxRecords)], "}") {
			if c.reads && strings.Contains(part, word) {
				eachCode(part, func(code string) {
					stem := stemOf(strings.ToLower(code))
					is = is || slices.ContainsFunc(own, func(o *toolCall) bool {
						return slices.Contains(o.codes[:o.asked], stem)
					})
				})
			}
		}
		return is
	}) != nil
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
