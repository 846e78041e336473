package flags

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
)

func TestDidYouMean(t *testing.T) {
	ids := []string{"TaskSuccess", "Empathy", "R1-agreed", "reaction-rejects", "reaction-refuses"}
	assert.Equal(t, []string{"did you mean Empathy?"}, DidYouMean("empaty", ids))
	assert.Equal(t, []string{"did you mean reaction-rejects?"},
		DidYouMean("reaction-rejets", ids[:4]))
	assert.Equal(t, []string{"did you mean reaction-rejects, reaction-refuses?"},
		DidYouMean("reaction", ids))
	assert.Empty(t, DidYouMean("zebra", ids))
	assert.Empty(t, DidYouMean(strings.Repeat("x", 10_000), ids))
}

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		command, name string
		value         any
		valid, wrong  []string
	}{
		{"compare", "top", new(int), []string{"0", "7"}, []string{"-1", "x", "1.5", ""}},
		{"compare", "draws", new(int), []string{"100", "1000000"}, []string{"0", "99", "1000001"}},
		{"agree", "draws", new(int), []string{"0", "100"}, []string{"-1", "99"}},
		{"score", "nats-replicas", new(int), []string{"1", "3", "5"}, []string{"0", "2", "7"}},
		{"serve", "max-time", new(time.Duration), []string{"1s", "1h"}, []string{"999ms", "61m", "0"}},
	} {
		s := NewSet(pflag.NewFlagSet(c.command, pflag.ContinueOnError))
		s.Add(c.name, c.value)
		for _, text := range c.valid {
			assert.NoError(t, s.Apply(c.name, text), "%s %s", c.name, text)
		}
		for _, text := range c.wrong {
			assert.ErrorContains(t, s.Apply(c.name, text), "want ", "%s %s", c.name, text)
		}
	}
}

type drawn struct {
	draws int    `flag:"draws"`
	seed  uint64 `flag:"seed"`
}

type jobs struct {
	jobs int `flag:"jobs"`
}

// Preset sets a default.
func (j *jobs) Preset() { j.jobs = 7 }

type compared struct {
	set   *Set
	top   int `flag:"top"`
	drawn `flag:"seed draws"`
	jobs
	more struct {
		top    int  `flag:"top"`
		paired bool `flag:"paired"`
	} `flag:"*"`
	open  bool `flag:"open"` // a flag of another command
	count int
}

// The first field with a name counts.
func TestAddAll(t *testing.T) {
	c := &compared{count: 3}
	s := NewSet(pflag.NewFlagSet("compare", pflag.ContinueOnError))
	s.AddAll(c)
	var names []string
	s.Each(func(f *pflag.Flag) { names = append(names, f.Name+"="+f.DefValue) })
	// those of the command line in their order, and then the settings by name
	assert.Equal(t, []string{"top=10", "jobs=one for each processor", "paired=false", "draws=1000",
		"seed=1"}, names)
	assert.Same(t, s, c.set)
	for name, text := range map[string]string{"top": "5", "draws": "200", "paired": "true"} {
		assert.NoError(t, s.Apply(name, text))
	}
	assert.Equal(t, []any{5, 200, uint64(1), 7, true, 0, false, 3}, []any{c.top, c.draws, c.seed,
		c.jobs.jobs, c.more.paired, c.more.top, c.open, c.count})
}

func TestConflicts(t *testing.T) {
	for _, c := range []struct {
		set   map[string]string // on the command line, but not what begins with a space
		error string
	}{
		{nil, ""},
		{map[string]string{"listen": "x"}, ""},
		{map[string]string{"evaluator": "rules"}, "--evaluator needs --model"},
		{map[string]string{" evaluator": "rules"}, ""},
		{map[string]string{"evaluator": "rules", " model": "m"}, ""},
		{map[string]string{" tls-cert": "a"},
			"the settings tls-cert and tls-key can be used only together"},
		{map[string]string{" tls-cert": "a", " tls-key": "b"}, ""},
		{map[string]string{" tls-cert": "a", " tls-key": "b", " insecure": "true"},
			"the settings insecure and tls-cert cannot be used together"},
		{map[string]string{" tls-cert": "a", " tls-key": "b", " insecure": "false"}, ""},
	} {
		s := NewSet(pflag.NewFlagSet("serve", pflag.ContinueOnError))
		for _, name := range []string{"listen", "ollama", "calibration", "cache", "model",
			"tls-cert", "tls-key", "tokens"} {
			s.Add(name, new(string))
		}
		s.Add("insecure", new(bool))
		s.Add("host", new([]string))
		s.Add("evaluator", &Choice{})
		s.Add("critic", &Choice{})
		given := map[string]bool{}
		for name, text := range c.set {
			assert.NoError(t, s.Apply(strings.TrimSpace(name), text))
			given[name] = true
		}
		err := s.Conflicts(given)
		if c.error == "" {
			assert.NoError(t, err, c.set)
		} else {
			assert.EqualError(t, err, c.error)
		}
	}
}
