package heuristics

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Detector looks for one thing in a dialogue and reports a [rubric.Signal] wherever it finds it.
// Each detector is a file in detectors/, named by its ID. The file contains directives, which are
// lines that begin with @, followed by the phrases to look for.
//
//	@title, @why        what it finds, and why it matters
//	@hit, @miss         one line of a dialogue that it fires on, and of a similar one
//	@evidence           the criteria for which its signals are evidence in any conversation
//	@cue                instead: its signals only affect the estimate of satisfaction
//	@note               instead: its signals affect nothing
//	@checked N of M     a reader found N of M findings in real conversations true: see Trust
//	@points             points of one signal, with two decimals
//	@points-service     the same in a service case (see [Kind]), if different
//	@order              its rank among the detectors: of equal signals, the first is reported
//	@once               its signals count once per dialogue, and not in each turn
//	@where              conditions on the position of a phrase, negated by not-
//	@unless             lists: a turn with a phrase of one of them has no signal
//	@unless-before      the same for the last turn of the other side
//	@find               the Go function that looks instead, and may use the other directives
//	@final              the last state of the USER's request that findFinal looks for
//	@needs, @words      lists of which a turn must have a phrase, and its number of words
type Detector struct {
	ID        string            // family and name, such as "reaction-rejects"
	Criteria  rubric.Set        // what its signals are evidence for; empty for a cue or a note
	Cue       bool              // its signals only affect the estimate of satisfaction
	Points    rubric.Hundredths // of one signal
	InService rubric.Hundredths // of one signal in a service case
	Title     string            // one line: what is found, as a clause that a justification can use
	Why       string            // why it matters, and when it may be wrong
	Hit       string            // a dialogue that it fires on, one "USER: words" per line
	Miss      string            // a similar dialogue that it must not fire on
	Once      bool              // counts once per dialogue, and not in each turn
	Checked   Trust             // how often its findings were true
}

// Family returns the first part of the ID: reaction, outcome, courtesy, empathy, pairing,
// substance, contradiction, conduct, fluency, claim, kind or safety.
func (d Detector) Family() string {
	family, _, _ := strings.Cut(d.ID, "-")
	return family
}

// ReactionFamily is the prefix of the IDs of detectors that find the USER's reactions.
const ReactionFamily = "reaction-"

// Trust says how often a detector was right in conversations that nobody wrote for it: a reader
// judged Of of its findings in their context, and True of them were true. Of is 0 if it found
// nothing in them, as most rules of conduct.
type Trust struct{ True, Of int }

// parseTrust parses a measurement such as "17 of 20".
func parseTrust(text string) (t Trust, err error) {
	_, err = fmt.Sscanf(text, "%d of %d", &t.True, &t.Of)
	if err != nil || text != fmt.Sprintf("%d of %d", t.True, t.Of) ||
		t.True < 0 || t.True > t.Of {
		return t, fmt.Errorf(`%q: want how many of the findings that were read are true, such as `+
			`"17 of 20"`, text)
	}
	return t, nil
}

// String returns the measurement as a clause, or "" if there is none.
func (t Trust) String() string {
	if t.Of == 0 {
		return ""
	}
	return "true in " + strconv.Itoa(t.True) + " of " + strconv.Itoa(t.Of) + " real cases"
}

// minTrust is the share of true findings, in percent, that a detector needs to move a score.
const minTrust = 70

// earned returns an error if a detector with this measurement may not move a score.
func (t Trust) earned() error {
	if 100*t.True < minTrust*t.Of {
		return fmt.Errorf("its findings were %s, and evidence needs %d %%: mend it, or make it a "+
			"@cue", t, minTrust)
	}
	return nil
}

// detector is a detector with its compiled conditions.
type detector struct {
	Detector
	class        class
	order        int
	final        outcome                    // the last state that findFinal looks for
	note         bool                       // it does not affect any score or estimate
	find         func(*analysis, *detector) // nil if finding the phrases is enough
	ownPoints    bool                       // service cases have different points
	where        []condition
	words        int      // the number of words that a find function requires
	needs        classSet // a turn without a phrase of one of these lists has no signal
	unless       classSet
	unlessBefore classSet
}

