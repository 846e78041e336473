package heuristics

import (
	"context"
	"strconv"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// evaluator is the rule Evaluator. It climbs the ladder of each criterion with the signals of both sides.
type evaluator struct {
	*Agents
	rubric rubric.Rubric // caps scores
}

// Evaluator plays Agent A by rules.
func (a *Agents) Evaluator(r rubric.Rubric) rubric.Evaluator { return evaluator{a, r} }

func (e evaluator) Evaluate(_ context.Context, c rubric.Case) (rubric.Scorecard, error) {
	var card rubric.Scorecard
	s, plain := e.sight(c), newPlainQuotes(c)
	for _, criterion := range rubric.Criteria() {
		l := &e.ladders[criterion]
		v := l.judge(s)
		if limit, by := e.rubric.Cap(c, criterion); by != nil && v.score >= limit {
			card[criterion] = e.capped(c, criterion, limit, *by)
			continue
		}
		card[criterion] = e.rate(s, l, v)
		if len(card[criterion].Quotes) == 0 {
			card[criterion] = rubric.Rating{Score: v.score, Claim: l.Unshown, Quotes: plain.next(criterion)}
		}
	}
	return card, nil
}

// capped returns the rating of a criterion that the rubric caps.
func (a *Agents) capped(c rubric.Case, criterion rubric.Criterion, limit rubric.Score, by rubric.Signal,
) rubric.Rating {
	says := a.ladders[criterion].Rungs[limit.Level()].Says
	claim := says + ": " + a.detectors[a.index[by.ID]].Title
	return rubric.Rating{Score: limit, Claim: claim, Quotes: quotes(c, by)}
}

// rate returns the rating of a verdict: the rung's sentence, what was found, and a quote that shows it.
// Without a word that can be quoted, Quotes is empty.
func (a *Agents) rate(s *sighting, l *Ladder, v verdict) rubric.Rating {
	if v.found == nil {
		return rubric.Rating{Score: v.score, Claim: l.Unshown}
	}
	shown := v.found[0]
	if l.last {
		shown = v.found[len(v.found)-1]
	}
	claim := l.Rungs[v.score.Level()].Says + ": " + a.detectors[s.detectors[shown]].Title
	if n := len(v.found); n > 1 {
		claim += " (in " + strconv.Itoa(n) + " turns)"
	}
	return rubric.Rating{Score: v.score, Claim: claim, Quotes: quotes(s.Case, s.Signals[shown])}
}

// plainQuotes picks what is quoted for a score that rests on no evidence: how the conversation ends for
// TaskSuccess, the first answer for Understanding, its beginning for Empathy, and otherwise the longest
// turn. It avoids turns that speak to the judge or have a fault, and quotes no turn twice if it can.
type plainQuotes struct {
	c    rubric.Case
	used []bool // by turn
	bad  []int  // by turn: what is known against it
}

// What makes a turn a bad choice, by how bad it is.
const (
	faulty   = 1
	repeated = 2 // it is quoted already
	injected = 3
)

func newPlainQuotes(c rubric.Case) *plainQuotes {
	p := &plainQuotes{c: c, bad: make([]int, len(c.Dialogue.Turns)+1)}
	for _, s := range c.Signals {
		switch {
		case strings.HasPrefix(s.ID, "safety-"):
			p.bad[s.Turn] = injected
		case s.Points < 0:
			p.bad[s.Turn] = max(p.bad[s.Turn], faulty)
		}
	}
	return p
}

// next returns a quote for a criterion.
func (p *plainQuotes) next(c rubric.Criterion) []rubric.Quote {
	for tolerated := range injected + 1 {
		var first, answer, last, longest, length int
		asked := false
		for i, t := range p.c.Dialogue.Turns {
			asked = asked || t.Role == dialogue.User
			if t.Role != dialogue.System || p.bad[i+1] > tolerated || !quotable(t.Text) {
				continue
			}
			if last = i + 1; first == 0 {
				first = last
			}
			if answer == 0 && asked {
				answer = last
			}
			if len(t.Text) > length {
				longest, length = last, len(t.Text)
			}
		}
		if last == 0 {
			continue
		}
		turn := longest
		switch c {
		case rubric.TaskSuccess:
			turn = last
		case rubric.Understanding:
			turn = max(first, answer)
		case rubric.Empathy:
			turn = first
		}
		t, _ := p.c.Dialogue.Turn(turn)
		p.bad[turn] = max(p.bad[turn], repeated)
		return []rubric.Quote{rubric.Excerpt(turn, t.Text, 0, len(t.Text))}
	}
	return nil
}

// quotable reports at little cost whether an excerpt of the text will hold words: most turns hold plain letters.
func quotable(text string) bool {
	for i := range min(len(text), 40) {
		if c := text[i]; c|0x20 >= 'a' && c|0x20 <= 'z' && len(text) < 100 {
			return true
		}
	}
	return rubric.Excerpt(1, text, 0, 0).Text != ""
}

// quotes returns the evidence of a signal: the words that were matched, and before them the turn that
// they are about.
func quotes(c rubric.Case, s rubric.Signal) []rubric.Quote {
	var list []rubric.Quote
	t, _ := c.Dialogue.Turn(s.Turn)
	seen := rubric.Excerpt(s.Turn, t.Text, s.Start, s.End)
	if strings.Count(seen.Text, " ") < 2 {
		seen = rubric.Excerpt(s.Turn, t.Text, s.Start, len(t.Text)) // "Of course." shows little
	}
	if t, ok := c.Dialogue.Turn(s.About); ok {
		about := rubric.Excerpt(s.About, t.Text, 0, len(t.Text))
		if about.Text != "" && about.Text != seen.Text {
			list = append(list, about)
		}
	}
	if seen.Text != "" {
		list = append(list, seen)
	}
	return list
}
