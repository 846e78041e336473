// Package ui writes for people: text that is safe on a terminal, tables, counts and shares in words.
package ui

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"time"

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

// Page collects text until it is written. Everything that is put on it must have passed [Visible], but for what Heading,
// Say, Item and Table are given.
type Page struct {
	bytes.Buffer
	Color    bool
	Width    int  // columns of the terminal; 0 for [Columns]
	Markdown bool // Heading, Say, Item and Table write Markdown, in which nothing of a transcript is markup
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

// Heading adds a heading; mark says of which level it is in Markdown, such as "##".
func (p *Page) Heading(mark, s string) {
	if p.Markdown {
		p.WriteString(mark + " " + Escape(s) + "\n\n")
	} else {
		p.Paragraph(Bold, "", "  ", Visible(s))
	}
}

// Say adds a paragraph: in bold the answer, in yellow a warning.
func (p *Page) Say(st Style, s string) {
	switch {
	case p.Markdown:
		if p.Len() > 0 {
			p.WriteByte('\n')
		}
		mark := map[Style][2]string{Bold: {"**", "**"}, Yellow: {"> ", ""}}[st]
		p.WriteString(mark[0] + Escape(s) + mark[1] + "\n")
	case st == Yellow:
		p.Paragraph(st, "! ", "  ", Visible(s))
	default:
		p.Paragraph(st, "", "", Visible(s))
	}
}

// Item adds an item of a list.
func (p *Page) Item(st Style, s string) {
	if p.Markdown {
		p.WriteString("- " + Escape(s) + "\n")
	} else {
		p.Paragraph(st, "  ", "    ", Visible(s))
	}
}

// Table adds a table below an empty line.
func (p *Page) Table(t *Table) {
	if !bytes.HasSuffix(p.Bytes(), []byte("\n\n")) {
		p.WriteByte('\n')
	}
	if p.Markdown {
		t.Markdown(p) // a page takes everything
	} else {
		t.Text(p)
	}
}

// Send hands the page to w and empties it.
func (p *Page) Send(w io.Writer) error {
	_, err := w.Write(p.Bytes())
	p.Reset()
	return err
}

// WriteAs writes a result as "text", "json", "jsonl", "csv", "xlsx" or "markdown": text and Markdown onto the page, and all
// else to w. JSON is what the result's tags say, CSV and a workbook are its Figures; it must have a method for each other
// format that is asked for.
func WriteAs(format string, w io.Writer, p *Page, result any) error {
	switch format {
	case "json":
		return WriteJSON(w, result, "  ")
	case "jsonl":
		return result.(interface{ JSONL(io.Writer) error }).JSONL(w)
	case "csv":
		return result.(interface{ Figures() *Table }).Figures().CSV(w)
	case "xlsx":
		t := result.(interface{ Figures() *Table }).Figures()
		return t.XLSX(w, t.Title)
	}
	p.Markdown = format == "markdown"
	result.(interface{ Text(*Page) }).Text(p)
	return nil
}

// OnTerminal reports whether a person sees on a terminal what is written to w.
func OnTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// Pace says how far work is: "10 of 30 dialogues, 2 a second, 5.0 s left". Now of those that are done took the time
// that has elapsed. A total of 0 is not known.
func Pace(done, total, now int, elapsed time.Duration) string {
	s := Counted(done, "dialogue")
	if total > 0 {
		s = fmt.Sprintf("%d of %s", done, Counted(total, "dialogue"))
	}
	if now > 0 && elapsed > 0 {
		s += ", " + Rate(now, elapsed)
		if left := total - done; left > 0 {
			s += ", " + Duration(elapsed.Seconds()/float64(now)*float64(left)) + " left"
		}
	}
	return s
}

// Duration gives seconds as precisely as a reader wants to know them: "12.3 s", "5 min", "1.5 h".
func Duration(seconds float64) string {
	switch {
	case seconds < 100:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 100*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}

// Rate says how fast n things were done: "3.2 s each", "840 a second".
func Rate(n int, elapsed time.Duration) string {
	if each := elapsed / time.Duration(n); each >= time.Second {
		return fmt.Sprintf("%.1f s each", each.Seconds())
	}
	return fmt.Sprintf("%.0f a second", float64(n)/elapsed.Seconds())
}
