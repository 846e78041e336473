package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Difference is a value that one JSON text has otherwise than another.
type Difference struct {
	Pointer jsontext.Pointer // RFC 6901
	Was, Is jsontext.Value   // in the one and in the other; nil for nothing
}

// Compare lists the first values, at most so many, that one JSON text has otherwise than another, in their order. Where
// only the order of members, white space or escapes differ, the list is empty. The error tells why one is no JSON.
func Compare(was, is []byte, most int) (list []Difference, err error) {
	err = compare("", was, is, func(d Difference) error {
		if list = append(list, d); len(list) == most {
			return io.EOF
		}
		return nil
	})
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return list, err
}

// compare adds the differences of two values, either of which may be nil.
func compare(at jsontext.Pointer, was, is jsontext.Value, add func(Difference) error) error {
	const deepest = 20 // far more than a record is nested
	kinds := map[jsontext.Kind]bool{was.Kind(): true, is.Kind(): true}
	delete(kinds, 0) // of nil
	switch {
	case bytes.Equal(was, is):
		return nil
	case len(kinds) > 1 || !kinds['{'] && !kinds['['] || strings.Count(string(at), "/") == deepest:
		if kinds['"'] && text(was) == text(is) && was != nil && is != nil {
			return nil
		}
		return add(Difference{at, was, is})
	}
	names, values, err := members(was)
	others, theirs, wrong := members(is)
	if err = errors.Join(err, wrong); err != nil {
		return err
	}
	if len(names)+len(others) == 0 || was == nil && len(others) == 0 || is == nil && len(names) == 0 {
		return add(Difference{at, was, is})
	}
	left := make(map[string]jsontext.Value, len(others))
	for i, name := range others {
		left[name] = theirs[i]
	}
	for i, name := range names {
		if err := compare(at.AppendToken(name), values[i], left[name], add); err != nil {
			return err
		}
		delete(left, name)
	}
	for i, name := range others {
		if _, ok := left[name]; ok {
			if err := compare(at.AppendToken(name), nil, theirs[i], add); err != nil {
				return err
			}
		}
	}
	return nil
}

// members gives what is in an object or a list, whose items are named by their index.
func members(v jsontext.Value) (names []string, values []jsontext.Value, err error) {
	if v == nil {
		return nil, nil, nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(v))
	open, err := dec.ReadToken()
	for err == nil && dec.PeekKind() != '}' && dec.PeekKind() != ']' {
		name := strconv.Itoa(len(names))
		if open.Kind() == '{' {
			var token jsontext.Token
			if token, err = dec.ReadToken(); err != nil {
				break
			}
			name = token.String()
		}
		var value jsontext.Value
		if value, err = dec.ReadValue(); err == nil {
			end := dec.InputOffset()
			names, values = append(names, name), append(values, v[end-int64(len(value)):end])
		}
	}
	return names, values, err
}

// text gives what a JSON string says, and any other value as it is.
func text(v jsontext.Value) string {
	if v.Kind() != '"' {
		return string(v)
	}
	s, _ := jsontext.AppendUnquote(nil, v)
	return string(s)
}

// Differences lists in words what the header of a run has otherwise than another, one thing each: "mapping: down in the
// run, nearest now".
func (h *Header) Differences(now *Header) (list []string) {
	all, _ := Compare(h.Append(nil), now.Append(nil), 1000)
	for _, d := range all {
		switch path := string(d.Pointer); {
		case path == "/fingerprint", path == "/provenance/rubric", path == "/provenance/profile", path == "/rubric/mapping":
			// it follows from the rest
		case (h.Model == nil) != (now.Model == nil) && strings.HasPrefix(path, "/provenance/model") && path != "/provenance/model/name":
			// the name is enough
		default:
			list = append(list, fmt.Sprintf("%s: %s in the run, %s now", setting(path), shortened(text(d.Was)), shortened(text(d.Is))))
		}
	}
	return list
}

// shortened gives the beginning of a long value: a dozen digits of a digest, half a line of a text.
func shortened(value string) string {
	const most, digest = 40, 12
	switch runes := []rune(value); {
	case value == "":
		return "nothing"
	case len(value) == 64 && strings.Trim(value, "0123456789abcdef") == "":
		return value[:digest] + "…"
	case len(runes) > most:
		return string(runes[:most]) + "…"
	}
	return value
}

// setting names a value of a header by its pointer: "mapping", "rubric weights TaskSuccess", "model options num ctx".
func setting(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "/configuration"), "/provenance")
	return strings.NewReplacer("/", " ", "_", " ").Replace(strings.TrimPrefix(path, "/"))
}
