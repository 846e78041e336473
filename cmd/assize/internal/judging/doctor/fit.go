package doctor

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
)

// calibrate fits the scales for a model's answers and measures their skill by cross-validation:
// each dialogue is scored with scales fitted without its writer.
func calibrate(list []Sample, id localllm.Identity, lexicon string) *calibration.Calibration {
	c := &calibration.Calibration{
		Version: calibration.Version, Name: id.Name, Digest: id.Digest, Prompts: id.Prompts,
		Lexicon: lexicon, Dialogues: len(list),
		Satisfaction: satisfaction.Model{Name: id.Name, Digest: id.Digest},
	}
	for k := range c.Criteria {
		c.Criteria[k] = measure(list, rubric.Criterion(k))
	}
	return c
}

// measure fits the scale of one criterion and measures its skill on the dialogues for which the
// model answered a question about it.
func measure(list []Sample, k rubric.Criterion) calibration.Criterion {
	list = ui.Without(list, func(j Sample) bool { return j.goodness[k] == 0 })
	if len(list) < minDialogues {
		return calibration.Criterion{Criterion: k, Scale: localllm.DefaultScale}
	}
	var reader, model, rules, both []float64
	for _, j := range list {
		scale := fitScale(ui.Without(list,
			func(other Sample) bool { return other.Writer == j.Writer }), k)
		m, r := float64(scale.Score(j.goodness[k])), float64(j.rules[k].Score)
		reader, model = append(reader, j.Levels[k]), append(model, m)
		rules, both = append(rules, r), append(both, (m+r)/2)
	}
	e := correlations(reader, model, rules, both)
	return calibration.Criterion{
		Criterion: k, Scale: fitScale(list, k),
		Model: calibration.SkillOf(e[0]), Rules: calibration.SkillOf(e[1]),
		Both: calibration.SkillOf(e[2]), Better: calibration.SkillOf(e[3]),
	}
}

// correlations returns the Spearman correlations of the model, the rules and both with the reader,
// and by how much the first exceeds the second.
func correlations(reader, model, rules, both []float64) []stats.Figure {
	byModel, byRules, byBoth := stats.NewPairs(model, reader), stats.NewPairs(rules, reader),
		stats.NewPairs(both, reader)
	return stats.Bootstrap(len(reader), bootstrapDraws, 1, func(times []int) []float64 {
		m, r := byModel.Spearman(times), byRules.Spearman(times)
		return []float64{m, r, byBoth.Spearman(times), m - r}
	})
}

const (
	bootstrapDraws = 2000 // bootstrap samples
	minDialogues   = 20   // minimum number of dialogues for a measurement
)

// fitScale fits a scale by isotonic regression: the reader's levels rise with the goodness, and
// each level begins where the fitted value is closer to it than to the one below.
func fitScale(list []Sample, k rubric.Criterion) localllm.Scale {
	steps := stats.Isotonic(list, func(j Sample) (int, float64) {
		return j.goodness[k], j.Levels[k]
	})
	scale := localllm.Scale{Cuts: [4]int{1001, 1001, 1001, 1001}}
	for i := range scale.Cuts {
		boundary := float64(rubric.Scale[i]+rubric.Scale[i+1]) / 2
		switch at := slices.IndexFunc(steps,
			func(s stats.Step) bool { return s.Sum/s.N >= boundary }); {
		case at == 0:
			scale.Cuts[i] = 0
		case at > 0:
			scale.Cuts[i] = steps[at].From
		}
	}
	counts := map[rubric.Score]int{}
	for _, j := range list {
		counts[scale.Score(j.goodness[k])]++
	}
	for _, score := range rubric.Scale { // ties go to the higher score
		if scale.Usual == 0 || counts[score] >= counts[scale.Usual] {
			scale.Usual = score
		}
	}
	return scale
}

// Blend measures how well satisfaction is estimated with and without the model, by Spearman's
// correlation with the reader's weighted average.
type Blend struct {
	Rules stats.Figure `json:"rules"`
	Both  stats.Figure `json:"both"`
}

// blend fits the model's contribution to the rules' estimate of satisfaction. It rescales the
// model's quality to the mean and deviation of that estimate, and determines its share by least
// squares of the reader's average on the two. A model that is no better than chance has no share.
func blend(list []Sample, c *calibration.Calibration) Blend {
	var quality, estimate, reader []float64
	weights := rubric.Default().Weights
	for _, j := range list {
		sum := 0.0
		for k, w := range weights {
			sum += float64(w) * j.Levels[k] / 100
		}
		quality = append(quality, float64(j.goodness.Average(weights))/100)
		estimate, reader = append(estimate, float64(j.satisfaction)/100), append(reader, sum)
	}
	qs, qr := stat.Correlation(quality, estimate, nil), stat.Correlation(quality, reader, nil)
	sr := stat.Correlation(estimate, reader, nil)
	spread := stat.PopStdDev(estimate, nil) / stat.PopStdDev(quality, nil)
	// least squares on two standardized variables, up to a factor; NaN if one of them is constant
	byModel, bySatisfaction := qr-qs*sr, sr-qs*qr
	share := 0.0
	if byModel > 0 {
		share = byModel / (byModel + max(bySatisfaction, 0))
	}
	both := slices.Clone(estimate)
	for i := range both {
		if share > 0 {
			both[i] = share*spread*quality[i] + (1-share)*estimate[i]
		}
	}
	e := correlations(reader, quality, estimate, both)
	if m := &c.Satisfaction; e[0].Certain() && share > 0 {
		m.Weight = satisfaction.MillionthsOf(spread)
		m.Centre = rubric.Hundredths(math.Round(100 * stats.Mean(quality, nil)))
		m.Rating = satisfaction.MillionthsOf(stats.Mean(estimate, nil))
		m.Share = satisfaction.MillionthsOf(share)
	}
	c.Quality = calibration.SkillOf(e[0])
	c.AssignRoles()
	return Blend{e[1], e[2]}
}
