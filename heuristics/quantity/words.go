package quantity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/heuristics/text"
)

// The lists of single words in lexicon/words-*.txt, as the reading of values, tools, opposites and
// languages needs them.

// wordKind is the function of a word in a value.
type wordKind uint8

// wordKindNames are the kinds in lexicon/words-values.txt, in the order of the constants.
var wordKindNames = strings.Fields("- - weekday relative month number ordinal unit party money " +
	"pays half noon oclock fraction past loose at for of the on into asks spoken")

const (
	WordNone wordKind = iota
	wordDigits
	wordWeekday
	wordRelative
	wordMonth
	WordNumber
	wordOrdinal
	WordUnit
	wordParty
	wordMoney
	wordPays
	wordHalf
	wordNoon
	wordOclock
	wordFraction
	wordPast
	wordLoose
	wordAt
	wordFor
	wordOf
	wordThe
	wordOn
	wordInto
	WordAsks
	wordSpoken // only part of a longer number: see spokenNumber
)

// unitPeople is the unit of "a table for 4", as numbered in lexicon/words-values.txt.
const unitPeople = 1

// OfPeople is the slot of a number of people.
var OfPeople = Slot{Count, unitPeople}

// Word is a word in lexicon/words-values.txt. A word may have two functions, such as "after"
// in "quarter after nine" and "after nine": loose holds the second.
type Word struct {
	Kind  wordKind
	N     uint8
	loose bool
}

// Words are the words in lexicon/words-values.txt and lexicon/words-facts.txt.
type Words struct {
	values []Word // by word number
	facts  map[string]factWord
}

// ValueOf returns the function of a word in a value, or the zero Word.
func (w *Words) ValueOf(tok text.Token) Word {
	if int(tok.Word) < len(w.values) {
		return w.values[tok.Word]
	}
	return Word{}
}

// AddValues parses a line of lexicon/words-values.txt.
func (w *Words) AddValues(v text.Vocabulary, line string) error {
	f := strings.Fields(line)
	kind := wordKind(max(0, slices.Index(wordKindNames, f[0])))
	if kind <= wordDigits {
		return fmt.Errorf("unknown kind of value word %q; want one that words.go names", f[0])
	}
	n, err := strconv.ParseUint(f[1], 10, 8)
	if err != nil {
		return err
	}
	for _, word := range f[2:] {
		at := int(v.Enter(word, 0))
		w.values = append(w.values, make([]Word, max(0, at+1-len(w.values)))...)
		if of := &w.values[at]; kind == wordLoose {
			of.loose = true
		} else {
			of.Kind, of.N = kind, uint8(n)
		}
	}
	return nil
}

// factWord is the entry of a word in lexicon/words-facts.txt: its kinds, such as "over", and the
// minutes of a unit of time.
type factWord struct {
	kinds   []string
	minutes int64
}

// is reports whether the word is of one of some kinds.
func (w factWord) is(kinds ...string) bool {
	return slices.ContainsFunc(w.kinds, func(k string) bool { return slices.Contains(kinds, k) })
}

// MinutesIn returns the minutes in a unit of time, or 0 for another word.
func (w *Words) MinutesIn(unit string) uint64 { return uint64(w.facts[unit].minutes) }

// AddFacts parses a line of lexicon/words-facts.txt.
func (w *Words) AddFacts(line string) error {
	if w.facts == nil {
		w.facts = map[string]factWord{}
	}
	kind, words, _ := strings.Cut(line, " ")
	kinds := []string{"over", "under", "past", "near", "working", "calendar"}
	minutes, err := strconv.ParseInt(kind, 10, 64)
	if err != nil && !slices.Contains(kinds, kind) {
		return fmt.Errorf("unknown kind %q; want minutes or one of %s", kind,
			strings.Join(kinds, ", "))
	}
	for word := range strings.FieldsSeq(words) {
		of := w.facts[word]
		w.facts[word] = factWord{append(of.kinds, kind), max(of.minutes, minutes)}
	}
	return nil
}
