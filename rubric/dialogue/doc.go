// Package dialogue holds conversations between a SYSTEM (assistant, agent) and a USER (customer), and
// reads them from the files that people have: exports of help desks and contact centres, chat logs,
// training data and rated research sets.
//
// A [Dialogue] is all that an agent ever sees: an id and the turns. What people said about the dialogue
// afterwards, their ratings and labels, is the [Truth]; it travels beside the Dialogue in a [Sample], so
// that an agent cannot look at it even by mistake.
//
// [Read] detects the format of a stream and yields one Sample after the other without holding the stream
// in memory. A broken dialogue yields one [*SyntaxError] in its place, and reading goes on.
package dialogue
