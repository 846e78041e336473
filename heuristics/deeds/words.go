package deeds

import (
	"fmt"
	"slices"
	"strings"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
)

// deeds is a set of deeds, which are the actions numbered in lexicon/words-tools.txt.
type deeds uint64

// maxDeeds is the maximum number of deeds.
const maxDeeds = 64

// toolWord is the entry of a word in lexicon/words-tools.txt.
type toolWord struct {
	verb, said, noun deeds
	marks            toolMarks
}

type toolMarks uint64

const (
	doesAny   toolMarks = 1 << iota // in the name of a tool: it may do any deed
	claimsAny                       // said by the SYSTEM: some deed is done
	light                           // in the name of a tool: it may do the deed of its noun
	reads                           // in the name of a tool: it changes nothing
	about                           // in a name without a verb: it changes nothing
	effect                          // in the name of a member: the deed was done
	applies                         // said by the SYSTEM: something is asked for
	doer                            // the subject of a claim
	others                          // the subject of a report about somebody else
	notYet                          // a deed after it is still to come
	perfect                         // "have" of "I have cancelled"
	passive                         // "is" of "it is cancelled"
	toCome                          // "will"
	possible                        // "can": a deed after it is only possible
	between                         // may be between these
	excepts                         // what follows was not done
	reports                         // what follows is somebody's words
	phrasal                         // claims a deed with a particle: "taken" with "off"
	ableTo                          // a deed after it and "to" was done: "managed to"
	particle                        // such as "off"
	looks                           // a participle of what changes nothing
	phones                          // a number to call or of a card follows, or a promise
	stays                           // the amount in its clause is not part of the deed
	usual                           // the sentence says how things go in general
	ofAmount                        // in the name of an argument: it is an amount
	ofPeople                        // it is a number of people
	ofThings                        // it is a number of things
	ofFee                           // it is a fee
	ofName                          // it is somebody's name
	ofChoice                        // it is one of several places or plans
	saysOn                          // something is on, in a claim or the name of an argument
	saysOff                         // it is off
	ofUnit                          // in it, or a claim: a unit of what is measured
	commands                        // it is the verb of what the tool is to do
)

// toolMarkNames are the keywords at the beginning of lines in lexicon/words-tools.txt, in the order
// of the marks.
var toolMarkNames = strings.Fields("any done light reads about effect asks who others unless has " +
	"be will may between but told phrasal able particle looks phone stays usual amount people " +
	"things fee name choice on off unit command")

// is reports whether a word has a mark.
func (w toolWord) is(mark toolMarks) bool { return w.marks&mark != 0 }

// Words are the words in lexicon/words-tools.txt.
type Words struct {
	words  map[string]toolWord
	idioms map[string][]idiom // by their first word
	count  int                // the number of deeds
	idiom  deeds              // of the idioms that are read
	units  *quantity.Words    // with the units of time
}

// NewWords returns no words yet. The argument units holds the units of time.
func NewWords(units *quantity.Words) *Words {
	return &Words{words: map[string]toolWord{}, idioms: map[string][]idiom{}, units: units}
}

// Add parses a line of lexicon/words-tools.txt.
func (w *Words) Add(line string) error {
	kind, words, _ := strings.Cut(line, " ")
	if kind == "deed" {
		if w.count++; w.count > maxDeeds {
			return fmt.Errorf("more than %d deeds", maxDeeds)
		}
	}
	deed := deeds(1) << max(0, w.count-1)
	switch kind {
	case "done": // idioms below it claim any deed
		w.idiom = 0
	case "deed":
		w.idiom = deed
	case "idiom":
		var one idiom
		for word := range strings.FieldsSeq(words) {
			one.words = append(one.words, strings.Split(word, "|"))
		}
		one.deeds = w.idiom
		for _, first := range one.words[0] {
			w.idioms[first] = append(w.idioms[first], one)
		}
		return nil
	}
	for word := range strings.FieldsSeq(words) {
		of := w.words[word]
		switch kind {
		case "deed":
			of.verb |= deed
		case "said":
			of.said |= deed
		case "noun":
			of.noun |= deed
		default:
			n := slices.Index(toolMarkNames, kind)
			if n < 0 {
				return fmt.Errorf("unknown kind of words %q; want one of %q", kind, toolMarkNames)
			}
			of.marks |= 1 << n
		}
		w.words[word] = of
	}
	return nil
}

// toolWordOf returns the entry of a word in the singular.
func (l *Words) toolWordOf(word string) toolWord {
	w, known := l.words[word]
	if single, plural := strings.CutSuffix(word, "s"); !known && plural {
		one := l.words[single]
		w.noun, w.marks = one.noun, one.marks&(effect|ofAmount|ofPeople|ofThings)
	}
	return w
}

// marksOf returns the marks of the words in the name of an argument.
func (l *Words) marksOf(name string) (w toolWord) {
	text.EachWord(name, func(word string) { w.marks |= l.words[word].marks })
	return w
}
