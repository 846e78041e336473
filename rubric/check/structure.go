package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric"
)

// schema is the subset of JSON Schema (draft 2020-12) that the protocols' schemas use. Their
// objects are closed if they list properties. This package applies schemas itself, because every
// finding needs its position in the text.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       typeNames          `json:"type"`
	Enum       []any              `json:"enum"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Defs       map[string]*schema `json:"$defs"`
}

// typeNames holds the types that a schema allows.
type typeNames []string

// UnmarshalJSON reads one name or a list of names.
func (t *typeNames) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		b = slices.Concat([]byte("["), b, []byte("]"))
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// The schemas of the protocols.
var (
	debateSchema = sync.OnceValue(func() *schema { return readSchema(rubric.DebateSchema()) })
	singleSchema = sync.OnceValue(func() *schema { return readSchema(rubric.SingleSchema()) })
)

// readSchema parses an embedded schema.
func readSchema(data []byte) *schema {
	root := new(schema)
	if err := json.Unmarshal(data, root); err != nil {
		panic(err)
	}
	return root
}

// types maps JSON kinds to the type names of JSON Schema, which has integer in addition.
var types = map[jsontext.Kind]string{
	'n': "null", 't': "boolean", 'f': "boolean", '0': "number", '"': "string", '[': "array",
	'{': "object"}

// typeWords maps type names to the words used in messages.
var typeWords = map[string]string{"null": "null", "boolean": "true or false", "number": "a number",
	"integer": "a whole number", "string": "a string", "array": "a list", "object": "an object"}

// allows reports whether a value has a type that a schema allows, and whether it is one of the
// allowed values.
func (s *schema) allows(n *node) (isType, ok bool) {
	whole, isWhole := n.integer()
	isInteger := n.kind == '0' && slices.Contains(s.Type, "integer")
	isType = isInteger || slices.Contains(s.Type, types[n.kind])
	ok = s.Enum == nil || slices.Contains(s.Enum, any(n.text)) ||
		isWhole && slices.Contains(s.Enum, any(float64(whole)))
	return isType, ok && isType && (isWhole || !isInteger)
}

func (s *schema) describe() string {
	var list []string
	for _, name := range s.Type {
		list = append(list, typeWords[name])
	}
	if slices.Contains(s.Required, "score") {
		list = []string{"an object with " + strings.Join(s.Required, " and ")}
	}
	if s.Enum != nil {
		list = strings.Fields(strings.Trim(fmt.Sprint(s.Enum), "[]"))
	}
	last := len(list) - 1
	return strings.TrimPrefix(strings.Join(list[:last], ", ")+" or "+list[last], " or ")
}

// checkStructure compares a value with a schema, a part of root, and reports every difference.
func (x *inspection) checkStructure(n *node, s, root *schema) {
	if name, is := strings.CutPrefix(s.Ref, "#/$defs/"); is {
		s = root.Defs[name]
	}
	if isType, ok := s.allows(n); !ok {
		switch {
		case s.Enum != nil && n.kind == '0' && isType:
			x.report(n, s.describe(), "score-off-scale")
		case isType && s.Enum != nil:
			x.report(n, s.describe(), "structure/value")
		default:
			x.report(n, s.describe(), "structure", typeWords[types[n.kind]])
		}
		return
	}
	if n.kind == '[' {
		if len(n.items) > maxItems {
			x.report(n, "", "structure/list")
		}
		for _, it := range n.list() {
			x.checkStructure(it, s.Items, root)
		}
		return
	}
	for _, key := range s.Required {
		if n.get(key) != nil || key == "suggested_score" && n.get("agree").is('f') {
			continue // checkAgreement reports a disagreement without a score
		}
		f := finding("structure/missing", key)
		if key == "suggested_score" {
			f.Want = "null"
		} else if slices.Contains(criteria, key) {
			f = finding("criterion-missing", key)
		}
		x.add(n.start, n.path(key), f)
	}
	for i, m := range n.items {
		sub := s.Properties[m.key]
		same := func(other *node) bool { return other.key == m.key }
		switch isDoubled := slices.ContainsFunc(n.items[max(0, i-maxItems):i], same); {
		case isDoubled && slices.Contains(criteria, m.key):
			x.add(m.keyStart, m.path(), finding("criterion-doubled", m.key))
		case isDoubled:
			x.add(m.keyStart, m.path(), finding("key-doubled"))
		// a run adds members to the document
		case sub == nil && s.Properties != nil && i < maxItems && !(n == x.root && x.isRecord):
			x.add(m.keyStart, m.path(), finding("structure/key", shorten(60, m.key)))
		}
		if sub != nil && m == n.get(m.key) {
			x.checkStructure(m, sub, root)
		}
	}
}

// node is a JSON value with its position in the text. The members of an object keep their order and
// may contain duplicate keys.
type node struct {
	kind     jsontext.Kind // one of { [ " 0 t f n
	start    int           // byte offset in the text
	raw      string        // as written
	text     string        // the decoded string; for other values the same as raw
	parent   *node         // nil for the document itself
	key      string        // key in the parent object, or index in the parent list
	keyStart int           // byte offset of the key
	items    []*node       // elements of a list, or values of an object's members
}

// parse parses a text that consists of one JSON value. On failure, at is the byte offset of the
// error.
func parse(src string) (root *node, at int, err error) {
	// A duplicate key is a finding, not a syntax error.
	p := parser{src, jsontext.NewDecoder(bytes.NewBufferString(src),
		jsontext.AllowDuplicateNames(true)), 0}
	root = new(node)
	err = p.value(root, 0)
	at = int(p.dec.InputOffset())
	rest := strings.TrimLeft(src[at:], blanks)
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF:
		return nil, len(src), errors.New("there is nothing")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, len(src), errors.New("the text ends inside the JSON")
	case errors.As(err, &syntax):
		return nil, int(syntax.ByteOffset), syntax.Err
	case err == nil && rest != "":
		return nil, len(src) - len(rest), errors.New("text after the end of the JSON: " +
			strconv.Quote(shorten(60, rest)))
	}
	return root, at, err
}

// parser builds nodes from the tokens of a text.
type parser struct {
	src   string
	dec   *jsontext.Decoder
	count int
}

// value reads the next value into n, whose key is already set. Members that a run adds to a
// document are kept unparsed, but for the source, which has the name of the dialogue.
func (p *parser) value(n *node, depth int) error {
	const maxDepth, maxNodes = 100, 1 << 20
	if p.count++; p.count > maxNodes || depth > maxDepth {
		return errors.New("more than 1,048,576 values, or brackets more than 100 deep; an " +
			"evaluation has 100 values on 5 levels")
	}
	n.kind = p.dec.PeekKind()
	isAdded := depth == 1 && n.parent.kind == '{' && n.key != "source" &&
		!slices.Contains(allKeys, n.key)
	if n.kind != '{' && n.kind != '[' || isAdded {
		return p.rawValue(n)
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	n.start = int(p.dec.InputOffset()) - 1
	n.items = make([]*node, 0, 4)            // typical size of an object in an evaluation
	for p.dec.PeekKind() != n.kind+'}'-'{' { // in ASCII, "]" is as far from "[" as "}" from "{"
		item := &node{parent: n, key: strconv.Itoa(len(n.items))}
		if n.kind == '{' {
			var key node
			if err := p.rawValue(&key); err != nil {
				return err
			}
			item.key, item.keyStart = key.text, key.start
		}
		if err := p.value(item, depth+1); err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, err := p.dec.ReadToken()
	n.raw = p.src[n.start:p.dec.InputOffset()]
	return err
}

// rawValue reads a key, or a value that is kept unparsed.
func (p *parser) rawValue(n *node) error {
	raw, err := p.dec.ReadValue()
	if err != nil {
		return err
	}
	end := int(p.dec.InputOffset())
	n.start, n.raw = end-len(raw), p.src[end-len(raw):end]
	if n.text = n.raw; raw[0] == '"' {
		n.text = strings.Trim(n.raw, `"`)
		if strings.IndexByte(n.raw, '\\') >= 0 {
			raw, err = jsontext.AppendUnquote(nil, n.raw)
			n.text = string(raw)
		}
	}
	return err
}

