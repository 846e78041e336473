package importer

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Some exports, such as those of Messenger, hold UTF-8 whose bytes were read as Latin-1 or
// Windows-1252 and encoded as UTF-8 again, so that an é is "Ã©".

// mended returns a text with such damage undone, and reports whether it had any. A text is changed
// only if all of it is damaged UTF-8.
func mended(s string) (text string, is bool) {
	// A damaged character begins with one of these, which are the bytes from C2 to F4.
	if !strings.ContainsFunc(s, func(r rune) bool { return 0xC2 <= r && r <= 0xF4 }) {
		return s, false
	}
	bytes := make([]byte, 0, len(s))
	for _, r := range s {
		b, ok := charmap.Windows1252.EncodeRune(r)
		switch {
		case ok:
		case r <= 0xFF: // Windows-1252 has them elsewhere or not at all
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

// mend repairs the names and the texts of a part, and reports that it did.
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
