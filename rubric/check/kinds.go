package check

import (
	_ "embed"

	"github.com/goccy/go-yaml"
)

// Kind documents the findings of one id.
type Kind struct {
	ID       string   `yaml:"id"`
	Severity Severity `yaml:"severity"` // the usual one; a finding says its own
	Title    string   `yaml:"title"`    // one line: what is wrong
	Why      string   `yaml:"why"`      // which sentence of the specification it breaks, why that matters, and when it may be wrong
	Bad      string   `yaml:"bad"`      // an excerpt of a document that has it
	Good     string   `yaml:"good"`     // the same, corrected
}

//go:embed kinds.yaml
var kindsFile []byte

// Kinds documents every id that a finding can have: first the form, then the figures, the agents, the quotes.
func Kinds() []Kind {
	var kinds []Kind
	if err := yaml.Unmarshal(kindsFile, &kinds); err != nil {
		panic("check: kinds.yaml: " + err.Error())
	}
	return kinds
}
