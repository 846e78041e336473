// Package heuristics plays the agents by rules: no model, no server, and the same answer every
// time.
//
// [Agents.Observe] prepares a dialogue once (words, blocks of one speaker, every phrase of
// every list found in one pass, what the USER makes of each answer) and runs the [Detector]s
// over it. Each reports a [rubric.Signal] where it sees something: which turn, which words,
// which criteria. A record stores the signals, so every score can be worked out again by hand.
//
// There are three layers:
//
//   - Evidence. A detector with @evidence speaks for or against one criterion, at most two, and
//     the same ones in every kind of conversation. Only evidence decides scores and is quoted.
//   - Cues. A detector with @cue sees style that goes with satisfaction: thanks, plain words,
//     stock courtesy, length. Cues decide no score and are quoted for none.
//   - Kind. A [Kind] is what sort of conversation it is (kind.go). It selects the weights of
//     the estimate of satisfaction and nothing else.
//
// What follows from the signals:
//
//   - The Evaluator climbs a [Ladder] for each criterion (ladders/*.txt): the lowest rung with
//     a fault that was found, otherwise the highest rung with a merit that was found, otherwise
//     the usual score, which says "not shown". `assize explain Accuracy` prints the ladder.
//   - The Critic looks for later turns that put right what the Evaluator charges or take back
//     what it credits. Of a model's scores it also looks for faults and merits that the model
//     missed.
//   - [Profile.Estimate] estimates satisfaction from evidence and cues, with weights learnt
//     from our own dialogues in testdata/desk alone (quality.json; see TestLearn), or from a
//     team's ratings.
//
// The families of detectors:
//
//   - request: the last state of what the USER asked for, and whether any answer meets it
//     (requests.go).
//   - pairing, outcome: whether an answer holds. The USER's next turn decides (uptake.go): the
//     same request again, "as I said", a denial. Details asked for twice are found in
//     details.go.
//   - contradiction, tool: the SYSTEM's statements against each other, against what the USER
//     gave and against the calls and results of tools (statements.go, figures.go, tools.go,
//     grounds.go).
//   - courtesy, empathy: the SYSTEM's manners and how it answers feelings (care.go).
//   - reaction: what the USER says of the outcome or shows. Praise right after a plain no, or
//     beside something bad, counts as sarcasm (readIrony).
//   - fluency: grammar, word order, broken text and spelling (grammar.go, order.go,
//     spelling.go).
//   - conduct, safety: contempt, secrets, other customers' data, unsafe advice, and turns that
//     speak to the judge. The rubric caps criteria where a conduct detector fires (caps in
//     default.yaml); neither agent goes beyond a cap, and the Critic holds a model to it.
//
// A detector is one file, detectors/ID.txt: what it sees and why, an example and a look-alike,
// its criteria, phrases and conditions. `assize explain ID` prints it. Where phrases are not
// enough, the file names a Go function.
package heuristics
