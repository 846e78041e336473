package record

import (
	"bytes"
	"encoding/json"
	"fmt"

	"assize/heuristics"
	"assize/rubric"
)

// Basis is what a record follows from besides its own evidence: the rubric by which the Referee settles, and the
// profile that estimates satisfaction.
type Basis struct {
	Rubric  rubric.Rubric
	Profile heuristics.Profile
}

// DefaultBasis is the basis of a run that has lost its header: the embedded rubric and profile.
func DefaultBasis() Basis {
	return Basis{Rubric: rubric.Default(), Profile: heuristics.DefaultProfile()}
}

// Decode reads a line that [Record.Append] wrote. What the detectors and the agents said is taken from it; all
// else is worked out again: the Referee settles the matter, the profile estimates, the turns are digested. A line
// that differs from what comes out of that is a [*Mismatch], so a Record never shows anything but what its
// evidence leads to.
//
// Where the record keeps only the turns that are cited, the digest and the satisfaction cannot be worked out, and
// are taken as they stand.
func (b Basis) Decode(line []byte) (*Record, error) {
	var w wire
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		return nil, fmt.Errorf("not a record: %w", err)
	}
	r, err := w.record()
	if err != nil {
		return nil, fmt.Errorf("dialogue %d: %w", w.DialogueID, err)
	}
	if w.Status == "scored" {
		if r.Evaluation, err = w.evaluation(r.Dialogue, b.Rubric); err != nil {
			return nil, fmt.Errorf("dialogue %d: %w", w.DialogueID, err)
		}
		r.Estimate = b.estimate(r, w.Satisfaction)
	}
	if !r.CitedOnly {
		r.Source.Digest = r.Dialogue.Digest()
	}
	if again := r.Append(nil); !bytes.Equal(again, line) {
		return nil, &Mismatch{DialogueID: w.DialogueID, Recorded: bytes.Clone(line), Recomputed: again}
	}
	return r, nil
}

func (b Basis) estimate(r *Record, recorded rubric.Hundredths) heuristics.Estimate {
	if r.CitedOnly {
		return b.Profile.Place(recorded)
	}
	return b.Profile.Estimate(r.Evaluation)
}

// Mismatch is the error of a record that does not follow from its evidence.
type Mismatch struct {
	DialogueID           int
	Recorded, Recomputed []byte // the line as it stands, and as it comes out
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("dialogue %d: the record does not follow from its evidence; want one that nobody has edited, and the version that made it", m.DialogueID)
}
