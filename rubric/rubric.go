// Package rubric implements the protocol: it judges a dialogue between a SYSTEM and a USER by six
// criteria and explains the outcome. It reads no file, clock or random number, so the same case
// always has the same outcome, byte for byte. PROTOCOL.md in this folder states the rules.
//
//	Dialogue ┬─▶ Observe ─▶ Signals ────┐
//	         │                          │ Case
//	         └─▶ Evaluator ─▶ Scorecard ─▶ Critic ─▶ Critique ─▶ Decide ─▶ Evaluation ─▶ documents
//	            proposes six Ratings       objects              R1 … R5  Average, Overall, Audit
//
// The following example traces one judgement from the transcript to the audit.
//
// In turn 2 the SYSTEM books a table for five, and in turn 3 the USER says "No, I said four".
// [Panel.Judge] first runs the detectors ([Panel].Observe). They leave a [Signal] at turn 3, which
// bears on Accuracy, among other criteria, and points down. The dialogue and the signals are the
// [Case]; it does not include people's ratings.
//
// The [Evaluator] reads the case and returns a [Scorecard] with a [Rating] for each criterion: a
// score on the scale, a claim, and the quotes that support it. It rates Accuracy 100. The [Critic]
// reads the case and the scorecard and returns a [Critique]. Its [Objection] to Accuracy suggests
// 60: "the USER must correct the number", turn 3. For the other five criteria it returns the zero
// Objection, which agrees.
//
// The agents have no further influence. [Rubric.Settle] calls [Rubric.Decide], the Referee, which
// settles each objection by rulings that depend only on the case and on the agents' answers. It
// checks every quote ([Quote.Verify]) and finds the signal that points in the objection's
// direction: the [Ruling] is R3-contradicted, and Accuracy drops from 100 to 60. Supported by
// nothing but the Critic's opinion, the objection would have been ruled R2-ambiguous, and the score
// would have stayed.
//
// The [Evaluation] follows by arithmetic in whole hundredths: [Rubric.Average] weights the six
// scores, and [Mapping.Overall] rounds 79.00 down to 60. [Evaluation.AppendDebate] writes the
// document of the three-agent protocol, [Evaluation.AppendSingle] the flat one; both quote only
// what was said, and [Evaluation.Audit] explains each ruling in a sentence.
//
// A dialogue that cannot be judged results in an [*Unscored] error with a reason, never in a low
// score.
package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// Rubric holds the weights, levels and rules by which dialogues are judged. [Default] returns the
// protocol's rubric; [Parse] reads one from a file.
type Rubric struct {
	Weights [NumCriteria]int       // whole percents; they sum to 100
	Levels  [NumCriteria][5]string // the meaning of each score, lowest first
	// detectors of which at least one must have fired for that score; empty if none is required
	Demands [NumCriteria][5][]string
	Mapping Mapping

	// Caps is the maximum score of a criterion if a detector fires, by the detector's ID; nil for
	// none.
	Caps [NumCriteria]map[string]Score

	Questions []Question // of the scorecard
	Facts     []Fact     // that the SYSTEM's statements are compared with
}

// Cap returns the lowest cap that applies to a criterion, and the first signal that sets it. If
// none applies, it returns the highest score and nil.
func (r Rubric) Cap(c Case, k Criterion) (lowest Score, by *Signal) {
	lowest = Scale[4]
	for i := range c.Signals {
		s := &c.Signals[i]
		if score, capped := r.Caps[k][s.ID]; capped && score < lowest {
			lowest, by = score, s
		}
	}
	return lowest, by
}

// Average returns the weighted average of six scores, computed in whole hundredths. The error names
// the first criterion without a valid score; nothing is clamped.
func (r Rubric) Average(scores [NumCriteria]Score) (Hundredths, error) {
	var sum Hundredths
	for i, s := range scores {
		if !s.Valid() {
			return 0, offScale(Criterion(i), s)
		}
		sum += Hundredths(r.Weights[i]) * Hundredths(s)
	}
	return sum, nil
}

// Detectors returns the detectors that the rubric names, sorted and without duplicates. It does not
// check that they exist.
func (r Rubric) Detectors() (ids []string) {
	for c, levels := range r.Demands {
		ids = append(ids, slices.Concat(levels[:]...)...)
		ids = slices.AppendSeq(ids, maps.Keys(r.Caps[c]))
	}
	return sorted(ids)
}

// sorted returns the IDs sorted and without duplicates, since a file may list them in any order.
func sorted(ids []string) []string { return slices.Compact(slices.Sorted(slices.Values(ids))) }

// Digest returns the SHA-256 of the rubric's content, in hexadecimal. It does not depend on the
// format of the file or on the order of its lists.
func (r Rubric) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%v\n", r.Mapping)
	for _, c := range Criteria() {
		fmt.Fprintf(h, "%v %d\n", c, r.Weights[c])
		for i, score := range Scale {
			fmt.Fprintf(h, "%d %q %q\n", score, r.Levels[c][i], sorted(r.Demands[c][i]))
		}
		for _, id := range slices.Sorted(maps.Keys(r.Caps[c])) {
			fmt.Fprintf(h, "%q %d\n", id, r.Caps[c][id])
		}
	}
	if len(r.Questions)+len(r.Facts) > 0 {
		h.Write(AppendJSON(nil, scorecard{r.Questions, r.Facts}))
	}
	return hex.EncodeToString(h.Sum(nil))
}
