package localllm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// The Critic objects to a score that nothing shows and that is two or more levels from the model's,
// and suggests a change by one level.
func TestCritique(t *testing.T) {
	for _, tt := range []struct {
		name     string
		given    rubric.Score
		goodness float64
		of       rubric.Set
		want     map[rubric.Criterion]rubric.Score
	}{
		{"one level is no objection", 80, .5, rubric.AllCriteria, nil},
		{"two levels are", 80, .3, rubric.SetOf(rubric.Accuracy),
			map[rubric.Criterion]rubric.Score{rubric.Accuracy: 60}},
		{"four levels too, by one", 100, .1, rubric.SetOf(rubric.Empathy),
			map[rubric.Criterion]rubric.Score{rubric.Empathy: 80}},
		{"upwards", 40, .9, rubric.SetOf(rubric.Fluency),
			map[rubric.Criterion]rubric.Score{rubric.Fluency: 60}},
		{"not of what it is no Critic of", 80, .1, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t)
			h := open(t, options(s)).Session(0, tt.of)
			s.Answer(func(r fakeollama.Request) string {
				return good(r, tt.goodness)
			})
			var card rubric.Scorecard
			for k := range card {
				card[k].Score = tt.given
				card[k].Quotes = []rubric.Quote{{Turn: 7, Text: "Good bye!"}}
				card[k].Claim = "not shown: nothing was found"
			}
			critique, err := h.Critique(t.Context(), booking(), card,
				localllm.Reasons{Closed: rubric.AllCriteria})
			require.NoError(t, err)
			got := map[rubric.Criterion]rubric.Score{}
			for k, o := range critique {
				if o.Suggested != 0 {
					got[rubric.Criterion(k)] = o.Suggested
					assert.Equal(t, "model", o.By)
					assert.Equal(t, card[k].Quotes, o.Quotes, "the quotes are the rules'")
					assert.Regexp(t, `^the model finds it (un)?likely \(\d+ %\) that `, o.Claim)
				}
			}
			if tt.want == nil {
				tt.want = map[rubric.Criterion]rubric.Score{}
			}
			assert.Equal(t, tt.want, got)
			questions := len(localllm.DefaultPrompts().Questions)
			assert.Len(t, h.Account().Calls, questions)
		})
	}
}

// A model whose grades are not heard for a criterion does not object where nothing is shown.
func TestCritiqueOfWhatIsNotShown(t *testing.T) {
	s := serve(t)
	s.Answer(func(r fakeollama.Request) string { return good(r, .1) })
	var card rubric.Scorecard
	for k := range card {
		card[k] = rubric.Rating{Score: 100, Claim: "not shown: nothing was found",
			Quotes: []rubric.Quote{{Turn: 7, Text: "Good bye!"}}}
	}
	card[rubric.Fluency].Claim = "the SYSTEM speaks well"
	critique, err := open(t, options(s)).Session(0, rubric.AllCriteria).Critique(t.Context(),
		booking(), card, localllm.Reasons{Closed: rubric.SetOf(rubric.Empathy, rubric.Fluency)})
	require.NoError(t, err)
	for k, o := range critique {
		of := rubric.Criterion(k)
		assert.Equal(t, of == rubric.Empathy, o.Suggested != 0, of)
	}
}

// A model that has not read the whole dialogue does not object.
func TestCritiqueOfAnAttack(t *testing.T) {
	s := serve(t)
	s.Answer(rate(20))
	c := booking()
	c.Signals = append(c.Signals, rubric.Signal{ID: "safety-injection", Turn: 6})
	var card rubric.Scorecard
	for k := range card {
		card[k].Score = 100
	}
	critique, err := open(t, options(s)).Session(0, rubric.AllCriteria).
		Critique(t.Context(), c, card, reasons)
	require.NoError(t, err)
	assert.Zero(t, critique)
}

// reasons are claims about the booking of which the first two charge the SYSTEM.
var reasons = localllm.Reasons{Claims: [rubric.NumCriteria][]rubric.Claim{rubric.Understanding: {
	{Rating: rubric.Rating{Score: 20, Claim: "the SYSTEM never understood: no", Quotes: said(3,
		"No, I said four.")}, Detector: "a-no", Text: "the USER says no"},
	{Rating: rubric.Rating{Score: 20, Claim: "the SYSTEM never understood: five", Quotes: said(2,
		"I have booked a table for five.")}, Detector: "a-five", Text: "the SYSTEM hears five"},
	{Rating: rubric.Rating{Score: 100, Claim: "the SYSTEM understood: four", Quotes: said(4,
		"My apologies, it is four now.")}, Detector: "a-four", Text: "the SYSTEM puts it right",
		Favour: true},
}}, Rest: rubric.Scorecard{rubric.Understanding: {Score: 80, Claim: "not shown: nothing"}}}

