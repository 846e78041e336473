package heuristics

import (
	"math/bits"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// The tool family holds what the SYSTEM says against what its tools were asked and returned.

// deeds is a set of deeds: those of lexicon/words-tools.txt, by number.
type deeds uint64

// mostDeeds is how many deeds there may be.
const mostDeeds = 64

// toolWord is what lexicon/words-tools.txt says of a word.
type toolWord struct {
	verb, said, noun deeds
	marks            toolMarks
}

type toolMarks uint16

const (
	doesAny   toolMarks = 1 << iota // in the name of a tool: it may do any deed
	claimsAny                       // said by the SYSTEM: any deed is done
	reads                           // in the name of a tool: it changes nothing
	passesOn                        // and this one only tells a person
	doer                            // who says that he did it
	notYet                          // a deed behind it is to come
	perfect                         // "have" of "I have cancelled"
	between                         // may be between these
	excepts                         // what follows was not done
	phones                          // a telephone number follows
	ofAmount                        // in the name of an argument: it has an amount
	ofPeople                        // it has a number of people
	ofThings                        // it has a number of things
)

// toolMarkNames are the words with which lines of lexicon/words-tools.txt begin.
var toolMarkNames = map[string]toolMarks{
	"any": doesAny, "done": claimsAny, "reads": reads, "person": passesOn, "who": doer,
	"unless": notYet, "has": perfect, "between": between, "but": excepts, "phone": phones,
	"amount": ofAmount, "people": ofPeople, "things": ofThings,
}

// is reports whether a word has a mark.
func (w toolWord) is(mark toolMarks) bool { return w.marks&mark != 0 }

// toolLine enters a line of lexicon/words-tools.txt.
func (l *lexicon) toolLine(line string) {
	kind, words, _ := strings.Cut(line, " ")
	if kind == "deed" {
		if l.deeds++; l.deeds > mostDeeds {
			wrong("more than %d deeds", mostDeeds)
		}
	}
	deed := deeds(1) << max(0, l.deeds-1)
	for word := range strings.FieldsSeq(words) {
		w := l.toolWords[word]
		switch kind {
		case "deed":
			w.verb |= deed
		case "said":
			w.said |= deed
		case "noun":
			w.noun |= deed
		default:
			w.marks |= lookUp("kind of words", kind, toolMarkNames)
		}
		l.toolWords[word] = w
	}
}

// toolCall is a call of a tool with what it does, as far as words tell.
type toolCall struct {
	*dialogue.ToolUse
	deeds       deeds      // what it does
	mentioned   deeds      // by its name, its arguments or its result
	changes     bool       // something; otherwise it only reads
	passesOn    bool       // to a person, who has done nothing yet
	any         bool       // its verb may do any deed
	mentionsAny bool       // its result has a word that claims any deed
	act         uint32     // the stem of a verb of its name that no list has; 0 for none
	nouns       []uint32   // stems of the other words of its name, and of words among its arguments
	codes       []uint32   // and of the numbers and codes among its arguments
	figures     *figuresIn // see figuresOfCall
}

// mostNouns is how many nouns of a call are read, with those among its arguments.
const mostNouns = 24

// mostCodes is how many codes of a call are read.
const mostCodes = 16

// eachWord calls yield with each word of a name or a text, in lower case: cancel and Order of
// cancelOrder2.
func eachWord(text string, yield func(string)) {
	begin := -1
	for i := 0; i <= len(text); i++ {
		letter := i < len(text) && isLetter(text[i])
		isNew := letter && begin >= 0 && isUpper(text[i]) && !isUpper(text[i-1])
		if begin >= 0 && (!letter || isNew) {
			yield(strings.ToLower(text[begin:i]))
			begin = -1
		}
		if letter && begin < 0 {
			begin = i
		}
	}
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// pastStem returns the stem of the past participle of a regular verb: that of "escalated" for
// "escalate".
func pastStem(verb string) uint32 { return stemHash([]byte(strings.TrimSuffix(verb, "e") + "ed")) }

// readCall tells what a call does.
func (l *lexicon) readCall(u *dialogue.ToolUse) (c toolCall) {
	c.ToolUse = u
	var nouns deeds
	onlyReads := false
	eachWord(u.Name, func(word string) {
		w := l.toolWords[word]
		onlyReads, c.any = onlyReads || w.is(reads), c.any || w.is(doesAny)
		c.passesOn = c.passesOn || w.is(passesOn)
		c.deeds |= w.verb
		nouns |= w.noun
		if w.verb == 0 && !w.is(doesAny|reads) {
			if len(c.nouns) == 0 && c.deeds == 0 && !c.any && !c.passesOn {
				c.act = pastStem(word)
			}
			c.nouns = append(c.nouns, stemHash([]byte(word)))
		}
	})
	if onlyReads {
		c.act = 0
	}
	if c.any {
		c.deeds |= nouns
	}
	eachCode(u.Arguments, func(code string) {
		if len(code) > 1 && len(c.codes) < mostCodes {
			c.codes = append(c.codes, stemHash([]byte(strings.ToLower(code))))
		}
	})
	c.changes = !onlyReads && (c.any || c.deeds != 0)
	eachWord(u.Answer, func(word string) {
		w := l.toolWords[word]
		c.mentioned |= w.said | w.noun
		c.mentionsAny = c.mentionsAny || w.is(claimsAny)
	})
	if !c.changes {
		c.deeds = 0
		return c
	}
	var asked deeds
	eachWord(u.Arguments, func(word string) {
		w := l.toolWords[word]
		asked |= w.verb | w.said | w.noun
		if len(word) > 3 && len(c.nouns) < mostNouns {
			c.nouns = append(c.nouns, stemHash([]byte(word)))
		}
	})
	if c.any {
		c.deeds |= asked
	}
	c.mentioned |= asked | c.deeds
	return c
}

// claim is what a SYSTEM says that it has done.
type claim struct {
	first, last int // tokens
	deeds       deeds
	act         uint32 // the stem of a verb that is in the name of a call alone; 0 for none
	any         bool   // it may be any deed
	isSure      bool   // it says so with a verb
	isOwn       bool   // "I have cancelled it", and not "It has been cancelled"
}

// mostClaims is how many claims of a turn are read.
const mostClaims = 16

// claims returns what the SYSTEM's turn i says that is done, each sentence and deed once.
func (s *analysis) claims(i int) (list []claim) {
	c, t := &s.lex.class, &s.turns[i]
	if s.has(i, c.OutcomeOthers) {
		return nil
	}
	var found []span // tokens, the last one included
	s.matches = s.lex.automata[t.role].scan(t.tokens, s.matches[:0])
	for _, m := range s.matches {
		if m.class == c.OutcomeCompleted || m.class == c.OutcomeActs {
			found = append(found, span{m.first, m.last})
		}
	}
	for n := range t.tokens {
		if first := s.claimBefore(t, n); first < n {
			found = append(found, span{first, n})
		}
	}
	slices.SortStableFunc(found, func(a, b span) int { return a.start - b.start })
	from, to := 0, -1 // the sentence at hand
	var known deeds   // what it claims already
	isAny := false
	add := func(k claim) {
		if k.deeds&^known != 0 || k.deeds == 0 && !isAny && known == 0 {
			known, isAny = known|k.deeds, isAny || k.deeds == 0
			list = append(list, k)
		}
	}
	for _, m := range found {
		if len(list) >= mostClaims {
			break
		}
		if m.start > to || m.start < from {
			from, to, known, isAny = t.sentenceStart(m.start), t.sentenceEnd(m.end), 0, false
		}
		if t.negated(m.start) || t.isQuestion(to) || s.isToCome(t, from, m.start) {
			continue
		}
		k := s.claim(t, m.start, m.end, to)
		add(k)
		for n := m.end + 1; n <= to && n <= m.end+claimWords; n++ { // "and refunded it"
			if w := s.toolWord(t, n); w.said != 0 && s.follows(t, n) {
				add(claim{first: n, last: n, deeds: w.said, isSure: true, isOwn: k.isOwn})
			}
		}
	}
	return list
}

// claimBefore returns where the claim begins that token n ends, such as "I have now paused" or "has
// been paused"; n for none.
func (s *analysis) claimBefore(t *turnText, n int) int {
	const most = 4 // words such as "now" between
	word, k := s.toolWord(t, n), n-1
	if word.is(claimsAny) && s.saysDone(t, n) {
		return max(0, n-1)
	}
	if word.said == 0 && !s.isAct(t, n) {
		return n
	}
	for k > 0 && n-k <= most && s.toolWord(t, k).is(between) && !t.tokens[k+1].is(opensClause) {
		k--
	}
	switch has := func(k int) bool { return k >= 0 && s.toolWord(t, k).is(perfect) }; {
	case k < 0 || t.tokens[n].is(opensSentence):
	case s.toolWord(t, k).is(doer):
		return k
	case has(k) && k > 0 && s.toolWord(t, k-1).is(doer):
		return k - 1
	case k > 0 && strings.EqualFold(t.word(k), "been") && has(k-1):
		return k - 1
	}
	return n
}

// isAct reports whether token n is the past participle of a verb that is in the name of a call.
func (s *analysis) isAct(t *turnText, n int) bool {
	_, is := s.acts[t.tokens[n].stem]
	return is && strings.HasSuffix(t.word(n), "ed")
}

// saysDone reports whether token n, which claims any deed, ends a clause that begins a sentence
// with "all": "All done, enjoy it!"
func (s *analysis) saysDone(t *turnText, n int) bool {
	if n+1 < len(t.tokens) && !t.tokens[n+1].is(opensClause) {
		return false
	}
	return n > 0 && t.tokens[n-1].is(opensSentence) && strings.EqualFold(t.word(n-1), "all")
}

// claimWords is how far from a claim words are looked for that belong to it.
const claimWords = 24

// toolWord returns what is known of token k.
func (s *analysis) toolWord(t *turnText, k int) toolWord {
	word := t.word(k)
	if n := strings.IndexAny(word, "'’‘´`"); n > 0 {
		word = word[:n]
	}
	return s.lex.toolWords[strings.ToLower(word)]
}

// isToCome reports whether the sentence that begins with token from says before token k that
// something is still to come: "once I have refunded it".
func (s *analysis) isToCome(t *turnText, from, k int) bool {
	for n := max(from, k-claimWords); n < k; n++ {
		if s.toolWord(t, n).is(notYet) {
			return true
		}
	}
	return false
}

// follows reports whether token k goes on with what is claimed before it: it is behind "and",
// "also" or a comma.
func (s *analysis) follows(t *turnText, k int) bool {
	before := strings.ToLower(t.word(k - 1))
	return t.tokens[k-1].is(joiner) && before == "and" || before == "also" || before == "then" ||
		t.tokens[k].is(opensClause)
}

// claim reads a phrase that claims a deed, in a sentence up to token to.
func (s *analysis) claim(t *turnText, first, last, to int) (k claim) {
	k.first, k.last = first, last
	var nouns deeds
	read := func(n int, verbs bool) {
		w := s.toolWord(t, n)
		k.deeds |= w.said
		if verbs {
			k.deeds |= w.verb
		}
		nouns |= w.noun
		k.any = k.any || w.is(claimsAny)
		k.isOwn = k.isOwn || w.is(doer)
		if k.act == 0 && s.isAct(t, n) {
			k.act = t.tokens[n].stem
		}
	}
	for n := first; n <= last; n++ {
		read(n, false)
	}
	k.isOwn = k.isOwn || s.toolWord(t, first).said != 0 || s.toolWord(t, first).is(claimsAny)
	to = min(to, last+claimWords)
	for n := last + 1; k.deeds == 0 && n <= to && !t.tokens[n].is(opensClause); n++ {
		read(n, k.isOwn && !k.any)
	}
	if k.isSure = k.deeds != 0; !k.isSure {
		k.deeds = nouns
	}
	return k
}

// ruling is what the tools say of a claim.
type ruling struct {
	turn        int // index into turns
	first, last int // tokens
	kind        rulingKind
	about       int // the number of a turn; 0 for none
}

type rulingKind uint8

const (
	open rulingKind = iota // nothing tells
	proven
	refuted
	unproven
	differing // it was done with another figure than the SYSTEM says
)

// record is what the calls up to some turn have done. Calls are known by their index, -1 for none.
type record struct {
	calls      []toolCall
	last       [mostDeeds]int // the last call by deed
	asked      [mostDeeds]int // the last turn in which the USER names the deed, by its number
	since      int            // the first call since the USER spoke
	change     int            // the last that changes something
	anyDeed    int            // the last whose verb may do any deed
	mentioned  deeds          // by calls that change something
	told       deeds          // by what calls returned
	toldAny    bool           // it has a word that claims any deed
	userWanted deeds          // by the USER
}

// readTools holds each claim of the SYSTEM against the calls before it. The time is linear: a claim
// looks at the last call for its deed, and at few others.
func (s *analysis) readTools() {
	if s.rulings = s.rulings[:0]; len(s.tools) == 0 {
		return
	}
	if s.acts == nil {
		s.acts = map[uint32]int{}
	}
	clear(s.acts)
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
				for d := w.verb; d != 0; d &= d - 1 {
					r.asked[bits.TrailingZeros64(uint64(d))] = t.n
				}
			})
		case dialogue.System:
			var found [differing + 1]bool
			for _, k := range s.claims(i) {
				if v := s.judgeClaim(r, i, &k); v.kind != open && !found[v.kind] {
					found[v.kind] = true
					s.rulings = append(s.rulings, v)
				}
			}
		}
	}
}

