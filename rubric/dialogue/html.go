package dialogue

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText gives the words that a reader of the HTML sees: tags gone, entities read, a new line where a
// paragraph, a list entry or a <br> begins one.
func htmlText(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return strings.TrimSpace(s)
	}
	z := html.NewTokenizer(strings.NewReader(s))
	var lines []string
	var line strings.Builder
	hidden := 0
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken: // the end; what is not HTML is text, so there is no other
			return strings.Join(appendLine(lines, &line), "\n")
		case html.TextToken:
			if hidden == 0 {
				line.Write(z.Text())
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			switch {
			case tag == atom.Script || tag == atom.Style:
				hidden = hide(hidden, kind)
			case breaks(tag):
				lines = appendLine(lines, &line)
			}
		}
	}
}

// hide counts how deep in scripts and styles the text is.
func hide(depth int, kind html.TokenType) int {
	switch kind {
	case html.StartTagToken:
		return depth + 1
	case html.EndTagToken:
		return max(depth-1, 0)
	}
	return depth
}

// breaks reports whether a tag begins or ends a line.
func breaks(tag atom.Atom) bool {
	switch tag {
	case atom.Br, atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Tr, atom.Table, atom.Blockquote, atom.Pre, atom.Hr,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// appendLine adds the line with single spaces, unless it is blank.
func appendLine(lines []string, line *strings.Builder) []string {
	words := strings.Join(strings.Fields(line.String()), " ")
	line.Reset()
	if words == "" {
		return lines
	}
	return append(lines, words)
}
