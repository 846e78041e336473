package heuristics

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/jdkato/prose/v2"
)

// tagger names the part of speech of each word of a sentence. It is the only place that knows prose, and
// it costs: 100 ms and 28 MB before its first word, then some 80 µs a sentence. So it is asked about the few
// that a screen finds suspicious, and a dialogue without one never loads it.
//
// The zero tagger is ready. It is safe for concurrent use.
type tagger struct {
	once  sync.Once
	model *prose.Model // nil where prose could not make one
}

// taggedWord is a word or mark with its Penn Treebank tag.
type taggedWord struct{ text, tag string }

// sentence tags one sentence. It gives nothing where that cannot be done.
func (t *tagger) sentence(s string) []taggedWord {
	t.once.Do(t.load)
	return t.tag(readable(s))
}

// sentences gives the tagged sentences of each turn, in the turns' order; none for a turn that cannot be tagged.
//
// Turns are cut into sentences together, since prose reads 400 kB of rules for each call that cuts: 9 ms. They are
// tagged sentence by sentence, since all occurrences of a word in one call get the tag of the last.
func (t *tagger) sentences(turns []string) [][][]taggedWord {
	t.once.Do(t.load)
	clean := make([]string, len(turns))
	for i, turn := range turns {
		clean[i] = readable(turn)
	}
	all := make([][][]taggedWord, len(turns))
	for i, sentences := range cut(clean) {
		for _, sentence := range sentences {
			if words := t.tag(sentence); words != nil {
				all[i] = append(all[i], words)
			}
		}
	}
	return all
}

// load takes the model out of a first document: prose has no other way to its default model.
func (t *tagger) load() {
	doc, err := prose.NewDocument("x", prose.WithSegmentation(false), prose.WithExtraction(false))
	if err == nil {
		t.model = doc.Model
	}
}

// tag tags a readable sentence. prose panics on texts that readable should have mended; should one slip through,
// its sentence is not tagged.
func (t *tagger) tag(s string) (words []taggedWord) {
	if t.model == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			words = nil
		}
	}()
	doc, err := prose.NewDocument(s, prose.UsingModel(t.model), prose.WithSegmentation(false), prose.WithExtraction(false))
	if err != nil {
		return nil
	}
	for _, token := range doc.Tokens() {
		words = append(words, taggedWord{token.Text, token.Tag})
	}
	return words
}

// cut gives the sentences of each turn. Turns of one sentence cost nothing.
func cut(turns []string) [][]string {
	all := make([][]string, len(turns))
	plain := true
	for i, turn := range turns {
		if turn != "" {
			all[i] = []string{turn}
			plain = plain && strings.IndexFunc(turn[:len(turn)-1], isStop) < 0
		}
	}
	if plain {
		return all
	}
	doc, err := segment(strings.Join(turns, "\n"))
	if err != nil {
		return all
	}
	cuts := make([][]string, len(turns))
	at, rest := 0, turns[0]
	for _, sentence := range doc.Sentences() {
		for piece := range strings.SplitSeq(sentence.Text, "\n") {
			if piece = strings.TrimSpace(piece); piece == "" {
				continue
			}
			for !strings.HasPrefix(rest, piece) {
				if at++; at == len(turns) {
					return all // the pieces are not those of the turns: leave them whole
				}
				rest = turns[at]
			}
			cuts[at] = append(cuts[at], piece)
			rest = strings.TrimSpace(rest[len(piece):])
		}
	}
	return cuts
}

func segment(text string) (doc *prose.Document, err error) {
	return prose.NewDocument(text, prose.WithTokenization(false), prose.WithTagging(false), prose.WithExtraction(false))
}

func isStop(r rune) bool { return r == '.' || r == '!' || r == '?' }

const (
	longestJudged = 2000 // bytes of a turn that are tagged; what is broken shows long before
	longestChunk  = 200  // bytes without a space; prose takes quadratic time in them
)

// readable is a turn as prose can read it: one line of valid UTF-8 in which marks do not pile up, no word is
// endless, every letter keeps its length in lower case (prose cuts words at offsets of their lower-case
// forms), and a space follows the stop before a capital.
func readable(turn string) string {
	var b strings.Builder
	var last rune
	chunk := 0
	for i, r := range turn {
		if i >= longestJudged && last == ' ' || i >= longestJudged+longestChunk {
			break
		}
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			r = ' '
		case r == utf8.RuneError || utf8.RuneLen(unicode.ToLower(r)) != utf8.RuneLen(r):
			continue
		case r == last && !unicode.IsLetter(r) && !unicode.IsDigit(r):
			continue
		case unicode.IsUpper(r) && isStop(last):
			b.WriteByte(' ')
			chunk = 0
		case chunk >= longestChunk:
			continue
		}
		if r == ' ' && (last == ' ' || last == 0) {
			continue
		}
		chunk += utf8.RuneLen(r)
		if r == ' ' {
			chunk = 0
		}
		b.WriteRune(r)
		last = r
	}
	return strings.TrimSpace(b.String())
}
