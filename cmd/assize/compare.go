package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/junit"
	"assize/cmd/assize/internal/statistics/compare"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// compareFlags are the flags of `assize compare`.
type compareFlags struct {
	outputFlags
	top        int               `flag:"top"`
	paired     bool              `flag:"paired"`
	unpaired   bool              `flag:"unpaired"`
	drop       string            `flag:"fail-on-drop"`
	failOnDrop rubric.Hundredths // parsed from drop
	mustPass   []string          `flag:"must-pass"`
	failOn     []string          `flag:"fail-on"`
	confidence summary.Portion   `flag:"confidence"`
	drawFlags
	judgingFlags
	jobsFlag
}

func (o *compareFlags) validate(given map[string]bool, args []string) error {
	if !given["since"] {
		o.since = "" // that of the config file is for other commands
	}
	_, err := time.Parse(time.DateOnly, o.since)
	switch {
	case o.since == "" && len(args) != 2:
		return texts.Error("two runs", ui.Counted(len(args), "run"))
	case o.since != "" && err != nil:
		return texts.Error("day", "since", o.since)
	case o.since != "" && len(args) != 1:
		return texts.Error("one run", ui.Counted(len(args), "run"))
	}
	if o.drop != "" || given["fail-on-drop"] {
		o.failOnDrop, err = rubric.ParseHundredths(o.drop)
		if err != nil || o.failOnDrop <= 0 || o.failOnDrop > 80*100 {
			return texts.Error("drop", o.drop)
		}
	}
	return cmp.Or(o.outputFlags.validate(given), oneStdin(args...))
}

func (o *compareFlags) run(ctx context.Context, p *program, files []string) error {
	runs, open, err := o.read(ctx, p, files)
	if err != nil || runs[0] == nil {
		return err
	}
	opt := compare.Options{Top: o.top, Draws: o.draws, Seed: o.seed}
	switch {
	case o.unpaired || o.since != "" && !o.paired:
		opt.Mode = compare.Unpaired
	case o.paired:
		opt.Mode = compare.Paired
	}
	c := compare.New(runs[0], runs[1], opt)
	c.Warnings = slices.Insert(c.Warnings, 0, p.Warned()...)
	if o.since == "" && source.Same(files[0], files[1]) {
		c.Warnings = slices.Insert(c.Warnings, 0, "A and B are the same file.")
	}
	gates, wrong := o.gates(c, open)
	err = p.writeTo(&o.outputFlags, func(w io.Writer, page *ui.Page) error {
		if o.format.Value == "junit" {
			return writeCases(w, c, gates, p.Unreadable)
		}
		return ui.WriteAs(o.format.Value, w, page, c)
	})
	if err = cmp.Or(err, wrong); err != nil {
		return err
	}
	v, lines := stats.Passed, ui.Sentences{}
	for _, g := range gates {
		if g.Verdict == stats.Failed || v == stats.Passed {
			v = g.Verdict
		}
		lines.If(g.why != "", "%s", g.why)
	}
	return gate(v, lines)
}

// read reads both sides, which are two runs, or with --since the parts of one. The runs are nil if
// there is nothing to read. open is why a gate that passes is undecided, or "".
func (o *compareFlags) read(ctx context.Context, p *program, files []string) (
	runs [2]*compare.Run, open console.Undecided, err error) {
	undated := 0
	var rows [2][]run.Row
	why, headers := [2]compare.Reasons{{}, {}}, [2][]*run.Header{}
	final := map[run.Identity][rubric.NumCriteria]rubric.Score{} // of A
	judging := o.judgingFlags
	judging.since = "" // both sides are read
	for i := range files {
		side, err := p.corpus(ctx, "compare", files[i:i+1], &judging, o.jobs, o.output)
		if err != nil || len(side.Files) == 0 {
			return runs, "", err
		}
		err = side.Each(ctx, side.Once(ctx), "dialogue", func(e *corpus.Entry) (bool, error) {
			row, at := e.Record.Row(e.Line.Number), i
			switch {
			case o.since == "":
			case row.Day == "":
				undated++
				return true, nil
			case row.Day >= o.since:
				at = 1
			}
			switch was, known := final[row.Identity]; {
			case at == 0 && !known:
				final[row.Identity] = row.Final
				why[0].Add(e.Record)
			case at > 0 && known && was == row.Final:
				delete(why[0], row.Identity) // only those of changes are shown
			default: // changed, or several times in a run
				final[row.Identity] = [rubric.NumCriteria]rubric.Score{}
				why[at].Add(e.Record)
			}
			rows[at] = append(rows[at], row)
			return true, nil
		})
		if err != nil {
			return runs, "", err
		}
		headers[i] = side.Headers
		if side.Unfinished > 0 {
			open = errUnfinished
		}
	}
	if o.since != "" {
		headers[1] = headers[0]
		files = []string{files[0] + " before " + o.since, files[0] + " from " + o.since}
	}
	if undated > 0 {
		p.Warn(texts.Text("undated", ui.Counted(undated, "dialogue"), ui.Is(undated)))
		open = errUndated
	}
	for i, file := range files {
		runs[i] = compare.NewRun(file, rows[i], headers[i])
		runs[i].Reasons = why[i]
	}
	return runs, open, nil
}

