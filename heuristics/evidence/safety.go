package evidence

import (
	"unicode"
	"unicode/utf8"

	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// The safety family reports attempts by a transcript to influence its reader. A transcript is data,
// and nothing in it is obeyed, so these signals are evidence for no criterion and change no score.

// findInjection reports the turns that mute found.
func findInjection(s *analysis, det *detector) {
	for i := range s.Turns {
		if at := s.Turns[i].Attack; at.End > 0 {
			s.emitBytes(det, i, at)
		}
	}
}

// findControl examines the original text, muted or not.
func findControl(s *analysis, det *detector) {
	for i, t := range s.Dialogue.Turns {
		if t.Role != dialogue.Other && s.Turns[i].Odd {
			if at := steering(t.Text); at.End > 0 {
				s.emitBytes(det, i, at)
			}
		}
	}
}

// steering returns the range of the first character in a text that is meant for a screen and not
// for a reader.
func steering(s string) text.Span {
	flag := 0 // how many letters may still follow a black flag emoji, as in a country's flag
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f:
			return text.Span{Start: i, End: i + 1}
		case utf8.RuneStart(c) && c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == blackFlag:
				flag = 7
			case r >= 0xe0000 && flag > 0:
				flag--
			case steers(r) || veils(r) && isLatin(s, i-1) && isLatin(s, i+size):
				return text.Span{Start: i, End: i + size}
			}
		}
	}
	return text.Span{}
}

func isLatin(text string, i int) bool {
	return i >= 0 && i < len(text) && text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z'
}

const blackFlag = '\U0001f3f4'

// steers reports whether r begins a terminal command (device control, control sequence, operating
// system command), changes the direction of writing, or is an invisible letter that can hide text.
func steers(r rune) bool {
	return r == 0x90 || r == 0x9b || r == 0x9d || r >= 0x202a && r <= 0x202e ||
		r >= 0x2066 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe007f
}

// veils reports whether r, between two Latin letters, hides a word from a search: it has no width,
// or is a letter of another script, many of which look Latin.
func veils(r rune) bool {
	return r >= 0x200b && r <= 0x200d || r == 0x2060 || r == 0xfeff ||
		unicode.In(r, unicode.Greek, unicode.Cyrillic)
}
