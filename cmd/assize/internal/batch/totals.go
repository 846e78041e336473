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
	Usage   judge.Usage

	lowest rubric.Hundredths // satisfaction
	worst  string            // the dialogue that has it, the first of several
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
	t.Usage.Add(r.Record, r.Stored == nil)
	if rec := r.Record; rec.Scored() && (t.worst == "" || rec.Satisfaction < t.lowest) {
		t.lowest, t.worst = rec.Satisfaction, fmt.Sprintf("dialogue %s of %s", rec.Name(), rec.Source.File)
	}
}

// Progress says how far a batch is after some time of judging; total is 0 where it is not known.
func (t *Totals) Progress(elapsed time.Duration, total int) string {
	parts := []string{ui.Counted(t.Records, "dialogue")}
	if total > 0 {
		parts[0] = fmt.Sprintf("%d of %s", t.Records, ui.Counted(total, "dialogue"))
	}
	if judged := t.Records - t.Stored; judged > 0 && elapsed > 0 {
		parts = append(parts, ui.Rate(judged, elapsed))
		if left := total - t.Records; left > 0 {
			parts = append(parts, ui.Duration(elapsed.Seconds()/float64(judged)*float64(left))+" left")
		}
	}
	if t.Unscored > 0 {
		parts = append(parts, fmt.Sprintf("%d unscored", t.Unscored))
	}
	if t.Unread > 0 {
		parts = append(parts, fmt.Sprintf("%d unreadable", t.Unread))
	}
	if t.worst != "" {
		parts = append(parts, fmt.Sprintf("worst %s: %s", t.lowest, t.worst))
	}
	return strings.Join(parts, ", ")
}

// maxReasons is how many reasons for unscored dialogues are listed.
const maxReasons = 10

// Lines sum up a run on disk and the time it took. Times are for the person who waits; no file holds them.
func (t *Totals) Lines(path string, elapsed time.Duration) []string {
	judged := t.Records - t.Stored
	first := fmt.Sprintf("%s: %s in %s", path, ui.Counted(t.Records, "record"), ui.Duration(elapsed.Seconds()))
	if elapsed >= time.Second && judged > 0 {
		first += " (" + ui.Rate(judged, elapsed) + ")"
	}
	first += fmt.Sprintf(": %d scored, %d unscored", t.Scored, t.Unscored)
	for _, part := range []struct {
		n    int
		what string
	}{{t.Duplicates, "duplicates"}, {t.Stored, "already in the run"}, {t.Unread, "could not be read"}} {
		if part.n > 0 {
			first += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	list := []string{first}
	if t.Scored > 0 {
		var levels []string
		for i, score := range slices.Backward(rubric.Scale[:]) {
			levels = append(levels, fmt.Sprintf("%d: %d (%s)", score, t.Overall[i], ui.Percent(t.Overall[i], t.Scored)))
		}
		list = append(list, "  OverallExperience "+strings.Join(levels, ", "))
	}
	reasons := summary.ByFrequency(t.Reasons)
	for _, reason := range reasons[:min(len(reasons), maxReasons)] {
		list = append(list, fmt.Sprintf("  unscored %d × %s", t.Reasons[reason], reason))
	}
	if rest := len(reasons) - maxReasons; rest > 0 {
		list = append(list, fmt.Sprintf("  and %s", ui.Counted(rest, "more reason")))
	}
	return list
}
