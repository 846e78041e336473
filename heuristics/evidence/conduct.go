package evidence

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// findMissed reports answers to an upset USER (@needs) that have no phrase of the detector, nor of
// @unless. It is silent where films or confided feelings are talked about.
func findMissed(s *analysis, det *detector) {
	isUpset := func(i int) bool { return s.Turns[i].Has.Meets(&det.needs) }
	cares := func(i int) bool { return s.Has(i, det.class) || s.Turns[i].Has.Meets(&det.unless) }
	for b, answer := range s.BlocksOf(dialogue.System) {
		if b == 0 || s.Confides || len(s.Of[s.Lex.Class.WordsFilms]) > 0 ||
			slices.ContainsFunc(answer, cares) {
			continue
		}
		said := s.LastOf(b - 1)
		if about := slices.IndexFunc(said, isUpset); about >= 0 {
			s.report(det, s.Turns[answer[0]].Whole(), said[about])
		}
	}
}

// farthest is the maximum number of sentences to look back for the same one.
const farthest = 32

// findMechanical reports a formula of the detector if the SYSTEM has said the same sentence before
// and the USER, who has answered since, did not thank for it.
func findMechanical(s *analysis, det *detector) {
	var said []text.Passage
	for h := range s.HitsOf(det.class) {
		p := s.Turns[h.Turn].Around(h.Passage)
		by := s.Before(h.Turn, dialogue.User)
		k := slices.IndexFunc(said, func(old text.Passage) bool {
			return slices.EqualFunc(s.WordsOf(old), s.WordsOf(p),
				func(a, b text.Token) bool { return a.Stem == b.Stem })
		})
		if k >= 0 && p.Last-p.First >= det.words && said[k].Turn < by &&
			!s.Turns[by].Has.Meets(&det.unlessBefore) {
			s.report(det, p, said[k].Turn)
		}
		if said = append(said, p); len(said) > farthest {
			said = said[1:]
		}
	}
}

// findUnsafe reports advice that plays down a danger that the USER has mentioned.
func findUnsafe(s *analysis, det *detector) {
	danger := -1
	for i := range s.Turns {
		t := &s.Turns[i]
		switch {
		case t.Role == dialogue.User && t.Has.Meets(&det.needs):
			danger = i
		case t.Role == dialogue.System && danger >= 0 && t.Has.Has(det.class) &&
			!t.Has.Meets(&det.unless):
			s.report(det, s.Hit(i, det.class).Passage, danger)
		}
	}
}

// findService reports a service case at the place where the USER shows it.
func findService(s *analysis, det *detector) {
	if s.Kind == talk.ServiceKind && s.Shows.Turn >= 0 {
		s.emit(det, s.Shows.Passage)
	}
}

// findInjection reports the turns that mute found.
func findInjection(s *analysis, det *detector) {
	for i := range s.Turns {
		s.emitBytes(det, i, s.Turns[i].Attack)
	}
}

// findControl examines the original text, muted or not.
func findControl(s *analysis, det *detector) {
	for i, t := range s.Dialogue.Turns {
		if t.Role != dialogue.Other && s.Turns[i].Odd {
			s.emitBytes(det, i, steering(t.Text))
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
