package fit

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

const (
	leastHave    = 3    // distinct dialogues that must have a feature for it to be learned
	maxDialogues = 2000 // rated and unrated, unless more are rated
	// the weight of a word of a place, relative to the more frequent word of a speaker
	placeWeight = 0.25
)

// block is a set of features that share a prior variance.
type block int

// The blocks.
const (
	theRules    block = iota // the rules' estimate, which all dialogues have
	theSmoothed              // the same, smoothed by words
	theDetectors
	theWords
	theModel // a model's answers, by criterion
	numBlocks
)

// shares are the prior variances that the blocks contribute to the ratings. Only their ratios
// matter, since folds choose the strength of the ridge.
var shares = [numBlocks]float64{theRules: 0.5, theSmoothed: 0.5, theDetectors: 0.5, theWords: 1,
	theModel: 0.3}

// feature is a feature to be learned, with the ascending indices of the dialogues that have it.
type feature struct {
	block block
	group satisfaction.Group // of detectors and words
	name  string             // for a model's answers the criterion, for the rules' estimate empty
	have  []int32
	is    []float64         // its value at each of these
	usual rubric.Hundredths // for a model's answers, the mean
}

// dot returns the dot product of the feature and one value per dialogue.
func (f *feature) dot(values []float64) (sum float64) {
	for a, i := range f.have {
		sum += float64(f.is[a] * values[i])
	}
	return sum
}

// design contains the features of dialogues: those of the points, followed by unrated others.
type design struct {
	points    []point
	dialogues []*Dialogue
	features  []feature
	smoother  []float64 // the dual weights of the smoothed estimate; see smooth
}

// newDesign finds the features of points and others that may be learned.
func newDesign(points []point, others []*Dialogue, o *Options) (*design, error) {
	rated := ui.Each(points, func(pt point) *Dialogue { return pt.Dialogue })
	d := &design{points: points, dialogues: append(rated, others...)}
	d.add(theRules, d.inputs())
	d.features = append(d.features, d.seen(o)...)
	if o.Model.Digest != "" {
		d.addAnswers()
	}
	if !slices.ContainsFunc(d.features, func(f feature) bool { return f.block == theWords }) {
		return d, nil
	}
	return d, d.smooth()
}

// seen returns the detectors and words that occur in enough distinct dialogues, but not in all.
// Words must not be names and must occur in lower case in as many.
func (d *design) seen(o *Options) (list []feature) {
	type key struct {
		group satisfaction.Group
		name  string
	}
	have, lower := map[key][]int32{}, map[string][]int32{} // with repetitions
	for i, dialogue := range d.dialogues {
		for f := range satisfaction.Features(dialogue.Said, dialogue.Signals) {
			k := key{f.Group, f.Name}
			have[k] = append(have[k], int32(i))
			if f.Lower && f.Group.Anywhere() && strings.IndexByte(f.Name, ' ') < 0 {
				lower[f.Name] = append(lower[f.Name], int32(i))
			}
		}
	}
	known := map[string]bool{}
	for w, list := range lower {
		known[w] = d.enough(list) && (o.IsName == nil || !o.IsName(w))
	}
	for k, places := range have {
		places = slices.Compact(places)
		if !d.enough(places) || len(places) == len(d.dialogues) {
			continue
		}
		b := theDetectors
		if k.group != satisfaction.ByDetectors {
			first, second, two := strings.Cut(k.name, " ")
			if o.NoWords || !known[first] || two && !known[second] {
				continue
			}
			b = theWords
		}
		list = append(list, feature{block: b, group: k.group, name: strings.Clone(k.name),
			have: places, is: slices.Repeat([]float64{1}, len(places))})
	}
	slices.SortFunc(list, func(a, b feature) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name))
	})
	return list
}

// enough reports whether the dialogues at the indices include leastHave distinct ones.
func (d *design) enough(list []int32) bool {
	alike := map[string]bool{}
	for _, i := range list {
		if alike[d.dialogues[i].alike] = true; len(alike) >= leastHave {
			return true
		}
	}
	return false
}

