package heuristics

import (
	"strings"

	"assize/rubric/dialogue"
)

// The conduct family reports what no service may do, however good the rest is: show contempt, ask
// for secrets, disclose other customers' data, or give unsafe advice. Each detector caps the
// criteria that it is evidence for.

// findUnsafe reports advice that plays down a danger that the USER has mentioned.
func findUnsafe(s *analysis, det *detector) {
	danger := -1
	for i := range s.turns {
		t := &s.turns[i]
		switch {
		case t.role == dialogue.User && t.has.meets(&det.needs):
			danger = i
		case t.role == dialogue.System && danger >= 0 && t.has.has(det.class) &&
			!t.has.meets(&det.unless):
			s.emitHit(det, s.hit(i, det.class)).About = s.turns[danger].n
		}
	}
}

// cites reports whether the tokens from first to last are between double quotation marks in a turn
// that has words outside them, so that they quote somebody else.
func (t *turnText) cites(first, last int) bool {
	mark := func(r rune) bool { return r == '"' || r == '\u201c' || r == '\u201d' }
	before, behind := t.text[:t.tokens[first].start], t.text[t.tokens[last].end:]
	open, end := strings.LastIndexFunc(before, mark), strings.IndexFunc(behind, mark)
	if open < 0 || end < 0 || strings.HasPrefix(before[open:], "\u201d") {
		return false
	}
	if before[open] == '"' && strings.Count(before, `"`)%2 == 0 {
		return false
	}
	return int(t.tokens[0].end) <= open ||
		int(t.tokens[t.words-1].start) > len(t.text)-len(behind)+end
}
