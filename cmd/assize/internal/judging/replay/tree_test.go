package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// node is a JSON value.
type node struct {
	start   int    // byte offset in its text
	raw     []byte // as written
	text    string // the decoded string; empty for any other value
	members []member
}

// member is a member of an object, or an element of a list, whose name is the index.
type member struct {
	name string
	node *node
}

// maxDepth is the maximum nesting depth of a value. A record is six levels deep, and its display
// adds another six, whereas JSON readers fail at ten thousand.
const maxDepth = 1000

// parse parses one JSON value. It returns an error if the text is not JSON or is nested too deeply.
func parse(text []byte) (*node, error) {
	var probe json.RawMessage
	if err := json.Unmarshal(text, &probe); err != nil {
		return nil, err
	}
	if depth(text) > maxDepth {
		return nil, fmt.Errorf("its values are nested more than %d deep", maxDepth)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return (&parser{text: text, dec: dec}).value(), nil
}

// depth returns the nesting depth of a JSON text.
func depth(text []byte) int {
	at, highest, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			at++
			highest = max(highest, at)
		case b == '}' || b == ']':
			at--
		}
	}
	return highest
}

// parser builds a tree from text that is known to be valid JSON.
type parser struct {
	text []byte
	dec  *json.Decoder
}

// token returns the next token and its offset.
func (p *parser) token() (token json.Token, start int) {
	start = int(p.dec.InputOffset())
	for strings.IndexByte(" \t\r\n,:", p.text[start]) >= 0 {
		start++
	}
	token, err := p.dec.Token()
	if err != nil {
		panic(err) // the text has been validated
	}
	return token, start
}

func (p *parser) value() *node {
	token, start := p.token()
	n := &node{start: start}
	switch token := token.(type) {
	case string:
		n.text = token
	case json.Delim:
		for p.dec.More() {
			name := strconv.Itoa(len(n.members))
			if token == '{' {
				key, _ := p.token()
				name, _ = key.(string)
			}
			n.members = append(n.members, member{name, p.value()})
		}
		p.token()
	}
	n.raw = p.text[start:p.dec.InputOffset()]
	return n
}

// kind returns the first byte of a value: '{', '[', '"', or that of a number, true, false or null.
func (n *node) kind() byte { return n.raw[0] }

// pointer appends a name to a JSON pointer (RFC 6901).
func pointer(to, name string) string {
	return to + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
