package heuristics

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// A detector that fires makes a claim possible. The quote that shows the claim is looked for
// afterwards, over the whole dialogue, here and in the same way for both agents.

// quoter chooses quotes. Among several it prefers those that fewer criteria have used.
type quoter struct {
	c     rubric.Case
	words text.Vocabulary
	used  []rubric.Quote // once for each use
	spare rubric.Set     // see claimKind, while a quote without evidence is looked for
	turns []turnQuotes   // by turn, from 1
	calls []dialogue.ToolUse
}

// turnQuotes is what a turn can be quoted for.
type turnQuotes struct {
	bad    string            // what addresses the judge or a screen
	answer rubric.Hundredths // of the SYSTEM: the points of what the USER says next
	list   []candidate       // its first sentences; nil if it was not read
}

// candidate is a quote with what it is good for.
type candidate struct {
	rubric.Quote
	words    int
	question bool   // of the SYSTEM
	asks     bool   // a question of the USER
	concrete bool   // it has a figure or a path
	idle     bool   // a greeting, thanks, a courtesy, a read-back, a table row or a tool's log
	whole    bool   // from a capital to a full stop, in plain letters
	bad      bool   // it addresses the judge or a screen
	lower    string // the text in lower case

	// These are found when they are needed: see begin and read.
	begins  []string // the beginnings of its words, without function words
	isRead  bool
	regrets bool // it only regrets, thanks or hopes
	wants   bool // it asks, advises or promises, or states an opinion
	odd     bool // its wording may be no plain English
}

// newQuoter prepares the turns of a case.
func newQuoter(c rubric.Case, words text.Vocabulary) *quoter {
	q := &quoter{c: c, words: words}
	q.turns = make([]turnQuotes, len(q.c.Dialogue.Turns)+1)
	turn, answered := 0, 0 // the last turn that was read, and the last of the SYSTEM before it
	for _, s := range q.c.Signals {
		if strings.HasPrefix(s.ID, "safety-") {
			bad := q.c.Dialogue.Turns[s.Turn-1].Text
			if s.ID == "safety-injection" { // of a sentence that addresses the judge
				bad = bad[min(s.Start, len(bad)):min(s.End, len(bad))]
			}
			q.turns[s.Turn].bad += bad
		}
		for ; turn < s.Turn; turn++ {
			if turn > 0 && q.c.Dialogue.Turns[turn-1].Role == dialogue.System {
				answered = turn
			}
		}
		if q.c.Dialogue.Turns[s.Turn-1].Role == dialogue.User {
			q.turns[answered].answer += s.Points
		}
	}
	return q
}

// best returns the signal that shows a verdict best, and its sentence.
func (q *quoter) best(s *sighting, v verdict, kind *claimKind) (best int, shows candidate) {
	most := 0
	found := v.found[:min(len(v.found), maxCompared)]
	if kind.late > 0 {
		found = v.found[len(v.found)-len(found):]
	}
	for at, i := range found {
		sig := &s.Signals[i]
		worth := kind.late*8*at/len(found) + kind.points*int(max(sig.Points, -sig.Points))/10 -
			kind.byRank*slices.Index(v.rule.ids, sig.ID)
		seen := q.seen(*sig, kind)
		worth += kind.text * q.worth(&seen, kind)
		if !kind.both && !isClaim(sig) && q.echoes(seen) {
			worth -= 50
		}
		if kind.bySystem > 0 && s.Dialogue.Turns[sig.Turn-1].Role == dialogue.System {
			worth += kind.bySystem
			worth += kind.agreed * cmp.Compare(q.turns[sig.Turn].answer, 0)
		}
		if at == 0 || worth > most {
			best, most, shows = i, worth, seen
		}
	}
	return best, shows
}