// add takes the next call.
func (r *record) add(c toolCall) {
	n := len(r.calls)
	r.calls = append(r.calls, c)
	r.told, r.toldAny = r.told|c.mentioned, r.toldAny || c.mentionsAny
	if !c.changes {
		return
	}
	for d := c.deeds; d != 0; d &= d - 1 {
		r.last[bits.TrailingZeros64(uint64(d))] = n
	}
	if r.change, r.mentioned = n, r.mentioned|c.mentioned; c.any {
		r.anyDeed = n
	}
}

// judgeClaim holds a claim of turn i against the calls before it: against the last call for its
// deed, otherwise against those since the USER spoke.
func (s *analysis) judgeClaim(r *record, i int, k *claim) ruling {
	v := ruling{turn: i, first: k.first, last: k.last}
	by, isAct := s.acts[k.act]
	if !isAct || k.deeds != 0 {
		by = -1
	}
	for d := k.deeds; d != 0; d &= d - 1 {
		by = max(by, r.last[bits.TrailingZeros64(uint64(d))])
	}
	switch {
	case by >= 0 && k.deeds == 0:
		v.kind = r.outcomeOf(by, i)
	case by >= 0:
		by = s.meant(r, i, k, by)
		v.kind = r.outcomeOf(by, i)
		again := 0 // the USER asked for it again
		for d := k.deeds; d != 0; d &= d - 1 {
			again = max(again, r.asked[bits.TrailingZeros64(uint64(d))])
		}
		if by >= 0 && v.kind == proven && by < r.since && again > r.calls[by].Call {
			v.kind = open
		}
	case k.deeds == 0 || !k.isSure:
		v.kind, by = s.judgeAny(r, i, k)
	case r.anyDeed >= r.since:
		by = r.anyDeed
		if v.kind = r.outcomeOf(by, i); v.kind == proven && !s.sharesWord(&r.calls[by], i, k) {
			v.kind = open
		}
	case r.mentioned&k.deeds != 0:
	case !k.isOwn && (r.told&k.deeds != 0 || r.userWanted&k.deeds == 0): // it says what it read
	default:
		if by = s.likely(r, i, k); by < 0 {
			v.kind = unproven
		} else if v.kind = r.outcomeOf(by, i); v.kind == proven {
			v.kind = open
		}
	}
	if by >= 0 && v.kind != open {
		v.about = max(r.calls[by].Call, r.calls[by].Result)
	}
	if v.kind == proven && by >= 0 && s.hasOtherFigure(&r.calls[by], i, k) {
		v.kind = differing
	}
	return v
}

