package fit

import (
	"fmt"
	"math"
	"slices"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics"
	"assize/rubric"
)

// leastModel is how many different rated dialogues a model must have judged before it is given weight: with fewer,
// even the interval of what it adds is a guess.
const leastModel = 50

// knownSlopeOfScores is the rating per point of the weighted average: human(0–100) ≈ 44.7 + .259 · average, by the line
// through the ratings of the four USS sets.
const knownSlopeOfScores = 0.01295

// Model is what the judgement of a model is worth beside the rules' estimate: a weight times its weighted average, less
// the mean of that. Six weights, one for each score, need more labels than teams have and do harm with fewer. The
// weight is kept where the interval of the gain lies above 0: noise got it in none of 160 draws of 60 to 800 labels, an
// annotator in the model's place in 28 of 40 draws of 800.
type Model struct {
	Name      string                `json:"name"`
	Digest    string                `json:"digest"`
	Dialogues int                   `json:"dialogues"` // different rated ones that it judged
	Weight    heuristics.Millionths `json:"weight"`    // that the profile gives it; 0 unless Kept
	Learnt    heuristics.Millionths `json:"learnt"`    // that the ratings would give it
	Centre    rubric.Hundredths     `json:"centre"`    // the mean of its averages
	With      Gain                  `json:"spearman"`  // rank correlations with the ratings on folds: with it,
	Rules     Gain                  `json:"rules"`     // by the rules alone,
	Over      Gain                  `json:"gain"`      // and by how much the first exceeds the second
	Kept      bool                  `json:"-"`
}

// tryModel measures on folds what the model adds to the rules' estimate, and makes l weigh it where the interval of the
// gain lies above 0. It gives nil where no model judged a rated dialogue.
func (l *learner) tryModel(points []point) *Model {
	judged := slices.DeleteFunc(slices.Clone(points), func(pt point) bool { return pt.Judged == 0 })
	if l.Model.Digest == "" || len(judged) == 0 {
		return nil
	}
	trial := *l
	trial.weighs, trial.Flag = true, 0
	all := trial.learn(points, whole)
	p := all.profile
	nan := Gain{Figure(math.NaN()), Figure(math.NaN()), Figure(math.NaN())}
	m := &Model{Name: l.Model.Name, Digest: l.Model.Digest, Dialogues: different(judged), Learnt: p.Model.Weight,
		Centre: p.Model.Centre, With: nan, Rules: nan, Over: nan}
	if m.Dialogues < leastModel {
		return m
	}
	// The map is that of p for all folds: another for each would disturb the order of the rules, which the model has to
	// improve on. The weight is learnt on the other folds.
	with, alone := make([]float64, len(points)), make([]float64, len(points))
	trains, held := folds(points, outerFolds, l.Seed)
	for f, train := range trains {
		weighed := p
		weighed.Model = &heuristics.Model{Weight: trial.learn(train, f).profile.Model.Weight, Centre: p.Model.Centre}
		for _, i := range held[f] {
			rating := all.rating(&points[i])
			with[i], alone[i] = (rating + points[i].added(weighed)).Float(), rating.Float()
		}
	}
	_, rating := columns(points)
	gains := ranks(rating, l.Seed, with, alone)
	m.With, m.Rules, m.Over = gains[0], gains[1], gains[2]
	if m.Over.Certain() && m.Learnt > 0 {
		m.Kept, m.Weight, l.weighs = true, m.Learnt, true
	}
	return m
}

// modelled gives the weight with which the model's average explains what the map leaves over. It is drawn towards 0
// (ridge; Hoerl and Kennard 1970), the more the fewer dialogues there are, as if a model were believed to be worth
// about as much as the rules' own average before the ratings are seen. It is never below 0.
func (l learner) modelled(points []point, base *lesson) *heuristics.Model {
	m := l.Model
	var averages, left []float64 // left is what the map leaves over for a rating
	var sum rubric.Hundredths
	for _, pt := range points {
		if pt.Judged != 0 {
			sum += pt.Judged
			averages = append(averages, float64(pt.Judged)/100)
			left = append(left, pt.rating-base.rating(&pt).Float())
		}
	}
	if len(left) > 0 {
		m.Centre = rubric.Hundredths(math.Round(float64(sum) / float64(len(left))))
	}
	meanAverage, meanLeft := stats.Mean(averages, nil), stats.Mean(left, nil)
	var own, both, over float64 // sums of squares and products
	for i := range left {
		x, y := averages[i]-meanAverage, left[i]-meanLeft
		own, both, over = own+float64(x*x), both+float64(x*y), over+float64(y*y)
	}
	stiffness := over / float64(len(left)-2) / (knownSlopeOfScores * knownSlopeOfScores)
	if weight := both / (own + stiffness); weight > 0 { // it is NaN for a model without a difference
		m.Weight = heuristics.MillionthsOf(min(weight, steepest))
	}
	return &m
}

// told says what was decided of the model and why.
func (m *Model) told() string {
	measured := fmt.Sprintf("on folds satisfaction ranks with %.3f with %s, and with %.3f by the rules alone "+
		"(Spearman): %+.3f, 95 %% interval %+.3f to %+.3f",
		m.With.Value, m.Name, m.Rules.Value, m.Over.Value, m.Over.Low, m.Over.High)
	switch {
	case m.Kept:
		return fmt.Sprintf("The model adds %s to the rules' estimate for each point by which its average lies above "+
			"%s: %s, which lies above 0.", m.Weight, m.Centre, measured)
	case m.Dialogues < leastModel:
		return fmt.Sprintf("The model adds nothing yet: what %s is worth is learnt from %d rated dialogues on, and it "+
			"judged %d. It gets no weight.", m.Name, leastModel, m.Dialogues)
	}
	return fmt.Sprintf("The model adds nothing: %s. It gets no weight.", measured)
}