// seen returns the sentence with the words in which a signal was found. If these are the whole
// turn, or a sentence that shows little, it is the sentence of the turn that shows most.
func (q *quoter) seen(s rubric.Signal, kind *claimKind) candidate {
	if t := &q.c.Dialogue.Turns[s.Turn-1]; s.End > 0 {
		one := newCandidate(rubric.Excerpt(s.Turn, t.Text, s.Start, s.End), t.Role)
		// of an outcome, "We will report it" shows more than "Please pay attention to the news"
		isOutcome, asks := kind.late > 0 && kind.both, strings.HasPrefix(one.lower, "please")
		promises := isOutcome && !asks && s.End-s.Start <= len(one.Text) && one.read().wants
		isLong := one.words > 2 || isDeed(&s) && s.End-s.Start <= len(one.Text)
		shows := isLong && (!one.idle || promises) && !(isOutcome && asks &&
			one.read().regrets) && (kind.states > 0 || isClaim(&s) || !q.echoes(one)) &&
			!(kind.request && kind.states > 0 && (one.question || !q.says(&one, kind)))
		if kind.courteous || shows || isYesOrNo().MatchString(one.Text) ||
			q.in(s.Turn, kind, nil).idle { // nothing else in the turn shows more
			return one
		}
	}
	return q.in(s.Turn, kind, nil)
}

// isClaim reports whether a signal is about a deed that the SYSTEM claims.
func isClaim(s *rubric.Signal) bool { return strings.HasPrefix(s.ID, "claim-") }

// isDeed reports whether a signal says that something was done or failed. However short its
// sentence is, it shows that ("All confirmed!"), and nothing else in the turn does.
func isDeed(s *rubric.Signal) bool {
	return text.IsOneOf(s.ID, "request-done", "request-confirmed", "request-failed",
		"request-refused", "request-partly", "request-led")
}

// isYesOrNo matches an answer in a word.
var isYesOrNo = text.Regexp(`(?i)^(yes|no)\W*$`)

// in returns the sentence of a turn that shows most, or says most about some words. The quote is
// empty if nothing in the turn can be quoted.
func (q *quoter) in(turn int, kind *claimKind, about *candidate) (best candidate) {
	most := 0
	list, isAsked := q.of(turn), q.c.Dialogue.Turns[turn-1].Role == dialogue.User
	for i := range list {
		worth := q.worth(&list[i], kind)
		if about != nil {
			worth += 10 * q.begin(about).shared(list[i].lower)
			if list[i].question {
				worth += 30 // the other side of an answer
			} else if isAsked && list[i].read().wants {
				worth += 10
			}
			if isAsked {
				worth -= 2 * i // people begin with the point
			}
		}
		if best.Text == "" || worth > most {
			best, most = list[i], worth
		}
	}
	return best
}

// shared returns how many words of a sentence that was read begin like a word of another text,
// which is in lower case.
func (s *candidate) shared(other string) (n int) {
	for _, begin := range s.begins {
		if strings.Contains(other, begin) {
			n++
		}
	}
	return n
}

// echoes reports whether a sentence of the SYSTEM only reads back what the USER has just said.
func (q *quoter) echoes(s candidate) bool {
	if s.Text == "" || q.c.Dialogue.Turns[s.Turn-1].Role != dialogue.System {
		return false
	}
	said := q.before(s.Turn, dialogue.User)
	if said == 0 {
		return false
	}
	n := 0
	for word := range strings.FieldsSeq(s.Text) {
		word = strings.Trim(strings.TrimSuffix(word, "…"), `.,;:!?"'()`)
		if len(word) < 5 && !text.HasDigit(word) {
			continue
		}
		if n++; !strings.Contains(q.c.Dialogue.Turns[said-1].Text, word) {
			return false
		}
	}
	return n >= 2
}

// maxSentences is how many sentences of a turn are compared.
const maxSentences = 6

// of returns the first sentences of a turn.
func (q *quoter) of(turn int) []candidate {
	of := &q.turns[turn]
	if of.list == nil {
		t := &q.c.Dialogue.Turns[turn-1]
		of.list = make([]candidate, 0, 2)
		isCut, isRest := false, false // the sentence, and the one before it
		for quote := range rubric.Excerpts(turn, text.Unsigned(t.Text)) {
			if isRest, isCut = isCut, strings.HasSuffix(quote.Text, "…"); isRest {
				continue
			}
			one := newCandidate(quote, t.Role)
			one.bad = of.bad != "" && (strings.Contains(of.bad, quote.Text) ||
				strings.Contains(quote.Text, of.bad))
			if of.list = append(of.list, one); len(of.list) == maxSentences {
				break
			}
		}
	}
	return of.list
}

