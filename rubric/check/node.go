package check

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric"
)

// node is a JSON value with its place in the text. The members of an object keep their order, and a key that
// occurs twice is there twice.
type node struct {
	kind     jsontext.Kind // one of { [ " 0 t f n
	start    int           // in the text
	raw      string        // as written
	text     string        // the characters of a string; any other value as written
	parent   *node         // nil for the document itself
	key      string        // of a member of an object; the index in a list
	keyStart int           // of the key in the text
	items    []*node       // of a list, or the values of an object's members
}

// parse reads a text that is one JSON value. Where it is not, at is the byte at which it stops being JSON.
func parse(src string) (root *node, at int, err error) {
	// A text may have a key twice: that is a finding and not a syntax error.
	p := parser{src, jsontext.NewDecoder(bytes.NewBufferString(src), jsontext.AllowDuplicateNames(true)), 0}
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
		return nil, len(src) - len(rest), errors.New("text after the end of the JSON: " + strconv.Quote(shorten(60, rest)))
	}
	return root, at, err
}

// parser builds nodes from the tokens of a text.
type parser struct {
	src   string
	dec   *jsontext.Decoder
	count int
}

// value reads the next value into n, of which only the key is known. What a run adds to a document is not taken apart.
func (p *parser) value(n *node, depth int) error {
	const mostDepth, mostNodes = 100, 1 << 20
	if p.count++; p.count > mostNodes || depth > mostDepth {
		return errors.New("more than 1,048,576 values, or brackets more than 100 deep; an evaluation has 100 values on 5 levels")
	}
	n.kind = p.dec.PeekKind()
	isAdded := depth == 1 && n.parent.kind == '{' && !slices.Contains(slices.Concat(debateKeys, singleKeys), n.key)
	if n.kind != '{' && n.kind != '[' || isAdded {
		return p.plain(n)
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	n.start = int(p.dec.InputOffset()) - 1
	n.items = make([]*node, 0, 4)            // what most objects of an evaluation have
	for p.dec.PeekKind() != n.kind+'}'-'{' { // in ASCII, "]" is as far from "[" as "}" from "{"
		item := &node{parent: n, key: strconv.Itoa(len(n.items))}
		if n.kind == '{' {
			var key node
			if err := p.plain(&key); err != nil {
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

// plain reads a key, or a value that is not taken apart.
func (p *parser) plain(n *node) error {
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

// get gives the value of a key; of a repeated key the last, as most readers do. It is nil where there is none,
// or where n is not an object.
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
	return n.is('{') && slices.ContainsFunc(n.items, func(item *node) bool { return item.key == key && item != n.get(key) })
}

func (n *node) has(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return n.get(key) != nil })
}

// is reports whether n exists and is of a kind.
func (n *node) is(k jsontext.Kind) bool { return n != nil && n.kind == k }

// mostItems is how many items of a list are looked at: a list of opinions has six.
const mostItems = 200

func (n *node) list() []*node {
	if !n.is('[') {
		return nil
	}
	return n.items[:min(len(n.items), mostItems)]
}

// float gives a number; ok is false where n is none. What no float64 can hold becomes an infinity.
func (n *node) float() (f float64, ok bool) {
	if !n.is('0') {
		return 0, false
	}
	f, _ = strconv.ParseFloat(n.text, 64)
	return f, true
}

// integer reports whether n is a whole number. 80.0 and 8e1 are whole numbers.
func (n *node) integer() (i int, ok bool) {
	f, ok := n.float()
	if !ok || f < -1<<53 || f > 1<<53 || f != float64(int(f)) {
		return 0, false
	}
	return int(f), true
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// path gives the JSON pointer (RFC 6901) of n, or of the member of n with that key, which need not be there.
func (n *node) path(key ...string) string {
	path := ""
	if n.parent != nil {
		path = n.parent.path(n.key)
	}
	for _, k := range key {
		path += "/" + pointerEscapes.Replace(k)
	}
	return path
}
