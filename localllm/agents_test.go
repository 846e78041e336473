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

// rate answers a question about a criterion with a score, a closed question with the probability of
// the good answer for that score, and the question for a turn with 4.
func rate(score int) func(fakeollama.Request) string {
	return func(r fakeollama.Request) string {
		switch {
		case r.IsClosed():
			return good(r, float64(score)/100-.1)
		case r.Criterion == "":
			return "4"
		}
		return rating(r, 4, score)
	}
}

// good answers a closed question with probability p for its good answer.
func good(r fakeollama.Request, p float64) string {
	for _, q := range localllm.DefaultPrompts().Questions() {
		if strings.Contains(r.User, q.Ask) && q.Good == "no" {
			p = 1 - p
		}
	}
	return fmt.Sprintf("%.3f", p)
}

// about returns the criterion that a closed question is about.
func about(r fakeollama.Request) (k rubric.Criterion) {
	for _, q := range localllm.DefaultPrompts().Questions() {
		if strings.Contains(r.User, q.Ask) {
			k = q.Criterion
		}
	}
	return k
}

// rating answers a question about a criterion.
func rating(r fakeollama.Request, turn, score int) string {
	return fmt.Sprintf(`{"%s":{"turn":%d,"score":%d}}`, r.Criterion, turn, score)
}

// old returns a model of a server that returns no probabilities.
func old() fakeollama.Model {
	m := fakeollama.Tiny()
	m.Old = true
	return m
}

// The model and the rules' Critic form a panel, and every printed quote was said.
func TestPanel(t *testing.T) {
	s := serve(t)
	of := rubric.SetOf(rubric.TaskSuccess, rubric.Empathy)
	h := open(t, options(s)).Session(of, rubric.AllCriteria&^of)
	s.Answer(func(r fakeollama.Request) string {
		switch {
		case !r.IsClosed():
			return "3"
		case about(r) == rubric.TaskSuccess:
			return good(r, .95)
		case about(r) == rubric.Understanding:
			return good(r, .05)
		}
		return good(r, .7)
	})
	c := booking()
	observe := func(dialogue.Dialogue) ([]rubric.Signal, error) { return c.Signals, nil }
	e, err := rubric.Panel{Rubric: rubric.Default(), Observe: observe, Evaluator: filled{h},
		Critic: h}.Judge(context.Background(), c.Dialogue)
	require.NoError(t, err)
	assert.Equal(t, [rubric.NumCriteria]rubric.Score{100, 80, 80, 80, 80, 80}, e.Evaluator.Scores())
	assert.Equal(t, rubric.Score(60), e.Final[rubric.Understanding].Score,
		"one level towards the model's")
	assert.Contains(t, strings.Join(e.Decisions(), "\n"),
		"R3-contradicted: Understanding goes from 80 to 60 as the Critic (model) suggests")
	assert.Regexp(t,
		`^.*; to the question .* the model answers yes with a probability of 95 %: USER: "No, I said four."$`,
		e.Evaluator[rubric.TaskSuccess].Sentence(c.Dialogue))
	a := h.Account()
	assert.Empty(t, a.Flags)
	assert.Equal(t, 2, len(s.Requests())-len(s.Questions()),
		"the model is primed as it is loaded, and before the dialogue")
	turns := 0
	for _, call := range a.Calls {
		if call.Purpose == localllm.ForTurn {
			turns++
		}
	}
	assert.Equal(t, 2, turns, "of a score that is unusual, and of an objection")
	for i := range e.Final {
		for _, q := range e.Final[i].Quotes {
			assert.True(t, q.Verify(c.Dialogue))
		}
	}
}

// filled is a session that returns 80 for each criterion of which the model is not the Evaluator.
type filled struct{ *localllm.Session }

func (f filled) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	card, err := f.Session.Evaluate(ctx, c)
	for k := range card {
		if card[k].Score == 0 {
			card[k] = rubric.Rating{Score: 80, Claim: "usual",
				Quotes: []rubric.Quote{{Turn: 7, Text: "Good bye!"}}}
		}
	}
	return card, err
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
		assert.Less(t, (len(q.System)+len(q.User))*33/100+600, 4096,
			"the prompt fits with any vocabulary that was measured")
	}
	for k := range r.card {
		assert.NotEmpty(t, r.card[k].Quotes)
	}
	o.Overflow = localllm.Refuse
	_, err := open(t, o).Session(rubric.AllCriteria, rubric.AllCriteria).
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
	for _, q := range s.Questions() {
		assert.NotContains(t, string(q.Format), `"enum":[]`, "no server can answer that")
	}
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
		predict := body.Options["num_predict"]
		delete(body.Options, "num_predict")
		assert.Equal(t, map[string]any{"temperature": 0.0, "seed": 7.0, "num_ctx": 6144.0,
			"num_thread": 2.0}, body.Options)
		assert.NotNil(t, predict)
		assert.False(t, *body.Truncate || *body.Shift)
		assert.Equal(t, false, body.Think)
		assert.Equal(t, "5m0s", body.KeepAlive)
		assert.Len(t, body.Messages, 1, "no system message")
		if i < 2 {
			assert.True(t, q.IsPriming(), "loading, and priming for the dialogue")
			assert.Equal(t, ".", q.User)
		}
		assert.Equal(t, s.Requests()[0].System, q.System)
	}
	for i, asked := range m.Identity().Questions {
		q := s.Questions()[i]
		assert.True(t, q.IsClosed())
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
			`"answers":"probabilities","questions":\[\{"id":"solved","criterion":"TaskSuccess","ask":"[^"]+","good":"yes"\},.*\],`+
			`"prompts":\{"questions":"[0-9a-f]{64}",.*\},`+
			`"options":\{"temperature":0,"seed":0,"num_ctx":6144,"num_predict":40,"num_thread":0,"keep_alive":"10m0s","reasons":false,"repeats":1,"on_overflow":"windows"\}\}$`, string(b))
}
