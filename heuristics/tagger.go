package heuristics

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/jdkato/prose/v2"
)

// tagger names the part of speech of each word of a sentence. It is the only place that knows prose, and
// it costs: 100 ms and 28 MB before its first word, then some 80 µs a sentence. So it is asked about heaps
// of words only, and a dialogue without one never loads it.
//
// The zero tagger is ready. It is safe for concurrent use.
type tagger struct {
	once  sync.Once
	model *prose.Model // nil where prose could not make one

	mu    sync.Mutex
	known map[string]oddness // of sentences that were tagged: those of a program come again and again
}

const (
	mostKnown    = 4096 // sentences that are remembered, and the bytes of the longest: 1.5 MB
	longestKnown = 300
)

// odd gives what weigh makes of the tags of a sentence.
func (t *tagger) odd(sentence string, weigh func([]taggedWord) oddness) oddness {
	t.mu.Lock()
	o, ok := t.known[sentence]
	t.mu.Unlock()
	if ok {
		return o
	}
	o = weigh(t.sentence(sentence))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[string]oddness{}
	}
	if len(t.known) < mostKnown && len(sentence) <= longestKnown {
		t.known[strings.Clone(sentence)] = o
	}
	return o
}

// taggedWord is a word or mark with its Penn Treebank tag.
type taggedWord struct{ text, tag string }

// sentence tags one sentence. It gives nothing where that cannot be done. prose panics on texts that readable should
// have mended; should one slip through, its sentence is not tagged.
func (t *tagger) sentence(s string) (words []taggedWord) {
	t.once.Do(func() { // the model comes out of a first document: prose has no other way to it
		doc, err := prose.NewDocument("x", prose.WithSegmentation(false), prose.WithExtraction(false))
		if err == nil {
			t.model = doc.Model
		}
	})
	if t.model == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			words = nil
		}
	}()
	doc, err := prose.NewDocument(readable(s), prose.UsingModel(t.model),
		prose.WithSegmentation(false), prose.WithExtraction(false))
	if err != nil {
		return nil
	}
	for _, token := range doc.Tokens() {
		words = append(words, taggedWord{token.Text, token.Tag})
	}
	return words
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
