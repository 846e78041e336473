package check

import (
	"strings"

	"assize/rubric/dialogue"
)

// reading is one way to take the marks of a quotation.
type reading struct {
	words   string
	speaker dialogue.Role
	turn    int
}

// The most other marks, and the most labels to either side, that readings reach to. An excerpt of 120 runes
// has room for no more labels than that.
const (
	mostClosings = 8
	mostZones    = 12
)

// readings calls look with the other ways to take the marks of a quotation, until it has enough: with the label inside
// them as a part of the words; with another mark as its end, as in USER: "I'm 5'10" tall"; and, for quotes that hold a
// label themselves, with several of them as one. Look tells whether the transcript has the words at all: if not, a
// reading that adds to them is not worth while.
func (q *quotation) readings(look func(reading) (there, enough bool)) {
	c := q.context
	if c == nil {
		return
	}
	if q.close < 0 && c.sentences(q, look) {
		return
	}
	zone := c.zoneEnd(q.open)
	if q.close >= 0 {
		if r := c.reading(q.lead, q.open, q.close); r.words != q.words {
			if _, enough := look(r); enough {
				return
			}
		}
	}
	ends := closers(c.marks[q.open].glyph)
	for j, tried := q.open+1, 0; j < zone && tried < mostClosings; j++ {
		if j == q.close || !c.marks[j].closes || !strings.ContainsRune(ends, c.marks[j].glyph) {
			continue
		}
		tried++
		there, enough := look(c.reading(q.lead, q.open, j))
		if enough {
			return
		}
		if !there && j > q.close && !c.tight(q.open, j) {
			break
		}
	}
	c.wide(q.open, zone, look)
}

// sentences gives look the readings of a quote without an end that end with one of its sentences, and reports whether
// one of them was enough.
func (c *quoteText) sentences(q *quotation, look func(reading) (there, enough bool)) bool {
	for i, tried := 0, 0; i < len(q.words) && tried < mostClosings; i++ {
		if strings.IndexByte(".?!", q.words[i]) < 0 {
			continue
		}
		tried++
		if _, enough := look(reading{q.words[:i+1], q.speaker, q.turn}); enough {
			return true
		}
	}
	return false
}

// wide gives look the readings from the label of the zone of mark open, or of one before, to the end of that zone or of one
// behind.
func (c *quoteText) wide(open, end int, look func(reading) (there, enough bool)) {
	first := c.zoneStart(open)
	for range mostZones {
		if first < 0 || !c.marks[first].zone {
			return
		}
		l := leadOf(c.text[:c.marks[first].start])
		for zone, n := end, 0; n < mostZones; n++ {
			if last := c.lastClosing(first, zone); last > open {
				there, enough := look(c.reading(l, first, last))
				there = there || c.tight(first, last)
				if enough || !there && zone == end {
					return
				}
				if !there {
					break
				}
			}
			if zone == len(c.marks) {
				break
			}
			zone = c.zoneEnd(zone)
		}
		first = c.zoneStart(first - 1)
	}
}

// reading takes two marks for the ends of a quote.
func (c *quoteText) reading(l lead, open, closing int) reading {
	if l.turn == 0 || l.role == dialogue.Other {
		behind(c.text[c.marks[closing].end:], &l)
	}
	return reading{strings.TrimSpace(c.text[c.marks[open].end:c.marks[closing].start]), l.role, l.turn}
}

// tight reports whether words between two marks may be a piece of longer ones and not be found.
func (c *quoteText) tight(open, closing int) bool {
	return c.marks[open].tight || c.marks[closing].tight
}

// zoneStart gives the mark that begins the zone of mark i, or one that begins none.
func (c *quoteText) zoneStart(i int) int {
	for far := i - mostMarks; i > max(far, 0) && !c.marks[i].zone; {
		i--
	}
	return i
}
