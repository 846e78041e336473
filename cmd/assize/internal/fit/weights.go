package fit

import (
	"cmp"
	"errors"
	"slices"

	"assize/rubric"
)

// leastWeights is how many rated dialogues weights are learnt from: with fewer, new ones lose rank agreement (research:
// .02 from 50 labels, nothing either way from 300).
const leastWeights = 300

// leastGain is by how much learnt weights must raise the rank correlation to be worth leaving the specified ones.
const leastGain = 0.02

// Weights is what came of learning weights.
type Weights struct {
	Learnt                       [rubric.NumCriteria]int // whole percents
	Spearman, Average, Reactions Gain                    // the rank correlations with the ratings: on folds with weights learnt on the others, of the weighted average as specified, and of the reaction score
	OverAverage, OverReactions   Gain                    // what learnt weights gain
	Kept                         bool                    // whether the profile has them
}

// tryWeights measures learnt weights on folds and makes l learn them where they gain enough over both the specified
// ones and the reaction score. It gives nil where there are too few points. The error is dialogues that were weighed by
// different rubrics.
func (l *learner) tryWeights(points []point) (*Weights, error) {
	for _, pt := range points {
		if pt.evaluation.Rubric.Weights != points[0].evaluation.Rubric.Weights {
			return nil, errors.New("the runs weigh the criteria in different ways, and none is the specified one; want runs of one rubric")
		}
	}
	if len(points) < leastWeights {
		return nil, nil
	}
	trial := *l
	trial.weights, trial.curves, trial.rate = true, false, 0
	h := holdOut(trial, points)
	var average, reactions []float64
	for _, pt := range points {
		average, reactions = append(average, float64(pt.evaluation.Average)), append(reactions, pt.at.Float())
	}
	each, beyond := ranks(points, l.seed, h.at, average, reactions)
	final := trial.learn(points)
	w := &Weights{Spearman: each[0], Average: each[1], Reactions: each[2], OverAverage: beyond[0], OverReactions: beyond[1]}
	for c := range w.Learnt {
		w.Learnt[c] = final.profile.Weights[rubric.Criterion(c).String()]
	}
	w.Kept = w.OverAverage.Value >= leastGain && w.OverReactions.Value >= leastGain && final.slope.learnt
	l.weights = w.Kept
	return w, nil
}

// weigh gives weights of the criteria in whole percents: the specified ones, pulled as far as inner folds bear out.
func weigh(points []point, seed uint64) map[string]int {
	specified := points[0].evaluation.Rubric.Weights
	z := make(parts, len(points))
	for i, pt := range points {
		for c, r := range pt.evaluation.Final {
			z[i] = append(z[i], float64(specified[c]*int(r.Score))/100)
		}
	}
	factors := z.pull(points, z.leash(points, seed)).factors
	var shares [rubric.NumCriteria]float64
	for c, w := range specified {
		shares[c] = float64(w) * factors[c]
	}
	weights := map[string]int{}
	for c, w := range percents(shares) {
		weights[rubric.Criterion(c).String()] = w
	}
	return weights
}

// percents rounds shares to whole percents that sum to 100, by the largest remainders.
func percents(shares [rubric.NumCriteria]float64) (whole [rubric.NumCriteria]int) {
	var sum float64
	for _, s := range shares {
		sum += s
	}
	left := 100
	var rest [rubric.NumCriteria]float64
	for c, s := range shares {
		exact := 100 * s / sum
		whole[c] = int(exact)
		rest[c] = exact - float64(whole[c])
		left -= whole[c]
	}
	order := rubric.Criteria()
	slices.SortStableFunc(order[:], func(a, b rubric.Criterion) int { return cmp.Compare(rest[b], rest[a]) })
	for i := range left {
		whole[order[i]]++
	}
	return whole
}
