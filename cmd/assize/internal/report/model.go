package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/localllm"
	"assize/rubric"
)

// bench counts what a model has said in a run, and how far the rules agree with it.
type bench struct {
	calls, read, generated int
	failures, flags        map[string]int // by name; flags count dialogues
	fallback               int            // dialogues in which the rules took its part
	checked                int            // dialogues with a cross-check
	disagreement           int
	verdicts               [rubric.Contradict + 1]int
}

func (b *bench) add(r *record.Record) {
	if len(r.Fallback) > 0 {
		b.fallback++
	}
	if r.Model != nil {
		b.account(r.Model)
	}
	if c := r.CrossCheck; c != nil {
		b.checked++
		b.disagreement += int(c.Disagreement)
		for v := range rubric.Contradict + 1 {
			b.verdicts[v] += c.Count(v)
		}
	}
}

func (b *bench) account(a *localllm.Account) {
	if b.failures == nil {
		b.failures, b.flags = map[string]int{}, map[string]int{}
	}
	for _, c := range a.Calls {
		b.calls++
		b.read += c.PromptTokens
		b.generated += c.Generated
		if c.Failure != "" {
			b.failures[string(c.Failure)]++
		}
	}
	for _, f := range record.Flags(a) {
		b.flags[f]++
	}
}

// sentences tells of the model and of the cross-check; nil where there was no model.
func (b *bench) sentences() (list []string) {
	if b.checked > 0 {
		mean := rubric.Hundredths((2*b.disagreement + b.checked) / (2 * b.checked))
		list = append(list, fmt.Sprintf("Cross-check: model and rules are %s levels apart on average; of their scores %d agree, %d doubt, %d contradict",
			mean, b.verdicts[rubric.Agree], b.verdicts[rubric.Doubt], b.verdicts[rubric.Contradict]))
	}
	if b.failures == nil {
		return list
	}
	list = append(list, fmt.Sprintf("Model: %s, %d tokens read, %d generated", Counted(b.calls, "call"), b.read, b.generated))
	if len(b.failures) > 0 {
		list = append(list, "Answers that failed: "+counts(b.failures))
	}
	if len(b.flags) > 0 {
		list = append(list, "Dialogues that are flagged: "+counts(b.flags))
	}
	if b.fallback > 0 {
		list = append(list, fmt.Sprintf("The rules took the model's part in %s", Counted(b.fallback, "dialogue")))
	}
	return list
}

// counts lists names with their numbers, the most frequent first: "3 not-json, 1 cut-answer".
func counts(m map[string]int) string {
	names := slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", m[name], Visible(name))
	}
	return strings.Join(names, ", ")
}

// checked writes how far the rules agree with the model, where they do not.
func (p *Page) checked(c *rubric.CrossCheck) {
	p.Put(Bold, "Cross-check")
	p.Line(Dim, "  model and rules are "+c.Disagreement.String()+" levels apart, of 4.00 at most")
	agree := names(c, rubric.Agree)
	for i, k := range c.Criteria {
		if k.Verdict() != rubric.Agree {
			style := Plain
			if k.Verdict() == rubric.Contradict {
				style = Yellow
			}
			fmt.Fprintf(p, "  %-13s  model %3d   rules %3d   ", rubric.Criterion(i), k.Model, k.Rules)
			p.Line(style, k.Verdict().String())
		}
	}
	if agree != "" {
		p.Paragraph(Dim, "  ", "  ", "agree on "+agree)
	}
	p.WriteByte('\n')
}

func names(c *rubric.CrossCheck, v rubric.Verdict) string {
	var list []string
	for i, k := range c.Criteria {
		if k.Verdict() == v {
			list = append(list, rubric.Criterion(i).String())
		}
	}
	return strings.Join(list, ", ")
}

// bench writes what became of the model's words in one dialogue.
func (p *Page) bench(r *record.Record) {
	if r.Model == nil {
		return
	}
	var b bench
	b.account(r.Model)
	p.Put(Bold, "Model")
	p.Line(Dim, fmt.Sprintf("  %s, %d tokens read, %d generated", Counted(b.calls, "call"), b.read, b.generated))
	if len(b.failures) > 0 {
		p.Paragraph(Plain, "  answers that failed  ", strings.Repeat(" ", 23), counts(b.failures))
	}
	if flags := record.Flags(r.Model); len(flags) > 0 {
		p.Paragraph(Plain, "  flagged  ", strings.Repeat(" ", 11), strings.Join(flags, ", "))
	}
	if s := spread(r.Model); s != "" {
		p.Paragraph(Plain, "  spread   ", strings.Repeat(" ", 11), s)
	}
	p.WriteByte('\n')
}

// spread tells how far the scores of several presentations lie apart; "" for one presentation.
func spread(a *localllm.Account) string {
	if len(a.Spread) != rubric.NumCriteria {
		return ""
	}
	var moved, unstable []string
	for i, levels := range a.Spread {
		if levels > 0 {
			moved = append(moved, fmt.Sprintf("%s %s", rubric.Criterion(i), Counted(levels, "level")))
		}
	}
	for _, k := range a.Unstable {
		unstable = append(unstable, k.String())
	}
	switch {
	case moved == nil:
		return "none: every presentation got the same scores"
	case unstable == nil:
		return strings.Join(moved, ", ")
	}
	return strings.Join(moved, ", ") + "; unstable: " + strings.Join(unstable, ", ")
}

// disagreement gives the figure of the cross-check; "" where there is none.
func disagreement(r *record.Record) string {
	if r.CrossCheck == nil {
		return ""
	}
	return r.CrossCheck.Disagreement.String()
}

// crossCheck gives the cross-check of one dialogue in a sentence of Markdown; "" where there is none.
func crossCheck(r *record.Record) string {
	c := r.CrossCheck
	if c == nil {
		return ""
	}
	var apart []string
	for i, k := range c.Criteria {
		if k.Verdict() != rubric.Agree {
			apart = append(apart, fmt.Sprintf("%s %d against %d (%s)", rubric.Criterion(i), k.Model, k.Rules, k.Verdict()))
		}
	}
	s := "Cross-check: model and rules are " + c.Disagreement.String() + " levels apart"
	if len(apart) > 0 {
		s += ": " + strings.Join(apart, ", ")
	}
	return s + "."
}
