package overview

import (
	"cmp"

	"assize/cmd/assize/internal/friction"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/heuristics"
	"assize/rubric"
)

// mostCells is how long the friction strip of a dialogue may be.
const mostCells = 40

// Case is one dialogue in a line.
type Case struct {
	Number int // its place in the runs, from 0
	ID     string
	File   string
	Turns  int
	Reason string // why it is unscored; empty where it is scored

	heuristics.Estimate
	Average      rubric.Hundredths
	Overall      rubric.Score
	Proposed     [rubric.NumCriteria]rubric.Score // by the Evaluator
	Final        [rubric.NumCriteria]rubric.Score
	Failed       rubric.Criterion // what cost it most
	Why          rubric.Rating    // of that criterion
	Friction     string           // a cell for each turn of the SYSTEM, see [friction.Sparkline]
	Checked      bool             // a model's scores are held against those of the rules
	Disagreement rubric.Hundredths
	Contradicts  int     // criteria in which the two are far apart
	People       float64 // the mean of people's ratings, from 1 to 5; 0 where nobody rated it
}

func newCase(number int, r *record.Record) Case {
	c := Case{Number: number, ID: report.Name(r), File: r.Source.File, Turns: r.Source.Turns, Reason: r.Reason}
	if !r.Scored() {
		return c
	}
	e := r.Evaluation
	c.Estimate, c.Average, c.Overall = r.Estimate, e.Average, e.Overall
	c.Proposed, c.Final = e.Evaluator.Scores(), e.Final.Scores()
	c.Failed = failed(e)
	c.Why = e.Final[c.Failed]
	c.Friction = friction.Sparkline(e, friction.Points(e), mostCells)
	if k := r.CrossCheck; k != nil {
		c.Checked, c.Disagreement, c.Contradicts = true, k.Disagreement, k.Count(rubric.Contradict)
	}
	return c
}

// Scored reports whether the panel judged the dialogue.
func (c *Case) Scored() bool { return c.Overall != 0 }

// Changed reports whether the Referee changed a score.
func (c *Case) Changed() bool { return c.Proposed != c.Final }

// failed gives the criterion that cost an evaluation most points of its average; the first of several.
func failed(e *rubric.Evaluation) rubric.Criterion {
	most, at := -1, rubric.TaskSuccess
	for _, c := range rubric.Criteria() {
		if lost := e.Rubric.Weights[c] * (100 - int(e.Final[c].Score)); lost > most {
			most, at = lost, c
		}
	}
	return at
}

// Worse orders scored dialogues: by satisfaction, then by the average, then as they come.
func Worse(a, b *Case) int {
	return cmp.Or(cmp.Compare(a.Satisfaction, b.Satisfaction), cmp.Compare(a.Average, b.Average), cmp.Compare(a.Number, b.Number))
}
