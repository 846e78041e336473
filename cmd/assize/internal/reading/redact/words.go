package redact

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed words.txt
var wordsFile string

// sense is what a word says about its neighbours. A word may have several senses.
type sense uint64

const (
	phone sense = 1 << iota
	contact
	account
	card
	ending
	expiry
	pin
	password
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
	month
	unit
	filler
	copula
	abbreviation
	ask
	at
	dot
	sign
	notLocal
	provider
	plain
	conjunction
)

// cues are the senses that say what a number is.
const cues = phone | contact | account | card | ending | expiry | pin | password | key | social |
	identity | mac | birth | birthday | harmless | version | address

var senses = map[string]sense{
	"phone": phone, "contact": contact, "account": account, "card": card, "ending": ending,
	"expiry": expiry, "pin": pin, "password": password, "key": key, "social": social,
	"id": identity, "mac": mac, "birth": birth, "birthday": birthday, "harmless": harmless,
	"version": version, "address": address, "mail": mail, "month": month, "unit": unit,
	"filler": filler, "copula": copula, "abbreviation": abbreviation, "ask": ask, "at": at,
	"dot": dot, "sign": sign, "not local": notLocal, "provider": provider, "plain": plain,
	"conjunction": conjunction,
}

// word is an entry of the vocabulary.
type word struct {
	sense   sense
	digits  string   // that it spells
	repeat  int      // how often it repeats the next digit, such as 2 for "double"
	phrases []phrase // that begin with it
}

type phrase struct {
	rest  []string
	sense sense
}

type vocabulary struct {
	words      map[string]*word
	parameters map[string]bool
	prefixes   map[string][]string // of keys, by their first two letters
}

var words = sync.OnceValue(func() vocabulary {
	v, err := readWords(wordsFile)
	if err != nil {
		panic(err) // the file is embedded
	}
	return v
})

// readWords parses a file of kinds and their phrases.
func readWords(file string) (vocabulary, error) {
	v := vocabulary{map[string]*word{}, map[string]bool{}, map[string][]string{}}
	n := 0
	for line := range strings.Lines(file) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		kind, list, ok := strings.Cut(line, ":")
		if !ok {
			return v, fmt.Errorf("words.txt:%d: no colon after the kind", n)
		}
		for p := range strings.SplitSeq(list, ",") {
			if err := v.add(kind, strings.TrimSpace(p)); err != nil {
				return v, fmt.Errorf("words.txt:%d: %w", n, err)
			}
		}
	}
	return v, nil
}

func (v *vocabulary) add(kind, p string) error {
	if len(p) < 1 || kind == "prefix" && len(p) < 2 {
		return fmt.Errorf("%s: a phrase is missing or too short", kind)
	}
	switch kind {
	case "prefix":
		v.prefixes[p[:2]] = append(v.prefixes[p[:2]], p)
		return nil
	case "parameter":
		v.parameters[p] = true
		return nil
	}
	parts := strings.Fields(fold(p).low)
	if len(parts) == 0 {
		return fmt.Errorf("%s: %q has no letters", kind, p)
	}
	w := v.words[parts[0]]
	if w == nil {
		w = &word{}
		v.words[parts[0]] = w
	}
	switch s := senses[kind]; {
	case len(kind) <= 2 && isDigit(kind[0]) && len(parts) == 1:
		w.digits = kind
	case kind == "double":
		w.repeat = 2
	case kind == "triple":
		w.repeat = 3
	case s == 0:
		return fmt.Errorf("unknown kind %q", kind)
	case len(parts) == 1:
		w.sense |= s
	default:
		w.phrase(parts[1:], s)
	}
	return nil
}

func (w *word) phrase(rest []string, s sense) {
	for i := range w.phrases {
		if strings.Join(w.phrases[i].rest, " ") == strings.Join(rest, " ") {
			w.phrases[i].sense |= s
			return
		}
	}
	w.phrases = append(w.phrases, phrase{rest, s})
}
