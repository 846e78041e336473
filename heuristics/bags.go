package heuristics

import (
	"cmp"
	"math/bits"
	"slices"
)

// bags holds the topic of each turn: the sorted set of stems of its content words. Turns on the
// same topic share stems, in whatever order their words are.
type bags struct {
	stems []uint32
	open  int // the start in stems of the bag that is being filled
}

// sentences adds the words of t's questions, or of its other sentences.
func (b *bags) sentences(t *turnText, questions bool) {
	for first := 0; first < len(t.tokens); {
		last := t.sentenceEnd(first)
		if t.isQuestion(last) == questions {
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

// close completes the current bag: it sorts the stems and removes duplicates.
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

// overlap is the result of comparing two bags.
type overlap struct {
	common, all int
	differ      bool // a name or a number is in only one of them
}

// atLeast reports whether the Jaccard index, the share of common stems, is at least percent.
func (o overlap) atLeast(percent int) bool { return o.all > 0 && o.common*100 >= o.all*percent }

// far is a cheap test which reports that the Jaccard index of x and y is certainly below one half.
func (b *bags) far(x, y bag) bool {
	if 2*min(x.size(), y.size()) < max(x.size(), y.size()) {
		return true
	}
	slack := x.size() - bits.OnesCount64(x.mask) // stems that share a bit with another one
	common := bits.OnesCount64(x.mask&y.mask) + slack
	return 3*common < x.size()+y.size() // common / (x + y - common) < 1/2
}

func (b *bags) overlap(x, y bag) (o overlap) {
	i, j := x.from, y.from
	for i < x.to || j < y.to {
		switch {
		case j == y.to || i < x.to && b.stems[i]|special < b.stems[j]|special:
			o.differ = o.differ || b.stems[i]&special != 0
			i++
		case i == x.to || b.stems[j]|special < b.stems[i]|special:
			o.differ = o.differ || b.stems[j]&special != 0
			j++
		default:
			o.common++
			i++
			j++
		}
	}
	o.all = x.size() + y.size() - o.common
	return o
}

// of returns the stems of a bag.
func (b *bags) of(x bag) []uint32 { return b.stems[x.from:x.to] }

// holds reports whether a bag contains a stem.
func (b *bags) holds(x bag, stem uint32) bool {
	if x.mask>>(stem>>26)&1 == 0 {
		return false
	}
	_, found := slices.BinarySearchFunc(b.of(x), stem|special, func(have, want uint32) int {
		return cmp.Compare(have|special, want)
	})
	return found
}

// shares reports whether the bags have a common stem.
func (b *bags) shares(x, y bag) bool { return x.mask&y.mask != 0 && b.overlap(x, y).common > 0 }

// alike reports whether the earlier bag y says the same as x: at least percent of the words and two
// words are common, all names and numbers are equal, and no word is merely replaced by another. A
// word counts as replaced if each bag has words of its own and less than three quarters are common.
func (b *bags) alike(x, y bag, percent int) bool {
	if y.size() < 2 || b.far(x, y) {
		return false
	}
	o := b.overlap(x, y)
	swapped := x.size() > o.common && y.size() > o.common && !o.atLeast(75)
	return o.common >= 2 && o.atLeast(percent) && !o.differ && !swapped
}
