package importer

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

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// A table has one row per turn, or one per dialogue with the whole transcript in a cell, and a
// header that names its columns, in any order, separated by commas, semicolons, tabs or bars. See
// columns.go for how the columns are identified. An empty id means the same conversation as above.
// Columns that the reader does not use are metadata.

// Uses of a column.
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

// uses lists the names of the uses in Options.Columns and in messages.
var uses = [numUses]string{"id", "turn", "speaker", "text", "rating", "time", "agent", "customer"}

// Uses returns the names of the uses that a column of a table may have, as in Options.Columns.
func Uses() []string { return slices.Clone(uses[:]) }

// header describes the columns of a table.
type header struct {
	delimiter  rune
	above      int // bytes of the lines above it
	names      []string
	place      [numUses]int // index of the column for each use; -1 if none
	date       int          // index of the column with the date, if the time is in another; else -1
	other      []int        // the columns that are metadata
	isNameless bool         // the first line is a row
	// kinds holds the roles by the values of the speaker's column, if these are not names.
	kinds     map[string]dialogue.Role
	notes     []int // the columns that may distinguish notes between agents from messages
	hasEvents bool  // those columns also mark events
	// decimals means that a comma in a rating is the decimal sign, and does not separate the
	// ratings of several people.
	decimals    bool
	transcripts bool         // the text is a whole conversation
	wide        []wideColumn // the turns in a row: a whole dialogue, or a question and its answer
	pairs       bool         // a row is a question and its answer
	// replies lists the columns with the answer to a conversation that ends with the USER.
	replies    []int
	byBlank    bool   // blank rows separate the conversations
	merged     bool   // only the first row of a conversation has the id
	toldRating string // how ratings with a comma are read
	// message is the index of the column with the id of a message that may come in several
	// versions; else -1.
	message int
	version int // index of the column that orders these versions
	// thread is the index of the column with the id of a message, if messages form threads; else
	// -1.
	thread int
	links  []int   // the columns with the ids of the messages that it answers
	unread []shape // columns that are named like times but cannot be parsed as such
}

// The columns are identified from at most this many rows and bytes at the beginning of a table.
const maxSampled, maxBytes = 2000, 8 << 20

// openTable finds the header of a table, and returns it with the records from it on.
func (f *file) openTable(head []byte) (h header, in *records) {
	text := strings.TrimLeft(string(head), " \t\r\n")
	h, ok := f.tableIn(text)
	if !ok {
		first, _, _ := strings.Cut(text, "\n")
		often := func(a, b rune) int { return strings.Count(first, string(a)) - strings.Count(first, string(b)) }
		delimiter := slices.MaxFunc([]rune(",;\t"), often)
		h = newHeader(strings.Split(first, string(delimiter)), delimiter)
	}
	title := string(head[:len(head)-len(text)+h.above])
	f.in.Discard(len(title)) // already read from head
	if lines := len(
		strings.FieldsFunc(title,
			func(r rune) bool { return r == '\n' || r == '\r' })); lines > 0 &&
		!strings.HasPrefix(text, "sep=") {
		f.note(Counted(lines, "line") + " above the header left out")
	}
	in = newRecords(f, &h)
	in.above = strings.Count(title, "\n")
	return h, in
}

// readTable reads the rows and yields them as dialogues.
func (f *file) readTable(head []byte) {
	if blank(head) {
		return
	}
	h, in := f.openTable(head)
	first, err := in.next()
	if err != nil {
		f.fail(err)
		return
	}
	second, err := in.next()
	rest := again(second, err, in.next)
	if l := f.layoutOfRow(&h, second); l != nil {
		f.readRecords(l, &h, rest)
		return
	}
	next, msg, hint := h.settleBy(f, []record{first}, maxSampled, rest)
	if msg != "" {
		f.wrong(msg, hint)
		return
	}
	if !h.isNameless {
		next()
	}
	f.readRows(&h, next)
}

// settleBy identifies the columns from the first records, those in list and up to most in total,
// and returns a function that reads all of them. If the table cannot be read, it returns the reason
// and a hint.
func (h *header) settleBy(f *file, list []record, most int, next func() (record, error)) (
	all func() (record, error), msg, hint string) {
	var sample [][]string
	var parts []int
	var err error
	for size := 0; len(sample) < most && size < maxBytes; {
		var r record
		if r, err = next(); err != nil {
			break
		}
		list = append(list, r)
		for _, cell := range r.cells {
			size += len(cell) + 1
		}
		// A record like the header belongs to another table below the first.
		if len(r.cells) == len(h.names) && !slices.Equal(r.cells, h.names) {
			sample, parts = append(sample, r.cells), append(parts, r.part)
		}
	}
	msg, hint = h.settle(f, sample, parts)
	return func() (r record, e error) {
		if len(list) > 0 {
			r, list = list[0], list[1:]
			return r, nil
		} else if err == nil {
			r, err = next()
		}
		return r, err
	}, msg, hint
}

