// Package compare reports what changed between two runs, by how much, and whether by more than
// chance. Dialogues are the same if their ids are, or else their turns.
//
// Runs of the same dialogues are compared in pairs: each dialogue with itself. Two different sets
// of dialogues are compared by their means. Intervals are percentiles of a bootstrap over dialogues
// (Efron 1979); the criteria and questions are tested together (Holm 1979).
package compare

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"unique"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Mode is how the dialogues of two runs are matched.
type Mode string

// The modes.
const (
	auto     Mode = ""         // Paired if at least half of the smaller run is in both
	Paired   Mode = "paired"   // the same dialogues, judged twice
	Unpaired Mode = "unpaired" // two different sets of dialogues
)

// Options control a comparison.
type Options struct {
	Mode  Mode
	Top   int    // how many of the most changed dialogues to keep
	Draws int    // bootstrap draws
	Seed  uint64 // of the bootstrap
}

// Sides contains a value for each of A and B.
type Sides[T any] struct {
	A T `json:"a"`
	B T `json:"b"`
}

// Comparison describes what changed from A to B.
type Comparison struct {
	Version  int      `json:"assize_compare"`
	Mode     Mode     `json:"mode"` // Paired or Unpaired
	Answer   []string `json:"answer"`
	Warnings []string `json:"warnings"` // caveats, one sentence each
	Draws    int      `json:"draws"`
	Seed     uint64   `json:"seed"`
	Sides[Run]
	Matched matched `json:"matched"`
	// Claims counts what was said to be done in the compared dialogues; nil if nothing was.
	Claims *Sides[map[rubric.DeedState]int] `json:"claims,omitempty"`
	// Uncalled counts the compared dialogues without calls of tools, where no claim is checked.
	Uncalled [2]int `json:"without_calls"` // of A and of B
	// All contains the figures of dialogues scored in both runs if paired, otherwise in either.
	All       []figure         `json:"measures"`
	Different []run.Change     `json:"made_differently"`
	Changed   []dialogueChange `json:"changed_most"` // most changed first; ties in the order of A
	Missing   []Place          `json:"missing"`      // dialogues only in A
	New       []Place          `json:"new"`          // dialogues only in B
	// Reworded are pairs with different turns, Lost and Gained those scored in only A or only B.
	Reworded []Place `json:"changed_turns"`
	Lost     []Place `json:"became_unscored"`
	Gained   []Place `json:"became_scored"`
	// CallsLost are the pairs scored in both that have calls of tools only in A.
	CallsLost []Place        `json:"calls_lost,omitempty"`
	Unscored  Sides[[]Place] `json:"unscored"` // of each run, without repeats
	// Impossible are the pairs with the same turns that the same rules scored differently, without
	// a model: one of the runs was edited, or another program wrote it.
	Impossible []Place `json:"impossible"`

	// values contains each measure of the compared dialogues of A and of B, in hundredths, or NaN
	// where a dialogue has none. If paired, equal indices are the same dialogue.
	values   [2][][]float64
	measures []measure
	pairs    [][2]*run.Row
	deeds    [2]rubric.DeedCounts // of the compared dialogues
}

// matched counts the dialogues that are in both runs.
type matched struct {
	Dialogues int `json:"dialogues"`
	Scored    int `json:"scored"` // in both
	Changed   int `json:"changed"`
	// Repeats counts those that are left out: equal to another, by [run.Row.Copy], in A and in B.
	Repeats int `json:"repeats,omitzero"`
	// Kept counts the dialogues in pairs that repeat another of their own run only.
	Kept int `json:"repeats_kept,omitzero"`
}

// Place is the location of a dialogue.
type Place struct {
	Name string `json:"dialogue"`
	File string `json:"file"`
	Line int    `json:"line"` // of the run
}

func place(r *run.Row) Place { return Place{r.Name, r.File, r.Place} }

