package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/settings"
	"assize/cmd/assize/internal/source"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value string // empty where nobody says anything, and that means something else than any of the words
	words []string
}

// oneOf makes a choice. The first word is what it is when nobody says anything; it may be empty.
func oneOf(words ...string) choice {
	c := choice{words[0], words}
	if c.value == "" {
		c.words = words[1:]
	}
	return c
}

// Set implements [pflag.Value].
func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("want %s", c.any())
	}
	c.value = s
	return nil
}

// String implements [pflag.Value].
func (c *choice) String() string { return c.value }

// Type implements [pflag.Value].
func (c *choice) Type() string { return "word" }

// any names the choices: "a, b or c".
func (c *choice) any() string {
	last := len(c.words) - 1
	if last == 0 {
		return c.words[0]
	}
	return strings.Join(c.words[:last], ", ") + " or " + c.words[last]
}

// endings are what the name of a file of each format may end in, the usual one first.
var endings = map[string][]string{
	"text": {".txt"}, "json": {".json"}, "jsonl": {".jsonl", ".ndjson"}, "csv": {".csv"}, "sarif": {".sarif"},
	"markdown": {".md", ".markdown"}, "junit": {".xml"}, "html": {".html", ".htm"},
}

// follow takes the format, which is what is chosen, from the name of the file behind -o, unless --format is given.
// Errors call what is written what.
func (c *choice) follow(output, what string, given map[string]bool) error {
	if output == "" || output == source.Stdin || given["format"] {
		return nil
	}
	if info, err := os.Stat(output); err == nil && info.IsDir() {
		return fmt.Errorf("-o %s: is a folder; want a file", output)
	}
	usual := oneOf("")
	for _, word := range c.words {
		if slices.Contains(endings[word], strings.ToLower(filepath.Ext(output))) {
			c.value = word
			return nil
		}
		usual.words = append(usual.words, endings[word][0])
	}
	return fmt.Errorf("-o %s: no format of %s has this extension; want a name that ends in %s, or --format", output, what,
		usual.any())
}

// define completes a command: its flags are settled and validated before work begins, and a shell completes them.
func define(cmd *cobra.Command, config *string, validate func(given map[string]bool, args []string) error,
	work func(ctx context.Context, args []string) error) *cobra.Command {
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := settle(cmd, *config)
		if err != nil {
			return err
		}
		if validate != nil {
			if err := validate(given, args); err != nil {
				return console.Hint(err, "see "+cmd.CommandPath()+" --help")
			}
		}
		return work(cmd.Context(), args)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(*choice); ok {
			// The only error is a flag that does not exist or is registered twice.
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(c.words, cobra.ShellCompDirectiveNoFileComp))
		}
	})
	return cmd
}

// flagError words an error of the flag parser as the rest of the program words its own.
func flagError(cmd *cobra.Command, err error) error {
	help := "see " + cmd.CommandPath() + " --help"
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
		return console.Hint(fmt.Errorf("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), cause(invalid.Unwrap())), help)
	}
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		var names, others []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		for _, other := range cmd.Root().Commands() {
			if other.Flags().Lookup(name) != nil {
				others = append(others, "assize "+other.Name())
			}
		}
		if len(others) > 0 {
			return console.Hint(err, "--"+name+" belongs to "+strings.Join(others, ", "), help)
		}
		return console.Hint(err, append(didYouMean("--"+name, names), help)...)
	}
	return console.Hint(err, help)
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
		values := file[f.Name]
		variable := "ASSIZE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v := os.Getenv(variable); v != "" {
			values = []settings.Value{{Place: variable, Text: v}}
		}
		for i, v := range values {
			if _, many := f.Value.(pflag.SliceValue); i > 0 && !many {
				err = fmt.Errorf("%s: %s has several values; want one", v.Place, f.Name)
				return
			}
			if e := cmd.Flags().Set(f.Name, v.Text); e != nil && !forAnother(cmd, f, v.Text) {
				err = fmt.Errorf("%s: %w", v.Place, flagError(cmd, e))
			}
		}
	})
	return given, err
}

// forAnother reports whether a word is a choice of the same flag of another command: what is set for all calls
// does not stop a command that has no such choice.
func forAnother(cmd *cobra.Command, f *pflag.Flag, word string) bool {
	_, limited := f.Value.(*choice)
	return slices.ContainsFunc(cmd.Root().Commands(), func(other *cobra.Command) bool {
		f := other.Flags().Lookup(f.Name)
		if f == nil {
			return false
		}
		c, is := f.Value.(*choice)
		return is && slices.Contains(c.words, word) || !is && limited // the other takes any word, this one only some
	})
}

// configurable reports whether a flag may stand in the config file.
func configurable(f *pflag.Flag) bool { return f.Name != "help" && f.Name != "config" }

// usualPlace is where the config file is looked for.
func usualPlace() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "none on this system"
	}
	return filepath.Join(dir, "assize", "config.yaml")
}

// readConfig reads the config file: the names of flags, each with its value or a list of them. A file that was asked
// for must be there; the one in the usual place need not.
func readConfig(path string, root *cobra.Command) (map[string][]settings.Value, error) {
	asked := path != ""
	if !asked {
		path = usualPlace()
	}
	data, err := os.ReadFile(path)
	switch {
	case !asked && errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("config file: %w", err)
	}
	file, err := settings.Parse(path, data)
	if err != nil || file.Empty() {
		return nil, err
	}
	pairs, err := file.Mapping("lines such as jobs: 4")
	if err != nil {
		return nil, err
	}
	var known []string
	for _, cmd := range root.Commands() {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if configurable(f) && !slices.Contains(known, f.Name) {
				known = append(known, f.Name)
			}
		})
	}
	values := map[string][]settings.Value{}
	for _, pair := range pairs {
		if !slices.Contains(known, pair.Key) {
			err := fmt.Errorf("%s: unknown setting %q; want the name of a flag without its dashes", pair.Place, pair.Key)
			return nil, console.Hint(err, didYouMean(pair.Key, known)...)
		}
		if values[pair.Key], err = pair.Value.Values("a value of " + pair.Key + " as on the command line"); err != nil {
			return nil, err
		}
	}
	return values, nil
}
