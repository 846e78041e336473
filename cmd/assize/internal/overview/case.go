package overview

import (
	"cmp"
	"strconv"

	"assize/cmd/assize/internal/friction"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/triage"
	"assize/heuristics"
	"assize/rubric"
)

// Case is one dialogue in a line.
type Case struct {
	Number      int // its place in the runs, from 0
	ID          string
	File        string
	DuplicateOf string // the id of the dialogue that says the same and was judged; empty where this one was
	Turns       int
	Reason      string // why it is unscored; empty where it is scored

	heuristics.Estimate
	Average  rubric.Hundredths
	Overall  rubric.Score
	Proposed [rubric.NumCriteria]rubric.Score // by the Evaluator
	Final    [rubric.NumCriteria]rubric.Score
	Failed   rubric.Criterion // what cost it most
	Flawless bool             // nothing cost it anything
	Why      []rubric.Quote   // one or two utterances
	Friction string           // a cell for each turn of the SYSTEM, see [friction.Sparkline]

	Checked      bool // a model's scores are held against those of the rules
	Disagreement rubric.Hundredths
	Contradicts  int     // criteria in which the two are far apart
	People       float64 // the mean of people's ratings, from 1 to 5; 0 where nobody rated it

	place   triage.Place
	source  record.Source
	ratings []float64 // as people gave them
}

// mostCells is how long the friction strip of a dialogue may be.
const mostCells = 40

func newCase(number int, r *record.Record, mute map[string]bool) Case {
	c := Case{Number: number, ID: r.Name(), File: r.Source.File, Turns: r.Source.Turns, Reason: r.Reason}
	c.source, c.ratings = r.Source, r.Truth.Overall
	c.place.ID = r.Dialogue.ID
	if of := r.Source.DuplicateOf; of != nil {
		c.DuplicateOf = strconv.Itoa(of.ID)
	}
	if !r.Scored() {
		return c
	}
	e := r.Evaluation
	c.Estimate, c.Average, c.Overall = r.Estimate, e.Average, e.Overall
	c.Proposed, c.Final = e.Evaluator.Scores(), e.Final.Scores()
	failed, is := triage.Failed(e)
	c.Failed, c.Flawless = failed, !is
	c.Why = triage.Evidence(e, mute)
	c.Friction = friction.Sparkline(e, friction.Points(e), mostCells)
	if k := r.CrossCheck; k != nil {
		c.Checked, c.Disagreement, c.Contradicts = true, k.Disagreement, k.Count(rubric.Contradict)
	}
	c.place = triage.PlaceOf(r, number)
	return c
}

// Scored reports whether the panel judged the dialogue.
func (c *Case) Scored() bool { return c.Overall != 0 }

// Changed reports whether the Referee changed a score.
func (c *Case) Changed() bool { return c.Proposed != c.Final }

// Compare orders dialogues as assize triage does, the worst first; what is unscored comes last, as it came.
func (c *Case) Compare(d *Case) int {
	if c.Scored() && d.Scored() {
		return triage.BySatisfaction.Compare(c.place, d.place)
	}
	return cmp.Or(cmp.Compare(d.Overall, c.Overall), cmp.Compare(c.Number, d.Number))
}
