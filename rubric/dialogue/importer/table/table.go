// Package table reads tables: CSV and the like, sheets of workbooks, and rows of JSON.
//
//	Is a text a table, and where is its header?              header.go: HeaderIn
//	What are the values of a column like?                    header.go: shape
//	Which column holds the speaker, the text, the time?      find.go: rules; columns.go: settle
//	Which column tells conversations apart, or versions?     find.go: settleID, settleVersions
//	Which columns hold turns of both sides?                  columns.go: settleWide, settlePair
//	What does a row say?                                     table.go: Row, ReadRows
//	Which list of JSON is like a table?                      columns.go: TurnLists
//	What is in a workbook?                                   workbook.go: OpenSheet
//
// A table has one row per turn, or one per dialogue with the whole transcript in a cell, and a
// header that names its columns, between commas, semicolons, tabs or bars. Dialogues are separated
// by the conversation's id; an empty id means the same conversation as above. The rows of a
// conversation may be scattered and in any order: they are sorted by their numbers or, without
// numbers, by their times. Without an id, messages that refer to the messages they answer form a
// dialogue with them. If several rows have the same message id, the newest version counts. Columns
// that the reader does not use are metadata.
package table

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/formats"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// Read reads the rows and yields them as dialogues, unless asRecords reads them.
func Read(f *stream.File, head []byte, asRecords func(*stream.File, *Header, Record, Next) bool) {
	if stream.Blank(head) {
		return
	}
	h, in := openTable(f, head)
	first, err := in.next()
	if err != nil {
		f.Fail(err)
		return
	}
	second, end := in.next()
	in.ahead = func() (Record, error) { return second, end }
	if asRecords(f, &h, second, in.next) {
		return
	}
	next, msg, hint := h.Identify(f, []Record{first}, MaxSampled, in.next)
	if msg != "" {
		f.Wrong(msg, hint)
		return
	}
	if !h.IsNameless {
		next()
	}
	ReadRows(f, &h, next)
}

// Cells is a row of a table.
type Cells struct {
	Names []string // of the columns
	Cells []string // of the same length as Names; nil for the header
	Line  int
	Row   int // as a spreadsheet numbers it: a cell may have several lines
}

// ReadCells yields the rows of a table, after its header.
func ReadCells(f *stream.File, head []byte, yield func(Cells, error) bool) {
	if stream.Blank(head) {
		return
	}
	h, in := openTable(f, head)
	row, last, breaks := 0, 0, 0 // of the record before
	for f.Err == nil {
		rec, err := in.next()
		if err != nil {
			f.Fail(err)
			return
		}
		row += max(rec.Line-last-breaks, 1) // empty lines are rows, too
		last, breaks = rec.Line, strings.Count(strings.Join(rec.Cells, ""), "\n")
		cells := Cells{h.Names, rec.Cells, rec.Line, row}
		if f.Position == 0 {
			f.Position, cells.Cells = 1, nil // the header
		} else if r := h.Row(rec); r.Err != nil {
			r.Err.File = f.Name
			f.Emit(dialogue.Sample{}, r.Err)
			return
		}
		if !yield(cells, nil) {
			f.Fail(stream.ErrStopped)
		}
	}
}

// Identify identifies the columns from list and the next records, up to most in total. It returns a
// function that reads all of them or, if the table cannot be read, the reason and a hint.
func (h *Header) Identify(f *stream.File, list []Record, most int, next Next) (
	all Next, msg, hint string) {
	var sample [][]string
	var parts []int
	var err error
	for size := 0; len(sample) < most && size < MaxBytes; {
		var r Record
		if r, err = next(); err != nil {
			break
		}
		list = append(list, r)
		for _, cell := range r.Cells {
			size += len(cell) + 1
		}
		// A record like the header belongs to another table below the first.
		if len(r.Cells) == len(h.Names) && !slices.Equal(r.Cells, h.Names) {
			sample, parts = append(sample, r.Cells), append(parts, r.part)
		}
	}
	h.place = usualPlaces(h.Names)
	msg, hint = h.settle(f, sample, parts)
	return func() (r Record, e error) {
		if len(list) > 0 {
			r, list = list[0], list[1:]
			return r, nil
		} else if err == nil {
			r, err = next()
		}
		return r, err
	}, msg, hint
}

