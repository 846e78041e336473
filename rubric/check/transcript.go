package check

import "assize/rubric/dialogue"

// Transcript is a dialogue made ready for looking up quotes.
type Transcript struct{ dialogue dialogue.Dialogue }

// NewTranscript prepares a dialogue.
func NewTranscript(d dialogue.Dialogue) *Transcript { return &Transcript{dialogue: d} }
