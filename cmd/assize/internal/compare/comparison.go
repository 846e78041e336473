package compare

import "assize/rubric"

// Mode says how the dialogues of two runs belong together.
type Mode uint8

// The modes.
const (
	Auto     Mode = iota // in pairs where at least half of the smaller run is in the other one, too
	Paired               // the same dialogues, judged twice
	Unpaired             // two different sets of dialogues
)

// Options say how two runs are compared.
type Options struct {
	Mode   Mode
	ByFile bool   // compare file with file, too
	Top    int    // how many of the dialogues that changed most are kept
	Draws  int    // of the bootstrap
	Seed   uint64 // of the bootstrap
}

// Comparison is what there is to say of two runs. A is the one before, B the one after.
type Comparison struct {
	A, B    *Run
	Options Options
	Paired  bool // the same dialogues are compared, judged twice
	Matching
	Both []Pair // the pairs that are scored in both runs

	All      Part // of what is scored: in pairs in both runs, else in either
	Files    []Part
	OverFile [NumMeasures]Figure // the mean over Files, each counting the same

	Changed   []Change // the dialogues that changed most, the most first
	Unequal   int      // how many changed at all
	Lost      []Pair   // scored in A, unscored in B
	Gained    []Pair   // unscored in A, scored in B
	Different []Difference
	Warnings  []string // what a reader must know before believing a figure, a sentence each

	weights    [rubric.NumCriteria]int // of A
	reweighted bool
}

// New compares two runs.
func New(a, b *Run, opt Options) *Comparison {
	c := &Comparison{A: a, B: b, Options: opt, Matching: match(a, b), Different: differences(a, b)}
	c.weights = a.basis().Rubric.Weights
	c.reweighted = b.basis().Rubric.Weights != c.weights
	c.Paired = opt.Mode == Paired || opt.Mode == Auto && c.mostlySame()
	if c.Paired {
		c.sort()
	}
	all := &sides{paired: c.Paired}
	c.each(func(_ string, a, b *row) { all.add(a, b) })
	whole := []Part{all.part()}
	intervals([]*sides{all}, whole, opt.Draws, opt.Seed)
	c.All = whole[0]
	if opt.ByFile {
		c.byFile()
	}
	c.Warnings = c.warnings()
	return c
}

// sort tells the pairs apart that are scored in both runs, in one and in none.
func (c *Comparison) sort() {
	for _, p := range c.Pairs {
		a, b := c.A.Cases[p.A].Scored(), c.B.Cases[p.B].Scored()
		switch {
		case a && b:
			c.Both = append(c.Both, p)
		case a:
			c.Lost = append(c.Lost, p)
		case b:
			c.Gained = append(c.Gained, p)
		}
	}
	c.rank()
}

// each hands over every dialogue that is compared, with its file: pairs as both their rows, of two different sets one
// row at a time.
func (c *Comparison) each(add func(file string, a, b *row)) {
	if c.Paired {
		for _, p := range c.Both {
			a, b := c.A.Cases[p.A].row(c.weights), c.B.Cases[p.B].row(c.weights)
			add(c.A.Cases[p.A].File, &a, &b)
		}
		return
	}
	for i := range c.A.Cases {
		if k := &c.A.Cases[i]; k.Scored() {
			a := k.row(c.weights)
			add(k.File, &a, nil)
		}
	}
	for i := range c.B.Cases {
		if k := &c.B.Cases[i]; k.Scored() {
			b := k.row(c.weights)
			add(k.File, nil, &b)
		}
	}
}

// Reweighted reports whether the two runs weigh the criteria differently, so that their averages cannot be compared.
func (c *Comparison) Reweighted() bool { return c.reweighted }

// Measures lists what there is to compare, in order.
func (c *Comparison) Measures() []Measure {
	var ms []Measure
	for m := range Measure(NumMeasures) {
		if m != AverageOfA || c.Reweighted() {
			ms = append(ms, m)
		}
	}
	return ms
}

// Headline is the measure that the answer is about: the weighted average, by the same weights.
func (c *Comparison) Headline() Measure {
	if c.Reweighted() {
		return AverageOfA
	}
	return Average
}
