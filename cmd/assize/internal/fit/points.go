package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/heuristics"
	"assize/rubric"
)

// point is a rated dialogue: what the rules saw, what a model made of it, and the mean of what people said.
type point struct {
	record     *record.Record
	evaluation *rubric.Evaluation // of the record, by the rules
	file       string
	digest     string                // of the turns: dialogues that are alike have the same
	at         heuristics.Millionths // the input of the map
	model      rubric.Hundredths     // the weighted average of a model as the Evaluator; 0 where none was
	rating     float64               // from 1 to 5
	ratings    []float64             // of which it is the mean; see [ratings.Rated]
	stratum    int                   // see stratify
}

// fewest is how many different dialogues must be rated. With fewer, the mean of the ratings is itself off by more than
// a map can gain.
const fewest = 10

// gather makes points of the dialogues that were rated as a whole, in an order that does not depend on theirs, so
// that no sum does either.
func gather(rated []ratings.Rated, p heuristics.Profile) ([]point, error) {
	var points []point
	for i := range rated {
		r := rated[i].Record
		if err := whole(r); err != nil {
			return nil, err
		}
		if mean := rated[i].Mean(); !math.IsNaN(mean) {
			e := r.ByRules()
			pt := point{record: r, evaluation: e, file: r.Source.File, digest: r.Source.Digest, at: p.Value(e), rating: mean, ratings: rated[i].Overall}
			if r.CrossCheck != nil {
				pt.model = e.EvaluatorAverage
			}
			points = append(points, pt)
		}
	}
	if n := different(points); n < fewest {
		return nil, fmt.Errorf("%d different dialogues are rated as a whole; want %d or more, and better 50", n, fewest)
	}
	slices.SortStableFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.digest, b.digest), cmp.Compare(a.file, b.file), cmp.Compare(a.at, b.at), cmp.Compare(a.model, b.model), cmp.Compare(a.rating, b.rating))
	})
	stratify(points)
	return points, nil
}

// whole reports a record that does not keep every turn.
func whole(r *record.Record) error {
	if !r.CitedOnly {
		return nil
	}
	return fmt.Errorf("%s: dialogue %d keeps only the turns that are cited, and the reaction score needs to know who said each; want a run that was made without --no-transcript", r.Source.File, r.Dialogue.ID)
}

// different counts the dialogues that are not alike.
func different(points []point) int {
	digests := map[string]bool{}
	for _, pt := range points {
		digests[pt.digest] = true
	}
	return len(digests)
}

// reread gives the points with the input that p maps.
func reread(points []point, p heuristics.Profile) []point {
	again := slices.Clone(points)
	for i := range again {
		again[i].at = p.Value(again[i].evaluation)
	}
	return again
}

// columns gives the inputs and the ratings.
func columns(points []point) (at, rating []float64) {
	for _, pt := range points {
		at, rating = append(at, pt.at.Float()), append(rating, pt.rating)
	}
	return at, rating
}

// without gives the points whose fold is not f, and those whose it is.
func without(points []point, folds []int, f int) (train, test []point) {
	for i, pt := range points {
		if folds[i] == f {
			test = append(test, pt)
		} else {
			train = append(train, pt)
		}
	}
	return train, test
}
