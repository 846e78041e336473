package rubric

import "unicode/utf8"

// AppendString appends s as a JSON string, escaped as encoding/json does, and DEL and the controls of C1 with it,
// which act on a terminal. Records write theirs with it too, so that a line is all of one kind.
func AppendString(b, s []byte) []byte {
	b = append(b, '"')
	done := 0 // what stands before it is written
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != 0x7f && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' {
				i++
				continue
			}
			b = append(b, s[done:i]...)
			b = appendEscape(b, c)
			i++
			done = i
			continue
		}
		r, size := utf8.DecodeRune(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = append(append(b, s[done:i]...), `\ufffd`...)
			done = i + size
		case r <= '\u009f':
			b = appendEscape(append(b, s[done:i]...), byte(r))
			done = i + size
		case r == '\u2028' || r == '\u2029': // line ends to JavaScript
			b = append(append(b, s[done:i]...), `\u202`...)
			b = append(b, '8'+byte(r-'\u2028'))
			done = i + size
		}
		i += size
	}
	return append(append(b, s[done:]...), '"')
}

// appendEscape appends the escape of a character below U+0100.
func appendEscape(b []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
