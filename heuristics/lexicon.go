package heuristics

import (
	"embed"
	"errors"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strconv"
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
// of all phrases in a turn are added. With @state, the last phrase in a turn reports the state of
// the USER's request. With @reverses, a phrase shortly after a negator counts three fifths of its
// points with the opposite sign. The directives of a detector are listed at [Detector].
type lexicon struct {
	vocabulary   vocabulary
	lists        []list // by class
	classes      map[string]class
	class        named
	detectors    []*detector           // in order
	patterns     [3]*patterns          // by dialogue.Role, until they are compiled
	automata     func() *[3]*automaton // by dialogue.Role; compiled when first used
	values       []valueWord           // by word number
	sides        map[uint32][]side     // of words with an opposite, by word number
	lapses       map[uint32]bool       // words which say that something was true before
	toolWords    map[string]toolWord
	idioms       map[string][]idiom // by their first word
	factWords    map[string]factWord
	deeds        int   // the number of deeds
	idiom        deeds // of the idioms that are read
	pairs        uint8 // the number of pairs of opposites
	languages    languages
	contractions map[string]string // by the same word without its apostrophe
	hash         hash.Hash         // of all lines except comments, @why, @hit and @miss
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
	CourtesyPolite, CourtesyStock, DetailsRequests, KindService, OutcomeActs              class
	OutcomeCloses, OutcomeCompleted, OutcomeDenied, OutcomeFailed                         class
	OutcomeAsksMore, OutcomeOthers, PairingDirect, SubstanceChannel                       class
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

// lookUp returns the entry with a name that a file uses. The argument kind describes the expected
// entry in errors.
func lookUp[V any](kind, name string, all map[string]V) (V, error) {
	v, ok := all[name]
	if !ok {
		return v, fmt.Errorf("unknown %s %q; want one of %q", kind, name,
			slices.Sorted(maps.Keys(all)))
	}
	return v, nil
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

// phraseOf returns a phrase without the marks of where it may occur, and these.
func phraseOf(text string, of class) (phrase string, end phraseEnd) {
	text, end.class = strings.TrimSpace(text), of
	if text, end.opening = strings.CutPrefix(text, "^^"); !end.opening {
		text, end.anchored = strings.CutPrefix(text, "^")
	}
	text, end.final = strings.CutSuffix(text, "$")
	return text, end
}

// valueOf returns the function of a word in a value, or the zero valueWord.
func (l *lexicon) valueOf(tok token) valueWord {
	if int(tok.word) < len(l.values) {
		return l.values[tok.word]
	}
	return valueWord{}
}

// valueLine parses a line of lexicon/words-values.txt.
func (l *lexicon) valueLine(line string) error {
	f := strings.Fields(line)
	kind := wordKind(max(0, slices.Index(wordKindNames, f[0])))
	if kind <= wordDigits {
		return fmt.Errorf("unknown kind of value word %q; want one that words.go names", f[0])
	}
	n, err := strconv.ParseUint(f[1], 10, 8)
	if err != nil {
		return err
	}
	for _, w := range f[2:] {
		at := int(l.vocabulary.enter(w, 0))
		l.values = append(l.values, make([]valueWord, max(0, at+1-len(l.values)))...)
		if word := &l.values[at]; kind == wordLoose {
			word.loose = true
		} else {
			word.kind, word.n = kind, uint8(n)
		}
	}
	return nil
}

// toolLine parses a line of lexicon/words-tools.txt.
func (l *lexicon) toolLine(line string) error {
	kind, words, _ := strings.Cut(line, " ")
	if kind == "deed" {
		if l.deeds++; l.deeds > maxDeeds {
			return fmt.Errorf("more than %d deeds", maxDeeds)
		}
	}
	deed := deeds(1) << max(0, l.deeds-1)
	switch kind {
	case "done": // idioms below it claim any deed
		l.idiom = 0
	case "deed":
		l.idiom = deed
	case "idiom":
		var one idiom
		for word := range strings.FieldsSeq(words) {
			one.words = append(one.words, strings.Split(word, "|"))
		}
		one.deeds = l.idiom
		for _, first := range one.words[0] {
			l.idioms[first] = append(l.idioms[first], one)
		}
		return nil
	}
	for word := range strings.FieldsSeq(words) {
		w := l.toolWords[word]
		switch kind {
		case "deed":
			w.verb |= deed
		case "said":
			w.said |= deed
		case "noun":
			w.noun |= deed
		default:
			n := slices.Index(toolMarkNames, kind)
			if n < 0 {
				return fmt.Errorf("unknown kind of words %q; want one of %q", kind, toolMarkNames)
			}
			w.marks |= 1 << n
		}
		l.toolWords[word] = w
	}
	return nil
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
