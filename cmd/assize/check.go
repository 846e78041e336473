package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/record"
	pool "assize/cmd/assize/internal/run"
	"assize/rubric/check"
)

func (p *program) checkCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check EVAL…",
		Short: "Check evaluations, whoever made them: figures, rulings, quotes",
		Long: `Check evaluations in files, in folders, or on standard input (-): documents of
the debate (003) or of the single evaluator (004), one or many, as JSON, JSON
lines, an array, a run, or the answer of a model with prose around it.

What can be computed is computed again. With --transcript the quotes are held
against what was said, each evaluation against the dialogue with its id, or all
against the only dialogue there is. The evaluations of a run are measured by the
rubric in its header. assize explain says what a finding means.

--fix writes the input with the figures put right and every other byte as it
was, but always as UTF-8 and never compressed; what it changed, and what is left
to a person, goes to standard error.

Exit code: 0 sound; 1 a finding of severity --fail-on or above; 2 the command
line or an input is wrong, no dialogue fits an evaluation, or the check was
stopped.`,
		Example: `  assize check evaluation.json
  assize check evaluation.json --transcript chat.txt
  assize check answers/ --transcript calls.txt --format sarif -o check.sarif
  assize check evaluation.json --fix -o fixed.json
  assize score chat.txt --format json | assize check --transcript chat.txt`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := prepare(cmd, o.config, o.validate); err != nil {
				return err
			}
			return p.check(cmd.Context(), args, &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

// check reads evaluations, looks at each and writes what it finds.
func (p *program) check(ctx context.Context, args []string, o *checkOptions) error {
	except := o.output
	if o.fix {
		except = "" // a file may be put right in its place: it is read to its end before it is replaced
	}
	files, err := p.inputs(evaluationFiles, args, except)
	if err != nil || len(files) == 0 {
		return err
	}
	if o.fix && len(files) > 1 {
		return fmt.Errorf("--fix writes one file and cannot be used with %d; want one at a time", len(files))
	}
	if slices.Contains(files, stdinName) && slices.Contains(o.transcripts, stdinName) {
		return fmt.Errorf("--transcript - cannot be used with evaluations from standard input, which can be read only once")
	}
	if len(o.transcripts) == 0 {
		defer collectAt(200)() // with so small a heap a third of the time costs a few megabytes
	}
	x, err := p.examiner(ctx, o)
	if err != nil {
		return err
	}
	var out *output
	if o.fix { // what comes of a run is one
		out, err = p.overwrite(o.output)
	} else {
		out, err = p.create(o.output)
	}
	if err != nil {
		return err
	}
	v, err := p.hear(ctx, files, x, out, o)
	if err := out.end(err); err != nil {
		return err
	}
	return v.answer(p)
}

// hear has every evaluation looked at, and writes what was found and, to fix them, the evaluations.
func (p *program) hear(ctx context.Context, files []string, x *examiner, out io.Writer, o *checkOptions) (*verdict, error) {
	v := &verdict{failOn: o.severity()}
	findings, fixed := out, io.Discard
	if o.fix {
		findings, fixed = p.stderr, out
	}
	sink, err := o.sink(findings, o.output == "" && !o.fix && p.colored(o.color.value))
	if err != nil {
		return nil, err
	}
	for e := range pool.Ordered(ctx, o.jobs, p.papers(files, x), x.examine) {
		if o.fix && e.err == nil && e.report.Document.Cut {
			e.err = fmt.Errorf("%s:%d: the document is too large to be put right", e.report.Document.File, e.report.Document.Line)
		}
		unfinished := (*record.Unfinished)(nil)
		switch {
		case errors.As(e.err, &unfinished):
			p.note(e.err.Error())
			continue
		case e.err != nil && o.fix: // half a file is of no use
			return nil, e.err
		case e.err != nil:
			p.complain(e.err)
			continue
		}
		if err := write(fixed, &e.report.Document); err != nil {
			return nil, err
		}
		if !v.add(p, &e) {
			continue
		}
		if err := sink.Report(&e.report); err != nil {
			return nil, err
		}
	}
	if err := sink.Flush(); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, v.interrupted(o.output)
	}
	return v, nil
}

// write writes a document with what stands around it: all documents of a file, one after the other, are the file.
func write(w io.Writer, d *check.Document) error {
	for _, part := range [][]byte{d.Before, d.Text, d.After} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
