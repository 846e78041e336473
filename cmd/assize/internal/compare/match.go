package compare

import "crypto/sha256"

// Pair is a dialogue that both runs hold: its place among the cases of A, and of B.
type Pair struct{ A, B int }

// Matching says which dialogues of two runs are the same, and which have no partner.
type Matching struct {
	Pairs        []Pair
	OnlyA, OnlyB []int
}

// match finds the same dialogues by the digest of their turns, whatever they are called. Where a run holds the same
// conversation several times, the first is paired with the first and the second with the second.
func match(a, b *Run) Matching {
	first := make(map[[sha256.Size]byte]int, len(b.Cases))
	after := make([]int, len(b.Cases)) // the next with the same digest; -1 ends the chain
	for i := len(b.Cases) - 1; i >= 0; i-- {
		after[i] = -1
		if next, ok := first[b.Cases[i].digest]; ok {
			after[i] = next
		}
		first[b.Cases[i].digest] = i
	}
	var m Matching
	taken := make([]bool, len(b.Cases))
	for i := range a.Cases {
		digest := a.Cases[i].digest
		j, ok := first[digest]
		if !ok || j < 0 {
			m.OnlyA = append(m.OnlyA, i)
			continue
		}
		m.Pairs = append(m.Pairs, Pair{i, j})
		first[digest], taken[j] = after[j], true
	}
	for j := range b.Cases {
		if !taken[j] {
			m.OnlyB = append(m.OnlyB, j)
		}
	}
	return m
}

// mostlySame reports whether at least half of the smaller run is in the other one, too.
func (m *Matching) mostlySame() bool {
	return len(m.Pairs) > 0 && len(m.Pairs) >= min(len(m.OnlyA), len(m.OnlyB))
}
