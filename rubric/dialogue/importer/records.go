package importer

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

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
	ahead func() (record, error) // the record that peek has read; else nil
}

func newRecords(f *file, delimiter rune, width int) *records {
	feed := newFeed(f)
	in := &records{feed: &feed, width: width}
	in.csv = csv.NewReader(io.TeeReader(in.feed, &in.seen))
	in.csv.Comma, in.csv.FieldsPerRecord = delimiter, -1
	return in
}

// peek returns the next record, or none at the end, and leaves it to be read.
func (in *records) peek() record {
	r, err := in.next()
	in.ahead = func() (record, error) { return r, err }
	return r
}

// next reads the next record that is not blank.
func (in *records) next() (r record, err error) {
	if ahead := in.ahead; ahead != nil {
		in.ahead = nil
		return ahead()
	}
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
				Hint: `put texts with quotes into quotes and double each one inside, as in "the ` +
					`""big"" one"`}
		}
	} else if err == nil {
		r.line, _ = in.csv.FieldPos(0)
		r.line += in.above
	}
	return r, cmp.Or(in.feed.err, err)
}
