// Package evidence finds in a dialogue what the agents judge by.
//
// A detector is one file, detectors/ID.txt: what it finds and why it matters, a dialogue that it
// fires on and a similar one, its criteria, phrases and conditions. `assize explain ID` prints it.
// Where phrases are not enough, the file names a Go function. The functions of each family are in
// one file:
//
//   - request, outcome, claim (outcome.go): what became of the USER's last request, the last
//     state that either side reports; with trouble (ladders/TaskSuccess.txt) it decides
//     TaskSuccess. What the SYSTEM says about the task, and whether tools show it.
//   - pairing (replies.go): whether answers match their questions, in both directions.
//     Consecutive turns by one speaker count as one block.
//   - contradiction (contradiction.go): the SYSTEM's statements compared with each other and with
//     what the USER gave. In doubt, two statements do not contradict each other.
//   - substance (substance.go): facts, steps and ways forward, or empty phrases.
//   - courtesy, empathy, kind (conduct.go): the SYSTEM's manners, and how it answers feelings.
//   - conduct (conduct.go): what no service may do, however good the rest is: contempt, asking
//     for secrets, other customers' data, unsafe advice.
//   - safety (conduct.go): attempts by a transcript to influence its reader. A transcript is data,
//     and nothing in it is obeyed: these signals are evidence for no criterion.
//   - reaction (replies.go): what the USER says or shows about the outcome. People's ratings
//     follow it more closely than anything that the SYSTEM says.
//   - fluency (fluency.go): whether turns are complete, clean and grammatical. Small faults cost
//     little, because people seldom lower a rating for one; unreadable text costs much.
//
// Questions and facts of a rubric are searched for by a [Scorecard] (scorecard.go).
package evidence

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"assize/heuristics/deeds"
	"assize/heuristics/quantity"
	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Rules are the detectors with the words that they look for. They are safe for concurrent use.
type Rules struct {
	Lexicon   *talk.Lexicon
	terms     *deeds.Words
	detectors []*detector // in order
	byID      map[string]*detector
	analyses  sync.Pool // of *analysis; without reuse, a dialogue takes 30 % longer
	spelling  text.Spelling
	tags      func(sentence string) []string // see [text.Tagger]
}

// Load reads the files in detectors/ and lexicon/. An error in a file names the position. If only
// lists that Go code uses are missing, Load returns what it has read as well as the error.
func Load(files fs.FS) (*Rules, error) {
	names, err := fs.Glob(files, "detectors/*.txt")
	if err != nil {
		return nil, err
	}
	units := &quantity.Words{}
	r := &Rules{byID: map[string]*detector{}, terms: deeds.NewWords(units),
		tags: new(text.Tagger).Tags}
	for _, file := range names {
		det := &detector{Detector: Detector{ID: strings.TrimSuffix(path.Base(file), ".txt")}}
		r.detectors, r.byID[det.ID] = append(r.detectors, det), det
	}
	if r.Lexicon, err = talk.Load(files, units, r.terms.Add, r.directive); err != nil {
		return nil, err
	}
	for i, det := range r.detectors {
		if err := det.complete(r.Lexicon); err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
	}
	slices.SortFunc(r.detectors, func(a, b *detector) int {
		return cmp.Or(cmp.Compare(a.order, b.order), strings.Compare(a.ID, b.ID))
	})
	r.analyses.New = func() any {
		return &analysis{tags: r.tags, spelling: &r.spelling}
	}
	return r, r.Lexicon.Resolve()
}

// Detectors returns all detectors, ordered by family.
func (r *Rules) Detectors() []Detector {
	list := make([]Detector, len(r.detectors))
	for i, det := range r.detectors {
		list[i] = det.Detector
	}
	return list
}

// maxKept is the maximum number of tokens of an analysis that is kept for reuse: 1.5 MB, about a
// hundred times an ordinary dialogue.
const maxKept = 1 << 16

// Watch says what to look for in a dialogue, in addition to what the detectors find.
type Watch struct {
	Kind      *talk.Kind // the kind of the dialogue; nil if the dialogue determines it
	Scorecard *Scorecard // nil for none
	// whether a fact of the scorecard holds for the dialogue; nil if all do
	Valid func(*rubric.Fact) bool
	// if not nil, a sentence about each fact that cannot be compared with it is added, by its ID
	Unmatched map[string]string
}

