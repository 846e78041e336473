package talk

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

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Lexicon holds the data of the rule agents: a file for each detector and, in lexicon/, the lists
// that several detectors use.
//
// A list has one phrase per line. "(a|b|) c" represents "a c", "b c" and "c"; ^ anchors a phrase at
// the start of a turn, after fillers such as "well", ^^ at the start of a sentence, and $ at the
// end of a turn; a number after a tab assigns points to a phrase of a @summed list, others have the
// points of @points; # begins a comment. A line with @ is a directive. @role user, system or either
// selects the turns in which the phrases below it are searched. With @negatable, a negator shortly
// before a phrase voids it; with @uncited, quotation marks around it do, and with @except, a phrase
// of another list that overlaps it. With @summed, the points of all phrases in a turn are added.
// With @state, the last phrase in a turn reports the state of the USER's request. With @reverses,
// a phrase shortly after a negator counts three fifths of its points with the opposite sign. The
// directives of a detector are listed at package evidence.
type Lexicon struct {
	Vocabulary text.Vocabulary
	Lists      []list // by class
	Classes    map[string]text.Class
	Class      named
	patterns   [3]*text.Patterns          // by dialogue.Role, until they are compiled
	automata   func() *[3]*text.Automaton // by dialogue.Role; compiled when first used
	*quantity.Words
	sides        map[uint32][]side // of words with an opposite, by word number
	pairs        uint8             // the number of pairs of opposites
	languages    []language
	contractions map[string]string // by the same word without its apostrophe
	Hash         hash.Hash         // of all lines except comments, @why, @hit and @miss
}

// list is a list of phrases and its directives.
type list struct {
	Roles     []dialogue.Role // whose turns are searched for the phrases
	Points    rubric.Hundredths
	negatable bool
	uncited   bool
	Summed    bool
	reverses  bool
	Except    text.ClassSet
	State     State // of the USER's request, which a phrase reports: see requests.go
	Lines     int   // the number of phrase lines
}

// named are the lists that Go code uses: OutcomeFailed is that of the file outcome-failed.txt. All
// others are named only in the files of detectors.
type named struct {
	ContradictionAnother, ContradictionChanges, ContradictionConfirms, ContradictionCorrected,
	ContradictionInformed, ContradictionOffers, ContradictionPast, CourtesyEmpathy, CourtesyPolite,
	CourtesyStock, DetailsRequests, KindService, OutcomeAsksMore, OutcomeCancels, OutcomeCloses,
	OutcomeCompleted, OutcomeDenied, OutcomeFailed, OutcomeOthers, OutcomeTooLate, PairingDirect,
	ReactionAccepts, ReactionAgrees, ReactionBlames, ReactionContests, ReactionCorrects,
	ReactionDeclines, ReactionLikes, ReactionLoves, ReactionNotNow, ReactionPraises,
	ReactionRejects, ReactionSarcastic, ReactionSatisfied, ReactionSettles, ReactionSuperb,
	ReactionThanks, ReactionThanksStrong, ReactionUnresolved, ReactionUpset, ReactionValence,
	ReactionWorks, RequestCancels, RequestCloses, RequestInstructs, RequestWhen, SafetyDemands,
	SafetyDismissals, SafetyInjection, SafetyJudging, StateFailed, StateInstead,
	StateMissed, StatePostponed, StateReferred, StateWithdrawn, SubstanceChannel, SubstanceConcrete,
	SubstanceSteps, SubstanceVague, UptakeAnswers, UptakeBroken, UptakeLacks, UptakeMoves,
	UptakeOffers, UptakePromises, UptakeResigns, UptakeTold, UptakeWishes, UptakeWithholds,
	WordsAsksFact, WordsAsksOutcome, WordsAsksPrice, WordsBut, WordsCivil, WordsContentedNo,
	WordsErrand, WordsFavours, WordsFeelings, WordsFilms, WordsGrave, WordsGreeting, WordsHello,
	WordsIdleNo, WordsMarks, WordsMatter, WordsRegrets, WordsSeeks, WordsTrouble,
	WordsWanted text.Class
}

// contractionLine adds contractions, also as a chat may write them: "dont" is the same word as
// "don't".
func (l *Lexicon) contractionLine(line string) error {
	for full := range strings.FieldsSeq(line) {
		l.Vocabulary.Enter(full, text.Contraction)
		short := strings.ReplaceAll(full, "'", "")
		l.Vocabulary[short], l.contractions[short] = l.Vocabulary[full], full
	}
	return nil
}

// phrase parses a line of a list of phrases.
func (l *Lexicon) phrase(of text.Class, line string) error {
	c := &l.Lists[of]
	s, own, _ := strings.Cut(line, "\t")
	s, end := text.CutMarks(s, of)
	if own != "" {
		p, err := rubric.ParseHundredths(strings.TrimSpace(own))
		if err != nil {
			return err
		}
		end.Points = int16(p)
	}
	if c.Lines++; c.Roles == nil {
		return errors.New(
			"a phrase before @role; want @role user, @role system or @role either first")
	}
	groups, err := text.ParseLine(s)
	for _, role := range c.Roles {
		l.patterns[role].Add(groups, end, l.Vocabulary)
	}
	return err
}

