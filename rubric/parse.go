package rubric

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

//go:embed default.yaml
var defaultYAML []byte

// Default gives the embedded rubric: 003's weights and mapping, 004's levels.
func Default() Rubric {
	r, err := overlay(Rubric{}, "default.yaml", defaultYAML)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return r
}

// Parse reads a rubric file, YAML or JSON, in the form of the embedded one. What the file leaves out stays as
// in [Default], but weights are given for all six criteria or not at all. The error is a [*FileError] for
// whatever is unknown, doubled, out of range or missing.
func Parse(name string, data []byte) (Rubric, error) { return overlay(Default(), name, data) }

// FileError tells what is wrong in a rubric file, and where.
type FileError struct {
	File         string
	Line, Column int // from 1
	Msg          string
	Want         string // what would be right
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s; %s", e.File, e.Line, e.Column, e.Msg, e.Want)
}

// What is larger or deeper than this is no rubric. The embedded one has some four thousand bytes and is three
// levels deep; the parser's time grows faster than the depth of what it is given.
const (
	maxFile  = 1 << 16 // bytes
	maxDepth = 8       // brackets within each other, or dashes on one line
)

// sections tells what the top level of a file may hold.
const sections = "want weights, mapping, levels or demands"

// overlay reads a file on top of a rubric.
func overlay(r Rubric, name string, data []byte) (Rubric, error) {
	f := &file{name: name, rubric: r}
	if len(data) > maxFile {
		return Rubric{}, &FileError{name, 1, 1, fmt.Sprintf("%d bytes are too many for a rubric", len(data)), "want at most " + strconv.Itoa(maxFile)}
	}
	tokens := lexer.Tokenize(strings.TrimPrefix(string(data), "\ufeff")) // Windows editors begin files with a mark
	if pos := tooDeep(tokens); pos != nil {
		return Rubric{}, &FileError{name, pos.Line, pos.Column, "this is nested too deeply for a rubric", "want at most three levels"}
	}
	parsed, err := parser.Parse(tokens, 0)
	if syntax := (*yaml.SyntaxError)(nil); errors.As(err, &syntax) {
		pos := syntax.Token.Position
		return Rubric{}, &FileError{name, pos.Line, pos.Column, syntax.Message, "want a YAML or JSON file"}
	} else if err != nil {
		return Rubric{}, &FileError{name, 1, 1, err.Error(), "want a YAML or JSON file"}
	}
	docs := slices.DeleteFunc(parsed.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil })
	switch len(docs) {
	case 0:
		return Rubric{}, &FileError{name, 1, 1, "the file holds nothing", sections}
	case 1:
		err = f.top(docs[0].Body)
	default:
		err = f.wrong(docs[1].Body, "a second document begins", "want one")
	}
	if err != nil {
		return Rubric{}, err
	}
	return f.rubric, nil
}

// tooDeep gives the place where the nesting of a file exceeds maxDepth; nil if it never does.
func tooDeep(tokens token.Tokens) *token.Position {
	brackets, dashes, line := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			dashes, line = 0, t.Position.Line
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType:
			dashes++
		}
		if brackets > maxDepth || dashes > maxDepth {
			return t.Position
		}
	}
	return nil
}

// file is a rubric file that is being read.
type file struct {
	name   string
	rubric Rubric
}

// wrong makes the error about a node.
func (f *file) wrong(n ast.Node, msg, want string) error {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle {
		n = m.Values[0]
	}
	if pair, ok := n.(*ast.MappingValueNode); ok {
		n = pair.Key // the token of a pair is its colon
	}
	pos := n.GetToken().Position
	return &FileError{f.name, pos.Line, pos.Column, msg, want}
}

// each calls do for every pair of a mapping, refusing doubled keys. Keys that name the same thing in other
// letters or quotes are doubled too: same tells what a key names.
func (f *file) each(n ast.Node, want string, do func(key string, k, v ast.Node) (same string, err error)) error {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		return f.wrong(n, "this is no mapping", want)
	}
	seen := map[string]bool{}
	for _, pair := range pairs {
		key := pair.Key.GetToken().Value
		if pair.Value.Type() == ast.NullType {
			return f.wrong(pair.Key, fmt.Sprintf("%q holds nothing", key), "leave it out or fill it in")
		}
		same, err := do(key, pair.Key, pair.Value)
		if err != nil {
			return err
		}
		if seen[same] {
			return f.wrong(pair.Key, fmt.Sprintf("%s is given twice", same), "want it once")
		}
		seen[same] = true
	}
	return nil
}

