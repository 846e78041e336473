package importer

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// A table has one row per turn, or one per dialogue with the whole transcript in a cell, and a
// header that names its columns, between commas, semicolons, tabs or bars; see columns.go. An empty
// id means the same conversation as above. Columns that the reader does not use are metadata.

// readTable reads the rows and yields them as dialogues, unless asRecords reads them.
func readTable(f *file, head []byte, asRecords func(
	f *file, h *header, first record, next func() (record, error)) bool,
) {
	if blank(head) {
		return
	}
	h, in := openTable(f, head)
	first, err := in.next()
	if err != nil {
		f.fail(err)
		return
	}
	second, end := in.next()
	in.ahead = func() (record, error) { return second, end }
	if asRecords(f, &h, second, in.next) {
		return
	}
	next, msg, hint := h.settleBy(f, []record{first}, maxSampled, in.next)
	if msg != "" {
		f.wrong(msg, hint)
		return
	}
	if !h.isNameless {
		next()
	}
	readRows(f, &h, next)
}

// layoutOfRow returns the layout of a table whose rows are records of a log, or nil: its columns
// have dotted names, or are the members of such a record, at least one of which holds JSON.
func layoutOfRow(f *file, h *header, first record) *layout {
	raw := valueOf(h.names, first.cells)
	if len(f.opt.Columns) > 0 || len(first.cells) != len(h.names) {
		return nil
	}
	if l := dottedLayout(raw); l != nil {
		return l
	}
	if l, _ := layoutOf(raw); l != nil && l.Log && slices.ContainsFunc(first.cells, isData) {
		return l
	}
	return nil
}

// readRecords reads a table whose rows are records of a log, and reports whether it is one.
func readRecords(
	f *file, h *header, first record, next func() (record, error),
) bool {
	l := layoutOfRow(f, h, first)
	if l == nil {
		return false
	}
	r := newJSONReader(f)
	r.use(l)
	for f.err == nil {
		rec, err := next()
		if err != nil {
			r.finish(err != io.EOF)
			f.fail(err)
			break
		}
		if slices.Equal(rec.cells, h.names) { // the header of another table below the first
			continue
		}
		if err := h.row(rec).Err; err != nil {
			r.take(&part{Line: rec.line, Turn: math.NaN(), Err: err})
			continue
		}
		for _, raw := range r.dialoguesIn(valueOf(h.names, rec.cells)) {
			r.take(r.readValue(raw, rec.line))
		}
	}
	return true
}

// cells is a row of a table.
type cells struct {
	Names []string // of the columns
	Cells []string // of the same length as Names; nil for the header
	Line  int
}

// ReadCells yields the rows of a table in any form that Read accepts. An error is the last element.
func ReadCells(r io.Reader, name string) iter.Seq2[cells, error] {
	return func(yield func(cells, error) bool) {
		f := &file{name: name, opt: Options{Format: table}}
		f.most = f.opt.limits()
		f.isSheet = func(cells []string) bool {
			return FindColumn(cells, "id") >= 0 && FindColumn(cells, "rating") >= 0
		}
		f.yield = func(_ dialogue.Sample, err error) bool { return yield(cells{}, err) && false }
		run(f, r, func(f *file, head []byte) { readCells(f, head, yield) })
	}
}

