package localllm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// rate answers a closed question with the probability of the good answer for a score.
func rate(score int) func(fakeollama.Request) string {
	return func(r fakeollama.Request) string { return good(r, float64(score)/100-.1) }
}

// good answers a closed question with probability p for its good answer.
func good(r fakeollama.Request, p float64) string {
	for _, q := range localllm.DefaultPrompts().Questions {
		if strings.Contains(r.User, q.Ask) && q.Good == "no" {
			p = 1 - p
		}
	}
	return fmt.Sprintf("%.3f", p)
}

// about returns the criterion that a closed question is about.
func about(r fakeollama.Request) (k rubric.Criterion) {
	for _, q := range localllm.DefaultPrompts().Questions {
		if strings.Contains(r.User, q.Ask) {
			k = q.Criterion
		}
	}
	return k
}

// The model and the rules' Critic form a panel, and every printed quote was said.
func TestPanel(t *testing.T) {
	s := serve(t)
	of := rubric.SetOf(rubric.TaskSuccess, rubric.Empathy)
	o := options(s)
	o.Claims = &localllm.ClaimScales{rubric.Understanding: {{Vote: true}}}
	h := open(t, o).Session(of, rubric.AllCriteria&^of)
	s.Answer(func(r fakeollama.Request) string {
		switch {
		case strings.Contains(r.User, "the SYSTEM puts it right"):
			return ".9"
		case strings.Contains(r.User, "show that") || strings.Contains(r.User, "conversation: "):
			return ".05"
		case about(r) == rubric.TaskSuccess:
			return good(r, .95)
		}
		return good(r, .7)
	})
	c := booking()
	c.Signals[1].Criteria |= rubric.SetOf(rubric.Understanding) // in favour, of turn 4
	observe := func(dialogue.Dialogue) ([]rubric.Signal, error) { return c.Signals, nil }
	e, err := rubric.Panel{Rubric: rubric.Default(), Observe: observe, Evaluator: filled{h},
		Critic: filled{h}}.Judge(context.Background(), c.Dialogue)
	require.NoError(t, err)
	assert.Equal(t, [rubric.NumCriteria]rubric.Score{100, 80, 80, 20, 80, 80}, e.Evaluator.Scores())
	assert.Equal(t, rubric.Score(60), e.Final[rubric.Understanding].Score,
		"two levels up, without the claims that are doubted")
	assert.Contains(t, strings.Join(e.Decisions(), "\n"),
		"R3-contradicted: Understanding goes from 20 to 60 as the Critic (model) suggests")
	assert.Equal(t, `The model finds it likely (95 %) that the problem is solved at the end, or the `+
		`request carried out: USER: "No, I said four."`,
		e.Evaluator[rubric.TaskSuccess].Sentence(c.Dialogue))
	a := h.Account()
	assert.Empty(t, a.Flags)
	assert.Equal(t, 2, len(s.Requests())-len(s.Questions()),
		"the model is primed as it is loaded, and before the dialogue")
	assert.Len(t, a.Calls, len(localllm.DefaultPrompts().Questions)+6)
	for i := range e.Final {
		for _, q := range e.Final[i].Quotes {
			assert.True(t, q.Verify(c.Dialogue))
		}
	}
}

// filled is a session that returns 80 for each criterion of which the model is not the Evaluator,
// and quotes the same turn for all.
type filled struct{ *localllm.Session }

func (f filled) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	card, err := f.Session.Evaluate(ctx, c)
	for k := range card {
		if card[k].Score == 0 {
			card[k] = rubric.Rating{Score: 80, Claim: "usual"}
		}
		card[k].Quotes = []rubric.Quote{{Turn: 3, Text: "No, I said four."}}
	}
	card[rubric.Understanding] = reasons.Claims[rubric.Understanding][0].Rating
	return card, err
}

