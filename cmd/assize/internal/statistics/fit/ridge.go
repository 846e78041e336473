package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"assize/cmd/assize/internal/statistics/stats"
	"assize/heuristics"
	"assize/rubric"
)

// A linear model adds a weight for each feature of a dialogue to the rules' line. The weights are
// those of a ridge regression (Hoerl and Kennard 1970), solved in its dual form, which has one
// equation per dialogue instead of one per feature (Saunders, Gammerman and Vovk 1998). Estimates
// for unseen dialogues follow from the solution for all dialogues without refitting (the
// leave-one-out shortcut, for blocks). Unrated dialogues are used as well: they show which words
// occur together, and with which of the rules' findings. All of this uses floating-point sums: the
// same program learns the same on machines of one kind, with any number of jobs, but another
// processor may round a weight differently. The estimates of a profile are the same everywhere,
// because its weights are integers.

// kind is what a profile weighs.
type kind int

// The kinds, from the simplest on. Every second kind adds a model's scores; see hasScores.
const (
	ruleMap     kind = iota // the rules' estimate alone
	ofScores                // plus the six scores of a model as the Evaluator
	ofDetectors             // plus the detectors' findings
	ofDetectorsAndScores
	ofWords // plus words
	ofWordsAndScores
	numKinds
)

var kindNames = [...]string{"map", "model", "detectors", "detectors and model",
	"detectors and words", "detectors, words and model"}

func (k kind) String() string { return kindNames[k] }

func (k kind) hasScores() bool { return k%2 == 1 }

const (
	leastLinear = 30 // distinct dialogues; with fewer, folds cannot show whether weights help
	leastHave   = 3  // distinct dialogues that must have a feature for it to be learned
	repeats     = 3  // of the folds that compare kinds
	// gain in rank correlation from which a model's scores are used without proof
	leastGain     = .02
	leastUnproven = .005 // the same for all weights, given enough points
	// With fewer than enough points, the interval of a gain must not reach below this.
	fewGain      = .05
	maxWeights   = 40_000
	maxPoints    = 5000 // the time grows with the cube of this
	maxDialogues = 2000 // rated and unrated, unless more are rated
)

// cautious is the strength of unproven weights if there are too few points for folds to choose it.
// For a single rating it assumes that a block of share 1 varies by a thirtieth of the noise. Half
// of it would gain .003 more from 200 ratings of a help desk and lose .008 on two of the USS sets.
const cautious = 32

// strengths are the ridge penalties to try, in units of the mean diagonal of a block of features.
var strengths = [...]float64{1.2, 4, 12, cautious}

// block is a set of features that are weighed together.
type block int

// The blocks.
const (
	theRules    block = iota // the rules' input, which all points have
	theSmoothed              // the same, smoothed by words
	theDetectors
	theWords
	theScores // of a model
	numBlocks
)

// shares are the prior variances that blocks contribute to points.
var shares = [numBlocks]float64{theRules: 0.5, theSmoothed: 0.5, theDetectors: 0.5, theWords: 1,
	theScores: 0.3}

// ofPlace is the weight of words of a place relative to words of a speaker, who says them more
// often.
const ofPlace = 0.25

func (k kind) weighs(b block) bool {
	switch b {
	case theDetectors:
		return k >= ofDetectors
	case theWords, theSmoothed:
		return k >= ofWords
	case theScores:
		return k.hasScores()
	}
	return true
}

// feature is a feature to be learned, with the indices of the dialogues of the design that have it,
// ascending.
type feature struct {
	block block
	group heuristics.Group // of detectors and words
	name  string           // for scores the criterion, for the rules' input empty
	have  []int32
	is    []float64         // its value at each of these; nil for 1 everywhere
	usual rubric.Hundredths // for scores, the mean
}

// place returns the weight of the feature relative to the others of its block.
func (f *feature) place() float64 {
	if f.block == theWords && !f.group.Anywhere() {
		return ofPlace
	}
	return 1
}

// deviation returns the standard deviation of the feature over n dialogues.
func (f *feature) deviation(n int) float64 {
	if f.is != nil {
		return stat.PopStdDev(f.is, nil)
	}
	share := float64(len(f.have)) / float64(n)
	return math.Sqrt(float64(share * (1 - share)))
}

