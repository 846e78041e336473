package heuristics

import (
	"strings"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// figure is a number as written in a turn: an amount, a reference or a quantity. Times, dates with
// slashes and years are not figures.
type figure struct {
	passage
	money    bool  // it has a currency
	code     bool  // it contains letters or hyphens
	again    bool  // its turn has mentioned it before
	digits   uint8 // the number of digits
	decimals uint8 // the number of digits after a point
	value    uint64
	alike    int32  // the last figure before it with the same digits in any order, or -1
	sorted   uint64 // equal for the same digits in any order: four bits count each digit
}

// Limits on figures: the number in a turn, and the number of digits in each.
const (
	maxFigures = 24
	maxDigits  = 15

	maxAlike  = 32   // figures with the same digits that are compared
	maxGivers = 1024 // figures in an analysis whose map is reused

	maxQuantity = 7 // digits of an amount or a quantity; a longer figure is a reference
)

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

// isPlainLetter reports whether c is a letter of a code, and not part of a pound or euro sign.
func isPlainLetter(c byte) bool { return c < utf8.RuneSelf && isLetter(c) }

// figuresOf returns the figures of turn i.
func (s *analysis) figuresOf(i int) []figure {
	t := &s.turns[i]
	return s.figures[t.figures.start:t.figures.end]
}

// figureAt reads the figure that begins with token k, a number, and returns how many tokens it has.
// If no figure begins there, it has no digits. "18,240" and "55-20713" are single figures; of a
// number with more than maxDigits, the last parts are the figure.
func figureAt(t *turnText, k int) (f figure, size int) {
	last := lastPart(t, k)
	end := t.tokens[last].end
	from := t.tokens[k].start
	for from > 0 && (t.text[from-1] == '-' || isPlainLetter(t.text[from-1])) { // letters of a code
		from--
		f.code = true
	}
	text := t.text[from:end]
	if int(end) < len(t.text) && t.text[end] == '/' {
		return figure{}, last - k + 1
	}
	if colon := strings.LastIndexByte(text, ':'); colon >= 0 {
		for last > k && t.tokens[last].start > from+uint32(colon) {
			last--
		}
		return figure{}, last - k + 1
	}
	if from > 0 && t.text[from-1] == '/' {
		return figure{}, 1
	}
	if f.parse(text); f.digits > maxDigits {
		return figure{}, figureBeyond(t, k, last) - k
	}
	f.money = isMoney(t, from, last)
	if f.digits < 2 || f.isYear() {
		return figure{}, 1
	}
	f.first, f.last = k, last
	return f, last - k + 1
}

// lastPart returns the last token of the number that begins with token k, whose parts are separated
// only by a comma or a hyphen.
func lastPart(t *turnText, k int) int {
	for k+1 < len(t.tokens) && t.tokens[k+1].is(number) &&
		t.tokens[k+1].start == t.tokens[k].end+1 && isMark(t.text[t.tokens[k].end], ",-") {
		k++
	}
	return k
}

// parse parses the digits of a figure, at most one more than maxDigits.
func (f *figure) parse(text string) {
	point := false
	for _, c := range []byte(text) {
		switch {
		case c == '.':
			point = true
		case isDigit(c):
			f.value = f.value*10 + uint64(c-'0')
			f.sorted += 1 << (4 * (c - '0'))
			f.digits++
			if point {
				f.decimals++
			}
		case isPlainLetter(c) || c == '-':
			f.code = true
		}
		if f.digits > maxDigits {
			return
		}
	}
}

// isYear reports whether a figure may be a year.
func (f *figure) isYear() bool {
	century := f.value / 100
	return !f.money && !f.code && f.digits == 4 && f.decimals == 0 &&
		(century == 19 || century == 20)
}

// figureBeyond returns the first token after token k from which the numbers up to token last have
// no more than maxDigits.
func figureBeyond(t *turnText, k, last int) int {
	digits := 0
	for at := last; at > k; at-- {
		for _, c := range []byte(t.word(at)) {
			if isDigit(c) {
				digits++
			}
		}
		if digits > maxDigits {
			return at + 1
		}
	}
	return k + 1
}

// isMoney reports whether a currency precedes byte from or follows token last.
func isMoney(t *turnText, from uint32, last int) bool {
	before := strings.TrimRight(t.text[:from], " ")
	behind := strings.TrimLeft(t.text[t.tokens[last].end:], " ")
	for _, sign := range [...]string{"$", "£", "€"} {
		if strings.HasSuffix(before, sign) || strings.HasPrefix(behind, sign) {
			return true
		}
	}
	return t.is(last+1, "pound", "pounds", "euro", "euros", "dollar", "dollars", "eur", "gbp",
		"usd",
		"quid", "bucks")
}

// mention is a figure and the side that has mentioned it; Other means either side.
type mention struct {
	value  uint64
	digits uint8
	by     dialogue.Role
}

// as returns the figure as mentioned by a side.
func (f *figure) as(by dialogue.Role) mention { return mention{f.value, f.digits, by} }

// tells reports whether a figure is specific enough to be compared: it has three digits or is an
// amount.
func (f *figure) tells() bool { return f.digits >= 3 || f.money }

// isKnown reports whether a figure occurs earlier in a turn of a role, or of either side for Other,
// or earlier in its own turn.
func isKnown(s *analysis, f *figure, role dialogue.Role) bool {
	at, found := s.givers[f.as(role)]
	return found && (at < f.turn || at == f.turn && f.again)
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
		if g.turn < f.turn && f.tells() && f.swaps(g) &&
			(s.turns[g.turn].role == dialogue.User || wordsInCommon(s, f, g)) {
			return g
		}
		at = g.alike
	}
	return nil
}

// swaps reports whether two figures with the same digits differ in exactly two places, as if two
// digits were exchanged.
func (f *figure) swaps(g *figure) bool {
	if g.digits != f.digits || g.decimals != f.decimals || g.money != f.money {
		return false
	}
	places := 0
	for a, b := f.value, g.value; a > 0 || b > 0; a, b = a/10, b/10 {
		if a%10 != b%10 {
			places++
		}
	}
	return places == 2
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
			if g.money == f.money && g.code == f.code && g.tells() && g.digits <= maxQuantity {
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
