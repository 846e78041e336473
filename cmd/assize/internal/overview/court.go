package overview

import "assize/rubric"

// Court is what became of the Critic's objections.
type Court struct {
	Criteria [rubric.NumCriteria]Docket
}

// Docket is what became of the objections to one criterion.
type Docket struct {
	Rulings         [rubric.Majority + 1]int // dialogues by ruling
	Raised, Lowered int                      // what the Referee changed
}

func (c *Court) add(e *rubric.Evaluation) {
	for i, r := range e.Rulings {
		d := &c.Criteria[i]
		d.Rulings[r.ID]++
		switch {
		case r.After > r.Before:
			d.Raised++
		case r.After < r.Before:
			d.Lowered++
		}
	}
}

// Total adds up the criteria.
func (c *Court) Total() (sum Docket) {
	for i := range c.Criteria {
		d := &c.Criteria[i]
		for id, n := range d.Rulings {
			sum.Rulings[id] += n
		}
		sum.Raised += d.Raised
		sum.Lowered += d.Lowered
	}
	return sum
}

// N is how many rulings there are.
func (d *Docket) N() int {
	n := 0
	for _, k := range d.Rulings {
		n += k
	}
	return n
}

// Objections is how often the Critic objected.
func (d *Docket) Objections() int { return d.N() - d.Rulings[rubric.Agreed] }

// Changed is how often the Referee changed the score.
func (d *Docket) Changed() int { return d.Raised + d.Lowered }
