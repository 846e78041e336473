package importer

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText returns the text of an HTML document as a reader sees it: without tags, with entities
// decoded, and with a line break where a paragraph, a list item or a <br> begins a line.
func htmlText(s string) string { return htmlLines(s, "", "") }

// htmlLines is like htmlText but puts entry before list items and quote before quoted lines.
func htmlLines(s, entry, quote string) string {
	if !strings.ContainsAny(s, "<&") {
		return strings.TrimSpace(s)
	}
	var text strings.Builder
	var lines []string
	quotes := 0 // open blockquotes
	end := func() {
		for line := range strings.Lines(text.String()) {
			if words := strings.Join(strings.Fields(line), " "); words != "" && quotes > 0 {
				lines = append(lines, quote+words)
			} else if words != "" {
				lines = append(lines, words)
			}
		}
		text.Reset()
	}
	z := html.NewTokenizer(strings.NewReader(s))
	hidden := false // in a script or a style, whose text is a single token
	// Anything that is not HTML is text, so an error means the end of the input.
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind == html.TextToken && !hidden {
			text.WriteString(strings.ReplaceAll(string(z.Text()), "\n", " "))
		}
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		hidden = false
		switch tag {
		case atom.Script, atom.Style:
			hidden = kind == html.StartTagToken
		case atom.Br, atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Tr, atom.Table,
			atom.Blockquote, atom.Pre, atom.Hr,
			atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			text.WriteByte('\n')
		}
		switch {
		case tag == atom.Li && kind == html.StartTagToken:
			text.WriteString(entry)
		case tag == atom.Blockquote && kind == html.StartTagToken:
			end()
			quotes++
		case tag == atom.Blockquote && kind == html.EndTagToken:
			end()
			quotes = max(quotes-1, 0)
		}
	}
	end()
	return strings.Join(lines, "\n")
}