// newCandidate returns what a quote is good for.
func newCandidate(quote rubric.Quote, role dialogue.Role) candidate {
	s := candidate{Quote: quote, lower: inLower(quote.Text)}
	source := quote.Text
	if source == "" {
		return s
	}
	last, odd, plain, handles := source[len(source)-1], false, text.IsLower(source[0]), 0
	s.words = 1
	for i := range len(source) {
		c := source[i]
		if text.IsLower(c) {
			continue
		}
		switch c {
		case ' ':
			s.words++
			plain = plain || i+1 < len(source) && text.IsLower(source[i+1])
		case '|', '\t', '{', '}':
			s.idle = true
		case '@':
			odd = true
			handles++
		case '.': // "slow.Restart it": a space is missing
			odd = odd || i+1 < len(source) && text.IsUpper(source[i+1])
		case '*', '_', '[', ']', '#', '<', '/':
			odd = true
		case '>':
			odd, s.concrete = true, true
		default:
			s.concrete = s.concrete || text.IsDigit(c)
		}
	}
	s.idle = s.idle || text.IsMark(source[0], "(*") || !s.concrete && isIdle(s.lower) ||
		handles > 1 && s.words < 5*handles || handles > 0 && !plain
	isBlank := strings.Contains(source, "__") // of a quiz
	s.question = (last == '?' || isBlank) && role == dialogue.System
	s.asks = last == '?' && role == dialogue.User
	s.whole = s.words >= 3 && !odd && text.IsUpper(source[0]) && text.IsMark(last, ".!?") &&
		source[len(source)-2] != '.'
	return s
}

// idleOpeners are the beginnings of sentences that show nothing, in lower case and by their first
// word. In the same way, idleInside are what a sentence that states nothing has anywhere.
//
//go:embed idle-openers.txt
var idleFile string

var idleOpeners, idleInside = readOpeners(idleFile)

func readOpeners(text string) (openers, inside map[string][]string) {
	openers, inside = map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			to := openers
			phrase, isInside := strings.CutPrefix(line, "…")
			if isInside {
				to = inside
			}
			first := phrase[:firstWord(phrase)]
			to[first] = append(to[first], phrase)
		}
	}
	return openers, inside
}

// firstWord returns the number of letters, digits and apostrophes with which a text begins.
func firstWord(s string) (n int) {
	for n < len(s) && (text.IsLetter(s[n]) || text.IsDigit(s[n]) || s[n] == '\'') {
		n++
	}
	return n
}

// isIdle reports whether a sentence begins as a greeting, thanks, a courtesy or a read-back does.
// It is in lower case.
func isIdle(s string) bool {
	for _, opener := range idleOpeners[s[:firstWord(s)]] {
		opener, more := strings.CutSuffix(opener, "+")
		opener, open := strings.CutSuffix(opener, "…")
		rest, begins := strings.CutPrefix(s, opener)
		if !begins {
			continue
		}
		if rest == "" || !text.IsLetter(rest[0]) && (open || !more &&
			strings.Count(rest, " ") <= 2) || more && isIdle(strings.TrimLeft(rest, ",.!- ")) {
			return true
		}
	}
	return false
}

// inLower returns a text in lower case, with straight apostrophes.
func inLower(text string) string {
	return strings.ToLower(strings.ReplaceAll(text, "’", "'"))
}

// read looks for the phrases of idleInside in a sentence, once.
func (s *candidate) read() *candidate {
	if s.isRead {
		return s
	}
	s.isRead = true
	for at, lower := 0, s.lower; at < len(lower); {
		n := firstWord(lower[at:])
		for _, phrase := range idleInside[lower[at:at+n]] {
			phrase, wants := strings.CutSuffix(phrase, "?")
			phrase, odd := strings.CutSuffix(phrase, "!")
			found := strings.HasPrefix(lower[at:], phrase)
			s.wants, s.odd = s.wants || found && wants, s.odd || found && odd
			s.regrets = s.regrets || found && !wants && !odd
		}
		at += max(n, 1)
	}
	return s
}

// begin finds the beginnings of the words of a sentence, once.
func (q *quoter) begin(s *candidate) *candidate {
	if s.begins != nil {
		return s
	}
	s.begins = []string{}
	for at, lower := 0, s.lower; at < len(lower); {
		word := lower[at : at+firstWord(lower[at:])]
		at += max(len(word), 1)
		if word = strings.Trim(word, "'"); (len(word) >= 4 || text.HasDigit(word)) &&
			q.words[word].Flags&text.Stopword == 0 {
			s.begins = append(s.begins, strings.TrimSuffix(word[:min(len(word), 5)], "s"))
		}
	}
	return s
}

