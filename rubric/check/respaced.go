package check

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// leastLetters is how many letters and digits a quote needs to be found by them alone.
const leastLetters = 8

// respaced finds a quote that has the letters of an utterance in order and parts them into words otherwise: 7pm for
// 7 pm, dont for don't. Digits are never joined or parted so, since that makes another number.
func (t *Transcript) respaced(r reading, quote []word) (place, bool) {
	letters, _ := joined(r.words, quote)
	if len(letters) < leastLetters || len(quote) == mostQuoteWords {
		return place{}, false
	}
	for i, words := range t.lexicon().turns {
		turn := t.dialogue.Turns[i]
		if turn.Role == dialogue.Other || r.speaker != dialogue.Other && r.speaker != turn.Role || r.turn > 0 && r.turn != i+1 {
			continue
		}
		all, ends := joined(turn.Text, words)
		from, to, ok := wholeWords(all, letters, ends)
		if !ok {
			continue
		}
		d := differ{quote: r.words, text: turn.Text, quoteWords: quote, words: words}
		start, end := words[from].start, words[to-1].end
		return place{
			verdict: altered, turns: []int{i + 1}, nearest: t.excerpt(i+1, start, end),
			difference: d.respaced(from, to), marksOnly: true,
		}, true
	}
	return place{}, false
}

// joined writes words without what stands between them, but for a sign between two digits; ends tells where each ends.
func joined(s string, words []word) (letters string, ends []int) {
	var b strings.Builder
	ends = make([]int, len(words))
	for i, w := range words {
		word := strings.ReplaceAll(foldWord(s[w.start:w.end]), "'", "")
		if so := b.String(); word != "" && so != "" && isDigit(rune(so[len(so)-1])) && isDigit(rune(word[0])) {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		ends[i] = b.Len()
	}
	return b.String(), ends
}

// wholeWords finds letters in all where a word begins and one ends.
func wholeWords(all, letters string, ends []int) (from, to int, ok bool) {
	const tries = 32
	at := 0
	for range tries {
		next := strings.Index(all[at:], letters)
		if next < 0 {
			break
		}
		at += next
		from, _ = slices.BinarySearch(ends, at+1)
		to, ok = slices.BinarySearch(ends, at+len(letters))
		if ok && (at == 0 || from > 0 && strings.TrimLeft(all[ends[from-1]:at], " ") == "") {
			return from, to + 1, true
		}
		at++
	}
	return 0, 0, false
}

// respaced writes the difference between the quote and the words from and to of a turn, which has the same letters.
func (d *differ) respaced(from, to int) string {
	same := func(i, j int) bool {
		return d.quoteWords[i].id != 0 && d.quoteWords[i].id == d.words[j].id
	}
	first, last := 0, 0
	for first < len(d.quoteWords) && from+first < to && same(first, from+first) {
		first++
	}
	for last < len(d.quoteWords)-first && last < to-from-first && same(len(d.quoteWords)-1-last, to-1-last) {
		last++
	}
	if first > 0 {
		d.b.WriteString(d.text[d.words[from].start:d.words[from+first-1].end] + " ")
	}
	d.left, d.put = [2]int{from + first, to - last}, [2]int{first, len(d.quoteWords) - last}
	d.flush()
	if last > 0 {
		d.b.WriteString(d.text[d.words[to-last].start:d.words[to-1].end])
	}
	return cutRunes(oneLine(d.b.String()), mostDifference)
}
