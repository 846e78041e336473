package heuristics

import "assize/rubric/dialogue"

// readFigures finds the figures of every turn of the two sides.
func readFigures(s *analysis) {
	s.figures = s.figures[:0]
	if len(s.givers) > maxGivers {
		s.givers, s.alikes = nil, nil // clearing a large map would slow down every later dialogue
	}
	if s.givers == nil {
		s.givers, s.alikes = map[mention]int{}, map[uint64]int32{}
	}
	clear(s.givers)
	clear(s.alikes)
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
	f.alike = -1
	if last, found := s.alikes[f.sorted]; found {
		f.alike = last
	}
	s.alikes[f.sorted] = int32(len(s.figures))
	s.figures = append(s.figures, f)
}

// findGarbled reports new figures of the SYSTEM, outside its questions, that have the digits of an
// earlier figure with two of them exchanged. Figures of two digits are compared only if both are
// amounts of money.
func findGarbled(s *analysis, det *detector) {
	compareFigures(s, det, func(f *figure) *figure {
		if s.isAsked(f.passage) {
			return nil
		}
		return garbles(s, f)
	})
}

// compareFigures reports the first new figure in each turn of the SYSTEM that contradicts an
// earlier one.
func compareFigures(s *analysis, det *detector, against func(*figure) *figure) {
	for i, t := range s.spoken(dialogue.System) {
		if t.has.meets(&det.unless) {
			continue
		}
		for k := range s.figuresOf(i) {
			f := &s.figuresOf(i)[k]
			if isKnown(s, f, dialogue.Other) {
				continue
			}
			if g := against(f); g != nil {
				s.report(det, f.passage, g.turn)
				break
			}
		}
	}
}

// garbles returns the last earlier figure that f garbles, or nil. A figure of the SYSTEM itself
// must be about the same thing: their sentences share a word.
func garbles(s *analysis, f *figure) *figure {
	at := f.alike
	for n := 0; n < maxAlike && at >= 0; n++ {
		g := &s.figures[at]
		if g.turn < f.turn && f.isSpecific() && f.swaps(g) &&
			(s.turns[g.turn].role == dialogue.User || wordsInCommon(s, f, g)) {
			return g
		}
		at = g.alike
	}
	return nil
}

// wordsInCommon reports whether the sentences of two figures share a word.
func wordsInCommon(s *analysis, f, g *figure) bool {
	return shareWord(s.around(f.passage), s.around(g.passage))
}

// unitOf returns the stem of the word after a figure, or 0 if it counts nothing.
func unitOf(s *analysis, f *figure) uint32 {
	if t := &s.turns[f.turn]; t.names(f.last + 1) {
		return t.tokens[f.last+1].stem
	}
	return 0
}

// findOtherFigure reports the SYSTEM's actions with a new figure, in a sentence that shares a word
// with the USER's request for a different figure, if the SYSTEM never mentions the requested one.
func findOtherFigure(s *analysis, det *detector) {
	compareFigures(s, det, func(f *figure) *figure {
		if !completes(s, f.turn) && !s.has(f.turn, s.lex.class.OutcomeActs) {
			return nil
		}
		return figureWanted(s, f)
	})
}

// figureWanted returns the figure that the USER's last turns request in words of the sentence of f.
// It must be of the same type, the only one in its turn, and not mentioned by the SYSTEM.
// Otherwise, wanted returns nil.
func figureWanted(s *analysis, f *figure) *figure {
	i := s.before(f.turn, dialogue.User)
	for ; i >= 0 && f.turn-i <= answerTurns; i = s.before(i, dialogue.User) {
		var only *figure
		for k := range s.figuresOf(i) {
			g := &s.figuresOf(i)[k]
			if g.money == f.money && g.code == f.code && g.isSpecific() && g.digits <= maxQuantity {
				if only != nil {
					return nil
				}
				only = g
			}
		}
		if only != nil && f.digits+1 >= only.digits && !echoed(s, only, f.turn) &&
			wordsInCommon(s, f, only) && (f.money || unitOf(s, f) == unitOf(s, only)) {
			return only
		}
	}
	return nil
}

// echoed reports whether the SYSTEM mentions a figure after it was given, up to turn last.
func echoed(s *analysis, g *figure, last int) bool {
	for i := g.turn + 1; i <= last; i++ {
		for _, f := range s.figuresOf(i) {
			if f.value == g.value && s.turns[i].role == dialogue.System {
				return true
			}
		}
	}
	return false
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
		if words > 0 {
			k-- // where the next one may begin
		}
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
