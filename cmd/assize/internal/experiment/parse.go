package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// FileError tells what is wrong in an experiment file, and where.
type FileError struct {
	File         string
	Line, Column int // from 1
	Msg          string
	Want         string // what would be right
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s; %s", e.File, e.Line, e.Column, e.Msg, e.Want)
}

// mostBytes is how large a file may be. The time that the YAML parser takes grows with the square of the depth.
const mostBytes = 1 << 14

const keys = "want dialogues, limit, models, panels, prompts, repeats, options, output, ratings or scale"

// Parse reads an experiment file. Whether the flags in it are any, and have values that they can have, is for those
// to say who know them. The error is a [*FileError].
func Parse(name string, data []byte) (*Plan, error) {
	f := &file{name: name, plan: Plan{File: name}}
	if len(data) > mostBytes {
		return nil, f.at(1, 1, fmt.Sprintf("%d bytes are too many for an experiment", len(data)), fmt.Sprintf("want at most %d", mostBytes))
	}
	parsed, err := parser.ParseBytes([]byte(strings.TrimPrefix(string(data), "\ufeff")), 0) // Windows editors begin files with a mark
	var syntax yaml.Error
	switch {
	case errors.As(err, &syntax) && syntax.GetToken() != nil:
		pos := syntax.GetToken().Position
		return nil, f.at(pos.Line, pos.Column, syntax.GetMessage(), "want a YAML file")
	case err != nil:
		line, _, _ := strings.Cut(err.Error(), "\n")
		return nil, f.at(1, 1, line, "want a YAML file")
	}
	docs := slices.DeleteFunc(parsed.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil })
	switch len(docs) {
	case 0:
		return nil, f.at(1, 1, "the file holds nothing", keys)
	case 1:
	default:
		return nil, f.wrong(docs[1].Body, "a second document begins", "want one")
	}
	if err := f.each(docs[0].Body, keys, f.top); err != nil {
		return nil, err
	}
	return f.complete(docs[0].Body)
}

// file is an experiment file that is being read.
type file struct {
	name string
	plan Plan
}

func (f *file) at(line, column int, msg, want string) error {
	return &FileError{f.name, line, column, msg, want}
}

// wrong makes the error about a node.
func (f *file) wrong(n ast.Node, msg, want string) error {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		n = m.Values[0]
	}
	if pair, ok := n.(*ast.MappingValueNode); ok {
		n = pair.Key // the token of a pair is its colon
	}
	pos := n.GetToken().Position
	return f.at(pos.Line, pos.Column, msg, want)
}

func (f *file) place(n ast.Node) string {
	pos := n.GetToken().Position
	return fmt.Sprintf("%s:%d:%d", f.name, pos.Line, pos.Column)
}

// each calls do for every pair of a mapping, refusing doubled keys and empty values.
func (f *file) each(n ast.Node, want string, do func(key string, k, v ast.Node) error) error {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		return f.wrong(n, "this is no list of keys with values", want)
	}
	seen := map[string]bool{}
	for _, pair := range pairs {
		key := pair.Key.GetToken().Value
		switch {
		case pair.Value.Type() == ast.NullType:
			return f.wrong(pair.Key, fmt.Sprintf("%q holds nothing", key), "leave it out or fill it in")
		case seen[key]:
			return f.wrong(pair.Key, fmt.Sprintf("%q is given twice", key), "want it once")
		}
		seen[key] = true
		if err := do(key, pair.Key, pair.Value); err != nil {
			return err
		}
	}
	return nil
}

// top reads one of the file's keys.
func (f *file) top(key string, k, v ast.Node) (err error) {
	p := &f.plan
	switch key {
	case "dialogues":
		p.Dialogues, err = f.words(v, "path")
	case "models":
		p.Models, err = f.words(v, "model")
	case "prompts":
		p.Prompts, err = f.words(v, "folder of prompts")
	case "limit":
		p.Limit, err = f.number(key, v, mostLimit)
	case "repeats":
		p.Repeats, err = f.number(key, v, mostRepeats)
	case "panels":
		err = f.panels(v)
	case "options":
		err = f.each(v, "want flags of assize score, such as num-thread: 2", func(key string, k, v ast.Node) error {
			return f.setting(&p.Options, key, k, v)
		})
	case "output":
		p.Output, err = f.word(v, "a folder")
	case "ratings":
		p.Ratings, err = f.word(v, "a file")
	case "scale":
		p.Scale = Setting{Name: key, NameAt: f.place(k), ValueAt: f.place(v)}
		p.Scale.Value, err = f.word(v, "two ends, such as 1-5")
	default:
		err = f.wrong(k, fmt.Sprintf("unknown key %q", key), keys)
	}
	return err
}

