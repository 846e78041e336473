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

// near lists up to three of all that word may be a slip of: the closest first, then as they stand in all.
func near(word string, all []string) []string {
	type candidate struct {
		word string
		off  int
	}
	var found []candidate
	word = strings.ToLower(word)
	for _, w := range all {
		lower := strings.ToLower(w)
		off := distance(word, lower)
		switch {
		case off <= max(1, len(word)/3):
		case len(word) >= 2 && strings.Contains(lower, word):
			off = len(lower) // a part of the whole, behind every slip
		default:
			continue
		}
		found = append(found, candidate{w, off})
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.off, b.off) })
	var words []string
	for _, c := range found[:min(len(found), 3)] {
		words = append(words, c.word)
	}
	return words
}

// distance counts the letters that must be put in, taken out or replaced to make a into b (Levenshtein).
func distance(a, b string) int {
	if len(a) > 100 || len(b) > 100 {
		return max(len(a), len(b)) // nobody mistypes a text
	}
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
