package heuristics

import (
	"fmt"
	"slices"
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
//	@points             points of one signal, with two decimals
//	@points-service     the same in a service case (see [Kind]), if different
//	@order              its rank among the detectors: of equal signals, the first is reported
//	@once               its signals count once per dialogue, and not in each turn
//	@fades              its second signal in a dialogue counts half, its third a quarter
//	@where              conditions on the position of a phrase, negated by not-
//	@unless             lists: a turn with a phrase of one of them has no signal
//	@unless-before      the same for the last turn of the other side
//	@mark               a ? or ! to look for instead of phrases
//	@find               the Go function that looks instead, and may use the other directives
//	@state              the state of the USER's request that it shows: see requests.go
//	@final              the final state that findFinal looks for
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
	Fades     bool              // the second signal counts half, the third a quarter
}

// Family returns the first part of the ID: reaction, outcome, courtesy, empathy, pairing,
// substance, contradiction, conduct, fluency, tool, kind or safety.
func (d Detector) Family() string {
	family, _, _ := strings.Cut(d.ID, "-")
	return family
}

// detector is a detector with its compiled conditions.
type detector struct {
	Detector
	class class
	order int
	// the state of the current request that its signals show
	state     outcome
	final     outcome                    // the last state that findFinal looks for
	note      bool                       // it does not affect any score or estimate
	find      func(*analysis, *detector) // nil if finding the phrases is enough
	ownPoints bool                       // service cases have different points
	// ? or ! for a detector that looks for this mark, else 0
	mark         byte
	where        []condition
	words        int      // the number of words that a find function requires
	needs        classSet // the lists that a find function requires
	unless       classSet
	unlessBefore classSet
}

// condition is a requirement on the position of a phrase.
type condition struct {
	holds func(*analysis, *hit) bool
	not   bool
}

// conditions are the names that may be used in @where.
var conditions = map[string]func(*analysis, *hit) bool{
	"reaction":   func(s *analysis, h *hit) bool { return reacts(s, int(h.turn)) },
	"rejection":  func(s *analysis, h *hit) bool { return rejects(s, int(h.turn)) },
	"closing":    func(s *analysis, h *hit) bool { return benign(s, int(h.turn)) },
	"refusal":    isRefusal,
	"statement":  isStatement,
	"figureless": isFigureless,
	"service":    func(s *analysis, _ *hit) bool { return s.kind == Service },
	"confided":   func(s *analysis, _ *hit) bool { return s.confides },
	"soured":     isSoured,
	"aimed":      isAimed,
	"lively":     isLively,
	"requests":   isRequesting,
	"asking":     func(s *analysis, h *hit) bool { return s.turns[h.turn].asks > 0 },
	"answering":  answersQuestion,
	"asked":      repliesToQuestion,
	"reply":      func(s *analysis, h *hit) bool { return s.before(int(h.turn), dialogue.User) >= 0 },
}

// finders are the functions that may be used in @find.
var finders = map[string]func(*analysis, *detector){
	"findAgrees": findAgrees, "findAlternative": findAlternative, "findAscribes": findAscribes,
	"findAsks": findAsks, "findBare": findBare, "findBareNo": findBareNo, "findCare": findCare,
	"findCommits": findCommits, "findConcrete": findConcrete,
	"findContradicted": findContradicted, "findControl": findControl,
	"findCorrected": findCorrected, "findDenied": findDenied,
	"findDetailAgain": findDetailAgain, "findDiffers": findRulings(differing),
	"findDoubled": findDoubled, "findFarewell": findFarewell,
	"findFinal": findFinal, "findFormula": findFormula, "findGarbled": findGarbled,
	"findGivenAgain": findGivenAgain, "findGrammar": findGrammar,
	"findGrounded": findStatements(true), "findInjection": findInjection,
	"findInsists": findInsists, "findItself": findItself, "findLong": findLong,
	"findLoops": findLoops, "findLowercase": findLowercase, "findMisread": findMisread,
	"findMissed": findMissed, "findMisspelt": findMisspelt,
	"findNoApostrophe": findNoApostrophe, "findNone": findNone, "findOpposite": findOpposite,
	"findOrder": findOrder, "findOtherFigure": findOtherFigure, "findPassedOn": findPassedOn,
	"findPending": findPending, "findPlain": findPlain, "findProven": findRulings(proven),
	"findReadsBack": findReadsBack, "findRefuted": findRulings(refuted),
	"findReminded": findReminded, "findRepeats": findRepeats,
	"findRepeatsItself": findRepeatsItself, "findRepeatsQuestion": findRepeatsQuestion,
	"findReply": findReply, "findRequest": findRequest, "findRestated": findRestated,
	"findRestates": findRestates, "findReverses": findReverses, "findSalad": findSalad,
	"findService": findService, "findShut": findShut, "findStands": findStands,
	"findStiff": findStiff, "findTaken": findTaken,
	"findTruncated": findTruncated, "findUnanswered": findUnanswered,
	"findUncaring":   findUncaring,
	"findUngrounded": findStatements(false), "findUnhelped": findUnhelped,
	"findUnmet": findUnmet, "findUnmoved": findUnmoved, "findUnproven": findRulings(unproven),
	"findUnrecovered": findUnrecovered, "findUnsafe": findUnsafe,
	"findUnsettled": findUnsettled, "findUptake": findUptake,
	"findUserRepeats": findUserRepeats, "findValence": findValence, "findWarm": findWarm,
}

