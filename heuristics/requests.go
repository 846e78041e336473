package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// What becomes of the USER's requests decides TaskSuccess: the last state that anybody reports.

// outcome is the state of a request of the USER.
type outcome uint8

const (
	unknown    outcome = iota
	confirmed          // the USER reports that it is done, or works
	done               // the SYSTEM reports that it is done
	answered           // the SYSTEM answers it with a fact, a step or a plain yes or no
	withdrawn          // the USER no longer wants it
	promised           // the SYSTEM says when it will be done
	postponed          // the SYSTEM only says that somebody will see to it
	pending            // the SYSTEM waits for details, or for a yes
	missed             // the SYSTEM says nothing about it
	unclear            // what the SYSTEM says does not show what becomes of it
	unanswered         // the dialogue ends with it
	failed             // the SYSTEM reports that it did not work, or is not available
	refused            // the SYSTEM refuses it
	objected           // the USER reports that the answer did not help or did not come true
	left               // the USER gives up on it
	unsettled          // answered again after an objection, and the USER accepts nothing
	partly             // it failed, but another request was fulfilled
	advised            // the SYSTEM says last what the USER can do
	dropped            // the USER answers a question of the SYSTEM, and hears nothing more
	praised            // no request: the USER praises the service
)

// outcomeNames are the names of outcomes in the @state and @final lines of files.
var outcomeNames = map[string]outcome{
	"confirmed": confirmed, "done": done, "answered": answered, "withdrawn": withdrawn,
	"promised": promised, "postponed": postponed, "pending": pending,
	"missed": missed, "unanswered": unanswered, "failed": failed, "refused": refused,
	"objected": objected, "left": left, "unsettled": unsettled, "partly": partly,
	"advised": advised, "dropped": dropped, "praised": praised,
}

// isSettled reports whether a request in this state needs nothing more.
func (x outcome) isSettled() bool { return x == confirmed || x == done || x == answered }

// isBad reports whether a request in this state was not fulfilled.
func (x outcome) isBad() bool {
	return x == failed || x == refused || x == objected || x == left
}

// request is a request of the USER, and the last state that was reported of it.
type request struct {
	asked int     // the turn that makes it
	state outcome // unknown if the SYSTEM has not replied yet
	shown passage // the words that report the state

	accepted, doubted bool // the USER goes on from the last answer, or neither that nor asks
	loose             bool // the answer is only a statement about the same thing
}

// readRequests follows the USER's requests through the dialogue. A dialogue in which the USER
// confides feelings has none, nor has talk about films, where recommendations count: see findTakes.
func readRequests(s *analysis) {
	s.requests, s.objected = s.requests[:0], 0
	for b := range s.blocks {
		switch {
		case s.confides || s.films:
		case s.blocks[b].role == dialogue.User:
			hearUser(s, b)
		case len(s.requests) > 0:
			hearSystem(s, b)
		}
	}
	n := len(s.requests)
	if n > 1 && s.requests[n-1].state == unknown && s.turns[s.requests[n-1].asked].asks == 0 {
		s.requests = s.requests[:n-1] // "Yes, do that, please."
	}
	if n = len(s.requests); n > 0 {
		s.requests[n-1].conclude(s)
	}
	if n == 1 && s.requests[0].state == unclear && praises(s, s.requests[0].asked) {
		i := s.requests[0].asked
		s.requests[0].state, s.requests[0].shown = praised, passage{i, 0, s.turns[i].words - 1}
	}
}

// fewestPraising is the minimum number of words of an opening that says what the USER praises.
const fewestPraising = 8

// praises reports whether the USER opens with turn i and only praises: it neither asks, wishes nor
// complains.
func praises(s *analysis, i int) bool {
	c := &s.lex.class
	return s.before(i, dialogue.System) < 0 && s.turns[i].words >= fewestPraising &&
		isPleased(s, i) && s.turns[i].asks == 0 && !complains(s, i) && !s.has(i, c.WordsBut) &&
		!s.has(i, c.WordsSeeks) && !s.has(i, c.WordsWanted) && !s.has(i, c.WordsFavours)
}

