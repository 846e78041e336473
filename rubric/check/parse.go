package check

import (
	"strconv"
)

// What a document may hold. Nothing that is an evaluation comes near.
const (
	mostDepth = 100
	mostNodes = 1 << 20
)

// syntaxError tells where a text stops being JSON, and why.
type syntaxError struct {
	at   int // a byte of the text
	msg  string
	from int    // where the thing begins that msg ends with; -1 where it ends with none
	hint string // what would be right
	cut  bool   // the text ends too early; more of it might be valid
}

// parse reads a text that is one JSON value and nothing else.
func parse(src string) (*node, *syntaxError) {
	p := parser{src: src}
	n := p.document()
	if p.err != nil {
		return nil, p.err
	}
	if p.space(); p.at < len(src) {
		p.fail("text behind the end of the JSON: " + glimpse(src[p.at:]))
		return nil, p.err
	}
	return n, nil
}

// parseFirst reads the JSON value that a text begins with and gives where it ends. Where there is an error, the
// node holds what was read of an object before it; it may be nil.
func parseFirst(src string) (n *node, end int, err *syntaxError) {
	p := parser{src: src}
	n = p.document()
	return n, p.at, p.err
}

// parser reads JSON (RFC 8259). After the first error it reads no further.
type parser struct {
	src   string
	at    int
	depth int
	nodes int
	slab  []node // room for nodes, made for many at once
	err   *syntaxError
}

// node gives a new node that begins here.
func (p *parser) node() *node {
	if len(p.slab) == 0 {
		p.slab = make([]node, 64)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.start = p.at
	return n
}

func (p *parser) fail(msg string) { p.failAt(p.at, msg) }

func (p *parser) failAt(at int, msg string) {
	if p.err == nil {
		p.err = &syntaxError{at: at, msg: msg, from: -1, cut: at >= len(p.src)}
	}
}

// failWithin fails inside something that begins at from.
func (p *parser) failWithin(msg string, from int, hint string) {
	if p.fail(msg); p.err.msg == msg {
		p.err.from, p.err.hint = from, hint
	}
}

func (p *parser) document() *node {
	if p.space(); p.at == len(p.src) {
		p.fail("there is nothing")
		return nil
	}
	return p.value()
}

// space passes over white space.
func (p *parser) space() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// value reads the value at the next byte.
func (p *parser) value() *node {
	if p.nodes++; p.nodes > mostNodes {
		p.fail("more than 1,048,576 values in one document; an evaluation has about a hundred")
		return nil
	}
	if p.at == len(p.src) {
		p.fail("the text ends where a value should be")
		return nil
	}
	n := p.node()
	switch c := p.src[p.at]; {
	case c == '{' || c == '[':
		if p.depth++; p.depth > mostDepth {
			p.fail("brackets nested more than " + strconv.Itoa(mostDepth) + " deep; an evaluation has five levels")
			return nil
		}
		if n.kind = array; c == '{' {
			n.kind = object
		}
		p.nested(n)
		p.depth--
	case c == '"':
		n.kind = text
		n.text = p.string()
	case c == '-' || '0' <= c && c <= '9':
		n.kind = number
		n.text = p.number()
	default:
		p.word(n)
	}
	n.end = p.at
	return n
}

// nested reads the members or items of n, whose bracket is the next byte.
func (p *parser) nested(n *node) {
	closing, name := byte(']'), "list"
	if n.kind == object {
		closing, name = '}', "object"
	}
	p.at++
	for first := true; p.err == nil; first = false {
		p.space()
		switch {
		case p.at == len(p.src):
			p.failWithin("the text ends inside the "+name, n.start, "")
			return
		case p.src[p.at] == closing:
			p.at++
			return
		case first:
		case p.src[p.at] != ',':
			p.noComma(name)
			return
		default:
			comma := p.at
			p.at++
			if p.space(); p.at < len(p.src) && p.src[p.at] == closing {
				p.failAt(comma, "a comma behind the last entry of the "+name)
				return
			}
		}
		if n.kind == array {
			n.items = append(n.items, p.value())
		} else {
			p.member(n)
		}
	}
}

// usualMembers is how many members most objects of an evaluation have at most.
const usualMembers = 4

// member reads a key and its value.
func (p *parser) member(n *node) {
	m := member{start: p.at}
	switch {
	case p.at == len(p.src):
		p.fail("the text ends where a key should be")
	case p.src[p.at] != '"':
		p.noValue("key")
	default:
		m.key = p.string()
	}
	if p.space(); p.err == nil {
		if p.at == len(p.src) || p.src[p.at] != ':' {
			p.fail("no colon behind the key " + strconv.Quote(shorten(m.key)))
			return
		}
		p.at++
		p.space()
		m.value = p.value()
	}
	if n.members == nil {
		n.members = make([]member, 0, usualMembers)
	}
	if p.err == nil || m.key != "" {
		n.members = append(n.members, m)
	}
}
