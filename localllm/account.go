package localllm

import (
	"slices"
	"time"

	"assize/rubric"
)

// Account records what a model was asked about one dialogue and what it answered. The same answers always give the
// same JSON, so accounts can be recorded and compared byte for byte. Timings, which also tell whether an answer came
// from the cache, are no part of the JSON.
type Account struct {
	Calls      []Call   `json:"calls"`                // in the order in which they were made
	Windows    []Window `json:"windows,omitempty"`    // the parts in which the dialogue was judged; empty for the whole
	Suspicious []int    `json:"suspicious,omitempty"` // turns, from 1, whose text was kept from the model
	Shortened  []int    `json:"shortened,omitempty"`  // turns, from 1, of which the model saw only the beginning
	Flags      []string `json:"flags,omitempty"`      // reasons to doubt the answers, by the IDs that [Flags] documents
	Timings    Timings  `json:"-"`
}

// The flags that the answers alone show. The others follow from the other members of an [Account].
const (
	Flat     = "flat"     // all six scores are equal
	Counting = "counting" // the cited turns just count upwards
)

// Flagged reports whether the account has a flag.
func (a *Account) Flagged(flag string) bool { return slices.Contains(a.Flags, flag) }

// DeriveFlags sets the flags that follow from the other members (suspicious, windows and shortened), keeps
// flat and counting as they are, and brings all of them into their order.
func (a *Account) DeriveFlags() {
	var flags []string
	add := func(id string, is bool) {
		if is {
			flags = append(flags, id)
		}
	}
	add("suspicious", len(a.Suspicious) > 0)
	add("windows", len(a.Windows) > 0)
	add("shortened", len(a.Shortened) > 0)
	add(Flat, a.Flagged(Flat))
	add(Counting, a.Flagged(Counting))
	a.Flags = flags
}

// Purpose says what a call is for.
type Purpose string

// The purposes. Priming calls, which only put the server into a known state, are counted in [Timings] instead.
const (
	ForCard      Purpose = "card"      // all six criteria
	ForCriterion Purpose = "criterion" // one of them, after an answer that lacks it
	ForObjection Purpose = "objection" // a closed question of the Critic
)

// Call is one request and its result.
type Call struct {
	Purpose      Purpose           `json:"purpose"`
	Criterion    *rubric.Criterion `json:"criterion,omitzero"` // nil for a card
	Window       int               `json:"window,omitzero"`    // from 1; 0 for the whole dialogue
	Attempt      int               `json:"attempt,omitzero"`   // at this request: 0 for the first, then from 2
	PromptTokens int               `json:"prompt_tokens"`      // as the server counts them
	Generated    int               `json:"generated"`          // tokens
	Failure      FailureKind       `json:"failure,omitempty"`  // empty for success
	Raw          string            `json:"raw,omitempty"`      // the answer, where it failed
}

// repeat gives a count from 1 as [Call] keeps it: the first is 0, which JSON leaves out.
func repeat(n int) int {
	if n == 1 {
		return 0
	}
	return n
}

// Window is a part of a dialogue: its first and its last turn, from 1.
type Window struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Timings are what differs from run to run.
type Timings struct {
	Calls  []CallTime    // one for each of Account.Calls
	Primes int           // priming calls
	Primed time.Duration // spent on them
	Waited time.Duration // for a server that was down
}

// Spent is the server's time for the priming calls and the calls together.
func (t *Timings) Spent() time.Duration {
	spent := t.Primed
	for _, c := range t.Calls {
		spent += c.Total
	}
	return spent
}

// CallTime is how long a call took, by the server's own figures; all zero for an answer from the cache.
type CallTime struct {
	Cached                  bool
	Prompt, Generate, Total time.Duration
}
