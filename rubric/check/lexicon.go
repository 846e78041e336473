package check

import (
	"strings"
	"unicode/utf8"

	"assize/rubric"
)

// word is a word of a text: where it stands, and its number in the lexicon of a transcript.
type word struct {
	start, end int
	id         int32 // 0 for a word that the transcript does not have
}

// lexicon is the words of a transcript.
type lexicon struct {
	ids   map[string]int32 // by folded word; from 1
	turns [][]word
}

// number splits the turns into words and numbers those.
func (t *Transcript) number() *lexicon {
	l := &lexicon{ids: map[string]int32{}, turns: make([][]word, len(t.dialogue.Turns))}
	for i, turn := range t.dialogue.Turns {
		words := splitWords(turn.Text)
		for j := range words {
			key := foldWord(turn.Text[words[j].start:words[j].end])
			id, ok := l.ids[key]
			if !ok {
				id = int32(len(l.ids) + 1)
				l.ids[key] = id
			}
			words[j].id = id
		}
		l.turns[i] = words
	}
	return l
}

// read splits a quote into at most so many words and gives each its number.
func (l *lexicon) read(s string, most int) []word {
	words := splitWords(s)
	words = words[:min(len(words), most)]
	for i := range words {
		words[i].id = l.ids[foldWord(s[words[i].start:words[i].end])]
	}
	return words
}

// foldWord folds a word.
func foldWord(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return rubric.Fold(s).String()
		}
	}
	return strings.ToLower(s) // it has no mark that folding would change
}

// splitWords finds the words of a text. What folding would remove, HTML tags and entities, holds none.
func splitWords(s string) []word {
	words := make([]word, 0, len(s)/5)
	for i := 0; i < len(s); {
		if s[i] == '<' || s[i] == '&' {
			i += markupAt(s[i:])
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isLetter(r) {
			i += size
			continue
		}
		end := wordEnd(s, i)
		words = append(words, word{start: i, end: end})
		i = end
	}
	return words
}

// wordEnd finds where the word ends that begins at byte i: don't and 7:30 are one.
func wordEnd(s string, i int) int {
	var last rune
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isLetter(r) {
			next, _ := utf8.DecodeRuneInString(s[i+size:])
			inside := (r == '\'' || r == '’') && isLetter(next) || (r == '.' || r == ',' || r == ':') && isDigit(last) && isDigit(next)
			if !inside {
				break
			}
		}
		last = r
		i += size
	}
	return i
}

// markupAt gives the length of the tag or the entity that a text begins with; 1 for none.
func markupAt(s string) int {
	const longestTag, longestEntity = 256, 10
	if s[0] == '&' {
		if end := strings.IndexByte(s[:min(len(s), longestEntity)], ';'); end > 1 && strings.IndexByte(s[:end], ' ') < 0 {
			return end + 1
		}
		return 1
	}
	if len(s) > 1 && (isLetter(rune(s[1])) || s[1] == '/') {
		if end := strings.IndexByte(s[:min(len(s), longestTag)], '>'); end > 0 {
			return end + 1
		}
	}
	return 1
}