// dot returns the dot product of values of the dialogues and the feature.
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

// design contains the features of dialogues: those of the points, followed by unrated others.
type design struct {
	points    []point
	dialogues []*Dialogue
	features  []feature
	// smoother contains the dual weights of words, for all dialogues, that produce the smoothed
	// input.
	smoother []float64
}

func (d *design) has(blocks ...block) bool {
	return slices.ContainsFunc(d.features,
		func(f feature) bool { return slices.Contains(blocks, f.block) })
}

// add adds a feature that all dialogues have.
func (d *design) add(b block, is []float64) {
	f := feature{block: b, is: is}
	for i := range is {
		f.have = append(f.have, int32(i))
	}
	d.features = append(d.features, f)
}

// inputs returns the rules' inputs of the dialogues.
func (d *design) inputs() (list []float64) {
	for _, dialogue := range d.dialogues {
		list = append(list, dialogue.Value.Float())
	}
	return list
}

// addScores adds, for each criterion, the score of the model that judged some of the points, as the
// difference from its mean in levels of 20 points. A model whose scores do not vary is not weighed.
func (d *design) addScores() {
	var list []feature
	differ := false
	for _, c := range rubric.Criteria() {
		f, sum := feature{block: theScores, name: c.String()}, 0
		for i, pt := range d.points {
			if judged := pt.Judged[c]; judged != 0 {
				f.have, sum = append(f.have, int32(i)), sum+int(judged)
			}
		}
		n := len(f.have)
		if n == 0 {
			return
		}
		f.usual = rubric.Hundredths((2*sum + n) / (2 * n))
		for _, i := range f.have {
			above := d.points[i].Judged[c] - f.usual
			f.is, differ = append(f.is, float64(above)/2000), differ || above != 0
		}
		list = append(list, f)
	}
	if differ {
		d.features = append(d.features, list...)
	}
}

// newDesign finds the features of points and others that may be learned: those that occur in enough
// distinct dialogues and whose words are not names and occur in lower case in as many.
func newDesign(points []point, others []*Dialogue, o *Options) (*design, error) {
	d := &design{points: points}
	for _, pt := range points {
		d.dialogues = append(d.dialogues, pt.Dialogue)
	}
	d.dialogues = append(d.dialogues, others...)
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
	for i, dialogue := range d.dialogues {
		for f := range heuristics.Features(dialogue.Said, dialogue.Signals) {
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
			if alike[d.dialogues[i].alike] = true; len(alike) >= leastHave {
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
		if enough(list) && len(list) < len(d.dialogues) &&
			(b != theWords || known[first] && (!two || known[second])) {
			seen = append(seen, feature{block: b, group: k.group, name: strings.Clone(k.name),
				have: list})
		}
	}
	slices.SortFunc(seen, func(a, b feature) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name))
	})
	d.add(theRules, d.inputs())
	d.features = append(d.features, seen...)
	if o.Model.Digest != "" {
		d.addScores()
	}
	if o.NoWords || !d.has(theWords) {
		return d, nil
	}
	return d, d.smooth()
}

// scales returns the factor of each feature that gives the blocks their shares. Within a block,
// features vary in proportion to their standard deviations: a rare feature counts less overall, but
// more where it occurs.
func (d *design) scales() []float64 {
	var sums [numBlocks]float64
	list := make([]float64, len(d.features))
	for i := range d.features {
		f := &d.features[i]
		// Due to rounding, the smoothed values of a constant input vary slightly.
		if s := f.deviation(len(d.dialogues)); s > 1e-6 {
			list[i] = f.place() / s
			sums[f.block] += float64(f.place() * s)
		}
	}
	for i := range d.features {
		b := d.features[i].block
		list[i] *= shares[b] / max(sums[b], 1e-6)
	}
	return list
}