// hearUser reads a block of the USER: what it reports about the current request, and whether it
// makes a new one.
func hearUser(s *analysis, b int) {
	for _, i := range s.lastOf(b) {
		if s.turns[i].words == 0 || s.has(i, s.lex.class.WordsCivil) {
			continue
		}
		st, h := reported(s, i)
		asks := makesRequest(s, b, i)
		n := len(s.requests)
		if n > 0 && reacts(s, i) {
			r := &s.requests[n-1]
			if st == unknown {
				if st, h = reaction(s, b, i, r); st == objected {
					asks = -1 // the request again is no new one
				}
			}
			s.requests = r.hear(s, i, st, h)
			n = len(s.requests)
			if h != nil && st != objected && st != left &&
				(asks <= int(h.first) || s.turns[i].asks == 0) {
				continue // "Where is it? Found it."
			}
		}
		if asks >= 0 && n > 0 && s.requests[n-1].state == unknown &&
			s.before(i, dialogue.System) > s.requests[n-1].asked {
			s.requests[n-1].asked = i // "Hello, can anybody help?" – "How can I help?"
		} else if asks >= 0 && (n == 0 || s.requests[n-1].state != unknown) {
			if n > 0 && s.requests[n-1].state.isSettled() {
				s.objected = 0
			}
			s.requests = append(s.requests, request{asked: i, shown: passage{turn: -1}})
		}
	}
}

// reaction returns the state of a request that the USER's turn i shows without naming it: the turn
// rejects the SYSTEM's last answer, complains about it, denies something after it although nothing
// was asked, or declines an offer.
func reaction(s *analysis, b, i int, r *request) (outcome, *hit) {
	t := &s.turns[i]
	whole := &hit{turn: int32(i), last: int32(t.words - 1)}
	asks := asksFor(s, b-1) || asksIn(s, b-1)
	u := s.uptakes[s.lastTurn(b-1)]
	pleased := isPleased(s, i) && !s.has(i, s.lex.class.WordsBut)
	rails := s.hit(i, s.lex.class.ReactionSarcastic) != nil ||
		t.exclaims > 0 && !pleased && saysAgain(s, b-1)
	switch clear := u.how != askedAgain || complains(s, i) ||
		r.state == answered && t.asks > 0 && s.has(i, s.lex.class.WordsBut) &&
			b+1 < len(s.blocks); {
	case asks || pleased && !rails || benign(s, i),
		t.tokens[0].is(negator) && s.has(i, s.lex.class.ReactionNotNow): // "No, not yet."
	case int(u.by) == i && u.how == resigned:
		return left, whole
	case rails && r.state != done && !r.state.isBad():
		return objected, whole
	case int(u.by) == i && u.how != held && clear:
		whole.first, whole.last = u.first, u.last
		return objected, whole
	case (r.state.isSettled() || r.state == promised || r.state == postponed) &&
		t.asks == 0 && complains(s, i):
		return objected, whole
	case s.kind == Service && r.state == answered && r.asks(s) && objectsTo(s, b-1, i):
		return objected, whole
	}
	if r.state == pending && t.tokens[0].is(negator) && statementIn(s, s.lastTurn(b-1)) != nil {
		return answered, nil
	}
	return unknown, nil
}

// maxGoesOn is the maximum number of words of a turn that goes on from an answer without welcoming
// it. A longer one says what the answer left out.
const maxGoesOn = 12

// goesOn reports whether the USER's turn i welcomes the last answer or goes on from it: it neither
// asks nor complains nor denies.
func goesOn(s *analysis, i int) bool {
	t := &s.turns[i]
	return !s.has(i, s.lex.class.WordsBut) && (isPleased(s, i) || benign(s, i) ||
		t.words <= maxGoesOn && t.asks == 0 && !complains(s, i) && !marked(t.tokens, negator))
}

