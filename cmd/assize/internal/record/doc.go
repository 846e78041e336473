// Package record is the wire of runs: what `assize score --format jsonl` writes and what every later command
// reads.
//
// A run is a file of JSON lines. The first line is the [Header], with what all records share: the program's
// version, the configuration, the digests of what scores depend on, the rubric and the profile themselves, so that a
// run can be settled again from itself alone, and a fingerprint of all that. The last line is the [End], which tells
// how many records there are and the SHA-256 of all lines before it; a run without it is unfinished. Every line between
// them is a [Record]: the document of the three-agent protocol (003), and behind its keys where the dialogue came from,
// what each agent and detector said, the turns, and what people said about them.
//
//	{"dialogue_id":7, "evaluator":{…}, "critic":[…6…], "referee_final":{…}, "audit":{…},
//	 "source":{"file","format","id"?,"turns","digest","meta"?:{"agent":"Ann",…},
//	           "duplicate_of"?:{"file","dialogue_id"}},
//	 "status":"scored", "satisfaction":3.41, "level"?:3, "flagged"?:true,
//	 "signals":[{"id","criteria":[…],"turn","about"?,"points"}…],
//	 "panel":{"evaluator":[{"criterion","turns","quotes"}…6],
//	          "critic":[{"criterion","by","kind","turns","quotes","suggested"}…],
//	          "rulings":[{"criterion","ruling","ground","turns","before","after"}…6]},
//	 "cross_check"?:{"disagreement":0.85,"criteria":[{"criterion","model","rules","levels","verdict"}…6]},
//	 "model"?:{"calls":[{"purpose","criterion"?,"presentation"?,"window"?,"attempt"?,"prompt_tokens","generated",
//	                     "failure"?,"raw"?}…],
//	           "windows"?:[{"from","to"}…],"suspicious"?,"shortened"?,"spread"?,"unstable"?,"flags"?},
//	 "fallback"?:["evaluator","critic"],
//	 "turns":[{"role","text"}…], "truth"?:{"overall"?,"turns"?,"labels"?}}
//
// An unscored dialogue has "status":"unscored" and "reason" in place of the protocol's keys, satisfaction,
// signals and panel. Where a run keeps only what is cited, an entry of "turns" begins with its number:
// {"turn":7,"role","text"}. The digest is that of all turns either way; where a run is redacted, that of the
// masked turns. What else the source says of a dialogue is its "meta", by name; see [dialogue.Meta].
//
// A dialogue with the same turns as an earlier one of the run has the judgement of that one, which "duplicate_of" names.
//
// Where a model was asked, "model" is what became of its words, scored or not, with every answer that failed unless
// only cited turns are kept; where it was the Evaluator, "cross_check" holds its scores against those of the rules;
// "fallback" names the agents whose part the rules took over from it. Times are no part of a record.
//
// The same record always has the same bytes, and a line that this package wrote reads back into a Record
// that is written as the same line.
package record
