package localllm_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/localllm"
	"assize/rubric"
)

func TestCitable(t *testing.T) {
	c := booking()
	assert.Equal(t, []int{1, 2, 3, 4, 6, 7}, localllm.Citable(c, rubric.TaskSuccess),
		"no tool's output")
	assert.Equal(t, []int{2, 4, 7}, localllm.Citable(c, rubric.Fluency), "the SYSTEM's own words")
	c.Signals = append(c.Signals, rubric.Signal{ID: "safety-injection", Turn: 6})
	assert.Equal(t, []int{1, 2, 3, 4, 7}, localllm.Citable(c, rubric.Understanding),
		"a flagged turn is not shown")
}
