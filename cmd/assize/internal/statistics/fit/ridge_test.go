package fit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/rubric/dialogue"
)

// Two dialogues, each with its own feature; the ridge is 1. By hand: K = I, so K + λI = 2I with the
// inverse I/2. The free intercept removes the mean: G = I/2 - (1/4)·11ᵀ. For y = (1, 3), G·y = (-½,
// ½), and the intercept is y₁ - (K·a)₁ - λ·a₁ = 1 + ½ + ½ = 2.
func TestRidgeByHand(t *testing.T) {
	r := ridge{kernel: mat.NewSymDense(2, []float64{1, 0, 0, 1}), strengths: []float64{1, 1},
		targets: []float64{1, 3}, before: []float64{0, 0}}
	require.NoError(t, r.solve())
	assert.InDeltaSlice(t, []float64{-.5, .5}, r.dual, 1e-12)
	assert.InDelta(t, 2, r.intercept(), 1e-12)
	for left, want := range []float64{3, 1} { // a model of one dialogue knows only its rating
		found := make([]float64, 2)
		require.NoError(t, r.leaveOut(found, []int{left}, nil))
		assert.InDelta(t, want, found[left], 1e-12)
	}
}

// The estimates for dialogues left out equal those of a model that has never seen their ratings,
// and a profile made from that model gives the same estimates.
func TestWithoutIsLearningAgain(t *testing.T) {
	d, y := &design{}, []float64{1, 4, 2, 5, 3, 0}
	for i := range y {
		own := &Dialogue{Value: satisfaction.MillionthsOf(float64(i * i % 3))}
		if d.dialogues = append(d.dialogues, own); i < 5 { // the last is not rated
			d.points = append(d.points,
				point{Dialogue: own, at: i, rating: y[i], worth: []float64{1, 1.5}[i%2]})
		}
	}
	d.add(theRules, d.inputs())
	d.features = append(d.features, feature{block: theDetectors, group: satisfaction.ByDetectors,
		name: "a", have: []int32{0, 1, 3}},
		feature{block: theWords, group: 1, name: "b", have: []int32{1, 2, 5}},
		feature{block: theWords, group: 2, name: "c", have: []int32{0, 3, 4, 5}})
	for i := range d.features[1:] {
		d.features[1+i].is = slices.Repeat([]float64{1}, len(d.features[1+i].have))
	}
	require.NoError(t, d.smooth())
	kernel := d.kernel(5, func(block) bool { return true })
	r, err := d.newRidge(kernel, 1.2, .3)
	require.NoError(t, err)
	found, alone := make([]float64, 5), make([]float64, 5)
	require.NoError(t, r.leaveOut(found, []int{1, 4}, nil))
	require.NoError(t, r.leaveOut(alone, []int{1}, []int{4}))

	again := ridge{kernel: mat.NewSymDense(3, nil)}
	for a, i := range []int{0, 2, 3} {
		again.strengths, again.targets = append(again.strengths, r.strengths[i]),
			append(again.targets, r.targets[i])
		for b, j := range []int{0, 2, 3} {
			again.kernel.SetSym(a, b, kernel.At(i, j))
		}
	}
	require.NoError(t, again.solve())
	for _, i := range []int{1, 4} {
		want := again.intercept() + r.before[i]
		for a, j := range []int{0, 2, 3} {
			want += kernel.At(i, j) * again.dual[a]
		}
		assert.InDelta(t, want, found[i], 1e-9)
	}
	assert.InDelta(t, found[1], alone[1], 1e-9)

	learnt := satisfaction.DefaultProfile()
	all, err := d.weigh(&learnt, kernel, 1.2, .3)
	require.NoError(t, err)
	require.Len(t, all, 3)
	for i, pt := range d.points {
		want, got := r.intercept()+r.before[i], learnt.Rating(pt.Value).Float()
		for j, a := range r.dual {
			want += kernel.At(i, j) * a
		}
		for _, w := range all {
			if slices.Contains(w.have, int32(i)) {
				got += w.weight
			}
		}
		assert.InDelta(t, want, got, 1e-4)
	}
}

