package main

import (
	"cmp"
	"slices"
	"strings"
)

// didYouMean gives a hint that names what word was probably meant to be; none where nothing is near.
func didYouMean(word string, all []string) []string {
	words := near(word, all)
	if len(words) == 0 {
		return nil
	}
	return []string{"did you mean " + strings.Join(words, ", ") + "?"}
}

// near lists up to three of all that word may be a slip of or a part of: the closest first, then as they stand in all.
func near(word string, all []string) []string {
	word = strings.ToLower(word)
	off := map[string]int{}
	found := slices.DeleteFunc(slices.Clone(all), func(w string) bool {
		lower := strings.ToLower(w)
		off[w] = distance(word, lower)
		if off[w] <= max(1, len(word)/3) {
			return false
		}
		off[w] = len(word) + len(lower) // behind every slip
		return len(word) < 2 || !strings.Contains(lower, word)
	})
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(off[a], off[b]) })
	return found[:min(len(found), 3)]
}

// distance counts the letters that must be put in, taken out or replaced to make a into b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
