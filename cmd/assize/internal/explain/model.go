package explain

import (
	"slices"

	"assize/localllm"
	"assize/rubric"
)

// crossChecks are the words of the cross-check.
var crossChecks = []Entry{
	{ID: "cross_check", Group: "cross-check of a model", Title: "What the rules alone make of a dialogue, held against the model as Evaluator.", Parts: []Part{
		{"How", "For each criterion a record has the score that the model proposes, the score that the rules settle on without it, and how many levels the model is above them. It says how far the two differ, not who is right."},
	}},
	{ID: "disagreement", Group: "cross-check of a model", Title: "How many levels model and rules are apart, as a weighted mean over the criteria.", Parts: []Part{
		{"How", "0.00 where they agree in everything, 4.00 at most. Begin reading where it is highest."},
	}},
	verdict(rubric.Agree, "The model and the rules give the same score."),
	verdict(rubric.Doubt, "The model and the rules are one level apart, which with a small model means little."),
	verdict(rubric.Contradict, "The model and the rules are two levels apart or more: one of them is wrong."),
	{ID: "fallback", Group: "cross-check of a model", Title: "The rules took the part of an agent in which the model failed.", Parts: []Part{
		{"When", "Only with --fallback rules; otherwise the dialogue is unscored."},
	}},
}

func verdict(v rubric.Verdict, title string) Entry {
	return Entry{ID: v.String(), Group: "cross-check of a model", Title: title}
}

// model explains what may be said of a model's answers. What goes by the name of another entry is told there too.
func model(others []Entry) []Entry {
	all := append(others, crossChecks...)
	all = documented(all, "flags of a model's answers", localllm.Flags())
	return documented(all, "failures of a model", localllm.FailureKinds())
}

func documented(all []Entry, group string, docs []localllm.KindDoc) []Entry {
	for _, d := range docs {
		title := Sentence(d.Title)
		if i := slices.IndexFunc(all, func(e Entry) bool { return e.ID == d.ID }); i >= 0 {
			e := &all[i]
			e.Parts = append(slices.Clip(e.Parts), Part{"Of a model's answer", title + " " + d.Why + "\n" + d.Then})
			continue
		}
		e := Entry{ID: d.ID, Group: group, Title: title}
		e.add("How it comes about", d.Why)
		e.add("What is done", d.Then)
		all = append(all, e)
	}
	return all
}
