package compare

import (
	"slices"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// Change is a dialogue that the two runs judge differently.
type Change struct {
	A, B             Case
	Criteria         []rubric.Criterion // whose final scores differ
	RecordA, RecordB *record.Record     // for the justifications; nil where the records were not read once more
	moved            [5]int             // how far, in hundredths, by what counts most first
}

// rank finds the dialogues that changed, and keeps those that changed most: by the weighted average with A's weights,
// then by the six scores together, the average by each run's own weights, the OverallExperience and the satisfaction.
// Among equals the order of A decides.
func (c *Comparison) rank() {
	var moved []Change
	for _, p := range c.Both {
		ch := Change{A: c.A.Cases[p.A], B: c.B.Cases[p.B]}
		if ch.measure(c.weights); ch.A.same(&ch.B) {
			continue
		}
		c.Unequal++
		if moved = append(moved, ch); len(moved) >= 2*c.Options.Top+1024 { // bounds what is kept of very many
			moved = c.most(moved)
		}
	}
	c.Changed = c.most(moved)
	for i := range c.Changed {
		ch := &c.Changed[i]
		for k := range ch.A.Scores {
			if ch.A.Scores[k] != ch.B.Scores[k] {
				ch.Criteria = append(ch.Criteria, rubric.Criterion(k))
			}
		}
	}
}

// most keeps the changes that go furthest.
func (c *Comparison) most(moved []Change) []Change {
	slices.SortStableFunc(moved, func(x, y Change) int { return slices.Compare(y.moved[:], x.moved[:]) })
	return moved[:min(len(moved), c.Options.Top)]
}

// measure says how far the dialogue moved.
func (ch *Change) measure(weights [rubric.NumCriteria]int) {
	a, b := ch.A.row(weights), ch.B.row(weights)
	off := func(m Measure) int { return abs(int(b[m]) - int(a[m])) }
	scores := 0
	for m := firstCriterion; int(m) < NumMeasures; m++ {
		scores += off(m)
	}
	ch.moved = [...]int{off(AverageOfA), scores, off(Average), off(Overall), off(Satisfaction)}
}

// same reports whether two cases have the same scores, average, OverallExperience and satisfaction.
func (c *Case) same(other *Case) bool {
	return c.Scores == other.Scores && c.Average == other.Average && c.Overall == other.Overall && c.Satisfaction == other.Satisfaction
}

func abs(n int) int { return max(n, -n) }