// hear records what the USER's turn i reports about the last request. It returns the requests,
// without the last one if the USER takes back an addition to what is settled.
func (r *request) hear(s *analysis, i int, st outcome, h *hit) []request {
	n := len(s.requests)
	switch {
	case h == nil && st == answered:
		r.state = answered
	case st == left && r.state == answered && s.follows(h, r.shown.turn):
		r.accepted = true // "Only by card." – "Then I'll use my card."
	case h == nil:
		r.accepted = goesOn(s, i)
		asked := s.before(i, dialogue.System)
		r.doubted = !r.accepted && s.turns[i].asks == 0 && s.turns[asked].asks == 0
	case st == objected && !s.has(i, s.lex.class.ReactionBlames) &&
		(r.state == unknown || r.state == pending || r.state == postponed &&
			s.has(s.before(i, dialogue.System), s.lex.class.DetailsRequests)):
		// the USER describes the problem; there is no answer yet that could have failed
	case n > 1 && r.state == unknown && s.requests[n-2].state.isBad() &&
		(st == left || st == withdrawn):
		return s.requests[:n-1] // what failed was not asked for again
	case st == left && !r.state.isBad() && s.objected == 0 && r.state != postponed &&
		(r.state != answered || s.has(i, s.lex.class.StateWithdrawn)):
		if !r.state.isSettled() || r.loose {
			r.report(s, withdrawn, h) // "Never mind, I have found a bike."
		}
	case (st == withdrawn || st == left) && r.state.isBad(),
		st == left && (r.state == done && s.lastFailed < 0 || r.state == confirmed):
		// the USER gives up what failed, or says goodbye
	case st == withdrawn && n > 1 && s.requests[n-2].state.isSettled():
		return s.requests[:n-1]
	default:
		if st == objected {
			s.objected = s.turns[i].n
		}
		r.report(s, st, h)
	}
	return s.requests
}

// asks reports whether the request is a question, not the description of a problem.
func (r *request) asks(s *analysis) bool {
	return s.turns[r.asked].asks > 0 || s.has(r.asked, s.lex.class.WordsSeeks)
}

// follows reports whether the sentence of a hit has a word of turn i after the hit's first.
func (s *analysis) follows(h *hit, i int) bool {
	t := &s.turns[h.turn]
	words := t.tokens[h.first : t.sentenceEnd(int(h.last))+1]
	return slices.ContainsFunc(words, func(tok token) bool {
		return tok.content() && s.says(i, tok.stem)
	})
}

// fewestAsked is the minimum number of words of an opening that states a request.
const fewestAsked = 3

// makesRequest returns the first token of the sentence in which the USER's turn i asks or wishes
// for something, or -1. The answer to a question of the SYSTEM is no request unless it asks.
func makesRequest(s *analysis, b, i int) int {
	t, c := &s.turns[i], &s.lex.class
	if t.words == 0 || benign(s, i) {
		return -1
	}
	if len(s.requests) == 0 {
		st, _ := reported(s, i)
		if t.asks > 0 || t.words >= fewestAsked && !s.has(i, c.RequestCloses) && st != confirmed {
			return 0
		}
		return -1
	}
	bad := s.requests[len(s.requests)-1].state.isBad()
	if t.asks > 0 && !(bad && t.said.size() < offTopic) {
		for k := 0; k < t.words; k = t.sentenceEnd(k) + 1 {
			if t.inQuestion(k) {
				return k
			}
		}
	}
	if b > 0 && asksFor(s, b-1) || s.has(i, c.RequestCloses) {
		return -1
	}
	for _, wish := range [...]class{c.WordsFavours, c.WordsSeeks, c.WordsWanted} {
		if h := s.hit(i, wish); h != nil && !h.negated {
			return int(h.first)
		}
	}
	return -1
}

