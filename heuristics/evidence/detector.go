package evidence

import (
	_ "embed"
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
//	@points             points of one signal, with two decimals; if the detector is @summed, the
//	                    least that the phrases of a turn must be worth
//	@points-service     the same in a service case (see [talk.Kind]), if different
//	@order              its rank among the detectors: of equal signals, the first is reported
//	@once               its signals count once per dialogue, and not in each turn
//	@where              conditions on the position of a phrase, negated by not-
//	@unless             lists: a turn with a phrase of one of them has no signal
//	@unless-before      the same for the last turn of the other side
//	@needs-before       lists: the last turn of the other side, which the signal is then about,
//	                    must have a phrase of one of them
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

// String returns the measurement as in "true in 17 of 20 real cases", or "" if there is none.
func (t Trust) String() string {
	if t.Of == 0 {
		return ""
	}
	return "true in " + strconv.Itoa(t.True) + " of " + strconv.Itoa(t.Of) + " real cases"
}

// minTrust is the share of true findings, in percent, that a detector needs to move a score.
const minTrust = 70

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
	needsBefore  text.ClassSet
}

// condition is a requirement on the position of a phrase.
type condition struct {
	holds func(*analysis, *talk.Hit) bool
	not   bool
}

// positions are the conditions that detectors and the patterns of scorecards may name.
var positions = map[string]func(*analysis, *talk.Hit) bool{
	"question":  func(s *analysis, h *talk.Hit) bool { return !s.IsStatement(h) },
	"statement": (*analysis).IsStatement,
	"reply": func(s *analysis, h *talk.Hit) bool {
		return s.Before(h.Turn, dialogue.User) >= 0
	},
	"first": func(s *analysis, h *talk.Hit) bool {
		return s.Before(h.Turn, s.Turns[h.Turn].Role) < 0
	},
	"last": func(s *analysis, h *talk.Hit) bool {
		role := s.Turns[h.Turn].Role
		return h.Turn == len(s.Turns)-1 ||
			s.Turns[len(s.Turns)-1].Role != role && s.Before(len(s.Turns)-1, role) == h.Turn
	},
	"number": func(s *analysis, h *talk.Hit) bool {
		return text.Marked(s.WordsOf(s.around(h.Passage)), text.Coded)
	},
	"money": func(s *analysis, h *talk.Hit) bool {
		return states(s, h, func(q quantity.Value) bool { return q.Slot.Kind == quantity.Amount })
	},
	"time": func(s *analysis, h *talk.Hit) bool { // no habit such as "on Sundays"
		return states(s, h, func(q quantity.Value) bool {
			return q.Slot.Kind <= quantity.Clock || q.Slot.Kind == quantity.Duration
		})
	},
}

// run reports what the detector finds.
func (det *detector) run(s *analysis) {
	if det.find != nil {
		det.find(s, det)
		return
	}
	isSum := s.Lex.Lists[det.class].Summed
	for h := range s.HitsOf(det.class) {
		points := min(rubric.Hundredths(h.Points), maxSum)
		if h.Negated || isSum && points < det.Points || !det.keeps(s, h) {
			continue
		}
		sig := s.emit(det, h.Passage)
		if isSum {
			sig.Points = points
		}
		if other := s.other(h.Turn); other >= 0 && det.needsBefore != (text.ClassSet{}) {
			sig.About = s.Turns[other].N
		}
	}
}

// maxSum is the maximum effect of the phrases of a @summed detector on a turn, in hundredths.
const maxSum = 150

// findTurns returns a function that reports the turns of one side for which measure returns more
// than 0, by which their points are multiplied.
func findTurns(measure func(*analysis, *text.Turn) int) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, t := range s.Spoken(s.Lex.Lists[det.class].Roles[0]) {
			n := measure(s, t)
			if n > 0 && det.keeps(s, &talk.Hit{Passage: t.Whole()}) {
				s.emit(det, t.Whole()).Points *= rubric.Hundredths(n)
			}
		}
	}
}

