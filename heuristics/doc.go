// Package heuristics plays the agents by rules: no model, no server, and the same answer every time.
//
// [Agents.Observe] makes a dialogue ready once (words, blocks of one speaker, every phrase of every list found
// in one pass) and lets the [Detector]s look at it. Each reports a [rubric.Signal] where it sees something:
// which turn, which words, which criteria, how many points up or down. Everything after that is arithmetic on
// signals, which a record holds, so that a score can be recomputed by hand:
//
//   - The Evaluator adds up the signals at the SYSTEM's turns, divided by how many turns the SYSTEM has, five at
//     least; the sum earns a level of each criterion (levels.json).
//   - The Critic takes the mean of the USER's reactions, later turns weighing more, and moves each level by what
//     they call for, up or down, if it can quote a turn for it.
//   - [Profile.Estimate] maps the reactions, with what the SYSTEM had reported just before each, onto the
//     scale of the people who rate (profile.json).
//
// No turn counts in both agents' scores: the SYSTEM's turns are the Evaluator's, the USER's are the Critic's.
// What a USER says after each turn predicts people's ratings far better than how the SYSTEM words it, so the
// Critic's voice is the stronger one.
//
// A detector is one file, detectors/ID.txt: what it sees and why, an example and a look-alike, criteria, points,
// phrases and conditions. `assize explain ID` prints what it says. Where that is not enough, it names a Go function.
package heuristics
