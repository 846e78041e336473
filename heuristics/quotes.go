package heuristics

import (
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// A score is shown with quotes from the dialogue. The choice of quotes is the same for both agents.

// quoter chooses quotes. It considers only those that support a score and, among several, prefers
// the one that the fewest criteria have used.
type quoter struct {
	c    rubric.Case
	used map[rubric.Quote]int
	bad  []bool // by turn: it addresses the judge
}

func newQuoter(c rubric.Case) *quoter {
	q := &quoter{c: c, used: map[rubric.Quote]int{}, bad: make([]bool, len(c.Dialogue.Turns)+1)}
	for _, s := range c.Signals {
		if strings.HasPrefix(s.ID, "safety-") {
			q.bad[s.Turn] = true
		}
	}
	return q
}

// freshest returns the signal whose quote the fewest criteria have used. Ties are resolved by the
// most points, then by the first signal; if last is set, by the last signal, regardless of points.
func (q *quoter) freshest(s *sighting, found []int, last bool) int {
	if len(found) == 1 {
		return found[0]
	}
	best, fewest := -1, 0
	for _, i := range found {
		n := q.used[q.seen(s.Signals[i])]
		weightier := best >= 0 && weight(s.Signals[i].Points) > weight(s.Signals[best].Points)
		if best < 0 || n < fewest || n == fewest && (last || weightier) {
			best, fewest = i, n
		}
	}
	return best
}

func weight(points rubric.Hundredths) rubric.Hundredths { return max(points, -points) }

// seen returns the words in which a signal was found, with their sentence.
func (q *quoter) seen(s rubric.Signal) rubric.Quote {
	t, _ := q.c.Dialogue.Turn(s.Turn)
	quote := rubric.Excerpt(s.Turn, t.Text, s.Start, s.End)
	if strings.Count(quote.Text, " ") < 2 {
		// a quote such as "Of course." shows little
		at := strings.Index(t.Text, strings.TrimSuffix(quote.Text, "…"))
		quote = gist(s.Turn, t.Text, max(0, at))
	}
	return quote
}

// gist returns an excerpt of a turn that starts at byte from and is as long as a quote may be. It
// skips a greeting on a line of its own if more text follows.
func gist(turn int, text string, from int) rubric.Quote {
	quote := rubric.Excerpt(turn, text, from, len(text))
	if strings.Count(quote.Text, " ") < 2 {
		for next := range rubric.Excerpts(turn, text[from:]) {
			if strings.Count(next.Text, " ") >= 2 {
				return next
			}
		}
	}
	return quote
}

// maxUses is how many criteria may share a quote if another one is available.
const maxUses = 2

// signal returns the quotes for a signal: its words, preceded by the turn that they are about
// unless another criterion quotes that turn.
func (q *quoter) signal(s rubric.Signal) []rubric.Quote {
	var list []rubric.Quote
	seen := q.seen(s)
	if t, ok := q.c.Dialogue.Turn(s.About); ok && t.Role != dialogue.Other {
		about := gist(s.About, t.Text, 0)
		if about.Text != "" && about.Text != seen.Text && q.used[about] == 0 {
			list = append(list, about)
		}
	}
	if seen.Text != "" {
		list = append(list, seen)
	}
	for _, quote := range list {
		q.used[quote]++
	}
	return list
}

// plain returns a quote for a score without evidence. For TaskSuccess it is the USER's last words,
// and for Understanding the USER's first words, which show what there was to do and to understand.
// For other criteria, or if enough criteria have used the USER's words, it is a sentence of the
// SYSTEM.
func (q *quoter) plain(c rubric.Criterion) []rubric.Quote {
	role := dialogue.System
	if c == rubric.TaskSuccess || c == rubric.Understanding {
		role = dialogue.User
	}
	best, uses := q.leastUsed(role, c)
	if uses >= maxUses && role == dialogue.User {
		if quote, n := q.leastUsed(dialogue.System, c); n < uses && quote.Text != "" {
			best = quote
		}
	}
	if best.Text == "" {
		return nil
	}
	q.used[best]++
	return []rubric.Quote{best}
}

// maxCompared is how many sentences of the SYSTEM are compared once an unused one is found.
const maxCompared = 16

// leastUsed returns the sentence of a side that the fewest criteria have used, and how many have.
// Ties are resolved by the longest sentence for the SYSTEM, and for the USER by the last sentence
// for TaskSuccess, otherwise the first. Only the beginning of a USER's turn is considered.
// Sentences of fewer than three words, which show politeness at best, and turns that address the
// judge are used only if there is nothing else.
func (q *quoter) leastUsed(role dialogue.Role, c rubric.Criterion) (best rubric.Quote, fewest int) {
	seen := 0
	for i, t := range q.c.Dialogue.Turns {
		if t.Role != role || !quotable(t.Text) {
			continue
		}
		for quote := range rubric.Excerpts(i+1, t.Text) {
			n := q.used[quote]
			short := strings.Count(quote.Text, " ") < 2
			if short && c == rubric.Empathy {
				n++
			} else if short {
				n += maxUses
			}
			if q.bad[i+1] {
				n += 2 * rubric.NumCriteria
			}
			rather := c == rubric.TaskSuccess // prefer the later one
			if role == dialogue.System {
				rather = short && c == rubric.Empathy || len(quote.Text) > len(best.Text) && n == 0
			}
			if best.Text == "" || n < fewest || n == fewest && rather {
				best, fewest = quote, n
			}
			if seen++; role == dialogue.User || fewest == 0 && seen >= maxCompared {
				break
			}
		}
		if best.Text == "" || role == dialogue.User && c == rubric.TaskSuccess {
			continue
		}
		enough := fewest == 0 && (role == dialogue.User || seen >= maxCompared)
		if enough || c == rubric.Understanding && role == dialogue.User {
			break
		}
	}
	return best, fewest
}

// quotable is a cheap check whether an excerpt of the text will contain words. Most turns contain
// plain letters.
func quotable(text string) bool {
	for i := range min(len(text), 40) {
		if c := text[i]; c|0x20 >= 'a' && c|0x20 <= 'z' && len(text) < 100 {
			return true
		}
	}
	return rubric.Excerpt(1, text, 0, 0).Text != ""
}
