package deeds

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"assize/heuristics/quantity"
	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// claim is a statement of the SYSTEM that something was done which changes something.
type claim struct {
	text.Passage              // the words that say so
	scope        text.Passage // the words that may name its object
	deeds        deeds        // 0 if it may be any
	act          uint32       // the stem of a verb that is in no list, or 0
	verb         uint32       // the stem of its verb, or 0
	voice        voice
	any          bool // its verb may mean any deed
	asks         bool // something is only asked for or set up, and so may be pending
	posts        bool // a message is sent, which may be pending
	waits        bool // its turn says that it is pending
	goesOn       bool // "it is being processed"
	sets         bool // "I've switched it on"
	before       bool // it was done already
	bare         bool // "Done!", which names neither deed nor object
	shown        bool // "it is on hold", which is a claim only of what a call may have done
}

// voice says who did it, and when.
type voice uint8

const (
	noVoice   voice = iota
	ownDeed         // "I have cancelled it"
	perfectly       // "it has been cancelled"
	isState         // "it is cancelled"
	byOthers        // "my colleague cancelled it"
	isComing        // "I will cancel it"
)

// Limits on claims: the number read in a turn, the distance in words that is searched around one,
// and the number of words such as "now" within one.
const (
	maxClaims  = 64
	claimWords = 24
	maxBetween = 5
)

// claimReader reads the claims in a turn.
type claimReader struct {
	*Ledger
	i     int
	t     *text.Turn
	words []toolWord
	list  []claim
}

// claimsIn returns the claims in the SYSTEM's turn i.
func (s *Ledger) claimsIn(i int) []claim {
	t := &s.Turns[i]
	r := claimReader{Ledger: s, i: i, t: t}
	for k := range t.Tokens {
		r.words = append(r.words, s.toolWordAt(t, k))
	}
	for n, next := 0, 0; n < len(t.Tokens) && len(r.list) < maxClaims; n++ {
		if n < next {
			continue // in an idiom
		}
		k := claim{Passage: text.Passage{Turn: i, First: n, Last: n}}
		if size := r.idiomAt(n, &k); size > 0 {
			if k.voice, k.First = r.voiceAt(n); k.voice == noVoice {
				k.voice, k.First = ownDeed, n
			}
			k.Last, next = n+size-1, n+size
		} else if k.voice, k.First = r.voiceAt(n); k.voice == noVoice {
			continue
		} else {
			r.readVerb(n, &k)
		}
		if r.isVoid(&k) {
			continue
		}
		if o := len(r.list) - 1; o >= 0 && r.list[o].bare && k.voice != isComing &&
			!(k.posts && k.voice == perfectly) { // "Done! The courier has been informed."
			r.list = r.list[:o] // "Done, I have cancelled it" is one claim
		}
		r.list = append(r.list, k)
	}
	r.setScopes()
	for n := range r.list {
		r.readObject(&r.list[n])
	}
	isWaiting := func(w toolWord) bool { return w.is(waits) }
	next := len(t.Tokens) // the next claim that does more than go on
	for n := len(r.list) - 1; n >= 0; n-- {
		k := &r.list[n]
		k.waits = slices.ContainsFunc(r.words[k.scope.First:max(next, k.scope.First)], isWaiting)
		if !k.goesOn {
			next = k.First
		}
	}
	return r.list
}

