package deeds

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/forms"
)

//go:embed forms.txt
var formsFile string

// form returns the expression of that name in forms.txt.
var form = forms.In(formsFile, forms.None)

// deeds is a set of deeds, which are the actions numbered in lexicon/words-tools.txt, at most 64.
type deeds uint64

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
	posts                           // said by the SYSTEM: a message is sent
	waits                           // said by the SYSTEM: something is pending
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
	ends                            // last digits follow, or in the name of an argument
	phones                          // a number to call or of a card follows, or a promise
	stays                           // the amount in its clause is not part of the deed
	near                            // the figure after it is rounded
	usual                           // the sentence says how things go in general
	definite                        // what it names is known
	itself                          // a participle of what also happens by itself
	ofAmount                        // in the name of an argument: it is an amount
	ofHolding                       // it is no price, such as a balance
	ofPeople                        // it is a number of people
	ofThings                        // it is a number of things
	ofFee                           // it is a fee
	ofAddress                       // it is whom to send to
	ofName                          // it is somebody's name
	ofHandle                        // it is a login or the like
	ofChoice                        // it is one of several places or plans
	saysOn                          // something is on, in a claim or the name of an argument
	saysOff                         // it is off
	ofUnit                          // in it, or a claim: a unit of what is measured
	commands                        // it is the verb of what the tool is to do
	writes                          // in the name of a tool: it only writes things down
	makes                           // in the name of a tool: it only makes what its last word says
)

// toolMarkNames are the keywords at the beginning of lines in lexicon/words-tools.txt, in the order
// of the marks.
var toolMarkNames = strings.Fields("any done light reads about effect asks posts waits who " +
	"others unless has be will may between but told phrasal able particle looks ends phone " +
	"stays near usual definite itself amount holding people things fee sendee name handle choice " +
	"on off unit command writes makes")

// is reports whether a word has a mark.
func (w toolWord) is(mark toolMarks) bool { return w.marks&mark != 0 }

// Words are the words in lexicon/words-tools.txt.
type Words struct {
	words    map[string]toolWord
	idioms   map[string][]idiom // by their first word
	variants map[string]variant // the words of lists of which only one can be
	undoing  map[uint32]variant // the verbs that undo each other, as actOf does
	lists    int
	count    int             // the number of deeds
	idiom    deeds           // of the idioms that are read
	posted   deeds           // those by which messages are sent
	units    *quantity.Words // with the units of time
}

// NewWords returns no words yet. The argument units holds the units of time.
func NewWords(units *quantity.Words) *Words {
	return &Words{words: map[string]toolWord{}, idioms: map[string][]idiom{}, units: units,
		variants: map[string]variant{}, undoing: map[uint32]variant{}}
}

// Add parses a line of lexicon/words-tools.txt.
func (w *Words) Add(line string) error {
	kind, words, _ := strings.Cut(line, " ")
	if kind == "deed" {
		w.count++
	}
	deed := deeds(1) << max(0, w.count-1)
	switch kind {
	case "done": // idioms below it claim any deed
		w.idiom = 0
	case "deed":
		w.idiom = deed
	case "posts":
		w.posted |= deed
	case "variants", "opposites":
		w.lists++
		for n, names := range strings.Fields(words) {
			for name := range strings.SplitSeq(names, "|") {
				v := variant{w.lists, n, text.IsUpper(name[0])}
				if kind == "opposites" {
					w.undoing[actOf(name)] = v
				} else {
					w.variants[strings.ToLower(name)] = v
				}
			}
		}
		return nil
	case "idiom", "idioms", "state":
		one := idiom{deeds: w.idiom, isState: kind == "state"}
		if kind == "idioms" { // of the deeds of some verbs
			verbs, rest, _ := strings.Cut(words, " ")
			one.deeds, words = 0, rest
			for verb := range strings.SplitSeq(verbs, "|") {
				one.deeds |= w.words[verb].verb
			}
		}
		for word := range strings.FieldsSeq(words) {
			one.words = append(one.words, strings.Split(word, "|"))
		}
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
		w.noun, w.marks = one.noun, one.marks&(effect|ofAmount|ofFee|ofPeople|ofThings)
	} else if !known && len(word) > 4 && strings.HasSuffix(word, "ly") { // "permanently"
		w.marks = between
	}
	return w
}

// variant is a word of a list such as that of sizes: the number of the list, from 1, and its own,
// which its synonyms share.
type variant struct {
	list, n int
	isName  bool // it has a capital
}

// making returns the deeds by which something comes to be.
func (l *Words) making() deeds {
	return l.words["add"].verb | l.words["book"].verb | l.words["open"].verb
}

// marksOf returns what the words in the name of a member claim and their marks.
func (l *Words) marksOf(name string) (w toolWord) {
	text.EachWord(name, func(word string) {
		of := l.words[word]
		w.marks, w.said = w.marks|of.marks, w.said|of.said
	})
	return w
}

