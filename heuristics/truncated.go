package heuristics

import (
	"strings"

	"assize/rubric/dialogue"
)

// findTruncated looks for turns that stop where no sentence can: on a phrase of the lexicon, without a mark, or on
// a comma.
func findTruncated(s *scene, det *detectorAt) {
	s.eachSystem(func(i int, t *turnText) {
		last := t.words - 1
		if s.goesOn(i) {
			return
		}
		if t.unended() && s.has(i, det.class) && t.plainWord(last) || t.onComma() {
			s.emit(det, i, t.sentenceStart(last), last, det.Points)
		}
	})
}

// goesOn reports whether the SYSTEM speaks on in the turn after turn i, so that turn i may end anywhere.
func (s *scene) goesOn(i int) bool {
	return i+1 < len(s.turns) && s.turns[i+1].role == dialogue.System
}

// aside is how many words make a turn that ends on a comma more than a call such as "Hi Anna,", or one of the
// hasty lines of a chat.
const aside = 12

func (t *turnText) onComma() bool {
	return t.words >= aside && strings.HasSuffix(strings.TrimRight(t.text, " \t\r\n\u00a0"), ",")
}