// dialogueChange is a dialogue that the two runs judge differently.
type dialogueChange struct {
	Sides[judgement]
	CallsLost bool              `json:"calls_lost,omitzero"`
	Criteria  []criterionChange `json:"criteria"` // criteria whose final scores differ
}

// judgement is the judgement of a dialogue in one run.
type judgement struct {
	Place
	Overall      rubric.Score      `json:"OverallExperience"`
	Average      rubric.Hundredths `json:"numeric_weighted_average"`
	Satisfaction rubric.Hundredths `json:"satisfaction"`
}

// criterionChange is a criterion whose final score changed.
type criterionChange struct {
	Criterion rubric.Criterion `json:"criterion"`
	Sides[outcome]
}

// outcome is a final score and the ruling that produced it.
type outcome struct {
	Score  rubric.Score `json:"score"`
	Ruling string       `json:"ruling"`
	Reason string       `json:"reason"` // with its quotes; empty if unknown
}

// New compares two runs.
func New(a, b *Run, opt Options) *Comparison {
	c := &Comparison{
		Version: 1, Mode: opt.Mode, Draws: opt.Draws, Seed: opt.Seed, Sides: Sides[Run]{*a, *b},
		Different: a.Header.Differences(b.Header),
	}
	c.measures = measures(a, b)
	n := len(c.measures)
	c.values = [2][][]float64{make([][]float64, n), make([][]float64, n)}
	pairs, onlyA, onlyB := match(a.Rows, b.Rows)
	c.pairs, c.A.Only, c.B.Only = pairs, len(onlyA), len(onlyB)
	c.Missing, c.New = ui.Each(onlyA, place), ui.Each(onlyB, place)
	rules := len(c.Different) == 0 && a.byRules() && b.byRules()
	for _, pair := range pairs {
		x, y := pair[0], pair[1]
		if rules && x.Said == y.Said && x.Day == y.Day && x.Queue == y.Queue &&
			(x.Final != y.Final || x.Estimate != y.Estimate || x.Average != y.Average ||
				x.Overall != y.Overall) {
			c.Impossible = append(c.Impossible, place(x))
		}
	}
	pairs = ui.Once(pairs, func(pair [2]*run.Row) [2]run.Key {
		return [2]run.Key{pair[0].Copy(), pair[1].Copy()}
	})
	c.Matched.Dialogues = len(pairs)
	reworded := ui.Without(pairs, func(p [2]*run.Row) bool { return p[0].Said == p[1].Said })
	c.Reworded = ui.Each(reworded, func(p [2]*run.Row) Place { return place(p[0]) })
	if c.Mode == auto { // repeats decide nothing
		c.Mode = Unpaired
		if n := len(pairs); n > 0 && n >= min(len(run.CopiesOf(onlyA)), len(run.CopiesOf(onlyB))) {
			c.Mode = Paired
		}
	}
	once := func(rows []*run.Row) []*run.Row { return ui.Once(rows, (*run.Row).Copy) }
	rows := [2][]*run.Row{once(a.Rows), once(b.Rows)}
	if c.Mode == Paired {
		for side, only := range [2][]*run.Row{onlyA, onlyB} {
			with := ui.Each(pairs, func(p [2]*run.Row) *run.Row { return p[side] })
			c.Matched.Kept += len(with) - len(once(with))
			rows[side] = append(with, once(only)...)
		}
		c.Matched.Repeats = len(c.pairs) - len(pairs)
		c.compareScores(pairs, opt.Top)
	} else {
		for side, r := range []*Run{a, b} {
			c.Matched.Repeats += len(r.Rows) - len(rows[side])
			for _, row := range rows[side] {
				if row.Scored() {
					c.count(side, row, c.valuesOf(row))
				}
			}
		}
	}
	c.Unscored = Sides[[]Place]{c.A.count(rows[0]), c.B.count(rows[1])}
	if c.deeds != [2]rubric.DeedCounts{} {
		c.Claims = &Sides[map[rubric.DeedState]int]{map[rubric.DeedState]int{},
			map[rubric.DeedState]int{}}
		for _, s := range rubric.DeedStates() {
			c.Claims.A[s], c.Claims.B[s] = c.deeds[0].Of(s), c.deeds[1].Of(s)
		}
	}
	c.figures()
	c.Answer, c.Warnings = c.answer(), c.warnings()
	return c
}

