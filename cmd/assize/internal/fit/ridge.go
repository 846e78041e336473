package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics"
	"assize/rubric"
)

// A linear model adds a weight for each feature of a dialogue to the rules' line. The weights are those of a ridge
// regression (Hoerl and Kennard 1970), solved in its dual form, in which there is an equation for each dialogue and not
// for each feature (Saunders, Gammerman and Vovk 1998). What it estimates for dialogues that it has not seen follows
// from the solution for all, without learning again (the shortcut of leave-one-out, for blocks). These are
// floating-point sums: the same program learns the same on machines of a kind, with any number of jobs, while another
// processor may round a weight differently. What a profile estimates is the same everywhere, since its weights are
// integers.

// kind is what a profile weighs.
type kind int

// The kinds, from the simplest on. To every second a model's scores are added: see hasScores.
const (
	ruleMap     kind = iota // the rules' estimate alone
	ofScores                // and the six scores of a model as the Evaluator
	ofDetectors             // and what the detectors saw
	ofDetectorsAndScores
	ofWords // and words
	ofWordsAndScores
	numKinds
)

var kindNames = [...]string{"map", "model", "detectors", "detectors and model", "detectors and words",
	"detectors, words and model"}

func (k kind) String() string { return kindNames[k] }

func (k kind) hasScores() bool { return k%2 == 1 }

const (
	leastLinear   = 30   // different dialogues; with fewer, folds cannot tell whether weights help
	leastHave     = 3    // different dialogues that must have a feature for it to be learnt
	repeats       = 3    // of the folds on which kinds are compared
	leastHalf     = 40   // different dialogues from which weights may count by half though their gain is not proven
	leastGain     = .02  // of rank correlation, by a model's scores that count by half
	leastHalfGain = .005 // of rank correlation, by all weights that count by half
	halfRidge     = 4    // the strength of weights that count by half, where points are too few for folds to choose it
	fewGain       = .05  // what the interval of a gain must reach with fewer than enough points
	mostWeights   = 40_000
	mostPoints    = 5000 // the time grows with their cube
)

// strengths are the ridges that are tried, in units of the mean diagonal of a block of features.
var strengths = [...]float64{0.4, 1.2, 4, 12}

// block is a set of features that are weighed together.
type block int

// The blocks.
const (
	theRules block = iota // their input, which all points have
	theDetectors
	theWords
	theScores // of a model
	numBlocks
)

// shares are the means of the squares that a block adds to a point that it speaks of, before any rating is seen.
var shares = [numBlocks]float64{theRules: 0.3, theDetectors: 1, theWords: 1, theScores: 0.3}

// ofPlace is how much words of a place count beside those of a speaker, who says them more often.
const ofPlace = 0.25

func (k kind) weighs(b block) bool {
	switch b {
	case theDetectors:
		return k >= ofDetectors
	case theWords:
		return k >= ofWords
	case theScores:
		return k.hasScores()
	}
	return true
}

// feature is one that is learnt, and the points that have it, ascending.
type feature struct {
	block block
	group heuristics.Group // of detectors and words
	name  string           // of a criterion for scores, empty for the rules' input
	have  []int32
	is    []float64         // what it is at each of these; nil for 1 everywhere
	usual rubric.Hundredths // of scores, the mean
}

// place is how much the feature counts beside the others of its block.
func (f *feature) place() float64 {
	if f.block == theWords && !f.group.Anywhere() {
		return ofPlace
	}
	return 1
}

// dot adds up values of the points, each times what the feature is there.
func (f *feature) dot(values []float64) (sum float64) {
	for a, i := range f.have {
		if f.is == nil {
			sum += values[i]
		} else {
			sum += float64(f.is[a] * values[i])
		}
	}
	return sum
}

// design has the features of points.
type design struct {
	points   []point
	features []feature
}

func (d *design) has(blocks ...block) bool {
	return slices.ContainsFunc(d.features, func(f feature) bool { return slices.Contains(blocks, f.block) })
}

