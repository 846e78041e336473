package talk

import (
	"slices"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// isSettled reports whether a request in this state needs nothing more.
func (x State) isSettled() bool { return x == Confirmed || x == Done || x == Answered }

// WasMet reports whether the SYSTEM fulfilled or answered a request, and nobody doubts it.
func (r Request) WasMet() bool { return r.State.isSettled() && !r.loose && !r.doubted }

// IsPutOff reports whether the SYSTEM only says that somebody will see to a request.
func (x State) IsPutOff() bool { return x == postponed || x == promised }

// IsBad reports whether a request in this state was not fulfilled.
func (x State) IsBad() bool {
	return x == Failed || x == Refused || x == objected || x == Left
}

// readRequests follows the USER's requests through the dialogue. A dialogue in which the USER
// confides feelings has none, nor has talk about films, where recommendations count.
func (s *Talk) readRequests() {
	s.Requests, s.Objected = s.Requests[:0], 0
	for b := range s.Blocks {
		switch {
		case s.Confides || s.Films:
		case s.Blocks[b].Role == dialogue.User:
			s.hearUser(b)
		case len(s.Requests) > 0:
			s.hearSystem(b)
		}
	}
	n := len(s.Requests)
	if n > 1 && s.Requests[n-1].State == unknown && s.Turns[s.Requests[n-1].Asked].Asks == 0 {
		s.Requests = s.Requests[:n-1] // "Yes, do that, please."
	}
	if n = len(s.Requests); n > 0 {
		s.Requests[n-1].conclude(s)
	}
}

// hearUser reads a block of the USER: what it reports about the current request, and whether it
// makes a new one.
func (s *Talk) hearUser(b int) {
	for _, i := range s.LastOf(b) {
		if s.Turns[i].Words == 0 || s.Has(i, s.Lex.Class.WordsCivil) {
			continue
		}
		st, h := s.Reported(i)
		asks := s.MakesRequest(b, i)
		n := len(s.Requests)
		if n > 0 && s.Reacts(i) {
			r := &s.Requests[n-1]
			if st == unknown {
				if st, h = s.reaction(b, i, r); st == objected {
					asks = -1 // the request again is no new one
				}
			}
			s.Requests = r.hear(s, i, st, h)
			n = len(s.Requests)
			if h != nil && st != objected && st != Left &&
				(asks <= h.First || s.Turns[i].Asks == 0) {
				continue // "Where is it? Found it."
			}
		}
		if asks >= 0 && n > 0 && s.Requests[n-1].State == unknown &&
			s.Before(i, dialogue.System) > s.Requests[n-1].Asked {
			s.Requests[n-1].Asked = i // "Hello, can anybody help?" – "How can I help?"
		} else if asks >= 0 && (n == 0 || s.Requests[n-1].State != unknown) {
			if n > 0 && s.Requests[n-1].State.isSettled() {
				s.Objected = 0
			}
			s.Requests = append(s.Requests, Request{Asked: i, Shown: text.Passage{Turn: -1}})
		}
	}
}

// reaction returns the state of a request that the USER's turn i shows without naming it: the turn
// rejects the SYSTEM's last answer, complains about it, or denies something after it although
// nothing was asked.
func (s *Talk) reaction(b, i int, r *Request) (State, *Hit) {
	t := &s.Turns[i]
	whole := &Hit{Passage: t.Whole()}
	asks := s.AsksFor(b-1) || s.AsksIn(b-1)
	u := s.Uptakes[s.LastTurn(b-1)]
	pleased := s.IsPleased(i) && !s.Has(i, s.Lex.Class.WordsBut)
	denies := func(tok text.Token) bool {
		return tok.Is(text.Negator) && !t.InQuestion(int(tok.From))
	}
	rails := s.Hit(i, s.Lex.Class.ReactionSarcastic) != nil ||
		t.Exclaims > 0 && !pleased && s.SaysAgain(b-1)
	switch clear := u.How != askedAgain || s.Complains(i) ||
		r.State == Answered && t.Asks > 0 && s.Has(i, s.Lex.Class.WordsBut) &&
			b+1 < len(s.Blocks); {
	case asks || pleased && !rails || s.Benign(i),
		t.Tokens[0].Is(text.Negator) && s.Has(i, s.Lex.Class.ReactionNotNow): // "No, not yet."
	case u.By.Turn == i && u.How == Resigned:
		return Left, whole
	case rails && r.State != Done && !r.State.IsBad():
		return objected, whole
	case u.By.Turn == i && u.How != Held && clear:
		return objected, &Hit{Passage: u.By}
	case (r.State.isSettled() || r.State == promised || r.State == postponed ||
		r.State == pending) && t.Asks == 0 && s.Complains(i),
		s.Kind == ServiceKind && r.State == Answered && r.asks(s) &&
			!s.Has(i, s.Lex.Class.UptakeMoves) && slices.ContainsFunc(t.Tokens, denies):
		return objected, whole
	}
	return unknown, nil
}

// maxGoesOn is the maximum number of words of a turn that goes on from an answer without welcoming
// it. A longer one says what the answer left out.
const maxGoesOn = 12

// goesOn reports whether the USER's turn i welcomes the last answer or goes on from it: it neither
// asks nor complains nor denies.
func (s *Talk) goesOn(i int) bool {
	t := &s.Turns[i]
	return !s.Has(i, s.Lex.Class.WordsBut) && (s.IsPleased(i) || s.Benign(i) ||
		t.Words <= maxGoesOn && t.Asks == 0 && !s.Complains(i) &&
			!text.Marked(t.Tokens, text.Negator))
}

// hear records what the USER's turn i reports about the last request. It returns the requests,
// without the last one if the USER takes back an addition to what is settled.
func (r *Request) hear(s *Talk, i int, st State, h *Hit) []Request {
	n := len(s.Requests)
	switch {
	case st == Left && r.State == Answered && s.follows(h, r.Shown.Turn):
		r.accepted = true // "Only by card." – "Then I'll use my card."
	case h == nil:
		r.accepted = s.goesOn(i)
		asked := s.Before(i, dialogue.System)
		r.doubted = !r.accepted && s.Turns[i].Asks == 0 && s.Turns[asked].Asks == 0
	case st == objected && !s.Has(i, s.Lex.Class.ReactionBlames) &&
		(r.State == unknown || r.State == pending && s.Before(i, dialogue.System) == r.Shown.Turn ||
			r.State == postponed &&
				s.Has(s.Before(i, dialogue.System), s.Lex.Class.DetailsRequests)):
		// the USER describes the problem; there is no answer yet that could have failed
	case n > 1 && r.State == unknown && s.Requests[n-2].State.IsBad() &&
		(st == Left || st == withdrawn):
		return s.Requests[:n-1] // what failed was not asked for again
	case st == Left && !r.State.IsBad() && s.Objected == 0 && r.State != postponed &&
		(r.State != Answered || s.Has(i, s.Lex.Class.StateWithdrawn)):
		if !r.State.isSettled() || r.loose {
			r.report(withdrawn, h.Passage) // "Never mind, I have found a bike."
		}
	case (st == withdrawn || st == Left) && r.State.IsBad(),
		st == Left && (r.State == Confirmed ||
			r.State == Done && s.LastFailed < 0 && s.Objected == 0 && !r.doubted):
		// nothing new: the USER gives up after a failure, or says goodbye after a success
	case st == withdrawn && n > 1 && s.Requests[n-2].State.isSettled():
		return s.Requests[:n-1]
	default:
		if st == objected {
			s.Objected = s.Turns[i].N
		}
		r.report(st, h.Passage)
	}
	return s.Requests
}

// Final returns the request whose state is the outcome: the last one or, if what follows was only
// answered, one before it that is done. It returns nil without a request.
func (s *Talk) Final() (last *Request) {
	for k := range slices.Backward(s.Requests) {
		r := &s.Requests[k]
		if last == nil || r.State == Done {
			last = r
		}
		if r.State != Answered {
			break
		}
	}
	return last
}

// Concerns returns the turn that makes a request or, if it was not fulfilled, the USER's last turn
// that has most words of the report: "The Crown?" – "No." – "Try the Bell." – "The Bell is full."
func (s *Talk) Concerns(r *Request) int {
	best, most := r.Asked, 1
	for j := r.Asked; r.State.IsBad() && j < r.Shown.Turn; j++ {
		n := 0
		for _, tok := range s.WordsOf(s.Turns[r.Shown.Turn].Sentence(r.Shown.First)) {
			if s.Turns[j].Role == dialogue.User && s.Says(j, tok.Stem) {
				n++
			}
		}
		if n >= most {
			best, most = j, n
		}
	}
	return best
}

// asks reports whether the request is a question, not the description of a problem.
func (r *Request) asks(s *Talk) bool {
	return s.Turns[r.Asked].Asks > 0 || s.Has(r.Asked, s.Lex.Class.WordsSeeks)
}

// follows reports whether the sentence of a hit has a word of turn i after the hit's first.
func (s *Talk) follows(h *Hit, i int) bool {
	t := &s.Turns[h.Turn]
	words := t.Tokens[h.First : t.SentenceEnd(h.Last)+1]
	return slices.ContainsFunc(words, func(tok text.Token) bool {
		return tok.IsContent() && s.Says(i, tok.Stem)
	})
}

// fewestAsked is the minimum number of words of an opening that states a request.
const fewestAsked = 3

// MakesRequest returns the first token of the sentence in which the USER's turn i asks or wishes
// for something, or -1. The answer to a question of the SYSTEM is no request unless it asks.
func (s *Talk) MakesRequest(b, i int) int {
	t, c := &s.Turns[i], &s.Lex.Class
	if t.Words == 0 || s.Benign(i) {
		return -1
	}
	if len(s.Requests) == 0 {
		st, _ := s.Reported(i)
		if t.Asks > 0 || t.Words >= fewestAsked && !s.Has(i, c.RequestCloses) && st != Confirmed {
			return 0
		}
		return -1
	}
	bad := s.Requests[len(s.Requests)-1].State.IsBad()
	if t.Asks > 0 && !(bad && t.Said.Size() < offTopic) {
		for p := range t.Sentences() {
			if t.IsQuestion(p.Last) {
				return p.First
			}
		}
	}
	if b > 0 && s.AsksFor(b-1) || s.Has(i, c.RequestCloses) {
		return -1
	}
	for _, wish := range [...]text.Class{c.WordsFavours, c.WordsSeeks, c.WordsWanted} {
		if h := s.Hit(i, wish); h != nil && !h.Negated {
			return h.First
		}
	}
	return -1
}

// AsksFor reports whether the SYSTEM's block b ends in a question other than "anything else?", or
// asks for details.
func (s *Talk) AsksFor(b int) bool {
	i := s.LastTurn(b)
	t, more := &s.Turns[i], s.Hit(i, s.Lex.Class.OutcomeAsksMore)
	if t.Words == 0 || s.Blocks[b].Role != dialogue.System {
		return false
	}
	if h := s.Hit(i, s.Lex.Class.DetailsRequests); h != nil && !more.Meets(t.Around(h.Passage)) {
		return true
	}
	last := t.Words - 1
	return t.InQuestion(last) && !more.Meets(t.Sentence(last))
}

// Reported returns the last state that turn i reports, and the words that report it, or nil.
// Questions, conditions and wishes report nothing.
func (s *Talk) Reported(i int) (st State, at *Hit) {
	t, c := &s.Turns[i], &s.Lex.Class
	for k := t.Hits.Start; k < t.Hits.End; k++ {
		h := &s.Hits[k]
		x := s.Lex.Lists[h.Class].State
		if x == unknown || h.Negated || s.IsInquiry(i, h.Last) ||
			isSupposed(t, h, x) || x == Done && (s.Has(i, c.OutcomeOthers) ||
			s.Hit(i, c.StateReferred).Meets(h.Passage)) ||
			x == Refused && s.Has(i, c.StateMissed) || x == Confirmed && // "works, but …"
			s.Hit(i, c.WordsBut).Meets(t.At(h.Last, t.SentenceEnd(h.Last))) ||
			x == Done && st == Refused && h.First <= t.SentenceEnd(at.Last) &&
				!s.Meets(c.StateInstead, t.At(at.Last, h.First)) {
			continue // "You can't cancel, it's already shipped."
		}
		if x == postponed && st != unknown || at != nil && st != postponed && h.First < at.First {
			continue // "refunded; please wait a few days" is done
		}
		if x == Done && s.isUnwanted(h) {
			x = Failed
		}
		st, at = x, h
	}
	return st, at
}

// isUnwanted reports whether a hit, or the word before it, speaks of a cancellation that the USER
// has not mentioned, or says that something has left that the USER wants cancelled, and not sent.
func (s *Talk) isUnwanted(h *Hit) bool {
	c, i := &s.Lex.Class, h.Turn
	end, other := s.Hit(i, c.OutcomeCancels), s.Hit(i, c.OutcomeCompleted)
	left := end == nil && s.Hit(i, c.OutcomeTooLate).Meets(h.Passage)
	if !left && (!end.Meets(s.Turns[i].At(h.First-1, h.Last)) || other != nil && !other.Negated &&
		other.Last+2 < end.First) {
		return false // "You are booked for Sunday, and Monday is cancelled."
	}
	for o := range s.HitsOf(c.OutcomeCancels) {
		counts := !left || s.Has(o.Turn, c.RequestCancels) && !s.Has(o.Turn, c.OutcomeTooLate)
		if counts && o.Turn < h.Turn && s.Turns[o.Turn].Role == dialogue.User && !o.Negated {
			return left && !s.Has(s.Before(i, dialogue.User), c.OutcomeTooLate)
		}
	}
	return !left
}

// isSupposed reports whether the state in a hit is wished for, supposed or still to come. "After I
// restarted it, the problem was solved" is a report.
func isSupposed(t *text.Turn, h *Hit, x State) bool {
	for k := t.SentenceStart(h.First); k < h.First; k++ {
		if t.Tokens[k].Is(text.Conditional) && !(x == Confirmed && t.Is(k, "after", "once")) {
			return true
		}
	}
	return false
}

// report records a state of the request.
func (r *Request) report(st State, p text.Passage) {
	r.accepted, r.doubted, r.loose = false, false, false
	r.State, r.Shown = st, p
}

// plainAnswer is the maximum number of words of a no without anything else.
const plainAnswer = 4

// hearSystem reads a block of the SYSTEM as the reply to the current request.
func (s *Talk) hearSystem(b int) {
	r := &s.Requests[len(s.Requests)-1]
	before := s.LastTurn(b - 1)
	renewed := r.State == unknown || r.State == objected ||
		r.State != Confirmed && s.MakesRequest(b-1, before) >= 0
	st, at := unknown, (*Hit)(nil)
	for _, i := range s.firstOf(b) {
		x, h := s.Reported(i)
		if h != nil && (x != postponed || st == unknown) {
			st, at = x, h
		}
	}
	isNo := st == Refused && s.Turns[before].Asks > 0 &&
		!s.Turns[at.Turn].Is(at.First, "i", "we", "i'm", "we're", "nothing", "that") &&
		!(s.Has(before, s.Lex.Class.WordsFavours) && s.Turns[at.Turn].Is(at.First, "you"))
	firm := s.answerTo(b, before, false)
	t := &s.Turns[s.LastTurn(b)]
	endsAsking := t.Words > 0 && t.InQuestion(t.Words-1)
	switch {
	case r.State == objected && !st.isSettled() && !st.IsBad() && s.SaysAgain(b):
		// the answer that the USER has rejected
	case st == Done && (r.State != Confirmed || renewed):
		r.report(st, at.Passage)
	case st == missed && (r.State.IsBad() || !s.RepliesToRequest(at)):
		// chat that is not understood
	case r.State.isSettled() && !renewed:
		switch {
		case st == Failed && firm == nil, st == postponed && r.doubted:
			r.report(st, at.Passage)
		case firm != nil && r.State == Answered: // another answer, or a better one
			r.report(Answered, firm.Passage)
		}
	case isNo && !s.wasBad():
		r.report(Answered, at.Passage) // a no is the answer to a question about facts
	case firm != nil && st == Refused && s.Turns[before].Asks > 0 &&
		firm.Turn == at.Turn && t.SentenceEnd(firm.Last) < at.First:
		r.report(Unclear, firm.Passage) // "Yes, to Malta. I can't say for Gozo."
	case st == postponed && at.Class != s.Lex.Class.StateReferred && s.namesDay(at):
		r.report(promised, at.Passage)
	case at != nil && st != postponed:
		r.report(st, at.Passage)
	case firm != nil && s.wasBad() && s.Turns[firm.Turn].Words <= plainAnswer &&
		s.Turns[firm.Turn].Tokens[firm.First].Is(text.Negator):
		r.report(Refused, firm.Passage) // "And there is no exception?" – "No, none."
	case firm != nil && !(endsAsking && s.Turns[before].Asks == 0) &&
		!(firm.Last == 0 && s.AsksFor(b)):
		r.report(Answered, firm.Passage)
	case at != nil:
		r.report(st, at.Passage)
	case s.AsksFor(b):
		if !r.State.IsBad() || renewed {
			i := s.LastTurn(b)
			if at = s.Hit(i, s.Lex.Class.DetailsRequests); at == nil || endsAsking {
				at = &Hit{Passage: t.Sentence(t.Words - 1)}
			}
			r.report(pending, at.Passage)
		}
	case s.Turns[before].Asks == 0 && s.Has(before, s.Lex.Class.RequestCloses):
		// "You're welcome, I'm happy to help."
	default:
		if h := s.answerTo(b, before, true); h != nil {
			r.report(Answered, h.Passage)
			r.loose = true
		} else if h := s.statementIn(s.LastTurn(b)); r.State == pending && h != nil {
			r.State = Unclear
			at, _ := s.TakesUp(b, s.Turns[r.Asked].Whole())
			taken := at.Turn == h.Turn && at.First <= h.Last
			if taken || s.Kind == RequestKind {
				r.report(Answered, h.Passage) // "Which account?" – "1234" – "Your balance is 30."
				r.loose = s.Kind == ServiceKind || !taken
			}
		}
	}
}

// wasBad reports whether the request before the last one was not fulfilled.
func (s *Talk) wasBad() bool {
	n := len(s.Requests)
	return n > 1 && s.Requests[n-2].State.IsBad() || s.Requests[n-1].State.IsBad()
}

// namesDay reports whether the sentence of a hit names a day or a time.
func (s *Talk) namesDay(h *Hit) bool {
	p := s.Turns[h.Turn].Around(h.Passage)
	return s.Hit(h.Turn, s.Lex.Class.RequestWhen).Meets(p) ||
		slices.ContainsFunc(s.ValuesIn(p), func(v quantity.Value) bool {
			return v.Slot.Kind == quantity.Weekday || v.IsMoment()
		})
}

// fewestSaid is the minimum number of content words of a sentence that informs.
const fewestSaid = 3

// answerTo returns the words with which block b answers the USER's turn i, or nil: a yes or no to a
// question, a time, a sum or a code, a step, or a statement. A statement that answers no question
// must be in words of the USER. Unless loosely is set, statements do not count.
func (s *Talk) answerTo(b, i int, loosely bool) *Hit {
	c := &s.Lex.Class
	asked := s.Turns[i].Asks > 0 || s.Has(i, c.WordsSeeks) || s.Has(i, c.WordsWanted)
	has := func(list text.Class, h *Hit) bool { // in the same sentence
		return s.Hit(h.Turn, list).Meets(s.Turns[h.Turn].Sentence(h.First))
	}
	isPrice := func(f quantity.Figure) bool { // "it is 12.50", but "from 12.50"
		return f.Money || f.Decimals == 2 && s.Turns[f.Turn].Is(f.First-1, "is", "are", "costs")
	}
	isTime := func(h *Hit) bool { // a time for a price
		return s.Has(i, c.WordsAsksPrice) && !s.Has(i, c.RequestWhen) && s.namesDay(h) &&
			!s.Has(h.Turn, c.WordsAsksPrice) && !slices.ContainsFunc(s.FiguresOf(h.Turn), isPrice)
	}
	beside := func(h *Hit) bool {
		t := &s.Turns[h.Turn]
		return isTime(h) || has(c.StateReferred, h) ||
			s.Hit(h.Turn, c.DetailsRequests).Meets(t.At(t.SentenceStart(h.First), h.Last))
	}
	for _, k := range s.firstOf(b) {
		t := &s.Turns[k]
		if t.Words == 0 {
			continue
		}
		for _, list := range [...]text.Class{c.RequestInstructs, c.SubstanceSteps,
			c.SubstanceConcrete, c.PairingDirect} {
			h := s.Hit(k, list)
			if h != nil && !h.Negated && s.IsStatement(h) && !beside(h) &&
				(list != c.PairingDirect || asked && !has(c.UptakeWithholds, h)) {
				return h
			}
		}
		if h := s.Hit(k, c.UptakeAnswers); asked && h != nil && h.First == 0 && !h.Negated &&
			!has(c.UptakeWithholds, h) {
			return h
		}
		if at := s.committed(k); at >= 0 && !s.Has(k, c.StatePostponed) {
			if h := (&Hit{Passage: t.At(at, at)}); !beside(h) {
				return h
			}
		}
		if loosely && asked {
			if h := s.statementIn(k); h != nil && !beside(h) && !has(c.UptakeWithholds, h) {
				return h
			}
		}
	}
	if !loosely {
		return nil
	}
	at, _ := s.TakesUp(b, s.Turns[i].Whole())
	h := &Hit{Passage: at}
	if at.Turn < 0 || s.IsAsked(at) || isTime(h) {
		return nil
	}
	return h
}

// statementIn returns the first sentence of turn i that informs, or nil.
func (s *Talk) statementIn(i int) *Hit {
	t := &s.Turns[i]
	for p := range t.Sentences() {
		if s.informs(p) {
			return &Hit{Passage: p}
		}
	}
	return nil
}

// informs reports whether a sentence of the SYSTEM states something: it is no question, courtesy or
// promise.
func (s *Talk) informs(p text.Passage) bool {
	t, c := &s.Turns[p.Turn], &s.Lex.Class
	words := 0
	more := s.Hit(p.Turn, c.OutcomeAsksMore)
	if more.Meets(t.At(p.First+fewestSaid, p.Last)) {
		p.Last = more.First - 1
	}
	for _, tok := range s.WordsOf(p) {
		if tok.IsContent() || tok.Is(text.Number) {
			words++
		}
	}
	for _, phrase := range [...]text.Class{c.CourtesyPolite, c.CourtesyStock, c.OutcomeCloses,
		c.OutcomeAsksMore, c.DetailsRequests, c.StatePostponed, c.SubstanceVague, c.WordsRegrets,
		c.WordsMarks} {
		if s.Hit(p.Turn, phrase).Meets(p) {
			return false
		}
	}
	return words >= fewestSaid && !s.IsInquiry(p.Turn, p.First) && !t.Is(p.First, "sorry")
}

// conclude says what an answer is worth at the end of the dialogue. After an objection, or to a
// problem that is not a question, an answer that the USER does not welcome shows only that the
// SYSTEM answered.
func (r *Request) conclude(s *Talk) {
	end := s.lastWords()
	since := r.Shown.Turn // -1 if nothing was reported
	if r.State == unknown {
		r.State, since = Unclear, r.Asked
		if s.Turns[end].Role == dialogue.User && s.Turns[end].Asks > 0 {
			r.State = Unanswered
		}
		r.Shown = text.Passage{Turn: end, First: 0, Last: max(0, s.Turns[end].Words-1)}
	}
	pleased := func(by int) bool {
		if s.Turns[by].Role == dialogue.System {
			by = s.Before(by, dialogue.User)
		}
		return by > since && (s.IsPleased(by) && r.State != pending || s.Benign(by) ||
			s.Has(by, s.Lex.Class.ReactionThanks) || s.Has(by, s.Lex.Class.RequestCloses))
	}
	enough, thanked := pleased(end), pleased(len(s.Turns)-1)
	for i := since + 1; i < len(s.Turns) && s.Objected > 0; i++ {
		thanked = thanked || s.Turns[i].Role == dialogue.User && pleased(i)
	}
	b := len(s.Blocks) - 1
	last, said := s.LastTurn(b), end
	if s.Turns[end].Role == dialogue.User {
		said = max(0, s.Before(end, dialogue.System))
	}
	switch {
	case r.State == pending && s.Turns[last].Role == dialogue.User && s.AsksFor(b-1) &&
		s.AsksDetail(s.LastTurn(b-1)) && !s.closes(last):
		r.State, r.Shown = dropped, s.Turns[last].Whole()
	case r.State == pending && enough:
		r.State = Unclear // "No, thank you, that is all."
		i := r.Shown.Turn
		direct := s.Turns[r.Asked].Asks > 0 && s.Before(i, dialogue.User) == r.Asked
		if h := s.statementIn(i); h != nil && !s.Has(i, s.Lex.Class.DetailsRequests) &&
			(direct || i+1 < len(s.Turns) && s.IsPleased(i+1)) {
			r.report(Answered, h.Passage) // "It has no garden. Shall I book it?"
		}
	case r.State == pending && s.Turns[said].Role == dialogue.System && s.Turns[said].Asks == 0 &&
		s.Before(said, dialogue.User) > since && !s.Has(said, s.Lex.Class.DetailsRequests):
		r.State = Unclear // the SYSTEM has said something else since
	case r.State == Answered && !enough && !thanked && !r.accepted && s.Objected > 0:
		r.State = Unsettled
	case r.State == Answered && (r.loose && !thanked || !r.accepted && (r.doubted || !r.asks(s)) &&
		!(thanked && (s.Kind == RequestKind || r.asks(s)))):
		r.State = Unclear
	}
}

// closes reports whether turn i begins or ends with a phrase that closes the conversation. Such a
// turn contains none of the details that the SYSTEM asked for.
func (s *Talk) closes(i int) bool {
	h := s.Hit(i, s.Lex.Class.RequestCloses)
	return h != nil && (h.First <= 1 || h.Last >= s.Turns[i].Words-2)
}

// ReadRest reads the end of the dialogue for what became of a last request that is still unclear:
// the SYSTEM asks a question or gives advice.
func (s *Talk) ReadRest() {
	n := len(s.Requests)
	if n == 0 || s.Requests[n-1].State != Unclear {
		return
	}
	c, r, end := &s.Lex.Class, &s.Requests[n-1], s.lastWords()
	channel, steps := s.Hit(end, c.SubstanceChannel), s.Hit(end, c.SubstanceSteps)
	switch ends := s.Turns[end].Role == dialogue.System; {
	case ends && channel != nil && s.Has(end, c.DetailsRequests):
		r.report(pending, channel.Passage)
	case ends && steps != nil && !steps.Negated && s.IsStatement(steps) &&
		!s.Has(end, c.DetailsRequests) && !s.Has(end, c.StateReferred):
		r.report(advised, steps.Passage)
	}
}

// lastWords returns the last turn that is more than a greeting or goodbye.
func (s *Talk) lastWords() int {
	end := len(s.Turns) - 1
	for end > 0 && (s.Turns[end].Words == 0 || s.Turns[end].Role == dialogue.Other ||
		s.Has(end, s.Lex.Class.WordsCivil)) {
		end--
	}
	return end
}

// AsksDetail reports whether turn i asks for a detail, and not only for a yes: it requests one, or
// its last sentence has a question word.
func (s *Talk) AsksDetail(i int) bool {
	t := &s.Turns[i]
	return s.Has(i, s.Lex.Class.DetailsRequests) ||
		slices.ContainsFunc(t.Tokens[t.SentenceStart(t.Words-1):], func(tok text.Token) bool {
			return s.Lex.ValueOf(tok).Kind == quantity.WordAsks
		})
}

// RepliesToRequest reports whether a hit is in a turn of the SYSTEM that replies to the opening, to
// a question or request, or to a short answer to a question of the SYSTEM. Other turns are chat.
func (s *Talk) RepliesToRequest(h *Hit) bool {
	u := s.Before(h.Turn, dialogue.User)
	if u < 0 {
		return false
	}
	c, before := &s.Lex.Class, s.Before(u, dialogue.System)
	return before < 0 || s.Turns[u].Asks > 0 || s.Has(u, c.WordsFavours) ||
		s.Turns[u].Words <= shortAnswer && s.Turns[before].Asks > 0 &&
			!s.Has(before, c.OutcomeAsksMore)
}

// shortAnswer is the maximum number of words of a turn that answers a question and nothing else.
const shortAnswer = 8