// decision is what became of a gate.
type decision struct {
	name string // as on the command line
	stats.Verdict
	why  string // empty if it passed
	text string // the details, for JUnit
}

// gates decides the gates that are on the command line. open is why one that passes is undecided.
func (o *compareFlags) gates(c *compare.Comparison, open console.Undecided,
) (list []decision, err error) {
	passed, answer := true, strings.Join(c.Answer, "\n")
	add := func(name string, v stats.Verdict, why, text string, pairs ...[2]*run.Row) {
		for _, pair := range pairs {
			_, fell := lowered(c, pair)
			text += fell
		}
		list = append(list, decision{name, v, why, text})
		passed = passed && v == stats.Passed
	}
	if o.failOnDrop > 0 {
		v, why, err := c.Drop(o.failOnDrop, o.confidence.Fraction())
		if err != nil {
			return nil, fmt.Errorf("--fail-on-drop: %w", err)
		}
		name := fmt.Sprint("--fail-on-drop ", o.failOnDrop)
		if why != "" {
			why += "; " + name
		}
		add(name, v, why, answer)
	}
	for _, id := range o.mustPass {
		id = strings.TrimSpace(id)
		wrong, pairs := c.MustPass(id)
		v, why := stats.Passed, strings.Join(wrong, "; ")
		if why != "" {
			v, why = stats.Failed, "--must-pass: "+why
		}
		add("--must-pass "+id, v, why, ui.Visible(why)+"\n", pairs...)
	}
	answers, err := summary.ParseAnswers(o.failOn, c.B.Header.Basis.Rubric)
	if err != nil {
		return nil, fmt.Errorf("--fail-on %w", err)
	}
	for _, t := range answers {
		v, why, pairs, err := c.Newly(t)
		if err != nil {
			return nil, err
		}
		add("--fail-on "+t.String(), v, why, ui.Visible(why)+"\n", pairs...)
	}
	if list != nil && passed && open != "" {
		add("both runs are complete", stats.Undecided, string(open), answer)
	}
	return list, nil
}

// writeCases writes JUnit: a test case for each gate, for each error of reading, and for each
// dialogue of [compare.Comparison.Worse], with the reasons of both runs. Dialogues have failed only
// if they made --fail-on-drop fail.
func writeCases(w io.Writer, c *compare.Comparison, gates []decision, unread []error) error {
	j, dropped := junit.New(w, "assize compare"), false
	j.Note = strings.Join(c.Warnings, " ")
	for _, g := range gates {
		one := junit.Case{Name: ui.Visible(g.name)}
		said := junit.Result{Message: ui.Visible(g.why), Text: g.text}
		switch g.Verdict {
		case stats.Failed:
			said.Type = "gate"
			dropped = dropped || strings.HasPrefix(g.name, "--fail-on-drop")
			one.Failures = []junit.Result{said}
		case stats.Undecided:
			said.Type = "undecided"
			one.Error = &said
		}
		j.Case("gates", one)
	}
	for i, err := range unread {
		said := ui.Visible(err.Error())
		j.Case("inputs", junit.Case{Name: fmt.Sprint("unreadable ", i+1),
			Error: &junit.Result{Type: "unreadable", Message: said, Text: said}})
	}
	for _, pair := range c.Worse() {
		a, b := pair[0], pair[1]
		one := junit.Case{Name: "dialogue " + ui.Visible(b.Name)}
		if a.HasCalls && !b.HasCalls {
			one.Output = "Only A calls tools, so what B says was done is not checked.\n"
		}
		if fell, text := lowered(c, pair); dropped {
			one.Failures = fell
		} else {
			one.Output += text
		}
		j.Case(ui.Visible(b.File), one)
	}
	return j.Close()
}

// lowered returns the criteria with lower scores in B, with the reasons of both runs, and as text.
func lowered(c *compare.Comparison, pair [2]*run.Row) (list []junit.Result, text string) {
	a, b := pair[0], pair[1]
	for _, k := range rubric.Criteria() {
		if b.Final[k] < a.Final[k] {
			fell := fmt.Sprintf("%s %d → %d", k, a.Final[k], b.Final[k])
			reasons := "Before: " + ui.Visible(c.A.Reasons[a.Identity][k]) + "\nNow: " +
				ui.Visible(c.B.Reasons[b.Identity][k])
			list = append(list, junit.Result{Type: k.String(), Message: fell, Text: reasons})
			text += fell + "\n" + reasons + "\n"
		}
	}
	return list, text
}

// The answers of a gate that would pass if dialogues were not missing.
const (
	errUnfinished = console.Undecided(
		"undecided: a run is unfinished, so dialogues may be missing")
	errUndated = console.Undecided("undecided: dialogues without a date are not compared")
)

// gate returns the exit status for a verdict, with the lines that explain it.
func gate(v stats.Verdict, lines []string) error {
	switch said := strings.Join(lines, "\n"); v {
	case stats.Failed:
		return console.Answer(said)
	case stats.Undecided:
		return console.Undecided(said)
	}
	return nil
}