func quote(s string) string { return string(rubric.AppendJSON(nil, s)) }

// get returns the value of a key; if the key is repeated, the last one, as most readers do. It
// returns nil if the key is missing or n is not an object.
func (n *node) get(key string) *node {
	if n.is('{') {
		for _, item := range slices.Backward(n.items) {
			if item.key == key {
				return item
			}
		}
	}
	return nil
}

func (n *node) isAmbiguous(key string) bool {
	return n.is('{') && slices.ContainsFunc(n.items,
		func(item *node) bool { return item.key == key && item != n.get(key) })
}

func (n *node) has(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return n.get(key) != nil })
}

// is reports whether n is not nil and has kind k.
func (n *node) is(k jsontext.Kind) bool { return n != nil && n.kind == k }

// maxItems is the maximum number of list items examined; a list of opinions has six.
const maxItems = 200

func (n *node) list() []*node {
	if !n.is('[') {
		return nil
	}
	return n.items[:min(len(n.items), maxItems)]
}

// float returns the value of a number; ok is false if n is not a number. A number too large for
// float64 becomes an infinity.
func (n *node) float() (f float64, ok bool) {
	if !n.is('0') {
		return 0, false
	}
	f, _ = strconv.ParseFloat(n.text, 64)
	return f, true
}

// integer returns the value of n and reports whether it is a whole number. 80.0 and 8e1 are whole
// numbers.
func (n *node) integer() (i int, ok bool) {
	f, ok := n.float()
	if !ok || f < -1<<53 || f > 1<<53 || f != float64(int(f)) {
		return 0, false
	}
	return int(f), true
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// path returns the JSON pointer (RFC 6901) of n, or of its member with the given key, which need
// not exist.
func (n *node) path(key ...string) (path string) {
	if n.parent != nil {
		path = n.parent.path(n.key)
	}
	for _, k := range key {
		path += "/" + pointerEscapes.Replace(k)
	}
	return path
}