// addRules adds the rules' input.
func (d *design) addRules() {
	f := feature{block: theRules}
	for i, pt := range d.points {
		f.have, f.is = append(f.have, int32(i)), append(f.is, pt.Value.Float())
	}
	d.features = append(d.features, f)
}

// addScores adds the scores of the model that judged some of the points, each by how many levels it lies above its mean.
// A model that gives all of them the same scores is not weighed.
func (d *design) addScores() {
	var list []feature
	differ := false
	for _, c := range rubric.Criteria() {
		f, sum := feature{block: theScores, name: c.String()}, 0
		for i, pt := range d.points {
			if s := pt.Judged[c]; s != 0 {
				f.have, sum = append(f.have, int32(i)), sum+int(s)
			}
		}
		n := len(f.have)
		if n == 0 {
			return
		}
		f.usual = rubric.Hundredths((200*sum + n) / (2 * n))
		for _, i := range f.have {
			above := 100*rubric.Hundredths(d.points[i].Judged[c]) - f.usual
			f.is, differ = append(f.is, float64(above)/2000), differ || above != 0
		}
		list = append(list, f)
	}
	if differ {
		d.features = append(d.features, list...)
	}
}

// newDesign finds the features of points that may be learnt: those that enough different dialogues have, and whose
// words are written in lower case in as many and are no names.
func newDesign(points []point, o *Options) *design {
	type key struct {
		group heuristics.Group
		name  string
	}
	have, lower := map[key][]int32{}, map[string][]int32{}
	add := func(list []int32, i int) []int32 {
		if n := len(list); n > 0 && list[n-1] == int32(i) {
			return list
		}
		return append(list, int32(i))
	}
	for i, pt := range points {
		for f := range heuristics.Features(pt.Dialogue.Said, pt.Signals) {
			k := key{f.Group, f.Name}
			have[k] = add(have[k], i)
			if f.Lower && f.Group.Anywhere() && strings.IndexByte(f.Name, ' ') < 0 {
				lower[f.Name] = add(lower[f.Name], i)
			}
		}
	}
	enough := func(list []int32) bool {
		if len(list) < leastHave {
			return false
		}
		alike := map[string]bool{}
		for _, i := range list {
			if alike[points[i].alike] = true; len(alike) >= leastHave {
				return true
			}
		}
		return false
	}
	known := map[string]bool{}
	for w, list := range lower {
		known[w] = enough(list) && (o.IsName == nil || !o.IsName(w))
	}
	var seen []feature
	for k, list := range have {
		first, second, two := strings.Cut(k.name, " ")
		b := theWords
		if k.group == heuristics.ByDetectors {
			b = theDetectors
		}
		if enough(list) && len(list) < len(points) && (b != theWords || known[first] && (!two || known[second])) {
			seen = append(seen, feature{block: b, group: k.group, name: strings.Clone(k.name), have: list})
		}
	}
	slices.SortFunc(seen, func(a, b feature) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name))
	})
	d := &design{points: points}
	d.addRules()
	d.features = append(d.features, seen...)
	if o.Model.Digest != "" {
		d.addScores()
	}
	return d
}

// scales gives the factor of each feature, by which the blocks have their shares; 0 for what the kind does not weigh.
func (d *design) scales(k kind) []float64 {
	var squares [numBlocks]float64
	for _, f := range d.features {
		sum := float64(len(f.have))
		if f.is != nil {
			sum = floats.Dot(f.is, f.is)
		}
		squares[f.block] += float64(f.place() * sum)
	}
	list := make([]float64, len(d.features))
	for i := range d.features {
		f, n := &d.features[i], len(d.points)
		if f.block == theScores { // the others say nothing of them
			n = len(f.have)
		}
		if k.weighs(f.block) {
			list[i] = shares[f.block] * f.place() * float64(n) / max(squares[f.block], 1)
		}
	}
	return list
}

// kernel gives the products of every two points' features.
func (d *design) kernel(k kind) *mat.SymDense {
	scale, n := d.scales(k), len(d.points)
	data := make([]float64, n*n)
	for at, f := range d.features {
		s := scale[at]
		if s == 0 {
			continue
		}
		for a, i := range f.have {
			row := data[int(i)*n:]
			for b, j := range f.have[a:] {
				if f.is == nil {
					row[j] += s
				} else {
					row[j] += float64(s * float64(f.is[a]*f.is[a+b]))
				}
			}
		}
	}
	return mat.NewSymDense(n, data)
}

