package check

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Transcript is a dialogue prepared for looking up quotes. Its indexes are computed once, when they
// are first needed. It is safe for concurrent use.
type Transcript struct {
	dialogue dialogue.Dialogue
	folded   func() []rubric.Folded // the turns, folded for comparison
	words    func() [][]word        // the words of each turn, for quotes that nobody said
}

// NewTranscript prepares a dialogue.
func NewTranscript(d dialogue.Dialogue) *Transcript {
	return &Transcript{d, eachTurn(d, rubric.Fold), eachTurn(d, splitWords)}
}

// eachTurn returns a function that applies f to all turns, once, when it is first called.
func eachTurn[T any](d dialogue.Dialogue, f func(string) T) func() []T {
	return sync.OnceValue(func() []T {
		list := make([]T, len(d.Turns))
		for i, turn := range d.Turns {
			list[i] = f(turn.Text)
		}
		return list
	})
}

// verdict is the result of looking up a quote.
type verdict uint8

const (
	said          verdict = iota // word for word, by the named speaker in the named turn
	saidByOther                  // by the other speaker only
	saidElsewhere                // by the right speaker, but not in the named turn
	altered                      // with other words, or with other marks between them
	unsaid                       // not found
	elided                       // in pieces of one turn, in order
)

// isSaid reports whether the words are in the transcript, regardless of speaker and turn.
func (v verdict) isSaid() bool { return v != unsaid && v != altered }

// place is the location of a quote in the transcript.
type place struct {
	verdict verdict
	turns   []int // the turns that contain it, or the nearest one, in order
	// for a false quote, the most similar utterance with its speaker: USER: "I like rain"
	nearest    string
	difference string // how an altered quote differs from nearest: I [-do not-] like {+the+} rain
	marksOnly  bool   // an altered quote has all words in order and differs only in punctuation
}

// locate looks up a quote, first as a whole and then in pieces. If it is not found, the verdict is
// unsaid.
func (t *Transcript) locate(q *quotation) place {
	// the sentence's own punctuation may be inside the marks
	for _, words := range []string{q.words, strings.TrimRight(q.words, ".,")} {
		if whole, ok := rubric.FoldQuote(words); ok {
			if p := t.turnsWith(q, said, whole); p.verdict != unsaid {
				return p
			}
		}
	}
	if pieces := piecesOf(q.words); len(pieces) > 0 {
		return t.turnsWith(q, elided, pieces...)
	}
	return place{verdict: unsaid}
}

// turnsWith finds the turns that contain the pieces of a quote in order, and derives the verdict.
func (t *Transcript) turnsWith(q *quotation, v verdict, pieces ...rubric.Folded) place {
	var own, other []int
	for i, folded := range t.folded() {
		by := t.dialogue.Turns[i].Role
		isOwn := by == q.speaker || q.speaker == dialogue.Other && !q.isOther
		switch {
		// speakers who are not judged, such as a tool, are quoted only with a label
		case by == dialogue.Other && !q.isOther || !isOwn && len(own) > 0:
		case !folded.Contains(pieces...):
		case isOwn:
			own = append(own, i+1)
		default:
			other = append(other, i+1)
		}
	}
	switch {
	case len(own) == 0 && len(other) == 0:
		return place{verdict: unsaid}
	case len(own) == 0:
		return place{verdict: saidByOther, turns: other, nearest: t.excerpt(q, other[0])}
	case q.turn == 0:
		return place{verdict: v, turns: own}
	case slices.Contains(own, q.turn):
		return place{verdict: v, turns: []int{q.turn}}
	}
	return place{verdict: saidElsewhere, turns: own, nearest: t.excerpt(q, own[0])}
}

// gap matches an omission or a bracketed insertion in a quote: "a … b", "a [...] b", "I liked [the
// film] a lot".
var gap = regexp.MustCompile(`\[[^\]]{0,60}\]|[ (]*(?:…|\.\.\.)[ )]*`)

