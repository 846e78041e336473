package heuristics

import (
	"iter"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// The tool family compares what the SYSTEM says with the calls and results of its tools.

// deeds is a set of deeds, which are the actions numbered in lexicon/words-tools.txt.
type deeds uint64

// maxDeeds is the maximum number of deeds.
const maxDeeds = 64

// toolWord is the entry of a word in lexicon/words-tools.txt.
type toolWord struct {
	verb, said, noun deeds
	marks            toolMarks
}

type toolMarks uint16

const (
	doesAny   toolMarks = 1 << iota // in the name of a tool: it may do any deed
	claimsAny                       // said by the SYSTEM: some deed is done
	reads                           // in the name of a tool: it changes nothing
	passesOn                        // in the name of a tool: it only informs a person
	doer                            // the subject of a claim
	notYet                          // a deed after it is still to come
	perfect                         // "have" of "I have cancelled"
	between                         // may be between these
	excepts                         // what follows was not done
	phones                          // a telephone number follows
	ofAmount                        // in the name of an argument: it is an amount
	ofPeople                        // it is a number of people
	ofThings                        // it is a number of things
)

// toolMarkNames are the keywords at the beginning of lines in lexicon/words-tools.txt.
var toolMarkNames = map[string]toolMarks{
	"any": doesAny, "done": claimsAny, "reads": reads, "person": passesOn, "who": doer,
	"unless": notYet, "has": perfect, "between": between, "but": excepts, "phone": phones,
	"amount": ofAmount, "people": ofPeople, "things": ofThings,
}

// is reports whether a word has a mark.
func (w toolWord) is(mark toolMarks) bool { return w.marks&mark != 0 }

// toolLine parses a line of lexicon/words-tools.txt.
func (l *lexicon) toolLine(line string) {
	kind, words, _ := strings.Cut(line, " ")
	if kind == "deed" {
		if l.deeds++; l.deeds > maxDeeds {
			wrong("more than %d deeds", maxDeeds)
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

// toolCall is a call of a tool and its effect, as far as its words show.
type toolCall struct {
	*dialogue.ToolUse
	deeds       deeds      // the deeds it does
	mentioned   deeds      // in its name, arguments or result
	changes     bool       // it changes something; otherwise it only reads
	passesOn    bool       // to a person, who has not done anything yet
	any         bool       // its verb may do any deed
	mentionsAny bool       // its result has a word that claims any deed
	act         uint32     // the stem of a verb in its name that is in no list, or 0
	nouns       []uint32   // stems of the other words in its name, and of words in its arguments
	codes       []uint32   // stems of the numbers and codes in its arguments
	figures     *figuresIn // see figuresOfCall
}

// Limits on a call: the nouns that are read, including those in its arguments, and the codes.
const (
	maxNouns = 24
	maxCodes = 16
)

// eachWord calls yield with each word of a name or a text, in lower case: "cancel" and "order" for
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

// eachCode calls yield with each sequence of letters and digits in a text that contains a digit.
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

// readCall returns the effect of a call.
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
				c.act = stemOf(strings.TrimSuffix(word, "e") + "ed") // "escalated" for "escalate"
			}
			c.nouns = append(c.nouns, stemOf(word))
		}
	})
	eachCode(u.Arguments, func(code string) {
		if len(code) > 1 && len(c.codes) < maxCodes {
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
		if len(word) > 3 && len(c.nouns) < maxNouns {
			c.nouns = append(c.nouns, stemOf(word))
		}
	})
	if c.any {
		c.deeds |= nouns | asked
	}
	c.mentioned |= asked | c.deeds
	return c
}

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

// ruling is the result of checking a claim against the tools.
type ruling struct {
	passage
	kind  rulingKind
	about int // the number of a turn, or 0
}

type rulingKind uint8

const (
	open      rulingKind = iota // no evidence
	proven                      // a call did it and succeeded
	refuted                     // the call failed and was not repeated successfully
	unproven                    // no call did it, in a dialogue with calls
	differing                   // it was done with a different figure than the SYSTEM says
)

// record holds the effect of the calls up to a turn. Calls are identified by their index, or -1.
type record struct {
	calls      []toolCall
	last       [maxDeeds]int // the last call by deed
	asked      [maxDeeds]int // the number of the last turn in which the USER names the deed, by deed
	since      int           // the first call since the USER spoke
	change     int           // the last call that changes something
	anyDeed    int           // the last call whose verb may do any deed
	mentioned  deeds         // by calls that change something
	told       deeds         // in the results of calls
	toldAny    bool          // a result has a word that claims any deed
	userWanted deeds         // requested by the USER
}

// each calls yield with the number of each deed in a set.
func (d deeds) each(yield func(int)) {
	for ; d != 0; d &= d - 1 {
		yield(bits.TrailingZeros64(uint64(d)))
	}
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
	r.told, r.toldAny = r.told|c.mentioned, r.toldAny || c.mentionsAny
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
	case !k.isOwn && (r.told&k.deeds != 0 || r.userWanted&k.deeds == 0): // it repeats what it has read
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
		isNews := k.isOwn || !r.toldAny && r.userWanted != 0
		if k.any && isNews && r.change < 0 {
			return unproven, -1
		}
		return open, -1
	}
	by, isShared, isMixed := r.change, false, false
	for n, c := range r.recent(r.change) {
		if isShared = c.changes && (claimShares(s, k, c.nouns) || claimShares(s, k, c.codes)); isShared {
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
