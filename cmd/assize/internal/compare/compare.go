// Package compare says what changed between two runs, by how much, and whether by more than chance. Dialogues are the
// same where the same was said in them.
//
// Runs of the same dialogues are compared in pairs: each dialogue with itself, by the signed-rank test of Wilcoxon
// (1945), corrected for the number of criteria (Holm 1979). Two different sets of dialogues are compared by their
// means. Intervals are percentiles of a bootstrap over dialogues (Efron 1979).
package compare

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

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
	Mode   Mode
	ByFile bool   // compare file with file as well
	Top    int    // how many of the dialogues that changed most are kept
	Draws  int    // of the bootstrap
	Seed   uint64 // of the bootstrap
}

// Comparison is what changed from A to B.
type Comparison struct {
	Version   int          `json:"assize_compare"`
	Mode      Mode         `json:"mode"` // Paired or Unpaired
	Answer    []string     `json:"answer"`
	Warnings  []string     `json:"warnings"` // what a reader must know before believing a figure, a sentence each
	Draws     int          `json:"draws"`
	Seed      uint64       `json:"seed"`
	A         Run          `json:"a"`
	B         Run          `json:"b"`
	Matched   Matched      `json:"matched"`
	All       []Figure     `json:"measures"` // of what is scored: in pairs in both runs, else in either
	Files     []File       `json:"files"`
	Different []Difference `json:"made_differently"`
	Changed   []Change     `json:"changed_most"` // the most first; with equal moves in the order of A
	Lost      []OneSided   `json:"became_unscored"`
	Gained    []OneSided   `json:"became_scored"`

	Options      Options `json:"-"`
	Both         []Pair  `json:"-"` // the pairs that are scored in both runs
	OnlyA, OnlyB []int   `json:"-"` // indices of rows without a partner

	weights [rubric.NumCriteria]int // of A
}

// Matched counts the dialogues that both runs hold.
type Matched struct {
	Dialogues int `json:"dialogues"`
	Scored    int `json:"scored"` // in both
	Changed   int `json:"changed"`
}

// File compares the dialogues of one file.
type File struct {
	File    string   `json:"file"`
	Figures []Figure `json:"measures"`
}

// Place is where a dialogue is found.
type Place struct {
	Dialogue string `json:"dialogue"`
	File     string `json:"file"`
	Line     int    `json:"line"` // of the run
}

// OneSided is a dialogue that only one of the runs could judge.
type OneSided struct {
	A      Place  `json:"a"`
	B      Place  `json:"b"`
	Reason string `json:"reason"` // why the other could not
}

// Change is a dialogue that the two runs judge differently.
type Change struct {
	A        Judged   `json:"a"`
	B        Judged   `json:"b"`
	Criteria []Reason `json:"criteria"` // whose final scores differ

	a, b  *run.Row
	moved [5]int // how far, in hundredths, by what counts most first
}

// Judged is what a run says of a dialogue.
type Judged struct {
	Place
	Overall      int               `json:"OverallExperience"`
	Average      rubric.Hundredths `json:"numeric_weighted_average"`
	Satisfaction rubric.Hundredths `json:"satisfaction"`
}

// Reason is how each side justifies its final score.
type Reason struct {
	Criterion rubric.Criterion `json:"criterion"`
	A         Settled          `json:"a"`
	B         Settled          `json:"b"`
}

// Settled is a final score.
type Settled struct {
	Score         int    `json:"score"`
	Ruling        string `json:"ruling"`
	Justification string `json:"justification"` // empty before [Comparison.Justify]
}

