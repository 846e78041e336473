package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Sixteen dialogues with ties on both sides, and the number of times that a resample drew each.
var (
	judges = []float64{3.2, 2.8, 3.0, 3.0, 4.1, 2.1, 3.6, 3.0, 2.8, 3.9, 1.7, 3.3, 3.0, 4.4, 2.5,
		3.2}
	people = []float64{3.25, 3, 3, 3.5, 4, 2.25, 3, 2.75, 3, 3.75, 2.5, 3, 3.25, 3.75, 3, 3.5}
	drawn  = []int{1, 0, 2, 1, 0, 3, 1, 1, 0, 0, 4, 1, 0, 1, 1, 0}
)

func below(values []float64, cut float64) []bool {
	var found []bool
	for _, v := range values {
		found = append(found, v < cut)
	}
	return found
}

// The expected values are from SciPy 1.17.1 (spearmanr) and scikit-learn 1.9.1 (roc_auc_score of
// -x), with pairs repeated as often as they count.
func TestPairs(t *testing.T) {
	p, worst := NewPairs(judges, people), below(people, 3)
	tests := []struct {
		figure      string
		of          func(times []int) float64
		once, drawn float64
	}{
		{"spearman", p.Spearman, 0.7596916269809163, 0.7757525278364307},
		{"AUC", func(times []int) float64 { return p.AUC(worst, times) }, 0.8846153846153846, 0.9609375},
	}
	for _, tt := range tests {
		assert.InDelta(t, tt.once, tt.of(nil), 1e-12, tt.figure)
		assert.InDelta(t, tt.drawn, tt.of(drawn), 1e-12, "%s of a resample", tt.figure)
		assert.Equal(t, tt.of(nil), tt.of(ones(16)), "%s: nil counts each once", tt.figure)
	}
}

func TestPrecisionAt(t *testing.T) {
	x := []float64{1, 2, 2, 2, 3, 4, 5, 6, 7, 8}
	worst := []bool{true, true, false, false, true, false, false, false, false, false}
	tests := []struct {
		reason string
		share  float64
		times  []int
		want   float64
	}{
		{"the lowest one is among the worst", 0.1, nil, 1},
		// After the lowest, one of three equal values is drawn, of which one is among the worst: (1
		// + 1/3) / 2.
		{"a cut through equal values takes their average", 0.2, nil, (1 + 1.0/3) / 2},
		{"two of the three equal ones", 0.3, nil, (1 + 2.0/3) / 3},
		{"the equal ones as a whole", 0.4, nil, 2.0 / 4},
		{"0.25 of ten is 2.5, rounded to three", 0.25, nil, (1 + 2.0/3) / 3},
		{"at least one is looked at", 0.001, nil, 1},
		{"everything has the worst's own share", 1, nil, 0.3},
		// 0.2 of ten is two: two of the three copies of the first two are drawn.
		{"what counts thrice fills the cut alone", 0.2, []int{3, 1, 1, 1, 1, 1, 1, 1, 0, 0}, 1},
		{"what does not count is passed over", 0.2, []int{0, 0, 1, 1, 2, 2, 1, 1, 1, 1}, 0},
		{"no share, no figure", 0, nil, none},
		{"a share above all is none", 1.5, nil, none},
		{"an unknown share is none", none, nil, none},
		{"where none is among the worst, no judge can be better", 0.2, []int{0, 0, 1, 1, 0, 1, 1, 1, 1,
			1}, none},
		{"where all are, no judge can be worse", 0.2, []int{1, 1, 0, 0, 1, 0, 0, 0, 0, 0}, none},
	}
	p := NewPairs(x, x)
	for _, tt := range tests {
		same(t, tt.want, p.PrecisionAt(tt.share, worst, tt.times), tt.reason)
	}
}

func TestNothingToMeasure(t *testing.T) {
	tests := []struct {
		reason    string
		x, y      []float64
		times     []int
		measuring string // the figures that are still defined
	}{
		{"no pairs", nil, nil, nil, ""},
		{"one pair", []float64{1}, []float64{2}, nil, ""},
		{"one pair drawn twice", []float64{1, 2}, []float64{2, 3}, []int{2, 0}, ""},
		{"a judge who does not vary, whose mean rounds", []float64{.1, .1, .1}, []float64{1, 2, 3}, nil,
			"AUC PrecisionAt"},
		{"people who do not vary", []float64{1, 2, 3}, []float64{.1, .1, .1}, nil, "AUC PrecisionAt"},
		{"nothing counts", []float64{1, 2}, []float64{1, 2}, []int{0, 0}, ""},
	}
	for _, tt := range tests {
		p := NewPairs(tt.x, tt.y)
		worst := make([]bool, len(tt.x))
		if len(tt.x) > 0 {
			worst[0] = true
		}
		for _, f := range figures(p, worst) {
			if got := f.of(tt.times); contains(tt.measuring, f.name) {
				assert.False(t, math.IsNaN(got), "%s: %s", tt.reason, f.name)
			} else {
				assert.True(t, math.IsNaN(got), "%s: %s is %v", tt.reason, f.name, got)
			}
		}
	}

}

func TestHugeAndTinyValues(t *testing.T) {
	for _, scale := range []float64{1e-200, 1e-150, 1e100, 1e200} {
		x, y := []float64{1 * scale, 2 * scale, 4 * scale}, []float64{1, 2, 3}
		assert.InDelta(t, 1, NewPairs(x, y).Spearman(nil), 1e-12)
	}
}

