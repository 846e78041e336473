// Package rubric is the court: it holds a dialogue between a SYSTEM and a USER against six criteria and
// accounts for the outcome. It reads no file, no clock and no random number, so the same case always comes
// out the same, byte for byte.
//
//	Dialogue ─┬──▶ Observe ──▶ Signals ───┐
//	          │                           │  Case
//	          └──▶ Evaluator ──▶ Scorecard ──▶ Critic ──▶ Critique ──▶ Decide ──▶ Evaluation ──▶ documents
//	               proposes six Ratings         objects                R1 … R5    Average, Overall, Audit
//
// One judgement, from transcript to audit:
//
// The USER of turn 1 asks for a table for four. In turn 2 the SYSTEM books one for five, in turn 3 the USER
// says "No, I said four", in turn 4 the SYSTEM puts it right.
//
// [Panel.Judge] first lets the detectors look ([Panel].Observe). They leave a [Signal] at turn 3: it speaks to
// TaskSuccess, Understanding and Accuracy, and points down. Dialogue and signals are the [Case]; ratings that
// people gave are no part of it, so no agent can look at them.
//
// The [Evaluator] reads the case and gives a [Scorecard]: for each criterion a [Rating], that is a score of
// the scale, a claim and the quotes that show it. Accuracy, it says, deserves 100: "the booking is confirmed",
// turn 2. The [Critic] reads case and card and gives a [Critique]. Its [Objection] to Accuracy suggests 60:
// "the USER must correct the number", turn 3. The zero Objection agrees, as it does with the other five.
//
// From here on no agent has a say. [Rubric.Settle] lets [Rubric.Decide], the Referee, settle each objection
// by rulings that look only at the case and at what the agents wrote. It checks every quote ([Quote.Verify])
// and finds turn 3's words in the transcript and the signal that points the objection's way: the [Ruling] is
// R3-contradicted, and Accuracy goes from 100 to 60 with the Critic's claim and quote. Had nothing but the
// Critic's opinion spoken for it, the ruling would have been R2-ambiguous, and the score would have stayed.
//
// The [Evaluation] then follows by arithmetic in whole hundredths. [Rubric.Average] weighs the six scores:
//
//	80*0.40 + 80*0.15 + 60*0.15 + 80*0.10 + 80*0.10 + 100*0.10 = 79.00
//
// and [Mapping.Overall] rounds 79.00 down to 60. [Evaluation.AppendDebate] writes the document of the
// three-agent protocol, [Evaluation.AppendSingle] the flat one; both quote only what was said.
// [Evaluation.Audit] tells the story again, a sentence a ruling:
//
//	R3-contradicted: Accuracy goes from 100 to 60 as the Critic (rules) suggests, because USER: "No, I said
//	four" speaks for a lower score.
//
// A dialogue that nobody can judge is an [*Unscored] error with a reason, never a low score.
package rubric
