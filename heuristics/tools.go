package heuristics

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// The tool family holds what the SYSTEM says against what its tools were asked and returned.

// toolVerbLine enters a line of lexicon/words-tools.txt.
func (l *lexicon) toolVerbLine(line string) {
	line, reads := strings.CutPrefix(line, "- ")
	for verb := range strings.FieldsSeq(line) {
		l.toolVerbs[verb] = !reads
	}
}

// changesState reports whether the name of a tool has a verb that changes something, and none that only reads:
// cancel_order and createTicket, but not get_order.
func (l *lexicon) changesState(name string) (changes bool) {
	word := 0
	for i := 0; i <= len(name); i++ {
		upper := i < len(name) && name[i] >= 'A' && name[i] <= 'Z'
		if i < len(name) && isLetter(name[i]) && !upper {
			continue
		}
		verb, known := l.toolVerbs[strings.ToLower(name[word:i])]
		if known && !verb {
			return false
		}
		changes = changes || verb
		if word = i; i < len(name) && !upper {
			word++
		}
	}
	return changes
}

// claims returns the words in which the SYSTEM's turn i says that something is done; nil for none.
func (s *analysis) claims(i int) *hit {
	c := &s.lex.class
	for _, of := range [...]class{c.OutcomeCompleted, c.OutcomeActs} {
		if h := s.hit(i, of); h != nil && s.has(i, of) && s.reported(h) {
			return h
		}
	}
	return nil
}

// lastChange returns the last call before turn i that changes something; nil for none.
func (s *analysis) lastChange(i int) *dialogue.ToolUse {
	for k := len(s.tools) - 1; k >= 0; k-- {
		if u := &s.tools[k]; u.Call <= i && s.lex.changesState(u.Name) {
			return u
		}
	}
	return nil
}

// findProven reports the SYSTEM's claims of a deed after a call that changed something and succeeded.
func findProven(s *analysis, det *detector) {
	s.eachClaim(det, func(u *dialogue.ToolUse) bool { return u != nil && u.Result > 0 && !u.Failed })
}

// findRefuted reports the claims of a deed after a call that failed and was not made again with success.
func findRefuted(s *analysis, det *detector) {
	s.eachClaim(det, func(u *dialogue.ToolUse) bool { return u != nil && u.Failed })
}

// findUnproven reports the claims of a deed in a dialogue with calls before any of these changes something.
func findUnproven(s *analysis, det *detector) {
	s.eachClaim(det, func(u *dialogue.ToolUse) bool { return u == nil })
}

// eachClaim reports the SYSTEM's claims of a deed for which the last call that changed something is as wanted.
func (s *analysis) eachClaim(det *detector, wanted func(*dialogue.ToolUse) bool) {
	if len(s.tools) == 0 {
		return
	}
	for i := range s.spoken(dialogue.System) {
		h := s.claims(i)
		if h == nil {
			continue
		}
		u := s.lastChange(i)
		if u != nil && u.Result > i+1 {
			continue // its result comes later
		}
		if wanted(u) {
			sig := s.emitHit(det, h)
			if u != nil {
				sig.About = max(u.Call, u.Result)
			}
		}
	}
}

// maxKnown bounds how many figures of a dialogue are kept, and maxSums of how many sums are made.
const (
	maxKnown = 512
	maxSums  = 64
)

// hundredths is the value of a figure in hundredths.
func (f *figure) hundredths() uint64 {
	v := f.value
	for range max(0, 2-int(f.decimals)) {
		if v > math.MaxUint64/10 {
			return 0
		}
		v *= 10
	}
	return v
}

// numbersIn appends the numbers of a text in hundredths; "1,204.50" is one number.
func numbersIn(text string, list []uint64) []uint64 {
	for i := 0; i < len(text) && len(list) < maxKnown; {
		if !isDigit(text[i]) {
			i++
			continue
		}
		from := i
		for i < len(text) && (isDigit(text[i]) || i+1 < len(text) && isDigit(text[i+1]) && (text[i] == ',' || text[i] == '.')) {
			i++
		}
		if f, err := strconv.ParseFloat(strings.ReplaceAll(text[from:i], ",", ""), 64); err == nil && f < 1e13 {
			list = append(list, uint64(math.Round(100*f)))
		}
	}
	return list
}

// findGrounded reports the figures of the SYSTEM that the result of a tool holds.
func findGrounded(s *analysis, det *detector) {
	s.eachFigure(det, func(f *figure, results, known []uint64) bool { return slices.Contains(results, f.hundredths()) })
}

// findUngrounded reports the figures of the SYSTEM that no turn of the USER, no call and no result holds, nor a sum or a
// difference of two of these.
func findUngrounded(s *analysis, det *detector) {
	s.eachFigure(det, func(f *figure, results, known []uint64) bool {
		want := f.hundredths()
		if !f.money && f.digits < 4 || len(results) == 0 || slices.Contains(known, want) {
			return false
		}
		few := known[:min(len(known), maxSums)]
		for i, a := range few {
			for _, b := range few[i:] {
				if a+b == want || max(a, b)-min(a, b) == want {
					return false
				}
			}
		}
		return true
	})
}

// eachFigure reports the first figure of each turn of the SYSTEM, outside its questions, that is as wanted. results are the
// numbers of the results before it; known are these with those of the calls and of the USER.
func (s *analysis) eachFigure(det *detector, wanted func(f *figure, results, known []uint64) bool) {
	if len(s.tools) == 0 {
		return
	}
	var results, known []uint64
	for i := range s.turns {
		t := &s.turns[i]
		switch t.role {
		case dialogue.User:
			known = numbersIn(t.text, known)
		case dialogue.Other:
			known = numbersIn(t.text, known)
			if slices.ContainsFunc(s.tools, func(u dialogue.ToolUse) bool { return u.Result == t.n && !u.Failed }) {
				results = numbersIn(t.text, results)
			}
		case dialogue.System:
			for _, f := range s.figuresOf(i) {
				if (f.digits >= 3 || f.money) && !t.isQuestion(t.sentenceEnd(int(f.last))) && wanted(&f, results, known) {
					s.emit(det, i, int(f.first), int(f.last))
					break
				}
			}
		}
	}
}
