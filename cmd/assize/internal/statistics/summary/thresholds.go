package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// OverallName is the name of the threshold for the whole dialogue.
const OverallName = "OverallExperience"

// Threshold is a minimum score, or an answer that is not allowed to a question or a fact.
// Unscored dialogues, and those without the score or answer, never miss a threshold.
type Threshold struct {
	Name   string           // OverallName, a criterion, the checklist, a question or a fact
	Least  int              // of a score
	Answer rubric.Answer    // the answer that is not allowed; empty for a score
	State  rubric.DeedState // of claims, none of which may have it; empty for anything else

	below int        // scored dialogues
	worst []*run.Row // up to maxWorst of these, worst first
}

// ParseThresholds parses minimum scores of the OverallExperience, such as 60, of criteria, such as
// Empathy=40, and of the checklist. A score of 0 removes a threshold of the configuration.
func ParseThresholds(list []string) (all []Threshold, err error) {
	names := append([]string{OverallName, run.ChecklistName}, run.ScoreNames()...)
	for _, s := range list {
		name, score, named := strings.Cut(s, "=")
		if !named {
			name, score = OverallName, s
		}
		i := slices.IndexFunc(names,
			func(known string) bool { return strings.EqualFold(known, strings.TrimSpace(name)) })
		if i < 0 {
			return nil, texts.Error("no criterion", s, strings.Join(names, ", "))
		}
		t := Threshold{Name: names[i]}
		t.Least, err = strconv.Atoi(strings.TrimSpace(score))
		lowest, want := 20, "a score from 20 to 100, or one of a criterion such as Empathy=40"
		if t.Name == run.ChecklistName {
			lowest, want = 0, "a checklist from 0 to 100 percent, such as checklist=80"
		}
		if err != nil || t.Least != 0 && t.Least < lowest || t.Least < 0 || t.Least > 100 {
			return nil, fmt.Errorf("%q: want %s", s, want)
		}
		if slices.ContainsFunc(all, func(have Threshold) bool { return have.Name == t.Name }) {
			return nil, fmt.Errorf("%q: a second score for %s; want one", s, t.Name)
		}
		all = append(all, t)
	}
	return slices.DeleteFunc(all, func(t Threshold) bool { return t.Least == 0 }), nil
}

// maxWorst is the maximum number of dialogues named per threshold.
const maxWorst = 5

// ParseAnswers parses answers that are not allowed, such as verified-caller=no, to the questions of
// a rubric, facts that may not be contradicted, such as pets=contradicted, and states that no claim
// may have, such as claim=contradicted.
func ParseAnswers(list []string, r rubric.Rubric) (all []Threshold, err error) {
	ids := ui.Each(r.Questions, func(q rubric.Question) string { return q.ID })
	facts := ui.Each(r.Facts,
		func(f rubric.Fact) string { return f.ID + "=" + string(run.FactContradicted) })
	states := ui.Each(rubric.DeedStates(),
		func(s rubric.DeedState) string { return run.ClaimName + "=" + string(s) })
	for _, s := range list {
		name, answer, _ := strings.Cut(s, "=")
		name, answer = strings.TrimSpace(name), strings.ToLower(strings.TrimSpace(answer))
		t := Threshold{Name: name, Answer: rubric.Answer(answer)}
		switch {
		case slices.Contains(states, name+"="+answer):
			t = Threshold{Name: name, State: rubric.DeedState(answer)}
		case name == run.ClaimName && !slices.Contains(ids, name):
			return nil, texts.Error("no state", s, strings.Join(states, ", "))
		case slices.Contains(facts, name+"="+answer):
		case len(ids)+len(facts) == 0:
			return nil, texts.Error("no scorecard", s)
		case !slices.Contains(ids, t.Name):
			return nil, texts.Error("no question", s,
				strings.Join(slices.Concat(ids, facts, states), ", "))
		case t.Answer != rubric.Yes && t.Answer != rubric.No && t.Answer != rubric.Open:
			return nil, texts.Error("no answer", s, t.Name)
		}
		all = append(all, t)
	}
	return all, nil
}