// Worse returns the pairs in which a score fell by two levels, the weighted average by ten points,
// or only A has calls of tools.
func (c *Comparison) Worse() (list [][2]*run.Row) {
	for _, pair := range c.pairs {
		a, b := pair[0], pair[1]
		isWorse := a.Average >= b.Average+10_00 || a.HasCalls && !b.HasCalls
		for k := range a.Final {
			isWorse = isWorse || a.Final[k].Level() >= b.Final[k].Level()+2
		}
		if c.Mode == Paired && b.Scored() && isWorse {
			list = append(list, pair)
		}
	}
	return list
}

// count adds a dialogue of A (side 0) or B (side 1) to the comparison.
func (c *Comparison) count(side int, r *run.Row, values []float64) {
	if !r.HasCalls {
		c.Uncalled[side]++
	}
	for i, n := range r.Deeds {
		c.deeds[side][i] += n
	}
	for m, v := range values {
		c.values[side][m] = append(c.values[side][m], v)
	}
}

// compareScores finds the pairs scored in both runs, those scored in only one, and the most
// changed: by the average, then by the sum over the six scores, the OverallExperience and
// satisfaction.
func (c *Comparison) compareScores(pairs [][2]*run.Row, top int) {
	type move struct {
		rows [2]*run.Row
		by   [4]float64
	}
	var moves []move
	for _, pair := range pairs {
		a, b := pair[0], pair[1]
		switch {
		case a.Scored() && b.Scored():
			before, after := c.valuesOf(a), c.valuesOf(b)
			for m := numMeasures; m < len(before); m++ {
				if math.IsNaN(before[m] + after[m]) { // not in both
					before[m], after[m] = math.NaN(), math.NaN()
				}
			}
			c.count(0, a, before)
			c.count(1, b, after)
			if a.HasCalls && !b.HasCalls {
				c.CallsLost = append(c.CallsLost, place(b))
			}
			off := func(m int) float64 { return math.Abs(after[m] - before[m]) }
			by := [4]float64{off(average), 0, off(overall), off(estimate)}
			for m := firstCriterion; m < numMeasures; m++ {
				by[1] += off(m)
			}
			if by != [4]float64{} {
				moves = append(moves, move{pair, by})
			}
		case a.Scored():
			c.Lost = append(c.Lost, place(a))
		case b.Scored():
			c.Gained = append(c.Gained, place(b))
		}
	}
	c.Matched.Scored, c.Matched.Changed = len(c.values[0][average]), len(moves)
	slices.SortStableFunc(moves, func(x, y move) int { return slices.Compare(y.by[:], x.by[:]) })
	judged := func(r *run.Row) judgement {
		return judgement{place(r), r.Overall, r.Average, r.Satisfaction}
	}
	for _, m := range moves[:min(len(moves), top)] {
		a, b := m.rows[0], m.rows[1]
		ch := dialogueChange{Sides: Sides[judgement]{judged(a), judged(b)}}
		of := func(r *run.Row, k int, why Reasons) outcome {
			return outcome{r.Final[k], r.Rulings[k].String(), why[r.Identity][k]}
		}
		for k := range a.Final {
			if a.Final[k] != b.Final[k] {
				ch.Criteria = append(ch.Criteria, criterionChange{rubric.Criterion(k),
					Sides[outcome]{of(a, k, c.A.Reasons), of(b, k, c.B.Reasons)}})
			}
		}
		ch.CallsLost = a.HasCalls && !b.HasCalls
		c.Changed = append(c.Changed, ch)
	}
}