// idiomAt returns the number of tokens of the idiom that begins at token n, or 0.
func (r *claimReader) idiomAt(n int, k *claim) int {
	t := r.t
	for _, one := range r.terms.idioms[strings.ToLower(t.Word(n))] {
		size := 0
		for size < len(one.words) && n+size < len(t.Tokens) && (size == 0 || t.GoesOn(n+size)) &&
			t.Is(n+size, one.words[size]...) {
			size++
		}
		if size == len(one.words) && !(one.isState && len(r.calls) == 0) {
			k.deeds, k.any, k.shown = one.deeds, one.deeds == 0, one.isState
			k.bare = k.any && n-t.SentenceStart(n) <= 2 && !t.GoesOn(n+size)
			return size
		}
	}
	isAlone := n+1 == len(t.Tokens) || !t.GoesOn(n+1)
	from := t.SentenceStart(n)
	for o := n; o > max(from, n-maxBetween); o-- { // "Order 7: refund issued"
		if strings.Contains(t.Text[t.Tokens[o-1].End:t.Tokens[o].Start], ":") {
			from = o
		}
	}
	isNoun := n > from && n-from <= 3 && t.GoesOn(n)
	for o := from; isNoun && o < n; o++ {
		isNoun = r.words[o].marks&^(claimsAny|ofAmount|ofThings|effect|phones) == 0 &&
			!t.Tokens[o].Is(text.Negator|text.Modal)
	}
	said := r.words[n].said
	switch isEnd := t.SentenceEnd(n) == n || t.GoesOn(n+1) && t.Tokens[n+1].Is(text.Preposition); {
	case n == from && t.SentenceEnd(n) == n && said != 0:
		k.deeds = said // "Refunded!"
	case isNoun && isEnd && !r.words[n].is(itself) && (said&r.words[n-1].noun != 0 ||
		r.words[n].is(claimsAny|waits) && r.words[n-1].noun != 0): // "Refund issued!"
		noun := r.words[n-1].noun
		k.deeds, k.asks = cmp.Or(said&noun, noun), r.words[n].is(waits)
	case isAlone && r.words[n].is(claimsAny) && (t.Tokens[n].Is(text.OpensSentence) || n == 0 ||
		t.Tokens[n-1].Is(text.OpensSentence) && t.Is(n-1, "all")):
		k.any, k.bare = true, true // "Done!", "All done, enjoy it!"
	default:
		return 0
	}
	return 1
}

// suffix returns what follows the apostrophe in token k: "ve", "ll", "s", "re" or "".
func (r *claimReader) suffix(k int) string {
	word := r.t.Word(k)
	if n := strings.IndexAny(word, "'’‘´`"); n > 0 {
		return strings.ToLower(strings.TrimLeft(word[n:], "'’‘´`"))
	}
	return ""
}

// back returns the token before token k, without words such as "now" in between, or -1.
func (r *claimReader) back(k int) int {
	for n := 0; n <= maxBetween; n++ {
		if k == 0 || !r.t.GoesOn(k) {
			return -1
		}
		if k--; !r.words[k].is(between) {
			return k
		}
	}
	return -1
}

// voiceAt returns the voice of the verb at token n and the first token of its phrase, or noVoice if
// it claims nothing.
func (r *claimReader) voiceAt(n int) (voice, int) {
	w, t := r.words[n], r.t
	word := t.Word(n)
	if w.is(looks) && r.checksIn(n) {
		w.marks &^= looks
	} else if w.is(looks) {
		w.said = 0
	}
	if k := r.doing(n); k >= 0 {
		return isComing, k
	}
	isPart := w.said != 0 || w.is(claimsAny) || // or the participle of a verb in a call's name
		strings.HasSuffix(word, "ed") && r.acts[actOf(strings.ToLower(word))]
	isBase := w.verb != 0 || w.is(doesAny|phones)
	isOpen := len(word) > 4 && strings.HasSuffix(word, "ed") && !w.is(reports|doer) ||
		w.is(phrasal) && r.hasParticle(n)
	if !isPart && !isBase && !isOpen {
		return noVoice, n
	}
	k := r.back(n)
	if k < 0 {
		return r.joined(n, isPart)
	}
	at, suffix, b := r.words[k], r.suffix(k), r.back(k)
	isComingAt := func(k int) bool {
		return k >= 0 && (r.words[k].is(toCome) || r.suffix(k) == "ll")
	}
	switch {
	case isComingAt(k):
		isThing := t.Is(n, "give", "make") && t.Is(b-1, "a", "an") && !r.words[b].is(others)
		if isBase && !t.Is(k-1, "who", "which") && !isThing {
			return isComing, k
		}
	case suffix == "ve" || at.is(perfect):
		if suffix == "ve" {
			b = k // the subject
		}
		switch {
		case b < 0, !isPart && (!isOpen || w.is(looks)), r.suffix(b) == "d",
			t.Is(b, "you", "you've", "you’ve"), r.words[b].is(possible | toCome | notYet):
		case !r.words[b].is(doer) && (!w.is(itself) || r.words[b].is(others)):
			return byOthers, b
		case r.words[b].is(doer) && !w.is(looks):
			return ownDeed, b
		}
	case t.Is(k, "to") && isBase, t.Is(k, "be"):
		if isComingAt(b) && (isPart || t.Is(k, "to")) { // "I'm going to cancel it"
			return isComing, b
		}
		if s := r.back(max(b, 0)); s >= 0 && r.words[b].is(ableTo) &&
			(t.Is(s, "was", "been") || r.words[s].is(doer)) {
			return ownDeed, max(0, s-1) // "I was able to cancel it", "I managed to"
		}
	case t.Is(k, "been", "being"):
		if b >= 0 && (isPart || isOpen && !w.is(looks)) &&
			(r.words[b].is(perfect|passive) || text.IsOneOf(r.suffix(b), "s", "ve", "re")) {
			return perfectly, b
		}
	case at.is(passive) || suffix == "s" || suffix == "re":
		if isPart && !t.Is(k, "i'm", "am") {
			if k > 0 && suffix == "" {
				k--
			}
			return isState, k
		}
	case at.is(doer) && suffix == "":
		if isPart && !w.is(looks) {
			return ownDeed, k
		}
	case isPart && w.verb == 0 && !t.Is(n-1, "and", "then", "also", "or", "but") &&
		(at.is(others) || t.Tokens[k].IsName()):
		return byOthers, k
	default:
		return r.joined(n, isPart)
	}
	return noVoice, n
}

