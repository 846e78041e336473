package summary

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/run"
	"assize/localllm"
	"assize/rubric"
)

func TestUsage(t *testing.T) {
	asked := &run.Record{Evaluation: &rubric.Evaluation{}, Model: &localllm.Account{
		Calls: []localllm.Call{{PromptTokens: 900, Generated: 60},
			{PromptTokens: 950, Generated: 5}},
		Timings: localllm.Timings{Calls: []localllm.CallTime{{Total: 3 * time.Second},
			{Total: time.Second, Cached: true}}, Primed: time.Second},
	}}
	var u Usage
	u.Add(asked, true)
	u.Add(&run.Record{Model: &localllm.Account{}}, false)
	u.Add(&run.Record{}, true) // only the rules
	assert.Equal(t, Usage{Dialogues: 2, Unscored: 1, Judged: 1, Calls: 2, Cached: 1,
		PromptTokens: 1850, Generated: 65, ServerTime: 5 * time.Second, Failures: map[string]int{},
		Flags: map[string]int{}}, u)
	assert.Equal(t,
		"tiny: 1 dialogue, 2 calls, 1850 tokens read and 65 generated, 5.0 s (5.0 per dialogue); 1 "+
			"answers from the cache", u.Text("tiny"))
}