// Drop returns Failed if the mean weighted average of B is lower than that of A by at least the
// given points, and a sentence about it unless it passed. If confidence is 0, the means as printed
// decide; otherwise the drop must differ from the limit by more than chance. If paired, the mean is
// over the dialogues scored in both runs.
//
// A drop in dialogues that the means leave out would go unnoticed, so these, and scores that cannot
// be, are undecided. Each of two different sets has unscored dialogues of its own, so there it is
// undecided only if it would not pass with the drop of [Comparison.unseen].
// It returns an error if nothing is scored or if the weights differ.
func (c *Comparison) Drop(by rubric.Hundredths, confidence float64,
) (v stats.Verdict, why string, err error) {
	f := &c.All[average]
	dropped := -hundredths(f.Difference)
	switch {
	case f.NA == 0 || f.NB == 0:
		return v, "", texts.Error("nothing scored")
	case c.Differs("rubric.weights"):
		return v, "", texts.Error("other weights")
	}
	mean, se, n := c.drop(average)
	times := float64(minForInterval) / float64(n) // above 1 for too few dialogues to decide
	decide := func(more float64) (v stats.Verdict) {
		switch {
		case confidence > 0 && times > 1:
			v = stats.Undecided
		case confidence > 0:
			v, times = stats.MeanReaches(mean+more, se, float64(n-1), float64(by), confidence)
		case dropped+rubric.Hundredths(math.Round(more)) >= by:
			v = stats.Failed
		}
		return v
	}
	say := struct {
		*Comparison
		Change, Drop rubric.Hundredths
		Unseen       float64 // in points
		Fails        bool
		More         string // how many more dialogues are needed
	}{Comparison: c, Change: -dropped, Drop: dropped, Unseen: c.unseen() / 100}
	switch v = decide(0); {
	case v == stats.Undecided:
		say.More = ui.More(f.NB, times)
	case v == stats.Failed:
		say.Fails = true
	case len(c.Impossible)+len(c.Left()) == 0 && decide(c.unseen()) == stats.Passed:
		return v, "", nil
	default:
		v = stats.Undecided
	}
	return v, texts.Say("drop", say), nil
}

// Left returns the dialogues that no mean of pairs covers, except those unscored in both runs.
func (c *Comparison) Left() []Place {
	if c.Mode == Unpaired {
		return nil
	}
	return slices.Concat(c.Missing, c.New, c.Lost, c.Gained)
}

// unseen returns by how many hundredths the mean weighted average of B would be lower, of two
// different sets, if it had the lowest score in the dialogues by which its share of unscored ones
// exceeds that of A.
func (c *Comparison) unseen() float64 {
	more := float64(c.B.Unscored()) -
		float64(c.A.Unscored())/float64(c.A.Dialogues)*float64(c.B.Dialogues)
	if c.Mode == Paired || more <= 0 {
		return 0
	}
	return more / (more + float64(c.B.Scored)) * 100 *
		(c.All[average].B.Value - float64(rubric.Scale[0]))
}

// drop returns by how much the mean of a measure dropped, its standard error, both in hundredths,
// and the number of dialogues of the smaller side.
func (c *Comparison) drop(measure int) (mean, se float64, n int) {
	a := ui.Without(c.values[0][measure], math.IsNaN)
	b := ui.Without(c.values[1][measure], math.IsNaN)
	mean, n = stats.Mean(a, nil)-stats.Mean(b, nil), min(len(a), len(b))
	if c.Mode == Unpaired {
		return mean, math.Sqrt(stat.Variance(a, nil)/float64(len(a)) +
			stat.Variance(b, nil)/float64(len(b))), n
	}
	d := floats.SubTo(make([]float64, n), a, b)
	return mean, math.Sqrt(stat.Variance(d, nil) / float64(n)), n
}

