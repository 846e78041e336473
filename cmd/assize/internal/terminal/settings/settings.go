// Package settings reads small YAML files of names and values, with the position of each value.
package settings

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// maxBytes limits the size of a file: the parser's time is quadratic in the nesting depth.
const maxBytes = 1 << 14

// Error describes an error in a file: where it is, what is wrong, and what is expected.
type Error struct {
	Place string // file:line:column
	Msg   string
	Want  string
}

func (e *Error) Error() string { return e.Place + ": " + e.Msg + "; want " + e.Want }

// Value is the value of a name in a file: a plain value or a list of them.
type Value struct {
	Place string // file:line:column
	Texts []string
}

// fileName is the context key of the file name for [Value.UnmarshalYAML].
type fileName struct{}

// UnmarshalYAML implements [yaml.NodeUnmarshalerContext]. It rejects block scalars.
func (v *Value) UnmarshalYAML(ctx context.Context, n ast.Node) error {
	name, _ := ctx.Value(fileName{}).(string)
	v.Place, v.Texts = place(name, n.GetToken()), nil
	items := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		items = list.Values
	}
	for _, item := range items {
		text := ""
		switch item.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode,
			*ast.NanNode:
			text = item.GetToken().Value
		}
		if strings.TrimSpace(text) == "" {
			return &Error{place(name, item.GetToken()), "not a plain value",
				"one as on the command line"}
		}
		v.Texts = append(v.Texts, text)
	}
	return nil
}

// maxFile limits what [ReadFile] reads, since a device may have no end.
const maxFile = 64 << 20

// ReadFile returns the content of a file of settings, weights or names, which may be UTF-16 if it
// says so, without the mark that does. Its errors begin with path.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cmp.Or(errors.Unwrap(err), err))
	}
	defer f.Close()
	text := transform.NewReader(f, unicode.BOMOverride(transform.Nop))
	data, err := io.ReadAll(io.LimitReader(text, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s: more than %d MiB", path, maxFile>>20)
	}
	return data, err
}

// Read reads a file into a struct or a map whose values are of type [Value], or structs and maps of
// these. Its errors are of type [*Error]; want describes the expected content.
func Read(name string, data []byte, into any, want string) (err error) {
	start := name + ":1:1"
	defer func() {
		if recover() != nil { // the library panics on some tags
			err = &Error{start, "the file is not valid YAML", want}
		}
	}()
	if len(data) > maxBytes {
		return &Error{start, fmt.Sprintf("the file has %d bytes", len(data)),
			fmt.Sprint("at most ", maxBytes)}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some Windows editors write a byte-order mark
	if file, parsed := parser.ParseBytes(data, 0); parsed == nil {
		for _, doc := range file.Docs {
			if v := (&scalar{name: name}); doc.Body != nil {
				if ast.Walk(v, doc.Body); v.err != nil {
					return v.err
				}
			}
		}
	}
	dec := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	ctx := context.WithValue(context.Background(), fileName{}, name)
	err = dec.DecodeContext(ctx, into)
	second := Value{Place: start}
	var wrong *Error
	var parsed yaml.Error
	switch {
	case errors.Is(err, io.EOF):
		return nil // the file is empty
	case err == nil && !errors.Is(dec.DecodeContext(ctx, &second), io.EOF):
		return &Error{second.Place, "the file has a second document", "one document"}
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return wrong
	case errors.As(err, new(*yaml.SyntaxError)):
		want = "valid YAML"
	}
	if errors.As(err, &parsed) && parsed.GetToken() != nil {
		return &Error{place(name, parsed.GetToken()), parsed.GetMessage(), want}
	}
	return &Error{start, err.Error(), want}
}

// scalar finds constructs that settings do not need and that are read differently from how they
// look: empty values, which would mean the default, tags, and merge keys.
type scalar struct {
	name string
	err  error
}

func (v *scalar) Visit(n ast.Node) ast.Visitor {
	what, want := "", "one as on the command line"
	switch n := n.(type) {
	case *ast.NullNode:
		what = "no value"
	case *ast.SequenceNode:
		if len(n.Values) == 0 {
			what = "an empty list"
		}
	case *ast.TagNode, *ast.MergeKeyNode:
		what, want = "a tag or a merge", "plain names and values"
	}
	if what != "" && v.err == nil {
		v.err = &Error{place(v.name, n.GetToken()), what, want}
	}
	return v
}

func place(name string, t *token.Token) string {
	return fmt.Sprintf("%s:%d:%d", name, t.Position.Line, t.Position.Column)
}

// One returns the only value, or "" if there is none.
func (v Value) One() (string, error) {
	if len(v.Texts) > 1 {
		return "", &Error{v.Place, fmt.Sprintf("%d values", len(v.Texts)), "one"}
	}
	return strings.Join(v.Texts, ""), nil
}
