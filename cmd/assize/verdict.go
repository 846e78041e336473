package main

import (
	"errors"
	"fmt"

	"assize/cmd/assize/internal/report"
	"assize/rubric/check"
)

// verdict counts what became of evaluations.
type verdict struct {
	failOn                     check.Severity
	evaluations, failed        int
	unscored, unmatched, aside int
}

// add counts an evaluation, tells what stands beside its findings, and reports whether there is one at all.
func (v *verdict) add(p *program, e *examined) bool {
	if e.report.Document.Skip != "" {
		if e.report.Document.Skip == check.Unscored {
			v.unscored++
		}
		return false
	}
	v.evaluations++
	if e.report.Worst() >= v.failOn {
		v.failed++
	}
	if e.header != nil {
		p.complain(e.header)
	}
	if e.unmatched != nil {
		if v.unmatched++; v.unmatched <= mostTold {
			p.complain(e.unmatched)
		}
	}
	if e.aside != "" {
		if v.aside++; v.aside <= mostTold {
			p.note(e.aside)
		}
	}
	return true
}

// mostTold is how many things of one kind are told of one by one.
const mostTold = 10

// answer tells what was too much to tell of singly, and gives the answer: nil where no finding weighs enough.
func (v *verdict) answer(p *program) error {
	if rest := v.unmatched - mostTold; rest > 0 {
		p.complain(fmt.Errorf("the quotes of %d more evaluations are not verified either", rest))
	}
	if rest := v.aside - mostTold; rest > 0 {
		p.note(fmt.Sprintf("%d more are of other dialogues", rest))
	}
	if v.unscored > 0 {
		p.note(unscored(v.unscored))
	}
	switch {
	case v.evaluations == 0 && !p.complained:
		return errors.New("there is no evaluation in the input")
	case v.failed > 0:
		return answerNo(fmt.Sprintf("%d of %s %s %s", v.failed, report.Counted(v.evaluations, "evaluation"), verb(v.failed), failure[v.failOn]))
	}
	return nil
}

func unscored(n int) string {
	if n == 1 {
		return "1 record is unscored and holds no evaluation"
	}
	return fmt.Sprintf("%d records are unscored and hold no evaluation", n)
}

func verb(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

// failure names the findings that make an evaluation fail.
var failure = map[check.Severity]string{
	check.Error:   "errors",
	check.Warning: "errors or warnings",
	check.Note:    "findings",
}

// interrupted tells how far a check came that was stopped, and what that means for the file behind -o.
func (v *verdict) interrupted(output string) error {
	err := fmt.Errorf("stopped after %s; the rest is not checked", report.Counted(v.evaluations, "evaluation"))
	if output != "" && output != stdinName {
		return fmt.Errorf("%w, and %s is as it was before", err, output)
	}
	return err
}
