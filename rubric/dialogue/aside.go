package dialogue

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed aside.txt
var asideFile string

// asideWords are the words that tell by a field's name that it is no metadata.
var asideWords = sync.OnceValue(func() map[string]asideKind {
	kinds := map[string]asideKind{"judgement": judgement, "text": words}
	all := make(map[string]asideKind)
	for line := range strings.Lines(asideFile) {
		kind, word, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || kind == "#" {
			continue
		}
		if kinds[kind] == 0 {
			panic("aside.txt: " + line) // the file is ours
		}
		all[word] |= kinds[kind]
	}
	return all
})

type asideKind uint8

const (
	judgement asideKind = 1 << iota // anywhere in a name
	words                           // at the end of a name
)

// setAside reports whether a field is no metadata by its name: what people said about the dialogue is its Truth, which
// nothing but the ratings that the format has a place for may carry, and what was said in it are its turns.
func setAside(name string) bool {
	all := asideWords()
	parts := append(nameWords(name), foldColumn(name))
	if slices.ContainsFunc(parts, func(w string) bool { return all[w]&judgement != 0 }) {
		return true
	}
	last := max(len(parts)-2, 0)
	return slices.ContainsFunc(parts[last:], func(w string) bool { return all[w]&words != 0 })
}

// nameWords gives the words of a name in lower case: "customerCSAT_score" has customer, csat and score.
func nameWords(name string) []string {
	var list []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			list = append(list, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(name[:min(len(name), maxName)])
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, r)
	}
	end()
	return list
}
