package heuristics

import (
	"context"
	"strconv"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// evaluator is the rule Evaluator. It reads the SYSTEM's turns and the dialogue's structure: every signal at a
// turn of the SYSTEM counts here, and none at a turn of the USER, for those are the Critic's.
type evaluator struct{ *Agents }

// Evaluator plays Agent A by rules.
func (a *Agents) Evaluator() rubric.Evaluator { return evaluator{a} }

func (e evaluator) Evaluate(_ context.Context, c rubric.Case) (rubric.Scorecard, error) {
	var card rubric.Scorecard
	obs := e.weigh(c)
	for _, criterion := range rubric.Criteria() {
		card[criterion] = e.justify(c, criterion, e.levels.of[criterion].score(obs.sums[criterion]), obs)
	}
	return card, nil
}

// observed is what the detectors saw in the SYSTEM's turns, summed.
type observed struct {
	sums    [rubric.NumCriteria]int64 // millionths of a point
	tally   []tally                   // by detector
	typical typical
}

// tally is one detector's share.
type tally struct {
	seen  int   // turns
	micro int64 // what it adds to each of its criteria
	best  int   // index in the Case of the signal that tells most
}

// fewestTurns is the least that signals are divided by: in a dialogue of two turns, one slip is not half of it.
const fewestTurns = 5

// weigh adds the signals up: each counts once a turn and is divided by the number of the SYSTEM's turns, five at
// least, save those of a detector that counts once for the dialogue.
func (e evaluator) weigh(c rubric.Case) observed {
	obs := observed{tally: make([]tally, len(e.detectors)), typical: findTypical(c)}
	turns := int64(max(c.Dialogue.Count(dialogue.System), fewestTurns))
	for i, s := range c.Signals {
		k, known := e.index[s.ID]
		if t, _ := c.Dialogue.Turn(s.Turn); !known || t.Role != dialogue.System {
			continue
		}
		t := &obs.tally[k]
		if t.seen++; t.seen == 1 || tells(c, s, c.Signals[t.best]) {
			t.best = i
		}
		once := e.detectors[k].Once
		if once && t.seen > 1 {
			continue
		}
		micro := int64(s.Points) * microPerHundredth
		if !once {
			micro /= turns
		}
		t.micro += micro
		for _, criterion := range rubric.Criteria() {
			if s.Criteria.Has(criterion) {
				obs.sums[criterion] += micro
			}
		}
	}
	return obs
}

// tells reports whether a signal is better evidence than another: it weighs more or, of equals, stands in the
// longer turn.
func tells(c rubric.Case, s, than rubric.Signal) bool {
	if abs(s.Points) != abs(than.Points) {
		return abs(s.Points) > abs(than.Points)
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
	direction := int64(-1)
	if score > level.score(0) {
		direction = 1
	}
	best := obs.telling(e.detectors, c, criterion, direction)
	if best < 0 && direction < 0 && score < rubric.Scale[4] {
		direction = 1
		best = obs.telling(e.detectors, c, criterion, direction)
	}
	if best < 0 || score == rubric.Scale[4] && direction < 0 {
		turn := obs.typical.of(criterion)
		text, _ := c.Dialogue.Turn(turn)
		return rubric.Rating{Score: score, Claim: level.Plain, Quotes: []rubric.Quote{rubric.Excerpt(turn, text.Text, 0, len(text.Text))}}
	}
	t := obs.tally[best]
	return rubric.Rating{
		Score:  score,
		Claim:  e.detectors[best].Title + times(t.seen, c.Dialogue.Count(dialogue.System)) + level.bearing(int(direction)),
		Quotes: quotes(c, c.Signals[t.best]),
	}
}

// telling picks the detector to name, -1 for none: what speaks against a score is named by what weighs most in
// all, what speaks for it by the strongest single sign.
func (obs observed) telling(detectors []detectorAt, c rubric.Case, criterion rubric.Criterion, direction int64) int {
	best, most := -1, int64(0)
	for k, t := range obs.tally {
		weight := t.micro * direction
		if weight <= 0 || !detectors[k].Criteria.Has(criterion) {
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

// typical are the turns of the SYSTEM that stand for what nothing special was seen of; 0 for none.
type typical struct {
	first   int // how it begins, for courtesy
	answer  int // its first answer, for understanding
	last    int // how it ends, for the task
	longest int // for everything else
}

// findTypical looks among the turns that no signal speaks against, and among all where there is none such.
func findTypical(c rubric.Case) typical {
	blamed := make([]bool, len(c.Dialogue.Turns)+1)
	for _, s := range c.Signals {
		blamed[s.Turn] = blamed[s.Turn] || s.Points < 0
	}
	if t := typicalOf(c.Dialogue, func(n int) bool { return !blamed[n] }); t.last != 0 {
		return t
	}
	return typicalOf(c.Dialogue, func(int) bool { return true })
}

func typicalOf(d dialogue.Dialogue, fits func(turn int) bool) (t typical) {
	length, asked := 0, false
	for i, turn := range d.Turns {
		asked = asked || turn.Role == dialogue.User
		if turn.Role != dialogue.System || !fits(i+1) || !quotable(turn.Text) {
			continue
		}
		t.last = i + 1
		if t.first == 0 {
			t.first = t.last
		}
		if t.answer == 0 && asked {
			t.answer = t.last
		}
		if len(turn.Text) > length {
			t.longest, length = t.last, len(turn.Text)
		}
	}
	return t
}

// quotable reports at little cost whether an excerpt of the text will hold words: most turns hold plain letters.
func quotable(text string) bool {
	for i := range min(len(text), 40) {
		if c := text[i]; c|0x20 >= 'a' && c|0x20 <= 'z' {
			return len(text) < 100 || rubric.Excerpt(1, text, 0, 0).Text != ""
		}
	}
	return rubric.Excerpt(1, text, 0, 0).Text != ""
}

func (t typical) of(criterion rubric.Criterion) int {
	switch criterion {
	case rubric.TaskSuccess:
		return t.last
	case rubric.Understanding:
		return max(t.first, t.answer)
	case rubric.Empathy:
		return t.first
	}
	return t.longest
}

// times says how often something was seen, where that is more than once.
func times(seen, turns int) string {
	if seen < 2 {
		return ""
	}
	return ", in " + strconv.Itoa(seen) + " of the SYSTEM's " + strconv.Itoa(turns) + " turns"
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

func abs(p rubric.Hundredths) rubric.Hundredths { return max(p, -p) }