// doing returns the token that begins "I'm opening" or "we are opening your" if token n is such a
// verb, whose entry becomes that of "open", or -1.
func (r *claimReader) doing(n int) int {
	base, isForm := strings.CutSuffix(strings.ToLower(r.t.Word(n)), "ing")
	k := r.back(n)
	if r.t.Is(k, "am", "are") {
		k--
	}
	isOurs := r.t.Is(k, "i", "i'm", "i’m") || r.t.Is(k, "we", "we're", "we’re") &&
		r.t.Is(n+1, "you", "your", "it", "this", "that", "the")
	if !isForm || !isOurs || len(base) < 3 {
		return -1
	}
	for _, word := range []string{base, base + "e", base[:len(base)-1]} { // also "cancelling"
		if w := r.terms.words[word]; w.verb != 0 && !w.is(looks|reports) {
			r.words[n].verb = w.verb
			return k
		}
	}
	return -1
}

// hasParticle reports whether a word such as "off" follows token n in its clause, as in "taken your
// number off the list", or "to" as in "asked the driver to wait", or whether money is taken.
func (r *claimReader) hasParticle(n int) bool {
	for k := n + 1; k <= n+maxBetween && r.t.GoesOn(k); k++ {
		if r.words[k].is(particle) ||
			r.words[n].is(reports) && k > n+1 && r.t.Is(k, "to") && !r.t.Is(n+1, "you") {
			return true
		}
	}
	isMoney := func(w toolWord) bool { return w.is(ofAmount) && w.noun != 0 }
	isNext := func(f quantity.Figure) bool { return f.Money && f.First == n+1 } // "taken £25"
	return slices.ContainsFunc(r.FiguresOf(r.i), isNext) ||
		n > 0 && r.words[n-1].is(passive) && // "your payment has been taken"
			slices.ContainsFunc(r.words[r.t.SentenceStart(n):n], isMoney)
}

// checksIn reports whether "in" or "out" belongs to the verb at token n, as in "checked in Ann" and
// "checked you in".
func (r *claimReader) checksIn(n int) bool {
	t, k := r.t, n+1
	isOne := func(k int) bool {
		return t.GoesOn(k) && (t.Tokens[k].IsName() ||
			t.Is(k, "you", "them", "him", "her", "both", "all", "and", "everybody", "everyone"))
	}
	for isOne(k) {
		k++
	}
	return t.GoesOn(k) && t.Is(k, "in", "out") &&
		(!t.GoesOn(k+1) || isOne(k+1) || t.Is(k+1, "for", "on", "to"))
}

