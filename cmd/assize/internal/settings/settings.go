// Package settings reads small YAML files into structs, and knows where in the file the values of flags are.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// maxBytes is how large a file may be. The time that the YAML parser takes grows with the square of the depth.
const maxBytes = 1 << 14

// Decode reads a file into a struct, whose tags name all that the file may hold. A file that holds nothing leaves the
// struct as it is. Errors tell where in the file something is wrong.
func Decode(name string, data []byte, to any) error {
	if len(data) > maxBytes {
		return fmt.Errorf("%s: the file has %d bytes; want at most %d", name, len(data), maxBytes)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // Windows editors begin files with a mark
	in := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	err := in.Decode(to)
	if err == nil && in.Decode(new(any)) == nil {
		err = errors.New("a second document begins; want one")
	}
	var at yaml.Error
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case errors.As(err, &at) && at.GetToken() != nil:
		msg, pos := at.GetMessage(), at.GetToken().Position
		if errors.As(err, new(*yaml.TypeError)) { // it speaks of types in Go; words have any form
			msg = "want a whole number"
		}
		return fmt.Errorf("%s:%d:%d: %s", name, pos.Line, pos.Column, msg)
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Value is a plain value.
type Value struct {
	Place string // the name of a variable; in a file line:column
	Text  string
}

// Flag is a flag by its name, without dashes, with its values.
type Flag struct {
	Key, Place string
	Values     []Value
}

// Flags are a mapping of flags to their values, in the order of the file.
type Flags []Flag

// UnmarshalYAML implements [yaml.NodeUnmarshaler].
func (f *Flags) UnmarshalYAML(n ast.Node) error {
	mapping, ok := n.(ast.MapNode)
	if !ok {
		return Wrong(n, "not a mapping of names to values; want lines such as jobs: 4")
	}
	for it := mapping.MapRange(); it.Next(); {
		list, err := values(it.Value())
		if err != nil {
			return err
		}
		key := it.Key().GetToken()
		*f = append(*f, Flag{key.Value, place(it.Key()), list})
	}
	return nil
}

// Words is a list of plain values, or a plain value as the only one.
type Words []string

// UnmarshalYAML implements [yaml.NodeUnmarshaler].
func (w *Words) UnmarshalYAML(n ast.Node) error {
	list, err := values(n)
	*w = nil
	for _, v := range list {
		*w = append(*w, v.Text)
	}
	return err
}

// values gives the plain values of a list, or a plain value as the only one. Anchors, aliases, tags and blocks of text are
// refused: settings need none.
func values(n ast.Node) (list []Value, err error) {
	nodes := []ast.Node{n}
	if s, ok := n.(*ast.SequenceNode); ok && len(s.Values) > 0 {
		nodes = s.Values
	}
	for _, n := range nodes {
		switch n.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		default:
			return nil, Wrong(n, "no plain value; want one or a list of them, as on the command line")
		}
		list = append(list, Value{place(n), n.GetToken().Value})
	}
	return list, nil
}

func place(n ast.Node) string {
	at := n.GetToken().Position
	return fmt.Sprintf("%d:%d", at.Line, at.Column)
}

// Wrong is the error of a part of a file, of which [Decode] tells the place.
func Wrong(n ast.Node, msg string) error { return &yaml.SyntaxError{Message: msg, Token: n.GetToken()} }
