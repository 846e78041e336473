// Package deeds compares what the SYSTEM of a dialogue says that it did with what the calls of its
// tools show.
//
//	What does the SYSTEM say was done, and by whom?          claims.go: claimsIn
//	What did a call do, as far as its words show?            calls.go: readCall
//	Which calls does a claim mean? Is it proven?             matcher.go: judge
//	Does a claim have another figure, date or name?          compare.go: hasOtherFigure
//	Does the result of a call have a figure or a date?       matcher.go: readGrounds
//	Which words name which deed?                             calls.go: Words
package deeds

import (
	"slices"
	"sort"
	"strings"

	"assize/heuristics/quantity"
	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// matcher compares the claims of a dialogue with its calls. It reads the turns in their order.
type matcher struct {
	*Ledger
	heard  int             // the number of the USER's last turn
	known  int             // the number of calls before the USER speaks again
	asked  deeds           // the deeds that the USER has named
	wants  bool            // the USER's last words may ask for any deed
	inTurn deeds           // that the claims of the turn are about
	said   map[uint32]bool // the stems of the USER's words
}

// Prepare prepares the ledger of d.
func (s *Ledger) Prepare(lex *talk.Lexicon, terms *Words, d dialogue.Dialogue, kind *talk.Kind) {
	s.Talk.Prepare(lex, d, kind)
	s.terms, s.tools, s.acts = terms, d.Tools(), nil
	s.Entries, s.calls, s.sought = s.Entries[:0], s.calls[:0], 0
	s.before = 0
	s.readGrounds()
	if len(s.tools) > 0 || len(d.Listed) > 0 {
		s.readClaims()
	}
	s.readDone()
	s.ReadRest()
}

// readClaims compares each claim of the SYSTEM with the calls of tools. The time is linear, because
// each claim is compared with a limited number of calls.
func (s *Ledger) readClaims() {
	s.acts = map[uint32]bool{}
	for k := range s.tools {
		c := s.terms.readCall(&s.tools[k])
		s.calls = append(s.calls, c)
		for _, act := range c.acts {
			s.acts[act] = true
		}
	}
	m := &matcher{Ledger: s, said: map[uint32]bool{}}
	for i := range s.Turns {
		switch s.Turns[i].Role {
		case dialogue.User:
			m.hear(i)
		case dialogue.System:
			m.addClaims(i)
		}
	}
}

// readDone reads what the SYSTEM says that it did about a last request that is only answered, or of
// which no list of states reports what became, or that only words of a proven claim say is put off:
// "I have paused it" reports that it is done if the USER spoke of pausing, or of that thing. What
// the USER objects to, or no longer wants, afterwards does not count.
func (s *Ledger) readDone() {
	n := len(s.Requests) - 1
	if n < 0 {
		return
	}
	r := &s.Requests[n]
	if !r.State.IsPutOff() && r.State != talk.Unclear && r.State != talk.Answered {
		return
	}
	m, heard := &matcher{Ledger: s, said: map[uint32]bool{}}, 0
	since := max(r.Asked, s.Objected-1)
	for h := range s.HitsOf(s.Lex.Class.StateWithdrawn) {
		since = max(since, h.Turn)
	}
	for i := range s.Turns {
		isPutOff := r.State.IsPutOff() && r.Shown.Turn == i
		isOpen := isPutOff || r.State == talk.Unclear || r.State == talk.Answered
		if !isOpen || i <= since || s.Turns[i].Role != dialogue.System {
			continue
		}
		claims := s.claimsIn(i)
		for ; heard < i && len(claims) > 0; heard++ {
			if s.Turns[heard].Role == dialogue.User {
				m.hear(heard)
			}
		}
		for _, k := range claims {
			isBegun := s.has(Promised, k.scope)
			if !isBegun && k.waits || !m.isMeant(&k, r.Asked) ||
				isPutOff && !isBegun && !s.has(Proven, k.scope) {
				continue
			}
			if r.State, r.Shown = talk.Done, k.Passage; isBegun {
				r.State = talk.Answered
			}
		}
	}
}

// has reports whether a call shows a state of the claim with some words.
func (s *Ledger) has(state State, p text.Passage) bool {
	return slices.ContainsFunc(s.Entries, func(e entry) bool {
		return e.State == state && e.Proof > 0 && e.Holds(p)
	})
}

// isMeant reports whether a claim says that a deed is done of which the USER spoke, or any deed to
// what turn i speaks of. "MasterCard is accepted" is a fact, and "your ticket is booked" a deed.
func (m *matcher) isMeant(k *claim, i int) bool {
	t := &m.Turns[k.Turn]
	isOwn := k.voice == ownDeed || k.voice == perfectly ||
		k.voice == isState && t.Is(t.SentenceStart(k.First), "your")
	isShared := func(tok text.Token) bool { return tok.IsContent() && m.Says(i, tok.Stem) }
	return isOwn && k.deeds != 0 && (k.waits || !k.asks) &&
		(k.deeds&m.asked != 0 || slices.ContainsFunc(m.WordsOf(k.scope), isShared))
}

// addClaims enters the claims in the SYSTEM's turn i.
func (m *matcher) addClaims(i int) {
	from, list := len(m.Entries), m.claimsIn(i)
	for m.known < len(m.calls) && m.Before(m.calls[m.known].Call-1, dialogue.User) < m.heard {
		m.known++
	}
	m.inTurn = 0
	for n := 0; n < len(list); n++ {
		for parts := m.parts(list[n]); len(parts) > 1; parts = m.parts(list[n]) {
			list = slices.Replace(list, n, n+1, parts...)
		}
	}
	for _, k := range list {
		m.inTurn |= k.deeds
	}
	for n, k := range list {
		state, proof := m.judge(&k)
		if state == Proven && slices.ContainsFunc(list[:n], func(first claim) bool {
			return m.isSecond(&k, &first, m.Entries[from:], proof)
		}) {
			state, proof = Unproven, 0
		}
		if state != notClaimed {
			m.Entries = append(m.Entries, entry{k.scope, state, proof})
		}
	}
	m.addStatements(i, from)
}

// parts returns a claim in two parts if the result of its call denies only what one of them names:
// "I've changed your address and your phone number".
func (m *matcher) parts(k claim) []claim {
	own := m.own(&k)
	if len(own) == 0 || k.voice == isComing || m.counted(&k) > 0 ||
		own[0].Says.Outcome == dialogue.Failed {
		return []claim{k}
	}
	failed, _ := own[0].named()
	for n := k.scope.Last - 1; n > k.scope.First; n-- {
		if first, other := k, k; m.Turns[k.Turn].Is(n, "and") && (n < k.First || n > k.Last) {
			first.scope.Last, other.scope.First = n-1, n+1
			if m.namesOne(&first, failed) != m.namesOne(&other, failed) {
				return []claim{first, other}
			}
		}
	}
	return []claim{k}
}

// named returns the stems of the words in a result that name only what failed, and of the others.
func (c *toolCall) named() (failed, held map[uint32]bool) {
	if c.failed == nil {
		c.failed, c.held = map[uint32]bool{}, map[uint32]bool{}
		eachName(c.Says.Holds[:min(len(c.Says.Holds), maxResult)], func(word string) {
			c.held[stemOf(word)] = true
		})
		for line := range strings.Lines(c.Says.Denies[:min(len(c.Says.Denies), maxResult)]) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !dialogue.IsReport(name) && !text.IsOneOf(value, "", "false", "null") {
				eachName(line, func(word string) {
					c.failed[stemOf(word)] = !c.held[stemOf(word)]
				})
			}
		}
	}
	return c.failed, c.held
}

