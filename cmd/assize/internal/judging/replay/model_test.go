package replay

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
)

// modelled turns a record into one that a model has judged.
func modelled(t testing.TB, r *run.Record, p satisfaction.Profile) {
	r.Model = &localllm.Account{
		Calls: []localllm.Call{{Purpose: "criterion",
			Criterion: new(rubric.TaskSuccess), PromptTokens: 1200, Generated: 90}},
		Windows: []localllm.Window{{From: 1, To: 4}, {From: 3, To: 7}}, Suspicious: []int{2},
		Shortened: []int{1, 5},
		Flags:     []string{localllm.Flat},
	}
	r.Model.DeriveFlags()
	if !r.Scored() {
		return
	}
	check, err := rubric.Default().CrossCheck(r.Evaluation.Evaluator.Scores(),
		[rubric.NumCriteria]rubric.Score{20, 40, 60, 80, 100, 60})
	require.NoError(t, err)
	r.CrossCheck = &check
	r.Evaluation.Remarks = r.Remarks()
	r.Rate(p)
}

// follows reports whether a line follows from its evidence.
func follows(line []byte, b run.Basis) bool {
	r, err := run.Line{Text: line, Header: &run.Header{Basis: b}}.Recompute("")
	return err == nil && bytes.Equal(r.Append(nil), line)
}

// The figures of the cross-check follow from the scores, so an edit of any of them is detected.
func TestAnEditedCrossCheckIsFoundOut(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	r := f.of(t, "restaurant.txt")
	modelled(t, r, f.header.Basis.Profile)
	line := string(r.Append(nil))
	require.True(t, follows([]byte(line), f.header.Basis))
	for _, tt := range []struct{ from, to string }{
		{`"disagreement":`, `"disagreement":1`},
		{`"verdict":"contradict"`, `"verdict":"agree"`},
		{`"levels":`, `"levels":1`},
		{`"rules":100`, `"rules":20`},
		{`"flags":["suspicious",`, `"flags":[`},
		{` The model was not shown turn 2, which may be meant for whoever judges.`, ``},
		{`,"suspicious":[2]`, ``},
	} {
		require.Contains(t, line, tt.from)
		assert.False(t, follows([]byte(strings.Replace(line, tt.from, tt.to, 1)), f.header.Basis),
			tt.from)
	}
}

// A model's contribution follows from its scores in the record.
func TestWhatAModelAddsIsSettledAgain(t *testing.T) {
	weighing := func(weight satisfaction.Millionths) satisfaction.Profile {
		p := satisfaction.DefaultProfile()
		p.Model = &satisfaction.Model{Digest: strings.Repeat("ab", 32), Name: "some:1b",
			Scores: satisfaction.Scored{"Empathy": {Weight: weight, Usual: 6125}}}
		return p
	}
	basis := run.Basis{Rubric: rubric.Default(), Profile: weighing(10_000)}
	other := run.Basis{Rubric: rubric.Default(), Profile: weighing(50_000)}
	for _, r := range newFixture(t, run.DefaultBasis()).records {
		modelled(t, r, basis.Profile)
		line := r.Append(nil)
		assert.True(t, follows(line, basis))
		if r.Scored() {
			rated := *r
			rated.Rate(other.Profile)
			same := bytes.Equal(line, rated.Append(nil)) // the reasons depend on the weight, too
			assert.Equal(t, same, follows(line, other),
				"the weight is part of what the satisfaction follows from")
		}
	}
}
