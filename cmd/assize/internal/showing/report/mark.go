package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/rubric"
)

// piece is a part of a turn. If it is quoted, its class is "s" followed by the lowest score that a
// quote of it supports, or 0 if they support none: the Referee did not follow them, or nothing was
// found in them.
type piece struct{ Text, Class string }

// Mark splits the turns at the ends of quotes, and leads each quote to its turn. The ID of each
// turn begins with prefix. A quote that does not occur word for word, such as in a redacted text,
// is not marked.
func (t *Transcript) Mark(prefix string) {
	// by turn: the words and the score that they support
	quoted := map[int]map[string]rubric.Score{}
	add := func(s *statement, score rubric.Score) {
		if !s.Followed || s.Unfounded {
			score = 0
		}
		for i := range s.Quotes {
			q := &s.Quotes[i]
			q.Anchor = fmt.Sprintf("%st%d", prefix, q.Turn)
			if quoted[q.Turn] == nil {
				quoted[q.Turn] = map[string]rubric.Score{}
			}
			words := strings.TrimSuffix(q.Text, "…")
			quoted[q.Turn][words] = lower(quoted[q.Turn][words], score)
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
	if t.Card != nil {
		for i := range t.Card.Answers {
			add(&t.Card.Answers[i].statement, t.Card.Answers[i].Level)
		}
	}
	for i := range t.Turns {
		t.Turns[i].Anchor = fmt.Sprintf("%st%d", prefix, t.Turns[i].Number)
		t.Turns[i].mark(quoted[t.Turns[i].Number])
	}
}

// mark splits the turn. If quotes overlap, the lowest score determines the class.
func (t *turn) mark(quoted map[string]rubric.Score) {
	type span struct {
		from, to int
		score    rubric.Score
	}
	var spans []span
	cuts := []int{0, len(t.Text)}
	for words, score := range quoted {
		if from := strings.Index(t.Text, words); from >= 0 && words != "" {
			spans = append(spans, span{from, from + len(words), score})
			cuts = append(cuts, from, from+len(words))
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i := range len(cuts) - 1 {
		p := piece{Text: t.Text[cuts[i]:cuts[i+1]]}
		lowest := rubric.Score(0)
		for _, s := range spans {
			if s.from <= cuts[i] && cuts[i+1] <= s.to {
				lowest = lower(lowest, s.score)
				p.Class = "s" + strconv.Itoa(int(lowest))
			}
		}
		t.Pieces = append(t.Pieces, p)
	}
}

// lower returns the lower of two scores, where 0 means no score.
func lower(a, b rubric.Score) rubric.Score {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