// readRows yields the dialogues of a table. A row is a turn, a question and its answer, or a whole
// dialogue.
func (f *file) readRows(h *header, next func() (record, error)) {
	if len(h.unread) > 0 {
		f.note("no times can be read in " + described(h.unread) +
			", so the turns are in the order of the file")
	}
	f.note(h.toldRating)
	g, left, notes := rows{file: f, told: h.told(f), merged: h.merged, pairs: h.pairs}, 0, 0
	if h.transcripts && len(g.told) > 0 {
		f.note(strings.Join(g.told, ", ") + ": one dialogue per row")
	}
	for f.err == nil {
		rec, err := next()
		if err != nil { // a dialogue cut off by an error of the stream is dropped
			f.leftOut(left, "row", " without a turn")
			f.leftOut(notes, "row", " of notes and events")
			g.finish(err != io.EOF)
			f.unsaid.tell(f)
			f.fail(err)
			return
		}
		r := h.row(rec)
		switch {
		case h.transcripts && len(h.wide) > 0:
			f.conversation([]part{*r}, true)
			continue
		case h.transcripts:
			for _, i := range h.replies {
				if i < len(rec.cells) {
					r.reply = strings.TrimSpace(rec.cells[i])
				}
			}
			f.transcript(r)
			continue
		}
		if rec.raw != nil && !h.pairs && !r.Said[0].IsNote {
			r.Said = withTools(r.Said[0], members(rec.raw))
		}
		s := &r.Said[0]
		isHeader := !h.pairs && s.Name == h.names[h.place[speakerColumn]] &&
			s.Text == h.names[h.place[textColumn]]
		// The row is something else, such as the sums below a table, or a second table.
		if isHeader || s.Name == "" && s.Text == "" && r.Err == nil {
			left++
			continue
		}
		if s.IsNote {
			notes++
		}
		if h.byBlank {
			r.ID = strconv.Itoa(rec.part + 1)
		}
		g.put(r)
	}
}

// Cells is a row of a table.
type Cells struct {
	Names []string // of the columns
	Cells []string // of the same length as Names; nil for the header
	Line  int
}

// ReadCells yields the rows of a table in any of the forms that Read accepts. An error is the last
// element.
func ReadCells(r io.Reader, name string) iter.Seq2[Cells, error] {
	return func(yield func(Cells, error) bool) {
		f := &file{name: name, opt: Options{Format: Table}}
		f.most = f.opt.limits()
		f.isSheet = func(cells []string) bool { return FindColumn(cells, "id") >= 0 && FindColumn(cells, "rating") >= 0 }
		f.yield = func(_ dialogue.Sample, err error) bool { return yield(Cells{}, err) && false }
		f.run(r, func(head []byte) {
			if blank(head) {
				return
			}
			h, in := f.openTable(head)
			for f.err == nil {
				rec, err := in.next()
				if err != nil {
					f.fail(err)
					return
				}
				cells := Cells{h.names, rec.cells, rec.line}
				if f.position == 0 {
					f.position, cells.Cells = 1, nil // the header
				} else if r := h.row(rec); r.Err != nil {
					r.Err.File = f.name
					f.emit(dialogue.Sample{}, r.Err)
					return
				}
				if !yield(cells, nil) {
					f.fail(errStopped)
				}
			}
		})
	}
}

// record is a row of a table.
type record struct {
	cells []string
	line  int
	part  int            // number of blank rows above it; consecutive ones count once
	err   *SyntaxError   // what is wrong with it
	raw   jsontext.Value // the row, if it is JSON; valid until the next one is read
}

// records reads the records of a table.
type records struct {
	feed  *feed
	width int          // of the header
	above int          // lines before the first record
	part  int          // number of blank rows so far; consecutive ones count once
	empty bool         // the last row was blank
	seen  bytes.Buffer // the text of the record
	csv   *csv.Reader
}

func newRecords(f *file, h *header) *records {
	feed := f.feed()
	in := &records{feed: &feed, width: len(h.names)}
	in.csv = csv.NewReader(io.TeeReader(in.feed, &in.seen))
	in.csv.Comma, in.csv.FieldsPerRecord = h.delimiter, -1
	return in
}

