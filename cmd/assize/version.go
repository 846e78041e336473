package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// build is what `assize version` tells: what made this program, and what its scores depend on.
type build struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Target  string `json:"target"`
	Rubric  string `json:"rubric"`
	Lexicon string `json:"lexicon"`
	Profile string `json:"profile"`
}

func (p *program) versionCommand() *cobra.Command {
	format := oneOf("text", "json")
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version, and the digests of what scores depend on",
		Long: `Show the program's version, the Go that built it, and the SHA-256 digests of the
default rubric, the lexicon and the default profile. Programs with the same
version and digests give the same scores and the same satisfaction.`,
		Example: `  assize version
  assize version --format json`,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(*cobra.Command, []string) error {
			c, err := newCourt(&scoreOptions{})
			if err != nil {
				return err
			}
			return p.printBuild(build{
				Version: programVersion(),
				Go:      runtime.Version(),
				Target:  runtime.GOOS + "/" + runtime.GOARCH,
				Rubric:  c.bench.Rules.Rubric.Digest(),
				Lexicon: c.agents.Digest(),
				Profile: c.bench.Profile.Digest(),
			}, format.value)
		},
	}
	cmd.Flags().Var(&format, "format", "write it as `FORMAT`: text or json")
	complete(cmd)
	return cmd
}

func (p *program) printBuild(b build, format string) error {
	if format == "json" {
		return json.NewEncoder(p.stdout).Encode(b)
	}
	_, err := fmt.Fprintf(p.stdout, "assize %s\n%s %s\nrubric  sha256 %s\nlexicon sha256 %s\nprofile sha256 %s\n", b.Version, b.Go, b.Target, b.Rubric, b.Lexicon, b.Profile)
	return err
}
