package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics/satisfaction"
)

const (
	maxWeights = 40_000
	maxPoints  = 5000 // the time grows with the cube of this
)

// strengths are the ridge penalties to choose from, relative to the prior variances of a design:
// the assumed variance of the noise of one rating.
var strengths = [...]float64{1.2, 4, 12, 32, 100, 1000}

// ridge is a ridge regression (Hoerl and Kennard 1970) in its dual form, which has one equation per
// dialogue instead of one per feature (Saunders, Gammerman and Vovk 1998): estimates are
// before + intercept + K·dual with the kernel K. The intercept is not penalized.
//
// It uses floating-point sums: the same program learns the same on machines of one kind, but
// another processor may round a weight differently. The estimates of a profile are the same
// everywhere, because its weights are integers.
type ridge struct {
	before    []float64 // what is known before any rating
	targets   []float64 // the ratings minus that
	kernel    *mat.SymDense
	strengths []float64 // of each point: lower if its rating is more certain

	inverse *mat.SymDense // of the kernel plus the strengths, with the intercept projected out
	dual    []float64
}

// newRidge solves the regression of the design's points for a strength. The rules' estimate and the
// smoothed one have the known slope before any rating.
func (d *design) newRidge(kernel *mat.SymDense, strength, slope float64) (*ridge, error) {
	n := len(d.points)
	r := &ridge{kernel: kernel, before: make([]float64, n)}
	for _, f := range d.features {
		if f.block == theRules || f.block == theSmoothed {
			floats.AddScaled(r.before, slope, f.is[:n])
		}
	}
	for i, pt := range d.points {
		r.strengths = append(r.strengths, strength/pt.worth)
		r.targets = append(r.targets, pt.rating-r.before[i])
	}
	return r, r.solve()
}

var errSingular = errors.New("the ratings cannot be weighed: the equations have no single solution")

// solve computes the dual weights from the kernel, the strengths and the targets. With A = K + Λ
// and the vector 1 of ones, inverse is A⁻¹ - A⁻¹11ᵀA⁻¹ ÷ 1ᵀA⁻¹1.
func (r *ridge) solve() error {
	n := len(r.targets)
	a := mat.NewSymDense(n, nil)
	a.CopySym(r.kernel)
	for i, s := range r.strengths {
		a.SetSym(i, i, a.At(i, i)+s)
	}
	var chol mat.Cholesky
	r.inverse = mat.NewSymDense(n, nil)
	if !chol.Factorize(a) || chol.InverseTo(r.inverse) != nil {
		return errSingular
	}
	var sums, dual mat.VecDense
	sums.MulVec(r.inverse, mat.NewVecDense(n, slices.Repeat([]float64{1}, n)))
	r.inverse.SymRankOne(r.inverse, -1/mat.Sum(&sums), &sums)
	dual.MulVec(r.inverse, mat.NewVecDense(n, r.targets))
	r.dual = dual.RawVector().Data
	return nil
}

// intercept returns the intercept, the mean residual.
func (r *ridge) intercept() (sum float64) {
	var fitted mat.VecDense
	fitted.MulVec(r.kernel, mat.NewVecDense(len(r.dual), r.dual))
	for i, y := range r.targets {
		sum += (y - fitted.AtVec(i) - float64(r.strengths[i]*r.dual[i])) / float64(len(r.dual))
	}
	return sum
}

// leaveOut stores in to the estimates for points, given by their indices, of a regression that has
// seen neither these nor others. With the rows and columns B of inverse for those left out, their
// residuals are B⁻¹·dual: the leave-one-out formula (Allen 1974) for blocks.
func (r *ridge) leaveOut(to []float64, points, others []int) error {
	all := slices.Concat(points, others)
	n := len(all)
	block, left := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for a, i := range all {
		left.SetVec(a, r.dual[i])
		for b := a; b < n; b++ {
			block.SetSym(a, b, r.inverse.At(i, all[b]))
		}
	}
	var chol mat.Cholesky
	var off mat.VecDense
	if !chol.Factorize(block) || chol.SolveVecTo(&off, left) != nil {
		return errSingular
	}
	for a, i := range points {
		// Rounding keeps equal estimates equal, whatever the ratings.
		to[i] = math.Round(1e9*(r.before[i]+r.targets[i]-off.AtVec(a))) / 1e9
	}
	return nil
}

