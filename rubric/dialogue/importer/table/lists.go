package table

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/formats"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// turnList is a list in JSON of an unknown format whose objects may be the messages of a dialogue.
type turnList struct {
	Columns map[string]string // as in Options.Columns
	IsUsual bool              // they are found by the usual names of a speaker and a text
}

// TurnLists returns the lists below a value whose objects have a speaker and a text, as the rows of
// a table have them. Next to lists with usual names, others do not count.
func TurnLists(f *stream.File, raw jsontext.Value) (found []turnList) {
	o, keys, id := formats.AsObject(raw), lex.KeysIn(raw, ""), ""
	if i := usualColumn(keys, Uses[idColumn]); i >= 0 {
		id = keys[i]
	}
	seen := map[string]bool{}
	for _, key := range keys {
		at := key[:strings.Index(key, "]")+1]
		var list lex.Paths
		if seen[at] || list.UnmarshalText([]byte(at)) != nil {
			continue
		}
		seen[at] = true
		h := NewHeader(nil, ',')
		var rows []map[string]string
		for e := range list[0].In(o) {
			row := map[string]string{}
			if len(rows) < MaxSampled && CellsIn(e, "", &h.Names, row) {
				rows = append(rows, row)
			}
		}
		h.place = usualPlaces(h.Names)
		c := newFinder(f, &h, nil, nil)
		for _, row := range rows {
			c.sample = append(c.sample, CellsOf(row, h.Names))
		}
		c.list = shapesOf(f, h.Names, c.sample)
		l := turnList{map[string]string{}, true}
		if id != "" {
			l.Columns[Uses[idColumn]] = id
		}
		for _, use := range []int{textColumn, speakerColumn, timeColumn} {
			if c.find(use); h.place[use] < 0 {
				continue
			}
			s := &c.list[h.place[use]]
			l.Columns[Uses[use]] = at + "." + s.name
			isNamed := s.at == c.usual[use] || s.has("said") || s.isSpeaker()
			isSpoken := use != speakerColumn || s.known > 0 || s.repeats() // unlike settings
			l.IsUsual = l.IsUsual && (use == timeColumn || isNamed && isSpoken)
		}
		if h.place[textColumn] >= 0 && h.place[speakerColumn] >= 0 {
			found = append(found, l)
		}
	}
	if slices.ContainsFunc(found, func(l turnList) bool { return l.IsUsual }) {
		found = slices.DeleteFunc(found, func(l turnList) bool { return !l.IsUsual })
	}
	return found
}

// ColumnsOf returns columns in the form of --columns.
func ColumnsOf(columns map[string]string) string {
	var list []string
	for _, use := range Uses {
		if place := columns[use]; place != "" {
			list = append(list, use+"="+place)
		}
	}
	return strings.Join(list, ",")
}

// CellsIn adds the plain members of a value to cells, by name, and reports whether the value
// contains no list of objects: if none does, such as the lines of an event log, JSON is a table.
// Objects below the deepest level do not count.
func CellsIn(raw jsontext.Value, at string, names *[]string, cells map[string]string) bool {
	for _, m := range lex.Members(raw) {
		name := at + dialogue.Clean(m.Name)
		isCall := slices.Contains(formats.CallMembers, m.Folded)
		switch {
		case at == "" && isCall:
		case m.Value.Kind() == '{':
			if strings.Count(at, ".") < lex.Deepest && !CellsIn(m.Value, name+".", names, cells) {
				return false
			}
		default:
			for e := range lex.Elements(m.Value) {
				if e.Kind() == '{' && lex.Members(e).Get("type") == nil { // not a part of a text
					return false
				}
			}
			text, _ := lex.WordsIn(m.Value)
			if cells[name] = lex.WithoutEntities(text); !slices.Contains(*names, name) &&
				len(*names) < lex.MaxGathered {
				*names = append(*names, name)
			}
		}
	}
	return raw.Kind() == '{'
}

// CellsOf returns cells in the order of the names.
func CellsOf(by map[string]string, names []string) (cells []string) {
	for _, name := range names {
		cells = append(cells, by[name])
	}
	return cells
}

// RivalsIn is like [finder.rivals] for the members of a value.
func RivalsIn(f *stream.File, first jsontext.Value) (msg, hint string) {
	var names []string
	for _, m := range lex.Members(first) {
		isWords := m.Value.Kind() == '[' || strings.Contains(lex.PlainText(m.Value), " ")
		if lex.NameHas(m.Name, "rival") && isWords {
			names = append(names, dialogue.Clean(m.Name))
		}
	}
	if len(names) < 2 {
		return "", ""
	}
	place := "text=" + names[0]
	for _, l := range TurnLists(f, first) {
		if columns := ColumnsOf(l.Columns); strings.Contains(columns, "="+names[0]+"[]") {
			place = columns
			break
		}
	}
	return lex.Problem("rival-values", lex.Quoted(names), place)
}
