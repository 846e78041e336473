package main

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
)

// A command line that offers everything hides what people need: the rest are settings, which the
// help lists. A setting has no flag of the same name, anywhere.
func TestFlagsAreFew(t *testing.T) {
	p := &program{Console: &console.Console{}, commands: flags.Commands{}}
	root := p.command()
	all := map[string]bool{}
	var count func(cmd *cobra.Command)
	count = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.InitDefaultVersionFlag()
		n := 0
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			n++
			all[f.Name] = true
			assert.False(t, f.Hidden, f.Name)
		})
		if cmd.Name() == "score" {
			assert.LessOrEqual(t, n, 36, "flags of score")
			t.Log("flags of score:", n)
		}
		for _, c := range cmd.Commands() {
			count(c)
		}
	}
	count(root)
	assert.LessOrEqual(t, len(all), 61, "flags in all")
	t.Log("flags in all:", len(all))
	listed := "\n" + p.commands.ListSettings()
	for _, set := range p.commands {
		set.Settings.VisitAll(func(f *pflag.Flag) {
			assert.False(t, all[f.Name], f.Name)
			assert.Contains(t, listed, "\n  "+f.Name+" ")
		})
	}
}
