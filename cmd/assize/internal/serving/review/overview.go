package review

import (
	"cmp"
	"context"
	"database/sql"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/report"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Overview summarises the dialogues that match a filter, whatever their state of review.
type Overview struct {
	Dialogues       int
	Unrated         int                // dialogues without a rating
	summary.Summary                    // without rulings, which the index does not contain
	Answered        []summary.Answered // the answers to the questions of scorecards
	Sample          *Sample
	Corrected       []sample.Figure // what people would rate on average, by the sample
	// by agent, by queue and by week, which is named by its Monday; those that a source has
	Groups []*summary.Groups
}

// Steps returns the half-star steps by which satisfaction is counted; the last includes 5.00.
func Steps() (list []report.Bin) {
	for from := rubric.Hundredths(100); from < 500; from += 50 {
		to := from + 50
		if to == 500 {
			to++
		}
		list = append(list,
			report.Bin{Name: from.String() + " to " + (to - 1).String(), From: from, To: to})
	}
	return list
}

// Overview summarises the dialogues that match a filter.
func (s *Store) Overview(ctx context.Context, f Filter) (*Overview, error) {
	o := &Overview{}
	f.State = All
	list, err := rows(ctx, s.db, func(scan scanner) (row *run.Row, err error) {
		var rated bool
		row = &run.Row{}
		err = readRow(scan, row, &rated)
		row.Proposed, row.Ratings = row.Final, nil
		if !rated {
			o.Unrated++
		}
		o.Add(row)
		row.Meta = dialogue.NewMeta([]dialogue.Field{{Name: "agent", Value: row.Agent},
			{Name: "queue", Value: row.Queue}})
		return row, err
	}, query("overview", &f), f.args()...)
	if err != nil {
		return nil, err
	}
	o.Dialogues = len(list)
	headers, err := s.allHeaders(ctx)
	drawn, rated, err2 := s.SampleRatings(ctx, f, list)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	o.Answered, o.Sample = o.Summary.Answered(headers), drawn
	o.Corrected = sample.Of(list, rated)
	for _, name := range []string{"agent", "queue", "week"} {
		// an error means that the column has no useful groups
		if g, err := summary.GroupBy(list, []string{name}, rated); err == nil {
			o.Groups = append(o.Groups, g...)
		}
	}
	return o, nil
}

// Theme is a reason that lowers the scores of several dialogues.
type Theme struct {
	Reason    string // the ID of a detector
	Dialogues int
	Examples  []example
}

// example quotes a dialogue that has the reason.
type example struct {
	Dialogue
	Said string
}

// Themes returns the most frequent reasons of the dialogues that match a filter, at most most of
// them, each with examples from the worst of its dialogues whose scores are not hidden.
func (s *Store) Themes(ctx context.Context, f Filter, most, examples int,
) (list []Theme, err error) {
	f.State = All
	list, err = rows(ctx, s.db,
		func(scan scanner) (t Theme, err error) { err = scan(&t.Reason, &t.Dialogues); return },
		query("themes", &f), f.args(sql.Named("limit", most))...)
	if err != nil {
		return nil, err
	}
	f.Order = Worst
	used := map[int64]bool{} // so that each reason quotes different dialogues
	for i := range list {
		t := &list[i]
		f.Reason = t.Reason
		found, err := s.List(ctx, f, 0, 10*examples)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			if len(t.Examples) == examples || used[d.Entry] || d.Hidden {
				continue
			}
			used[d.Entry] = true
			e := example{Dialogue: d}
			err := s.db.QueryRowContext(ctx, query("said", nil), d.Entry, t.Reason).Scan(&e.Said)
			if err != nil && !none(err) {
				return nil, err
			}
			t.Examples = append(t.Examples, e)
		}
	}
	return list, nil
}

// Progress counts the reviews of one reviewer.
type Progress struct {
	Name           string
	Rated, Flagged int
	Last           string // when, such as 2024-05-31 10:21, UTC
}

// Progress returns the progress of each reviewer, sorted by name.
func (s *Store) Progress(ctx context.Context) (list []Progress, err error) {
	return rows(ctx, s.db, func(scan scanner) (p Progress, err error) {
		err = scan(&p.Name, &p.Rated, &p.Flagged, &p.Last)
		return p, err
	}, query("progress", nil))
}
