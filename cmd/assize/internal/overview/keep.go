package overview

import (
	"cmp"
	"slices"

	"assize/cmd/assize/internal/record"
)

// Kept is a dialogue whose record was kept.
type Kept struct {
	Case
	Record *record.Record
	Low    bool // it is kept as one of the worst
}

// keeper chooses as records come. Of the others it holds more than it gives, drawn by the digests of what was said,
// which favour nobody; of these it gives some at even distances from the worst to the best. Where all can be given,
// all are.
type keeper struct {
	worst, others           int
	low, drawn, unscored    []Kept
	mostDrawn, mostUnscored int
}

// someUnscored is how many unscored dialogues are kept: they tell that and why, not how good anything was.
const someUnscored = 20

func newKeeper(worst, others int) keeper {
	return keeper{worst: worst, others: others, mostDrawn: max(4*others, worst+others), mostUnscored: min(someUnscored, worst+others)}
}

func (k *keeper) offer(c Case, r *record.Record) {
	it := Kept{Case: c, Record: r}
	if !c.Scored() {
		if len(k.unscored) < k.mostUnscored {
			k.unscored = append(k.unscored, it)
		}
		return
	}
	k.low = first(append(k.low, it), 2*k.worst, k.worst, worse)
	k.drawn = first(append(k.drawn, it), 2*k.mostDrawn, k.mostDrawn, byDigest)
}

// first cuts a list that has grown beyond a length down to its first n.
func first(list []Kept, beyond, n int, order func(a, b Kept) int) []Kept {
	if len(list) <= beyond {
		return list
	}
	slices.SortFunc(list, order)
	clear(list[n:])
	return list[:n]
}

func worse(a, b Kept) int { return a.Case.Compare(&b.Case) }

func byDigest(a, b Kept) int {
	return cmp.Or(cmp.Compare(a.Record.Source.Digest, b.Record.Source.Digest), cmp.Compare(a.Number, b.Number))
}

// chosen gives what is kept.
func (k *keeper) chosen() []Kept {
	list := first(slices.Clone(k.low), -1, min(k.worst, len(k.low)), worse)
	low := map[int]bool{}
	for i := range list {
		list[i].Low = true
		low[list[i].Number] = true
	}
	drawn := first(slices.Clone(k.drawn), -1, min(k.mostDrawn, len(k.drawn)), byDigest)
	rest := slices.DeleteFunc(drawn, func(it Kept) bool { return low[it.Number] })
	slices.SortFunc(rest, worse)
	n := min(k.others, len(rest))
	for i := range n {
		list = append(list, rest[(2*i+1)*len(rest)/(2*n)])
	}
	return append(list, k.unscored...)
}