// says reports whether a sentence of the SYSTEM does more than regret, thank or hope and, unless it
// is quoted as an answer to a request, more than ask, advise, promise or state an opinion. For a
// claim about the language it reports whether the sentence is whole and plain. The phrases are in
// idle-openers.txt, after "…".
func (q *quoter) says(s *candidate, kind *claimKind) bool {
	if kind.clean {
		return s.whole && !s.read().odd && q.isPlain(s)
	}
	return s.Text == "" || q.c.Dialogue.Turns[s.Turn-1].Role != dialogue.System ||
		!s.read().regrets && (kind.request || !s.wants && !s.question && !s.idle && s.words >= 3)
}

// Limits on the words of a sentence that is quoted as clear: a shorter one may be a fragment, and
// the longer it is, the more may be wrong with it.
const (
	fewestPlain = 4
	plainWords  = 10
	mostPlain   = 14
)

// isPlain reports whether a sentence has a verb and only common words, without names, figures,
// lists, brackets and quotes, which may hide a fault. One comma may follow the first word, or
// precede the last: "Right, …", "…, please".
func (q *quoter) isPlain(s *candidate) bool {
	if s.words < fewestPlain || s.words > mostPlain ||
		strings.ContainsAny(s.Text[:len(s.Text)-1], "()\"“”:;~…?!.") {
		return false
	}
	isVerbal, tokens := false, q.words.Tokenise(&text.Turn{Text: s.Text}, nil)
	for k, tok := range tokens {
		isName := k > 0 && tok.Is(text.Capital) && s.Text[tok.Start] != 'I'
		if tok.Word == 0 || isName || tok.Is(text.Coded) || s.Text[tok.Start:tok.End] == "i" ||
			k > 1 && k < len(tokens)-1 && tok.Is(text.OpensClause) {
			return false
		}
		isVerbal = isVerbal || tok.Is(text.Auxiliary|text.Modal|text.Subject) ||
			k == 1 && tok.Is(text.Article) && !tokens[0].Is(text.Preposition|text.Joiner)
	}
	return isVerbal || strings.HasPrefix(s.lower, "please ")
}

// maxUses is how many criteria may share a quote if another one is available.
const maxUses = 2

// worth returns how much a sentence shows for a claim.
func (q *quoter) worth(s *candidate, kind *claimKind) int {
	uses, ours := 0, s.Text != "" && q.c.Dialogue.Turns[s.Turn-1].Role == dialogue.System
	for i := range q.used {
		if ours && q.used[i] == s.Quote { // a request may be quoted with each of its answers
			uses++
		}
	}
	length := min(s.words, 15)
	if kind.clean && s.words > plainWords {
		length = 3*plainWords - 2*s.words // the longer, the more may be wrong with it
	}
	worth := length - 6*min(uses, maxUses-1)
	for _, reason := range [...]struct {
		holds bool
		worth int
	}{
		{s.words < 3, -45}, {s.concrete, kind.concrete}, {s.asks && s.words > 5, 8},
		{uses >= maxUses, -14}, {uses >= maxUses && !kind.clean, -20},
		{s.idle && !kind.courteous, -50}, {s.question && !kind.courteous, -30},
		{s.question && kind.request, 15}, // it takes up a request too
		{kind.clean && !q.says(s, kind), -30}, {kind.clean && !s.whole, -15},
		{kind.clean && s.whole && s.read().odd, -15}, {kind.clean && s.question, -10},
		{kind.courteous && s.idle, -10}, {kind.clean && s.idle, -20},
		{q.spare != 0 && !kind.clean && s.Text != "" && s.read().regrets, -40},
		{q.spare != 0 && s.Text != "" && q.shows(s.Quote, q.spare), -100},
		{strings.HasSuffix(s.Text, "…") || strings.HasSuffix(s.Text, ".."), -5},
		{kind.states > 0 && !kind.request && strings.HasSuffix(s.Text, "…"), -20},
		{kind.states > 0 && !q.says(s, kind), -kind.states},
		{kind.states > 0 && s.Text != "" && text.IsLower(s.Text[0]), -45},
		{!kind.courteous && kind.states == 0 && s.Text != "" && s.read().regrets, -25},
		{s.bad, -1000},
	} {
		if reason.holds {
			worth += reason.worth
		}
	}
	return worth
}

