package dialogue

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Some exports hold UTF-8 whose bytes were read as Latin-1 or Windows-1252 and written as UTF-8
// again, so that an é is "Ã©". Those of Messenger do.

// mended returns a text with its own characters, and whether it had others. Only a text that is as
// a whole such UTF-8 is changed.
func mended(s string) (text string, is bool) {
	// One of these begins such a character: they are the bytes from C2 to F4.
	if !strings.ContainsFunc(s, func(r rune) bool { return 0xC2 <= r && r <= 0xF4 }) {
		return s, false
	}
	bytes := make([]byte, 0, len(s))
	for _, r := range s {
		b, ok := charmap.Windows1252.EncodeRune(r)
		switch {
		case ok:
		case r <= 0xFF: // which Latin-1 has in other places, or Windows-1252 not at all
			b = byte(r)
		default:
			return s, false
		}
		bytes = append(bytes, b)
	}
	if !utf8.Valid(bytes) {
		return s, false
	}
	return string(bytes), true
}

// mend mends the names and the texts of a part, and reports it.
func (f *file) mend(p *part) {
	is := false
	change := func(s *string) {
		text, isOther := mended(*s)
		if isOther {
			*s, is = text, true
		}
	}
	for i := range p.Said {
		change(&p.Said[i].Name)
		change(&p.Said[i].Text)
	}
	for _, list := range [][]string{p.Agent, p.Customer} {
		for i := range list {
			change(&list[i])
		}
	}
	for i := range p.Meta {
		change(&p.Meta[i].Value)
	}
	if is {
		f.note("UTF-8 that was stored as Latin-1, such as Ã© for é, is decoded")
	}
}