// ReadRows yields the dialogues of a table, whose rows are turns, exchanges or whole dialogues.
func ReadRows(f *stream.File, h *Header, next Next) {
	if len(h.unread) > 0 {
		f.Note(lex.Text("no-times", described(h.unread)))
	}
	f.Note(h.ratingGuess)
	isOrdered := h.place[timeColumn] >= 0 || h.place[turnColumn] >= 0
	g := stream.Rows{File: f, Grouping: h.Grouping, Guesses: h.guesses(f),
		AreCopies: isOrdered && h.place[messageColumn] < 0}
	if h.transcripts && len(g.Guesses) > 0 {
		f.Note(strings.Join(g.Guesses, ", ") + ": one dialogue per row")
	}
	for f.Err == nil {
		rec, err := next()
		if err != nil { // a dialogue cut off by an error of the stream is dropped
			g.Finish(err != io.EOF)
			f.Fail(err)
			return
		}
		r := h.Row(rec)
		isLeftOut := func(c condition) bool { return rec.Err == nil && !c.isMet(rec.Cells) }
		if slices.ContainsFunc(h.where, isLeftOut) {
			f.Omissions.Add("excluded", "")
			continue
		}
		switch {
		case h.transcripts && len(h.wide) > 0:
			stream.Assemble(f, []stream.Part{*r}, true)
			continue
		case h.transcripts:
			for _, s := range h.replies {
				if s.at < len(rec.Cells) {
					r.Reply = strings.TrimSpace(rec.Cells[s.at])
				}
			}
			formats.ReadTranscript(f, r)
			continue
		}
		if rec.Raw != nil && !h.Pairs && !r.Messages[0].IsNote {
			o := lex.Members(rec.Raw)
			if r.Messages = formats.WithTools(r, r.Messages[0], o); len(r.Messages) == 1 &&
				r.Messages[0].Text == "" {
				if r.Messages[0].Name == "" {
					f.Omissions.Add("turnless", "")
				} else {
					f.Miss(f.Who.Side(&r.Messages[0]), 1, rec.Line)
				}
				f.Omissions.LookElsewhere(o)
				continue
			}
		}
		isOther := func(s stream.Message) bool { // the sums below a table, or a second header
			return s.Name == "" && s.Text == "" && r.Err == nil || !h.Pairs &&
				s.Name == h.Names[h.place[speakerColumn]] && s.Text == h.Names[h.place[textColumn]]
		}
		if !h.Pairs && len(r.Messages) == 1 && isEvent(f, &r.Messages[0]) {
			r.Messages[0].IsNote = true
		}
		switch {
		case len(r.Messages) == 0, isOther(r.Messages[0]):
			f.Omissions.Add("turnless", "")
			continue
		case r.Messages[0].IsNote:
			f.Omissions.Add("note", "")
		}
		if h.byBlank {
			r.ID = strconv.Itoa(rec.part + 1)
		}
		if g.AreCopies {
			r.Version = stream.NewVersion(strings.Join(rec.Cells, "\x00")+string(rec.Raw), "")
		}
		g.Put(r)
	}
}

// isEvent reports whether a message without a speaker, or of the software, only says that something
// happened, as in "Agent joined". The user may say that the software is the SYSTEM. What else a
// speaker called system reports may be an answer, unless a SYSTEM speaks, too; see settleSides.
func isEvent(f *stream.File, s *stream.Message) bool {
	folded := lex.FoldName(s.Name)
	_, isMapped := f.Who.Roles[folded]
	role, isKnown := f.Who.Role(s.Name)
	isNobody := folded == "" || isKnown && role == dialogue.Other
	return !isMapped && (isNobody && lex.Match("row-event", s.Text) ||
		folded == "system" && lex.Match("software-event", s.Text))
}

// Row returns the row of a record, some of whose cells may be missing.
func (h *Header) Row(rec Record) *stream.Part {
	cells, line := rec.Cells, rec.Line
	cell := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return strings.TrimSpace(cells[i])
	}
	r := &stream.Part{Line: line, ID: lex.PlainID(cell(h.place[idColumn]))}
	s := stream.Message{Name: cell(h.place[speakerColumn]), Text: cell(h.place[textColumn]),
		Time: cell(h.place[timeColumn]), Person: cell(h.place[nameColumn])}
	s.Role = h.kinds[s.Name]
	if s.IsKnown = s.Role != dialogue.Other; s.IsKnown {
		s.Person = cmp.Or(s.Person, s.Role.String()) // a kind of row names nobody
	}
	for i, hasEvents := range h.notes {
		s.IsNote = s.IsNote || lex.IsNote(h.Names[i], cell(i), hasEvents)
	}
	if !h.transcripts {
		s.Text = lex.WithoutTags(s.Text)
	}
	if h.place[dateColumn] >= 0 && s.Time != "" {
		s.Time = cell(h.place[dateColumn]) + " " + s.Time
	}
	if r.Messages = []stream.Message{s}; len(h.wide) > 0 {
		r.Messages = h.turns(cell, s.Time)
	}
	r.Rating = cell(h.place[ratingColumn])
	if whole, part, ok := strings.Cut(r.Rating, ","); ok && h.decimals &&
		strings.Trim(whole+part, "0123456789") == "" {
		r.Rating = whole + "." + part
	}
	if h.place[threadColumn] >= 0 {
		r.Link.Message = lex.PlainID(cell(h.place[threadColumn]))
		if h.ByThread {
			r.ID = r.Link.Message
		}
		for _, s := range h.links {
			r.Link.Others = append(r.Link.Others, stream.Linked(cell(s.at))...)
		}
	}
	if h.place[messageColumn] >= 0 {
		r.Version = stream.NewVersion(cell(h.place[messageColumn]), cell(h.place[versionColumn]))
	}
	r.Agent = stream.People(cell(h.place[agentColumn]))
	r.Customer = stream.People(cell(h.place[customerColumn]))
	var err error
	if r.Turn, err = strconv.ParseFloat(cell(h.place[turnColumn]), 64); err != nil {
		r.Turn = math.NaN()
	}
	for _, use := range h.serving {
		r.Meta = append(r.Meta, dialogue.Field{Name: Uses[use], Value: cell(h.place[use])})
	}
	for _, i := range h.other {
		r.Meta = append(r.Meta, dialogue.Field{Name: h.Names[i], Value: cell(i)})
	}
	switch r.Err = rec.Err; {
	case r.Err != nil || len(cells) == len(h.Names):
	case len(cells) > maxColumns && len(h.Names) == maxColumns:
		r.Wrong(lex.Problem("columns-most", len(cells), maxColumns))
	case strings.Contains(strings.Join(cells, ""), "\r"): // the reader leaves one inside a line
		r.Wrong(lex.Problem("broken-lines", len(cells), len(h.Names)))
	default:
		r.Wrong(lex.Problem("fields", len(cells), len(h.Names), strconv.Quote(string(h.delimiter))))
	}
	return r
}

