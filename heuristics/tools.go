package heuristics

import (
	"iter"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// The tool family compares what the SYSTEM says with what its tools were asked and returned.

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

// toolCall is a call of a tool with what it does, as far as its words show.
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

// Bounds on a call: how many nouns of it are read, with those among its arguments, and how many
// codes.
const (
	mostNouns = 24
	mostCodes = 16
)

// eachWord calls yield with each word of a name or a text, in lower case: cancel and Order of
// cancelOrder2.
func eachWord(text string, yield func(string)) {
	noLetter := func(r rune) bool { return r < utf8.RuneSelf && !isLetter(byte(r)) }
	for run := range strings.FieldsFuncSeq(text, noLetter) {
		begin := 0
		for i := 1; i <= len(run); i++ {
			if i == len(run) || isUpper(run[i]) && !isUpper(run[i-1]) {
				yield(strings.ToLower(run[begin:i]))
				begin = i
			}
		}
	}
}

// eachCode calls yield with each run of letters and digits in a text that has a digit.
func eachCode(text string, yield func(string)) {
	noCode := func(r rune) bool { return r >= utf8.RuneSelf || !wordByte[r] }
	for run := range strings.FieldsFuncSeq(text, noCode) {
		if hasDigit(run) {
			yield(run)
		}
	}
}

// stemOf returns the stem of a word in lower case.
func stemOf(word string) uint32 { return stemHash([]byte(word)) }

// readCall returns what a call does.
func (l *lexicon) readCall(u *dialogue.ToolUse) toolCall {
	c := toolCall{ToolUse: u}
	var nouns, asked deeds
	onlyReads := false
	eachWord(u.Name, func(word string) {
		w := l.toolWords[word]
		onlyReads, c.any = onlyReads || w.is(reads), c.any || w.is(doesAny)
		c.passesOn = c.passesOn || w.is(passesOn)
		c.deeds, nouns = c.deeds|w.verb, nouns|w.noun
		if w.verb == 0 && !w.is(doesAny|reads) {
			if len(c.nouns) == 0 && c.deeds == 0 && !c.any && !c.passesOn {
				c.act = stemOf(strings.TrimSuffix(word, "e") + "ed") // "escalated" of "escalate"
			}
			c.nouns = append(c.nouns, stemOf(word))
		}
	})
	eachCode(u.Arguments, func(code string) {
		if len(code) > 1 && len(c.codes) < mostCodes {
			c.codes = append(c.codes, stemOf(strings.ToLower(code)))
		}
	})
	eachWord(u.Answer, func(word string) {
		w := l.toolWords[word]
		c.mentioned |= w.said | w.noun
		c.mentionsAny = c.mentionsAny || w.is(claimsAny)
	})
	if onlyReads {
		c.act = 0
	}
	if c.changes = !onlyReads && (c.any || c.deeds != 0); !c.changes {
		c.deeds = 0
		return c
	}
	eachWord(u.Arguments, func(word string) {
		w := l.toolWords[word]
		asked |= w.verb | w.said | w.noun
		if len(word) > 3 && len(c.nouns) < mostNouns {
			c.nouns = append(c.nouns, stemOf(word))
		}
	})
	if c.any {
		c.deeds |= nouns | asked
	}
	c.mentioned |= asked | c.deeds
	return c
}

// claim is what a SYSTEM says that it has done.
type claim struct {
	passage
	deeds  deeds
	act    uint32 // the stem of a verb that is in the name of a call alone; 0 for none
	any    bool   // it may be any deed
	isSure bool   // it says so with a verb
	isOwn  bool   // "I have cancelled it", and not "It has been cancelled"
}

// Bounds on claims: how many of a turn are read, and how far from one its words are looked for.
const (
	mostClaims = 16
	claimWords = 24
)

// claimed returns the words of turn i that claim that something is done.
func (s *analysis) claimed(i int) (found []passage) {
	c, t := &s.lex.class, &s.turns[i]
	s.matches = s.lex.automata[t.role].scan(t.tokens, s.matches[:0])
	for _, m := range s.matches {
		if m.class == c.OutcomeCompleted || m.class == c.OutcomeActs {
			found = append(found, passage{i, m.first, m.last})
		}
	}
	for n := range t.tokens {
		if first := s.claimBefore(t, n); first < n {
			found = append(found, passage{i, first, n})
		}
	}
	slices.SortStableFunc(found, func(a, b passage) int { return a.first - b.first })
	return found
}

// claims returns what the SYSTEM's turn i says that is done, each sentence and deed once.
func (s *analysis) claims(i int) (list []claim) {
	if s.has(i, s.lex.class.OutcomeOthers) {
		return nil
	}
	t := &s.turns[i]
	from, to := 0, -1 // the sentence at hand
	var known deeds   // what it claims already
	isAny := false
	add := func(k claim) {
		if k.deeds&^known != 0 || k.deeds == 0 && !isAny && known == 0 {
			known, isAny = known|k.deeds, isAny || k.deeds == 0
			list = append(list, k)
		}
	}
	for _, p := range s.claimed(i) {
		if len(list) >= mostClaims {
			break
		}
		if p.first > to || p.first < from {
			from, to, known, isAny = t.sentenceStart(p.first), t.sentenceEnd(p.last), 0, false
		}
		if t.negated(p.first) || t.isQuestion(to) || s.isToCome(t, from, p.first) {
			continue
		}
		k := s.claim(p, to)
		add(k)
		for n := p.last + 1; n <= min(to, p.last+claimWords); n++ { // "and refunded it"
			if w := s.toolWord(t, n); w.said != 0 && t.continues(n) {
				add(claim{passage{i, n, n}, w.said, 0, false, true, k.isOwn})
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
	if word.is(claimsAny) && !t.goesOn(n+1) && n > 0 &&
		t.tokens[n-1].is(opensSentence) && t.is(n-1, "all") { // "All done, enjoy it!"
		return n - 1
	}
	if word.said == 0 && !s.isAct(t, n) || t.tokens[n].is(opensSentence) {
		return n
	}
	for k > 0 && n-k <= most && s.toolWord(t, k).is(between) && t.goesOn(k+1) {
		k--
	}
	has := func(k int) bool { return k >= 0 && s.toolWord(t, k).is(perfect) }
	switch {
	case k < 0:
	case s.toolWord(t, k).is(doer):
		return k
	case has(k) && k > 0 && s.toolWord(t, k-1).is(doer), t.is(k, "been") && has(k-1):
		return k - 1
	}
	return n
}

// isAct reports whether token n is the past participle of a verb that is in the name of a call.
func (s *analysis) isAct(t *turnText, n int) bool {
	_, is := s.acts[t.tokens[n].stem]
	return is && strings.HasSuffix(t.word(n), "ed")
}

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

// continues reports whether token k adds to what is claimed before it: it is behind "and", "also"
// or a comma.
func (t *turnText) continues(k int) bool {
	return !t.goesOn(k) || t.is(k-1, "also", "then") || t.tokens[k-1].is(joiner) && t.is(k-1, "and")
}

// claim reads a phrase that claims a deed, in a sentence up to token to.
func (s *analysis) claim(p passage, to int) claim {
	t, k := &s.turns[p.turn], claim{passage: p}
	var nouns deeds
	read := func(n int, verbs bool) {
		w := s.toolWord(t, n)
		if k.deeds |= w.said; verbs {
			k.deeds |= w.verb
		}
		nouns |= w.noun
		k.any = k.any || w.is(claimsAny)
		k.isOwn = k.isOwn || w.is(doer)
		if k.act == 0 && s.isAct(t, n) {
			k.act = t.tokens[n].stem
		}
	}
	for n := p.first; n <= p.last; n++ {
		read(n, false)
	}
	first := s.toolWord(t, p.first)
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

// ruling is what the tools show of a claim.
type ruling struct {
	passage
	kind  rulingKind
	about int // the number of a turn; 0 for none
}

type rulingKind uint8

const (
	open      rulingKind = iota // nothing shows it
	proven                      // a call did it, and succeeded
	refuted                     // the call failed, and was not made again with success
	unproven                    // no call did it, in a dialogue with calls
	differing                   // it was done with another figure than the SYSTEM says
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

// each calls yield with the number of each deed of a set.
func (d deeds) each(yield func(int)) {
	for ; d != 0; d &= d - 1 {
		yield(bits.TrailingZeros64(uint64(d)))
	}
}

// readTools compares each claim of the SYSTEM with the calls before it. The time is linear: a claim
// looks at the last call for its deed, and at few others.
func (s *analysis) readTools() {
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
			for _, k := range s.claims(i) {
				if v := s.judgeClaim(r, &k); v.kind != open && !found[v.kind] {
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
	c.deeds.each(func(d int) { r.last[d] = n })
	if r.change, r.mentioned = n, r.mentioned|c.mentioned; c.any {
		r.anyDeed = n
	}
}

// recent yields the last calls up to one, of those since the USER spoke.
func (r *record) recent(last int) iter.Seq2[int, *toolCall] {
	return func(yield func(int, *toolCall) bool) {
		for n := last; n >= max(r.since, last-mostMeant); n-- {
			if !yield(n, &r.calls[n]) {
				return
			}
		}
	}
}

// judgeClaim compares a claim with the last call before it for its deed, otherwise with those since
// the USER spoke.
func (s *analysis) judgeClaim(r *record, k *claim) ruling {
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
		by = s.meant(r, k, by)
		v.kind = r.outcomeOf(by, k)
		if by >= 0 && v.kind == proven && by < r.since && again > r.calls[by].Call {
			v.kind = open
		}
	case k.deeds == 0 || !k.isSure:
		v.kind, by = s.judgeAny(r, k)
	case r.anyDeed >= r.since:
		by = r.anyDeed
		if v.kind = r.outcomeOf(by, k); v.kind == proven && !s.shares(k, r.calls[by].nouns) {
			v.kind = open
		}
	case r.mentioned&k.deeds != 0:
	case !k.isOwn && (r.told&k.deeds != 0 || r.userWanted&k.deeds == 0): // it says what it read
	default:
		if by = s.likely(r, k); by < 0 {
			v.kind = unproven
		} else if v.kind = r.outcomeOf(by, k); v.kind == proven {
			v.kind = open
		}
	}
	if by >= 0 && v.kind != open {
		v.about = max(r.calls[by].Call, r.calls[by].Result)
	}
	if v.kind == proven && by >= 0 && s.hasOtherFigure(&r.calls[by], k) {
		v.kind = differing
	}
	return v
}

// likely returns the last call since the USER spoke that changes something and has a word of what a
// claim is about, though its name has another verb; -1 for none.
func (s *analysis) likely(r *record, k *claim) int {
	t, p := &s.turns[k.turn], s.scope(k)
	for n := p.first; n < k.first; n++ { // what another deed is about counts for that
		if s.toolWord(t, n).said != 0 {
			p.first = k.first
		}
	}
	for n := k.last + 1; n <= p.last; n++ {
		if s.toolWord(t, n).said != 0 {
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
// spoke, or the last one of which its sentence has a word.
func (s *analysis) judgeAny(r *record, k *claim) (rulingKind, int) {
	if r.change < r.since {
		isNews := k.isOwn || !r.toldAny && r.userWanted != 0
		if k.any && isNews && r.change < 0 {
			return unproven, -1
		}
		return open, -1
	}
	by, isShared, isMixed := r.change, false, false
	for n, c := range r.recent(r.change) {
		if isShared = c.changes && (s.shares(k, c.nouns) || s.shares(k, c.codes)); isShared {
			by = n
		}
		isMixed = isMixed || c.changes && c.Failed != r.calls[by].Failed
		if isShared {
			break
		}
	}
	kind := r.outcomeOf(by, k)
	if !isShared && (kind == refuted && !k.isOwn && !k.any || kind == proven && !k.any ||
		isMixed && s.admits(k.turn)) {
		kind = open
	}
	return kind, by
}

// admits reports whether turn i says that something failed.
func (s *analysis) admits(i int) bool {
	return s.has(i, s.lex.class.OutcomeFailed) || s.has(i, s.lex.class.OutcomeDenied)
}

// outcomeOf returns what a call shows of a claim.
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

// mostMeant is how many calls a claim may mean.
const mostMeant = 32

// meant returns the call that a claim means, of several for its deed since the USER spoke: the last
// one for each number or code in the sentence, of which one that failed counts before the others;
// otherwise one that failed beside the last. It is -1 where the turn says that some failed.
func (s *analysis) meant(r *record, k *claim, by int) int {
	failed, named, isMixed := -1, -1, false
	var calls []int
	for n, c := range r.recent(by) {
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
	for _, tok := range s.wordsOf(s.scope(k)) {
		has := func(n int) bool { return slices.Contains(r.calls[n].codes, tok.stem) }
		of := slices.IndexFunc(calls, has)
		if of >= 0 && (named < 0 || r.calls[calls[of]].Failed) {
			named = calls[of]
		}
	}
	switch {
	case named >= 0:
		return named
	case isMixed && s.admits(k.turn):
		return -1
	case failed >= 0:
		return failed
	}
	return by
}

// scope returns the words of the claim's sentence, the nearest if there are many, up to a word such
// as "but".
func (s *analysis) scope(k *claim) passage {
	t, p := &s.turns[k.turn], k.passage
	p.first = max(t.sentenceStart(k.first), k.first-claimWords)
	for p.last+1 < len(t.tokens) && p.last < k.last+claimWords {
		if t.tokens[p.last+1].is(opensSentence) || s.toolWord(t, p.last+1).is(excepts) {
			break
		}
		p.last++
	}
	return p
}

// shares reports whether the sentence of a claim has a word with one of some stems.
func (s *analysis) shares(k *claim, stems []uint32) bool {
	return slices.ContainsFunc(s.wordsOf(s.scope(k)), func(tok token) bool {
		return slices.Contains(stems, tok.stem)
	})
}

// findRulings returns what reports the SYSTEM's claims with one ruling.
func findRulings(kind rulingKind) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, v := range s.rulings {
			if v.kind == kind {
				s.emit(det, v.turn, v.first, v.last).About = v.about
			}
		}
	}
}
