package talk

import (
	"slices"
	"strings"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// readIrony detects praise and thanks that are probably ironic: right after a plain no, after a
// repetition by the SYSTEM, or before something bad in the same turn. They count as sarcasm, except
// mere politeness, which then counts as nothing.
func (s *Talk) readIrony() {
	c := &s.Lex.Class
	for b := 1; b < len(s.Blocks); b++ {
		for _, i := range s.firstOf(b) {
			t := &s.Turns[i]
			if t.Role != dialogue.User || !s.Reacts(i) || t.Asks > 0 ||
				s.Has(i, c.ReactionSatisfied) || t.Has.Has(c.WordsSarcasm) ||
				!s.IsPleased(i) && t.Exclaims == 0 {
				continue
			}
			h := s.Hit(i, c.ReactionSuperb)
			for _, strong := range [...]text.Class{c.ReactionPraises, c.ReactionThanksStrong} {
				if h == nil || h.Negated {
					h = s.Hit(i, strong)
				}
			}
			// "that sounds good", but not "great"
			mild := h != nil && h.Class == c.ReactionPraises && h.Last > h.First
			meant := h == nil || h.Negated || mild
			bad := s.Hit(i, c.WordsSpoils)
			spoiled := !meant && h.First < text.MaxFillers && bad != nil && bad.First > h.Last &&
				!s.Has(i, c.ReactionWorks) && !slices.ContainsFunc(s.LastOf(b-1),
				func(k int) bool { return s.Completes(k) || s.Has(k, c.OutcomeActs) })
			if !spoiled && !s.snubsIn(b-1, !meant || t.Exclaims > 0) {
				continue
			}
			t.Has.Add(c.WordsSarcasm)
			if !meant && !t.Has.Has(c.ReactionSarcastic) {
				t.Has.Add(c.ReactionSarcastic)
				s.Of[c.ReactionSarcastic] = append(s.Of[c.ReactionSarcastic], int32(len(s.Hits)))
				s.Hits = append(s.Hits, Hit{Class: c.ReactionSarcastic, Turn: int32(i),
					First: h.First, Last: h.Last})
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
	c, no, again, words := &s.Lex.Class, false, false, 0
	for _, k := range s.LastOf(b) {
		words += s.Turns[k].Words
		asked := s.Before(k, dialogue.User)
		if asked < 0 || s.Commits(k) || s.Has(k, c.SubstanceAlternative) ||
			s.Has(k, c.WordsReasons) || s.Turns[k].Asks > 0 {
			return false
		}
		for _, refusal := range [...]text.Class{c.OutcomeFailed, c.OutcomeDenied, c.UptakeWithholds,
			c.WordsRegrets} {
			h := s.Hit(k, refusal)
			no = no || h != nil && !h.Negated && s.IsRefusal(h) && !s.Has(asked, c.WordsBurdens) &&
				(anyNo || refusal == c.UptakeWithholds) && (refusal != c.OutcomeDenied ||
				s.Has(asked, c.WordsFavours))
		}
		again = again || s.repeatsTurn(k)
	}
	return again || no && words <= plainNo &&
		!slices.ContainsFunc(s.LastOf(b), func(k int) bool { return s.Has(k, c.SubstanceSteps) })
}

// readPlainQuestions finds questions without a question mark: sentences of the USER that begin with
// a question word, or with a verb before its subject, behind fillers and joiners, and what a quiz
// asks.
func (s *Talk) readPlainQuestions() {
	for i, t := range s.Spoken(dialogue.System) {
		asked := i
		if by := s.Before(i, dialogue.User); by >= 0 && s.Has(i, s.Lex.Class.WordsMarks) {
			asked = s.Before(by, dialogue.System)
		} else if !strings.Contains(t.Text, "__") {
			continue
		}
		if asked >= 0 && s.Turns[asked].Words > 0 && s.Turns[asked].Asks == 0 {
			quiz := &s.Turns[asked]
			quiz.Asks = len(quiz.Text)
			quiz.Tokens[quiz.Words-1].Flags |= text.Questioned
		}
	}
	for _, t := range s.Spoken(dialogue.User) {
		for k, last := 0, 0; k < t.Words && t.Asks == 0; k = last + 1 {
			last = t.SentenceEnd(k)
			for k < last && t.Tokens[k].Is(text.Filler|text.Joiner) {
				k++
			}
			verb := t.Tokens[k].Is(text.Auxiliary|text.Modal) || t.Is(k, "do")
			if k < last && (s.Lex.ValueOf(t.Tokens[k]).Kind == quantity.WordAsks ||
				verb && t.Is(k+1, "i", "you", "u", "we", "it", "that", "there", "this")) {
				t.Asks = int(t.Tokens[last].End)
			}
		}
	}
}
