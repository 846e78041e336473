package heuristics

import "strings"

// findDoubled looks for a word that stands twice in a row.
func findDoubled(s *scene, det *detectorAt) {
	s.eachSystem(func(i int, t *turnText) {
		for k := 1; k < t.words; k++ {
			if t.doubled(k) {
				s.emit(det, i, k-1, k, det.Points)
				return
			}
		}
	})
}

// doubled reports whether token k is the one before it said again by mistake: with nothing but a space between,
// and neither a number, nor a letter, nor a name, nor a word that may be doubled.
func (t *turnText) doubled(k int) bool {
	a, b := t.tokens[k-1], t.tokens[k]
	if a.stem != b.stem || b.is(number|capital|twice) || b.start != a.end+1 || t.text[a.end] != ' ' {
		return false
	}
	if b.end-b.start == 1 && !b.is(article) {
		return false
	}
	return strings.EqualFold(t.text[a.start:a.end], t.text[b.start:b.end]) && t.plainWord(k-1) && t.plainWord(k)
}

// longestPeriod is how many words a loop may take until it begins anew.
const longestPeriod = 12

// findLoops looks for words that come again at once, again and again, and for a sentence that comes twice.
func findLoops(s *scene, det *detectorAt) {
	s.eachSystem(func(i int, t *turnText) {
		first, last, ok := t.loop()
		if !ok {
			first, last, ok = t.sentenceTwice()
		}
		if ok {
			s.emit(det, i, first, last, det.Points)
		}
	})
}

// loop finds the first run of tokens in which each is the same as the one a fixed number of tokens before, or
// else a turn that doubles three words.
func (t *turnText) loop() (first, last int, ok bool) {
	for period := 1; period <= longestPeriod && 2*period <= t.words; period++ {
		run, free := 0, 0
		for k := period; k < t.words; k++ {
			tok := t.tokens[k]
			if tok.stem != t.tokens[k-period].stem || tok.is(number) {
				run, free = 0, 0
				continue
			}
			run++
			if !tok.is(capital|twice) || tok.is(closed) {
				free++
			}
			if run >= t.stuck(period, k-run+1) && (free > 0 || run >= emphasis) {
				return k - period - run + 1, k, true
			}
		}
	}
	doubles := 0
	for k := 1; k < t.words; k++ {
		if t.doubled(k) {
			if doubles++; doubles == 3 {
				return 0, t.words - 1, true
			}
		}
	}
	return 0, 0, false
}

// emphasis is how often a word may be said again for weight: no, no, no, no, no.
const emphasis = 5

// stuck is how many words must come again, from token k on, until a loop of period words is one: all of them
// twice more, or once more where there are four or more; but a sentence may begin with the words that ended the one
// before ("What would you like? Would you like tea?").
func (t *turnText) stuck(period, k int) int {
	if period < 4 || t.tokens[k].is(opensSentence) {
		return 2 * period
	}
	return period
}

const (
	wholeSentence = 4  // words from which on saying a sentence twice is no accident
	farthest      = 32 // sentences, or turns, that are looked back to
)

// sentenceTwice finds a sentence that stands in the turn before, word for word.
func (t *turnText) sentenceTwice() (first, last int, ok bool) {
	var seen [farthest]uint64
	n := 0
	for first := 0; first < t.words; first = last + 1 {
		last = t.sentenceEnd(first)
		if last-first+1 < wholeSentence {
			continue
		}
		h := t.hash(first, last)
		for _, earlier := range seen[:min(n, farthest)] {
			if earlier == h {
				return first, last, true
			}
		}
		seen[n%farthest] = h
		n++
	}
	return 0, 0, false
}

// hash is alike for the same words, whatever their case and endings and the marks between.
func (t *turnText) hash(first, last int) uint64 {
	h := uint64(14695981039346656037)
	for _, tok := range t.tokens[first : last+1] {
		h = (h ^ uint64(tok.stem)) * 1099511628211
	}
	return h
}

// findRepeats looks for a whole turn that came before. What is said at every end, such as the question whether
// there is anything else, may come again.
func findRepeats(s *scene, det *detectorAt) {
	more, closes := s.lex.class("outcome-asks-more"), s.lex.class("outcome-closes")
	var seen [farthest]struct {
		hash uint64
		turn int // its index
	}
	n := 0
	s.eachSystem(func(i int, t *turnText) {
		if t.words < wholeSentence || s.has(i, more) || s.has(i, closes) {
			return
		}
		h := t.hash(0, t.words-1)
		for k := range min(n, farthest) {
			if seen[k].hash == h {
				s.emitAbout(det, i, 0, t.words-1, seen[k].turn, det.Points)
				return
			}
		}
		seen[n%farthest].hash, seen[n%farthest].turn = h, i
		n++
	})
}