// MustPass returns what is wrong with a dialogue in B: it is missing, is unscored, has an
// OverallExperience below 60, or has a lower one than in A. Its name is one of [run.Names] in B or,
// if none is, in A. The pairs are those of A and B with the name.
func (c *Comparison) MustPass(name string) (wrong ui.Sentences, pairs [][2]*run.Row) {
	before := map[*run.Row]*run.Row{}
	isOther := func(r *run.Row) bool {
		return !slices.Contains(run.Names(r.ID, r.Name, r.File), name)
	}
	named := ui.Without(c.B.Rows, isOther)
	inB := len(named) > 0
	for _, pair := range c.pairs {
		before[pair[1]] = pair[0]
		if !inB && !isOther(pair[0]) {
			named = append(named, pair[1])
		}
	}
	if len(named) == 0 {
		named = []*run.Row{nil}
	}
	for _, b := range named {
		a := before[b]
		wrong = append(wrong, texts.List("must pass", map[string]any{"Name": name, "A": a, "B": b,
			"Numbered": numbered(c.B.Rows)})...)
		if a != nil {
			pairs = append(pairs, [2]*run.Row{a, b})
		}
	}
	return wrong, pairs
}

// Newly decides a gate of --fail-on on what no dialogue may newly have in B, and returns the pairs
// that do, and a sentence unless it passed. It is undecided if some dialogues could have it unseen:
// those without a pair or, as to claims, with calls of tools only in A. It returns an error if no
// dialogue has calls, where no claim is checked.
func (c *Comparison) Newly(t summary.Threshold) (v stats.Verdict, why string, pairs [][2]*run.Row,
	err error) {
	say := struct {
		*Comparison
		Gate        summary.Threshold
		Found, Open []Place
	}{Comparison: c, Gate: t, Open: c.Left()}
	isChecked := t.State == ""
	for _, pair := range c.pairs {
		a, b := pair[0], pair[1]
		isChecked = isChecked || a.HasCalls || b.HasCalls
		switch {
		case c.Mode == Paired && t.Misses(b) > t.Misses(a):
			pairs, say.Found = append(pairs, pair), append(say.Found, place(b))
		case t.State != "" && b.Scored() && a.HasCalls && !b.HasCalls:
			say.Open = append(say.Open, place(b))
		}
	}
	switch {
	case len(pairs) > 0:
		v = stats.Failed
	case c.Mode == Paired && !isChecked:
		return v, "", nil, texts.Error("no calls", t)
	case c.Mode == Unpaired || len(say.Open) > 0:
		v = stats.Undecided
	}
	return v, texts.Say("newly", say), pairs, nil
}

// Run is one of the two runs, reduced to its rows.
type Run struct {
	File         string     `json:"file"`      // as the user named it
	Dialogues    int        `json:"dialogues"` // like Scored, without what Matched.Repeats counts
	Scored       int        `json:"scored"`
	Fingerprints []string   `json:"fingerprints"`    // of the distinct headers
	Only         int        `json:"without_partner"` // dialogues that are not in the other run
	Rows         []*run.Row `json:"-"`               // Place is the line in the run
	Reasons      Reasons    `json:"-"`
	Header       run.Header `json:"-"` // of the first records
}

// NewRun returns the Run with rows, whose places are their lines, and the headers of its records.
func NewRun(file string, rows []run.Row, headers []*run.Header) *Run {
	r := &Run{File: file, Reasons: Reasons{}, Header: run.Header{Basis: run.DefaultBasis()},
		Fingerprints: ui.Distinct(ui.Each(headers, (*run.Header).Fingerprint))}
	if len(headers) > 0 {
		r.Header = *headers[0]
		r.Header.Basis.Profile.Learned = nil // the origin of a profile changes no estimate
	}
	for i := range rows {
		row := &rows[i]
		row.Meta, row.Ratings, row.CrossCheck = nil, nil, nil // not compared
		r.Rows = append(r.Rows, row)
	}
	return r
}

