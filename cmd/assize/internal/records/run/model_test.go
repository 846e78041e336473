package run_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
)

// account returns an account with a value in every field that a record keeps.
func account() *localllm.Account {
	return &localllm.Account{
		Calls: []localllm.Call{
			// as in runs in which one answer contained all six criteria
			{Purpose: "card", PromptTokens: 1200, Generated: 90},
			{Purpose: "criterion", Criterion: new(rubric.TaskSuccess), Window: 1,
				Attempt: 3, PromptTokens: 1200, Generated: 300, Failure: "cut-answer",
				Raw: "{\"Task\x1b[2J\n\u202e"},
			{Purpose: "criterion", Criterion: new(rubric.TaskSuccess), Window: 2,
				PromptTokens: 1250, Generated: 20},
			{Purpose: "turn", Criterion: new(rubric.Fluency),
				Failure: localllm.ServerDown},
		},
		Windows:    []localllm.Window{{From: 1, To: 4}, {From: 3, To: 7}},
		Suspicious: []int{2},
		Shortened:  []int{1, 5},
		Flags:      []string{"suspicious", "windows", "shortened", "flat"},
		Timings:    localllm.Timings{Primed: time.Second, Calls: make([]localllm.CallTime, 4)},
	}
}

// benched turns records into those that a model without a seat leaves.
func benched(t testing.TB, records []*run.Record) []*run.Record {
	for i, r := range records {
		r.Model = account()
		if !r.Scored() {
			continue
		}
		if i%3 == 1 {
			r.Fallback = []run.Agent{run.Evaluator, run.Critic}
		} else {
			check, err := rubric.Default().CrossCheck(r.Evaluation.Evaluator.Scores(),
				[rubric.NumCriteria]rubric.Score{20, 40, 60, 80, 100, 60})
			require.NoError(t, err)
			r.CrossCheck = &check
		}
		r.Evaluation.Remarks = r.Remarks()
		r.Rate(satisfaction.DefaultProfile())
	}
	return records
}

func TestAModelsWordsAreReadBack(t *testing.T) {
	for _, r := range benched(t, judged(t)) {
		line := r.Append(nil)
		assert.NotContains(t, string(line), "\x1b")
		again, err := below(line).Decode()
		require.NoError(t, err, "%s", line)
		assert.Equal(t, string(line), string(again.Append(nil)))
		want := account()
		want.Timings = localllm.Timings{}
		assert.Equal(t, want, again.Model)
		assert.Equal(t, r.CrossCheck, again.CrossCheck)
		assert.Equal(t, r.Fallback, again.Fallback)
	}
}

func TestTimesAreNoPartOfARecord(t *testing.T) {
	r := benched(t, judged(t))[0]
	line := string(r.Append(nil))
	r.Model.Timings = localllm.Timings{Primed: time.Hour}
	assert.Equal(t, line, string(r.Append(nil)))
}

func TestRemarksStandInTheAudit(t *testing.T) {
	r := benched(t, judged(t))[1]
	line := string(r.Append(nil))
	for _, sentence := range []string{
		"The rules took the part of the Evaluator, in which the model failed.",
		"The rules took the part of the Critic, in which the model failed.",
		"The model judged the dialogue in overlapping parts: turns 1 to 4, 3 to 7.",
		"The model was not shown turn 2, which may be meant for whoever judges.",
		"The model was shown only the beginning of turns 1, 5.",
	} {
		assert.Contains(t, line, sentence)
	}
}

func TestAWrongModelIsRefused(t *testing.T) {
	line := string(benched(t, judged(t))[0].Append(nil))
	for _, tt := range []struct{ from, to, says string }{
		{`"rules":100`, `"rules":70`, "want 20, 40, 60, 80 or 100"},
		{`"prompt_tokens":1200`, `"prompt_tokens":"many"`, "is not a number"},
		{`{"criterion":"Fluency","model":`, `{"criterion":"Fluency"},{"model":`,
			"/cross_check/criteria cannot be read: too many array elements"},
	} {
		require.Contains(t, line, tt.from)
		_, err := below([]byte(strings.Replace(line, tt.from, tt.to, 1))).Decode()
		assert.ErrorContains(t, err, tt.says, tt.from)
	}
}

// estimated returns a profile's estimate for a record, which is unchanged.
func estimated(r *run.Record, p satisfaction.Profile) satisfaction.Estimate {
	rated := *r
	rated.Rate(p)
	return rated.Estimate
}

