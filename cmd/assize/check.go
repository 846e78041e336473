package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/findings"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/evidence"
	"assize/rubric"
	"assize/rubric/check"
	"assize/rubric/dialogue/importer"
)

// checkFlags are the flags of `assize check`.
type checkFlags struct {
	outputFlags
	transcripts []string     `flag:"transcript"`
	id          string       `flag:"id"`
	fix         bool         `flag:"fix"`
	failOn      flags.Choice `flag:"fail-on"`
	scaleFlags  `flag:"rubric"`
	readingFlags
	jobsFlag
}

func (o *checkFlags) validate(given map[string]bool, _ []string) error {
	switch ending := strings.ToLower(filepath.Ext(o.output)); {
	case o.fix && (ending == ".gz" || ending == run.Packed):
		return texts.Error("fix packed", o.output)
	case o.fix:
		return nil // the output is the evaluation
	}
	return o.outputFlags.validate(given)
}

func (o *checkFlags) run(ctx context.Context, p *program, args []string) error {
	if slices.ContainsFunc(args, isRubric) {
		return p.checkRubrics(o, args)
	}
	except := o.output
	if o.fix {
		except = "" // the output may replace an input, which is read completely before
	}
	files, _, err := corpus.Find(p.Console, source.Evaluations, "check", args, except)
	switch {
	case err != nil || len(files) == 0:
		return err
	case o.fix && len(files) > 1:
		return texts.Error("fix", len(files))
	case slices.Contains(files, ui.Stdin) && slices.Contains(o.transcripts, ui.Stdin):
		return texts.Error("transcript")
	}
	agents := heuristics.New()
	r, err := o.readRubric(agents)
	if err != nil {
		return err
	}
	x := &findings.Examiner{Checker: &check.Checker{Rubric: r}, OwnRubric: o.rubric != ""}
	if len(o.transcripts) > 0 { // else no detector is loaded, which takes a while
		t, err := p.transcripts(ctx, o)
		if err != nil {
			return err
		}
		x.Checker.Observe, x.Checker.Find = agents.Observe, t.Find
	}
	if err := x.FailOn.UnmarshalText([]byte(o.failOn.Value)); err != nil {
		return err
	}
	var out *output.File
	isInput := func(input string) bool { return source.Same(input, o.output) }
	switch {
	case !o.fix:
		out, err = output.Create(p.Out, o.output, o.format.Value)
	case slices.ContainsFunc(files, isInput):
		out, err = output.Overwrite(p.Out, o.output)
	case run.IsFile(files[0]) || files[0] == ui.Stdin: // a run has no seal but its closing line
		if err = output.Check(o.output); err == nil {
			out, err = output.Overwrite(p.Out, o.output)
		}
	default: // sealed, so that the next round may replace it
		out, err = output.Create(p.Out, o.output, "json")
	}
	if err != nil {
		return err
	}
	report := io.Writer(out)
	if o.fix {
		report, x.Fixed = p.Err, out
	}
	sink := findings.New(o.format.Value, report, findings.TextOptions{
		Color:      o.output == "" && !o.fix && p.Colored(o.color.Value),
		Transcript: len(o.transcripts) > 0, Fixed: o.fix, Quiet: p.Quiet})
	err = x.CheckAll(ctx, p.Console, o.jobs, files, sink)
	if err != nil && ctx.Err() != nil && o.output != "" && o.output != ui.Stdin {
		err = fmt.Errorf("%w, and %s is as it was before", err, o.output)
	}
	if err := out.End(err); err != nil {
		return err
	}
	return x.Answer(p.Console)
}

// transcripts reads the transcripts. An error in one dialogue is reported, and the others count.
func (p *program) transcripts(ctx context.Context, o *checkFlags) (*findings.Transcripts, error) {
	reading, err := o.readingFlags.options(importer.Uses())
	if err != nil {
		return nil, err
	}
	runs, files, _, err := corpus.FindTranscripts(ctx, p.Console, "check", o.transcripts, o.output)
	if runs != nil {
		err = texts.Error("transcript is run", runs.Files[0])
	}
	if err != nil {
		return nil, err
	}
	t := &findings.Transcripts{Files: o.transcripts}
	for it := range corpus.Samples(p.Console, files, reading) {
		switch {
		case ctx.Err() != nil:
			return nil, errors.New("stopped while the transcripts were read; nothing is checked")
		case it.Err != nil:
			p.Unread(it.Err)
		default:
			t.Add(it.Sample)
		}
	}
	if err := t.Choose(o.id); err != nil {
		return nil, console.Hint(err, "assize score FILE --format csv lists the ids")
	}
	return t, nil
}

// isRubric reports whether a file is a rubric rather than an evaluation, by its extension.
func isRubric(file string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(file)))
}