func TestManyPairsDoNotOverflow(t *testing.T) {
	x, y := []float64{1, 2, 3}, []float64{1, 3, 2}
	times := []int{2_000_000, 2_000_000, 2_000_000}
	p := NewPairs(x, y)
	assert.InDelta(t, 0.5, p.Spearman(times), 1e-9)
	assert.InDelta(t, 1, p.AUC([]bool{true, false, false}, times), 1e-9)
}

type figure struct {
	name string
	of   func(times []int) float64
}

func figures(p *Pairs, worst []bool) []figure {
	return []figure{
		{"Spearman", p.Spearman},
		{"AUC", func(times []int) float64 { return p.AUC(worst, times) }},
		{"PrecisionAt", func(times []int) float64 { return p.PrecisionAt(0.2, worst, times) }},
	}
}

// A figure of pairs that count several times equals that of the repeated pairs, and that of the
// plain functions and definitions.
func TestTimesRepeatPairs(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x, y, worst, times := somePairs(chance)
		p, repeated := NewPairs(x, y), NewPairs(repeat(x, times), repeat(y, times))
		more := repeat(worst, times)
		again := figures(repeated, more)
		for i, f := range figures(p, worst) {
			same(t, again[i].of(nil), f.of(times),
				fmt.Sprintf("%s of %v, %v, %v", f.name, x, y, times))
			same(t, f.of(nil), f.of(nil), f.name)
		}
		x, y = repeat(x, times), repeat(y, times)
		same(t, productMoment(ranks(x), ranks(y)), p.Spearman(times), "Spearman")
		same(t, auc(x, more), p.AUC(worst, times), "AUC")
	}
}

func TestMonotoneTransformsLeaveRanksAlone(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		x, y, worst, times := somePairs(chance)
		bent := make([]float64, len(x))
		for i, v := range x {
			bent[i] = math.Exp(v) - 7
		}
		p, q := NewPairs(x, y), NewPairs(bent, y)
		identical(t, p.Spearman(times), q.Spearman(times))
		identical(t, p.AUC(worst, times), q.AUC(worst, times))
		identical(t, p.PrecisionAt(0.3, worst, times), q.PrecisionAt(0.3, worst, times))
		back := NewPairs(negative(x), y)
		same(t, -p.Spearman(times), back.Spearman(times), "an order turned round")
		same(t, 1-p.AUC(worst, times), back.AUC(worst, times), "an order turned round")
		swapped := NewPairs(y, x)
		same(t, p.Spearman(times), swapped.Spearman(times), "which side is which")
	}
}

func FuzzPairs(f *testing.F) {
	// lower limits; the upper limit is 1
	ranges := map[string]float64{"Spearman": -1, "Kendall": -1, "Pearson": -1, "AUC": 0,
		"PrecisionAt": 0}
	f.Add([]byte{1, 2, 1, 2, 2, 1, 3, 1, 0})
	f.Add([]byte{0, 0, 1, 255, 255, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		var x, y []float64
		var times []int
		var worst []bool
		for ; len(data) >= 3 && len(x) < 60; data = data[3:] {
			x, y = append(x, float64(int8(data[0]))/4), append(y, float64(data[1]%16)/3)
			times, worst = append(times, int(data[2]%5)), append(worst, data[2]&8 > 0)
		}
		p := NewPairs(x, y)
		for _, f := range figures(p, worst) {
			for _, times := range [][]int{nil, times} {
				got := f.of(times)
				if _, bounded := ranges[f.name]; bounded {
					assert.False(t, got < ranges[f.name] || got > 1, "%s is %v", f.name, got)
				}
				assert.False(t, math.IsInf(got, 0), "%s is %v", f.name, got)
			}
		}
		same(t, NewPairs(repeat(x, times), repeat(y, times)).PrecisionAt(0.2, repeat(worst, times),
			nil), p.PrecisionAt(0.2, worst, times), "PrecisionAt")
	})
}

// productMoment computes Pearson's correlation by its definition.
func productMoment(x, y []float64) float64 {
	mx, my := Mean(x, nil), Mean(y, nil)
	var xy, xx, yy float64
	for i := range x {
		xy, xx, yy = xy+(x[i]-mx)*(y[i]-my), xx+(x[i]-mx)*(x[i]-mx), yy+(y[i]-my)*(y[i]-my)
	}
	return xy / math.Sqrt(xx*yy)
}

func somePairs(chance *rand.Rand) (x, y []float64, worst []bool, times []int) {
	n, different := chance.IntN(25), 1+chance.IntN(20)
	for range n {
		v := float64(chance.IntN(different)) / 5
		x, y = append(x, v), append(y, float64(chance.IntN(8))/3+v)
		worst, times = append(worst, chance.IntN(3) == 0), append(times, chance.IntN(4))
	}
	return x, y, worst, times
}

// ranks returns the rank of each value by the definition; equal values share the mean of their
// ranks.
func ranks(values []float64) []float64 {
	list := make([]float64, len(values))
	for i, v := range values {
		list[i] = .5
		for _, w := range values {
			if w < v {
				list[i]++
			} else if w == v {
				list[i] += .5
			}
		}
	}
	return list
}
