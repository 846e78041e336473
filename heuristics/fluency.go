package heuristics

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// The fluency family examines how the SYSTEM writes: whether its turns are complete, clean and
// grammatical. People seldom lower a rating for a missing full stop, so such faults cost little;
// unreadable text costs much.

const blanks = " \t\r\n\u00a0"

// isUnended reports whether t ends without a mark, on a letter or a digit.
func isUnended(t *turnText) bool {
	return len(strings.TrimRight(t.text, blanks)) == int(t.tokens[t.words-1].end)
}

// withoutMarks reports whether no turn of either side ends a sentence with a mark, as in
// transcribed speech.
func withoutMarks(s *analysis) bool {
	marked := func(t turnText) bool {
		return t.role != dialogue.Other && t.words > 0 &&
			strings.ContainsAny(t.text[t.tokens[t.words-1].end:], ".!?…")
	}
	return !slices.ContainsFunc(s.turns, marked)
}

// blockTurns is the maximum number of turns of tools between two of the SYSTEM's.
const blockTurns = 8

// findTruncated reports turns that end where no sentence can: on a phrase of the file, without a
// mark. A turn may end anywhere if the SYSTEM continues before the USER speaks.
func findTruncated(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		behind := s.turns[i+1 : min(i+1+blockTurns, len(s.turns))]
		next := slices.IndexFunc(behind, func(t turnText) bool { return t.role != dialogue.Other })
		if next >= 0 && behind[next].role == dialogue.System {
			continue
		}
		last := t.words - 1
		if s.has(i, det.class) && isUnended(t) && t.plainWord(last) {
			s.emit(det, i, t.sentenceStart(last), last)
		}
	}
}

// minCareless is the minimum number of words in a turn without a capital that look careless.
const minCareless = 6

// findLowercase reports turns without any capital.
func findLowercase(s *analysis, det *detector) {
	if withoutMarks(s) {
		return
	}
	for i, t := range s.spoken(dialogue.System) {
		if t.words >= minCareless && isLower(t.text[t.tokens[0].start]) && t.plainWord(0) &&
			!marked(t.tokens, capital) {
			s.emit(det, i, 0, t.words-1)
		}
	}
}

// findNoApostrophe reports the first contraction of a turn of the SYSTEM that lacks its apostrophe.
func findNoApostrophe(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		k := slices.IndexFunc(t.tokens, func(tok token) bool {
			return tok.is(contraction) && !strings.ContainsAny(t.text[tok.start:tok.end], "'’‘`＇")
		})
		if k >= 0 {
			s.emit(det, i, k, k)
		} else if h := s.hit(i, det.class); h != nil {
			s.emitHit(det, h)
		}
	}
}

// findDoubled reports words that occur twice in a row.
func findDoubled(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		for k := 1; k < t.words; k++ {
			if isDoubled(t, k) {
				s.emit(det, i, k-1, k)
				break
			}
		}
	}
}

// isDoubled reports whether token k mistakenly repeats the token before it: only a space separates
// them, and the word is not a number, a letter, a name or a word that may be doubled.
func isDoubled(t *turnText, k int) bool {
	a, b := &t.tokens[k-1], &t.tokens[k]
	if a.stem != b.stem || b.is(number|capital|twice) || b.start != a.end+1 ||
		t.text[a.end] != ' ' || b.end-b.start == 1 && !b.is(article) {
		return false
	}
	return strings.EqualFold(t.word(k-1), t.word(k)) && t.plainWord(k-1) && t.plainWord(k)
}

const (
	longestPeriod = 12 // the maximum length of a loop in words
	emphasis      = 5  // how often a word may be repeated for emphasis: no, no, no, no, no
	wholeSentence = 4  // words from which repeating a sentence is not an accident
	farthest      = 32 // sentences, or turns, to look back
)

// findLoops reports words that are repeated immediately, again and again, and repeated sentences,
// but no cheers.
func findLoops(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		first, last, ok := loopOf(t)
		if !ok {
			first, last, ok = sentenceTwice(t)
		}
		cheers := ok && t.exclaims > 0 &&
			strings.Contains(t.text[t.tokens[first].start:t.tokens[last].end], "!")
		if ok && !cheers {
			s.emit(det, i, first, last)
		}
	}
}