// keeps reports whether a hit meets the conditions for a signal.
func (det *detector) keeps(s *analysis, h *talk.Hit) bool {
	t := &s.Turns[h.Turn]
	var before text.ClassSet
	if other := s.other(h.Turn); other >= 0 {
		before = s.Turns[other].Has
	}
	return !t.Has.Meets(&det.unless) && meetsNeed(&t.Has, &det.needs) &&
		!before.Meets(&det.unlessBefore) && meetsNeed(&before, &det.needsBefore) &&
		isPlaced(s, h, det.where)
}

// other returns the last turn of the other side before turn i, or -1.
func (s *analysis) other(i int) int {
	return s.Before(i, dialogue.User+dialogue.System-s.Turns[i].Role)
}

// meetsNeed reports whether a turn with some lists has one of those needed, if any is.
func meetsNeed(has, needs *text.ClassSet) bool {
	return *needs == (text.ClassSet{}) || has.Meets(needs)
}

// isPlaced reports whether a hit meets some conditions on its position.
func isPlaced(s *analysis, h *talk.Hit, where []condition) bool {
	return !slices.ContainsFunc(where, func(c condition) bool { return c.holds(s, h) == c.not })
}

// states reports whether the sentence of a hit contains a quantity for which is returns true.
func states(s *analysis, h *talk.Hit, is func(quantity.Value) bool) bool {
	return slices.ContainsFunc(s.ValuesIn(s.around(h.Passage)), is)
}

// maxAround is how many words of the sentence are read on each side of a phrase.
const maxAround = 64

// around returns the sentence of a passage, as far as it is read.
func (s *analysis) around(p text.Passage) text.Passage {
	whole := s.Turns[p.Turn].Around(p)
	return s.Turns[p.Turn].At(max(whole.First, p.First-maxAround),
		min(whole.Last, p.Last+maxAround))
}

// analysis is a dialogue prepared for detectors, with what they have found.
type analysis struct {
	deeds.Ledger
	signals  []rubric.Signal
	spelling *text.Spelling
	tags     func(sentence string) []string
}

// emit reports a signal of det for a passage. The caller may modify the signal.
func (s *analysis) emit(det *detector, p text.Passage) *rubric.Signal {
	t := &s.Turns[p.Turn]
	sig := rubric.Signal{ID: det.ID, Criteria: det.Criteria, Turn: t.N, Points: det.Points}
	if s.Kind == talk.ServiceKind {
		sig.Points = det.InService
	}
	if max(p.First, p.Last) < len(t.Tokens) {
		sig.Start, sig.End = int(t.Tokens[p.First].Start), int(t.Tokens[p.Last].End)
	}
	s.signals = append(s.signals, sig)
	return &s.signals[len(s.signals)-1]
}

// report reports a signal of det for a passage, and the other turn that it concerns.
func (s *analysis) report(det *detector, p text.Passage, about int) {
	s.emit(det, p).About = s.Turns[about].N
}

// emitBytes reports a signal for a byte range that need not start or end at a word, or nothing if
// the range is empty.
func (s *analysis) emitBytes(det *detector, i int, at text.Span) {
	if at.End > 0 {
		sig := s.emit(det, s.Turns[i].At(0, 0))
		sig.Start, sig.End = at.Start, at.End
	}
}

// meets reports whether one of some turns has a phrase of one of the lists.
func (s *analysis) meets(turns []int, lists *text.ClassSet) bool {
	return slices.ContainsFunc(turns, func(i int) bool { return s.Turns[i].Has.Meets(lists) })
}

// clause is a clause in a statement of the SYSTEM.
type clause struct {
	text.Passage
	negator int          // the token that negates it, or -1
	head    []text.Token // what it is about: see headOf
	opposed bool         // it contains a side of a pair of opposites
}

// isKnownWord reports whether one of the last turns before turn i contains a word.
func isKnownWord(s *analysis, tok text.Token, i int) bool {
	for k := i - 1; k >= max(0, i-requestTurns); k-- {
		if s.Says(k, tok.Stem) {
			return true
		}
	}
	return false
}

// Limits on how far back a contradiction is searched, in turns, and on the values in them, which
// keep the time linear.
const (
	requestTurns  = 12 // a request is still relevant
	requestValues = 48
)
