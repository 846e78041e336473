package check

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// node is a JSON value with its place in the text. Unlike what encoding/json makes of a text, the members of an
// object keep their order, and a key that occurs twice is there twice.
type node struct {
	kind       kind
	start, end int    // byte range in the text, quote marks and brackets included
	text       string // a string's characters, or the digits of a number as they are written
	members    []member
	items      []*node
}

// member is a key of an object and its value.
type member struct {
	key   string
	start int // of the key in the text
	value *node
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

// String names a kind as errors do.
func (k kind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}[k]
}

// get gives the value of a key; of a doubled key the last, as most readers do. It is nil where there is none,
// or where n is no object.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return n.members[i].value
		}
	}
	return nil
}

// ambiguous reports whether n has a key more than once.
func (n *node) ambiguous(key string) bool {
	count := 0
	if n != nil {
		for i := range n.members {
			if n.members[i].key == key {
				count++
			}
		}
	}
	return count > 1
}

// has reports whether n is an object with one of keys.
func (n *node) has(keys ...string) bool {
	for _, k := range keys {
		if n.get(k) != nil {
			return true
		}
	}
	return false
}

// is reports whether n is there and of a kind.
func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// list gives the items of n, none where it is no list.
func (n *node) list() []*node {
	if n == nil {
		return nil
	}
	return n.items
}

// words gives a string's characters; ok is false where n is no string.
func (n *node) words() (s string, ok bool) {
	if !n.is(text) {
		return "", false
	}
	return n.text, true
}

// truth gives true or false; ok is false where n is neither.
func (n *node) truth() (value, ok bool) {
	if !n.is(boolean) {
		return false, false
	}
	return n.text == "true", true
}

// float gives a number; ok is false where n is none. What no float64 can hold becomes an infinity.
func (n *node) float() (f float64, ok bool) {
	if !n.is(number) {
		return 0, false
	}
	f, _ = strconv.ParseFloat(n.text, 64)
	return f, true
}

// integer gives a whole number up to 2^53; ok is false where n is none. 80.0 and 8e1 are whole numbers.
func (n *node) integer() (i int, ok bool) {
	f, ok := n.float()
	if !ok || f < -1<<53 || f > 1<<53 || f != float64(int(f)) {
		return 0, false
	}
	return int(f), true
}

// at gives the place in src of byte i of a string's characters, of which some may be written as escapes.
func (n *node) at(src string, i int) int {
	at := n.start + len(`"`)
	for done := 0; done < i && at < n.end-1; {
		r, size := utf8.DecodeRuneInString(src[at:])
		if r == '\\' {
			r, size = unescape(src[at : n.end-1])
		}
		if size == 0 {
			break
		}
		done += utf8.RuneLen(r)
		at += size
	}
	return at
}

// pointer appends a token to a JSON pointer (RFC 6901).
func pointer(path, token string) string {
	if strings.ContainsAny(token, "~/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
	}
	return path + "/" + token
}

// item appends an index to a JSON pointer.
func item(path string, i int) string { return path + "/" + strconv.Itoa(i) }
