package review

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Agreement reports how far reviewers agree on the satisfaction of the dialogues that several of
// them rated. A figure that cannot be computed is NaN.
type Agreement struct {
	Dialogues int // rated by two or more people
	// Krippendorff's alpha for interval data: 1 is perfect agreement, 0 is chance
	Alpha      stats.Figure
	Colleagues []colleague
	Differ     []ratings.Split // the dialogues on which they differ, the most first
}

// colleague compares one reviewer with the mean of the others who rated the same dialogues.
type colleague struct {
	Name      string
	Dialogues int
	Spearman  float64      // rank correlation with the others' mean
	Lean      stats.Figure // mean difference in stars; positive if this person rates higher
}

const draws, seed = 1000, 1 // of bootstrap intervals

// Agreement measures the agreement on satisfaction; if blind is set, of ratings given first unseen.
func (s *Store) Agreement(ctx context.Context, blind bool) (*Agreement, error) {
	units, err := rows(ctx, s.db, func(scan scanner) (u ratings.Split, err error) {
		var raters, given []byte
		err = scan(&u.Identity, &u.Name, &u.File, &raters, &given)
		return u, cmp.Or(err, rubric.ParseJSON(raters, &u.Raters),
			rubric.ParseJSON(given, &u.Ratings))
	}, query("agreement", nil), blind)
	if err != nil {
		return nil, err
	}
	return agreement(units), nil
}

// Missed returns the scored dialogues whose satisfaction differs from people's ratings, the most
// first. If rank is set, it stores this order for lists, unless nothing has changed since it did.
func (s *Store) Missed(ctx context.Context, rank bool) (missed []ratings.Split, err error) {
	at := s.changes.Load()
	if rank && at == s.ranked.Load() {
		return nil, nil
	}
	list, err := s.List(ctx, Filter{State: Second}, 0, math.MaxInt32) // by anybody
	entry, scored, rated := map[run.Identity]int64{}, []*run.Row(nil), []ratings.Rated(nil)
	for _, d := range list {
		entry[d.Identity], d.Name = d.Entry, d.Title
		if d.Scored() {
			scored = append(scored, &d.Row)
		}
	}
	if err == nil && scored != nil {
		rated, err = s.collect(ctx, scored, "reviews")
	}
	if err != nil {
		return nil, err
	}
	if missed, _ = ratings.Missed(rated, ratings.DefaultScale); !rank {
		return missed, nil
	}
	err = s.write(ctx, func(c *changes) {
		c.rank("missed", ui.Each(missed, func(d ratings.Split) int64 { return entry[d.Identity] }))
	})
	if err == nil {
		s.ranked.Store(at + 1) // by this change
	}
	return missed, err
}

// agreement measures the agreement on dialogues with two or more ratings.
func agreement(units []ratings.Split) *Agreement {
	var given [][]float64
	of := map[string][][2]float64{} // by reviewer: the rating, and the mean of the others'
	for _, u := range units {
		sum := 0.0
		for _, v := range u.Ratings {
			sum += v
		}
		for i, v := range u.Ratings {
			of[u.Raters[i]] = append(of[u.Raters[i]],
				[2]float64{v, (sum - v) / float64(len(u.Ratings)-1)})
		}
		given = append(given, u.Ratings)
	}
	reliability := stats.NewReliability(given)
	a := &Agreement{Dialogues: len(units)}
	a.Differ, _ = ratings.Splits(units, ratings.DefaultScale)
	a.Alpha = stats.Bootstrap(len(units), draws, seed, func(times []int) []float64 {
		return []float64{reliability.Alpha(stats.IntervalScale, times)}
	})[0]
	for _, name := range slices.Sorted(maps.Keys(of)) {
		var own, others, apart []float64
		for _, v := range of[name] {
			own, others, apart = append(own, v[0]), append(others, v[1]), append(apart, v[0]-v[1])
		}
		lean := func(times []int) []float64 { return []float64{stats.Mean(apart, times)} }
		a.Colleagues = append(a.Colleagues, colleague{name, len(apart),
			stats.Spearman(own, others), stats.Bootstrap(len(apart), draws, seed, lean)[0]})
	}
	return a
}

// Sentences describes the agreement in words. Reviewers' names in it are safe to display.
func (a *Agreement) Sentences() []string {
	return texts.List("agreement", a)
}
