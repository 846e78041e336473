package batch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// Totals sum up the results of a batch as they come.
type Totals struct {
	summary.Summary
	Records int
	Stored  int // of these, the records that the run held before
	Unread  int // dialogues and files of which there is no record
	Rated   int // dialogues that carry people's ratings
	Usage   judge.Usage
}

// Add counts a result.
func (t *Totals) Add(r *Result) {
	if r.Err != nil {
		t.Unread++
		return
	}
	t.Records++
	if r.Stored != nil {
		t.Stored++
	}
	row := r.Record.Row(t.Records)
	t.Summary.Add(&row)
	if len(row.Ratings) > 0 {
		t.Rated++
	}
	t.Usage.Add(r.Record, r.Stored == nil)
}

// Progress says how far a batch is after some time of judging; total is 0 where it is not known.
func (t *Totals) Progress(elapsed time.Duration, total int) string {
	return ui.Pace(t.Records, total, t.Records-t.Stored, elapsed) + counts(t.Unscored, "unscored", t.Unread, "unreadable")
}

// counts lists what there is any of, each behind a comma.
func counts(pairs ...any) (s string) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[0] != 0 {
			s += fmt.Sprintf(", %d %s", pair...)
		}
	}
	return s
}

// Lines sum up a run on disk and the time it took. Times are for the person who waits; no file holds them.
func (t *Totals) Lines(path string, elapsed time.Duration) []string {
	rate := ""
	if judged := t.Records - t.Stored; elapsed >= time.Second && judged > 0 {
		rate = " (" + ui.Rate(judged, elapsed) + ")"
	}
	list := []string{fmt.Sprintf("%s: %s in %s%s: %d scored, %d unscored%s", path, ui.Counted(t.Records, "record"),
		ui.Duration(elapsed.Seconds()), rate, t.Scored, t.Unscored,
		counts(t.Duplicates, "duplicates", t.Stored, "already in the run", t.Unread, "could not be read"))}
	if t.Scored > 0 {
		var levels []string
		for i, score := range slices.Backward(rubric.Scale[:]) {
			levels = append(levels, fmt.Sprintf("%d: %d (%s)", score, t.Overall[i], ui.Percent(t.Overall[i], t.Scored)))
		}
		list = append(list, "  OverallExperience "+strings.Join(levels, ", "))
	}
	reasons := ui.ByFrequency(t.Reasons)
	for _, reason := range reasons[:min(len(reasons), 10)] { // the most frequent
		list = append(list, fmt.Sprintf("  unscored %d × %s", t.Reasons[reason], reason))
	}
	return list
}
