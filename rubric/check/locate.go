package check

import (
	"regexp"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// verdict says how a quote stands to the transcript.
type verdict uint8

const (
	said          verdict = iota // word for word, by whom and where the sentence says
	saidByOther                  // by the other speaker only
	saidElsewhere                // by the right speaker, but not in the turn that is named
	altered                      // in other words, or with other marks between them
	unsaid                       // not at all, or only in a turn that nobody is judged for
	elided                       // in pieces of one turn in order, or over turns in a row of one speaker
)

// said reports whether the words are in the transcript, whoever said them where.
func (v verdict) said() bool { return v != unsaid && v != altered }

// place is where a quote stands in the transcript.
type place struct {
	verdict    verdict
	turns      []int  // the numbers of the turns that hold it, or of the nearest one, in order
	nearest    string // where the quote is false, the nearest utterance with its speaker: USER: "I like rain"
	difference string // how an altered quote differs from it: I [-do not-] like {+the+} rain
	marksOnly  bool   // an altered quote has every word in order and differs in marks only
}

// locate looks a quote up. Where the sentence leaves open what is quoted, a reading that was said goes before one that
// was not, so that no true quote is called false.
func (t *Transcript) locate(q quotation) place {
	main := reading{q.words, q.speaker, q.turn}
	p := t.look(main)
	if p.verdict != said && strings.Contains(q.words, "[") {
		main.words = changedCase.ReplaceAllString(q.words, "$1$2")
		p = t.look(main)
	}
	if p.verdict == said {
		return p
	}
	q.readings(func(r reading) (there, enough bool) {
		other := t.look(r)
		if other.verdict == said || other.verdict == elided && !p.verdict.said() {
			p = other
		}
		return other.verdict != unsaid || len(other.turns) > 0, p.verdict == said
	})
	switch p.verdict {
	case saidByOther, saidElsewhere:
		p.nearest = t.show(q.words, p.turns[0])
	case unsaid:
		if len(p.turns) > 0 { // a tool's output has it
			p.nearest = t.show(q.words, p.turns[0])
			break
		}
		return t.nearest(main)
	}
	return p
}

// changedCase is a letter whose case the sentence changed, and says so: "[t]here is a table".
var changedCase = regexp.MustCompile(`\[(\pL)\](\pL)`)

// look looks one reading up, word for word and in pieces. What is found nowhere is unsaid.
func (t *Transcript) look(r reading) place {
	whole, ok := rubric.FoldQuote(r.words)
	if !ok {
		return place{verdict: unsaid}
	}
	tries := [][]rubric.Folded{{whole}}
	if s := strings.TrimRight(r.words, " "); strings.HasSuffix(s, ".") || strings.HasSuffix(s, ",") {
		// The sentence's own mark may stand inside the quote marks.
		if trimmed, ok := rubric.FoldQuote(s[:len(s)-1]); ok {
			tries = append(tries, []rubric.Folded{trimmed})
		}
	}
	for _, pieces := range tries {
		if turns := t.holding(r.speaker, pieces); len(turns) > 0 {
			return t.weigh(r, said, turns)
		}
	}
	if pieces := piecesOf(r.words); len(pieces) > 0 {
		if turns := t.holding(r.speaker, pieces); len(turns) > 0 {
			return t.weigh(r, elided, turns)
		}
		tries = append(tries, pieces)
	}
	for _, pieces := range tries {
		if turns := t.stretched(pieces); len(turns) > 0 {
			return t.weigh(r, elided, turns)
		}
	}
	return place{verdict: unsaid}
}

// weigh settles what it means that turns hold a quote.
func (t *Transcript) weigh(r reading, found verdict, turns []int) place {
	own, other, none := t.speakers(r.speaker, turns)
	switch {
	case len(own) == 0 && len(other) > 0:
		return place{verdict: saidByOther, turns: other}
	case len(own) == 0:
		return place{verdict: unsaid, turns: none}
	case r.turn == 0:
		return place{verdict: found, turns: own}
	case found == elided && slices.Contains(own, r.turn):
		return place{verdict: found, turns: own}
	case slices.Contains(own, r.turn):
		return place{verdict: found, turns: []int{r.turn}}
	}
	return place{verdict: saidElsewhere, turns: own}
}

// holding gives the turns that hold pieces in order: those of the speaker, or else all others.
func (t *Transcript) holding(speaker dialogue.Role, pieces []rubric.Folded) []int {
	folded := t.folded()
	var turns []int
	for _, own := range []bool{true, false} {
		for i := range folded {
			role := t.dialogue.Turns[i].Role
			if own != (role == speaker || speaker == dialogue.Other && role != dialogue.Other) {
				continue
			}
			if _, _, ok := inOrder(folded[i], pieces); ok {
				turns = append(turns, i+1)
			}
		}
		if len(turns) > 0 {
			break
		}
	}
	return turns
}

// stretched gives the turns in a row of one speaker that hold pieces in order.
func (t *Transcript) stretched(pieces []rubric.Folded) []int {
	for _, r := range t.stretches() {
		if start, end, ok := inOrder(r.folded, pieces); ok {
			return r.turns(start, end)
		}
	}
	return nil
}

// inOrder finds pieces one behind the other.
func inOrder(text rubric.Folded, pieces []rubric.Folded) (start, end int, ok bool) {
	for i, piece := range pieces {
		from, to, ok := text.Find(piece, end)
		if !ok {
			return 0, 0, false
		}
		if i == 0 {
			start = from
		}
		end = to
	}
	return start, end, true
}

// mostPieces is how many pieces a quote may consist of; what comes behind the last is part of it.
const mostPieces = 32

// piecesOf gives the pieces of a quote that leaves something out, or puts something in brackets in: "a … b",
// "a [...] b", "I liked [the film] a lot". It gives none for a quote in one piece.
func piecesOf(words string) []rubric.Folded {
	var pieces []rubric.Folded
	cut := false
	for rest := words; rest != ""; {
		at, size := len(rest), 0
		if len(pieces) < mostPieces {
			at, size = omission(rest)
		}
		piece := strings.Trim(rest[:at], " \t\n()[]")
		piece = strings.TrimRight(piece, ".,")
		if folded, ok := rubric.FoldQuote(piece); ok {
			pieces = append(pieces, folded)
		}
		cut = cut || size > 0
		rest = rest[at+size:]
	}
	if !cut {
		return nil
	}
	return pieces
}

// omission finds the first ellipsis, dots or words in square brackets; at is len(s) where there is none.
func omission(s string) (at, size int) {
	const longest = 60 // bytes of an insertion
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "…"):
			return i, len("…")
		case strings.HasPrefix(s[i:], "..."):
			return i, len(s[i:]) - len(strings.TrimLeft(s[i:], "."))
		case s[i] == '[':
			if end := strings.IndexByte(s[i:min(len(s), i+longest)], ']'); end > 0 {
				return i, end + 1
			}
		}
	}
	return len(s), 0
}