// joined returns the voice of a verb that continues the claim before it in its sentence: "and
// refunded it", "and your refund issued".
func (r *claimReader) joined(n int, isPart bool) (voice, int) {
	if len(r.list) == 0 {
		return noVoice, n
	}
	t, last := r.t, &r.list[len(r.list)-1]
	if t.Tokens[n].From != t.Tokens[last.Last].From || n-last.Last > claimWords {
		return noVoice, n
	}
	isNext := !t.GoesOn(n) || n > 0 && t.Is(n-1, "and", "then", "also")
	isEnd := n+1 == len(t.Tokens) || !t.GoesOn(n+1) || t.Tokens[n+1].Is(text.Preposition)
	for k := n - 1; isPart && isEnd && !isNext && k > last.Last && r.suffix(k) == "" &&
		!r.words[k].is(passive|perfect|toCome|possible|doer) && !t.Is(k, "you"); k-- {
		isNext = t.Is(k, "and") // "and your refund of $40 issued"
	}
	if !isNext || last.voice != isComing && !isPart {
		return noVoice, n
	}
	return last.voice, n
}

// isVoid reports whether a claim is negated, a question, conditional, quoted, or somebody's words.
func (r *claimReader) isVoid(k *claim) bool {
	t := r.t
	from := t.SentenceStart(k.First)
	if r.IsInquiry(r.i, k.Last) || t.Cites(k.First, k.Last) ||
		r.Meets(r.Lex.Class.OutcomeOthers, t.At(from, t.SentenceEnd(k.Last))) {
		return true
	}
	start := k.First // of the clause, or of "I have"
	if k.voice != ownDeed || !r.words[k.First].is(doer) {
		for start > max(from, k.First-claimWords) && t.GoesOn(start) {
			start--
		}
	}
	isStatus := k.verb == 0 && t.Is(k.Last, "way") && // "your parcel is on its way"
		!t.Is(start, "a", "an", "another")
	isNothing := t.GoesOn(k.Last+1) &&
		t.Is(k.Last+1, "nothing", "none", "neither", "nobody", "no")
	isDue := k.verb == 0 && k.deeds != 0 && (t.Is(k.First-1, "go", "goes", "come", "comes") ||
		r.isWithin(k)) // "it goes back to your account"
	if isStatus || isNothing || isDue ||
		(k.voice == isState || k.voice == perfectly) && r.isGeneral(k) {
		return true
	}
	for n := start; n < k.Last; n++ {
		if t.Tokens[n].Is(text.Negator) || k.verb == 0 && t.Is(n, "may", "might") ||
			t.Is(n, "neither", "nobody", "none", "please", "unable") {
			return true
		}
	}
	for n := max(from, k.First-claimWords); n < k.First; n++ {
		isTold := r.words[n].is(reports) && (t.Is(n+1, "that") || t.ClauseEnd(n) >= k.First)
		isHoped := r.words[n].is(notYet) && // "it should be there, I sent it" says that it was sent
			(!t.Tokens[n].Is(text.Modal) || n == from || t.ClauseEnd(n) >= k.First) &&
			!(t.Tokens[n+1].Is(text.Number) && t.Is(k.First-1, "and")) && // "until 2 July and"
			!strings.Contains(t.Text[t.Tokens[n].End:t.Tokens[k.First].Start], ";")
		if isHoped || isTold && !r.words[max(0, n-1)].is(doer|perfect) {
			return true
		}
	}
	return false
}

// isGeneral reports whether a claim in the passive says how things are: what happens in general, as
// in "payments are handled by your bank" and "seats are reserved at the gate", or by a time, as in
// "it is released within 7 days"; or why something could not be done.
func (r *claimReader) isGeneral(k *claim) bool {
	t, from := r.t, max(r.t.SentenceStart(k.First), k.First-claimWords)
	isDefinite, isRefused, isReason := false, false, false
	for n := from; n < k.Last; n++ {
		if n > from && !t.GoesOn(n) {
			mark := t.Text[t.Tokens[n-1].End:t.Tokens[n].Start]
			isDefinite, isReason = false, isRefused && strings.Contains(mark, ":")
		}
		before := r.words[max(n-1, 0)]
		isUnable := (r.words[n].marks|before.marks)&possible != 0 || t.Is(n+1, "able")
		isRefused = isRefused || t.Is(n, "unable") || t.Tokens[n].Is(text.Negator) && isUnable &&
			(before.is(doer) || r.words[max(n-2, 0)].is(doer))
		isDefinite = isDefinite || r.words[n].is(definite) || t.Tokens[n].IsName() ||
			text.HasDigit(t.Word(n)) || r.Lex.ValueOf(t.Tokens[n]).Kind == quantity.WordNumber
	}
	isRule := !isDefinite && (t.Is(k.Last-1, "are") || t.Is(k.Last, "included"))
	isFull := t.Is(k.Last, "booked") && t.Is(k.Last+1, "out", "up")
	isClosed := t.Is(k.Last, "closed", "open") && // "we are closed on Monday"
		(t.Is(k.Last-2, "we") || t.Is(k.Last-1, "we're", "we’re"))
	if isReason || isRule || isFull || isClosed || k.voice != isState {
		return isReason || k.voice == isState
	}
	for n := from; n <= min(t.SentenceEnd(k.Last), k.Last+claimWords); n++ {
		if r.words[n].is(usual) && !r.words[from].is(definite) {
			return true
		}
	}
	return !t.Is(k.Last-1, "was", "were") && r.isWithin(k)
}

