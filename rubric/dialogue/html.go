package dialogue

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText gives the words that a reader of the HTML sees: tags removed, entities read, a new line where a
// paragraph, a list entry or a <br> begins one.
func htmlText(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return strings.TrimSpace(s)
	}
	var text strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	hidden := false                                                  // in a script or a style, whose text the tokenizer gives as one token
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() { // the end: what is not HTML is text
		if kind == html.TextToken && !hidden {
			text.WriteString(strings.ReplaceAll(string(z.Text()), "\n", " "))
		}
		name, _ := z.TagName()
		hidden = false
		switch atom.Lookup(name) {
		case atom.Script, atom.Style:
			hidden = kind == html.StartTagToken
		case atom.Br, atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Tr, atom.Table, atom.Blockquote, atom.Pre,
			atom.Hr, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			text.WriteByte('\n')
		}
	}
	var lines []string
	for line := range strings.Lines(text.String()) {
		if words := strings.Join(strings.Fields(line), " "); words != "" {
			lines = append(lines, words)
		}
	}
	return strings.Join(lines, "\n")
}
