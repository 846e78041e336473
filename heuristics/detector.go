package heuristics

import (
	_ "embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"assize/rubric"
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

// DetectorTitle returns the title of the detector with an ID, and whether there is one.
func DetectorTitle(id string) (title string, ok bool) {
	file, err := fs.ReadFile(dataFiles, "detectors/"+id+".txt")
	_, title, _ = strings.Cut(string(file), "@title ")
	title, _, _ = strings.Cut(title, "\n")
	return title, err == nil
}

// ServiceWeights returns the weights of the detectors in service cases, as JSON. The command
// .ci/train learns them from our own dialogues in testdata/desk.
func ServiceWeights() []byte { return serviceWeights }

//go:embed quality.json
var serviceWeights []byte

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
