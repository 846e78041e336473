package importer

import (
	"io"
	"iter"
	"math"
	"slices"

	"assize/rubric/dialogue"
)

// A table has one row per turn, or one per dialogue with the whole transcript in a cell, and a
// header that names its columns, in any order, separated by commas, semicolons, tabs or bars. See
// columns.go for how the columns are identified. An empty id means the same conversation as above.
// Columns that the reader does not use are metadata.

// readTable reads the rows and yields them as dialogues.
func readTable(f *file, head []byte) {
	if blank(head) {
		return
	}
	h, in := openTable(f, head)
	first, err := in.next()
	if err != nil {
		f.fail(err)
		return
	}
	if l := layoutOfRow(f, &h, in.peek()); l != nil {
		readRecords(f, l, &h, in.next)
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

// layoutOfRow returns the layout of a table whose rows are records of a log: its columns have
// dotted names, or are the members of such a record, at least one of which holds JSON. It returns
// nil for any other table.
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

// readRecords reads a table whose rows are records of a log.
func readRecords(f *file, l *layout, h *header, next func() (record, error)) {
	r := newJSONReader(f)
	r.use(l)
	for f.err == nil {
		rec, err := next()
		if err != nil {
			f.leftOut(r.empty, "row", " in which nobody says anything")
			r.finish(err != io.EOF)
			f.fail(err)
			return
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
}

// cells is a row of a table.
type cells struct {
	Names []string // of the columns
	Cells []string // of the same length as Names; nil for the header
	Line  int
}

// ReadCells yields the rows of a table in any of the forms that Read accepts. An error is the last
// element.
func ReadCells(r io.Reader, name string) iter.Seq2[cells, error] {
	return func(yield func(cells, error) bool) {
		f := &file{name: name, opt: Options{Format: table}}
		f.most = f.opt.limits()
		f.isSheet = func(cells []string) bool {
			return FindColumn(cells, "id") >= 0 && FindColumn(cells, "rating") >= 0
		}
		f.yield = func(_ dialogue.Sample, err error) bool { return yield(cells{}, err) && false }
		run(f, r, func(f *file, head []byte) {
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
		})
	}
}
