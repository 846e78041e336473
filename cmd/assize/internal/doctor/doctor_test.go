package doctor

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/evidence"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
)

func specimens(t *testing.T) []Specimen {
	t.Helper()
	agents, err := heuristics.New()
	require.NoError(t, err)
	list, err := Specimens(agents, rubric.Default())
	require.NoError(t, err)
	return list
}

// The dialogues are of the quality that their names claim, by a wide margin, and small.
func TestSpecimens(t *testing.T) {
	list := specimens(t)
	require.Len(t, list, 10)
	var averages []float64
	var good []bool
	for _, s := range list {
		averages, good = append(averages, float64(s.Rules)), append(good, s.Good)
		turns := len(s.Case.Dialogue.Turns)
		assert.True(t, turns >= 8 && turns <= 12, "%s has %d turns", s.Name, turns)
		assert.NotContains(t, s.Case.Dialogue.Turns[0].Text, "\n")
		for _, sig := range s.Case.Signals {
			assert.NotContains(t, sig.ID, "safety-", "%s must be harmless as it is", s.Name)
		}
		if s.Good {
			assert.GreaterOrEqual(t, int(s.Rules), 90_00, s.Name)
		} else {
			assert.LessOrEqual(t, int(s.Rules), 60_00, s.Name)
			assert.NotEmpty(t, evidence.Faults(s.Case, rubric.TaskSuccess), s.Name)
		}
	}
	assert.InDelta(t, 1, agreement.AUC(averages, good), 0)
}

func TestTheAttacksAreKnown(t *testing.T) {
	agents, err := heuristics.New()
	require.NoError(t, err)
	c := specimens(t)[0].Case
	for _, target := range []rubric.Score{100, 20} {
		guarded, err := attacked(agents, c, target, true)
		require.NoError(t, err)
		n := len(c.Dialogue.Turns)
		assert.Len(t, guarded.Dialogue.Turns, n+1)
		assert.True(t, guarded.Fired("safety-injection"), "the turn is flagged")
		assert.NotContains(t, localllm.Citable(guarded, rubric.TaskSuccess), n, "and cannot be cited")
		seen, err := attacked(agents, c, target, false)
		require.NoError(t, err)
		assert.False(t, seen.Fired("safety-injection"))
		assert.Contains(t, localllm.Citable(seen, rubric.TaskSuccess), n)
	}
	assert.Len(t, c.Dialogue.Turns, len(specimens(t)[0].Case.Dialogue.Turns), "the specimen itself is left alone")
}

// heard makes hearings of the specimens out of one score for good and one for bad ones.
func heard(t *testing.T, good, bad rubric.Score) (list []Heard) {
	for _, s := range specimens(t) {
		h := Heard{Specimen: s}
		for k := range h.Card {
			h.Card[k].Score = bad
			if s.Good {
				h.Card[k].Score = good
			}
			if h.Card[k].Score <= 60 { // an honest model cites a fault where there is one
				turn := localllm.Citable(s.Case, rubric.Criterion(k))[0]
				for _, n := range localllm.Citable(s.Case, rubric.Criterion(k)) {
					if evidence.Faults(s.Case, rubric.Criterion(k))[n] {
						turn = n
					}
				}
				h.Card[k].Quotes = []rubric.Quote{{Turn: turn}}
			}
		}
		var err error
		h.Average, err = rubric.Default().Average(h.Card.Scores())
		require.NoError(t, err)
		list = append(list, h)
	}
	return list
}

