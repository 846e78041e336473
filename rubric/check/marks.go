package check

import (
	"strings"
	"unicode/utf8"
)

// mark is a quote mark of a sentence. An apostrophe inside a word is none.
type mark struct {
	start, end    int  // its bytes; a backslash before it, which stems from escaping twice, is one of them
	glyph         rune // two single marks in a row stand for a double one
	opens, closes bool // what it can do where it stands
	doubtful      bool // closes nothing if it is an apostrophe, as in "the guests' rooms", or an inch mark
	tight         bool // stands between two letters, so that words which end here are not found by themselves
	zone          bool // begins words as this program prints them, USER: "…", so that no quote reaches across it
}

// closers says which marks can end a quote that each mark begins.
func closers(open rune) string {
	switch open {
	case '"':
		return "\"”"
	case '“':
		return "”\"“"
	case '„':
		return "“”\""
	case '«':
		return "»"
	case '»':
		return "«"
	case '‹':
		return "›"
	case '›':
		return "‹"
	case '\'':
		return "'’"
	case '‘':
		return "’'"
	case '‚':
		return "‘’'"
	case '`':
		return "`'’"
	case '「':
		return "」"
	case '『':
		return "』"
	}
	return string(open)
}

// marksOf finds the quote marks of a sentence.
func marksOf(s string) []mark {
	var marks []mark
	for i := 0; i < len(s); {
		glyph, size := glyphAt(s[i:])
		if glyph == 0 {
			i += size
			continue
		}
		m := mark{start: i, end: i + size, glyph: glyph}
		i = m.end
		if m.start > 0 && s[m.start-1] == '\\' {
			m.start--
		}
		m.judge(s)
		if n := len(marks); n > 0 && marks[n-1].end == m.start && marks[n-1].opens && !marks[n-1].closes && m.opens {
			m.closes = false // the first of two marks opens, so the second does
		}
		if m.opens || m.closes {
			marks = append(marks, m)
		}
	}
	return marks
}

// glyphAt gives the quote mark that a text begins with and its length; 0 where it begins with something else.
func glyphAt(s string) (glyph rune, size int) {
	if s[0] < utf8.RuneSelf {
		switch {
		case strings.HasPrefix(s, "''"):
			return '"', 2
		case strings.HasPrefix(s, "``"):
			return '“', 2
		case s[0] == '"' || s[0] == '\'' || s[0] == '`':
			return rune(s[0]), 1
		}
		return 0, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch r {
	case '«', '»', '‹', '›', '‘', '’', '‚', '“', '”', '„', '「', '」', '『', '』':
		return r, size
	case '‟', '〝':
		return '“', size
	case '〞', '〟':
		return '”', size
	case '‛':
		return '‘', size
	case '＂':
		return '"', size
	case '＇':
		return '\'', size
	}
	return 0, size
}
