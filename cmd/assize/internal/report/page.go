package report

import (
	"bytes"
	"io"
	"strings"

	"assize/rubric"
)

// columns is how wide a text may be.
const columns = 80

// style is how a part of a text is set off on a terminal: the parameter of an SGR sequence (ECMA-48, 8.3.117).
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

// styleOf gives a level its colour.
func styleOf(s rubric.Score) style {
	switch {
	case s >= 80:
		return green
	case s >= 60:
		return yellow
	}
	return red
}

// page collects text until it is written. Everything that is put on it must have passed [Visible].
type page struct {
	bytes.Buffer
	color bool
}

// put adds s in a style.
func (p *page) put(st style, s string) {
	if !p.color || st == plain || s == "" {
		p.WriteString(s)
		return
	}
	p.WriteString("\x1b[" + string(st) + "m" + s + "\x1b[0m")
}

// line adds s in a style and ends the line.
func (p *page) line(st style, s string) {
	p.put(st, s)
	p.WriteByte('\n')
}

// endLine ends a line with s, without spaces at its end.
func (p *page) endLine(s string) {
	p.WriteString(s)
	p.Truncate(len(bytes.TrimRight(p.Bytes(), " ")))
	p.WriteByte('\n')
}

// paragraph adds s, wrapped. Every line begins with indent, the first one with first instead; the wider of the
// two decides where lines end.
func (p *page) paragraph(st style, first, indent, s string) {
	for i, line := range wrap(s, columns-max(cells(first), cells(indent))) {
		if i == 0 {
			p.WriteString(first)
		} else {
			p.WriteString(indent)
		}
		p.line(st, line)
	}
}

// writeTo hands the page to w and empties it.
func (p *page) writeTo(w io.Writer) error {
	_, err := w.Write(p.Bytes())
	p.Reset()
	return err
}

// bar draws a score in cells of which full stand for 100; what the Referee took away is shaded.
func bar(final, before rubric.Score, full int) string {
	solid := int(final) * full / 100
	shaded := max(int(before)*full/100-solid, 0)
	return strings.Repeat("█", solid) + strings.Repeat("▒", shaded) + strings.Repeat("·", full-solid-shaded)
}