// New compares two runs.
func New(a, b *Run, opt Options) *Comparison {
	c := &Comparison{
		Version: 1, Mode: opt.Mode, Draws: opt.Draws, Seed: opt.Seed, A: *a, B: *b, Options: opt,
		Files: []File{}, Changed: []Change{}, Lost: []OneSided{}, Gained: []OneSided{},
		Different: differences(a.first(), b.first()), weights: a.first().Basis.Rubric.Weights,
	}
	var pairs []Pair
	pairs, c.OnlyA, c.OnlyB = match(a.Rows, b.Rows)
	c.Matched.Dialogues, c.A.Only, c.B.Only = len(pairs), len(c.OnlyA), len(c.OnlyB)
	if c.Mode == Auto {
		c.Mode = Unpaired
		if c.mostlySame() {
			c.Mode = Paired
		}
	}
	if c.Mode == Paired {
		c.follow(pairs)
	}
	whole := c.sets(func(string) string { return "" }, max(a.Scored, b.Scored))
	all := append(whole, &set{}) // there may be none
	c.All = c.measured(all[:1])[0]
	if opt.ByFile {
		files := slices.DeleteFunc(c.sets(c.fileName(), 0), func(s *set) bool { return len(s.a) == 0 || len(s.b) == 0 })
		for i, figures := range c.measured(files) {
			c.Files = append(c.Files, File{files[i].file, figures})
		}
	}
	c.Answer, c.Warnings = c.answer(), c.warnings()
	return c
}

// mostlySame reports whether at least half of the smaller run is also in the other one.
func (c *Comparison) mostlySame() bool {
	return c.Matched.Dialogues > 0 && c.Matched.Dialogues >= min(c.A.Only, c.B.Only)
}

// follow finds the pairs that are scored in both runs, in one alone, and those that changed most.
func (c *Comparison) follow(pairs []Pair) {
	c.Both = pairs[:0]
	for _, p := range pairs {
		a, b := c.A.Rows[p.A], c.B.Rows[p.B]
		switch {
		case a.Scored() && b.Scored():
			c.Both, c.Matched.Scored = append(c.Both, p), c.Matched.Scored+1
			if a.Final == b.Final && a.Average == b.Average && a.Overall == b.Overall &&
				a.Satisfaction == b.Satisfaction {
				continue
			}
			c.Matched.Changed++
			c.Changed = append(c.Changed, c.change(a, b))
			if len(c.Changed) >= 2*c.Options.Top+1024 { // bounds what is kept of very many
				c.Changed = most(c.Changed, c.Options.Top)
			}
		case a.Scored():
			c.Lost = append(c.Lost, OneSided{place(a), place(b), b.Reason})
		case b.Scored():
			c.Gained = append(c.Gained, OneSided{place(a), place(b), a.Reason})
		}
	}
	c.Changed = most(c.Changed, c.Options.Top)
	for i := range c.Changed {
		ch := &c.Changed[i]
		ch.A, ch.B, ch.Criteria = judged(ch.a), judged(ch.b), []Reason{}
		for k := range ch.a.Final {
			if ch.a.Final[k] != ch.b.Final[k] {
				ch.Criteria = append(ch.Criteria, Reason{rubric.Criterion(k), settled(ch.a, k), settled(ch.b, k)})
			}
		}
	}
}

// change measures how far a dialogue moved: by the weighted average with A's weights, then by the six scores together,
// the average by each run's own weights, the OverallExperience and the satisfaction.
func (c *Comparison) change(rowA, rowB *run.Row) Change {
	a, b := measure(rowA, c.weights), measure(rowB, c.weights)
	off := func(m Measure) int { return max(int(b[m]-a[m]), int(a[m]-b[m])) }
	scores := 0
	for m := firstCriterion; int(m) < numMeasures; m++ {
		scores += off(m)
	}
	return Change{a: rowA, b: rowB, moved: [...]int{off(AverageOfA), scores, off(Average), off(Overall),
		off(Satisfaction)}}
}

// most keeps the changes that go furthest.
func most(changes []Change, top int) []Change {
	slices.SortStableFunc(changes, func(x, y Change) int { return slices.Compare(y.moved[:], x.moved[:]) })
	return changes[:min(len(changes), top)]
}

func place(r *run.Row) Place { return Place{r.Name, r.File, r.Place} }

func judged(r *run.Row) Judged { return Judged{place(r), int(r.Overall), r.Average, r.Satisfaction} }

func settled(r *run.Row, criterion int) Settled {
	return Settled{Score: int(r.Final[criterion]), Ruling: r.Rulings[criterion].String()}
}

