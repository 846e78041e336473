package ratings

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"assize/cmd/assize/internal/record"
)

// Join gives the ratings of those records that the file rates, in the order of the records. The raters stand in the
// order of their names, at the same place in every dialogue unless there are more than 64. Warnings say in words which ratings found no dialogue and how many dialogues have no rating. The error is a
// rating off the scale, one that two dialogues could claim, one that a person gave twice, or that nothing found its
// dialogue.
func (f *File) Join(records []*record.Record, s Scale) (rated []Rated, warnings []string, err error) {
	records, warnings, err = single(records)
	if err != nil {
		return nil, nil, err
	}
	votes := make([][]vote, len(records))
	var lost []string
	if f.samples != nil {
		lost, err = f.joinSamples(records, votes, s)
	} else {
		lost, err = f.joinRows(records, votes, s)
	}
	if err != nil {
		return nil, nil, err
	}
	for i, v := range votes {
		if len(v) > 0 {
			rated = append(rated, rate(records[i], v))
		}
	}
	if len(rated) == 0 {
		return nil, nil, fmt.Errorf("%s: no rating belongs to a dialogue of the run; the file rates %s, the run has %s", f.name, listed(lost), listed(ids(records)))
	}
	warnings = append(slices.Clone(f.notes), warnings...)
	if len(lost) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: %s not scored in the run: %s", f.name, counted(len(lost), "rated dialogue is", "rated dialogues are"), listed(lost)))
	}
	return rated, append(warnings, unrated(len(records)-len(rated), len(records))...), nil
}

func (f *File) joinSamples(records []*record.Record, votes [][]vote, s Scale) (lost []string, err error) {
	for i, at := range f.place(records) {
		sample := &f.samples[i]
		values, err := s.all(sample.marks)
		if err != nil {
			return nil, fmt.Errorf("%s: dialogue %s: %w", f.name, quote(sample.id), err)
		}
		if at < 0 {
			lost = append(lost, quote(sample.id))
			continue
		}
		for j, value := range values {
			v := newVote(fmt.Sprint(j + 1))
			v.marks[overall] = value
			votes[at] = append(votes[at], v)
		}
	}
	return lost, nil
}

func (f *File) joinRows(records []*record.Record, votes [][]vote, s Scale) (lost []string, err error) {
	index, box := newIndex(records), ballotBox{votes, map[chair]int{}}
	missing := map[string]bool{}
	for i := range f.rows {
		r := &f.rows[i]
		value, err := s.onFive(r.value)
		if err != nil {
			return nil, f.wrong(r.line, "%v", err)
		}
		at, err := index.find(r)
		if err != nil {
			return nil, f.wrong(r.line, "%v", err)
		}
		if at < 0 {
			if name := r.name(); !missing[name] {
				missing[name] = true
				lost = append(lost, name)
			}
		} else if err := box.cast(at, r, value); err != nil {
			return nil, f.wrong(r.line, "%v", err)
		}
	}
	seat(votes)
	return lost, nil
}

// mostSeats is how many raters may each have a place of their own in every dialogue's ratings.
const mostSeats = 64

// seat puts the votes on every dialogue in the order of the raters' names. Where there are few raters each gets the
// same place everywhere, with an empty vote where one did not rate: a place then is a person, as measures of one
// person against the others want it.
func seat(votes [][]vote) {
	names := map[string]bool{}
	for _, v := range votes {
		slices.SortFunc(v, func(a, b vote) int { return cmp.Compare(a.rater, b.rater) })
		for _, b := range v {
			names[b.rater] = true
		}
	}
	if len(names) > mostSeats {
		return
	}
	raters := slices.Sorted(maps.Keys(names))
	for i, cast := range votes {
		if len(cast) == 0 {
			continue
		}
		all := make([]vote, len(raters))
		for at, name := range raters {
			all[at] = newVote(name)
		}
		for _, v := range cast {
			at, _ := slices.BinarySearch(raters, v.rater)
			all[at] = v
		}
		votes[i] = all
	}
}

// name is what a row calls its dialogue.
func (r *row) name() string {
	if r.file == "" {
		return quote(r.id)
	}
	return quote(r.id) + " of " + quote(r.file)
}

// ballotBox gathers votes by record.
type ballotBox struct {
	votes [][]vote
	seats map[chair]int // where among the votes on the record a rater's is
}

type chair struct {
	record int
	rater  string
}

// cast adds a row to the votes on its dialogue.
func (b *ballotBox) cast(at int, r *row, value float64) error {
	i, ok := b.seats[chair{at, r.rater}]
	if !ok {
		i = len(b.votes[at])
		b.seats[chair{at, r.rater}] = i
		b.votes[at] = append(b.votes[at], newVote(r.rater))
	}
	mark := &b.votes[at][i].marks[r.mark]
	switch {
	case math.IsNaN(*mark):
		*mark = value
		return nil
	case r.rater == "":
		return fmt.Errorf("dialogue %s is rated twice, and no rater is named; want a column rater", r.name())
	}
	return fmt.Errorf("rater %s has rated dialogue %s before; want one rating of a rater for a dialogue and criterion", quote(r.rater), r.name())
}

func ids(records []*record.Record) []string {
	var all []string
	for _, r := range records {
		all = append(all, quote(r.Name()))
	}
	return all
}
