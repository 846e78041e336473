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

// goesOn reports whether the SYSTEM speaks on before the USER does, so that turn i may end anywhere.
func (s *scene) goesOn(i int) bool {
	for _, t := range s.turns[i+1 : min(i+1+blockTurns, len(s.turns))] {
		if t.role != dialogue.Other {
			return t.role == dialogue.System
		}
	}
	return false
}

// blockTurns is how many turns of tools may stand between two of the SYSTEM's.
const blockTurns = 8

// aside is how many words make a turn that ends on a comma more than a call such as "Hi Anna,", or one of the
// hasty lines of a chat.
const aside = 12

func (t *turnText) onComma() bool {
	return t.words >= aside && strings.HasSuffix(strings.TrimRight(t.text, " \t\r\n\u00a0"), ",")
}