// asksFor reports whether the SYSTEM's block b ends in a question other than "anything else?", or
// asks for details.
func asksFor(s *analysis, b int) bool {
	i := s.lastTurn(b)
	t, more := &s.turns[i], s.hit(i, s.lex.class.OutcomeAsksMore)
	if t.words == 0 || s.blocks[b].role != dialogue.System {
		return false
	}
	if h := s.hit(i, s.lex.class.DetailsRequests); h != nil &&
		!more.meets(t.sentenceStart(int(h.first)), t.sentenceEnd(int(h.last))) {
		return true
	}
	last := t.words - 1
	return t.inQuestion(last) && !more.meets(t.sentenceStart(last), last)
}

// reported returns the last state that turn i reports, and the words that report it, or nil.
// Questions, conditions and wishes report nothing.
func reported(s *analysis, i int) (st outcome, at *hit) {
	t := &s.turns[i]
	for k := t.hits.start; k < t.hits.end; k++ {
		h := &s.hits[k]
		x := s.lex.lists[h.class].state
		if x == unknown || h.negated || isInquiry(s, i, int(h.last)) || isSupposed(t, h, x) ||
			x == done && (s.has(i, s.lex.class.OutcomeOthers) ||
				s.hit(i, s.lex.class.StateReferred).meets(int(h.first), int(h.last))) ||
			x == refused && s.has(i, s.lex.class.StateMissed) || x == confirmed && // "works, but …"
			s.hit(i, s.lex.class.WordsBut).meets(int(h.last), t.sentenceEnd(int(h.last))) {
			continue
		}
		if x == postponed && st != unknown || at != nil && st != postponed && h.first < at.first {
			continue // "refunded; please wait a few days" is done
		}
		if x == done && cancelsUnasked(s, h) {
			x = failed
		}
		st, at = x, h
	}
	return st, at
}

// isSupposed reports whether the state in a hit is wished for, supposed or still to come. "After I
// restarted it, the problem was solved" is a report.
func isSupposed(t *turnText, h *hit, x outcome) bool {
	for k := t.sentenceStart(int(h.first)); k < int(h.first); k++ {
		if t.tokens[k].is(conditional) && !(x == confirmed && t.is(k, "after", "once")) {
			return true
		}
	}
	return false
}

// isInquiry reports whether token k of turn i is in a question. In "It is booked, anything else?"
// the question begins later.
func isInquiry(s *analysis, i, k int) bool {
	t := &s.turns[i]
	more := s.hit(i, s.lex.class.OutcomeAsksMore)
	return t.inQuestion(k) && !(more != nil && int(more.first) > k &&
		t.sentenceStart(k) == t.sentenceStart(int(more.first)))
}

// cancelsUnasked reports whether a hit, or the word before it, speaks of a cancellation that the
// USER has not mentioned, or only to say that it is not wanted.
func cancelsUnasked(s *analysis, h *hit) bool {
	c := s.lex.class.OutcomeCancels
	end, other := s.hit(int(h.turn), c), s.hit(int(h.turn), s.lex.class.OutcomeCompleted)
	if !end.meets(int(h.first)-1, int(h.last)) || other != nil && !other.negated &&
		other.last+2 < end.first {
		return false // "You are booked for Sunday, and Monday is cancelled."
	}
	for o := range s.hitsOf(c) {
		if o.turn < h.turn && s.turns[o.turn].role == dialogue.User && !o.negated {
			return false
		}
	}
	return true
}

// report records a state of the request.
func (r *request) report(s *analysis, st outcome, h *hit) {
	r.accepted, r.doubted, r.loose = false, false, false
	r.state, r.shown = st, passage{int(h.turn), int(h.first), int(h.last)}
}

// plainAnswer is the maximum number of words of a no without anything else.
const plainAnswer = 4

