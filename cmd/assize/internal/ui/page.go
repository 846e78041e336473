// Package ui writes for people: text that is safe on a terminal, tables, counts and shares in words.
package ui

import (
	"bytes"
	"io"
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

// Page collects text until it is written. Everything that is put on it must have passed [Visible].
type Page struct {
	bytes.Buffer
	Color bool
}

// Put adds s in a style.
func (p *Page) Put(st Style, s string) { p.WriteString(p.styled(st, s)) }

func (p *Page) styled(st Style, s string) string {
	if !p.Color || st == Plain || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// Line adds s in a style and ends the line.
func (p *Page) Line(st Style, s string) {
	p.Put(st, s)
	p.WriteByte('\n')
}

// EndLine adds s and ends the line, with no space before the line break.
func (p *Page) EndLine(s string) {
	p.WriteString(s)
	p.Truncate(len(bytes.TrimRight(p.Bytes(), " ")))
	p.WriteByte('\n')
}

// Paragraph adds s, wrapped. Every line begins with indent, the first one with first instead; the wider of the
// two decides where lines end.
func (p *Page) Paragraph(st Style, first, indent, s string) {
	for _, line := range Wrap(s, Columns-max(Cells(first), Cells(indent))) {
		p.WriteString(first)
		p.Line(st, line)
		first = indent
	}
}

// Send hands the page to w and empties it.
func (p *Page) Send(w io.Writer) error {
	_, err := w.Write(p.Bytes())
	p.Reset()
	return err
}
