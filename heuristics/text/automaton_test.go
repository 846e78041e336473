package text

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseLine(t *testing.T) {
	tests := []struct {
		line string
		want [][]string
	}{
		{"a b", [][]string{{"a"}, {"b"}}},
		{"  a   b ", [][]string{{"a"}, {"b"}}},
		{"(a|b|) c", [][]string{{"a", "b", ""}, {"c"}}},
		{"a (b|c) d", [][]string{{"a"}, {"b", "c"}, {"d"}}},
		{"frustrat(ed|ing|ion)", [][]string{{"frustrated", "frustrating", "frustration"}}},
		{"x i('m| am) in", [][]string{{"x"}, {"i'm", "i am"}, {"in"}}},
	}
	for _, tt := range tests {
		groups, err := ParseLine(tt.line)
		require.NoError(t, err, tt.line)
		assert.Equal(t, tt.want, groups, tt.line)
	}
	for _, bad := range []string{"(a", "a)", "a|b", "(a (b|c))"} {
		_, err := ParseLine(bad)
		assert.Error(t, err, bad)
	}
}

// expand expands a line into all its phrases, which the program never does.
func expand(t testing.TB, line string) []string {
	groups, err := ParseLine(line)
	require.NoError(t, err)
	all := []string{""}
	for _, choices := range groups {
		var longer []string
		for _, head := range all {
			for _, choice := range choices {
				longer = append(longer, strings.TrimSpace(head+" "+choice))
			}
		}
		all = longer
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Lines with groups, of several classes, match the same texts as all their expanded phrases.
func TestGroupsFindWhatTheirPhrasesFind(t *testing.T) {
	const seed = 20261
	r := rand.New(rand.NewPCG(seed, seed))
	words := []string{"a", "b", "c", "d"}
	hits := 0
	for range 300 {
		var lines, written strings.Builder
		for range 1 + r.IntN(5) {
			line := words[r.IntN(4)]
			for range r.IntN(4) {
				group := []string{words[r.IntN(4)], words[r.IntN(4)] + " " + words[r.IntN(4)], ""}
				line += " (" + strings.Join(group[:2+r.IntN(2)], "|") + ")"
			}
			lines.WriteString(line + "\n")
			written.WriteString(strings.Join(expand(t, line), "\n") + "\n")
		}
		var text []string
		for range 12 {
			text = append(text, words[r.IntN(4)])
		}
		got, want := found(listOf(t, lines.String()), strings.Join(text, " ")),
			found(listOf(t, written.String()), strings.Join(text, " "))
		require.Equal(t, want, got, "lines:\n%s\ntext: %s", lines.String(), text)
		hits += len(got)
	}
	assert.Greater(t, hits, 300, "the texts hold too few phrases to test anything")
}

// phraseList is a list of phrases and its words.
type phraseList struct {
	Vocabulary
	*Automaton
}

// listOf returns a list of phrases, one a line.
func listOf(t testing.TB, phrases string) *phraseList {
	t.Helper()
	l, p := &phraseList{Vocabulary: Vocabulary{}}, NewPatterns(0)
	l.Enter("oh", Filler)
	l.Enter("well", Filler)
	for line := range strings.Lines(phrases) {
		phrase, end := CutMarks(line, 0)
		groups, err := ParseLine(phrase)
		require.NoError(t, err)
		p.Add(groups, end, l.Vocabulary)
	}
	l.Automaton = p.Compile(math.MaxInt)
	return l
}

// found returns the matches of the automaton in a text, as "first-last".
func found(l *phraseList, text string) (all []string) {
	turn := Turn{Text: text}
	tokens := l.Tokenise(&turn, nil)
	for _, m := range l.Scan(tokens, nil) {
		all = append(all, fmt.Sprintf("%d-%d", m.First, m.Last))
	}
	return all
}

func TestScan(t *testing.T) {
	tests := []struct {
		reason, phrases, text string
		want                  []string
	}{
		{"a phrase is found wherever it stands", "good tea", "a good tea, good tea",
			[]string{"1-2", "3-4"}},
		{"case and curly quotes do not matter", "don't like", "I DON’T Like it", []string{"1-2"}},
		{"an acute accent is an apostrophe", "don't like", "I don´t like it", []string{"1-2"}},
		{"a longer word is another word", "no", "I know nothing", nil},
		{"a phrase runs over a comma", "no thanks", "no, thanks", []string{"0-1"}},
		{"but not over the end of a sentence", "no thanks", "I say no. Thanks", nil},
		{"unless it is pinned to the start", "^no thanks", "No. Thanks", []string{"0-1"}},
		{"^ pins to the start", "^no", "oh no no", []string{"1-1"}},
		{"after three fillers at most", "^no", "oh well oh oh no", nil},
		{"^^ pins to the start of a sentence", "^^no", "no, no. No", []string{"0-0", "2-2"}},
		{"$ pins to the end", "again$", "again and again", []string{"2-2"}},
		{"phrases may overlap", "a b\nb c\na b c", "a b c", []string{"0-1", "0-2", "1-2"}},
		{"an unknown word ends a phrase", "a c", "a zzz c", nil},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			assert.Equal(t, tt.want, found(listOf(t, tt.phrases), tt.text))
		})
	}
}

