package heuristics

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// lexicon holds the data of the rule agents: a file for each detector and, in lexicon/, the lists
// that several detectors use.
//
// A list has one phrase per line. "(a|b|) c" represents "a c", "b c" and "c"; ^ anchors a phrase at
// the start of a turn, after fillers such as "well", ^^ at the start of a sentence, and $ at the
// end of a turn; a number after a tab assigns points to a phrase of a @summed list, others have the
// points of @points; # begins a comment. A line with @ is a directive. @role user, system or either
// selects the turns in which the phrases below it are searched. With @negatable, a negator shortly
// before a phrase voids it; with @uncited, quotation marks around it do. With @summed, the points
// of all phrases in a turn are added. With @state, the last phrase in a turn reports the state of
// the USER's request. With @reverses, a phrase shortly after a negator counts three fifths of its
// points with the opposite sign. The directives of a detector are listed at [Detector].
type lexicon struct {
	vocabulary vocabulary
	lists      []list // by class
	classes    map[string]class
	class      named
	patterns   [3]*patterns          // by dialogue.Role, until they are compiled
	automata   func() *[3]*automaton // by dialogue.Role; compiled when first used
	*valueWords
	sides        map[uint32][]side // of words with an opposite, by word number
	lapses       map[uint32]bool   // words which say that something was true before
	pairs        uint8             // the number of pairs of opposites
	languages    languages
	contractions map[string]string // by the same word without its apostrophe
	hash         hash.Hash         // of all lines except comments, @why, @hit and @miss

	// the functions that read what is not the lexicon's own: see loadLexicon
	tool     func(line string) error
	detector func(id, key, value string, lists map[string]class) error
}

// list is a list of phrases and its directives.
type list struct {
	roles     []dialogue.Role // whose turns are searched for the phrases
	points    rubric.Hundredths
	negatable bool
	uncited   bool
	summed    bool
	reverses  bool
	state     outcome // of the USER's request, which a phrase reports: see requests.go
	lines     int     // the number of phrase lines
}

// named are the lists that Go code uses: OutcomeFailed is that of the file outcome-failed.txt. All
// others are named only in the files of detectors.
type named struct {
	ContradictionAnother, ContradictionChanges, ContradictionConfirms                     class
	ContradictionCorrected, ContradictionOffers                                           class
	ContradictionInformed, ContradictionPast, ReactionAgrees                              class
	CourtesyPolite, DetailsRequests, KindService, OutcomeActs, OutcomeAsksMore            class
	OutcomeCloses, OutcomeCompleted, OutcomeDenied, OutcomeFailed                         class
	OutcomeOthers, PairingDirect                                                          class
	ReactionAccepts, SubstanceConcrete, OutcomeCancels, RequestWhen, RequestCloses        class
	RequestInstructs, RequestRecommends, RequestTakes, StateMissed, StatePostponed        class
	StateFailed, StateReferred, StateWithdrawn, WordsBut                                  class
	ReactionBlames, ReactionContests, ReactionCorrects, ReactionDeclines, ReactionLikes   class
	ReactionLoves, ReactionPraises, ReactionRejects, ReactionSarcastic, ReactionSatisfied class
	ReactionSettles, ReactionSuperb, ReactionThanks, ReactionThanksStrong                 class
	ReactionNotNow, ReactionUnresolved, ReactionUpset, ReactionValence, ReactionWorks     class
	SafetyDemands, SafetyDismissals, SafetyInjection, SafetyJudging, SubstanceAlternative class
	SubstanceSteps, SubstanceVague, UptakeAnswers, UptakeBroken, UptakeLacks              class
	UptakeMoves, UptakeOffers, UptakePromises, UptakeResigns                              class
	UptakeTold, UptakeWishes, UptakeWithholds, WordsAsksFact                              class
	WordsAsksOutcome, WordsBurdens, WordsCivil, WordsContentedNo, WordsErrand             class
	WordsFavours, WordsFeelings, WordsFilms, WordsGrave, WordsGreeting, WordsHello        class
	WordsIdleNo, WordsMarks, WordsMatter, WordsReasons, WordsRegrets, WordsSarcasm        class
	WordsSeeks, WordsSpoils, WordsWanted                                                  class
}

// contractionLine adds contractions, also as a chat may write them: "dont" is the same word as
// "don't".
func (l *lexicon) contractionLine(line string) error {
	for full := range strings.FieldsSeq(line) {
		l.vocabulary.enter(full, contraction)
		short := strings.ReplaceAll(full, "'", "")
		l.vocabulary[short], l.contractions[short] = l.vocabulary[full], full
	}
	return nil
}

