// Package heuristics implements the agents by rules: no model, no server, and the same result every
// time.
//
// The rules have rooms, and none imports a higher one. Each room's documentation lists which
// question is answered where. From the ground up:
//
//	text          words, sentences, spelling, and the phrases of a list in a turn
//	quantity      amounts, dates, times and figures, and whether two of them agree
//	talk          what both sides say: questions, requests, answers and reactions to them
//	deeds         what the SYSTEM says that it did, and what the calls of its tools show
//	evidence      the detectors, and the patterns of a rubric
//	heuristics    the agents, which judge by signals, and what they quote
//	satisfaction  the estimate of people's rating
//
// [evidence.Rules.Observe] prepares a dialogue once and runs the [evidence.Detector]s on it. Each
// reports a [rubric.Signal] for what it finds: the turn, the words and the criteria. A record
// stores the signals, so every score can be recomputed by hand. There are three layers:
//
//   - Evidence. The signals of a detector with @evidence are evidence on one or two criteria,
//     the same ones in every kind of conversation. Only evidence decides scores and is quoted.
//   - Cues. A detector with @cue finds style that correlates with satisfaction: thanks, plain
//     words, stock courtesy, length. Cues decide no score and are quoted for none.
//   - Kind. A [talk.Kind] is the type of the conversation. It selects the weights of the estimate
//     of satisfaction, and some detectors look for something in one kind only.
//
// The signals are used as follows:
//
//   - The Evaluator rates each criterion by its [Ladder] (ladders/*.txt): the lowest rung with
//     a fault that was found, otherwise the highest rung with a merit that was found, otherwise
//     the usual score, which has a sentence of its own. `assize explain Accuracy` prints one.
//   - What is quoted for a claim is chosen afterwards, over the whole dialogue and by the kind of
//     the claim (quotes.go). A reason says how often its detector was right ([evidence.Trust]).
//   - The Critic looks for later turns that remedy a fault, or withdraw a merit if a ladder
//     says so. For a model's scores it also looks for faults and merits that the model missed.
//   - The rubric caps criteria where a detector of the conduct family fires (caps in default.yaml).
//     Neither agent goes beyond a cap, and the Critic holds a model to it.
package heuristics
