package redact

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed words.txt
var wordsFile string

// kind is a set of the kinds of words in words.txt.
type kind uint64

const (
	phone kind = 1 << iota
	contact
	account
	card
	ending
	expiry
	pin
	code
	password
	phrase
	key
	social
	identity
	mac
	birth
	birthday
	harmless
	version
	address
	mail
	provider
	month
	unit
	filler
	copula
	as
	from
	to
	sent
	typed
	extension
	abbreviation
	ask
	at
	dot
	sign
	notLocal
	plain
	conjunction
	digit
)

// cues are the kinds of words that say what a number or a word near them is.
const cues = phone | contact | account | card | ending | expiry | pin | code | password | phrase |
	key | social | identity | mac | birth | birthday | harmless | version | address

var kinds = map[string]kind{
	"phone": phone, "contact": contact, "account": account, "card": card, "ending": ending,
	"expiry": expiry, "pin": pin, "code": code, "password": password, "phrase": phrase, "key": key,
	"social": social, "id": identity, "mac": mac, "birth": birth, "birthday": birthday,
	"harmless": harmless, "version": version, "address": address, "mail": mail,
	"provider": provider, "month": month, "unit": unit, "filler": filler, "copula": copula,
	"as": as, "from": from, "to": to, "sent": sent, "typed": typed, "extension": extension,
	"abbreviation": abbreviation, "ask": ask, "at": at, "dot": dot, "sign": sign,
	"not local": notLocal, "plain": plain, "conjunction": conjunction, "digit": digit,
	"cue": cues,
}

// word is an entry of the vocabulary.
type word struct {
	kind    kind
	digits  string // that it spells
	repeat  int    // how often it repeats the next digit, such as 2 for "double"
	phrases []wordPhrase
}

// wordPhrase is a phrase by the words after its first one.
type wordPhrase struct {
	rest []string
	kind kind
}

// vocabulary contains the words of words.txt. Each set of kinds that a word has is written as one
// letter in the outline of a text.
type vocabulary struct {
	words    map[string]*word
	letters  map[kind]rune
	sets     []kind              // by letter, from firstLetter on
	literals map[string][]string // the entries of the kinds that are parts of expressions
}

// firstLetter and all letters after it have two bytes in UTF-8.
const firstLetter = '\u0100'

var words = sync.OnceValue(func() *vocabulary {
	v, err := readWords(wordsFile)
	if err != nil {
		panic(err) // the file is embedded
	}
	return v
})

// readWords parses a file of kinds and their phrases.
func readWords(file string) (*vocabulary, error) {
	v := &vocabulary{words: map[string]*word{}, letters: map[kind]rune{},
		literals: map[string][]string{}}
	n := 0
	for line := range strings.Lines(file) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, list, ok := strings.Cut(line, ":")
		if !ok {
			return v, fmt.Errorf("words.txt:%d: no colon after the kind", n)
		}
		for p := range strings.SplitSeq(list, ",") {
			if err := v.add(name, strings.TrimSpace(p)); err != nil {
				return v, fmt.Errorf("words.txt:%d: %w", n, err)
			}
		}
	}
	for _, k := range kinds {
		v.letters[k] = 0
	}
	for _, w := range v.words {
		v.letters[w.kind] = 0
		for _, p := range w.phrases {
			v.letters[p.kind] = 0
		}
	}
	delete(v.letters, 0)
	v.sets = slices.Sorted(maps.Keys(v.letters))
	for i, k := range v.sets {
		v.letters[k] = firstLetter + rune(i)
	}
	return v, nil
}

func (v *vocabulary) add(name, p string) error {
	parts := strings.Fields(fold(p).low)
	if len(parts) == 0 {
		return fmt.Errorf("%s: a phrase is missing or too short", name)
	}
	if name == "prefix" || name == "parameter" {
		v.literals[name] = append(v.literals[name], p)
		return nil
	}
	w := v.words[parts[0]]
	if w == nil {
		w = &word{}
		v.words[parts[0]] = w
	}
	switch k := kinds[name]; {
	case len(name) <= 2 && isDigit(name[0]):
		w.digits = name
		w.kind |= digit
	case name == "double", name == "triple":
		w.repeat = map[string]int{"double": 2, "triple": 3}[name]
		w.kind |= digit
	case k == 0:
		return fmt.Errorf("unknown kind %q", name)
	case len(parts) == 1:
		w.kind |= k
	default:
		w.phrase(parts[1:], k)
	}
	return nil
}

func (w *word) phrase(rest []string, k kind) {
	for i := range w.phrases {
		if slices.Equal(w.phrases[i].rest, rest) {
			w.phrases[i].kind |= k
			return
		}
	}
	w.phrases = append(w.phrases, wordPhrase{rest, k})
}

// class returns the letters of all sets that contain one of the kinds, for use in a character
// class.
func (v *vocabulary) class(k kind) string {
	var b strings.Builder
	for i, set := range v.sets {
		if set&k != 0 {
			b.WriteRune(firstLetter + rune(i))
		}
	}
	return b.String()
}

// kindOf returns the kinds that a letter of an outline stands for.
func (v *vocabulary) kindOf(r rune) kind {
	if i := int(r - firstLetter); 0 <= i && i < len(v.sets) {
		return v.sets[i]
	}
	return 0
}
