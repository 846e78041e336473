package doctor

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// The ends by hand: with fewer than 19 examples they are the lowest hit and the highest miss, and
// with 19 the second of each.
func TestUnsureRange(t *testing.T) {
	nineteen := func(from int) (list []int) {
		for i := range 19 {
			list = append(list, from+10*i)
		}
		return list
	}
	for _, tt := range []struct {
		why          string
		hits, misses []int
		want         *rubric.Range
	}{
		{"apart: between them it is unsure", []int{801, 700, 655, 900}, []int{100, 300, 203, 50},
			&rubric.Range{From: 30, To: 66}},
		{"overlapping", []int{290, 675, 661, 668}, []int{867, 263, 291, 420},
			&rubric.Range{From: 29, To: 87}},
		{"the outermost of 19 may be wrong", nineteen(500), nineteen(400),
			&rubric.Range{From: 51, To: 57}},
		{"three hits", []int{900, 900, 900}, []int{1, 2, 3, 4}, nil},
		{"three misses", []int{900, 900, 900, 900}, []int{1, 2, 3}, nil},
	} {
		assert.Equal(t, tt.want, unsureRange(tt.hits, tt.misses), tt.why)
	}
}

// What the report promises, whatever the model is worth: of dialogues like the hits, at most a
// tenth is answered no, and of those like the misses yes.
func TestUnsureRangePromise(t *testing.T) {
	const examples, times = 9, 20_000
	random := rand.New(rand.NewPCG(1, 2))
	for name, p := range map[string]func(yes bool) int{
		"good": func(yes bool) int {
			x := random.IntN(600)
			if yes {
				x += 400
			}
			return x
		},
		"useless": func(bool) int { return random.IntN(1001) },
		"reversed": func(yes bool) int {
			x := random.IntN(600)
			if !yes {
				x += 400
			}
			return x
		},
	} {
		wrong := 0
		for range times {
			hits, misses := make([]int, examples), make([]int, examples)
			for i := range hits {
				hits[i], misses[i] = p(true), p(false)
			}
			q := rubric.Question{Unsure: unsureRange(hits, misses)}
			if q.ByProbability(p(true)) == rubric.No {
				wrong++
			}
			if q.ByProbability(p(false)) == rubric.Yes {
				wrong++
			}
		}
		assert.LessOrEqual(t, float64(wrong)/2/times, .1, name)
	}
}

func TestAskExamples(t *testing.T) {
	s := fakeollama.Start()
	defer s.Close()
	s.Answer(func(r fakeollama.Request) string {
		switch {
		case !strings.Contains(r.User, "sell anything"):
			return fakeollama.Valid(r)
		case strings.Contains(r.User, "our new "):
			return "0.8"
		}
		return "0.1"
	})
	o := localllm.Options{Address: s.URL, Model: "tiny", Patience: time.Millisecond}
	example := func(line int, says string) rubric.Phrase {
		return rubric.Phrase{Text: "USER: It is broken.\nSYSTEM: " + says, Line: line}
	}
	card := rubric.Rubric{Questions: []rubric.Question{
		{ID: "rules", Ask: "Did SYSTEM greet?", Yes: &rubric.Pattern{},
			Examples: rubric.Examples{Hit: rubric.Dialogues{example(1, "Hello.")}}},
		{ID: "sold", Ask: "Did SYSTEM sell anything?", By: rubric.ByModel,
			Examples: rubric.Examples{
				Hit: rubric.Dialogues{example(6, "A question without an answer."), example(7, "See our new grinder!"),
					example(8, "Try our new mill."), example(9, "Look at our new one."),
					example(10, "Buy another.")},
				Miss: rubric.Dialogues{example(11, "Sorry."), example(12, "I will repair it."),
					example(13, "It is repaired."), example(14, "Thanks.")},
			}},
	}}
	s.Fail("neither", 1)
	var progress []int
	r, err := AskExamples(t.Context(), o, card,
		func(_ string, done, of int) { progress = append(progress, done, of) })
	require.NoError(t, err)
	assert.Equal(t, []int{0, 9}, progress[:2])
	assert.Equal(t, []int{9, 9}, progress[len(progress)-2:])
	assert.Equal(t, []Examples{{Question: "sold", Hits: []int{800, 800, 800, 100},
		Misses: []int{100, 100, 100, 100}, Unanswered: 1, Right: 7, Wrong: []Wrong{{10, 100}},
		Unsure: &rubric.Range{From: 10, To: 10}}}, r.Questions)
	p := ui.NewPage(io.Discard, false)
	r.Text(&p)
	assert.Contains(t, p.String(), "{from: 10, to: 10}")
	assert.Contains(t, p.String(), "line 10")
	assert.Contains(t, p.String(), "sold: the model did not answer 1 example")
	r.Questions[0].Question = "whether-the-agent-ever-asked-anything-else"
	p = ui.NewPage(io.Discard, false)
	r.Text(&p)
	assert.Contains(t, p.String(), "  whether-the-agent-ever-asked-anything-else  ", "in one piece")

	_, err = AskExamples(t.Context(), o, rubric.Rubric{Questions: card.Questions[:1]}, nil)
	assert.ErrorContains(t, err, "no question by model")
	m := fakeollama.Tiny()
	m.Old = true
	s.SetModels(m)
	_, err = AskExamples(t.Context(), o, card, func(string, int, int) {})
	assert.ErrorContains(t, err, "returns no probabilities")
}
