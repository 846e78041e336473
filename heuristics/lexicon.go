package heuristics

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed detectors lexicon
var dataFiles embed.FS

// lexicon holds the data of the rule agents: a file for each detector and, in lexicon/, the lists
// that several detectors use.
//
// A list has one phrase per line. "(a|b|) c" represents "a c", "b c" and "c"; ^ anchors a phrase at
// the start of a turn, after fillers such as "well", ^^ at the start of a sentence, and $ at the
// end of a turn; a number after a tab assigns points to a phrase of a @summed list, others have the
// points of @points; # begins a comment. A line with @ is a directive. @role user, system or either
// selects the turns in which the phrases below it are searched. With @negatable, a negator shortly
// before a phrase voids it; with @uncited, quotation marks around it do. With @summed, the points
// of all phrases in a turn are added. With @reverses, a phrase shortly after a negator counts three
// fifths of its points with the opposite sign. The directives of a detector are listed at
// [Detector].
type lexicon struct {
	vocabulary vocabulary
	lists      []list // by class
	classes    map[string]class
	class      named
	// the lists of details that the SYSTEM may request: detail-*.txt
	details      classSet
	detectors    []*detector        // in order
	patterns     [3]*patterns       // by dialogue.Role, until they are compiled
	automata     [3]*automaton      // by dialogue.Role
	values       []valueWord        // by word number
	sides        map[uint32][]side  // of words with an opposite, by word number
	lapses       map[uint32]bool    // words which say that something was true before
	never        map[[2]uint32]bool // pairs of words that never occur next to each other
	toolWords    map[string]toolWord
	deeds        int   // the number of deeds
	pairs        uint8 // the number of pairs of opposites
	languages    languages
	contractions map[string]string // by the same word without its apostrophe
	hash         hash.Hash         // of all lines except comments, @why, @hit and @miss
}

// class numbers the lists of phrases.
type class int16

// list is a list of phrases and its directives.
type list struct {
	roles     []dialogue.Role // whose turns are searched for the phrases
	points    rubric.Hundredths
	negatable bool
	uncited   bool
	summed    bool
	reverses  bool
	lines     int // the number of phrase lines
}

// classSet is a set of at most 256 classes.
type classSet [4]uint64

func (s *classSet) add(c class)            { s[c>>6] |= 1 << (c & 63) }
func (s *classSet) has(c class) bool       { return s[c>>6]&(1<<(c&63)) != 0 }
func (s *classSet) meets(o *classSet) bool { return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0 }

