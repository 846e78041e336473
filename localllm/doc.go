// Package localllm lets a model on a local Ollama server act as the Evaluator and as the Critic.
//
//	Open ──▶ Model ──Session──▶ Session ── Evaluate, Critique ──▶ Scorecard, Critique
//	(server, model,               │
//	 template, loaded)            └── Account: calls, answers, failures, windows, flags
//
// The model answers closed questions about the dialogue, which prompts/questions.yaml lists. What
// counts is how probable Yes is beside No as the first token: a small model that writes a level
// writes the same one almost everywhere, and the probability tells dialogues apart all the same. The
// mean probability of the good answers is the goodness of a criterion, and a [Scale] makes a level
// of it. Servers that return no probabilities are asked for written levels.
//
// The weaknesses of small models decide what else they are asked. They invent quotes, so the model
// gives turn numbers and code inserts the words. They go on as they began, so each question is asked
// by itself. They stop early, never stop, and answer nonsense, so answers are constrained, bounded,
// and checked again; a criterion without an answer leaves the dialogue unscored, with a named
// [Failure]. They obey the transcript, so the text of a turn that a safety detector flags is kept
// from the model and changes nothing that is sent. They agree with what they are shown, so the
// Critic sees no scores (see [Session.Critique]).
//
// # The same bytes
//
// A server reuses what it has in its cache, and at temperature 0 a model gives other answers when
// the whole prompt is cached than when part of it is not. So a priming call before each dialogue
// leaves just the constant prefix in the cache; a session that was interrupted first has its earlier
// questions read again; requests are made one at a time; and all options that would reload the model
// are constant. Probabilities are kept in thousandths, and all that is decided on them is decided in
// integers. A [Cache] gives the same bytes without asking.
package localllm
