// Package compare says what changed between two runs, by how much, and whether by more than chance. Dialogues are the
// same where the same was said in them.
//
// Runs of the same dialogues are compared in pairs: each dialogue with itself. Two different sets of dialogues are
// compared by their means. Intervals are percentiles of a bootstrap over dialogues (Efron 1979).
package compare

import (
	"errors"
	"fmt"
	"slices"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// Mode says how the dialogues of two runs belong together.
type Mode string

// The modes.
const (
	Auto     Mode = ""         // Paired where at least half of the smaller run is also in the other one
	Paired   Mode = "paired"   // the same dialogues, judged twice
	Unpaired Mode = "unpaired" // two different sets of dialogues
)

// Options say how two runs are compared.
type Options struct {
	Mode  Mode
	Top   int    // how many of the dialogues that changed most are kept
	Draws int    // of the bootstrap
	Seed  uint64 // of the bootstrap
}

// Sides are what A and B have of something.
type Sides[T any] struct {
	A T `json:"a"`
	B T `json:"b"`
}

// Comparison is what changed from A to B.
type Comparison struct {
	Version  int      `json:"assize_compare"`
	Mode     Mode     `json:"mode"` // Paired or Unpaired
	Answer   []string `json:"answer"`
	Warnings []string `json:"warnings"` // what a reader must know before believing a figure, a sentence each
	Draws    int      `json:"draws"`
	Seed     uint64   `json:"seed"`
	Sides[Run]
	Matched   Matched      `json:"matched"`
	All       []Figure     `json:"measures"` // of what is scored: in pairs in both runs, else in either
	Different []run.Change `json:"made_differently"`
	Changed   []Change     `json:"changed_most"`    // the most first; with equal moves in the order of A
	Lost      []Place      `json:"became_unscored"` // dialogues of A that B could not judge
	Gained    []Place      `json:"became_scored"`   // and those of B that A could not

	values [2][]values // of the dialogues that are compared; in pairs the same index is the same dialogue
}

// Matched counts the dialogues that both runs hold.
type Matched struct {
	Dialogues int `json:"dialogues"`
	Scored    int `json:"scored"` // in both
	Changed   int `json:"changed"`
}

// Place is where a dialogue is found.
type Place struct {
	Dialogue string `json:"dialogue"`
	File     string `json:"file"`
	Line     int    `json:"line"` // of the run
}

func place(r *run.Row) Place { return Place{r.Name, r.File, r.Place} }

// Change is a dialogue that the two runs judge differently.
type Change struct {
	Sides[Judged]
	Criteria []Moved `json:"criteria"` // whose final scores differ
}

// Judged is what a run says of a dialogue.
type Judged struct {
	Place
	Overall      rubric.Score      `json:"OverallExperience"`
	Average      rubric.Hundredths `json:"numeric_weighted_average"`
	Satisfaction rubric.Hundredths `json:"satisfaction"`
}

// Moved is a criterion with its final scores.
type Moved struct {
	Criterion rubric.Criterion `json:"criterion"`
	Sides[Settled]
}

// Settled is a final score and the ruling that gave it.
type Settled struct {
	Score  rubric.Score `json:"score"`
	Ruling string       `json:"ruling"`
}

// New compares two runs.
func New(a, b *Run, opt Options) *Comparison {
	c := &Comparison{
		Version: 1, Mode: opt.Mode, Draws: opt.Draws, Seed: opt.Seed, Sides: Sides[Run]{*a, *b},
		Changed: []Change{}, Lost: []Place{}, Gained: []Place{}, Different: a.made().Differences(b.made()),
	}
	pairs := match(a.Rows, b.Rows)
	c.Matched.Dialogues, c.A.Only, c.B.Only = len(pairs), len(a.Rows)-len(pairs), len(b.Rows)-len(pairs)
	if c.Mode == Auto {
		c.Mode = Unpaired
		if len(pairs) > 0 && len(pairs) >= min(c.A.Only, c.B.Only) {
			c.Mode = Paired
		}
	}
	if c.Mode == Paired {
		c.follow(pairs, opt.Top)
	} else {
		for side, r := range []*Run{a, b} {
			for _, row := range r.Rows {
				if row.Scored() {
					c.values[side] = append(c.values[side], measure(row))
				}
			}
		}
	}
	c.figures()
	c.Answer, c.Warnings = c.answer(), c.warnings()
	return c
}

// follow finds the pairs that are scored in both runs, in one alone, and those that changed most: by the weighted
// average, then by the six scores together, the OverallExperience and the satisfaction.
func (c *Comparison) follow(pairs [][2]*run.Row, top int) {
	type move struct {
		rows [2]*run.Row
		by   [4]int
	}
	var moves []move
	for _, pair := range pairs {
		a, b := pair[0], pair[1]
		switch {
		case a.Scored() && b.Scored():
			before, after := measure(a), measure(b)
			c.values[0], c.values[1] = append(c.values[0], before), append(c.values[1], after)
			off := func(m Measure) int { return max(int(after[m]-before[m]), int(before[m]-after[m])) }
			by := [4]int{off(Average), 0, off(Overall), off(Satisfaction)}
			for m := firstCriterion; int(m) < numMeasures; m++ {
				by[1] += off(m)
			}
			if by != [4]int{} {
				moves = append(moves, move{pair, by})
			}
		case a.Scored():
			c.Lost = append(c.Lost, place(a))
		case b.Scored():
			c.Gained = append(c.Gained, place(b))
		}
	}
	c.Matched.Scored, c.Matched.Changed = len(c.values[0]), len(moves)
	slices.SortStableFunc(moves, func(x, y move) int { return slices.Compare(y.by[:], x.by[:]) })
	for _, m := range moves[:min(len(moves), top)] {
		c.Changed = append(c.Changed, change(m.rows[0], m.rows[1]))
	}
}

// change tells how a dialogue is judged by both runs.
func change(a, b *run.Row) Change {
	judged := func(r *run.Row) Judged { return Judged{place(r), r.Overall, r.Average, r.Satisfaction} }
	ch := Change{Sides: Sides[Judged]{judged(a), judged(b)}, Criteria: []Moved{}}
	for k := range a.Final {
		if a.Final[k] != b.Final[k] {
			ch.Criteria = append(ch.Criteria, Moved{rubric.Criterion(k),
				Sides[Settled]{Settled{a.Final[k], a.Rulings[k].String()}, Settled{b.Final[k], b.Rulings[k].String()}}})
		}
	}
	return ch
}

// Drop answers whether the mean weighted average of B is lower than that of A by at least by points, as it is printed.
// In pairs the mean is over the dialogues that are scored in both runs. sure asks for more: that the whole 95 %
// interval is lower by so much. The answer is the sentence that says so, empty for no.
//
// The error says why there is no answer: nothing is scored, the two runs weigh the criteria differently, or there are
// too few dialogues for an interval.
func (c *Comparison) Drop(by rubric.Hundredths, sure bool) (string, error) {
	f := &c.All[Average]
	dropped := -hundredths(f.Difference)
	least, answer := dropped, fmt.Sprintf("the mean weighted average dropped by %s points", dropped)
	switch {
	case f.NA == 0 || f.NB == 0:
		return "", errors.New("there is no difference, since nothing is scored on both sides")
	case c.differs("rubric.weights"):
		return "", errors.New("the runs weigh the criteria differently, so their averages cannot be compared; want " +
			"both scored with the same rubric")
	case sure && f.Interval == nil:
		return "", fmt.Errorf("%s are too few to be sure; want %d or more", c.counted(), fewest)
	case sure:
		least = -hundredths(f.Interval[1])
		answer += fmt.Sprintf(", and by at least %s (95 %%)", least)
	}
	if least < by {
		return "", nil
	}
	return answer, nil
}

// counted says how many dialogues were compared: "2800 dialogues", "2800 and 2650 dialogues".
func (c *Comparison) counted() string {
	f := &c.All[0]
	if c.Mode == Paired {
		return ui.Counted(f.NA, "dialogue")
	}
	return fmt.Sprintf("%d and %s", f.NA, ui.Counted(f.NB, "dialogue"))
}
