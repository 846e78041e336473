package page

import (
	"encoding/json"
	"slices"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/overview"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
)

// data is what the script draws. Of the dialogues there is a list for each column, which is smaller and quicker to read
// than an object for each.
type data struct {
	Criteria     []string               `json:"criteria"`
	Overall      [len(rubric.Scale)]int `json:"overall"`
	Satisfaction []bin                  `json:"satisfaction"`
	Spread       []spread               `json:"spread"`
	Course       []course               `json:"course"`
	Rulings      []string               `json:"rulings"`
	Court        [][]int                `json:"court"`
	Bench        *bench                 `json:"bench"`
	Groups       []groupData            `json:"groups"`
	People       *people                `json:"people"`
	Cases        cases                  `json:"cases"`
	Transcripts  []transcript           `json:"transcripts"`
}

type spread struct {
	Mean      float64                `json:"mean"`
	Deviation float64                `json:"deviation"`
	Levels    [len(rubric.Scale)]int `json:"levels"`
}

type course struct {
	Name   string    `json:"name"`
	N      int       `json:"n"`
	Points []float64 `json:"points"`
}

type bench struct {
	Criteria [rubric.NumCriteria]overview.Verdicts `json:"criteria"`
	Apart    []int                                 `json:"apart"`
}

type people struct {
	Correlations []correlation `json:"correlations"`
	Dots         []dot         `json:"dots"`
	Confusion    [][]int       `json:"confusion"`
}

// cases are the dialogues, a list for each column. Scores are levels, 1 to 5; a dialogue that is unscored has none.
type cases struct {
	ID           []string  `json:"id"`
	File         []int     `json:"file"`
	Files        []string  `json:"files"`
	Turns        []int     `json:"turns"`
	Reason       []int     `json:"reason"`
	Reasons      []string  `json:"reasons"`      // why a dialogue is unscored; empty where it is scored
	Satisfaction []int     `json:"satisfaction"` // hundredths
	Average      []int     `json:"average"`      // hundredths
	Overall      []int     `json:"overall"`
	Final        []string  `json:"final"`    // a digit a criterion
	Proposed     []string  `json:"proposed"` // the same of the Evaluator; empty where the Referee changed nothing
	Friction     []string  `json:"friction"`
	Failed       []int     `json:"failed"`          // the criterion that cost it most; -1 where nothing did
	Why          [][]any   `json:"why"`             // turn, words, turn, words
	Rank         []int     `json:"rank"`            // as assize triage ranks, from 1
	Flagged      []int     `json:"flagged"`         // the numbers of the cases
	Copies       [][2]any  `json:"copies"`          // of cases that say the same as another one: the number, and the other's id
	Apart        []int     `json:"apart,omitempty"` // in hundredths of a level; -1 where no model judged
	Contradicts  []int     `json:"contradicts,omitempty"`
	People       []float64 `json:"people,omitempty"`
}

func (p *Page) data(kept []transcript) ([]byte, error) {
	o := p.Overview
	d := data{Overall: o.Overall, Rulings: rulingIDs(), Groups: p.groupData(), Transcripts: kept, Cases: p.cases()}
	if kept == nil {
		d.Transcripts = []transcript{}
	}
	for _, c := range rubric.Criteria() {
		d.Criteria = append(d.Criteria, c.String())
	}
	if o.Scored > 0 {
		p.drawn(&d)
	}
	return json.Marshal(d) // which writes <, >, &, U+2028 and U+2029 as \u…
}

// drawn adds what charts are drawn of.
func (p *Page) drawn(d *data) {
	o := p.Overview
	d.Satisfaction = p.bins()
	for i := range o.Criteria {
		s := &o.Criteria[i]
		d.Spread = append(d.Spread, spread{*number(s.Mean()), *number(s.Deviation()), s.Levels})
		d.Court = append(d.Court, o.Court.Criteria[i].Rulings[rubric.Agreed:])
	}
	for _, k := range []struct {
		name string
		*overview.Course
	}{{"below 60", &o.Courses.Below}, {"60 or more", &o.Courses.Rest}} {
		c := course{Name: k.name, N: k.N}
		for part := range overview.Parts {
			c.Points = append(c.Points, *number(k.Mean(part)))
		}
		if k.N > 0 {
			d.Course = append(d.Course, c)
		}
	}
	if b := &o.Bench; b.Checked > 0 {
		d.Bench = &bench{b.Criteria, b.Apart[:]}
	}
	if p.People != nil {
		d.People = &people{Correlations: p.correlations()}
		if slices.Contains(p.People.Rated, accord.OverallRating) {
			d.People.Dots = p.dots()
			d.People.Confusion = p.People.Confusion(accord.OverallRating, accord.Satisfaction)
		}
	}
}

// cases lays the dialogues out in columns.
func (p *Page) cases() cases {
	o := p.Overview
	var k cases
	var files, reasons index
	for i := range o.Cases {
		c := &o.Cases[i]
		k.ID = append(k.ID, report.Visible(c.ID))
		k.File = append(k.File, files.of(report.Visible(c.File)))
		k.Turns = append(k.Turns, c.Turns)
		k.Reason = append(k.Reason, reasons.of(report.Visible(c.Reason)))
		k.Satisfaction = append(k.Satisfaction, int(c.Satisfaction))
		k.Average = append(k.Average, int(c.Average))
		k.Overall = append(k.Overall, int(c.Overall)/20)
		k.Final = append(k.Final, levels(c.Final))
		k.Proposed = append(k.Proposed, "")
		if c.Changed() {
			k.Proposed[i] = levels(c.Proposed)
		}
		k.Friction = append(k.Friction, c.Friction)
		failed := int(c.Failed)
		if c.Flawless {
			failed = -1
		}
		k.Failed = append(k.Failed, failed)
		why := []any{}
		for _, q := range c.Why {
			why = append(why, q.Turn, report.Visible(q.Text))
		}
		k.Why = append(k.Why, why)
		if c.DuplicateOf != "" {
			k.Copies = append(k.Copies, [2]any{i, report.Visible(c.DuplicateOf)})
		}
		if c.Flagged {
			k.Flagged = append(k.Flagged, i)
		}
		if o.Bench.Checked > 0 {
			apart := int(c.Disagreement)
			if !c.Checked {
				apart = -1
			}
			k.Apart, k.Contradicts = append(k.Apart, apart), append(k.Contradicts, c.Contradicts)
		}
		if p.People != nil {
			k.People = append(k.People, *number(c.People))
		}
	}
	k.Files, k.Reasons, k.Rank = files.names, reasons.names, o.Ranks()
	return k
}

// levels writes scores as a digit each, 1 to 5; nothing where there are none.
func levels(scores [rubric.NumCriteria]rubric.Score) string {
	if scores[0] == 0 {
		return ""
	}
	b := make([]byte, len(scores))
	for i, s := range scores {
		b[i] = '1' + byte(s.Level())
	}
	return string(b)
}

// index gives names numbers, in the order in which they come.
type index struct {
	names []string
	at    map[string]int
}

func (x *index) of(name string) int {
	at, ok := x.at[name]
	if !ok {
		if x.at == nil {
			x.at = map[string]int{}
		}
		at = len(x.names)
		x.names, x.at[name] = append(x.names, name), at
	}
	return at
}
