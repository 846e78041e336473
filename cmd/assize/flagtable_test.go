package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/judging/doctor"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/rubric/dialogue/importer"
)

// The tables of flags name only flags that the commands have, give each a sentence, and agree with
// the program where they name its constants.
func TestTablesOfFlags(t *testing.T) {
	p := &program{Console: &console.Console{}, commands: flags.Commands{}}
	p.command()
	for name, set := range p.commands {
		assert.NotPanics(t, func() {
			if err := set.Conflicts(map[string]bool{}); name != "worker" && name != "fleet" {
				assert.NoError(t, err, name)
			}
		}, name)
		set.Each(func(f *pflag.Flag) {
			assert.NotEmpty(t, f.Usage, "%s --%s", name, f.Name)
			assert.NotContains(t, f.Usage, "{words}", "%s --%s", name, f.Name)
			if f.Name == "jobs" { // memory is taken for each before the first is judged
				assert.ErrorContains(t, f.Value.Set("1000000000"), "want 1 to 1024", name)
				assert.NoError(t, f.Value.Set("1024"), name)
			}
			if heading := flags.Heading(name, f.Name); heading != "" {
				assert.Contains(t, flags.Group(name, heading), f.Name)
			}
		})
	}
	for _, group := range []string{"Output", "Gates", "Reading transcripts", "Judging", "Model",
		"transcripts"} {
		for _, name := range flags.Group("score", group) {
			assert.NotNil(t, p.commands["score"].Lookup(name), "%s: %s", group, name)
		}
	}
	for _, name := range flags.Group("agree", "Judging transcripts") {
		assert.NotNil(t, p.commands["agree"].Lookup(name), name)
	}
	usage := func(command, name string) string { return p.commands[command].Find(name).Usage }
	assert.Contains(t, usage("score", "columns"), strings.Join(importer.Uses(), ", "))
	sort := []string{string(run.BySatisfaction), string(run.ByAverage), string(run.ByDisagreement),
		string(run.ByChecklist), string(run.ByContradicted), string(run.ByUnproven),
		string(run.ByPromised), string(run.ByClaims)}
	assert.Equal(t, sort, wordsOf("triage", "sort"))
	assert.Contains(t, usage("doctor", "quick"), fmt.Sprintf("ask about %d dialogues", doctor.Quick))
}

// wordsOf returns the words that a flag of a command accepts.
func wordsOf(command, name string) []string {
	p := &program{Console: &console.Console{}, commands: flags.Commands{}}
	p.command()
	return p.commands[command].Find(name).Value.(*flags.Choice).Words
}
