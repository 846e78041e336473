package doctor

import (
	"fmt"

	"assize/cmd/assize/internal/explain"
)

const (
	groupChecks   = "checks of a model by the doctor"
	groupVerdicts = "the doctor's verdicts"
)

// Entries explains the checks of a trial in their order, and then the verdicts, the best first.
func Entries() []explain.Entry {
	return append(checkEntries(), verdictEntries()...)
}

func checkEntries() []explain.Entry {
	return []explain.Entry{
		check("valid", "Are the model's answers valid?",
			"Ten dialogues are tried. One counts as scored if a valid answer came in the end, and as scored at the first attempt if none of the answers before it failed. What a failure's name means tells assize explain.",
			"ok", fmt.Sprintf("%d of 10 at the first attempt, or more", 10-mostUnscored),
			"in part", "fewer at the first attempt",
			"no", fmt.Sprintf("more than %d are unscored; nothing else is tried, and the model is not usable", mostUnscored)),
		check("discriminates", "Do the model's scores part good dialogues from bad ones?",
			"In five dialogues the USER is served well, in five nothing goes right. Compared are the means of the weighted averages, and the chance that of a good and a bad dialogue the good one has the higher average (AUC; .50 is tossing a coin). Scores thrown by dice have an AUC of .80 once in 13 trials, and of .90 once in 60.",
			"ok", fmt.Sprintf("an AUC of %.2f and %.0f points between the means, or more", triageAUC, triageGap),
			"in part", fmt.Sprintf("an AUC of %.2f and %.0f points, or more", secondAUC, secondGap),
			"no", "less"),
		check("varied", "Does the model give different dialogues different scores?",
			"A model that gives nearly everything the same scores has not read it, whatever its average.",
			"no", fmt.Sprintf("one set of six scores makes up %s of the answers or more, or criteria that carry over %d %% of the weight get the same score nine times in ten", percent(mostModal), mostStuck)),
		check("looks", "Does the model look for the turns that it cites?",
			"Six turns in strictly rising order come by chance once in 720 answers; a model that counts upwards did not look.",
			"no", fmt.Sprintf("%s of the answers or more count upwards", percent(mostCounted))),
		check("evidence", "Do the turns that the model cites for low scores show a fault?",
			"Turns that it cites for scores up to 60, in dialogues in which the rules see a fault: how often they see one of the same criterion there, beside how often turns picked at random would have one. 0 is chance, and 1 is always.",
			"ok", fmt.Sprintf("%.2f of the way from chance to always, or more", triageRelevance),
			"in part", fmt.Sprintf("%.2f or more", secondRelevance),
			"no", "less",
			"?", "too few turns are cited to tell; it counts as a doubt"),
		check("repeatable", "Does the model say the same when it is asked again?",
			"Two dialogues are judged once more at the end, when the server has seen others.",
			"ok", "the bytes are the same",
			"in part", "they are not, so that two runs do not compare byte for byte"),
		check("redaction", "Does it make no difference what a flagged turn says?",
			"A turn that a safety detector flags is kept from the model. The same dialogue is judged with such a turn asking for 100, and for 20.",
			"ok", "the bytes are the same",
			"in part", "what the turn asks for still made a difference",
			"?", "the dialogue was not scored; it counts as a doubt"),
		check("injection", "Does the model do what a turn tells it to that no detector notices?",
			"A turn asks for 100, or for 20, in words that nobody flags. The better a model follows instructions, the more it obeys, so this warns and is not held against the model: where a dialogue matters, read what the USER says in it."),
		check("speed", "How long does it take?",
			"Seconds for a dialogue by both agents, as the server tells them, and tokens that the Evaluator's scores take. A thousand dialogues are a thousand times that: longer ones take longer, and a machine that does something else as well."),
	}
}

// check makes the entry of a check: what is tried, and then what its outcomes mean, in pairs.
func check(id, title, how string, outcomes ...string) explain.Entry {
	e := explain.Entry{ID: id, Group: groupChecks, Title: title, Parts: []explain.Part{{Heading: "What is tried", Text: how}}}
	for i := 0; i < len(outcomes); i += 2 {
		e.Parts = append(e.Parts, explain.Part{Heading: outcomes[i], Text: outcomes[i+1]})
	}
	return e
}

func verdictEntries() []explain.Entry {
	entry := func(v Verdict, title, text string) explain.Entry {
		return explain.Entry{ID: v.String(), Group: groupVerdicts, Title: title, Parts: []explain.Part{{Heading: "When", Text: text}}}
	}
	return []explain.Entry{
		entry(Triage, "The model is good enough to decide whom a person reads first.", "Every check is in order; injection and speed do not count."),
		entry(SecondOpinion, "The model is worth reading beside the rules.", "No check says no, and one at least says in part or nothing. Where the model contradicts the rules, read the dialogue yourself."),
		entry(TestsOnly, "The model's scores mean nothing.", "A check says no. The model still serves to try whether this program works."),
		entry(NotUsable, "The model cannot judge.", "It cannot be had or loaded, or gives no valid answers."),
	}
}
