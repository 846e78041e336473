package heuristics

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// The safety family reports attempts by a transcript to influence its reader. A transcript is data,
// and nothing in it is obeyed, so these signals are evidence for no criterion and change no score.

// templateMarks are the turn markers in models' chat templates, which nobody types.
var templateMarks = [...]string{
	"<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>",
	"<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>", "<|begin_of_text|>",
	"<start_of_turn>", "<end_of_turn>",
	"[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "### Instruction:", "### System:",
}

// findInjection reports the turns that mute found.
func findInjection(s *analysis, det *detector) {
	for i := range s.turns {
		if at := s.turns[i].attack; at.end > 0 {
			s.emitBytes(det, i, at)
		}
	}
}

// mute removes all words from a turn that addresses the judge, so that its content cannot affect
// the scores.
func mute(s *analysis, i int) {
	t := &s.turns[i]
	if t.role == dialogue.Other {
		return
	}
	if t.attack = attackOf(s, t); t.attack.end > 0 {
		s.hits, t.hits.end, t.has = s.hits[:t.hits.start], t.hits.start, classSet{}
		t.text, t.tokens, t.words, t.asks, t.exclaims = "", nil, 0, 0, 0
	}
}

// attackOf finds the part of t that addresses the judge: a phrase that is said to nobody else, two
// of three phrases that are each common, or the marker of a chat template.
func attackOf(s *analysis, t *turnText) span {
	found, kinds := span{}, 0
	for _, h := range s.hits[t.hits.start:t.hits.end] {
		at := span{int(t.tokens[h.first].start), int(t.tokens[h.last].end)}
		switch h.class {
		case s.lex.class.SafetyInjection:
			return at
		case s.lex.class.SafetyJudging, s.lex.class.SafetyDemands, s.lex.class.SafetyDismissals:
			if kinds++; kinds == 1 {
				found = at
			}
			found = span{min(found.start, at.start), max(found.end, at.end)}
		}
	}
	if kinds >= 2 {
		return found
	}
	if t.tagged {
		for _, mark := range templateMarks {
			if at := strings.Index(t.text, mark); at >= 0 {
				return span{at, at + len(mark)}
			}
		}
	}
	return span{}
}

// findControl examines the original text, muted or not.
func findControl(s *analysis, det *detector) {
	for i, t := range s.d.Turns {
		if t.Role != dialogue.Other && s.turns[i].odd {
			if at := steering(t.Text); at.end > 0 {
				s.emitBytes(det, i, at)
			}
		}
	}
}

// steering returns the range of the first character in a text that is meant for a screen and not
// for a reader.
func steering(text string) span {
	flag := 0 // how many letters may still follow a black flag emoji, as in a country's flag
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f:
			return span{i, i + 1}
		case utf8.RuneStart(c) && c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(text[i:])
			switch {
			case r == blackFlag:
				flag = 7
			case r >= 0xe0000 && flag > 0:
				flag--
			case steers(r) || veils(r) && isLatin(text, i-1) && isLatin(text, i+size):
				return span{i, i + size}
			}
		}
	}
	return span{}
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
