// Package view writes a comparison of two runs for people and for programs.
//
// [JSON] writes one object. Its figures have two decimals, those of satisfaction three, chances four or six; a figure
// that cannot be had is null, and an interval too. The lists are empty where there is nothing to list.
//
//	{"assize_compare":1, "mode":"paired"|"unpaired", "answer":[…sentences], "warnings":[…sentences],
//	 "draws", "seed",
//	 "a":{"file","dialogues","scored","fingerprints":[…one a header, null for none],"without_partner"}, "b":{…},
//	 "matched":{"dialogues","scored","changed"},
//	 "measures":[{"measure","n_a","n_b","mean_a","mean_b","difference","interval":[low,high]|null,
//	              "rose","fell","stayed","sign_p","sign_p_holm","wilcoxon_p","wilcoxon_p_holm" | "chance_b_above_a"}…],
//	 "files":[{"file","measures":[…as above]}…], "mean_of_files":[…as above, of means alone],
//	 "made_differently":[{"what","a","b"}…],
//	 "changed_most":[{"a":{"dialogue","file","line","OverallExperience","numeric_weighted_average","satisfaction"},"b":{…},
//	                  "criteria":[{"criterion","a":{"score","ruling","justification"},"b":{…}}…]}…],
//	 "became_unscored":[{"a":{"dialogue","file","line"},"b":{…},"reason"}…], "became_scored":[…]}
//
// A measure of pairs has the counts and chances, one of two different sets the chance that B lies above A. "line" is
// that of the run.
package view