// piecesOf returns the pieces of a quote with gaps, or nil if it has no gap.
func piecesOf(words string) (pieces []rubric.Folded) {
	const limit = 32
	list := gap.Split(words, limit)
	for _, s := range list {
		if piece, ok := rubric.FoldQuote(strings.TrimRight(s, ".,)] ")); ok && len(list) > 1 {
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// word is a word with its position in a text.
type word struct {
	start, end   int
	text, folded string
}

// wordForm matches a word: don't and 7:30 are one word each.
var wordForm = regexp.MustCompile(`[\pL\pM\p{Nd}]+(?:['’][\pL\pM\p{Nd}]+|[.,:]\d+)*`)

// Limits on the words of quotes and turns that are compared.
const (
	maxQuoteWords = 128
	maxTurnWords  = 2000
)

func splitWords(s string) (words []word) {
	for _, at := range wordForm.FindAllStringIndex(s, maxTurnWords) {
		text := s[at[0]:at[1]]
		words = append(words, word{at[0], at[1], text, strings.ReplaceAll(strings.ToLower(text),
			"’", "'")})
	}
	return words
}

// nearest finds the utterance that is most similar to a quote that nobody said. The quote counts as
// altered if at least three fifths of its words, and at least two, occur there in order; otherwise
// as made up.
func (t *Transcript) nearest(q *quotation) place {
	var best alignment
	quote := quoteWords(q)
	turn, highest := 0, 0
	for i, words := range t.words() {
		if (t.dialogue.Turns[i].Role == dialogue.Other) != q.isOther {
			continue
		}
		a := align(quote, words)
		points := 4 * a.points
		if i+1 == q.turn {
			points += 2
		}
		if t.dialogue.Turns[i].Role == q.speaker {
			points++
		}
		if points > highest {
			best, turn, highest = a, i+1, points
		}
	}
	matched := len(best.pairs)
	if turn == 0 || matched < 2 || 5*matched < 3*len(quote) || best.points < len(quote) {
		return place{verdict: unsaid}
	}
	p := place{verdict: altered, turns: []int{turn}, nearest: t.excerpt(q, turn)}
	first, last := best.span()
	if p.marksOnly = matched == len(quote) && last-first == matched-1; !p.marksOnly {
		p.difference = best.difference()
	}
	return p
}

// excerpt returns the words of a turn that are most similar to a quote, with their speaker: USER:
// "words". It returns "" if none can be printed.
func (t *Transcript) excerpt(q *quotation, turn int) string {
	start, end := 0, 0
	if a := align(quoteWords(q), t.words()[turn-1]); len(a.pairs) > 0 {
		first, last := a.span()
		start, end = a.turn[first].start, a.turn[last].end
	}
	if e := rubric.Excerpt(turn, t.dialogue.Turns[turn-1].Text, start, end); e.Text != "" {
		return e.Attribute(t.dialogue)
	}
	return ""
}

func quoteWords(q *quotation) []word {
	words := splitWords(q.words)
	return words[:min(len(words), maxQuoteWords)]
}

// alignment maps the words of a quote to those of a turn.
type alignment struct {
	quote, turn []word
	pairs       [][2]int // indexes of equal words in the quote and in the turn, in order
	points      int
}

// span returns the first and the last word of the turn that are paired.
func (a *alignment) span() (first, last int) { return a.pairs[0][1], a.pairs[len(a.pairs)-1][1] }

// align finds the stretch of a turn that is most similar to a quote: each pair scores 4 points, and
// each unpaired word on either side costs 1. Of equal stretches it returns the first. A turn that
// contains fewer than two fifths of the words is not compared.
func align(quote, turn []word) alignment {
	a := alignment{quote: quote, turn: turn}
	wanted, common := make(map[string]bool, len(quote)), 0
	for _, w := range quote {
		wanted[w.folded] = true
	}
	for _, w := range turn {
		if wanted[w.folded] {
			common++
		}
	}
	if 5*common < 2*len(quote) {
		return a
	}
	m, end := len(quote), 0
	// score of the first i words of the quote, ending at word j of the turn
	points := make([][]int32, m+1)
	for i := range points {
		points[i] = make([]int32, len(turn)+1)
		points[i][0] = int32(-i)
		for j := 1; i > 0 && j <= len(turn); j++ {
			points[i][j] = max(points[i-1][j], points[i][j-1]) - 1
			if quote[i-1].folded == turn[j-1].folded {
				points[i][j] = max(points[i][j], points[i-1][j-1]+4)
			}
		}
	}
	for j, p := range points[m] {
		if p > points[m][end] {
			end = j
		}
	}
	a.points = int(points[m][end])
	for i, j := m, end; i > 0 && j > 0; {
		switch p := points[i][j]; {
		case quote[i-1].folded == turn[j-1].folded && p == points[i-1][j-1]+4:
			i, j = i-1, j-1
			a.pairs = append(a.pairs, [2]int{i, j})
		case p == points[i-1][j]-1:
			i--
		default:
			j--
		}
	}
	slices.Reverse(a.pairs)
	return a
}

// difference formats how a quote differs from what was said: words that it omits or replaces as
// [-words-], words that it adds as {+words+}, and all others as they were said.
func (a *alignment) difference() string {
	const limit, piece = 320, 80 // maximum runes in total, and per omission or addition
	var parts []string
	put := func(before, after string, words []word) {
		var texts []string
		for _, w := range words {
			texts = append(texts, w.text)
		}
		if len(texts) > 0 {
			parts = append(parts, before+shorten(piece, strings.Join(texts, " "))+after)
		}
	}
	first, last := a.span()
	// Words that end the quote and are in no pair replace the next words of the same phrase.
	for n := a.pairs[len(a.pairs)-1][0] + 1; n < len(a.quote) && last+1 < len(a.turn) &&
		a.turn[last+1].start == a.turn[last].end+1; n++ {
		last++
	}
	i, j := 0, first
	for _, pair := range append(a.pairs, [2]int{len(a.quote), last + 1}) {
		put("[-", "-]", a.turn[j:pair[1]])
		put("{+", "+}", a.quote[i:pair[0]])
		if pair[1] <= last {
			put("", "", a.turn[pair[1]:pair[1]+1])
		}
		i, j = pair[0]+1, pair[1]+1
	}
	return shorten(limit, strings.Join(parts, " "))
}
