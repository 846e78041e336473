// Package ui writes for people: text that is safe on a terminal, tables, counts and shares in words.
package ui

import (
	"bytes"
	"cmp"
	"io"
	"os"

	"golang.org/x/term"
)

// Columns is how wide a text may be where it is not for a terminal, and prose how wide a paragraph is read with ease.
const Columns, prose = 80, 100

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
	Width int // columns of the terminal; 0 for [Columns]
}

// NewPage makes a page for w: as wide as w, if it is a terminal.
func NewPage(w io.Writer, color bool) Page {
	f, ok := w.(*os.File)
	if !ok {
		return Page{Color: color}
	}
	n, _, _ := term.GetSize(int(f.Fd())) // 0 for what is not a terminal
	return Page{Color: color, Width: n}
}

// Columns is how wide a line may be.
func (p *Page) Columns() int { return cmp.Or(p.Width, Columns) }

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
	for _, line := range Wrap(s, max(min(p.Columns(), prose)-max(Cells(first), Cells(indent)), 10)) {
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

// WriteAs writes a result as "text", "json", "csv", "xlsx" or "markdown": text onto the page, and all else to w. JSON is what
// the result's tags say; it must have a method for each other format that is asked for.
func WriteAs(format string, w io.Writer, p *Page, result any) error {
	switch format {
	case "json":
		return WriteJSON(w, result, "  ")
	case "csv":
		return result.(interface{ CSV(io.Writer) error }).CSV(w)
	case "xlsx":
		return result.(interface{ XLSX(io.Writer) error }).XLSX(w)
	case "markdown":
		return result.(interface{ Markdown(io.Writer) error }).Markdown(w)
	}
	result.(interface{ Text(*Page) }).Text(p)
	return nil
}
