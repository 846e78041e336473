package flags

import (
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
)

// fill fills in the flags that the command line does not give: from ASSIZE_… variables, then from the config file. It
// reports which flags the command line gave.
func fill(cmd *cobra.Command, config string) (given map[string]bool, err error) {
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
		err = Set(cmd.Flags(), f, values, func(v settings.Value, e error) error {
			if forAnother(cmd, f, v.Text) {
				return nil
			}
			return fmt.Errorf("%s: %w", v.Place, Error(cmd, e))
		})
	})
	return given, err
}

// Set sets a flag to the values of a file, of which only some flags take several. wrong words the error of one.
func Set(fs *pflag.FlagSet, f *pflag.Flag, values []settings.Value, wrong func(settings.Value, error) error) error {
	for i, v := range values {
		if _, many := f.Value.(pflag.SliceValue); i > 0 && !many {
			return fmt.Errorf("%s: %s has several values; want one", v.Place, f.Name)
		}
		if err := fs.Set(f.Name, v.Text); err != nil {
			if err = wrong(v, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// forAnother reports whether a word is a choice of the same flag of another command: what is set for all calls
// does not stop a command that has no such choice.
func forAnother(cmd *cobra.Command, f *pflag.Flag, word string) bool {
	_, limited := f.Value.(*Choice)
	return slices.ContainsFunc(cmd.Root().Commands(), func(other *cobra.Command) bool {
		f := other.Flags().Lookup(f.Name)
		if f == nil {
			return false
		}
		c, is := f.Value.(*Choice)
		return is && slices.Contains(c.Words, word) || !is && limited // the other takes any word, this one only some
	})
}

// configurable reports whether a flag may stand in the config file.
func configurable(f *pflag.Flag) bool { return f.Name != "help" && f.Name != "config" }

// The files in the user's folder for settings.
const (
	ConfigFile   = "config.yaml"
	FindingsFile = "models.json" // what doctor found of models
)

// UsualPlace is where a file of the user's is looked for; empty where the system names no folder for settings.
func UsualPlace(file string) string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "assize", file)
}

// readConfig reads the config file: the names of flags, each with its value or a list of them. A file that was asked
// for must be there; the one in the usual place need not.
func readConfig(path string, root *cobra.Command) (map[string][]settings.Value, error) {
	asked := path != ""
	if !asked {
		if path = UsualPlace(ConfigFile); path == "" {
			return nil, nil
		}
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
			return nil, console.Hint(err, DidYouMean(pair.Key, known)...)
		}
		if values[pair.Key], err = pair.Value.Values("a value of " + pair.Key + " as on the command line"); err != nil {
			return nil, err
		}
	}
	return values, nil
}
