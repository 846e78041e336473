package review

import (
	"context"
	"time"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Overview is what the dialogues of a filter show together. Its state does not count.
type Overview struct {
	Dialogues, Scored int
	Unrated           int                    // by people
	Satisfaction      [8]int                 // by steps, see [Steps]
	Overall           [len(rubric.Scale)]int // the lowest first
	Agents, Queues    *summary.Groups        // nil where no source names any, as are weeks
	Weeks             *summary.Groups        // by their Mondays; in the order of satisfaction, as all groups
}

// Step is a part of the scale of satisfaction: at least the one, and below the other.
type Step struct{ Least, Below rubric.Hundredths }

// String names the step by its ends, such as "1.50 to 1.99".
func (s Step) String() string { return s.Least.String() + " to " + min(s.Below-1, 500).String() }

// Steps gives those in which satisfaction is counted, of half a star, the lowest first. The highest has 5.00 too.
func Steps() (list [8]Step) {
	for i := range list {
		list[i] = Step{rubric.Hundredths(100 + 50*i), rubric.Hundredths(150 + 50*i)}
	}
	list[len(list)-1].Below++
	return list
}

// Overview sums up the dialogues of a filter.
func (s *Store) Overview(ctx context.Context, f Filter) (*Overview, error) {
	o := &Overview{}
	where, args := f.where(All)
	list, err := rows(ctx, s, func(scan scanner) (row run.Row, err error) {
		var agent, queue, day string
		var rated bool
		err = scan(&agent, &queue, &day, &row.Satisfaction, &row.Average, &row.Overall, &rated)
		if !rated {
			o.Unrated++
		}
		if row.Scored() {
			o.Scored++
			o.Overall[row.Overall.Level()]++
			o.Satisfaction[min(int(row.Satisfaction-100)/50, len(o.Satisfaction)-1)]++
		}
		for name, value := range map[string]string{"agent": agent, "queue": queue, "week": Week(day)} {
			if value != "" {
				row.Meta = append(row.Meta, dialogue.Field{Name: name, Value: value})
			}
		}
		return row, err
	}, `SELECT d.agent, d.queue, d.day, coalesce(d.satisfaction, 0), coalesce(d.average, 0), coalesce(d.overall, 0),
		EXISTS (SELECT 1 `+current+`) FROM dialogues d WHERE `+where+` ORDER BY d.place`, args...)
	if err != nil {
		return nil, err
	}
	o.Dialogues = len(list)
	for name, to := range map[string]**summary.Groups{"agent": &o.Agents, "queue": &o.Queues, "week": &o.Weeks} {
		if g, err := summary.GroupBy(list, []string{name}); err == nil { // or no dialogue has it, or nearly each its own
			*to = g[0]
		}
	}
	return o, nil
}

// Week gives the Monday of the week of a day, both as 2024-05-27; "" for none.
func Week(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return at.AddDate(0, 0, -(int(at.Weekday())+6)%7).Format(time.DateOnly)
}

// Theme is a reason that speaks against several dialogues.
type Theme struct {
	Reason    string // the id of a detector
	Dialogues int
	Examples  []Example
}

// Example is what was said in a dialogue with the reason.
type Example struct {
	Dialogue
	Said string
}

// Themes gives the most frequent reasons of the dialogues of a filter, with examples from the worst of them, save those
// whose scores are hidden.
func (s *Store) Themes(ctx context.Context, f Filter, most, examples int) (list []Theme, err error) {
	where, args := f.where(All)
	list, err = rows(ctx, s, func(scan scanner) (t Theme, err error) { err = scan(&t.Reason, &t.Dialogues); return },
		`SELECT e.reason, count(*) AS n FROM dialogues d JOIN reasons e USING (dialogue) WHERE `+where+
			` GROUP BY 1 ORDER BY n DESC, 1 LIMIT ?`, append(args, most)...)
	if err != nil {
		return nil, err
	}
	f.State, f.Order = All, Worst
	used := map[int64]bool{} // each reason has dialogues of its own
	for i := range list {
		t := &list[i]
		f.Reason = t.Reason
		found, err := s.List(ctx, f, 0, 10*examples)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			if len(t.Examples) == examples || used[d.ID] || d.Hidden {
				continue
			}
			used[d.ID] = true
			e := Example{Dialogue: d}
			err := s.db.QueryRowContext(ctx, `SELECT said FROM reasons WHERE dialogue = ? AND reason = ?`, d.ID, t.Reason).Scan(&e.Said)
			if err != nil && !none(err) {
				return nil, err
			}
			t.Examples = append(t.Examples, e)
		}
	}
	return list, nil
}

// Progress is what a reviewer has done.
type Progress struct {
	Name           string
	Rated, Flagged int
	Last           time.Time
}

// Progress tells what each reviewer has done, by name.
func (s *Store) Progress(ctx context.Context) (list []Progress, err error) {
	return rows(ctx, s, func(scan scanner) (p Progress, err error) {
		var last string
		if err = scan(&p.Name, &p.Rated, &p.Flagged, &last); err == nil {
			p.Last, err = time.Parse(time.RFC3339, last)
		}
		return p, err
	}, `SELECT r.reviewer, count(*) FILTER (WHERE r.satisfaction > 0), sum(r.flag), max(r.at)
		FROM reviews r JOIN dialogues d USING (identity) WHERE r.last GROUP BY 1 ORDER BY 1`)
}
