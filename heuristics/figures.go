package heuristics

import (
	"strconv"

	"assize/rubric/dialogue"
)

// readFigures finds the figures of every turn of the two sides.
func readFigures(s *analysis) {
	s.figures = s.figures[:0]
	for i := range s.turns {
		t := &s.turns[i]
		t.figures.start = len(s.figures)
		end := t.figures.start + maxFigures
		for k := 0; t.role != dialogue.Other && k < len(t.tokens) && len(s.figures) < end; {
			if !t.tokens[k].is(number) {
				k++
				continue
			}
			f, size := figureAt(t, k)
			if k += size; f.digits > 0 {
				f.turn = i
				s.figures = append(s.figures, f)
			}
		}
		if t.role == dialogue.User {
			readSpoken(s, i)
		}
		t.figures.end = len(s.figures)
	}
}

// thousand is the number of the word "thousand" in lexicon/words-values.txt.
const thousand = 101

// spokenNumber adds up the words of a number, such as "two hundred and six".
type spokenNumber struct{ total, part uint64 }

// follows reports whether n may follow the words so far in one number.
func (s *spokenNumber) follows(n uint64) bool {
	return n >= 100 || s.part%100 == 0 || s.part%10 == 0 && n < 10 && s.part%100 > 10
}

func (s *spokenNumber) add(n uint64) {
	switch n {
	case thousand:
		s.total, s.part = s.total+max(s.part, 1)*1000, 0
	case 100:
		s.part = max(s.part, 1) * 100
	default:
		s.part += n
	}
}

// readSpoken adds figures of three digits or more that turn i of the USER expresses in words: digit
// by digit, as in "four four, um, one nine", or as a number, as in "two hundred and six".
func readSpoken(s *analysis, i int) {
	t := &s.turns[i]
	r := &valueReader{t, s.lex}
	for k := 0; k < len(t.tokens); k++ {
		f, end := figure{passage: passage{i, k, k}}, k
		for ; end < len(t.tokens) && f.digits < maxDigits; end++ {
			word := s.lex.valueOf(t.tokens[end])
			if f.digits > 0 && t.tokens[end].is(opensSentence) {
				break
			} else if (word.kind == wordNumber || word.kind == wordSpoken) && word.n < 10 {
				f.value, f.digits = f.value*10+uint64(word.n), f.digits+1
			} else if f.digits == 0 || !t.tokens[end].is(filler|joiner) {
				break
			}
		}
		if n, size := r.number(k); f.digits < 3 && size > 0 && !t.tokens[k].is(number) {
			f.value, f.digits, end = uint64(n/100), uint8(len(strconv.Itoa(int(n/100)))), k+size
		}
		if f.digits >= 3 {
			s.figures = append(s.figures, f)
			k = end - 1
		}
	}
}
