// Package localllm lets a model on a local Ollama server act as the Evaluator and as the Critic.
//
//	Open ──▶ Model ──Session──▶ Session ── Evaluate, Critique ──▶ Scorecard, Critique
//	  (server, model,              │
//	   template, loaded)           └── Account: calls, answers, failures, windows, flags
//
// The model answers closed questions about the dialogue, which are listed in
// prompts/questions.yaml. The result is the probability of Yes relative to No as the first token: a
// small model that writes a level writes the same one almost everywhere, whereas the probability
// still differs between dialogues. The mean probability of the good answers is the goodness of a
// criterion, and a [Scale] maps it to a level. Servers that return no probabilities are refused. As
// the Critic the model is also asked whether the rules' claims hold (see [Verified]). A doubt may
// change a score only if calibration gives the criterion a vote and the Referee accepts it.
//
// Further design choices follow from the weaknesses of small models:
//
//   - They invent quotes and reasons, so a sentence says only what the model was asked and how sure
//     it is, and the quotes are those of the rules.
//   - They repeat their earlier answers, so each question is asked by itself.
//   - A system message makes them judge worse, so closed questions are asked without one: over 14
//     complaints, the rank correlation of P(solved) with satisfaction was .91 without and .63 with
//     a message that describes the task (Qwen2.5-Coder 1.5B).
//   - They answer nonsense, so answers are bounded and validated; a dialogue about which nothing is
//     answered is unscored, with a named [Failure].
//   - They obey the transcript, so the text of a turn that a safety detector flags is withheld from
//     the model and does not affect what is sent.
//   - They agree with what they are shown, so the Critic sees no scores (see [Session.Critique]).
//
// # Reproducible answers
//
// A server reuses its cache, and at temperature 0 a model answers differently depending on whether
// all or only part of the prompt is cached. Therefore, a priming call before each dialogue leaves
// only the constant prefix in the cache; a session that was interrupted first has its earlier
// questions read again; requests are made one at a time; and all options that would reload the
// model are constant. Probabilities are stored in thousandths, and all decisions based on them use
// integers. A [Cache] returns the same bytes without calling the server.
package localllm