// hearSystem reads a block of the SYSTEM as the reply to the current request.
func hearSystem(s *analysis, b int) {
	r := &s.requests[len(s.requests)-1]
	before := s.lastTurn(b - 1)
	renewed := r.state == unknown || r.state == objected ||
		r.state != confirmed && makesRequest(s, b-1, before) >= 0
	st, at := unknown, (*hit)(nil)
	for _, i := range s.firstOf(b) {
		x, h := reported(s, i)
		if h == nil || x == postponed && st != unknown {
			continue
		}
		st, at = x, h
	}
	isNo := st == refused && s.turns[before].asks > 0 &&
		!s.turns[at.turn].is(int(at.first), "i", "we", "i'm", "we're", "nothing", "that")
	firm, amended := answerTo(s, b, before, false), (*hit)(nil)
	if r.state == objected {
		amended = amends(s, b, before)
	}
	t := &s.turns[s.lastTurn(b)]
	endsAsking := t.words > 0 && t.inQuestion(t.words-1)
	switch {
	case r.state == objected && !st.isSettled() && !st.isBad() && saysAgain(s, b):
		// the answer that the USER has rejected
	case st == done && (r.state != confirmed || renewed):
		r.report(s, st, at)
	case st == missed && (r.state.isBad() || !repliesToRequest(s, at)):
		// chat that is not understood
	case r.state.isSettled() && !renewed:
		switch {
		case st == failed && firm == nil, st == postponed && r.doubted:
			r.report(s, st, at)
		case firm != nil && r.state == answered: // another answer, or a better one
			r.report(s, answered, firm)
		case r.state == answered && b+1 < len(s.blocks) && isPleased(s, s.firstTurn(b+1)) &&
			s.turns[before].asks == 0 && !isPleased(s, before):
			if h := statementIn(s, s.lastTurn(b)); h != nil { // "Not in the east." – "It is west."
				r.report(s, answered, h)
			}
		}
	case isNo && !wasBad(s):
		r.report(s, answered, at) // a no is the answer to a question about facts
	case st == postponed && at.class != s.lex.class.StateReferred && namesDay(s, at):
		r.report(s, promised, at)
	case at != nil && st != postponed:
		r.report(s, st, at)
	case firm != nil && wasBad(s) && s.turns[firm.turn].words <= plainAnswer &&
		s.turns[firm.turn].tokens[firm.first].is(negator):
		r.report(s, refused, firm) // "And there is no exception?" – "No, none."
	case firm != nil && !(endsAsking && s.turns[before].asks == 0) &&
		!(firm.last == 0 && asksFor(s, b)):
		r.report(s, answered, firm)
	case at != nil:
		r.report(s, st, at)
	case asksFor(s, b):
		if !r.state.isBad() || renewed {
			i := s.lastTurn(b)
			if at = s.hit(i, s.lex.class.DetailsRequests); at == nil || endsAsking {
				at = &hit{turn: int32(i), first: int32(t.sentenceStart(t.words - 1)),
					last: int32(t.words - 1)}
			}
			r.report(s, pending, at)
		}
	case amended != nil:
		r.report(s, answered, amended)
	case s.turns[before].asks == 0 && s.has(before, s.lex.class.RequestCloses):
		// "You're welcome, I'm happy to help."
	default:
		if h := answerTo(s, b, before, true); h != nil {
			r.report(s, answered, h)
			r.loose = true
		} else if h := statementIn(s, s.lastTurn(b)); r.state == pending && h != nil {
			r.state = unclear
			turn, word, _ := takesUp(s, b, r.asked)
			taken := turn == int(h.turn) && word <= int(h.last)
			if taken || s.kind == Request {
				r.report(s, answered, h) // "Which account?" – "1234" – "Your balance is 30."
				r.loose = s.kind == Service || !taken
			}
		}
	}
}

// saysAgain reports whether block b of the SYSTEM repeats an earlier answer in the same words.
func saysAgain(s *analysis, b int) bool {
	return repeatsTurn(s, s.lastTurn(b))
}

