package heuristics

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"assize/rubric"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ladderOf parses a ladder of TaskSuccess with three detectors: a, b and c.
func ladderOf(t *testing.T, lines ...string) *Ladder {
	t.Helper()
	l, rung, err := &Ladder{}, -1, error(nil)
	for _, line := range lines {
		rung, err = l.line(line, rung, letters)
		require.NoError(t, err, line)
	}
	return l
}

// sightOf returns a case of signals, each written as the detector's letter and the number of its
// turn, such as "a1".
func sightOf(signals ...string) *sighting {
	var c rubric.Case
	for _, text := range signals {
		c.Signals = append(c.Signals, rubric.Signal{ID: text[:1], Turn: int(text[1] - '0')})
	}
	return newSighting(c)
}

// letters are the detectors of ladderOf.
var letters = map[string]string{"a": "A", "b": "B", "c": "C"}

func TestLadder(t *testing.T) {
	rungs := []string{"@usual 80 nothing shows it", "100 best", "80 good", "60 middling", "40 poor",
		"20 bad"}
	with := func(rule string, under int) []string {
		return append(append(append([]string{}, rungs[:under+1]...), rule), rungs[under+1:]...)
	}
	tests := []struct {
		reason  string
		ladder  []string
		signals []string
		want    rubric.Score
		review  rubric.Score
	}{
		{"without evidence the usual score holds", rungs, []string{"a1"}, 80, 80},
		{"a merit raises", with("merit a b", 1), []string{"b1"}, 100, 100},
		{"a fault decides before any merit", with("fault b", 4), []string{"a1", "b1"}, 40, 40},
		{"two turns are wanted", with("fault 2 b", 4), []string{"b1"}, 80, 80},
		{"two signals of one turn are one", with("fault 2 b", 4), []string{"b1", "b1"}, 80, 80},
		{"two turns are there", with("fault 2 a b", 4), []string{"a1", "b2"}, 40, 40},
		{"with c it holds", with("fault a with c", 5), []string{"a1", "c1"}, 20, 20},
		{"with c it does not hold", with("fault a with c", 5), []string{"a1"}, 80, 80},
		{"without c it holds", with("fault a without c", 5), []string{"a1"}, 20, 20},
		{"the Critic finds that c has put it right", with("fault a since c", 5),
			[]string{"a1", "c2"}, 20, 80},
		{"what came since is not", with("fault a since c", 5), []string{"c1", "a2"}, 20, 20},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			l, s := ladderOf(t, tt.ladder...), sightOf(tt.signals...)
			assert.Equal(t, tt.want, l.judge(s, false).score)
			assert.Equal(t, tt.review, l.review(s).score)
		})
	}
}

func TestLadderFileMistakes(t *testing.T) {
	for line, want := range map[string]string{
		"80 good":           "out of order",
		"@usual 85 nothing": "want a score",
		"merit a":           "before the first rung",
	} {
		_, err := new(Ladder).line(line, -1, nil)
		assert.ErrorContains(t, err, want)
	}
	for rule, want := range map[string]string{
		"virtue a": "unknown rule",
		"merit d":  "unknown detector",
		"merit 2":  "want detectors",
	} {
		_, err := new(Ladder).parseRule(rule, letters)
		assert.ErrorContains(t, err, want)
	}
}

// No merit or fault may refer to a cue, and every evidence detector has a criterion.
func TestLaddersRestOnEvidence(t *testing.T) {
	a := newAgents(t)
	for _, c := range rubric.Criteria() {
		l := a.Ladder(c)
		for _, rung := range l.Rungs {
			assert.NotEmpty(t, rung.Says, c)
			for _, rule := range rung.Rules {
				for _, id := range rule.ids {
					assert.True(t, a.detectors[id].Criteria.Has(c),
						"%s names %s, which is no evidence for it", c, id)
				}
			}
		}
	}
	for _, det := range a.Detectors() {
		if det.Family() != "conduct" {
			assert.LessOrEqual(t, len(det.Criteria.List()), 2,
				"%s is evidence for more than two criteria", det.ID)
		}
	}
}

// The report of the SYSTEM is cited, and the Critic retracts it if the USER contradicts it.
func TestTheCriticTakesBackWhatALaterTurnRefutes(t *testing.T) {
	a, r := newAgents(t), rubric.Default()
	d := spoken("USER: Cancel my subscription.", "SYSTEM: Your subscription has been cancelled.",
		"USER: It still says active.")
	signals, err := a.Observe(d)
	require.NoError(t, err)
	c := rubric.Case{Dialogue: d, Signals: signals}
	card, err := a.Evaluator(r).Evaluate(context.Background(), c)
	require.NoError(t, err)
	critique, err := a.Critic(r).Critique(context.Background(), c, card)
	require.NoError(t, err)
	e, err := r.Settle(c, card, critique)
	require.NoError(t, err)
	assert.LessOrEqual(t, e.Final[rubric.TaskSuccess].Score, rubric.Score(40))
}

