// Package ui writes output for people: text that is safe on a terminal, tables, and counts in
// words.
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

// Columns is the maximum width of text outside a terminal; prose is that of a readable paragraph.
const Columns, prose = 80, 100

// Style is the style of text on a terminal: the parameter of an SGR sequence (ECMA-48, 8.3.117).
type Style string

// The styles: weights, and colours whose shades the terminal chooses.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
)

// Page collects text until it is written. All text must be passed through [Visible] first, except
// for the arguments of Heading, Say, Item and Table.
type Page struct {
	bytes.Buffer
	Color bool
	Width int // columns of the terminal; 0 means [Columns]
	// Markdown makes Heading, Say, Item and Table write Markdown, with markup escaped.
	Markdown bool
}

// NewPage returns a page for w, as wide as w if it is a terminal.
func NewPage(w io.Writer, color bool) Page {
	p := Page{Color: color}
	if f, ok := w.(*os.File); ok {
		p.Width, _, _ = term.GetSize(int(f.Fd())) // 0 if not a terminal
	}
	return p
}

// Columns returns the maximum width of a line.
func (p *Page) Columns() int { return cmp.Or(p.Width, Columns) }

// Put adds s in the given style.
func (p *Page) Put(st Style, s string) { p.WriteString(p.styled(st, s)) }

func (p *Page) styled(st Style, s string) string {
	if !p.Color || st == Plain || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// Line adds s in the given style and ends the line.
func (p *Page) Line(st Style, s string) {
	p.Put(st, s)
	p.WriteByte('\n')
}

// EndLine adds s and ends the line, without trailing spaces.
func (p *Page) EndLine(s string) {
	p.WriteString(s)
	p.Truncate(len(bytes.TrimRight(p.Bytes(), " ")))
	p.WriteByte('\n')
}

// Paragraph adds s, wrapped. The first line begins with first and the others with indent; the wider
// of the two determines the line width.
func (p *Page) Paragraph(st Style, first, indent, s string) {
	for _, line := range wrap(s,
		max(min(p.Columns(), prose)-max(Cells(first), Cells(indent)), 10)) {
		p.WriteString(first)
		p.Line(st, line)
		first = indent
	}
}

// Heading adds a heading; mark is its level in Markdown, such as "##".
func (p *Page) Heading(mark, s string) {
	if p.Markdown {
		p.WriteString(mark + " " + Escape(s) + "\n\n")
	} else {
		p.Paragraph(Bold, "", "  ", Visible(s))
	}
}

// Say adds sentences, each as a paragraph: an answer in bold, a warning in yellow.
func (p *Page) Say(st Style, sentences ...string) {
	for _, s := range sentences {
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
}

// Item adds list items.
func (p *Page) Item(st Style, list ...string) {
	for _, s := range list {
		if p.Markdown {
			p.WriteString("- " + Escape(s) + "\n")
		} else {
			p.Paragraph(st, "  ", "    ", Visible(s))
		}
	}
}

// Table adds the tables that have rows, each after an empty line.
func (p *Page) Table(list ...*Table) {
	for _, t := range list {
		if len(t.Rows) == 0 {
			continue
		}
		if !bytes.HasSuffix(p.Bytes(), []byte("\n\n")) {
			p.WriteByte('\n')
		}
		if p.Markdown {
			t.Markdown(p)
		} else {
			t.Text(p)
		}
	}
}

// Send writes the page to w and empties it.
func (p *Page) Send(w io.Writer) error {
	_, err := w.Write(p.Bytes())
	p.Reset()
	return err
}

// WriteAs writes a result as "text", "json", "jsonl", "csv", "xlsx" or "markdown": text and
// Markdown to the page, and everything else to w. JSON follows the result's struct tags; CSV and
// workbooks contain its Figures. The result must have a method for each other format.
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

// OnTerminal reports whether w is a terminal that a person is looking at.
func OnTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// Pace describes progress: "10 of 30 dialogues, 2 a second, 5.0 s left". now is the number of those
// done within elapsed. A total of 0 means unknown.
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

// Duration formats seconds with a suitable precision: "12.3 s", "5 min", "1.5 h".
func Duration(seconds float64) string {
	switch {
	case seconds < 100:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 100*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}

// Rate describes the speed at which n items were processed: "3.2 s each", "840 a second".
func Rate(n int, elapsed time.Duration) string {
	if each := elapsed / time.Duration(n); each >= time.Second {
		return fmt.Sprintf("%.1f s each", each.Seconds())
	}
	return fmt.Sprintf("%.0f a second", float64(n)/elapsed.Seconds())
}