// amends returns the words with which block b puts right what the USER's turn i objected to: a
// statement that has a word or number of the objection ("No, I said four" – "It is four now").
func amends(s *analysis, b, i int) *hit {
	for _, k := range s.firstOf(b) {
		for n, tok := range s.turns[k].tokens {
			counts := tok.content() || tok.is(number) || s.lex.valueOf(tok).kind == wordNumber
			same := func(said token) bool { return said.stem == tok.stem }
			if counts && !s.lex.lapses[tok.word] && !isInquiry(s, k, n) && plainSentence(s, k, n) &&
				slices.ContainsFunc(s.turns[i].tokens, same) {
				return &hit{turn: int32(k), first: int32(n), last: int32(n)}
			}
		}
	}
	return nil
}

// wasBad reports whether the request before the last one was not fulfilled.
func wasBad(s *analysis) bool {
	n := len(s.requests)
	return n > 1 && s.requests[n-2].state.isBad() || s.requests[n-1].state.isBad()
}

// namesDay reports whether the sentence of a hit names a day or a time.
func namesDay(s *analysis, h *hit) bool {
	t := &s.turns[h.turn]
	from, to := t.sentenceStart(int(h.first)), t.sentenceEnd(int(h.last))
	if s.hit(int(h.turn), s.lex.class.RequestWhen).meets(from, to) {
		return true
	}
	return slices.ContainsFunc(s.valuesOf(int(h.turn)), func(v value) bool {
		switch v.slot.kind {
		case weekday, date, clock:
			return int(v.first) >= from && int(v.last) <= to
		}
		return false
	})
}

// fewestSaid is the minimum number of content words of a sentence that informs.
const fewestSaid = 3

// answerTo returns the words with which block b answers the USER's turn i, or nil: a yes or no to a
// question, a time, a sum or a code, a step, or a statement. A statement that answers no question
// must be in words of the USER. Unless loosely is set, statements do not count.
func answerTo(s *analysis, b, i int, loosely bool) *hit {
	c := &s.lex.class
	asked := s.turns[i].asks > 0 || s.has(i, c.WordsSeeks) || s.has(i, c.WordsWanted)
	for _, k := range s.firstOf(b) {
		t := &s.turns[k]
		if t.words == 0 {
			continue
		}
		refers := func(at int) bool {
			return s.hit(k, c.StateReferred).meets(t.sentenceStart(at), t.sentenceEnd(at))
		}
		for _, list := range [...]class{c.RequestInstructs, c.SubstanceSteps, c.SubstanceConcrete,
			c.PairingDirect} {
			h := s.hit(k, list)
			if h != nil && !h.negated && isStatement(s, h) && !refers(int(h.first)) &&
				(list != c.PairingDirect || asked) &&
				!s.hit(k, c.DetailsRequests).meets(t.sentenceStart(int(h.first)), int(h.last)) {
				return h
			}
		}
		if h := s.hit(k, c.UptakeAnswers); asked && h != nil && h.first == 0 && !h.negated {
			return h
		}
		if at := committed(s, k); at >= 0 && !s.has(k, c.StatePostponed) && !refers(at) &&
			!s.hit(k, c.DetailsRequests).meets(t.sentenceStart(at), at) {
			return &hit{turn: int32(k), first: int32(at), last: int32(at)}
		}
		if !loosely || !asked {
			continue
		}
		if h := statementIn(s, k); h != nil && !refers(int(h.first)) {
			return h
		}
	}
	if !loosely {
		return nil
	}
	if turn, word, _ := takesUp(s, b, i); turn >= 0 && !s.turns[turn].inQuestion(word) {
		return &hit{turn: int32(turn), first: int32(word), last: int32(word)}
	}
	return nil
}

