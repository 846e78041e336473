package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// Summary counts what a run holds. Unscored dialogues take part in no mean.
type Summary struct {
	Scored   int
	Unscored int
	Reasons  map[string]int // why dialogues are unscored
	Overall  [5]int         // how many dialogues have each level, lowest first
	Changed  int            // dialogues in which the Referee changed a score

	Duplicates int // dialogues with the turns of an earlier one, and so its judgement

	bench                 bench
	average, satisfaction int
	criteria              [rubric.NumCriteria]int
}

// Add counts r.
func (s *Summary) Add(r *record.Record) {
	s.bench.add(r)
	if r.Source.DuplicateOf != nil {
		s.Duplicates++
	}
	if !r.Scored() {
		if s.Reasons == nil {
			s.Reasons = map[string]int{}
		}
		s.Unscored++
		s.Reasons[r.Reason]++
		return
	}
	e := r.Evaluation
	s.Scored++
	s.Overall[e.Overall.Level()]++
	s.average += int(e.Average)
	s.satisfaction += int(r.Satisfaction)
	for i := range e.Final {
		s.criteria[i] += int(e.Final[i].Score) * 100
	}
	if len(changed(e)) > 0 {
		s.Changed++
	}
}

// Average is the mean of the weighted averages; 0 where nothing is scored. Satisfaction and Criterion are
// the other means.
func (s *Summary) Average() rubric.Hundredths { return s.mean(s.average) }

// Satisfaction is the mean of the estimated ratings.
func (s *Summary) Satisfaction() rubric.Hundredths { return s.mean(s.satisfaction) }

// Criterion is the mean of the final scores of c.
func (s *Summary) Criterion(c rubric.Criterion) rubric.Hundredths { return s.mean(s.criteria[c]) }

// mean rounds to the nearest hundredth; halves go up.
func (s *Summary) mean(sum int) rubric.Hundredths {
	if s.Scored == 0 {
		return 0
	}
	return rubric.Hundredths((2*sum + s.Scored) / (2 * s.Scored))
}

// repeats tells of the duplicates, if there are any.
func (s *Summary) repeats() string {
	switch s.Duplicates {
	case 0:
		return ""
	case 1:
		return "1 is a duplicate: its turns are those of an earlier dialogue"
	}
	return fmt.Sprintf("%d are duplicates: their turns are those of earlier dialogues", s.Duplicates)
}

// Model tells in sentences what became of a model's words, and how far the rules agree with it; nil where there was no
// model.
func (s *Summary) Model() []string { return s.bench.sentences() }

// ByFrequency lists why dialogues are unscored, the most frequent reason first.
func (s *Summary) ByFrequency() []string {
	return slices.SortedFunc(maps.Keys(s.Reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Reasons[b], s.Reasons[a]), cmp.Compare(a, b))
	})
}

// changed lists the criteria whose score the Referee changed.
func changed(e *rubric.Evaluation) []rubric.Criterion {
	var cs []rubric.Criterion
	for i, r := range e.Rulings {
		if r.Before != r.After {
			cs = append(cs, rubric.Criterion(i))
		}
	}
	return cs
}
