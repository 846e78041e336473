package check

// sentenceKinds are about justifications, comments and the audit's evidence, and about what they quote.
func sentenceKinds() []Kind {
	return []Kind{
		{
			ID: "unquoted", Severity: Error, Title: "A justification quotes no utterance.",
			Why:  "Each of the evaluator's justifications has to quote at least one utterance (003, \"Agent A\"). In referee_final, in the audit's evidence and in 004's document it is a warning, since those are asked for evidence but not for a quote; of OverallExperience, which is computed, none is expected. USER: and words that were said are a quote without its marks, too. A word in inverted commas that nobody said in the transcript is no quote; without a transcript it passes for one.",
			Bad:  `"justification": "The assistant was polite."`,
			Good: `"justification": "The assistant was polite: SYSTEM: \"I am sorry to hear that.\""`,
		}, {
			ID: "quote-unsaid", Severity: Error, Title: "Nobody says what is quoted.",
			Why:  "Evidence is what really stands in the transcript (decisions.md, \"Evidence\"): every word of the quote in one piece, after folding case, typographic marks and white space; an ellipsis may end it. In a critic's comment it is a note, since critics quote what should have been said, and so it is of a word or two in inverted commas beside a real quote.",
			Bad:  `USER: "I loved it" … where the transcript has no such words`,
			Good: `USER: "I really liked it"`,
		}, {
			ID: "quote-other-speaker", Severity: Error, Title: "The other speaker said what is quoted.",
			Why:  "A quote counts only if the one to whom it is attributed said it (decisions.md, \"Evidence\").",
			Bad:  `SYSTEM: "A table for four, please."`,
			Good: `USER: "A table for four, please."`,
		}, {
			ID: "quote-other-turn", Severity: Error, Title: "What is quoted was said in another turn.",
			Why:  "Where a turn is named with the quote, the words have to stand in it (decisions.md, \"Evidence\"). Turns are counted from 1; who counts from 0, or only one side's, will see this finding at every quote.",
			Bad:  `turn 4: "No, I said four."`,
			Good: `turn 3: "No, I said four."`,
		}, {
			ID: "quote-altered", Severity: Error, Title: "The quote has other words than what was said.",
			Why:  "A quote is verbatim, or it is no evidence: a dropped \"not\" is enough to turn it around. The utterance that comes closest is shown, and how the quote differs from it. Where every word is there and only the marks between them differ, it is a note; so it is in a critic's comment.",
			Bad:  `USER: "I want it today" … where the USER said "I don't want it today"`,
			Good: `USER: "I don't want it today"`,
		}, {
			ID: "quote-elided", Severity: Note, Title: "The quote leaves something out between its pieces.",
			Why:  "The pieces were said in one turn and in this order, so nothing is false; but what stands between them is not shown, and our own quotes are always in one piece.",
			Bad:  `USER: "I want … a table for four"`,
			Good: `USER: "a table for four"`,
		}, {
			ID: "justification-repeated", Severity: Warning, Title: "Several criteria have the same justification.",
			Why:  "Each criterion asks another question, so the same sentence can hardly answer two of them. Case and space around it do not matter.",
			Bad:  `"Empathy": "The assistant did well.", "Fluency": "The assistant did well."`,
			Good: `"Empathy": "It apologises: …", "Fluency": "Its sentences are clear: …"`,
		}, {
			ID: "score-contradicted", Severity: Error, Title: "A justification speaks of another score than the one given.",
			Why:  "The score and its reason belong together; one of them was changed without the other. Only numbers that the sentence plainly gives as a score count. The sentence for 004's OverallExperience, which is computed, is put right by --fix.",
			Bad:  `"score": 60, "justification": "A score of 80 is fair: …"`,
			Good: `"score": 80, "justification": "A score of 80 is fair: …"`,
		}, {
			ID: "sentences", Severity: Warning, Title: "A justification has more than one sentence.",
			Why:  "Both documents ask for one sentence. What stands inside quote marks ends none, nor does the point of an abbreviation.",
			Bad:  `"justification": "It is polite. It is also quick."`,
			Good: `"justification": "It is polite and quick."`,
		},
	}
}
