package rubric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// Deed is a statement of the SYSTEM that something was done which changes something, with what
// the calls of its tools show about it. Only a dialogue with such calls has a ledger.
type Deed struct {
	Turn  int       `json:"turn"`
	Text  string    `json:"text"` // the words, cut after maxDeed bytes
	State DeedState `json:"state"`
	// the turn with the result that decides, or with the call if it has no result; 0 for none
	Proof int    `json:"proof,omitzero"`
	Tool  string `json:"tool,omitzero"` // the name of the tool that was called there
}

// DeedState says whether a deed is proven.
type DeedState string

// The states of a deed.
const (
	DeedProven       DeedState = "proven"       // a call did it, and its result agrees
	DeedContradicted DeedState = "contradicted" // a call failed, or shows something else
	DeedUnproven     DeedState = "unproven"     // no call did it, or its result shows no outcome
	DeedPromised     DeedState = "promised"     // it is announced, and not said to be done
)

// DeedStates returns the states, the worst first.
func DeedStates() []DeedState {
	return []DeedState{DeedContradicted, DeedUnproven, DeedPromised, DeedProven}
}

// DeedCounts are numbers of deeds, in the order of [DeedStates].
type DeedCounts [4]int32

// CountDeeds counts deeds by their state. A record that somebody has changed may hold another.
func CountDeeds(list []Deed) (n DeedCounts) {
	for _, c := range list {
		if i := slices.Index(DeedStates(), c.State); i >= 0 {
			n[i]++
		}
	}
	return n
}

// Of returns the number of deeds with a state.
func (n DeedCounts) Of(s DeedState) int { return int(n[slices.Index(DeedStates(), s)]) }

// Mark returns the sign of a state in lists of deeds.
func (s DeedState) Mark() string {
	return map[DeedState]string{DeedProven: "✓", DeedContradicted: "✗", DeedUnproven: "?",
		DeedPromised: "…"}[s]
}

// Shown returns the state in words, with the tool that decides and what its result shows. The calls
// are those of the dialogue.
func (c *Deed) Shown(calls []dialogue.ToolUse) string {
	by, shows := strings.TrimSuffix(fmt.Sprintf("turn %d, %s", c.Proof, c.Tool), ", "), ""
	switch {
	case c.State == DeedUnproven && c.Proof == 0:
		by, shows = "", ": no call did it"
	case c.State == DeedUnproven:
		by, shows = ": "+by, ", does not show that it was done"
	case c.Proof == 0:
		by = ""
	default:
		by = " by " + by
	}
	if u := c.use(calls); c.State == DeedContradicted && u != nil {
		shows = cmp.Or(map[dialogue.Outcome]string{dialogue.Failed: ": the call failed",
			dialogue.Partial: ": only a part of it was done",
			dialogue.Pending: ": it is not done yet"}[u.Read().Outcome],
			": the call was "+u.Name+"("+cut(u.Arguments)+") with the result "+cut(u.Answer))
	}
	return c.State.Mark() + " " + string(c.State) + by + shows
}

// use returns the call whose result decides, or nil.
func (c *Deed) use(tools []dialogue.ToolUse) *dialogue.ToolUse {
	for k := range tools {
		if u := &tools[k]; c.Proof > 0 && cmp.Or(u.Result, u.Call) == c.Proof {
			return u
		}
	}
	return nil
}

// ProofOf returns a quote of the turn that proves a deed: if it is the result of a call, the words
// that report the outcome.
func ProofOf(turn int, text string, calls []dialogue.ToolUse) Quote {
	c, says := Deed{Proof: turn}, ""
	if u := c.use(calls); u != nil && u.Result == turn {
		says = u.Read().Decides
	}
	before, _, found := strings.Cut(text, says)
	if !found {
		return Excerpt(turn, text, 0, 0)
	}
	return Excerpt(turn, text, len(before), len(before)+len(says))
}

// DeedStateOf returns the state of the claims that a detector reports, or "" if it reports none.
func DeedStateOf(detector string) DeedState { return deedSignals[detector] }

var deedSignals = map[string]DeedState{"claim-proven": DeedProven,
	"claim-contradicted": DeedContradicted, "claim-differs": DeedContradicted,
	"claim-unproven": DeedUnproven, "claim-open": DeedUnproven, "claim-promised": DeedPromised}

// maxDeed is the maximum length of the words of a claim, of a call and of its result.
const maxDeed = 300

// cut returns at most the first maxDeed bytes of a text.
func cut(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxDeed)], "") }

// Deeds returns the ledger of a judged dialogue.
func (e *Evaluation) Deeds() []Deed {
	return Case{Dialogue: e.Dialogue, Signals: e.Signals}.Deeds()
}

// Deeds returns the ledger: the deeds in the signals of the detectors, in their order.
func (c Case) Deeds() (list []Deed) {
	var tools []dialogue.ToolUse
	for _, s := range c.Signals {
		state, isDeed := deedSignals[s.ID]
		t, ok := c.Dialogue.Turn(s.Turn)
		if !isDeed || !ok || s.End > len(t.Text) {
			continue
		}
		one := Deed{Turn: s.Turn, State: state, Proof: s.About, Text: cut(t.Text[s.Start:s.End])}
		if tools == nil && s.About > 0 {
			tools = c.Dialogue.Tools()
		}
		if u := one.use(tools); u != nil {
			one.Tool = u.Name
		}
		list = append(list, one)
	}
	return list
}