// ridge is a model of one strength, solved for all points: of what the ratings are beyond a known slope. Its intercept
// is not penalized.
type ridge struct {
	points   []point
	kernel   *mat.SymDense
	g        *mat.SymDense // times the targets, it gives the dual weights
	strength []float64     // of each point: less for one whose rating is surer
	targets  []float64
	dual     []float64
}

var errSingular = errors.New("the ratings cannot be weighed: the equations have no single solution")

func newRidge(kernel *mat.SymDense, strength, slope float64, points []point) (*ridge, error) {
	n := len(points)
	r := &ridge{points: points, kernel: kernel, strength: make([]float64, n), targets: make([]float64, n)}
	a := mat.NewSymDense(n, nil)
	a.CopySym(kernel)
	for i, pt := range points {
		r.strength[i] = strength / pt.worth
		r.targets[i] = pt.rating - float64(slope*pt.Value.Float())
		a.SetSym(i, i, a.At(i, i)+r.strength[i])
	}
	var chol mat.Cholesky
	inverse := mat.NewSymDense(n, nil)
	if !chol.Factorize(a) || chol.InverseTo(inverse) != nil {
		return nil, errSingular
	}
	ones := mat.NewVecDense(n, slices.Repeat([]float64{1}, n))
	var sums, dual mat.VecDense
	sums.MulVec(inverse, ones)
	r.g = a
	r.g.SymRankOne(inverse, -1/mat.Sum(&sums), &sums)
	dual.MulVec(r.g, mat.NewVecDense(n, r.targets))
	r.dual = dual.RawVector().Data
	return r, nil
}

// intercept gives the intercept of the model.
func (r *ridge) intercept() (sum float64) {
	var fitted mat.VecDense
	fitted.MulVec(r.kernel, mat.NewVecDense(len(r.dual), r.dual))
	for i, y := range r.targets {
		sum += (y - fitted.AtVec(i) - float64(r.strength[i]*r.dual[i])) / float64(len(r.dual))
	}
	return sum
}

// leaveOut enters what a model estimates for points, by their places, that has learnt from neither these nor the others
// named.
func (r *ridge) leaveOut(to []float64, points, others []int) error {
	all := slices.Concat(points, others)
	n := len(all)
	block, left := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for a, i := range all {
		left.SetVec(a, r.dual[i])
		for b := a; b < n; b++ {
			block.SetSym(a, b, r.g.At(i, all[b]))
		}
	}
	var chol mat.Cholesky
	var off mat.VecDense
	if !chol.Factorize(block) || chol.SolveVecTo(&off, left) != nil {
		return errSingular
	}
	for a, i := range points {
		to[i] = r.points[i].rating - off.AtVec(a)
	}
	return nil
}

// trial is what linear models of one kind and strength estimate for points that they have not seen.
type trial struct {
	kind     kind
	strength float64
	repeated [][]float64 // of all points, on repeated folds
	outer    [][]float64 // for each outer fold: of its points by the others, and of the others on folds among these
}

