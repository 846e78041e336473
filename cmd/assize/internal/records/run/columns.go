package run

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/table"
	"assize/rubric"
)

// Columns returns the columns of all tables and JSON objects with a row for each dialogue. A format
// picks some of them, and may rename them. An unscored dialogue has no values that depend on
// scores.
func Columns() table.Columns[*Row] {
	scored := func(value func(*Row) any) func(*Row) any {
		return func(r *Row) any {
			if !r.Scored() {
				return nil
			}
			return value(r)
		}
	}
	list := table.Columns[*Row]{
		{Name: "file", Value: func(r *Row) any { return r.File }},
		{Name: "number", Value: func(r *Row) any { return r.ID }},
		{Name: "source_id", Value: func(r *Row) any { return r.SourceID }},
		{Name: "name", Value: func(r *Row) any { return r.Name }},
		{Name: "identity", Value: func(r *Row) any { return r.Identity }},
		{Name: "agent", Value: func(r *Row) any { return r.Agent }},
		{Name: "queue", Value: func(r *Row) any { return r.Queue }},
		{Name: "day", Value: func(r *Row) any { return r.Day }},
		{Name: "turns", Value: func(r *Row) any { return r.Turns }},
		{Name: "status", Value: func(r *Row) any { return r.Status() }},
		{Name: "reason", Value: func(r *Row) any { return r.Reason }},
		{Name: "repeats", Value: func(r *Row) any { return r.Repeats }},
		{Name: "ratings", Value: func(r *Row) any { return ratingsOf(r) }},
		{Name: "rating", Value: func(r *Row) any { return meanOf(r) }},
		{Name: "satisfaction", Value: scored(func(r *Row) any { return r.Satisfaction })},
		{Name: "average", Value: scored(func(r *Row) any { return r.Average })},
		{Name: "overall", Value: scored(func(r *Row) any { return r.Overall })},
		{Name: "scores", Value: scored(func(r *Row) any { return scoresOf(r) })},
		{Name: "changes", Value: scored(func(r *Row) any { return changesOf(r) })},
		{Name: "level", Value: scored(func(r *Row) any {
			return strings.TrimPrefix(strconv.Itoa(r.Level), "0") // "" if the profile has no level
		})},
		{Name: "flagged", Value: scored(func(r *Row) any { return r.Flagged })},
		{Name: "disagreement", Value: func(r *Row) any {
			if r.CrossCheck == nil {
				return nil
			}
			return r.CrossCheck.Disagreement
		}},
	}
	for i, c := range rubric.Criteria() {
		list = append(list, table.Column[*Row]{Name: c.String(),
			Value: scored(func(r *Row) any { return r.Final[i] })})
	}
	return list
}

// ratingsOf returns people's ratings: a number if there is only one.
func ratingsOf(r *Row) any {
	if len(r.Ratings) == 1 {
		return r.Ratings[0]
	}
	return strings.Trim(fmt.Sprint(r.Ratings), "[]")
}

// mean is the mean of a dialogue's ratings. It prints with up to two decimals.
type mean float64

func (m mean) String() string {
	return strconv.FormatFloat(math.Round(100*float64(m))/100, 'f', -1, 64)
}

func meanOf(r *Row) any {
	if len(r.Ratings) == 0 {
		return nil
	}
	sum := 0.
	for _, rating := range r.Ratings {
		sum += rating
	}
	return mean(sum / float64(len(r.Ratings)))
}

func scoresOf(r *Row) map[string]rubric.Score {
	scores := map[string]rubric.Score{}
	for i, score := range r.Final {
		scores[rubric.Criterion(i).String()] = score
	}
	return scores
}

// changesOf lists the scores that the Referee changed, such as "Accuracy 80>60 R3-contradicted".
func changesOf(r *Row) string {
	var list []string
	for i, before := range r.Proposed {
		if after := r.Final[i]; before != after {
			list = append(list, fmt.Sprintf("%s %d>%d %s", rubric.Criterion(i), before, after,
				r.Rulings[i]))
		}
	}
	return strings.Join(list, "; ")
}