// likely returns the last call since the USER spoke that changes something and has a word of what a
// claim is about, though its name has another verb; -1 for none.
func (s *analysis) likely(r *record, i int, k *claim) int {
	t := &s.turns[i]
	from, to := s.around(i, k)
	for n := from; n < k.first; n++ { // what another deed is about counts for that
		if s.toolWord(t, n).said != 0 {
			from = k.first
		}
	}
	for n := k.last + 1; n <= to; n++ {
		if s.toolWord(t, n).said != 0 {
			to = n - 1
		}
	}
	for n := r.change; n >= max(r.since, r.change-mostMeant); n-- {
		c := &r.calls[n]
		isAbout := func(tok token) bool {
			return slices.Contains(c.nouns, tok.stem) || slices.Contains(c.codes, tok.stem)
		}
		if c.changes && slices.ContainsFunc(t.tokens[from:to+1], isAbout) {
			return n
		}
	}
	return -1
}

// judgeAny judges a claim that names no deed by the last call that changes something since the USER
// spoke, or the last one of which its sentence has a word.
func (s *analysis) judgeAny(r *record, i int, k *claim) (rulingKind, int) {
	if r.change < r.since {
		if isNews := k.isOwn || !r.toldAny && r.userWanted != 0; k.any && isNews && r.change < 0 {
			return unproven, -1
		}
		return open, -1
	}
	by, isShared, isMixed := r.change, false, false
	for n := r.change; n >= max(r.since, r.change-mostMeant) && !isShared; n-- {
		c := &r.calls[n]
		if isShared = c.changes && (s.sharesWord(c, i, k) || s.namesArgument(c, i, k)); isShared {
			by = n
		}
		isMixed = isMixed || c.changes && c.Failed != r.calls[by].Failed
	}
	kind := r.outcomeOf(by, i)
	switch {
	case isShared:
	case kind == refuted && !k.isOwn && !k.any, kind == proven && !k.any,
		isMixed && (s.has(i, s.lex.class.OutcomeFailed) || s.has(i, s.lex.class.OutcomeDenied)):
		kind = open
	}
	return kind, by
}

