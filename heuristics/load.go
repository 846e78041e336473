package heuristics

import (
	"cmp"
	"crypto/sha256"
	"fmt"
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

// The files of detectors and lists are read when the program starts.

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

// loadLexicon reads the files in detectors/ and lexicon/. An error in one of them names the
// position.
func loadLexicon(files fs.FS) (*lexicon, error) {
	l := &lexicon{vocabulary: make(vocabulary, 1<<13), classes: map[string]class{},
		hash: sha256.New(), contractions: map[string]string{}, sides: map[uint32][]side{},
		lapses:    map[uint32]bool{},
		toolWords: map[string]toolWord{}, idioms: map[string][]idiom{},
		factWords: map[string]factWord{}}
	for r := range l.patterns {
		l.patterns[r] = newPatterns(1 << 14)
	}
	names, err := fs.Glob(files, "*/*.txt")
	if err != nil {
		return nil, err
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
	slices.SortFunc(l.detectors, func(a, b *detector) int {
		return cmp.Or(cmp.Compare(a.order, b.order), strings.Compare(a.ID, b.ID))
	})
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
	var det *detector
	of, isList := l.classes[name]
	if path.Dir(file) == "detectors" {
		det = &detector{Detector: Detector{ID: name}, class: of}
		l.detectors = append(l.detectors, det)
	}
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
			err = l.directive(of, det, key[1:], value)
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
	if det == nil {
		return nil
	}
	if det.Points = l.lists[of].points; !det.ownPoints {
		det.InService = det.Points
	}
	if det.Title == "" || det.Why == "" || det.Hit == "" || det.Miss == "" {
		return fmt.Errorf("%s: something is missing; want @title, @why, @hit and @miss", file)
	}
	if (det.Criteria != 0) == (det.Cue || det.note) || det.Cue && det.note {
		return fmt.Errorf("%s: want one of @evidence, @cue and @note", file)
	}
	if err := det.Checked.earned(); err != nil && det.Criteria != 0 {
		return fmt.Errorf("%s: %w", file, err)
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
		"words-opposites": l.oppositeLine, "words-tools": l.toolLine,
		"words-values": l.valueLine, "words-facts": l.factLine,
	}[name]
}

// directive parses a line with @. If the file is in lexicon/, det is nil.
func (l *lexicon) directive(of class, det *detector, key, value string) (err error) {
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
	case det == nil:
		err = fmt.Errorf("unknown directive @%s; want @role, @negatable, @uncited, @points, "+
			"@state, @summed or @reverses", key)
	default:
		err = det.directive(key, value, l.classes)
	}
	return err
}

// positions are the conditions that detectors and the patterns of scorecards may name.
var positions = map[string]func(*analysis, *hit) bool{
	"question":  func(s *analysis, h *hit) bool { return !isStatement(s, h) },
	"statement": isStatement,
	"reply": func(s *analysis, h *hit) bool {
		return s.before(int(h.turn), dialogue.User) >= 0
	},
	"first": func(s *analysis, h *hit) bool {
		return s.before(int(h.turn), s.turns[h.turn].role) < 0
	},
	"last": func(s *analysis, h *hit) bool {
		role := s.turns[h.turn].role
		return int(h.turn) == len(s.turns)-1 ||
			s.turns[len(s.turns)-1].role != role && s.before(len(s.turns)-1, role) == int(h.turn)
	},
	"number": func(s *analysis, h *hit) bool {
		return marked(s.around(passage{int(h.turn), int(h.first), int(h.last)}), coded)
	},
	"money": func(s *analysis, h *hit) bool {
		return states(s, h, func(q *value) bool { return q.slot.kind == amount })
	},
	"time": func(s *analysis, h *hit) bool {
		return states(s, h, isTimed)
	},
}

// conditions are the other names that may be used in @where.
var conditions = map[string]func(*analysis, *hit) bool{
	"reaction":   func(s *analysis, h *hit) bool { return reacts(s, int(h.turn)) },
	"rejection":  func(s *analysis, h *hit) bool { return rejects(s, int(h.turn)) },
	"closing":    func(s *analysis, h *hit) bool { return benign(s, int(h.turn)) },
	"refusal":    isRefusal,
	"figureless": isFigureless,
	"service":    func(s *analysis, _ *hit) bool { return s.kind == Service },
	"confided":   func(s *analysis, _ *hit) bool { return s.confides },
	"soured":     isSoured,
	"requests":   isRequesting,
	"conditional": func(s *analysis, h *hit) bool {
		t := &s.turns[h.turn]
		return t.is(t.sentenceStart(int(h.first)), "if", "for", "should", "in")
	},
	"asking":    func(s *analysis, h *hit) bool { return s.turns[h.turn].asks > 0 },
	"answering": answersQuestion,
	"asked":     repliesToQuestion,
	"wanted":    repliesToRequest,
	"sought": func(s *analysis, h *hit) bool {
		return len(s.of[s.lex.class.WordsFilms]) == 0 || repliesToQuestion(s, h)
	},
}

// finders are the functions that may be used in @find.
var finders = map[string]func(*analysis, *detector){
	"findAgrees": findAgrees, "findArticles": findArticles,
	"findAsks": findAsks, "findBareNo": findBareNo, "findCare": findCare,
	"findCommits": findCommits, "findConcrete": findConcrete, "findContradicted": findContradicted,
	"findControl": findControl, "findDenied": findUptakes(denied),
	"findDiffers": findEntries(doneOtherwise), "findDoubled": findDoubled,
	"findExclaims": findExclaims,
	"findFinal":    findFinal, "findFormula": findFormula,
	"findGeneric": findGeneric, "findGivenAgain": findGivenAgain, "findGrammar": findGrammar,
	"findGrounded": findStatements(true), "findInjection": findInjection,
	"findItself": findItself, "findLeads": findLeads,
	"findLowercase":  findLowercase,
	"findMechanical": findMechanical,
	"findMissed":     findToUpset(false), "findMissedRequest": findMissedRequest,
	"findMisspelt": findMisspelt, "findNoApostrophe": findNoApostrophe,
	"findPlain": findPlain, "findProven": findEntries(proven),
	"findRefuted": findEntries(contradicted), "findPromised": findEntries(promisedDeed),
	"findOpen": findEntries(noOutcome), "findUndone": findUndone,
	"findReply":     findReply,
	"findSaidAgain": findSaidAgain, "findService": findService,
	"findShut": findShut, "findStiff": findStiff, "findStock": findToUpset(true),
	"findTaken": findTaken, "findTakes": findTakes,
	"findUngrounded": findStatements(false),
	"findUnproven":   findEntries(unproven), "findUnrecovered": findUnrecovered,
	"findUnsafe": findUnsafe, "findUnsettled": findUnsettled, "findResigned": findUptakes(resigned),
	"findValence": findValence, "findWrongForm": findWrongForm,
}

// directive parses a line with @ that only a detector may have.
func (det *detector) directive(key, value string, classes map[string]class) (err error) {
	switch key {
	case "title":
		det.Title = value
	case "why":
		det.Why = strings.TrimPrefix(det.Why+" "+value, " ")
	case "hit", "miss":
		of := &det.Hit
		if key == "miss" {
			of = &det.Miss
		}
		line := strings.ReplaceAll(strings.ReplaceAll(value, `\x1b`, "\x1b"), `\t`, "\t")
		*of = strings.TrimPrefix(*of+"\n"+line, "\n")
	case "cue":
		det.Cue = true
	case "note":
		det.note = true
	case "evidence":
		for name := range strings.FieldsSeq(value) {
			c, err := rubric.ParseCriterion(name)
			if err != nil {
				return err
			}
			det.Criteria |= rubric.SetOf(c)
		}
	case "checked":
		det.Checked, err = parseTrust(value)
	case "order":
		_, err = fmt.Sscan(value, &det.order)
	case "words":
		_, err = fmt.Sscan(value, &det.words)
	case "points-service":
		det.InService, err = rubric.ParseHundredths(value)
		det.ownPoints = true
	case "once":
		det.Once = true
	case "final":
		det.final, err = lookUp("state", value, outcomeNames)
	case "where":
		for name := range strings.FieldsSeq(value) {
			name, not := strings.CutPrefix(name, "not-")
			holds := positions[name]
			if holds == nil {
				holds, err = lookUp("condition", name, conditions)
			}
			if err != nil {
				return err
			}
			det.where = append(det.where, condition{holds, not})
		}
	case "find":
		det.find, err = lookUp("function", value, finders)
	default:
		set, err := lookUp("directive", key, map[string]*classSet{
			"needs": &det.needs, "unless": &det.unless, "unless-before": &det.unlessBefore,
		})
		if err != nil {
			return err
		}
		for name := range strings.FieldsSeq(value) {
			list, err := lookUp("list", name, classes)
			if err != nil {
				return err
			}
			set.add(list)
		}
	}
	return err
}

// run reports what the detector finds.
func (det *detector) run(s *analysis) {
	switch {
	case det.find != nil:
		det.find(s, det)
	default:
		for h := range s.hitsOf(det.class) {
			if !h.negated && det.keeps(s, h) {
				s.emitHit(det, h)
			}
		}
	}
}

// keeps reports whether a hit meets the conditions for a signal.
func (det *detector) keeps(s *analysis, h *hit) bool {
	t := &s.turns[h.turn]
	if t.has.meets(&det.unless) || det.needs != (classSet{}) && !t.has.meets(&det.needs) {
		return false
	}
	other := t.before[dialogue.User+dialogue.System-t.role]
	return (other < 0 || !s.turns[other].has.meets(&det.unlessBefore)) && isPlaced(s, h, det.where)
}

// isPlaced reports whether a hit meets some conditions on its position.
func isPlaced(s *analysis, h *hit, where []condition) bool {
	return !slices.ContainsFunc(where, func(c condition) bool { return c.holds(s, h) == c.not })
}