// trial is a strength with what it achieves on folds.
type trial struct {
	strength float64
	unseen   []float64 // the estimate of each point without its outer fold
	// squares are the squared errors on inner folds, without each outer fold, then with all.
	squares []float64
}

// try solves the regression for every strength.
func (d *design) try(kernel *mat.SymDense, o *Options, slope float64) (list []trial, err error) {
	n := len(d.points)
	train, held := folds(d.points, outerFolds, o.Seed)
	for _, s := range strengths {
		if o.Tell != nil {
			if err := o.Tell(len(list), len(strengths)); err != nil {
				return nil, err
			}
		}
		r, err := d.newRidge(kernel, s, slope)
		if err != nil {
			return nil, err
		}
		t := trial{strength: s, unseen: make([]float64, n)}
		for f, rest := range append(train, d.points) {
			var left []int
			if f < len(held) {
				left = held[f]
				err = cmp.Or(err, r.leaveOut(t.unseen, left, nil))
			}
			squares, failed := r.squares(rest, left, o.Seed)
			t.squares, err = append(t.squares, squares), cmp.Or(err, failed)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// squares returns the sum of squared errors for points on inner folds, always without some indices.
func (r *ridge) squares(points []point, left []int, seed uint64) (sum float64, err error) {
	estimates := make([]float64, len(r.targets))
	_, held := folds(points, innerFolds, seed)
	for _, places := range held {
		for k, i := range places {
			places[k] = points[i].at
		}
		err = cmp.Or(err, r.leaveOut(estimates, places, left))
	}
	for _, pt := range points {
		off := estimates[pt.at] - pt.rating
		sum += float64(off * off)
	}
	return sum, err
}

// best returns the trial with the least squared error without an outer fold, or with all points if
// fold is their number.
func best(trials []trial, fold int) trial {
	return slices.MinFunc(trials,
		func(a, b trial) int { return cmp.Compare(a.squares[fold], b.squares[fold]) })
}

type weighed struct {
	*feature
	weight float64
}

// weigh stores the weights for a strength, learned from all points, in a profile. It returns those
// of detectors and words, the largest first.
func (d *design) weigh(p *satisfaction.Profile, kernel *mat.SymDense, strength, slope float64,
) ([]weighed, error) {
	r, err := d.newRidge(kernel, strength, slope)
	if err != nil {
		return nil, err
	}
	scales, dual := d.scales(), make([]float64, len(d.dialogues))
	copy(dual, r.dual)
	words := slices.Clone(dual)
	if d.smoother != nil { // the smoothed estimate consists of words, and is the last feature
		last := len(d.features) - 1
		floats.AddScaled(words, slope+float64(scales[last]*d.features[last].dot(dual)), d.smoother)
	}
	var all []weighed
	for i, scale := range scales {
		f, by := &d.features[i], dual
		if f.block == theWords {
			by = words
		}
		switch w := float64(scale * f.dot(by)); f.block {
		case theSmoothed:
		case theRules:
			slope += w
		case theModel:
			if p.Model.Scores == nil {
				p.Model.Scores = satisfaction.Scored{}
			}
			p.Model.Scores[f.name] = satisfaction.ScoreWeight{
				Weight: satisfaction.MillionthsOf(w / 20), Usual: f.usual}
		default:
			if w = math.Round(w*1e5) / 1e5; w != 0 {
				all = append(all, weighed{f, w})
			}
		}
	}
	slices.SortStableFunc(all,
		func(a, b weighed) int { return cmp.Compare(math.Abs(b.weight), math.Abs(a.weight)) })
	all = all[:min(len(all), maxWeights)]
	weights := map[string]map[string]satisfaction.Millionths{}
	for _, f := range all {
		group := f.group.String()
		if weights[group] == nil {
			weights[group] = map[string]satisfaction.Millionths{}
		}
		weights[group][f.name] = satisfaction.MillionthsOf(f.weight)
	}
	intercept := r.intercept()
	if slope < 0 { // no line falls: a level one through the mean
		intercept += float64(slope * stats.Mean(d.inputs()[:len(d.points)], nil))
		slope = 0
	}
	p.Line = &satisfaction.Line{Intercept: satisfaction.MillionthsOf(intercept),
		Slope: satisfaction.MillionthsOf(slope)}
	if len(weights) > 0 {
		p.Linear = satisfaction.NewLinear(weights)
	}
	return all, nil
}