// eachName calls yield with the words of a text and with its codes.
func eachName(s string, yield func(word string)) {
	text.EachWord(s, yield)
	for word := range strings.FieldsSeq(text.Spaced(s)) {
		if text.HasDigit(word) && len(word) >= minCode {
			yield(word)
		}
	}
}

// namesOne reports whether a claim has one of some stems, outside its verb.
func (m *matcher) namesOne(k *claim, stems map[uint32]bool) bool {
	before, after := k.scope, k.scope
	before.Last, after.First = min(k.Last-1, before.Last), max(k.Last+1, after.First)
	return m.names(before, stems) || m.names(after, stems)
}

// names reports whether a passage has one of some stems, in a word or a code.
func (m *matcher) names(p text.Passage, stems map[uint32]bool) bool {
	for n := p.First; n <= p.Last; n++ {
		tok := m.Turns[p.Turn].Tokens[n]
		isCode := text.HasDigit(m.Turns[p.Turn].Word(n)) && !m.isMeasured(p.Turn, n)
		if stems[tok.Stem] && (tok.IsContent() || isCode) {
			return true
		}
	}
	return false
}

// isSecond reports whether an earlier claim of the same deed is proven by the same result, and a
// later one names a thing of which neither the call nor that claim speaks: one call books no second
// thing.
func (m *matcher) isSecond(k, first *claim, entries []entry, proof int) bool {
	if k.deeds&first.deeds == 0 || !slices.Contains(entries, entry{first.scope, Proven, proof}) {
		return false
	}
	t, own := &m.Turns[k.Turn], m.WordsOf(first.scope)
	isNamed, shares, other := false, false, "" // a name that the first claim does not have
	for n := k.scope.First; n <= k.scope.Last; n++ {
		tok := t.Tokens[n]
		isNamed = isNamed || tok.Is(text.Article)
		isShared := tok.IsContent() && text.HasStem(own, tok.Stem)
		shares = shares || isShared
		if tok.IsName() && !isShared {
			other = t.Word(n)
		}
	}
	return slices.ContainsFunc(m.calls, func(c toolCall) bool {
		switch {
		case c.proof() != proof:
			return false
		case other != "":
			hasFirst := func(tok text.Token) bool {
				return tok.IsName() && c.has(t.Text[tok.Start:tok.End])
			}
			return slices.ContainsFunc(own, hasFirst) && !c.has(other)
		}
		return isNamed && !shares && !m.mentions(k, &c)
	})
}

// hear reads the USER's turn i: the deeds that it names, or agrees to.
func (m *matcher) hear(i int) {
	m.heard, m.wants = i+1, false
	for _, tok := range m.Turns[i].Tokens {
		m.said[tok.Stem] = true
	}
	name := func(word string) {
		w := m.terms.toolWordOf(word)
		m.asked |= w.verb | w.said | w.noun
		m.wants = m.wants || w.is(doesAny) || w.verb != 0 || word == "please"
	}
	if by := m.Before(i, dialogue.System); by >= 0 && m.Turns[by].Asks > 0 &&
		(m.Has(i, m.Lex.Class.ReactionAgrees) || m.Has(i, m.Lex.Class.ReactionAccepts)) {
		text.EachWord(m.Turns[by].Text, name) // "Shall I book it?" "Yes."
	}
	text.EachWord(m.Turns[i].Text, name)
}

// addStatements enters the sentences of turn i, or their parts, that are no claims and have another
// value than a call that proves a claim of the turn: one that nobody said before. The number of
// sentences is limited.
func (m *matcher) addStatements(i, from int) {
	t, entries := &m.Turns[i], m.Entries[from:]
	for n, compared := 0, 0; n < len(t.Tokens) && compared < maxClaims; n++ {
		p := text.Passage{Turn: i, First: n, Last: t.SentenceEnd(n)}
		isIn := m.IsAsked(p)
		for _, e := range entries {
			if isIn = isIn || e.First <= n && n <= e.Last; e.First > n {
				p.Last = min(p.Last, e.First-1)
			}
		}
		if isIn {
			continue
		}
		n = p.Last
		compared++
		for o := max(0, m.known-maxMeant); o < m.known; o++ {
			c := &m.calls[o]
			if slices.ContainsFunc(entries, func(e entry) bool {
				return e.State == Proven && e.Proof == c.proof()
			}) && (m.isMisquoted(c, p, text.OfSeries) || m.isMisstated(c, p, false)) {
				m.Entries = append(m.Entries, entry{p, DoneOtherwise, c.proof()})
				break
			}
		}
	}
}

// StatementsOf returns the statements of turn i.
func (s *Ledger) StatementsOf(i int) []statement {
	from := sort.Search(len(s.Statements), func(n int) bool { return s.Statements[n].Turn >= i })
	to := sort.Search(len(s.Statements), func(n int) bool { return s.Statements[n].Turn > i })
	return s.Statements[from:to]
}