// checkRubrics checks rubric files: whether they can be read, and whether the rules answer the
// examples of their questions and facts as the files say.
func (p *program) checkRubrics(o *checkFlags, files []string) error {
	for _, file := range files {
		if !isRubric(file) {
			return texts.Error("no rubric", file)
		}
	}
	for _, name := range []string{"fail-on", "fix", "format", "id", "rubric", "transcript"} {
		if p.given[name] {
			return fmt.Errorf("--%s cannot be used with a rubric file; it is for evaluations", name)
		}
	}
	agents, failed := heuristics.New(), 0
	err := p.writeTo(&o.outputFlags, func(w io.Writer, page *ui.Page) error {
		for _, file := range files {
			r, err := (&scaleFlags{rubric: file}).readRubric(agents)
			if err != nil {
				return err
			}
			t := rubricTest{file: file, agents: agents, page: page, unmatched: map[string]string{}}
			t.card, _ = agents.Scorecard(r) // readRubric returns its errors
			if err := t.run(r); err != nil {
				return err
			}
			own := run.Header{Basis: run.Basis{Rubric: r}}
			own.Basis.Rubric.Questions, own.Basis.Rubric.Facts = nil, nil
			var set []string // by the file
			for _, c := range (run.Header{Basis: run.DefaultBasis()}).Differences(own) {
				if name, is := strings.CutPrefix(c.What, "rubric."); is {
					set = append(set, name+" "+ui.Clip(cmp.Or(c.B, "none"), 40))
				}
			}
			t.print(ui.Plain, "%s: %s", file, texts.Say("rubric", map[string]any{"Rubric": r,
				"Tested": t.tested, "Failed": t.failed, "Set": set}))
			if err := page.Send(w); err != nil {
				return err
			}
			failed += t.failed
		}
		return nil
	})
	if err == nil && failed > 0 {
		err = console.Answer(fmt.Sprintf("%s of the rubric failed", ui.Counted(failed, "example")))
	}
	return err
}

// rubricTest tests the examples of a rubric.
type rubricTest struct {
	file           string
	agents         *heuristics.Agents
	card           *evidence.Scorecard
	page           *ui.Page
	tested, failed int
	unmatched      map[string]string // sentences of an example, by fact; see [evidence.Watch]
}

func (t *rubricTest) print(s ui.Style, format string, args ...any) {
	t.page.Paragraph(s, "", "  ", ui.Visible(fmt.Sprintf(format, args...)))
}

// run tests the examples of all questions that the rules answer, and of all facts.
func (t *rubricTest) run(r rubric.Rubric) error {
	for _, q := range r.Questions {
		if q.By == rubric.ByModel {
			continue // its examples are for people, and for assize doctor --questions
		}
		q.By = rubric.ByRules
		one := rubric.Rubric{Questions: []rubric.Question{q}}
		err := t.test(q.ID, func(c rubric.Case) (string, string) {
			return string(one.Checklist(c, nil).Answers[0].Answer), ""
		}, examples{"hit", string(rubric.Yes), q.Hit, true},
			examples{"miss", string(rubric.No), q.Miss, true},
			examples{"na", string(rubric.NotApplicable), q.NA, q.When != nil})
		if err != nil {
			return err
		}
	}
	for _, f := range r.Facts {
		const contradicted, not = "contradicted", "not contradicted"
		err := t.test(f.ID, func(c rubric.Case) (string, string) {
			why := ": no sentence of the SYSTEM is about it"
			if s := t.unmatched[f.ID]; s != "" {
				why = fmt.Sprintf(": nothing in “%s” can be compared with “%s”", s, f.Says())
			}
			ofOther := func(s rubric.Signal) bool { return s.Fact != f.ID }
			for _, s := range ui.Without(c.Signals, ofOther) {
				said := rubric.Excerpt(s.Turn, c.Dialogue.Turns[s.Turn-1].Text, s.Start, s.End).Text
				if s.ID == evidence.ContradictsFact {
					return contradicted, fmt.Sprintf(": “%s” contradicts “%s”", said, f.Says())
				}
				why = fmt.Sprintf(": “%s” agrees with “%s”", said, f.Says())
			}
			return not, why
		}, examples{"hit", contradicted, f.Hit, true}, examples{"miss", not, f.Miss, true})
		if err != nil {
			return err
		}
	}
	return nil
}

// examples are the examples of a question or fact that should have the same answer.
type examples struct {
	name, want string
	list       rubric.Dialogues
	expected   bool // there should be at least one
}

// test compares the answers about the examples of a question or fact with those that they should
// have, and says why they differ. It returns an error if an example is not a dialogue.
func (t *rubricTest) test(id string, answer func(rubric.Case) (is, why string),
	sets ...examples) error {
	var missing []string
	for _, set := range sets {
		if set.expected && len(set.list) == 0 {
			missing = append(missing, set.name)
		}
		for _, e := range set.list {
			at := fmt.Sprintf("%s:%d:%d: %s (%s)", t.file, e.Line, e.Column, id, set.name)
			d, err := rubric.ExampleDialogue(e.Text)
			c := rubric.Case{Dialogue: d}
			if err == nil {
				clear(t.unmatched)
				c.Signals, err = t.agents.ObserveWith(d, evidence.Watch{Scorecard: t.card,
					Unmatched: t.unmatched})
			}
			if err != nil {
				return fmt.Errorf("%s: this example cannot be judged: %w", at, err)
			}
			t.tested++
			if got, why := answer(c); got != set.want {
				t.failed++
				t.print(ui.Red, "%s is %s in this example; want %s%s", at, got, set.want, why)
			}
		}
	}
	if missing != nil {
		t.print(ui.Plain, "%s: %s needs examples: %s", t.file, id, strings.Join(missing, " and "))
	}
	return nil
}
