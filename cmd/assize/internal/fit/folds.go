package fit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
)

// The numbers of folds: of those on which errors are measured, and of those within, on which something is chosen.
const (
	outerFolds = 10
	innerFolds = 5
)

// deal gives every point its fold, from 0. Dialogues that are alike fall into the same fold, so that none is measured
// by a map that has seen it, and where they fall depends on nothing but them and the seed. count is how many folds
// there are, fewer than wanted where there are not as many different dialogues.
func deal(points []point, wanted int, seed uint64) (folds []int, count int) {
	place := map[string][sha256.Size]byte{}
	for _, pt := range points {
		place[pt.digest] = sha256.Sum256(fmt.Appendf(nil, "%d %d %s", seed, wanted, pt.digest))
	}
	order := slices.SortedFunc(maps.Keys(place), func(a, b string) int {
		ha, hb := place[a], place[b]
		return bytes.Compare(ha[:], hb[:])
	})
	count = min(wanted, len(order))
	fold := map[string]int{}
	for i, digest := range order {
		fold[digest] = i % count
	}
	for _, pt := range points {
		folds = append(folds, fold[pt.digest])
	}
	return folds, count
}
