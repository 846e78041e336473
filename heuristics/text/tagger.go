package text

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/jdkato/prose/v2"
)

// Tagger returns the part of speech of each word in a sentence. Only this type uses the package
// prose, which is slow: 100 ms and 28 MB before its first word, then about 80 µs per sentence.
// Therefore it is used only for sequences without function words, and a dialogue without one never
// loads it.
//
// The zero tagger is ready to use. It is safe for concurrent use.
type Tagger struct {
	once  sync.Once
	model *prose.Model // nil if prose could not create one
}

// Tags returns the Penn Treebank tags of the words and marks in a sentence, or nil if it cannot be
// tagged. The package prose panics on some texts, which readable should have changed. If one gets
// through, its sentence is not tagged.
func (t *Tagger) Tags(sentence string) (tags []string) {
	t.once.Do(func() { // prose can only create the model with a first document
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

const (
	longestJudged = 2000 // bytes of a turn that are tagged; a broken sentence shows long before
	longestChunk  = 200  // bytes without a space; the time of prose is quadratic in them
)

// readable returns a turn in a form that prose can read: one line of valid UTF-8 without repeated
// marks or very long words. Every letter keeps its length in lower case (prose cuts words at the
// offsets of their lower-case forms), and a space follows the stop before a capital.
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
		case unicode.IsUpper(r) && strings.ContainsRune(".!?", last):
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
