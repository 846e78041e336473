package ratings

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
)

// isLine reports whether a line of JSON holds a rating.
func isLine(line []byte) bool {
	var keys map[string]json.RawMessage
	if !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &keys) != nil {
		return false
	}
	return keys[columnNames[colID]] != nil && keys[columnNames[colRating]] != nil
}

// readLines reads ratings from JSON lines.
func (f *File) readLines(text []byte) error {
	others := map[string]bool{}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var keys map[string]json.RawMessage
		if err := unmarshal(line, &keys); err != nil {
			return f.wrong(number, "not a JSON object: %v; want one a line", err)
		}
		var cells [numColumns]string
		for i, name := range columnNames {
			var err error
			if cells[i], err = scalar(keys[name]); err != nil {
				return f.wrong(number, "%s: %v", name, err)
			}
			delete(keys, name)
		}
		for name := range keys {
			others[name] = true
		}
		r := row{line: number, id: cells[colID], rater: cells[colRater], file: cells[colFile]}
		if err := f.add(r, cells[colCriterion], cells[colRating], false); err != nil {
			return err
		}
	}
	if len(others) > 0 {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(others)) {
			names = append(names, quote(name))
		}
		f.notes = append(f.notes, f.unread("key", names))
	}
	return f.filled()
}

// unmarshal reads one value and refuses what follows it.
func unmarshal(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows it")
	}
	return nil
}

// scalar gives the text of a string, or a number as it is written; "" for null and for nothing.
func scalar(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var s string
	if raw[0] == '"' {
		err := json.Unmarshal(raw, &s)
		return s, err
	}
	if strings.ContainsRune("-0123456789", rune(raw[0])) {
		return string(raw), nil
	}
	return "", errors.New("want a string or a number")
}