// loopOf finds the first run of tokens in which each equals the one a fixed number of tokens before
// it, or else a turn that doubles three words.
func loopOf(t *turnText) (first, last int, ok bool) {
	longest := maxSaidAgain(t)
	for period := 1; period <= longestPeriod && 2*period <= t.words; period++ {
		if longest < min(2*period, 4) {
			break // the rest is too short for a run
		}
		run, free := 0, 0
		for k := period; k < t.words; k++ {
			tok := &t.tokens[k]
			if tok.stem != t.tokens[k-period].stem || tok.is(number) {
				run, free = 0, 0
				continue
			}
			run++
			if !tok.is(capital|twice) || tok.is(closed) {
				free++
			}
			// All words must occur twice more, or once more if there are four or more. But a
			// sentence may begin with the words that end the one before ("What would you like?
			// Would you like tea?").
			stuck := 2 * period
			if period >= 4 && !t.tokens[k-run+1].is(opensSentence) {
				stuck = period
			}
			if run >= stuck && (free > 0 || run >= emphasis) {
				return k - period - run + 1, k, true
			}
		}
	}
	doubles := 0
	for k := 1; k < t.words; k++ {
		if isDoubled(t, k) {
			doubles++
		}
	}
	return 0, t.words - 1, doubles >= 3
}

// maxSaidAgain returns an upper bound for the number of consecutive tokens that have occurred in
// the turn before. It compares a few bits of their stems, which saves 5 % of the time of a
// dialogue.
func maxSaidAgain(t *turnText) (most int) {
	var seen [4]uint64
	run := 0
	for i := range t.tokens {
		of, bit := &seen[t.tokens[i].stem>>30], uint64(1)<<(t.tokens[i].stem>>24&63)
		if run++; *of&bit == 0 {
			run = 0
		}
		*of |= bit
		most = max(most, run)
	}
	return most
}

// sentenceTwice finds a sentence that has occurred in the turn before, word for word.
func sentenceTwice(t *turnText) (first, last int, ok bool) {
	var seen [farthest]uint64
	n := 0
	for first := 0; first < t.words; first = last + 1 {
		last = t.sentenceEnd(first)
		if last-first+1 < wholeSentence {
			continue
		}
		h := hashTokens(t, first, last)
		if slices.Contains(seen[:min(n, farthest)], h) {
			return first, last, true
		}
		seen[n%farthest] = h
		n++
	}
	return 0, 0, false
}

// hashTokens returns a hash that is equal for the same words, ignoring case, endings and
// punctuation.
func hashTokens(t *turnText, first, last int) uint64 {
	h := uint64(14695981039346656037) // FNV-1a
	for _, tok := range t.tokens[first : last+1] {
		h = (h ^ uint64(tok.stem)) * 1099511628211
	}
	return h
}

// findRepeats reports a turn that repeats an earlier one completely. What closes every conversation
// may be repeated.
func findRepeats(s *analysis, det *detector) {
	var hashes [farthest]uint64
	var turns [farthest]int // indexes of turns
	n := 0
	for i, t := range s.spoken(dialogue.System) {
		if t.words < wholeSentence || t.has.meets(&det.unless) {
			continue
		}
		h := hashTokens(t, 0, t.words-1)
		if k := slices.Index(hashes[:min(n, farthest)], h); k >= 0 {
			s.emitTurn(det, i, turns[k])
			continue
		}
		hashes[n%farthest], turns[n%farthest] = h, i
		n++
	}
}

// findMisspelt reports the first misspelt word in each turn of the SYSTEM: one of the detector's
// own words, or one in no list. A capitalised word is treated as a name, a word with digits or
// marks as a code, and a word in quotes or one that occurs twice as a term of the topic.
func findMisspelt(s *analysis, det *detector) {
	looked := 0
	for i, t := range s.spoken(dialogue.System) {
		if h := s.hit(i, det.class); h != nil {
			s.emitHit(det, h)
			continue
		}
		for k, tok := range t.tokens {
			word := t.word(k)
			if tok.word != 0 || len(word) < shortest || !lowercase(word) || !t.plainWord(k) ||
				tok.start > 0 && strings.IndexByte("&'\"`([*", t.text[tok.start-1]) >= 0 {
				continue
			}
			if looked++; looked > maxSpelt {
				return
			}
			if s.spelling.misspelt(word) && isSaidOnce(s, tok.stem) {
				s.emit(det, i, k, k)
				break
			}
		}
	}
}

// isSaidOnce reports whether a stem occurs exactly once in the dialogue.
func isSaidOnce(s *analysis, stem uint32) bool {
	times := 0
	for _, tok := range s.tokens {
		if tok.word == 0 && tok.stem == stem {
			times++
		}
	}
	return times == 1
}

// lowercase reports whether word consists of the letters a to z.
func lowercase(word string) bool {
	for i := range len(word) {
		if !isLower(word[i]) {
			return false
		}
	}
	return true
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
