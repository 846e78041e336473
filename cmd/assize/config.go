package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/settings"
)

// configPath is the default place of the config file; empty where the system has none.
func configPath() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "assize", "config.yaml")
}

func usualPlace() string {
	if path := configPath(); path != "" {
		return path
	}
	return "none on this system"
}

// readConfig reads the config file: the names of flags, each with its value or a list of them. A file that was asked for
// must be there; the one in the default place need not.
func readConfig(path string, root *cobra.Command) (map[string][]settings.Value, error) {
	asked := path != ""
	if !asked {
		path = configPath()
	}
	data, err := os.ReadFile(path)
	switch {
	case !asked && (path == "" || errors.Is(err, fs.ErrNotExist)):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("config file: %w", err)
	}
	file, err := settings.Parse(path, data)
	if err != nil || file.Pairs == nil && file.Text == "" && file.List == nil {
		return nil, err
	}
	pairs, err := file.Mapping("lines such as jobs: 4")
	if err != nil {
		return nil, err
	}
	values := map[string][]settings.Value{}
	for _, pair := range pairs {
		if known := flagNames(root); !slices.Contains(known, pair.Key) {
			err := fmt.Errorf("%s: unknown setting %q; want the name of a flag without its dashes", pair.Place, pair.Key)
			return nil, withHints(err, didYouMean(pair.Key, known)...)
		}
		if values[pair.Key], err = pair.Value.Values("a value of " + pair.Key + " as on the command line"); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// flagNames lists what may be set in the config file: the flags of all commands, each once.
func flagNames(root *cobra.Command) []string {
	var names []string
	for _, cmd := range root.Commands() {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if configurable(f) && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		})
	}
	slices.Sort(names)
	return names
}