// namesArgument reports whether the sentence of a claim has a number or a code of the arguments of
// a call.
func (s *analysis) namesArgument(c *toolCall, i int, k *claim) bool {
	from, to := s.around(i, k)
	for n := from; n <= to; n++ {
		if slices.Contains(c.codes, s.turns[i].tokens[n].stem) {
			return true
		}
	}
	return false
}

// outcomeOf returns what a call says of a claim in turn i.
func (r *record) outcomeOf(call, i int) rulingKind {
	switch {
	case call < 0 || r.calls[call].Result == 0 || r.calls[call].Result > i+1:
		return open
	case r.calls[call].Failed:
		return refuted
	case r.calls[call].passesOn:
		return open
	}
	return proven
}

// mostMeant is how many calls a claim may mean.
const mostMeant = 32

// meant returns the call that a claim in turn i means, of several for its deed since the USER
// spoke: the last one for each number or code in the sentence, of which one that failed counts
// before the others; otherwise one that failed beside the last. It is -1 where the turn says that
// some failed.
func (s *analysis) meant(r *record, i int, k *claim, by int) int {
	failed, isMixed := -1, false
	var calls []int
	for n := by; n >= max(r.since, by-mostMeant); n-- {
		c := &r.calls[n]
		if c.deeds&k.deeds == 0 {
			continue
		}
		calls = append(calls, n)
		isMixed = isMixed || c.Failed != r.calls[by].Failed
		if c.Failed && c.Result > r.calls[by].Call { // not made again
			failed = n
		}
	}
	if len(calls) < 2 {
		return by
	}
	named := -1
	from, to := s.around(i, k)
	for n := from; n <= to; n++ {
		code := s.turns[i].tokens[n].stem
		has := func(n int) bool { return slices.Contains(r.calls[n].codes, code) }
		of := slices.IndexFunc(calls, has)
		if of >= 0 && (named < 0 || r.calls[calls[of]].Failed) {
			named = calls[of]
		}
	}
	switch {
	case named >= 0:
		return named
	case isMixed && (s.has(i, s.lex.class.OutcomeFailed) || s.has(i, s.lex.class.OutcomeDenied)):
		return -1
	case failed >= 0:
		return failed
	}
	return by
}