// top reads the whole file.
func (f *file) top(n ast.Node) error {
	return f.each(n, sections, func(key string, k, v ast.Node) (string, error) {
		switch key {
		case "weights":
			return key, f.weights(k, v)
		case "mapping":
			m, err := ParseMapping(f.word(v))
			if err != nil {
				return key, f.wrong(v, fmt.Sprintf("unknown mapping %q", f.word(v)), "want down or nearest")
			}
			f.rubric.Mapping = m
			return key, nil
		case "levels":
			return key, f.levels(v, f.level)
		case "demands":
			return key, f.levels(v, f.demand)
		}
		return key, f.wrong(k, fmt.Sprintf("unknown key %q", key), sections)
	})
}

// weights reads the six weights.
func (f *file) weights(k, v ast.Node) error {
	var given Set
	sum := 0
	err := f.each(v, "want a weight for each criterion", func(key string, k, v ast.Node) (string, error) {
		c, err := f.criterion(key, k)
		if err != nil {
			return key, err
		}
		w, err := strconv.Atoi(f.word(v))
		if err != nil || w < 0 || w > 100 {
			return key, f.wrong(v, fmt.Sprintf("%s has the weight %q", c, f.word(v)), "want a whole percent from 0 to 100")
		}
		given |= SetOf(c)
		f.rubric.Weights[c] = w
		sum += w
		return c.String(), nil
	})
	if err != nil {
		return err
	}
	for _, c := range Criteria() {
		if !given.Has(c) {
			return f.wrong(k, fmt.Sprintf("%s has no weight", c), "want one for each of the six criteria, or no weights at all")
		}
	}
	if sum != 100 {
		return f.wrong(k, fmt.Sprintf("the weights sum to %d", sum), "want 100")
	}
	return nil
}

// levels reads what is given for levels of criteria, each by read.
func (f *file) levels(n ast.Node, read func(c Criterion, level int, v ast.Node) error) error {
	return f.each(n, "want criteria", func(key string, k, v ast.Node) (string, error) {
		c, err := f.criterion(key, k)
		if err != nil {
			return key, err
		}
		return c.String(), f.each(v, "want levels: 20, 40, 60, 80 or 100", func(key string, k, v ast.Node) (string, error) {
			score, err := strconv.ParseUint(key, 10, 8)
			if err != nil || !Score(score).Valid() {
				return key, f.wrong(k, fmt.Sprintf("unknown level %q", key), "want 20, 40, 60, 80 or 100")
			}
			return fmt.Sprintf("%s %d", c, score), read(c, Score(score).Level(), v)
		})
	})
}

// level reads what a score means.
func (f *file) level(c Criterion, level int, v ast.Node) error {
	text := strings.TrimSpace(f.word(v))
	if !hasWords(text) {
		return f.wrong(v, fmt.Sprintf("%s has no text for %d", c, Scale[level]), "want a sentence that says what must be seen")
	}
	f.rubric.Levels[c][level] = text
	return nil
}

// demand reads the detectors that a score demands.
func (f *file) demand(c Criterion, level int, v ast.Node) error {
	list, ok := v.(*ast.SequenceNode)
	if !ok {
		return f.wrong(v, fmt.Sprintf("%s demands no list for %d", c, Scale[level]), "want a list of detectors, which may be empty")
	}
	ids := make([]string, 0, len(list.Values))
	for _, v := range list.Values {
		id := strings.TrimSpace(f.word(v))
		if id == "" {
			return f.wrong(v, "this names no detector", "want the id of one")
		}
		if slices.Contains(ids, id) {
			return f.wrong(v, fmt.Sprintf("%s is given twice", id), "want it once")
		}
		ids = append(ids, id)
	}
	f.rubric.Demands[c][level] = ids
	return nil
}

// criterion reads a key that names a criterion.
func (f *file) criterion(key string, k ast.Node) (Criterion, error) {
	c, err := ParseCriterion(key)
	if err != nil {
		return 0, f.wrong(k, fmt.Sprintf("unknown criterion %q", key), "want one of "+strings.Join(criterionNames[:], ", "))
	}
	return c, nil
}

// word gives the text of a plain value; "" if it is no plain value.
func (f *file) word(n ast.Node) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value
	}
	return ""
}
