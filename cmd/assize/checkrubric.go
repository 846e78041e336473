package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/rubric"
)

// isRubric reports whether a file is a rubric, and no evaluation, by its name.
func isRubric(file string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(file)))
}

// checkRubrics checks rubric files: whether they can be read, and whether the examples of their
// questions and facts have the answers that they should have.
func (p *program) checkRubrics(o *checkFlags, files []string) error {
	for _, file := range files {
		if !isRubric(file) {
			return fmt.Errorf("%s is not a rubric file; want rubric files or evaluations, not both",
				file)
		}
	}
	agents, failed := heuristics.New(), 0
	for _, file := range files {
		r, err := (&scaleFlags{rubric: file}).readRubric(agents)
		if err != nil {
			return err
		}
		t := rubricTest{file: file, agents: agents, rubric: r}
		if t.card, err = agents.Scorecard(r); err != nil {
			return err
		}
		if err := t.run(); err != nil {
			return err
		}
		page := p.Page(o.color.Value)
		for _, line := range t.failures {
			page.Paragraph(ui.Red, "", "  ", ui.Visible(line))
		}
		for _, line := range t.warnings {
			page.Paragraph(ui.Plain, "", "  ", ui.Visible(line))
		}
		page.Paragraph(ui.Plain, "", "  ", fmt.Sprintf("%s: %s, %s; %s tested, %d failed",
			ui.Visible(file), ui.Counted(len(r.Questions), "question"),
			ui.Counted(len(r.Facts), "fact"), ui.Counted(t.tested, "example"), len(t.failures)))
		if err := page.Send(p.Out); err != nil {
			return err
		}
		failed += len(t.failures)
	}
	if failed > 0 {
		return console.Answer(fmt.Sprintf("%s of the rubric failed", ui.Counted(failed, "example")))
	}
	return nil
}

// rubricTest tests the examples of a rubric.
type rubricTest struct {
	file               string
	agents             *heuristics.Agents
	rubric             rubric.Rubric
	card               *heuristics.Scorecard
	tested             int
	failures, warnings []string // with file and line
}

func (t *rubricTest) run() error {
	for i := range t.rubric.Questions {
		q := &t.rubric.Questions[i]
		if q.By == rubric.ByModel {
			continue // its examples tell people what is meant
		}
		t.warn(q.ID, q.Examples, q.When != nil)
		for _, set := range []struct {
			want     rubric.Answer
			examples rubric.Dialogues
		}{{rubric.Yes, q.Hit}, {rubric.No, q.Miss}, {rubric.NotApplicable, q.NA}} {
			for _, e := range set.examples {
				c, err := t.observe(q.ID, e)
				if err != nil {
					return err
				}
				rules := *q
				rules.By = rubric.ByRules
				one := rubric.Rubric{Questions: []rubric.Question{rules}}
				got := one.Checklist(c, nil).Answers[0].Answer
				t.compare(e, q.ID, string(got), string(set.want))
			}
		}
	}
	for i := range t.rubric.Facts {
		f := &t.rubric.Facts[i]
		t.warn(f.ID, f.Examples, false)
		for k, examples := range []rubric.Dialogues{f.Hit, f.Miss} {
			for _, e := range examples {
				c, err := t.observe(f.ID, e)
				if err != nil {
					return err
				}
				words := []string{"contradicted", "not contradicted"}
				got := 1
				if slices.ContainsFunc(c.Signals, func(s rubric.Signal) bool {
					return s.Fact == f.ID && s.ID == heuristics.ContradictsFact
				}) {
					got = 0
				}
				t.compare(e, f.ID, words[got], words[k])
			}
		}
	}
	return nil
}

// warn notes that an item has too few examples to show what it means.
func (t *rubricTest) warn(id string, e rubric.Examples, conditional bool) {
	var missing []string
	for _, kind := range []struct {
		name   string
		wanted bool
		of     rubric.Dialogues
	}{{"hit", true, e.Hit}, {"miss", true, e.Miss}, {"na", conditional, e.NA}} {
		if kind.wanted && len(kind.of) == 0 {
			missing = append(missing, kind.name)
		}
	}
	if missing != nil {
		t.warnings = append(t.warnings, fmt.Sprintf("%s: %s has no example in %s", t.file, id,
			strings.Join(missing, " and ")))
	}
}

// observe returns the case of an example.
func (t *rubricTest) observe(id string, e rubric.Phrase) (c rubric.Case, err error) {
	if c.Dialogue, err = rubric.ExampleDialogue(e.Text); err == nil && len(c.Dialogue.Turns) == 0 {
		err = fmt.Errorf("the example is empty; want turns such as USER: words")
	}
	if err == nil {
		c.Signals, err = t.agents.ObserveWith(c.Dialogue, heuristics.Watch{Scorecard: t.card})
	}
	if err != nil {
		err = fmt.Errorf("%s:%d:%d: %s: %w", t.file, e.Line, e.Column, id, err)
	}
	t.tested++
	return c, err
}

func (t *rubricTest) compare(e rubric.Phrase, id, got, want string) {
	if got != want {
		t.failures = append(t.failures, fmt.Sprintf("%s:%d:%d: %s is %s in this example; want %s",
			t.file, e.Line, e.Column, id, got, want))
	}
}
