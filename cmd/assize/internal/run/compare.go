package run

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/cmd/assize/internal/ui"
)

// Difference is one value of a line that is not what it should be, or cannot be read.
type Difference struct {
	Path       string         `json:"path"`    // a JSON pointer (RFC 6901) into the line; empty for the line as a whole
	Follows    bool           `json:"follows"` // it may follow from one that comes before it
	Recorded   jsontext.Value `json:"recorded,omitempty"`
	Recomputed jsontext.Value `json:"recomputed,omitempty"`
	Message    string         `json:"message"` // "is 80; its evidence gives 60"
}

// Error is a sentence of place and message.
func (d *Difference) Error() string {
	if d.Path == "" {
		return "the line " + d.Message
	}
	return d.Path + " " + d.Message
}

// Compare lists the first values, at most so many, that one JSON text has otherwise than another. Those that only the
// other one has come last. The list is empty where only the order of members, white space or escapes differ. The
// messages say what "its evidence gives", or whatever else gives the other values. A text that is not JSON to its end
// is compared as far as it is.
func Compare(recorded, recomputed []byte, gives string, most int) (list []Difference) {
	add := func(path string, was, is jsontext.Value) bool {
		x := "missing"
		if was != nil {
			x = shown(was)
		}
		list = append(list, Difference{path, len(list) > 0, was, is, fmt.Sprintf("is %s; %s %s", x, gives, shown(is))})
		return len(list) < most
	}
	left := map[string]jsontext.Value{}
	for path, is := range leaves(recomputed) {
		left[path] = is
	}
	for path, was := range leaves(recorded) {
		is := left[path]
		delete(left, path)
		if !bytes.Equal(was, is) && !add(path, was, is) {
			return list
		}
	}
	for path, is := range leaves(recomputed) {
		if _, ok := left[path]; ok && !add(path, nil, is) {
			break
		}
	}
	return list
}

// leaves yields the values of a JSON text that hold no others, with their pointers, strings without needless escapes.
// What is nested deeper than any record is one value.
func leaves(data []byte) iter.Seq2[string, jsontext.Value] {
	const deepest = 20
	empties := map[jsontext.Kind]string{'}': "{}", ']': "[]"} // lists and objects that hold nothing, by how they end
	return func(yield func(string, jsontext.Value) bool) {
		dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true))
		for {
			kind := dec.PeekKind()
			in, n := dec.StackIndex(dec.StackDepth())
			opens := (kind == '{' || kind == '[') && dec.StackDepth() < deepest
			if name := in == '{' && n%2 == 0; name || opens || kind == '}' || kind == ']' {
				if _, err := dec.ReadToken(); err != nil {
					return
				}
				empty, ok := empties[dec.PeekKind()]
				if opens && ok && !yield(string(dec.StackPointer()), jsontext.Value(empty)) {
					return
				}
				continue
			}
			value, err := dec.ReadValue()
			if value = value.Clone(); err != nil || value.Format(jsontext.AllowInvalidUTF8(true)) != nil ||
				!yield(string(dec.StackPointer()), value) {
				return
			}
		}
	}
}

// shown gives a value for people: its beginning, where it is a digest or long.
func shown(v jsontext.Value) string {
	if len(v) == 66 && strings.Trim(string(v), `"0123456789abcdef`) == "" {
		return string(v[1:13]) + "…"
	}
	return cmp.Or(ui.Clip(string(v), 60), "nothing")
}

// Change is one thing in which two runs were made differently.
type Change struct {
	What string `json:"what"` // its path in the header, such as "rubric.weights.Empathy"
	A    string `json:"a"`    // empty for none
	B    string `json:"b"`
}

// Differences lists in what two headers differ. Digests that follow from the rest are left out.
func (h Header) Differences(other Header) []Change {
	list := []Change{}
	for _, d := range Compare(h.Append(nil), other.Append(nil), "", 10_000) {
		what := strings.ReplaceAll(strings.TrimPrefix(d.Path, "/provenance")[1:], "/", ".")
		switch {
		case slices.Contains([]string{"fingerprint", "rubric", "profile", "configuration.mapping"}, what):
		case string(d.Recorded) == "[]" || string(d.Recomputed) == "[]": // its elements tell
		case (h.Model == nil) != (other.Model == nil) && strings.HasPrefix(what, "model.") && what != "model.name":
		default:
			list = append(list, Change{what, text(d.Recorded), text(d.Recomputed)})
		}
	}
	return list
}

// text gives what a JSON string says, and any other value as it is.
func text(v jsontext.Value) string {
	if s, err := jsontext.AppendUnquote(nil, v); err == nil {
		return string(s)
	}
	return string(v)
}