// Value returns the score or answer of a scored dialogue, or "" if it has none.
func (t Threshold) Value(row *run.Row) string {
	if t.State != "" {
		if n := row.Deeds.Of(t.State); n > 1 {
			return fmt.Sprint(t.State, " ", n, " times")
		}
		return string(t.State)
	}
	if t.Answer != "" {
		return string(row.Answer(t.Name))
	}
	if score, ok := t.score(row); ok {
		return strings.TrimSuffix(score.String(), ".00")
	}
	return ""
}

// score returns the score that the threshold is for, and whether the dialogue has it.
func (t Threshold) score(row *run.Row) (score rubric.Hundredths, ok bool) {
	if t.Name == OverallName {
		return 100 * rubric.Hundredths(row.Overall), row.Scored()
	}
	if c, err := rubric.ParseCriterion(t.Name); err == nil {
		return 100 * rubric.Hundredths(row.Final[c]), row.Scored()
	}
	if row.Checklist == nil || row.Checklist.Score == nil {
		return 0, false
	}
	return *row.Checklist.Score, row.Scored()
}

// isScore reports whether the threshold is a minimum score.
func (t Threshold) isScore() bool { return t.Answer == "" && t.State == "" }

// Misses returns how often a scored dialogue misses the threshold: the number of claims with its
// state, or 1 if the score is below it or the answer is the wrong one.
func (t Threshold) Misses(row *run.Row) int {
	score, ok := t.score(row)
	switch {
	case t.State != "":
		return row.Deeds.Of(t.State)
	case t.Answer != "" && row.Answer(t.Name) == t.Answer,
		t.Answer == "" && ok && score < 100*rubric.Hundredths(t.Least):
		return 1
	}
	return 0
}

// String returns the threshold as on the command line: 60, Empathy=40 or claim=contradicted.
func (t Threshold) String() string {
	if t.isScore() {
		return strings.TrimPrefix(fmt.Sprintf("%s=%d", t.Name, t.Least), OverallName+"=")
	}
	return fmt.Sprintf("%s=%s%s", t.Name, t.Answer, t.State)
}

// Wants returns what the threshold requires, in words.
func (t Threshold) Wants() string { return texts.Say("wants", t) }

// Thresholds checks dialogues against thresholds.
type Thresholds struct {
	List             []Threshold
	Unscored, scored int     // dialogues, repeats included
	allowed          Portion // how many of them may be below a minimum score
	confidence       float64 // of the verdict; 0 compares the share itself
	below            int     // scored dialogues below at least one minimum score
	uncalled         int     // scored dialogues without calls of tools, where no claim is judged
}

// NewThresholds returns Thresholds that allow the given portion of dialogues to be below a minimum
// score; the zero Portion allows none, and no dialogue may have an answer that is not allowed. If
// confidence is 0, the share of these dialogues decides. Otherwise they are a sample, and their
// share must differ from the allowed one by more than chance.
func NewThresholds(list []Threshold, allowed Portion, confidence float64) *Thresholds {
	return &Thresholds{List: slices.Clone(list), allowed: allowed, confidence: confidence}
}

// Add checks a dialogue.
func (c *Thresholds) Add(row *run.Row) {
	if !row.Scored() {
		c.Unscored++
		return
	}
	c.scored++
	if !row.HasCalls {
		c.uncalled++
	}
	below := false
	for i := range c.List {
		t := &c.List[i]
		if t.Misses(row) == 0 {
			continue
		}
		below = below || t.isScore()
		t.below++
		t.worst = append(t.worst, row)
		// Among equals the earlier dialogue comes first.
		slices.SortStableFunc(t.worst, func(a, b *run.Row) int {
			x, _ := t.score(a)
			y, _ := t.score(b)
			return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.Average, b.Average))
		})
		t.worst = t.worst[:min(len(t.worst), maxWorst)]
	}
	if below {
		c.below++
	}
}