func said(turn int, text string) []rubric.Quote { return []rubric.Quote{{Turn: turn, Text: text}} }

// The model is asked about the deciding claim, and about the next where it has doubts. It objects
// with what is left, at most two levels away, and only if its doubts have a vote.
func TestDoubts(t *testing.T) {
	voting := &localllm.ClaimScales{}
	for k := range voting {
		voting[k] = [2]localllm.ClaimScale{{Vote: true}, {Vote: true}}
	}
	steps := &localllm.ClaimScales{}
	for k := range steps {
		one := localllm.ClaimScale{Vote: true, Steps: []localllm.ClaimStep{{100, 200}, {150, 700}}}
		steps[k] = [2]localllm.ClaimScale{one, one}
	}
	for _, tt := range []struct {
		name   string
		scales *localllm.ClaimScales
		yes    map[string]string // by the beginning of the question and the claim
		calls  int
		led    []localllm.Led
		want   rubric.Score
		says   string
		remark string
	}{
		{name: "the claim holds", scales: voting,
			yes: map[string]string{"show": ".4", "true": ".7"}, calls: 2,
			led: []localllm.Led{localllm.LedNowhere}},
		{name: "doubts without a vote", yes: map[string]string{"show": ".3", "true": ".12"}, calls: 2,
			led: []localllm.Led{localllm.LedToRemark}, remark: "Understanding: The model finds it " +
				"unlikely (21 %) that the USER says no; its doubts about Understanding are not " +
				"proven to be right and change nothing."},
		{name: "the next holds, at the same score", scales: voting, yes: map[string]string{
			"show": ".1", "true": ".1", "the SYSTEM hears five": ".9"}, calls: 4,
			led: []localllm.Led{localllm.LedToObjection, localllm.LedNowhere}},
		{name: "the third holds", scales: voting, yes: map[string]string{"show": ".1", "true": ".2",
			"the SYSTEM puts it right": ".8"}, calls: 6, want: 60,
			led: []localllm.Led{localllm.LedToObjection, localllm.LedToObjection,
				localllm.LedNowhere},
			says: "the model finds it unlikely (15 %) that the USER says no; without that, the " +
				"SYSTEM understood: four"},
		{name: "none holds", scales: voting, yes: map[string]string{"show": ".1", "true": ".2"},
			calls: 6, want: 60, led: []localllm.Led{localllm.LedToObjection,
				localllm.LedToObjection, localllm.LedToObjection},
			says: "the model finds it unlikely (15 %) that the USER says no; without that, not " +
				"shown: nothing"},
		{name: "by the calibrated probability", scales: steps,
			yes: map[string]string{"show": ".15", "true": ".15"}, calls: 2,
			led: []localllm.Led{localllm.LedNowhere}},
		{name: "no answer", scales: voting, yes: map[string]string{"show": "fail", "true": "fail"},
			calls: 2, led: []localllm.Led{localllm.LedNowhere}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t)
			s.Answer(func(r fakeollama.Request) string {
				_, question, _ := strings.Cut(r.User, "\n\n")
				for claim, yes := range tt.yes {
					if strings.HasPrefix(claim, "the ") && strings.Contains(question, claim) {
						return yes
					}
				}
				switch {
				case strings.Contains(question, "Do these words show that"):
					assert.Regexp(t, `^(USER|SYSTEM): ".*"\nDo these`, question, "quotes first")
					return tt.yes["show"]
				case strings.HasPrefix(question, "Is this true of the conversation: "):
					return tt.yes["true"]
				}
				return ".7"
			})
			o := options(s)
			o.Claims = tt.scales
			h := open(t, o).Session(0, rubric.SetOf(rubric.Understanding))
			_, err := h.Evaluate(t.Context(), booking())
			require.NoError(t, err)
			if tt.yes["show"] == "fail" {
				s.Fail("neither", 2)
			}
			asked := len(s.Questions())
			var card rubric.Scorecard
			card[rubric.Understanding] = reasons.Claims[rubric.Understanding][0].Rating
			critique, err := h.Critique(t.Context(), booking(), card, reasons)
			require.NoError(t, err)
			assert.Len(t, s.Questions(), asked+tt.calls)
			got := critique[rubric.Understanding]
			assert.Equal(t, tt.want, got.Suggested)
			assert.Equal(t, tt.says, got.Claim)
			a := h.Account()
			var led []localllm.Led
			for _, v := range a.Claims {
				led = append(led, v.Led)
			}
			assert.Equal(t, tt.led, led)
			assert.Equal(t, tt.remark, strings.Join(a.Remarks(), "\n"))

			again := a // what a record holds can be derived again
			again.Claims = slices.Clone(a.Claims)
			for i := range again.Claims {
				again.Claims[i].Led, again.Claims[i].Holds = "", new(-1)
			}
			again.DeriveClaims(tt.scales)
			assert.Equal(t, a.Claims, again.Claims)
		})
	}
}