// isWithin reports whether "within" follows a claim in its clause: "within 7 days".
func (r *claimReader) isWithin(k *claim) bool {
	to := min(r.t.ClauseEnd(k.Last), k.Last+claimWords)
	for n := k.Last + 1; n <= to; n++ {
		if r.t.Is(n, "within") {
			return true
		}
	}
	return false
}

// readVerb reads the verb at token n.
func (r *claimReader) readVerb(n int, k *claim) {
	w := r.words[n]
	k.any = w.is(claimsAny|doesAny|phrasal) && (w.said == 0 || w.is(claimsAny))
	if k.deeds = w.said; k.deeds == 0 && (k.voice == isComing || !k.any) {
		k.deeds = w.verb // "will cancel", "managed to cancel"
	}
	k.asks, k.posts = w.is(applies), w.is(posts)
	for o := k.First; o < n; o++ {
		k.before = k.before || r.t.Is(o, "already")
		k.goesOn = k.goesOn || r.t.Is(o, "being")
	}
	if k.verb = actOf(strings.ToLower(r.t.Word(n))); k.deeds == 0 && !k.any {
		k.act = k.verb
	}
}

// setScopes finds the words that belong to each claim: its sentence up to the claims before and
// after it, which are parted by a conjunction or a comma, up to a word such as "but", and up to a
// clause that says what was not done, as in "A is cancelled; B could not be".
func (r *claimReader) setScopes() {
	t := r.t
	for k := range r.list {
		c := &r.list[k]
		c.scope = text.Passage{Turn: r.i, First: max(t.SentenceStart(c.First), c.First-claimWords),
			Last: c.Last}
		to := min(t.SentenceEnd(c.Last), c.Last+claimWords)
		if k > 0 {
			c.scope.First = max(c.scope.First, r.list[k-1].scope.Last+1)
		}
		isVerb := func(w toolWord) bool { return w.is(passive | perfect) }
		for n := c.First; n > c.scope.First; n-- {
			if t.Is(n, "and") && slices.ContainsFunc(r.words[c.scope.First:n], isVerb) {
				c.scope.First = n + 1 // "A is off and B is locked"
			}
		}
		if k+1 < len(r.list) && r.list[k+1].First <= to {
			next := r.list[k+1].First
			to = next - 1
			for n := next; n > c.Last; n-- {
				if !t.GoesOn(n) || t.Is(n, "and", "but") {
					to = n - 1
					break
				}
			}
		}
		for c.scope.Last < to && !r.words[c.scope.Last+1].is(excepts) {
			c.scope.Last++
		}
		c.scope.First = min(c.scope.First, c.First)
	}
}

