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
	digits      uint8 // how many
	decimals    uint8 // how many of them follow a point
	value       uint64
	sorted      uint64 // the same for the same digits in any order: four bits count each digit
}

// Bounds on figures: how many a turn may have, and how many digits one may have.
const (
	maxFigures = 24
	maxDigits  = 15

	maxQuantity = 7 // digits of an amount or a quantity; a longer figure is a reference
)

// readFigures finds the figures of every turn of the two sides.
func (s *analysis) readFigures() {
	s.figures = s.figures[:0]
	for i := range s.turns {
		t := &s.turns[i]
		t.figures.start = len(s.figures)
		for k := 0; t.role != dialogue.Other && k < len(t.tokens) && len(s.figures)-t.figures.start < maxFigures; {
			f, size := t.figure(k)
			if size == 0 {
				k++
				continue
			}
			f.turn = int32(i)
			s.figures = append(s.figures, f)
			k += size
		}
		t.figures.end = len(s.figures)
	}
}

// isPlainLetter reports whether c is a letter of a code: a pound sign or a euro sign is none.
func isPlainLetter(c byte) bool { return c < utf8.RuneSelf && isLetter(c) }

// figuresOf returns the figures of turn i.
func (s *analysis) figuresOf(i int) []figure {
	t := &s.turns[i]
	return s.figures[t.figures.start:t.figures.end]
}

// figure reads the figure that begins with token k, and returns how many tokens it takes, 0 for none. "18,240" and
// "55-20713" are one figure each.
func (t *turnText) figure(k int) (f figure, size int) {
	if !t.tokens[k].is(number) {
		return f, 0
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
	if strings.IndexByte(text, ':') >= 0 || from > 0 && t.text[from-1] == '/' ||
		int(t.tokens[last].end) < len(t.text) && t.text[t.tokens[last].end] == '/' {
		return f, 0
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
			return f, 0
		}
	}
	before := strings.TrimRight(t.text[:from], " ")
	f.money = strings.HasSuffix(before, "$") || strings.HasSuffix(before, "£") || strings.HasSuffix(before, "€") ||
		t.followedByMoney(last)
	year := !f.money && !f.code && f.digits == 4 && !point && (f.value/100 == 19 || f.value/100 == 20)
	if f.digits < 2 || year {
		return f, 0
	}
	f.first, f.last = int32(k), int32(last)
	return f, last - k + 1
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

// known reports whether a figure is in an earlier turn of a role, or of either side for Other, or earlier in its own.
func (s *analysis) known(f *figure, role dialogue.Role) bool {
	for k := range s.figures {
		g := &s.figures[k]
		if g.turn > f.turn || g.turn == f.turn && g.first >= f.first {
			return false
		}
		if g.value == f.value && g.digits == f.digits && (role == dialogue.Other || s.turns[g.turn].role == role) {
			return true
		}
	}
	return false
}

// findGarbled reports figures of the SYSTEM, outside its questions, that nobody has named and that have the digits of an
// earlier one in another order. Two digits are compared only between amounts of money.
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
// thing: their sentences share a word.
func (s *analysis) garbles(f *figure) *figure {
	for k := s.turns[f.turn].figures.start - 1; k >= 0; k-- {
		g := &s.figures[k]
		alike := g.sorted == f.sorted && g.value != f.value && g.digits == f.digits &&
			g.decimals == f.decimals && g.money == f.money
		if alike && (f.digits >= 3 || f.money) && (s.turns[g.turn].role == dialogue.User || s.wordsInCommon(f, g)) {
			return g
		}
	}
	return nil
}

// wordsInCommon reports whether the sentences of two figures share a word of content that is no number.
func (s *analysis) wordsInCommon(f, g *figure) bool {
	t, u := &s.turns[f.turn], &s.turns[g.turn]
	others := u.tokens[u.sentenceStart(int(g.first)) : u.sentenceEnd(int(g.last))+1]
	said := t.tokens[t.sentenceStart(int(f.first)) : t.sentenceEnd(int(f.last))+1]
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
