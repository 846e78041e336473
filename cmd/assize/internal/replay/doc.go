// Package replay works runs out again from themselves alone, and names what does not follow.
//
// A run keeps what its records rest on: what the detectors saw, what the agents said, the turns, the rubric and the
// profile. Everything else in it is worked out again and compared byte for byte:
//
//	line ──record.Basis.Decode──▶ record        nothing to say
//	                        └───▶ Mismatch ──▶ Differences: the cause first, then what follows from it
//
// A difference is named by a JSON pointer, with what is recorded and what comes out. Where the members of a record
// contradict each other, the one is sought with which, put right, everything follows: that is the cause.
//
// What the detectors and the agents said is taken as it is recorded. A [Court] judges the recorded turns again and
// shows which answers differ. It asks a model as the header says that it was asked, or not at all: that is a [Refusal].
package replay