// phrase parses a line of a list of phrases.
func (l *lexicon) phrase(of class, line string) error {
	c := &l.lists[of]
	text, own, _ := strings.Cut(line, "\t")
	text, end := phraseOf(text, of)
	if own != "" {
		p, err := rubric.ParseHundredths(strings.TrimSpace(own))
		if err != nil {
			return err
		}
		end.points = int16(p)
	}
	if c.lines++; c.roles == nil {
		return errors.New(
			"a phrase before @role; want @role user, @role system or @role either first")
	}
	groups, err := parseLine(text)
	for _, role := range c.roles {
		l.patterns[role].add(groups, end, l.vocabulary)
	}
	return err
}

// oppositeLine parses a line of lexicon/words-opposites.txt.
func (l *lexicon) oppositeLine(line string) error {
	line, keeps := strings.CutPrefix(line, "! ")
	line, stays := strings.CutPrefix(line, "> ")
	first, second, found := strings.Cut(line, "|")
	if !found {
		return fmt.Errorf("no | in %q; want two sides", line)
	}
	l.pairs++
	for k, words := range []string{first, second} {
		for word := range strings.FieldsSeq(words) {
			at := l.vocabulary.enter(word, opposed)
			l.sides[at] = append(l.sides[at], side{l.pairs, k == 1, keeps, stays})
		}
	}
	return nil
}

// sidesOf returns the sides of a token that has an opposite.
func (l *lexicon) sidesOf(tok *token) []side {
	if !tok.is(opposed) {
		return nil
	}
	return l.sides[tok.word]
}

// valueLine parses a line of lexicon/words-values.txt.
func (l *lexicon) valueLine(line string) error { return l.addValues(l.vocabulary, line) }

// lapseLine parses a line of lexicon/words-lapses.txt.
func (l *lexicon) lapseLine(line string) error {
	for word := range strings.FieldsSeq(line) {
		l.lapses[l.vocabulary.enter(word, 0)] = true
	}
	return nil
}

// languageLine parses a line of lexicon/words-foreign.txt: "Name: words", or "Name: @script" with
// names of Unicode scripts.
func (l *lexicon) languageLine(line string) error {
	known := &l.languages
	name, words, found := strings.Cut(line, ":")
	if !found {
		return fmt.Errorf("%q; want the name of a language, a colon and its words", line)
	}
	if known.of == nil {
		known.of = map[string]uint32{}
	}
	var tables []*unicode.RangeTable
	for w := range strings.FieldsSeq(words) {
		if script, ok := strings.CutPrefix(w, "@"); !ok {
			l.vocabulary.enter(w, foreign)
			known.of[w] |= 1 << len(known.names)
		} else {
			table, err := lookUp("script", script, unicode.Scripts)
			if err != nil {
				return err
			}
			tables = append(tables, table)
		}
	}
	known.names, known.scripts = append(known.names, name), append(known.scripts, tables)
	return nil
}

// resolve sets the classes that Go code uses.
func (l *lexicon) resolve() error {
	fields := reflect.ValueOf(&l.class).Elem()
	for i := range fields.NumField() {
		name := ""
		for _, r := range fields.Type().Field(i).Name {
			if unicode.IsUpper(r) {
				name += "-"
			}
			name += string(unicode.ToLower(r))
		}
		c, ok := l.classes[name[1:]]
		if !ok {
			return fmt.Errorf("no file is called %s.txt", name[1:])
		}
		fields.Field(i).SetInt(int64(c))
	}
	return nil
}

// wordLists are the files that flag words instead of defining a class.
var wordLists = map[string]flags{
	"words-fillers": filler, "words-negators": negator, "words-stop": stopword,
	"words-articles": article, "words-auxiliaries": auxiliary, "words-modals": modal,
	"words-subjects":     subject,
	"words-prepositions": preposition, "words-joiners": joiner, "words-twice": twice,
	"words-labels": labelling, "words-habitual": habitual, "words-things": thing,
	"words-conditions": conditional,
}

