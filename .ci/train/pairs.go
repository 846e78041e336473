package main

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assize/heuristics/measure"
	"assize/rubric/dialogue"
)

// The parameters for learning the pairs of words that never occur next to each other.
const (
	commonWords = 220 // the most frequent words of the desk, from which pairs are formed
	mustOccur   = 5   // how often a pair would occur if words were in random order
)

var plainWords = regexp.MustCompile(`[a-z]+(?:['’][a-z]+)?`)

// neverTogether returns the pairs of frequent words that never occur next to each other in the
// dialogues of rows, except those written to mislead. Each line has a word and those that never
// follow it.
func neverTogether(sets *measure.Sets, rows measure.Rows) (string, error) {
	words, pairs, total := map[string]int{}, map[[2]string]int{}, 0
	_, rows = rows.Split()
	err := measure.Read(sets.DeskFile(), func(id string, s dialogue.Sample) error {
		if rows[id] == nil {
			return nil
		}
		for _, turn := range s.Dialogue.Turns {
			text, before, end := strings.ToLower(turn.Text), "", -1
			for _, at := range plainWords.FindAllStringIndex(text, -1) {
				word := text[at[0]:at[1]]
				if words[word]++; end >= 0 && text[end:at[0]] == " " {
					pairs[[2]string{before, word}]++
				}
				before, end, total = word, at[1], total+1
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	common := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return cmp.Or(cmp.Compare(words[b], words[a]), strings.Compare(a, b))
	})
	contracted := func(word string) bool { return strings.ContainsAny(word, "'’") }
	common = slices.DeleteFunc(common, contracted)[:commonWords]
	slices.Sort(common)
	var b strings.Builder
	for _, first := range common {
		var never []string
		for _, second := range common {
			expected := words[first]*words[second] >= mustOccur*total
			if expected && first != second && pairs[[2]string{first, second}] == 0 {
				never = append(never, second)
			}
		}
		if never != nil {
			b.WriteString(first + " " + strings.Join(never, " ") + "\n")
		}
	}
	return b.String(), nil
}
