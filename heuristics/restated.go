package heuristics

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// item is a value in a turn and the thing it describes: a number of chairs, the amount of a refund,
// the code of a seat, the day or hour of a delivery, or the name of the courier.
type item struct {
	itemKey
	passage
	which    uint32 // the stem of the word before the label, as in "change" fee, or 0
	limit    uint32 // for days and times: the stem of "by" or "leaves" before it, or 0
	entry    bool   // that word does not set a limit but belongs to a timetable
	definite bool   // "the four chairs", "your refund"
}

// itemKey is the thing that an item describes, and the value.
type itemKey struct {
	kind  valueKind
	label uint32 // the stem of the noun; 0 for days, times and names, which share other words
	n     uint64
}

// maxItems is the maximum number of items that are read in a turn.
const maxItems = 24

// itemsOf appends the items in turn i; for the SYSTEM, only those in statements.
func itemsOf(s *analysis, i int, list []item) []item {
	t := &s.turns[i]
	from := len(list)
	add := func(kind valueKind, n uint64, label int, p passage) {
		stated := t.role == dialogue.User || !t.inQuestion(p.first) && !t.negated(p.first)
		if len(list)-from < maxItems && stated {
			it := item{itemKey: itemKey{kind: kind, n: n}, passage: p}
			describe(s, t, &it, label)
			list = append(list, it)
		}
	}
	for _, f := range s.figuresOf(i) {
		if label := labelOf(t, f.passage); f.money && label >= 0 {
			add(amount, f.hundredths(), label, f.passage)
		}
	}
	for _, v := range s.valuesOf(i) {
		if v.slot.kind == weekday || v.slot.kind == clock {
			add(v.slot.kind, uint64(v.n), -1, v.passage)
		}
	}
	for k := range t.tokens {
		if k > 0 && t.tokens[k-1].is(capital) && isTitle(t.word(k-1)) && isNameToken(t, k) {
			add(person, hashWord(t.word(k)), -1, passage{i, k, k})
		} else if label := codeLabel(t, k); label >= 0 {
			add(bare, hashWord(t.word(k)), label, passage{i, k, k})
		} else if n, noun := countAt(s, t, k); noun >= 0 {
			add(count, n, noun, passage{i, k, noun})
		}
	}
	return list
}

// describe sets the thing that an item describes from its label token, or from nothing if label is
// -1.
func describe(s *analysis, t *turnText, it *item, label int) {
	if label < 0 {
		it.limit, it.entry = limitOf(s, t, it.first)
		return
	}
	it.label = t.tokens[label].stem
	begin := it.first
	if it.kind != count {
		begin = min(begin, label)
		if which := label - 1; which >= 0 && t.goesOn(label) &&
			t.tokens[which].content() && !t.tokens[which].is(number) {
			it.which = t.tokens[which].stem
		}
	}
	it.definite = t.goesOn(begin) &&
		t.is(begin-1, "the", "your", "all", "both", "these", "those", "my", "our")
}

// limitOf returns the stem of the word shortly before token k that makes a time a limit or an entry
// in a timetable, and whether it is an entry.
func limitOf(s *analysis, t *turnText, k int) (limit uint32, entry bool) {
	for back := 0; back < 3 && k > 0 && t.goesOn(k); back++ {
		if k--; s.lex.valueOf(t.tokens[k]).loose {
			return t.tokens[k].stem, t.tokens[k].content()
		}
	}
	return 0, false
}

// labelOf returns the token that names what an amount is, or -1: "a refund of £9", "the refund is
// £9", "a £9 refund".
func labelOf(t *turnText, p passage) int {
	before := p.first - 2
	if before >= 0 && t.tokens[before].content() && t.goesOn(p.first-1) && t.goesOn(p.first) &&
		t.is(p.first-1, "of", "is", "was", "costs") {
		return before
	}
	if next := p.last + 1; t.names(next) && !t.tokens[next].is(number) {
		return next
	}
	return -1
}

// codeLabel returns the token that names what the code at token k identifies, as in "seat 14C" and
// "reference is KD4821", or -1. It is a word in words-labels.txt.
func codeLabel(t *turnText, k int) int {
	if !t.tokens[k].is(coded) || !t.goesOn(k) || strings.ContainsAny(t.word(k), ":.") {
		return -1
	}
	for at := k - 1; at >= max(0, k-2); at-- {
		before := &t.tokens[at]
		if before.is(labelling) {
			return at
		}
		if before.is(opensClause) || before.content() {
			break
		}
	}
	return -1
}

// countAt returns the number at token k and the token of the noun that it counts, or -1.
func countAt(s *analysis, t *turnText, k int) (n uint64, noun int) {
	if word := s.lex.valueOf(t.tokens[k]); word.kind == wordNumber && word.n > 1 {
		n = uint64(word.n)
	} else if t.tokens[k].is(number) {
		for _, c := range []byte(t.word(k)) {
			if n = n*10 + uint64(c-'0'); !isDigit(c) || n > 999 {
				return 0, -1
			}
		}
	}
	next := k + 1
	if n < 2 || !t.names(next) {
		return 0, -1
	}
	tok := t.tokens[next]
	plural := strings.HasSuffix(t.word(next), "s") && tok.start == t.tokens[k].end+1
	if !plural || tok.is(number|capital) || s.lex.valueOf(tok).kind == wordMoney {
		return 0, -1
	}
	return n, next
}