// Record is a row of a table.
type Record struct {
	Cells []string
	Line  int
	part  int                 // number of blank rows above it; consecutive ones count once
	Err   *stream.SyntaxError // what is wrong with it
	Raw   jsontext.Value      // the row, if it is JSON; valid until the next one is read
}

// Next returns the next record; the error is io.EOF after the last.
type Next func() (Record, error)

// records reads the records of a table.
type records struct {
	feed  *stream.Feed
	width int          // of the header
	above int          // lines before the first record
	part  int          // number of blank rows so far; consecutive ones count once
	empty bool         // the last row was blank
	seen  bytes.Buffer // the text of the record
	csv   *csv.Reader
	ahead Next // returns a record that was read already; else nil
}

// next reads the next record that is not blank.
func (in *records) next() (r Record, err error) {
	if ahead := in.ahead; ahead != nil {
		in.ahead = nil
		return ahead()
	}
	for {
		r, err = in.read()
		// A row of dashes is part of a table in Markdown.
		isFilled := func(cell string) bool { return strings.Trim(cell, " \t\r\n:-") != "" }
		isBlank := err == nil && r.Err == nil && !slices.ContainsFunc(r.Cells, isFilled)
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
func (in *records) read() (r Record, err error) {
	in.feed.Left = in.feed.Max
	in.seen.Reset()
	r.Cells, err = in.csv.Read()
	if broken := (*csv.ParseError)(nil); errors.As(err, &broken) {
		r.Line, err = broken.StartLine+in.above, nil
		again := csv.NewReader(bytes.NewReader(in.seen.Bytes()))
		again.Comma, again.LazyQuotes = in.csv.Comma, true
		if lazy, _ := again.Read(); errors.Is(broken, csv.ErrBareQuote) && len(lazy) == in.width {
			r.Cells = lazy
		} else {
			r.Err = &stream.SyntaxError{Line: r.Line, Msg: broken.Err.Error(),
				Hint: `put texts with quotes into quotes and double each one inside, as in "the ` +
					`""big"" one"`}
		}
	} else if err == nil {
		r.Line, _ = in.csv.FieldPos(0)
		r.Line += in.above
	}
	return r, cmp.Or(in.feed.Err, err)
}

// openTable finds the header of a table, and returns it with the records from it on.
func openTable(f *stream.File, head []byte) (h Header, in *records) {
	text := strings.TrimLeft(string(head), " \t\r\n")
	h, ok := HeaderIn(f, text)
	if !ok {
		first, _, _ := strings.Cut(text, "\n")
		often := func(a, b rune) int {
			return strings.Count(first, string(a)) - strings.Count(first, string(b))
		}
		delimiter := slices.MaxFunc([]rune(",;\t"), often)
		h = NewHeader(strings.Split(first, string(delimiter)), delimiter)
	}
	title := string(head[:len(head)-len(text)+h.above])
	f.In.Discard(len(title)) // already read from head
	isEnd := func(r rune) bool { return r == '\n' || r == '\r' }
	lines := len(strings.FieldsFunc(title, isEnd))
	if lines > 0 && !strings.HasPrefix(text, "sep=") {
		f.Note(lex.Counted(lines, "line") + " above the header left out")
	}
	in = &records{feed: stream.NewFeed(f), width: len(h.Names), above: strings.Count(title, "\n")}
	in.csv = csv.NewReader(io.TeeReader(in.feed, &in.seen))
	in.csv.Comma, in.csv.FieldsPerRecord = h.delimiter, -1
	return h, in
}
