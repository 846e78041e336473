// Package check looks for what is wrong with an evaluation, whoever wrote it: this program, another judge or
// a person. It reads the document of the three-agent protocol (003) or of the single-pass evaluator (004),
// recomputes what can be computed, and holds every quote against the transcript where there is one.
//
//	file ──Documents──▶ Document ──Checker.Check──▶ Report ──▶ Findings, each with an id, a place, got and want
//	                                  ▲                 └────▶ Fix: the document with what can be computed put right
//	            Transcript (optional) ┘
//
// A finding is never a matter of taste: each names the sentence of the specification that the document
// breaks, and one fault has one finding. Where a sentence can be read in several ways, the way that is kindest to
// the document counts. What still rests on a reading, such as the ruling that an objection in prose leads to, is
// a warning or a note and never an error.
package check
