package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/doctor"
	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/judge"
)

func (p *program) explainCommand() *cobra.Command {
	color := flags.OneOf("auto", "always", "never")
	cmd := helpOf("explain")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) (ids []string, _ cobra.ShellCompDirective) {
		all, _ := entries() // without them there is nothing to complete
		for _, e := range all {
			ids = append(ids, cobra.CompletionWithDesc(e.ID, e.Title))
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
	registerColor(cmd.Flags(), &color)
	return flags.Define(cmd, new(string), nil, func(_ context.Context, args []string) error {
		all, err := entries()
		if err != nil {
			return err
		}
		if len(args) == 0 {
			return explain.List(p.Out, all, p.Colored(color.Value))
		}
		id := strings.Join(args, " ")
		if e, ok := explain.Find(all, id); ok {
			return explain.Text(p.Out, e, p.Colored(color.Value))
		}
		var ids []string
		for _, e := range all {
			ids = append(ids, e.ID)
		}
		err = fmt.Errorf("unknown id %q; want one that a report prints", id)
		return console.Hint(err, append(flags.DidYouMean(id, ids), "assize explain lists all")...)
	})
}

func entries() ([]explain.Entry, error) {
	j, err := (&scaleFlags{}).judge(judge.Options{})
	if err != nil {
		return nil, err
	}
	return append(explain.All(j.Rubric, j.Agents.Detectors()), doctor.Entries()...), nil
}
