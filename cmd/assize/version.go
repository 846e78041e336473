package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/judge"
)

// build is what `assize version` prints: what made this program, and what its scores depend on.
type build struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Target  string `json:"target"`
	Rubric  string `json:"rubric"`
	Lexicon string `json:"lexicon"`
	Profile string `json:"profile"`
}

func (p *program) versionCommand() *cobra.Command {
	cmd := helpOf("version")
	cmd.Args = cobra.NoArgs
	format := flags.OneOf("text", "json")
	cmd.Flags().Var(&format, "format", "write it as `FORMAT`: text or json")
	return flags.Define(cmd, new(string), nil, func(context.Context, []string) error {
		j, err := (&scaleFlags{}).judge(judge.Options{})
		if err != nil {
			return err
		}
		b := build{judge.Version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH,
			j.Rubric.Digest(), j.Agents.Digest(), j.Profile.Digest()}
		if format.Value == "json" {
			return json.NewEncoder(p.Out).Encode(b)
		}
		_, err = fmt.Fprintf(p.Out, "assize %s\n%s %s\nrubric  sha256 %s\nlexicon sha256 %s\nprofile sha256 %s\n",
			b.Version, b.Go, b.Target, b.Rubric, b.Lexicon, b.Profile)
		return err
	})
}
