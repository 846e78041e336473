package explain

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// answerers describes the answerers of a question.
var answerers = map[rubric.Answerer]string{
	"": "the rules", rubric.ByRules: "the rules", rubric.ByModel: "a model",
	rubric.ByBoth: "the rules and a model; if they disagree, it is open",
}

const or = "\nor\n" // between examples

// Scorecard returns the entries of the questions and facts in a rubric file.
func Scorecard(r rubric.Rubric, file string) (all []Entry) {
	for i := range r.Questions {
		q := &r.Questions[i]
		all = append(all, Entry{q.ID, "questions of the scorecard", ui.Visible(q.Ask), []part{
			{"Answered by", answerers[q.By]},
			{"Applies where", patternText(q.When)},
			{"Yes where", patternText(q.Yes)},
			{"No where", patternText(q.No)},
			{"Left open", unsureText(q)},
			{"In the checklist", checklistText(q)},
			{"Example of yes", listText(q.Hit, or)},
			{"Example of no", listText(q.Miss, or)},
			{"Example where it does not apply", listText(q.NA, or)}}})
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		title := fmt.Sprintf("What the SYSTEM states about this must agree with %s.",
			ui.Visible(f.Value.Text))
		all = append(all, Entry{f.ID, "facts of the scorecard", title, []part{
			{"About", patternText(f.About)},
			{"Value", f.Value.Text},
			{"Never", listText(f.Never, "\n")},
			{"Holds for", validityText(f.When)},
			{"Stated in", fmt.Sprintf("%s:%d", file, f.Line)},
			{"Contradicted", listText(f.Hit, or)},
			{"Not contradicted", listText(f.Miss, or)}}})
	}
	return all
}

// unsureText describes where a model's answer leaves the question open.
func unsureText(q *rubric.Question) string {
	if q.By != rubric.ByModel && q.By != rubric.ByBoth {
		return ""
	}
	r := q.UnsureRange()
	return fmt.Sprintf("where the probability of yes is %d to %d %%", r.From, r.To)
}

// checklistText describes how the answers count in the checklist.
func checklistText(q *rubric.Question) string {
	var lines ui.Sentences
	lines.Add("The good answer is %s; weight %d.", q.GoodAnswer(), max(q.Weight, 1))
	lines.If(q.Fail != "", "The answer %s makes the checklist 0.", q.Fail)
	return strings.Join(lines, "\n")
}

// patternText describes a pattern in lines of a member's name, a tab and a value.
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

// validityText describes the dialogues for which a fact holds.
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

// listText returns the phrases with a separator between them.
func listText(phrases []rubric.Phrase, separator string) string {
	var list []string
	for _, p := range phrases {
		list = append(list, strings.TrimSpace(p.Text))
	}
	return strings.Join(list, separator)
}