// panels reads the list of panels.
func (f *file) panels(n ast.Node) error {
	const want = "want a list such as [{name: full}, {name: one-call, critic: rules}]"
	list, ok := n.(*ast.SequenceNode)
	if !ok || len(list.Values) == 0 {
		return f.wrong(n, "panels are no list", want)
	}
	for _, one := range list.Values {
		var p Panel
		err := f.each(one, want, func(key string, k, v ast.Node) (err error) {
			if key == "name" {
				p.Name, err = f.word(v, "a name")
				return err
			}
			return f.setting(&p.Settings, key, k, v)
		})
		switch {
		case err != nil:
			return err
		case p.Name == "":
			return f.wrong(one, "a panel without a name", want)
		case slices.ContainsFunc(f.plan.Panels, func(other Panel) bool { return other.Name == p.Name }):
			return f.wrong(one, fmt.Sprintf("two panels are called %q", p.Name), "want another name")
		}
		f.plan.Panels = append(f.plan.Panels, p)
	}
	return nil
}

// setting reads the value of a flag, or several in a list.
func (f *file) setting(to *[]Setting, name string, k, v ast.Node) error {
	values := []ast.Node{v}
	if list, ok := v.(*ast.SequenceNode); ok {
		values = list.Values
	}
	for _, v := range values {
		value, err := f.word(v, "one as on the command line")
		if err != nil {
			return err
		}
		*to = append(*to, Setting{name, value, f.place(k), f.place(v)})
	}
	return nil
}

// words reads one word or a list of different ones.
func (f *file) words(n ast.Node, what string) (words []string, err error) {
	values := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		values = list.Values
	}
	if len(values) == 0 {
		return nil, f.wrong(n, "an empty list", "want one "+what+" or more")
	}
	for _, v := range values {
		w, err := f.word(v, "a "+what)
		switch {
		case err != nil:
			return nil, err
		case slices.Contains(words, w):
			return nil, f.wrong(v, fmt.Sprintf("%q stands twice", w), "want it once")
		}
		words = append(words, w)
	}
	return words, nil
}

// word reads a plain value. One with an anchor or a tag, or in a block of lines, has another token than its own.
func (f *file) word(n ast.Node, want string) (string, error) {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		if word := n.GetToken().Value; strings.TrimSpace(word) != "" {
			return word, nil
		}
	}
	return "", f.wrong(n, "no plain value", "want "+want)
}

func (f *file) number(key string, n ast.Node, most int) (int, error) {
	w, err := f.word(n, "a whole number")
	if err != nil {
		return 0, err
	}
	v, err := strconv.Atoi(w)
	if err != nil || v < 1 || v > most {
		return 0, f.wrong(n, fmt.Sprintf("%s: %q", key, w), fmt.Sprintf("want a whole number from 1 to %d", most))
	}
	return v, nil
}

// complete fills in what the file leaves out.
func (f *file) complete(n ast.Node) (*Plan, error) {
	p := &f.plan
	if len(p.Dialogues) == 0 {
		return nil, f.wrong(n, "no dialogues", "want dialogues: with a path or several")
	}
	if p.Models == nil {
		p.Models = []string{Rules}
	}
	if len(p.Models) == 1 && p.Models[0] == Rules && (p.Panels != nil || p.Prompts != nil || p.Repeats > 1) {
		return nil, f.wrong(n, "panels, prompts and repeats are for models, and there are only the rules", "want a model among models")
	}
	if p.Panels == nil {
		p.Panels = []Panel{usual}
	}
	if p.Prompts == nil {
		p.Prompts = []string{Default}
	}
	p.Repeats = max(p.Repeats, 1)
	if n := len(p.Models) * len(p.Panels) * len(p.Prompts) * p.Repeats; n > mostCells {
		return nil, f.at(1, 1, fmt.Sprintf("%d models, %d panels, %d prompts and %d repeats make %d runs", len(p.Models), len(p.Panels), len(p.Prompts), p.Repeats, n), fmt.Sprintf("want at most %d", mostCells))
	}
	return p, nil
}
