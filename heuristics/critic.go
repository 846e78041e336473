package heuristics

import (
	"context"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// critic is the rule Critic. It reads the USER's reactions, which the Evaluator does not, or a service case as a whole, and
// moves a score by the levels that these call for, up or down; without a turn that is worth quoting it stays silent.
// Where they call for nothing, it objects to a score that lacks what the rubric demands for it.
type critic struct {
	*Agents
	rubric rubric.Rubric
}

// Critic plays Agent B by rules.
func (a *Agents) Critic(r rubric.Rubric) rubric.Critic { return critic{a, r} }

func (k critic) Critique(_ context.Context, c rubric.Case, card rubric.Scorecard) (rubric.Critique, error) {
	suggest := k.byReactions(c)
	if KindOf(c.Signals) == Service {
		suggest = k.byQuality(c)
	}
	var critique rubric.Critique
	for _, criterion := range rubric.Criteria() {
		rating := card[criterion]
		suggested, because := suggest(criterion, rating.Score)
		if most, by := k.rubric.Cap(c, criterion); by != nil && suggested > most {
			if suggested = most; rating.Score > most {
				because = *by
			}
		}
		o := k.object(c, criterion, rating.Score, suggested, because)
		if o.Suggested == 0 {
			o = k.miss(c, criterion, rating)
		}
		critique[criterion] = o
	}
	return critique, nil
}

// suggestion gives the score that a criterion should have in place of another, and the signal to quote for it: the zero
// Signal where none may be.
type suggestion func(criterion rubric.Criterion, score rubric.Score) (suggested rubric.Score, because rubric.Signal)

// byQuality suggests what the quality of a service case allows, and nothing higher that lacks what the rubric demands, or
// where the USER says nothing after the SYSTEM.
func (k critic) byQuality(c rubric.Case) suggestion {
	quality, shares := k.quality.of(c.Dialogue, c.Signals)
	answer := slices.IndexFunc(c.Dialogue.Turns, func(t dialogue.Turn) bool { return t.Role == dialogue.System }) + 1
	replied := lastTurns(c.Dialogue)[dialogue.User] > answer
	return func(criterion rubric.Criterion, score rubric.Score) (suggested rubric.Score, because rubric.Signal) {
		suggested = k.levels.of[criterion].within(score, quality)
		if least := min(score, k.levels.of[criterion].Unproven); suggested < least && !k.accused(c, criterion) {
			suggested = least
		}
		if !replied { // nothing shows that an answer was of use
			suggested = min(suggested, score)
		}
		for suggested > score && !k.supported(c, criterion, suggested) {
			suggested = suggested.Step(-1)
		}
		because = k.heaviest(c, criterion, shares, suggested < score)
		if criterion == rubric.TaskSuccess && !k.detectors[k.index[because.ID]].speaksTo(criterion) {
			suggested = max(suggested, score.Step(-1)) // manners alone do not tell that a goal was missed
		}
		return suggested, because
	}
}

// accused reports whether a signal that is about a criterion speaks against it.
func (k critic) accused(c rubric.Case, criterion rubric.Criterion) bool {
	return slices.ContainsFunc(c.Signals, func(s rubric.Signal) bool {
		n, known := k.index[s.ID]
		return known && s.Points < 0 && k.detectors[n].Criteria.Has(criterion)
	})
}

// byReactions suggests what the USER's reactions call for.
func (k critic) byReactions(c rubric.Case) suggestion {
	readings := readUser(c)
	return func(criterion rubric.Criterion, score rubric.Score) (suggested rubric.Score, because rubric.Signal) {
		return k.react(c, criterion, score, readings[criterion])
	}
}

// object makes an objection of another score, if a signal can be quoted for it.
func (k critic) object(c rubric.Case, criterion rubric.Criterion, score, suggested rubric.Score, because rubric.Signal,
) (o rubric.Objection) {
	if suggested == score || because.ID == "" {
		return o
	}
	evidence := quotes(c, because)
	if len(evidence) == 0 {
		return o // no word that can be quoted
	}
	det, says := k.detectors[k.index[because.ID]], k.levels.of[criterion].Says[suggested.Level()]
	claim := k.levels.of[criterion].claim(suggested, det.Title, suggested > score)
	switch raises := suggested > score; {
	case (det.Faint || !det.speaksTo(criterion)) && raises:
		claim = says + ", judging by the whole conversation; the weightiest sign against a lower score: " + det.Title
	case det.Faint || !det.speaksTo(criterion):
		claim = says + ", judging by the whole conversation; the weightiest sign against a higher score: " + det.Title
	case raises && suggested <= rubric.Scale[2]:
		claim = says + ", but no worse: " + det.Title
	}
	return rubric.Objection{
		Suggested: suggested,
		Kind:      rubric.Contradicts,
		Claim:     claim,
		Quotes:    evidence,
		By:        "rules",
	}
}

// heaviest gives the signal of a criterion that lowers the quality of a service case most, or raises it, the later of
// equals; the zero Signal where none does that may be quoted. What speaks to the criterion by itself comes first, then
// what the USER says, and last what is faint. A turn that is blamed speaks for nothing.
func (k critic) heaviest(c rubric.Case, criterion rubric.Criterion, shares []int64, lowers bool) (best rubric.Signal) {
	most, rank, blamed := int64(0), 0, k.blamed(c)
	for i, s := range c.Signals {
		share, at := shares[i], 2
		if lowers {
			share = -share
		}
		n, known := k.index[s.ID]
		if !known || k.detectors[n].Mute || !s.Criteria.Has(criterion) || share <= 0 || !lowers && blamed[s.Turn] {
			continue
		}
		switch t, _ := c.Dialogue.Turn(s.Turn); {
		case k.detectors[n].Faint:
			at = 1
		case k.detectors[n].speaksTo(criterion):
			at = 4
		case t.Role == dialogue.User:
			at = 3
		}
		if at > rank || at == rank && share >= most {
			best, most, rank = s, share, at
		}
	}
	return best
}

// react gives the score that the USER's reactions call for, and a signal to quote for it.
func (k critic) react(c rubric.Case, criterion rubric.Criterion, score rubric.Score, rd turnPoints,
) (suggested rubric.Score, because rubric.Signal) {
	rd.forget(counted(c, criterion))
	shift := k.levels.of[criterion].shift(rd.mean())
	direction := min(max(shift, -1), 1)
	turn, points := rd.strongest(direction)
	if shift == 0 || points*direction < int(k.levels.Quotable) {
		return score, because
	}
	return score.Step(shift), k.weightiest(signalsAt(c, turn), criterion, direction)
}

// counted gives the USER's turns that complain of what a signal at the SYSTEM's turn already counts: the correction
// of a misheard value is the same incident, and no second one.
func counted(c rubric.Case, criterion rubric.Criterion) (turns []int) {
	blamed := func(of rubric.Signal) bool { return of.Points < 0 && of.Criteria.Has(criterion) }
	for _, s := range c.Signals {
		t, _ := c.Dialogue.Turn(s.Turn)
		if s.About > 0 && t.Role == dialogue.User && slices.ContainsFunc(signalsAt(c, s.About), blamed) {
			turns = append(turns, s.Turn)
		}
	}
	return turns
}

// supported reports whether a detector fired that the rubric demands for a score, if it demands any.
func (k critic) supported(c rubric.Case, criterion rubric.Criterion, score rubric.Score) bool {
	demands := k.rubric.Demands[criterion][score.Level()]
	return len(demands) == 0 || c.Fired(demands...)
}

// miss objects to a score for which the rubric demands what no detector saw. It quotes what there is instead.
func (k critic) miss(c rubric.Case, criterion rubric.Criterion, rating rubric.Rating) (o rubric.Objection) {
	score := rating.Score
	if score == rubric.Scale[0] || k.supported(c, criterion, score) {
		return o
	}
	demands := strings.Join(k.rubric.Demands[criterion][score.Level()], ", ")
	return rubric.Objection{
		Suggested: score.Step(-1),
		Kind:      rubric.MissingEvidence,
		Claim:     "nothing shows what the rubric demands for " + score.String() + ", one of " + demands,
		Quotes:    rating.Quotes,
		By:        "rules",
	}
}

// weightiest gives the signal that weighs most in a direction for a criterion, the first of equals, but one that
// names the other turn that it is about before all others, since both can then be quoted; the zero Signal where
// there is none that may be.
func (k critic) weightiest(signals []rubric.Signal, criterion rubric.Criterion, direction int) (best rubric.Signal) {
	for _, s := range signals {
		i, known := k.index[s.ID]
		if !s.Criteria.Has(criterion) || int(s.Points)*direction <= 0 || known && k.detectors[i].Mute {
			continue
		}
		both, had := s.About != 0, best.About != 0
		if both && !had || both == had && int(s.Points)*direction > int(best.Points)*direction {
			best = s
		}
	}
	return best
}

// microPerHundredth: sums of points are kept in millionths of a point, as integers, so that they are the same
// on every machine. A hundredth of a point is 10,000 of them.
const microPerHundredth = 10_000

// mostReaction bounds what one turn of the USER may weigh, up or down, in hundredths of a point: beyond four
// points a turn is simply very good or very bad.
const mostReaction = 400

func bound(points int) int { return min(max(points, -mostReaction), mostReaction) }

// turnPoints are the points of a dialogue's turns, summed from its signals.
type turnPoints struct {
	turns  []int // numbers of the turns of one role
	points []int // hundredths, beside turns
}

// readUser sums, for each criterion, the points of the signals at the USER's turns that list it.
func readUser(c rubric.Case) (all [rubric.NumCriteria]turnPoints) {
	n := c.Dialogue.Count(dialogue.User)
	turns, points := make([]int, 0, n), make([]int, rubric.NumCriteria*n)
	next := 0
	for i, t := range c.Dialogue.Turns {
		for ; next < len(c.Signals) && c.Signals[next].Turn <= i+1; next++ {
			s := &c.Signals[next]
			if t.Role != dialogue.User || s.Turn != i+1 {
				continue
			}
			for k := range all {
				if s.Criteria.Has(rubric.Criterion(k)) {
					points[k*n+len(turns)] += int(s.Points)
				}
			}
		}
		if t.Role == dialogue.User {
			turns = append(turns, i+1)
		}
	}
	for i := range points {
		points[i] = bound(points[i])
	}
	for k := range all {
		all[k] = turnPoints{turns: turns, points: points[k*n : (k+1)*n]}
	}
	return all
}

// mean is the mean of the turns' points in millionths, the last turn weighing three times the first and those
// between in proportion: how a conversation ends colours how it is remembered.
func (rd turnPoints) mean() int64 {
	n := int64(len(rd.points))
	switch n {
	case 0:
		return 0
	case 1:
		return int64(rd.points[0]) * microPerHundredth
	}
	var sum, weights int64
	for i, p := range rd.points {
		w := n - 1 + 2*int64(i)
		sum += w * int64(p)
		weights += w
	}
	return sum * microPerHundredth / weights
}

// forget makes the points of some turns zero.
func (rd turnPoints) forget(turns []int) {
	for _, turn := range turns {
		if i, found := slices.BinarySearch(rd.turns, turn); found {
			rd.points[i] = 0
		}
	}
}

// strongest gives the number of the turn that weighs most in a direction, 1 or -1, and its points; the later
// one of equals. It is 0 where no turn points that way.
func (rd turnPoints) strongest(direction int) (turn, points int) {
	for i, p := range rd.points {
		if p*direction > 0 && p*direction >= points*direction {
			turn, points = rd.turns[i], p
		}
	}
	return turn, points
}

// signalsAt gives the signals of turn n.
func signalsAt(c rubric.Case, n int) []rubric.Signal {
	from, _ := slices.BinarySearchFunc(c.Signals, n, func(s rubric.Signal, n int) int { return s.Turn - n })
	to := from
	for to < len(c.Signals) && c.Signals[to].Turn == n {
		to++
	}
	return c.Signals[from:to]
}
