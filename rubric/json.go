package rubric

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends a value as compact JSON by its tags, "<", ">" and "&" are
// \u003c, \u003e and \u0026, so that a document can be put into a web page as it is. It panics where v cannot be JSON,
// which is a mistake of the program.
func AppendJSON(b []byte, v any) []byte {
	old := len(b)
	buf := bytes.NewBuffer(b)
	err := json.MarshalWrite(buf, v, jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true),
		jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return AppendEscaped(buf.Bytes()[:old], buf.Bytes()[old:])
}

// AppendEscaped appends JSON with DEL and the controls of C1 escaped, which act on a terminal. They can only be in its
// strings.
func AppendEscaped(b, data []byte) []byte {
	const del, c1 = 0x7f, 0xc2 // U+0080 to U+009F are 0xc2 and one more byte
	if bytes.IndexByte(data, del) < 0 && bytes.IndexByte(data, c1) < 0 {
		return append(b, data...)
	}
	for _, r := range string(data) {
		if r >= del && r < 0xa0 {
			b = fmt.Appendf(b, `\u%04x`, r)
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// What the JSON library calls for every number of a record: the same as the methods for encoding/json give, without
// taking memory.

// MarshalJSONTo writes a number with exactly two decimals.
func (h Hundredths) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(h.Append(enc.AvailableBuffer()))
}

// UnmarshalJSONFrom reads a number with at most two decimals.
func (h *Hundredths) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	number, err := dec.ReadValue()
	if err == nil {
		*h, err = ParseHundredths(string(number))
	}
	return err
}