// next reads the next record that is not blank.
func (in *records) next() (r record, err error) {
	for {
		r, err = in.read()
		isFilled := func(cell string) bool { return strings.TrimSpace(cell) != "" }
		isBlank := err == nil && r.err == nil && !slices.ContainsFunc(r.cells, isFilled)
		if !in.empty &&
			(isBlank || bytes.HasPrefix(bytes.TrimLeft(in.seen.Bytes(), "\r"), []byte("\n"))) {
			in.part++
		}
		if in.empty, r.part = isBlank, in.part; !isBlank {
			return r, err
		}
	}
}

// read reads the next record. Its text is in seen, whether or not it can be parsed. A misplaced
// quote, as in 15" screen, is read literally if the record then has the right number of cells.
func (in *records) read() (r record, err error) {
	in.feed.left = in.feed.most
	in.seen.Reset()
	r.cells, err = in.csv.Read()
	if broken := (*csv.ParseError)(nil); errors.As(err, &broken) {
		r.line, err = broken.StartLine+in.above, nil
		again := csv.NewReader(bytes.NewReader(in.seen.Bytes()))
		again.Comma, again.LazyQuotes = in.csv.Comma, true
		if lazy, _ := again.Read(); errors.Is(broken, csv.ErrBareQuote) && len(lazy) == in.width {
			r.cells = lazy
		} else {
			r.err = &SyntaxError{Line: r.line, Msg: broken.Err.Error(),
				Hint: `put texts with quotes into quotes and double each one inside, as in "the ""big"" one"`}
		}
	} else if err == nil {
		r.line, _ = in.csv.FieldPos(0)
		r.line += in.above
	}
	return r, cmp.Or(in.feed.err, err)
}

// row returns the row of a record, some of whose cells may be missing.
func (h *header) row(rec record) *part {
	cells, line := rec.cells, rec.line
	cell := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return strings.TrimSpace(cells[i])
	}
	r := &part{Line: line, ID: pointZero().ReplaceAllString(cell(h.place[idColumn]), "$1")}
	s := utterance{Name: cell(h.place[speakerColumn]), Text: cell(h.place[textColumn]),
		Time: cell(h.place[timeColumn])}
	s.Role = h.kinds[s.Name]
	s.IsKnown = s.Role != dialogue.Other
	for _, i := range h.notes {
		is, isFlag := isTrue(cell(i))
		words, kind := nameWords(h.names[i]), nameWords(cell(i))
		s.IsNote = s.IsNote || anyIn([]string{foldColumn(cell(i))}, "note") ||
			isFlag && is != anyIn(words, "shown") && anyIn(words, "aside") ||
			h.hasEvents && anyIn(kind, "event") && !anyIn(kind, "said")
	}
	if strings.HasPrefix(s.Text, "<") && blockTag().MatchString(s.Text) && !h.transcripts {
		s.Text = htmlText(s.Text)
	}
	if h.date >= 0 && s.Time != "" {
		s.Time = cell(h.date) + " " + s.Time
	}
	if r.Said = []utterance{s}; len(h.wide) > 0 {
		r.Said = h.turns(cell, s.Time)
	}
	r.Rating = cell(h.place[ratingColumn])
	if whole, part, ok := strings.Cut(r.Rating, ","); ok && h.decimals &&
		strings.Trim(whole+part, "0123456789") == "" {
		r.Rating = whole + "." + part
	}
	if h.thread >= 0 {
		r.link.message = pointZero().ReplaceAllString(cell(h.thread), "$1")
		r.ID = r.link.message
		for _, i := range h.links {
			r.link.others = append(r.link.others, linked(cell(i))...)
		}
	}
	if h.message >= 0 {
		r.version = newVersion(cell(h.message), cell(h.version))
	}
	r.Agent, r.Customer = people(cell(h.place[agentColumn])), people(cell(h.place[customerColumn]))
	var err error
	if r.Turn, err = strconv.ParseFloat(cell(h.place[turnColumn]), 64); err != nil {
		r.Turn = math.NaN()
	}
	for _, i := range h.other {
		r.Meta = append(r.Meta, dialogue.Field{h.names[i], cell(i)})
	}
	if r.Err = rec.err; r.Err == nil && len(cells) != len(h.names) {
		r.Err = &SyntaxError{Line: line,
			Msg:  fmt.Sprintf("%d fields where the header names %d", len(cells), len(h.names)),
			Hint: fmt.Sprintf("put texts that hold %q into double quotes", string(h.delimiter))}
	}
	return r
}

// pointZero matches an id that a spreadsheet turned into a number: 101.0 for 101.
var pointZero = lazy(`^(\d+)\.0+$`)

