package text

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ccojocar/zxcvbn-go/data"
)

// Spelling holds the frequency of English words, and common names. The lists are from zxcvbn, which
// uses them to rate passwords: 32,000 words from films and series, 7,000 passwords, which are
// mostly words, and 45,000 names. No other Go package that was considered has words ranked by
// frequency and first names: those for spelling are unranked, unmaintained or download their words.
// All lists are needed: without the passwords, 644 turns instead of 276 are reported as misspelt in
// six sets of dialogues.
//
// The lists are read when the first word is looked up. The zero value is ready to use and safe for
// concurrent use.
type Spelling struct {
	once sync.Once
	// A hash table of words in lower case: their hashes, with marks in place of the lowest bits. A
	// word is at the first free entry from the one that its hash selects.
	words []uint32
	// a bit for some bits of the hash of each frequent word, to reject most others quickly
	filter [1 << 12]uint64
}

// Marks of words.
const (
	frequent  = 1 << iota // common enough to be the intended word
	firstName             // a first name
	marksMask = frequent | firstName
)

const (
	commonWord = 10_000  // a word with a lower rank is frequent
	surest     = 6       // letters from which one wrong letter is a mistake: "naan" is a word
	entries    = 1 << 18 // of the table, about three times the number of words in all lists
)

func (s *Spelling) load() {
	s.words = make([]uint32, entries)
	for _, list := range []string{"English", "Passwords", "MaleNames", "FemaleNames", "Surnames"} {
		file, err := data.Asset("data/" + list + ".json")
		if err != nil {
			panic(fmt.Sprintf("the word list %s: %v", list, err)) // the file is embedded
		}
		_, words, _ := strings.Cut(string(file), "[")
		rank, inside := 0, true
		for word := range strings.SplitSeq(words, `"`) { // every second one is a word in lower case
			if inside = !inside; !inside {
				continue
			}
			key := hashOf(word)
			at := s.place(key)
			s.words[at] |= uint32(key) &^ marksMask
			switch {
			case list == "MaleNames" || list == "FemaleNames":
				s.words[at] |= firstName
			case list != "Surnames" && rank < commonWord:
				s.words[at] |= frequent
				s.filter[key>>6%uint64(len(s.filter))] |= 1 << (key & 63)
			}
			rank++
		}
	}
}

// place returns the index in words of the word with a hash, or of the free entry for it.
func (s *Spelling) place(key uint64) uint64 {
	at := key >> 32 % entries
	for s.words[at] != 0 && (s.words[at]^uint32(key))&^marksMask != 0 {
		at = (at + 1) % entries
	}
	return at
}

// entry returns the entry in words of the word with a hash, or 0 if it is in no list.
func (s *Spelling) entry(key uint64) uint32 { return s.words[s.place(key)] }

// maxLetters is the maximum length of words that are looked up, because the work is quadratic in
// the length.
const maxLetters = 40

// IsName reports whether word, in lower case, is a first name.
func (s *Spelling) IsName(word string) bool {
	s.once.Do(s.load)
	return s.entry(hashOf(word))&firstName != 0
}

// Misspelt reports whether word, in lower case, is unknown and differs from a common word by one
// error: an extra letter, a missing letter, a wrong letter, or two exchanged letters.
func (s *Spelling) Misspelt(word string) bool {
	if len(word) > maxLetters {
		return false
	}
	s.once.Do(s.load)
	return !s.known(word) && s.near(word)
}

// endings, beginnings and british derive words from others, since the lists do not contain every
// form.
var (
	endings    = strings.Fields("s es ed d ing ly er est ness less ful able ment al ation")
	beginnings = strings.Fields("un re non in dis over pre mis out sub inter auto multi")
	british    = strings.NewReplacer("our", "or", "ise", "ize", "isi", "izi", "isa", "iza",
		"yse", "yze", "ogue", "og", "lled", "led", "lling", "ling", "tre", "ter", "grey", "gray")
)

// American returns a word in lower case with the letters that American spelling usually has.
func American(word string) string { return british.Replace(word) }

// known reports whether word is in the lists or can be derived from a word in them.
func (s *Spelling) known(word string) bool {
	is := func(w string) bool { return s.entry(hashOf(w)) != 0 }
	if is(word) || is(American(word)) {
		return true
	}
	for _, ending := range endings {
		stem, cut := strings.CutSuffix(word, ending)
		n := len(stem)
		if cut && n >= 3 && (is(stem) || is(stem+"e") || stem[n-1] == stem[n-2] && is(stem[:n-1]) ||
			stem[n-1] == 'i' && is(stem[:n-1]+"y")) {
			return true
		}
	}
	for _, beginning := range beginnings {
		if rest, cut := strings.CutPrefix(word, beginning); cut && is(rest) {
			return true
		}
	}
	for i := 3; i <= len(word)-3; i++ { // "lockscreen"
		if s.common(hashOf(word[:i])) && s.common(hashOf(word[i:])) {
			return true
		}
	}
	return false
}

// common reports whether the word with a hash is a common one.
func (s *Spelling) common(key uint64) bool {
	return s.filter[key>>6%uint64(len(s.filter))]>>(key&63)&1 != 0 && s.entry(key)&frequent != 0
}

// noHash is the hash of the empty word.
const noHash = 14695981039346656037

// hashOf returns the FNV-1a hash of a word.
func hashOf(word string) uint64 { return hashOn(noHash, word) }

// hashOn returns the hash of a word with more appended, given the hash of the word.
func hashOn(h uint64, more string) uint64 {
	for i := range len(more) {
		h = hashByte(h, more[i])
	}
	return h
}

func hashByte(h uint64, c byte) uint64 { return (h ^ uint64(c)) * 1099511628211 }

// near reports whether word differs from a common word by one error.
func (s *Spelling) near(word string) bool {
	before := uint64(noHash)
	for i := range len(word) + 1 {
		for c := byte('a'); c <= 'z'; c++ {
			with := hashByte(before, c)
			if s.common(hashOn(with, word[i:])) || // one is missing
				// is wrong
				i < len(word) && len(word) >= surest && s.common(hashOn(with, word[i+1:])) {
				return true
			}
		}
		// one too many; before "ed" only a double letter, since "chelated" is not "elated"
		isDouble := i+1 < len(word) && word[i] == word[i+1]
		if i < len(word) && s.common(hashOn(before, word[i+1:])) &&
			(isDouble || !strings.HasSuffix(word, "ed")) {
			return true
		}
		if i+1 < len(word) { // two exchanged
			two := hashByte(hashByte(before, word[i+1]), word[i])
			if s.common(hashOn(two, word[i+2:])) {
				return true
			}
		}
		before = hashOn(before, word[i:min(i+1, len(word))])
	}
	return false
}
