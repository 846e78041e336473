package heuristics

import (
	"slices"
	"strings"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// figure is a number as a turn writes it: an amount, a reference, a quantity. Times, dates with slashes and years are none.
type figure struct {
	turn        int32 // index into analysis.turns
	first, last int32 // tokens
	money       bool  // a currency is beside it
	code        bool  // letters or hyphens are part of it
	again       bool  // its turn has named it before
	digits      uint8 // how many
	decimals    uint8 // how many of them follow a point
	value       uint64
	alike       int32  // the last figure before it with the same digits in any order; -1 for none
	sorted      uint64 // the same for the same digits in any order: four bits count each digit
}

// Bounds on figures: how many a turn may have, and how many digits one may have.
const (
	maxFigures = 24
	maxDigits  = 15

	mostAlike  = 32   // figures of the same digits that are compared
	mostAround = 64   // words of the sentence on each side of a figure
	mostGivers = 1024 // figures that an analysis may hold to be used again

	maxQuantity = 7 // digits of an amount or a quantity; a longer figure is a reference
)

// readFigures finds the figures of every turn of the two sides.
func (s *analysis) readFigures() {
	s.figures = s.figures[:0]
	if len(s.givers) > mostGivers {
		s.givers, s.alikes = nil, nil // to clear a large map costs every later dialogue
	}
	if s.givers == nil {
		s.givers, s.alikes = map[mention]int32{}, map[uint64]int32{}
	}
	clear(s.givers)
	clear(s.alikes)
	for i := range s.turns {
		t := &s.turns[i]
		t.figures.start = len(s.figures)
		for k := 0; t.role != dialogue.Other && k < len(t.tokens) && len(s.figures)-t.figures.start < maxFigures; {
			f, size := t.figure(k)
			if k += size; f.digits == 0 {
				continue
			}
			f.turn = int32(i)
			for _, by := range [...]dialogue.Role{t.role, dialogue.Other} {
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
		t.figures.end = len(s.figures)
		if t.role == dialogue.User {
			s.readSpoken(i)
		}
	}
}

// isPlainLetter reports whether c is a letter of a code: a pound sign or a euro sign is none.
func isPlainLetter(c byte) bool { return c < utf8.RuneSelf && isLetter(c) }

// figuresOf returns the figures of turn i.
func (s *analysis) figuresOf(i int) []figure {
	t := &s.turns[i]
	return s.figures[t.figures.start:t.figures.end]
}

// figure reads the figure that begins with token k, and returns how many tokens it takes. It has no digits if no
// figure begins with one of these. "18,240" and "55-20713" are one figure each; of more than maxDigits, the last parts are.
func (t *turnText) figure(k int) (f figure, size int) {
	if !t.tokens[k].is(number) {
		return figure{}, 1
	}
	from, last := t.tokens[k].start, k
	for last+1 < len(t.tokens) && t.tokens[last+1].is(number) && t.tokens[last+1].start == t.tokens[last].end+1 &&
		strings.IndexByte(",-", t.text[t.tokens[last].end]) >= 0 {
		last++
	}
	for from > 0 && (t.text[from-1] == '-' || isPlainLetter(t.text[from-1])) { // the letters of a code
		from--
		f.code = true
	}
	text := t.text[from:t.tokens[last].end]
	if int(t.tokens[last].end) < len(t.text) && t.text[t.tokens[last].end] == '/' {
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
			return figure{}, t.beyond(k, last) - k
		}
	}
	before := strings.TrimRight(t.text[:from], " ")
	f.money = strings.HasSuffix(before, "$") || strings.HasSuffix(before, "£") || strings.HasSuffix(before, "€") ||
		t.followedByMoney(last)
	year := !f.money && !f.code && f.digits == 4 && !point && (f.value/100 == 19 || f.value/100 == 20)
	if f.digits < 2 || year {
		return figure{}, 1
	}
	f.first, f.last = int32(k), int32(last)
	return f, last - k + 1
}

// beyond returns the first token behind token k from which on the numbers up to token last have no more than maxDigits.
func (t *turnText) beyond(k, last int) int {
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

// followedByMoney reports whether a currency follows token k.
func (t *turnText) followedByMoney(k int) bool {
	rest := strings.TrimLeft(t.text[t.tokens[k].end:], " ")
	if strings.HasPrefix(rest, "€") || strings.HasPrefix(rest, "£") || strings.HasPrefix(rest, "$") {
		return true
	}
	if k+1 >= len(t.tokens) {
		return false
	}
	switch strings.ToLower(t.word(k + 1)) {
	case "pound", "pounds", "euro", "euros", "dollar", "dollars", "eur", "gbp", "usd", "quid", "bucks":
		return true
	}
	return false
}

// mention is a figure as one side, or either for Other, has named it.
type mention struct {
	value  uint64
	digits uint8
	by     dialogue.Role
}

// as returns the figure as a side has named it.
func (f *figure) as(by dialogue.Role) mention { return mention{f.value, f.digits, by} }

// known reports whether a figure is in an earlier turn of a role, or of either side for Other, or earlier in its own.
func (s *analysis) known(f *figure, role dialogue.Role) bool {
	at, found := s.givers[f.as(role)]
	return found && (at < f.turn || at == f.turn && f.again)
}

// findGarbled reports figures of the SYSTEM, outside its questions, that nobody has named and that have the digits of an
// earlier one with two of them exchanged. Two digits are compared only between amounts of money.
func findGarbled(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		if t.has.meets(&det.unless) {
			continue
		}
		for _, f := range s.figuresOf(i) {
			if t.isQuestion(t.sentenceEnd(int(f.last))) || s.known(&f, dialogue.Other) {
				continue
			}
			if g := s.garbles(&f); g != nil {
				s.emit(det, i, int(f.first), int(f.last)).About = s.turns[g.turn].n
				break
			}
		}
	}
}

// garbles returns the last earlier figure that f garbles; nil for none. A figure of the SYSTEM's own must be of the same
// thing: their sentences share a word. Of figures with the same digits the last mostAlike are read.
func (s *analysis) garbles(f *figure) *figure {
	at := f.alike
	for range mostAlike {
		if at < 0 {
			return nil
		}
		g := &s.figures[at]
		alike := g.turn < f.turn && g.value != f.value && g.digits == f.digits && g.decimals == f.decimals && g.money == f.money
		if alike && f.swaps(g) && (f.digits >= 3 || f.money) && (s.turns[g.turn].role == dialogue.User || s.wordsInCommon(f, g)) {
			return g
		}
		at = g.alike
	}
	return nil
}

// swaps reports whether two figures of the same digits differ in two places, as if two digits were exchanged.
func (f *figure) swaps(g *figure) bool {
	places := 0
	for a, b := f.value, g.value; a > 0 || b > 0; a, b = a/10, b/10 {
		if a%10 != b%10 {
			places++
		}
	}
	return places == 2
}

// around returns the tokens of its sentence around those from first to last, mostAround of them on each side.
func (t *turnText) around(first, last int) []token {
	return t.tokens[max(t.sentenceStart(first), first-mostAround) : min(t.sentenceEnd(last), last+mostAround)+1]
}

// wordsInCommon reports whether the sentences of two figures share a word of content that is no number.
func (s *analysis) wordsInCommon(f, g *figure) bool {
	said := s.turns[f.turn].around(int(f.first), int(f.last))
	others := s.turns[g.turn].around(int(g.first), int(g.last))
	return slices.ContainsFunc(said, func(a token) bool {
		return a.content() && !a.is(number) &&
			slices.ContainsFunc(others, func(b token) bool { return a.stem == b.stem })
	})
}

// unit returns the stem of the word after a figure, 0 if it counts nothing.
func (s *analysis) unit(f *figure) uint32 {
	t := &s.turns[f.turn]
	if k := int(f.last) + 1; k < len(t.tokens) && t.tokens[k].content() && !t.tokens[k].is(opensClause) {
		return t.tokens[k].stem
	}
	return 0
}

// findOtherFigure reports deeds of the SYSTEM with a figure that nobody has named, in a sentence that shares a word with
// the USER's request for another one, which the SYSTEM never names.
func findOtherFigure(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		if t.has.meets(&det.unless) || !s.completes(i) && !s.has(i, s.lex.class.OutcomeActs) {
			continue
		}
		for _, f := range s.figuresOf(i) {
			if s.known(&f, dialogue.Other) {
				continue
			}
			if wanted := s.wanted(&f); wanted != nil {
				s.emit(det, i, int(f.first), int(f.last)).About = s.turns[wanted.turn].n
				break
			}
		}
	}
}

// wanted returns the figure that the USER's last turns ask for in the words of the sentence of f, if it is of the same
// sort, the only one there, and the SYSTEM has not named it; nil otherwise.
func (s *analysis) wanted(f *figure) *figure {
	for i := s.turns[f.turn].before[dialogue.User]; i >= 0 && int(f.turn-i) <= answerTurns; i = s.turns[i].before[dialogue.User] {
		var only *figure
		for k := range s.figuresOf(int(i)) {
			g := &s.figuresOf(int(i))[k]
			if g.money == f.money && g.code == f.code && (g.digits >= 3 || g.money) && g.digits <= maxQuantity {
				if only != nil {
					return nil
				}
				only = g
			}
		}
		if only == nil || f.digits < only.digits-1 || s.echoed(only, int(f.turn)) {
			continue
		}
		if s.wordsInCommon(f, only) && (f.money || s.unit(f) == s.unit(only)) {
			return only
		}
	}
	return nil
}

// echoed reports whether the SYSTEM names a figure after it was given, up to turn last.
func (s *analysis) echoed(g *figure, last int) bool {
	for i := int(g.turn) + 1; i <= last; i++ {
		if s.turns[i].role != dialogue.System {
			continue
		}
		for _, f := range s.figuresOf(i) {
			if f.value == g.value {
				return true
			}
		}
	}
	return false
}
