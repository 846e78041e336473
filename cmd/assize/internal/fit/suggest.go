package fit

import (
	"fmt"
	"math"

	"assize/cmd/assize/internal/ratings"
	"assize/heuristics"
	"assize/rubric"
)

// Suggestion is other points for the detectors whose signals the reaction score counts.
type Suggestion struct {
	Dialogues int
	Changes   []Change // in the order of the detectors; none where the points are as good as any
	Leash     float64  // how far the points were let to move, as a part of themselves

	// The rank correlations of the reaction score and the ratings: with the points as they are, and on folds with
	// points learnt on the others; and by how much the second exceeds the first.
	Before, After, Gain Gain
	Strata, Folds       int // as in Result
}

// Change is a detector whose points would be others.
type Change struct {
	ID        string
	From, To  rubric.Hundredths
	Factor    float64 // of all points of the detector's lexicon file
	Dialogues int     // in how many rated dialogues it fires
}

// Scale gives what the change makes of points that a single phrase of the detector has.
func (c Change) Scale(points rubric.Hundredths) rubric.Hundredths { return moveTo(points, c.Factor) }

// Verdict says what the suggestion is worth.
func (s *Suggestion) Verdict() string {
	if len(s.Changes) == 0 {
		return "No other points are suggested: on folds none serve these ratings better than the points as they are."
	}
	where := ""
	if s.Strata > 1 {
		where = fmt.Sprintf(" within files, the mean of %d", s.Strata)
	}
	measured := fmt.Sprintf("On folds points learnt on the others rank dialogues with %.3f, the points as they are with %.3f (Spearman%s): %+.3f, 95 %% interval %+.3f to %+.3f.",
		s.After.Value, s.Before.Value, where, s.Gain.Value, s.Gain.Low, s.Gain.High)
	switch {
	case s.Gain.Certain():
		return measured + " The gain is beyond noise."
	case s.Gain.High < 0:
		return measured + " That is a loss: keep the points as they are."
	}
	return measured + " That is within noise: keep the points as they are."
}

// fewestForPoints is how many rated dialogues points are learnt from: there are some thirty detectors, and most fire in
// a small part of the dialogues.
const fewestForPoints = 100

// pointStep is what suggested points are rounded to, in hundredths: nothing finer is borne out.
const pointStep = 5

// Suggest looks for points with which the reaction score would follow the ratings more closely. No detector's points
// change their sign. It changes nothing; the error says why nothing can be suggested.
func Suggest(rated []ratings.Rated, detectors []heuristics.Detector, seed uint64) (*Suggestion, error) {
	base := heuristics.DefaultProfile()
	points, err := gather(rated, base)
	if err != nil {
		return nil, err
	}
	if n := different(points); n < fewestForPoints {
		return nil, fmt.Errorf("%d different dialogues are rated as a whole; want %d or more to learn points from", n, fewestForPoints)
	}
	m := newMover(points, detectors, base)
	now, after := make([]float64, len(points)), make([]float64, len(points))
	folds, count := deal(points, outerFolds, seed)
	for f := range count {
		moved := m.learn(func(i int) bool { return folds[i] != f }, seed)
		for i, pt := range points {
			if folds[i] == f {
				now[i], after[i] = pt.at.Float(), m.value(i, moved.to).Float()
			}
		}
	}
	each, beyond := ranks(points, seed, after, now)
	final := m.learn(func(int) bool { return true }, seed)
	return &Suggestion{
		Dialogues: len(points), Changes: m.changes(final), Leash: final.leash,
		Before: each[1], After: each[0], Gain: beyond[0], Strata: len(strata(points)), Folds: count,
	}, nil
}

// mover learns by which factors to move the points of detectors.
type mover struct {
	base      heuristics.Profile
	detectors []heuristics.Detector // that count and have points
	column    map[string]int        // of detectors, by id
	points    []point
	z         parts // of the points, a column a detector
}

func newMover(points []point, detectors []heuristics.Detector, base heuristics.Profile) *mover {
	m := &mover{base: base, column: map[string]int{}, points: points}
	for _, d := range detectors {
		if base.Counts(d.ID) && d.Points != 0 {
			m.column[d.ID] = len(m.detectors)
			m.detectors = append(m.detectors, d)
		}
	}
	for _, pt := range points {
		row := make([]float64, len(m.detectors))
		base.Parts(pt.evaluation, func(id string, points float64) {
			if c, ok := m.column[id]; ok {
				row[c] += points
			}
		})
		m.z = append(m.z, row)
	}
	return m
}

// moved is where points were moved to, by detector.
type moved struct {
	leash   float64
	factors []float64
	to      []rubric.Hundredths
}

// learn learns from the points that are in.
func (m *mover) learn(in func(i int) bool, seed uint64) moved {
	var z parts
	var points []point
	for i, pt := range m.points {
		if in(i) {
			z, points = append(z, m.z[i]), append(points, pt)
		}
	}
	out := moved{leash: z.leash(points, seed)}
	out.factors = z.pull(points, out.leash).factors
	for c, d := range m.detectors {
		out.to = append(out.to, moveTo(d.Points, out.factors[c]))
	}
	return out
}

// moveTo multiplies points and rounds them to a step; the points of a turn are bounded, so none may weigh more.
func moveTo(points rubric.Hundredths, factor float64) rubric.Hundredths {
	if factor == 1 {
		return points
	}
	steps := math.Round(float64(points) * factor / pointStep)
	return min(max(rubric.Hundredths(steps)*pointStep, -mostPoints), mostPoints)
}

// mostPoints is what a turn of the USER may weigh.
const mostPoints = 400

// value is the reaction score of a point with other points for the detectors. Signals that weigh more or less than
// their detector, since several words add up, are scaled with it.
func (m *mover) value(i int, to []rubric.Hundredths) heuristics.Millionths {
	e := *m.points[i].evaluation
	e.Signals = append([]rubric.Signal(nil), e.Signals...)
	for k := range e.Signals {
		s := &e.Signals[k]
		if c, ok := m.column[s.ID]; ok {
			s.Points = rubric.Hundredths(math.Round(float64(s.Points) * float64(to[c]) / float64(m.detectors[c].Points)))
		}
	}
	return m.base.Value(&e)
}

// changes lists the detectors whose points have moved.
func (m *mover) changes(to moved) []Change {
	var list []Change
	for c, d := range m.detectors {
		if to.to[c] == d.Points {
			continue
		}
		fires := 0
		for _, row := range m.z {
			if row[c] != 0 {
				fires++
			}
		}
		list = append(list, Change{d.ID, d.Points, to.to[c], to.factors[c], fires})
	}
	return list
}
