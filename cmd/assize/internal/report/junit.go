package report

import (
	"fmt"
	"io"

	"assize/cmd/assize/internal/junit"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// JUnit is a Sink of the XML that build servers read: a test suite for every file, a test case for every dialogue, and
// a failure for every threshold that it misses, with the scores and the words that they rest on. An unscored dialogue
// is skipped, and one that could not be read is an error. A failure is written however many are allowed.
type JUnit struct {
	*junit.Writer
	thresholds []summary.Threshold
}

// NewJUnit makes a JUnit.
func NewJUnit(w io.Writer, thresholds []summary.Threshold) *JUnit {
	return &JUnit{junit.New(w, "assize score"), thresholds}
}

// Add implements [Sink].
func (j *JUnit) Add(r *run.Record) error {
	c := junit.Case{Name: "dialogue " + ui.Visible(r.Name())}
	if !r.Scored() {
		c.Skipped = &junit.Result{Message: ui.Visible(r.Reason)}
	}
	row := r.Row(0)
	for _, t := range j.thresholds {
		if t.Missed(&row) {
			c.Failures = append(c.Failures, junit.Result{
				Type:    t.Name(),
				Message: fmt.Sprintf("%s is %d; want %d or more", t.Name(), t.Score(&row), t.Least),
				Text:    failure(r, t),
			})
		}
	}
	return j.Case(ui.Visible(r.Source.File), c)
}

// failure says why a dialogue misses a threshold.
func failure(r *run.Record, t summary.Threshold) string {
	e, s := r.Evaluation, people{}
	s.Line(ui.Plain, headline(r))
	for _, c := range rubric.Criteria() {
		if (t.Whole || c == t.Criterion) && int(e.Final[c].Score) < t.Least {
			s.Line(ui.Plain, fmt.Sprintf("%s %d, %d %% of the average, %s",
				c, e.Final[c].Score, e.Rubric.Weights[c], e.Rulings[c].ID))
			s.item(ui.Plain, sentence(e.Final[c].Claim))
			s.quotes(e.Dialogue, e.Final[c].Quotes)
		}
	}
	return s.String()
}

// Unread adds a test case for what could not be read of a file, at a line or another place of it.
func (j *JUnit) Unread(file, place string, err error) error {
	why := ui.Visible(err.Error())
	failed := &junit.Result{Type: "unreadable", Message: why, Text: why}
	return j.Case(ui.Visible(file), junit.Case{Name: place, Error: failed})
}
