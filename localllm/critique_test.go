package localllm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// The Critic asks about what signals contradict, only that, and objects only where the same level wins in both orders.
func TestCritique(t *testing.T) {
	for _, tt := range []struct {
		name   string
		score  int
		better func(fakeollama.Request) string
		want   map[rubric.Criterion]rubric.Score
		asked  int
	}{
		{"always A", 80, func(fakeollama.Request) string { return "A" }, nil, 3},
		{"always B", 80, func(fakeollama.Request) string { return "B" }, nil, 6},
		{"always the lower level", 80, lower, map[rubric.Criterion]rubric.Score{rubric.TaskSuccess: 60, rubric.Accuracy: 60, rubric.Understanding: 60}, 6},
		{"nothing is lower than the lowest", 20, lower, nil, 1},
		{"raised where signals speak for it", 40, higher, map[rubric.Criterion]rubric.Score{rubric.Empathy: 60}, 2},
		{"nonsense is no objection", 80, func(fakeollama.Request) string { return "C" }, nil, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t)
			h := open(t, options(s)).Session()
			s.Answer(func(r fakeollama.Request) string {
				if r.Asks == "better" {
					return `{"better":"` + tt.better(r) + `"}`
				}
				return rate(tt.score, "")(r)
			})
			card, err := h.Evaluate(context.Background(), booking())
			require.NoError(t, err)
			assert.Contains(t, h.Account().Flags, localllm.Flat)
			critique, err := h.Critique(context.Background(), booking(), card)
			require.NoError(t, err)
			got := map[rubric.Criterion]rubric.Score{}
			for k, o := range critique {
				if o.Suggested != 0 {
					got[rubric.Criterion(k)] = o.Suggested
					assert.Equal(t, "model", o.By)
					assert.NotEmpty(t, o.Quotes)
				}
			}
			if tt.want == nil {
				tt.want = got
				assert.Empty(t, got)
			}
			assert.Equal(t, tt.want, got)
			calls := h.Account().Calls[6:]
			assert.Len(t, calls, tt.asked)
			for i, q := range s.Questions()[6:] {
				assert.Equal(t, localllm.ForObjection, calls[i].Purpose)
				assert.NotRegexp(t, `\b(20|40|60|80|100)\b`, q.User[strings.LastIndex(q.User, "</transcript>"):], "no score to nod at")
				first := s.Questions()[0].User
				common := first[:strings.Index(first, "</transcript>")]
				assert.True(t, strings.HasPrefix(q.User, common), "the transcript is read once")
			}
		})
	}
}

// lower and higher pick the level that is lower or higher in the rubric, wherever it stands.
func lower(r fakeollama.Request) string  { return pick(r, func(a, b int) bool { return a < b }) }
func higher(r fakeollama.Request) string { return pick(r, func(a, b int) bool { return a > b }) }

func pick(r fakeollama.Request, better func(a, b int) bool) string {
	_, options, _ := strings.Cut(r.User, "\nA: ")
	a, b, _ := strings.Cut(options, "\nB: ")
	b, _, _ = strings.Cut(b, "\n")
	levels := rubric.Default().Levels
	for _, texts := range levels {
		at := map[string]int{}
		for i, text := range texts {
			at[strings.TrimRight(text, ".")] = i + 1
		}
		if at[a] > 0 && at[b] > 0 {
			return map[bool]string{true: "A", false: "B"}[better(at[a], at[b])]
		}
	}
	return "?"
}