func (det *detector) directive(key, value string, classes map[string]class) {
	number := func() (n int) {
		_, err := fmt.Sscan(value, &n)
		mind(err)
		return n
	}
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
			det.Criteria |= rubric.SetOf(lookUp("criterion", name, criteriaNames()))
		}
	case "order":
		det.order = number()
	case "words":
		det.words = number()
	case "points-service":
		var err error
		det.InService, err = rubric.ParseHundredths(value)
		mind(err)
		det.ownPoints = true
	case "once":
		det.Once = true
	case "fades":
		det.Fades = true
	case "state":
		det.state = lookUp("state", value, outcomeNames)
	case "final":
		det.final = lookUp("state", value, outcomeNames)
	case "mark":
		det.mark = lookUp("mark", value, map[string]byte{"?": '?', "!": '!'})
	case "where":
		for name := range strings.FieldsSeq(value) {
			name, not := strings.CutPrefix(name, "not-")
			det.where = append(det.where, condition{lookUp("condition", name, conditions), not})
		}
	case "find":
		det.find = lookUp("function", value, finders)
	default:
		set := lookUp("directive", key, map[string]*classSet{
			"needs": &det.needs, "unless": &det.unless, "unless-before": &det.unlessBefore,
		})
		for name := range strings.FieldsSeq(value) {
			set.add(lookUp("list", name, classes))
		}
	}
}

// criteriaNames returns the criteria by name.
func criteriaNames() map[string]rubric.Criterion {
	names := map[string]rubric.Criterion{}
	for _, c := range rubric.Criteria() {
		names[c.String()] = c
	}
	return names
}

// run reports what the detector finds.
func (det *detector) run(s *analysis) {
	switch {
	case det.find != nil:
		det.find(s, det)
	case det.mark != 0:
		h, roles := new(hit), s.lex.lists[det.class].roles
		for i := range s.turns {
			t := &s.turns[i]
			marked := det.mark == '?' && t.asks > 0 || det.mark == '!' && t.exclaims > 0
			*h = hit{turn: int32(i), last: int32(t.words - 1)}
			if marked && slices.Contains(roles, t.role) && det.keeps(s, h) {
				s.emitHit(det, h)
			}
		}
	default:
		times := 0
		for h := range s.hitsOf(det.class) {
			if h.negated || !det.keeps(s, h) {
				continue
			}
			sig := s.emitHit(det, h)
			if det.Fades {
				sig.Points /= 1 << min(times, 4)
			}
			times++
		}
	}
}

// keeps reports whether a hit meets the conditions for a signal.
func (det *detector) keeps(s *analysis, h *hit) bool {
	t := &s.turns[h.turn]
	if t.has.meets(&det.unless) {
		return false
	}
	other := t.before[dialogue.User+dialogue.System-t.role]
	if other >= 0 && s.turns[other].has.meets(&det.unlessBefore) {
		return false
	}
	for _, c := range det.where {
		if c.holds(s, h) == c.not {
			return false
		}
	}
	return true
}