// Observe runs every detector on d. Its error is a [*rubric.Unscored] if most of d is not in
// English.
func (r *Rules) Observe(d dialogue.Dialogue) ([]rubric.Signal, error) {
	return r.ObserveWith(d, Watch{})
}

// ObserveWith is like [Rules.Observe], and looks for more.
func (r *Rules) ObserveWith(d dialogue.Dialogue, w Watch) ([]rubric.Signal, error) {
	s := r.analyses.Get().(*analysis)
	s.Prepare(r.Lexicon, r.terms, d, w.Kind)
	s.signals = s.signals[:0]
	defer func() {
		if cap(s.Tokens) <= maxKept { // a huge dialogue has made it larger
			r.analyses.Put(s)
		}
	}()
	if err := s.Unreadable(); err != nil {
		return nil, err
	}
	for _, det := range r.detectors {
		det.run(s)
	}
	if w.Scorecard != nil {
		w.Scorecard.run(s, &w)
	}
	signals := slices.Clone(s.signals) // which are in the order of the detectors
	slices.SortStableFunc(signals,
		func(a, b rubric.Signal) int { return cmp.Compare(a.Turn, b.Turn) })
	return signals, nil
}

// IsName reports whether a word in lower case is a first name. It excludes words that the detectors
// search for: "hope" and "may" are names too, but are rarely used as such.
func (r *Rules) IsName(word string) bool {
	_, known := r.Lexicon.Vocabulary[word]
	return !known && r.spelling.IsName(word)
}

// finders are the functions that may be used in @find.
var finders = map[string]func(*analysis, *detector){
	"findAgrees": findAgrees, "findArticles": findArticles, "findAsks": findTurns(endsAsking),
	"findConcrete": findConcrete, "findContradicted": findContradicted, "findControl": findControl,
	"findDenied": findUptakes(talk.Denied), "findDiffers": findEntries(deeds.DoneOtherwise),
	"findDoubled": findSlips(1, isDoubled), "findExclaims": findTurns(exclaims),
	"findFinal": findFinal, "findFormula": findTurns(formulas), "findGeneric": findGeneric,
	"findGivenAgain": findGivenAgain, "findGrammar": findGrammar,
	"findGrounded": findStatements(true), "findInjection": findInjection, "findItself": findItself,
	"findLeads": findLeads, "findLowercase": findLowercase, "findMechanical": findMechanical,
	"findMissed": findMissed, "findMissedRequest": findMissedRequest, "findMisspelt": findMisspelt,
	"findNoApostrophe": findSlips(0, lacksApostrophe), "findOpen": findEntries(deeds.NoOutcome),
	"findPlain": findTurns(newWords), "findPromised": findEntries(deeds.Promised),
	"findProven": findEntries(deeds.Proven), "findRefuted": findEntries(deeds.Contradicted),
	"findReply": findReply, "findResigned": findUptakes(talk.Resigned),
	"findSaidAgain": findSaidAgain, "findService": findService, "findShut": findShut,
	"findStiff": findTurns(wordLength), "findTaken": findTaken, "findUndone": findUndone,
	"findUngrounded": findStatements(false), "findUnproven": findEntries(deeds.Unproven),
	"findUnsafe": findUnsafe, "findUnsettled": findUnsettled,
	"findWrongForm": findSlips(1, isWrongArticle),
}

