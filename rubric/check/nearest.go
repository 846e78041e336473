package check

import (
	"cmp"
	"slices"

	"assize/rubric"
)

// Limits of the search for the nearest utterance, which keep it linear in the transcript whatever the quote: the words of
// a quote that are compared, the words of a turn that they are laid over, and the turns that are tried.
const (
	mostQuoteWords  = 128
	mostWindowWords = 512
	triedTurns      = 4
)

// window is a stretch of a turn that has words of a quote.
type window struct {
	turn     int // from 1
	from, to int // its words
	common   int // how many words of the quote it has at most, in whatever order
}

// nearest finds the utterance whose words come closest to those of a quote that nobody said. The quote is altered if at
// least three in five of its words, and two at least, stand there in order and close enough together; with less, nothing
// was altered but all made up.
func (t *Transcript) nearest(r reading) place {
	l := t.lexicon()
	quote := l.read(r.words, mostQuoteWords)
	p := t.closest(r, quote)
	if !p.marksOnly {
		if other, ok := t.respaced(r, quote); ok {
			return other
		}
	}
	return p
}

// closest finds the utterance in which most words of a quote are in order.
func (t *Transcript) closest(r reading, quote []word) place {
	l := t.lexicon()
	var best alignment
	var turn int
	for _, w := range l.windows(quote) {
		a := align(quote, l.turns[w.turn-1][w.from:w.to])
		a.shift(w.from)
		a.score += t.favour(r, w.turn)
		if a.score > best.score || turn == 0 {
			best, turn = a, w.turn
		}
	}
	if turn == 0 || !best.isClose(len(quote)) {
		return place{verdict: unsaid}
	}
	text := t.dialogue.Turns[turn-1].Text
	words := l.turns[turn-1]
	d := differ{quote: r.words, text: text, quoteWords: quote, words: words}
	return place{
		verdict: altered, turns: []int{turn}, nearest: t.excerpt(turn, words[best.first()].start, words[best.last()].end),
		difference: d.write(best.steps), marksOnly: best.matched == len(splitWords(r.words)) && best.last()-best.first() == best.matched-1,
	}
}

// favour decides between turns that are equally near: the one that the quote names, then its speaker's.
func (t *Transcript) favour(r reading, turn int) int {
	favour := 0
	if turn == r.turn {
		favour += 2
	}
	if t.dialogue.Turns[turn-1].Role == r.speaker {
		favour++
	}
	return favour
}

// windows gives the stretches of the turns that have most words of a quote, best first and at most one a turn.
func (l *lexicon) windows(quote []word) []window {
	place := map[int32]int{} // of a word in left
	var left []int           // how often the quote has each word
	for _, w := range quote {
		if w.id == 0 {
			continue
		}
		if _, ok := place[w.id]; !ok {
			place[w.id] = len(left)
			left = append(left, 0)
		}
		left[place[w.id]]++
	}
	var windows []window
	need := (len(quote)*3 + 4) / 5
	for i, words := range l.turns {
		w := densest(words, place, slices.Clone(left), len(quote))
		if w.turn = i + 1; w.common >= max(need, 2) {
			windows = append(windows, w)
		}
	}
	slices.SortStableFunc(windows, func(a, b window) int { return cmp.Compare(b.common, a.common) })
	return windows[:min(len(windows), triedTurns)]
}

// densest finds the stretch of a turn, twice as long as the quote and a little, that has most of its words, and widens
// it to what is compared.
func densest(words []word, place map[int32]int, left []int, quote int) window {
	size := min(2*quote+16, mostWindowWords)
	best := window{}
	common := 0
	for i, w := range words {
		if at, ok := place[w.id]; ok {
			if left[at]--; left[at] >= 0 {
				common++
			}
		}
		if i >= size {
			if at, ok := place[words[i-size].id]; ok {
				if left[at]++; left[at] > 0 {
					common--
				}
			}
		}
		if common > best.common {
			best = window{from: max(0, i+1-size), to: i + 1, common: common}
		}
	}
	spare := (mostWindowWords - (best.to - best.from)) / 2
	best.from, best.to = max(0, best.from-spare), min(len(words), best.to+spare)
	return best
}

// show gives a turn as the nearest of a quote whose words it has.
func (t *Transcript) show(words string, turn int) string {
	l := t.lexicon()
	quote := l.read(words, mostQuoteWords)
	start, end := 0, 0
	for _, w := range l.windows(quote) {
		if w.turn != turn {
			continue
		}
		a := align(quote, l.turns[turn-1][w.from:w.to])
		a.shift(w.from)
		if a.matched > 0 {
			start, end = l.turns[turn-1][a.first()].start, l.turns[turn-1][a.last()].end
		}
	}
	return t.excerpt(turn, start, end)
}

// excerpt gives the words around a range of a turn with their speaker: USER: "words"; "" where none can be printed.
func (t *Transcript) excerpt(turn, start, end int) string {
	q := rubric.Excerpt(turn, t.dialogue.Turns[turn-1].Text, start, end)
	if q.Text == "" {
		return ""
	}
	return q.Attribute(t.dialogue)
}
