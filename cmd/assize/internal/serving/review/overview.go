package review

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
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

// Step is the range of satisfaction from Least up to, but not including, Below.
type Step struct{ Least, Below rubric.Hundredths }

// String returns the ends of the step, such as "1.50 to 1.99".
func (s Step) String() string { return s.Least.String() + " to " + min(s.Below-1, 500).String() }

// Steps returns the half-star steps by which satisfaction is counted, the lowest first. The highest
// includes 5.00.
func Steps() (list [8]Step) {
	for i := range list {
		list[i] = Step{rubric.Hundredths(100 + 50*i), rubric.Hundredths(150 + 50*i)}
	}
	list[len(list)-1].Below++
	return list
}

// Overview summarises the dialogues that match a filter.
func (s *Store) Overview(ctx context.Context, f Filter) (*Overview, error) {
	o := &Overview{}
	var list []*run.Row // one of each
	where, args := f.where(each)
	_, err := rows(ctx, s.db, func(scan scanner) (row *run.Row, err error) {
		var rated, first bool
		row = &run.Row{}
		err = readRow(scan, row, &rated, &first)
		row.Proposed, row.Ratings = row.Final, nil
		if first || f.By != "" {
			list = append(list, row)
			if !rated {
				o.Unrated++
			}
			o.Add(row)
		}
		row.Meta = dialogue.NewMeta([]dialogue.Field{{Name: "agent", Value: row.Agent},
			{Name: "queue", Value: row.Queue}, {Name: "week", Value: week(row.Day)}})
		return row, err
	}, `SELECT `+rowColumns+`, EXISTS (SELECT 1 `+current+`), d.copies > 0
		FROM dialogues d WHERE `+where+`
		ORDER BY d.place`, args...)
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

// week returns the Monday of the week that contains day, or "" if day is empty. Both have the form
// 2024-05-27.
func week(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return at.AddDate(0, 0, -(int(at.Weekday())+6)%7).Format(time.DateOnly)
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
// them, each with examples from the worst of its dialogues. Dialogues with hidden scores are left
// out.
func (s *Store) Themes(ctx context.Context, f Filter, most, examples int,
) (list []Theme, err error) {
	where, args := f.where(All)
	list, err = rows(ctx, s.db,
		func(scan scanner) (t Theme, err error) { err = scan(&t.Reason, &t.Dialogues); return },
		`SELECT e.reason, count(*) AS n FROM dialogues d JOIN reasons e USING (dialogue)
			WHERE `+where+` GROUP BY 1 ORDER BY n DESC, 1 LIMIT ?`, append(args, most)...)
	if err != nil {
		return nil, err
	}
	f.State, f.Order = All, Worst
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
			err := s.db.QueryRowContext(ctx, `SELECT said FROM reasons WHERE dialogue = ?
				AND reason = ?`, d.Entry, t.Reason).Scan(&e.Said)
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
	Last           time.Time
}

// Progress returns the progress of each reviewer, sorted by name.
func (s *Store) Progress(ctx context.Context) (list []Progress, err error) {
	return rows(ctx, s.db, func(scan scanner) (p Progress, err error) {
		var last string
		if err = scan(&p.Name, &p.Rated, &p.Flagged, &last); err == nil {
			p.Last, err = time.Parse(time.RFC3339, last)
		}
		return p, err
	}, `SELECT r.reviewer, count(*) FILTER (WHERE r.satisfaction > 0), sum(r.flag), max(r.at)
		FROM reviews r JOIN dialogues d USING (identity) WHERE r.last GROUP BY 1 ORDER BY 1`)
}

// Sample is a random sample of the scored dialogues that match a filter: the first ones in the
// order [Shuffled], up to the first that is not rated. People cannot choose what is in it, since a
// dialogue that they skip ends it. It grows in steps of sampleStep, so that dialogues rated for
// another reason hardly extend it.
type Sample struct {
	Rated      int
	All        int // scored dialogues that match the filter; 0 if no sample can be drawn
	identities map[run.Identity]bool
}

const sampleStep = 10

// Sample returns the random sample of the dialogues that match a filter.
func (s *Store) Sample(ctx context.Context, f Filter) (*Sample, error) {
	p := &Sample{identities: map[run.Identity]bool{}}
	if f.By != "" { // somebody chose the dialogues that this reviewer rated
		return p, nil
	}
	where, args := f.where(All)
	scored := ` FROM dialogues d WHERE d.overall IS NOT NULL AND ` + where
	// Rated is the number before the first unrated one; 'g' is after all hexadecimal digits
	err := s.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(d.identity <
		coalesce((SELECT min(d.identity)`+scored+` AND NOT EXISTS (SELECT 1 `+current+`)), 'g')), 0)`+
		scored, append(args, args...)...).Scan(&p.All, &p.Rated)
	if err != nil {
		return nil, err
	}
	complete := p.Rated - p.Rated%sampleStep
	if p.Rated == p.All {
		complete = p.All
	}
	list, err := rows(ctx, s.db, one[run.Identity],
		`SELECT d.identity`+scored+` ORDER BY d.identity LIMIT ?`, append(args, complete)...)
	for _, is := range list {
		p.identities[is] = true
	}
	return p, err
}

// probability returns the probability of drawing a dialogue, or 0 if it is not in the sample.
func (p *Sample) probability(is run.Identity) float64 {
	if !p.identities[is] {
		return 0
	}
	return float64(len(p.identities)) / float64(p.All)
}

// String reports how far the sample is rated.
func (p *Sample) String() string {
	all := ui.Counted(p.All, "scored dialogue")
	switch n := len(p.identities); {
	case p.Rated == p.All:
		return "All " + all + " are rated."
	case p.Rated < stats.MinSampled:
		return fmt.Sprintf("To estimate how your team would rate all %s, rate at least %d in "+
			"random order; %d %s rated so far.", all, min(stats.MinSampled, p.All), p.Rated,
			ui.Is(p.Rated))
	case n < p.Rated:
		return fmt.Sprintf("Of %s, %d are rated in random order; the figures, which are taken in "+
			"steps of ten, use the first %d.", all, p.Rated, n)
	}
	return fmt.Sprintf("Of %s, %d are rated in random order.", all, p.Rated)
}

// SampleRatings returns the random sample of the dialogues that match a filter, and the ratings of
// the dialogues in list, if these are enough for a figure. Only those in the sample count as drawn.
func (s *Store) SampleRatings(ctx context.Context, f Filter, list []*run.Row) (
	p *Sample, rated []ratings.Rated, err error) {
	p, err = s.Sample(ctx, f)
	if err != nil || len(p.identities) < max(min(stats.MinSampled, p.All), 1) {
		return p, nil, err
	}
	rated, err = s.collect(ctx, list, "reviews", ratings.DefaultScale)
	for i := range rated {
		rated[i].Drawn = stats.Stratum{Probability: p.probability(rated[i].Row.Identity)}
	}
	return p, rated, err
}

// collect returns the reviews of the rows, as [ratings.Collect] does for a file of the given name.
func (s *Store) collect(ctx context.Context, list []*run.Row, name string, scale ratings.Scale) (
	[]ratings.Rated, error) {
	var table bytes.Buffer
	if err := s.Ratings(ctx, &table, nil); err != nil {
		return nil, err
	}
	file, err := ratings.ReadFile(&table, name, nil)
	if err != nil {
		return nil, err
	}
	rated, _, err := ratings.Collect(list, []*ratings.File{file}, nil, scale)
	return rated, err
}

// Agreement reports how far reviewers agree on the satisfaction of the dialogues that several of
// them rated. A figure that cannot be computed is NaN.
type Agreement struct {
	Dialogues int // rated by two or more people
	// Krippendorff's alpha for interval data: 1 is perfect agreement, 0 is chance
	Alpha      stats.Figure
	Colleagues []colleague
}

// colleague compares one reviewer with the mean of the others who rated the same dialogues.
type colleague struct {
	Name      string
	Dialogues int
	Spearman  float64      // rank correlation with the others' mean
	Lean      stats.Figure // mean difference in stars; positive if this person rates higher
}

const (
	fewShared = 10   // dialogues; with fewer, the interval of a correlation is wider than one unit
	draws     = 1000 // bootstrap samples per interval
	seed      = 1
)

// Agreement measures the agreement on satisfaction. If blind is set, only ratings first given
// without seeing the scores count.
func (s *Store) Agreement(ctx context.Context, blind bool) (*Agreement, error) {
	var units []map[string]float64 // the ratings of each dialogue, by reviewer
	last := ""
	_, err := rows(ctx, s.db, func(scan scanner) (_ any, err error) {
		var identity, reviewer string
		var rating float64
		err = scan(&identity, &reviewer, &rating)
		if identity != last {
			units, last = append(units, map[string]float64{}), identity
		}
		units[len(units)-1][reviewer] = rating
		return nil, err
	}, `SELECT r.identity, r.reviewer, r.satisfaction FROM reviews r JOIN dialogues USING (identity)
		WHERE r.last AND r.satisfaction > 0 AND (NOT ?1 OR EXISTS (SELECT 1 FROM reviews b
		WHERE b.identity = r.identity
			AND b.reviewer = r.reviewer AND b.satisfaction = r.satisfaction AND b.blind
			AND NOT b.undone))
		ORDER BY r.identity, r.reviewer`, blind)
	if err != nil {
		return nil, err
	}
	units = slices.DeleteFunc(units, func(u map[string]float64) bool { return len(u) < 2 })
	return agreement(units), nil
}

// agreement measures the agreement on dialogues with two or more ratings. Each unit holds the
// ratings of a dialogue by reviewer.
func agreement(units []map[string]float64) *Agreement {
	var given [][]float64
	of := map[string][][2]float64{} // by reviewer: the rating, and the mean of the others'
	for _, u := range units {
		list, sum := slices.Sorted(maps.Values(u)), 0.0
		for _, v := range list {
			sum += v
		}
		for name, v := range u {
			of[name] = append(of[name], [2]float64{v, (sum - v) / float64(len(u)-1)})
		}
		given = append(given, list)
	}
	reliability := stats.NewReliability(given)
	a := &Agreement{Dialogues: len(units)}
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
	all := ui.Counted(a.Dialogues, "dialogue") + " rated by two or more"
	if !a.Alpha.Known() || a.Dialogues < fewShared {
		return []string{fmt.Sprintf("How far people agree is unknown: %s; at least %d are needed.",
			all, fewShared)}
	}
	// The bounds are Krippendorff's (2004, Content Analysis).
	says := "too little to rely on single ratings"
	switch {
	case a.Alpha.Value >= .8:
		says = "enough to rely on"
	case a.Alpha.Value >= .667:
		says = "enough for tentative conclusions"
	}
	list := []string{fmt.Sprintf("People agree with an alpha of %s (95 %% interval %s to %s; 1 "+
		"is agreement, 0 chance) on %s: %s.",
		stats.Short(a.Alpha.Value, 2), stats.Short(a.Alpha.Low, 2), stats.Short(a.Alpha.High, 2),
		all, says)}
	for i := range a.Colleagues {
		list = append(list, a.Colleagues[i].sentence())
	}
	return list
}

// sentence describes how a reviewer compares with the others.
func (c *colleague) sentence() string {
	name := ui.Visible(c.Name)
	if c.Dialogues < fewShared {
		return fmt.Sprintf("%s and others have both rated only %s; at least %d are needed.", name,
			ui.Counted(c.Dialogues, "dialogue"), fewShared)
	}
	says := name + " ranks no dialogue above another"
	switch { // the bounds are Cohen's (1988, Statistical Power Analysis)
	case c.Spearman >= .5:
		says = name + " ranks dialogues as the others do"
	case c.Spearman >= .3:
		says = name + " ranks dialogues roughly as the others do"
	case !math.IsNaN(c.Spearman):
		says = name + " ranks dialogues unlike the others"
	}
	if !math.IsNaN(c.Spearman) {
		says += " (" + stats.Short(c.Spearman, 2) + ")"
	}
	if lean := c.Lean; lean.Low > 0 || lean.High < 0 {
		more := "more"
		if lean.Value < 0 {
			more = "less"
		}
		says += fmt.Sprintf(", and gives %s stars %s (95 %% interval %s to %s)",
			stats.Short(math.Abs(lean.Value), 2), more,
			stats.Short(lean.Low, 2), stats.Short(lean.High, 2))
	}
	return says + fmt.Sprintf("; %s.", ui.Counted(c.Dialogues, "shared dialogue"))
}