// named are the lists that Go code uses: OutcomeFailed is that of the file outcome-failed.txt. All
// others are named only in the files of detectors.
type named struct {
	ContradictionChanges, ContradictionConfirms, ContradictionCorrected                    class
	ContradictionInformed, ContradictionPast, ContradictionReminds, ContradictionSaid      class
	CourtesyPolite, DetailsRequests, KindService, OutcomeActs, OutcomeAsksMore             class
	OutcomeCloses, OutcomeCompleted, OutcomeDenied, OutcomeFailed, OutcomeHelpless         class
	OutcomeOthers, OutcomePassedOn, PairingAnswers, PairingAsks, ReactionAccepts           class
	ReactionBlames, ReactionContests, ReactionCorrects, ReactionDeclines, ReactionLikes    class
	ReactionLoves, ReactionPraises, ReactionRejects, ReactionSarcastic, ReactionSatisfied  class
	ReactionSettles, ReactionSuperb, ReactionThanks, ReactionThanksStrong                  class
	ReactionUnresolved, ReactionUpset, ReactionValence, ReactionWorks, RequestTalks        class
	SafetyDemands, SafetyDismissals, SafetyInjection, SafetyJudging, SubstanceAlternative  class
	SubstanceSteps, SubstanceVague, UptakeAnswers, UptakeBroken, UptakeDenies, UptakeLacks class
	UptakeMeans, UptakeMoves, UptakeOffers, UptakeOwnsUp, UptakePromises, UptakeResigns    class
	UptakeTold, UptakeWants, UptakeWishes, UptakeWithholds, WordsAsksFact                  class
	WordsAsksOutcome, WordsBurdens, WordsContentedNo, WordsDislikes, WordsErrand           class
	WordsFavours, WordsFeelings, WordsFilms, WordsGrave, WordsGreeting, WordsIdleNo        class
	WordsMatter, WordsOutburst, WordsReasons, WordsRegrets, WordsSarcasm, WordsSeeks       class
	WordsService, WordsSpoils, WordsWanted                                                 class
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

// mistake is an error in a line of a data file. Code that parses a line panics with it, and the
// code that reads the file adds the position. The files are part of the program, so their errors
// are meant for those who edit them.
type mistake struct{ error }

// mind panics with a mistake if err is not nil.
func mind(err error) {
	if err != nil {
		panic(mistake{err})
	}
}

func wrong(format string, args ...any) { mind(fmt.Errorf(format, args...)) }

// recovered converts a panic with a mistake into an error that names the file and line.
func recovered(err *error, file string, line *int) {
	switch m := recover().(type) {
	case nil:
	case mistake:
		*err = fmt.Errorf("%s:%d: %w", file, *line, m.error)
	default:
		panic(m)
	}
}

// lookUp returns the entry with a name that a file uses. The argument kind describes the expected
// entry in errors.
func lookUp[V any](kind, name string, all map[string]V) V {
	v, ok := all[name]
	if !ok {
		wrong("unknown %s %q; want one of %q", kind, name, slices.Sorted(maps.Keys(all)))
	}
	return v
}

// vocabulary holds the words that occur in files.
type vocabulary map[string]known

type known struct {
	number uint32 // from 1
	stem   uint32 // as returned by stemHash
	flags  flags
}

// enter numbers a word and adds flags to it.
func (v vocabulary) enter(word string, f flags) uint32 {
	k, ok := v[word]
	if !ok {
		k.number, k.stem = uint32(len(v)+1), stemHash([]byte(word))
	}
	if !ok || k.flags|f != k.flags {
		k.flags |= f
		v[word] = k
	}
	return k.number
}

// wordLists are the files that flag words instead of defining a class.
var wordLists = map[string]flags{
	"words-fillers": filler, "words-negators": negator, "words-stop": stopword,
	"words-articles": article, "words-auxiliaries": auxiliary, "words-modals": modal,
	"words-subjects":     subject,
	"words-prepositions": preposition, "words-joiners": joiner, "words-twice": twice,
	"words-labels": labelling, "words-habitual": habitual,
}

// loadLexicon reads the files in detectors/ and lexicon/. An error in one of them names the
// position.
func loadLexicon(files fs.FS) (*lexicon, error) {
	l := &lexicon{vocabulary: vocabulary{}, classes: map[string]class{}, hash: sha256.New(),
		contractions: map[string]string{}, sides: map[uint32][]side{}, lapses: map[uint32]bool{},
		never:     map[[2]uint32]bool{},
		toolWords: map[string]toolWord{}}
	for r := range l.patterns {
		l.patterns[r] = &patterns{places: make([]pattern, 1)}
	}
	names, err := fs.Glob(files, "*/*.txt")
	if err != nil {
		return nil, err
	}
	for _, file := range names { // classes first: files refer to each other's
		name := listName(file)
		if l.reader(name) == nil {
			l.classes[name] = class(len(l.classes))
			if strings.HasPrefix(name, "detail-") {
				l.details.add(l.classes[name])
			}
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
	slices.SortFunc(l.detectors, func(a, b *detector) int {
		return cmp.Or(cmp.Compare(a.order, b.order), strings.Compare(a.ID, b.ID))
	})
	for short, full := range l.contractions {
		both := l.vocabulary[full]
		both.flags |= l.vocabulary[short].flags
		l.vocabulary[short], l.vocabulary[full] = both, both
	}
	for r, p := range l.patterns {
		l.automata[r] = p.compile()
	}
	l.patterns = [3]*patterns{}
	return l, nil
}

// contractionFile is read before the others, which may then write a contraction in either way.
const contractionFile = "lexicon/words-contractions.txt"

// contractionLine adds contractions, also as a chat may write them: "dont" is the same word as
// "don't".
func (l *lexicon) contractionLine(line string) {
	for full := range strings.FieldsSeq(line) {
		l.vocabulary.enter(full, contraction)
		short := strings.ReplaceAll(full, "'", "")
		l.vocabulary[short], l.contractions[short] = l.vocabulary[full], full
	}
}

func listName(file string) string { return strings.TrimSuffix(path.Base(file), ".txt") }

func (l *lexicon) file(file, data string) (err error) {
	n := 0
	defer recovered(&err, file, &n)
	name := listName(file)
	var det *detector
	of, isList := l.classes[name]
	if path.Dir(file) == "detectors" {
		det = &detector{Detector: Detector{ID: name}, class: of}
		l.detectors = append(l.detectors, det)
	}
	read := l.reader(name)
	if isList {
		read = func(line string) { l.phrase(of, line) }
	}
	for line := range strings.Lines(data) {
		n++
		key, value, _ := strings.Cut(strings.TrimRight(line, " \r\n"), " ")
		if isList && strings.HasPrefix(key, "@") {
			line = key + " " + value
			l.directive(of, det, key[1:], value)
		} else if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
			line = strings.TrimRight(line, " \r\n")
			read(line)
		} else {
			continue
		}
		if key != "@why" && key != "@hit" && key != "@miss" {
			fmt.Fprintln(l.hash, file, line)
		}
	}
	if det == nil {
		return nil
	}
	if det.Points = l.lists[of].points; !det.ownPoints {
		det.InService = det.Points
	}
	if det.Title == "" || det.Why == "" || det.Hit == "" || det.Miss == "" {
		wrong("something is missing; want @title, @why, @hit and @miss")
	}
	if (det.Criteria != 0) == (det.Cue || det.note) || det.Cue && det.note {
		wrong("want one of @evidence, @cue and @note")
	}
	return nil
}

// reader returns the function that parses the lines of a file, or nil if the file is a list of
// phrases.
func (l *lexicon) reader(name string) func(line string) {
	if mark, ok := wordLists[name]; ok {
		return func(line string) {
			for w := range strings.FieldsSeq(line) {
				l.vocabulary.enter(w, mark)
			}
		}
	}
	return map[string]func(string){
		"words-contractions": l.contractionLine, "words-foreign": l.languageLine,
		"words-lapses": l.lapseLine, "words-never": l.neverLine,
		"words-opposites": l.oppositeLine, "words-tools": l.toolLine,
		"words-values": l.valueLine,
	}[name]
}

// directive parses a line with @. If the file is in lexicon/, det is nil.
func (l *lexicon) directive(of class, det *detector, key, value string) {
	c := &l.lists[of]
	switch {
	case key == "role":
		c.roles = lookUp("role", value, map[string][]dialogue.Role{
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
	case key == "points":
		var err error
		c.points, err = rubric.ParseHundredths(value)
		mind(err)
	case det == nil:
		wrong("unknown directive @%s; want @role, @negatable, @uncited, @points, @summed or @reverses",
			key)
	default:
		det.directive(key, value, l.classes)
	}
}

func (l *lexicon) phrase(of class, line string) {
	c := &l.lists[of]
	text, own, _ := strings.Cut(line, "\t")
	text = strings.TrimSpace(text)
	end := phraseEnd{class: of}
	if text, end.opening = strings.CutPrefix(text, "^^"); !end.opening {
		text, end.anchored = strings.CutPrefix(text, "^")
	}
	text, end.final = strings.CutSuffix(text, "$")
	if own != "" {
		p, err := rubric.ParseHundredths(strings.TrimSpace(own))
		mind(err)
		end.points = int16(p)
	}
	if c.lines++; c.roles == nil {
		wrong("a phrase before @role; want @role user, @role system or @role either first")
	}
	for _, role := range c.roles {
		l.patterns[role].add(text, end, l.vocabulary)
	}
}
