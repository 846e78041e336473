package evidence

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/heuristics/deeds"
	"assize/heuristics/quantity"
	"assize/heuristics/talk"
	"assize/heuristics/text"
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
	if err != nil || text != fmt.Sprintf("%d of %d", t.True, t.Of) || t.True < 0 || t.True > t.Of {
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
	class        text.Class
	order        int
	final        talk.State                 // the last state that findFinal looks for
	note         bool                       // it does not affect any score or estimate
	find         func(*analysis, *detector) // nil if finding the phrases is enough
	ownPoints    bool                       // service cases have different points
	where        []condition
	words        int           // the number of words that a find function requires
	needs        text.ClassSet // a turn without a phrase of one of these lists has no signal
	unless       text.ClassSet
	unlessBefore text.ClassSet
}

// condition is a requirement on the position of a phrase.
type condition struct {
	holds func(*analysis, *talk.Hit) bool
	not   bool
}

// pointsIn returns the points of one signal in a dialogue of kind k.
func (d *Detector) pointsIn(k talk.Kind) rubric.Hundredths {
	if k == talk.ServiceKind {
		return d.InService
	}
	return d.Points
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
	if err := det.Checked.earned(); err != nil && det.Criteria != 0 {
		return err
	}
	return nil
}

// positions are the conditions that detectors and the patterns of scorecards may name.
var positions = map[string]func(*analysis, *talk.Hit) bool{
	"question":  func(s *analysis, h *talk.Hit) bool { return !s.IsStatement(h) },
	"statement": (*analysis).IsStatement,
	"reply": func(s *analysis, h *talk.Hit) bool {
		return s.Before(int(h.Turn), dialogue.User) >= 0
	},
	"first": func(s *analysis, h *talk.Hit) bool {
		return s.Before(int(h.Turn), s.Turns[h.Turn].Role) < 0
	},
	"last": func(s *analysis, h *talk.Hit) bool {
		role := s.Turns[h.Turn].Role
		return int(h.Turn) == len(s.Turns)-1 ||
			s.Turns[len(s.Turns)-1].Role != role && s.Before(len(s.Turns)-1, role) == int(h.Turn)
	},
	"number": func(s *analysis, h *talk.Hit) bool {
		return text.Marked(s.around(text.Passage{Turn: int(h.Turn), First: int(h.First),
			Last: int(h.Last)}), text.Coded)
	},
	"money": func(s *analysis, h *talk.Hit) bool {
		return states(s, h, func(q *quantity.Value) bool { return q.Slot.Kind == quantity.Amount })
	},
	"time": func(s *analysis, h *talk.Hit) bool {
		return states(s, h, isTimed)
	},
}

// conditions are the other names that may be used in @where.
var conditions = map[string]func(*analysis, *talk.Hit) bool{
	"reaction":   func(s *analysis, h *talk.Hit) bool { return s.Reacts(int(h.Turn)) },
	"rejection":  func(s *analysis, h *talk.Hit) bool { return s.Rejects(int(h.Turn)) },
	"closing":    func(s *analysis, h *talk.Hit) bool { return s.Benign(int(h.Turn)) },
	"refusal":    (*analysis).IsRefusal,
	"figureless": isFigureless,
	"service":    func(s *analysis, _ *talk.Hit) bool { return s.Kind == talk.ServiceKind },
	"confided":   func(s *analysis, _ *talk.Hit) bool { return s.Confides },
	"soured":     isSoured,
	"requests":   isRequesting,
	"conditional": func(s *analysis, h *talk.Hit) bool {
		t := &s.Turns[h.Turn]
		return t.Is(t.SentenceStart(int(h.First)), "if", "for", "should", "in")
	},
	"asking":    func(s *analysis, h *talk.Hit) bool { return s.Turns[h.Turn].Asks > 0 },
	"answering": answersQuestion,
	"asked":     repliesToQuestion,
	"wanted":    (*analysis).RepliesToRequest,
	"sought": func(s *analysis, h *talk.Hit) bool {
		return len(s.Of[s.Lex.Class.WordsFilms]) == 0 || repliesToQuestion(s, h)
	},
}