// Justify fills in the justifications of a side from records of its run by their lines, those of Changed. It reports
// whether they are the records that were compared.
func (c *Comparison) Justify(side *Run, records map[int]*run.Record) bool {
	for i := range c.Changed {
		ch := &c.Changed[i]
		row := ch.b
		if side == &c.A {
			row = ch.a
		}
		r := records[row.Place]
		if r == nil || !r.Scored() || run.KeyOf(r.Source.Digest) != row.Said ||
			r.Evaluation.Final.Scores() != row.Final {
			return false
		}
		for k := range ch.Criteria {
			to := &ch.Criteria[k].B
			if side == &c.A {
				to = &ch.Criteria[k].A
			}
			to.Justification = r.Evaluation.Final[ch.Criteria[k].Criterion].Sentence(r.Evaluation.Dialogue)
		}
	}
	return true
}

// sets gathers the dialogues that are compared by the names that their files have, with room for so many on each side.
// Of pairs, A says which file a dialogue belongs to.
func (c *Comparison) sets(name func(file string) string, room int) []*set {
	order := []*set{}
	at := map[string]*set{}
	of := func(file string) *set {
		file = name(file)
		if at[file] == nil {
			at[file] = &set{file, make([]values, 0, room), make([]values, 0, room)}
			order = append(order, at[file])
		}
		return at[file]
	}
	for _, p := range c.Both {
		a, b := c.A.Rows[p.A], c.B.Rows[p.B]
		s := of(a.File)
		s.a, s.b = append(s.a, measure(a, c.weights)), append(s.b, measure(b, c.weights))
	}
	if c.Mode == Paired {
		return order
	}
	for _, r := range c.A.Rows {
		if r.Scored() {
			s := of(r.File)
			s.a = append(s.a, measure(r, c.weights))
		}
	}
	for _, r := range c.B.Rows {
		if r.Scored() {
			s := of(r.File)
			s.b = append(s.b, measure(r, c.weights))
		}
	}
	return order
}

// measured gives the figures of sets, those of the measures that are shown.
func (c *Comparison) measured(sets []*set) (list [][]Figure) {
	for _, s := range sets {
		list = append(list, s.figures(c.Mode == Paired))
	}
	intervals(sets, list, c.Mode == Paired, c.Draws, c.Seed)
	if !c.reweighted() {
		for i := range list {
			list[i] = slices.Delete(list[i], int(AverageOfA), int(AverageOfA)+1)
		}
	}
	return list
}

// reweighted reports whether the runs weigh the criteria differently, so that their averages cannot be compared.
func (c *Comparison) reweighted() bool { return c.differs("rubric.weights") }

// Headline is the figure that the answer is about, of some figures: the weighted average, by the same weights.
func (c *Comparison) Headline(figures []Figure) *Figure {
	if c.reweighted() {
		return &figures[AverageOfA]
	}
	return &figures[Average]
}

// fileName says under which name a file of one run meets that of the other: without its folder, so that v1/calls.txt
// and v2/calls.txt are compared, unless a run has two files that then have the same name.
func (c *Comparison) fileName() func(file string) string {
	base := func(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }
	for _, rows := range [][]*run.Row{c.A.Rows, c.B.Rows} {
		whole := map[string]string{}
		for _, r := range rows {
			if other, ok := whole[base(r.File)]; ok && other != r.File {
				return func(file string) string { return file }
			}
			whole[base(r.File)] = r.File
		}
	}
	return base
}

// Drop answers whether the mean weighted average of B is lower than that of A by at least by points, as it is printed.
// In pairs the mean is over the dialogues that are scored in both runs. sure asks for more: that the whole 95 %
// interval is lower by so much. The answer is the sentence that says so, empty for no.
//
// The error says why there is no answer: nothing is scored, the two runs weigh the criteria differently, or there are
// too few dialogues for an interval.
func (c *Comparison) Drop(by rubric.Hundredths, sure bool) (string, error) {
	f := &c.All[Average]
	dropped := -hundredths(f.Difference.Value)
	least, answer := dropped, fmt.Sprintf("the mean weighted average dropped by %s points", dropped)
	switch {
	case f.NA == 0 || f.NB == 0:
		return "", errors.New("there is no difference, since nothing is scored on both sides")
	case c.reweighted():
		return "", errors.New("the runs weigh the criteria differently, so their averages cannot be compared; want " +
			"both scored with the same rubric")
	case sure && f.Interval == nil:
		return "", fmt.Errorf("%s are too few to be sure; want %d or more", c.counted(), fewest)
	case sure:
		least = -hundredths(f.Interval[1].Value)
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
