package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/report"
	"assize/rubric"
)

// Sentences say what the comparison means, the most important first. Every word of them follows from the figures as
// they are printed.
func (c *Comparison) Sentences() []string {
	list := []string{c.answer()}
	switch {
	case c.All.NA == 0 || c.All.NB == 0:
	case !c.Paired:
		list = append(list, c.apart()...)
	case c.Unequal > 0:
		list = append(list, c.moved())
	}
	if n := len(c.Lost); n > 0 {
		list = append(list, are(n)+" scored in A but not in B, and in no mean.")
	}
	if n := len(c.Gained); n > 0 {
		list = append(list, are(n)+" scored in B but not in A, and in no mean.")
	}
	return list
}

// answer says whether B is better or worse.
func (c *Comparison) answer() string {
	f := &c.All.Figures[c.Headline()]
	average := "the weighted average"
	if c.Reweighted() {
		average += " with A's weights"
	}
	from := fmt.Sprintf("the interval from %s to %s", Fixed(f.Interval.Low, 2), Fixed(f.Interval.High, 2))
	switch {
	case c.All.NA == 0 || c.All.NB == 0:
		return c.nothing()
	case c.Paired && c.Unequal == 0:
		what := "Nothing"
		if len(c.Lost)+len(c.Gained) > 0 {
			what = "No score"
		}
		return fmt.Sprintf("%s changed: scores, average and satisfaction are the same in %s.", what, all(c.All.NA))
	case c.Paired && f.Rose+f.Fell == 0:
		return fmt.Sprintf("No change on %s: it is the same in %s.", average, all(c.All.NA))
	case math.IsNaN(f.Interval.Low) && hundredths(f.Difference) == 0:
		return fmt.Sprintf("The means of %s are the same, over %s: too few to tell from chance.", average, c.counted())
	case math.IsNaN(f.Interval.Low):
		return fmt.Sprintf("B is %s on %s, over %s: too few to tell from chance.", apart(f.Difference), average, c.counted())
	case f.Excludes():
		return fmt.Sprintf("B is %s on %s; %s excludes 0.", apart(f.Difference), average, from)
	case hundredths(f.Difference) == 0:
		return fmt.Sprintf("No difference that %s could show: the means of %s are the same, and %s includes 0.", c.counted(), average, from)
	}
	return fmt.Sprintf("No difference that %s could show: B is %s on %s, and %s includes 0.", c.counted(), apart(f.Difference), average, from)
}

// apart gives a difference in words: "3.20 points lower".
func apart(difference float64) string {
	if h := hundredths(difference); h < 0 {
		return (-h).String() + " points lower"
	}
	return hundredths(difference).String() + " points higher"
}

// nothing says why there is nothing to compare.
func (c *Comparison) nothing() string {
	switch {
	case c.Paired:
		return "Nothing can be compared: no dialogue is scored in both runs."
	case c.All.NA == 0 && c.All.NB == 0:
		return "Nothing can be compared: no dialogue is scored in either run."
	case c.All.NA == 0:
		return "Nothing can be compared: no dialogue of A is scored."
	}
	return "Nothing can be compared: no dialogue of B is scored."
}

// moved says which criteria fell and rose more than chance would have it, by the signed-rank test. A few great moves can
// turn the mean against many small ones, and then it says neither.
func (c *Comparison) moved() string {
	var fell, rose, torn, other []string
	tested := 0
	for _, m := range c.Measures() {
		f := &c.All.Figures[m]
		_, criterion := m.Criterion()
		switch {
		case f.Rose+f.Fell == 0:
		case !criterion:
			other = append(other, m.String())
		case !(f.Wilcoxon.Holm < .05):
			tested++
		case f.Difference == 0, (f.Difference < 0) != (f.Rose < f.Fell) && f.Rose != f.Fell:
			tested++
			torn = append(torn, m.String())
		case f.Difference < 0:
			tested++
			fell = append(fell, m.String())
		default:
			tested++
			rose = append(rose, m.String())
		}
	}
	if tested == 0 {
		return "No criterion changed; what did: " + enumerate(other) + "."
	}
	return fmt.Sprintf("%s (signed-rank test, p < .05 after Holm's correction for %s).", whichWay(fell, rose, torn), report.Counted(tested, "test"))
}

// apart says of two different sets which criteria are lower and higher, by their intervals.
func (c *Comparison) apart() []string {
	var lower, higher []string
	for m := firstCriterion; int(m) < NumMeasures; m++ {
		switch f := &c.All.Figures[m]; {
		case math.IsNaN(f.Interval.Low):
			return nil
		case !f.Excludes():
		case f.Difference < 0:
			lower = append(lower, m.String())
		default:
			higher = append(higher, m.String())
		}
	}
	var parts []string
	if lower != nil {
		parts = append(parts, enumerate(lower)+" (lower)")
	}
	if higher != nil {
		parts = append(parts, enumerate(higher)+" (higher)")
	}
	if parts == nil {
		return []string{"The interval of every criterion includes 0."}
	}
	return []string{"Criteria whose own interval excludes 0: " + strings.Join(parts, "; ") + "."}
}

// whichWay says what fell, what rose, and what moved with its mean going another way than most dialogues.
func whichWay(fell, rose, torn []string) string {
	var parts []string
	for _, p := range []struct {
		criteria []string
		did      string
	}{{fell, " fell"}, {rose, " rose"}, {torn, " moved, by the mean not the way that most dialogues did"}} {
		if p.criteria != nil {
			parts = append(parts, enumerate(p.criteria)+p.did)
		}
	}
	if parts == nil {
		return "None of the criteria moved by more than chance"
	}
	return enumerate(parts)
}

// Excludes reports whether 0 lies outside the interval as it is printed, with two decimals.
func (f *Figure) Excludes() bool {
	if math.IsNaN(f.Interval.Low) {
		return false
	}
	return hundredths(f.Interval.Low) > 0 || hundredths(f.Interval.High) < 0
}

// hundredths rounds a figure as it is printed, halves away from zero.
func hundredths(f float64) rubric.Hundredths { return rubric.Hundredths(math.Round(f * 100)) }

// Fixed prints a figure with a fixed number of decimals, halves away from zero, and never as "-0.00". A NaN is a dash.
func Fixed(f float64, decimals int) string {
	if math.IsNaN(f) {
		return "–"
	}
	unit := math.Pow10(decimals)
	if f = math.Round(f*unit) / unit; f == 0 {
		f = 0 // and not -0
	}
	return strconv.FormatFloat(f, 'f', decimals, 64)
}

// counted says how many dialogues were compared: "2800 dialogues", "2800 and 2650 dialogues".
func (c *Comparison) counted() string {
	if c.Paired {
		return report.Counted(c.All.NA, "dialogue")
	}
	return fmt.Sprintf("%d and %s", c.All.NA, report.Counted(c.All.NB, "dialogue"))
}

func all(n int) string {
	if n == 1 {
		return "the one dialogue"
	}
	return fmt.Sprintf("all %d dialogues", n)
}

// enumerate joins words: "a, b and c".
func enumerate(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
