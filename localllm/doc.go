// Package localllm lets a model on a local Ollama server act as the Evaluator and as the Critic.
//
//	Open ──▶ Model ──Session──▶ Session ── Evaluate, Critique ──▶ Scorecard, Critique
//	(server, model,               │
//	 template, loaded)            └── Account: calls, failures with the raw answer, windows, flags, spread
//
// The weaknesses of small models decide what they are asked. They invent quotes, so the model gives turn numbers and
// code inserts the words. They go on as they began, so each criterion is asked for by itself. They stop early, never
// stop, and leave scores out, so answers are constrained by a schema, bounded, and checked again as if there were no
// schema; one that cannot be used leaves the dialogue unscored, with a named [Failure]. They obey the transcript, so the
// text of a turn that a safety detector flags is kept from the model and changes nothing that is sent. They agree with
// what they are shown, so the Critic sees no scores (see [Session.Critique]).
//
// # The same bytes
//
// A server reuses what it has in its cache, and at temperature 0 a model gives other scores when the whole prompt is
// cached than when part of it is not. So a priming call before each dialogue leaves just the constant prefix in the
// cache; a session that was interrupted first has its earlier questions read again; requests are made one at a time;
// and all options that would reload the model are constant. A [Cache] gives the same bytes without asking.
//
// # Measurements behind the design
//
// Where a choice rests on tokens or time, the code that makes it gives the figures. Larger models were seen to inflate
// the score that follows a reason, to answer twelve yes-or-no questions alike, to object to five criteria of six when
// they look for faults, and to follow instructions in the transcript although they are told never to.
package localllm
