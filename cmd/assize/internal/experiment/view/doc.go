// Package view writes what package experiment measured: for people, for merge requests, as CSV and as JSON.
//
// # JSON
//
//	{"assize_experiment":1, "file", "dialogues", "draws", "seed", "rows":[
//	   {"model", "panel", "prompts", "runs":[file…], "missing", "dialogues", "unscored", "by_rules",
//	    "agreement":{"satisfaction":FIGURE, "numeric_weighted_average":FIGURE},
//	    "over_rules":{"satisfaction":FIGURE, "numeric_weighted_average":FIGURE},
//	    "evidence", "evidence_by_chance", "cited", "flips", "disagreement",
//	    "generated", "tokens", "seconds", "timed"}…], "notes":[…]}
//
// FIGURE is {"value","low","high","n","warning"}. What cannot be had is null, and "warning" says why. Shares go from 0
// to 1; tokens and seconds are means per dialogue.
//
// # CSV
//
// A row for each row, with the same names; "repeats" is the number of runs. What cannot be had is empty.
package view
