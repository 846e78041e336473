package check

// scanner finds the end of a JSON value by its brackets and quotes. A string cannot go over the end of a line,
// so one whose quote is missing ends there, and the value with it if the next line begins an object: the
// damage stays in this value.
type scanner struct {
	depth              int
	inString, escaped  bool
	broke, over, bare  bool // a string has just broken off at the end of a line; the value has ended; it has no brackets
	begun, interrupted bool // interrupted: it was broken off by what looks like the next value
}

// scan goes over the next piece of the text and gives how many of its bytes belong to the value. It is to be
// called until over is set, or the text is.
func (s *scanner) scan(b []byte) int {
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case s.broke && c == '{':
			s.over, s.interrupted = true, true
			return i
		case s.escaped:
			s.escaped = false
		case s.inString && c == '"':
			s.inString = false
		case s.inString && c == '\\':
			s.escaped = true
		case s.inString && c != '\n':
			for i+1 < len(b) && b[i+1] != '"' && b[i+1] != '\\' && b[i+1] != '\n' {
				i++
			}
		case c == '\n':
			s.broke, s.inString, s.escaped = s.inString, false, false
			if s.bare {
				s.over = true
				return i
			}
			continue
		case c == '"':
			s.inString = true
		case c == '{' || c == '[':
			s.depth++
		case s.depth == 0 && (c == ',' || c == ']' || c == '}'):
			s.over = true
			return i
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				s.over = true
				return i + 1
			}
		}
		s.broke = false
		if !s.begun {
			s.begun, s.bare = true, s.depth == 0
		}
	}
	return len(b)
}
