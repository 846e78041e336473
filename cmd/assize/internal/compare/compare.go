// Package compare says what changed between two runs, by how much, and whether by more than chance. Dialogues are the
// same where the same was said in them.
//
// Runs of the same dialogues are compared in pairs: each dialogue with itself. Two different sets of dialogues are
// compared by their means. Intervals are percentiles of a bootstrap over dialogues (Efron 1979).
package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unique"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/stats"
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
	Name string `json:"dialogue"`
	File string `json:"file"`
	Line int    `json:"line"` // of the run
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
// In pairs the mean is over the dialogues that are scored in both runs. The answer is the sentence that says so,
// empty for no.
//
// The error says why there is no answer: nothing is scored, or the two runs weigh the criteria differently.
func (c *Comparison) Drop(by rubric.Hundredths) (string, error) {
	f := &c.All[Average]
	dropped := -hundredths(f.Difference)
	switch {
	case f.NA == 0 || f.NB == 0:
		return "", errors.New("there is no difference, since nothing is scored on both sides")
	case c.differs("rubric.weights"):
		return "", errors.New("the runs weigh the criteria differently, so their averages cannot be compared; want " +
			"both scored with the same rubric")
	case dropped < by:
		return "", nil
	}
	return fmt.Sprintf("the mean weighted average dropped by %s points", dropped), nil
}

// counted says how many dialogues were compared: "2800 dialogues", "2800 and 2650 dialogues".
func (c *Comparison) counted() string {
	f := &c.All[0]
	if c.Mode == Paired {
		return ui.Counted(f.NA, "dialogue")
	}
	return fmt.Sprintf("%d and %s", f.NA, ui.Counted(f.NB, "dialogue"))
}

// Run is one of the two runs, reduced to rows.
type Run struct {
	File         string     `json:"file"` // as the user named it
	Dialogues    int        `json:"dialogues"`
	Scored       int        `json:"scored"`
	Fingerprints []string   `json:"fingerprints"`    // of the different headers
	Only         int        `json:"without_partner"` // dialogues that the other run does not hold
	Rows         []*run.Row `json:"-"`               // Place is the line of the run

	headers []*run.Header // of its records, the first first
}

// NewRun makes an empty run.
func NewRun(file string) *Run { return &Run{File: file, Fingerprints: []string{}} }

// Add adds a dialogue, whose place is its line in the run, and the header that it was made under.
func (r *Run) Add(row run.Row, h *run.Header) {
	if n := len(r.headers); n == 0 || r.headers[n-1] != h {
		r.headers = append(r.headers, h)
		if f := h.Fingerprint(); !slices.Contains(r.Fingerprints, f) {
			r.Fingerprints = append(r.Fingerprints, f)
		}
	}
	row.Meta, row.Ratings, row.CrossCheck = nil, nil, nil // not compared
	row.File, row.Reason = unique.Make(row.File).Value(), unique.Make(row.Reason).Value()
	r.Dialogues++
	if row.Scored() {
		r.Scored++
	}
	r.Rows = append(r.Rows, &row)
}

// made tells how the first records of the run were made. What a profile was learnt from changes no estimate.
func (r *Run) made() run.Header {
	if len(r.headers) == 0 {
		return run.Header{Basis: run.DefaultBasis()}
	}
	h := *r.headers[0]
	h.Basis.Profile.Learned = nil
	return h
}

// match finds the same dialogues by the digest of their turns, whatever they are called. Where a run holds the same
// conversation several times, the first is paired with the first and the second with the second.
func match(a, b []*run.Row) (pairs [][2]*run.Row) {
	left := map[run.Key][]*run.Row{} // the rows of B that are not paired yet, in order
	for _, row := range b {
		left[row.Said] = append(left[row.Said], row)
	}
	for _, row := range a {
		if same := left[row.Said]; len(same) > 0 {
			pairs, left[row.Said] = append(pairs, [2]*run.Row{row, same[0]}), same[1:]
		}
	}
	return pairs
}

// Measure is one of the figures that are compared.
type Measure uint8

// The measures, in the order in which they are shown. Those of the criteria follow them.
const (
	Average        Measure = iota // the weighted average, from 20 to 100
	Overall                       // the OverallExperience, from 20 to 100
	Satisfaction                  // the estimated rating, from 1 to 5
	Below60                       // the percentage of dialogues whose OverallExperience is below 60
	firstCriterion                // the final scores, from 20 to 100
	numMeasures    = int(firstCriterion) + rubric.NumCriteria
)

// String gives the name that people read.
func (m Measure) String() string {
	if m >= firstCriterion {
		return rubric.Criterion(m - firstCriterion).String()
	}
	return [...]string{"weighted average", "OverallExperience", "satisfaction", "% below 60"}[m]
}

// Key gives the name that programs read.
func (m Measure) Key() string {
	switch m {
	case Average:
		return "numeric_weighted_average"
	case Below60:
		return "percent_below_60"
	}
	return m.String()
}