// oppositeLine parses a line of lexicon/words-opposites.txt.
func (l *Lexicon) oppositeLine(line string) error {
	line, keeps := strings.CutPrefix(line, "! ")
	line, stays := strings.CutPrefix(line, "> ")
	first, second, found := strings.Cut(line, "|")
	if !found {
		return fmt.Errorf("no | in %q; want two sides", line)
	}
	l.pairs++
	for k, words := range []string{first, second} {
		for word := range strings.FieldsSeq(words) {
			at := l.Vocabulary.Enter(word, text.Opposed)
			l.sides[at] = append(l.sides[at], side{l.pairs, k == 1, keeps, stays})
		}
	}
	return nil
}

// SidesOf returns the sides of a token; one without an opposite has none.
func (l *Lexicon) SidesOf(tok *text.Token) []side { return l.sides[tok.Word] }

// languageLine parses a line of lexicon/words-foreign.txt: "Name: words", or "Name: @script" with
// names of Unicode scripts.
func (l *Lexicon) languageLine(line string) error {
	name, words, found := strings.Cut(line, ":")
	if !found {
		return fmt.Errorf("%q; want the name of a language, a colon and its words", line)
	}
	known := language{name: name, words: map[string]bool{}}
	for w := range strings.FieldsSeq(words) {
		if script, ok := strings.CutPrefix(w, "@"); !ok {
			l.Vocabulary.Enter(w, text.Foreign)
			known.words[w] = true
		} else {
			table, err := text.LookUp("script", script, unicode.Scripts)
			if err != nil {
				return err
			}
			known.scripts = append(known.scripts, table)
		}
	}
	l.languages = append(l.languages, known)
	return nil
}

// Resolve sets the classes that Go code uses.
func (l *Lexicon) Resolve() error {
	fields := reflect.ValueOf(&l.Class).Elem()
	for i := range fields.NumField() {
		var words []string
		text.EachWord(fields.Type().Field(i).Name, func(w string) { words = append(words, w) })
		name := strings.Join(words, "-")
		c, ok := l.Classes[name]
		if !ok {
			return fmt.Errorf("no file is called %s.txt", name)
		}
		fields.Field(i).SetInt(int64(c))
	}
	return nil
}

// wordLists are the files that flag words instead of defining a class.
var wordLists = map[string]text.Flags{
	"words-fillers": text.Filler, "words-negators": text.Negator, "words-stop": text.Stopword,
	"words-articles": text.Article, "words-auxiliaries": text.Auxiliary, "words-modals": text.Modal,
	"words-subjects": text.Subject, "words-prepositions": text.Preposition,
	"words-joiners": text.Joiner, "words-twice": text.Twice, "words-labels": text.Labelling,
	"words-habitual": text.Habitual, "words-things": text.Thing,
	"words-conditions": text.Conditional, "words-lapses": text.Lapsed,
}

// Directive reads a line with @ that only the detector with an ID may have. It may call add to look
// up names of lists.
type Directive func(id, key, value string, add func(to *text.ClassSet, names string) error) error

// Load reads the phrases in detectors/ and the files in lexicon/. It adds the words of values to
// units, and calls tool with each line of words-tools.txt. An error in a file names the position.
func Load(files fs.FS, units *quantity.Words, tool func(line string) error, more Directive,
) (*Lexicon, error) {
	l := &Lexicon{Vocabulary: make(text.Vocabulary, 1<<13), Classes: map[string]text.Class{},
		Hash: sha256.New(), contractions: map[string]string{}, sides: map[uint32][]side{},
		Words: units}
	for r := range l.patterns {
		l.patterns[r] = text.NewPatterns(1 << 14)
	}
	names, err := fs.Glob(files, "*/*.txt")
	if err != nil {
		return nil, err
	}
	for _, file := range names { // classes first: files refer to each other's
		name := listName(file)
		if l.reader(name, tool) == nil {
			l.Classes[name] = text.Class(len(l.Classes))
		}
	}
	l.Lists = make([]list, len(l.Classes))
	if i := slices.Index(names, contractionFile); i >= 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, contractionFile)
	}
	for _, file := range names {
		data, err := fs.ReadFile(files, file)
		if err == nil {
			err = l.file(file, string(data), l.reader(listName(file), tool), more)
		}
		if err != nil {
			return nil, err
		}
	}
	io.WriteString(l.Hash, text.Closings)
	for short, full := range l.contractions {
		both := l.Vocabulary[full]
		both.Flags |= l.Vocabulary[short].Flags
		l.Vocabulary[short], l.Vocabulary[full] = both, both
	}
	of := l.patterns
	l.automata = sync.OnceValue(func() *[3]*text.Automaton {
		var compiled [3]*text.Automaton
		var roles sync.WaitGroup
		for r, p := range of {
			roles.Go(func() { compiled[r] = p.Compile(math.MaxInt) })
		}
		roles.Wait()
		return &compiled
	})
	l.patterns = [3]*text.Patterns{}
	return l, nil
}

