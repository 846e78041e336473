package evidence

import (
	"slices"
	"strings"

	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// findSaidAgain reports the turns of one side that say again what that side has just said: see
// repeats. The SYSTEM must leave nothing out, because it may go on with what is still open.
// Questions with a phrase of @needs do not count, nor does a USER who answers a question.
func findSaidAgain(s *analysis, det *detector) {
	role := s.Lex.Lists[det.class].Roles[0]
	for b, turns := range s.BlocksOf(role) {
		i := turns[0]
		t := &s.Turns[i]
		films := role == dialogue.User && len(s.Of[s.Lex.Class.WordsFilms]) > 0
		if b < 2 || films || t.Words < det.words || t.Has.Meets(&det.unless) ||
			t.Asks > 0 && t.Has.Meets(&det.needs) || role == dialogue.User && answers(s, b-1, i) ||
			s.meets(s.LastOf(b-1), &det.unlessBefore) {
			continue
		}
		st, _ := s.Reported(i)
		isNew := st.IsBad() && s.MakesRequest(b-1, s.LastTurn(b-1)) >= 0 // of another try
		for _, j := range slices.Backward(s.LastOf(b - 2)) {
			isSame := repeats(s, i, j, b-1) &&
				(role == dialogue.User || repeats(s, j, i, b-1) && !isNew)
			if isSame || role == dialogue.User && repeatsSentence(s, i, j, b-1) {
				s.report(det, s.Turns[i].Whole(), j)
				break
			}
		}
	}
}

// repeats reports whether turn i says the same as turn j: two content words or more, five sixths of
// all, every name and number, and a negation if the other has one. If i is a turn of the USER,
// words that block between contains do not count.
func repeats(s *analysis, i, j, between int) bool {
	t := &s.Turns[i]
	again, all := 0, 0
	for _, words := range [...]text.Bag{t.Said, t.Asked} {
		for _, stem := range s.Bags.Of(words) {
			all++
			switch {
			case t.Role == dialogue.User && s.BlockSays(between, stem):
			case s.Says(j, stem):
				again++
			case stem&text.Special != 0:
				return false
			}
		}
	}
	return again >= 2 && 6*again >= 5*all &&
		text.Marked(t.Tokens, text.Negator) == text.Marked(s.Turns[j].Tokens, text.Negator)
}

// answers reports whether the USER's turn i may be the answer to a question in block b: the block
// asks for a detail, or the first sentence of the turn has a word of the question. A denial answers
// only a question for a yes or no.
func answers(s *analysis, b, i int) bool {
	if s.Turns[i].Words == 0 || !s.AsksFor(b) {
		return false
	}
	q, t := &s.Turns[s.LastTurn(b)], &s.Turns[i]
	from, first := q.SentenceStart(q.Words-1), t.Tokens[:t.SentenceEnd(0)+1]
	if text.Marked(first, text.Negator) && !q.Is(from, "do", "does", "did", "is", "are", "was",
		"have", "has", "can", "could", "will", "would") {
		return false
	}
	return s.Has(s.LastTurn(b), s.Lex.Class.DetailsRequests) ||
		slices.ContainsFunc(first, func(tok text.Token) bool {
			return tok.IsContent() && text.HasStem(q.Tokens[from:], tok.Stem)
		})
}

// maxRestated is the maximum number of words of a turn of which one sentence counts as the whole.
const maxRestated = 60

// repeatsSentence reports whether turn i of the USER has a sentence of four content words or more,
// all of which are said in turn j and none in the block between: "I don't need a lamp. I need the
// new bulb for my porch light."
func repeatsSentence(s *analysis, i, j, between int) bool {
	t := &s.Turns[i]
	if s.Turns[j].Words > maxRestated {
		return false
	}
	for p := range t.Sentences() {
		again, differs := 0, t.IsQuestion(p.Last)
		for _, tok := range s.WordsOf(p) {
			isNew := tok.IsContent() && (!s.Says(j, tok.Stem) || s.BlockSays(between, tok.Stem))
			differs = differs || isNew || tok.Is(text.Negator)
			if tok.IsContent() {
				again++
			}
		}
		if again >= 4 && !differs {
			return true
		}
	}
	return false
}

// findReply reports each question of the SYSTEM except "anything else?" whose answer, the first
// turn of the USER's next block, has @words words and no phrase of @unless.
func findReply(s *analysis, det *detector) {
	for b, turns := range s.BlocksOf(dialogue.System) {
		asked := -1
		for _, i := range turns {
			if s.Turns[i].Asks > 0 {
				asked = i
			}
		}
		if asked < 0 || b+1 == len(s.Blocks) || s.Has(asked, s.Lex.Class.OutcomeAsksMore) {
			continue
		}
		t := &s.Turns[s.FirstTurn(b+1)]
		if t.Words >= det.words && !t.Has.Meets(&det.unless) {
			s.report(det, s.Turns[asked].Whole(), t.N-1)
		}
	}
}

// findLeads is findReply for an interview: the SYSTEM speaks first and asks, and the USER wishes
// for nothing in reply and never asks.
func findLeads(s *analysis, det *detector) {
	wishes := func(i int) bool { return s.Has(i, s.Lex.Class.WordsWanted) }
	if s.Kind != talk.RequestKind || len(s.Blocks) < 2 || s.Blocks[0].Role != dialogue.System ||
		!s.AsksIn(0) || s.Has(s.FirstTurn(0), s.Lex.Class.WordsGreeting) ||
		slices.ContainsFunc(s.Blocks[1].Turns, wishes) {
		return
	}
	for _, t := range s.Spoken(dialogue.User) {
		if strings.Contains(t.Text, "?") {
			return
		}
	}
	findReply(s, det)
}

// maxBrief is the maximum number of words in an answer that only gives a detail.
const maxBrief = 8

// findGivenAgain reports each request of the SYSTEM, in a phrase of the detector, for a detail that
// the USER has just given: a brief answer, the first sentence of a turn, repeats a name, number or
// reference of the USER's last turn, and contains no other. A name that the SYSTEM asks for must
// have been said as one.
func findGivenAgain(s *analysis, det *detector) {
	for b, turns := range s.BlocksOf(dialogue.System) {
		if b == 0 || b+1 == len(s.Blocks) || !s.Has(s.LastTurn(b), det.class) ||
			s.meets(turns, &det.unless) {
			continue
		}
		i := s.FirstTurn(b + 1)
		t := &s.Turns[i]
		if t.Words == 0 {
			continue
		}
		q := &s.Turns[s.LastTurn(b)]
		asksName := slices.ContainsFunc(q.Tokens, func(tok text.Token) bool {
			return strings.EqualFold(q.Text[tok.Start:tok.End], "name")
		})
		answer := t.Tokens[:t.SentenceEnd(0)+1]
		again, fresh := false, len(answer) > maxBrief
		for k, tok := range answer {
			given := s.BlockSays(b-1, tok.Stem)
			isName := tok.Is(text.Capital) && tok.IsContent() && tok.End-tok.Start > 1 &&
				t.Text[tok.Start+1] >= 'a'
			if !tok.Is(text.Number) && !t.IsReference(tok) && !isName {
				fresh = fresh || tok.IsContent() && !given && !s.BlockSays(b, tok.Stem)
				continue
			}
			if tok.Is(text.Number) && tok.End-tok.Start < 3 {
				given = given && t.GoesOn(k+1) && s.BlockSays(b-1, t.Tokens[k+1].Stem)
			}
			again = again || given && !s.BlockSays(b, tok.Stem) &&
				(!asksName || saidAsName(s, b-1, tok.Stem))
			fresh = fresh || !given
		}
		if again && !fresh {
			s.report(det, q.Whole(), s.LastTurn(b-1))
		}
	}
}

// saidAsName reports whether block b contains a word as somebody's name: "I'm Ann", "name is Ann",
// or first in a sentence, but not "a ride to Ann Street".
func saidAsName(s *analysis, b int, stem uint32) bool {
	for _, i := range s.LastOf(b) {
		t := &s.Turns[i]
		for k, tok := range t.Tokens {
			if tok.Stem == stem && (tok.Is(text.OpensSentence) ||
				t.Is(k-1, "is", "i'm", "im", "am", "it's", "its", "name", "this", "host")) {
				return true
			}
		}
	}
	return false
}

// maxSetsRight is the maximum number of words in a turn that sets the SYSTEM right.
const maxSetsRight = 36

// findMissedRequest reports the SYSTEM's answers on which the USER comes back: says words of the
// request again that the answer left out, with a phrase of the detector, or, in a
// service case, says the request again, points back (see uptakeOf) or denies what the SYSTEM
// states. A no to a question, to a refusal or to a failure does not count, nor does the answer to a
// question unless it says that the SYSTEM was told before.
func findMissedRequest(s *analysis, det *detector) {
	for b, turns := range s.BlocksOf(dialogue.System) {
		if b == 0 || b+1 == len(s.Blocks) || len(s.Of[s.Lex.Class.WordsFilms]) > 0 {
			continue
		}
		i := s.FirstTurn(b + 1)
		t := &s.Turns[i]
		if t.Has.Meets(&det.unless) || answers(s, b, i) && !s.Has(i, s.Lex.Class.UptakeTold) ||
			s.Has(s.LastTurn(b), s.Lex.Class.StatePostponed) {
			continue
		}
		how := s.Uptakes[turns[0]].How
		comesBack := s.Kind == talk.ServiceKind && how == talk.SaidBefore
		again := s.RepeatedIn(t, b)
		setsRight := t.Asks == 0 && t.Words <= maxSetsRight &&
			(again >= 2 && (t.Has.Has(det.class) || s.DeniesIdea(t, b)) ||
				again >= 3 && s.Rejects(i))
		if (comesBack || setsRight) && !s.meets(turns, &det.unlessBefore) {
			s.report(det, s.Turns[s.LastTurn(b)].Whole(), i)
		}
	}
}

// exclaims returns 1 for a turn with an exclamation mark.
func exclaims(_ *analysis, t *text.Turn) int { return min(t.Exclaims, 1) }

// endsAsking returns 1 for a turn that asks in the block that ends the conversation.
func endsAsking(s *analysis, t *text.Turn) int {
	if slices.Contains(s.Blocks[len(s.Blocks)-1].Turns, t.N-1) {
		return min(strings.Count(t.Text, "?"), 1)
	}
	return 0
}

// isSettled reports whether the USER welcomes the answer to the turn of a hit, or closes with it.
func isSettled(s *analysis, h *talk.Hit) bool {
	for i, t := range s.Spoken(dialogue.User) {
		if i > h.Turn && t.Words > 0 {
			return s.IsPleased(i) || s.Benign(i)
		}
	}
	return false
}

// repliesToQuestion reports whether a hit is in a turn of the SYSTEM that replies to a question.
func repliesToQuestion(s *analysis, h *talk.Hit) bool {
	before := s.Before(h.Turn, dialogue.User)
	return before >= 0 && s.Turns[before].Asks > 0
}

// asksWhether reports whether a hit replies to a turn of the USER whose last question does not ask
// for more than yes or no: "What time do you open?" does.
func asksWhether(s *analysis, h *talk.Hit) bool {
	isOpen, t := false, &s.Turns[max(0, s.Before(h.Turn, dialogue.User))]
	for p := range t.Sentences() {
		if t.IsQuestion(p.Last) {
			isOpen = !t.Is(p.First+1, "about", "if") &&
				t.Is(p.First, "what", "when", "where", "who", "why", "which", "how")
		}
	}
	return !isOpen && repliesToQuestion(s, h)
}
