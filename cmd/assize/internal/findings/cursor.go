package findings

import (
	"bytes"
	"unicode/utf8"

	"assize/rubric/check"
)

// cursor turns columns that count bytes into columns that count code points. It moves forward through a
// document, since findings come in the order of their places, so that no line is counted twice.
type cursor struct {
	doc    *check.Document
	line   int // in the file
	at     int // in the text
	bytes  int // column of at
	points int // the same in code points
}

func newCursor(d *check.Document) *cursor {
	c := &cursor{doc: d}
	c.rewind()
	return c
}

// rewind goes to where the document begins. What stands before it on its line is taken from Before as far as
// that reaches; beyond, a byte counts as a code point.
func (c *cursor) rewind() {
	c.line, c.at, c.bytes, c.points = c.doc.Line, 0, c.doc.Column, c.doc.Column
	before := c.doc.Before[max(len(c.doc.Before)-(c.doc.Column-1), 0):]
	c.points -= len(before) - points(before)
}

// column gives the code point, from 1, at which the column-th byte of a line stands.
func (c *cursor) column(line, column int) int {
	if line < c.line || line == c.line && column < c.bytes {
		c.rewind()
	}
	text := c.doc.Text
	for c.line < line {
		next := bytes.IndexByte(text[c.at:], '\n')
		if next < 0 {
			return max(column, 1)
		}
		c.line, c.at, c.bytes, c.points = c.line+1, c.at+next+1, 1, 1
	}
	n := min(max(column-c.bytes, 0), len(text)-c.at)
	c.points += points(text[c.at : c.at+n])
	c.at, c.bytes = c.at+n, c.bytes+n
	return max(c.points, 1)
}

// points counts the code points that begin in b.
func points(b []byte) int {
	n := 0
	for _, c := range b {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}
