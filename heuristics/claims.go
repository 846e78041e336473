package heuristics

import (
	"cmp"
	"slices"
	"strings"
)

// A claim is a statement of the SYSTEM that something was done which changes something.

// claim is such a statement.
type claim struct {
	passage         // the words that say so
	scope   passage // the words that may name its object
	deeds   deeds   // 0 if it may be any
	act     uint32  // the stem of a verb that is in no list, or 0
	voice   voice
	any     bool // its verb may mean any deed
	asks    bool // something is only asked for, and so may be pending
	before  bool // it was done already
	bare    bool // "Done!", which names neither deed nor object
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

// idiom is a sequence of words that claims a deed without a verb. Each word has alternatives.
type idiom struct {
	words [][]string
	deeds deeds // 0 for any
}

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
	t     *turnText
	words []toolWord
	list  []claim
}

// claimsIn returns the claims in the SYSTEM's turn i.
func (s *Ledger) claimsIn(i int) []claim {
	if s.has(i, s.lex.class.OutcomeOthers) {
		return nil
	}
	t := &s.turns[i]
	r := claimReader{Ledger: s, i: i, t: t, words: s.toolTags[:0]}
	for k := range t.tokens {
		r.words = append(r.words, s.toolWordAt(t, k))
	}
	s.toolTags = r.words
	for n, next := 0, 0; n < len(t.tokens) && len(r.list) < maxClaims; n++ {
		if n < next {
			continue // in an idiom
		}
		k := claim{passage: passage{i, n, n}}
		if size := r.idiomAt(n, &k); size > 0 {
			k.last, k.voice, next = n+size-1, ownDeed, n+size
		} else if k.voice, k.first = r.voiceAt(n); k.voice == noVoice {
			continue
		} else {
			r.readVerb(n, &k)
		}
		if r.isVoid(&k) {
			continue
		}
		if o := len(r.list) - 1; o >= 0 && r.list[o].bare && k.voice != isComing {
			r.list = r.list[:o] // "Done, I have cancelled it" is one claim
		}
		r.list = append(r.list, k)
	}
	r.setScopes()
	for k := range r.list {
		r.readObject(&r.list[k])
	}
	return r.list
}

// idiomAt returns the number of tokens of the idiom that begins at token n, or 0.
func (r *claimReader) idiomAt(n int, k *claim) int {
	t := r.t
	for _, one := range r.terms.idioms[strings.ToLower(t.word(n))] {
		size := 0
		for size < len(one.words) && n+size < len(t.tokens) && (size == 0 || t.goesOn(n+size)) &&
			t.is(n+size, one.words[size]...) {
			size++
		}
		if size == len(one.words) {
			k.deeds, k.any = one.deeds, one.deeds == 0
			k.bare = k.any && n-t.sentenceStart(n) <= 2 && !t.goesOn(n+size)
			return size
		}
	}
	isAlone := n+1 == len(t.tokens) || !t.goesOn(n+1)
	from := t.sentenceStart(n)
	isNoun := n > from && n-from <= 3 && t.goesOn(n)
	for o := from; isNoun && o < n; o++ {
		isNoun = r.words[o].marks&^(claimsAny|ofAmount|ofThings|effect|phones) == 0 &&
			!t.tokens[o].is(negator|modal)
	}
	said := r.words[n].said
	switch isEnd := t.sentenceEnd(n) == n || t.goesOn(n+1) && t.tokens[n+1].is(preposition); {
	case n == from && t.sentenceEnd(n) == n && said != 0:
		k.deeds = said // "Refunded!"
		return 1
	case isNoun && isEnd && (said&r.words[n-1].noun != 0 || r.words[n].is(claimsAny) &&
		r.words[n-1].noun != 0): // "Refund issued!"
		k.deeds = cmp.Or(said, r.words[n-1].noun)
		return 1
	}
	if isAlone && r.words[n].is(claimsAny) && (t.tokens[n].is(opensSentence) || n == 0 ||
		t.tokens[n-1].is(opensSentence) && t.is(n-1, "all")) {
		k.any, k.bare = true, true // "Done!", "All done, enjoy it!"
		return 1
	}
	return 0
}

// suffix returns what follows the apostrophe in token k: "ve", "ll", "s", "re" or "".
func (r *claimReader) suffix(k int) string {
	word := r.t.word(k)
	if n := strings.IndexAny(word, "'’‘´`"); n > 0 {
		return strings.ToLower(strings.TrimLeft(word[n:], "'’‘´`"))
	}
	return ""
}

