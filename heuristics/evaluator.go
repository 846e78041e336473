package heuristics

import (
	"context"
	"strconv"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// evaluator is the rule Evaluator. It reads the SYSTEM's turns and the dialogue's structure: every signal at a turn of the
// SYSTEM counts here, but for what is faint, and none at a turn of the USER.
type evaluator struct {
	*Agents
	rubric rubric.Rubric // caps scores
}

// Evaluator plays Agent A by rules.
func (a *Agents) Evaluator(r rubric.Rubric) rubric.Evaluator { return evaluator{a, r} }

// observed is what the detectors saw in the SYSTEM's turns.
type observed struct {
	sums    [rubric.NumCriteria]int64 // millionths of a point
	tallies []tally                   // by detector
	plain   [rubric.NumCriteria]int   // the turns that stand for what nothing special was seen of
}

// tally is one detector's share.
type tally struct {
	seen  int   // turns
	micro int64 // what it adds to each of its criteria
	best  int   // index in the Case of the signal that tells most; -1 where none may be quoted
}

func (e evaluator) Evaluate(_ context.Context, c rubric.Case) (rubric.Scorecard, error) {
	var card rubric.Scorecard
	obs := e.weigh(c)
	for _, criterion := range rubric.Criteria() {
		score := e.levels.of[criterion].score(obs.sums[criterion])
		if most, by := e.rubric.Cap(c, criterion); by != nil && score >= most { // where it is equal, the cap is the reason to give
			card[criterion] = rubric.Rating{
				Score:  most,
				Claim:  e.levels.of[criterion].claim(most, e.detectors[e.index[by.ID]].Title, false),
				Quotes: quotes(c, *by),
			}
			continue
		}
		card[criterion] = e.justify(c, criterion, score, obs)
	}
	return card, nil
}

// fewestTurns is the least number that signals are divided by: one slip in a dialogue of two turns is not half of it.
// It is lower for service cases, which are short.
func fewestTurns(k Kind) int {
	if k == Service {
		return 3
	}
	return 5
}

// weigh adds the signals up. Each is divided by the number of the SYSTEM's turns, or by fewestTurns if that is more;
// those of a detector that counts once for the dialogue are not divided.
func (e evaluator) weigh(c rubric.Case) observed {
	obs := observed{tallies: make([]tally, len(e.detectors)), plain: plainTurns(c)}
	turns := int64(max(c.Dialogue.Count(dialogue.System), fewestTurns(KindOf(c.Signals))))
	void, blamed := e.void(c), e.blamed(c)
	for i, s := range c.Signals {
		k, known := e.index[s.ID]
		if t, _ := c.Dialogue.Turn(s.Turn); !known || t.Role != dialogue.System || e.detectors[k].Faint {
			continue
		}
		own := e.detectors[k].Criteria // not what it tells of a service case as a whole
		if void[s.Turn] && s.Points > 0 && (own.Has(rubric.TaskSuccess) || own.Has(rubric.Helpfulness)) {
			continue
		}
		t := &obs.tallies[k]
		if t.seen++; t.seen == 1 {
			t.best = -1
		}
		if !(s.Points > 0 && blamed[s.Turn]) && (t.best < 0 || tells(c, s, c.Signals[t.best])) {
			t.best = i
		}
		micro := int64(s.Points) * microPerHundredth
		if !e.detectors[k].Once {
			micro /= turns
		} else if t.seen > 1 {
			continue
		}
		t.micro += micro
		for criterion := range obs.sums {
			if own.Has(rubric.Criterion(criterion)) {
				obs.sums[criterion] += micro
			}
		}
	}
	return obs
}

// void finds the turns of which what speaks for the help of the SYSTEM earns nothing: the USER turned them away, or they
// only repeat.
func (a *Agents) void(c rubric.Case) []bool {
	return a.turnsWith(c, func(d *Detector) bool { return d.Voids })
}

// blamed finds the turns that are quoted in favour of nothing: they are void, or do what no service may do.
func (a *Agents) blamed(c rubric.Case) []bool {
	return a.turnsWith(c, func(d *Detector) bool { return d.Voids || d.Family() == "conduct" })
}

// turnsWith finds the turns, by number, with a signal of a detector of a kind.
func (a *Agents) turnsWith(c rubric.Case, kind func(*Detector) bool) []bool {
	turns := make([]bool, len(c.Dialogue.Turns)+1)
	for _, s := range c.Signals {
		if k, known := a.index[s.ID]; known && kind(&a.detectors[k].Detector) {
			turns[s.Turn] = true
		}
	}
	return turns
}

// tells reports whether a signal is better evidence than another: it weighs more or, of equals, is in the
// longer turn.
func tells(c rubric.Case, s, than rubric.Signal) bool {
	if p, q := max(s.Points, -s.Points), max(than.Points, -than.Points); p != q {
		return p > q
	}
	a, _ := c.Dialogue.Turn(s.Turn)
	b, _ := c.Dialogue.Turn(than.Turn)
	return len(a.Text) > len(b.Text)
}

// justify names what decided the score: for one below what the criterion starts from, the signals that weigh
// most against it; for one above, those most in favour; in between, what speaks against a higher one, or else what
// speaks for it. Only a dialogue without either is called unremarkable.
func (e evaluator) justify(c rubric.Case, criterion rubric.Criterion, score rubric.Score, obs observed) rubric.Rating {
	level := e.levels.of[criterion]
	direction := -1
	if score > level.score(0) {
		direction = 1
	}
	best := e.telling(c, criterion, direction, obs)
	if best < 0 && direction < 0 && score < rubric.Scale[4] {
		direction = 1
		best = e.telling(c, criterion, direction, obs)
	}
	var evidence []rubric.Quote
	if best >= 0 {
		evidence = quotes(c, c.Signals[obs.tallies[best].best])
	}
	if len(evidence) == 0 || score == rubric.Scale[4] && direction < 0 {
		turn := obs.plain[criterion]
		t, _ := c.Dialogue.Turn(turn)
		quote := rubric.Excerpt(turn, t.Text, 0, len(t.Text))
		return rubric.Rating{Score: score, Claim: level.Plain, Quotes: []rubric.Quote{quote}}
	}
	t, times := obs.tallies[best], ""
	if t.seen > 1 {
		all := c.Dialogue.Count(dialogue.System)
		times = ", in " + strconv.Itoa(t.seen) + " of the SYSTEM's " + strconv.Itoa(all) + " turns"
	}
	return rubric.Rating{
		Score:  score,
		Claim:  level.claim(score, e.detectors[best].Title+times, direction > 0),
		Quotes: evidence,
	}
}

// telling picks the detector to name, -1 for none: what speaks against a score is named by what weighs most in
// all, what speaks for it by the strongest single sign.
func (e evaluator) telling(c rubric.Case, criterion rubric.Criterion, direction int, obs observed) int {
	best, most := -1, int64(0)
	for k, t := range obs.tallies {
		weight := t.micro * int64(direction)
		if det := e.detectors[k]; weight <= 0 || t.best < 0 || det.Mute || !det.Criteria.Has(criterion) {
			continue
		}
		if direction > 0 {
			weight = int64(c.Signals[t.best].Points)
		}
		if weight > most {
			best, most = k, weight
		}
	}
	return best
}

// plainTurns picks, by criterion, the turn of the SYSTEM to quote where nothing special was seen: how it ends, for the
// task; its first answer, for understanding; how it begins, for courtesy; and the longest for everything else. It looks
// among the turns that no signal speaks against, or else among all that do not address the judge, or else among all. 0
// stands for none.
func plainTurns(c rubric.Case) (turns [rubric.NumCriteria]int) {
	const blamed, injected = 1, 2
	against := make([]int, len(c.Dialogue.Turns)+1)
	for _, s := range c.Signals {
		switch {
		case strings.HasPrefix(s.ID, "safety-"):
			against[s.Turn] = injected
		case s.Points < 0:
			against[s.Turn] = max(against[s.Turn], blamed)
		}
	}
	for tolerated := range injected + 1 {
		var first, answer, last, longest, length int
		asked := false
		for i, t := range c.Dialogue.Turns {
			asked = asked || t.Role == dialogue.User
			if t.Role != dialogue.System || against[i+1] > tolerated || !quotable(t.Text) {
				continue
			}
			last = i + 1
			if first == 0 {
				first = last
			}
			if answer == 0 && asked {
				answer = last
			}
			if len(t.Text) > length {
				longest, length = last, len(t.Text)
			}
		}
		if last > 0 {
			return [rubric.NumCriteria]int{
				rubric.TaskSuccess: last, rubric.Helpfulness: longest, rubric.Accuracy: longest,
				rubric.Understanding: max(first, answer), rubric.Empathy: first, rubric.Fluency: longest,
			}
		}
	}
	return turns
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

// quotes takes the evidence of a signal from the dialogue: the turn that it is about comes first, unless it says
// the same.
func quotes(c rubric.Case, s rubric.Signal) []rubric.Quote {
	var list []rubric.Quote
	t, _ := c.Dialogue.Turn(s.Turn)
	seen := rubric.Excerpt(s.Turn, t.Text, s.Start, s.End)
	if strings.Count(seen.Text, " ") < 2 {
		seen = rubric.Excerpt(s.Turn, t.Text, s.Start, len(t.Text)) // "Of course." says little: take what follows along
	}
	if t, ok := c.Dialogue.Turn(s.About); ok {
		if about := rubric.Excerpt(s.About, t.Text, 0, len(t.Text)); about.Text != "" && about.Text != seen.Text {
			list = append(list, about)
		}
	}
	if seen.Text != "" {
		list = append(list, seen)
	}
	return list
}