// finders are the functions that may be used in @find.
var finders = map[string]func(*analysis, *detector){
	"findAgrees": findAgrees, "findArticles": findArticles,
	"findAsks": findAsks, "findBareNo": findBareNo, "findCare": findCare,
	"findCommits": findCommits, "findConcrete": findConcrete, "findContradicted": findContradicted,
	"findControl": findControl, "findDenied": findUptakes(talk.Denied),
	"findDiffers": findEntries(deeds.DoneOtherwise), "findDoubled": findDoubled,
	"findExclaims": findExclaims,
	"findFinal":    findFinal, "findFormula": findFormula,
	"findGeneric": findGeneric, "findGivenAgain": findGivenAgain, "findGrammar": findGrammar,
	"findGrounded": findStatements(true), "findInjection": findInjection,
	"findItself": findItself, "findLeads": findLeads,
	"findLowercase":  findLowercase,
	"findMechanical": findMechanical,
	"findMissed":     findToUpset(false), "findMissedRequest": findMissedRequest,
	"findMisspelt": findMisspelt, "findNoApostrophe": findNoApostrophe,
	"findPlain": findPlain, "findProven": findEntries(deeds.Proven),
	"findRefuted": findEntries(deeds.Contradicted), "findPromised": findEntries(deeds.Promised),
	"findOpen": findEntries(deeds.NoOutcome), "findUndone": findUndone,
	"findReply":     findReply,
	"findSaidAgain": findSaidAgain, "findService": findService,
	"findShut": findShut, "findStiff": findStiff, "findStock": findToUpset(true),
	"findTaken": findTaken, "findTakes": findTakes,
	"findUngrounded": findStatements(false),
	"findUnproven":   findEntries(deeds.Unproven), "findUnrecovered": findUnrecovered,
	"findUnsafe": findUnsafe, "findUnsettled": findUnsettled,
	"findResigned": findUptakes(talk.Resigned),
	"findValence":  findValence, "findWrongForm": findWrongForm,
}

// directive parses a line with @ that only a detector may have.
func (det *detector) directive(key, value string, classes map[string]text.Class) (err error) {
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
		})
		if err != nil {
			return err
		}
		for name := range strings.FieldsSeq(value) {
			list, err := text.LookUp("list", name, classes)
			if err != nil {
				return err
			}
			set.Add(list)
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
		for h := range s.HitsOf(det.class) {
			if !h.Negated && det.keeps(s, h) {
				s.emitHit(det, h)
			}
		}
	}
}

// keeps reports whether a hit meets the conditions for a signal.
func (det *detector) keeps(s *analysis, h *talk.Hit) bool {
	t := &s.Turns[h.Turn]
	if t.Has.Meets(&det.unless) || det.needs != (text.ClassSet{}) && !t.Has.Meets(&det.needs) {
		return false
	}
	other := t.Before[dialogue.User+dialogue.System-t.Role]
	return (other < 0 || !s.Turns[other].Has.Meets(&det.unlessBefore)) && isPlaced(s, h, det.where)
}

// isPlaced reports whether a hit meets some conditions on its position.
func isPlaced(s *analysis, h *talk.Hit, where []condition) bool {
	return !slices.ContainsFunc(where, func(c condition) bool { return c.holds(s, h) == c.not })
}

// isTimed reports whether v is a time, a day or a period, and not a habit such as "on Sundays".
func isTimed(v *quantity.Value) bool {
	return v.Slot.Kind <= quantity.Clock || v.Slot.Kind == quantity.Duration
}

// states reports whether the sentence of a hit contains a quantity for which is returns true and
// that does not belong to something that happened.
func states(s *analysis, h *talk.Hit, is func(*quantity.Value) bool) bool {
	t := &s.Turns[h.Turn]
	first := max(t.SentenceStart(int(h.First)), int(h.First)-maxAround)
	last := min(t.SentenceEnd(int(h.Last)), int(h.Last)+maxAround)
	r := quantity.Reader{Turn: t, Known: s.Lex.Words}
	return slices.ContainsFunc(s.ValuesIn(text.Passage{Turn: int(h.Turn), First: first,
		Last: last}), func(q quantity.Value) bool {
		return is(&q) && !r.IsPast(&q, first, last)
	})
}

// maxAround is how many words of the sentence are read on each side of a passage.
const maxAround = 64

// around returns the tokens of a passage and of the sentence around it.
func (s *analysis) around(p text.Passage) []text.Token {
	t := &s.Turns[p.Turn]
	from, to := t.SentenceStart(p.First), t.SentenceEnd(p.Last)
	return t.Tokens[max(from, p.First-maxAround) : min(to, p.Last+maxAround)+1]
}

// isRequesting reports whether a hit is part of a request for a detail: "please enter your order
// number" is no step to take.
func isRequesting(s *analysis, h *talk.Hit) bool {
	around := s.around(text.Passage{Turn: int(h.Turn), First: int(h.First), Last: int(h.Last)})
	return !text.Marked(around, text.Coded) &&
		s.Hit(int(h.Turn), s.Lex.Class.DetailsRequests).Meets(int(h.First), int(h.Last))
}

// isFigureless reports whether the sentence of a hit contains no figure. A sentence such as "by
// itself on 1 May" leaves nothing open.
func isFigureless(s *analysis, h *talk.Hit) bool {
	t := &s.Turns[h.Turn]
	sentence := t.Tokens[t.SentenceStart(int(h.First)) : t.SentenceEnd(int(h.Last))+1]
	return !slices.ContainsFunc(sentence, func(tok text.Token) bool { return tok.Is(text.Number) })
}
