package explain

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Scorecard returns the entries of the questions and facts in a rubric file.
func Scorecard(r rubric.Rubric, file string) (all []Entry) {
	for i := range r.Questions {
		q := &r.Questions[i]
		all = append(all, Entry{q.ID, "questions of the scorecard", ui.Visible(q.Ask), []part{
			{"Answered by", answeredBy(q)},
			{"Applies where", patternText(q.When)},
			{"Yes where", patternText(q.Yes)},
			{"No where", patternText(q.No)},
			{"In the checklist", checklistText(q)},
			{"Example of yes", examplesText(q.Hit)},
			{"Example of no", examplesText(q.Miss)},
			{"Example where it does not apply", examplesText(q.NA)}}})
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		title := fmt.Sprintf("What the SYSTEM states about this must agree with %s.",
			ui.Visible(f.Value.Text))
		all = append(all, Entry{f.ID, "facts of the scorecard", title, []part{
			{"About", patternText(f.About)},
			{"Value", f.Value.Text},
			{"Never", neverText(f.Never)},
			{"Holds for", validityText(f.When)},
			{"Stated in", fmt.Sprintf("%s:%d", file, f.Line)},
			{"Contradicted", examplesText(f.Hit)},
			{"Not contradicted", examplesText(f.Miss)}}})
	}
	return all
}

// answeredBy says who answers a question.
func answeredBy(q *rubric.Question) string {
	switch q.By {
	case rubric.ByModel:
		return "a model"
	case rubric.ByBoth:
		return "the rules and a model; if they disagree, it is open"
	}
	return "the rules"
}

// checklistText describes what the answers are worth.
func checklistText(q *rubric.Question) string {
	var lines ui.Sentences
	lines.Add("The good answer is %s; weight %d.", q.GoodAnswer(), max(q.Weight, 1))
	lines.If(q.Fail != "", "The answer %s makes the checklist 0.", q.Fail)
	return strings.Join(lines, "\n")
}

// patternText describes a pattern in lines, each after the name of a member.
func patternText(p *rubric.Pattern) string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	line := func(name, text string) {
		fmt.Fprintf(&b, "%-9s\t%s\n", name, strings.ReplaceAll(text, "\t", " "))
	}
	for _, list := range []struct {
		name    string
		phrases []rubric.Phrase
	}{{"USER", p.User}, {"SYSTEM", p.System}, {"any", p.Any}, {"unless", p.Unless},
		{"where", p.Where}} {
		for i, phrase := range list.phrases {
			if i > 0 {
				list.name = ""
			}
			line(list.name, phrase.Text)
		}
	}
	if p.AtLeast > 1 {
		line("at least", fmt.Sprintf("%d turns", p.AtLeast))
	}
	for _, other := range []struct {
		name string
		*rubric.Pattern
	}{{"before", p.Before}, {"after", p.After}} {
		if text := patternText(other.Pattern); text != "" {
			line(other.name, "the first turn that matches")
			for l := range strings.Lines(text) {
				b.WriteString("  " + l)
			}
		}
	}
	return b.String()
}

// neverText returns the phrases that contradict a fact, one per line.
func neverText(phrases []rubric.Phrase) string {
	var list []string
	for _, p := range phrases {
		list = append(list, p.Text)
	}
	return strings.Join(list, "\n")
}

// validityText describes the dialogues that a fact holds for.
func validityText(v *rubric.Validity) string {
	if v == nil {
		return ""
	}
	var parts ui.Sentences
	parts.If(v.From != "", "dialogues from %s", v.From)
	parts.If(v.Until != "", "dialogues until %s", v.Until)
	parts.If(len(v.Queues) > 0, "queues %s", strings.Join(v.Queues, ", "))
	return strings.Join(parts, "; ")
}

func examplesText(examples rubric.Dialogues) string {
	var list []string
	for _, e := range examples {
		list = append(list, strings.TrimSpace(e.Text))
	}
	return strings.Join(list, "\nor\n")
}
