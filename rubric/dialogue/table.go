package dialogue

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A table has one row per turn, or one per dialogue with the whole transcript in a cell, and a header that names its
// columns, in any order, between commas, semicolons, tabs or bars. Which column holds what is settled in columns.go.
// An empty id means the same conversation as above. Columns that the reader has no use for are metadata.

// What the reader uses a column for.
const (
	idColumn = iota
	turnColumn
	speakerColumn
	textColumn
	ratingColumn
	numNamed // the uses before it are found by names alone; the others have rules of their own
)

const (
	timeColumn = numNamed + iota
	agentColumn
	customerColumn
	numUses
)

// uses are the names that Options.Columns and the user know.
var uses = [numUses]string{"id", "turn", "speaker", "text", "rating", "time", "agent", "customer"}

// Uses lists the names of what a column of a table may hold, as in Options.Columns.
func Uses() []string { return slices.Clone(uses[:]) }

// header says which column holds what.
type header struct {
	delimiter   rune
	above       int // bytes of the lines above it
	names       []string
	place       [numUses]int    // of the column in a row; -1 where there is none
	date        int             // of the column with the date, where the time is in another; else -1
	other       []int           // the columns that are metadata
	isNameless  bool            // the first line is a row
	kinds       map[string]Role // who speaks by the values of the speaker's column, where these are not names
	notes       []int           // the columns that may tell notes between agents from messages
	decimals    bool            // a comma in a rating is the decimal sign, and does not part the ratings of several people
	transcripts bool            // the text is a whole conversation
	answer      int             // of the column with the answer, where a row is a question and its answer; else -1
	unread      []shape         // columns that are called times but cannot be read as such
}

// parseHeader reads the first record of a table, and reports whether it names a speaker and a text column.
func parseHeader(record string, delimiter rune) (header, bool) {
	h := header{delimiter: delimiter, date: -1, answer: -1}
	if delimiter == 0 {
		h.delimiter = ','
		for _, c := range ";\t" {
			if strings.Count(record, string(c)) > strings.Count(record, string(h.delimiter)) {
				h.delimiter = c
			}
		}
	}
	const mostColumns = 1000
	cells := strings.SplitN(record, string(h.delimiter), mostColumns)
	if strings.Contains(record, `"`) {
		in := csv.NewReader(strings.NewReader(record))
		in.Comma, in.LazyQuotes = h.delimiter, true
		if quoted, err := in.Read(); err == nil && len(quoted) <= mostColumns {
			cells = quoted
		}
	}
	for _, name := range cells {
		h.names = append(h.names, strings.Trim(name, " \t\r\n\""))
	}
	for use := range h.place {
		if h.place[use] = -1; use < numNamed {
			h.place[use] = usualColumn(h.names, uses[use])
		}
	}
	return h, h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0
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
		for line := range strings.Lines(head[:at]) {
			cells := strings.FieldsFunc(line, func(r rune) bool { return r == next.delimiter || r == '\r' || r == '\n' })
			isNamed = isNamed && len(cells) < filled
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
	if h, ok := parseHeader(first, 0); ok {
		return h, true
	}
	if name, stamped, ok := turnIn(first); ok && (stamped || f.who.knows(name)) || strings.TrimSpace(rest) == "" {
		return header{}, false
	}
	const most = 50 // records are looked at
	var best header
	for _, delimiter := range ",;\t|" {
		if !strings.ContainsRune(first, delimiter) {
			continue
		}
		in := csv.NewReader(strings.NewReader(head))
		in.Comma, in.LazyQuotes, in.FieldsPerRecord = delimiter, true, -1
		var records [][]string
		var err error
		for len(records) < most && err == nil {
			var cells []string
			if cells, err = in.Read(); err == nil {
				records = append(records, cells)
			}
		}
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
			best, _ = parseHeader(first, delimiter)
		}
	}
	return best, len(best.names) > 1
}