// idiom is a sequence of words that claims a deed without a verb. Each word has alternatives.
type idiom struct {
	words   [][]string
	deeds   deeds // 0 for any
	isState bool  // it may be known without a call
}

// toolCall is a call of a tool and its effect, as far as its words show.
type toolCall struct {
	*dialogue.ToolUse
	Says    dialogue.Result
	deeds   deeds           // the deeds it does
	shown   deeds           // the deeds that its result says are done
	shows   bool            // its result has a word that may mean any deed
	denied  deeds           // the deeds that its result says are not
	changes bool            // it changes something
	reads   bool            // it only reads; if neither, the effect is unclear
	any     bool            // its verb may do any deed
	writes  bool            // it is a ticket, a note or the like, which only speaks of deeds
	made    uint32          // the stem of what it makes: "label" in create_label; or 0
	verb    string          // an argument's word for what to do, or for the state to set
	acts    []uint32        // of the words in its name: see actOf
	nouns   []uint32        // stems of the other words in its name, and of words in its arguments
	codes   []uint32        // stems of the numbers and codes in its arguments, then in its result
	asked   int             // how many of the codes are in its arguments
	objects []string        // the codes in its arguments, other than amounts
	values  []uint32        // stems of the words and codes that are values of its arguments
	figures *figuresIn      // see figuresOfCall
	folded  [2]string       // see words
	result  []string        // see isMisquoted
	failed  map[uint32]bool // see named
	held    map[uint32]bool // see named
	told    int             // the turn of which hasTold is known, from 1
	hasTold bool            // that turn has one of its booking codes
}

// Limits on a call: the nouns and the codes that are read, and the words of a result.
const (
	maxNouns    = 24
	maxCodes    = 48
	maxResult   = 4000
	minCode     = 2 // characters
	maxShort    = 3
	maxRecords  = 4 << 10
	maxQuantity = 7 // digits of an amount or a quantity; a longer figure is a reference
)

// stemOf returns the stem of a word in lower case.
func stemOf(word string) uint32 {
	if strings.HasSuffix(word, "ings") { // readings
		word = word[:len(word)-1]
	}
	return text.Stem([]byte(word))
}

// actOf returns the stem of a verb that is in no list, as in the name of a tool or as a participle:
// "mute" and "muted", "unenrol" and "unenrolled".
func actOf(word string) uint32 {
	for _, ending := range [...]string{"ing", "ed", "ion", "e"} {
		if rest, found := strings.CutSuffix(word, ending); found && len(rest) > 2 {
			word = rest
			break
		}
	}
	if n := len(word); n > 2 && word[n-1] == word[n-2] {
		word = word[:n-1]
	}
	return stemOf(word)
}

// readCall returns the effect of a call.
func (l *Words) readCall(u *dialogue.ToolUse) toolCall {
	c, name := toolCall{ToolUse: u}, u.Name
	arguments := u.Arguments[:min(len(u.Arguments), maxRecords)]
	if m := form("graphql").FindStringSubmatch(arguments); m != nil {
		name = m[1]
	}
	renamed := *u
	renamed.Name = name
	c.Says = renamed.Read()
	c.shown, c.shows = l.deedsIn(c.Says.Holds)
	c.denied, _ = l.deedsIn(c.Says.Denies)
	c.denied &^= c.shown
	quoted, verb, state := l.quoted(arguments)
	c.verb = cmp.Or(verb, state)
	var pure, first, nouns deeds
	marks := toolMarks(0)
	text.EachWord(form("check-in").ReplaceAllString(name, "checkin$1")+" "+verb, func(word string) {
		w := l.toolWordOf(word)
		marks, nouns = marks|w.marks, nouns|w.noun
		if w.verb != 0 && w.noun == 0 {
			pure |= w.verb
		} else if first == 0 {
			first = w.verb
		}
		if w.is(doesAny | reads | about) {
			return
		}
		c.made = stemOf(strings.TrimSuffix(word, "s"))
		c.acts = append(c.acts, actOf(word))
		if w.verb == 0 {
			c.nouns = append(c.nouns, stemOf(word))
		}
	})
	named := toolWord{marks: marks}
	if c.any, c.deeds = named.is(doesAny), pure; pure == 0 && !c.any {
		c.deeds = first
	}
	if named.is(light) {
		c.deeds |= nouns
	}
	c.reads, c.writes = named.is(reads), named.is(writes)
	if !named.is(makes) {
		c.made = 0
	}
	text.EachWord(arguments, func(word string) {
		if len(word) > 3 && len(c.nouns) < maxNouns {
			c.nouns = append(c.nouns, stemOf(word))
		}
	})
	c.statement(l, arguments)
	if c.reads = c.reads || named.is(about) && pure == 0 && !c.any; c.reads {
		c.deeds, c.acts, c.any = 0, nil, false
	} else if c.deeds == 0 {
		c.any = c.any || c.Says.IsMade
	}
	c.changes = !c.reads && (c.any || c.deeds != 0)
	c.addCodes(u.Arguments, maxCodes/2)
	c.asked, c.values = len(c.codes), slices.Clone(c.codes)
	dialogue.EachArgument(arguments, func(name, value string) {
		if l.marksOf(name).is(ofAmount) {
			c.objects = slices.DeleteFunc(c.objects, func(o string) bool { return o == value })
		}
		for word := range strings.FieldsSeq(text.Spaced(value)) {
			if len(word) >= maxShort && len(c.values) < maxCodes {
				c.values = append(c.values, stemOf(word))
			}
		}
	})
	c.addCodes(u.Answer[:min(len(u.Answer), maxRecords)], maxCodes)
	if c.writes { // "refund" in the subject of a ticket is no refund
		w := l.toolWordOf(c.verb)
		quoted = w.verb | w.said
	}
	if c.changes && (c.any || c.writes) {
		c.deeds |= nouns | first | quoted
		c.any = c.any && !c.writes && c.made == 0
	}
	return c
}

