package ui

import (
	"bytes"
	"encoding/json"
	"io"

	"assize/rubric"
)

// WriteJSON writes a value as JSON on lines of their own, indented by indent unless that is empty. Nothing in it acts on a
// terminal or in HTML.
func WriteJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(rubric.AppendEscaped(nil, b.Bytes()))
	return err
}
