// Package view writes what package accord measured: for people, as JSON and as CSV.
//
// # JSON beside people
//
//	{"assize_agreement":1, "answer":["…"], "notes":["…"], "ratings":"FILE or empty", "scale":[1,5],
//	 "worst":0.2, "precision_at":0.1, "draws":1000, "seed":1, "unscored":0,
//	 "verdicts":{"overall":{"satisfaction":"as_good_as_one_annotator_or_better"|"less_good_than_one_annotator"|
//	                        "undecided"|"untold", …}, "Empathy":{"Empathy":…}},
//	 "dialogues":2800, "by":"file",
//	 "mean":{"overall":{"satisfaction":{"spearman":{"value","low","high","n","groups","warning"?}, …}, …}, …},
//	 "groups":[{"name","dialogues","figures":{…the same, without "groups"…},
//	            "confusion":[{"rated","measure","counts":[[…5…] …5…]}…]}…]}
//
// Under what was rated ("overall" or a criterion) stand the measures (satisfaction, numeric_weighted_average,
// OverallExperience, or the criterion itself) and the yardsticks (one_annotator, raters, constant). What cannot be had is
// null, and "warning" says why.
//
// # JSON of judges
//
//	{"assize_judges":1, "judge":{"file","dialogues","scored","fingerprints"}, "draws", "seed",
//	 "against":[{"judge":{…}, "answer", "notes", "made_differently":[{"what","first","other"}…],
//	             "dialogues", "by", "mean":{"Empathy":{"exact":{…}, …}, …}, "groups":[…]}…],
//	 "together"?:{"answer", "notes", "dialogues", "by", "mean", "groups"}}
//
// # CSV
//
// Long form: group, rated, measure, statistic, value, low, high, n, warning; of judges against in place of rated, and
// in front. The group of the means is "(mean of groups)".
package view
