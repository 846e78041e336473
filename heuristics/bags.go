package heuristics

import (
	"assize/rubric/dialogue"
	"cmp"
	"slices"
)

// bags holds the topic of each turn: the sorted set of stems of its content words. Turns on the
// same topic share stems, in whatever order their words are.
type bags struct {
	stems []uint32
	open  int // the start in stems of the bag that is being filled
}

// read reads the topics of turns.
func (b *bags) read(turns []turnText) {
	b.stems, b.open = b.stems[:0], 0
	for i := range turns {
		t := &turns[i]
		switch {
		case t.role == dialogue.Other:
		case t.role == dialogue.User || t.asks == 0:
			b.add(t.tokens)
			t.said = b.close()
		default:
			b.sentences(t, false)
			t.said = b.close()
			b.sentences(t, true)
			t.asked = b.close()
		}
	}
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
func (b *bags) shares(x, y bag) bool {
	return x.mask&y.mask != 0 &&
		slices.ContainsFunc(b.of(x), func(stem uint32) bool { return b.holds(y, stem) })
}
