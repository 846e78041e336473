package localllm

import (
	"time"

	"assize/rubric"
)

// Account is what became of a model's words in one trial. All of it but Timings is the same whenever the model
// answers the same, so it may be recorded and compared byte for byte; whether an answer came from the cache is a
// matter of Timings.
type Account struct {
	Calls      []Call             // in the order in which they were made
	Windows    []Window           // the parts in which the dialogue was judged; nil for the whole
	Suspicious []int              // turns that speak to the judge, from 1; the model did not see what they say
	Shortened  []int              // turns of which the model saw only the beginning
	Flat       bool               // all six scores are equal
	Counting   bool               // the turns that the model cites just count upwards
	Spread     []int              // per criterion, the levels between its lowest and its highest score; nil for one presentation
	Unstable   []rubric.Criterion // those that spread over two levels or more
	Timings    Timings            // never enters a record
}

// Purpose says what a call is for.
type Purpose string

// The purposes. The priming calls, which only put the server into a known state, are counted in Timings.
const (
	ForCard      Purpose = "card"      // all six criteria
	ForCriterion Purpose = "criterion" // one of them, after an answer without it
	ForObjection Purpose = "objection" // a closed question of the Critic
)

// Call is one request and what came of it.
type Call struct {
	Purpose      Purpose
	Criterion    rubric.Criterion // save for a card
	Presentation int              // order of the criteria, from 1
	Window       int              // from 1; 0 for the whole dialogue
	Attempt      int              // from 1: the same request again, after a pause
	PromptTokens int              // as the server counts them
	Generated    int              // tokens
	Failure      FailureKind      // empty for none
	Raw          string           // the answer, where it failed
}

// Window is a part of a dialogue, by turns from 1, both included.
type Window struct{ From, To int }

// Timings are what differs from run to run.
type Timings struct {
	Calls  []CallTime // one for each of Account.Calls
	Primes int        // priming calls
	Primed time.Duration
	Waited time.Duration // for a server that was down
}

// CallTime is how long a call took, as the server tells; all zero for an answer from the cache.
type CallTime struct {
	Cached                        bool
	Load, Prompt, Generate, Total time.Duration
}

// Generated adds up the tokens that were generated for a purpose.
func (a Account) Generated(p Purpose) int {
	n := 0
	for _, c := range a.Calls {
		if c.Purpose == p {
			n += c.Generated
		}
	}
	return n
}

// unstableFrom is how many levels a criterion must spread over to be called unstable: one level of a small model means
// nothing (one harmless turn more moved the average of six by up to 19 points).
const unstableFrom = 2
