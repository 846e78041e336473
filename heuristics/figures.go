package heuristics

import "assize/rubric/dialogue"

// readFigures finds the figures of every turn of the two sides.
func readFigures(s *analysis) {
	s.figures = s.figures[:0]
	if len(s.givers) > maxGivers {
		s.givers = nil // clearing a large map would slow down every later dialogue
	}
	if s.givers == nil {
		s.givers = map[mention]int{}
	}
	clear(s.givers)
	for i := range s.turns {
		t := &s.turns[i]
		t.figures.start = len(s.figures)
		for k := 0; t.role != dialogue.Other && k < len(t.tokens); {
			if len(s.figures)-t.figures.start >= maxFigures {
				break
			}
			if !t.tokens[k].is(number) {
				k++
				continue
			}
			f, size := figureAt(t, k)
			if k += size; f.digits > 0 {
				f.turn = i
				enterFigure(s, f, t.role)
			}
		}
		t.figures.end = len(s.figures)
		if t.role == dialogue.User {
			readSpoken(s, i)
		}
	}
}

// enterFigure adds a figure of a side.
func enterFigure(s *analysis, f figure, role dialogue.Role) {
	for _, by := range [...]dialogue.Role{role, dialogue.Other} {
		if at, found := s.givers[f.as(by)]; !found {
			s.givers[f.as(by)] = f.turn
		} else {
			f.again = f.again || at == f.turn
		}
	}
	s.figures = append(s.figures, f)
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

// readSpoken adds numbers of three digits or more that turn i of the USER expresses in words to the
// figures that the USER has given. They are spoken digit by digit ("four four one nine") or as a
// number ("two hundred and six").
func readSpoken(s *analysis, i int) {
	t := &s.turns[i]
	for k := 0; k < len(t.tokens); k++ {
		var digits uint64
		var sum spokenNumber
		words, single, sound := 0, true, true
		for ; k < len(t.tokens) && !(words > 0 && t.tokens[k].is(opensSentence)); k++ {
			word := s.lex.valueOf(t.tokens[k])
			if word.kind != wordNumber && word.kind != wordSpoken {
				if words > 0 && t.tokens[k].is(filler|joiner) {
					continue // "um", "and"
				}
				break
			}
			n := uint64(word.n)
			single = single && n < 10
			digits = digits*10 + n%10
			sound = sound && sum.follows(n)
			sum.add(n)
			if words++; words == maxDigits {
				break
			}
		}
		if words == 0 {
			continue
		}
		k-- // where the next one may begin
		f := figure{value: sum.total + sum.part}
		switch {
		case single:
			f.value, f.digits = digits, uint8(words)
		case sound:
			for v := f.value; v > 0; v /= 10 {
				f.digits++
			}
		}
		for _, by := range [...]dialogue.Role{dialogue.User, dialogue.Other} {
			if _, given := s.givers[f.as(by)]; f.digits >= 3 && !given {
				s.givers[f.as(by)] = i
			}
		}
	}
}
