package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/compare/view"
)

func (p *program) compareCommand() *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two runs: what changed, by how much, and whether by chance",
		Long: `Compare two runs that assize score -o run.jsonl wrote, A before and B after.

Dialogues are the same where the same was said in them, whatever they are
called. Runs of the same dialogues, judged by another rubric or another
version, are compared dialogue by dialogue: the mean difference of each measure
with its 95 % interval, how many dialogues rose and fell, and the dialogues that
changed most with what either side gives as its reasons.

Where fewer than half of the smaller run's dialogues are in the other one, they
are two different sets, such as those of an old and a new bot, and the means of
the sets are compared. --paired and --unpaired decide it by hand.

--fail-on-drop 2 asks whether the mean weighted average of B is lower by 2.00
points of 100 or more, as it is printed; with --sure, whether the whole interval
is. Of the same dialogues the mean is over those that are scored in both runs.

Exit code: 0 fine; 1 the average dropped by --fail-on-drop; 2 the command line
or an input is wrong, or --fail-on-drop has no answer.`,
		Example: `  assize compare old.jsonl new.jsonl
  assize compare old.jsonl new.jsonl --by file --top 3
  assize compare main.jsonl branch.jsonl --fail-on-drop 2 --sure
  assize compare may.jsonl june.jsonl --unpaired --format markdown -o june.md`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			validate := func(given map[string]bool) error { return o.validate(given, args) }
			if err := prepare(cmd, o.config, validate); err != nil {
				return err
			}
			return p.compare(cmd.Context(), args[0], args[1], &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

// compare reads two runs, writes what changed, and answers --fail-on-drop.
func (p *program) compare(ctx context.Context, fileA, fileB string, o *compareOptions) error {
	a, err := p.gather(ctx, fileA, o)
	if err != nil {
		return err
	}
	b, err := p.gather(ctx, fileB, o)
	if err != nil {
		return err
	}
	c, err := stoppable(ctx, func() *compare.Comparison { return compare.New(a, b, o.options()) })
	if err != nil {
		return err
	}
	c.Warnings = append(p.remarked(), c.Warnings...)
	if sameFile(fileA, fileB) {
		c.Warnings = append([]string{"A and B are the same file."}, c.Warnings...)
	}
	if err := p.justify(c); err != nil {
		return err
	}
	out, err := p.create(o.output)
	if err != nil {
		return err
	}
	if err := out.end(p.writeComparison(out, c, o)); err != nil {
		return err
	}
	return o.answer(c)
}

func (p *program) writeComparison(w io.Writer, c *compare.Comparison, o *compareOptions) error {
	switch o.format.value {
	case "json":
		return view.JSON(w, c)
	case "csv":
		return view.CSV(w, c)
	case "markdown":
		return view.Markdown(w, c)
	}
	return view.Text(w, c, o.output == "" && p.colored(o.color.value))
}
