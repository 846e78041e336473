package check

// agentKinds are about what the critic and the referee may do.
func agentKinds() []Kind {
	return []Kind{
		{
			ID: "critic-silent", Severity: Warning, Title: "The critic does not speak of every criterion.",
			Why:  "The critic is to agree or disagree on each criterion (003, \"Agent B\"); silence does not tell whether it looked. 003's own examples list only some.",
			Bad:  `"critic": [{"criterion": "Empathy", …}]`,
			Good: `"critic": [{"criterion": "TaskSuccess", …}, {"criterion": "Helpfulness", …}, …]`,
		}, {
			ID: "disagreement-unchanged", Severity: Error, Title: "The critic disagrees and suggests the score that is there already.",
			Why:  "Who disagrees proposes a new score (003, \"Agent B\"). Whether the critic agrees is derived from whether its score differs, so this is agreement, and --fix writes it so; the referee cannot accept or decline it. 003's own examples have several.",
			Bad:  `evaluator 60 … "agree": false, "suggested_score": 60`,
			Good: `evaluator 60 … "agree": true, "suggested_score": null`,
		}, {
			ID: "disagreement-unscored", Severity: Error, Title: "The critic disagrees and suggests no score.",
			Why:  "Who disagrees proposes a new score (003, \"Agent B\"): without one the referee has nothing to decide on.",
			Bad:  `"agree": false, "suggested_score": null`,
			Good: `"agree": false, "suggested_score": 40`,
		}, {
			ID: "agreement-changes", Severity: Error, Title: "The critic agrees and suggests another score.",
			Why:  "Whether the critic agrees is derived from whether its score differs from the evaluator's, so this is a disagreement, and --fix writes it so.",
			Bad:  `evaluator 80 … "agree": true, "suggested_score": 60`,
			Good: `evaluator 80 … "agree": false, "suggested_score": 60`,
		}, {
			ID: "objection-unfounded", Severity: Error, Title: "The critic objects without quoting anything.",
			Why:  "An objection has to cite what contradicts the evaluator, or what is missing (003, \"Agent B\"). A comment without a quote gives the referee nothing to look at. Whether the quote was really said is another matter, which takes a transcript.",
			Bad:  `"agree": false, "comment": "Not very warm.", "suggested_score": 40`,
			Good: `"agree": false, "comment": "It only says SYSTEM: \"Noted.\"", "suggested_score": 40`,
		}, {
			ID: "final-unproposed", Severity: Error, Title: "A final score was proposed by neither agent.",
			Why:  "The referee accepts the critic's score or keeps the evaluator's (003, \"Agent C\"); it has none of its own. Where nobody objects the score stays (R1-agreed).",
			Bad:  `evaluator 80, critic 40, referee_final 60`,
			Good: `evaluator 80, critic 40, referee_final 80`,
		}, {
			ID: "ruling-not-followed", Severity: Error, Title: "A final score is not what the referee's rulings give.",
			Why: "The referee decides by rules alone (003, \"Agent C\"), which are made decidable as the rulings R1 to R5: see assize explain R1 and on. " +
				"A suggestion more than two levels away is never accepted by itself (R2). The other rulings turn on what was said, and take a transcript: the turns are found by the quotes, an objection is taken to say that something contradicts the evaluator unless the audit names R4 or R5, and the signals are those of our detectors. What rests on such a reading is a warning; the record of a run says all of it exactly, so there it is an error.",
			Bad:  `evaluator 100, critic 40 "It is slow.", referee_final 40`,
			Good: `evaluator 100, critic 40 "It is slow.", referee_final 100`,
		},
	}
}
