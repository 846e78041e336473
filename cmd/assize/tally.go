package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assize/cmd/assize/internal/gate"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
)

// tally counts what a run has shown so far.
type tally struct {
	records, standing, reused, unusable int // standing: those that stood in the run before
	unread                              int // dialogues and files of which there is no record
	sum                                 report.Summary
	lowest                              rubric.Hundredths // satisfaction
	worst                               string            // the dialogue that has it
	gates                               *gate.Tally
	bench                               benchTally
}

// add counts a record.
func (t *tally) add(p *posting) {
	r := p.record
	t.records++
	switch {
	case p.due.standing != nil:
		t.standing++
	case p.reused:
		t.reused++
	}
	t.sum.Add(r)
	t.rank(r)
	t.bench.add(r, p.judged())
	t.gates.Add(r)
}

// rank keeps the worst dialogue, the first of several.
func (t *tally) rank(r *record.Record) {
	if r.Scored() && (t.worst == "" || r.Satisfaction < t.lowest) {
		t.lowest, t.worst = r.Satisfaction, fmt.Sprintf("dialogue %s of %s", r.Name(), r.Source.File)
	}
}

// progress says how far a run is, after some time of judging; total is 0 where it is not known.
func (t *tally) progress(elapsed time.Duration, total int) string {
	says := []string{report.Counted(t.records, "dialogue")}
	if total > 0 {
		says[0] = fmt.Sprintf("%d of %s", t.records, report.Counted(total, "dialogue"))
	}
	if made := t.records - t.standing; made > 0 && elapsed > 0 {
		says = append(says, rate(made, elapsed))
		if left := total - t.records; left > 0 {
			says = append(says, span(elapsed.Seconds()/float64(made)*float64(left))+" left")
		}
	}
	if t.sum.Unscored > 0 {
		says = append(says, fmt.Sprintf("%d unscored", t.sum.Unscored))
	}
	if t.unread > 0 {
		says = append(says, fmt.Sprintf("%d unreadable", t.unread))
	}
	if t.worst != "" {
		says = append(says, fmt.Sprintf("worst %s: %s", t.lowest, t.worst))
	}
	return strings.Join(says, ", ")
}

// rate says how fast dialogues are judged.
func rate(n int, elapsed time.Duration) string {
	if each := elapsed / time.Duration(n); each >= time.Second {
		return fmt.Sprintf("%.1f s each", each.Seconds())
	}
	return fmt.Sprintf("%.0f a second", float64(n)/elapsed.Seconds())
}

// span gives a time as precisely as anybody wants to know it.
func span(seconds float64) string {
	switch {
	case seconds < 100:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 100*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}

// summary tells what a run on disk holds, and what it took. The times are for who waits, and stand in no file.
func (t *tally) summary(path string, elapsed time.Duration) []string {
	made := t.records - t.standing
	says := fmt.Sprintf("%s: %s in %s", path, report.Counted(t.records, "record"), span(elapsed.Seconds()))
	if elapsed >= time.Second && made > 0 {
		says += " (" + rate(made, elapsed) + ")"
	}
	says += fmt.Sprintf(": %d scored, %d unscored", t.sum.Scored, t.sum.Unscored)
	for _, part := range []struct {
		n    int
		what string
	}{{t.sum.Duplicates, "duplicates"}, {t.standing, "stood there before"}, {t.reused, "taken over"}, {t.unread, "could not be read"}} {
		if part.n > 0 {
			says += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return append([]string{says}, t.details()...)
}

// details lists how the levels are distributed and why dialogues are unscored.
func (t *tally) details() (list []string) {
	if t.sum.Scored > 0 {
		var levels []string
		for i, score := range slices.Backward(rubric.Scale[:]) {
			n := t.sum.Overall[i]
			levels = append(levels, fmt.Sprintf("%d: %d (%.1f %%)", score, n, 100*float64(n)/float64(t.sum.Scored)))
		}
		list = append(list, "  OverallExperience "+strings.Join(levels, ", "))
	}
	reasons := t.sum.ByFrequency()
	for _, reason := range reasons[:min(len(reasons), mostTold)] {
		list = append(list, fmt.Sprintf("  unscored %d × %s", t.sum.Reasons[reason], reason))
	}
	if rest := len(reasons) - mostTold; rest > 0 {
		list = append(list, fmt.Sprintf("  and %s more", report.Counted(rest, "reason")))
	}
	return list
}

// strict is the answer of --strict where dialogues are unscored.
func (t *tally) strict() error {
	return answerNo(fmt.Sprintf("%d of %s %s unscored, which --strict does not allow", t.sum.Unscored, report.Counted(t.records, "dialogue"), is(t.sum.Unscored)))
}

func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
