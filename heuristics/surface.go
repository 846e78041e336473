package heuristics

import (
	"strings"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// eachSystem calls look with the index of each turn of the SYSTEM that holds a word.
func (s *scene) eachSystem(look func(i int, t *turnText)) {
	for i := range s.turns {
		if t := &s.turns[i]; t.role == dialogue.System && t.words > 0 {
			look(i, t)
		}
	}
}

// unended reports whether t stops without a mark, on a letter or a digit.
func (t *turnText) unended() bool {
	end := len(strings.TrimRight(t.text, " \t\r\n\u00a0"))
	return end == int(t.tokens[len(t.tokens)-1].end)
}

// A turn that ends on a web address, a code, or the last line of a list needs no mark.
func findUnended(s *scene, det *detectorAt) {
	s.eachSystem(func(i int, t *turnText) {
		last := t.words - 1
		if last >= 2 && t.unended() && t.plainWord(last) && strings.IndexByte(strings.TrimSpace(t.text), '\n') < 0 {
			s.emit(det, i, last, last, det.Points)
		}
	})
}

// plainWord reports whether token k stands for itself between spaces: no part of a web address, no code.
func (t *turnText) plainWord(k int) bool {
	tok := t.tokens[k]
	if tok.start > 0 && strings.IndexByte("./@_-#:", t.text[tok.start-1]) >= 0 {
		return false
	}
	if int(tok.end) < len(t.text) && strings.IndexByte("/@_-:", t.text[tok.end]) >= 0 {
		return false
	}
	for _, c := range []byte(t.text[tok.start:tok.end]) {
		if isDigit(c) {
			return false
		}
	}
	return true
}

func findLowercase(s *scene, det *detectorAt) {
	s.eachSystem(func(i int, t *turnText) {
		word := t.text[:t.tokens[0].end]
		if c := word[0]; c < 'a' || c > 'z' || !t.plainWord(0) {
			return
		}
		for _, c := range []byte(word) {
			if c >= 'A' && c <= 'Z' {
				return // iPhone
			}
		}
		if t.words > 1 && t.tokens[1].start == t.tokens[0].end+1 && t.text[t.tokens[0].end] == '.' {
			return // example.com
		}
		s.emit(det, i, 0, 0, det.Points)
	})
}

// A mark counts that stands between a space and another, behind a word: " ,", but neither ":)" nor ".NET" nor
// the " ..." of someone who hesitates.
func findSpacedMark(s *scene, det *detectorAt) {
	s.eachSystem(func(i int, t *turnText) {
		for k := range t.tokens {
			at := int(t.tokens[k].end)
			if at+1 >= len(t.text) || t.text[at] != ' ' || strings.IndexByte(",.?!;", t.text[at+1]) < 0 {
				continue
			}
			if at+2 == len(t.text) || t.text[at+2] == ' ' {
				s.emit(det, i, k, k, det.Points)
				return
			}
		}
	})
}

// shouted is how many words in capitals, one after the other, are shouting.
const shouted = 3

func findShouts(s *scene, det *detectorAt) {
	s.eachSystem(func(i int, t *turnText) {
		run, plain := 0, 0
		for k := range t.tokens {
			tok := t.tokens[k]
			if !tok.is(capital) || !t.inCapitals(k) {
				run, plain = 0, 0
				continue
			}
			if tok.end-tok.start < 2 {
				continue // "I" and "A" neither make shouting nor end it
			}
			run++
			if tok.is(stopword) {
				plain++
			}
			if run >= shouted && plain*2 >= run {
				s.emit(det, i, k-run+1, k, det.Points)
				return
			}
		}
	})
}

func (t *turnText) inCapitals(k int) bool {
	for _, c := range []byte(t.text[t.tokens[k].start:t.tokens[k].end]) {
		if c >= 'a' && c <= 'z' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func findEncoding(s *scene, det *detectorAt) {
	s.eachSystem(func(i int, t *turnText) {
		if at := brokenAt(t.text); at >= 0 {
			k := 0
			for k+1 < t.words && int(t.tokens[k+1].start) <= at {
				k++
			}
			s.emit(det, i, k, k, det.Points)
		}
	})
}

// brokenAt finds the trace of a wrong encoding: the replacement character, or two characters that stand where the
// two bytes of one were read as Latin-1 ("Ã©" for "é", "Â£" for "£", "â€™" for "’"). It gives -1 for none.
func brokenAt(text string) int {
	if at := strings.IndexRune(text, utf8.RuneError); at >= 0 {
		return at
	}
	for from := 0; ; {
		at := strings.IndexByte(text[from:], 0xc3) // of "Ã", "Â" and "â"
		if at < 0 {
			return -1
		}
		at += from
		r, size := utf8.DecodeRuneInString(text[at:])
		next, _ := utf8.DecodeRuneInString(text[at+size:])
		if (r == 'Ã' || r == 'Â') && next >= 0x80 && next <= 0xbf || r == 'â' && next == '€' {
			return at
		}
		from = at + size
	}
}
