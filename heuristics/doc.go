// Package heuristics implements the agents by rules: no model, no server, and the same result every
// time.
//
// [Agents.Observe] prepares a dialogue once (words, blocks of one speaker, every phrase of
// every list found in one pass, the USER's reaction to each answer) and runs the [Detector]s
// on it. Each reports a [rubric.Signal] for what it finds: the turn, the words and the
// criteria. A record stores the signals, so every score can be recomputed by hand.
//
// There are three layers:
//
//   - Evidence. The signals of a detector with @evidence are evidence on one or two criteria,
//     the same ones in every kind of conversation. Only evidence decides scores and is quoted.
//   - Cues. A detector with @cue finds style that correlates with satisfaction: thanks, plain
//     words, stock courtesy, length. Cues decide no score and are quoted for none.
//   - Kind. A [Kind] is the type of the conversation (opening.go). It selects the weights of
//     the estimate of satisfaction, and some detectors look for something in one kind only.
//
// The signals are used as follows:
//
//   - The Evaluator rates each criterion by its [Ladder] (ladders/*.txt): the lowest rung with
//     a fault that was found, otherwise the highest rung with a merit that was found, otherwise
//     the usual score, which has a sentence of its own. `assize explain Accuracy` prints one.
//   - What is quoted for a claim is chosen afterwards, over the whole dialogue and by the kind of
//     the claim (quotes.go). A reason says how often its detector was right ([Trust]).
//   - The Critic looks for later turns that remedy a fault, or withdraw a merit if a ladder
//     says so. For a model's scores it also looks for faults and merits that the model missed.
//   - Package satisfaction estimates people's rating from evidence and cues.
//
// The families of detectors:
//
//   - request: what became of the USER's last request, which is the last state that either side
//     reports: done, refused, promised and so on (requests.go). The words that report a state
//     are in lexicon/state-*.txt. With claim, and trouble (ladders/TaskSuccess.txt), it decides
//     TaskSuccess.
//   - pairing, outcome: whether an answer holds. The USER's next turn decides (uptake.go): the
//     same request again, "as I said", a denial.
//   - contradiction: comparison of the SYSTEM's statements with each other and with what the
//     USER gave (contradiction.go, value.go, figure.go).
//   - claim: what the SYSTEM says it did, and whether a call of a tool did it (claims.go finds
//     the statements, calls.go reads calls and results, callfigures.go and callnames.go compare
//     figures and names, ledger.go decides); and statements that results confirm or deny
//     (grounded.go).
//   - substance: facts, steps and ways forward, or empty phrases (substance.go).
//   - courtesy, empathy: the SYSTEM's manners and how it answers feelings (courtesy.go).
//   - reaction: what the USER says or shows about the outcome. Praise right after a plain no,
//     or before something bad, counts as sarcasm (readIrony).
//   - fluency: grammar, broken text and spelling (fluency.go, grammar.go).
//   - conduct, safety: contempt, secrets, other customers' data, unsafe advice, and turns that
//     address the judge. The rubric caps criteria where a conduct detector fires (caps in
//     default.yaml); neither agent goes beyond a cap, and the Critic holds a model to it.
//
// Files go from callees up to callers: words and text (text.go, automaton.go, lexicon.go), what is
// read from a dialogue (analysis.go), what a turn or a block of turns says (turns.go), the families
// above, the files that name their functions (load.go) and the agents (agents.go).
//
// A detector is one file, detectors/ID.txt: what it finds and why it matters, a dialogue
// that it fires on and a similar one, its criteria, phrases and conditions. `assize explain
// ID` prints it. Where phrases are not enough, the file names a Go function.
package heuristics
