package text

import (
	"assize/rubric/dialogue"
	"cmp"
	"slices"
)

// Bags holds the topic of each turn: the sorted set of stems of its content words. Turns on the
// same topic share stems, in whatever order their words are.
type Bags struct {
	stems []uint32
	open  int // the start in stems of the bag that is being filled
}

// Read reads the topics of turns.
func (b *Bags) Read(turns []Turn) {
	b.stems, b.open = b.stems[:0], 0
	for i := range turns {
		t := &turns[i]
		switch {
		case t.Role == dialogue.Other:
		case t.Role == dialogue.User || t.Asks == 0:
			b.add(t.Tokens)
			t.Said = b.close()
		default:
			b.sentences(t, false)
			t.Said = b.close()
			b.sentences(t, true)
			t.Asked = b.close()
		}
	}
}

// sentences adds the words of t's questions, or of its other sentences.
func (b *Bags) sentences(t *Turn, questions bool) {
	for first := 0; first < len(t.Tokens); {
		last := t.SentenceEnd(first)
		if t.IsQuestion(last) == questions {
			b.add(t.Tokens[first : last+1])
		}
		first = last + 1
	}
}

func (b *Bags) add(tokens []Token) {
	for k := range tokens {
		tok := &tokens[k]
		if tok.Flags&Number == 0 && (tok.Flags&Stopword != 0 || tok.End-tok.Start < 2) {
			continue
		}
		stem := tok.Stem &^ Special
		if tok.Flags&Number != 0 || tok.Flags&(Capital|OpensSentence) == Capital {
			stem |= Special
		}
		b.stems = append(b.stems, stem)
	}
}

// close completes the current bag: it sorts the stems and removes duplicates.
func (b *Bags) close() Bag {
	stems := b.stems[b.open:]
	slices.Sort(stems)
	out := Bag{from: int32(b.open)}
	n := 0
	for _, stem := range stems {
		if n == 0 || stems[n-1]|Special != stem|Special {
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

// Of returns the stems of a bag.
func (b *Bags) Of(x Bag) []uint32 { return b.stems[x.from:x.to] }

// Holds reports whether a bag contains a stem.
func (b *Bags) Holds(x Bag, stem uint32) bool {
	if x.mask>>(stem>>26)&1 == 0 {
		return false
	}
	_, found := slices.BinarySearchFunc(b.Of(x), stem|Special, func(have, want uint32) int {
		return cmp.Compare(have|Special, want)
	})
	return found
}

// Shares reports whether the bags have a common stem.
func (b *Bags) Shares(x, y Bag) bool {
	return x.mask&y.mask != 0 &&
		slices.ContainsFunc(b.Of(x), func(stem uint32) bool { return b.Holds(y, stem) })
}
