package report

import (
	"fmt"
	"io"

	"assize/cmd/assize/internal/gate"
	"assize/cmd/assize/internal/junit"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// JUnit writes the XML that build servers read: a test suite for every file, a test case for every dialogue, and a
// failure for every gate that is shut for it, with the scores and the words that they rest on. An unscored dialogue is
// skipped, and one that could not be read is an error. Whether so many may fail is not for a dialogue to say: a failure
// stands here however many are allowed.
type JUnit struct {
	w     *junit.Writer
	gates []gate.Gate
}

// NewJUnit makes a JUnit that writes to w.
func NewJUnit(w io.Writer, gates []gate.Gate) *JUnit {
	return &JUnit{junit.New(w, "assize score"), gates}
}

// Record adds a test case.
func (j *JUnit) Record(r *record.Record) error {
	c := junit.Case{Name: "dialogue " + Visible(r.Name()), Skipped: Visible(r.Reason)}
	if r.Scored() {
		for _, g := range j.gates {
			if g.Shut(r.Evaluation) {
				c.Failures = append(c.Failures, failure(r, g))
			}
		}
	}
	return j.w.Case(Visible(r.Source.File), c)
}

// Unread adds a test case for what could not be read of a file, at a line or another place of it.
func (j *JUnit) Unread(file, place string, err error) error {
	why := Visible(err.Error())
	return j.w.Case(Visible(file), junit.Case{Name: place, Error: &junit.Failure{Type: "unreadable", Message: why, Text: why}})
}

// failure tells why a dialogue does not reach the score of a gate.
func failure(r *record.Record, g gate.Gate) junit.Failure {
	e := r.Evaluation
	var p Page
	fmt.Fprintf(&p, "OverallExperience %d, weighted average %s, satisfaction %s of 5\n", e.Overall, e.Average, r.Satisfaction)
	for _, c := range rubric.Criteria() {
		if !g.Whole && c != g.Criterion || int(e.Final[c].Score) >= g.Least {
			continue
		}
		fmt.Fprintf(&p, "%s %d, %d %% of the average, %s\n", c, e.Final[c].Score, e.Rubric.Weights[c], e.Rulings[c].ID)
		p.Paragraph(Plain, "  ", "    ", sentence(e.Final[c].Claim))
		p.quotes(e.Dialogue, e.Final[c].Quotes)
	}
	return junit.Failure{
		Type:    g.Name(),
		Message: fmt.Sprintf("%s is %d; want %d or more", g.Name(), g.Score(e), g.Least),
		Text:    p.String(),
	}
}

// Flush writes the last file and ends the output.
func (j *JUnit) Flush() error { return j.w.Close() }
