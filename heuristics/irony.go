package heuristics

import (
	"assize/rubric/dialogue"
	"slices"
	"strings"
)

// readIrony detects praise and thanks that are probably ironic: right after a plain no, after a
// repetition by the SYSTEM, or before something bad in the same turn. They count as sarcasm, except
// mere politeness, which then counts as nothing.
func (s *Talk) readIrony() {
	c := &s.lex.class
	for b := 1; b < len(s.blocks); b++ {
		for _, i := range s.firstOf(b) {
			t := &s.turns[i]
			if t.role != dialogue.User || !s.reacts(i) || t.asks > 0 ||
				s.has(i, c.ReactionSatisfied) || t.has.has(c.WordsSarcasm) ||
				!s.isPleased(i) && t.exclaims == 0 {
				continue
			}
			h := s.hit(i, c.ReactionSuperb)
			for _, strong := range [...]class{c.ReactionPraises, c.ReactionThanksStrong} {
				if h == nil || h.negated {
					h = s.hit(i, strong)
				}
			}
			// "that sounds good", but not "great"
			mild := h != nil && h.class == c.ReactionPraises && h.last > h.first
			meant := h == nil || h.negated || mild
			bad := s.hit(i, c.WordsSpoils)
			spoiled := !meant && h.first < maxFillers && bad != nil && bad.first > h.last &&
				!s.has(i, c.ReactionWorks) && !slices.ContainsFunc(s.lastOf(b-1),
				func(k int) bool { return s.completes(k) || s.has(k, c.OutcomeActs) })
			if !spoiled && !s.snubsIn(b-1, !meant || t.exclaims > 0) {
				continue
			}
			t.has.add(c.WordsSarcasm)
			if !meant && !t.has.has(c.ReactionSarcastic) {
				t.has.add(c.ReactionSarcastic)
				s.of[c.ReactionSarcastic] = append(s.of[c.ReactionSarcastic], int32(len(s.hits)))
				s.hits = append(s.hits, hit{class: c.ReactionSarcastic, turn: int32(i),
					first: h.first, last: h.last})
			}
		}
	}
}

// plainNo is the maximum length in words of a no without explanation.
const plainNo = 16

// snubsIn reports whether block b of the SYSTEM plainly fails the request. It does if it refuses
// without a reason, an alternative or anything else to go by, unless the USER hoped for a no, or if
// it repeats an earlier turn. Unless anyNo is set, as after mere agreement, only a refusal to
// answer counts as a refusal.
func (s *Talk) snubsIn(b int, anyNo bool) bool {
	c, no, again, words := &s.lex.class, false, false, 0
	for _, k := range s.lastOf(b) {
		words += s.turns[k].words
		asked := s.before(k, dialogue.User)
		if asked < 0 || s.commits(k) || s.has(k, c.SubstanceAlternative) ||
			s.has(k, c.WordsReasons) || s.turns[k].asks > 0 {
			return false
		}
		for _, refusal := range [...]class{c.OutcomeFailed, c.OutcomeDenied, c.UptakeWithholds,
			c.WordsRegrets} {
			h := s.hit(k, refusal)
			no = no || h != nil && !h.negated && s.isRefusal(h) && !s.has(asked, c.WordsBurdens) &&
				(anyNo || refusal == c.UptakeWithholds) && (refusal != c.OutcomeDenied ||
				s.has(asked, c.WordsFavours))
		}
		again = again || s.repeatsTurn(k)
	}
	return again || no && words <= plainNo &&
		!slices.ContainsFunc(s.lastOf(b), func(k int) bool { return s.has(k, c.SubstanceSteps) })
}

// readPlainQuestions finds questions without a question mark: sentences of the USER that begin with
// a question word, or with a verb before its subject, behind fillers and joiners, and what a quiz
// asks.
func (s *Talk) readPlainQuestions() {
	for i, t := range s.spoken(dialogue.System) {
		asked := i
		if by := s.before(i, dialogue.User); by >= 0 && s.has(i, s.lex.class.WordsMarks) {
			asked = s.before(by, dialogue.System)
		} else if !strings.Contains(t.text, "__") {
			continue
		}
		if asked >= 0 && s.turns[asked].words > 0 && s.turns[asked].asks == 0 {
			quiz := &s.turns[asked]
			quiz.asks = len(quiz.text)
			quiz.tokens[quiz.words-1].flags |= questioned
		}
	}
	for _, t := range s.spoken(dialogue.User) {
		for k, last := 0, 0; k < t.words && t.asks == 0; k = last + 1 {
			last = t.sentenceEnd(k)
			for k < last && t.tokens[k].is(filler|joiner) {
				k++
			}
			verb := t.tokens[k].is(auxiliary|modal) || t.is(k, "do")
			if k < last && (s.lex.valueOf(t.tokens[k]).kind == wordAsks ||
				verb && t.is(k+1, "i", "you", "u", "we", "it", "that", "there", "this")) {
				t.asks = int(t.tokens[last].end)
			}
		}
	}
}
