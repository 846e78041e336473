package dialogue

import (
	"bytes"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON of no known format whose values are objects without lists, such as the lines of an event log, is a table: each
// value is a row, and the names of its members are those of the columns.

// cellsIn adds the plain members of a value to cells, by their names, and tells whether it holds no list of objects.
func cellsIn(raw jsontext.Value, at string, names *[]string, cells map[string]string) bool {
	for _, m := range members(raw) {
		name := at + clean(m.name)
		switch m.value.Kind() {
		case '{':
			if !cellsIn(m.value, name+".", names, cells) {
				return false
			}
		default:
			for e := range elements(m.value) {
				if e.Kind() == '{' && members(e).get("type") == nil { // no part of a text
					return false
				}
			}
			if cells[name], _ = wordsIn(m.value); !slices.Contains(*names, name) && len(*names) < mostGathered {
				*names = append(*names, name)
			}
		}
	}
	return raw.Kind() == '{'
}

// readFlat reads a file as such a table from its first value on. If it is none, the values are still to be read.
func (f *file) readFlat(in *values, first jsontext.Value, line int) (is bool, err error) {
	h := header{delimiter: ',', date: -1, answer: -1}
	in.again = []value{{first, line, nil}}
	var all []map[string]string
	for size := 0; ; size += len(in.again[len(in.again)-1].raw) {
		v, cells := in.again[len(in.again)-1], map[string]string{}
		if v.err == nil && !cellsIn(v.raw, "", &h.names, cells) {
			return false, nil
		}
		if all = append(all, cells); v.err != nil && !in.goesOn(v.err) || len(all) == mostSampled || size > mostBytes {
			break
		}
		raw, line, err := in.read()
		in.again = append(in.again, value{bytes.Clone(raw), line, err})
	}
	cellsOf := func(by map[string]string) (cells []string) {
		for _, name := range h.names {
			cells = append(cells, by[name])
		}
		return cells
	}
	var sample [][]string
	for _, by := range all {
		if len(by) > 0 {
			sample = append(sample, cellsOf(by))
		}
	}
	if len(sample) == 0 {
		return false, nil
	}
	h.place = usualPlaces(h.names)
	names := slices.Clone(h.names)
	switch msg, hint := h.settle(f, sample, nil); {
	case msg != "" && h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0:
		return true, f.wrong(msg, hint)
	case msg != "" || h.isNameless:
		return false, nil
	}
	f.format, h.names = Table, names
	return true, f.readRows(&h, func() (record, error) {
		raw, line, err := in.next()
		by := map[string]string{}
		r := record{line: line}
		switch {
		case err != nil && !in.goesOn(err):
			return r, err
		case err != nil:
			r.err = &SyntaxError{Line: line, Msg: err.Error()}
		case !cellsIn(raw, "", new([]string), by):
			r.err = &SyntaxError{Line: line, Msg: "no object of plain members, as those above"}
		}
		r.cells = cellsOf(by)
		return r, nil
	})
}

// goesOn reports whether an error is that of one value, after which others can be read.
func (s *values) goesOn(err error) bool {
	return s.byLine && err != io.EOF && s.feed.err == nil && s.lines.err == nil
}
