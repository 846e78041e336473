package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/experiment/view"
)

func (p *program) experimentCommand() *cobra.Command {
	var o experimentOptions
	cmd := &cobra.Command{
		Use:   "experiment FILE",
		Short: "Hold models, panels and prompts against each other",
		Long: `Judge the same dialogues by every model, panel and prompt that a file names, and
print a table: agreement with people where they rated the dialogues, beside the
rules alone; how many dialogues are unscored; whether the turns that are cited
for low scores are those at which the rules see a fault; how many scores another
repeat changes; how far the model is from the rules; and what a dialogue takes.

  dialogues: [calls/*.txt]          # files, folders and patterns
  limit: 15                         # dialogues of each file; all without it
  models: [rules, "qwen2.5:1.5b"]   # rules: the rules alone, the baseline
  panels:                           # flags of assize score that concern a model
    - {name: full}
    - {name: one-call, critic: rules}
  prompts: [default, prompts/short] # default, or folders as for --prompts
  repeats: 2                        # runs of each, asked anew
  options: {num-thread: 2}          # flags of assize score for all
  output: runs                      # the folder of the runs
  ratings: survey.csv               # where the transcripts carry none
  scale: 1-5                        # of people, the worst first

Paths are relative to the file. Every cell is a run in the folder, as assize
score -o writes it, for all commands that read runs. A cell that fails is told,
and the others go on. The same command goes on where it was stopped, and prints
the table once more where all is done. No setting of assize score from a
variable or the config file reaches a cell; only the file counts.

Exit code: 0 all cells are complete; 2 one is not, the command line, the file or
an input is wrong, or the experiment was stopped.`,
		Example: `  assize experiment models.yaml --dry-run
  assize experiment models.yaml
  assize experiment models.yaml -o runs --format markdown > table.md`,
		Args:                  cobra.ExactArgs(1),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := prepare(cmd, o.config, o.validate); err != nil {
				return err
			}
			return p.experiment(cmd.Context(), args[0], &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

// experiment runs every cell that is not complete yet, and measures.
func (p *program) experiment(ctx context.Context, file string, o *experimentOptions) error {
	l, err := p.laboratory(ctx, file, o)
	if err != nil {
		return err
	}
	if o.dryRun {
		return l.tell(p.stdout)
	}
	if err := os.MkdirAll(l.folder, 0o777); err != nil {
		return fmt.Errorf("the folder of the runs: %w", err)
	}
	for i := range l.cells {
		if err := p.runCell(ctx, l, i); err != nil && ctx.Err() == nil {
			p.complain(fmt.Errorf("%s: %w", &l.cells[i], err))
		}
		if ctx.Err() != nil {
			return errors.New("stopped; the same command goes on where this one ended")
		}
	}
	t, err := p.measure(ctx, l, o)
	if err != nil {
		return err
	}
	return p.writeTable(p.stdout, t, o)
}

func (p *program) writeTable(w io.Writer, t *experiment.Table, o *experimentOptions) error {
	switch o.format.value {
	case "markdown":
		return view.Markdown(w, t)
	case "csv":
		return view.CSV(w, t)
	case "json":
		return view.JSON(w, t)
	}
	return view.Text(w, t, p.colored(o.color.value))
}