// isTurn reports whether the first cell of a line is the beginning of a turn, so that the line is none of a table.
func (f *file) isTurn(cell string) bool {
	if _, isTime := parseTime(cell); isTime || strings.Contains(strings.TrimSpace(cell), "\n") {
		return false
	}
	name, stamped, ok := turnIn(cell)
	return ok && (stamped || f.who.knows(name) || nameLike.MatchString(name) && strings.Contains(cell, ": "))
}

// isHeader reports whether the cells name a speaker and a text.
func isHeader(cells []string) bool {
	isSpeaker := func(name string) bool { return anyIn(nameWords(name), "who") }
	isText := func(name string) bool { return anyIn(nameWords(name), "said") }
	return slices.ContainsFunc(cells, isSpeaker) && slices.ContainsFunc(cells, isText)
}

// readTable reads the rows and yields them as dialogues.
func (f *file) readTable(head []byte) error {
	text := strings.TrimLeft(string(head), " \t\r\n")
	if text == "" {
		return nil
	}
	h, ok := f.tableIn(text)
	if !ok {
		first, _, _ := strings.Cut(text, "\n")
		h, _ = parseHeader(first, 0)
	}
	g := rows{file: f, spool: spool{open: f.opt.Scratch}}
	title := string(head[:len(head)-len(text)+h.above])
	if _, err := f.in.Discard(len(title)); err != nil {
		return err
	}
	if lines := len(strings.FieldsFunc(title, func(r rune) bool { return r == '\n' || r == '\r' })); lines > 0 && !strings.HasPrefix(text, "sep=") {
		if err := f.note(counted(lines, "line") + " above the header left out"); err != nil {
			return err
		}
	}
	in := newRecords(f, h.delimiter)
	in.above = strings.Count(title, "\n")
	if f.cells != nil {
		return f.readCells(&h, in)
	}
	if _, _, err := in.next(); err != nil {
		return err
	}
	if err := g.put(in.seen.Bytes(), 1+in.above); err != nil {
		return err
	}
	var sample [][]string
	var stream error
	const most, mostBytes = 2000, 8 << 20 // of the sample
	for stream == nil {
		cells, line, err := in.next()
		if stream = err; err != nil {
			break
		}
		isHeader := slices.Equal(cells, h.names) // of another table below the first
		if len(cells) == len(h.names) && !isHeader && len(sample) < most && g.spool.size < mostBytes {
			sample = append(sample, slices.Clone(cells))
		}
		if err := g.put(in.seen.Bytes(), line); err != nil {
			return err
		}
	}
	again := newRecords(f, h.delimiter)
	g.again = func(raw []byte, line int) row {
		cells, lazy, bad := again.parse(raw)
		return h.row(cells, lazy, bad, line)
	}
	if msg, hint := h.settle(f, sample); msg != "" {
		return f.wrong(msg, hint)
	}
	if !h.isNameless {
		g.list = g.list[1:]
	}
	if g.told = h.told(f); h.answer >= 0 {
		g.unit = "exchange"
	}
	if len(h.unread) > 0 {
		err := f.note("no times can be read in " + described(h.unread) + ", so the turns are in the order of the file")
		if err != nil {
			return err
		}
	}
	if err := f.readRows(&g, &h, stream != io.EOF); err != nil {
		return err
	}
	if stream == io.EOF {
		return nil
	}
	return stream
}

// Cells is a row of a table.
type Cells struct {
	Names []string // of the columns
	Cells []string // as many; nil for the header
	Line  int
}

// ReadCells yields the rows of a table of any kind, in any form in which Read takes tables. The first error is the last
// thing that is yielded.
func ReadCells(r io.Reader, name string) iter.Seq2[Cells, error] {
	return func(yield func(Cells, error) bool) {
		f := &file{name: name, opt: Options{Format: Table}}
		f.most = f.opt.limits()
		f.cells = func(c Cells) bool { return yield(c, nil) }
		f.yield = func(_ Sample, err error) bool { return yield(Cells{}, err) && false }
		f.run(r)
	}
}