// asked applies the columns that the user names. It returns an error message and a hint if they do
// not fit.
func (h *header) asked(columns map[string]string) (msg, hint string) {
	for _, use := range slices.Sorted(maps.Keys(columns)) {
		name := columns[use]
		n := slices.Index(uses[:], use)
		i := slices.Index(h.names, name)
		if i < 0 {
			i = slices.IndexFunc(h.names,
				func(s string) bool { return foldColumn(s) == foldColumn(name) })
		}
		switch {
		case n < 0:
			return "no column can hold " + quote(use), "want one of " + strings.Join(uses[:], ", ")
		case i < 0 && name != NoColumn:
			return fmt.Sprintf("there is no column %s", quote(name)),
				"the columns are " + quoted(h.names)
		}
		h.place[n] = i
	}
	return "", ""
}

// quoted lists names; if there are many, only the first.
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

// JSON of an unknown format whose values are objects without lists, such as the lines of an event
// log, is a table: each value is a row, and the names of its members are those of the columns.

// cellsIn adds the plain members of a value to cells, by name, and reports whether the value
// contains no list of objects.
func cellsIn(raw jsontext.Value, at string, names *[]string, cells map[string]string) bool {
	for _, m := range members(raw) {
		name := at + dialogue.Clean(m.name)
		switch {
		case at == "" && slices.Contains(besideWords, m.folded):
		case m.value.Kind() == '{':
			if !cellsIn(m.value, name+".", names, cells) {
				return false
			}
		default:
			for e := range elements(m.value) {
				if e.Kind() == '{' && members(e).get("type") == nil { // not a part of a text
					return false
				}
			}
			text, _ := wordsIn(m.value)
			if cells[name] = withoutEntities(text); !slices.Contains(*names, name) &&
				len(*names) < maxGathered {
				*names = append(*names, name)
			}
		}
	}
	return raw.Kind() == '{'
}

// readFlat reads a file as such a table, starting with its first value. If the file is not one, the
// values remain to be read.
func (f *file) readFlat(in *values, first jsontext.Value, line int) (is bool) {
	if msg, hint := rivalsIn(first); msg != "" {
		f.wrong(msg, hint)
		return true
	}
	h := header{delimiter: ',', date: -1, message: -1, version: -1, thread: -1}
	in.again = []value{{first, line, nil}}
	for size := 0; ; size += len(in.again[len(in.again)-1].raw) {
		v := in.again[len(in.again)-1]
		if v.err == nil && !cellsIn(v.raw, "", &h.names, map[string]string{}) {
			return false
		}
		if v.err != nil && !in.goesOn(v.err) || len(in.again) == maxSampled || size > maxBytes {
			break
		}
		raw, line, err := in.read()
		in.again = append(in.again, value{bytes.Clone(raw), line, err})
	}
	sampled, names := in.again, slices.Clone(h.names)
	h.place = usualPlaces(h.names)
	next, msg, hint := h.settleBy(f, nil, len(sampled), func() (record, error) {
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
		r.raw = raw
		for _, name := range names {
			r.cells = append(r.cells, by[name])
		}
		return r, nil
	})
	switch {
	case msg != "" && (len(h.wide) > 0 || h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0):
		f.wrong(msg, hint)
		return true
	case msg != "" || h.isNameless:
		in.again = sampled
		return false
	}
	f.format, h.names = Table, names
	f.readRows(&h, next)
	return true
}

// rivalsIn is like [finder.rivals] for the members of a value.
func rivalsIn(first jsontext.Value) (msg, hint string) {
	var names []string
	place := ""
	for _, m := range members(first) {
		isWords := m.value.Kind() == '[' || strings.Contains(plainText(m.value), " ")
		if !anyIn(nameWords(m.name), "rival") || !isWords {
			continue
		}
		if names = append(names, dialogue.Clean(m.name)); place != "" {
			continue
		}
		place = "text=" + names[0]
		for e := range elements(m.value) {
			t := &layoutNamed(OpenAI).Turns[0]
			who, said := t.Speaker.path(members(e)), t.Text.path(members(e))
			place = "speaker=" + names[0] + "[]." + who + ",text=" + names[0] + "[]." + said
			break
		}
	}
	if len(names) < 2 {
		return "", ""
	}
	return "the values have " + quoted(names) +
			", each with what the SYSTEM said, and only one can be judged",
		"name it with --columns " + place
}

// goesOn reports whether an error affects only one value, after which others can be read.
func (s *values) goesOn(err error) bool {
	return s.byLine && err != io.EOF && s.feed.err == nil && s.lines.err == nil
}
