package heuristics

import (
	"strings"

	"assize/rubric"
)

// Detector looks for one thing in a dialogue and reports a [rubric.Signal] wherever it sees it. It is a
// value that carries its own documentation; its phrases and points are data, in the lexicon file that bears
// its id.
type Detector struct {
	ID       string            // family and name, such as "reaction-rejects"; also the name of its lexicon file
	Criteria rubric.Set        // what its signals speak to
	Points   rubric.Hundredths // of one signal; from the lexicon file
	Title    string            // one line: what is seen, as a clause that a justification can use
	Why      string            // why it matters, and when it may be wrong
	Hit      string            // a dialogue, "USER: words" a line, that it fires on
	Miss     string            // a look-alike that it must leave alone
	Once     bool              // counts once for the dialogue, undivided, and not for each turn (see evaluator.weigh)
	Mute     bool              // counts, but is never quoted as evidence

	find func(*scene, *detectorAt) // nil where finding the lexicon's phrases is all
}

// detectorAt is a detector at work: with the class of its lexicon file.
type detectorAt struct {
	*Detector
	class int16
}

// Family is the first part of the id: reaction, outcome, courtesy, pairing, substance, contradiction, fluency
// or safety.
func (d Detector) Family() string {
	family, _, _ := strings.Cut(d.ID, "-")
	return family
}