// products returns the dot products of every pair of the first n dialogues, over the features of
// the selected blocks.
func (d *design) products(n int, of func(block) bool) *mat.SymDense {
	data := make([]float64, n*n)
	for at, s := range d.scales() {
		f := &d.features[at]
		if s == 0 || !of(f.block) {
			continue
		}
		last, _ := slices.BinarySearch(f.have, int32(n))
		for a, i := range f.have[:last] {
			row := data[int(i)*n:]
			for b, j := range f.have[a:last] {
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

// smoothRidge is the strength with which the rules' input is smoothed. It is so high that a
// dialogue hardly influences its own smoothed value.
const smoothRidge = 5

// smooth adds the rules' input smoothed by words: the prediction of a ridge regression learned from
// all dialogues, rated or not. The rules err on a dialogue by what they overlook in it, and words
// by what they blur; two such views teach each other (Blum and Mitchell 1998). Adding one to the
// other, without any rating, improves the ranking of help-desk dialogues by .030 and that of the
// USS sets by .017, .001, -.001 and .012 (CCPE, MWOZ, ReDial and SGD).
func (d *design) smooth() error {
	n := len(d.dialogues)
	words := d.products(n, func(b block) bool { return b == theWords })
	r := &ridge{kernel: words, strength: slices.Repeat([]float64{smoothRidge}, n),
		targets: d.inputs()}
	if err := r.solve(); err != nil {
		return err
	}
	var is mat.VecDense
	is.MulVec(words, mat.NewVecDense(n, r.dual))
	d.smoother = r.dual
	d.add(theSmoothed, is.RawVector().Data)
	return nil
}

// kernel returns the products of every pair of points over all blocks that the kind weighs.
func (d *design) kernel(k kind) *mat.SymDense { return d.products(len(d.points), k.weighs) }

// ridge solves the model of a kind and strength for all points. slope is the known slope of the
// rules' input and of the smoothed input.
func (d *design) ridge(k kind, kernel *mat.SymDense, strength, slope float64) (*ridge, error) {
	n := len(d.points)
	r := &ridge{kernel: kernel, before: make([]float64, n), strength: make([]float64, n),
		targets: make([]float64, n)}
	for _, f := range d.features {
		if k.weighs(f.block) && (f.block == theRules || f.block == theSmoothed) {
			floats.AddScaled(r.before, slope, f.is[:n])
		}
	}
	for i, pt := range d.points {
		r.strength[i], r.targets[i] = strength/pt.worth, pt.rating-r.before[i]
	}
	return r, r.solve()
}

// ridge is a model of one strength, solved for all points. Its targets are the ratings minus what
// is known before. Its intercept is not penalized.
type ridge struct {
	before   []float64
	kernel   *mat.SymDense
	inverse  *mat.SymDense // of the kernel plus the strengths
	sums     []float64     // of its rows
	strength []float64     // of each point: lower if its rating is more certain
	targets  []float64
	dual     []float64
}

var errSingular = errors.New("the ratings cannot be weighed: the equations have no single solution")

// solve solves the model by its kernel, strength and targets.
func (r *ridge) solve() error {
	n := len(r.targets)
	a := mat.NewSymDense(n, nil)
	a.CopySym(r.kernel)
	for i, s := range r.strength {
		a.SetSym(i, i, a.At(i, i)+s)
	}
	var chol mat.Cholesky
	r.inverse = mat.NewSymDense(n, nil)
	if !chol.Factorize(a) || chol.InverseTo(r.inverse) != nil {
		return errSingular
	}
	var sums, dual mat.VecDense
	sums.MulVec(r.inverse, mat.NewVecDense(n, slices.Repeat([]float64{1}, n)))
	dual.MulVec(r.inverse, mat.NewVecDense(n, r.targets))
	dual.AddScaledVec(&dual, -mat.Sum(&dual)/mat.Sum(&sums), &sums)
	r.sums, r.dual = sums.RawVector().Data, dual.RawVector().Data
	return nil
}

// intercept returns the intercept of the model.
func (r *ridge) intercept() (sum float64) {
	var fitted mat.VecDense
	fitted.MulVec(r.kernel, mat.NewVecDense(len(r.dual), r.dual))
	for i, y := range r.targets {
		sum += (y - fitted.AtVec(i) - float64(r.strength[i]*r.dual[i])) / float64(len(r.dual))
	}
	return sum
}

// leaveOut stores the model's estimates for points, given by their indices, after learning from
// neither these nor others. If own is set, the intercept is learned without them too; otherwise it
// is that of all points. Ranking points of several folds requires the intercept of all points: a
// fold with high ratings leaves low ones to the others, so that separate intercepts would rank
// folds in reverse. On 50 dialogues this cost .033 in rank correlation.
func (r *ridge) leaveOut(to []float64, points, others []int, own bool) error {
	all := slices.Concat(points, others)
	n := len(all)
	block, left := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	total := floats.Sum(r.sums)
	for a, i := range all {
		left.SetVec(a, r.dual[i])
		for b := a; b < n; b++ {
			v := r.inverse.At(i, all[b])
			if own {
				v -= r.sums[i] * r.sums[all[b]] / total
			}
			block.SetSym(a, b, v)
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

// trial contains the estimates of one kind and strength of linear model for points it has not seen.
type trial struct {
	kind     kind
	strength float64
	repeated [][]float64 // of all points, on repeated folds
	// outer has, for each outer fold, the estimates of its points from the other folds, and of the
	// others from folds among these.
	outer [][]float64
}

// tryAll tries every kind and strength. If outer is set, it also makes the estimates needed to
// measure the errors of a profile learned with all its choices on other folds.
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
		if (k.hasScores() && !d.has(theScores)) ||
			(k >= ofDetectors && !d.has(theDetectors, theWords)) ||
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
			r, err := d.ridge(k, kernel, s, slope)
			if err != nil {
				return nil, err
			}
			t := trial{kind: k, strength: s}
			for again := range uint64(repeats) {
				estimates := make([]float64, len(d.points))
				_, dealt := folds(d.points, innerFolds, o.Seed+again*1_000_003)
				for _, points := range dealt {
					err = cmp.Or(err, r.leaveOut(estimates, points, nil, false))
				}
				t.repeated = append(t.repeated, estimates)
			}
			for f := range held {
				if !outer {
					break
				}
				estimates := make([]float64, len(d.points))
				err = cmp.Or(err, r.leaveOut(estimates, held[f], nil, true))
				for _, points := range within[f] {
					err = cmp.Or(err, r.leaveOut(estimates, points, held[f], false))
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

// best returns the trial of each kind with the least squared error of its estimates for points, or
// nil for a kind without trials.
func best(trials []trial, points []point,
	estimates func(*trial) [][]float64) (of [numKinds]*trial) {
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

// choice is the trial to use, nil for the map.
type choice struct {
	*trial
	proven bool // whether it provably ranks better than the map
	tried  []kind
	rhos   [numKinds]float64
	gains  [numKinds][numKinds]Gain // in rank correlation, of each kind over the simpler ones
	next   *trial                   // the best-ranking trial other than the map; nil for none
}

// used returns the kind that is weighed.
func (c *choice) used() kind {
	if c.trial == nil {
		return ruleMap
	}
	return c.kind
}

// choose compares the kinds. A kind replaces a simpler one if the interval of its gain in rank
// correlation is above 0; with few points the interval of detectors and words must reach fewGain,
// since the best of many trials looks better than it is. Otherwise weights are used if folds favor
// them without proof: a model's scores if they gain leastGain or more. With few points, where
// weights are cautious, it is sufficient that folds prove no loss. With one rating each of 50, 100
// and 200 help-desk dialogues, the remaining dialogues are then ranked better than by the rules by
// .024, .023 and .026 (means of 40 draws) on the data used to choose settings, and by .013, .013
// and .019 (20 draws) on a held-out quarter; the USS sets change by -.004 to .017 (6 draws each).
// Up to about 100 ratings, smooth alone accounts for all of that.
func choose(trials []trial, points []point, estimates func(*trial) [][]float64, draws int,
	seed uint64) (c choice) {
	of := best(trials, points, estimates)
	at, rating := columns(points)
	pairs := [numKinds][]*stats.Pairs{{stats.NewPairs(at, rating)}}
	for k, t := range of {
		if t != nil {
			pairs[k] = pairsOf(points, estimates(t))
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
	var used, most kind // most has the most features; used is proven
	for _, k := range c.tried {
		g := c.gains[k][used]
		if k != ruleMap && g.Certain() &&
			(k == ofScores || len(points) >= enough || g.Low >= fewGain) {
			used = k
		}
		if !k.hasScores() || c.gains[k][most].Value >= leastGain {
			most = k
		}
	}
	c.trial, c.proven = of[used], used != ruleMap
	if c.proven || most == ruleMap {
		return c
	}
	gain := &c.gains[most][ruleMap]
	if len(points) >= enough {
		if gain.Value >= leastUnproven {
			c.trial = of[most]
		}
		return c
	}
	t := &trials[slices.IndexFunc(trials,
		func(t trial) bool { return t.kind == most && t.strength == cautious })]
	own := pairsOf(points, estimates(t))
	c.rhos[most] = meanSpearman(own, nil)
	*gain = stats.Bootstrap(len(points), draws, seed, func(times []int) []float64 {
		return []float64{meanSpearman(own, times) - meanSpearman(pairs[ruleMap], times)}
	})[0]
	if gain.High >= 0 {
		c.trial = t
	}
	return c
}

// pairsOf pairs each list of estimates, indexed by the place of a point, with the ratings.
func pairsOf(points []point, lists [][]float64) (pairs []*stats.Pairs) {
	_, rating := columns(points)
	for _, list := range lists {
		own := make([]float64, len(points))
		for i, pt := range points {
			own[i] = list[pt.at]
		}
		pairs = append(pairs, stats.NewPairs(own, rating))
	}
	return pairs
}

// meanSpearman returns the mean of rank correlations. It returns 0 for no pairs; a list whose
// values are all equal counts as 0.
func meanSpearman(pairs []*stats.Pairs, times []int) (mean float64) {
	for _, p := range pairs {
		if r := p.Spearman(times); !math.IsNaN(r) {
			mean += r / float64(len(pairs))
		}
	}
	return mean
}

// weigh learns the weights of a choice from all points, as a line and the terms added to it. all
// lists the weights of detectors and words.
func (d *design) weigh(t choice, slope float64) (c heuristics.Criterion, all []weighed, err error) {
	r, err := d.ridge(t.kind, d.kernel(t.kind), t.strength, slope)
	if err != nil {
		return c, nil, err
	}
	scales, dual := d.scales(), make([]float64, len(d.dialogues))
	copy(dual, r.dual)
	words := slices.Clone(dual)
	// the smoothed input consists of words
	if last := len(d.features) - 1; t.kind.weighs(theWords) && d.smoother != nil {
		floats.AddScaled(words, slope+float64(scales[last]*d.features[last].dot(dual)), d.smoother)
	}
	for i, scale := range scales {
		f, by := &d.features[i], dual
		if f.block == theWords {
			by = words
		}
		w := float64(scale * f.dot(by))
		switch {
		case !t.kind.weighs(f.block) || f.block == theSmoothed:
		case f.block == theRules:
			slope += w
		case f.block == theScores:
			if c.Scores == nil {
				c.Scores = heuristics.Scored{}
			}
			c.Scores[f.name] = heuristics.ScoreWeight{Weight: heuristics.MillionthsOf(w / 20),
				Usual: f.usual}
		default:
			if w = math.Round(w*1e5) / 1e5; w != 0 {
				all = append(all, weighed{f, w})
			}
		}
	}
	slices.SortStableFunc(all,
		func(a, b weighed) int { return cmp.Compare(math.Abs(b.weight), math.Abs(a.weight)) })
	weights := map[string]map[string]heuristics.Millionths{}
	all = all[:min(len(all), maxWeights)]
	for _, f := range all {
		group := f.group.String()
		if weights[group] == nil {
			weights[group] = map[string]heuristics.Millionths{}
		}
		weights[group][f.name] = heuristics.MillionthsOf(f.weight)
	}
	c.Line = heuristics.Line{Intercept: heuristics.MillionthsOf(r.intercept()),
		Slope: heuristics.MillionthsOf(slope)}
	if len(weights) > 0 {
		c.Linear = heuristics.NewLinear(weights)
	}
	return c, all, nil
}