// count counts the dialogues that are compared, and returns the places of the unscored ones.
func (r *Run) count(rows []*run.Row) (unscored []Place) {
	unscored = ui.Each(ui.Without(rows, (*run.Row).Scored), place)
	r.Dialogues, r.Scored = len(rows), len(rows)-len(unscored)
	return unscored
}

// Reasons are the sentences for the final scores of dialogues, with their quotes.
type Reasons map[run.Identity][rubric.NumCriteria]string

// Add adds the sentences of a dialogue, unless it is unscored.
func (all Reasons) Add(r *run.Record) {
	if !r.Scored() {
		return
	}
	var why [rubric.NumCriteria]string
	for k, rating := range r.Evaluation.Final {
		// criteria that did not change have the same sentence in both runs
		why[k] = unique.Make(rating.Sentence(r.Dialogue)).Value()
	}
	all[r.Identity()] = why
}

// Unscored returns the number of dialogues without a score.
func (r *Run) Unscored() int { return r.Dialogues - r.Scored }

// byRules reports whether the rules alone judged the run, on the words that it holds.
func (r *Run) byRules() bool { return r.Header.Model == nil && !r.Header.Configuration.Redacted }

// numbered reports whether the ids only count the dialogues of each file, as in any other file.
func numbered(rows []*run.Row) bool {
	count := map[string]int{}
	return !slices.ContainsFunc(rows, func(r *run.Row) bool {
		count[r.File]++
		return r.Name != strconv.Itoa(count[r.File])
	})
}

// match pairs dialogues with the same id, first of files with the same name, and then of any files
// if A has one such dialogue and B has one, or copies of one; and then those with the same turns.
// Ids that only count the dialogues must also have the same opening. Within these rules, the pairs
// are formed in order. It also returns the rows that are in only one run.
func match(a, b []*run.Row) (pairs [][2]*run.Row, onlyA, onlyB []*run.Row) {
	type key struct {
		file, name string
		words      run.Key
	}
	name := func(r *run.Row) key { return key{name: r.Name} }
	if numbered(a) || numbered(b) {
		name = func(r *run.Row) key {
			if r.Opening == (run.Key{}) {
				return key{r.File, r.Name, r.Said}
			}
			return key{name: r.Name, words: r.Opening}
		}
	}
	with := map[*run.Row]*run.Row{} // of A by those of B, and of B by those of A
	isPaired := func(r *run.Row) bool { return with[r] != nil }
	for pass, of := range []func(*run.Row) key{
		func(r *run.Row) key { return key{filepath.Base(r.File), r.Name, r.Said} },
		func(r *run.Row) key { k := name(r); k.file = filepath.Base(r.File); return k },
		name,
		func(r *run.Row) key { return key{words: r.Said} },
	} {
		left, ofA := ui.By(ui.Without(b, isPaired), of), ui.By(a, of)
		for _, row := range a {
			k := of(row)
			same := left[k]
			differs := func(r *run.Row) bool { return r.Said != same[0].Said }
			if with[row] != nil || len(same) == 0 ||
				pass == 2 && (len(ofA[k]) > 1 || slices.ContainsFunc(same, differs)) {
				continue
			}
			with[row], with[same[0]], left[k] = same[0], row, same[1:]
		}
	}
	for _, row := range a {
		if with[row] == nil {
			onlyA = append(onlyA, row)
		} else {
			pairs = append(pairs, [2]*run.Row{row, with[row]})
		}
	}
	return pairs, onlyA, ui.Without(b, isPaired)
}

// measure is a figure to compare.
type measure struct {
	name, title string // in machine-readable output, and for readers
	decimals    int    // three if the whole scale is 1 to 5
	of          func(*run.Row) float64
	needs       []string // settings that must be the same in both runs, or it cannot be compared
}