// add adds a feature that all dialogues have.
func (d *design) add(b block, is []float64) {
	f := feature{block: b, is: is}
	for i := range is {
		f.have = append(f.have, int32(i))
	}
	d.features = append(d.features, f)
}

// inputs returns the rules' estimates of the dialogues, before the map.
func (d *design) inputs() []float64 {
	return ui.Each(d.dialogues, func(one *Dialogue) float64 { return one.Value.Float() })
}

// addAnswers adds, for each criterion, the level that a model's answers have for the points that it
// judged, as the difference from its mean in levels of 20 points, if these differ.
func (d *design) addAnswers() {
	for _, c := range rubric.Criteria() {
		f, sum := feature{block: theModel, name: c.String()}, 0
		for i, pt := range d.points {
			if judged := pt.Judged[c]; judged != 0 {
				f.have, sum = append(f.have, int32(i)), sum+int(judged)
			}
		}
		n := len(f.have)
		if n == 0 {
			continue
		}
		f.usual = rubric.Hundredths((2*sum + n) / (2 * n))
		for _, i := range f.have {
			f.is = append(f.is, float64(d.points[i].Judged[c]-f.usual)/2000)
		}
		if slices.Max(f.is) > slices.Min(f.is) {
			d.features = append(d.features, f)
		}
	}
}

// scales returns, for each feature, the prior variance of its weight. With the prior p and the
// standard deviation s of each feature, it is share × p/s ÷ ∑ps over the features of the block, so
// that the block as a whole contributes its share.
func (d *design) scales() []float64 {
	var sums [numBlocks]float64
	list := make([]float64, len(d.features))
	for i := range d.features {
		f := &d.features[i]
		share := float64(len(f.have)) / float64(len(d.dialogues))
		s := math.Sqrt(float64(share * (1 - share)))
		if f.block != theDetectors && f.block != theWords {
			s = stat.PopStdDev(f.is, nil)
		}
		prior := 1.0 // the weight of the feature relative to the others of its block
		if f.block == theWords && !f.group.Anywhere() {
			prior = placeWeight
		}
		// Due to rounding, the smoothed values of a constant estimate vary slightly.
		if s > 1e-6 {
			list[i] = prior / s
			sums[f.block] += float64(prior * s)
		}
	}
	for i := range d.features {
		b := d.features[i].block
		list[i] *= shares[b] / max(sums[b], 1e-6)
	}
	return list
}

// kernel returns the prior covariance of every pair of the first n dialogues, ∑vxx' over the
// features of the selected blocks with their variances v.
func (d *design) kernel(n int, of func(block) bool) *mat.SymDense {
	data := make([]float64, n*n)
	for at, v := range d.scales() {
		f := &d.features[at]
		if v == 0 || !of(f.block) {
			continue
		}
		last, _ := slices.BinarySearch(f.have, int32(n))
		for a, i := range f.have[:last] {
			row := data[int(i)*n:]
			for b, j := range f.have[a:last] {
				row[j] += float64(v * float64(f.is[a]*f.is[a+b]))
			}
		}
	}
	return mat.NewSymDense(n, data)
}

// smoothRidge is the strength with which the rules' estimate is smoothed. It is so high that a
// dialogue hardly influences its own smoothed value.
const smoothRidge = 5

// smooth adds the rules' estimate smoothed by words: the prediction of a ridge regression on the
// words of all dialogues, rated or not. The rules and the words err for different reasons, so that
// each can teach the other without any rating (Blum and Mitchell 1998, Combining Labeled and
// Unlabeled Data with Co-Training).
func (d *design) smooth() error {
	n := len(d.dialogues)
	words := d.kernel(n, func(b block) bool { return b == theWords })
	m := &ridge{kernel: words, strengths: slices.Repeat([]float64{smoothRidge}, n),
		targets: d.inputs()}
	if err := m.solve(); err != nil {
		return err
	}
	var is mat.VecDense
	is.MulVec(words, mat.NewVecDense(n, m.dual))
	d.smoother = m.dual
	d.add(theSmoothed, is.RawVector().Data)
	return nil
}