// tryAll tries every kind and strength. With outer, errors can be measured of a profile that was learnt with all its
// choices on other folds.
func (d *design) tryAll(o *Options, slope float64, outer bool) (list []trial, err error) {
	var within [][][]int // the inner folds of each outer fold
	train, held := folds(d.points, outerFolds, o.Seed)
	for _, rest := range train {
		_, inner := folds(rest, innerFolds, o.Seed)
		for _, places := range inner {
			for k, i := range places {
				places[k] = rest[i].at
			}
		}
		within = append(within, inner)
	}
	var kinds []kind
	for k := ofScores; k < numKinds; k++ {
		if (k.hasScores() && !d.has(theScores)) || (k >= ofDetectors && !d.has(theDetectors, theWords)) ||
			(k >= ofWords && o.NoWords) {
			continue
		}
		kinds = append(kinds, k)
	}
	for _, k := range kinds {
		kernel := d.kernel(k)
		for _, s := range strengths {
			if o.Tell != nil {
				if err := o.Tell(len(list), len(kinds)*len(strengths)); err != nil {
					return nil, err
				}
			}
			r, err := newRidge(kernel, s, slope, d.points)
			if err != nil {
				return nil, err
			}
			t := trial{kind: k, strength: s}
			for again := range uint64(repeats) {
				estimates := make([]float64, len(d.points))
				_, dealt := folds(d.points, innerFolds, o.Seed+again*1_000_003)
				for _, points := range dealt {
					err = cmp.Or(err, r.leaveOut(estimates, points, nil))
				}
				t.repeated = append(t.repeated, estimates)
			}
			for f := range held {
				if !outer {
					break
				}
				estimates := make([]float64, len(d.points))
				err = cmp.Or(err, r.leaveOut(estimates, held[f], nil))
				for _, points := range within[f] {
					err = cmp.Or(err, r.leaveOut(estimates, points, held[f]))
				}
				t.outer = append(t.outer, estimates)
			}
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
	}
	return list, nil
}

// best gives for each kind the trial with the least squared error of what estimates gives for points; nil for none.
func best(trials []trial, points []point, estimates func(*trial) [][]float64) (of [numKinds]*trial) {
	var least [numKinds]float64
	for i := range trials {
		t := &trials[i]
		var sum float64
		for _, list := range estimates(t) {
			for _, pt := range points {
				off := list[pt.at] - pt.rating
				sum += float64(off * off)
			}
		}
		if of[t.kind] == nil || sum < least[t.kind] {
			of[t.kind], least[t.kind] = t, sum
		}
	}
	return of
}

// choice is the trial that is used, nil for the map, and how much it counts beside the map: 1 or half.
type choice struct {
	*trial
	share float64
	tried []kind
	rhos  [numKinds]float64
	gains [numKinds][numKinds]Gain // in rank correlation, of each kind over the simpler ones; by its share if used
	next  *trial                   // what ranks best beside the map; nil for none
}

// used is the kind that is weighed.
func (c *choice) used() kind {
	if c.trial == nil {
		return ruleMap
	}
	return c.kind
}

// choose compares the kinds: one replaces a simpler one where the interval of the gain in rank correlation lies above 0;
// with few points it must reach fewGain for what the detectors saw and words, since the best of many trials looks better
// than it is. Else weights count by half, beside the line of the given slope, if they then gain leastHalfGain or more on
// folds; of a model's scores among them, those that gain leastGain or more. With one rating each of 200 help-desk
// dialogues, this gains .003 in rank correlation on the others; with 50 it loses .002 (means of ten draws;
// TestMeasureFewRatings).
func choose(trials []trial, points []point, slope float64, estimates func(*trial) [][]float64, draws int, seed uint64,
) (c choice) {
	of := best(trials, points, estimates)
	at, rating := columns(points)
	pairs := [numKinds][]*stats.Pairs{{stats.NewPairs(at, rating)}}
	for k, t := range of {
		if t != nil {
			pairs[k] = pairsOf(points, estimates(t), 0)
		}
	}
	for k := range numKinds {
		if c.rhos[k] = meanSpearman(pairs[k], nil); pairs[k] != nil {
			c.tried = append(c.tried, k)
		}
		if of[k] != nil && (c.next == nil || c.rhos[k] > c.rhos[c.next.kind]) {
			c.next = of[k]
		}
	}
	found := stats.Bootstrap(len(points), draws, seed, func(times []int) (list []float64) {
		var rhos [numKinds]float64
		for n, k := range c.tried {
			rhos[k] = meanSpearman(pairs[k], times)
			for _, simpler := range c.tried[:n] {
				list = append(list, rhos[k]-rhos[simpler])
			}
		}
		return list
	})
	for n, k := range c.tried {
		for _, simpler := range c.tried[:n] {
			c.gains[k][simpler], found = found[0], found[1:]
		}
	}
	var used, most kind // most has most features; used is proven
	for _, k := range c.tried {
		g := c.gains[k][used]
		if k != ruleMap && g.Certain() && (k == ofScores || len(points) >= enough || g.Low >= fewGain) {
			used = k
		}
		if !k.hasScores() || c.gains[k][most].Value >= leastGain {
			most = k
		}
	}
	if c.trial, c.share = of[used], 1; used == ruleMap {
		c.share = 0
	}
	if used != ruleMap || most == ruleMap || len(points) < leastHalf {
		return c
	}
	half := of[most]
	if len(points) < enough {
		half = &trials[slices.IndexFunc(trials, func(t trial) bool { return t.kind == most && t.strength == halfRidge })]
	}
	blend, isWorse := pairsOf(points, estimates(half), slope), c.gains[most][ruleMap].High < 0
	rho := meanSpearman(blend, nil)
	if isWorse || rho < c.rhos[ruleMap]+leastHalfGain {
		return c
	}
	c.trial, c.share, c.rhos[most] = half, .5, rho
	c.gains[most][ruleMap] = stats.Bootstrap(len(points), draws, seed, func(times []int) []float64 {
		return []float64{meanSpearman(blend, times) - meanSpearman(pairs[ruleMap], times)}
	})[0]
	return c
}

// pairsOf puts lists of estimates, by the places of points, beside the ratings. slope is that of what the input adds.
func pairsOf(points []point, lists [][]float64, slope float64) (pairs []*stats.Pairs) {
	at, rating := columns(points)
	for _, list := range lists {
		own := make([]float64, len(points))
		for i, pt := range points {
			own[i] = list[pt.at] + float64(slope*at[i])
		}
		pairs = append(pairs, stats.NewPairs(own, rating))
	}
	return pairs
}

// meanSpearman is the mean of rank correlations; 0 for none, and where one value for all dialogues ranks none of them.
func meanSpearman(pairs []*stats.Pairs, times []int) (mean float64) {
	for _, p := range pairs {
		if r := p.Spearman(times); !math.IsNaN(r) {
			mean += r / float64(len(pairs))
		}
	}
	return mean
}

// weigh learns the weights of a choice from all points, as a line and what is added to it. all lists the weights of
// detectors and words. rules is the line that has the rest of the choice's share.
func (d *design) weigh(t choice, slope float64, rules *heuristics.Line,
) (c heuristics.Criterion, all []weighed, err error) {
	r, err := newRidge(d.kernel(t.kind), t.strength, slope, d.points)
	if err != nil {
		return c, nil, err
	}
	for i, scale := range d.scales(t.kind) {
		f := &d.features[i]
		w := float64(scale * f.dot(r.dual))
		switch {
		case scale == 0:
		case f.block == theRules:
			slope += w
		case f.block == theScores:
			if c.Scores == nil {
				c.Scores = heuristics.Scored{}
			}
			c.Scores[f.name] = heuristics.ScoreWeight{Weight: heuristics.MillionthsOf(t.share * w / 20), Usual: f.usual}
		default:
			if w = math.Round(t.share*w*1e5) / 1e5; w != 0 {
				all = append(all, weighed{f, w})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b weighed) int { return cmp.Compare(math.Abs(b.weight), math.Abs(a.weight)) })
	weights := map[string]map[string]heuristics.Millionths{}
	all = all[:min(len(all), mostWeights)]
	for _, f := range all {
		group := f.group.String()
		if weights[group] == nil {
			weights[group] = map[string]heuristics.Millionths{}
		}
		weights[group][f.name] = heuristics.MillionthsOf(f.weight)
	}
	share := func(own float64, rules heuristics.Millionths) heuristics.Millionths {
		return heuristics.MillionthsOf(float64(t.share*own) + float64((1-t.share)*rules.Float()))
	}
	c.Line = heuristics.Line{Intercept: share(r.intercept(), rules.Intercept), Slope: share(slope, rules.Slope)}
	if len(weights) > 0 {
		c.Linear = heuristics.NewLinear(weights)
	}
	return c, all, nil
}