// weighing returns a profile that assigns weight to the model.
func weighing(weight satisfaction.Millionths) satisfaction.Profile {
	p := satisfaction.DefaultProfile()
	p.Model = &satisfaction.Model{Digest: strings.Repeat("ab", 32), Name: "some:1b",
		Scores: satisfaction.Scored{"Empathy": {Weight: weight, Usual: 6125}}}
	return p
}

// A model without weight has no effect, whatever it answers.
func TestWithoutWeightSatisfactionIsTheRules(t *testing.T) {
	p := weighing(0)
	for _, r := range benched(t, judged(t)) {
		if !r.Scored() || r.CrossCheck == nil {
			continue
		}
		byRules := p.WithoutModel().Estimate(r.Evaluation)
		for _, score := range rubric.Scale {
			r.CrossCheck.Criteria[rubric.Empathy].Model = score
			assert.Equal(t, byRules, estimated(r, p))
		}
	}
}

// With weight, a model adds what the profile says, within the scale, and only if it was asked.
func TestAModelWithWeightMovesSatisfaction(t *testing.T) {
	p, moved := weighing(10_000), 0
	alone := p.WithoutModel()
	for _, r := range benched(t, judged(t)) {
		if !r.Scored() {
			continue
		}
		got, byRules := estimated(r, p).Satisfaction, estimated(r, alone).Satisfaction
		if r.CrossCheck == nil {
			assert.Equal(t, byRules, got, "the rules took over")
			continue
		}
		// .01 per point: a hundredth each
		added := rubric.Hundredths(r.CrossCheck.Criteria[rubric.Empathy].Model) - 61
		assert.InDelta(t, float64(min(max(byRules+added, 100), 500)), float64(got), 1)
		if got != byRules {
			moved++
		}
	}
	assert.Positive(t, moved)

	p = weighing(1_000_000)
	r := benched(t, judged(t))[0]
	r.CrossCheck.Criteria[rubric.Empathy].Model = 100
	assert.Equal(t, rubric.Hundredths(500), estimated(r, p).
		Satisfaction, "nothing leaves the scale")
	r.CrossCheck.Criteria[rubric.Empathy].Model = 20
	assert.Equal(t, rubric.Hundredths(100), estimated(r, p).Satisfaction)
}

func TestTheHeaderNamesTheModel(t *testing.T) {
	h := run.Header{Program: "v1", Basis: run.DefaultBasis(),
		Configuration: run.Configuration{Evaluator: "model", Critic: "both", Mapping: "down",
			Fallback: "rules"}}
	h.Model = &localllm.Identity{Name: "tiny:latest", Digest: strings.Repeat("ab", 32),
		Options: localllm.Settings{NumCtx: 6144, Overflow: "windows"}}
	c := &calibration.Calibration{Version: calibration.Version, Name: h.Model.Name,
		Digest: h.Model.Digest}
	c.Satisfaction.Name, c.Satisfaction.Digest = c.Name, c.Digest
	for i := range c.Criteria {
		k := &c.Criteria[i]
		k.Criterion, k.Role, k.Usual = rubric.Criterion(i), calibration.Ignored, 60
		k.Cuts = [4]int{0, 300, 600, 1001}
		for _, favour := range []bool{false, true} {
			c.Claims = append(c.Claims, calibration.Claim{Criterion: k.Criterion, Favour: favour})
		}
	}
	h.Basis.Calibration = c
	line := h.Append(nil)
	again, err := run.ParseHeader(line)
	require.NoError(t, err)
	assert.Equal(t, string(line), string(again.Append(nil)))
	assert.Equal(t, h.Model, again.Model)
	require.NotNil(t, again.Basis.Calibration)
	_, err = run.ParseHeader([]byte(strings.Replace(string(line), `"usual":60`, `"usual":61`, 1)))
	assert.ErrorContains(t, err, "the run's header: /calibration cannot be read: calibration: ")
	assert.Equal(t, h.Configuration, again.Configuration)
	other := h
	id := *h.Model
	id.Options.Seed = 7
	other.Model = &id
	assert.NotEqual(t, h.Fingerprint(), other.Fingerprint(), "every option that is sent counts")
	changed, err := run.ParseHeader([]byte(strings.Replace(string(line), `"tiny:latest"`,
		`"huge:latest"`, 1)))
	require.NoError(t, err)
	assert.NotEqual(t, h.Fingerprint(), changed.Fingerprint(), "so does its name")
}