// MarshalText gives the key.
func (m Measure) MarshalText() ([]byte, error) { return []byte(m.Key()), nil }

// fixed gives a value with the decimals of the measure: three where the whole scale is 1 to 5.
func (m Measure) fixed(value float64) stats.Fixed {
	if m == Satisfaction {
		return stats.Fixed{Value: value, Decimals: 3}
	}
	return stats.Fixed{Value: value, Decimals: 2}
}

// Figure compares A and B on one measure, in the measure's own units.
type Figure struct {
	Measure    Measure         `json:"measure"`
	NA         int             `json:"n_a"` // how many dialogues each side has; in pairs as many
	NB         int             `json:"n_b"`
	A          stats.Fixed     `json:"mean_a"`
	B          stats.Fixed     `json:"mean_b"`
	Difference stats.Fixed     `json:"difference"` // B − A
	Interval   *[2]stats.Fixed `json:"interval"`   // of the difference, 95 %, from low to high; nil for too few
	*Moves                     // of pairs
}

// Moves counts the pairs in which a measure changed.
type Moves struct {
	Rose   int `json:"rose"`
	Fell   int `json:"fell"`
	Stayed int `json:"stayed"`
}

// Excludes reports whether 0 lies outside the interval as it is printed with two decimals.
func (f *Figure) Excludes() bool {
	return f.Interval != nil && (hundredths(f.Interval[0]) > 0 || hundredths(f.Interval[1]) < 0)
}

// hundredths rounds a figure as it is printed, halves away from zero.
func hundredths(f stats.Fixed) rubric.Hundredths { return rubric.Hundredths(math.Round(f.Value * 100)) }

// values are what one dialogue has of each measure, in hundredths: from 0 to 10000, differences from -10000.
type values [numMeasures]int16

func measure(r *run.Row) values {
	v := values{Average: int16(r.Average), Overall: 100 * int16(r.Overall), Satisfaction: int16(r.Satisfaction)}
	if r.Overall < 60 {
		v[Below60] = 100 * 100
	}
	for i, score := range r.Final {
		v[int(firstCriterion)+i] = 100 * int16(score)
	}
	return v
}

// fewest is how many dialogues a side must have for an interval. Resampling can give nothing outside the range of what
// was seen, and with n dialogues the true middle lies outside it with a probability of 2^(1-n): more than 5 % up to
// five.
const fewest = 6

// figures computes the figures. Of pairs, the bootstrap draws the differences; of two different sets, each side by itself.
func (c *Comparison) figures() {
	a, b := c.values[0], c.values[1]
	drawn, sizes := [][]values{a, b}, []int{len(a), len(b)}
	if c.Mode == Paired {
		drawn, sizes = [][]values{make([]values, len(a))}, sizes[:1]
		for k := range a {
			for m := range a[k] {
				drawn[0][k][m] = b[k][m] - a[k][m]
			}
		}
	}
	mean := func(sum int64, n int) float64 { return float64(sum) / float64(100*n) }
	var ends []stats.Estimate
	if min(len(a), len(b)) >= fewest {
		ends = stats.BootstrapWithin(sizes, c.Draws, c.Seed, func(times [][]int) []float64 {
			last := len(drawn) - 1
			difference := make([]float64, numMeasures)
			for m, sum := range sums(drawn[last], times[last]) {
				difference[m] = mean(sum, len(drawn[last]))
			}
			if c.Mode == Unpaired {
				for m, sum := range sums(a, times[0]) {
					difference[m] -= mean(sum, len(a))
				}
			}
			return difference
		})
	}
	sumsA, sumsB := sums(a, nil), sums(b, nil)
	for i := range numMeasures {
		m := Measure(i)
		f := Figure{Measure: m, NA: len(a), NB: len(b), A: m.fixed(mean(sumsA[i], len(a))), B: m.fixed(mean(sumsB[i], len(b)))}
		// The difference is exact until it is rounded once, so that what is printed as 2.00 is no less.
		na, nb := int64(len(a)), int64(len(b))
		f.Difference = m.fixed(float64(sumsB[i]*na-sumsA[i]*nb) / float64(100*na*nb))
		if ends != nil && !math.IsNaN(ends[i].Low) {
			f.Interval = &[2]stats.Fixed{m.fixed(ends[i].Low), m.fixed(ends[i].High)}
		}
		if c.Mode == Paired {
			f.Moves = &Moves{}
			for _, moved := range drawn[0] {
				switch {
				case moved[i] > 0:
					f.Rose++
				case moved[i] < 0:
					f.Fell++
				default:
					f.Stayed++
				}
			}
		}
		c.All = append(c.All, f)
	}
}

// sums adds up each measure over rows that count as often as times says; nil counts each once.
func sums(rows []values, times []int) (sum [numMeasures]int64) {
	for i := range rows {
		t := int64(1)
		if times != nil {
			t = int64(times[i])
		}
		for m, v := range rows[i] {
			sum[m] += t * int64(v)
		}
	}
	return sum
}