// signal returns the quotes for a signal in the order of the dialogue: the sentence in which it was
// seen, and for a kind of claim with two sides also what it answers or contradicts.
func (q *quoter) signal(s rubric.Signal, seen candidate, kind *claimKind) []rubric.Quote {
	const short = 4 // words of an answer that is quoted with what it answers
	role, other := q.c.Dialogue.Turns[s.Turn-1].Role, s.About
	isClaim := isClaim(&s) // the result that decides is quoted as well
	switch {
	case other > s.Turn: // what the USER says to it
	case kind.late > 1 && role == dialogue.System && seen.words < short && !isClaim:
		other = q.before(s.Turn, dialogue.User) // "No, none." answers what comes before it
	case other != 0 || kind.courteous:
	case role == dialogue.User:
		other = q.before(s.Turn, dialogue.System)
	case kind.request && !isClaim:
		other = q.before(s.Turn, dialogue.User)
	}
	if t, ok := q.c.Dialogue.Turn(other); !ok || t.Role == dialogue.Other && !isClaim {
		other = 0
	}
	isOwn := other > 0 && q.c.Dialogue.Turns[other-1].Role == role
	both := kind.both || kind.bySystem > 0 && (role == dialogue.User || isOwn) // help and its echo
	replies := other > s.Turn || kind.reply && other == q.before(s.Turn, dialogue.User)
	switch {
	// no goodbye shows a success, and no question or read-back what helps
	case !both && !isClaim && (seen.idle || seen.question && other < s.Turn &&
		!strings.HasPrefix(s.ID, "request-") || q.echoes(seen)):
		return q.plain(kind)
	case other == 0 || !both && !replies && !isClaim && seen.words > 2:
		return q.use(seen)
	}
	about := candidate{lower: seen.lower}
	if kind.states > 0 { // the words of the signal count three times
		found := q.c.Dialogue.Turns[s.Turn-1].Text[s.Start:s.End]
		about.lower += strings.Repeat(" "+inLower(found), 2)
	}
	list := []candidate{q.in(other, kind, &about), seen}
	switch t := &q.c.Dialogue.Turns[other-1]; {
	case t.Role == dialogue.Other:
		if q.calls == nil {
			q.calls = q.c.Dialogue.Tools()
		}
		list[0] = newCandidate(rubric.ProofOf(other, t.Text, q.calls), t.Role)
	case t.Role == role && strings.Contains(t.Text, seen.Text): // said word for word
		list[0] = newCandidate(rubric.Quote{Turn: other, Text: seen.Text}, t.Role)
	case kind.bySystem > 0:
		list[0] = q.in(other, kind, nil) // help is what says most, and no question
	}
	if felt := q.feeling(other, other, kind); felt.Text != "" {
		list[0] = felt // what the answer passes over
	}
	if kind.bySystem > 0 && list[0].question && !isDeed(&s) || // "Is it on?" – "That was it!"
		(kind.bySystem > 0 || kind.last) && !isClaim && (list[0].idle || list[0].words < 3) {
		list = list[1:]
	}
	if other > s.Turn {
		slices.Reverse(list)
	}
	return q.use(list...)
}

// feeling returns the first words of anger or dismay from one turn of the USER to another, for a
// claim about the tone.
func (q *quoter) feeling(first, last int, kind *claimKind) candidate {
	for _, s := range q.c.Signals {
		if kind.courteous && !kind.clean && first <= s.Turn && s.Turn <= last &&
			(s.ID == "reaction-angry" || s.ID == "reaction-aggrieved") {
			return q.seen(s, kind)
		}
	}
	return candidate{}
}

// before returns the last turn of a side before a turn, or 0.
func (q *quoter) before(turn int, role dialogue.Role) int {
	for turn--; turn > 0 && q.c.Dialogue.Turns[turn-1].Role != role; turn-- {
	}
	return turn
}

// use returns the quotes of sentences, without empty and equal ones, and counts them as used.
func (q *quoter) use(list ...candidate) (quotes []rubric.Quote) {
	for i := range list {
		if list[i].Text != "" && !slices.Contains(quotes, list[i].Quote) {
			quotes = append(quotes, list[i].Quote)
		}
	}
	q.used = append(q.used, quotes...)
	return quotes
}

