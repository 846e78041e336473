package evidence

import (
	"slices"
	"strings"

	"assize/heuristics/deeds"
	"assize/heuristics/quantity"
	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// longNumber is the minimum number of characters of a number that says something by itself: not how
// many results there are, nor how many stars.
const longNumber = 4

// maxFigureWeight is the maximum number of figures that count in a turn.
const maxFigureWeight = 3

// findConcrete reports each turn of the SYSTEM that contains a time, a date, a sum, a long number,
// a link, or one of the detector's phrases. Values that only restate the request do not count. In a
// service case every number that the USER has not mentioned counts, up to maxFigureWeight.
func findConcrete(s *analysis, det *detector) {
	for b, turns := range s.BlocksOf(dialogue.System) {
		for _, i := range turns {
			t := &s.Turns[i]
			if t.Has.Meets(&det.unless) || strings.Contains(t.Text, "__") { // a blank of a quiz
				continue
			}
			first, last := concreteFact(s, b, i, det)
			figures, isList := 0, isList(t)
			// figures in this sentence, the first of them, and the maximum of all sentences
			here, at, most := 0, 0, 1
			for k, tok := range t.Tokens {
				if tok.Is(text.OpensSentence) {
					here = 0
				}
				counts := tok.Is(text.Number) && figures < maxFigureWeight &&
					!tellsNothing(s, i, k) && (s.Kind == talk.ServiceKind ||
					tok.End-tok.Start >= longNumber || isMeasured(t, k)) && !isLabel(t, k)
				if counts && !(isList && numbersItem(t, k)) && !s.BroughtUp(b, tok.Stem) {
					figures++
					if here++; here == 1 {
						at = k
					}
					if last < 0 || here > most { // quote the sentence with the most figures
						first, last, most = at, k, here
					}
				}
			}
			if last >= 0 {
				s.emit(det, t.At(first, last)).Points *= rubric.Hundredths(max(1, figures))
			}
		}
	}
}

// tellsNothing reports whether the sentence of token k in turn i is a question, reports a failure
// or refers the USER elsewhere. Its figures are what the USER wanted, and not what the USER gets.
func tellsNothing(s *analysis, i, k int) bool {
	t, c := &s.Turns[i], &s.Lex.Class
	return t.InQuestion(k) || s.Hit(i, c.StateFailed).Meets(t.Sentence(k)) ||
		s.Hit(i, c.StateReferred).Meets(t.Sentence(k)) || isFalse(s, t.At(k, k))
}

// isFalse reports whether words are part of a claim that a tool contradicts, or of a statement with
// a figure that nobody gave.
func isFalse(s *analysis, p text.Passage) bool {
	for _, x := range s.StatementsOf(p.Turn) {
		if !x.IsGrounded && x.Meets(p) {
			return true
		}
	}
	state := s.StateOf(p)
	return state == deeds.Contradicted || state == deeds.DoneOtherwise
}

// isMeasured reports whether number k has a unit, as in "14 degrees".
func isMeasured(t *text.Turn, k int) bool {
	return t.Is(k+1, "degree", "degrees", "credit", "credits", "star", "stars", "minute",
		"minutes", "hour", "hours", "day", "days", "mile", "miles", "km", "percent", "%")
}

// isLabel reports whether number k is useless to the USER: the year of a film, or a count of what
// the SYSTEM found or asks for ("I found 3 events", "give me 2 reasons").
func isLabel(t *text.Turn, k int) bool {
	start := t.Tokens[k].Start
	return start > 0 && text.IsMark(t.Text[start-1], "(@") ||
		t.Is(k-1, "found", "have", "are", "were", "give", "got", "me")
}

// isList reports whether the turn is a numbered list, such as "1. Balance 2. Card".
func isList(t *text.Turn) bool {
	has := func(item string) bool { return strings.Contains(t.Text, item) }
	return has("1. ") && has("2. ") || has("1) ") && has("2) ")
}

// numbersItem reports whether token k of a list is only the number of an item.
func numbersItem(t *text.Turn, k int) bool {
	tok := t.Tokens[k]
	return tok.End-tok.Start <= 2 && tok.Is(text.OpensSentence) && int(tok.End) < len(t.Text) &&
		strings.IndexByte(".)", t.Text[tok.End]) >= 0
}

// concreteFact returns the first and last token of an actionable fact in turn i of block b. If
// there is none, last is -1. Counts and values that the USER has mentioned are not facts.
func concreteFact(s *analysis, b, i int, det *detector) (first, last int) {
	t := &s.Turns[i]
	if h := s.Hit(i, det.class); h != nil && t.Has.Has(det.class) && !isFalse(s, h.Passage) {
		return h.First, h.Last
	}
	for _, v := range s.ValuesOf(i) {
		switch v.Slot.Kind {
		case quantity.Weekday, quantity.Date, quantity.Clock, quantity.Amount:
			isNew := func(tok text.Token) bool {
				return tok.IsContent() && !s.BroughtUp(b, tok.Stem)
			}
			if !tellsNothing(s, i, v.First) && slices.ContainsFunc(s.WordsOf(v.Passage), isNew) {
				return v.First, v.Last
			}
		}
	}
	for k, tok := range t.Tokens {
		isPath := strings.HasPrefix(t.Text[tok.End:], " > ") // "Settings > Sound"
		isCode := t.IsCode(tok) && !s.BroughtUp(b, tok.Stem) && !isLabel(t, k)
		if (isPath || isCode) && !tellsNothing(s, i, k) {
			return k, k
		}
	}
	return -1, -1
}

// maxStock is the maximum number of words in a sentence that a stock phrase covers.
const maxStock = 24

// findGeneric reports each answer of the SYSTEM that consists of stock phrases: every sentence is
// short and contains a phrase of the detector or of a list of @needs, one of them a phrase of the
// detector, and none asks a question or contains a number.
func findGeneric(s *analysis, det *detector) {
	for i, t := range s.Spoken(dialogue.System) {
		asked := s.Before(i, dialogue.User)
		if s.Kind != talk.ServiceKind || !t.Has.Has(det.class) || t.Has.Meets(&det.unless) ||
			t.Asks > 0 || asked < 0 || s.IsPleased(asked) || text.Marked(t.Tokens, text.Number) {
			continue
		}
		isGeneric, phrases := true, s.PhrasesOf(t)
		for p := range t.Sentences() {
			isGeneric = isGeneric && p.Last-p.First < maxStock &&
				slices.ContainsFunc(phrases, func(m text.Match) bool {
					return p.First <= m.First && m.First <= p.Last &&
						(m.Class == det.class || det.needs.Has(m.Class))
				})
		}
		if isGeneric {
			s.emit(det, t.Whole())
		}
	}
}

// Plain words have at most plainLetters letters. An answer with usualNew new words is neither rich
// nor poor, and more than maxNew words count as maxNew. Only the first maxRead words of a turn
// are read.
const (
	plainLetters = 6
	usualNew     = 4
	maxNew       = 8
	maxRead      = 500
)

// newWords returns how many more new plain content words than usual a turn has. New means that no
// recent turn has the word.
func newWords(s *analysis, t *text.Turn) int {
	fresh := 0
	for k := range min(len(t.Tokens), maxRead) {
		if tok := &t.Tokens[k]; tok.IsContent() && !tok.Is(text.Number|text.Capital) &&
			tok.End-tok.Start <= plainLetters && fresh < maxNew && !isKnownWord(s, *tok, t.N-1) {
			fresh++
		}
	}
	return fresh - usualNew
}

// wordLength returns by how many tenths of a letter the words of a turn are longer than usual on
// average, without names and numbers. Turns with fewer than fewestWords words are skipped.
func wordLength(_ *analysis, t *text.Turn) int {
	// in tenths of a letter, tenths of a letter, and words
	const usual, most, fewestWords = 44, 10, 8
	letters, words := 0, 0
	for _, tok := range t.Tokens {
		if !tok.Is(text.Number | text.Capital) {
			letters, words = letters+int(tok.End-tok.Start), words+1
		}
	}
	if words < fewestWords {
		return 0
	}
	return min(10*letters/words-usual, most)
}

// formulas returns how many kinds of stock courtesy a turn has: exclamation marks, thanks and
// sympathy.
func formulas(s *analysis, t *text.Turn) int {
	kinds := min(t.Exclaims, 1)
	for _, class := range [...]text.Class{s.Lex.Class.CourtesyPolite, s.Lex.Class.CourtesyEmpathy} {
		if t.Has.Has(class) {
			kinds++
		}
	}
	return kinds
}
