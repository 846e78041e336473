package check

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric"
)

// node is a JSON value with its place in the text. The members of an object keep their order, and a key that
// occurs twice is there twice.
type node struct {
	kind       kind
	start, end int     // byte range in the text, quote marks and brackets included
	key        string  // of a member of an object
	keyStart   int     // of the key in the text
	text       string  // a string's characters, or a number, true or false as written
	items      []*node // of a list, or the values of an object's members
}

// kind is the type of a JSON value.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

// String names a kind as messages do.
func (k kind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}[k]
}

// parse reads a text, given twice, that is one JSON value. Where it is not, at is the byte at which it stops being
// JSON.
func parse(data []byte, src string) (root *node, at int, err error) {
	// A text may have a key twice: that is a finding and not a syntax error.
	p := parser{src, jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true)), 0}
	root = new(node)
	err = p.value(root, 0)
	at = int(p.dec.InputOffset())
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF:
		return nil, len(src), errors.New("there is nothing")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, len(src), errors.New("the text ends inside the JSON")
	case errors.As(err, &syntax):
		return nil, int(syntax.ByteOffset), syntax.Err
	case err != nil:
		return nil, at, err
	}
	if rest := strings.TrimLeft(src[at:], blanks); rest != "" {
		return nil, len(src) - len(rest), errors.New("text after the end of the JSON: " + strconv.Quote(shorten(60, rest)))
	}
	return root, at, nil
}

// parser builds nodes from the tokens of a text.
type parser struct {
	src   string
	dec   *jsontext.Decoder
	count int
}

// value reads the next value into n, of which only the key is known. What a run adds to a document is not read.
func (p *parser) value(n *node, depth int) error {
	const mostDepth, mostNodes = 100, 1 << 20
	if p.count++; p.count > mostNodes || depth > mostDepth {
		return errors.New("more than 1,048,576 values, or brackets more than 100 deep; an evaluation has 100 values on 5 levels")
	}
	open := p.dec.PeekKind()
	added := depth == 1 && n.key != "" && !slices.Contains(debateKeys, n.key) && !slices.Contains(singleKeys, n.key)
	if open != '{' && open != '[' || added {
		raw, err := p.dec.ReadValue()
		if err != nil {
			return err
		}
		n.end = int(p.dec.InputOffset())
		n.start = n.end - len(raw)
		n.text = p.src[n.start:n.end]
		switch open {
		case '"':
			n.kind = text
			n.text, err = unquote(n.text)
		case '0':
			n.kind = number
		case 't', 'f':
			n.kind = boolean
		case '[':
			n.kind = array
		case '{':
			n.kind = object
		}
		return err
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	n.start = int(p.dec.InputOffset()) - 1
	n.kind, n.items = array, make([]*node, 0, 4) // what most objects of an evaluation have
	closing := jsontext.Kind(']')
	if open == '{' {
		n.kind, closing = object, '}'
	}
	for p.dec.PeekKind() != closing {
		item := new(node)
		if n.kind == object {
			raw, err := p.dec.ReadValue()
			if err != nil {
				return err
			}
			item.keyStart = int(p.dec.InputOffset()) - len(raw)
			if item.key, err = unquote(p.src[item.keyStart : item.keyStart+len(raw)]); err != nil {
				return err
			}
		}
		if err := p.value(item, depth+1); err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, err := p.dec.ReadToken()
	n.end = int(p.dec.InputOffset())
	return err
}

// unquote gives the characters of a JSON string.
func unquote(raw string) (string, error) {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], nil
	}
	b, err := jsontext.AppendUnquote(nil, raw)
	return string(b), err
}

// quote gives a text as a JSON string.
func quote(s string) string { return string(rubric.AppendJSON(nil, s)) }

// get gives the value of a key; of a repeated key the last, as most readers do. It is nil where there is none,
// or where n is not an object.
func (n *node) get(key string) *node {
	if n.is(object) {
		for _, item := range slices.Backward(n.items) {
			if item.key == key {
				return item
			}
		}
	}
	return nil
}

// ambiguous reports whether an object has a key more than once.
func (n *node) ambiguous(key string) bool {
	return n.is(object) && slices.ContainsFunc(n.items, func(item *node) bool { return item.key == key && item != n.get(key) })
}

// has reports whether n is an object with one of the keys.
func (n *node) has(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return n.get(key) != nil })
}

// is reports whether n exists and is of a kind.
func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// mostItems is how many items of a list are looked at: a list of opinions has six.
const mostItems = 200

// list gives the first items of a list.
func (n *node) list() []*node {
	if !n.is(array) {
		return nil
	}
	return n.items[:min(len(n.items), mostItems)]
}

// scalar gives a number or a string as text, and "" for anything else.
func (n *node) scalar() string {
	if n.is(number) || n.is(text) {
		return n.text
	}
	return ""
}

// float gives a number; ok is false where n is none. What no float64 can hold becomes an infinity.
func (n *node) float() (f float64, ok bool) {
	if !n.is(number) {
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

// at gives the place in src of byte i of a string's characters, some of which may be written as escapes.
func (n *node) at(src string, i int) int {
	at := n.start + 1
	for done := 0; done < i && at < n.end-1; {
		switch {
		case src[at] != '\\':
			at, done = at+1, done+1
		case src[at+1] != 'u':
			at, done = at+2, done+1
		default:
			code, _ := strconv.ParseUint(src[at+2:at+6], 16, 32)
			if size := utf8.RuneLen(rune(code)); !utf16.IsSurrogate(rune(code)) {
				done += size
			} else {
				done += 2 // half of a character of four bytes
			}
			at += 6
		}
	}
	return at
}

// pointer appends a token to a JSON pointer (RFC 6901).
func pointer(path, token string) string {
	if strings.ContainsAny(token, "~/") {
		token = strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
	}
	return path + "/" + token
}

// item appends an index to a JSON pointer.
func item(path string, i int) string { return path + "/" + strconv.Itoa(i) }
