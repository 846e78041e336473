package ratings

import (
	"errors"
	"fmt"

	"assize/cmd/assize/internal/record"
)

// FromTruth takes the ratings that the records themselves carry. A record without any is left out, and a warning says
// how many there are. The error is a rating off the scale, or that no record carries ratings.
func FromTruth(records []*record.Record, s Scale) (rated []Rated, warnings []string, err error) {
	records, warnings, err = single(records)
	if err != nil {
		return nil, nil, err
	}
	without := 0
	for _, r := range records {
		if len(r.Truth.Overall) == 0 {
			without++
			continue
		}
		values, err := s.all(r.Truth.Overall)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: dialogue %s: %w", r.Source.File, r.Name(), err)
		}
		rated = append(rated, Rated{Record: r, Overall: values})
	}
	if len(rated) == 0 {
		return nil, nil, errors.New("no dialogue of the run carries ratings of people; want --ratings FILE")
	}
	return rated, append(warnings, unrated(without, len(records))...), nil
}

func (s Scale) all(marks []float64) ([]float64, error) {
	values := make([]float64, len(marks))
	for i, m := range marks {
		var err error
		if values[i], err = s.onFive(m); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// unrated is the warning about dialogues that nobody rated.
func unrated(without, all int) []string {
	if without == 0 {
		return nil
	}
	verb := "are"
	if without == 1 {
		verb = "is"
	}
	return []string{fmt.Sprintf("%d of %s %s not rated and left out", without, counted(all, "dialogue", "dialogues"), verb)}
}

// single leaves out what stands twice in the runs, which would make every interval too narrow. The error is one
// dialogue that was judged in two ways.
func single(records []*record.Record) (once []*record.Record, warnings []string, err error) {
	seen := map[record.Identity]*record.Record{}
	for _, r := range records {
		is := r.Identity()
		switch before := seen[is]; {
		case before == nil:
			seen[is] = r
			once = append(once, r)
		case judgement(before) != judgement(r):
			return nil, nil, fmt.Errorf("%s: dialogue %s stands twice in the runs with different judgements; want another judge's run behind --against", r.Source.File, r.Name())
		}
	}
	if again := len(records) - len(once); again > 0 {
		warnings = append(warnings, counted(again, "record is of a dialogue", "records are of dialogues")+" that came before; each dialogue counts once")
	}
	return once, warnings, nil
}

// judgement is all that a record says, but for whether the same turns came before.
func judgement(r *record.Record) string {
	is := *r
	is.Source.DuplicateOf = nil
	return string(is.Append(nil))
}