// readCells yields the rows of a table, after its header.
func readCells(f *file, head []byte, yield func(cells, error) bool) {
	if blank(head) {
		return
	}
	h, in := openTable(f, head)
	for f.err == nil {
		rec, err := in.next()
		if err != nil {
			f.fail(err)
			return
		}
		cells := cells{h.names, rec.cells, rec.line}
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
}

// The columns are identified from at most this many rows and bytes at the beginning of a table.
const maxSampled, maxBytes = 2000, 8 << 20

// settleBy identifies the columns from list and the next records, up to most in total. It returns a
// function that reads all of them or, if the table cannot be read, the reason and a hint.
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

// readRows yields the dialogues of a table, whose rows are turns, exchanges or whole dialogues.
func readRows(f *file, h *header, next func() (record, error)) {
	if len(h.unread) > 0 {
		f.note("no times can be read in " + described(h.unread) +
			", so the turns are in the order of the file")
	}
	f.note(h.ratingGuess)
	g := rows{file: f, guesses: h.guesses(f), merged: h.merged, pairs: h.pairs,
		byThread: h.byThread, isTree: h.isTree}
	if h.transcripts && len(g.guesses) > 0 {
		f.note(strings.Join(g.guesses, ", ") + ": one dialogue per row")
	}
	for f.err == nil {
		rec, err := next()
		if err != nil { // a dialogue cut off by an error of the stream is dropped
			g.finish(err != io.EOF)
			f.fail(err)
			return
		}
		r := h.row(rec)
		if i := h.place[whereColumn]; i >= 0 && (i >= len(rec.cells) ||
			!isOneOf(h.where, strings.TrimSpace(rec.cells[i]))) {
			f.omissions.add("excluded", "")
			continue
		}
		switch {
		case h.transcripts && len(h.wide) > 0:
			assemble(f, []part{*r}, true)
			continue
		case h.transcripts:
			for _, s := range h.replies {
				if s.at < len(rec.cells) {
					r.reply = strings.TrimSpace(rec.cells[s.at])
				}
			}
			readTranscript(f, r)
			continue
		}
		if rec.raw != nil && !h.pairs && !r.Messages[0].IsNote {
			o := members(rec.raw)
			if r.Messages = withTools(r, r.Messages[0], o); len(r.Messages) == 1 &&
				r.Messages[0].Text == "" {
				if r.Messages[0].Name == "" {
					f.omissions.add("turnless", "")
				} else {
					f.miss(f.who.side(&r.Messages[0]), 1, rec.line)
				}
				f.omissions.lookElsewhere(o)
				continue
			}
		}
		if len(r.Messages) == 0 { // neither a question nor an answer
			f.omissions.add("turnless", "")
			continue
		}
		s := &r.Messages[0]
		isHeader := !h.pairs && s.Name == h.names[h.place[speakerColumn]] &&
			s.Text == h.names[h.place[textColumn]]
		// The row is something else, such as the sums below a table, or a second table.
		if isHeader || s.Name == "" && s.Text == "" && r.Err == nil {
			f.omissions.add("turnless", "")
			continue
		}
		if s.IsNote {
			f.omissions.add("note", "")
		}
		if h.byBlank {
			r.ID = strconv.Itoa(rec.part + 1)
		}
		g.put(r)
	}
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
	r := &part{Line: line, ID: expr("point-zero").ReplaceAllString(cell(h.place[idColumn]), "$1")}
	s := message{Name: cell(h.place[speakerColumn]), Text: cell(h.place[textColumn]),
		Time: cell(h.place[timeColumn])}
	s.Role = h.kinds[s.Name]
	s.IsKnown = s.Role != dialogue.Other
	for _, i := range h.notes {
		s.IsNote = s.IsNote || isNote(h.names[i], cell(i), h.hasEvents)
	}
	if !h.transcripts {
		s.Text = withoutTags(s.Text)
	}
	if h.place[dateColumn] >= 0 && s.Time != "" {
		s.Time = cell(h.place[dateColumn]) + " " + s.Time
	}
	if r.Messages = []message{s}; len(h.wide) > 0 {
		r.Messages = h.turns(cell, s.Time)
	}
	r.Rating = cell(h.place[ratingColumn])
	if whole, part, ok := strings.Cut(r.Rating, ","); ok && h.decimals &&
		strings.Trim(whole+part, "0123456789") == "" {
		r.Rating = whole + "." + part
	}
	if h.place[threadColumn] >= 0 {
		r.link.message = expr("point-zero").ReplaceAllString(cell(h.place[threadColumn]), "$1")
		if h.byThread {
			r.ID = r.link.message
		}
		for _, s := range h.links {
			r.link.others = append(r.link.others, linked(cell(s.at))...)
		}
	}
	if h.place[messageColumn] >= 0 {
		r.version = newVersion(cell(h.place[messageColumn]), cell(h.place[versionColumn]))
	}
	r.Agent, r.Customer = people(cell(h.place[agentColumn])), people(cell(h.place[customerColumn]))
	var err error
	if r.Turn, err = strconv.ParseFloat(cell(h.place[turnColumn]), 64); err != nil {
		r.Turn = math.NaN()
	}
	for _, use := range h.serving {
		r.Meta = append(r.Meta, dialogue.Field{Name: uses[use], Value: cell(h.place[use])})
	}
	for _, i := range h.other {
		r.Meta = append(r.Meta, dialogue.Field{Name: h.names[i], Value: cell(i)})
	}
	if r.Err = rec.err; r.Err == nil && len(cells) != len(h.names) {
		r.Err = &SyntaxError{Line: line,
			Msg:  fmt.Sprintf("%d fields where the header names %d", len(cells), len(h.names)),
			Hint: fmt.Sprintf("put texts that hold %q into double quotes", string(h.delimiter))}
	}
	return r
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
	ahead func() (record, error) // a record that was read already; else nil
}

// next reads the next record that is not blank.
func (in *records) next() (r record, err error) {
	if ahead := in.ahead; ahead != nil {
		in.ahead = nil
		return ahead()
	}
	for {
		r, err = in.read()
		// A row of dashes is part of a table in Markdown.
		isFilled := func(cell string) bool { return strings.Trim(cell, " \t\r\n:-") != "" }
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
				Hint: `put texts with quotes into quotes and double each one inside, as in "the ` +
					`""big"" one"`}
		}
	} else if err == nil {
		r.line, _ = in.csv.FieldPos(0)
		r.line += in.above
	}
	return r, cmp.Or(in.feed.err, err)
}