// condition is a requirement on the position of a phrase.
type condition struct {
	holds func(*analysis, *hit) bool
	not   bool
}

// pointsIn returns the points of one signal in a dialogue of kind k.
func (d *Detector) pointsIn(k Kind) rubric.Hundredths {
	if k == Service {
		return d.InService
	}
	return d.Points
}

// complete sets what the phrases of a detector decide. It returns an error if the file lacks
// something.
func (det *detector) complete(lex *lexicon) error {
	det.class = lex.classes[det.ID]
	if det.Points = lex.lists[det.class].points; !det.ownPoints {
		det.InService = det.Points
	}
	if det.Title == "" || det.Why == "" || det.Hit == "" || det.Miss == "" {
		return errors.New("something is missing; want @title, @why, @hit and @miss")
	}
	if (det.Criteria != 0) == (det.Cue || det.note) || det.Cue && det.note {
		return errors.New("want one of @evidence, @cue and @note")
	}
	if err := det.Checked.earned(); err != nil && det.Criteria != 0 {
		return err
	}
	return nil
}

// positions are the conditions that detectors and the patterns of scorecards may name.
var positions = map[string]func(*analysis, *hit) bool{
	"question":  func(s *analysis, h *hit) bool { return !s.isStatement(h) },
	"statement": (*analysis).isStatement,
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
	"reaction":   func(s *analysis, h *hit) bool { return s.reacts(int(h.turn)) },
	"rejection":  func(s *analysis, h *hit) bool { return s.rejects(int(h.turn)) },
	"closing":    func(s *analysis, h *hit) bool { return s.benign(int(h.turn)) },
	"refusal":    (*analysis).isRefusal,
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
	"wanted":    (*analysis).repliesToRequest,
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

// isTimed reports whether v is a time, a day or a period, and not a habit such as "on Sundays".
func isTimed(v *value) bool {
	return v.slot.kind <= clock || v.slot.kind == duration
}

// states reports whether the sentence of a hit contains a quantity for which is returns true and
// that does not belong to something that happened.
func states(s *analysis, h *hit, is func(*value) bool) bool {
	t := &s.turns[h.turn]
	first := max(t.sentenceStart(int(h.first)), int(h.first)-maxAround)
	last := min(t.sentenceEnd(int(h.last)), int(h.last)+maxAround)
	r := valueReader{t, s.lex.valueWords}
	return slices.ContainsFunc(s.valuesIn(passage{int(h.turn), first, last}), func(q value) bool {
		return is(&q) && !r.isPast(&q, first, last)
	})
}

// maxAround is how many words of the sentence are read on each side of a passage.
const maxAround = 64

// around returns the tokens of a passage and of the sentence around it.
func (s *analysis) around(p passage) []token {
	t := &s.turns[p.turn]
	from, to := t.sentenceStart(p.first), t.sentenceEnd(p.last)
	return t.tokens[max(from, p.first-maxAround) : min(to, p.last+maxAround)+1]
}

// isRequesting reports whether a hit is part of a request for a detail: "please enter your order
// number" is no step to take.
func isRequesting(s *analysis, h *hit) bool {
	around := s.around(passage{int(h.turn), int(h.first), int(h.last)})
	return !marked(around, coded) &&
		s.hit(int(h.turn), s.lex.class.DetailsRequests).meets(int(h.first), int(h.last))
}

// isFigureless reports whether the sentence of a hit contains no figure. A sentence such as "by
// itself on 1 May" leaves nothing open.
func isFigureless(s *analysis, h *hit) bool {
	t := &s.turns[h.turn]
	sentence := t.tokens[t.sentenceStart(int(h.first)) : t.sentenceEnd(int(h.last))+1]
	return !slices.ContainsFunc(sentence, func(tok token) bool { return tok.is(number) })
}
