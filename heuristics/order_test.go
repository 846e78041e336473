package heuristics_test

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue/importer"
)

// The parameters for learning the pairs of words that never occur next to each other.
const (
	commonWords = 220 // the most frequent words of the desk, from which pairs are formed
	mustOccur   = 5   // how often a pair would occur if words were in random order
)

var plainWords = regexp.MustCompile(`[a-z]+(?:['’][a-z]+)?`)

// TestLearnPairs learns from the choosing part of the desk dialogues, except those written to
// mislead, which pairs of frequent words never occur next to each other. The embedded list must be
// equal.
func TestLearnPairs(t *testing.T) {
	want := deskRows(t, choosing)
	hard := func(_ string, row map[string]string) bool { return slices.Contains(hardParts, row["part"]) }
	maps.DeleteFunc(want, hard)
	words, pairs, total := map[string]int{}, map[[2]string]int{}, 0
	name := filepath.Join("..", "testdata", "desk", "dialogues.jsonl")
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	for sample, err := range importer.Read(f, name, importer.Options{}) {
		require.NoError(t, err)
		if want[sample.Source.ID] == nil {
			continue
		}
		for _, turn := range sample.Dialogue.Turns {
			text, before, end := strings.ToLower(turn.Text), "", -1
			for _, at := range plainWords.FindAllStringIndex(text, -1) {
				word := text[at[0]:at[1]]
				if words[word]++; end >= 0 && text[end:at[0]] == " " {
					pairs[[2]string{before, word}]++
				}
				before, end, total = word, at[1], total+1
			}
		}
	}
	common := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return cmp.Or(cmp.Compare(words[b], words[a]), strings.Compare(a, b))
	})
	contracted := func(word string) bool { return strings.ContainsAny(word, "'’") }
	common = slices.DeleteFunc(common, contracted)[:commonWords]
	slices.Sort(common)
	var b strings.Builder
	b.WriteString(
		"# Words that never stand before others, learnt from testdata/desk: see TestLearnPairs.\n")
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
	file := filepath.Join("lexicon", "words-never.txt")
	if *withLearning {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	embedded, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, b.String(), string(embedded), "go test -run TestLearnPairs -learn writes it")
}