// maxCompared is how many signals, or turns of the SYSTEM, are compared for one quote.
const maxCompared = 8

// plain returns the quote for a score without evidence: the sentence of the SYSTEM that says most,
// near the end for a claim about the outcome. For a claim about the SYSTEM's understanding it is
// a request of the USER with its answer, and for one about its language a sentence without a
// finding. It passes over sentences with evidence for the tone or the language.
func (q *quoter) plain(kind *claimKind) []rubric.Quote {
	turns := q.c.Dialogue.Turns
	q.spare = kind.spare
	defer func() { q.spare = 0 }()
	felt := q.feeling(1, len(turns), kind)
	for turn := felt.Turn + 1; felt.Text != "" && turn <= len(turns); turn++ {
		if turns[turn-1].Role == dialogue.System {
			return q.use(felt, q.in(turn, kind, nil))
		}
	}
	if kind.request {
		if asks, answer := q.takenUp(kind); answer.Text != "" {
			return q.use(q.in(asks.Turn, kind, &answer), answer)
		}
	}
	if kind.last {
		if answer := q.lastOf(dialogue.System, len(turns), 0, kind); answer.Text != "" {
			if reply := q.lastOf(dialogue.User, len(turns), answer.Turn, kind); reply.Text != "" {
				return q.use(answer, reply)
			}
			return q.use(q.lastOf(dialogue.User, answer.Turn, 0, kind), answer)
		}
	}
	var best candidate
	most, compared := 0, 0
	for k := range turns {
		turn := k + 1
		if turns[turn-1].Role != dialogue.System {
			continue
		}
		one := q.in(turn, kind, nil)
		worth := q.worth(&one, kind) + kind.agreed*cmp.Compare(q.turns[turn].answer, 0)
		if one.Text != "" && (best.Text == "" || worth > most) {
			best, most = one, worth
		}
		if compared++; compared >= maxCompared && (kind.states == 0 || compared == 3*maxCompared) {
			break
		}
	}
	if asked := q.before(best.Turn, dialogue.User); kind.reply && asked > 0 {
		if asks := q.in(asked, kind, &best); !asks.idle && asks.words > 2 {
			return q.use(asks, best)
		}
	}
	return q.use(best)
}

// takenUp returns the USER's first sentence that says something, and what answers it: a courtesy
// only if nothing else does, and a question only if nothing later takes up its words.
func (q *quoter) takenUp(kind *claimKind) (asks, answer candidate) {
	turns := q.c.Dialogue.Turns
	for i := range min(len(turns), 3*maxCompared) {
		one := q.in(i+1, kind, nil)
		switch isUser := turns[i].Role == dialogue.User; {
		case isUser && answer.Text == "" && !one.idle && one.words > 2:
			asks = one
		case turns[i].Role != dialogue.System || asks.Text == "":
		case answer.Text == "" || answer.idle && !one.idle:
			answer = q.in(i+1, kind, &asks)
		case answer.question && !one.question && i < asks.Turn+maxCompared &&
			q.begin(&asks).shared(one.lower) > 0:
			return asks, one
		}
	}
	return asks, answer
}

// lastOf returns the sentence that shows most in the last turn of a side, after one turn and up to
// another, that shows something. It is empty if none does.
func (q *quoter) lastOf(role dialogue.Role, last, after int, kind *claimKind) candidate {
	for turn := last; turn > max(after, last-maxCompared); turn-- {
		one := q.in(turn, kind, nil)
		if q.c.Dialogue.Turns[turn-1].Role == role && !one.idle && !one.question && !one.bad &&
			(one.words > 2 || after > 0 && one.words > 1) {
			return one
		}
	}
	return candidate{}
}

// shows reports whether a sentence holds evidence for one of the criteria.
func (q *quoter) shows(quote rubric.Quote, criteria rubric.Set) bool {
	text := q.c.Dialogue.Turns[quote.Turn-1].Text
	return slices.ContainsFunc(q.c.Signals, func(s rubric.Signal) bool {
		if s.Turn != quote.Turn || s.Criteria&criteria == 0 || s.End > len(text) {
			return false
		}
		found := text[s.Start:s.End]
		return strings.Contains(quote.Text, found) || strings.Contains(found, quote.Text)
	})
}
