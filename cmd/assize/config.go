package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// setting is a value of the config file, and where it stands there.
type setting struct{ text, place string }

// configPath is the usual place of the config file; empty where the system names none.
func configPath() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "assize", "config.yaml")
}

// readConfig reads the config file: the names of flags, each with its value or a list of them. A file that
// was asked for must be there; the one in the usual place need not.
func readConfig(path string, root *cobra.Command) (map[string][]setting, error) {
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
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, fmt.Errorf("%s:%s", path, syntax(err))
	}
	settings := map[string][]setting{}
	for _, doc := range file.Docs {
		if err := readSettings(settings, doc.Body, path, flagNames(root)); err != nil {
			return nil, err
		}
	}
	return settings, nil
}

// readSettings takes the settings out of a YAML mapping.
func readSettings(settings map[string][]setting, body ast.Node, path string, known []string) error {
	var pairs []*ast.MappingValueNode
	switch n := body.(type) {
	case nil, *ast.CommentGroupNode:
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = append(pairs, n)
	default:
		return fmt.Errorf("%s: not a list of settings; want lines such as jobs: 4", place(path, body))
	}
	for _, pair := range pairs {
		key := pair.Key.GetToken().Value
		if !slices.Contains(known, key) {
			err := fmt.Errorf("%s: unknown setting %q; want the name of a flag without its dashes", place(path, pair.Key), key)
			return withHints(err, didYouMean(key, known)...)
		}
		values := []ast.Node{pair.Value}
		if list, ok := pair.Value.(*ast.SequenceNode); ok {
			values = list.Values
		}
		for _, v := range values {
			if _, ok := v.(ast.ScalarNode); !ok || v.Type() == ast.NullType {
				return fmt.Errorf("%s: %s has no plain value; want one as on the command line", place(path, v), key)
			}
			settings[key] = append(settings[key], setting{v.GetToken().Value, place(path, v)})
		}
	}
	return nil
}

func place(path string, n ast.Node) string {
	at := n.GetToken().Position
	return fmt.Sprintf("%s:%d:%d", path, at.Line, at.Column)
}

// syntax gives a YAML error on one line, behind its place: "3:5: unexpected key".
func syntax(err error) string {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		at := y.GetToken().Position
		return fmt.Sprintf("%d:%d: %s", at.Line, at.Column, y.GetMessage())
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return " " + line
}

// flagNames lists what may stand in the config file: the flags of all commands, each once.
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