// back returns the token before token k, without words such as "now" in between, or -1.
func (r *claimReader) back(k int) int {
	for n := 0; n <= maxBetween; n++ {
		if k == 0 || !r.t.goesOn(k) {
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
	word := t.word(n)
	isPart := w.said != 0 || w.is(claimsAny) || // or the participle of a verb in a call's name
		strings.HasSuffix(word, "ed") && r.acts[actOf(strings.ToLower(word))]
	isBase := w.verb != 0 || w.is(doesAny|phones)
	isOpen := len(word) > 4 && strings.HasSuffix(word, "ed") && !w.is(reports|doer) ||
		w.is(phrasal) && (r.hasParticle(n) || r.hasPayment(n))
	if !isPart && !isBase && !isOpen {
		return noVoice, n
	}
	k := r.back(n)
	if k < 0 {
		return r.joined(n, isPart, isBase)
	}
	at, suffix, b := r.words[k], r.suffix(k), r.back(k)
	isComingAt := func(k int) bool {
		return k >= 0 && (r.words[k].is(toCome) || r.suffix(k) == "ll")
	}
	switch {
	case isComingAt(k):
		if isBase && !t.is(k-1, "who", "which") {
			return isComing, k
		}
	case suffix == "ve" || at.is(perfect):
		if suffix == "ve" {
			b = k // the subject
		}
		switch {
		case b < 0, !isPart && (!isOpen || w.is(looks)), r.suffix(b) == "d",
			t.is(b, "you", "you've", "you’ve"), r.words[b].is(possible | toCome | notYet):
		case !r.words[b].is(doer):
			return byOthers, b
		case !w.is(looks):
			return ownDeed, b
		}
	case t.is(k, "to") && isBase, t.is(k, "be"):
		if isComingAt(b) && (isPart || t.is(k, "to")) { // "I'm going to cancel it"
			return isComing, b
		}
		if s := r.back(max(b, 0)); s >= 0 && r.words[b].is(ableTo) &&
			(t.is(s, "was", "been") || r.words[s].is(doer)) {
			return ownDeed, max(0, s-1) // "I was able to cancel it", "I managed to"
		}
	case t.is(k, "been", "being"):
		if b >= 0 && (isPart || isOpen && !w.is(looks)) &&
			(r.words[b].is(perfect|passive) || isOneOf(r.suffix(b), "s", "ve", "re")) {
			return perfectly, b
		}
	case at.is(passive) || suffix == "s" || suffix == "re":
		if isPart && !t.is(k, "i'm", "am") {
			if k > 0 && suffix == "" {
				k--
			}
			return isState, k
		}
	case at.is(possible) || t.tokens[k].is(modal):
	case at.is(doer) && suffix == "":
		if isPart && !w.is(looks) {
			return ownDeed, k
		}
	case isPart && w.verb == 0 && !t.is(n-1, "and", "then", "also", "or", "but") &&
		(at.is(others) || t.tokens[k].isName()):
		return byOthers, k
	default:
		if c := r.causer(n); isPart && !w.is(looks) && c >= 0 {
			return ownDeed, c
		}
		return r.joined(n, isPart, isBase)
	}
	return noVoice, n
}

// hasParticle reports whether a word such as "off" follows token n in its clause, as in "taken your
// number off the list", or "to" as in "asked the driver to wait".
func (r *claimReader) hasParticle(n int) bool {
	for k := n + 1; k <= n+maxBetween && r.t.goesOn(k); k++ {
		if r.words[k].is(particle) ||
			r.words[n].is(reports) && k > n+1 && r.t.is(k, "to") && !r.t.is(n+1, "you") {
			return true
		}
	}
	return false
}

// hasPayment reports whether the object of the verb at token n is an amount, or its subject in the
// passive: "taken a payment", "taken £25", "your payment has been taken".
func (r *claimReader) hasPayment(n int) bool {
	from := n + 1
	if n > 0 && r.words[n-1].is(passive) {
		from = max(r.t.sentenceStart(n), n-claimWords)
	}
	for k := from; k < len(r.words) && (k < n || r.t.goesOn(k)); k++ {
		isMoney := func(f figure) bool { return f.money && f.first == k }
		if r.words[k].is(ofAmount) && r.words[k].noun != 0 ||
			slices.ContainsFunc(r.figuresOf(r.i), isMoney) {
			return true
		}
		if k >= n && !r.t.tokens[k].is(article) && !r.t.is(k, "the") {
			break
		}
	}
	return false
}

// causer returns the first token of "I have got" or "I have had" in the clause before token n, as
// in "I've had your table booked", or -1.
func (r *claimReader) causer(n int) int {
	for k := n - 1; k > max(0, n-claimWords/2) && r.t.goesOn(k); k-- {
		if r.t.is(k, "had", "got") && r.suffix(k-1) == "ve" && r.words[k-1].is(doer) {
			return k - 1
		}
	}
	return -1
}

// joined returns the voice of a verb that continues the claim before it in its sentence: "and
// refunded it", "and your refund issued".
func (r *claimReader) joined(n int, isPart, isBase bool) (voice, int) {
	if len(r.list) == 0 {
		return noVoice, n
	}
	t, last := r.t, &r.list[len(r.list)-1]
	if t.tokens[n].from != t.tokens[last.last].from || n-last.last > claimWords {
		return noVoice, n
	}
	isNext := !t.goesOn(n) || n > 0 && t.is(n-1, "and", "then", "also")
	isEnd := n+1 == len(t.tokens) || !t.goesOn(n+1) || t.tokens[n+1].is(preposition)
	for k := n - 1; isPart && isEnd && !isNext && k > last.last && r.suffix(k) == "" &&
		!r.words[k].is(passive|perfect|toCome|possible|doer) && !t.is(k, "you"); k-- {
		isNext = t.is(k, "and") // "and your refund of $40 issued"
	}
	if !isNext || last.voice == isComing && !isBase ||
		last.voice != isComing && (!isPart || r.words[n].is(looks)) {
		return noVoice, n
	}
	return last.voice, n
}

// isVoid reports whether a claim is negated, a question, conditional, quoted, or somebody's words.
func (r *claimReader) isVoid(k *claim) bool {
	t := r.t
	from := t.sentenceStart(k.first)
	if r.isInquiry(r.i, k.last) || t.cites(k.first, k.last) {
		return true
	}
	start := k.first // of the clause, or of "I have"
	if k.voice != ownDeed || k.first == k.last {
		for start > max(from, k.first-claimWords) && t.goesOn(start) {
			start--
		}
	}
	if t.goesOn(k.last+1) && t.is(k.last+1, "nothing", "none", "neither", "nobody", "no") ||
		k.voice == isState && r.isUsual(k) {
		return true
	}
	for n := start; n < k.last; n++ {
		if t.tokens[n].is(negator) || t.is(n, "neither", "nobody", "none", "please", "unable") {
			return true
		}
	}
	for n := max(from, k.first-claimWords); n < k.first; n++ {
		isTold := r.words[n].is(reports) && (t.is(n+1, "that") || t.clauseEnd(n) >= k.first)
		if r.words[n].is(notYet) || isTold && !r.words[max(0, n-1)].is(doer|perfect) {
			return true
		}
	}
	return false
}

// isUsual reports whether a claim with "is" or "are" says what happens in general: "unpaid orders
// are cancelled automatically", "payments are handled by your bank".
func (r *claimReader) isUsual(k *claim) bool {
	from := max(r.t.sentenceStart(k.first), k.first-claimWords)
	for n := from; n <= min(r.t.sentenceEnd(k.last), k.last+claimWords); n++ {
		if r.words[n].is(usual) ||
			n == k.last+1 && r.t.is(n, "by") && r.t.is(k.last-1, "is", "are") {
			return !r.t.is(from, "your", "the", "it", "this", "that", "you", "you're", "it's")
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
	k.asks = w.is(applies)
	for o := k.first; o < n; o++ {
		k.before = k.before || r.t.is(o, "already")
	}
	if k.deeds == 0 && !k.any {
		k.act = actOf(strings.ToLower(r.t.word(n)))
	}
}

// setScopes finds the words that belong to each claim: its sentence up to the claims before and
// after it, which are parted by a conjunction or a comma, and up to a word such as "but".
func (r *claimReader) setScopes() {
	t := r.t
	for k := range r.list {
		c := &r.list[k]
		c.scope = passage{r.i, max(t.sentenceStart(c.first), c.first-claimWords), c.last}
		to := min(t.sentenceEnd(c.last), c.last+claimWords)
		if k > 0 {
			c.scope.first = max(c.scope.first, r.list[k-1].scope.last+1)
		}
		if k+1 < len(r.list) && r.list[k+1].first <= to {
			next := r.list[k+1].first
			to = next - 1
			for n := next; n > c.last; n-- {
				if !t.goesOn(n) || t.is(n, "and", "but") {
					to = n - 1
					break
				}
			}
		}
		for c.scope.last < to && !r.words[c.scope.last+1].is(excepts) {
			c.scope.last++
		}
		c.scope.first = min(c.scope.first, c.first)
	}
}

// readObject reads the nouns in the scope of a claim, which decide between the deeds that its verb
// may mean.
func (r *claimReader) readObject(k *claim) {
	var nouns deeds
	for n := k.scope.first; n <= k.scope.last; n++ {
		k.asks = k.asks || k.any && r.words[n].is(applies)
		if nouns |= r.words[n].noun; nouns != 0 && n > k.last {
			break
		}
	}
	switch {
	case k.any && nouns != 0:
		k.deeds = nouns
	case k.deeds&nouns != 0:
		k.deeds &= nouns
	}
}

// toolWordAt returns the entry of token k.
func (s *Ledger) toolWordAt(t *turnText, k int) toolWord {
	word := t.word(k)
	if n := strings.IndexAny(word, "'’‘´`"); n > 0 {
		word = word[:n]
	}
	return s.terms.toolWordOf(strings.ToLower(word))
}

// sharedWith returns how many words in the scope of a claim have one of the stems, also in two
// parts: "pick-up".
func (k *claim) sharedWith(s *Ledger, stems []uint32) (shared int) {
	t := &s.turns[k.turn]
	for n := k.scope.first; n <= k.scope.last; n++ {
		tok := &t.tokens[n]
		isPart := n < k.scope.last && t.text[tok.end:t.tokens[n+1].start] == "-"
		if slices.Contains(stems, tok.stem) ||
			isPart && slices.Contains(stems, stemOf(strings.ToLower(t.word(n)+t.word(n+1)))) {
			shared++
		}
	}
	return shared
}