// The indices of measures in display order, followed by those of the criteria. If both runs have a
// scorecard, the checklist follows, and then the questions that both have.
const (
	average        = iota // the weighted average, from 20 to 100
	overall               // the OverallExperience, from 20 to 100
	estimate              // the estimated rating, from 1 to 5
	below60               // the percentage of dialogues whose OverallExperience is below 60
	firstCriterion        // the final scores, from 20 to 100
	numMeasures    = firstCriterion + rubric.NumCriteria
)

// measures returns the measures of two runs, with values in hundredths, so that sums are exact.
func measures(a, b *Run) []measure {
	mapped := []string{"rubric.weights", "rubric.mapping"}
	list := []measure{
		average: {"numeric_weighted_average", "weighted average", 2,
			func(r *run.Row) float64 { return float64(r.Average) }, []string{"rubric.weights"}},
		overall: {"OverallExperience", "OverallExperience", 2,
			func(r *run.Row) float64 { return 100 * float64(r.Overall) }, mapped},
		estimate: {"satisfaction", "satisfaction", 3,
			func(r *run.Row) float64 { return float64(r.Satisfaction) }, nil},
		below60: {"percent_below_60", "% below 60", 2,
			func(r *run.Row) float64 { return percent[r.Overall < 60] }, mapped},
	}
	for _, c := range rubric.Criteria() {
		list = append(list, measure{c.String(), c.String(), 2,
			func(r *run.Row) float64 { return 100 * float64(r.Final[c]) }, nil})
	}
	questions := a.Header.Basis.Rubric.Questions
	if len(questions) > 0 && len(b.Header.Basis.Rubric.Questions) > 0 {
		list = append(list, measure{run.ChecklistName, run.ChecklistName, 2, run.ChecklistScore,
			[]string{"rubric.questions"}})
	}
	for _, q := range questions {
		if !slices.ContainsFunc(b.Header.Basis.Rubric.Questions, func(o rubric.Question) bool {
			return o.ID == q.ID && o.GoodAnswer() == q.GoodAnswer()
		}) {
			continue
		}
		list = append(list, measure{"percent_good " + q.ID, "% good, " + q.ID, 2,
			func(r *run.Row) float64 {
				switch given := r.Checklist.Answer(q.ID); given {
				case rubric.Yes, rubric.No:
					return percent[given == q.GoodAnswer()]
				}
				return math.NaN()
			}, nil})
	}
	return list
}

// percent is 0 or 100 %, in hundredths, by whether something holds.
var percent = map[bool]float64{true: 100 * 100}

// String returns the display name.
func (m measure) String() string { return m.title }

// MarshalText returns the name in machine-readable output.
func (m measure) MarshalText() ([]byte, error) { return []byte(m.name), nil }

// fixed converts hundredths to the measure's units and decimals.
func (m measure) fixed(hundredths float64) stats.Fixed {
	return stats.Fixed{Value: hundredths / 100, Decimals: m.decimals}
}

// figure compares A and B on one measure, in the measure's own units.
type figure struct {
	Measure    measure         `json:"measure"`
	NA         int             `json:"n_a"` // number of dialogues in A; if paired, equal to NB
	NB         int             `json:"n_b"`
	A          stats.Fixed     `json:"mean_a"`
	B          stats.Fixed     `json:"mean_b"`
	Difference stats.Fixed     `json:"difference"` // B − A; NaN if they cannot be compared
	Interval   *[2]stats.Fixed `json:"interval"`   // 95 % of the difference; nil if unknown
	// the probability of such a difference by chance among all criteria and questions, which are
	// tested together (Holm); nil for other measures, and for too few
	P           *stats.Fixed `json:"p_holm"`
	*Directions              // if paired and comparable
}

// Directions counts the pairs in which a measure changed.
type Directions struct {
	Rose   int `json:"rose"`
	Fell   int `json:"fell"`
	Stayed int `json:"stayed"`
}

