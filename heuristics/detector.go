package heuristics

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Detector looks for one thing in a dialogue and reports a [rubric.Signal] wherever it sees it.
type Detector struct {
	ID       string            // family and name, such as "reaction-rejects"; also the name of its lexicon file
	Criteria rubric.Set        // what its signals speak to
	Points   rubric.Hundredths // of one signal; from the lexicon file
	Title    string            // one line
	Why      string            // why it matters, and when it may be wrong
	Hit      string            // a dialogue in the form of `assize explain` that it fires on
	Miss     string            // a look-alike that it must leave alone
}

// Agents plays both agents by rules. It is safe for concurrent use.
type Agents struct{}

// New loads the embedded lexicons.
func New() (*Agents, error) { return &Agents{}, nil }

// Detectors lists every detector, by family.
func (a *Agents) Detectors() []Detector { return nil }

// Observe runs every detector over d. Its error is a [*rubric.Unscored] where d is mostly not in English.
func (a *Agents) Observe(d dialogue.Dialogue) ([]rubric.Signal, error) { return nil, nil }

// Evaluator reads the SYSTEM's turns and the dialogue's structure.
func (a *Agents) Evaluator() rubric.Evaluator { return nil }

// Critic reads the USER's reactions.
func (a *Agents) Critic() rubric.Critic { return nil }

// Satisfaction estimates, from 1.00 to 5.00, the rating that people would give.
func (a *Agents) Satisfaction(c rubric.Case) rubric.Hundredths { return 0 }

// Digest identifies the lexicon: every phrase, point and threshold that a score depends on.
func (a *Agents) Digest() string { return "" }
