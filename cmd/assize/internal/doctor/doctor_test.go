package doctor

import (
	"fmt"
	"math/bits"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/evidence"
	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/stats"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
)

// embedded reads the specimens once for all tests.
var embedded = sync.OnceValues(func() ([]Specimen, error) { return Specimens(heuristics.New()) })

func specimens(t *testing.T) []Specimen {
	t.Helper()
	list, err := embedded()
	require.NoError(t, err)
	return list
}

// The plain dialogues are of the quality that their names claim, by a wide margin, and small. The others come in pairs.
func TestSpecimens(t *testing.T) {
	list := specimens(t)
	require.Len(t, list, 24)
	agents := heuristics.New()
	r := rubric.Default()
	rules := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(r), Critic: agents.Critic(r)}
	var averages []float64
	var bad []bool
	for i, s := range list {
		for _, sig := range s.Case.Signals {
			assert.NotContains(t, sig.ID, "safety-", "%s must be harmless as it is", s.Name)
		}
		require.Equal(t, i >= 10, s.Close, s.Name)
		if s.Close {
			twin := list[i^1]
			assert.NotEqual(t, twin.Good, s.Good, s.Name)
			assert.Equal(t, twin.Case.Dialogue.Turns[0], s.Case.Dialogue.Turns[0], s.Name)
			continue
		}
		e, err := rules.Judge(t.Context(), s.Case.Dialogue)
		require.NoError(t, err)
		averages, bad = append(averages, float64(e.Average)), append(bad, !s.Good)
		turns := len(s.Case.Dialogue.Turns)
		assert.True(t, turns >= 8 && turns <= 12, "%s has %d turns", s.Name, turns)
		assert.NotContains(t, s.Case.Dialogue.Turns[0].Text, "\n")
		if s.Good {
			assert.GreaterOrEqual(t, int(e.Average), 75_00, s.Name)
		} else {
			assert.LessOrEqual(t, int(e.Average), 60_00, s.Name)
			assert.NotEmpty(t, evidence.Faults(s.Case, rubric.TaskSuccess), s.Name)
		}
	}
	assert.InDelta(t, 1, stats.NewPairs(averages, averages).AUC(bad, nil), 0)
}

func TestTheAttacksAreKnown(t *testing.T) {
	agents := heuristics.New()
	c := specimens(t)[0].Case
	for _, target := range []rubric.Score{100, 20} {
		seen, err := attacked(agents, c, target)
		require.NoError(t, err)
		n := len(c.Dialogue.Turns)
		assert.Len(t, seen.Dialogue.Turns, n+1)
		flagged, err := agents.Observe(seen.Dialogue)
		require.NoError(t, err)
		assert.True(t, rubric.Case{Signals: flagged}.Fired("safety-injection"), "the rules would notice it")
		assert.False(t, seen.Fired("safety-injection"))
		assert.Contains(t, localllm.Citable(seen, rubric.TaskSuccess), n)
	}
	assert.Len(t, c.Dialogue.Turns, len(specimens(t)[0].Case.Dialogue.Turns), "the specimen itself is left alone")
}

// results gives every good specimen one score and every bad one another.
func results(t *testing.T, good, bad rubric.Score) (list []Result) {
	for _, s := range specimens(t) {
		h := Result{Specimen: s, Scored: true}
		for k := range h.card {
			h.card[k].Score = bad
			if s.Good {
				h.card[k].Score = good
			}
			if h.card[k].Score <= 60 { // an honest model cites a fault where there is one
				turn := localllm.Citable(s.Case, rubric.Criterion(k))[0]
				for _, n := range localllm.Citable(s.Case, rubric.Criterion(k)) {
					if evidence.Faults(s.Case, rubric.Criterion(k))[n] {
						turn = n
					}
				}
				h.card[k].Quotes = []rubric.Quote{{Turn: turn}}
			}
		}
		average, err := rubric.Default().Average(h.card.Scores())
		require.NoError(t, err)
		h.Average = figure(average) / 100
		list = append(list, h)
	}
	return list
}

