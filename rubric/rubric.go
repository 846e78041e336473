// Package rubric is the protocol: it judges a dialogue between a SYSTEM and a USER by six criteria and
// accounts for the outcome. It reads no file, no clock and no random number, so the same case always has
// the same outcome, byte for byte.
//
//	Dialogue ─┬──▶ Observe ──▶ Signals ───┐
//	          │                           │  Case
//	          └──▶ Evaluator ──▶ Scorecard ──▶ Critic ──▶ Critique ──▶ Decide ──▶ Evaluation ──▶ documents
//	               proposes six Ratings         objects                R1 … R5    Average, Overall, Audit
//
// One judgement, from transcript to audit:
//
// In turn 2 the SYSTEM books a table for five, in turn 3 the USER says "No, I said four". [Panel.Judge] first lets
// the detectors look ([Panel].Observe). They leave a [Signal] at turn 3: it speaks to Accuracy, among others, and
// points down. Dialogue and signals are the [Case]; ratings that people gave are no part of it.
//
// The [Evaluator] reads the case and gives a [Scorecard]: for each criterion a [Rating], that is a score of the
// scale, a claim and the quotes that show it. Accuracy, it says, deserves 100. The [Critic] reads case and card and
// gives a [Critique]. Its [Objection] to Accuracy suggests 60: "the USER must correct the number", turn 3. The zero
// Objection agrees, as it does with the other five.
//
// From here on no agent has a say. [Rubric.Settle] lets [Rubric.Decide], the Referee, settle each objection by
// rulings that look only at the case and at what the agents wrote. It checks every quote ([Quote.Verify]) and finds
// the signal that points the objection's way: the [Ruling] is R3-contradicted, and Accuracy goes from 100 to 60. Had
// nothing but the Critic's opinion spoken for it, it would have been R2-ambiguous, and the score would have stayed.
//
// The [Evaluation] follows by arithmetic in whole hundredths: [Rubric.Average] weighs the six scores, and
// [Mapping.Overall] rounds 79.00 down to 60. [Evaluation.AppendDebate] writes the document of the three-agent
// protocol, [Evaluation.AppendSingle] the flat one; both quote only what was said, and [Evaluation.Audit] explains
// each ruling in a sentence.
//
// A dialogue that cannot be judged is an [*Unscored] error with a reason, never a low score.
package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// Rubric is the measure that a dialogue is held against. [Default] gives the protocol's, [Parse] a file's.
type Rubric struct {
	Weights [NumCriteria]int         // whole percents; they sum to 100
	Levels  [NumCriteria][5]string   // what each score means, lowest first
	Demands [NumCriteria][5][]string // detectors of which at least one must have fired for that score; empty demands nothing
	Mapping Mapping

	// Caps are the most that a criterion scores where a detector fires, by the detector's id; nil for none.
	Caps [NumCriteria]map[string]Score
}

// Cap gives the lowest cap that holds for a criterion, and the first signal that sets it. Without one, it is the highest
// score and no signal.
func (r Rubric) Cap(c Case, k Criterion) (most Score, by *Signal) {
	most = Scale[4]
	for i := range c.Signals {
		s := &c.Signals[i]
		if limit, capped := r.Caps[k][s.ID]; capped && limit < most {
			most, by = limit, s
		}
	}
	return most, by
}

// Average is the weighted average of six scores, computed in whole hundredths. Its error
// names the first criterion without a valid score; nothing is clamped.
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

// Detectors lists the detectors that the rubric names anywhere, sorted, each once. Only those who know the detectors
// can tell whether there are such.
func (r Rubric) Detectors() []string {
	var ids []string
	for c, levels := range r.Demands {
		for _, demanded := range levels {
			ids = append(ids, demanded...)
		}
		ids = slices.AppendSeq(ids, maps.Keys(r.Caps[c]))
	}
	return sorted(ids)
}

// sorted gives each of the ids once, in order: a file may list them in any order.
func sorted(ids []string) []string { return slices.Compact(slices.Sorted(slices.Values(ids))) }

// Digest identifies the rubric: the SHA-256, in hexadecimal, of all that it says. How a file was written and
// the order in which it lists what is demanded make no difference.
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
	return hex.EncodeToString(h.Sum(nil))
}