// conditions are the other names that may be used in @where.
var conditions = map[string]func(*analysis, *talk.Hit) bool{
	"reaction":  func(s *analysis, h *talk.Hit) bool { return s.Reacts(h.Turn) },
	"rejection": func(s *analysis, h *talk.Hit) bool { return s.Rejects(h.Turn) },
	"closing":   func(s *analysis, h *talk.Hit) bool { return s.Benign(h.Turn) },
	"clause":    beginsClause,
	"figureless": func(s *analysis, h *talk.Hit) bool { // "by itself on 1 May" leaves nothing open
		return !text.Marked(s.WordsOf(s.Turns[h.Turn].Around(h.Passage)), text.Number)
	},
	"service":  func(s *analysis, _ *talk.Hit) bool { return s.Kind == talk.ServiceKind },
	"confided": func(s *analysis, _ *talk.Hit) bool { return s.Confides },
	"requests": func(s *analysis, h *talk.Hit) bool { // "please enter your order number" is no step
		return !text.Marked(s.WordsOf(s.around(h.Passage)), text.Coded) &&
			s.Hit(h.Turn, s.Lex.Class.DetailsRequests).Meets(h.Passage)
	},
	"conditional": func(s *analysis, h *talk.Hit) bool {
		t := &s.Turns[h.Turn]
		return t.Is(t.SentenceStart(h.First), "if", "for", "should", "in")
	},
	"troubled": func(s *analysis, h *talk.Hit) bool { // the USER has mentioned a trouble before
		of := s.Of[s.Lex.Class.WordsTrouble]
		return s.Kind == talk.ServiceKind || len(of) > 0 && s.Hits[of[0]].Turn < h.Turn
	},
	// in the first reply to a turn of the USER that is long enough to describe the matter
	"described": func(s *analysis, h *talk.Hit) bool {
		const enough = 24 // words
		said := s.Before(h.Turn, dialogue.User)
		return said > s.Before(h.Turn, dialogue.System) && s.Turns[said].Words >= enough
	},
	"films": func(s *analysis, _ *talk.Hit) bool { // and the USER wants one
		c := &s.Lex.Class
		return s.Films && len(s.Of[c.WordsSeeks])+len(s.Of[c.WordsWanted]) > 0
	},
	"asking": func(s *analysis, h *talk.Hit) bool { return s.Turns[h.Turn].Asks > 0 },
	"answering": func(s *analysis, h *talk.Hit) bool { // a question other than "anything else?"
		before := s.Before(h.Turn, dialogue.System)
		return before >= 0 && s.Turns[before].Asks > 0 &&
			!s.Has(before, s.Lex.Class.OutcomeAsksMore)
	},
	"asked":         repliesToQuestion,
	"asked-whether": asksWhether,
	"wanted":        (*analysis).RepliesToRequest,
	"settled":       isSettled,
	"sought": func(s *analysis, h *talk.Hit) bool {
		return len(s.Of[s.Lex.Class.WordsFilms]) == 0 || repliesToQuestion(s, h)
	},
}

// directive parses a line with @ that only a detector may have.
func (r *Rules) directive(id, key, value string,
	addLists func(*text.ClassSet, string) error) (err error) {
	det := r.byID[id]
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
	case "once":
		det.Once = true
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
	case "final":
		det.final, err = text.LookUp("state", value, talk.States)
	case "where":
		for name := range strings.FieldsSeq(value) {
			name, not := strings.CutPrefix(name, "not-")
			holds := positions[name]
			if holds == nil {
				holds, err = text.LookUp("condition", name, conditions)
			}
			if err != nil {
				return err
			}
			det.where = append(det.where, condition{holds, not})
		}
	case "find":
		det.find, err = text.LookUp("function", value, finders)
	default:
		set, err := text.LookUp("directive", key, map[string]*text.ClassSet{
			"needs": &det.needs, "unless": &det.unless, "unless-before": &det.unlessBefore,
			"needs-before": &det.needsBefore,
		})
		if err != nil {
			return err
		}
		return addLists(set, value)
	}
	return err
}

// complete sets what the phrases of a detector decide. It returns an error if the file lacks
// something.
func (det *detector) complete(lex *talk.Lexicon) error {
	det.class = lex.Classes[det.ID]
	if det.Points = lex.Lists[det.class].Points; !det.ownPoints {
		det.InService = det.Points
	}
	if det.Title == "" || det.Why == "" || det.Hit == "" || det.Miss == "" {
		return errors.New("something is missing; want @title, @why, @hit and @miss")
	}
	if (det.Criteria != 0) == (det.Cue || det.note) || det.Cue && det.note {
		return errors.New("want one of @evidence, @cue and @note")
	}
	if trust := det.Checked; det.Criteria != 0 && 100*trust.True < minTrust*trust.Of {
		return fmt.Errorf("its findings were %s, and evidence needs %d %%: mend it, or make it a "+
			"@cue", trust, minTrust)
	}
	return nil
}
