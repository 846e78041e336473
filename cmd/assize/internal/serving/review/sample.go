package review

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"maps"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
)

// Sample is a random sample of the scored dialogues that match a filter: the first ones in the
// order [Shuffled], up to the first that is not rated. People cannot choose what is in it, since a
// dialogue that they skip ends it. It grows in steps of sampleStep, so that dialogues rated for
// another reason hardly extend it.
type Sample struct {
	Rated       int
	All         int                      // scored ones that match; 0 if no sample can be drawn
	Skipped     []Dialogue               // of the first ones, those unrated before rated ones
	probability map[run.Identity]float64 // of drawing each dialogue of the sample
}

const sampleStep = 10

// Sample returns the random sample of the dialogues that match a filter.
func (s *Store) Sample(ctx context.Context, f Filter) (*Sample, error) {
	p := &Sample{probability: map[run.Identity]float64{}}
	if f.By != "" { // somebody chose the dialogues that this reviewer rated
		return p, nil
	}
	f.State = All
	err := s.db.QueryRowContext(ctx, query("sample", &f), f.args()...).Scan(&p.All, &p.Rated)
	var err2 error
	p.Skipped, err2 = rows(ctx, s.db, func(scan scanner) (d Dialogue, err error) {
		return d, scan(&d.Identity, &d.Title)
	}, query("skipped", &f), f.args(sql.Named("limit", stats.MinRated))...)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	complete := p.Rated - p.Rated%sampleStep
	if p.Rated == p.All {
		complete = p.All
	}
	list, err := rows(ctx, s.db, one[run.Identity], query("drawn", &f),
		f.args(sql.Named("limit", complete))...)
	for _, is := range list {
		p.probability[is] = float64(len(list)) / float64(p.All)
	}
	return p, err
}

// drawn returns the probabilities of the samples of the runs, or of the sample of all dialogues if
// it is larger: a run that is opened together with others keeps its own sample.
func (s *Store) drawn(ctx context.Context) (*Sample, error) {
	all, err := s.Sample(ctx, Filter{})
	runs, err2 := rows(ctx, s.db, one[string], `SELECT DISTINCT run FROM dialogues`)
	if err := cmp.Or(err, err2); err != nil || len(runs) == 1 {
		return all, err
	}
	each := map[run.Identity]float64{}
	for _, file := range runs {
		own, err := s.Sample(ctx, Filter{Run: file})
		if err != nil {
			return nil, err
		}
		maps.Copy(each, own.probability)
	}
	if len(each) >= len(all.probability) {
		all.probability = each
	}
	return all, nil
}

// String reports how far the sample is rated.
func (p *Sample) String() string {
	return texts.Say("sample", map[string]int{"All": p.All, "Rated": p.Rated,
		"Used": len(p.probability), "Few": stats.MinRated, "Wanted": min(stats.MinRated, p.All)})
}

// SampleRatings returns the random sample of the dialogues that match a filter, and the ratings of
// the dialogues in list, if these are enough for a figure. Only those in the sample count as drawn.
func (s *Store) SampleRatings(ctx context.Context, f Filter, list []*run.Row) (
	p *Sample, rated []ratings.Rated, err error) {
	p, err = s.Sample(ctx, f)
	if err != nil || len(p.probability) < max(min(stats.MinRated, p.All), 1) {
		return p, nil, err
	}
	rated, err = s.collect(ctx, list, "reviews")
	for i := range rated {
		rated[i].Drawn = stats.Stratum{Probability: p.probability[rated[i].Row.Identity]}
	}
	return p, rated, err
}

// collect returns the reviews of the rows, as [ratings.Collect] does for a file of the given name.
func (s *Store) collect(ctx context.Context, list []*run.Row, name string) ([]ratings.Rated,
	error) {
	var table bytes.Buffer
	if err := s.Ratings(ctx, &table, nil); err != nil {
		return nil, err
	}
	file, err := ratings.ReadFile(&table, name, nil, nil)
	if err != nil {
		return nil, err
	}
	rated, _, err := ratings.Collect(list, []*ratings.File{file}, nil, ratings.DefaultScale)
	return rated, err
}
