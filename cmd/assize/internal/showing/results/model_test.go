package results

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/localllm"
	"assize/rubric"
)

// modelled returns a record in which a model was the Evaluator.
func modelled(t testing.TB, rules [rubric.NumCriteria]rubric.Score) *run.Record {
	r := trial(t, 7, "")
	check, err := rubric.Default().CrossCheck(r.Evaluation.Evaluator.Scores(), rules)
	require.NoError(t, err)
	r.CrossCheck = &check
	r.Model = &localllm.Account{
		Calls: []localllm.Call{
			{Purpose: "criterion", Criterion: new(rubric.TaskSuccess), PromptTokens: 900,
				Generated: 90, Failure: "not-json", Raw: "\x1b[2J"},
			{Purpose: "criterion", Criterion: new(rubric.Empathy), PromptTokens: 950,
				Generated: 20},
		},
		Suspicious: []int{3},
		Flags:      []string{"suspicious", localllm.Flat},
	}
	return r
}

func TestModel(t *testing.T) {
	judgedByModel := run.Header{Model: &localllm.Identity{}}
	apart := modelled(t, [rubric.NumCriteria]rubric.Score{20, 60, 80, 80, 100, 80}) // of 80 each
	same := modelled(t, [rubric.NumCriteria]rubric.Score{80, 80, 80, 80, 80, 80})
	failed := unscored(3,
		"the model did not judge it: not-json: the answer is not the requested JSON")
	failed.Model = apart.Model
	taken := trial(t, 8, "")
	taken.Model, taken.Fallback = apart.Model, []run.Agent{run.Evaluator, run.Critic}

	golden(t, "model-full.txt", textOf(t, Options{Header: judgedByModel}, apart))
	golden(t, "model-unscored.txt", textOf(t, Options{}, failed))
	golden(t, "model-table.txt",
		textOf(t, Options{Header: judgedByModel, Files: true}, apart, same, failed, taken))
	var b bytes.Buffer
	write(t, NewMarkdown(&b, without(Options{})), apart)
	golden(t, "model.md", b.String())
	b.Reset()
	write(t, NewMarkdown(&b, without(Options{Header: judgedByModel})), apart, same, failed, taken)
	golden(t, "model-table.md", b.String())
	assert.NotContains(t, b.String(), "\x1b")

	for _, opt := range []Options{{Header: judgedByModel}, {Header: judgedByModel, Files: true},
		{Header: judgedByModel, Full: true}} {
		for line := range strings.Lines(textOf(t, opt, apart, same, failed, taken)) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")),
				ui.Columns, line)
		}
	}
}

func TestDisagreementInCSV(t *testing.T) {
	var b bytes.Buffer
	c := NewCSV(&b)
	// TaskSuccess .40 * 3 levels + Helpfulness .15 * 1 + Empathy .10 * 1 = 1.45
	write(t, c, modelled(t, [rubric.NumCriteria]rubric.Score{20, 60, 80, 80, 100, 80}),
		trial(t, 8, ""), unscored(2, "silence"))
	rows, err := csv.NewReader(&b).ReadAll() // each row has as many columns
	require.NoError(t, err)
	at := slices.Index(rows[0], "disagreement")
	assert.Equal(t, []string{"disagreement", "rating"}, rows[0][at:at+2])
	assert.Equal(t, []string{"1.45", "2 3 2.5"}, rows[1][at:at+2])
	assert.Equal(t, []string{"", "2 3 2.5"}, rows[2][at:at+2], "no model, no figure")
}