// judge returns the state of a claim and the turn that decides. The state is notClaimed if the
// record says nothing about it.
func (m *matcher) judge(k *claim) (State, int) {
	own, said := m.own(k), m.saidSwitch(k.scope)
	switch isDone := k.voice != isComing; {
	case k.voice == isState && said != 0 && m.lastOf(0, func(c *toolCall) bool {
		return !c.changes && m.switched(c.Answer, k.scope) == said
	}) != nil && (len(own) == 0 || m.isReversed(own[0], k.scope)):
		return notClaimed, 0 // how things are, or were
	case k.shown && (len(own) == 0 || !m.isAbout(k, own[0])):
		return notClaimed, 0
	case isDone && len(own) > 0:
		return m.compare(k, own)
	case isDone:
		return m.judgeUndone(k)
	case len(own) == 0:
		return Promised, 0
	}
	return notClaimed, 0
}

// judgeUndone judges a claim that no call of its own did. In this order, another call may show
// it by the way, or deny it; a call about its object, a look-up, or a call whose effect is unclear
// may decide; and otherwise nothing did it.
func (m *matcher) judgeUndone(k *claim) (State, int) {
	isAsked := m.asked&k.deeds != 0
	isUnclaimed := func(c *toolCall) bool { return c.deeds&m.inTurn&^k.deeds == 0 } // elsewhere
	if c := m.lastOf(m.heard, func(c *toolCall) bool {
		return !c.reads && m.isUndoing(k, c) && c.Says.Outcome == dialogue.Succeeded
	}); c != nil && isUnclaimed(c) && m.isAbout(k, c) {
		return Contradicted, c.Result
	} else if c != nil {
		return Unproven, 0
	}
	if c := m.lastOf(0, func(c *toolCall) bool {
		isShown := (c.shown&k.deeds != 0 || k.any && c.shows && c.reads) &&
			(!c.reads || m.coversDeed(k, c) && !m.isOfAnother(k))
		isBySelf := c.changes || k.voice != ownDeed || !c.reads && m.isAbout(k, c) ||
			c.reads && m.saysWhen(k, c)
		return isShown && isBySelf && (c.Says.Outcome <= dialogue.Succeeded ||
			c.reads && c.Says.Outcome == dialogue.Partial)
	}); c != nil {
		switch {
		case !isAsked && (c.reads && k.before && k.voice != ownDeed ||
			!c.reads && !c.changes && k.voice == isState):
			return notClaimed, 0 // a reason for what was not done, or how things are
		case m.hasOtherFigure(c, k):
			return DoneOtherwise, c.Result
		}
		return m.chosen(c, k), c.Result
	}
	if c := m.lastOf(m.heard, func(c *toolCall) bool {
		return c.changes && c.denied&k.deeds != 0 && c.Says.Outcome != dialogue.Failed
	}); c != nil && k.waits {
		return Promised, c.Result
	} else if c != nil {
		return Contradicted, c.Result
	}
	if c := m.lastOf(m.heard, func(c *toolCall) bool {
		return c.changes && isUnclaimed(c) && m.isAbout(k, c)
	}); c != nil {
		verb := m.Turns[k.Turn].Word(k.Last)
		if m.outcomeOf(k, c) == Contradicted ||
			m.isOtherVariant(c, verb, text.Spaced(verb)) { // "paused"
			return Contradicted, c.Result
		}
		if k.voice == ownDeed || isAsked && k.voice == perfectly {
			return Unproven, 0
		}
		return notClaimed, 0
	}
	if c := m.lastOf(m.heard, func(c *toolCall) bool {
		mayTell := k.voice == byOthers || k.voice != ownDeed && c.Says.Outcome == dialogue.Pending
		return c.reads && mayTell && isAsked && m.mentions(k, c)
	}); c != nil {
		return Contradicted, c.Result
	}
	if c := m.lastOf(m.heard, func(c *toolCall) bool {
		return !c.reads && (!c.changes || c.any) && isUnclaimed(c)
	}); c != nil {
		if c.Says.Outcome == dialogue.Failed && k.voice != byOthers && (c.any || m.isAbout(k, c)) {
			return Contradicted, c.Result
		}
		return NoOutcome, c.Result
	}
	if m.isRemark(k, isAsked) {
		return notClaimed, 0
	}
	return Unproven, 0
}

// isOfAnother reports whether a list that a look-up returned has the deed of a claim only in other
// records than those with a code of the claim.
func (m *matcher) isOfAnother(k *claim) bool {
	var codes []string
	text.EachCode(m.textOf(k.scope), "", func(code string) {
		codes = append(codes, text.Spaced(code))
	})
	verb := text.Spaced(m.Turns[k.Turn].Word(k.Last))
	return m.listed([]string{verb}, codes) == quantity.Contrary
}

// coversDeed reports whether a look-up is about the deed of a claim. If a named member of its
// result has the deed as its value, it must be a status or a message, or the claim name the call.
func (m *matcher) coversDeed(k *claim, c *toolCall) bool {
	isCovered, isOther := m.mentions(k, c), false
	dialogue.EachArgument(c.Answer, func(name, value string) {
		if m.terms.toolWordOf(strings.ToLower(value)).said&k.deeds != 0 {
			isCovered, isOther = isCovered || dialogue.IsReport(keyWord(name)), name != ""
		}
	})
	return isCovered || !isOther
}

// holdsOne reports whether a text has one of some others.
func holdsOne(source string, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(source, s) })
}

// saysWhen reports whether the result of a look-up has a date or a time of a claim, and so shows
// when it was done.
func (m *matcher) saysWhen(k *claim, c *toolCall) bool {
	return len(c.Answer) <= maxFigured &&
		slices.ContainsFunc(m.ValuesOf(k.Turn), func(v quantity.Value) bool {
			return v.IsMoment() && k.scope.Holds(v.Passage) && m.figuresOfCall(c).got.Holds(&v)
		})
}

