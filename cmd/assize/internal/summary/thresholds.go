package summary

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// OverallName is what the threshold for the whole dialogue is called.
const OverallName = "OverallExperience"

// Threshold is the lowest score that is good enough. An unscored dialogue is below no threshold.
type Threshold struct {
	Criterion rubric.Criterion // whose score counts, unless Whole
	Whole     bool             // the OverallExperience counts
	Least     int

	below int        // scored dialogues
	worst []*run.Row // of these, at most mostWorst, the worst first
}

// ParseThresholds reads scores of the OverallExperience, such as 60, and of criteria, such as Empathy=40. A score of 0
// takes back the threshold of a name, which may be set for all calls.
func ParseThresholds(list []string) (all []Threshold, err error) {
	names := []string{OverallName}
	for _, c := range rubric.Criteria() {
		names = append(names, c.String())
	}
	for _, s := range list {
		name, score, named := strings.Cut(s, "=")
		if !named {
			name, score = OverallName, s
		}
		i := slices.IndexFunc(names, func(known string) bool { return strings.EqualFold(known, strings.TrimSpace(name)) })
		if i < 0 {
			return nil, fmt.Errorf("%q: unknown criterion; want one of %s", s, strings.Join(names, ", "))
		}
		t := Threshold{Whole: i == 0}
		if i > 0 {
			t.Criterion = rubric.Criteria()[i-1]
		}
		t.Least, err = strconv.Atoi(strings.TrimSpace(score))
		if err != nil || t.Least != 0 && t.Least < 20 || t.Least > 100 { // no score is below 20
			return nil, fmt.Errorf("%q: want a score from 20 to 100, or one of a criterion such as Empathy=40", s)
		}
		if slices.ContainsFunc(all, func(have Threshold) bool { return have.Name() == t.Name() }) {
			return nil, fmt.Errorf("%q: a second score for %s; want one", s, t.Name())
		}
		all = append(all, t)
	}
	return slices.DeleteFunc(all, func(t Threshold) bool { return t.Least == 0 }), nil
}

// mostWorst is how many dialogues are named for each threshold.
const mostWorst = 5

// Name is OverallExperience or the name of a criterion.
func (t Threshold) Name() string {
	if t.Whole {
		return OverallName
	}
	return t.Criterion.String()
}

// Score is the score that counts.
func (t Threshold) Score(row *run.Row) rubric.Score {
	if t.Whole {
		return row.Overall
	}
	return row.Final[t.Criterion]
}

// Missed reports whether a scored dialogue is below the threshold.
func (t Threshold) Missed(row *run.Row) bool { return row.Scored() && int(t.Score(row)) < t.Least }

// Thresholds compares dialogues with thresholds.
type Thresholds struct {
	list             []Threshold
	allowed          Portion // how many dialogues may be below
	scored, unscored int
	below            int // scored dialogues that are below a threshold or several
}

// NewThresholds makes Thresholds that let as many dialogues be below as allowed says; the zero Portion allows none.
func NewThresholds(list []Threshold, allowed Portion) *Thresholds {
	return &Thresholds{list: slices.Clone(list), allowed: allowed}
}

// Add compares a dialogue.
func (c *Thresholds) Add(row *run.Row) {
	if !row.Scored() {
		c.unscored++
		return
	}
	c.scored++
	below := false
	for i := range c.list {
		t := &c.list[i]
		if !t.Missed(row) {
			continue
		}
		below = true
		t.below++
		t.worst = append(t.worst, row)
		slices.SortStableFunc(t.worst, func(a, b *run.Row) int { // of equals the earlier dialogue comes first
			return cmp.Or(cmp.Compare(t.Score(a), t.Score(b)), cmp.Compare(a.Average, b.Average))
		})
		t.worst = t.worst[:min(len(t.worst), mostWorst)]
	}
	if below {
		c.below++
	}
}

// Answer reports whether no more dialogues are below than allowed, and gives a line for each threshold that was missed,
// and one for all of them where there are several or some may be below. The error says that there is no answer because
// no dialogue is scored.
func (c *Thresholds) Answer() (passed bool, lines []string, err error) {
	switch {
	case len(c.list) > 0 && c.scored == 0 && c.unscored > 0:
		return false, nil, errors.New("no dialogue is scored, so --fail-under has no answer")
	case c.below == 0:
		return true, nil, nil
	}
	all := ui.Counted(c.scored, "dialogue")
	for _, t := range c.list {
		if t.below == 0 {
			continue
		}
		var names []string
		for _, row := range t.worst {
			names = append(names, fmt.Sprintf("%s of %s (%d)", row.Name, row.File, t.Score(row)))
		}
		if more := t.below - len(t.worst); more > 0 {
			names = append(names, fmt.Sprintf("… and %d more", more))
		}
		limit := fmt.Sprintf("%s=%d", t.Name(), t.Least)
		if t.Whole {
			limit = fmt.Sprint(t.Least)
		}
		lines = append(lines, fmt.Sprintf("%d of %s below --fail-under %s; the lowest: %s", t.below, all, limit,
			strings.Join(names, ", ")))
	}
	most := c.allowed.Within(c.scored)
	if len(lines) > 1 || !c.allowed.None() {
		lines = append(lines, fmt.Sprintf("%d of %s (%s) below a threshold; --max-below %s allows %d",
			c.below, all, ui.Percent(c.below, c.scored), c.allowed, most))
	}
	return c.below <= most, lines, nil
}

// Portion is a share of dialogues, such as 5%, or a number of them. The zero Portion is none. It is the value of a
// flag.
type Portion struct {
	Share rubric.Hundredths // in percent; 0 where a number is meant
	Count int
}

// Set reads a share from 0% to 100%, with at most two decimals, or a number. The error leaves the portion as it is.
func (p *Portion) Set(s string) error {
	var read Portion
	var err error
	if percent, ok := strings.CutSuffix(s, "%"); ok {
		read.Share, err = rubric.ParseHundredths(percent)
	} else {
		read.Count, err = strconv.Atoi(s)
	}
	if err != nil || read.Share < 0 || read.Share > 100*100 || read.Count < 0 {
		return errors.New("want a share from 0% to 100% with at most two decimals, such as 5%, or a number of dialogues")
	}
	*p = read
	return nil
}

// String gives the portion as [Portion.Set] reads it.
func (p Portion) String() string {
	if p.Share == 0 {
		return strconv.Itoa(p.Count)
	}
	return strings.TrimSuffix(strings.TrimRight(p.Share.String(), "0"), ".") + "%"
}

// Type is what help calls it.
func (p Portion) Type() string { return "how-many" }

// None reports whether no dialogue is meant, however many there are.
func (p Portion) None() bool { return p == Portion{} }

// Within is how many there may be so that they are not more than the portion of n dialogues: a share of which a part of
// a dialogue is left does not allow that one. A number may be more than n.
func (p Portion) Within(n int) int {
	if p.Share == 0 {
		return p.Count
	}
	return n * int(p.Share) / (100 * 100)
}

// Of is how many of n dialogues the portion is, as near as can be: at least one, unless it is none or there is none.
func (p Portion) Of(n int) int {
	if p.Share == 0 {
		return min(p.Count, n)
	}
	return min(max(1, (n*int(p.Share)+100*100/2)/(100*100)), n)
}