// statementIn returns the first sentence of turn i that informs, or nil.
func statementIn(s *analysis, i int) *hit {
	t := &s.turns[i]
	for from := 0; from < t.words; from = t.sentenceEnd(from) + 1 {
		if informs(s, i, from) {
			return &hit{turn: int32(i), first: int32(from), last: int32(t.sentenceEnd(from))}
		}
	}
	return nil
}

// informs reports whether the sentence of token k of the SYSTEM's turn i states something: it is no
// question, courtesy or promise.
func informs(s *analysis, i, k int) bool {
	t, c := &s.turns[i], &s.lex.class
	from, end := t.sentenceStart(k), t.sentenceEnd(k)
	words := 0
	if more := s.hit(i, c.OutcomeAsksMore); more.meets(from+fewestSaid, end) {
		end = int(more.first) - 1
	}
	for _, tok := range t.tokens[from : end+1] {
		if tok.content() || tok.is(number) {
			words++
		}
	}
	for _, phrase := range [...]class{c.CourtesyPolite, c.CourtesyStock, c.OutcomeCloses,
		c.OutcomeAsksMore, c.DetailsRequests, c.StatePostponed, c.SubstanceVague, c.WordsRegrets,
		c.WordsMarks} {
		if s.hit(i, phrase).meets(from, end) {
			return false
		}
	}
	return words >= fewestSaid && !isInquiry(s, i, from) && !t.is(from, "sorry")
}

// conclude says what an answer is worth at the end of the dialogue. After an objection, or to a
// problem that is not a question, an answer that the USER does not welcome shows only that the
// SYSTEM answered.
func (r *request) conclude(s *analysis) {
	end := len(s.turns) - 1
	for end > 0 && (s.turns[end].words == 0 || s.turns[end].role == dialogue.Other ||
		s.has(end, s.lex.class.WordsCivil)) {
		end--
	}
	since := r.shown.turn // -1 if nothing was reported
	if r.state == unknown {
		r.state, since = unclear, r.asked
		if s.turns[end].role == dialogue.User && s.turns[end].asks > 0 {
			r.state = unanswered
		}
		r.shown = passage{end, 0, max(0, s.turns[end].words-1)}
	}
	pleased := func(by int) bool {
		if s.turns[by].role == dialogue.System {
			by = s.before(by, dialogue.User)
		}
		return by > since && (isPleased(s, by) && r.state != pending || benign(s, by) ||
			s.has(by, s.lex.class.ReactionThanks) || s.has(by, s.lex.class.RequestCloses))
	}
	enough, thanked := pleased(end), pleased(len(s.turns)-1)
	for i := since + 1; i < len(s.turns) && s.objected > 0; i++ {
		thanked = thanked || s.turns[i].role == dialogue.User && pleased(i)
	}
	b := len(s.blocks) - 1
	last := s.lastTurn(b)
	switch {
	case r.state == pending && s.turns[last].role == dialogue.User && asksFor(s, b-1) &&
		asksDetail(s, s.lastTurn(b-1)) && !closes(s, last):
		r.state, r.shown = dropped, passage{last, 0, s.turns[last].words - 1}
	case r.state == pending && enough:
		r.state = unclear // "No, thank you, that is all."
		i := r.shown.turn
		direct := s.turns[r.asked].asks > 0 && s.before(i, dialogue.User) == r.asked
		if h := statementIn(s, i); h != nil && !s.has(i, s.lex.class.DetailsRequests) &&
			(direct || i+1 < len(s.turns) && isPleased(s, i+1)) {
			r.report(s, answered, h) // "It has no garden. Shall I book it?"
		}
	case r.state == answered && !enough && !thanked && !r.accepted && s.objected > 0:
		r.state = unsettled
	case r.state == answered &&
		(r.loose && !thanked || !r.accepted && (r.doubted || !r.asks(s)) &&
			!(thanked && s.kind == Request)):
		r.state = unclear
	}
	for i := r.asked + 1; r.state == unclear && i < len(s.turns); i++ {
		r.readClaims(s, i)
	}
	if s.turns[end].role != dialogue.System || r.state != unclear {
		return
	}
	c := &s.lex.class
	if h := s.hit(end, c.SubstanceChannel); h != nil && s.has(end, c.DetailsRequests) {
		r.report(s, pending, h)
	} else if h := s.hit(end, c.SubstanceSteps); h != nil && !h.negated && isStatement(s, h) &&
		!s.has(end, c.DetailsRequests) && !s.has(end, c.StateReferred) {
		r.report(s, advised, h)
	}
}