// isRemark reports whether a claim that no call did may be a remark about what the USER did not ask
// for, or about what others do. That they "have been informed" is a claim.
func (m *matcher) isRemark(k *claim, isAsked bool) bool {
	isYours := m.wants && m.Turns[k.Turn].Is(k.First, "you're", "you’re", "you")
	isAsked = isAsked || k.posts && m.toolWordAt(&m.Turns[k.Turn], max(k.First-1, 0)).is(others)
	isPart := m.Turns[k.Turn].Is(k.Last, "included") // of what is sold
	hasChange := m.lastOf(m.heard, func(c *toolCall) bool { return c.changes }) != nil ||
		k.bare && !m.wants && slices.ContainsFunc(m.Entries, func(e entry) bool {
			return e.State == Proven // "You're all set." after what was done
		})
	return k.voice == byOthers || k.voice == isState && (!isAsked && !isYours || isPart) ||
		k.voice == perfectly && !isAsked && !hasChange || k.any && k.deeds == 0 && hasChange
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

// isAbout reports whether a call shares a code or a noun with a claim.
func (m *matcher) isAbout(k *claim, c *toolCall) bool {
	return k.shares(m.Ledger, c.codes) || k.shares(m.Ledger, c.nouns)
}

// mentions reports whether the result of a look-up has a word or a code of a claim.
func (m *matcher) mentions(k *claim, c *toolCall) bool {
	const minWord = 4 // letters
	s := strings.ToLower(c.Answer[:min(len(c.Answer), maxRecords)])
	return m.isAbout(k, c) || slices.ContainsFunc(m.WordsOf(k.scope), func(tok text.Token) bool {
		word := strings.ToLower(m.Turns[k.Turn].Text[tok.Start:tok.End])
		return tok.IsContent() && len(word) >= minWord && strings.Contains(s, word) &&
			m.terms.toolWordOf(word).said&k.deeds == 0
	})
}

// own returns the calls that may have done what a claim says, the last first: those for its deed,
// and otherwise those whose verb may do any deed and which are about its object. A failed call that
// was made again with success is left out. A call after the claim counts if the SYSTEM made none
// before it since the USER spoke.
func (m *matcher) own(k *claim) []*toolCall {
	before := sort.Search(len(m.calls), func(n int) bool { return m.calls[n].Call > k.Turn })
	list := m.ownUpTo(k, before)
	if len(list) == 0 || list[0].Call <= m.heard {
		list = m.ownUpTo(k, m.known)
	}
	return list
}

// ownUpTo returns those of the first calls, to the given number.
func (m *matcher) ownUpTo(k *claim, to int) []*toolCall {
	pick := func(isOwn func(c *toolCall) bool) (list []*toolCall) {
		for n := to - 1; n >= max(0, m.known-maxMeant); n-- {
			c := &m.calls[n]
			isForOther := func(o *toolCall) bool { // the USER asked for both
				return m.tells(k, c, []*toolCall{o})
			}
			wasRetried := slices.ContainsFunc(list, func(o *toolCall) bool {
				return o.Name == c.Name && o.Call > c.Result && (o.Arguments == c.Arguments ||
					c.Says.Outcome == dialogue.Failed && o.Says.Outcome != dialogue.Failed &&
						!isForOther(o))
			})
			if !wasRetried && isOwn(c) {
				list = append(list, c)
			}
		}
		return list
	}
	joins := m.terms.words["add"].verb & m.terms.words["enrol"].verb
	if list := pick(func(c *toolCall) bool {
		same := c.deeds & k.deeds
		return c.changes && !m.isUndoing(k, c) &&
			(same&^joins != 0 || same != 0 && !c.writes && m.isAbout(k, c)) ||
			k.act != 0 && slices.Contains(c.acts, k.act) ||
			k.sets && c.any && c.Call > m.heard && m.switched(c.Arguments, k.scope) != 0
	}); list != nil {
		return list
	}
	return pick(func(c *toolCall) bool {
		isFree := c.deeds&m.inTurn&^k.deeds == 0 || c.any && m.namesObject(k, c)
		isCharge := k.deeds&m.terms.words["charge"].verb != 0 && m.isPrice(c) && m.agrees(c, k)
		return c.Call > m.heard && c.changes && !m.isUndoing(k, c) && (isCharge || isFree &&
			(k.deeds == 0 && k.act == 0 || c.any && m.isAbout(k, c) || m.isResult(k, c) ||
				m.isReceipt(k, c) ||
				c.made != 0 && (k.shares(m.Ledger, []uint32{c.made}) ||
					k.deeds&m.terms.making() != 0 && !c.writes && m.isAbout(k, c))))
	})
}

// isResult reports whether a claim says no more than where something is, and has all that a call
// was asked to add, with its place: "a child seat is now on your booking RC-9".
func (m *matcher) isResult(k *claim, c *toolCall) bool {
	has, all := c.valuesIn(text.Spaced(m.textOf(k.scope)))
	return k.any && k.verb == 0 && c.deeds&m.terms.making() != 0 && all > 1 && has == all &&
		m.saidSwitch(k.scope)&saysOff == 0
}

// isReceipt reports whether a claim says that something is handed over, under a code that only the
// result of a call which opened a task has.
func (m *matcher) isReceipt(k *claim, c *toolCall) (is bool) {
	const long = 4 // characters
	find := func(code string) {
		stem := stemOf(strings.ToLower(strings.ReplaceAll(code, "-", "")))
		is = is || len(code) >= long && slices.Index(c.codes, stem) >= c.asked
	}
	text.EachCode(m.textOf(k.scope), "", find)
	text.EachCode(m.textOf(k.scope), "-", find)
	return is && k.deeds&m.terms.words["escalate"].verb != 0 &&
		c.deeds&m.terms.words["open"].verb != 0
}

// namesObject reports whether a call has the noun after the verb of a claim: "added the note".
func (m *matcher) namesObject(k *claim, c *toolCall) bool {
	for n := k.Last + 1; n <= k.scope.Last; n++ {
		if tok := m.Turns[k.Turn].Tokens[n]; tok.IsContent() {
			return slices.Contains(c.nouns, tok.Stem)
		}
	}
	return false
}

// compare compares a claim with the calls that may have done it.
func (m *matcher) compare(k *claim, own []*toolCall) (State, int) {
	chosen, state := m.choose(k, own)
	if state != notClaimed {
		return state, own[0].proof()
	}
	isDone := func(c *toolCall) bool { return c.Says.Outcome != dialogue.Failed }
	if m.admits(k, own[0]) && slices.ContainsFunc(chosen, isDone) {
		chosen = slices.DeleteFunc(chosen, func(c *toolCall) bool { return !isDone(c) })
	}
	worst, by, last := Proven, chosen[0], chosen[0]
	for _, c := range chosen {
		if state, o := m.latest(k, c); state > worst {
			worst, by, last = state, c, o
		} else if c == by {
			last = o
		}
	}
	sum, _ := m.tally(k, by)
	said := 100 * m.numbered(k)
	isRow := sum == 100 && !m.figuresOfCall(by).got.Numbers[uint64(said)] // or a yes
	isVague := worst == NoOutcome && by.Says.Outcome == dialogue.Succeeded && last == by
	switch {
	case worst != Proven && worst != NoOutcome || len(chosen) > 1:
	case sum >= 0 && (sum < 100*m.counted(k) || sum < said && !isRow):
		worst = Contradicted
	case m.isOtherRecord(k, by):
		worst = DoneOtherwise
	case m.hasOtherFigure(by, k):
		worst = DoneOtherwise
	case isVague && m.agrees(by, k):
		worst = m.chosen(by, k)
	default:
		worst = max(worst, m.chosen(by, k))
	}
	return worst, last.proof()
}

// latest returns what the last result about the object of a call shows about a claim, and the call
// with that result: a look-up may show that the deed is done, or how things are if they should have
// ended; the job that the call began may be complete; and a later call may have undone the deed.
func (m *matcher) latest(k *claim, c *toolCall) (State, *toolCall) {
	state := m.outcomeOf(k, c)
	ends := m.terms.words["cancel"].verb | m.terms.words["block"].verb
	for n := m.known - 1; n >= max(0, m.known-maxMeant) && m.calls[n].Call > c.proof(); n-- {
		o := &m.calls[n]
		isSame := shares(o.codes, c.codes[:c.asked])
		isJob := !isSame && shares(o.codes[:o.asked], c.codes[c.asked:])
		isDone := o.Says.Outcome == dialogue.Succeeded && !strings.Contains(o.Answer, "[")
		switch {
		case o.Result == 0 || !isSame && !isJob || !isDone:
		case o.changes && o.Call < k.Turn && m.isUndoing(k, o) && o.deeds&m.inTurn&^k.deeds == 0:
			return Contradicted, o
		case o.shown&k.deeds != 0, isJob && c.Says.Outcome == dialogue.Pending:
			return Proven, o
		case state == Proven && k.deeds&ends != 0 && m.isOn(o):
			return NoOutcome, o
		}
	}
	return state, c
}

// shares reports whether two lists have a stem in common.
func shares(one, other []uint32) bool {
	return slices.ContainsFunc(one, func(stem uint32) bool { return slices.Contains(other, stem) })
}

// isOn reports whether the status in a result says that something is in force.
func (m *matcher) isOn(c *toolCall) (is bool) {
	dialogue.EachArgument(c.Answer, func(name, value string) {
		isStatus := dialogue.IsReport(keyWord(name))
		is = is || isStatus && m.terms.words[strings.ToLower(value)].is(saysOn|claimsAny)
	})
	return is
}

// proof returns the number of the turn with the result, or with the call if it has none.
func (c *toolCall) proof() int { return max(c.Call, c.Result) }

// outcomeOf returns what the result of a call shows about a claim. While a result is pending, a
// claim holds that something was asked for, set up or posted, and one that says itself that it
// waits is a promise.
func (m *matcher) outcomeOf(k *claim, c *toolCall) State {
	failed, held := c.named()
	isDenied := m.namesOne(k, failed) && !m.admits(k, c)
	own := *k // in its clause: the rest is admitted
	own.scope.Last = m.Turns[k.Turn].ClauseEnd(k.Last)
	isDenied = isDenied || m.namesOne(&own, failed) && !m.namesOne(&own, held)
	isAsked := k.asks ||
		(k.posts || k.bare) && c.deeds&^m.terms.posted == 0 && m.figuresOfCall(c).amounts == 0
	switch of := c.Says.Outcome; {
	case k.waits && (isDenied || of == dialogue.Pending && (k.goesOn || !isAsked)):
		return Promised
	case of == dialogue.Pending && c.Says.IsTaken && !isAsked && !isDenied:
		return NoOutcome // "accepted", which may be the request or what was asked for
	case of == dialogue.Failed, of == dialogue.Pending && !isAsked, isDenied,
		of == dialogue.Partial && !m.admits(k, c) && !m.isSpared(k, c):
		return Contradicted
	case of == dialogue.Silent, of == dialogue.Succeeded && c.Says.IsVague,
		of == dialogue.Succeeded && c.Says.IsOpen && !isAsked && c.shown&k.deeds == 0:
		return NoOutcome
	}
	return Proven
}

// isUndoing reports whether a call does the opposite of what a claim says, as the verb shows with
// which its name begins, "unblock" in cards.unblock. That of remove_block has no opposite.
func (m *matcher) isUndoing(k *claim, c *toolCall) bool {
	var list []variant
	text.EachWord(c.Name[strings.LastIndexAny(c.Name, "./:")+1:], func(word string) {
		list = append(list, m.terms.undoing[actOf(word)])
	})
	own, asked := m.terms.undoing[k.verb], m.terms.undoing[actOf(strings.ToLower(c.verb))]
	isOpposite := func(v variant) bool { return own.list != 0 && v.list == own.list && v != own }
	return len(list) > 0 && isOpposite(list[0]) && !slices.Contains(list[1:], own) ||
		isOpposite(asked)
}

// isSpared reports whether a claim names objects of which none is among those that failed.
func (m *matcher) isSpared(k *claim, c *toolCall) bool {
	failed, held := c.named()
	if sum, _ := m.tally(k, c); len(failed) == 0 { // only a number of them is known
		return m.counted(k) > 0 && sum >= 100*m.counted(k)
	}
	return m.counted(k) == 0 && m.namesOne(k, held)
}

// admits reports whether the turn of a claim says that something failed, its sentence has a no, or
// another one names what failed by the result of a call.
func (m *matcher) admits(k *claim, c *toolCall) bool {
	failed, _ := c.named()
	t := &m.Turns[k.Turn]
	for n := t.SentenceStart(k.First); n <= t.SentenceEnd(k.First); n++ {
		isNo := t.Tokens[n].Is(text.Negator) && !t.Is(n, "won't", "won’t") &&
			!t.Is(n+1, "longer", "worry", "worries", "problem")
		isNumber := t.Tokens[n].Is(text.Number) ||
			m.Lex.ValueOf(t.Tokens[n]).Kind == quantity.WordNumber
		isPart := isNumber && t.Is(n+1, "of") && // "two of the three"
			t.Is(n+2, "the", "them", "your")
		if isNo || isPart || t.Is(n, "part", "some", "most") && t.Is(n+1, "of") {
			return true
		}
	}
	before := text.Passage{Turn: k.Turn, Last: t.SentenceStart(k.First) - 1}
	after := text.Passage{Turn: k.Turn, First: k.scope.Last + 1, Last: len(t.Tokens) - 1}
	return m.Has(k.Turn, m.Lex.Class.OutcomeFailed) ||
		m.Has(k.Turn, m.Lex.Class.OutcomeDenied) ||
		m.counted(k) == 0 && (m.names(before, failed) || m.names(after, failed))
}

// choose returns the calls that a claim means: those with the codes that it names, and otherwise
// those since the USER spoke, or the last one. It returns a state if the calls are about other
// objects than the claim, or about fewer.
func (m *matcher) choose(k *claim, own []*toolCall) (chosen []*toolCall, state State) {
	t := &m.Turns[k.Turn]
	last, before, wasOwn := -9, "", false // the object before
	isOther := false
	for n, objects := k.scope.First, 0; n <= k.scope.Last && objects < maxObjects; n++ {
		code, end := codeAt(t, n, k.scope.Last, own)
		if len(code) < minCode || !text.HasDigit(code) || n == end && m.isMeasured(k.Turn, n) {
			continue
		}
		objects++
		whole, at := t.Text[t.Tokens[n].Start:t.Tokens[end].End], withCode(own, code)
		isNear := n-last == 1 || n-last == 2 && t.Is(n-1, "and")
		if isNear && wasOwn != (at >= 0) && text.CodesAlike(whole, before) {
			return nil, Unproven
		}
		isShared := len(own) > 1 && !slices.ContainsFunc(own, func(c *toolCall) bool {
			return withCode([]*toolCall{c}, code) < 0
		}) // "locker 40" of two parcels
		if at >= 0 && !isShared && !slices.Contains(chosen, own[at]) {
			chosen = append(chosen, own[at])
		}
		isEnd, isNamed := m.isEnding(t, n), n < end && text.IsUpper(code[0]) ||
			m.isReference(k, n, own)
		isAlike := func(object string) bool { return text.CodesAlike(object, whole) }
		isOther = isOther || at < 0 && slices.ContainsFunc(own, func(c *toolCall) bool {
			return isEnd && m.endsOtherwise(k, c, whole) ||
				isNamed && slices.ContainsFunc(c.objects, isAlike)
		}) && m.listed([]string{text.Spaced(whole)}, idsOf(own)) != quantity.Agreeing
		n, last, before, wasOwn = end, end, whole, at >= 0
	}
	switch {
	case len(chosen) > 0:
		return chosen, notClaimed
	case isOther && !slices.ContainsFunc(own, func(c *toolCall) bool {
		return c.Says.Outcome != dialogue.Succeeded
	}):
		return nil, Contradicted
	}
	batch := slices.DeleteFunc(slices.Clone(own), func(c *toolCall) bool {
		return c != own[0] && c.Call <= m.heard
	})
	said, least := text.Spaced(m.textOf(k.scope)), maxCodes // a value of all shows nothing
	for _, c := range batch {
		has, _ := c.valuesIn(said)
		least = min(least, has)
	}
	isUnnamed := func(c *toolCall) bool {
		has, _ := c.valuesIn(said)
		return has <= least && !m.tells(k, c, batch)
	}
	if named := slices.DeleteFunc(slices.Clone(batch), isUnnamed); len(named) > 0 &&
		len(named) >= m.counted(k) {
		batch = named
	}
	isMany := func(c *toolCall) bool { // or its result counts
		sum, _ := m.tally(k, c)
		return strings.Contains(c.Arguments, "[") || c.Says.Outcome == dialogue.Failed ||
			c.Says.Outcome == dialogue.Partial || sum >= 0
	}
	if m.lacksItem(k, own) ||
		m.counted(k) > len(batch) && !slices.ContainsFunc(batch, isMany) {
		return nil, Unproven
	}
	return batch, notClaimed
}

// lacksItem reports whether a claim lists more things than there are calls, and of two of them that
// follow each other only one is a value of a call: "I've added Ravi and Lena", for whom the USER
// asked.
func (m *matcher) lacksItem(k *claim, own []*toolCall) bool {
	t := &m.Turns[k.Turn]
	const isMissing, isValue = 1, 2
	items, isList := []int{0}, false // there is an "and"
	for n := k.Last + 1; n <= k.scope.Last; n++ {
		isAnd, w := t.Is(n, "and"), m.toolWordAt(t, n)
		if isAnd || t.Text[t.Tokens[n-1].End:t.Tokens[n].Start] == ", " {
			isVerb := strings.HasSuffix(t.Word(min(n+1, k.scope.Last)), "ed")
			if isVerb || !isAnd && !t.Tokens[n].IsContent() {
				break // "…, it ends on 31 March", "… and emptied its queue"
			}
			items, isList = append(items, 0), isList || isAnd
		}
		of := &items[len(items)-1]
		switch tok := t.Tokens[n]; {
		case slices.ContainsFunc(own, func(c *toolCall) bool {
			return slices.Contains(c.values, tok.Stem)
		}):
			*of = isValue
		case tok.IsContent() && m.said[tok.Stem] && w.said|w.verb == 0 &&
			!m.isMeasured(k.Turn, n) &&
			!slices.ContainsFunc(own, func(c *toolCall) bool { return c.has(t.Word(n)) }):
			*of = max(*of, isMissing)
		}
	}
	for n := 1; n < len(items) && isList && len(items) > len(own); n++ {
		if items[n]+items[n-1] == isMissing+isValue {
			return true
		}
	}
	return false
}

// tells reports whether a claim has a word or a code that is a value of a call, and not of all the
// others: what tells them apart.
func (m *matcher) tells(k *claim, c *toolCall, others []*toolCall) bool {
	t := &m.Turns[k.Turn]
	for n := k.scope.First; n <= k.scope.Last; n++ {
		stem, word := t.Tokens[n].Stem, t.Word(n)
		if name, _, isOwner := strings.Cut(strings.ReplaceAll(word, "’", "'"), "'"); isOwner {
			stem = stemOf(strings.ToLower(name)) // "Ann's"
		}
		isElse := func(o *toolCall) bool { return !slices.Contains(o.values, stem) }
		if (t.Tokens[n].IsContent() || text.HasDigit(word)) && !isElse(c) &&
			slices.ContainsFunc(others, isElse) {
			return true
		}
	}
	return false
}

// valuesIn returns how many of the named arguments of a call have a value that is in a text, which
// is spaced, and how many there are.
func (c *toolCall) valuesIn(said string) (has, all int) {
	dialogue.EachArgument(c.Arguments, func(name, value string) {
		if name != "" && len(value) >= minCode {
			if all++; strings.Contains(said, text.Spaced(value)) {
				has++
			}
		}
	})
	return has, all
}

// endsOtherwise reports whether a call has a number that may end with digits of a claim: its last
// digits, one with a mask, or one that the claim names; and none that does.
func (m *matcher) endsOtherwise(k *claim, c *toolCall, digits string) bool {
	noDigit := func(r rune) bool { return r < '0' || r > '9' }
	isSame, isOther, said := false, false, m.stemsIn(k.scope)
	dialogue.EachArgument(c.Arguments+"\n"+c.Answer, func(name, value string) {
		number := strings.Join(strings.FieldsFunc(value, noDigit), "")
		isNamed := said[stemOf(keyWord(name))] && number == value &&
			!m.terms.marksOf(name).is(ofAmount)
		isSame = isSame || strings.HasSuffix(number, digits)
		isOther = isOther || len(number) >= len(digits) && (isNamed ||
			strings.ContainsAny(value, "*•") || m.terms.marksOf(name).is(ends))
	})
	return isOther && !isSame
}

// isOtherRecord reports whether the list that a look-up returned has the names of a claim only in
// other records than that of the call: "Lena Brandt" where the payee PY-32 is Lea Brandt.
func (m *matcher) isOtherRecord(k *claim, c *toolCall) bool {
	t := &m.Turns[k.Turn]
	var words []string
	for n := k.scope.First; n <= k.scope.Last; n++ {
		if t.Tokens[n].IsName() && !c.has(t.Word(n)) {
			words = append(words, text.Spaced(t.Word(n)))
		}
	}
	ids := idsOf([]*toolCall{c})
	dialogue.EachArgument(c.Arguments, func(_, value string) {
		if len(value) > maxShort {
			ids = append(ids, text.Spaced(value))
		}
	})
	return words != nil && m.listed(words, ids) == quantity.Contrary
}

// idsOf returns the codes in the arguments of calls, as text.Spaced does.
func idsOf(own []*toolCall) (ids []string) {
	for _, c := range own {
		for _, id := range c.objects {
			ids = append(ids, text.Spaced(id))
		}
	}
	return ids
}

// listed reports whether a list that a look-up returned has words in a record with one of some
// codes, or only in others. Words and codes are spaced.
func (m *matcher) listed(words, ids []string) (by quantity.Relation) {
	m.lastOf(0, func(list *toolCall) bool {
		own, others, isOther := "", "", false
		if all := list.words()[1]; list.changes || !holdsOne(all, words) || !holdsOne(all, ids) {
			return false
		}
		answer := list.Answer[:min(len(list.Answer), maxRecords)]
		for _, part := range form("next").Split(answer, -1) {
			if part = text.Spaced(part); holdsOne(part, ids) {
				own += part
			} else {
				others += part
			}
		}
		for _, word := range words {
			isOwn, isElse := strings.Contains(own, word), strings.Contains(others, word)
			if isOwn && (len(words) == 1 || !isElse) {
				by = quantity.Agreeing
				return true
			}
			isOther = isOther || isElse && !isOwn
		}
		if isOther {
			by = quantity.Contrary
		}
		return false
	})
	return by
}

// withCode returns the index of the first call that has a code, or -1.
func withCode(own []*toolCall, code string) int {
	stem := stemOf(strings.ToLower(strings.TrimLeft(code, "0")))
	return slices.IndexFunc(own, func(c *toolCall) bool { return slices.Contains(c.codes, stem) })
}

// codeAt returns the code that begins at token n, and its last token. Its parts may have a mark
// between them; they are one code if a call has it as a whole, or doesn't have the first one.
func codeAt(t *text.Turn, n, last int, own []*toolCall) (string, int) {
	code, end := t.Word(n), n
	isPart := withCode(own, code) >= 0
	for long, e := code, n; e < min(last, n+maxBetween); {
		mark := t.Text[t.Tokens[e].End:t.Tokens[e+1].Start]
		isOne := mark == "-" || mark == "," && t.Tokens[e].Is(text.Number) // 48,213
		isBoth := t.Tokens[e].Is(text.Number) && t.Tokens[e+1].Is(text.Number)
		if !isOne && !(isBoth && strings.Trim(mark, " -()") == "") { // 0700 551
			break
		}
		e++
		long += t.Word(e)
		if isOne && !isPart || withCode(own, long) >= 0 {
			code, end = long, e
		}
	}
	return code, end
}

// counted returns how many objects a claim says are done: two for "both", four for "all four", or
// 0.
func (m *matcher) counted(k *claim) int {
	t := &m.Turns[k.Turn]
	for n := k.scope.First; n <= k.scope.Last; n++ {
		if t.Is(n, "both") {
			return 2
		}
		if t.Is(n, "all") {
			return int(m.numberAfter(t, n+1))
		}
	}
	return 0
}

// numbered returns the number of things that follows the verb of a claim, as in "added three
// seats", or 0.
func (m *matcher) numbered(k *claim) int {
	t := &m.Turns[k.Turn]
	isCount := slices.ContainsFunc(m.ValuesOf(k.Turn), func(v quantity.Value) bool {
		return v.First == k.Last+1 && v.Slot.Kind == quantity.Count
	})
	if !t.GoesOn(k.Last+2) || !isCount && m.isMeasured(k.Turn, k.Last+1) {
		return 0
	}
	return int(m.numberAfter(t, k.Last+1))
}

// isReference reports whether token n of a claim's turn names an object: a code, or a number that
// is no value and either long or, as in "order 700", follows the noun in the name of a call.
func (m *matcher) isReference(k *claim, n int, own []*toolCall) bool {
	const minDigits = 4
	t := &m.Turns[k.Turn]
	if m.isMeasured(k.Turn, n) {
		return false
	}
	for _, f := range m.FiguresOf(k.Turn) {
		if f.Holds(text.Passage{Turn: k.Turn, First: n, Last: n}) && !f.Code { // not "14C"
			isNamed := n > 0 && slices.ContainsFunc(own, func(c *toolCall) bool {
				return slices.Contains(c.nouns, t.Tokens[n-1].Stem)
			})
			return (f.Digits >= minDigits || isNamed) && !m.isOther(t, &f)
		}
	}
	word := t.Word(n)
	isShort := len(word) <= maxShort && (text.IsUpper(word[0]) || text.IsUpper(word[len(word)-1]))
	return isShort || isReference(word)
}

// Undone returns the last turn of the USER, and the number of the turn with the result of a call
// that failed at the end of the dialogue, after which the SYSTEM says nothing, or 0.
func (s *Ledger) Undone() (by, result int) {
	n, end := len(s.calls)-1, len(s.Turns)-1
	if n < 0 || s.calls[n].Says.Outcome != dialogue.Failed || s.calls[n].reads ||
		s.Turns[end].Role != dialogue.Other || s.Before(end, dialogue.User) < 0 ||
		s.Before(end, dialogue.System) >= s.calls[n].Call {
		return 0, 0
	}
	return s.Before(end, dialogue.User), s.calls[n].Result
}

// readGrounds finds in each turn of the SYSTEM, outside its questions, the first statement that
// occurs in the result of a tool, and the first one that occurs nowhere.
func (s *Ledger) readGrounds() {
	if s.Statements = s.Statements[:0]; len(s.tools) == 0 {
		return
	}
	results, known := quantity.NewGrounds(), quantity.NewGrounds()
	s.priced = 0
	isResult := make(map[int]bool, len(s.tools)) // turns, by number
	for k := range s.tools {
		isResult[s.tools[k].Result] = true
	}
	for i := range s.Turns {
		switch t := &s.Turns[i]; t.Role {
		case dialogue.User:
			known.Text(t.Text)
			known.Values(t, s.ValuesOf(i))
		case dialogue.Other:
			said := dialogue.Unescaped(t.Text)
			known.Text(said)
			values := s.AppendValues(nil, i)
			if known.Values(t, values); isResult[t.N] {
				results.Text(said)
				results.Values(t, values)
				s.priced |= s.prices(said)
			}
		case dialogue.System:
			s.addStated(i, results, known)
		}
	}
}

// addStated adds the first grounded statement of turn i and the first ungrounded one, from what the
// results of tools mention, and anybody has before. A date that no result has may be counted from
// one that a result has, if a period is named with it.
func (s *Ledger) addStated(i int, results, known *quantity.Grounds) {
	t, first := &s.Turns[i], len(s.Statements)
	state := func(p text.Passage, isGrounded bool) {
		if !slices.ContainsFunc(s.Statements[first:], func(x statement) bool {
			return x.IsGrounded == isGrounded
		}) {
			s.Statements = append(s.Statements, statement{p, isGrounded})
		}
	}
	for _, x := range s.FiguresOf(i) {
		want, word := x.Hundredths(), strings.ToUpper(x.Word)
		switch {
		case !x.IsSpecific() || s.IsAsked(x.Passage) || s.isOther(t, &x):
		case results.Numbers[want]:
			state(x.Passage, true)
		case known.Numbers[want], known.Codes[word], x.Money && known.Numbers[100*want], // in cents
			!x.Money && x.Digits < 4, len(results.Numbers) == 0, x.Money && !s.isPriced(&x),
			x.First > 0 && s.toolWordAt(t, x.First-1).is(near) && known.Rounds(want):
		case known.Follows(want, s.Lex.SaidBy(t)),
			x.Money && known.Follows(100*want, s.Lex.SaidBy(t)):
			known.Number(want)
		default:
			state(x.Passage, false)
		}
	}
	for k, tok := range t.Tokens {
		word := t.Word(k)
		switch {
		case !tok.Is(text.Coded) || !isReference(word) || t.InQuestion(k):
		case results.Codes[word]:
			state(text.Passage{Turn: i, First: k, Last: k}, true)
		case len(results.Codes) > 0 && !known.Codes[word]:
			state(text.Passage{Turn: i, First: k, Last: k}, false)
		}
	}
	isCounted := slices.ContainsFunc(s.ValuesOf(i),
		func(v quantity.Value) bool { return v.Slot.Kind == quantity.Duration })
	for _, v := range s.ValuesOf(i) {
		if !v.IsMoment() {
			continue
		}
		isHeld, isDay := results.Holds(&v), v.Slot.Kind == quantity.Date
		isNew := results.Count(v.Slot.Kind) > 0 && !known.Holds(&v) &&
			!(isDay && isCounted || !isDay && known.IsZoned)
		if (isHeld || isNew && !v.Loose) && !s.IsAsked(v.Passage) {
			state(v.Passage, isHeld)
		}
	}
}

// isPriced reports whether the results of tools so far have amounts, and prices or fees if the
// clause of a figure is about one. Otherwise the SYSTEM may know it by itself.
func (s *Ledger) isPriced(x *quantity.Figure) bool {
	t, want := &s.Turns[x.Turn], ofAmount
	for k := t.SentenceStart(x.First); k <= t.SentenceEnd(x.Last); k++ {
		if s.toolWordAt(t, k).is(ofFee) {
			want = ofFee
		}
	}
	return s.priced&want != 0
}

// prices returns which amounts the result of a tool has: any, and also prices and fees. A text may
// have both.
func (s *Ledger) prices(result string) (all toolMarks) {
	if form("money").MatchString(result) {
		return ofAmount | ofFee
	}
	dialogue.EachArgument(result, func(name, value string) {
		if of := s.terms.marksOf(name); of.is(ofAmount) && text.HasDigit(value) {
			if all |= ofAmount; !of.is(ofHolding) {
				all |= ofFee
			}
		}
	})
	return all
}

// isReference reports whether a word is a code such as BA2490.
func isReference(word string) bool { return len(word) >= 5 && form("reference").MatchString(word) }