// readObject reads the nouns in the scope of a claim, which decide between the deeds that its verb
// may mean.
func (r *claimReader) readObject(k *claim) {
	var nouns deeds
	for n := k.scope.First; n <= k.scope.Last; n++ {
		isOpening := k.any || k.deeds&r.words[n].noun != 0 // "raised a dispute"
		k.asks = k.asks || isOpening && r.words[n].is(applies)
		isEnd := k.any && n > k.Last+1 && r.t.Tokens[n].Is(text.Preposition) &&
			len(r.calls) > 0 // "put 9 on the room"
		if nouns |= r.words[n].noun; n > k.Last && (nouns != 0 || isEnd) {
			break
		}
	}
	for n := k.Last; n <= k.scope.Last; n++ {
		if k.posts && r.words[n].is(others) && r.t.Is(k.Last+1, "it") && r.t.Is(k.Last+2, "to") {
			k.asks, k.deeds = true, k.deeds|r.terms.words["escalate"].verb // "to the billing team"
		}
		isAlone := n <= k.Last+1 || !r.t.GoesOn(n+1)
		k.sets = k.sets || isAlone && r.words[n].is(saysOn|saysOff)
	}
	switch {
	case k.any && nouns != 0: // "I've applied the change" may mean any deed
		changes := r.terms.words["change"].verb
		k.deeds = nouns &^ changes
		if k.verb == 0 && r.t.Tokens[k.Last].Is(text.Preposition) {
			k.deeds |= changes // "your booking is now in June"
		}
	case k.deeds&nouns != 0:
		k.deeds &= nouns
	}
}

// toolWordAt returns the entry of token k.
func (s *Ledger) toolWordAt(t *text.Turn, k int) toolWord {
	word := t.Word(k)
	if n := strings.IndexAny(word, "'’‘´`"); n > 0 {
		word = word[:n]
	}
	return s.terms.toolWordOf(strings.ToLower(word))
}

// shares reports whether a word in the scope of a claim has one of the stems, also in two parts:
// "pick-up".
func (k *claim) shares(s *Ledger, stems []uint32) bool {
	t := &s.Turns[k.Turn]
	for n := k.scope.First; n <= k.scope.Last; n++ {
		tok := &t.Tokens[n]
		isPart := n < k.scope.Last && t.Text[tok.End:t.Tokens[n+1].Start] == "-"
		if slices.Contains(stems, tok.Stem) ||
			isPart && slices.Contains(stems, stemOf(strings.ToLower(t.Word(n)+t.Word(n+1)))) {
			return true
		}
	}
	return false
}

// Ledger compares what the SYSTEM of a dialogue says it did with what the calls of its tools show.
type Ledger struct {
	talk.Talk
	terms      *Words
	tools      []dialogue.ToolUse
	Entries    []entry         // in the order of the dialogue
	calls      []toolCall      // in the order of tools
	acts       map[uint32]bool // the verbs of their names
	Statements []statement     // grounded by tools, or by nothing: see readGrounds
	priced     toolMarks       // the amounts that results have: see prices
	before     int             // the turn before which said was said, from 1: see saidBefore
	said       map[dialogue.Role]string
	sought     int             // the turn whose codes recent holds, from 1
	recent     map[string]bool // whether an earlier turn has a code: see isRecent
}

// entry is a claim of the SYSTEM and its state.
type entry struct {
	text.Passage // the words of the claim, with its object
	State        State
	Proof        int // the number of the turn with the result, or the call, that decides; or 0
}

// State is what the calls of tools show about a claim.
type State uint8

// The states of claims. Of the calls that a claim means, the one whose state comes last here
// decides.
const (
	notClaimed    State = iota
	Proven              // a call did it and succeeded, and the result agrees
	Promised            // it is still to come
	NoOutcome           // a call may have done it, but its result does not say so
	Unproven            // no call did it, in a dialogue with calls
	DoneOtherwise       // it was done otherwise: another amount, date or object
	Contradicted        // the call failed, or its result shows that it is not done
)

// statement is a figure, a date or a time that the SYSTEM states.
type statement struct {
	text.Passage
	IsGrounded bool // a tool returned it; otherwise nobody mentioned it
}

// StateOf returns the state of a claim that has some words and is not proven, or Proven.
func (s *Ledger) StateOf(p text.Passage) State {
	n := sort.Search(len(s.Entries), func(n int) bool { return s.Entries[n].Turn >= p.Turn })
	for ; n < len(s.Entries) && s.Entries[n].Turn == p.Turn; n++ {
		if e := s.Entries[n]; e.State != Proven && e.Holds(p) {
			return e.State
		}
	}
	return Proven
}

// Limits on what a claim is compared with: calls before it, and codes in its sentence.
const (
	maxMeant   = 48
	maxObjects = 12
)
