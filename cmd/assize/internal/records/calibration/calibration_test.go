package calibration_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/calibration"
	"assize/heuristics/satisfaction"
)

// skill returns a skill whose 95 % interval extends by half on both sides of the value, in
// millionths.
func skill(value, half satisfaction.Millionths) calibration.Skill {
	return calibration.Skill{Value: value, Low: value - half, High: value + half}
}

// A half-width of .2 is a standard error of .2/1.960 = .1020. A skill of .270 is 2.646 standard
// errors and .269 is 2.636; the quantile for six comparisons, at 1-.05/12, is 2.638.
func TestAssignRoles(t *testing.T) {
	better, worse := skill(1, 200_000), skill(-1, 200_000)
	known, chance := skill(400_000, 200_000), skill(100_000, 200_000)
	for _, tt := range []struct {
		why                    string
		model, better, quality calibration.Skill
		want                   calibration.Role
	}{
		{"more than 2.638 standard errors", skill(270_000, 200_000), better, chance,
			calibration.Evaluator},
		{"fewer, and the average is chance", skill(269_000, 200_000), better, chance,
			calibration.Ignored},
		{"fewer, and the average is better than chance", skill(269_000, 200_000), better, known,
			calibration.Evaluator},
		{"the interval reaches 0", skill(200_000, 200_000), better, known, calibration.Ignored},
		{"worse than the rules", skill(270_000, 200_000), worse, chance, calibration.Critic},
		{"not compared with the rules", skill(270_000, 200_000), calibration.Skill{}, known,
			calibration.Critic},
	} {
		var c calibration.Calibration
		c.Quality = tt.quality
		c.Criteria[2] = calibration.Criterion{Model: tt.model, Better: tt.better}
		c.AssignRoles()
		assert.Equal(t, tt.want, c.Criteria[2].Role, tt.why)
		assert.Equal(t, calibration.Ignored, c.Criteria[0].Role, "it was not measured")
	}
}
