package ratings

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assize/cmd/assize/internal/record"
)

// Join gives the ratings of those records that the file rates, in the order of the records and the raters of each by
// name. Warnings say in words which ratings found no dialogue and how many dialogues have no rating. The error is a
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
	index, box := newIndex(records), ballotBox{votes, map[seat]int{}}
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
	for _, v := range votes {
		slices.SortFunc(v, func(a, b vote) int { return cmp.Compare(a.rater, b.rater) })
	}
	return lost, nil
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
	seats map[seat]int // where among the votes on the record a rater's is
}

type seat struct {
	record int
	rater  string
}

// cast adds a row to the votes on its dialogue.
func (b *ballotBox) cast(at int, r *row, value float64) error {
	i, ok := b.seats[seat{at, r.rater}]
	if !ok {
		i = len(b.votes[at])
		b.seats[seat{at, r.rater}] = i
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
		all = append(all, quote(idOf(r.Dialogue.ID, r.Source.ID)))
	}
	return all
}
