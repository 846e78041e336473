package fit

import (
	"assize/cmd/assize/internal/record"
	"assize/heuristics"
	"assize/rubric"
)

// learner learns a profile from points. It learns one from every set of folds just as it learns the one that is kept,
// with all its choices, so that the errors on the fold left out are those of a profile that has not seen it.
type learner struct {
	base    heuristics.Profile    // what is mapped, and the slope where the ratings show none
	curves  bool                  // whether a curve competes with the line
	weights bool                  // whether the scores are the input, by weights that are learnt from the specified ones
	model   heuristics.Model      // whose judgement is weighed, by its name and digest; zero for none
	weighs  bool                  // whether it is
	rate    heuristics.Millionths // the share to flag; 0 for none
	traffic []*record.Record      // among these; nil means among the points
	seed    uint64
}

// lesson is what was learnt and what it was chosen by.
type lesson struct {
	profile     heuristics.Profile
	slope       slope
	knots       int     // of the curve that competed with the line; 0 where none did
	line, curve float64 // the mean absolute errors of both on inner folds, in points of 100
	flagless    bool    // whether no cut parts off the share that is wanted
}

// knownSlopeOfScores is the rating per point of the weighted average: human(0–100) ≈ 44.7 + .259 · average, by the
// line through the ratings of the four USS sets.
const knownSlopeOfScores = 12_950

func (l learner) learn(points []point) lesson {
	p := l.base
	known := p.Line.Slope
	if l.weights {
		p = heuristics.Profile{Version: p.Version, Input: heuristics.Scores, Weights: weigh(points, l.seed)}
		points, known = reread(points, p), knownSlopeOfScores
	}
	line, s := straight(points, known)
	p.Line = &line
	out := lesson{slope: s}
	if l.curves {
		out.compete(&p, points, known, l.seed)
	}
	if l.weighs {
		p.Model = l.weigh(points, p)
	}
	found := estimates(p, points)
	p.Cuts = cuts(found, levels(points))
	if l.traffic != nil {
		found = nil
		for _, r := range l.traffic {
			found = append(found, r.EstimateBy(p).Satisfaction)
		}
	}
	if l.rate > 0 {
		p.Triage = triage(found, l.rate)
		out.flagless = p.Triage == nil
	}
	out.profile = p
	return out
}

// compete puts a curve in the place of p's line where it errs less on inner folds, which neither has seen.
func (out *lesson) compete(p *heuristics.Profile, points []point, known heuristics.Millionths, seed uint64) {
	knots := curve(points)
	if knots == nil {
		return
	}
	out.knots = len(knots)
	folds, count := deal(points, innerFolds, seed)
	for f := range count {
		train, test := without(points, folds, f)
		line, _ := straight(train, known)
		straightened := heuristics.Profile{Line: &line}
		curved := heuristics.Profile{Knots: curve(train)}
		if curved.Knots == nil {
			curved = straightened
		}
		_, rating := columns(test)
		share := float64(len(test)) / float64(len(points))
		out.line += float64(share * errorOf(satisfactions(straightened, test), rating).MAE)
		out.curve += float64(share * errorOf(satisfactions(curved, test), rating).MAE)
	}
	if out.curve < out.line {
		p.Line, p.Knots = nil, knots
	}
}

// estimates gives the satisfactions of points whose input p maps.
func estimates(p heuristics.Profile, points []point) []rubric.Hundredths {
	var list []rubric.Hundredths
	for _, pt := range points {
		list = append(list, pt.estimate(p).Satisfaction)
	}
	return list
}

// estimate applies p, whose input is that of the point.
func (pt *point) estimate(p heuristics.Profile) heuristics.Estimate {
	return p.EstimateAt(pt.at, pt.added(p))
}

// added is what a model adds to the point by p.
func (pt *point) added(p heuristics.Profile) heuristics.Millionths {
	if p.Model == nil || pt.model == 0 {
		return 0
	}
	return p.Model.Adds(pt.model)
}

// onFive gives a satisfaction as a number from 1 to 5.
func onFive(h rubric.Hundredths) float64 { return float64(h) / 100 }