func hashWord(word string) uint64 { return hashOf(strings.ToLower(word)) }

// maxEarlierItems is the maximum number of earlier items that each new one is compared with.
const maxEarlierItems = 48

// findRestated reports the first value in each turn of the SYSTEM that differs from the value in an
// earlier turn of the SYSTEM for the same thing. Nobody may have mentioned it before, and the USER
// may neither have mentioned another one since nor asked for a change.
func findRestated(s *analysis, det *detector) {
	known := map[itemKey]bool{}
	var said, items []item
	for i := range s.turns {
		t := &s.turns[i]
		if t.role == dialogue.Other {
			continue
		}
		items = itemsOf(s, i, items[:0])
		if t.role == dialogue.User {
			if t.has.meets(&det.needs) || hasValue(s, i) || marked(t.tokens, number) {
				said = said[:0]
			}
		} else {
			if x, y := restatedItem(s, items, said, known); x != nil && !t.has.meets(&det.unless) {
				s.report(det, x.passage, y.turn)
			}
			said = append(said, items...)
			said = said[max(0, len(said)-maxEarlierItems):]
		}
		for _, x := range items {
			known[itemKey{x.kind, 0, x.n}] = true
		}
	}
}

// restatedItem returns the first of a turn's items that differs from an earlier one for the same
// thing, and the earlier one, or nil. A turn with new values of two kinds is about another thing.
func restatedItem(s *analysis, items, said []item, known map[itemKey]bool) (x, y *item) {
	isNew := func(x item) bool { return !known[itemKey{x.kind, 0, x.n}] }
	for k := range items {
		x := &items[k]
		old := func(z item) bool { return z.kind == x.kind && !isNew(z) }
		alone := only(items, x)
		if !isNew(*x) || !alone && slices.ContainsFunc(items, old) {
			continue
		}
		other := func(z item) bool { return z.kind != x.kind && z.kind != count && isNew(z) }
		sum := func(f figure) bool {
			return f.money && x.kind != amount && !isKnown(s, &f, dialogue.Other)
		}
		for m := len(said) - 1; m >= 0; m-- {
			y := &said[m]
			rival := x.kind == y.kind && x.label == y.label && x.n != y.n && only(said, y)
			if rival && (alone || followsOn(s, x, y)) && sameThing(s, x, y) &&
				!slices.ContainsFunc(items, other) &&
				!slices.ContainsFunc(s.figuresOf(x.turn), sum) {
				return x, y
			}
		}
	}
	return nil, nil
}

// only reports whether an item is the only one in its turn that describes its thing.
func only(items []item, x *item) bool {
	return !slices.ContainsFunc(items, func(y item) bool {
		return y.turn == x.turn && y.kind == x.kind && y.label == x.label && y.n != x.n
	})
}

// followsOn reports whether the word after a time occurs in the sentence of an earlier one: "the
// 9:15 ferry".
func followsOn(s *analysis, x, y *item) bool {
	t, next := &s.turns[x.turn], x.last+1
	return t.names(next) && withStem(s.around(y.passage), t.tokens[next].stem)
}

// sameThing reports whether two items of one kind and label describe the same thing.
func sameThing(s *analysis, x, y *item) bool {
	if x.which != 0 && y.which != 0 && x.which != y.which ||
		namesAround(s, x, y) || namesAround(s, y, x) {
		return false
	}
	switch x.kind {
	case count:
		return x.definite
	case bare:
		return true
	case amount:
		return !asksAbout(s, x, y)
	}
	alike := x.limit == y.limit || x.limit == 0 && y.entry || y.limit == 0 && x.entry
	return alike && itemsShare(s, x, y)
}

// asksAbout reports whether the USER, since y, has mentioned a word that precedes x closely.
func asksAbout(s *analysis, x, y *item) bool {
	t := &s.turns[x.turn]
	for _, tok := range t.tokens[max(t.sentenceStart(x.first), x.first-6):x.first] {
		if tok.content() && tok.stem != x.label && isRaised(s, tok.stem, y.turn, x.turn) {
			return true
		}
	}
	return false
}

// namesAround reports whether the sentence of x contains a name that does not occur in the turn of
// y.
func namesAround(s *analysis, x, y *item) bool {
	t, said := &s.turns[x.turn], s.turns[y.turn].said
	return slices.ContainsFunc(s.around(x.passage), func(a token) bool {
		return a.isName() && !a.is(coded) && s.lex.valueOf(a).kind == wordNone &&
			!isTitle(t.text[a.start:a.end]) && !s.bags.holds(said, a.stem) &&
			(x.kind != person || a.start != t.tokens[x.first].start)
	})
}

// itemsShare reports whether the sentences of two items share a content word that is not a value.
func itemsShare(s *analysis, x, y *item) bool {
	others := s.around(y.passage)
	return slices.ContainsFunc(s.around(x.passage), func(a token) bool {
		return a.content() && !a.is(number) && s.lex.valueOf(a).kind == wordNone &&
			withStem(others, a.stem)
	})
}
