package localllm_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/rubric"
)

// An account is recorded as its JSON, without empty members and without data that differs from run
// to run.
func TestAccountJSON(t *testing.T) {
	a := localllm.Account{
		Calls: []localllm.Call{
			{Purpose: "criterion", Criterion: new(rubric.Empathy), PromptTokens: 1200,
				Generated: 90},
			{Purpose: localllm.ForQuestion, Question: "warm", Yes: new(0), PromptTokens: 9},
			{Purpose: "objection", Window: 1, Attempt: 3, Generated: 300,
				Failure: "cut-answer", Raw: `{"Task`},
		},
		Windows:    []localllm.Window{{From: 1, To: 4}, {From: 3, To: 7}},
		Suspicious: []int{2},
		Flags:      []string{localllm.Flat, "shortened"},
		Timings:    localllm.Timings{Primed: time.Hour},
	}
	a.DeriveFlags()
	data, err := json.Marshal(a)
	require.NoError(t, err)
	assert.Equal(t,
		`{"calls":[{"purpose":"criterion","criterion":"Empathy","prompt_tokens":1200,"generated":90},`+
			`{"purpose":"question","question":"warm","yes":0,"prompt_tokens":9,"generated":0},`+
			`{"purpose":"objection","window":1,"attempt":3,"prompt_tokens":0,"generated":300,"failure":"cut-answer","raw":"{\"Task"}],`+
			`"windows":[{"from":1,"to":4},{"from":3,"to":7}],"suspicious":[2],"flags":["suspicious","windows","flat"]}`, string(data))
	var again localllm.Account
	require.NoError(t, json.Unmarshal(data, &again))
	a.Timings = localllm.Timings{}
	assert.Equal(t, a, again)
}

// Every kind of failure and every flag is documented in the data file.
func TestKinds(t *testing.T) {
	assert.Len(t, localllm.FailureKinds(), 22)
	assert.Len(t, localllm.Flags(), 5)
	for _, d := range append(localllm.FailureKinds(), localllm.Flags()...) {
		assert.True(t, d.ID != "" && d.Title != "" && d.Why != "" && d.Then != "", "%+v", d)
	}
}
