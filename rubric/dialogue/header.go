package dialogue

import (
	"encoding/csv"
	"slices"
	"strings"
)

// How a table is told from other text, and where its header is.

// newHeader gives the header with the names that are the cells of a record.
func newHeader(records [][]string, delimiter rune) header {
	h := header{delimiter: delimiter, date: -1}
	for _, cells := range records[:min(len(records), 1)] {
		for _, name := range cells[:min(len(cells), mostColumns)] {
			h.names = append(h.names, strings.Trim(name, " \t\r\n\""))
		}
	}
	h.place = usualPlaces(h.names)
	return h
}

// recordsIn gives the first records of a text.
func recordsIn(text string, delimiter rune, most int) (records [][]string) {
	in := csv.NewReader(strings.NewReader(text))
	in.Comma, in.LazyQuotes, in.FieldsPerRecord = delimiter, true, -1
	for len(records) < most {
		cells, err := in.Read()
		if err != nil {
			break
		}
		records = append(records, cells)
	}
	return records
}

func usualPlaces(names []string) (place [numUses]int) {
	for use := range place {
		if place[use] = -1; use < numNamed {
			place[use] = usualColumn(names, uses[use])
		}
	}
	return place
}

// tableIn finds a table at the beginning of a stream. Above its header there may be a few lines of a title, which have
// fewer cells.
func (f *file) tableIn(head string) (h header, ok bool) {
	const most = 10
	for at, n := 0, 0; n <= most; n++ {
		next, found := f.headerIn(head[at:])
		next.above = at
		isEmpty := func(name string) bool { return strings.TrimSpace(name) == "" }
		filled := len(slices.DeleteFunc(slices.Clone(next.names), isEmpty))
		isNamed := at == 0 || isHeader(next.names) || slices.ContainsFunc(next.place[:], func(i int) bool { return i >= 0 })
		most := filled - 1
		if !isNamed && filled == len(next.names) && filled > 2 { // names of another language, below titles of one cell
			isNamed, most = true, 1
		}
		for line := range strings.Lines(head[:at]) {
			cells := strings.FieldsFunc(line, func(r rune) bool { return r == next.delimiter || r == '\r' || r == '\n' })
			isNamed = isNamed && len(cells) <= most
		}
		if found && isNamed && 2*filled >= len(next.names) {
			return next, true
		} else if found && at == 0 {
			h, ok = next, true
		}
		end := strings.IndexByte(head[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	return h, ok
}

// headerIn finds a table that begins with its header: one that names a speaker and a text, or lines that all have the
// same number of cells and do not look like turns.
func (f *file) headerIn(head string) (header, bool) {
	first, rest, _ := strings.Cut(head, "\n")
	delimiters := strings.Map(func(r rune) rune {
		if strings.ContainsRune(first, r) {
			return r
		}
		return -1
	}, ",;\t|")
	for _, delimiter := range delimiters {
		h := newHeader(recordsIn(first, delimiter, 1), delimiter)
		if h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0 {
			return h, true
		}
	}
	if name, stamped, ok := turnIn(first); ok && (stamped || f.who.knows(name)) || strings.TrimSpace(rest) == "" {
		return header{}, false
	}
	isTurn := func(line string) bool {
		name, stamped, ok := turnIn(line)
		return ok && stamped && nameLike().MatchString(name)
	}
	if cutStamp(first) > 0 && !strings.Contains(first, "\t") && slices.ContainsFunc(strings.Split(rest, "\n"), isTurn) {
		return header{}, false // a chat that begins with an event
	}
	const most = 50 // records are looked at
	var best header
	for _, delimiter := range delimiters {
		records := recordsIn(head, delimiter, most)
		if len(head) >= headSize && len(records) > 2 && len(records) < most {
			records = records[:len(records)-1] // which the end of the head may have cut
		}
		if len(records) < 2 || len(records[0]) <= max(1, len(best.names)) {
			continue
		}
		isSession := delimiter == '\t' && !isHeader(records[0]) // of USS, perhaps with a broken first line
		isOther := func(cells []string) bool { return f.isTurn(cells[0]) || isSession && f.who.knows(cells[0]) }
		ragged := 0 // a broken row must not make a table plain text
		for _, cells := range records {
			if len(cells) != len(records[0]) {
				ragged++
			}
		}
		if 10*ragged > len(records) || slices.ContainsFunc(records, isOther) {
			continue
		}
		isLine := func(cell string) bool { return len(cell) > maxName || strings.Contains(cell, ": ") }
		isQuoted := func(cell string) bool { return strings.Contains(cell, "\n") } // and no line of a plain text
		if !slices.ContainsFunc(records[0], isLine) || len(records) > 3 || slices.ContainsFunc(records[0], isQuoted) {
			best = newHeader(records, delimiter)
		}
	}
	return best, len(best.names) > 1
}

// isTurn reports whether the first cell of a line is the beginning of a turn, so that the line is none of a table.
func (f *file) isTurn(cell string) bool {
	if _, isTime := ParseTime(cell); isTime || strings.Contains(strings.TrimSpace(cell), "\n") {
		return false
	}
	name, stamped, ok := turnIn(cell)
	return ok && (stamped || f.who.knows(name) || nameLike().MatchString(name) && strings.Contains(cell, ": "))
}

// isHeader reports whether the cells name a speaker and a text.
func isHeader(cells []string) bool {
	isSpeaker := func(name string) bool { return anyIn(nameWords(name), "who") }
	isText := func(name string) bool { return anyIn(nameWords(name), "said") }
	return slices.ContainsFunc(cells, isSpeaker) && slices.ContainsFunc(cells, isText)
}
