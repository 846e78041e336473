package page

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assize/rubric"
)

// piece is a part of a turn, with the numbers of the quotes that it is part of.
type piece struct {
	Text   string
	Quotes []int
	Tone   string // of the lowest of the scores that the quotes stand for; empty where none of them counts
}

// MarshalJSON writes plain text as a string, and what is quoted as [text, tone, number, …].
func (p piece) MarshalJSON() ([]byte, error) {
	if len(p.Quotes) == 0 {
		return json.Marshal(p.Text)
	}
	list := []any{p.Text, p.Tone}
	for _, n := range p.Quotes {
		list = append(list, n)
	}
	return json.Marshal(list)
}

// Names gives the quotes as the ids that the page knows them by.
func (p piece) Names() string {
	var names []string
	for _, n := range p.Quotes {
		names = append(names, strconv.Itoa(n))
	}
	return strings.Join(names, " ")
}

// placed is a quote with what it stands for. Its number is its place in the list of all.
type placed struct {
	rubric.Quote
	tone   string
	counts bool // the Referee went by it
}

// The tones, from the worst.
const (
	low  = "low"
	fair = "fair"
	good = "good"
)

func tone(s rubric.Score) string {
	switch {
	case s >= 80:
		return good
	case s >= 60:
		return fair
	}
	return low
}

// span is where a quote stands in its turn, in bytes.
type span struct {
	from, to, number int
	placed
}

// at picks the quotes of a turn.
func at(quotes []placed, turn int) (list []span) {
	for n, q := range quotes {
		if q.Turn == turn {
			list = append(list, span{number: n, placed: q})
		}
	}
	return list
}

// pieces cuts a turn at the ends of the quotes that stand in it. A quote that does not stand in it word for word, as in
// a text that was masked, is marked nowhere.
func pieces(text string, quotes []span) []piece {
	text = unix(text)
	cuts := []int{0, len(text)}
	var found []span
	for _, s := range quotes {
		words := strings.TrimSuffix(unix(s.Text), "…")
		if from := strings.Index(text, words); from >= 0 && words != "" {
			s.from, s.to = from, from+len(words)
			found = append(found, s)
			cuts = append(cuts, s.from, s.to)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var list []piece
	for i := range len(cuts) - 1 {
		from, to := cuts[i], cuts[i+1]
		p := piece{Text: shown(text[from:to])}
		for _, s := range found {
			if s.from <= from && to <= s.to {
				p.Quotes = append(p.Quotes, s.number)
				if s.counts && (p.Tone == "" || rank(s.tone) < rank(p.Tone)) {
					p.Tone = s.tone
				}
			}
		}
		list = append(list, p)
	}
	return list
}

func rank(tone string) int { return slices.Index([]string{low, fair, good}, tone) }

// clipped cuts a turn that is longer than anybody reads, and says so.
func clipped(text string) string {
	if len(text) <= mostTurn {
		return text
	}
	to := mostTurn
	for !utf8.RuneStart(text[to]) {
		to--
	}
	return text[:to] + "… (" + counted(len(text)-to, "more byte") + ")"
}
