package heuristics

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/jdkato/prose/v2"
)

// tagger names the part of speech of each word of a sentence. It is the only place that knows
// prose, and it costs: 100 ms and 28 MB before its first word, then some 80 µs a sentence. So it is
// asked about heaps of words only, and a dialogue without one never loads it.
//
// The zero tagger is ready. It is safe for concurrent use.
type tagger struct {
	once  sync.Once
	model *prose.Model // nil where prose could not make one
}

// tags gives the Penn Treebank tags of the words and marks of one sentence. It gives nothing where
// that cannot be done. prose panics on texts that readable should have mended; should one slip
// through, its sentence is not tagged.
func (t *tagger) tags(sentence string) (tags []string) {
	t.once.Do(func() { // the model comes out of a first document: prose has no other way to it
		doc, err := prose.NewDocument("x", prose.WithSegmentation(false),
			prose.WithExtraction(false))
		if err == nil {
			t.model = doc.Model
		}
	})
	if t.model == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			tags = nil
		}
	}()
	doc, err := prose.NewDocument(readable(sentence), prose.UsingModel(t.model),
		prose.WithSegmentation(false), prose.WithExtraction(false))
	if err != nil {
		return nil
	}
	for _, token := range doc.Tokens() {
		tags = append(tags, token.Tag)
	}
	return tags
}

func isStop(r rune) bool { return r == '.' || r == '!' || r == '?' }

const (
	longestJudged = 2000 // bytes of a turn that are tagged; what is broken shows long before
	longestChunk  = 200  // bytes without a space; prose takes quadratic time in them
)

// readable is a turn as prose can read it: one line of valid UTF-8 in which marks do not pile up,
// no word is endless, every letter keeps its length in lower case (prose cuts words at offsets of
// their lower-case forms), and a space follows the stop before a capital.
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
