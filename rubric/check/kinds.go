package check

import "slices"

// Kinds documents every id that a finding can have: first the form, then the figures, the agents, the quotes.
func Kinds() []Kind { return slices.Concat(formKinds(), figureKinds(), agentKinds(), sentenceKinds()) }

// formKinds are about the text as JSON and about its structure.
func formKinds() []Kind {
	return []Kind{
		{
			ID: "json-syntax", Severity: Error, Title: "The text is not valid JSON.",
			Why:  "Both documents demand JSON and nothing else. Until the text can be read, nothing of it can be checked; a broken document among several spoils only itself.",
			Bad:  `{"score": 80, "justification": 'Polite.',}`,
			Good: `{"score": 80, "justification": "Polite."}`,
		}, {
			ID: "text-around", Severity: Note, Title: "There is text around the JSON.",
			Why:  "003 wants output that is valid JSON, 004 rules out any text beside it. The evaluations were found and are checked all the same, but a program that expects JSON will not read them. It is told once a file.",
			Bad:  "Here is my evaluation:\n{\"dialogue_id\": 7, …}",
			Good: `{"dialogue_id": 7, …}`,
		}, {
			ID: "not-an-evaluation", Severity: Error, Title: "The JSON is neither protocol's document.",
			Why:  "A document of the debate (003) has evaluator, critic, referee_final and audit; one of the single evaluator (004) has the six criteria and OverallExperience. Of those keys this one has none: it may be a message about an error, or wrap the evaluation that is meant.",
			Bad:  `{"result": {"TaskSuccess": …}}`,
			Good: `{"TaskSuccess": …}`,
		}, {
			ID: "structure", Severity: Error, Title: "A key or a value is not what the protocol's structure has there.",
			Why:  "Both documents prescribe their structure exactly: which keys there are, and of what type their values. It is held against the JSON Schema that is part of the program; each place that does not fit is told, unless a finding of another id says it better. A number with decimals that are zero is a whole number, and null is not the same as no key at all.",
			Bad:  `{"criterion": "Empathy", "agree": "yes"}`,
			Good: `{"criterion": "Empathy", "agree": true, "comment": "", "suggested_score": null}`,
		}, {
			ID: "key-doubled", Severity: Error, Title: "An object has the same key twice.",
			Why:  "Of two values under one key some readers take the first, most the last, and none says so: two people may read two different evaluations. The last one is checked here; from a doubled score nothing is computed.",
			Bad:  `{"comment": "Polite.", "comment": "Rude."}`,
			Good: `{"comment": "Polite."}`,
		}, {
			ID: "criterion-missing", Severity: Error, Title: "A criterion is not scored.",
			Why:  "All six criteria are to be scored, by the evaluator and in the end (003, \"Multi agent debate rules\"; 004, \"OUTPUT FORMAT\"). Without one there is no weighted average; what is missing never counts as low.",
			Bad:  `{"TaskSuccess": …, "Helpfulness": …, "Accuracy": …, "Understanding": …, "Empathy": …}`,
			Good: `{"TaskSuccess": …, "Helpfulness": …, "Accuracy": …, "Understanding": …, "Empathy": …, "Fluency": …}`,
		}, {
			ID: "criterion-doubled", Severity: Error, Title: "A criterion is there twice.",
			Why:  "Each criterion has one score, and the critic one opinion on it. Where there are two, nobody can tell which was meant: the last one is looked at, and nothing that would follow from its score.",
			Bad:  `"critic": [{"criterion": "Empathy", …}, {"criterion": "Empathy", …}]`,
			Good: `"critic": [{"criterion": "Empathy", …}, {"criterion": "Fluency", …}]`,
		}, {
			ID: "score-off-scale", Severity: Error, Title: "A score is not on the scale.",
			Why:  "A score is 20, 40, 60, 80 or 100 and nothing between (003, \"Scoring Scale\"; 004, \"INSTRUCTIONS\"). The nearest level is not put in its place: only who gave the score can say what was meant. A suggestion of the critic that is off the scale is a warning, since the referee can never accept it (R2-ambiguous).",
			Bad:  `{"score": 85}`,
			Good: `{"score": 80}`,
		}, {
			ID: "findings-left-out", Severity: Note, Title: "There are too many findings to tell.",
			Why:  "After a thousand findings in one document the rest is left out: it is hardly an evaluation.",
			Bad:  `"critic": [0, 0, 0, …]`,
			Good: `"critic": [{"criterion": "TaskSuccess", …}, …]`,
		},
	}
}

// figureKinds are about what is computed.
func figureKinds() []Kind {
	return []Kind{
		{
			ID: "average-wrong", Severity: Error, Title: "A numeric_weighted_average is not that of the scores.",
			Why:  "The average is the sum of the six scores, each times its weight (003, \"OverallExperience Rule\"). It is computed in whole hundredths; a figure that rounds to the right one is right, however many decimals it has. 003's own example B prints 86.00 for scores that give 88.00.",
			Bad:  `scores 100, 60, 100, 100, 40, 100 … "numeric_weighted_average": 86.00`,
			Good: `scores 100, 60, 100, 100, 40, 100 … "numeric_weighted_average": 88.00`,
		}, {
			ID: "overall-wrong", Severity: Error, Title: "The OverallExperience is not what the scores map to.",
			Why:  "The weighted average of the final scores is rounded down to a level of the scale, so that only 100.00 gives 100 (003, \"OverallExperience Rule\"). 004 says both down and to the nearest, and its first example maps 98 to 100; down is the protocol, and --mapping nearest checks by the other. The message names the mapping that would give the printed figure, if one does.",
			Bad:  `"numeric_weighted_average": 98.00, "OverallExperience": 100`,
			Good: `"numeric_weighted_average": 98.00, "OverallExperience": 80`,
		}, {
			ID: "calc-wrong", Severity: Error, Title: "The audit's weighted_calc does not compute, or is not of the final scores.",
			Why:  "The audit shows how the average came about (003, \"audit\"): each final score times its weight, and the sum. The terms may stand in another order if they are named or can be told apart, weights may be percents, steps may stand between, and what the average maps to behind it; the products alone are computed, too. A sum that repeats a wrong average is wrong a second time, at a second place.",
			Bad:  `"100*0.40 + 60*0.15 + 100*0.15 + 100*0.10 + 40*0.10 + 100*0.10 = 86.00"`,
			Good: `"100*0.40 + 60*0.15 + 100*0.15 + 100*0.10 + 40*0.10 + 100*0.10 = 88.00"`,
		}, {
			ID: "calc-unreadable", Severity: Warning, Title: "The audit's weighted_calc is not a calculation.",
			Why:  "003's audit wants the six products and their sum, so that anyone can follow them. What stands there may be right, but nobody can compute it.",
			Bad:  `"weighted_calc": "see above"`,
			Good: `"weighted_calc": "80*0.40 + 80*0.15 + 80*0.15 + 80*0.10 + 80*0.10 + 80*0.10 = 80.00"`,
		}, {
			ID: "mapping-rule-wrong", Severity: Error, Title: "The audit's mapping_rule contradicts the mapping or the document's own figures.",
			Why:  "The audit says how the average became the OverallExperience (003, \"audit\"): by rounding down, from this average, to this level. A rule that merely repeats a figure that is found wrong elsewhere is not told again. Where there are words but no figures, only the direction is looked at.",
			Bad:  `"numeric_weighted_average": 78.00, "OverallExperience": 60, "mapping_rule": "round up 78 → 80"`,
			Good: `"numeric_weighted_average": 78.00, "OverallExperience": 60, "mapping_rule": "round down 78.00 → 60"`,
		},
	}
}
