package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choice is a flag that takes one of a few words. The first is what it is when nobody says anything; it may
// be empty where that means something else than any of the others.
type choice struct {
	value string
	words []string
}

func oneOf(words ...string) choice { return choice{words[0], words} }

// Set implements [pflag.Value].
func (c *choice) Set(s string) error {
	for _, w := range c.words {
		if s == w && w != "" {
			c.value = s
			return nil
		}
	}
	return fmt.Errorf("want %s", c.any())
}

// String implements [pflag.Value].
func (c *choice) String() string { return c.value }

// Type implements [pflag.Value].
func (c *choice) Type() string { return "word" }

func (c *choice) list() []string {
	if c.words[0] == "" {
		return c.words[1:]
	}
	return c.words
}

// any names the choices: "a, b or c".
func (c *choice) any() string {
	words := c.list()
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// complete makes the shell complete every choice of cmd.
func complete(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(*choice); ok {
			// The only error is a flag that does not exist or is registered twice.
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(c.list(), cobra.ShellCompDirectiveNoFileComp))
		}
	})
}

// flagError words an error of the flag parser as the rest of the program words its own.
func flagError(cmd *cobra.Command, err error) error {
	help := "see " + cmd.CommandPath() + " --help"
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return withHints(fmt.Errorf("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), cause(invalid.Unwrap())), help)
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return withHints(err, append(didYouMean("--"+unknown.GetSpecifiedName(), names), help)...)
	}
	return withHints(err, help)
}

// cause shortens what strconv says of a number or of true and false.
func cause(err error) error {
	switch s := err.Error(); {
	case strings.HasPrefix(s, "strconv.ParseBool"):
		return errors.New("want true or false")
	case strings.HasPrefix(s, "time:"):
		return errors.New("want a time such as 90s or 10m")
	case strings.HasPrefix(s, "strconv."):
		return errors.New("want a whole number")
	}
	return err
}

// prepare settles the flags of a command and has them validated, which is told which the command line gave.
func prepare(cmd *cobra.Command, config string, validate func(given map[string]bool) error) error {
	given, err := settle(cmd, config)
	if err != nil {
		return err
	}
	if err := validate(given); err != nil {
		return withHints(err, "see "+cmd.CommandPath()+" --help")
	}
	return nil
}

// settle fills in the flags that the command line does not give: from ASSIZE_… variables, then from the
// config file. It reports which flags the command line gave.
func settle(cmd *cobra.Command, config string) (given map[string]bool, err error) {
	given = map[string]bool{}
	cmd.Flags().Visit(func(f *pflag.Flag) { given[f.Name] = true })
	if !given["config"] {
		config = os.Getenv("ASSIZE_CONFIG")
	}
	file, err := readConfig(config, cmd.Root())
	if err != nil {
		return nil, err
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if err != nil || given[f.Name] || !configurable(f) {
			return
		}
		if v := os.Getenv(variable(f.Name)); v != "" {
			if e := cmd.Flags().Set(f.Name, v); e != nil && !forAnother(cmd, f.Name, v) {
				err = fmt.Errorf("%s: %w", variable(f.Name), flagError(cmd, e))
			}
			return
		}
		for i, v := range file[f.Name] {
			if _, many := f.Value.(pflag.SliceValue); i > 0 && !many {
				err = fmt.Errorf("%s: %s has several values; want one", v.Place, f.Name)
				return
			}
			if e := cmd.Flags().Set(f.Name, v.Text); e != nil && !forAnother(cmd, f.Name, v.Text) {
				err = fmt.Errorf("%s: %w", v.Place, flagError(cmd, e))
			}
		}
	})
	return given, err
}

// forAnother reports whether a word is a choice of the same flag of another command: what is set for all calls
// does not stop a command that has no such choice.
func forAnother(cmd *cobra.Command, flag, word string) bool {
	_, limited := cmd.Flags().Lookup(flag).Value.(*choice)
	return slices.ContainsFunc(cmd.Root().Commands(), func(other *cobra.Command) bool {
		f := other.Flags().Lookup(flag)
		if f == nil {
			return false
		}
		c, ok := f.Value.(*choice)
		if !ok {
			return limited // the other takes any word, this one only some
		}
		return word != "" && slices.Contains(c.words, word)
	})
}

// variable is the name of the environment variable that means the same as a flag.
func variable(flag string) string {
	return "ASSIZE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// configurable reports whether a flag may stand in the config file.
func configurable(f *pflag.Flag) bool { return f.Name != "help" && f.Name != "config" }