// isSignificant reports whether 0 is outside the interval as printed with two decimals, and the
// corrected probability of chance, if there is one, is at most 5 %.
func (f *figure) isSignificant() bool {
	return f.Interval != nil && (f.P == nil || f.P.Value <= .05) &&
		(hundredths(f.Interval[0]) > 0 || hundredths(f.Interval[1]) < 0)
}

// hundredths returns a figure rounded as printed, halves away from zero.
func hundredths(f stats.Fixed) rubric.Hundredths {
	return rubric.Hundredths(math.Round(f.Value * 100))
}

func (c *Comparison) valuesOf(r *run.Row) []float64 {
	return ui.Each(c.measures, func(m measure) float64 { return m.of(r) })
}

// minForInterval is the minimum number of dialogues on each side for an interval. Resampling cannot
// leave the range of the data, and with n dialogues the true median is outside that range with a
// probability of 2^(1-n): more than 5 % for up to five.
const minForInterval = 6

// figures computes the figures. If paired, the bootstrap resamples the pairs, otherwise each side.
func (c *Comparison) figures() {
	na, nb, draws := len(c.values[0][average]), len(c.values[1][average]), c.Draws
	sizes := []int{na, nb}
	if c.Mode == Paired {
		sizes = sizes[:1]
	}
	if min(na, nb) < minForInterval {
		draws = 0
	}
	found := stats.BootstrapWithin(sizes, draws, c.Seed, func(times [][]int) []float64 {
		difference := make([]float64, len(c.measures))
		for m := range difference {
			a, na := sum(c.values[0][m], times[0])
			b, nb := sum(c.values[1][m], times[len(times)-1])
			// Exact until divided, so that a difference printed as 2.00 is not less than 2.
			difference[m] = (float64(b*na) - float64(a*nb)) / float64(na*nb)
			if c.Differs(c.measures[m].needs...) {
				difference[m] = math.NaN()
			}
		}
		return difference
	})
	// The criteria and questions are tested together: of many, one would differ by chance.
	var tested []int // indices of figures
	var chances []float64
	for i, e := range found {
		a, b, m := c.values[0][i], c.values[1][i], c.measures[i]
		sumA, na := sum(a, nil)
		sumB, nb := sum(b, nil)
		f := figure{Measure: m, NA: int(na), NB: int(nb), A: m.fixed(sumA / na),
			B: m.fixed(sumB / nb), Difference: m.fixed(e.Value)}
		if i >= numMeasures && min(na, nb) == 0 {
			continue // no dialogue has an answer
		}
		if !math.IsNaN(e.Low) && min(na, nb) >= minForInterval {
			f.Interval = &[2]stats.Fixed{m.fixed(e.Low), m.fixed(e.High)}
			if i >= firstCriterion {
				mean, se, n := c.drop(i)
				tested = append(tested, len(c.All))
				chances = append(chances, stats.Chance(mean, se, float64(n-1)))
			}
		}
		if c.Mode == Paired && !math.IsNaN(e.Value) {
			f.Directions = &Directions{Stayed: f.NA}
			for i := range a {
				if a[i] < b[i] {
					f.Rose++
				} else if a[i] > b[i] {
					f.Fell++
				}
			}
			f.Stayed -= f.Rose + f.Fell
		}
		c.All = append(c.All, f)
	}
	for i, p := range stats.Holm(chances) {
		c.All[tested[i]].P = new(stats.Four(p))
	}
}

// sum returns the sum of the values that are not NaN, and their number, each counted the given
// number of times; nil counts each once.
func sum(values []float64, times []int) (all, n float64) {
	for i, v := range values {
		t := 1.0
		if times != nil {
			t = float64(times[i])
		}
		if !math.IsNaN(v) {
			all += float64(v * t)
			n += t
		}
	}
	return all, n
}
