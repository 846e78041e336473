package fit

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// The numbers of folds: outer folds measure errors, inner folds choose settings.
const (
	outerFolds = 10
	innerFolds = 5
)

// Fewest is the minimum number of distinct rated dialogues. With fewer, the error of the mean
// rating alone exceeds what a map can gain.
const Fewest = 10

// fewestWorded is the minimum number of these that differ in more than names and numbers. Dialogues
// with the same wording share a fold, and learning a line takes two more folds.
const fewestWorded = 3

// Dialogue is a scored dialogue of a run with the values that a profile maps.
type Dialogue struct {
	run.Row                                       // Place is the index among all dialogues
	Digest  string                                // of the turns
	Value   satisfaction.Millionths               // input of the map, from the rules alone
	Judged  [rubric.NumCriteria]rubric.Hundredths // a model's score for each criterion; 0 if none

	Said    dialogue.Dialogue // with Signals, the features that get weights
	Signals []rubric.Signal

	alike string // equal for dialogues with the same words; see [Dialogue.identify]
}

// NewDialogue returns the dialogue of a scored record. base is the embedded profile.
func NewDialogue(r *run.Record, place int, base satisfaction.Profile) Dialogue {
	row := r.Row(place)
	row.Day = r.Date("us") // that of a learned profile, which only says when it was
	return Dialogue{Row: row, Digest: r.Source.Digest, Value: base.Value(r.Evaluation),
		Judged: r.Judged(), Said: r.Dialogue, Signals: r.Evaluation.Signals}
}

// point is a dialogue with people's ratings of it as a whole.
type point struct {
	*Dialogue
	rating  float64   // the mean, from 1 to 5
	ratings []float64 // the ratings averaged; see [ratings.Rated]
	at      int       // its index among all points
	worth   float64   // weight relative to a point with one rating
}

func (d *Dialogue) estimate(p satisfaction.Profile) satisfaction.Estimate {
	added, _ := p.Linear.Adds(d.Said, d.Signals)
	if p.Model != nil {
		added += p.Model.Scores.Adds(d.Judged)
	}
	return p.EstimateAt(d.Value, added)
}

// gather makes points of the dialogues that are rated as a whole. Their order does not depend on
// the order of the dialogues, and so no floating-point sum does either. It returns an error if
// nothing can be learned from them.
func gather(all []Dialogue, rated []ratings.Rated, scale ratings.Scale) ([]point, error) {
	var points []point
	for i := range rated {
		if mean := rated[i].Mean(); !math.IsNaN(mean) {
			d := &all[rated[i].Row.Place]
			d.alike = d.Digest
			// Half of the unexplained variance is assumed to be noise of the single rater, which
			// more raters would reduce; the other half they would not.
			raters := float64(ratings.Count(rated[i].Overall))
			points = append(points, point{Dialogue: d, rating: mean, ratings: rated[i].Overall,
				worth: 2 * raters / (raters + 1)})
		}
	}
	if n := different(points); n < Fewest {
		return nil, texts.Error("few", ui.Counted(n, "dialogue"), Fewest)
	}
	differs := func(pt point) bool { return pt.rating != points[0].rating }
	if !slices.ContainsFunc(points, differs) {
		return nil, texts.Error("same rating", len(points), scale.FromFive(points[0].rating), scale)
	}
	slices.SortStableFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.Digest, b.Digest), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Value, b.Value), slices.Compare(a.Judged[:], b.Judged[:]),
			cmp.Compare(a.rating, b.rating))
	})
	for i := range points {
		points[i].at = i
		points[i].identify()
	}
	if n := different(points); n < fewestWorded {
		return nil, texts.Error("same words", len(points), ui.Counted(n, "wording"), fewestWorded)
	}
	return points, nil
}

// identify stores a key that is the same for dialogues that differ only in names, numbers and
// punctuation. Such a key needs ten words and pairs of words. With fewer, it is the turns' digest.
func (d *Dialogue) identify() {
	h, n := sha256.New(), 0
	for f := range satisfaction.Features(d.Said, nil) {
		if f.Group.Anywhere() {
			fmt.Fprintln(h, f.Group, f.Name)
			n++
		}
	}
	if d.alike = d.Digest; n >= 10 {
		d.alike = string(h.Sum(nil))
	}
}

// unratedOf returns dialogues other than the points, each with different words, so that points and
// others together number up to limit. The selection depends only on the dialogues.
func unratedOf(points []point, all []Dialogue, limit int) (others []*Dialogue) {
	list := make([]*Dialogue, len(all))
	for i := range all {
		list[i] = &all[i]
	}
	slices.SortStableFunc(list, func(a, b *Dialogue) int { return cmp.Compare(a.Digest, b.Digest) })
	taken := map[string]bool{}
	for _, pt := range points {
		taken[pt.Digest], taken[pt.alike] = true, true
	}
	for _, d := range list {
		if len(points)+len(others) < limit && !taken[d.Digest] {
			if d.identify(); !taken[d.alike] {
				others = append(others, d)
			}
			taken[d.Digest], taken[d.alike] = true, true
		}
	}
	return others
}

// different returns the number of dialogues with distinct words.
func different(points []point) int {
	return len(ui.Once(points, func(pt point) string { return pt.alike }))
}

func columns(points []point) (at, rating []float64) {
	for _, pt := range points {
		at, rating = append(at, pt.Value.Float()), append(rating, pt.rating)
	}
	return at, rating
}

// folds deals the points into the wanted number of folds, or fewer if too few dialogues are
// distinct. For each fold it returns the points of the other folds and the indices of its own.
// Dialogues with the same words are in one fold, which depends only on these and the seed.
func folds(points []point, wanted int, seed uint64) (train [][]point, held [][]int) {
	digests := ui.Each(points, func(pt point) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", seed, wanted, pt.alike))
		return string(sum[:])
	})
	order := slices.Compact(slices.Sorted(slices.Values(digests)))
	count := min(wanted, len(order))
	train, held = make([][]point, count), make([][]int, count)
	for i, pt := range points {
		at, _ := slices.BinarySearch(order, digests[i])
		for f := range count {
			if at%count == f {
				held[f] = append(held[f], i)
			} else {
				train[f] = append(train[f], pt)
			}
		}
	}
	return train, held
}
