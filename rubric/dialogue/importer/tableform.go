package importer

import (
	"encoding/csv"
	"slices"
	"strings"
)

// This file distinguishes tables from other text and finds their headers.

// tableIn looks for a table at the beginning of a stream: records of which the first names a
// speaker and a text, or which have the same number of cells and do not look like turns. A title of
// a few lines, which have fewer cells, may precede the header.
func tableIn(f *file, head string) (best header, ok bool) {
	const most, maxAbove = 50, 10 // records
	bestScore := 0
	for _, delimiter := range ",;\t|" {
		in := csv.NewReader(strings.NewReader(head))
		in.Comma, in.LazyQuotes, in.FieldsPerRecord = delimiter, true, -1
		records, begins := [][]string{}, []int{0}
		for len(records) < most+maxAbove {
			cells, err := in.Read()
			if err != nil {
				break
			}
			records, begins = append(records, cells), append(begins, int(in.InputOffset()))
		}
		if n := len(records); len(head) >= headSize && 2 < n && n < most {
			records = records[:n-1] // the end of the head may have cut it
		}
		maxFilled := 0 // cells of a record above
		for i := range records[:min(len(records), maxAbove+1)] {
			h := newHeader(records[i], delimiter)
			h.above = begins[i]
			filled := number(slices.Values(h.names), func(name string) bool { return name != "" })
			isNamed := i == 0 || maxFilled < filled && (isHeader(h.names) ||
				slices.ContainsFunc(h.place[:], func(i int) bool { return i >= 0 }))
			// Names in another language may be below titles of one cell.
			isNamed = isNamed || filled == len(h.names) && filled > 2 && maxFilled <= 1
			maxFilled = max(maxFilled, filled)
			score, isUsual := 2*len(h.names),
				h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0
			isFull := 2*filled >= len(h.names)
			if isUsual {
				score += 2 * maxColumns
			}
			if isFull {
				score++
			}
			if len(h.names) > 1 && isNamed && (i == 0 || isFull) && score > bestScore &&
				(isUsual || isTable(f, records[i:], head[h.above:], delimiter)) {
				best, bestScore = h, score
			}
			if bestScore == score && isFull {
				break
			}
		}
	}
	return best, bestScore > 0
}

// isTable reports whether records without a usual header are those of a table.
func isTable(f *file, records [][]string, text string, delimiter rune) bool {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	if name, stamped, ok := turnIn(first); ok && (stamped || f.who.knows(name)) ||
		len(records) < 2 {
		return false
	}
	isTurn := func(line string) bool {
		name, stamped, ok := turnIn(line)
		return ok && stamped && nameLike().MatchString(name)
	}
	if cutStamp(first) > 0 && !strings.Contains(first, "\t") &&
		slices.ContainsFunc(strings.Split(rest, "\n"), isTurn) {
		return false // a chat that begins with an event
	}
	// The records may be a session of USS, perhaps with a broken first line.
	isSession := delimiter == '\t' && !isHeader(records[0])
	isOther := func(cells []string) bool {
		return beginsTurn(f, cells[0]) || isSession && f.who.knows(cells[0])
	}
	// A broken row must not make a table plain text.
	ragged := number(slices.Values(records),
		func(cells []string) bool { return len(cells) != len(records[0]) })
	if 10*ragged > len(records) || slices.ContainsFunc(records, isOther) {
		return false
	}
	isLine := func(cell string) bool { return len(cell) > maxName || strings.Contains(cell, ": ") }
	// A cell with a line break cannot come from a line of plain text.
	isQuoted := func(cell string) bool { return strings.Contains(cell, "\n") }
	return !slices.ContainsFunc(records[0], isLine) || len(records) > 3 ||
		slices.ContainsFunc(records[0], isQuoted)
}

// beginsTurn reports whether the first cell of a line is the beginning of a turn, so that the line
// is not part of a table.
func beginsTurn(f *file, cell string) bool {
	if _, isTime := ParseTime(cell); isTime || strings.Contains(strings.TrimSpace(cell), "\n") {
		return false
	}
	name, stamped, ok := turnIn(cell)
	return ok && (stamped || f.who.knows(name) ||
		nameLike().MatchString(name) && strings.Contains(cell, ": "))
}

// openTable finds the header of a table, and returns it with the records from it on.
func openTable(f *file, head []byte) (h header, in *records) {
	text := strings.TrimLeft(string(head), " \t\r\n")
	h, ok := tableIn(f, text)
	if !ok {
		first, _, _ := strings.Cut(text, "\n")
		often := func(a, b rune) int {
			return strings.Count(first, string(a)) - strings.Count(first, string(b))
		}
		delimiter := slices.MaxFunc([]rune(",;\t"), often)
		h = newHeader(strings.Split(first, string(delimiter)), delimiter)
	}
	title := string(head[:len(head)-len(text)+h.above])
	f.in.Discard(len(title)) // already read from head
	isEnd := func(r rune) bool { return r == '\n' || r == '\r' }
	lines := len(strings.FieldsFunc(title, isEnd))
	if lines > 0 && !strings.HasPrefix(text, "sep=") {
		f.note(counted(lines, "line") + " above the header left out")
	}
	in = newRecords(f, h.delimiter, len(h.names))
	in.above = strings.Count(title, "\n")
	return h, in
}
