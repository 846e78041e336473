package calibration_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/calibration"
	"assize/localllm"
	"assize/rubric"
)

var digest = strings.Repeat("ab", 32)

// whole returns a calibration that is valid: the model is the Evaluator of the first criterion and
// the Critic of the second, and one kind of claims about the third has a vote.
func whole() calibration.Calibration {
	c := calibration.Calibration{Version: calibration.Version, Name: "tiny:latest", Digest: digest}
	c.Satisfaction.Name, c.Satisfaction.Digest = c.Name, digest
	for i := range c.Criteria {
		k := &c.Criteria[i]
		k.Criterion, k.Role, k.Usual = rubric.Criterion(i), calibration.Ignored, 60
		k.Cuts = [4]int{0, 300, 600, 1001}
		for _, favour := range []bool{false, true} {
			c.Claims = append(c.Claims, calibration.Claim{Criterion: k.Criterion, Favour: favour})
		}
	}
	c.Criteria[0].Role, c.Criteria[1].Role = calibration.Evaluator, calibration.Critic
	c.Criteria[0].Model = skill(500_000, 100_000)
	doubt := &c.Claims[2*2+1]
	doubt.Skill = skill(300_000, 100_000)
	doubt.ClaimScale = localllm.ClaimScale{Vote: true,
		Steps: []localllm.ClaimStep{{From: 0, Holds: 0}, {From: 1000, Holds: 1000}}}
	return c
}

func TestFile(t *testing.T) {
	c := whole()
	read, err := calibration.Parse("c.json", c.File())
	require.NoError(t, err)
	assert.Equal(t, string(c.File()), string(read.File()))

	for _, tt := range []struct {
		want  string
		spoil func(*calibration.Calibration)
	}{
		{"c.json: the version is 9; want 1: run assize doctor again", func(c *calibration.Calibration) {
			c.Version = 9
		}},
		{"the satisfaction belongs to another model", func(c *calibration.Calibration) {
			c.Digest = "f00"
		}},
		{"the measurements of Helpfulness are not valid", func(c *calibration.Calibration) {
			c.Criteria[1].Role = "chair"
		}},
		{"the measurements of TaskSuccess are not valid", func(c *calibration.Calibration) {
			c.Criteria[0].Model.High = 1_000_001
		}},
		{"the measurements of Helpfulness are not valid", func(c *calibration.Calibration) {
			c.Criteria[1].Both.Low = -1_000_001
		}},
		{"the measurements of TaskSuccess are not valid", func(c *calibration.Calibration) {
			c.Criteria[0].Criterion = 1
		}},
		{"the measurements of TaskSuccess are not", func(c *calibration.Calibration) {
			c.Criteria[0].Cuts[0] = -1
		}},
		{"the measurements of TaskSuccess are not", func(c *calibration.Calibration) {
			c.Criteria[0].Cuts[3] = 1002
		}},
		{"the measurements of TaskSuccess are not", func(c *calibration.Calibration) {
			c.Criteria[0].Cuts[1] = 700
		}},
		{"the measurements of TaskSuccess are not", func(c *calibration.Calibration) {
			c.Criteria[0].Usual = 61
		}},
		{"kind 2 of claims is not valid", func(c *calibration.Calibration) {
			c.Claims[1].Favour = false
		}},
		{"kind 1 of claims is not valid", func(c *calibration.Calibration) {
			c.Claims = c.Claims[:11]
		}},
		{"kind 5 of claims is not valid", func(c *calibration.Calibration) {
			c.Claims[4].Vote = true
		}},
		{"kind 6 of claims is not valid", func(c *calibration.Calibration) {
			c.Claims[5].Steps[1].From = 1001
		}},
		{"kind 6 of claims is not valid", func(c *calibration.Calibration) {
			c.Claims[5].Steps[1].Holds = 1001
		}},
		{"kind 6 of claims is not valid", func(c *calibration.Calibration) {
			c.Claims[5].Steps[0].From = -1
		}},
		{"kind 6 of claims is not valid", func(c *calibration.Calibration) {
			c.Claims[5].Steps[0].Holds = -1
		}},
		{"kind 6 of claims is not valid", func(c *calibration.Calibration) {
			c.Claims[5].Steps[0].From, c.Claims[5].Steps[1].From = 1000, 0
		}},
	} {
		c := whole()
		tt.spoil(&c)
		_, err := calibration.Parse("c.json", c.File())
		assert.ErrorContains(t, err, tt.want)
	}
	_, err = calibration.Parse("c.json", []byte("[]"))
	assert.ErrorContains(t, err, "c.json: not a calibration: ")
}

func TestSets(t *testing.T) {
	c := whole()
	of := rubric.SetOf
	assert.Equal(t, of(rubric.TaskSuccess), c.Seats(calibration.Evaluator))
	assert.Equal(t, of(rubric.TaskSuccess, rubric.Helpfulness), c.Heard())
	assert.Equal(t, of(rubric.Criterion(2)), c.Doubted())
	assert.Equal(t, rubric.AllCriteria, c.Evaluates(calibration.ByModel))
	assert.Equal(t, of(rubric.TaskSuccess), c.Evaluates(calibration.BySkill))
	assert.Zero(t, c.Evaluates("rules"))
	none := (*calibration.Calibration)(nil)
	assert.Zero(t, none.Evaluates(calibration.BySkill))
	assert.Nil(t, none.ClaimScales())
	assert.Equal(t, c.Claims[5].ClaimScale, c.ClaimScales()[2][1])
	assert.Equal(t, c.Criteria[4].Scale, c.Scales()[4])
}

// A calibration speaks for the model and the prompts that it was made with.
func TestCheck(t *testing.T) {
	c := whole()
	id := localllm.Identity{Name: "other:1b", Digest: digest, Prompts: c.Prompts}
	assert.NoError(t, c.Check(id))
	id.Digest = "f00"
	assert.ErrorContains(t, c.Check(id), "it was made with tiny:latest, sha256:ababababab")
	id.Digest, id.Prompts.Questions = digest, "changed"
	assert.ErrorContains(t, c.Check(id), "other prompts or questions")
}