func (f filled) Critique(ctx context.Context, c rubric.Case, card rubric.Scorecard,
) (rubric.Critique, error) {
	return f.Session.Critique(ctx, c, card, reasons)
}

// A long dialogue is judged in overlapping windows, each of which cites its own turns, or rejected
// if so configured.
func TestLongDialogue(t *testing.T) {
	var lines []string
	for i := range 120 {
		lines = append(lines,
			fmt.Sprintf(
				"USER: I have %d questions about the tickets, the seats and the price of the show.",
				i),
			fmt.Sprintf(
				"SYSTEM: Answer %d is that the tickets cost ten pounds and the seats are numbered.",
				i))
	}
	s := serve(t)
	o := options(s)
	o.NumCtx = 4096
	m := open(t, o)
	c := rubric.Case{Dialogue: talk(lines...),
		Signals: []rubric.Signal{{ID: "reaction-rejects", Criteria: 63, Turn: 121, Points: -200}}}
	r := try(m, c)
	require.NoError(t, r.err)
	a := r.account
	require.Greater(t, len(a.Windows), 2)
	assert.Equal(t, 1, a.Windows[0].From)
	assert.Equal(t, 240, a.Windows[len(a.Windows)-1].To)
	asked := map[int][]string{}
	for _, call := range a.Calls {
		if name := call.Criterion.String(); call.Purpose == localllm.ForQuestion &&
			!slices.Contains(asked[call.Window], name) {
			asked[call.Window] = append(asked[call.Window], name)
		}
	}
	assert.Len(t, asked, len(a.Windows))
	for i := range a.Windows {
		want := []string{"TaskSuccess", "Helpfulness", "Accuracy", "Understanding", "Empathy",
			"Fluency"}
		if i < len(a.Windows)-1 {
			want = want[1:] // only the end shows whether the goal was reached
		}
		assert.Equal(t, want, asked[i+1])
	}
	for _, q := range s.Questions() {
		assert.Less(t, len(q.User)*33/100+600, 4096,
			"the prompt fits with any vocabulary that was measured")
	}
	last := a.Windows[len(a.Windows)-1].From - 1 // the last turn that the last window lacks
	h := m.Session(0, rubric.AllCriteria)
	_, err := h.AskClaims(t.Context(), c, []rubric.Criterion{rubric.Accuracy}, []rubric.Claim{{
		Text:   "the SYSTEM answers",
		Rating: rubric.Rating{Quotes: said(last, c.Dialogue.Turns[last-1].Text)}}})
	require.NoError(t, err)
	assert.Equal(t, len(a.Windows)-1, h.Account().Calls[0].Window, "which has the quoted turn")
	o.Overflow = localllm.Refuse
	_, err = open(t, o).Session(rubric.AllCriteria, rubric.AllCriteria).
		Evaluate(context.Background(), c)
	var f *localllm.Failure
	require.ErrorAs(t, err, &f)
	assert.Equal(t, localllm.TooLong, f.Kind)

	huge := rubric.Case{Dialogue: talk("USER: "+strings.Repeat("a very long story ", 600_000),
		"SYSTEM: I see.")}
	r = try(m, huge)
	require.NoError(t, r.err)
	assert.Equal(t, []int{1}, r.account.Shortened)
	_, err = m.Session(rubric.AllCriteria, rubric.AllCriteria).
		Evaluate(context.Background(), rubric.Case{Dialogue: talk(append(lines,
			append(lines, append(lines, append(lines, lines...)...)...)...)...)})
	require.ErrorAs(t, err, &f)
	assert.Equal(t, localllm.TooLong, f.Kind, "an hour of windows is refused")
}

