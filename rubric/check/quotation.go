package check

import (
	"strings"
	"unicode/utf8"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// quotation is what a sentence has in quote marks, or after an opening one that is never closed.
type quotation struct {
	start, end int           // its bytes within the sentence, quote marks included
	words      string        // what stands between the marks
	speaker    dialogue.Role // whom the sentence names right before it: SYSTEM: "…"; Other where it names nobody
	turn       int           // the turn that the sentence names right before or after it: turn 7, [7], T7, #7; 0 for none
	scare      bool          // looks like a word in inverted commas rather than a quote: ≤ 2 words, nobody named
	denied     bool          // the sentence says that the words were not said, or only should have been

	lead        lead       // what names speaker and turn
	context     *quoteText // where other readings come from; nil for none
	open, close int        // the marks, as indices of context.marks; close is -1 where the quote is never closed
	over        int        // where what belongs to it ends: at end, or behind a turn in brackets
}

// quoteText is a sentence with its quote marks.
type quoteText struct {
	text  string
	marks []mark
}

// quotations finds what a sentence quotes, in order and without overlap. Quotes inside a quote are part of it.
//
// Where marks can be read in several ways, the quotation is the most likely one, and [Transcript.locate] tries the
// others too. No quotation reaches from words that this program attributes to a speaker, USER: "…", into others, so what
// [rubric.Rating.Sentence] prints is always read as it was meant, whatever marks the quotes hold.
func quotations(sentence string) []quotation {
	marks := marksOf(sentence)
	if len(marks) == 0 {
		return nil
	}
	c := &quoteText{sentence, marks}
	var list []quotation
	zone, over := 0, 0 // where the zone ends, and what belongs to the quote before
	for i := 0; i < len(marks); {
		if i >= zone {
			zone = c.zoneEnd(i)
		}
		q, ok := c.quoteAt(i, zone, over)
		if !ok {
			i++
			continue
		}
		if hasWords(q.words) {
			q.denied = q.denied || len(list) > 0 && list[len(list)-1].denied && goesOn(sentence[min(over, q.start):q.start])
			list = c.appendLabelled(list, q)
		}
		over = q.over
		if i = q.close + 1; q.close < 0 {
			i = zone
		}
	}
	return list
}

// zoneEnd gives the first mark after i that no quote from mark i can reach.
func (c *quoteText) zoneEnd(i int) int {
	for i++; i < len(c.marks) && !c.marks[i].zone; i++ {
	}
	return i
}

// goesOn reports whether nothing between two quotes says anything new of the second: "please" or "thank you".
func goesOn(between string) bool {
	switch strings.Trim(between, " ,") {
	case "", "or", "nor", "and", "/":
		return true
	}
	return false
}

// quoteAt reads the quote that mark i begins, before mark zone. Its lead does not reach back over what belongs to the quote
// before.
func (c *quoteText) quoteAt(i, zone, over int) (quotation, bool) {
	m := c.marks[i]
	before := strings.TrimRight(c.text[:m.start], " ")
	if !m.opens && !strings.HasSuffix(before, ":") {
		return quotation{}, false
	}
	over = min(over, m.start)
	l := leadOf(c.text[over:m.start])
	l.start += over
	named := l.role != dialogue.Other || l.turn > 0
	if !m.opens && !l.label {
		return quotation{}, false
	}
	closing := c.closing(i, zone)
	if closing < 0 && named {
		closing = c.lastClosing(i, zone)
	}
	if closing < 0 && !named {
		return quotation{}, false
	}
	return c.quotation(l, i, closing, zone), true
}

// quotation makes the quotation of two marks; closing is negative where it goes on to the end.
func (c *quoteText) quotation(l lead, open, closing, zone int) quotation {
	m := c.marks[open]
	q := quotation{start: m.start, lead: l, context: c, open: open, close: closing, denied: l.denied}
	if closing >= 0 {
		q.words, q.end = strings.TrimSpace(c.text[m.end:c.marks[closing].start]), c.marks[closing].end
		q.over = q.end
		if l.turn == 0 || l.role == dialogue.Other {
			q.over += behind(c.text[q.end:], &l)
		}
	} else {
		q.end = len(c.text)
		if zone < len(c.marks) {
			q.end = leadOf(c.text[:c.marks[zone].start]).start
		}
		q.end = m.end + len(strings.TrimRight(c.text[m.end:max(q.end, m.end)], " ;"))
		q.words, q.over = strings.TrimSpace(c.text[m.end:q.end]), q.end
	}
	q.speaker, q.turn = l.role, l.turn
	q.scare = isScare(q)
	return q
}

// mostMarks is how many marks a quote may hold: an excerpt of 120 runes has fewer, and reading takes linear time.
const mostMarks = 128

// closing finds the mark that closes the one at index i, with quotes inside left out; -1 for none before mark zone.
func (c *quoteText) closing(i, zone int) int {
	zone = min(zone, i+mostMarks)
	open := c.marks[i].glyph
	ends := closers(open)
	depth, doubtful, empty := 0, -1, -1
	wordy := false
	for j := i + 1; j < zone; j++ {
		m := c.marks[j]
		wordy = wordy || hasWords(c.text[c.marks[j-1].end:m.start])
		closes := m.closes && strings.ContainsRune(ends, m.glyph)
		switch {
		case m.glyph == open && m.opens && !closes:
			if doubtful >= 0 {
				return doubtful
			}
			depth++
		case !closes:
		case depth > 0:
			depth--
		case !wordy:
			empty = j
		case !m.doubtful:
			return j
		case doubtful < 0:
			doubtful = j
		}
	}
	return max(doubtful, empty)
}

// lastClosing finds the last mark before mark zone that can close the one at index i; -1 for none.
func (c *quoteText) lastClosing(i, zone int) int {
	ends := closers(c.marks[i].glyph)
	for j := min(zone, i+mostMarks) - 1; j > i; j-- {
		if c.marks[j].closes && strings.ContainsRune(ends, c.marks[j].glyph) {
			return j
		}
	}
	return -1
}

// isScare reports whether a quotation may be a word in inverted commas.
func isScare(q quotation) bool {
	return q.speaker == dialogue.Other && q.turn == 0 && len(strings.Fields(q.words)) <= 2
}

// hasWords reports whether a text holds a letter or a digit, that of no tag or entity.
func hasWords(s string) bool {
	i := strings.IndexFunc(s, func(r rune) bool { return r == '<' || r == '&' || r >= utf8.RuneSelf || isLetter(r) && r != '_' })
	if i < 0 || s[i] != '<' && s[i] != '&' && s[i] < utf8.RuneSelf {
		return i >= 0
	}
	_, ok := rubric.FoldQuote(s[i:])
	return ok
}