// around returns the tokens of the claim's sentence, the nearest if there are many, up to a word
// such as "but".
func (s *analysis) around(i int, k *claim) (from, to int) {
	t := &s.turns[i]
	least := max(0, k.first-claimWords)
	for from = k.first; from > least && !t.tokens[from].is(opensSentence); from-- {
	}
	for to = k.last; to+1 < len(t.tokens) && to < k.last+claimWords; to++ {
		if t.tokens[to+1].is(opensSentence) || s.toolWord(t, to+1).is(excepts) {
			break
		}
	}
	return from, to
}

// sharesWord reports whether the sentence of a claim has a word of the name of a tool.
func (s *analysis) sharesWord(c *toolCall, i int, k *claim) bool {
	from, to := s.around(i, k)
	for n := from; n <= to; n++ {
		for _, noun := range c.nouns {
			if s.turns[i].tokens[n].stem == noun {
				return true
			}
		}
	}
	return false
}

// findProven reports the SYSTEM's claims of a deed that a call did, and succeeded.
func findProven(s *analysis, det *detector) { s.rulingsOf(det, proven) }

// findRefuted reports the claims of a deed for which the call failed and was not made again with
// success.
func findRefuted(s *analysis, det *detector) { s.rulingsOf(det, refuted) }

// findUnproven reports the claims of a deed that no call did, in a dialogue with calls.
func findUnproven(s *analysis, det *detector) { s.rulingsOf(det, unproven) }

// findDiffers reports the claims of a deed that a call did with another figure.
func findDiffers(s *analysis, det *detector) { s.rulingsOf(det, differing) }

func (s *analysis) rulingsOf(det *detector, kind rulingKind) {
	for _, v := range s.rulings {
		if v.kind == kind {
			s.emit(det, v.turn, v.first, v.last).About = v.about
		}
	}
}
