package localllm

import (
	"cmp"
	"slices"

	"assize/rubric"
)

// merge joins the ratings of a dialogue's windows. Whether the goal is reached shows where the dialogue ends, so
// TaskSuccess is the last window's; every other score is the mean, weighted by turns, at its nearest level, the lower
// of two, and is shown by the turns of the windows that lie nearest to it.
func merge(answers []answer, windows []window) (found [rubric.NumCriteria]opinion) {
	for _, k := range rubric.Criteria() {
		if k == rubric.TaskSuccess {
			last := answers[len(answers)-1].ratings[k]
			found[k] = opinion{last.score, []int{last.turn}, last.why}
			continue
		}
		sum, weight := 0, 0
		for i, w := range windows {
			sum += int(answers[i].ratings[k].score) * (w.to - w.from)
			weight += w.to - w.from
		}
		const step = 20
		score := rubric.Score((sum + weight*step/2 - 1) / (weight * step) * step)
		found[k] = nearest(answers, k, score)
	}
	return found
}

// mostTurns is how many turns show a merged score.
const mostTurns = 2

// nearest gives the opinion of a merged score.
func nearest(answers []answer, k rubric.Criterion, score rubric.Score) opinion {
	choices := make([]choice, len(answers))
	for i, a := range answers {
		choices[i] = a.ratings[k]
	}
	off := func(c choice) int { return max(int(c.score)-int(score), int(score)-int(c.score)) }
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(off(a), off(b)) })
	f := opinion{score: score, why: choices[0].why}
	for _, c := range choices {
		if off(c) == off(choices[0]) && !slices.Contains(f.turns, c.turn) && len(f.turns) < mostTurns {
			f.turns = append(f.turns, c.turn)
		}
	}
	return f
}

// card settles what the presentations found: the median, the lower of two, with the evidence of the first that gave
// it; and flags what is to be doubted.
func (h *Hearing) card(c rubric.Case, b heard) (card rubric.Scorecard) {
	h.account.Spread, h.account.Unstable = nil, nil
	for _, k := range rubric.Criteria() {
		var scores []rubric.Score
		for _, found := range b.opinions {
			scores = append(scores, found[k].score)
		}
		slices.Sort(scores)
		median := scores[(len(scores)-1)/2]
		i := slices.IndexFunc(b.opinions, func(f [rubric.NumCriteria]opinion) bool { return f[k].score == median })
		f := b.opinions[i][k]
		card[k] = h.m.rating(c, k, f.score, f.turns, f.why)
		if len(scores) > 1 {
			spread := scores[len(scores)-1].Level() - scores[0].Level()
			h.account.Spread = append(h.account.Spread, spread)
			if spread >= unstableFrom {
				h.account.Unstable = append(h.account.Unstable, k)
			}
		}
	}
	scores := card.Scores()
	h.account.Flat = scores == [rubric.NumCriteria]rubric.Score{scores[0], scores[0], scores[0], scores[0], scores[0], scores[0]}
	h.account.Counting = b.counting
	h.m.count(scores)
	return card
}