// statement reads the arguments that are a statement in SQL or a request in HTTP.
func (c *toolCall) statement(l *Words, text string) {
	m := form("http").FindStringSubmatch(text)
	if m == nil {
		m = form("sql").FindStringSubmatch(text)
	}
	switch verb := strings.ToLower(strings.Join(m[min(len(m), 1):], "")); verb {
	case "":
	case "get", "head", "select":
		c.reads = true
	default:
		c.reads, c.any = false, true
		if w := l.words[verb]; !w.is(doesAny) { // POST is no sending
			c.deeds |= w.verb
		}
	}
}

// addCodes adds the codes of a text until the call has most of them: first those of several parts,
// such as R1-77, without the hyphens.
func (c *toolCall) addCodes(s string, most int) {
	add := func(code, whole string) {
		if len(code) >= minCode && len(c.codes) < most {
			c.codes = append(c.codes, stemOf(strings.ToLower(code)))
			if most < maxCodes {
				c.objects = append(c.objects, whole)
			}
		}
	}
	text.EachCode(s, "-", func(run string) {
		if !quantity.Moment().MatchString(run) {
			add(strings.ReplaceAll(run, "-", ""), run)
		}
	})
	text.EachCode(s, "", func(code string) {
		add(code, code)
		if number := strings.TrimLeft(code, "0"); len(number) < len(code) {
			add(number, number) // 48213 of ORD-0048213
		}
	})
}

// quoted returns the deeds that arguments of a single word name, such as "refund" in
// {"type":"refund"}, the word that says what the tool is to do, as in {"action":"get"}, and the one
// that is a status to set.
func (l *Words) quoted(s string) (all deeds, verb, state string) {
	noLetter := func(r rune) bool {
		return r > 'z' || !text.IsLetter(byte(r)) && r != '_' && r != '-'
	}
	dialogue.EachArgument(s, func(name, value string) {
		if strings.ContainsFunc(value, noLetter) || name == "method" { // of HTTP
			return
		}
		text.EachWord(value, func(word string) {
			w := l.toolWordOf(word)
			all |= w.verb | w.said | w.noun
		})
		if l.marksOf(name).is(commands) {
			verb = value
		} else if dialogue.IsReport(keyWord(name)) {
			state = value
		}
	})
	return all, verb, state
}

// deedsIn returns the deeds that the words of a result say are done: participles, and the names of
// effects. It reports whether a word may mean any deed.
func (l *Words) deedsIn(s string) (all deeds, isAny bool) {
	text.EachWord(s[:min(len(s), maxResult)], func(word string) {
		w := l.toolWordOf(word)
		if all |= w.said; w.is(effect) {
			all |= w.noun
		}
		isAny = isAny || w.is(claimsAny)
	})
	return all, isAny
}

// figuresIn holds what the arguments and the result of a call mention.
type figuresIn struct {
	asked, got *quantity.Grounds // in the arguments, and in the result
	isStamped  bool              // a time in the result may be one of recording
	amounts    int               // the number of arguments that are amounts
	days       uint8             // the weekdays of its dates: see daysIn
	measures   []measure
}

// has reports whether a call mentions a number, in hundredths.
func (f *figuresIn) has(h uint64) bool { return f.asked.Numbers[h] || f.got.Numbers[h] }

// measure is a number of units, such as 3 weeks, 5 GB or 2 rolls.
type measure struct {
	n       uint64
	unit    uint32 // the stem of its name
	minutes uint64 // in a unit of time
	isUnit  bool   // the unit is one of time or in a list, and no kind of things
}

// The units of numbers of people and of things of any kind.
const (
	anyPeople = 1
	anyThing  = 2
)
