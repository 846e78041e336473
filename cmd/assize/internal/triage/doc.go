// Package triage says which dialogues a person should read first, and of each in a line or two why.
//
// Dialogues are ranked worst first by an [Order], and [Worst] keeps only as many as are wanted, however many there are.
// A [Row] is a ranked dialogue with the criterion that cost it most and one or two utterances that say why. [Choose]
// spends a model's time where it can matter: on the worst, and on those of which the rules cannot well say on which side
// of the cut they belong. A [Sheet] writes what came of it.
package triage