// readCells hands the rows of a table to f.cells.
func (f *file) readCells(h *header, in *records) error {
	_, line, err := in.next()
	if f.position++; err != nil || !f.cells(Cells{h.names, nil, line}) {
		return cmp.Or(err, errStopped)
	}
	again := newRecords(f, h.delimiter)
	for {
		_, line, err := in.next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		cells, lazy, bad := again.parse(in.seen.Bytes())
		if r := h.row(cells, lazy, bad, line); r.err != nil {
			r.err.File = f.name
			f.emit(Sample{}, r.err)
			return errStopped
		} else if bad != nil {
			cells = lazy
		}
		if !f.cells(Cells{h.names, cells, line}) {
			return errStopped
		}
	}
}

// readRows yields the rows that were put aside.
func (f *file) readRows(g *rows, h *header, cut bool) error {
	if h.transcripts {
		if len(g.told) > 0 {
			err := f.note(strings.Join(g.told, ", ") + ": one dialogue per row, " + counted(len(g.list), "dialogue"))
			if err != nil {
				return err
			}
		}
		if cut && len(g.list) > 0 {
			g.list = g.list[:len(g.list)-1]
		}
		for _, held := range g.list {
			raw, err := g.spool.piece(held.at, int(held.size))
			if err == nil {
				err = f.transcript(g.again(raw, int(held.line)))
			}
			if err != nil {
				return err
			}
		}
		g.spool.close()
		return nil
	}
	all := g.list
	g.list = g.list[:0]
	for _, held := range all {
		raw, err := g.spool.piece(held.at, int(held.size))
		if err != nil {
			return err
		}
		r := g.again(raw, int(held.line))
		isHeader := h.answer < 0 && r.name == h.names[h.place[speakerColumn]] && r.text == h.names[h.place[textColumn]]
		if isHeader || r.name == "" && r.text == "" && r.err == nil { // such as the sums below a table, or a second one
			continue
		}
		g.list = append(g.list, held)
		g.index(len(g.list)-1, &r)
	}
	if n := len(all) - len(g.list); n > 0 && f.opt.Note != nil {
		f.opt.Note(f.name + ": left out: " + counted(n, "row") + " that holds no turn")
	}
	return g.finish(cut)
}

// records reads the records of a table, and can read one of them again.
type records struct {
	h     rune
	feed  *feed
	above int          // lines before the first record
	seen  bytes.Buffer // the text of the record
	csv   *csv.Reader
	one   *csv.Reader // reads what again holds
	text  bytes.Reader
}

func newRecords(f *file, delimiter rune) *records {
	feed := f.feed()
	in := &records{h: delimiter, feed: &feed}
	in.csv = csv.NewReader(io.TeeReader(in.feed, &in.seen))
	in.csv.Comma, in.csv.FieldsPerRecord, in.csv.ReuseRecord = delimiter, -1, true
	return in
}

// next moves to the next record. Its text is in seen, whether or not it can be read.
func (in *records) next() (cells []string, line int, err error) {
	in.feed.left = in.feed.most
	in.seen.Reset()
	cells, err = in.csv.Read()
	if broken := (*csv.ParseError)(nil); errors.As(err, &broken) {
		line, err = broken.StartLine, nil
	} else if err == nil {
		line, _ = in.csv.FieldPos(0)
	}
	if in.feed.err != nil {
		err = in.feed.err
	}
	return cells, line + in.above, err
}