// Answer returns Passed if no dialogue has an answer that is not allowed and at most the allowed
// number are below a minimum score. It also returns a line for each missed threshold, and one for
// all minimum scores if several are missed or if some dialogues may be below. It returns an error
// if no dialogue is scored, or if all thresholds are on claims and no dialogue has calls.
func (c *Thresholds) Answer() (v stats.Verdict, lines []string, err error) {
	all, scores := ui.Counted(c.scored, "dialogue"), 0 // minimum scores that are missed
	allowed := c.allowed.Fraction()
	byChance := c.confidence > 0 && allowed > 0 && allowed < 1 && c.scored > 0 &&
		slices.ContainsFunc(c.List, Threshold.isScore)
	others := ui.Without(c.List, func(t Threshold) bool { return t.State != "" })
	var idle []string
	switch {
	case c.uncalled == 0 || len(others) == len(c.List):
	case c.uncalled < c.scored:
		idle = []string{texts.Text("some calls", c.uncalled, all)}
	case len(others) == 0:
		return v, nil, texts.Error("no calls")
	default:
		idle = []string{texts.Text("no calls")}
	}
	if len(c.List) > 0 && c.scored == 0 && c.Unscored > 0 {
		return v, nil, texts.Error("no gates")
	}
	for _, t := range c.List {
		if t.below == 0 {
			continue
		}
		names := ui.Each(t.worst, func(row *run.Row) string {
			return fmt.Sprintf("%s of %s (%s)", row.Name, row.File, t.Value(row))
		})
		if more := t.below - len(t.worst); more > 0 {
			names = append(names, fmt.Sprintf("… and %d more", more))
		}
		missed := fmt.Sprintf("below --fail-under %s; the lowest", t)
		if t.isScore() {
			scores++
		} else {
			v = stats.Failed
			missed = texts.Text("not allowed", t)
		}
		lines = append(lines, fmt.Sprintf("%d of %s %s: %s", t.below, all, missed,
			strings.Join(names, ", ")))
	}
	limit := c.allowed.within(c.scored)
	if scores > 1 || scores > 0 && !c.allowed.None() || byChance {
		lines = append(lines, texts.Text("below", c.below, all, ui.Percent(c.below, c.scored),
			c.allowed, limit))
	}
	switch times := 0.0; {
	case v == stats.Failed:
	case !byChance && c.below > limit:
		v = stats.Failed
	case byChance:
		v, times = stats.ShareExceeds(c.below, c.scored, allowed, c.confidence)
		if v == stats.Undecided {
			lines = append(lines, fmt.Sprintf("undecided: %s", ui.More(c.scored, times)))
		}
	}
	return v, append(lines, idle...), nil
}

// Portion is a share of dialogues, such as 5%, or a number of them. The zero Portion is no
// dialogues. It can be used as the value of a flag.
type Portion struct {
	Share rubric.Hundredths // in percent; 0 if Count is used
	Count int
}

// Set parses a share from 0% to 100%, with at most two decimals, or a number.
func (p *Portion) Set(s string) error {
	var read Portion
	var err error
	if percent, ok := strings.CutSuffix(s, "%"); ok {
		read.Share, err = rubric.ParseHundredths(percent)
	} else {
		read.Count, err = strconv.Atoi(s)
	}
	if err != nil || read.Share < 0 || read.Share > 100*100 || read.Count < 0 {
		return texts.Error("no portion")
	}
	*p = read
	return nil
}

// String returns the portion in the form that [Portion.Set] accepts.
func (p Portion) String() string {
	if p.Share == 0 {
		return strconv.Itoa(p.Count)
	}
	return strings.TrimSuffix(strings.TrimRight(p.Share.String(), "0"), ".") + "%"
}

// Type returns the name of the type in help texts.
func (p Portion) Type() string { return "how-many" }

// None reports whether the portion is no dialogues, regardless of their number.
func (p Portion) None() bool { return p == Portion{} }

// Fraction returns the share, from 0 to 1, or 0 for a number.
func (p Portion) Fraction() float64 { return float64(p.Share) / (100 * 100) }

// within returns the number that the portion of n dialogues allows; a share is rounded down.
func (p Portion) within(n int) int {
	if p.Share == 0 {
		return p.Count
	}
	return n * int(p.Share) / (100 * 100)
}

// Of returns the number of n dialogues closest to the portion: at least one, unless either is zero.
func (p Portion) Of(n int) int {
	if p.Share == 0 {
		return min(p.Count, n)
	}
	return min(max(1, (n*int(p.Share)+100*100/2)/(100*100)), n)
}
