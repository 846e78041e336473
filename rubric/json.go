package rubric

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends v to b as JSON, which is compact unless opts indent it. It writes "<", ">"
// and "&" as \u003c, \u003e and \u0026, so that a document can be embedded in a web page. It
// panics if v cannot be encoded, which is a bug in the program. For speed it does not check for
// duplicate names; struct tags exclude them.
func AppendJSON(b []byte, v any, opts ...json.Options) []byte {
	old, buf := len(b), bytes.NewBuffer(b)
	if err := json.MarshalWrite(buf, v, writing, json.JoinOptions(opts...)); err != nil {
		panic(err)
	}
	return appendEscaped(buf.Bytes()[:old], buf.Bytes()[old:])
}

var writing = json.JoinOptions(jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true),
	jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), json.Deterministic(true))

// appendEscaped appends JSON to b and escapes DEL, the C1 control characters and those that change
// the direction of text, to which terminals react. In JSON they can only occur in strings.
func appendEscaped(b, data []byte) []byte {
	const del = 0x7f
	text, from := string(data), 0 // a copy, because data may follow b in the same array
	for i := range len(text) {
		if text[i] < del {
			continue // the common case
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < 0xa0 || r > 0xff && unicode.Is(unicode.Bidi_Control, r) {
			b = fmt.Appendf(append(b, text[from:i]...), `\u%04x`, r)
			from = i + size
		}
	}
	return append(b, text[from:]...)
}

// ParseJSON parses a JSON value into v. It ignores the case of names, uses the last of members with
// the same name, and rejects unknown members unless opts allow them. Its error says what is wrong
// and where.
func ParseJSON(data []byte, v any, opts ...json.Options) error {
	err := json.Unmarshal(data, v, reading, json.JoinOptions(opts...))
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("unexpected end of JSON input")
	case errors.As(err, &syntax):
		return syntax.Err
	case !errors.As(err, &semantic):
		return err
	case errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("unknown field %q", semantic.JSONPointer.LastToken())
	}
	where := cmp.Or(string(semantic.JSONPointer), "the value")
	if semantic.Err != nil {
		return fmt.Errorf("%s: %w", where, semantic.Err)
	}
	return fmt.Errorf("%s cannot be %s", where, kinds[semantic.JSONKind])
}

var reading = json.JoinOptions(json.RejectUnknownMembers(true),
	json.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true))

// kinds holds the names of JSON values by the first byte.
var kinds = map[jsontext.Kind]string{'{': "an object", '[': "a list", '"': "a string",
	'0': "a number", 't': "true", 'f': "false", 'n': "null"}