// spoken returns n rated dialogues; say returns the USER's text for each.
func spoken(n int, say func(i int) string) (list []sample) {
	for i := range n {
		s := at("", float64(i%5)/5, float64(1+i%5))
		s.Record.Dialogue.Turns[1].Text = say(i)
		s.Record.Evaluation.Dialogue = s.Record.Dialogue
		s.Record.Source.Digest = s.Record.Dialogue.Digest()
		list = append(list, s)
	}
	return list
}

func TestWhatIsNeverLearnt(t *testing.T) {
	rated := spoken(40, func(i int) string {
		rare := ""
		if i < 2 {
			rare = " violin"
		}
		return fmt.Sprintf("I am Marlow and %s asks for order 4711%s. Write to me@shop.example or [NAME], thanks %s",
			map[bool]string{true: "peter", false: "nobody"}[i%2 == 0], rare,
			strings.Repeat("again ", i+1))
	})
	d, err := newDesign(gathered(t, rated), nil,
		&Options{IsName: func(w string) bool { return w == "peter" }})
	require.NoError(t, err)
	var names []string
	for _, f := range d.features {
		names = append(names, f.name)
	}
	all := " " + strings.Join(names, " ") + " "
	assert.Contains(t, names, "nobody asks")
	for _, never := range []string{"marlow", "peter", "4711", "violin", "shop", "name"} {
		assert.NotContains(t, all, " "+never+" ", never)
	}
}

// Dialogues that differ only in names and numbers count as one: they share a fold, and a word that
// occurs only in them is not learned.
func TestAlikeDialoguesAreOne(t *testing.T) {
	points := gathered(t, spoken(40, func(i int) string {
		if i < 5 {
			return fmt.Sprintf(
				"my parcel with the number %d is not here yet and nobody at the depot answers", i)
		}
		return strings.Repeat("it is good ", i)
	}))
	alike := map[string]int{}
	for _, pt := range points {
		alike[pt.alike]++
	}
	assert.Contains(t, slices.Collect(func(yield func(int) bool) {
		for _, n := range alike {
			if !yield(n) {
				return
			}
		}
	}), 5)
	d, err := newDesign(points, nil, &Options{})
	require.NoError(t, err)
	for _, f := range d.features {
		assert.NotContains(t, f.name, "depot")
	}
}

// A word that occurs only in unrated dialogues gets a weight from what the rules see near it.
func TestUnratedDialoguesTeachWords(t *testing.T) {
	rated := along(60, 3.15, .3, .1)
	var unrated []*run.Record
	for i := range 90 {
		s := at(fmt.Sprint("unrated ", i), float64(i%3-1))
		s.Record.Dialogue.Turns[0].Text = strings.Repeat("so ", 10+i) +
			[]string{"a stain", "and", "a gem"}[i%3]
		s.Record.Evaluation.Dialogue, s.Record.Source.Digest = s.Record.Dialogue,
			s.Record.Dialogue.Digest()
		unrated = append(unrated, s.Record)
	}
	res, err := learnFrom(rated, Options{Seed: 1}, unrated...)
	require.NoError(t, err)
	weight := func(said string) satisfaction.Millionths {
		d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.System, Text: said}}}
		added, _ := res.Profile.Linear.Adds(d, nil)
		return added
	}
	assert.Positive(t, weight("gem"))
	assert.Negative(t, weight("stain"))
	assert.Zero(t, weight("unknown"))
	slices.Reverse(unrated)
	again, err := learnFrom(rated, Options{Seed: 1}, unrated...)
	require.NoError(t, err)
	assert.Equal(t, string(res.Profile.File()), string(again.Profile.File()),
		"the order does not matter")
	bare, err := learnFrom(rated, Options{Seed: 1, NoWords: true}, unrated...)
	require.NoError(t, err)
	_, words := bare.Profile.Linear.Count()
	assert.Zero(t, words)
}

// unratedOf returns dialogues that are not among the points, without duplicates.
func TestUnratedOf(t *testing.T) {
	all := make([]Dialogue, 6)
	for i, digest := range []string{"c", "a", "b", "a", "e", "d"} {
		all[i].Digest = digest
	}
	var got []string
	for _, d := range unratedOf([]point{{Dialogue: &Dialogue{Digest: "b", alike: "b"}}}, all, 4) {
		got = append(got, d.Digest)
	}
	assert.Equal(t, []string{"a", "c", "d"}, got)
}
