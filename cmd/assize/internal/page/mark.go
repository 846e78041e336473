package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/rubric"
)

// Piece is a part of a turn. One that is quoted has a class, "s" with the lowest score that a quote of it supports, and
// perhaps the place that the quotes lead to.
type Piece struct{ Text, Class, ID string }

// mark is what is quoted, perhaps several times.
type mark struct {
	quotes []*Quote
	place  string
	score  rubric.Score // that it supports; 0 where the Referee did not follow it
}

// Mark cuts the turns at the ends of quotes, and gives quotes the places where they are marked. One that is not found
// word for word, as in a text that was masked, has none.
func (t *Transcript) Mark() {
	var marks []*mark
	add := func(s *Statement, score rubric.Score) {
		if !s.Followed {
			score = 0
		}
		for i := range s.Quotes {
			q := &s.Quotes[i]
			at := slices.IndexFunc(marks, func(m *mark) bool { return *m.quotes[0] == *q })
			if at < 0 {
				at = len(marks)
				marks = append(marks, &mark{place: fmt.Sprintf("q%d", at+1)})
			}
			m := marks[at]
			m.quotes, m.score = append(m.quotes, q), lower(m.score, score)
		}
	}
	for i := range t.Because {
		add(&t.Because[i], 0)
	}
	for i := range t.Scores {
		for j := range t.Scores[i].Says {
			add(&t.Scores[i].Says[j], t.Scores[i].After)
		}
	}
	for i := range t.Turns {
		t.Turns[i].mark(marks)
	}
}

// mark cuts the turn. Where several quotes overlap, the lowest score gives the class.
func (t *Turn) mark(marks []*mark) {
	type span struct {
		from, to int
		*mark
	}
	var spans []span
	cuts := []int{0, len(t.Text)}
	for _, m := range marks {
		words := strings.TrimSuffix(m.quotes[0].Text, "…")
		if from := strings.Index(t.Text, words); m.quotes[0].Turn == t.Number && words != "" && from >= 0 {
			spans = append(spans, span{from, from + len(words), m})
			cuts = append(cuts, from, from+len(words))
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i := range len(cuts) - 1 {
		p := Piece{Text: t.Text[cuts[i]:cuts[i+1]]}
		lowest := rubric.Score(0)
		for _, s := range spans {
			if cuts[i] < s.from || s.to < cuts[i+1] {
				continue
			}
			lowest = lower(lowest, s.score)
			if s.quotes[0].Place == "" && p.ID == "" {
				p.ID = s.place
				for _, q := range s.quotes {
					q.Place = s.place
				}
			}
			p.Class = "s" + strconv.Itoa(int(lowest))
		}
		t.Pieces = append(t.Pieces, p)
	}
}

// lower gives the lower of two scores; 0 is none.
func lower(a, b rubric.Score) rubric.Score {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// First is the place of the first quote that the Referee followed; empty for none.
func (j Judgement) First() string {
	for _, s := range j.Says {
		if s.Followed && len(s.Quotes) > 0 {
			return s.Quotes[0].Place
		}
	}
	return ""
}