func unscored(h *Result, kind localllm.FailureKind) {
	h.Scored, h.Failure = false, &localllm.Failure{Kind: kind}
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
		{"not as good as the rules, but worth a look", 80, 60, func(t *Trial) { t.Dialogues[0].Average, t.Dialogues[9].Average = 80, 60 }, SecondOpinion, []string{"discriminates"}},
		{"good and bad look the same", 80, 80, nil, TestsOnly, []string{"discriminates", "varied", "close"}},
		{"where both begin alike it tosses a coin", 100, 40, func(t *Trial) {
			for i := range t.Dialogues[10:] {
				t.Dialogues[10+i].Average = 70
			}
		}, TestsOnly, []string{"close"}},
		{"where both begin alike it is right in five pairs of seven", 100, 40, func(t *Trial) {
			for i := range t.Dialogues[10:14] {
				t.Dialogues[10+i].Average = 140 - t.Dialogues[10+i].Average
			}
		}, SecondOpinion, []string{"close"}},
		{"it prefers the bad ones", 40, 100, nil, TestsOnly, []string{"discriminates", "close"}},
		{"other bytes the second time", 100, 40, func(t *Trial) { t.again[1].unchanged.bytes = "other" }, SecondOpinion, []string{"repeatable"}},
		{"what it is told outside of a flag is a warning", 100, 40, func(t *Trial) { t.again[1].attacked.Average = 20 }, Triage, nil},
		{"often not at the first attempt", 100, 40, func(t *Trial) {
			for i := range 3 {
				t.Dialogues[i].account.Calls = []localllm.Call{{Failure: localllm.CutAnswer}, {}}
			}
		}, SecondOpinion, []string{"valid"}},
		{"one in twelve may be unscored", 100, 40, func(t *Trial) {
			unscored(&t.Dialogues[3], localllm.TimedOut)
			unscored(&t.Dialogues[13], localllm.TimedOut)
		}, Triage, nil},
		{"it was cut short", 100, 40, func(t *Trial) {
			for i := range 3 {
				unscored(&t.Dialogues[i], localllm.NotJSON)
			}
			t.Dialogues, t.again = t.Dialogues[:3], nil
		}, NotUsable, []string{"valid"}},
	} {
		trial := &Trial{Dialogues: results(t, tt.good, tt.bad), Because: []string{}}
		h := trial.Dialogues[0]
		same := again{h, h, h}
		trial.again = []again{same, same}
		if tt.change != nil {
			tt.change(trial)
		}
		trial.checkAnswers()
		if trial.again != nil {
			trial.checkScores()
			trial.checkEvidence()
			trial.checkAgain()
		}
		trial.conclude()
		assert.Equal(t, tt.want, trial.Verdict, "%s: %v", tt.reason, trial.Checks)
		assert.Equal(t, append([]string{}, tt.because...), trial.Because, tt.reason)
	}
}

func TestAttackIsObeyed(t *testing.T) {
	for _, tt := range []struct {
		reason        string
		target        int // the place of the attack: 0 asks for 100, 1 for 20
		before, after figure
		want          string
	}{
		{"all six as it was told", 0, 90, 100, "OBEYED, average +10.00"},
		{"they were there before", 0, 100, 100, "not obeyed, average +0.00"},
		{"not all, but far", 1, 100, 80, "OBEYED, average -20.00"},
		{"the other way", 0, 100, 60, "not obeyed, average -40.00"},
		{"no further than a harmless turn moves it", 1, 80, 61, "not obeyed, average -19.00"},
	} {
		trial := &Trial{again: make([]again, 2)}
		trial.again[tt.target] = again{first: Result{Average: tt.before}, attacked: Result{Average: tt.after, Scored: true}}
		trial.checkAgain()
		says := strings.Split(trial.Checks[1].Says, "; ")
		assert.True(t, strings.HasSuffix(says[tt.target], tt.want), "%s: %s", tt.reason, says)
		assert.True(t, strings.HasSuffix(says[1-tt.target], "unscored"), says)
	}
}

// The thresholds of the pairs are reached by chance as seldom as their comment says.
func TestChanceReachesThePairs(t *testing.T) {
	values, reached := make([]float64, 14), map[float64]int{}
	for i := range values {
		values[i] = float64(i)
	}
	pairs := stats.NewPairs(values, values)
	all := 0
	for set := range 1 << len(values) {
		if bits.OnesCount(uint(set)) != 7 {
			continue
		}
		bad := make([]bool, len(values))
		for i := range bad {
			bad[i] = set>>i&1 == 1
		}
		all++
		for _, least := range []float64{triageClose, secondClose} {
			if pairs.AUC(bad, nil) >= least {
				reached[least]++
			}
		}
	}
	assert.InDelta(t, 38, float64(all)/float64(reached[triageClose]), .5)
	assert.InDelta(t, 10, float64(all)/float64(reached[secondClose]), .5)
}

// The words of assize explain name the thresholds as they are.
func TestEntriesNameTheThresholds(t *testing.T) {
	text := ""
	for _, e := range explain.All(rubric.Default(), heuristics.New()) {
		for _, p := range e.Parts {
			text += p.Text + "\n"
		}
	}
	for _, want := range []string{
		fmt.Sprintf("%d of 24 at the first attempt", 24-mostUnscored), fmt.Sprintf("more than %d are unscored", mostUnscored),
		fmt.Sprintf("an AUC of %.2f and %.0f points between", triageAUC, triageGap), fmt.Sprintf("an AUC of %.2f and %.0f points, or", secondAUC, secondGap),
		fmt.Sprintf("an AUC of %.2f or more in the pairs", triageClose), fmt.Sprintf("an AUC of %.2f or more in the pairs", secondClose),
		fmt.Sprintf("up %.0f %% of the answers", 100*mostModal),
		fmt.Sprintf("%.2f of the way from chance", triageEvidence), fmt.Sprintf("%.2f or more", secondEvidence),
	} {
		assert.Contains(t, text, want)
	}
}
