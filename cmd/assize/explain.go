package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/doctor"
	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/report"
)

func (p *program) explainCommand() *cobra.Command {
	color := oneOf("auto", "always", "never")
	cmd := &cobra.Command{
		Use:   "explain [ID]",
		Short: "Explain any id that the program prints",
		Long: `Explain what an id means: a criterion, a score, a ruling, a detector, a finding,
how a model fails, a check of the doctor.
Without an id, list them all. Of a ruling the number is enough.`,
		Example: `  assize explain
  assize explain R3
  assize explain Empathy
  assize explain average-wrong
  assize explain 80`,
		Args:                  cobra.MaximumNArgs(1),
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			all, err := entries()
			if err != nil || len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var ids []cobra.Completion
			for _, e := range all {
				ids = append(ids, cobra.CompletionWithDesc(e.ID, e.Title))
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := settle(cmd, ""); err != nil {
				return err
			}
			return p.explain(args, color.value)
		},
	}
	cmd.Flags().Var(&color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	complete(cmd)
	return cmd
}

func entries() ([]explain.Entry, error) {
	c, err := newCourt(&scoreOptions{})
	if err != nil {
		return nil, err
	}
	return append(explain.All(c.bench.Rules.Rubric, c.agents.Detectors()), doctor.Entries()...), nil
}

func (p *program) explain(args []string, color string) error {
	all, err := entries()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return report.Entries(p.stdout, all, p.colored(color))
	}
	if e, ok := explain.Find(all, args[0]); ok {
		return report.Entry(p.stdout, e, p.colored(color))
	}
	var ids []string
	for _, e := range all {
		ids = append(ids, e.ID)
	}
	err = fmt.Errorf("unknown id %q; want one that a report prints", args[0])
	return withHints(err, append(didYouMean(args[0], ids), "assize explain lists all")...)
}
