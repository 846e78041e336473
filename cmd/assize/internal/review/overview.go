package review

import (
	"context"
	"fmt"
	"time"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Overview is what the dialogues of a filter show together. Its state does not count.
type Overview struct {
	Dialogues, Scored int
	Unrated           int // by people
	Satisfaction      [numBins]int
	Overall           [len(rubric.Scale)]int // the lowest first
	Agents, Queues    *summary.Groups        // nil where no source names any, as are weeks
	Weeks             *summary.Groups        // by their Mondays; in the order of satisfaction, as all groups
}

// Satisfaction is counted in steps of half a star; the highest has 5.00 too.
const (
	numBins  = 8
	binWidth = 50
)

// Bin gives the satisfactions of a step: at least the one, and below the other.
func Bin(step int) (least, below rubric.Hundredths) {
	least = rubric.Hundredths(100 + step*binWidth)
	if below = least + binWidth; step == numBins-1 {
		below++
	}
	return least, below
}

// Overview sums up the dialogues of a filter. What takes long is kept until the dialogues change.
func (s *Store) Overview(ctx context.Context, f Filter) (*Overview, error) {
	where, args := f.where(All)
	where = `FROM dialogues d WHERE ` + where
	var sums [4]int
	var unrated int
	err := s.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(d.dialogue), 0), coalesce(sum(d.satisfaction * d.dialogue), 0),
		coalesce(sum(d.average * d.dialogue), 0), count(*) FILTER (WHERE NOT EXISTS (SELECT 1 `+current+`)) `+where, args...).
		Scan(&sums[0], &sums[1], &sums[2], &sums[3], &unrated)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprint(where, args, sums)
	s.summing.Lock()
	defer s.summing.Unlock()
	if s.overviewOf != key {
		o, err := s.sumUp(ctx, where, args)
		if err != nil {
			return nil, err
		}
		s.overview, s.overviewOf = *o, key
	}
	o := s.overview
	o.Unrated = unrated
	return &o, nil
}

func (s *Store) sumUp(ctx context.Context, where string, args []any) (*Overview, error) {
	o := &Overview{}
	by := [3]string{"agent", "queue", "week"}
	var groupers [3]*summary.Grouper
	for i, name := range by {
		groupers[i] = summary.NewGrouper(name)
	}
	_, err := rows(ctx, s, func(scan scanner) (_ any, err error) {
		var row run.Row
		var values [3]string
		if err := scan(&values[0], &values[1], &values[2], &row.Satisfaction, &row.Average, &row.Overall); err != nil {
			return nil, err
		}
		values[2] = Week(values[2])
		o.Dialogues++
		if row.Scored() {
			o.Scored++
			o.Overall[row.Overall.Level()]++
			o.Satisfaction[min(int(row.Satisfaction-100)/binWidth, numBins-1)]++
		}
		for i, name := range by {
			row.Meta = nil
			if values[i] != "" {
				row.Meta = dialogue.Meta{{Name: name, Value: values[i]}}
			}
			groupers[i].Add(&row)
		}
		return nil, nil
	}, `SELECT d.agent, d.queue, d.day, coalesce(d.satisfaction, 0), coalesce(d.average, 0), coalesce(d.overall, 0) `+where+
		` ORDER BY d.place`, args...)
	if err != nil {
		return nil, err
	}
	for i, to := range []**summary.Groups{&o.Agents, &o.Queues, &o.Weeks} {
		if g, err := groupers[i].Groups(); err == nil { // or no dialogue has the column, or nearly each its own
			*to = g
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

// Themes gives the most frequent reasons of the dialogues of a filter, with examples from the worst of them that shown
// lets pass.
func (s *Store) Themes(ctx context.Context, f Filter, most, examples int, shown func(*Dialogue) bool) (list []Theme, err error) {
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
			if len(t.Examples) == examples || used[d.ID] || !shown(&d) {
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
