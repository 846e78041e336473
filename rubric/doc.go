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