// closes reports whether turn i begins or ends with a phrase that closes the conversation, so that
// it gives no detail.
func closes(s *analysis, i int) bool {
	h := s.hit(i, s.lex.class.RequestCloses)
	return h != nil && (h.first <= 1 || int(h.last) >= s.turns[i].words-2)
}

// readClaims reads what the SYSTEM says in turn i that it did, in words that no list of states has:
// "I have paused it" reports that the request is done if the USER spoke of pausing.
func (r *request) readClaims(s *analysis, i int) {
	if s.turns[i].role != dialogue.System {
		return
	}
	for _, k := range claims(s, i) {
		if k.voice != ownDeed && k.voice != perfectly {
			continue
		}
		asked := &s.turns[r.asked]
		for at := range asked.tokens {
			if toolWordAt(s, asked, at).verb&k.deeds != 0 {
				r.state, r.shown = done, k.passage
			}
		}
	}
}

// asksDetail reports whether turn i asks for a detail, and not only for a yes: it requests one, or
// its last sentence has a question word.
func asksDetail(s *analysis, i int) bool {
	t := &s.turns[i]
	return s.has(i, s.lex.class.DetailsRequests) ||
		slices.ContainsFunc(t.tokens[t.sentenceStart(t.words-1):], func(tok token) bool {
			return s.lex.valueOf(tok).kind == wordAsks
		})
}

// findFinal reports the last state of the USER's last request if it is the one that the detector's
// file names, and if the SYSTEM asked for details in @words turns before it.
func findFinal(s *analysis, det *detector) {
	n := len(s.requests)
	if n == 0 || len(s.blocks) < 2 {
		return
	}
	r, asked := &s.requests[n-1], 0
	found := r.state == det.final
	if det.final == partly {
		found = (r.state == failed || r.state == refused || r.state == left) &&
			slices.ContainsFunc(s.requests[:n-1], func(o request) bool {
				return o.state == done || o.state == confirmed
			})
	}
	for b := 0; found && asked < det.words && b < len(s.blocks); b++ {
		if s.firstTurn(b) < r.shown.turn && asksFor(s, b) && asksDetail(s, s.lastTurn(b)) {
			asked++
		}
	}
	if !found || asked < det.words {
		return
	}
	sig := s.emit(det, r.shown.turn, r.shown.first, r.shown.last)
	if det.final == unsettled {
		sig.About = s.objected
	} else if s.turns[r.shown.turn].role == dialogue.System && r.asked < r.shown.turn {
		sig.About = s.turns[r.asked].n
	} else if by := s.before(r.shown.turn, dialogue.System); by >= 0 {
		sig.About = s.turns[by].n
	}
}

// findTakes reports each turn of the USER that takes up what the SYSTEM has just recommended.
func findTakes(s *analysis, det *detector) {
	c := &s.lex.class
	seeks := len(s.of[c.WordsSeeks])+len(s.of[c.WordsWanted]) > 0
	for h := range s.hitsOf(c.RequestTakes) {
		i := int(h.turn)
		b := s.before(i, dialogue.System)
		if s.films && seeks && !h.negated && b >= 0 && s.has(b, s.lex.class.RequestRecommends) &&
			!isInquiry(s, i, int(h.last)) && !s.has(i, s.lex.class.WordsSarcasm) {
			s.emitHit(det, h).About = s.turns[b].n
		}
	}
}
