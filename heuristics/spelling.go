package heuristics

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/ccojocar/zxcvbn-go/data"

	"assize/rubric/dialogue"
)

// spelling knows English words by their frequency, and common names. The lists come from zxcvbn, which rates passwords
// by them: 32,000 words from films and series, 7,000 passwords, which are mostly words, and 45,000 names. They are read
// when the first word is looked up. The zero spelling is ready to use and safe for concurrent use.
type spelling struct {
	once  sync.Once
	ranks map[string]int // by word in lower case: its place among English words, or unranked
}

const (
	unranked   = 1 << 30
	commonWord = 10_000 // a word of a lower rank is common enough to be what was meant
	shortest   = 4      // letters; a shorter word is an abbreviation as often as a mistake
	mostSpelt  = 300    // words of one dialogue that are looked up, which bounds the time
)

func (s *spelling) load() {
	s.ranks = map[string]int{}
	for _, list := range []string{"English", "Passwords", "MaleNames", "FemaleNames", "Surnames"} {
		var content struct{ List []string }
		file, err := data.Asset("data/" + list + ".json")
		if err == nil {
			err = json.Unmarshal(file, &content)
		}
		if err != nil {
			panic(fmt.Sprintf("the word list %s: %v", list, err)) // it is part of the program
		}
		for i, word := range content.List {
			if list != "English" && list != "Passwords" {
				i = unranked
			}
			word = strings.ToLower(word)
			if old, ok := s.ranks[word]; !ok || i < old {
				s.ranks[word] = i
			}
		}
	}
}

// misspelt reports whether word, in lower case, is unknown while a common word is one slip away: a letter too many, a
// letter missing, a wrong letter, or two letters exchanged.
func (s *spelling) misspelt(word string) bool {
	s.once.Do(s.load)
	return !s.known(word) && s.near(word)
}

// endings, beginnings and british derive words from others, since the lists do not hold every form.
var (
	endings = []string{
		"s", "es", "ed", "d", "ing", "ly", "er", "est", "ness", "less", "ful", "able", "ment", "al", "ation",
	}
	beginnings = []string{"un", "re", "non", "in", "dis", "over", "pre", "mis", "out", "sub", "inter", "auto", "multi"}
	british    = strings.NewReplacer("our", "or", "ise", "ize", "isi", "izi", "isa", "iza", "yse", "yze", "ogue", "og",
		"lled", "led", "lling", "ling", "tre", "ter")
)

// known reports whether word is in the lists or can be derived from a word that is.
func (s *spelling) known(word string) bool {
	is := func(w string) bool { _, ok := s.ranks[w]; return ok }
	if is(word) || is(british.Replace(word)) {
		return true
	}
	for _, ending := range endings {
		stem, cut := strings.CutSuffix(word, ending)
		n := len(stem)
		if !cut || n < 3 {
			continue
		}
		doubled := stem[n-1] == stem[n-2] && is(stem[:n-1])
		if is(stem) || is(stem+"e") || doubled || stem[n-1] == 'i' && is(stem[:n-1]+"y") {
			return true
		}
	}
	for _, beginning := range beginnings {
		if rest, cut := strings.CutPrefix(word, beginning); cut && is(rest) {
			return true
		}
	}
	for i := 3; i <= len(word)-3; i++ { // "lockscreen"
		if s.common(word[:i]) && s.common(word[i:]) {
			return true
		}
	}
	return false
}

// common reports whether word is one of the frequent words.
func (s *spelling) common(word string) bool {
	rank, ok := s.ranks[word]
	return ok && rank < commonWord
}

// near reports whether a common word is one slip away from word.
func (s *spelling) near(word string) bool {
	for i := range len(word) + 1 {
		before, behind := word[:i], word[i:]
		if behind != "" && s.common(before+behind[1:]) {
			return true
		}
		if len(behind) > 1 && s.common(before+behind[1:2]+behind[:1]+behind[2:]) {
			return true
		}
		for c := 'a'; c <= 'z'; c++ {
			if behind != "" && s.common(before+string(c)+behind[1:]) || s.common(before+string(c)+behind) {
				return true
			}
		}
	}
	return false
}

// findMisspelt reports the first misspelt word of each turn of the SYSTEM. A word with a capital is taken for a name, a
// word with digits or marks for a code, and a word that occurs twice for a term of the topic.
func findMisspelt(s *analysis, det *detector) {
	times := map[uint32]int{} // by stem, over the dialogue
	for i := range s.turns {
		for _, tok := range s.turns[i].tokens {
			if tok.word == 0 {
				times[tok.stem]++
			}
		}
	}
	looked := 0
	for i, t := range s.spoken(dialogue.System) {
		for k, tok := range t.tokens {
			word := t.word(k)
			judged := tok.word == 0 && len(word) >= shortest && times[tok.stem] == 1 && lowercase(word) && t.plainWord(k)
			if judged && looked < mostSpelt {
				if looked++; s.spelling.misspelt(word) {
					s.emit(det, i, k, k)
					break
				}
			}
		}
	}
}

// lowercase reports whether word has no letters but a to z.
func lowercase(word string) bool {
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == ""
}
