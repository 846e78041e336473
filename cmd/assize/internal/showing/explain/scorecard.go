package explain

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// inRubric is the heading of the members of a question or a fact.
const inRubric = "In the rubric; see assize help scorecards"

// Scorecard returns the entries of the questions and facts in a rubric file.
func Scorecard(r rubric.Rubric, file string) (all []Entry) {
	for i := range r.Questions {
		q := &r.Questions[i]
		all = append(all, Entry{q.ID, "questions of the scorecard", ui.Visible(q.Ask), []part{
			{inRubric, members(q)}}})
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		title := fmt.Sprintf("What the SYSTEM states about this must agree with %s.",
			ui.Visible(f.Value.Text))
		all = append(all, Entry{f.ID, "facts of the scorecard", title, []part{
			{"Stated in", fmt.Sprintf("%s:%d", file, f.Line)}, {inRubric, members(f)}}})
	}
	return all
}

// members returns the members of a question or a fact in YAML, with a tab after the indent of each
// line.
func members(of any) string {
	// all types have a form in YAML, so this cannot fail
	text, _ := yaml.MarshalWithOptions(of, yaml.IndentSequence(true),
		yaml.UseLiteralStyleIfMultiline(true))
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		words := strings.TrimLeft(line, " ")
		b.WriteString(line[:len(line)-len(words)] + "\t" + strings.ReplaceAll(words, "\t", " "))
	}
	return b.String()
}
