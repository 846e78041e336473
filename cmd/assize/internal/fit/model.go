package fit

import (
	"fmt"
	"math"

	"assize/cmd/assize/internal/agreement"
	"assize/heuristics"
	"assize/rubric"
)

// leastModel is how many different rated dialogues a model must have judged before it is given weight: with fewer, even
// the interval of what it adds is a guess.
const leastModel = 50

// Model is what came of weighing what a model says.
type Model struct {
	Learnt      heuristics.Model // as the ratings would have it, whether or not the profile does
	Dialogues   int              // different rated ones that it judged
	Constant    bool             // whether it gave all of them the same average
	With, Rules Gain             // the rank correlations with the ratings on folds: of satisfaction with what the model adds by what was learnt on the others, and by the rules alone
	Over        Gain             // by how much the first exceeds the second
	Kept        bool             // whether the profile gives it weight
}

// tryModel measures on folds what the model adds to the rules' estimate, and makes l weigh it where that is certain to
// be something. It gives nil where no model judged a rated dialogue.
func (l *learner) tryModel(points []point) *Model {
	judged := judgedOnly(points)
	if l.model.Digest == "" || len(judged) == 0 {
		return nil
	}
	nan := Gain{math.NaN(), agreement.Interval{Low: math.NaN(), High: math.NaN()}}
	m := &Model{Dialogues: different(judged), Constant: true, With: nan, Rules: nan, Over: nan}
	for _, pt := range judged {
		m.Constant = m.Constant && pt.model == judged[0].model
	}
	trial := *l
	trial.weighs, trial.rate = true, 0
	p := trial.learn(points).profile
	m.Learnt = *p.Model
	if m.Dialogues < leastModel {
		return m
	}
	each, beyond := ranks(points, l.seed, trial.weighed(points, p)...)
	m.With, m.Rules, m.Over = each[0], each[1], beyond[0]
	m.Kept = m.Over.Certain() && m.Learnt.Weight > 0
	l.weighs = m.Kept
	return m
}

// weighed gives the ratings that p estimates with what the model adds, by the weight that was learnt on the other folds
// than a point's own, and those without. The map is that of p for all, since another for each fold would disturb the
// order of the rules, which is what the model has to better.
func (l learner) weighed(points []point, p heuristics.Profile) [][]float64 {
	with, alone := make([]float64, len(points)), make([]float64, len(points))
	folds, count := deal(points, outerFolds, l.seed)
	for f := range count {
		train, _ := without(points, folds, f)
		held := p
		held.Model = &heuristics.Model{Weight: l.learn(train).profile.Model.Weight, Centre: p.Model.Centre}
		for i, pt := range points {
			if folds[i] == f {
				rating := p.Rating(p.Value(pt.evaluation))
				with[i], alone[i] = (rating + pt.added(held)).Float(), rating.Float()
			}
		}
	}
	return [][]float64{with, alone}
}

// Weight is what the profile gives the model.
func (m *Model) Weight() heuristics.Millionths {
	if m.Kept {
		return m.Learnt.Weight
	}
	return 0
}

// weigh gives the weight with which the model's average makes up for what the map leaves over. It is drawn towards 0
// (ridge; Hoerl and Kennard 1970), the more the fewer dialogues there are, as if a model were believed to be worth
// about as much as the rules' own average before the ratings are seen. It is never below 0, and only what differs
// within a stratum counts.
func (l learner) weigh(points []point, p heuristics.Profile) *heuristics.Model {
	m := l.model
	var z parts
	var left []point // with what the map leaves over for a rating
	var sum int64
	for _, pt := range judgedOnly(points) {
		sum += int64(pt.model)
		z = append(z, []float64{float64(pt.model) / 100})
		pt.rating -= p.Rating(pt.at).Float()
		left = append(left, pt)
	}
	if len(z) > 0 {
		m.Centre = rubric.Hundredths(math.Round(float64(sum) / float64(len(z))))
	}
	var own, both, over float64 // sums of squares and products
	for _, row := range z.centre(left, &pulled{}) {
		own += float64(row[0] * row[0])
		both += float64(row[0] * row[1])
		over += float64(row[1] * row[1])
	}
	known := heuristics.Millionths(knownSlopeOfScores).Float()
	stiffness := over / float64(len(z)-2) / float64(known*known)
	if weight := both / (own + stiffness); weight > 0 { // it is NaN for a model without a difference
		m.Weight = heuristics.MillionthsOf(min(weight, steepest))
	}
	return &m
}

// judgedOnly gives the points that the model judged.
func judgedOnly(points []point) (judged []point) {
	for _, pt := range points {
		if pt.model != 0 {
			judged = append(judged, pt)
		}
	}
	return judged
}

func (m *Model) told() string {
	name := m.Learnt.Name
	measured := fmt.Sprintf("on folds satisfaction ranks with %.3f with %s, and with %.3f by the rules alone (Spearman): %+.3f, 95 %% interval %+.3f to %+.3f",
		m.With.Value, name, m.Rules.Value, m.Over.Value, m.Over.Low, m.Over.High)
	switch {
	case m.Kept:
		return fmt.Sprintf("The model adds %s to the rules' estimate for each point by which its average lies above %s: %s, which lies above 0.", m.Learnt.Weight, m.Learnt.Centre, measured)
	case m.Constant:
		return fmt.Sprintf("The model adds nothing: %s gives every rated dialogue the same average, %s. It gets no weight.", name, m.Learnt.Centre)
	case m.Dialogues < leastModel:
		return fmt.Sprintf("The model adds nothing yet: what %s is worth is learnt from %d rated dialogues on, and it judged %d. It gets no weight.", name, leastModel, m.Dialogues)
	case m.Learnt.Weight == 0:
		return fmt.Sprintf("The model adds nothing: the ratings do not rise with the average of %s where the rules' estimate is the same. It gets no weight.", name)
	}
	return fmt.Sprintf("The model adds nothing: %s, which does not lie above 0. It gets no weight.", measured)
}
