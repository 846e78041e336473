package rubric

import (
	"slices"
	"strings"
)

// elements are the HTML elements that chat programs and mail put into a turn, sorted. Only their tags are
// markup; the <NAME> of an anonymised transcript is a word.
var elements = [...]string{
	"a", "abbr", "address", "article", "b", "big", "blockquote", "body", "br", "center", "cite", "code", "dd", "del", "div", "dl",
	"dt", "em", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "i", "img", "ins",
	"kbd", "li", "mark", "ol", "p", "pre", "q", "s", "section", "small", "span", "strike", "strong", "sub", "sup", "table", "tbody",
	"td", "tfoot", "th", "thead", "title", "tr", "tt", "u", "ul", "video", "wbr",
}

// tagAt finds the first HTML tag of s at or after from, in linear time.
func tagAt(s string, from int) (start, end int, ok bool) {
	for {
		i := strings.IndexByte(s[from:], '<')
		if i < 0 {
			return 0, 0, false
		}
		start = from + i
		i = strings.IndexAny(s[start+1:], "<>")
		if i < 0 {
			return 0, 0, false
		}
		end = start + 1 + i
		if s[end] == '>' && isTag(s[start+1:end]) {
			return start, end + 1, true
		}
		from = end
	}
}

// isTag reports whether what stands between "<" and ">" makes an HTML tag of them.
func isTag(s string) bool {
	s = strings.TrimPrefix(s, "/")
	name := s
	if i := strings.IndexAny(s, " \t\r\n/"); i >= 0 {
		name = s[:i]
	}
	const longest = len("blockquote")
	if name == "" || len(name) > longest {
		return false
	}
	_, ok := slices.BinarySearch(elements[:], strings.ToLower(name))
	return ok
}

// dropTags puts a space in the place of every HTML tag.
func dropTags(s string) string {
	var b strings.Builder
	for from := 0; ; {
		start, end, ok := tagAt(s, from)
		if !ok {
			if from == 0 {
				return s
			}
			b.WriteString(s[from:])
			return b.String()
		}
		b.WriteString(s[from:start])
		b.WriteByte(' ')
		from = end
	}
}