// The automaton finds exactly the same as a comparison of every phrase with every position.
func TestScanFindsWhatANaiveMatcherFinds(t *testing.T) {
	const seed = 20260
	r := rand.New(rand.NewPCG(seed, seed))
	words := []string{"a", "b", "c", "d", "oh", "well"}
	marks := []string{" ", " ", " ", ", ", ". ", "? ", " zzz "}
	hits := 0
	for range 500 {
		phrases := map[string]bool{}
		for range 1 + r.IntN(8) {
			p := words[r.IntN(len(words))]
			for range r.IntN(4) {
				p += " " + words[r.IntN(len(words))]
			}
			if r.IntN(4) == 0 {
				p = "^" + p
			}
			if r.IntN(4) == 0 {
				p += "$"
			}
			phrases[p] = true
		}
		var text strings.Builder
		for range r.IntN(14) {
			text.WriteString(words[r.IntN(len(words))] + marks[r.IntN(len(marks))])
		}
		var list strings.Builder
		for _, p := range slices.Sorted(mapKeys(phrases)) {
			list.WriteString(p + "\n")
		}
		l := listOf(t, list.String())
		got := found(l, text.String())
		want := naive(l, phrases, text.String())
		slices.Sort(got)
		slices.Sort(want)
		require.Equal(t, want, got, "phrases:\n%s\ntext: %s", list.String(), text.String())
		hits += len(got)
	}
	assert.Greater(t, hits, 300, "the texts hold too few phrases to test anything")
}

func mapKeys(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// naive compares every phrase with every position.
func naive(l *phraseList, phrases map[string]bool, text string) (all []string) {
	turn := Turn{Text: text}
	tokens := l.Tokenise(&turn, nil)
	word := func(i int) string { return strings.ToLower(text[tokens[i].Start:tokens[i].End]) }
	for phrase := range phrases {
		body, anchored := strings.CutPrefix(phrase, "^")
		body, final := strings.CutSuffix(body, "$")
		parts := strings.Fields(body)
		for i := 0; i+len(parts) <= len(tokens); i++ {
			last := i + len(parts) - 1
			ok := !final || last == len(tokens)-1
			for k, part := range parts {
				ok = ok && word(i+k) == part &&
					(k == 0 || anchored || !tokens[i+k].Is(OpensSentence))
			}
			for k := range i {
				ok = ok && (!anchored || k < MaxFillers && tokens[k].Is(Filler))
			}
			if ok {
				all = append(all, fmt.Sprintf("%d-%d", i, last))
			}
		}
	}
	return all
}
