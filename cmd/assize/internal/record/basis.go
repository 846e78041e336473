package record

import (
	"bytes"
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
// evidence leads to. A line of which no record can be made is a [*FieldError].
//
// Where the record keeps only the turns that are cited, the digest and the satisfaction cannot be worked out, and
// are taken as they stand; the satisfaction can by a profile that maps scores.
func (b Basis) Decode(line []byte) (*Record, error) {
	w, err := readWire(line)
	var r *Record
	if err == nil {
		r, err = b.settle(w)
	}
	switch {
	case err != nil && w.id == 0: // it may not have been read
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("dialogue %d: %w", w.id, err)
	}
	again := r.Append(make([]byte, 0, len(line)+len(line)/8))
	if !bytes.Equal(again, line) {
		return nil, &Mismatch{Recorded: bytes.Clone(line), Recomputed: again, Record: r}
	}
	return r, nil
}

// settle works out what follows from what was read.
func (b Basis) settle(w *wire) (*Record, error) {
	r, err := w.record()
	if err != nil {
		return nil, err
	}
	if w.status == "scored" {
		if r.Evaluation, err = w.evaluation(r.Dialogue, b.Rubric); err != nil {
			return nil, err
		}
		r.Evaluation.Remarks = r.Remarks()
		if r.CrossCheck, err = w.crossCheck(b.Rubric); err != nil {
			return nil, err
		}
		r.Estimate = b.estimate(r, w.satisfaction)
	}
	if !r.CitedOnly {
		r.Source.Digest = r.Dialogue.Digest()
	}
	return r, nil
}

func (b Basis) estimate(r *Record, recorded rubric.Hundredths) heuristics.Estimate {
	if r.CitedOnly && b.Profile.Input == heuristics.Reactions {
		return b.Profile.Place(recorded)
	}
	return r.EstimateBy(b.Profile)
}

// Mismatch is the error of a record that does not follow from its evidence.
type Mismatch struct {
	Recorded, Recomputed []byte  // the line as it stands, and as it comes out
	Record               *Record // as it comes out
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("dialogue %d: the record does not follow from its evidence; want one that nobody has edited, and the version that made it", m.Record.Dialogue.ID)
}