// loadLexicon reads the phrases in detectors/ and the files in lexicon/. It adds the words of values
// to units, and calls tool with each line of words-tools.txt, and directive with each line with @
// that only a detector may have. An error in a file names the position.
func loadLexicon(files fs.FS, units *valueWords, tool func(line string) error,
	directive func(id, key, value string, lists map[string]class) error) (*lexicon, error) {
	l := &lexicon{vocabulary: make(vocabulary, 1<<13), classes: map[string]class{},
		hash: sha256.New(), contractions: map[string]string{}, sides: map[uint32][]side{},
		lapses: map[uint32]bool{}, valueWords: units, tool: tool, detector: directive}
	for r := range l.patterns {
		l.patterns[r] = newPatterns(1 << 14)
	}
	var names []string
	for _, pattern := range []string{"detectors/*.txt", "lexicon/*.txt"} {
		list, err := fs.Glob(files, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, list...)
	}
	for _, file := range names { // classes first: files refer to each other's
		name := listName(file)
		if l.reader(name) == nil {
			l.classes[name] = class(len(l.classes))
		}
	}
	l.lists = make([]list, len(l.classes))
	if i := slices.Index(names, contractionFile); i >= 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, contractionFile)
	}
	for _, file := range names {
		data, err := fs.ReadFile(files, file)
		if err == nil {
			err = l.file(file, string(data))
		}
		if err != nil {
			return nil, err
		}
	}
	for short, full := range l.contractions {
		both := l.vocabulary[full]
		both.flags |= l.vocabulary[short].flags
		l.vocabulary[short], l.vocabulary[full] = both, both
	}
	of := l.patterns
	l.automata = sync.OnceValue(func() *[3]*automaton {
		var compiled [3]*automaton
		var roles sync.WaitGroup
		for r, p := range of {
			roles.Go(func() { compiled[r] = p.compile(math.MaxInt) })
		}
		roles.Wait()
		return &compiled
	})
	l.patterns = [3]*patterns{}
	return l, nil
}

// contractionFile is read before the others, which may then write a contraction in either way.
const contractionFile = "lexicon/words-contractions.txt"

func listName(file string) string { return strings.TrimSuffix(path.Base(file), ".txt") }

// file reads a file. Its error names the line.
func (l *lexicon) file(file, data string) error {
	n := 0
	name := listName(file)
	of, isList := l.classes[name]
	isDetector := path.Dir(file) == "detectors"
	read := l.reader(name)
	if isList {
		read = func(line string) error { return l.phrase(of, line) }
	}
	for line := range strings.Lines(data) {
		n++
		var err error
		key, value, _ := strings.Cut(strings.TrimRight(line, " \r\n"), " ")
		if isList && strings.HasPrefix(key, "@") {
			line = key + " " + value
			var known bool
			if known, err = l.directive(of, key[1:], value); !known && isDetector {
				err = l.detector(name, key[1:], value, l.classes)
			}
		} else if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
			line = strings.TrimRight(line, " \r\n")
			err = read(line)
		} else {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
		if key != "@why" && key != "@hit" && key != "@miss" {
			io.WriteString(l.hash, file+" "+line+"\n") // a hash returns no error
		}
	}
	return nil
}

// reader returns the function that parses the lines of a file, or nil if the file is a list of
// phrases.
func (l *lexicon) reader(name string) func(line string) error {
	if mark, ok := wordLists[name]; ok {
		return func(line string) error {
			for w := range strings.FieldsSeq(line) {
				l.vocabulary.enter(w, mark)
			}
			return nil
		}
	}
	return map[string]func(string) error{
		"words-contractions": l.contractionLine, "words-foreign": l.languageLine,
		"words-lapses":    l.lapseLine,
		"words-opposites": l.oppositeLine, "words-tools": l.tool,
		"words-values": l.valueLine, "words-facts": l.addFacts,
	}[name]
}

// directive parses a line with @, and reports whether a list may have it.
func (l *lexicon) directive(of class, key, value string) (known bool, err error) {
	c := &l.lists[of]
	switch {
	case key == "role":
		c.roles, err = lookUp("role", value, map[string][]dialogue.Role{
			"user": {dialogue.User}, "system": {dialogue.System},
			"either": {dialogue.User, dialogue.System},
		})
	case key == "negatable":
		c.negatable = true
	case key == "uncited":
		c.uncited = true
	case key == "summed":
		c.summed = true
	case key == "reverses":
		c.reverses = true
	case key == "state":
		c.state, err = lookUp("state", value, outcomeNames)
	case key == "points":
		c.points, err = rubric.ParseHundredths(value)
	default:
		return false, fmt.Errorf("unknown directive @%s; want @role, @negatable, @uncited, "+
			"@points, @state, @summed or @reverses", key)
	}
	return true, err
}

// side is the position of a word in a pair of opposites.
type side struct {
	pair   uint8 // from 1; 0 for a word without a pair
	second bool
	keeps  bool // a thing never changes its side
	stays  bool // a thing never leaves the first side
}

// languages identifies the language of a function word or of a letter in a non-Latin script.
type languages struct {
	names   []string
	of      map[string]uint32       // by word: a bit for each language that has it
	scripts [][]*unicode.RangeTable // by language; nil for a language identified by its words
}