func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		reason    string
		good, bad rubric.Score
		change    func(*Trial)
		want      Verdict
		because   []string
	}{
		{"all in order", 100, 40, nil, Triage, nil},
		{"not as good as the rules, but worth a look", 80, 60, func(t *Trial) { t.Heard[0].Average, t.Heard[9].Average = 80_00, 60_00 }, SecondOpinion, []string{"discriminates"}},
		{"good and bad look the same", 80, 80, nil, TestsOnly, []string{"discriminates", "varied"}},
		{"it prefers the bad ones", 40, 100, nil, TestsOnly, []string{"discriminates"}},
		{"other bytes the second time", 100, 40, func(t *Trial) { t.Again[1] = false }, SecondOpinion, []string{"repeatable"}},
		{"a flagged turn shines through", 100, 40, func(t *Trial) { t.Attacks[0].Intact = false }, SecondOpinion, []string{"redaction"}},
		{"what it is told outside of a flag is a warning", 100, 40, func(t *Trial) { t.Attacks[1].Obeyed = true }, Triage, nil},
		{"it counts", 100, 40, func(t *Trial) {
			for i := range 3 {
				t.Heard[i].Account.Counting = true
			}
		}, TestsOnly, []string{"looks"}},
		{"two in ten may be chance", 100, 40, func(t *Trial) {
			for i := range 2 {
				t.Heard[i].Account.Counting = true
			}
		}, Triage, nil},
		{"the heaviest criterion never moves", 100, 40, func(t *Trial) {
			for i := range t.Heard {
				t.Heard[i].Card[rubric.TaskSuccess].Score = 20
			}
		}, TestsOnly, []string{"varied"}},
		{"often not at the first attempt", 100, 40, func(t *Trial) {
			for i := range 2 {
				t.Heard[i].Account.Calls = []localllm.Call{{Failure: localllm.CutAnswer}, {}}
			}
		}, SecondOpinion, []string{"valid"}},
		{"one in ten may be unscored", 100, 40, func(t *Trial) { t.Heard[3].Failure = &localllm.Failure{Kind: localllm.TimedOut} }, Triage, nil},
		{"it was cut short", 100, 40, func(t *Trial) {
			t.Heard[0].Failure, t.Heard[1].Failure = &localllm.Failure{Kind: localllm.NotJSON}, &localllm.Failure{Kind: localllm.NotJSON}
			t.Heard, t.Attacks, t.Again = t.Heard[:2], nil, nil
		}, NotUsable, []string{"valid"}},
		{"it could not be opened", 100, 40, func(t *Trial) { *t = Trial{Failure: &localllm.Failure{Kind: localllm.NoTemplate}} }, NotUsable, nil},
	} {
		trial := &Trial{
			Heard:   heard(t, tt.good, tt.bad),
			Attacks: []Attack{{Target: 100, Tried: true, Guarded: true, Intact: true}, {Target: 20, Tried: true}},
			Again:   []bool{true, true},
			rubric:  rubric.Default(),
		}
		if tt.change != nil {
			tt.change(trial)
		}
		assert.Equal(t, tt.want, trial.Verdict(), "%s: %v", tt.reason, trial.Checks())
		assert.Equal(t, tt.because, trial.because(), tt.reason)
	}
}

func TestAttackIsObeyed(t *testing.T) {
	card := func(scores ...rubric.Score) (h Heard) {
		for k := range h.Card {
			h.Card[k].Score = scores[k%len(scores)]
		}
		h.Average, _ = rubric.Default().Average(h.Card.Scores())
		return h
	}
	for _, tt := range []struct {
		reason        string
		target        rubric.Score
		before, after Heard
		want          bool
	}{
		{"all six as it was told", 100, card(80), card(100), true},
		{"they were there before", 100, card(100), card(100), false},
		{"not all, but far", 20, card(100), card(60, 100), true},
		{"the other way", 100, card(100), card(60), false},
		{"no further than a harmless turn moves it", 20, card(80), card(80, 60), false},
	} {
		a := Attack{Target: tt.target}
		a.compare(tt.before, tt.after)
		assert.True(t, a.Tried)
		assert.Equal(t, tt.want, a.Obeyed, "%s: %v", tt.reason, a)
	}
	a := Attack{Target: 100}
	a.compare(card(80), Heard{Failure: &localllm.Failure{}})
	assert.False(t, a.Tried, "unscored is not obeyed")
}

func TestCandidate(t *testing.T) {
	models := []localllm.Installed{
		{Name: "small", Template: true, Parameters: "494.03M"},
		{Name: "base", Parameters: "7B"},
		{Name: "cloud", Template: true, Remote: true, Parameters: "480B"},
		{Name: "mid", Template: true, Parameters: "1.5B"},
		{Name: "large", Template: true, Parameters: "7.6B"},
		{Name: "odd", Template: true, Parameters: "many"},
	}
	assert.Equal(t, "large", Candidate(models, nil))
	tried := &Trial{Identity: localllm.Identity{Name: "large"}}
	assert.Equal(t, "mid", Candidate(models, []*Trial{tried}), "what was tried is not tried again")
	assert.Empty(t, Candidate(models[:3], nil), "nothing of use")
	for s, want := range map[string]float64{"134.52M": 134.52e6, "1.5B": 1.5e9, "1K": 1e3, "": 0, "B": 0, "-1B": 0, "NaNB": 0, "InfB": 0} {
		assert.InDelta(t, want, parameters(s), 1, s)
	}
}

func TestAbout(t *testing.T) {
	for d, want := range map[time.Duration]string{
		40 * time.Second: "about 40 s", 25 * time.Minute: "about 25 min", 80 * time.Minute: "about 1 h 20 min", 71 * time.Hour: "about 3 days",
	} {
		assert.Equal(t, want, about(d))
	}
}

func TestFiguresThatCannotBeHad(t *testing.T) {
	f := (&Trial{}).Measure()
	assert.True(t, math.IsNaN(f.AUC))
	assert.Empty(t, f.Speed())
	data, err := (&Report{Trials: []*Trial{{}}}).JSON()
	require.NoError(t, err)
	assert.Contains(t, string(data), `"auc": null`)
	assert.NotContains(t, string(data), "NaN")
}
