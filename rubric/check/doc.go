// Package check looks for what is wrong with an evaluation, whoever wrote it: this program, another judge or
// a person. It reads the document of the three-agent protocol (003) or of the single-pass evaluator (004),
// recomputes what can be computed, and holds every quote against the transcript where there is one.
//
//	file ──Documents──▶ Document ──Checker.Check──▶ Report ──▶ Findings, each with an id, a place, got and want
//	                                  ▲                 └────▶ Fix: the document with what can be computed put right
//	            Transcript (optional) ┘
//
// A finding is never a matter of taste: each names the sentence of the specification that the document
// breaks. What depends on the reading of prose, such as whether a word in quote marks is meant as a quote, is
// a warning or a note and never an error.
package check