// everySight yields every case in which a, b and c each fire, or do not, in turns 1, 2 and 3.
func everySight(yield func(fired map[byte][]int, s *sighting) bool) {
	for set := range 1 << 9 {
		fired, signals := map[byte][]int{}, []string{}
		for bit := range 9 {
			if turn, of := bit/3+1, "abc"[bit%3]; set&(1<<bit) != 0 {
				fired[of] = append(fired[of], turn)
				signals = append(signals, string(of)+strconv.Itoa(turn))
			}
		}
		if !yield(fired, sightOf(signals...)) {
			return
		}
	}
}

// last returns the last of some turns, or 0.
func last(turns []int) int {
	return append([]int{0}, turns...)[len(turns)]
}

// For the Critic, a fault "since c" is one in the turn of the last c or later. The Evaluator counts
// all of them.
func TestSinceCountsWhatFollowsTheRemedy(t *testing.T) {
	l := ladderOf(t, "@usual 80 nothing shows it", "100 best", "80 good", "60 middling",
		"40 poor", "fault 2 a since c", "20 bad")
	for fired, s := range everySight {
		after := 0
		for _, turn := range fired['a'] {
			if turn >= last(fired['c']) {
				after++
			}
		}
		want := map[bool]rubric.Score{true: 40, false: 80}
		assert.Equal(t, want[len(fired['a']) >= 2], l.judge(s, false).score, fired)
		v := l.review(s)
		assert.Equal(t, want[after >= 2], v.score, fired)
		if len(fired['a']) >= 2 && after < 2 {
			require.Len(t, v.found, 1, "%v: the remedy is the evidence", fired)
			assert.Equal(t, last(fired['c']), s.Signals[v.found[0]].Turn, fired)
			assert.Equal(t, "c", s.Signals[v.found[0]].ID, fired)
		}
	}
}

// Only the sentence of the usual score says that no rule found anything.
func TestOnlyUsualScoresAreUnfounded(t *testing.T) {
	a := newAgents(t)
	for _, c := range rubric.Criteria() {
		l := a.Ladder(c)
		assert.True(t, rubric.Rating{Claim: l.Unshown}.Unfounded(), l.Unshown)
		for _, rung := range l.Rungs {
			assert.False(t, rubric.Rating{Claim: rung.Says}.Unfounded(), rung.Says)
		}
	}
}

// A claim that no call proves is no help, and the head of the reason fits it.
func TestAnUnprovenDeedIsNoHelp(t *testing.T) {
	a, r := newAgents(t), rubric.Default()
	for reason, tt := range map[string]struct {
		call, result string
		helps        bool
	}{
		"no call did it":       {`get_order({"order":7})`, `{"order":7,"total":30}`, false},
		"the call failed":      {`refund({"order":7})`, `{"ok":false,"reason":"too late"}`, false},
		"the call did not say": {`refund({"order":7})`, ``, false},
		"the call did it":      {`refund({"order":7})`, `{"ok":true}`, true},
	} {
		d := spoken("USER: Please refund order 7.", "OTHER: "+tt.call, "OTHER: "+tt.result,
			"SYSTEM: I have refunded it.", "USER: Thanks.")
		signals, err := a.Observe(d)
		require.NoError(t, err)
		c := rubric.Case{Dialogue: d, Signals: signals}
		card, err := a.Evaluator(r).Evaluate(t.Context(), c)
		require.NoError(t, err)
		const says = "the SYSTEM says that it is done"
		assert.Equal(t, tt.helps, strings.Contains(card[rubric.Helpfulness].Claim, says), reason)
		if reason == "no call did it" {
			assert.Contains(t, card[rubric.Accuracy].Claim, "what the SYSTEM says is in doubt: ")
		}
	}
}

// Where the USER says that it works, Helpfulness rests on that too: fully if the SYSTEM did it or
// named the cause, and partly if it has only asked.
func TestAConfirmationCountsForHelp(t *testing.T) {
	a, r := newAgents(t), rubric.Default()
	for _, tt := range []struct {
		answer, reply, says string
		score               rubric.Score
	}{
		{"Could you check whether the gate still points at the old server?",
			"That was it, the badges work now.", "done or that it works", 80},
		{"I have restarted the gate from here. Is it online?", "Yes, it's online again, cheers.",
			"done or that it works", 80},
		{"Which gate is it?", "Oh, it works now.", "only asked", 60},
	} {
		d := spoken("USER: The badges do not open the gate.", "SYSTEM: "+tt.answer,
			"USER: "+tt.reply)
		signals, err := a.Observe(d)
		require.NoError(t, err)
		c := rubric.Case{Dialogue: d, Signals: signals}
		card, err := a.Evaluator(r).Evaluate(t.Context(), c)
		require.NoError(t, err)
		rating := card[rubric.Helpfulness]
		assert.Equal(t, tt.score, rating.Score, tt.reply)
		assert.Contains(t, rating.Claim, tt.says, tt.reply)
		require.Len(t, rating.Quotes, 2, tt.reply)
		assert.Equal(t, 2, rating.Quotes[0].Turn, tt.reply)
	}
}
