package rubric

import (
	"fmt"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// Claim is a statement of the SYSTEM that something was done which changes something, with what
// the calls of its tools show about it. Only a dialogue with such calls has claims.
type Claim struct {
	Turn  int        `json:"turn"`
	Text  string     `json:"text"` // the words, cut after maxClaimText bytes
	State ClaimState `json:"state"`
	// the turn with the result that decides, or with the call if it has no result; 0 for none
	Proof int    `json:"proof,omitzero"`
	Tool  string `json:"tool,omitzero"` // the name of the tool that was called there
}

// ClaimState says whether a claim is proven.
type ClaimState string

// The states of a claim.
const (
	ClaimProven       ClaimState = "proven"       // a call did it, and its result agrees
	ClaimContradicted ClaimState = "contradicted" // a call failed, or shows something else
	ClaimUnproven     ClaimState = "unproven"     // no call did it, or its result shows no outcome
	ClaimPromised     ClaimState = "promised"     // it is announced, and not said to be done
)

// ClaimStates returns the states, the worst first.
func ClaimStates() []ClaimState {
	return []ClaimState{ClaimContradicted, ClaimUnproven, ClaimPromised, ClaimProven}
}

// ClaimCounts are numbers of claims, in the order of [ClaimStates].
type ClaimCounts [4]int

// CountClaims counts claims by their state.
func CountClaims(list []Claim) (n ClaimCounts) {
	for _, c := range list {
		n[slices.Index(ClaimStates(), c.State)]++
	}
	return n
}

// Of returns the number of claims with a state.
func (n ClaimCounts) Of(s ClaimState) int { return n[slices.Index(ClaimStates(), s)] }

// Mark returns the sign of a state in lists of claims.
func (s ClaimState) Mark() string {
	return map[ClaimState]string{ClaimProven: "✓", ClaimContradicted: "✗", ClaimUnproven: "?",
		ClaimPromised: "…"}[s]
}

// Shown returns the state in words, with the tool that decides.
func (c *Claim) Shown() string {
	text := c.State.Mark() + " " + string(c.State)
	if c.Proof > 0 {
		text += fmt.Sprintf(" by turn %d", c.Proof)
	}
	if c.Tool != "" {
		text += ", " + c.Tool
	}
	return text
}

// claimSignals are the states that detectors report.
var claimSignals = map[string]ClaimState{"claim-proven": ClaimProven,
	"claim-contradicted": ClaimContradicted, "claim-differs": ClaimContradicted,
	"claim-unproven": ClaimUnproven, "claim-open": ClaimUnproven,
	"claim-promised": ClaimPromised}

// maxClaimText is the maximum length of the words of a claim.
const maxClaimText = 300

// Claims returns the ledger of a judged dialogue.
func (e *Evaluation) Claims() []Claim {
	return Case{Dialogue: e.Dialogue, Signals: e.Signals}.Claims()
}

// Claims returns the ledger: the claims in the signals of the detectors, in their order.
func (c Case) Claims() (list []Claim) {
	var tools []dialogue.ToolUse
	for _, s := range c.Signals {
		state, isClaim := claimSignals[s.ID]
		t, ok := c.Dialogue.Turn(s.Turn)
		if !isClaim || !ok || s.End > len(t.Text) {
			continue
		}
		if s.End-s.Start > maxClaimText {
			s.End = s.Start + maxClaimText
		}
		one := Claim{Turn: s.Turn, State: state, Proof: s.About,
			Text: strings.ToValidUTF8(t.Text[s.Start:s.End], "")}
		if tools == nil && s.About > 0 {
			tools = c.Dialogue.Tools()
		}
		for k := range tools {
			if s.About > 0 && (tools[k].Result == s.About ||
				tools[k].Result == 0 && tools[k].Call == s.About) {
				one.Tool = tools[k].Name
				break
			}
		}
		list = append(list, one)
	}
	return list
}