// parse reads one record. A quote that is out of place, as in 15" screen, is read as it is if the record has then the
// right number of cells, which the caller must see to.
func (in *records) parse(raw []byte) (cells []string, lazy []string, bad error) {
	in.text.Reset(raw)
	if in.one == nil {
		in.one = csv.NewReader(&in.text)
		in.one.Comma, in.one.FieldsPerRecord = in.h, -1
	}
	cells, err := in.one.Read()
	if broken := (*csv.ParseError)(nil); errors.As(err, &broken) {
		in.one = nil
		if errors.Is(err, csv.ErrBareQuote) {
			again := csv.NewReader(bytes.NewReader(raw))
			again.Comma, again.LazyQuotes = in.h, true
			lazy, _ = again.Read()
		}
		return cells, lazy, broken.Err
	}
	return cells, nil, nil
}

// row gives the row with these cells, of which some may be missing.
func (h *header) row(cells, lazy []string, bad error, line int) row {
	if bad != nil && len(lazy) == len(h.names) {
		cells, bad = lazy, nil
	}
	cell := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return strings.TrimSpace(cells[i])
	}
	r := row{line: line, id: cell(h.place[idColumn]), name: cell(h.place[speakerColumn])}
	r.role = h.kinds[r.name]
	for _, i := range h.notes {
		is, isFlag := isTrue(cell(i))
		r.isNote = r.isNote || anyIn([]string{foldColumn(cell(i))}, "note") ||
			isFlag && is != (foldColumn(h.names[i]) == "public") && anyIn(nameWords(h.names[i]), "aside")
	}
	if r.text = cell(h.place[textColumn]); strings.HasPrefix(r.text, "<") && blockTag.MatchString(r.text) && !h.transcripts {
		r.text = htmlText(r.text)
	}
	if h.answer >= 0 {
		r.name, r.answer, r.isPair = "user", cell(h.answer), true
	}
	r.rating, r.time = cell(h.place[ratingColumn]), cell(h.place[timeColumn])
	if h.date >= 0 && r.time != "" {
		r.time = cell(h.date) + " " + r.time
	}
	if whole, part, ok := strings.Cut(r.rating, ","); ok && h.decimals && strings.Trim(whole+part, "0123456789") == "" {
		r.rating = whole + "." + part
	}
	r.agent, r.customer = people(cell(h.place[agentColumn])), people(cell(h.place[customerColumn]))
	var err error
	if r.turn, err = strconv.ParseFloat(cell(h.place[turnColumn]), 64); err != nil {
		r.turn = math.NaN()
	}
	for _, i := range h.other {
		r.meta = append(r.meta, Field{h.names[i], cell(i)})
	}
	if bad != nil {
		r.err = &SyntaxError{Line: line, Msg: bad.Error(),
			Hint: `put texts with quotes into quotes and double each one inside, as in "the ""big"" one"`}
	} else if len(cells) != len(h.names) {
		r.err = &SyntaxError{Line: line, Msg: fmt.Sprintf("%d fields where the header names %d", len(cells), len(h.names)),
			Hint: fmt.Sprintf("put texts that hold %q into double quotes", string(h.delimiter))}
	}
	return r
}

// asked takes the columns that the user names. It tells what is wrong with them.
func (h *header) asked(columns map[string]string) (msg, hint string) {
	for _, use := range slices.Sorted(maps.Keys(columns)) {
		name := columns[use]
		n := slices.Index(uses[:], use)
		i := slices.Index(h.names, name)
		if i < 0 {
			i = slices.IndexFunc(h.names, func(s string) bool { return foldColumn(s) == foldColumn(name) })
		}
		switch {
		case n < 0:
			return "no column can hold " + quote(use), "want one of " + strings.Join(uses[:], ", ")
		case i < 0 && name != NoColumn:
			return fmt.Sprintf("there is no column %s", quote(name)), "the columns are " + quoted(h.names)
		}
		h.place[n] = i
	}
	return "", ""
}

// quoted lists names, the first of many.
func quoted(names []string) string {
	const most = 20
	var list []string
	for _, name := range names[:min(len(names), most)] {
		list = append(list, quote(name))
	}
	if len(names) > most {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}
