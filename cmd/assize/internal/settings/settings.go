// Package settings reads small YAML files of names and values, and knows where in the file each value is.
package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxBytes is how large a file may be. The time that the YAML parser takes grows with the square of the depth.
const maxBytes = 1 << 14

// Error tells what is wrong in a file, where, and what would be right.
type Error struct {
	Place string // file:line:column
	Msg   string
	Want  string
}

func (e *Error) Error() string { return e.Place + ": " + e.Msg + "; want " + e.Want }

// Value is a plain value, a list or a mapping; of its three fields the one that is meant is set, or none for null.
type Value struct {
	Place string // file:line:column
	Text  string
	List  []Value
	Pairs []Pair
}

// Pair is an entry of a mapping. Place is that of the key.
type Pair struct {
	Key, Place string
	Value      Value
}

// Parse reads a file. One that holds nothing gives the zero Value, with a place. The error is an [*Error].
func Parse(name string, data []byte) (Value, error) {
	start := name + ":1:1"
	if len(data) > maxBytes {
		return Value{}, &Error{start, fmt.Sprintf("the file has %d bytes", len(data)), fmt.Sprint("at most ", maxBytes)}
	}
	text := strings.TrimPrefix(string(data), "\ufeff") // Windows editors begin files with a mark
	file, err := parser.ParseBytes([]byte(text), 0)
	var syntax yaml.Error
	switch {
	case errors.As(err, &syntax) && syntax.GetToken() != nil:
		return Value{}, &Error{place(name, syntax.GetToken()), syntax.GetMessage(), "valid YAML"}
	case err != nil:
		return Value{}, &Error{start, err.Error(), "valid YAML"}
	}
	docs := slices.DeleteFunc(file.Docs, func(d *ast.DocumentNode) bool {
		return d.Body == nil || d.Body.Type() == ast.CommentType
	})
	switch len(docs) {
	case 0:
		return Value{Place: start}, nil
	case 1:
		return value(name, docs[0].Body)
	}
	return Value{}, &Error{place(name, docs[1].Start), "a second document begins here", "one document"}
}

// value turns a node into a value. Anchors, aliases, tags and blocks of text are refused: settings need none.
func value(name string, n ast.Node) (v Value, err error) {
	v.Place = place(name, n.GetToken())
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		v.Text = n.GetToken().Value
	case *ast.SequenceNode:
		v.List = make([]Value, len(n.Values))
		for i := 0; i < len(n.Values) && err == nil; i++ {
			v.List[i], err = value(name, n.Values[i])
		}
	case ast.MapNode:
		v.Pairs = []Pair{}
		for it := n.MapRange(); it.Next() && err == nil; {
			p := Pair{Key: it.Key().GetToken().Value, Place: place(name, it.Key().GetToken())}
			p.Value, err = value(name, it.Value())
			v.Pairs = append(v.Pairs, p)
		}
		if len(v.Pairs) > 0 && n.(ast.Node).GetToken().Value == ":" { // that of a mapping in lines is its first colon
			v.Place = v.Pairs[0].Place
		}
	default:
		err = &Error{v.Place, "no plain value", "one as on the command line"}
	}
	return v, err
}

func place(name string, t *token.Token) string {
	return fmt.Sprintf("%s:%d:%d", name, t.Position.Line, t.Position.Column)
}

// Empty reports whether there is no value.
func (v Value) Empty() bool { return v.Text == "" && v.List == nil && v.Pairs == nil }

// Mapping gives the entries of a mapping. Errors say what is wanted.
func (v Value) Mapping(want string) ([]Pair, error) {
	if v.Pairs == nil {
		return nil, &Error{v.Place, "not a mapping of names to values", want}
	}
	return v.Pairs, nil
}

// Word gives a plain value.
func (v Value) Word(want string) (string, error) {
	if strings.TrimSpace(v.Text) == "" {
		return "", &Error{v.Place, "no plain value", want}
	}
	return v.Text, nil
}

// Values gives the items of a list, or a plain value as the only one.
func (v Value) Values(want string) ([]Value, error) {
	list := v.List
	if len(list) == 0 {
		list = []Value{v}
	}
	for _, one := range list {
		if _, err := one.Word(want); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Words gives a list of different plain values, or a plain value as the only one.
func (v Value) Words(want string) (words []string, err error) {
	list, err := v.Values(want)
	for _, one := range list {
		if slices.Contains(words, one.Text) {
			return nil, &Error{one.Place, fmt.Sprintf("%q is given twice", one.Text), "it once"}
		}
		words = append(words, one.Text)
	}
	return words, err
}

// Number gives a whole number from 1 to most.
func (v Value) Number(most int) (int, error) {
	n, err := strconv.Atoi(v.Text)
	if err != nil || n < 1 || n > most {
		return 0, &Error{v.Place, strconv.Quote(v.Text), fmt.Sprintf("a whole number from 1 to %d", most)}
	}
	return n, nil
}