// contractionFile is read before the others, which may then write a contraction in either way.
const contractionFile = "lexicon/words-contractions.txt"

func listName(file string) string { return strings.TrimSuffix(path.Base(file), ".txt") }

// file reads a file. Its error names the line.
func (l *Lexicon) file(file, data string, read func(string) error, more Directive) error {
	n := 0
	name := listName(file)
	of, isList := l.Classes[name]
	if path.Dir(file) != "detectors" {
		more = nil
	}
	if isList {
		read = func(line string) error { return l.phrase(of, line) }
	}
	for line := range strings.Lines(data) {
		n++
		var err error
		key, value, _ := strings.Cut(strings.TrimRight(line, " \r\n"), " ")
		if isList && strings.HasPrefix(key, "@") {
			line = key + " " + value
			err = l.directive(of, name, key[1:], value, more)
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
			io.WriteString(l.Hash, file+" "+line+"\n") // a hash returns no error
		}
	}
	return nil
}

// reader returns the function that parses the lines of a file, or nil if the file is a list of
// phrases.
func (l *Lexicon) reader(name string, tool func(string) error) func(line string) error {
	if mark, ok := wordLists[name]; ok {
		return func(line string) error {
			for w := range strings.FieldsSeq(line) {
				l.Vocabulary.Enter(w, mark)
			}
			return nil
		}
	}
	return map[string]func(string) error{
		"words-contractions": l.contractionLine, "words-foreign": l.languageLine,
		"words-opposites": l.oppositeLine, "words-tools": tool,
		"words-values": func(line string) error { return l.AddValues(l.Vocabulary, line) },
		"words-facts":  l.AddFacts,
	}[name]
}

// directive parses a line with @. If the file is in lexicon/, more is nil.
func (l *Lexicon) directive(of text.Class, id, key, value string, more Directive) (err error) {
	c := &l.Lists[of]
	flag := map[string]*bool{"negatable": &c.negatable, "uncited": &c.uncited,
		"summed": &c.Summed, "reverses": &c.reverses}[key]
	switch {
	case flag != nil:
		*flag = true
	case key == "role":
		c.Roles, err = text.LookUp("role", value, map[string][]dialogue.Role{
			"user": {dialogue.User}, "system": {dialogue.System},
			"either": {dialogue.User, dialogue.System},
		})
	case key == "state":
		c.State, err = text.LookUp("state", value, States)
	case key == "except":
		err = l.addLists(&c.Except, value)
	case key == "points":
		c.Points, err = rubric.ParseHundredths(value)
	case more == nil:
		err = fmt.Errorf("unknown directive @%s; want @role, @negatable, @uncited, @points, "+
			"@state, @summed, @except or @reverses", key)
	default:
		err = more(id, key, value, l.addLists)
	}
	return err
}

// addLists adds the lists with some names, which have spaces between them.
func (l *Lexicon) addLists(to *text.ClassSet, names string) error {
	for name := range strings.FieldsSeq(names) {
		of, err := text.LookUp("list", name, l.Classes)
		if err != nil {
			return err
		}
		to.Add(of)
	}
	return nil
}

// side is the position of a word in a pair of opposites.
type side struct {
	Pair   uint8 // from 1; 0 for a word without a pair
	Second bool
	Keeps  bool // a thing never changes its side
	Stays  bool // a thing never leaves the first side
}

// language is known by its function words, or by its script.
type language struct {
	name    string
	words   map[string]bool
	scripts []*unicode.RangeTable
}

// State is the state of a request of the USER.
type State uint8

const (
	unknown    State = iota
	Confirmed        // the USER reports that it is done, or works
	Done             // the SYSTEM reports that it is done
	Answered         // the SYSTEM answers it with a fact, a step or a plain yes or no
	withdrawn        // the USER no longer wants it
	promised         // the SYSTEM says when it will be done
	postponed        // the SYSTEM only says that somebody will see to it
	pending          // the SYSTEM waits for details, or for a yes
	missed           // the SYSTEM says nothing about it
	Unclear          // what the SYSTEM says does not show what becomes of it
	Unanswered       // the dialogue ends with it
	Failed           // the SYSTEM reports that it did not work, or is not available
	Refused          // the SYSTEM refuses it
	objected         // the USER reports that the answer did not help or did not come true
	Left             // the USER gives up
	Unsettled        // answered again after an objection, and the USER accepts nothing
	Partly           // it failed, but another request was fulfilled
	advised          // the SYSTEM says last what the USER can do
	dropped          // the USER answers a question of the SYSTEM, and hears nothing more
)

// States are the names of outcomes in the @state and @final lines of files.
var States = map[string]State{
	"confirmed": Confirmed, "done": Done, "answered": Answered, "withdrawn": withdrawn,
	"promised": promised, "postponed": postponed, "pending": pending,
	"missed": missed, "unanswered": Unanswered, "failed": Failed, "refused": Refused,
	"objected": objected, "left": Left, "unsettled": Unsettled, "partly": Partly,
	"advised": advised, "dropped": dropped,
}
