package explain

import "assize/rubric"

const groupRulings = "rulings"

// questions are what the criteria ask (003, "Evaluation Criteria and Weights").
var questions = [rubric.NumCriteria]string{
	rubric.TaskSuccess:   "Did the SYSTEM reach the USER's goal, or find out what it had to?",
	rubric.Helpfulness:   "Was what it gave sufficient, detailed, and something to act on?",
	rubric.Accuracy:      "Did it contradict nobody and claim nothing without ground?",
	rubric.Understanding: "Did it grasp what the USER meant, with little clarification?",
	rubric.Empathy:       "Was it polite and caring, and aware of feelings?",
	rubric.Fluency:       "Was its language clear, grammatical, coherent and natural?",
}

// meanings are what the scores stand for (003, "Scoring Scale"), lowest first.
var meanings = [len(rubric.Scale)]string{
	"The criterion is failed altogether, or its purpose is contradicted.",
	"There are major deficiencies, though something is to the point.",
	"The criterion is met in part, or not to satisfaction.",
	"The criterion is mostly met, with a minor issue.",
	"The criterion is fully met.",
}

// rulings are the Referee's.
var rulings = []Entry{
	ruling(rubric.Agreed, "Nobody objects: the Evaluator's score stays.",
		"The Critic has no objection to the criterion.", "Keep the score."),
	ruling(rubric.Ambiguous, "The objection does not carry: the Evaluator's score stays.",
		"The Critic suggests a score off the scale or more than two levels away, cites nothing that is in the transcript, or cites words that no signal bears out.",
		"Keep the score."),
	ruling(rubric.Contradicted, "What was said contradicts the Evaluator: the Critic's score is taken.",
		"The objection cites an utterance that is really in the transcript, and a detector left a signal there that speaks to this criterion and points the objection's way.",
		"Take the suggested score."),
	ruling(rubric.Unsupported, "What the score needs is absent: the Critic's lower score is taken.",
		"The objection says that evidence is missing and suggests a lower score, and that is verifiably so: the Evaluator's quotes are not in the transcript, or none of the detectors fired that the rubric demands for the score.",
		"Take the suggested score."),
	ruling(rubric.Majority, "Three or more objections with evidence: the Critic's version of all of them is taken.",
		"The Critic objects to three or more criteria, every objection has evidence that code can see, and at least three have a signal of their own criterion. This ruling is tried first.",
		"Take every suggested score. Criteria without an objection stay R1-agreed."),
}

func ruling(id rubric.RulingID, title, when, then string) Entry {
	return Entry{ID: id.String(), Group: groupRulings, Title: title, Parts: []Part{{"When", when}, {"Then", then}}}
}

// results are the figures and words that stand beside the scores.
var results = []Entry{
	result("OverallExperience", "The weighted average, mapped onto the scale.",
		"Rounded down to the highest level that the average reaches, so that 98.00 is 80; --mapping nearest takes the closest level, a tie going down."),
	result("numeric_weighted_average", "The six scores, each times its weight, summed in whole hundredths.",
		"The audit's weighted_calc is the sum, to be pasted into a calculator."),
	result("satisfaction", "The rating, from 1.00 to 5.00, that people would give the dialogue by estimate.",
		"A line through the mean of the USER's reactions, each read with what the SYSTEM had reported just before, later ones weighing more. A profile may add to that, for one model as the Evaluator: its weight times what the model's weighted average lies above the profile's centre. It moves no score."),
	result("unscored", "The dialogue could not be judged, for the reason beside it; that is never the same as a low score.",
		"One side says nothing in words, or the dialogue is mostly not in English."),
	result("unreadable", "A dialogue, or a whole file, could not be read, which is an error in what build servers read.",
		"The message names the file, the line and what was wanted. The exit code is 2, and the dialogue is in no figure."),
}

func result(id, title, how string) Entry {
	return Entry{ID: id, Group: "results", Title: title, Parts: []Part{{"How", how}}}
}

// grounds say why a ruling fell as it did; a record names one beside each ruling.
var grounds = []Entry{
	ground(rubric.NoObjection, "R1: the Critic has no objection."),
	ground(rubric.OffScale, "R2: the suggested score is not on the scale."),
	ground(rubric.TooFar, "R2: the suggested score is more than two levels away."),
	ground(rubric.NotSaid, "R2: nothing that the objection cites is in the transcript."),
	ground(rubric.NotBorneOut, "R2: no signal speaks for what the objection cites, and nothing is verifiably absent."),
	ground(rubric.Signalled, "R3, R5: a signal at a turn that the objection cites speaks for it."),
	ground(rubric.NotQuoted, "R4, R5: none of the Evaluator's quotes is in the transcript."),
	ground(rubric.NotShown, "R4, R5: no detector fired that the rubric demands for the score."),
}

func ground(id rubric.Ground, title string) Entry {
	return Entry{ID: id.String(), Group: "grounds of rulings", Title: title}
}

// kinds are what an objection rests on.
var kinds = []Entry{
	{ID: rubric.Contradicts.String(), Group: "kinds of objection", Title: "An utterance speaks against the score."},
	{ID: rubric.MissingEvidence.String(), Group: "kinds of objection", Title: "What the score needs is not in the dialogue."},
}