// No question is asked about a part of a dialogue without citable turns.
func TestLongSilence(t *testing.T) {
	s := serve(t)
	o := options(s)
	o.NumCtx = 4096
	talked := booking().Dialogue.Turns
	var turns []dialogue.Turn
	turns = append(turns, talked...)
	for range 600 {
		turns = append(turns, dialogue.Turn{Role: dialogue.Other, Text: "rows of a table"})
	}
	first, last := len(talked), len(turns)
	c := rubric.Case{Dialogue: dialogue.Dialogue{Turns: append(turns, talked...)}}
	r := try(open(t, o), c)
	require.NoError(t, r.err)
	require.NotEmpty(t, r.account.Windows)
	for _, w := range r.account.Windows {
		assert.True(t, w.From <= first || w.To > last, "%v", w)
	}

	c.Dialogue.Turns = turns
	r = try(open(t, o), c)
	require.NoError(t, r.err)
	require.Len(t, r.account.Windows, 1)
	assert.Equal(t, 1, r.account.Windows[0].From)
	assert.Equal(t, 1, r.account.Calls[0].Window, "it is not the whole")
}

// Requests set everything that a server would otherwise choose, and differ only in their questions.
func TestRequests(t *testing.T) {
	s := serve(t)
	o := options(s)
	o.NumThread, o.Seed, o.KeepAlive = 2, 7, "5m0s"
	m := open(t, o)
	r := try(m, booking())
	require.NoError(t, r.err)
	for i, q := range s.Requests() {
		var body struct {
			Options         map[string]any
			Truncate, Shift *bool
			Think           any
			KeepAlive       string `json:"keep_alive"`
			Messages        []struct{ Role string }
			Stream          *bool
		}
		require.NoError(t, json.Unmarshal([]byte(q.Body), &body))
		assert.Equal(t, map[string]any{"temperature": 0.0, "seed": 7.0, "num_ctx": 6144.0,
			"num_predict": 1.0, "num_thread": 2.0}, body.Options)
		assert.False(t, *body.Truncate || *body.Shift)
		assert.Equal(t, false, body.Think)
		assert.Equal(t, "5m0s", body.KeepAlive)
		assert.Len(t, body.Messages, 1, "no system message")
		if i < 2 {
			assert.True(t, q.IsPriming(), "loading, and priming for the dialogue")
			assert.Equal(t, ".", q.User)
		}
	}
	for i, asked := range m.Identity().Questions {
		q := s.Questions()[i]
		assert.True(t, strings.HasSuffix(q.User, "\n\n"+asked.Ask+
			" Answer Yes or No."), "the question comes last")
	}
}

// A model that gives every dialogue the same scores is detected.
func TestConstant(t *testing.T) {
	s := serve(t)
	m := open(t, options(s))
	s.Answer(rate(100))
	for range 7 {
		require.NoError(t, try(m, booking()).err)
	}
	_, constant := m.Constant()
	assert.False(t, constant, "seven prove nothing")
	require.NoError(t, try(m, booking()).err)
	n, constant := m.Constant()
	assert.True(t, constant)
	assert.Equal(t, 8, n)
	s.Answer(rate(80))
	require.NoError(t, try(m, booking()).err)
	_, constant = m.Constant()
	assert.False(t, constant)
}

func TestIdentity(t *testing.T) {
	s := serve(t)
	o := options(s)
	o.Model = "tiny@sha256:0123456789ab"
	b, err := json.Marshal(open(t, o).Identity())
	require.NoError(t, err)
	assert.Regexp(t,
		`^\{"name":"tiny:latest","digest":"(0123456789abcdef){4}","family":"fake","parameters":"1K","quantization":"F16","context_length":8192,"template":"[0-9a-f]{64}","server":"0.0.0",`+
			`"questions":\[\{"id":"solved","criterion":"TaskSuccess","ask":"[^"]+","says":"[^"]+","good":"yes"\},.*\],`+
			`"prompts":\{"questions":"[0-9a-f]{64}",.*\},`+
			`"options":\{"temperature":0,"seed":0,"num_ctx":6144,"num_predict":1,"num_thread":0,"keep_alive":"10m0s","reasons":false,"repeats":1,"on_overflow":"windows"\}\}$`, string(b))
}
