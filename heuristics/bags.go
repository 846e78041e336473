package heuristics

import (
	"math/bits"
	"slices"

	"assize/rubric/dialogue"
)

// bags holds what each turn is about: the stems of its content words, sorted and each once. Turns of one
// topic share them, whatever the order of their words.
type bags struct {
	stems []uint32
	open  int   // where in stems the bag begins that is being filled
	said  []bag // by turn: the words of the USER, and of the SYSTEM where it does not ask
	asked []bag // by turn: the words of the SYSTEM's questions
}

// bag is a set of stems. The lowest bit of a stem tells a name or a number: words that make two sentences of
// one shape say different things.
type bag struct {
	from, to int32
	mask     uint64 // a bit for each stem: a cheap no to most comparisons
}

const special = 1

func (b bag) size() int { return int(b.to - b.from) }

func (s *scene) readBags() {
	b := &s.bags
	b.stems, b.open, b.said, b.asked = b.stems[:0], 0, b.said[:0], b.asked[:0]
	for i := range s.turns {
		t := &s.turns[i]
		var said, asked bag
		switch {
		case t.role == dialogue.Other:
		case t.role == dialogue.User || t.asks == 0:
			b.add(t.tokens)
			said = b.close()
		default:
			b.part(t, false)
			said = b.close()
			b.part(t, true)
			asked = b.close()
		}
		b.said, b.asked = append(b.said, said), append(b.asked, asked)
	}
}

// part adds the words of t's questions, or of its other sentences.
func (b *bags) part(t *turnText, asked bool) {
	for first := 0; first < len(t.tokens); {
		last := t.sentenceEnd(first)
		if t.asked(last) == asked {
			b.add(t.tokens[first : last+1])
		}
		first = last + 1
	}
}

func (b *bags) add(tokens []token) {
	for k := range tokens {
		tok := &tokens[k]
		if tok.flags&number == 0 && (tok.flags&stopword != 0 || tok.end-tok.start < 2) {
			continue
		}
		stem := tok.stem &^ special
		if tok.flags&number != 0 || tok.flags&(capital|opensSentence) == capital {
			stem |= special
		}
		b.stems = append(b.stems, stem)
	}
}

// close makes a bag of what was added: sorted, and without what comes twice.
func (b *bags) close() bag {
	stems := b.stems[b.open:]
	slices.Sort(stems)
	out := bag{from: int32(b.open)}
	n := 0
	for _, stem := range stems {
		if n == 0 || stems[n-1]|special != stem|special {
			stems[n] = stem
			n++
			out.mask |= 1 << (stem >> 26)
		}
	}
	b.open += n
	b.stems = b.stems[:b.open]
	out.to = int32(b.open)
	return out
}

// overlap is how two bags compare.
type overlap struct {
	common, all int
	differ      bool // a name or a number is in one of them only
}

// atLeast reports whether the Jaccard index, the share of stems that are common, is percent or more.
func (o overlap) atLeast(percent int) bool { return o.all > 0 && o.common*100 >= o.all*percent }

// swaps reports whether each of two bags has words of its own, sizes x and y being theirs, and less than three
// quarters in common: one word in place of another makes it another sentence.
func (o overlap) swaps(x, y bag) bool {
	return x.size() > o.common && y.size() > o.common && !o.atLeast(75)
}

// far tells cheaply that the Jaccard index of x and y cannot reach one half.
func (b *bags) far(x, y bag) bool {
	if 2*min(x.size(), y.size()) < max(x.size(), y.size()) {
		return true
	}
	slack := x.size() - bits.OnesCount64(x.mask) // stems that share a bit with another
	common := bits.OnesCount64(x.mask&y.mask) + slack
	return 3*common < x.size()+y.size() // common / (x + y - common) < 1/2
}

func (b *bags) overlap(x, y bag) overlap {
	var o overlap
	i, j := x.from, y.from
	for i < x.to && j < y.to {
		switch p, q := b.stems[i], b.stems[j]; {
		case p|special == q|special:
			o.common++
			i++
			j++
		case p < q:
			o.differ = o.differ || p&special != 0
			i++
		default:
			o.differ = o.differ || q&special != 0
			j++
		}
	}
	for ; i < x.to; i++ {
		o.differ = o.differ || b.stems[i]&special != 0
	}
	for ; j < y.to; j++ {
		o.differ = o.differ || b.stems[j]&special != 0
	}
	o.all = x.size() + y.size() - o.common
	return o
}

// shares reports whether a stem is in both.
func (b *bags) shares(x, y bag) bool {
	if x.mask&y.mask == 0 {
		return false
	}
	for i, j := x.from, y.from; i < x.to && j < y.to; {
		p, q := b.stems[i]|special, b.stems[j]|special
		switch {
		case p == q:
			return true
		case p < q:
			i++
		default:
			j++
		}
	}
	return false
}

// sentenceStart gives the first token of the sentence that token i stands in.
func (t *turnText) sentenceStart(i int) int {
	for i > 0 && !t.tokens[i].is(opensSentence) {
		i--
	}
	return i
}

// sentenceEnd gives the last token of the sentence that token i stands in.
func (t *turnText) sentenceEnd(i int) int {
	for i+1 < len(t.tokens) && !t.tokens[i+1].is(opensSentence) {
		i++
	}
	return i
}

// asked reports whether the sentence that ends with token last ends with a question mark.
func (t *turnText) asked(last int) bool {
	end := len(t.text)
	if last+1 < len(t.tokens) {
		end = int(t.tokens[last+1].start)
	}
	for _, c := range []byte(t.text[t.tokens[last].end:end]) {
		if c == '?' {
			return true
		}
	}
	return false
}
