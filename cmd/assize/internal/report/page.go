package report

import (
	"bytes"
	"io"
	"strings"

	"assize/rubric"
)

// Columns is how wide a text may be.
const Columns = 80

// Style is how a part of a text is set off on a terminal: the parameter of an SGR sequence (ECMA-48, 8.3.117).
type Style string

// The styles: weights, and the colours that a terminal shows in its own shades.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
)

// styleOf gives a level its colour.
func styleOf(s rubric.Score) Style {
	switch {
	case s >= 80:
		return Green
	case s >= 60:
		return Yellow
	}
	return Red
}

// Page collects text until it is written. Everything that is put on it must have passed [Visible].
type Page struct {
	bytes.Buffer
	Color bool
}

// Put adds s in a style.
func (p *Page) Put(st Style, s string) {
	if !p.Color || st == Plain || s == "" {
		p.WriteString(s)
		return
	}
	p.WriteString("\x1b[" + string(st) + "m" + s + "\x1b[0m")
}

// Line adds s in a style and ends the line.
func (p *Page) Line(st Style, s string) {
	p.Put(st, s)
	p.WriteByte('\n')
}

// endLine ends a line with s, without spaces at its end.
func (p *Page) endLine(s string) {
	p.WriteString(s)
	p.Truncate(len(bytes.TrimRight(p.Bytes(), " ")))
	p.WriteByte('\n')
}

// Paragraph adds s, wrapped. Every line begins with indent, the first one with first instead; the wider of the
// two decides where lines end.
func (p *Page) Paragraph(st Style, first, indent, s string) {
	for i, line := range Wrap(s, Columns-max(Cells(first), Cells(indent))) {
		if i == 0 {
			p.WriteString(first)
		} else {
			p.WriteString(indent)
		}
		p.Line(st, line)
	}
}

// Send hands the page to w and empties it.
func (p *Page) Send(w io.Writer) error {
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
