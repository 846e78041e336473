// Package heuristics plays the agents by rules: no model, no server, and the same answer every time.
//
// [Agents.Observe] makes a dialogue ready once (words, blocks of one speaker, every phrase of every list found in one
// pass, what the USER makes of each answer) and lets the [Detector]s look at it. Each reports a [rubric.Signal] where
// it sees something: which turn, which words, which criteria, how many points up or down. Everything after that is
// arithmetic on signals, which a record holds, so that a score can be recomputed by hand:
//
//   - The Evaluator adds up the signals at the SYSTEM's turns, divided by how many turns the SYSTEM has (five at least,
//     three in a service case); the sum earns a level of each criterion (levels.json).
//   - The Critic takes the mean of the USER's reactions, later turns weighing more, and moves each level by what
//     they call for, up or down, if it can quote a turn for it. In a service case it reads the conversation as a whole
//     instead: its quality (quality.json), from all signals, bounds every criterion but Fluency from above and below
//     (service-most and service-least in levels.json). Accuracy does not fall below 60 by that alone: less takes a sign
//     that is about accuracy (service-unproven).
//   - [Profile.Estimate] maps the reactions, with what the SYSTEM had reported just before each, or the quality of a
//     service case, onto the scale of the people who rate (profile.json).
//
// In a request no turn counts in both agents' scores: the SYSTEM's turns are the Evaluator's, the USER's are the
// Critic's. What a USER says after each turn predicts people's ratings far better than how the SYSTEM words it, so the
// Critic's voice is the stronger one.
//
// Points depend on the [Kind] of conversation, which kind.go reads from how it opens: in a service case a thank-you
// tells more than in a request, and an apology tells less. What the families of detectors have in common:
//
//   - reaction: what the USER shows. Some look at service cases alone, where complaints are told from anger about a
//     product, and a mood that worsens from one that settles. Praise right after a plain no, or beside something bad, counts as
//     sarcasm (readIrony).
//   - pairing, outcome, contradiction: whether an answer holds. Uptake (uptake.go) decides that by the USER's next
//     turn: the same request again, "as I said", a denial. Credit that a turn earns by its form is void if the answer
//     fails (@voids). Details that are asked for twice are told apart by what is asked for (details.go).
//   - courtesy, empathy: manners and care. Stock phrases count less each time (@fades); what answers feelings
//     (care.go) counts where the USER has spoken of them.
//   - fluency: grammar, broken text and spelling (spelling.go).
//   - tool: what the SYSTEM says against what its tools were asked and returned. A claim is held against
//     the calls for its deed (tools.go), a figure, date or time against all that was named (grounds.go).
//   - conduct: contempt, asking for secrets, other customers' data, unsafe advice. The rubric caps criteria where one
//     of them fires (caps in default.yaml); neither agent goes beyond a cap, and the Critic holds a model to it.
//
// Where no signal tells anything, a score is not 100: TaskSuccess, Accuracy and Understanding say "not shown", and an
// answer must be taken up or a statement agree with the USER's to earn the best level. Fluency alone starts from 100.
//
// A detector is one file, detectors/ID.txt: what it sees and why, an example and a look-alike, criteria, points,
// phrases and conditions. `assize explain ID` prints what it says. Where that is not enough, it names a Go function.
// Points are round figures chosen by thought; .ci/points prints how people judge the dialogues in which each fires. What a
// point counts for the quality of a service case is learnt (quality.json).
package heuristics
